/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_rounds.cuh: see tree.h. In a round, every component takes a lightest edge that leaves it (Boruvka). Of components that
 * chose each other in a circle, all edges are equally light. The union-find leaves one of them out: it takes an edge only where
 * its ends are in different sets. So the edges are those of a minimum spanning tree, whichever of equally light edges are found.
 *
 * An edge is offered from three sources:
 *   1. the lists: nearest points, from the search for core distances;
 *   2. the points beside a point in the order of the curve: an upper bound for components whose lists are used up;
 *   3. a search (tree_edges.cuh), for points that may have a lighter edge than their component knows.
 * The first rounds do without searches. There a component takes an edge only where no point can have a lighter one; the
 * others wait.
 */
#ifndef CLUMP_CUDA_TREE_TREE_ROUNDS_CUH
#define CLUMP_CUDA_TREE_TREE_ROUNDS_CUH

#include "cuda/tree/tree_job.cuh"

/* Every point is a component. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_begin(tree_forest f)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i < f.count) f.component[i] = f.set[i] = (uint32_t)i;
}

/* --- offers --------------------------------------------------------------------------------------- */

/* The lightest edge of a point so far. */
typedef struct tree_offer {
    uint32_t weight, to;
} tree_offer;

__device__ static inline void tree_consider(const tree_forest &f, uint32_t at, uint32_t own, uint32_t other,
                                            tree_offer *o)
{
    if (f.component[other] == own) return;
    const uint32_t w = tree_weight(f, at, other);
    if (w < o->weight) o->weight = w, o->to = other;
}

__device__ static inline tree_offer tree_find_offer(const tree_forest &f, uint32_t at, uint32_t own)
{
    tree_offer o = {TREE_INFINITE, at};
    uint32_t *const list = f.near + (size_t)at * TREE_LISTED;
    tree_consider(f, at, own, f.target[at], &o);
    if (at > 0) tree_consider(f, at, own, at - 1, &o);
    if (at + 1 < f.count) tree_consider(f, at, own, at + 1, &o);
    const uint32_t listed = f.fill[at];
    uint32_t fill = 0;
    for (uint32_t i = 0; i < listed; i++) {
        const uint32_t other = list[i];
        if (f.component[other] == own) continue;
        if (fill != i) list[fill] = other;
        fill++;
        tree_consider(f, at, own, other, &o);
    }
    if (fill != listed) f.fill[at] = (uint8_t)fill;
    return o;
}

/* Returns the smallest key of all lanes. */
__device__ static inline uint64_t tree_warp_min_wide(uint64_t key)
{
    for (int step = 16; step > 0; step /= 2) {
        const uint64_t other = __shfl_xor_sync(~0u, key, step);
        key = other < key ? other : key;
    }
    return key;
}

/* Offers the lightest known edge of every point to its component. Lanes of one component are one offer. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_offer_edges(tree_forest f)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i - clump_lane() >= f.count) return;
    const bool there = i < f.count;
    const uint32_t at = there ? (uint32_t)i : f.count - 1, own = f.component[at];
    uint32_t lower = TREE_MIXED;
    uint64_t key = TREE_NO_EDGE;
    if (there) {
        const tree_offer o = tree_find_offer(f, at, own);
        lower = f.lower[at];
        if (o.weight < TREE_INFINITE) {
            f.target[at] = o.to;
            key = (uint64_t)o.weight << 32 | at;
        }
    }
    if (__all_sync(~0u, own == __shfl_sync(~0u, own, 0))) {
        lower = clump_warp_min(lower);
        key = tree_warp_min_wide(key);
        if (clump_lane() > 0) return;
    }
    tree_lower(&f.least[own], lower);
    tree_lower_wide(&f.best[own], key);
}

/* --- boxes ---------------------------------------------------------------------------------------- */

/* Stores what a box has of 32 places or boxes below. Lanes that are not in use have the largest core distance. */
__device__ static inline void tree_store_box(const tree_forest &f, int level, uint32_t box, bool in_use,
                                             uint32_t component, uint32_t core, bool cores)
{
    const uint32_t first = __shfl_sync(~0u, component, 0); /* lane 0 is in use, unless no lane is */
    const bool one = __all_sync(~0u, !in_use || component == first);
    if (cores) core = clump_warp_min(core);
    if (clump_lane() > 0) return;
    f.box_component[level][box] = one && in_use ? first : TREE_MIXED;
    if (cores) f.box_core[level][box] = core, f.box_lower[level][box] = 0;
}

/* Finds the component of every leaf, and with `cores` its smallest core distance. One warp per leaf. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_renew_leaves(tree_forest f, bool cores)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i / 32 >= f.tree.counts[0]) return;
    const bool in_use = i < f.count;
    tree_store_box(f, 0, (uint32_t)(i / 32), in_use, in_use ? f.component[i] : TREE_MIXED,
                   in_use && cores ? f.core[i] : TREE_INFINITE, cores);
}

/* The same of the boxes of a level above. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_renew_level(tree_forest f, int level, bool cores)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i / 32 >= f.tree.counts[level]) return;
    const bool in_use = i < f.tree.counts[level - 1];
    tree_store_box(f, level, (uint32_t)(i / 32), in_use, in_use ? f.box_component[level - 1][i] : TREE_MIXED,
                   in_use && cores ? f.box_core[level - 1][i] : TREE_INFINITE, cores);
}

/* --- the end of a round --------------------------------------------------------------------------- */

/* Takes the edge that a component has chosen. Returns whether it has one that joins two sets. */
__device__ static inline bool tree_take_edge(const tree_forest &f, uint32_t name, bool searched, uint2 *edge,
                                             uint32_t *weight)
{
    const uint64_t best = f.best[name];
    *weight = (uint32_t)(best >> 32);
    if (*weight >= TREE_INFINITE) return false;
    if (!searched && *weight > f.least[name]) return false; /* there may be a lighter one */
    edge->x = (uint32_t)best;
    edge->y = f.target[edge->x];
    return tree_unite(f.set, name, f.component[edge->y]);
}

/* Joins components by their edges. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_join(tree_forest f, bool searched)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i - clump_lane() >= f.count) return;
    uint2 edge = make_uint2(0, 0);
    uint32_t weight = 0, base = 0;
    const bool taken = i < f.count && f.component[i] == i && tree_take_edge(f, (uint32_t)i, searched, &edge, &weight);
    const uint32_t lanes = __ballot_sync(~0u, taken);
    if (lanes == 0) return;
    if (clump_lane() == 0) base = atomicAdd(&f.counters->edges, (uint32_t)__popc(lanes));
    base = __shfl_sync(~0u, base, 0) + (uint32_t)__popc(lanes & clump_lanes_below());
    if (!taken) return;
    f.edges[base] = edge;
    f.keys[base] = (uint64_t)weight << 32 | base;
}

__global__ static void __launch_bounds__(TREE_THREADS) tree_rename(tree_forest f)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i < f.count) f.component[i] = clump_find(f.set, f.component[i]);
}

#endif
