/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_edges.cuh: see tree.h. The points of a leaf that are in one component search together, one warp per leaf, the lighter
 * box first. A box is skipped where all its points are in the same component, or where no edge to it can be lighter than the
 * lightest that is known.
 *
 *     boxes     one per lane: its distance from the box of the group, the lightest is opened first
 *     points    one per lane, beside the points of the group one after the other
 *
 * Before the leaves of a box search, the box does: where no point of another component is within its reach, its leaves need not
 * search. This keeps the cost low where a small set of points is about equally far from all points of a large one, such as a ball
 * in a sphere: else every leaf of the ball would look at all points of the sphere.
 *
 * Rounding cannot exclude a point:
 *
 *   1. On each axis the gap of two boxes is a difference of two coordinates, and no pair of their points has a smaller one.
 *   Rounding keeps the order, so the computed distance of two boxes is at most that of any pair of their points.
 *   2. The largest of several numbers grows with each of them. So the weight of a box, which is the largest of the distance
 *   and the smallest core distances on both sides, is at most that of any pair.
 */
#ifndef CLUMP_CUDA_TREE_TREE_EDGES_CUH
#define CLUMP_CUDA_TREE_TREE_EDGES_CUH

#include "cuda/tree/tree_job.cuh"

/* A search. Lanes of `members` have a point of the group in `point`; all else is equal in all lanes. */
typedef struct tree_group {
    float4 point;
    uint32_t core; /* of `point` */
    uint32_t members;
    float lower[3], upper[3]; /* the box of the group */
    uint32_t least_core;      /* of all members */
    uint32_t component;
    uint32_t bound; /* only lighter edges are wanted */
    uint32_t found, from,
        to; /* the edge found: weight, place of the end in the group, of the other; found infinite: none */
} tree_group;

__device__ static inline float tree_warp_least(float x)
{
    for (int step = 16; step > 0; step /= 2) x = fminf(x, __shfl_xor_sync(~0u, x, step));
    return x;
}

/* Makes the box of the group. */
__device__ static inline void tree_frame_group(tree_group *g)
{
    const bool member = g->members >> clump_lane() & 1;
    const float at[3] = {g->point.x, g->point.y, g->point.z};
#pragma unroll
    for (int k = 0; k < 3; k++) {
        g->lower[k] = tree_warp_least(member ? at[k] : INFINITY);
        g->upper[k] = -tree_warp_least(member ? -at[k] : INFINITY);
    }
    g->least_core = clump_warp_min(member ? g->core : TREE_INFINITE);
}

/* Returns a bound of the weights of all edges from the group to a box. */
__device__ static inline uint32_t tree_box_weight(const tree_group &g, const clump_tree_box &b, uint32_t core)
{
    const float x = fmaxf(0.0f, fmaxf(b.first.x - g.upper[0], g.lower[0] - b.first.w)),
                y = fmaxf(0.0f, fmaxf(b.first.y - g.upper[1], g.lower[1] - b.second.x)),
                z = fmaxf(0.0f, fmaxf(b.first.z - g.upper[2], g.lower[2] - b.second.y));
    return max(tree_bits_of(clump_distance_squared(x, y, z, 0.0f, 0.0f, 0.0f)), max(core, g.least_core));
}

/* Takes what other groups of the component have found since. */
__device__ static inline void tree_renew_bound(const tree_forest &f, tree_group *g)
{
    uint32_t known = 0;
    if (clump_lane() == 0) known = (uint32_t)(*(const volatile uint64_t *)&f.best[g->component] >> 32);
    known = __shfl_sync(~0u, known, 0);
    g->bound = min(g->bound, known);
}

/* Tests the points of a leaf against the group. */
__device__ static inline void tree_test_leaf(const tree_forest &f, uint32_t leaf, tree_group *g)
{
    const uint32_t place = leaf * CLUMP_TREE_FAN + clump_lane();
    float4 p = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    uint32_t core = TREE_INFINITE;
    tree_renew_bound(f, g);
    if (place < f.count && f.component[place] != g->component) core = f.core[place], p = f.tree.points[place];
    const bool open = core < g->bound;
    if (!__any_sync(~0u, open)) return;
    uint32_t weight = TREE_INFINITE, who = 0;
    for (uint32_t left = g->members; left; left &= left - 1) {
        const int m = __ffs((int)left) - 1;
        const float4 q = make_float4(__shfl_sync(~0u, g->point.x, m), __shfl_sync(~0u, g->point.y, m),
                                     __shfl_sync(~0u, g->point.z, m), 0.0f);
        const uint32_t w = max(tree_distance_bits(p, q), max(core, __shfl_sync(~0u, g->core, m)));
        if (open && w < weight) weight = w, who = (uint32_t)m;
    }
    const uint32_t least = clump_warp_min(weight);
    if (least >= g->bound) return;
    const int lane = __ffs((int)__ballot_sync(~0u, weight == least)) - 1;
    g->bound = g->found = least;
    g->from = __shfl_sync(~0u, who, lane); /* a lane so far */
    g->to = leaf * CLUMP_TREE_FAN + (uint32_t)lane;
}

/* Ends the search of a whole box where a point of a leaf is within its reach. */
__device__ static inline void tree_reach_leaf(const tree_forest &f, uint32_t leaf, tree_group *g)
{
    const uint32_t place = leaf * CLUMP_TREE_FAN + clump_lane();
    uint32_t weight = TREE_INFINITE;
    if (place < f.count && f.component[place] != g->component) {
        const float4 p = f.tree.points[place];
        const clump_tree_box at = {make_float4(p.x, p.y, p.z, p.x), make_float4(p.y, p.z, 0.0f, 0.0f)};
        weight = tree_box_weight(*g, at, f.core[place]);
    }
    if (__any_sync(~0u, weight < g->bound)) g->found = g->bound = 0;
}

/* Visits the 32 boxes from `first` on at this level, the lightest first: for a group, or for a whole box. */
template <int LEVEL, bool WHOLE>
__device__ static inline void tree_visit_boxes(const tree_forest &f, uint32_t first, tree_group *g)
{
    const uint32_t box = first + clump_lane();
    uint32_t weight = TREE_INFINITE;
    if (box < f.tree.counts[LEVEL] && f.box_component[LEVEL][box] != g->component)
        weight = tree_box_weight(*g, f.tree.boxes[LEVEL][box], f.box_core[LEVEL][box]);
    for (;;) {
        const uint32_t least = clump_warp_min(weight);
        if (least >= g->bound) return;
        const uint32_t opened = (uint32_t)__ffs((int)__ballot_sync(~0u, weight == least)) - 1;
        if (clump_lane() == opened) weight = TREE_INFINITE;
        if constexpr (LEVEL > 0)
            tree_visit_boxes<LEVEL - 1, WHOLE>(f, (first + opened) * CLUMP_TREE_FAN, g);
        else if constexpr (WHOLE)
            tree_reach_leaf(f, first + opened, g);
        else
            tree_test_leaf(f, first + opened, g);
    }
}

template <bool WHOLE> __device__ static inline void tree_search_boxes(const tree_forest &f, tree_group *g)
{
    static_assert(CLUMP_TREE_LEVELS == 6, "one case per level");
    switch (f.tree.levels) {
    case 1:
        return tree_visit_boxes<0, WHOLE>(f, 0, g);
    case 2:
        return tree_visit_boxes<1, WHOLE>(f, 0, g);
    case 3:
        return tree_visit_boxes<2, WHOLE>(f, 0, g);
    case 4:
        return tree_visit_boxes<3, WHOLE>(f, 0, g);
    case 5:
        return tree_visit_boxes<4, WHOLE>(f, 0, g);
    default:
        return tree_visit_boxes<5, WHOLE>(f, 0, g);
    }
}

/* Searches for one group, then notes what is known of its points. `base` is the place of lane 0. */
__device__ static inline void tree_search_group(const tree_forest &f, uint32_t base, tree_group *g)
{
    const uint32_t at = base + clump_lane();
    tree_frame_group(g);
    g->found = TREE_INFINITE, g->from = g->to = 0;
    g->bound = TREE_INFINITE;
    tree_renew_bound(f, g);
    tree_search_boxes<false>(f, g);
    if ((g->members >> clump_lane() & 1) && f.lower[at] < g->bound) f.lower[at] = g->bound;
    if (clump_lane() > 0 || g->found >= TREE_INFINITE) return;
    f.target[base + g->from] = g->to;
    tree_lower_wide(&f.best[g->component], (uint64_t)g->found << 32 | (base + g->from));
}

/* Finds the boxes of a level whose points need not search: all are in one component, and no edge from them can be lighter than
 * the lightest that it knows. One warp per box; the level above comes first. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_close_boxes(tree_forest f, int level)
{
    const uint64_t i = (blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x) / 32;
    if (i >= f.tree.counts[level] || f.box_component[level][i] == TREE_MIXED) return;
    tree_group g = {};
    g.component = f.box_component[level][i];
    g.bound = TREE_INFINITE;
    tree_renew_bound(f, &g);
    const uint32_t bound = g.bound;
    uint32_t lower = f.box_lower[level][i];
    if (level + 1 < (int)f.tree.levels) lower = max(lower, f.box_lower[level + 1][i / CLUMP_TREE_FAN]);
    if (lower < bound) {
        const clump_tree_box b = f.tree.boxes[level][i];
        g.lower[0] = b.first.x, g.lower[1] = b.first.y, g.lower[2] = b.first.z;
        g.upper[0] = b.first.w, g.upper[1] = b.second.x, g.upper[2] = b.second.y;
        g.least_core = f.box_core[level][i];
        g.found = TREE_INFINITE;
        tree_search_boxes<true>(f, &g);
        if (g.found >= TREE_INFINITE) lower = bound;
    }
    if (clump_lane() == 0) f.box_lower[level][i] = lower;
}

/* Searches for the lightest edges that leave the components of the points of a leaf, as far as they may be lighter than those
 * known. One warp per leaf, from leaf `first` on. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_search_leaves(tree_forest f, uint32_t first)
{
    const uint64_t leaf = first + (blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x) / 32;
    const uint64_t base = leaf * CLUMP_TREE_FAN, at = base + clump_lane();
    if (base >= f.count) return;
    tree_group g;
    g.point = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    g.core = TREE_INFINITE;
    uint32_t component = TREE_MIXED;
    bool wants = false; /* this point has to search */
    if (at < f.count) {
        component = f.component[at];
        const uint32_t known = f.tree.levels > 1 ? f.box_lower[1][leaf / CLUMP_TREE_FAN] : 0;
        wants = max(f.lower[at], known) <
                min((uint32_t)(*(const volatile uint64_t *)&f.best[component] >> 32), TREE_INFINITE);
        g.point = f.tree.points[at];
        g.core = f.core[at];
    }
    for (uint32_t open = __ballot_sync(~0u, wants); open; open &= ~g.members) {
        g.component = __shfl_sync(~0u, component, __ffs((int)open) - 1);
        g.members = open & __ballot_sync(~0u, component == g.component);
        tree_search_group(f, (uint32_t)base, &g);
        __syncwarp();
    }
}

#endif
