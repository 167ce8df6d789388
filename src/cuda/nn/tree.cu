/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.cu: builds the tree of tree.h:
 *
 *     borders   of 1024 cells an axis, from a sample
 *     keys      each point's place on the curve through these cells, and its index
 *     sort      by the former
 *     leaves    the points in that order, and a box around every 32
 *     levels    boxes around boxes
 *
 * Cells are narrow where points are dense. With cells of one width, two groups of a metre, a kilometre apart, would have a
 * cell or two each, and in a cell points have no order: all boxes of a group overlap, and a query opens them all. So
 * what lies between two neighbours of the sorted sample has cells by the cube root of its width:
 *
 *     sample    .....                                  ....  .
 *     borders   |||||        |        |        |       |||| ||
 *
 * Equal shares of the sample would do as well for groups, but cut the noise of a floor into layers; equal widths leave a
 * group nothing. A small part goes to equal shares all the same, for groups further apart than any root makes good.
 * Points outside the sample are in the first or last cell: the boxes are made of the points as they are.
 */
#include "cuda/gpu/scan.h"
#include "cuda/nn/tree.h"

#include <math.h>

enum { BLOCK = 256, BITS = 10, CELLS = 1 << BITS, SAMPLE = CELLS }; /* a thread has a point of the sample and a cell */
static const float EQUAL_SHARES = 1.0f / 16;

/* ----- borders ------------------------------------------------------------------------------------- */

typedef struct borders {
    float lower[3][CELLS]; /* of each cell; the first cell has none */
} borders;

__device__ static inline uint32_t as_ordered(float x)
{
    const uint32_t bits = (uint32_t)__float_as_int(x);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ static inline float from_ordered(uint32_t key)
{
    return __int_as_float((int)(key & 0x80000000u ? key & 0x7fffffffu : ~key));
}

/* The greatest i with steps[i] <= x; 0 if there is none. */
__device__ static inline uint32_t last_up_to(const float *steps, float x)
{
    uint32_t i = 0;
#pragma unroll
    for (uint32_t step = CELLS / 2; step > 0; step /= 2)
        if (steps[i + step] <= x) i += step;
    return i;
}

/* A thread block an axis. Of every 1024th of the cloud the sample has one point, now from its beginning, now from its end
 * (by the golden ratio): every 64th point of a scan may be of the same ring. */
__global__ static void __launch_bounds__(SAMPLE) find_borders(clump_cloud_view cloud, borders *out)
{
    __shared__ uint32_t keys[SAMPLE];
    __shared__ float sample[SAMPLE], share[SAMPLE], sums[SAMPLE / 32];
    const uint32_t t = threadIdx.x, axis = blockIdx.x;
    uint32_t key = UINT32_MAX; /* not there */
    const uint64_t i = ((uint64_t)t << 16 | (t * 40503u & 0xffffu)) * cloud.count >> (BITS + 16);
    float x, y, z;
    bool finite, masked;
    if (clump_view_point(cloud, i, &x, &y, &z, &finite, &masked)) key = as_ordered(axis == 0 ? x : axis == 1 ? y : z);
    keys[t] = key;
    for (uint32_t width = 2; width <= SAMPLE; width *= 2)
        for (uint32_t step = width / 2; step > 0; step /= 2) {
            __syncthreads();
            const uint32_t other = t ^ step;
            if (other < t) continue;
            const uint32_t a = keys[t], b = keys[other];
            if ((a > b) == ((t & width) == 0)) keys[t] = b, keys[other] = a;
        }
    __syncthreads();
    const uint32_t there = (uint32_t)__syncthreads_count(keys[t] != UINT32_MAX);

    /* The last stands for those that are not there. In halves, as a difference may not fit into a float. */
    sample[t] = there > 0 ? from_ordered(keys[min(t, there - 1)]) : 0;
    __syncthreads();
    float sum = t > 0 ? cbrtf(sample[t] / 2 - sample[t - 1] / 2) : 0;
    for (uint32_t step = 1; step < 32; step *= 2) {
        const float before = __shfl_up_sync(~0u, sum, step);
        if (t % 32 >= step) sum += before;
    }
    if (t % 32 == 31) sums[t / 32] = sum;
    __syncthreads();
    float total = 0;
    for (uint32_t w = 0; w < SAMPLE / 32; w++) {
        if (w == t / 32) sum += total;
        total += sums[w];
    }
    share[t] = EQUAL_SHARES * (float)t / SAMPLE + (total > 0 ? (1 - EQUAL_SHARES) * (sum / total) : 0);
    __syncthreads();

    /* Shares rise with every t, by more than rounding takes away: nothing is divided by 0. */
    const float wanted = (float)t / CELLS;
    const uint32_t from = min(last_up_to(share, wanted), (uint32_t)SAMPLE - 2);
    const float part = fminf((wanted - share[from]) / (share[from + 1] - share[from]), 1.0f);
    const double low = sample[from], width = sample[from + 1] - low; /* in double borders never go back by rounding */
    out->lower[axis][t] = (float)(low + width * part);
}

/* ----- keys ---------------------------------------------------------------------------------------- */

/* Where a cell comes on Hilbert's curve (Skilling 2004): cells that follow each other touch. */
__device__ static inline uint32_t on_curve(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t v[3] = {x, y, z};
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1) {
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
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        if (v[2] & q) t ^= q - 1;
    uint32_t code = 0;
    for (int b = BITS - 1; b >= 0; b--)
        for (int i = 0; i < 3; i++) code = code << 1 | ((v[i] ^ t) >> b & 1);
    return code;
}

/* Points that take no part come last: bit 30. */
__global__ static void __launch_bounds__(CELLS) make_keys(clump_cloud_view cloud, const borders *b, uint64_t *keys)
{
    __shared__ borders near;
    const uint64_t i = blockIdx.x * (uint64_t)CELLS + threadIdx.x;
    float x, y, z;
    bool finite, masked, taken = false;
    if (i < cloud.count) taken = clump_view_point(cloud, i, &x, &y, &z, &finite, &masked);
    for (int axis = 0; axis < 3; axis++) near.lower[axis][threadIdx.x] = b->lower[axis][threadIdx.x];
    __syncthreads();
    if (i >= cloud.count) return;
    uint32_t code = 1u << 3 * BITS;
    if (taken)
        code = on_curve(last_up_to(near.lower[0], x), last_up_to(near.lower[1], y), last_up_to(near.lower[2], z));
    keys[i] = (uint64_t)code << 32 | i;
}

/* ----- boxes --------------------------------------------------------------------------------------- */

__device__ static inline clump_tree_box box_of(float x0, float y0, float z0, float x1, float y1, float z1,
                                               uint32_t least)
{
    const clump_tree_box box = {make_float4(x0, y0, z0, x1), make_float4(y1, z1, __int_as_float((int)least), 0.0f)};
    return box;
}

/* A box of no points is inside out, infinitely far from everything, and its index comes after all others. */
__device__ static inline clump_tree_box box_of_nothing(void)
{
    return box_of(INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY, UINT32_MAX);
}

/* The box around those of all lanes. */
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
    return key >> 32 < 1u << 3 * BITS;
}

__global__ static void make_leaves(clump_cloud_view cloud, const uint64_t *keys, float4 *points, clump_tree_box *boxes,
                                   uint32_t *finite)
{
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (i - threadIdx.x % 32 >= cloud.count) return;
    float4 p = make_float4(NAN, NAN, NAN, __int_as_float(-1));
    clump_tree_box box = box_of_nothing();
    if (i < cloud.count) {
        const uint64_t key = keys[i];
        if (takes_part(key)) {
            const float *const at = (const float *)(cloud.points + (uint32_t)key * cloud.stride);
            p = make_float4(at[0], at[1], at[2], __int_as_float((int)(uint32_t)key));
            box = box_of(p.x, p.y, p.z, p.x, p.y, p.z, (uint32_t)key);
            if (i + 1 == cloud.count || !takes_part(keys[i + 1])) *finite = (uint32_t)i + 1; /* the last of them */
        } else if (i == 0) {
            *finite = 0;
        }
        points[i] = p;
    }
    store_box(&boxes[i / 32], box);
}

__global__ static void make_level(const clump_tree_box *below, uint32_t count, clump_tree_box *boxes)
{
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (i - threadIdx.x % 32 >= count) return;
    store_box(&boxes[i / 32], i < count ? below[i] : box_of_nothing());
}

/* ----- the whole ----------------------------------------------------------------------------------- */

static uint32_t blocks_for(uint64_t threads, uint32_t block = BLOCK)
{
    return (uint32_t)((threads + block - 1) / block);
}

clump_status clump_cuda_tree_build(clump_context *ctx, clump_cuda *cuda, clump_tree_scratch *scratch,
                                   clump_context *home, clump_cuda *keeper, clump_cuda_tree *tree,
                                   const clump_cloud_view *cloud, uint32_t *finite)
{
    const uint32_t n = cloud->count;
    clump_tree_view *const view = &tree->view;
    *view = clump_tree_view{};
    view->finite = finite;
    if (n == 0) {
        CLUMP_CUDA(ctx, cuda, "building a tree", cudaMemsetAsync(finite, 0, sizeof *finite, cuda->stream));
        return CLUMP_OK;
    }
    clump_tree_view made = {};
    size_t boxes = 0;
    for (uint64_t count = n; count > CLUMP_TREE_FAN || made.levels == 0; boxes += made.counts[made.levels++])
        made.counts[made.levels] = (uint32_t)(count = (count + CLUMP_TREE_FAN - 1) / CLUMP_TREE_FAN);
    CLUMP_TRY(clump_device_reserve(home, keeper, &tree->points, n * sizeof(float4)));
    CLUMP_TRY(clump_device_reserve(home, keeper, &tree->boxes, boxes * sizeof(clump_tree_box)));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &scratch->keys, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &scratch->sorted, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &scratch->borders, sizeof(borders)));
    made.count = n;
    made.finite = finite;
    made.points = (const float4 *)tree->points.data;
    clump_tree_box *at = (clump_tree_box *)tree->boxes.data;
    for (uint32_t l = 0; l < made.levels; at += made.counts[l++]) made.boxes[l] = at;

    uint64_t *const keys = (uint64_t *)scratch->keys.data, *const sorted = (uint64_t *)scratch->sorted.data;
    borders *const b = (borders *)scratch->borders.data;
    const cudaStream_t stream = cuda->stream;
    CLUMP_CUDA(ctx, cuda, "building a tree", (find_borders<<<3, SAMPLE, 0, stream>>>(*cloud, b), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, "building a tree",
               (make_keys<<<blocks_for(n, CELLS), CELLS, 0, stream>>>(*cloud, b, keys), cudaGetLastError()));
    CLUMP_TRY(clump_sort_keys(ctx, cuda, &scratch->sort, keys, sorted, n, 32, 32 + 3 * BITS + 1));
    CLUMP_CUDA(ctx, cuda, "building a tree",
               (make_leaves<<<blocks_for(n), BLOCK, 0, stream>>>(*cloud, sorted, (float4 *)tree->points.data,
                                                                 (clump_tree_box *)made.boxes[0], finite),
                cudaGetLastError()));
    for (uint32_t l = 1; l < made.levels; l++)
        CLUMP_CUDA(ctx, cuda, "building a tree",
                   (make_level<<<blocks_for(made.counts[l - 1]), BLOCK, 0, stream>>>(
                        made.boxes[l - 1], made.counts[l - 1], (clump_tree_box *)made.boxes[l]),
                    cudaGetLastError()));
    *view = made;
    return CLUMP_OK;
}

void clump_cuda_tree_release(clump_context *home, clump_cuda *keeper, clump_cuda_tree *tree)
{
    clump_device_release(home, keeper, &tree->points);
    clump_device_release(home, keeper, &tree->boxes);
    tree->view = clump_tree_view{};
}

void clump_tree_scratch_release(clump_context *ctx, clump_cuda *cuda, clump_tree_scratch *scratch)
{
    clump_device_buffer *const all[] = {&scratch->keys, &scratch->sorted, &scratch->sort, &scratch->borders};
    for (clump_device_buffer *buffer : all) clump_device_release(ctx, cuda, buffer);
}
