/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_merge.cuh: see tree.h. What an edge joins follows from all lighter edges. One after the other would be one thread; here
 * all edges learn it at once, by halves. Weights have ranks: equal weights one rank, from 0. A `segment` is the edges whose ranks
 * have the same upper bits, so it is a span of the sorted edges. Its vertices are the components of all edges before it:
 *
 *     bit 2     | 0 1 2 3 4 5 6 7 |      one segment: vertices are points
 *     bit 1     | 0 1 2 3 | 4 5 6 7 |    on the right, vertices are joined by the edges of the left half
 *     bit 0     | 0 1 | 2 3 | 4 5 | 6 7 |
 *     end       | 0 | 1 | 2 | ...        one weight each: the components that it joins are known
 *
 * An edge has two `slots`, one per end. A vertex of a segment is the first slot there that touches it (`id`), so vertices of
 * different segments never meet. Its `low` is the first point of its component. A step of one bit:
 *
 *   1. The edges of the left halves join vertices (union-find in `up`).
 *   2. `least` of a root becomes the smallest `low` of its vertices. Each root that a slot of a right half touches is `claim`ed by
 *      the first such slot.
 *   3. Slots of the right halves take the claims as their ids. On the left nothing changes: left slots come first, so the id of a
 *      vertex that a left slot touches is a left slot.
 *
 * At the end the edges of every segment join its vertices. The first points of all but one of those that become one component
 * end there. The work is that of one union-find per bit of the number of different weights.
 */
#ifndef CLUMP_CUDA_TREE_TREE_MERGE_CUH
#define CLUMP_CUDA_TREE_TREE_MERGE_CUH

#include "cuda/tree/tree_job.cuh"

/* --- results -------------------------------------------------------------------------------------- */

/* No point is in a tree. */
__global__ static void __launch_bounds__(TREE_THREADS)
    tree_clear_results(uint32_t count, int32_t *parents, float *heights, float *cores)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i >= count) return;
    parents[i] = CLUMP_NOISE;
    heights[i] = INFINITY;
    if (cores) cores[i] = INFINITY;
}

/* Points that take part are roots so far. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_begin_results(tree_forest f, int32_t *parents, float *cores)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i >= f.count) return;
    const int32_t index = __float_as_int(f.tree.points[i].w);
    parents[index] = index;
    if (cores) cores[index] = __int_as_float((int)f.core[i]);
}

/* --- ranks and slots ------------------------------------------------------------------------------ */

__device__ static inline uint32_t tree_sorted_weight(const tree_merge &m, uint64_t edge)
{
    return (uint32_t)(m.sorted[edge] >> 32);
}

__device__ static inline uint32_t tree_slot_place(const tree_merge &m, uint64_t slot)
{
    const uint2 edge = m.edges[(uint32_t)m.sorted[slot / 2]];
    return slot % 2 ? edge.y : edge.x;
}

/* Marks the last edge of every weight but the largest. The sums over the edges before are the ranks. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_mark_ranks(tree_merge m)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i >= m.edge_count) return;
    m.rank[i] = i + 1 < m.edge_count && tree_sorted_weight(m, i) != tree_sorted_weight(m, i + 1);
}

/* Finds the first slot of every place. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_find_first(tree_merge m)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s < 2 * (uint64_t)m.edge_count) tree_lower(&m.first[tree_slot_place(m, s)], (uint32_t)s);
}

__global__ static void __launch_bounds__(TREE_THREADS) tree_begin_slots(tree_merge m)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s >= 2 * (uint64_t)m.edge_count) return;
    const uint32_t place = tree_slot_place(m, s);
    m.id[s] = m.first[place];
    m.low[s] = (uint32_t)__float_as_int(m.points[place].w);
}

/* --- a step --------------------------------------------------------------------------------------- */

/* Every vertex is a set. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_begin_step(tree_merge m)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s >= 2 * (uint64_t)m.edge_count) return;
    m.up[s] = (uint32_t)s;
    m.least[s] = m.low[s];
    m.claim[s] = TREE_NO_SLOT;
}

__device__ static inline bool tree_is_left(const tree_merge &m, uint64_t edge, uint32_t half)
{
    return (m.rank[edge] & half) == 0;
}

/* Joins the vertices of all edges on the left; with half = 0 all edges are. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_join_left(tree_merge m, uint32_t half)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i < m.edge_count && tree_is_left(m, i, half)) (void)tree_unite(m.up, m.id[2 * i], m.id[2 * i + 1]);
}

__global__ static void __launch_bounds__(TREE_THREADS) tree_find_roots(tree_merge m, uint32_t half)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s >= 2 * (uint64_t)m.edge_count) return;
    const uint32_t id = m.id[s];
    const bool left = tree_is_left(m, s / 2, half);
    if (left && id != (uint32_t)s) return;
    const uint32_t root = clump_find(m.up, id);
    m.root[s] = root;
    if (left)
        tree_lower(&m.least[root], m.low[s]);
    else
        tree_lower(&m.claim[root], (uint32_t)s);
}

__global__ static void __launch_bounds__(TREE_THREADS) tree_move_right(tree_merge m, uint32_t half)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s >= 2 * (uint64_t)m.edge_count || tree_is_left(m, s / 2, half)) return;
    const uint32_t root = m.root[s], id = m.claim[root];
    m.id[s] = id;
    if (id == (uint32_t)s) m.low[s] = m.least[root];
}

/* After the last step and one more of tree_find_roots: writes the points that end. */
__global__ static void __launch_bounds__(TREE_THREADS) tree_write_ends(tree_merge m)
{
    const uint64_t s = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (s >= 2 * (uint64_t)m.edge_count || m.id[s] != (uint32_t)s) return;
    const uint32_t ends = m.low[s], low = m.least[m.root[s]];
    if (ends == low) return;
    m.parents[ends] = (int32_t)low;
    m.heights[ends] = __int_as_float((int)tree_sorted_weight(m, s / 2));
}

#endif
