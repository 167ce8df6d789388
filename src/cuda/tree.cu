/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.cu: builds the tree of tree.h:
 *
 *     range     where most of the points are, from a sample: a few far away do not make the curve coarse for all
 *     keys      each point's place on the curve, 10 bits an axis, and its index
 *     sort      by the former
 *     leaves    the points in that order, and a box around every 32
 *     levels    boxes around boxes
 *
 * Points outside the range are put on its border: the boxes are made of the points as they are.
 */
#include "cuda/scan.h"
#include "cuda/tree.h"

#include <math.h>

enum { BLOCK = 256, SAMPLE = 1024, BITS = 10 };

/* ----- range --------------------------------------------------------------------------------------- */

typedef struct range {
    float origin[3], scale[3]; /* cell = (x - origin) * scale */
} range;

__device__ static inline uint32_t as_ordered(float x)
{
    const uint32_t bits = (uint32_t)__float_as_int(x);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

__device__ static inline float from_ordered(uint32_t key)
{
    return __int_as_float((int)(key & 0x80000000u ? key & 0x7fffffffu : ~key));
}

/* A thread block an axis: sorts a sample, and takes the middle of it with a margin. */
__global__ static void __launch_bounds__(SAMPLE) find_range(clump_cloud_view cloud, range *out)
{
    __shared__ uint32_t keys[SAMPLE];
    const uint32_t t = threadIdx.x, axis = blockIdx.x;
    uint32_t key = UINT32_MAX; /* not there */
    const uint64_t i = (uint64_t)t * cloud.count / SAMPLE;
    float x, y, z;
    bool finite, masked;
    if (i < cloud.count && clump_view_point(cloud, i, &x, &y, &z, &finite, &masked))
        key = as_ordered(axis == 0 ? x : axis == 1 ? y : z);
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
    if (t > 0) return;
    float low = 0, high = 0;
    if (there > 0) {
        const uint32_t margin = there / 64;
        low = from_ordered(keys[margin]);
        high = from_ordered(keys[there - 1 - margin]);
    }
    /* Half as far again to both sides. In halves, as the difference may not fit into a float. */
    const float centre = low / 2 + high / 2, reach = high / 2 - low / 2;
    out->origin[axis] = centre - 2 * reach;
    out->scale[axis] = reach > 0 ? (float)(1 << BITS) / 4 / reach : 0;
}

/* ----- keys ---------------------------------------------------------------------------------------- */

__device__ static inline uint32_t cell_on(float x, float origin, float scale)
{
    const float at = (x - origin) * scale; /* may be infinite or, infinity times 0, none */
    return at > 0 ? (uint32_t)fminf(at, (float)((1 << BITS) - 1)) : 0;
}

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
__global__ static void make_keys(clump_cloud_view cloud, const range *r, uint64_t *keys)
{
    const uint64_t i = blockIdx.x * (uint64_t)BLOCK + threadIdx.x;
    if (i >= cloud.count) return;
    float x, y, z;
    bool finite, masked;
    uint32_t code = 1u << 3 * BITS;
    if (clump_view_point(cloud, i, &x, &y, &z, &finite, &masked))
        code = on_curve(cell_on(x, r->origin[0], r->scale[0]), cell_on(y, r->origin[1], r->scale[1]),
                        cell_on(z, r->origin[2], r->scale[2]));
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

static uint32_t blocks_for(uint64_t threads)
{
    return (uint32_t)((threads + BLOCK - 1) / BLOCK);
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
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &scratch->range, sizeof(range)));
    made.count = n;
    made.finite = finite;
    made.points = (const float4 *)tree->points.data;
    clump_tree_box *at = (clump_tree_box *)tree->boxes.data;
    for (uint32_t l = 0; l < made.levels; at += made.counts[l++]) made.boxes[l] = at;

    uint64_t *const keys = (uint64_t *)scratch->keys.data, *const sorted = (uint64_t *)scratch->sorted.data;
    range *const r = (range *)scratch->range.data;
    const cudaStream_t stream = cuda->stream;
    CLUMP_CUDA(ctx, cuda, "building a tree", (find_range<<<3, SAMPLE, 0, stream>>>(*cloud, r), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, "building a tree",
               (make_keys<<<blocks_for(n), BLOCK, 0, stream>>>(*cloud, r, keys), cudaGetLastError()));
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
    clump_device_buffer *const all[] = {&scratch->keys, &scratch->sorted, &scratch->sort, &scratch->range};
    for (clump_device_buffer *buffer : all) clump_device_release(ctx, cuda, buffer);
}
