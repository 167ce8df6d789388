/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_kernels.cuh: the phases of `fast` as kernels: one kernel per phase, and one for all phases of small clouds.
 * ec_fast.cu chooses.
 */
#ifndef CLUMP_CUDA_FAST_FAST_KERNELS_CUH
#define CLUMP_CUDA_FAST_FAST_KERNELS_CUH

#include "cuda/fast/fast_border.cuh"
#include "cuda/fast/fast_hot.cuh"
#include "cuda/fast/fast_grid.cuh"
#include "cuda/fast/fast_inside.cuh"
#include "cuda/fast/fast_label.cuh"

/* Threads are per thread block, thread blocks per multiprocessor. Values without a reason were chosen on an H200; no
 * measurement per value is recorded. */
enum {
    FAST_POINT_THREADS = 256,
    FAST_POINT_BLOCKS = 8, /* 2048 threads: all that fit on an H200 */
    FAST_JOIN_THREADS = 32 * FAST_WARPS,
    FAST_JOIN_BLOCKS = 64 / FAST_WARPS, /* 64 warps: all that fit on an H200 */
    FAST_HOT_BLOCKS = 4,                /* leaves 64 registers to each thread */
    FAST_BETWEEN_AT_ONCE = 1 << 18,     /* points; below, one launch less gains more than faces before the rest */
    FAST_FACE_PARTS = 3,                /* warps that share the offsets of a block */
    FAST_REST_PARTS = 5,
    FAST_SUM_THREADS = 1024, /* the most there can be: one thread block makes the sums */
    FAST_SMALL_THREADS = 512,
    FAST_SMALL_WARPS = 4,   /* that join the cells of a block */
    FAST_SMALL_CLUSTER = 16 /* thread blocks: the most that an H200 allows */
};

/* ----- one kernel per phase ---------------------------------------------------------------------------- */

/* `from` is the cloud that the kernel fetches; its points are null where they are on the GPU already. */
__global__ static void __launch_bounds__(FAST_POINT_THREADS)
    clear_kernel(fast_job job, fast_job *shared, clump_cloud_view from)
{
    const clump_gpu_team team = clump_whole_grid();
    if (team.thread == 0) *shared = job;
    fast_stamp(job, team, 0);
    if (from.points) clump_fetch_cloud(job.view, team, from);
    fast_clear(job, team);
}

#define FAST_PHASE(name, threads, ...)                                                                                 \
    __global__ static void __launch_bounds__(threads) name(const fast_job *job)                                        \
    {                                                                                                                  \
        clump_after_previous();                                                                                        \
        const clump_gpu_team team = clump_whole_grid();                                                                \
        __VA_ARGS__;                                                                                                   \
    }
FAST_PHASE(enter_kernel, FAST_POINT_THREADS, fast_enter(*job, team))
FAST_PHASE(number_kernel, FAST_POINT_THREADS, fast_number(*job, team))
FAST_PHASE(count_kernel, FAST_POINT_THREADS, fast_count(*job, team))
FAST_PHASE(place_kernel, FAST_POINT_THREADS, fast_place(*job, team))
FAST_PHASE(scatter_kernel, FAST_POINT_THREADS, fast_scatter(*job, team))
FAST_PHASE(core_kernel, FAST_POINT_THREADS, fast_core(*job, team))
FAST_PHASE(open_kernel, FAST_POINT_THREADS, fast_open(*job, team))
FAST_PHASE(compact_kernel, FAST_POINT_THREADS, fast_compact(*job, team))
FAST_PHASE(inside_kernel, FAST_JOIN_THREADS, __shared__ fast_block_cells cells;
           fast_inside<FAST_WARPS, true>(*job, team, &cells, true))
FAST_PHASE(between_kernel, FAST_JOIN_THREADS, fast_between(*job, team, 0, CLUMP_OFFSETS, CLUMP_OFFSETS, true))
FAST_PHASE(faces_kernel, FAST_JOIN_THREADS, fast_between(*job, team, 0, CLUMP_FACES, FAST_FACE_PARTS, true))
FAST_PHASE(rest_kernel, FAST_JOIN_THREADS, fast_between(*job, team, CLUMP_FACES, CLUMP_OFFSETS, FAST_REST_PARTS, true))
FAST_PHASE(hard_kernel, FAST_JOIN_THREADS, fast_hard(*job, team))
FAST_PHASE(roots_kernel, FAST_POINT_THREADS, fast_roots(*job, team))
FAST_PHASE(border_kernel, FAST_POINT_THREADS, fast_border(*job, team))
FAST_PHASE(mark_kernel, FAST_SUM_THREADS, fast_mark_and_sum(*job, team))
/* the last stamp is one thread's: all have equal shares of the work */
FAST_PHASE(label_kernel, FAST_POINT_THREADS, fast_label(*job, team); fast_stamp(*job, team, 4))
#undef FAST_PHASE

__global__ static void __launch_bounds__(FAST_HOT_THREADS, FAST_HOT_BLOCKS) hot_kernel(const fast_job *job)
{
    clump_after_previous();
    fast_hot(*job);
}

/* After all phases: the label of a cluster in place of its first point, and the number of pairs. */
__global__ static void __launch_bounds__(FAST_POINT_THREADS) translate_kernel(fast_job job, unsigned long long *count)
{
    const clump_gpu_team team = clump_whole_grid();
    const uint64_t all = job.counters->pairs, listed = all < job.pair_capacity ? all : job.pair_capacity;
    for (uint64_t k = team.thread; k < listed; k += team.threads) job.pairs[k].label = job.labels[job.pairs[k].label];
    if (team.thread == 0) *count = all;
}

/* ----- all phases in one kernel -------------------------------------------------------------------- */

/* Barrier of all threads of the cluster, or of the one thread block. It publishes what they wrote before. */
template <bool CLUSTER> __device__ static inline void fast_barrier(void)
{
#if __CUDA_ARCH__ >= 900
    if (CLUSTER) {
        asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
        return;
    }
#endif
    __syncthreads();
}

/* A phase, and the wait for its end. */
#define FAST_STEP(...) (__VA_ARGS__, fast_barrier<CLUSTER>())

template <bool CLUSTER, bool DENSITY>
__global__ static void __launch_bounds__(FAST_SMALL_THREADS, 1) small_kernel(fast_job job, clump_cloud_view from)
{
    __shared__ fast_block_cells cells[FAST_SMALL_THREADS / 32 / FAST_SMALL_WARPS];
    const clump_gpu_team team = clump_whole_grid();
    fast_stamp(job, team, 0);
    if (from.points) clump_fetch_cloud(job.view, team, from);
    FAST_STEP(fast_clear(job, team));
    FAST_STEP(fast_enter(job, team));
    FAST_STEP(fast_number(job, team));
    FAST_STEP(fast_count(job, team));
    FAST_STEP(fast_place(job, team));
    FAST_STEP(fast_scatter(job, team));
    if (DENSITY) {
        FAST_STEP(fast_core(job, team));
        FAST_STEP(fast_open(job, team));
        FAST_STEP(fast_compact(job, team));
    }
    FAST_STEP(fast_inside<FAST_SMALL_WARPS, false>(job, team, cells, false));
    FAST_STEP(fast_between(job, team, 0, CLUMP_OFFSETS, 1, false));
    FAST_STEP(fast_roots(job, team));
    if (DENSITY) FAST_STEP(fast_border(job, team));
    FAST_STEP(fast_mark(job, team));
    if (team.thread < 32) fast_sum_small(job);
    fast_barrier<CLUSTER>();
    fast_label(job, team);
    fast_stamp(job, team, 4);
}
#undef FAST_STEP

#endif
