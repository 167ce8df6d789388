/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_hulls.cuh: the phase `hulls`: the hull of each cluster from its candidates, and the finished entry.
 *
 *     small cluster    a warp: candidates are sorted in registers                   describe_chain.cuh
 *     other clusters   a thread block: up to 32 candidates are sorted in registers, more in shared memory, even more in
 *                      memory of the GPU
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_HULLS_CUH
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_HULLS_CUH

#include "cuda/describe/describe_chain.cuh"
#include "cuda/describe/describe_plan.cuh"
#include "cuda/describe/describe_rectangle.cuh"

enum {
    DESCRIBE_HULL_THREADS = 256,
    DESCRIBE_HULL_WARPS = DESCRIBE_HULL_THREADS / 32,
    DESCRIBE_HULL_KEYS = 2048,   /* candidates that are sorted in shared memory */
    DESCRIBE_HULL_CORNERS = 1024 /* that shared memory has room for */
};

typedef struct describe_hull_memory {
    union {
        struct {
            uint64_t keys[DESCRIBE_HULL_KEYS];
            uint32_t lower[DESCRIBE_HULL_KEYS], upper[DESCRIBE_HULL_KEYS];
        } sorted;
        clump_xy of_warp[DESCRIBE_HULL_WARPS][32]; /* corners of small clusters */
    };
    clump_xy corners[DESCRIBE_HULL_CORNERS];
    uint32_t lengths[2]; /* of the lower and the upper side */
} describe_hull_memory;

/* Returns all that was measured of a cluster. The functions below have AXES where the entries have principal axes: without,
 * their code is much shorter. */
template <bool AXES>
__device__ static inline clump_measures describe_measures_and_sums(const describe_job &job, uint32_t c)
{
    clump_measures m = describe_measures(job, job.extents[c]);
    const unsigned long long *const sum = job.totals[c].sum, *const moments = sum + DESCRIBE_SUMS;
    for (int k = 0; k < 3; k++) m.axis[k].sum = (int64_t)sum[k];
    m.value.sum = (int64_t)sum[3];
    m.has_moments = AXES;
    if (!AXES) return m;
    m.moments.used = (uint64_t)job.extents[c].tally[DESCRIBE_UPRIGHT];
    for (int k = 0; k < 3; k++) m.moments.sum[k] = moments[k];
    for (int k = 0; k < CLUMP_PAIRS_OF_AXES; k++) {
        m.moments.low[k] = moments[3 + k];
        m.moments.high[k] = moments[3 + CLUMP_PAIRS_OF_AXES + k];
    }
    return m;
}

/* Brings what describe_finish() reads of a cluster into the cache. All lanes of a warp call it. */
__device__ static inline void describe_fetch_measures(const describe_job &job, uint32_t c)
{
    const uint32_t lane = clump_lane();
    const char *const from = lane < 2 ? (const char *)&job.extents[c] : (const char *)&job.totals[c];
    const size_t bytes = lane < 2 ? sizeof(describe_extent) : sizeof(describe_total);
    if (lane < 4) asm volatile("prefetch.global.L1 [%0];" ::"l"(from + (lane % 2) * (bytes - 1)));
}

/* Writes the entry of a cluster. All lanes of a warp call it. */
template <bool AXES>
__device__ static inline void describe_finish(const describe_job &job, const describe_listed &listed,
                                              const clump_xy *hull, uint32_t corners)
{
    const uint32_t c = listed.cluster;
    const clump_outline outline = describe_outline_of(hull, corners);
    clump_xy *const polygon = job.candidates + listed.start;
    if (job.in.shape.polygons && polygon != hull)
        for (uint32_t k = clump_lane(); k < corners; k += 32) polygon[k] = hull[k];
    if (clump_lane() == 0) {
        const clump_measures m = describe_measures_and_sums<AXES>(job, c);
        job.in.clusters[c] = clump_cluster_finish((int32_t)c, job.in.up, &m, &outline);
    }
    __syncwarp();
}

/* ----- small clusters --------------------------------------------------------------------------------- */

/* Finishes a cluster with up to 32 candidates, by a warp. */
template <bool AXES>
__device__ static inline void describe_by_warp(const describe_job &job, const describe_listed &listed, uint32_t count,
                                               clump_xy *hull)
{
    const clump_xy *const candidates = job.candidates + listed.start;
    const clump_xy own = clump_lane() < count ? candidates[clump_lane()] : clump_xy{0, 0};
    const uint32_t corners = describe_hull_of_lanes(own, count, hull);
    describe_finish<AXES>(job, listed, hull, corners);
}

template <bool AXES>
__device__ static inline void describe_small(const describe_job &job, const describe_listed &listed, clump_xy *hull)
{
    describe_fetch_measures(job, listed.cluster);
    if (listed.points > 0)
        describe_by_warp<AXES>(job, listed, listed.points, hull);
    else if (clump_lane() == 0)
        job.in.clusters[listed.cluster] = clump_cluster_empty((int32_t)listed.cluster);
    __syncwarp();
}

/* ----- other clusters --------------------------------------------------------------------------------- */

/* Where the candidates of a cluster are sorted, and its corners. */
typedef struct describe_room {
    uint64_t *keys;
    uint32_t *lower, *upper;
    clump_xy *corners;
} describe_room;

/* Finds the hull of `count` candidates, by the thread block; returns its number of corners. The corners are in the shared
 * memory where they fit, else in *hull, which is the memory of the candidates. */
__device__ static inline uint32_t describe_hull_of_block(const describe_room &room, const clump_xy *candidates,
                                                         uint32_t count, describe_hull_memory *memory, clump_xy **hull)
{
    const uint32_t t = threadIdx.x;
    for (uint32_t i = t; i < count; i += blockDim.x) room.keys[i] = clump_key_of_xy(candidates[i].x, candidates[i].y);
    describe_sort_keys(room.keys, count);
    if (t < 64) {
        const bool is_upper = t >= 32;
        const uint32_t length =
            describe_make_chain(room.keys, count, is_upper ? room.upper : room.lower, is_upper ? -1 : 1);
        if (clump_lane() == 0) memory->lengths[is_upper] = length;
    }
    __syncthreads();
    const uint32_t lower = memory->lengths[0], upper = memory->lengths[1];
    const uint32_t corners = lower == 1 ? 1 : lower + upper - 2;
    *hull = corners <= DESCRIBE_HULL_CORNERS ? memory->corners : room.corners;
    for (uint32_t k = t; k < corners; k += blockDim.x) /* the upper side from right to left, without its ends */
        (*hull)[k] = clump_xy_of_key(room.keys[k < lower ? room.lower[k] : room.upper[upper - 2 - (k - lower)]]);
    __syncthreads();
    return corners;
}

template <bool AXES>
__device__ static inline void describe_large(const describe_job &job, const describe_listed &listed,
                                             describe_hull_memory *memory)
{
    const uint32_t start = listed.start, count = job.totals[listed.cluster].candidates;
    clump_xy *const candidates = job.candidates + start;
    if (threadIdx.x < 32) describe_fetch_measures(job, listed.cluster);
    if (count <= 32) {
        if (threadIdx.x < 32) describe_by_warp<AXES>(job, listed, count, memory->corners);
        __syncthreads();
        return;
    }
    const bool fits = count <= DESCRIBE_HULL_KEYS;
    const describe_room room = {
        fits ? memory->sorted.keys : job.keys + start, fits ? memory->sorted.lower : job.chains + 2 * (size_t)start,
        fits ? memory->sorted.upper : job.chains + 2 * (size_t)start + listed.points, candidates};
    clump_xy *hull;
    const uint32_t corners = describe_hull_of_block(room, candidates, count, memory, &hull);
    if (threadIdx.x < 32) describe_finish<AXES>(job, listed, hull, corners);
    __syncthreads();
}

/* ----- the phase -------------------------------------------------------------------------------------- */

template <bool AXES> __device__ static inline void describe_hulls(const describe_job &job)
{
    __shared__ describe_hull_memory memory;
    const uint32_t others = __ldcg(&job.report->others), few = __ldcg(&job.report->few);
    const uint32_t last = (uint32_t)job.in.capacity - 1, warp = threadIdx.x / 32;
    for (uint32_t i = blockIdx.x; i < others; i += gridDim.x) describe_large<AXES>(job, job.lists[last - i], &memory);
    __syncthreads();
    /* the last thread blocks begin: the first ones have the large clusters */
    const uint32_t first = (gridDim.x - 1 - blockIdx.x) * DESCRIBE_HULL_WARPS + warp;
    for (uint32_t i = first; i < few; i += gridDim.x * DESCRIBE_HULL_WARPS)
        describe_small<AXES>(job, job.lists[i], memory.of_warp[warp]);
}

#endif
