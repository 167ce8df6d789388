/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_steps.cuh: the steps of batch_job.cuh that find the sets of a cloud. All threads of the thread block call each, and
 * wait for each other at its end.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_STEPS_CUH
#define CLUMP_CUDA_BATCH_BATCH_STEPS_CUH

#include "cuda/batch/batch_job.cuh"

#include "rules/union_find.h"

/* Counts of one thread; later of a cloud. */
typedef struct batch_counts {
    uint32_t finite, masked, noise;
} batch_counts;

/* Copies the coordinates to shared memory: consecutive threads read consecutive words, also over PCIe. */
__device__ static inline void batch_fetch(const clump_cloud_view &view, float *x, float *y, float *z)
{
    const float *const words = (const float *)view.points;
    const uint32_t each = (uint32_t)(view.stride / sizeof(float));
    if (each > 4) {
        for (uint32_t i = threadIdx.x; i < view.count; i += blockDim.x) {
            const float *const p = words + (size_t)i * each;
            x[i] = p[0], y[i] = p[1], z[i] = view.two_d ? 0.0f : p[2];
        }
    } else {
        const uint32_t all = view.count * each - (each - 3); /* the last point ends with its z */
        for (uint32_t k = threadIdx.x; k < all; k += blockDim.x) {
            const uint32_t i = each == 3 ? k / 3 : k / 4, axis = k - i * each;
            const float value = words[k];
            if (axis == 0) x[i] = value;
            if (axis == 1) y[i] = value;
            if (axis == 2) z[i] = view.two_d ? 0.0f : value;
        }
    }
    __syncthreads();
}

/* Gives every point its voxel and its place in a list. */
__device__ static inline void batch_enter(const batch_cloud &c, const clump_cell_rule &rule, batch_counts *counts)
{
    for (uint32_t s = threadIdx.x; s < c.slots; s += blockDim.x) c.head[s] = CLUMP_GPU_NONE;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        const float3 p = batch_point(c, i);
        const bool finite = isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
        const bool masked = c.view.mask && !c.view.mask[i];
        counts->finite += finite;
        counts->masked += masked;
        c.parent[i] = finite && !masked ? i : BATCH_OUT;
        if (!finite || masked) continue;
        const uint32_t tag = batch_tag((uint32_t)clump_cell(p.x, rule), (uint32_t)clump_cell(p.y, rule),
                                       c.view.two_d ? 0 : (uint32_t)clump_cell(p.z, rule));
        c.tag[i] = tag;
        c.next[i] = atomicExch(&c.head[batch_slot(tag, c.slots)], i);
    }
    __syncthreads();
}

/* DBSCAN: points with too few neighbours get the parent BATCH_LOOSE. Nothing else reads parents here. */
__device__ static inline void batch_count(const batch_cloud &c, uint32_t min_points)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        if (c.parent[i] == BATCH_OUT) continue;
        const float3 p = batch_point(c, i);
        uint32_t found = 0;
        batch_visit(c, c.tag[i], 0, [&](uint32_t j) { return batch_near(c, p, j) && ++found >= min_points; });
        if (found < min_points) c.parent[i] = BATCH_LOOSE;
    }
    __syncthreads();
}

/* Whether a parent is that of a point in a set; DBSCAN: of a core point. */
__device__ static inline bool batch_in_set(uint32_t parent)
{
    return parent < BATCH_BORDER;
}

/* Joins neighbours. Points that have the same parent are in one set already. */
__device__ static inline void batch_join(const batch_cloud &c)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        if (!batch_in_set(CLUMP_UF_LOAD(&c.parent[i]))) continue;
        const float3 p = batch_point(c, i);
        batch_visit(c, c.tag[i], 13, [&](uint32_t j) {
            const uint32_t other = CLUMP_UF_LOAD(&c.parent[j]);
            if (j == i || !batch_in_set(other) || other == CLUMP_UF_LOAD(&c.parent[i])) return false;
            if (batch_near(c, p, j)) clump_unite(c.parent, i, j);
            return false;
        });
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        const uint32_t parent = CLUMP_UF_LOAD(&c.parent[i]);
        if (batch_in_set(parent)) CLUMP_UF_STORE(&c.parent[i], clump_root(c.parent, parent));
    }
    __syncthreads();
}

/* DBSCAN: points that are no core points take the smallest root near them. It has the smallest number too. */
__device__ static inline void batch_border(const batch_cloud &c)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) {
        if (c.parent[i] != BATCH_LOOSE) continue;
        const float3 p = batch_point(c, i);
        uint32_t least = BATCH_LOOSE;
        batch_visit(c, c.tag[i], 0, [&](uint32_t j) {
            const uint32_t root = CLUMP_UF_LOAD(&c.parent[j]);
            if (batch_in_set(root) && root < least && batch_near(c, p, j)) least = root;
            return false;
        });
        if (least != BATCH_LOOSE) CLUMP_UF_STORE(&c.parent[i], least | BATCH_BORDER);
    }
    __syncthreads();
}

#endif
