/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.cu: see icp.h. Points are taken in the order of the tree, where neighbours are close in memory:
 *
 *     list_places      the place in the tree of every index                          once
 *     find_neighbours  the places of the k nearest points, nearest first             a warp per point
 *     find_normals     the sums over these neighbours, in their order; the normal    a thread per point
 *
 * A search begins with the point's own leaf: its 32 points are near, so few other boxes are opened.
 */
#include "cuda/nn/icp.h"

#include "cuda/gpu/launch.h"
#include "cuda/nn/nearest_k.cuh"
#include "rules/normal.h"

enum {
    NORMALS_THREADS = 256,        /* per thread block of find_neighbours */
    NORMALS_FEW_THREADS = 128,    /* per thread block of the others */
    NORMALS_NEIGHBOURS = 1 << 21, /* in lists at a time: 8 MB stay in the cache */
};

/* Pieces of the scratch memory. */
typedef struct normals_scratch {
    uint32_t *places; /* by index; of finite points only */
    uint32_t *lists;  /* k places per point of a batch; TREE_NONE where there are no more */
} normals_scratch;

__global__ static void __launch_bounds__(NORMALS_FEW_THREADS) list_places(clump_tree_view tree, uint32_t *places)
{
    const uint64_t place = blockIdx.x * (uint64_t)NORMALS_FEW_THREADS + threadIdx.x;
    if (place >= tree.count) return;
    const uint32_t index = (uint32_t)__float_as_int(tree.points[place].w);
    if (index != TREE_NONE) places[index] = (uint32_t)place; /* TREE_NONE: not finite */
}

/* A search for the k nearest points that has taken the points of one leaf already. */
template <int ROWS> struct nearest_beyond : nearest_k<ROWS> {
    uint32_t leaf;

    __device__ void take(const float4 &p, uint32_t bits, uint32_t place)
    {
        if (place / CLUMP_TREE_FAN != leaf) nearest_k<ROWS>::take(p, bits, place);
    }
};

/* Lists the neighbours of places first ... last - 1. */
template <int ROWS>
__global__ static void __launch_bounds__(NORMALS_THREADS)
    find_neighbours(clump_tree_view tree, uint32_t first, uint32_t last, uint32_t k, normals_scratch scratch)
{
    const uint64_t i = (blockIdx.x * (uint64_t)NORMALS_THREADS + threadIdx.x) / 32, place = first + i;
    if (place >= last) return;
    nearest_beyond<ROWS> search;
    search.k = k;
    search.leaf = (uint32_t)(place / CLUMP_TREE_FAN);
    const uint64_t none = (uint64_t)0x7f800000 << 32 | TREE_NONE; /* infinitely far, after all points */
    const uint32_t own = search.leaf * CLUMP_TREE_FAN + clump_lane();
    float4 p = make_float4(NAN, NAN, NAN, 0.0f);
    if (own < tree.count) p = tree.points[own];
    const int me = (int)(place % CLUMP_TREE_FAN);
    const tree_query q = {__shfl_sync(~0u, p.x, me), __shfl_sync(~0u, p.y, me), __shfl_sync(~0u, p.z, me)};
    if (isnan(q.x)) return; /* find_normals does not read its list */
    const uint64_t key = tree_key(tree_point_bits(q, p), p);
    search.best[0] = sorted_lanes(key < none ? key : none);
#pragma unroll
    for (int r = 1; r < ROWS; r++) search.best[r] = none;
    search.find_worst();
    tree_search(tree, q, search);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const uint32_t at = 32 * (uint32_t)r + clump_lane(), index = (uint32_t)search.best[r];
        if (at < k) scratch.lists[i * k + at] = index == TREE_NONE ? TREE_NONE : scratch.places[index];
    }
}

/* Computes the normals of places first ... last - 1. */
__global__ static void __launch_bounds__(NORMALS_FEW_THREADS)
    find_normals(clump_tree_view tree, uint32_t first, uint32_t last, uint32_t k, double flat, const uint32_t *lists,
                 float4 *normals)
{
    const uint64_t i = blockIdx.x * (uint64_t)NORMALS_FEW_THREADS + threadIdx.x, place = first + i;
    if (place >= last) return;
    const float4 p = tree.points[place];
    const float at[3] = {p.x, p.y, p.z};
    clump_normal_sums sums = {};
    for (uint32_t j = 0; j < k && !isnan(p.x); j++) {
        const uint32_t other = lists[i * k + j];
        if (other == TREE_NONE) break;
        const float4 o = tree.points[other];
        const float to[3] = {o.x, o.y, o.z};
        clump_normal_add(&sums, at, to);
    }
    float normal[3];
    clump_normal_of(&sums, flat, normal);
    normals[place] = make_float4(normal[0], normal[1], normal[2], 0.0f);
}

void clump_cuda_normals_trim(clump_work *work, clump_cuda *cuda, clump_cuda_normals *normals)
{
    clump_device_release(work, cuda, &normals->normals);
    clump_device_release(work, cuda, &normals->scratch);
}

/* Cuts the scratch memory into its pieces; returns its size. */
static size_t cut_scratch(void *base, size_t count, size_t batch, uint32_t k, normals_scratch *scratch)
{
    clump_cutter c = {(char *)base, 0};
    clump_cut(&c, &scratch->places, count);
    clump_cut(&c, &scratch->lists, batch * k);
    return c.used;
}

clump_status clump_cuda_normals_find(clump_work *work, clump_cuda *cuda, clump_cuda_normals *normals,
                                     const clump_tree_view *tree, uint32_t k, double flat)
{
    static const char what[] = "computing normals";
    CLUMP_ASSERT(k >= 3 && k <= 128);
    const uint32_t count = tree->count, most = NORMALS_NEIGHBOURS / k, batch = count < most ? count : most;
    if (count == 0) return CLUMP_OK;
    normals_scratch scratch;
    const size_t bytes = cut_scratch(NULL, count, batch, k, &scratch);
    CLUMP_TRY(clump_device_reserve(work, cuda, &normals->normals, count * sizeof(float4)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &normals->scratch, bytes));
    (void)cut_scratch(normals->scratch.data, count, batch, k, &scratch);
    const auto search = k <= 32 ? find_neighbours<1> : k <= 64 ? find_neighbours<2> : find_neighbours<4>;
    CLUMP_TRY(clump_launch_items(work, cuda, what, count, NORMALS_FEW_THREADS, CLUMP_GRID_MOST, list_places, *tree,
                                 scratch.places));
    for (uint32_t first = 0; first < count; first += batch) {
        const uint32_t n = count - first < batch ? count - first : batch;
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        CLUMP_TRY(clump_launch_items(work, cuda, what, (uint64_t)n * 32, NORMALS_THREADS, CLUMP_GRID_MOST, search,
                                     *tree, first, first + n, k, scratch));
        CLUMP_TRY(clump_launch_items(work, cuda, what, n, NORMALS_FEW_THREADS, CLUMP_GRID_MOST, find_normals, *tree,
                                     first, first + n, k, flat, (const uint32_t *)scratch.lists,
                                     (float4 *)normals->normals.data));
    }
    return CLUMP_OK;
}
