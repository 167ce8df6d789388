/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.cu: builds the tree of tree.h:
 *
 *     borders   of 1024 cells per axis, from a sample
 *     keys      each point's place on the curve through these cells, and its index
 *     sort      by the place
 *     leaves    the points in that order, and one box per 32 points
 *     levels    boxes around boxes
 *
 * Cells are narrow where points are dense. With cells of equal width, two groups of one metre, a kilometre apart, would
 * have one or two cells each. Points of one cell have no order, so all boxes of a group would overlap, and a query would
 * open them all. So the span between two neighbours of the sorted sample gets cells by the cube root of its width:
 *
 *     sample    .....                                  ....  .
 *     borders   |||||        |        |        |       |||| ||
 *
 * Equal parts of the sample would also suit groups, but they cut the noise of a floor into layers. A small part of the
 * cells goes to equal parts nevertheless, for groups so far apart that the cube root leaves them nothing. Points outside
 * the sample are in the first or last cell: the boxes are made of the points themselves.
 */
#include "cuda/gpu/launch.h"
#include "cuda/gpu/scan.h"
#include "cuda/nn/tree.h"
#include "rules/float_key.h"

#include <math.h>

enum {
    TREE_THREADS = 256,          /* per thread block */
    TREE_BITS = 10,              /* of a cell, per axis: three axes and a flag fit 32 bits */
    TREE_CELLS = 1 << TREE_BITS, /* per axis */
    TREE_SAMPLE = TREE_CELLS     /* points: find_borders has one thread per point and per cell */
};
static const float TREE_EQUAL = 1.0f / 16; /* of the cells go to equal parts of the sample: head comment */

/* ----- borders ------------------------------------------------------------------------------------- */

typedef struct borders {
    float lower[3][TREE_CELLS]; /* of each cell; that of the first is not used */
} borders;

/* Returns the greatest i with steps[i] <= x; 0 if there is none. */
__device__ static inline uint32_t last_up_to(const float *steps, float x)
{
    uint32_t i = 0;
#pragma unroll
    for (uint32_t step = TREE_CELLS / 2; step > 0; step /= 2)
        if (steps[i + step] <= x) i += step;
    return i;
}

/* Finds the borders, one thread block per axis. The cloud is cut into 1024 spans, and the sample has one point of each.
 * Its place in the span varies, by the golden ratio: every 64th point of a scan may be of the same ring. */
__global__ static void __launch_bounds__(TREE_SAMPLE) find_borders(clump_cloud_view cloud, borders *out)
{
    __shared__ uint32_t keys[TREE_SAMPLE];
    __shared__ float sample[TREE_SAMPLE], share[TREE_SAMPLE], sums[TREE_SAMPLE / 32];
    const uint32_t t = threadIdx.x, axis = blockIdx.x;
    uint32_t key = UINT32_MAX; /* takes no part */
    const uint64_t i = ((uint64_t)t << 16 | (t * 40503u & 0xffffu)) * cloud.count >> (TREE_BITS + 16);
    float x, y, z;
    bool finite, masked;
    if (clump_view_point(cloud, i, &x, &y, &z, &finite, &masked))
        key = clump_key_of_float(axis == 0 ? x : axis == 1 ? y : z);
    keys[t] = key;
    for (uint32_t width = 2; width <= TREE_SAMPLE; width *= 2)
        for (uint32_t step = width / 2; step > 0; step /= 2) {
            __syncthreads();
            const uint32_t other = t ^ step;
            if (other < t) continue;
            const uint32_t a = keys[t], b = keys[other];
            if ((a > b) == ((t & width) == 0)) keys[t] = b, keys[other] = a;
        }
    __syncthreads();
    const uint32_t there = (uint32_t)__syncthreads_count(keys[t] != UINT32_MAX);

    /* The last point replaces those that take no part. Halves: a difference may exceed the largest float. */
    sample[t] = there > 0 ? clump_float_of_key(keys[min(t, there - 1)]) : 0;
    __syncthreads();
    float sum = t > 0 ? cbrtf(sample[t] / 2 - sample[t - 1] / 2) : 0;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const float before = __shfl_up_sync(~0u, sum, step);
        if (t % 32 >= step) sum += before;
    }
    if (t % 32 == 31) sums[t / 32] = sum;
    __syncthreads();
    float total = 0;
    for (uint32_t w = 0; w < TREE_SAMPLE / 32; w++) {
        if (w == t / 32) sum += total;
        total += sums[w];
    }
    share[t] = TREE_EQUAL * (float)t / TREE_SAMPLE + (total > 0 ? (1 - TREE_EQUAL) * (sum / total) : 0);
    __syncthreads();

    /* share[] rises with every t by more than a rounding error: no division by 0. */
    const float wanted = (float)t / TREE_CELLS;
    const uint32_t from = min(last_up_to(share, wanted), (uint32_t)TREE_SAMPLE - 2);
    const float part = fminf((wanted - share[from]) / (share[from + 1] - share[from]), 1.0f);
    const double low = sample[from], width = sample[from + 1] - low; /* double: rounding never moves a border back */
    out->lower[axis][t] = (float)(low + width * part);
}

/* ----- keys ---------------------------------------------------------------------------------------- */

/* Returns the place of a cell on Hilbert's curve (Skilling 2004), on which consecutive cells touch. */
__device__ static inline uint32_t on_curve(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t v[3] = {x, y, z};
    for (uint32_t q = 1u << (TREE_BITS - 1); q > 1; q >>= 1) {
        const uint32_t p = q - 1;
        for (int i = 0; i < 3; i++) {
            if (v[i] & q) {
                v[0] ^= p;
            } else {
                const uint32_t t = (v[0] ^ v[i]) & p;
                v[0] ^= t;
                v[i] ^= t;
            }
        }
    }
    v[1] ^= v[0];
    v[2] ^= v[1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (TREE_BITS - 1); q > 1; q >>= 1)
        if (v[2] & q) t ^= q - 1;
    uint32_t code = 0;
    for (int b = TREE_BITS - 1; b >= 0; b--)
        for (int i = 0; i < 3; i++) code = code << 1 | ((v[i] ^ t) >> b & 1);
    return code;
}

/* Makes the keys. Points that take no part come last: bit 30. */
__global__ static void __launch_bounds__(TREE_CELLS) make_keys(clump_cloud_view cloud, const borders *b, uint64_t *keys)
{
    __shared__ borders cells;
    const uint64_t i = blockIdx.x * (uint64_t)TREE_CELLS + threadIdx.x;
    float x, y, z;
    bool finite, masked, taken = false;
    if (i < cloud.count) taken = clump_view_point(cloud, i, &x, &y, &z, &finite, &masked);
    for (int axis = 0; axis < 3; axis++) cells.lower[axis][threadIdx.x] = b->lower[axis][threadIdx.x];
    __syncthreads();
    if (i >= cloud.count) return;
    uint32_t code = 1u << 3 * TREE_BITS;
    if (taken)
        code = on_curve(last_up_to(cells.lower[0], x), last_up_to(cells.lower[1], y), last_up_to(cells.lower[2], z));
    keys[i] = (uint64_t)code << 32 | i;
}

/* ----- boxes --------------------------------------------------------------------------------------- */

__device__ static inline clump_tree_box box_of(float x0, float y0, float z0, float x1, float y1, float z1,
                                               uint32_t least)
{
    const clump_tree_box box = {make_float4(x0, y0, z0, x1), make_float4(y1, z1, __int_as_float((int)least), 0.0f)};
    return box;
}

/* Returns a box of no points: inverted, infinitely far from all points, with an index after all others. */
__device__ static inline clump_tree_box box_of_nothing(void)
{
    return box_of(INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY, UINT32_MAX);
}

/* Stores the box around the boxes of all lanes. */
__device__ static inline void store_box(clump_tree_box *out, const clump_tree_box &box)
{
    float x0 = box.first.x, y0 = box.first.y, z0 = box.first.z, x1 = box.first.w, y1 = box.second.x, z1 = box.second.y;
    uint32_t least = (uint32_t)__float_as_int(box.second.z);
    for (int step = CLUMP_TREE_FAN / 2; step > 0; step /= 2) {
        x0 = fminf(x0, __shfl_xor_sync(~0u, x0, step));
        y0 = fminf(y0, __shfl_xor_sync(~0u, y0, step));
        z0 = fminf(z0, __shfl_xor_sync(~0u, z0, step));
        x1 = fmaxf(x1, __shfl_xor_sync(~0u, x1, step));
        y1 = fmaxf(y1, __shfl_xor_sync(~0u, y1, step));
        z1 = fmaxf(z1, __shfl_xor_sync(~0u, z1, step));
        least = min(least, __shfl_xor_sync(~0u, least, step));
    }
    if (threadIdx.x % 32 == 0) *out = box_of(x0, y0, z0, x1, y1, z1, least);
}

__device__ static inline bool takes_part(uint64_t key)
{
    return key >> 32 < 1u << 3 * TREE_BITS;
}

__global__ static void make_leaves(clump_cloud_view cloud, const uint64_t *keys, float4 *points, clump_tree_box *boxes,
                                   uint32_t *finite)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i - threadIdx.x % 32 >= cloud.count) return;
    float4 p = make_float4(NAN, NAN, NAN, __int_as_float(-1));
    clump_tree_box box = box_of_nothing();
    if (i < cloud.count) {
        const uint64_t key = keys[i];
        if (takes_part(key)) {
            const float *const at = (const float *)(cloud.points + (uint32_t)key * cloud.stride);
            p = make_float4(at[0], at[1], cloud.two_d ? 0.0f : at[2], __int_as_float((int)(uint32_t)key));
            box = box_of(p.x, p.y, p.z, p.x, p.y, p.z, (uint32_t)key);
            if (i + 1 == cloud.count || !takes_part(keys[i + 1]))
                *finite = (uint32_t)i + 1; /* this is the last finite one */
        } else if (i == 0) {
            *finite = 0;
        }
        points[i] = p;
    }
    store_box(&boxes[i / 32], box);
}

__global__ static void make_level(const clump_tree_box *below, uint32_t count, clump_tree_box *boxes)
{
    const uint64_t i = blockIdx.x * (uint64_t)TREE_THREADS + threadIdx.x;
    if (i - threadIdx.x % 32 >= count) return;
    store_box(&boxes[i / 32], i < count ? below[i] : box_of_nothing());
}

/* ----- the whole ----------------------------------------------------------------------------------- */

/* Puts the kernels of a build on the stream. */
static clump_status launch_build(clump_work *work, clump_cuda *cuda, clump_tree_scratch *scratch,
                                 const clump_tree_view &view, const clump_cloud_view *cloud, uint32_t *finite)
{
    const char *const what = "building a tree";
    const uint32_t n = cloud->count;
    uint64_t *const keys = (uint64_t *)scratch->keys.data, *const sorted = (uint64_t *)scratch->sorted.data;
    borders *const b = (borders *)scratch->borders.data;
    const clump_launch per_axis = {3, TREE_SAMPLE, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_kernel(work, cuda, what, per_axis, find_borders, *cloud, b));
    CLUMP_TRY(clump_launch_items(work, cuda, what, n, TREE_CELLS, CLUMP_GRID_MOST, make_keys, *cloud, b, keys));
    CLUMP_TRY(clump_sort_keys(work, cuda, &scratch->sort, keys, sorted, n, 32, 32 + 3 * TREE_BITS + 1));
    CLUMP_TRY(clump_launch_items(work, cuda, what, n, TREE_THREADS, CLUMP_GRID_MOST, make_leaves, *cloud, sorted,
                                 (float4 *)view.points, (clump_tree_box *)view.boxes[0], finite));
    for (uint32_t l = 1; l < view.levels; l++)
        CLUMP_TRY(clump_launch_items(work, cuda, what, view.counts[l - 1], TREE_THREADS, CLUMP_GRID_MOST, make_level,
                                     view.boxes[l - 1], view.counts[l - 1], (clump_tree_box *)view.boxes[l]));
    return CLUMP_OK;
}

clump_status clump_cuda_tree_build(clump_work *work, clump_cuda *cuda, clump_tree_scratch *scratch, clump_work *home,
                                   clump_cuda *keeper, clump_cuda_tree *tree, const clump_cloud_view *cloud,
                                   uint32_t *finite)
{
    const uint32_t n = cloud->count;
    clump_tree_view *const view = &tree->view;
    *view = clump_tree_view{};
    view->finite = finite;
    if (n == 0) {
        CLUMP_CUDA(work, cuda, "building a tree", cudaMemsetAsync(finite, 0, sizeof *finite, cuda->stream));
        return CLUMP_OK;
    }
    clump_tree_view built = {};
    size_t boxes = 0;
    for (uint64_t count = n; count > CLUMP_TREE_FAN || built.levels == 0; boxes += built.counts[built.levels++])
        built.counts[built.levels] = (uint32_t)(count = (count + CLUMP_TREE_FAN - 1) / CLUMP_TREE_FAN);
    CLUMP_TRY(clump_device_reserve(home, keeper, &tree->points, n * sizeof(float4)));
    CLUMP_TRY(clump_device_reserve(home, keeper, &tree->boxes, boxes * sizeof(clump_tree_box)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &scratch->keys, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &scratch->sorted, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &scratch->borders, sizeof(borders)));
    CLUMP_ASSERT(built.levels <= CLUMP_TREE_LEVELS && built.counts[built.levels - 1] <= CLUMP_TREE_FAN);
    built.count = n;
    built.finite = finite;
    built.points = (const float4 *)tree->points.data;
    clump_tree_box *at = (clump_tree_box *)tree->boxes.data;
    for (uint32_t l = 0; l < built.levels; at += built.counts[l++]) built.boxes[l] = at;

    CLUMP_TRY(launch_build(work, cuda, scratch, built, cloud, finite));
    *view = built;
    return CLUMP_OK;
}
