/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_walk.cuh: the walks of nn_walk.h in kernels. A walk has nearest(query, search), for searches whose bound falls
 * (tree_search.cuh), and within(query, bound, search), for searches of all points within a bound.
 */
#ifndef CLUMP_CUDA_NN_NN_WALK_CUH
#define CLUMP_CUDA_NN_NN_WALK_CUH

#include "cuda/gpu/launch.h"
#include "cuda/nn/nn_walk.h"
#include "cuda/nn/tree_search.cuh"
#include "rules/azimuth.h"

#include <string.h>

enum {
    WALK_THREADS = 256, /* per thread block */
    WALK_WARPS = WALK_THREADS / 32
};

/* Gives points first ... last - 1 to the search. */
template <class SEARCH>
__device__ static inline void walk_span(const float4 *points, uint32_t first, uint32_t last, const tree_query &q,
                                        SEARCH &search)
{
    for (; first < last; first += 32) {
        const uint32_t place = first + clump_lane();
        float4 p = make_float4(NAN, NAN, NAN, 0.0f);
        if (place < last) p = points[place];
        search.take(p, tree_point_bits(q, p), place);
    }
}

struct walk_tree {
    clump_tree_view tree;
    static constexpr clump_walk_kind kind = CLUMP_WALK_TREE;

    template <class SEARCH> __device__ void nearest(const tree_query &q, SEARCH &search) const
    {
        tree_search(tree, q, search);
    }
    template <class SEARCH> __device__ void within(const tree_query &q, uint32_t bound, SEARCH &search) const
    {
        tree_search_within(tree, q, bound, search);
    }
    __device__ uint32_t finite() const
    {
        return tree.finite ? *tree.finite : 0;
    }
};

struct walk_list {
    const float4 *points;
    uint32_t count;
    static constexpr clump_walk_kind kind = CLUMP_WALK_LIST;

    template <class SEARCH> __device__ void nearest(const tree_query &q, SEARCH &search) const
    {
        walk_span(points, 0, count, q, search);
    }
    template <class SEARCH> __device__ void within(const tree_query &q, uint32_t, SEARCH &search) const
    {
        walk_span(points, 0, count, q, search);
    }
    __device__ uint32_t finite() const
    {
        return count;
    }
};

/* Visits the query's own partition and those of the window. Where these are empty, it visits the next on either side that
 * is not. That one is found 32 steps at a time, as there may be a million partitions. The partition opposite to the query
 * is visited once. */
struct walk_azimuth {
    const float4 *points;
    const uint32_t *begin;
    int partitions, window;
    static constexpr clump_walk_kind kind = CLUMP_WALK_AZIMUTH;

    __device__ uint32_t size(int partition) const
    {
        return begin[partition + 1] - begin[partition];
    }
    __device__ int after(int middle, int step) const
    {
        return middle + step < partitions ? middle + step : middle + step - partitions;
    }
    __device__ int before(int middle, int step) const
    {
        return middle >= step ? middle - step : middle - step + partitions;
    }
    template <class SEARCH> __device__ uint32_t visit(int partition, const tree_query &q, SEARCH &search) const
    {
        walk_span(points, begin[partition], begin[partition + 1], q, search);
        return size(partition);
    }
    template <class SEARCH>
    __device__ uint32_t visit_sides(int middle, int step, const tree_query &q, SEARCH &search) const
    {
        const int right = after(middle, step), left = before(middle, step);
        const uint32_t visited = visit(right, q, search);
        return left == right ? visited : visited + visit(left, q, search);
    }
    template <class SEARCH> __device__ void nearest(const tree_query &q, SEARCH &search) const
    {
        if (begin[partitions] == 0) return;
        const int middle = clump_azimuth_partition(q.x, q.y, partitions), most = partitions / 2;
        uint32_t visited = visit(middle, q, search);
        int step = 1;
        for (; step <= most && step <= window; step++) visited += visit_sides(middle, step, q, search);
        for (; visited == 0 && step <= most; step += 32) {
            const int mine = step + (int)clump_lane();
            const bool filled = mine <= most && (size(after(middle, mine)) > 0 || size(before(middle, mine)) > 0);
            const uint32_t which = __ballot_sync(~0u, filled);
            if (which) visited = visit_sides(middle, step + __ffs((int)which) - 1, q, search);
        }
    }
    template <class SEARCH> __device__ void within(const tree_query &q, uint32_t, SEARCH &search) const
    {
        nearest(q, search);
    }
    __device__ uint32_t finite() const
    {
        return begin[partitions];
    }
};

/* Finds the query of this warp: first + the number of the warp. False: none. */
__device__ static inline bool walk_query(uint32_t first, uint32_t last, uint32_t *query)
{
    const uint64_t i = first + (blockIdx.x * (uint64_t)WALK_THREADS + threadIdx.x) / 32;
    *query = (uint32_t)i;
    return i < last;
}

/* Loads a query; false: not finite. */
__device__ static inline bool walk_point(const clump_cloud_view &queries, uint32_t query, tree_query *q)
{
    bool finite, masked;
    return clump_view_point(queries, query, &q->x, &q->y, &q->z, &finite, &masked);
}

static inline uint32_t walk_bits(float bound)
{
    CLUMP_ASSERT(bound >= 0); /* its bits are in the order of floats */
    uint32_t bits;
    memcpy(&bits, &bound, sizeof bits);
    return bits;
}

/* Calls launch(walk, first, last, grid), which returns a status, for all queries at once or for one after the other. */
template <class W, class F>
static clump_status walk_launch(const clump_cuda *cuda, const W &walk, bool one_by_one, uint32_t count, F launch)
{
    clump_launch grid = {clump_grid_size(count, WALK_WARPS, CLUMP_GRID_MOST), WALK_THREADS, 0, cuda->stream, false, 0};
    if (count == 0) return CLUMP_OK;
    if (!one_by_one) return launch(walk, 0, count, grid);
    grid.blocks = 1;
    for (uint32_t i = 0; i < count; i++) CLUMP_TRY(launch(walk, i, i + 1, grid));
    return CLUMP_OK;
}

/* Calls launch() with the walk as the type of its kind. */
template <class F> static clump_status walk_by(const clump_cuda *cuda, const clump_walk *walk, uint32_t count, F launch)
{
    switch (walk->kind) {
    case CLUMP_WALK_LIST:
        return walk_launch(cuda, walk_list{walk->points, walk->count}, walk->one_by_one, count, launch);
    case CLUMP_WALK_AZIMUTH:
        return walk_launch(cuda, walk_azimuth{walk->points, walk->begin, walk->partitions, walk->window},
                           walk->one_by_one, count, launch);
    default:
        return walk_launch(cuda, walk_tree{walk->tree}, walk->one_by_one, count, launch);
    }
}

#endif
