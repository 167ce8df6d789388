/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_large.cuh: a cloud in global memory, for those that are too large for shared memory. Points are in lists by the
 * hash of their voxel (rules/cell.h). All threads of the thread block call each step, and wait for each other at its end.
 *
 *              enter, count    join          border                 number
 *     tag      voxel           voxel         voxel                  size of a root
 *     next     list            list          list                   number of a root
 *     parent   BATCH_*, or i   union-find    root; border: flagged  root
 *     head     slots           slots         slots                  keys, 64 bits each
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_LARGE_CUH
#define CLUMP_CUDA_BATCH_BATCH_LARGE_CUH

#include "cuda/batch/batch_job.cuh"

#include "rules/union_find.h"

/* The arrays of one cloud. */
typedef struct batch_cloud {
    clump_cloud_view view; /* of this cloud alone */
    uint32_t *tag, *next, *parent, *head;
    uint32_t slots; /* a power of two */
    uint32_t count;
    float bound;
} batch_cloud;

__device__ static inline float3 batch_point(const batch_cloud &c, uint32_t i)
{
    const float *const p = (const float *)(c.view.points + i * c.view.stride);
    return make_float3(p[0], p[1], c.view.two_d ? 0.0f : p[2]);
}

/* ----- voxels ------------------------------------------------------------------------------------------ */

static const uint32_t BATCH_AXIS = 1023; /* a tag has ten bits per axis */

/* The tag of a voxel. Voxels 1024 apart share it: their points are compared, and are no neighbours. The 27 voxels around
 * a point have 27 different tags, so no point is seen twice. */
__device__ static inline uint32_t batch_tag(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & BATCH_AXIS) | (y & BATCH_AXIS) << 10 | (z & BATCH_AXIS) << 20;
}

__device__ static inline uint32_t batch_slot(uint32_t tag, uint32_t slots)
{
    uint32_t h = tag * 0x9e3779b1u;
    h ^= h >> 15;
    h *= 0x85ebca6bu;
    return (h ^ h >> 13) & (slots - 1);
}

/* Calls f(j) for all points of voxels `from` ... 26 of the 27 around a point with this tag; 13 is its own voxel, those
 * after it are half of the others. Ends where f returns true. */
template <class F> __device__ static inline void batch_visit(const batch_cloud &c, uint32_t tag, int from, F f)
{
    const uint32_t x = tag & BATCH_AXIS, y = tag >> 10 & BATCH_AXIS, z = tag >> 20;
    for (int k = from; k < 27; k++) {
        const int dz = k / 9 - 1;
        if (c.view.two_d && dz != 0) continue;
        const uint32_t wanted = batch_tag(x + (uint32_t)(k % 3 - 1), y + (uint32_t)(k / 3 % 3 - 1), z + (uint32_t)dz);
        for (uint32_t j = c.head[batch_slot(wanted, c.slots)]; j != CLUMP_GPU_NONE; j = c.next[j])
            if (c.tag[j] == wanted && f(j)) return;
    }
}

__device__ static inline bool batch_near(const batch_cloud &c, float3 p, uint32_t j)
{
    const float3 q = batch_point(c, j);
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < c.bound;
}

/* ----- steps ------------------------------------------------------------------------------------------- */

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
