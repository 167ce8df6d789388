/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_job.cuh: the data that the phases of `fast` work on. A phase is a device function that a team of threads runs
 * together: the threads of a whole grid where each phase is a kernel of its own, the threads of one cluster of thread
 * blocks where all phases are one kernel. ec_fast.cu puts the phases in order.
 *
 * Space is cut into cells whose points are all neighbours of each other (rules/cell.h), and cells into blocks of
 * 4 x 4 x 4 (rules/blocks.h). Only blocks and cells that hold points are stored. The cells of a block have consecutive
 * numbers:
 *
 *     mask of a block  ...0 1 1 0 1      cells 0, 2, 3, ...
 *     first cell 17       17    18 19    the cell with bit b has number 17 + bits below b
 *
 * What each buffer holds, from which phase on. A phase marked D is DBSCAN's (fast_density.cuh, fast_border.cuh); the
 * phases after `compact` then see core points only.
 *
 *     buffer        one entry per   from phase   holds
 *     heads         slot            enter        hash and one point of the block; mask: a bit per cell with points
 *                                   compact D    mask: a bit per cell with core points
 *                                   hot, not D   nodes of the hot cells (`nodes`)
 *     infos         slot            enter        x, y, z of the block
 *                                   number       and in w the number of its first cell
 *                                   inside       and in w FAST_MIXED
 *                                   hot, not D   room for sorting points (`spare`)
 *     list          block           enter        its slot
 *     cell_of       point           enter        slot of its block; CLUMP_GPU_NONE: left out
 *                                   count        its cell
 *                                   border D     of points that are not core: FAST_FINAL and root, or CLUMP_GPU_NONE
 *     local_of      point           enter        number of its cell within the block
 *     rank_of       point           count        place within its cell
 *     tallies       cell            count        count: points; first: the smallest index of a point
 *                                   place D      count: core points found so far, of a thin cell
 *                                   compact D    count: new number of the cell; first: among core points
 *                                   roots        first, of a root: the smallest of its cluster
 *     spans         cell            place        start in `sorted`, count
 *                                   compact D    the same for core points, by new number
 *                                   inside       start has FAST_HOT in cells of heavy pairs
 *     parents       cell            place D      slot of its block
 *                                   compact D    CLUMP_GPU_NONE: a number that is not used any more
 *                                   inside       union-find forest
 *                                   roots        root
 *     sorted        point           scatter      x, y, z, index; cell by cell
 *                                   compact D    core points at the front of each cell
 *                                   hot          in hot cells: points that follow each other are close (fast_sort.cuh)
 *     late_rounds   32 pairs        inside       rounds that wait for `hard`: pairs of cells of two blocks, or of one
 *                                   hot          stretches of all hot cells
 *     hard_pairs    pair of cells   inside       pairs that wait for `hard`
 *                                   hot          segments of two sorting rounds, in two halves
 *     hot_cells     hot cell        inside       number of the cell
 *     hot_pairs     pair, stretch   inside       a heavy pair and a stretch of its first cell, for `hot`
 *     core_at       point in sorted core D       whether it is a core point; thin cells only
 *     cell_boxes    large cell      core D       box of its points, as keys (rules/float_key.h)
 *     open          open point      core D       its index
 *                                   open D       and FAST_IS_CORE where it is a core point
 *     pairs         point, cluster  border D     of border points next to several clusters: the point, and the first point
 *                                                of a cluster
 *                                   translate    its label instead of the first point
 *     marks         32 points       mark         a bit per point: the first of its cluster
 *     numbers       32 points       mark         marks before (gpu/marks.cuh)
 *
 * Words: a `heavy` pair of cells would take more than FAST_WARP_TESTS distance tests; its cells are `hot`
 * (fast_hot.cuh). A `thin` cell has fewer than min_points points. A `large` cell has at least FAST_MANY points. Of hot
 * cells: a `chunk` is 32 consecutive points, one per lane; a `stretch` is 32 consecutive chunks; a `node` is the boxes
 * around a chunk or a stretch (fast_node.cuh); a `segment` is points that are still to be sorted (fast_sort.cuh); a `frame`
 * is coordinates relative to a cell. An `open` point is one whose neighbours are still counted.
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
    unsigned long long owner; /* 0: free; else 32 bits of the hash, a 1, 31 bits: the index of a point of the block */
    unsigned long long mask;  /* one bit per cell of the block */
} fast_head;

typedef struct fast_tally {
    uint32_t count, first;
} fast_tally;

typedef struct fast_cell_box {
    uint32_t lower[3], upper[3];
} fast_cell_box;

/* A heavy pair of cells, and one stretch of the points of the first (fast_hot.cuh). */
typedef struct fast_hot_pair {
    uint32_t a, b, stretch;
} fast_hot_pair;

/* Steps of the phase `hot`: FAST_HOT_ROUNDS rounds of sorting, then two more. */
enum {
    FAST_HOT_ROUNDS = 8, /* each divides a segment by 8 per axis: 2^-24 of a cell, the precision of a float */
    FAST_HOT_NODES = FAST_HOT_ROUNDS,
    FAST_HOT_JOIN,
    FAST_HOT_STEPS
};

/* Counters, all zeroed before. late, hard and hot_pairs count requests and may pass the limits of their lists. */
typedef struct fast_counters {
    unsigned long long pairs;       /* of `pairs`; may pass the capacity */
    uint32_t blocks, cells, points; /* handed out so far */
    uint32_t late, hard;
    uint32_t hot_cells, hot_pairs;
    uint32_t hot_segments[FAST_HOT_ROUNDS], hot_stretches;
    uint32_t hot_taken[FAST_HOT_STEPS], hot_done[FAST_HOT_STEPS];
    uint32_t marked; /* thread blocks that have set their marks */
    uint32_t open;
    uint32_t not_finite, masked, left_out;
} fast_counters;

enum { FAST_MANY = 256 }; /* points of a large cell: 8 loads per lane in flight hide the latency of memory */

/* What the GPU reports, in pinned memory of the host. */
typedef struct fast_report {
    clump_counts counts;
    unsigned long long stamps[CLUMP_LAUNCH_STAMPS]; /* nanoseconds */
} fast_report;

/* A call. Buffers: see the table above. */
typedef struct fast_job {
    clump_cloud_view view;
    clump_cell_rule rule;
    float bound;
    uint32_t min_points; /* of DBSCAN; 0: Euclidean clustering */
    bool borders;        /* DBSCAN with border points */
    uint32_t slot_mask;  /* slots - 1, slots a power of two */
    clump_hash_key key;  /* of the context */
    fast_head *heads;
    int4 *infos;
    uint32_t *list;
    uint32_t *cell_of;
    uint8_t *local_of;
    uint32_t *rank_of;
    fast_tally *tallies;
    uint2 *spans;
    uint32_t *parents;
    float4 *sorted; /* w: the index of the point, as bits */
    uint8_t *core;  /* the caller's, one flag per point; may be null */
    uint8_t *core_at;
    fast_cell_box *cell_boxes; /* entry start / FAST_MANY: no two large cells share one */
    uint32_t *open;
    uint4 *late_rounds; /* slots of two blocks, offset code of the second or FAST_SELF, number of the first pair */
    uint32_t late_limit;
    uint2 *hard_pairs;
    uint32_t hard_limit;
    uint32_t *hot_cells; /* 2 hot_limit entries */
    fast_hot_pair *hot_pairs;
    uint32_t hot_limit;
    void *nodes;   /* shares the memory of heads, */
    float4 *spare; /* and this one the memory of infos, which are not needed any more; DBSCAN has own memory for both */
    clump_border *pairs; /* null, or room for clusters beside border points (fast_border.cuh) */
    uint64_t pair_capacity;
    uint32_t pair_points; /* only points with a smaller index are listed */
    uint32_t *marks;
    uint32_t *numbers;
    fast_counters *counters;
    int32_t *labels;
    clump_counts *counts;
    fast_report *report; /* null: the host does not wait */
} fast_job;

static const uint32_t FAST_MIXED = 1u << 31; /* of a block: its cells are in more than one set */
static const uint32_t FAST_FINAL = 1u << 31; /* in cell_of, DBSCAN: a root, not a number from before `compact` */
static const uint32_t FAST_HOT = 1u << 31;   /* of a cell: listed in hot_cells */

__device__ static inline void fast_stamp(const fast_job &job, const clump_gpu_team &team, int which)
{
    if (job.report && team.thread == 0) job.report->stamps[which] = clump_gpu_now();
}

/* ----- hash table ---------------------------------------------------------------------------------- */

/* Returns the hash of a block. */
__device__ static inline unsigned long long fast_hash(const fast_job &job, int32_t x, int32_t y, int32_t z)
{
    return clump_hash_product(job.key, x, y, z, 0);
}

/* Returns the slot where the search for a hash starts. */
__device__ static inline uint32_t fast_slot(const fast_job &job, unsigned long long hash)
{
    return clump_hash_slot_masked(clump_hash_of_product(hash), job.slot_mask);
}

/* Returns the owner word of fast_head. */
__device__ static inline unsigned long long fast_owner(unsigned long long hash, uint32_t point)
{
    return hash << 32 | 0x80000000u | point;
}

/* Returns whether the block in a slot may have this hash: 32 bits of it are compared. */
__device__ static inline bool fast_may_own(unsigned long long owner, unsigned long long hash)
{
    return owner >> 32 == (hash & 0xffffffffu);
}

__device__ static inline fast_head fast_load_head(const fast_head *head)
{
    const ulonglong2 both = __ldcg((const ulonglong2 *)head);
    return fast_head{both.x, both.y};
}

/* Returns the slot of a block, CLUMP_GPU_NONE if it has no points. Only after the phase `enter`. */
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
