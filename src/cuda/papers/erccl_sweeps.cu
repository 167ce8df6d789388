/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.cu: see papers.h: launches the passes of erccl_sweeps.cuh until one changes nothing. The host is a
 * few passes ahead of the GPU and polls for their results meanwhile: to wait for each pass would take longer than the
 * pass. `hash` has no passes: two kernels of erccl_hash.cuh.
 */
#include "cuda/papers/papers.h"

#include "cuda/papers/erccl_hash.cuh"
#include "cuda/papers/erccl_sweeps.cuh"
#include "cuda/gpu/scan.h"

#include <string.h>

enum {
    ERCCL_SWEEP_THREADS = 32 * ERCCL_SLICES, /* per thread block */
    ERCCL_SWEEP_BLOCKS = 8,  /* thread blocks per multiprocessor: 2048 threads, all that fit on an H200 */
    ERCCL_SWEEP_AHEAD = 3,   /* passes on the stream that the host has no result of yet */
    ERCCL_SWEEP_POLLS = 4096 /* polls of host memory between two queries of the stream */
};

#define ERCCL_SWEEP(name, ...)                                                                                         \
    __global__ static void __launch_bounds__(ERCCL_SWEEP_THREADS)                                                      \
        name(const erccl_job *shared, erccl_sweep s, uint32_t pass)                                                    \
    {                                                                                                                  \
        const erccl_job job = *shared;                                                                                 \
        (void)s, (void)pass;                                                                                           \
        clump_after_previous();                                                                                        \
        __VA_ARGS__                                                                                                    \
    }
ERCCL_SWEEP(race_begin_kernel, erccl_stamp(job, 2); erccl_sweep_begin(job, s, false, false, clump_whole_grid());)
ERCCL_SWEEP(ccl_begin_kernel, erccl_stamp(job, 2); erccl_sweep_begin(job, s, false, true, clump_whole_grid());)
ERCCL_SWEEP(race_kernel, erccl_race(job, s, pass, clump_whole_grid());)
ERCCL_SWEEP(independent_begin_kernel, erccl_stamp(job, 2); erccl_sweep_begin(job, s, true, false, clump_whole_grid());)
ERCCL_SWEEP(write_maps_kernel, erccl_write_maps(job, s, pass, clump_whole_grid());)
ERCCL_SWEEP(merge_maps_kernel, erccl_merge_maps(job, s, pass);)
ERCCL_SWEEP(independent_end_kernel, erccl_independent_end(job, s, clump_whole_grid());)
#undef ERCCL_SWEEP

__global__ static void __launch_bounds__(ERCCL_SWEEP_THREADS)
    keys_kernel(const erccl_job *shared, erccl_sweep s, uint64_t *keys)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t k = team.thread; k < s.count; k += team.threads) keys[k] = shared->list[k];
}

__global__ static void __launch_bounds__(ERCCL_SWEEP_THREADS)
    list_kernel(const erccl_job *shared, erccl_sweep s, uint64_t *keys)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t k = team.thread; k < s.count; k += team.threads) shared->list[k] = (uint32_t)keys[k];
}

__global__ static void __launch_bounds__(ERCCL_SWEEP_THREADS) enter_cells_kernel(const erccl_job *shared, erccl_table t)
{
    const erccl_job job = *shared;
    erccl_stamp(job, 2);
    erccl_enter_cells(job, t, clump_whole_grid());
}

__global__ static void __launch_bounds__(ERCCL_SWEEP_THREADS) join_cells_kernel(const erccl_job *shared, erccl_table t)
{
    const erccl_job job = *shared;
    erccl_join_cells(job, t, clump_whole_grid());
}

static uint32_t *published_on_host(clump_cuda_erccl *e)
{
    return (uint32_t *)((char *)e->report.data + sizeof(erccl_report));
}

/* Fetches the number of obstacle cells. Waits for the stream, and so for earlier calls on it. */
static clump_status fetch_count(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *job,
                                uint32_t *count)
{
    uint32_t *const on_host = published_on_host(e);
    CLUMP_CUDA(work, cuda, "fetching the number of cells",
               cudaMemcpyAsync(on_host, &job->counters->cells, sizeof *on_host, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    *count = on_host[0];
    return CLUMP_OK;
}

/* Reserves flags and bits; for `independent` also labels and maps. */
static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *job,
                                clump_erccl_method method, erccl_sweep *s)
{
    const bool independent = method == CLUMP_ERCCL_INDEPENDENT;
    const uint64_t width = 2 * (uint64_t)job->reach + 1, around = width * width;
    CLUMP_ASSERT(s->count <= job->cells);
    s->words = (uint32_t)((around + 31) / 32);
    const uint64_t each = s->words + (independent ? around + 1 : 0);
    CLUMP_TRY(clump_device_need(work, cuda, clump_erccl_method_name(method), &e->sweeps, ERCCL_FLAGS + each * s->count,
                                sizeof(uint32_t), "words of its maps"));
    s->changed = (uint32_t *)e->sweeps.data;
    s->alike = s->changed + ERCCL_FLAGS;
    s->labels = s->alike + (uint64_t)s->words * s->count;
    s->maps = s->labels + s->count;
    if (independent) /* every pass writes the same entries: the others keep this value */
        CLUMP_CUDA(work, cuda, "clearing maps",
                   cudaMemsetAsync(s->maps, 0xff, around * s->count * sizeof *s->maps, cuda->stream));
    return CLUMP_OK;
}

/* Sorts the list by place: cells that are close on the map are close in the maps of `independent`. */
static clump_status sort_list(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *shared,
                              const erccl_sweep &s, uint32_t cells, uint32_t blocks)
{
    int bits = 1;
    while (cells >> bits) bits++;
    CLUMP_TRY(clump_device_reserve(work, cuda, &e->keys, 2 * s.count * sizeof(uint64_t)));
    uint64_t *const keys = (uint64_t *)e->keys.data, *const sorted = keys + s.count;
    CLUMP_CUDA(work, cuda, "sorting cells",
               (keys_kernel<<<blocks, ERCCL_SWEEP_THREADS, 0, cuda->stream>>>(shared, s, keys), cudaGetLastError()));
    CLUMP_TRY(clump_sort_keys(work, cuda, &e->sort, keys, sorted, s.count, 0, bits));
    CLUMP_CUDA(work, cuda, "sorting cells",
               (list_kernel<<<blocks, ERCCL_SWEEP_THREADS, 0, cuda->stream>>>(shared, s, sorted), cudaGetLastError()));
    return CLUMP_OK;
}

/* Puts one sweep on the stream. */
static clump_status launch(clump_work *work, clump_cuda *cuda, void (*kernel)(const erccl_job *, erccl_sweep, uint32_t),
                           uint32_t blocks, const erccl_job *shared, const erccl_sweep &s, uint32_t pass, bool overlap)
{
    const clump_launch l = {blocks, ERCCL_SWEEP_THREADS, 0, cuda->stream, overlap, 0};
    return clump_launch_kernel(work, cuda, "clustering", l, kernel, shared, s, pass);
}

/* Waits until the pass after this one publishes whether this one changed anything. Queries the stream from time to
 * time: a lost GPU would publish nothing. */
static clump_status await_pass(clump_work *work, clump_cuda *cuda, const erccl_sweep &s, uint32_t pass, bool *changed)
{
    const volatile uint32_t *const published = &s.published[pass % ERCCL_FLAGS];
    for (uint32_t poll = 0; *published >> 1 != pass + 1; poll++)
        if (poll % ERCCL_SWEEP_POLLS == ERCCL_SWEEP_POLLS - 1) {
            const cudaError_t state = cudaStreamQuery(cuda->stream);
            if (state == cudaErrorNotReady) continue;
            CLUMP_CUDA(work, cuda, "waiting for the GPU", state);
            if (*published >> 1 != pass + 1)
                return clump_fail(work, CLUMP_ERR_DEVICE, "the GPU ended a pass over the map without a word");
        }
    *changed = *published & 1;
    return CLUMP_OK;
}

/* Launches passes until one changes nothing. */
static clump_status run_passes(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *shared,
                               const erccl_sweep &s, bool independent, uint32_t blocks, int64_t *passes)
{
    static_assert(ERCCL_SWEEP_AHEAD + 1 < ERCCL_FLAGS, "passes in flight have an entry of the ring each");
    for (uint32_t pass = 0;; pass++) {
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        CLUMP_TRY(launch(work, cuda, independent ? write_maps_kernel : race_kernel, blocks, shared, s, pass,
                         e->overlaps && pass > 0));
        if (independent) CLUMP_TRY(launch(work, cuda, merge_maps_kernel, blocks, shared, s, pass, e->overlaps));
        if (pass < ERCCL_SWEEP_AHEAD) continue;
        bool changed = false;
        CLUMP_TRY(await_pass(work, cuda, s, pass - ERCCL_SWEEP_AHEAD, &changed));
        if (changed) continue;
        *passes = (int64_t)(pass - ERCCL_SWEEP_AHEAD) + 1;
        return CLUMP_OK;
    }
}

static uint32_t blocks_for(const clump_cuda *cuda, uint32_t cells)
{
    return clump_grid_size((uint64_t)cells * 32, ERCCL_SWEEP_THREADS, (uint64_t)cuda->units * ERCCL_SWEEP_BLOCKS);
}

/* Joins `count` cells by `hash`. */
static clump_status join_by_hash(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const erccl_job *shared,
                                 uint32_t count)
{
    uint64_t room = 16;
    while (room < 2 * (uint64_t)count) room *= 2;
    CLUMP_ASSERT(room < UINT32_MAX); /* cells are at most INT32_MAX, points fewer than that */
    CLUMP_TRY(clump_device_need(work, cuda, "hash", &e->sweeps, room, sizeof(uint32_t), "slots of its table"));
    const erccl_table t = {(uint32_t *)e->sweeps.data, (uint32_t)room, count, work->hash_key};
    const clump_launch l = {blocks_for(cuda, count), ERCCL_SWEEP_THREADS, 0, cuda->stream, false, 0};
    CLUMP_CUDA(work, cuda, "clearing the table of cells",
               cudaMemsetAsync(t.slots, 0xff, room * sizeof *t.slots, cuda->stream));
    CLUMP_TRY(clump_launch_kernel(work, cuda, "clustering", l, enter_cells_kernel, shared, t));
    return clump_launch_kernel(work, cuda, "clustering", l, join_cells_kernel, shared, t);
}

clump_status clump_cuda_erccl_sweeps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_erccl_method method,
                                     const erccl_job *job, const erccl_job *shared, int64_t *passes)
{
    const bool independent = method == CLUMP_ERCCL_INDEPENDENT;
    erccl_sweep s = {};
    CLUMP_TRY(fetch_count(work, cuda, e, job, &s.count));
    *passes = 1; /* of `hash`; without obstacles: the one that finds none */
    if (method == CLUMP_ERCCL_HASH) return join_by_hash(work, cuda, e, shared, s.count);
    CLUMP_TRY(take_memory(work, cuda, e, job, method, &s));
    const uint32_t blocks = blocks_for(cuda, s.count);
    if (independent && s.count > 0) CLUMP_TRY(sort_list(work, cuda, e, shared, s, job->cells, blocks));
    s.published = published_on_host(e);
    memset(s.published, 0, ERCCL_FLAGS * sizeof *s.published);
    const auto begin = independent                 ? independent_begin_kernel
                       : method == CLUMP_ERCCL_CCL ? ccl_begin_kernel
                                                   : race_begin_kernel;
    CLUMP_TRY(launch(work, cuda, begin, blocks, shared, s, 0, false));
    if (s.count > 0) CLUMP_TRY(run_passes(work, cuda, e, shared, s, independent, blocks, passes));
    return independent ? launch(work, cuda, independent_end_kernel, blocks, shared, s, 0, false) : CLUMP_OK;
}
