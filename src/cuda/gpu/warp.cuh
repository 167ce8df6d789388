/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warp.cuh: what threads of a GPU do together: the 32 lanes of a warp, the threads of a thread block, and the team that
 * runs one phase of a job.
 */
#ifndef CLUMP_CUDA_GPU_WARP_CUH
#define CLUMP_CUDA_GPU_WARP_CUH

#include <stdint.h>

static const uint32_t CLUMP_GPU_NONE = UINT32_MAX; /* no cell, slot or point */

/* The threads that run a phase together. */
typedef struct clump_gpu_team {
    uint32_t thread, threads; /* whole warps */
} clump_gpu_team;

/* The team of all threads of the grid. */
__device__ static inline clump_gpu_team clump_whole_grid(void)
{
    return clump_gpu_team{blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x};
}

__device__ static inline uint32_t clump_lane(void)
{
    return threadIdx.x % 32;
}

__device__ static inline uint32_t clump_lanes_below(void)
{
    return (1u << clump_lane()) - 1;
}

__device__ static inline unsigned long long clump_gpu_now(void)
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

/* Returns the sum over the lanes before this one; *total is the sum over all. All lanes call it. */
__device__ static inline uint32_t clump_warp_scan(uint32_t value, uint32_t *total)
{
    uint32_t sum = value;
    for (int step = 1; step < 32; step *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, step);
        if ((int)clump_lane() >= step) sum += other;
    }
    *total = __shfl_sync(~0u, sum, 31);
    return sum - value;
}

/* The first statement of a kernel: waits until the writes of the kernel before are visible, and lets the GPU set the
 * next kernel up. */
__device__ static inline void clump_after_previous(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Barrier of all threads of a grid that is one cluster of thread blocks, or one thread block. It publishes what they wrote
 * before. */
__device__ static inline void clump_barrier(void)
{
#if __CUDA_ARCH__ >= 900
    if (gridDim.x > 1) {
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}

/* The smallest value of all lanes, in all lanes. All lanes call it. */
__device__ static inline uint32_t clump_warp_min(uint32_t value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, value);
#else
    for (int step = 16; step > 0; step /= 2) value = min(value, __shfl_xor_sync(~0u, value, step));
    return value;
#endif
}

/* Returns true in the thread block that is the last of the grid to call this with a counter that was 0. What the others
 * wrote before is in L2: read it with __ldcg, or after a __threadfence. */
__device__ static inline bool clump_last_thread_block(uint32_t *counter)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(counter, 1) == gridDim.x - 1;
    }
    __syncthreads();
    return last;
}

#endif
