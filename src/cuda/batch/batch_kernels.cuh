/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_kernels.cuh: the kernels of a batch (batch_job.cuh).
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_KERNELS_CUH
#define CLUMP_CUDA_BATCH_BATCH_KERNELS_CUH

#include "cuda/batch/batch_large.cuh"
#include "cuda/batch/batch_number.cuh"
#include "cuda/batch/batch_small_join.cuh"

/* What stays in GPU memory for a call: sums, the counts of a cloud by `fast`, and whether the offsets are wrong. */
typedef struct batch_shared {
    clump_counts sums, one;
    uint32_t invalid;
} batch_shared;

/* Returns the class of a cloud; BATCH_CLASSES: it has no points, or `fast` has it. */
__device__ static inline int batch_class_of(const batch_gpu_job &job, uint64_t n)
{
    if (n == 0 || n > job.alone) return BATCH_CLASSES;
    for (int c = 0; c < BATCH_SMALL_CLASSES; c++)
        if (n <= job.capacity[c]) return c;
    return BATCH_LARGE_CLASS;
}

/* Sorts the clouds into classes, a thread per cloud, and checks their offsets: wrong ones would let clouds share memory. */
__global__ static void batch_sort_kernel(batch_gpu_job job)
{
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x, cloud = job.first_cloud + k;
    int which = BATCH_CLASSES;
    if (k < job.clouds) {
        const int64_t begin = job.offsets[cloud], end = job.offsets[cloud + 1], all = job.view.count;
        const bool good = begin >= 0 && begin <= end && end <= all && (cloud > 0 || begin == 0) &&
                          (cloud + 1 < job.stride || end == all);
        if (!good) atomicOr(job.invalid, 1);
        if (good) which = batch_class_of(job, (uint64_t)(end - begin));
        if (job.found && begin == end) job.found[cloud] = 0;
    }
    for (int c = 0; c < BATCH_CLASSES; c++) {
        const uint32_t votes = __ballot_sync(~0u, which == c);
        if (votes == 0) continue;
        uint32_t start = 0;
        if (clump_lane() == 0) start = atomicAdd(&job.lists->count[c], (uint32_t)__popc(votes));
        start = __shfl_sync(~0u, start, 0) + (uint32_t)__popc(votes & clump_lanes_below());
        if (which == c) job.list[(size_t)c * job.stride + start] = cloud;
    }
}

/* Makes all points of a cloud noise: its radius is not allowed. */
__device__ static inline void batch_refuse(const batch_sets &c)
{
    for (uint32_t i = threadIdx.x; i < c.count; i += blockDim.x) c.parent[i] = BATCH_OUT;
    __syncthreads();
}

/* Numbers the sets of a cloud, and writes its labels. */
__device__ static inline void batch_finish(const batch_gpu_job &job, const batch_sets &sets, uint32_t cloud,
                                           size_t first, batch_counts *counts)
{
    const uint32_t clusters = batch_number(sets, job);
    batch_label(sets, job, first, counts);
    if (threadIdx.x > 0) return;
    counts->clusters += clusters;
    if (job.found) job.found[cloud] = (int32_t)clusters;
}

/* The rule for the cells of a cloud; thread 0 makes it. */
__device__ static inline clump_cell_rule batch_cell_rule(const batch_gpu_job &job, float radius)
{
    if (!job.radii) return job.rule;
    __shared__ clump_cell_rule rule;
    if (threadIdx.x == 0) rule = clump_cell_rule_make(radius, job.view.two_d);
    __syncthreads();
    return rule;
}

/* 32 registers per thread on a GPU with 2,048 threads per multiprocessor: 2 thread blocks of 1,024 threads. With more
 * registers fewer threads run, and barriers and shared memory keep them waiting. 10,000 clouds of 1,024 points on an H200:
 * 1.39 ms with 56 registers and half of the threads. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
#define BATCH_RESIDENT 2
#else
#define BATCH_RESIDENT 1
#endif

/* A thread block per cloud of a class, all arrays in shared memory. */
template <bool DENSITY>
__global__ static void __launch_bounds__(1024, BATCH_RESIDENT) batch_small_kernel(batch_gpu_job job, int which)
{
    extern __shared__ uint64_t batch_memory[];
    __shared__ uint32_t queued;
    small_cloud s = small_lay_out(batch_memory, job.capacity[which], job.room[which]);
    s.queued = &queued;
    s.two_d = job.view.two_d, s.hash_key = job.hash_key;
    batch_counts counts = {0, 0, 0, 0}; /* of all clouds that this thread works on */
    for (uint32_t cloud; (cloud = batch_take(job, which)) != CLUMP_GPU_NONE;) {
        const size_t first = (size_t)job.offsets[cloud];
        const float radius = job.radii ? job.radii[cloud] : job.radius;
        s.count = (uint32_t)((size_t)job.offsets[cloud + 1] - first);
        const batch_sets sets = {s.parent, s.first, s.place, batch_memory, s.count}; /* in use one after the other */
        if (clump_radius_is_allowed(radius)) {
            s.bound = clump_batch_bound(radius, DENSITY);
            small_build<DENSITY>(s, batch_view_of(job.view, first, s.count), batch_cell_rule(job, radius), &counts);
            small_join<DENSITY>(s, job.min_points, job.borders);
        } else {
            batch_refuse(sets);
        }
        batch_finish(job, sets, cloud, first, &counts);
    }
    batch_report(job, counts);
}

__device__ static inline uint32_t batch_power_of_two(uint32_t n) /* the largest that is not above n */
{
    return 1u << (31 - __clz((int)n));
}

/* A thread block per cloud that shared memory is too small for. */
template <bool DENSITY> __global__ static void batch_large_kernel(batch_gpu_job job)
{
    const size_t all = job.view.count;
    batch_counts counts = {0, 0, 0, 0}; /* of all clouds that this thread works on */
    for (uint32_t cloud; (cloud = batch_take(job, BATCH_LARGE_CLASS)) != CLUMP_GPU_NONE;) {
        const size_t first = (size_t)job.offsets[cloud];
        const float radius = job.radii ? job.radii[cloud] : job.radius;
        batch_cloud c = {};
        c.count = (uint32_t)((size_t)job.offsets[cloud + 1] - first);
        c.head = job.large + 2 * first; /* 64-bit keys are aligned */
        c.tag = job.large + 2 * all + first, c.next = c.tag + all, c.parent = c.next + all;
        c.slots = batch_power_of_two(2 * c.count);
        c.view = batch_view_of(job.view, first, c.count);
        const batch_sets sets = {c.parent, c.tag, c.next, (uint64_t *)c.head, c.count};
        if (clump_radius_is_allowed(radius)) {
            c.bound = clump_batch_bound(radius, DENSITY);
            batch_enter(c, clump_voxel_rule_make(radius), &counts);
            if (DENSITY) batch_count(c, job.min_points);
            batch_join(c);
            if (DENSITY && job.borders) batch_border(c);
        } else {
            batch_refuse(sets);
        }
        batch_finish(job, sets, cloud, first, &counts);
    }
    batch_report(job, counts);
}

/* Adds the counts of a cloud that `fast` has clustered. */
__global__ static void batch_add_kernel(batch_shared *shared, int32_t *found)
{
    const clump_counts one = shared->one;
    clump_counts *const sums = &shared->sums;
    sums->clusters += one.clusters, sums->finite += one.finite, sums->masked += one.masked, sums->noise += one.noise;
    if (found) *found = (int32_t)one.clusters;
}

#endif
