/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_search.cuh: a warp searches the tree of tree.h around one point. For the nearest, children are visited from near
 * to far, as long as they are no further than what the search still wants:
 *
 *     distances of 32 children, a lane each      3  9  1  4  -        what is wanted: at most 5
 *     the nearest is visited, and done with      3  9  -  4  -        now at most 2: no more
 *
 * For all within a distance they are visited as they come.
 *
 * How far a box is, is computed as the distance of two points is: what lies between on an axis is a difference of two
 * coordinates, no point of the box has a smaller one there, and rounding keeps the order. So nothing is lost, and of points
 * at the same distance none. In the same way no point is further than the far corner. Distances are compared as bits, whose
 * order is that of numbers that are not negative; what is no number comes after infinity.
 *
 * A box at the distance of the worst point that is wanted is opened only if it has a smaller index than that: so that a
 * thousand points in one place are not all looked at.
 */
#ifndef CLUMP_CUDA_NN_TREE_SEARCH_CUH
#define CLUMP_CUDA_NN_TREE_SEARCH_CUH

#include "cuda/nn/tree.h"
#include "cuda/gpu/warp.cuh"
#include "rules/distance.h"

#include <math.h>

static const uint32_t TREE_NONE = UINT32_MAX; /* as bits of a distance: further than any; as an index: none */

__device__ static inline uint32_t tree_lane(void)
{
    return threadIdx.x % 32;
}

typedef struct tree_query {
    float x, y, z;
} tree_query;

__device__ static inline uint32_t tree_point_bits(const tree_query &q, const float4 &p)
{
    return (uint32_t)__float_as_int(clump_distance_squared(q.x, q.y, q.z, p.x, p.y, p.z));
}

/* Distance and index in one number: the less, the nearer. */
__device__ static inline uint64_t tree_key(uint32_t bits, const float4 &p)
{
    return (uint64_t)bits << 32 | (uint32_t)__float_as_int(p.w);
}

__device__ static inline uint32_t tree_length_bits(float x, float y, float z)
{
    return (uint32_t)__float_as_int(clump_distance_squared(x, y, z, 0.0f, 0.0f, 0.0f));
}

/* Of the nearest point of a box, and of its far corner. */
__device__ static inline uint32_t tree_box_bits(const tree_query &q, const clump_tree_box &b)
{
    return tree_length_bits(fmaxf(0.0f, fmaxf(b.first.x - q.x, q.x - b.first.w)),
                            fmaxf(0.0f, fmaxf(b.first.y - q.y, q.y - b.second.x)),
                            fmaxf(0.0f, fmaxf(b.first.z - q.z, q.z - b.second.y)));
}

__device__ static inline uint32_t tree_corner_bits(const tree_query &q, const clump_tree_box &b)
{
    return tree_length_bits(fmaxf(b.first.w - q.x, q.x - b.first.x), fmaxf(b.second.x - q.y, q.y - b.first.y),
                            fmaxf(b.second.y - q.z, q.z - b.first.z));
}

__device__ static inline uint32_t tree_least_index(const clump_tree_box &b)
{
    return (uint32_t)__float_as_int(b.second.z);
}

/* A search for one point: the best so far, the same in all lanes; and where in the tree it is. */
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

/* The points of a leaf, one a lane; NaN where there is none. */
template <class SEARCH>
__device__ static inline void tree_look(const clump_tree_view &tree, const tree_query &q, uint32_t leaf, SEARCH &search)
{
    const uint32_t place = leaf * CLUMP_TREE_FAN + tree_lane();
    float4 p = make_float4(NAN, NAN, NAN, 0.0f);
    if (place < tree.count) p = tree.points[place];
    search.take(p, tree_point_bits(q, p), place);
}

/* Children from `first` on, at this level. A search has bits() and index() of the worst that it still wants, or a bound
 * and TREE_NONE, and take(point, bits, place), for 32 points at once, one a lane; all lanes have the same. */
template <int LEVEL, class SEARCH>
__device__ static inline void tree_visit(const clump_tree_view &tree, const tree_query &q, uint32_t first,
                                         SEARCH &search)
{
    const uint32_t child = first + tree_lane();
    uint32_t bits = TREE_NONE;
    if (child < tree.counts[LEVEL]) bits = tree_box_bits(q, tree.boxes[LEVEL][child]);
    for (;;) {
        const uint32_t wanted = search.bits();
        uint32_t candidate = bits <= wanted ? bits : TREE_NONE, nearest = clump_warp_min(candidate);
        if (nearest == wanted) { /* a tie, and so are all that are left */
            if (candidate == nearest && tree_least_index(tree.boxes[LEVEL][child]) >= search.index())
                candidate = TREE_NONE;
            nearest = clump_warp_min(candidate);
        }
        if (nearest == TREE_NONE) return;
        const uint32_t who = (uint32_t)__ffs((int)__ballot_sync(~0u, candidate == nearest)) - 1;
        if (tree_lane() == who) bits = TREE_NONE;
        if constexpr (LEVEL > 0)
            tree_visit<LEVEL - 1>(tree, q, (first + who) * CLUMP_TREE_FAN, search);
        else
            tree_look(tree, q, first + who, search);
    }
}

/* The same for all within a distance. The search also has takes_whole(box, level): whether it needs not look into a box
 * that lies within as a whole, asked by the lanes that have one. */
template <int LEVEL, class SEARCH>
__device__ static inline void tree_within(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                          uint32_t first, SEARCH &search)
{
    const uint32_t child = first + tree_lane();
    bool open = false;
    if (child < tree.counts[LEVEL]) {
        const clump_tree_box box = tree.boxes[LEVEL][child];
        open = tree_box_bits(q, box) <= bound;
        if (open && tree_corner_bits(q, box) <= bound) open = !search.takes_whole(tree, child, LEVEL);
    }
    for (uint32_t which = __ballot_sync(~0u, open); which; which &= which - 1) {
        const uint32_t who = (uint32_t)__ffs((int)which) - 1;
        if constexpr (LEVEL > 0)
            tree_within<LEVEL - 1>(tree, q, bound, (first + who) * CLUMP_TREE_FAN, search);
        else
            tree_look(tree, q, first + who, search);
    }
}

/* From the top, whose level is the same in all threads. */
template <class SEARCH>
__device__ static inline void tree_search(const clump_tree_view &tree, const tree_query &q, SEARCH &search)
{
    switch (tree.levels) {
    case 1:
        return tree_visit<0>(tree, q, 0, search);
    case 2:
        return tree_visit<1>(tree, q, 0, search);
    case 3:
        return tree_visit<2>(tree, q, 0, search);
    case 4:
        return tree_visit<3>(tree, q, 0, search);
    case 5:
        return tree_visit<4>(tree, q, 0, search);
    case 6:
        return tree_visit<5>(tree, q, 0, search);
    default: /* no points */
        return;
    }
}

template <class SEARCH>
__device__ static inline void tree_search_within(const clump_tree_view &tree, const tree_query &q, uint32_t bound,
                                                 SEARCH &search)
{
    switch (tree.levels) {
    case 1:
        return tree_within<0>(tree, q, bound, 0, search);
    case 2:
        return tree_within<1>(tree, q, bound, 0, search);
    case 3:
        return tree_within<2>(tree, q, bound, 0, search);
    case 4:
        return tree_within<3>(tree, q, bound, 0, search);
    case 5:
        return tree_within<4>(tree, q, bound, 0, search);
    case 6:
        return tree_within<5>(tree, q, bound, 0, search);
    default: /* no points */
        return;
    }
}

#endif
