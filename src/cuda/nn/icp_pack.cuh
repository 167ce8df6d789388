/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_pack.cuh: a warp searches the nearest points of a pack: up to 32 queries, one per lane, that are close together.
 * The tree is walked once for all of them:
 *
 *     32 children of a box, one per lane        those within reach of the box around the pack
 *     each of these, all lanes the same one     opened if a query can have a nearer point in it
 *     a leaf                                    few queries want it: 32 points per query, one per lane
 *                                               many do: all lanes compare with one point after the other
 *
 * Each query begins with a point that is near, its pair of the last step. So most boxes are skipped, and the order of the
 * rest matters little. Ties go to the smaller index, so the result does not depend on the order.
 *
 * No point is lost by rounding: the gap between two boxes on an axis is a difference of two coordinates, and no query and
 * point in them have a smaller one; the rest is as in tree_search.cuh.
 */
#ifndef CLUMP_CUDA_NN_ICP_PACK_CUH
#define CLUMP_CUDA_NN_ICP_PACK_CUH

#include "cuda/nn/tree_search.cuh"
#include "rules/float_key.h"

/* Up to this many queries are compared with a leaf one by one. KITTI, H200, packs of 16: with 8 an iteration takes 0.105
 * ms, with 16 0.089. */
enum { PACK_FEW = 16 };

/* Per lane: its query, and distance, index and place of the best point so far. A lane without a query has the distance 0
 * and the index 0, so no box is nearer. */
typedef struct pack_lane {
    tree_query at;
    uint32_t best, which, place;
} pack_lane;

/* The box around the queries of a pack, equal in all lanes. */
typedef struct pack_box {
    tree_query lower, upper;
} pack_box;

/* Returns the smallest value of the lanes with a query. */
__device__ static inline float pack_least(float value, bool is_query)
{
    return clump_float_of_key(clump_warp_min(is_query ? clump_key_of_float(value) : TREE_NONE));
}

__device__ static inline float pack_most(float value, bool is_query)
{
    return clump_float_of_key(~clump_warp_min(is_query ? ~clump_key_of_float(value) : TREE_NONE));
}

__device__ static inline pack_box pack_box_of(const tree_query &q, bool is_query)
{
    return pack_box{{pack_least(q.x, is_query), pack_least(q.y, is_query), pack_least(q.z, is_query)},
                    {pack_most(q.x, is_query), pack_most(q.y, is_query), pack_most(q.z, is_query)}};
}

/* Returns the distance of two boxes. */
__device__ static inline uint32_t pack_box_bits(const pack_box &p, const clump_tree_box &b)
{
    return tree_length_bits(fmaxf(0.0f, fmaxf(b.first.x - p.upper.x, p.lower.x - b.first.w)),
                            fmaxf(0.0f, fmaxf(b.first.y - p.upper.y, p.lower.y - b.second.x)),
                            fmaxf(0.0f, fmaxf(b.first.z - p.upper.z, p.lower.z - b.second.y)));
}

__device__ static inline void pack_take(pack_lane &lane, uint32_t bits, uint32_t index, uint32_t place)
{
    if (bits < lane.best || (bits == lane.best && index < lane.which))
        lane.best = bits, lane.which = index, lane.place = place;
}

/* Compares the queries of the lanes `wanted` with the points of a leaf. */
__device__ static inline void pack_visit_leaf(const clump_tree_view &tree, uint32_t leaf, uint32_t wanted,
                                              pack_lane &lane)
{
    const uint32_t first = leaf * CLUMP_TREE_FAN;
    if (__popc(wanted) > PACK_FEW) {
        const uint32_t last = min(first + CLUMP_TREE_FAN, tree.count);
#pragma unroll 8
        for (uint32_t place = first; place < last; place++) {
            const float4 p = tree.points[place];
            pack_take(lane, tree_point_bits(lane.at, p), (uint32_t)__float_as_int(p.w), place);
        }
        return;
    }
    const uint32_t place = first + clump_lane();
    float4 p = make_float4(NAN, NAN, NAN, 0.0f);
    if (place < tree.count) p = tree.points[place];
    const uint32_t index = (uint32_t)__float_as_int(p.w);
    for (; wanted; wanted &= wanted - 1) {
        const int k = __ffs((int)wanted) - 1;
        const tree_query q = {__shfl_sync(~0u, lane.at.x, k), __shfl_sync(~0u, lane.at.y, k),
                              __shfl_sync(~0u, lane.at.z, k)};
        const uint32_t bits = tree_point_bits(q, p), least = clump_warp_min(bits);
        if (least > __shfl_sync(~0u, lane.best, k)) continue;
        const uint32_t smallest = clump_warp_min(bits == least ? index : TREE_NONE);
        const uint32_t from = (uint32_t)__ffs((int)__ballot_sync(~0u, bits == least && index == smallest)) - 1;
        if ((int)clump_lane() == k) pack_take(lane, least, smallest, first + from);
    }
}

/* Visits the children from `first` on, at this level. */
template <int LEVEL>
__device__ static inline void pack_visit(const clump_tree_view &tree, const pack_box &pack, uint32_t first,
                                         pack_lane &lane)
{
    const uint32_t child = first + clump_lane(), furthest = ~clump_warp_min(~lane.best);
    bool near = false;
    if (child < tree.counts[LEVEL]) near = pack_box_bits(pack, tree.boxes[LEVEL][child]) <= furthest;
    for (uint32_t which = __ballot_sync(~0u, near); which; which &= which - 1) {
        const uint32_t opened = first + (uint32_t)__ffs((int)which) - 1;
        const clump_tree_box box = tree.boxes[LEVEL][opened];
        const uint32_t bits = tree_box_bits(lane.at, box);
        const uint32_t wanted =
            __ballot_sync(~0u, bits < lane.best || (bits == lane.best && tree_least_index(box) < lane.which));
        if (wanted == 0) continue;
        if constexpr (LEVEL > 0)
            pack_visit<LEVEL - 1>(tree, pack, opened * CLUMP_TREE_FAN, lane);
        else
            pack_visit_leaf(tree, opened, wanted, lane);
    }
}

/* Searches from the top of a tree, whose level is equal in all threads. */
__device__ static inline void pack_search(const clump_tree_view &tree, const pack_box &pack, pack_lane &lane)
{
    static_assert(CLUMP_TREE_LEVELS == 6, "one case per level");
    switch (tree.levels) {
    case 1:
        return pack_visit<0>(tree, pack, 0, lane);
    case 2:
        return pack_visit<1>(tree, pack, 0, lane);
    case 3:
        return pack_visit<2>(tree, pack, 0, lane);
    case 4:
        return pack_visit<3>(tree, pack, 0, lane);
    case 5:
        return pack_visit<4>(tree, pack, 0, lane);
    case 6:
        return pack_visit<5>(tree, pack, 0, lane);
    default: /* no points */
        return;
    }
}

#endif
