/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_job.cuh: what the phases of `fast` work on, and who works on it. A phase is a device function that a
 * team of threads runs together: the threads of a whole grid where each phase is a kernel of its own, those
 * of a cluster of blocks where all phases are one kernel. ec_fast.cu puts the phases in order.
 *
 * Space is cut into cells whose points are all neighbours (rules/cell.h), and cells into blocks of 4 x 4 x 4,
 * as on the CPU. Only what holds points is stored:
 *
 *     heads    by slot of a hash table: whose block it is, and a bit for each of its 64 cells that holds points
 *     infos    by slot: where the block is, and number of its first cell
 *     list     slots in use, one a block
 *     tallies  by cell: its points, and the first of them; cells of a block are numbered one after the other
 *     ranges   by cell: where its points begin in `sorted`, and how many
 *     sorted   the points, cell by cell
 *     parents  by cell: the union-find forest
 *
 * DBSCAN has a few phases more, and those in common work on its core points alone: fast_density.cuh.
 *
 *     mask of a block  ...0 1 1 0 1      cells 0, 2, 3, ...
 *     first cell 17       17    18 19    cell with bit b has number 17 + bits below b
 */
#ifndef CLUMP_CUDA_FAST_FAST_JOB_CUH
#define CLUMP_CUDA_FAST_FAST_JOB_CUH

#include "cuda/fast/ec_fast.h"
#include "cuda/gpu/warp.cuh"
#include "rules/blocks.h"
#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/union_find.h"

typedef struct fast_head {
    unsigned long long owner; /* 0: free; else 32 bits of the hash, a 1, and the index of a point of the block */
    unsigned long long mask;
} fast_head;

typedef struct fast_tally {
    uint32_t count, first; /* of DBSCAN count becomes that of core points of a thin cell, then the cell's new number */
} fast_tally;

/* Around the points of a cell, as integers in the order of the floats. */
typedef struct fast_cell_box {
    uint32_t lower[3], upper[3];
} fast_cell_box;

/* A pair of crowded cells, and which stretch of the first's points (fast_hot.cuh). */
typedef struct fast_crowd_item {
    uint32_t a, b, stretch;
} fast_crowd_item;

enum {
    FAST_CROWD_ROUNDS = 8,                  /* of sorting */
    FAST_CROWD_NODES = FAST_CROWD_ROUNDS,   /* the step after them */
    FAST_CROWD_JOIN = FAST_CROWD_NODES + 1, /* the last */
    FAST_CROWD_STEPS = FAST_CROWD_JOIN + 1
};

/* Counted while it runs; zeroed before. */
typedef struct fast_counters {
    uint32_t blocks, cells, points; /* so far */
    uint32_t late, hard;            /* may pass their limits, and crowd_items too */
    uint32_t crowd_cells, crowd_items;
    uint32_t crowd_segments[FAST_CROWD_ROUNDS], crowd_stretches; /* that fast_hot.cuh finds on its way */
    uint32_t crowd_taken[FAST_CROWD_STEPS], crowd_done[FAST_CROWD_STEPS];
    uint32_t marked; /* thread blocks that have */
    uint32_t open;
    uint32_t not_finite, masked, left_out;
} fast_counters;

enum { FAST_MANY = 256 }; /* points of a cell that a warp goes through so many at a time */

/* What the host learns; in its memory, written by the GPU. */
typedef struct fast_report {
    clump_counts counts;
    unsigned long long stamps[CLUMP_LAUNCH_STAMPS]; /* nanoseconds */
} fast_report;

typedef struct fast_job {
    clump_cloud_view view;
    clump_cell_rule rule;
    float bound;
    uint32_t min_points; /* of DBSCAN; 0: Euclidean clustering */
    bool borders;        /* DBSCAN with border points */
    uint32_t slot_mask;  /* slots - 1, slots a power of two */
    clump_hash_key key;  /* of the context */
    fast_head *heads;
    int4 *infos; /* x, y, z of the block; w: first cell, and FAST_MIXED */
    uint32_t *list;
    uint32_t *cell_of; /* by point: first the slot, then the cell; CLUMP_GPU_NONE for points left out */
    uint8_t *local_of; /* by point: which cell of its block */
    uint32_t *rank_of; /* by point: place within its cell */
    fast_tally *tallies;
    uint2 *ranges;             /* by cell: start, and FAST_CROWDED; count */
    uint32_t *parents;         /* of DBSCAN before the joins: the slot of the cell's block */
    float4 *sorted;            /* w: the index of the point, as bits */
    uint8_t *core;             /* by point: whether it is a core point; null: nobody wants to know */
    uint8_t *core_at;          /* by place in sorted: the same, of the points of thin cells (fast_density.cuh) */
    fast_cell_box *cell_boxes; /* of cells with FAST_MANY points: entry start / FAST_MANY (fast_around.cuh) */
    uint32_t *open;            /* points that are compared with all around, and whether they are core points */
    uint4 *late;               /* 32 pairs of cells each that are put off: slots of their blocks, FAST_SELF or where the
                  * second lies, number of the first pair */
    uint32_t late_limit;
    uint2 *hard; /* pairs of cells that are put off */
    uint32_t hard_limit;
    uint32_t *crowd_cells; /* 2 crowd_limit entries */
    fast_crowd_item *crowd_items;
    uint32_t crowd_limit;
    void *nodes;       /* of crowds. In the memory of heads, and */
    float4 *spare;     /* that of infos, which nobody needs any more then; DBSCAN does, and has some for these */
    uint32_t *marks;   /* a bit a point: the first of its cluster */
    uint32_t *numbers; /* by word of marks: marks before it */
    fast_counters *counters;
    int32_t *labels;
    clump_counts *counts;
    fast_report *report; /* null: the host does not wait */
} fast_job;

static const uint32_t FAST_MIXED = 1u << 31;   /* of a block: its cells are not all in one set */
static const uint32_t FAST_FINAL = 1u << 31;   /* in cell_of, of DBSCAN: not to be renumbered */
static const uint32_t FAST_CROWDED = 1u << 31; /* of a cell: in the list of those */

__device__ static inline void fast_stamp(const fast_job &job, const clump_gpu_team &team, int which)
{
    if (job.report && team.thread == 0) job.report->stamps[which] = clump_gpu_now();
}

/* ----- hash table ---------------------------------------------------------------------------------- */

/* The number that a block is looked up by, and the slot where the search starts. */
__device__ static inline unsigned long long fast_hash(const fast_job &job, int32_t x, int32_t y, int32_t z)
{
    return clump_hash_product(job.key, x, y, z, 0);
}

__device__ static inline uint32_t fast_slot(const fast_job &job, unsigned long long hash)
{
    return clump_hash_slot_masked(clump_hash_of_product(hash), job.slot_mask);
}

/* Half of the hash, a 1, and a point of the block. */
__device__ static inline unsigned long long fast_owner(unsigned long long hash, uint32_t point)
{
    return hash << 32 | 0x80000000u | point;
}

/* Whether the owner of a slot may be that of a block with this hash; almost always right. */
__device__ static inline bool fast_may_own(unsigned long long owner, unsigned long long hash)
{
    return owner >> 32 == (hash & 0xffffffffu);
}

__device__ static inline fast_head fast_load_head(const fast_head *head)
{
    const ulonglong2 both = __ldcg((const ulonglong2 *)head);
    fast_head h;
    h.owner = both.x;
    h.mask = both.y;
    return h;
}

/* The slot of a block, CLUMP_GPU_NONE if it has no points. Only after all blocks have been entered. */
__device__ static inline uint32_t fast_find_block(const fast_job &job, int32_t x, int32_t y, int32_t z,
                                                  unsigned long long *mask)
{
    const unsigned long long hash = fast_hash(job, x, y, z);
    for (uint32_t slot = fast_slot(job, hash);; slot = (slot + 1) & job.slot_mask) {
        const fast_head head = fast_load_head(&job.heads[slot]);
        if (head.owner == 0) return CLUMP_GPU_NONE;
        if (!fast_may_own(head.owner, hash)) continue;
        const int4 info = job.infos[slot];
        if (info.x != x || info.y != y || info.z != z) continue;
        *mask = head.mask;
        return slot;
    }
}

#endif
