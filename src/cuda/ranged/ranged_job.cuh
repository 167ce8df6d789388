/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_job.cuh: what the kernels of a growing radius work on, and how they find the cells around a node. As on the CPU
 * (cpu/ranged/ranged.h), every point in the cells has a level: how often eps can be doubled without passing its radius.
 * A level is a grid of cells for its smallest radius, so that points of one cell are neighbours. Blocks are 4 x 4 x 4
 * cells.
 *
 *     owner    by slot of a hash table: 1 + a point of the block; 0: free
 *     cells    by slot: one bit per cell that holds points
 *     info     by slot: x, y, z of the block, and its level
 *     first    by slot: number of its first cell
 *     key      by point: its cell, and in the lowest bits its place on a space-filling curve in the cell; sorted
 *     point    x, y, z and bound, in the order of the keys; index: its number in the cloud
 *     begin    by cell: its first point in that order
 *     set      by cell: the cluster at eps of its first point, with which those of its other points are joined
 *     node     per 32 points of a cell: the tight box, least and largest bound
 *     starts   by node, in any order: its first point
 *
 * Two points are neighbours when d2 < the smaller bound. Bounds of DBSCAN are the next floats, as its test is <=. Boxes
 * decide exactly: their distances are computed as those of points are, and rounding keeps the order
 * (cpu/ranged/ranged_tree.c).
 */
#ifndef CLUMP_CUDA_RANGED_RANGED_JOB_CUH
#define CLUMP_CUDA_RANGED_RANGED_JOB_CUH

#include "cuda/gpu/transfer.h"
#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/radius.h"
#include "rules/union_find.h"

enum {
    RANGED_LEVELS = 128, /* radii lie between 2^-64 and 2^64 */
    RANGED_CHUNK = 32,   /* points per node */
    RANGED_CURVE = 5 /* bits per axis of the place in a cell: a key of 2^17 cells then has 32, four rounds of sorting */
};
#define RANGED_NONE   UINT32_MAX
#define RANGED_NO_KEY (~0ull) /* of a point in no cell */

typedef struct ranged_block {
    int32_t x, y, z;
    uint32_t level;
} ranged_block;

typedef struct ranged_node {
    float lower[3], upper[3];
    float least, most;
} ranged_node;

/* Coordinates of blocks as ordered unsigned numbers above 0, so that zeroed memory is an empty box. */
typedef struct ranged_box {
    uint32_t low[3];  /* the complement of the least */
    uint32_t high[3]; /* the largest */
} ranged_box;

typedef struct ranged_counters {
    uint32_t cells, points, nodes;
    uint32_t used[RANGED_LEVELS / 32]; /* one bit per level that has points */
    ranged_box box[RANGED_LEVELS];     /* around the blocks of a level */
} ranged_counters;

typedef struct ranged_job {
    clump_cloud_view view;
    clump_radius_rule rule;
    float bound; /* of a radius of eps */
    bool strict; /* d2 < bound, not <= */
    float from;  /* points are in cells from this per_metre * range on */
    uint32_t slot_mask;
    clump_hash_key hash_key; /* of the context */
    uint32_t *owner;
    unsigned long long *cells;
    ranged_block *info;
    uint32_t *first;
    uint32_t *slot_of; /* by point of the cloud; NONE: in no cell */
    unsigned long long *keys, *key;
    uint32_t *places, *index;
    float4 *point;
    uint32_t *begin; /* one more than cells */
    uint8_t *level;  /* of a cell */
    uint32_t *set;
    ranged_node *node;
    uint32_t *starts;
    uint32_t *parent; /* of clusters, by their numbers at eps */
    uint32_t *mark;   /* of a cluster: 1 for a root; scanned, the number of roots before it */
    ranged_counters *counters;
    clump_cell_rule cell_rule[RANGED_LEVELS];
} ranged_job;

static_assert(sizeof(ranged_job) <= 4000, "it is a kernel argument, passed by value");

/* ----- a point ------------------------------------------------------------------------------------------ */

typedef struct ranged_point {
    float x, y, z, bound;
    uint32_t level;
} ranged_point;

__device__ static inline float ranged_min(float a, float b)
{
    return a < b ? a : b;
}

/* Loads point i of a view; false where it takes no part, or its radius grows too little. */
__device__ static inline bool ranged_load(const ranged_job &job, const clump_cloud_view &view, size_t i, float from,
                                          ranged_point *p)
{
    bool finite, masked;
    if (!clump_view_point(view, i, &p->x, &p->y, &p->z, &finite, &masked)) return false;
    const float grown = clump_radius_grown(job.rule, p->x, p->y, p->z);
    if (grown < from) return false;
    const float radius = clump_radius(job.rule.eps, grown);
    p->level = clump_radius_level(job.rule.eps, radius);
    p->bound = clump_distance_bound(radius);
    if (!job.strict) p->bound = nextafterf(p->bound, INFINITY); /* d2 < the next float is d2 <= the square */
    return true;
}

/* Returns the block of a point; *sub is the bit of its cell there. */
__device__ static inline ranged_block ranged_block_of(const ranged_job &job, const ranged_point &p, uint32_t *sub)
{
    const clump_cell_rule rule = job.cell_rule[p.level];
    const int32_t x = clump_cell(p.x, rule), y = clump_cell(p.y, rule), z = job.view.two_d ? 0 : clump_cell(p.z, rule);
    *sub = (uint32_t)(x & 3) | (uint32_t)(y & 3) << 2 | (uint32_t)(z & 3) << 4;
    const ranged_block block = {x >> 2, y >> 2, z >> 2, p.level};
    return block;
}

__device__ static inline bool ranged_same(const ranged_block &a, const ranged_block &b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

/* The slot where the search for a block starts. */
__device__ static inline uint32_t ranged_slot(const ranged_job &job, const ranged_block &b)
{
    return clump_hash_slot_masked(clump_hash(job.hash_key, b.x, b.y, b.z, b.level), job.slot_mask);
}

/* ----- pairs -------------------------------------------------------------------------------------------- */

__device__ static inline bool ranged_pair(const float4 &p, const float4 &q)
{
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < ranged_min(p.w, q.w);
}

__device__ static inline ranged_node ranged_node_of(const float4 &p)
{
    const ranged_node node = {{p.x, p.y, p.z}, {p.x, p.y, p.z}, p.w, p.w};
    return node;
}

typedef enum ranged_verdict { RANGED_SOME_PAIRS, RANGED_NO_PAIR, RANGED_EVERY_PAIR } ranged_verdict;

__device__ static inline ranged_verdict ranged_verdict_of(const ranged_node &a, const ranged_node &b)
{
    float gap[3], span[3];
    for (int k = 0; k < 3; k++) {
        const float up = b.lower[k] - a.upper[k], down = a.lower[k] - b.upper[k], apart = up > down ? up : down;
        const float over = b.upper[k] - a.lower[k], under = a.upper[k] - b.lower[k];
        gap[k] = apart > 0 ? apart : 0;
        span[k] = over > under ? over : under;
    }
    if (!(clump_distance_squared(gap[0], gap[1], gap[2], 0, 0, 0) < ranged_min(a.most, b.most))) return RANGED_NO_PAIR;
    return clump_distance_squared(span[0], span[1], span[2], 0, 0, 0) < ranged_min(a.least, b.least)
               ? RANGED_EVERY_PAIR
               : RANGED_SOME_PAIRS;
}

/* Returns the cell of a key. */
__device__ static inline uint32_t ranged_cell_of(unsigned long long key)
{
    return (uint32_t)(key >> 3 * RANGED_CURVE);
}

/* Returns the first node of a cell: each cell before it has at most one node that is not full. */
__device__ static inline uint32_t ranged_nodes_at(const ranged_job &job, uint32_t cell)
{
    return job.begin[cell] / RANGED_CHUNK + cell;
}

/* ----- cells around -------------------------------------------------------------------------------------- */

/* Finds the levels that can hold neighbours of points with bounds from least to most, as in cpu/ranged/ranged.h: from *from
 * to the one before the returned level. */
__device__ static inline uint32_t ranged_levels(const ranged_job &job, float least, float most, uint32_t *from)
{
    const clump_radius_span span = clump_radius_of_neighbours(job.rule, sqrtf(least), sqrtf(most));
    *from = clump_radius_level(job.rule.eps, span.from);
    return clump_radius_level(job.rule.eps, span.to) + 1;
}

__device__ static inline bool ranged_has_level(const ranged_job &job, uint32_t m)
{
    return job.counters->used[m / 32] >> m % 32 & 1;
}

/* Returns the slot of a block; NONE: no such block. */
__device__ static inline uint32_t ranged_find(const ranged_job &job, const ranged_block &b)
{
    for (uint32_t s = ranged_slot(job, b);; s = (s + 1) & job.slot_mask) {
        if (job.owner[s] == 0) return RANGED_NONE;
        if (ranged_same(job.info[s], b)) return s;
    }
}

/* Returns the cells low ... high of an axis that lie in block `at`, as four bits. */
__device__ static inline uint32_t ranged_part(int32_t low, int32_t high, int32_t at)
{
    const int32_t first = low - 4 * at, last = high - 4 * at;
    return (15u << (first > 0 ? first : 0)) & (15u >> (last < 3 ? 3 - last : 0));
}

/* Spreads the four bits of each axis over the 64 cells of a block. */
__device__ static inline unsigned long long ranged_spread(uint32_t x, uint32_t y, uint32_t z)
{
    unsigned long long plane = 0, all = 0;
    for (int k = 0; k < 4; k++)
        if (y >> k & 1) plane |= (unsigned long long)x << 4 * k;
    for (int k = 0; k < 4; k++)
        if (z >> k & 1) all |= plane << 16 * k;
    return all;
}

/* Returns the coordinate of a block in the form of a ranged_box. */
__device__ static inline uint32_t ranged_ordered(int32_t x)
{
    return (uint32_t)x ^ 0x80000000u;
}

/* The blocks from ... to that can hold points near a node, and the cells low ... high. */
typedef struct ranged_window {
    int32_t low[3], high[3], from[3], to[3];
} ranged_window;

/* Returns the window of level m for points within the root of `bound` of a node: as in cpu/ranged/ranged.h bounded, and cut
 * to the blocks of the level. */
__device__ static inline ranged_window ranged_window_of(const ranged_job &job, uint32_t m, const ranged_node &node,
                                                        float bound)
{
    const clump_cell_rule rule = job.cell_rule[m];
    const float most = ldexpf(job.rule.eps, (int)m + 1), root = sqrtf(bound);
    const float reach = (root < most ? root : most) * (1 + 0x1p-19f);
    const ranged_box box = job.counters->box[m];
    ranged_window w = {};
    for (int k = 0; k < 3; k++) {
        if (k < 2 || !job.view.two_d) {
            w.low[k] = clump_cell(node.lower[k] - reach, rule);
            w.high[k] = clump_cell(node.upper[k] + reach, rule);
        }
        w.from[k] = max(w.low[k] >> 2, (int32_t)(~box.low[k] ^ 0x80000000u));
        w.to[k] = min(w.high[k] >> 2, (int32_t)(box.high[k] ^ 0x80000000u));
    }
    return w;
}

/* Returns the blocks of a window along an axis. */
__device__ static inline uint32_t ranged_extent(const ranged_window &w, int axis)
{
    return w.to[axis] < w.from[axis] ? 0 : (uint32_t)(w.to[axis] - w.from[axis]) + 1;
}

/* Returns the cells of a block that are in a window and hold points, as bits, and finds its slot. */
__device__ static inline unsigned long long ranged_cells_of(const ranged_job &job, const ranged_window &w,
                                                            const ranged_block &b, uint32_t *slot)
{
    *slot = ranged_find(job, b);
    if (*slot == RANGED_NONE) return 0;
    return job.cells[*slot] & ranged_spread(ranged_part(w.low[0], w.high[0], b.x),
                                            ranged_part(w.low[1], w.high[1], b.y),
                                            ranged_part(w.low[2], w.high[2], b.z));
}

/* Returns the number of the first cell of `left` in a block. */
__device__ static inline uint32_t ranged_cell_at(const ranged_job &job, uint32_t slot, unsigned long long left)
{
    const unsigned long long below = (left & (~left + 1)) - 1;
    return job.first[slot] + (uint32_t)__popcll(job.cells[slot] & below);
}

/* Calls visit(cell) for the cells of a window, until it returns false. */
template <class F>
__device__ static inline void ranged_around(const ranged_job &job, uint32_t m, const ranged_node &node, float bound,
                                            F visit)
{
    const ranged_window w = ranged_window_of(job, m, node, bound);
    ranged_block b;
    uint32_t slot;
    b.level = m;
    for (b.z = w.from[2]; b.z <= w.to[2]; b.z++)
        for (b.y = w.from[1]; b.y <= w.to[1]; b.y++)
            for (b.x = w.from[0]; b.x <= w.to[0]; b.x++)
                for (unsigned long long left = ranged_cells_of(job, w, b, &slot); left; left &= left - 1)
                    if (!visit(ranged_cell_at(job, slot, left))) return;
}

#endif
