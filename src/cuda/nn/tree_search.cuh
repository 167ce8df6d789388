/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_search.cuh: a warp searches the tree of tree.h around one point. For the nearest points, children are visited from
 * near to far, as long as they are no further than the worst point that the search still wants:
 *
 *     distances of 32 children, one per lane     3  9  1  4  -        wanted: at most 5
 *     the nearest is visited and removed         3  9  -  4  -        now at most 2: none is left
 *
 * For all points within a distance they are visited in their order.
 *
 * No point is lost by rounding:
 *
 *   1. The distance of a box is computed as that of two points is. On each axis the gap is a difference of two coordinates,
 *   and no point of the box has a smaller one. Rounding keeps the order, so no point of the box is nearer.
 *   2. For the same reason no point of the box is further than its far corner.
 *   3. Distances are compared as bits. The order of the bits is that of the numbers where these are not negative. A NaN
 *   comes after infinity.
 *
 * A box at the distance of the worst wanted point is opened only if it has a smaller index. So a thousand points in one
 * place are not all visited.
 */
#ifndef CLUMP_CUDA_NN_TREE_SEARCH_CUH
#define CLUMP_CUDA_NN_TREE_SEARCH_CUH

#include "cuda/nn/tree.h"
#include "cuda/gpu/warp.cuh"
#include "rules/distance.h"

#include <math.h>

static const uint32_t TREE_NONE = UINT32_MAX; /* as bits of a distance: further than any point; as an index: no point */

typedef struct tree_query {
    float x, y, z;
} tree_query;

__device__ static inline uint32_t tree_point_bits(const tree_query &q, const float4 &p)
{
    return (uint32_t)__float_as_int(clump_distance_squared(q.x, q.y, q.z, p.x, p.y, p.z));
}

/* Returns distance and index in one number: the smaller, the nearer. */
__device__ static inline uint64_t tree_key(uint32_t bits, const float4 &p)
{
    return (uint64_t)bits << 32 | (uint32_t)__float_as_int(p.w);
}

__device__ static inline uint32_t tree_length_bits(float x, float y, float z)
{
    return (uint32_t)__float_as_int(clump_distance_squared(x, y, z, 0.0f, 0.0f, 0.0f));
}

/* Returns the distance of a box. */
__device__ static inline uint32_t tree_box_bits(const tree_query &q, const clump_tree_box &b)
{
    return tree_length_bits(fmaxf(0.0f, fmaxf(b.first.x - q.x, q.x - b.first.w)),
                            fmaxf(0.0f, fmaxf(b.first.y - q.y, q.y - b.second.x)),
                            fmaxf(0.0f, fmaxf(b.first.z - q.z, q.z - b.second.y)));
}

/* Returns the distance of the far corner of a box. */
__device__ static inline uint32_t tree_corner_bits(const tree_query &q, const clump_tree_box &b)
{
    return tree_length_bits(fmaxf(b.first.w - q.x, q.x - b.first.x), fmaxf(b.second.x - q.y, q.y - b.first.y),
                            fmaxf(b.second.y - q.z, q.z - b.first.z));
}

__device__ static inline uint32_t tree_least_index(const clump_tree_box &b)
{
    return (uint32_t)__float_as_int(b.second.z);
}

/* A search for one point: distance, index and place in the tree of the best so far, equal in all lanes. */
struct tree_nearest_one {
    uint32_t best, which, place;

    __device__ uint32_t bits() const
    {
        return best;
    }
    __device__ uint32_t index() const
    {
        return which;
    }

    __device__ void take(const float4 &p, uint32_t theirs, uint32_t where)
    {
        const uint32_t least = clump_warp_min(theirs);
        if (least > best) return;
        const uint32_t own = (uint32_t)__float_as_int(p.w), first = clump_warp_min(theirs == least ? own : TREE_NONE);
        if (least == best && first >= which) return;
        best = least;
        which = first;
        place = __shfl_sync(~0u, where, __ffs((int)__ballot_sync(~0u, theirs == least && own == first)) - 1);
    }
};

/* Gives the points of a leaf to the search, one per lane; NaN past the last. */
template <class SEARCH>
__device__ static inline void tree_visit_leaf(const clump_tree_view &tree, const tree_query &q, uint32_t leaf,
                                              SEARCH &search)
{
    const uint32_t place = leaf * CLUMP_TREE_FAN + clump_lane();
    float4 p = make_float4(NAN, NAN, NAN, 0.0f);
    if (place < tree.count) p = tree.points[place];
    search.take(p, tree_point_bits(q, p), place);
}

/* Visits the children from `first` on, at this level. A search has bits() and index() of the worst point that it still
 * wants, or a bound and TREE_NONE. It has take(point, bits, place), for 32 points at once, one per lane. Its state is
 * equal in all lanes. */
template <int LEVEL, class SEARCH>
__device__ static inline void tree_visit(const clump_tree_view &tree, const tree_query &q, uint32_t first,
                                         SEARCH &search)
{
    const uint32_t child = first + clump_lane();
    uint32_t bits = TREE_NONE;
    if (child < tree.counts[LEVEL]) bits = tree_box_bits(q, tree.boxes[LEVEL][child]);
    for (;;) {
        const uint32_t wanted = search.bits();
        uint32_t candidate = bits <= wanted ? bits : TREE_NONE, nearest = clump_warp_min(candidate);
        if (nearest == wanted) { /* a tie, as are all children that are left */
            if (candidate == nearest && tree_least_index(tree.boxes[LEVEL][child]) >= search.index())
                candidate = TREE_NONE;
            nearest = clump_warp_min(candidate);
        }
        if (nearest == TREE_NONE) return;
        const uint32_t opened = (uint32_t)__ffs((int)__ballot_sync(~0u, candidate == nearest)) - 1;
        if (clump_lane() == opened) bits = TREE_NONE;
        if constexpr (LEVEL > 0)
            tree_visit<LEVEL - 1>(tree, q, (first + opened) * CLUMP_TREE_FAN, search);
        else
            tree_visit_leaf(tree, q, first + opened, search);
    }
}

/* Visits the children from `first` on that are within a distance. The search also has takes_whole(tree, box, level), which
 * the lanes with a box wholly within the distance call: true where the box need not be opened. */
template <int LEVEL, class SEARCH>
__device__ static inline void tree_within(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                          uint32_t first, SEARCH &search)
{
    const uint32_t child = first + clump_lane();
    bool open = false;
    if (child < tree.counts[LEVEL]) {
        const clump_tree_box box = tree.boxes[LEVEL][child];
        open = tree_box_bits(q, box) <= bound;
        if (open && tree_corner_bits(q, box) <= bound) open = !search.takes_whole(tree, child, LEVEL);
    }
    for (uint32_t which = __ballot_sync(~0u, open); which; which &= which - 1) {
        const uint32_t opened = (uint32_t)__ffs((int)which) - 1;
        if constexpr (LEVEL > 0)
            tree_within<LEVEL - 1>(tree, q, bound, (first + opened) * CLUMP_TREE_FAN, search);
        else
            tree_visit_leaf(tree, q, first + opened, search);
    }
}

/* Searches from the top of a tree, whose level is equal in all threads: within a distance, or for the nearest points. */
template <bool WITHIN, int LEVEL, class SEARCH>
__device__ static inline void tree_from(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                        SEARCH &search)
{
    if constexpr (WITHIN)
        tree_within<LEVEL>(tree, q, bound, 0, search);
    else
        tree_visit<LEVEL>(tree, q, 0, search);
}

template <bool WITHIN, class SEARCH>
__device__ static inline void tree_from_top(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                            SEARCH &search)
{
    static_assert(CLUMP_TREE_LEVELS == 6, "one case per level");
    switch (tree.levels) {
    case 1:
        return tree_from<WITHIN, 0>(tree, q, bound, search);
    case 2:
        return tree_from<WITHIN, 1>(tree, q, bound, search);
    case 3:
        return tree_from<WITHIN, 2>(tree, q, bound, search);
    case 4:
        return tree_from<WITHIN, 3>(tree, q, bound, search);
    case 5:
        return tree_from<WITHIN, 4>(tree, q, bound, search);
    case 6:
        return tree_from<WITHIN, 5>(tree, q, bound, search);
    default: /* no points */
        return;
    }
}

template <class SEARCH>
__device__ static inline void tree_search(const clump_tree_view &tree, const tree_query &q, SEARCH &search)
{
    tree_from_top<false>(tree, q, 0, search);
}

template <class SEARCH>
__device__ static inline void tree_search_within(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                                 SEARCH &search)
{
    tree_from_top<true>(tree, q, bound, search);
}

#endif
