/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.cu: see objects.h: memory, where the rings come from, and the steps of objects_steps.cuh on the stream.
 */
#include "cuda/objects/objects.h"

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/launch.h"
#include "cuda/gpu/marks.cuh"
#include "cuda/gpu/scan.h"
#include "cuda/objects/objects_steps.cuh"

extern "C" {
#include "core/rings.h"
}

#include <string.h>

enum {
    OBJECTS_THREADS = 128, /* per thread block */
    OBJECTS_STEP_THREADS = 256,
    OBJECTS_SUM_THREADS = 1024,
    OBJECTS_SUM_WORDS = 4, /* of marks, per thread at a time */
    OBJECTS_BLOCKS = 32    /* per multiprocessor, at most: threads then take several items */
};

/* ----- kernels -------------------------------------------------------------------------------------------- */

template <void (*BODY)(const objects_job &, size_t)>
__global__ static void __launch_bounds__(OBJECTS_THREADS) each_kernel(const __grid_constant__ objects_job job, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x)
        BODY(job, i);
}

/* Sums the steps of all points: per thread, per thread block, and in the memory of the GPU. */
__global__ static void __launch_bounds__(OBJECTS_STEP_THREADS) steps_kernel(const __grid_constant__ objects_job job)
{
    enum { SUMS = sizeof(clump_ring_steps) / sizeof(uint32_t) };
    __shared__ uint32_t sums[SUMS];
    if (threadIdx.x < SUMS) sums[threadIdx.x] = 0;
    __syncthreads();
    clump_ring_steps mine = {0, 0, 0, 0, 0, 0, 0};
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < job.view.count;
         i += gridDim.x * (size_t)blockDim.x)
        objects_step(job, i, &mine);
    const uint32_t values[SUMS] = {mine.up,     mine.down,  mine.jump_up, mine.jump_down,
                                   mine.tested, mine.steep, mine.lost};
    for (int k = 0; k < SUMS; k++)
        if (values[k]) atomicAdd(&sums[k], values[k]);
    __syncthreads();
    uint32_t *const all = (uint32_t *)&job.counters->steps;
    if (threadIdx.x < SUMS && sums[threadIdx.x]) atomicAdd(&all[threadIdx.x], sums[threadIdx.x]);
    if (!clump_last_thread_block(&job.counters->counted)) return;
    if (threadIdx.x < SUMS) ((uint32_t *)&job.report->steps)[threadIdx.x] = __ldcg(&all[threadIdx.x]);
}

static_assert(sizeof(clump_ring_steps) == 7 * sizeof(uint32_t), "steps_kernel adds its members one by one");

/* One thread block. */
__global__ static void __launch_bounds__(OBJECTS_SUM_THREADS) sum_kernel(const __grid_constant__ objects_job job)
{
    const uint32_t clusters = clump_marks_sum<OBJECTS_SUM_WORDS>(job);
    if (threadIdx.x > 0) return;
    const uint32_t finite =
        job.source == CLUMP_RINGS_NONE ? job.level_counts[0].finite : job.view.count - job.counters->not_finite;
    *job.counts = clump_counts{clusters, finite, 0, 0};
}

/* Runs the steps on the stream. */
typedef struct objects_runner {
    clump_work *work;
    clump_cuda *cuda;
    clump_cuda_objects *o;

    template <void (*BODY)(const objects_job &, size_t)>
    clump_status each(const char *what, size_t n, const objects_job &job) const
    {
        return clump_launch_items(work, cuda, what, n, OBJECTS_THREADS, (uint64_t)cuda->units * OBJECTS_BLOCKS,
                                  each_kernel<BODY>, job, n);
    }
    clump_status sort(const objects_job &job, int bits) const
    {
        return clump_sort_pairs(work, cuda, &o->sort, job.keys, job.sorted, job.places, job.index, job.view.count, 0,
                                bits);
    }
    clump_status sum_marks(const objects_job &job) const
    {
        return clump_launch_items(work, cuda, "numbering clusters", 1, OBJECTS_SUM_THREADS, 1, sum_kernel, job);
    }
} objects_runner;

/* ----- memory --------------------------------------------------------------------------------------------- */

/* Cuts the arrays of a job off the arena; returns the bytes of all. With base null it only adds up. */
static size_t lay_out(char *base, size_t n, int levels, bool rings, objects_job *job)
{
    clump_cutter c = {base, 0};
    const size_t places = rings ? n : 0;
    for (int k = 0; k < levels; k++) {
        clump_cut(&c, &job->of[k], n);
        clump_cut(&c, &job->node[k], n);
        clump_cut(&c, &job->parts[k], k > 0 ? n : 0);
    }
    clump_cut(&c, &job->name, n);
    clump_cut(&c, &job->marks, (n + 31) / 32);
    clump_cut(&c, &job->numbers, (n + 31) / 32);
    clump_cut(&c, &job->jumps, rings ? n + 1 : 0);
    clump_cut(&c, &job->keys, places);
    clump_cut(&c, &job->sorted, places);
    clump_cut(&c, &job->places, places);
    clump_cut(&c, &job->index, places);
    clump_cut(&c, &job->begin, rings ? CLUMP_RINGS_MOST + 1 : 0);
    clump_cut(&c, &job->point, places);
    clump_cut(&c, &job->bounds, places);
    clump_cut(&c, &job->azimuth, places);
    clump_cut(&c, &job->link, places);
    for (int t = 0; t < CLUMP_SCAN_NEXT; t++) clump_cut(&c, &job->ahead[t], places);
    for (int r = 0; r < CLUMP_SCAN_RINGS; r++) clump_cut(&c, &job->tests[r], places);
    return c.used;
}

/* The content of o->counters. */
typedef struct objects_shared {
    objects_counters counters;
    clump_counts levels[CLUMP_OBJECTS_LEVELS];
} objects_shared;

void clump_cuda_objects_trim(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o)
{
    clump_device_buffer *const all[] = {&o->arena, &o->sort, &o->counters, &o->rings, &o->bins, &o->whole};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_buffer *const pinned[] = {&o->report, &o->bins_here, &o->found};
    for (clump_pinned_buffer *buffer : pinned) clump_pinned_release(work, buffer);
    for (clump_objects_lane &lane : o->lane) {
        clump_cuda_fast_trim(work, cuda, &lane.fast);
        clump_cuda_ranged_trim(work, cuda, &lane.ranged);
    }
}

void clump_cuda_objects_close(clump_cuda_objects *o)
{
    if (o->counted) (void)cudaEventDestroy(o->counted);
    for (clump_objects_lane &at : o->lane) {
        clump_cuda_fast_close(&at.fast);
        clump_cuda_ranged_close(&at.ranged);
        clump_cuda_lane_close(&at.lane);
    }
    o->counted = NULL;
}

/* Returns the clusters that can be listed: none is smaller than the limit. */
static uint32_t listed(const clump_objects_call *call)
{
    const size_t least = call->job->in.min_size > 1 ? call->job->in.min_size : 1;
    const size_t most = call->view.count / least, capacity = (size_t)call->job->capacity;
    return (uint32_t)(capacity < most ? capacity : most);
}

/* Returns whether the call needs memory for rings. */
static bool may_have_rings(const clump_objects_call *call)
{
    return call->job->neighbours != CLUMP_NEIGHBOURS_EXACT;
}

/* Returns whether rings may follow from the points. */
static bool looks_for_rings(const clump_objects_call *call)
{
    return may_have_rings(call) && call->view.count > 0 && !call->job->rings && call->job->columns == 0;
}

/* Reserves memory and fills the job of the kernels, but for the rings. */
static clump_status make_job(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o, const clump_objects_call *call,
                             objects_job *out)
{
    const clump_objects_job *const job = call->job;
    const size_t n = call->view.count;
    const bool rings = may_have_rings(call);
    *out = objects_job{};
    CLUMP_TRY(clump_device_reserve(work, cuda, &o->arena, lay_out(NULL, n, job->rule.levels, rings, out) + 1));
    CLUMP_TRY(clump_device_reserve(work, cuda, &o->counters, sizeof(objects_shared)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &o->report, sizeof(objects_report)));
    lay_out((char *)o->arena.data, n, job->rule.levels, rings, out);
    objects_shared *const shared = (objects_shared *)o->counters.data;
    out->view = call->view;
    out->above = call->heights;
    out->rule = job->rule;
    for (int k = 0; k < job->rule.levels; k++)
        out->radius[k] = clump_radius_rule_make(job->in.d * job->rule.factors[k],
                                                job->in.per_metre * job->rule.factors[k], job->in.sensor, false);
    out->labels = call->labels;
    out->counts = call->counts;
    out->counters = &shared->counters;
    out->level_counts = shared->levels;
    out->report = (objects_report *)o->report.data;
    return CLUMP_OK;
}

/* ----- rings ---------------------------------------------------------------------------------------------- */

/* Puts the copy of given rings in host memory on the stream. */
static clump_status send_rings(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                               const clump_objects_call *call)
{
    const size_t bytes = (size_t)call->view.count * sizeof *call->job->rings;
    CLUMP_TRY(clump_device_reserve(work, cuda, &o->rings, bytes));
    CLUMP_CUDA(work, cuda, "sending rings to the GPU",
               cudaMemcpyAsync(o->rings.data, call->job->rings, bytes, cudaMemcpyHostToDevice, cuda->stream));
    return CLUMP_OK;
}

/* Returns whether given rings are in host memory. */
static bool rings_on_host(const clump_objects_call *call)
{
    return call->job->rings && call->job->in.place == CLUMP_PLACE_HOST;
}

clump_status clump_cuda_objects_begin(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                      const clump_objects_call *call)
{
    objects_job job;
    CLUMP_TRY(make_job(work, cuda, o, call, &job));
    CLUMP_CUDA(work, cuda, "clearing", cudaMemsetAsync(job.counters, 0, sizeof *job.counters, cuda->stream));
    if (may_have_rings(call) && rings_on_host(call) && call->view.count > 0) CLUMP_TRY(send_rings(work, cuda, o, call));
    if (!looks_for_rings(call)) return CLUMP_OK;
    CLUMP_TRY(clump_launch_items(work, cuda, "finding rings", call->view.count, OBJECTS_STEP_THREADS,
                                 (uint64_t)cuda->units * 4, steps_kernel, job));
    return clump_cuda_record(work, cuda, &o->counted);
}

/* Finds rings from the order of the points; job->source stays where it does not tell them. */
static clump_status find_by_order(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o, objects_job *job)
{
    CLUMP_CUDA(work, cuda, "finding rings", cudaEventSynchronize(o->counted));
    job->order = clump_rings_order(((const objects_report *)o->report.data)->steps, CLUMP_RINGS_MOST);
    if (job->order.rings == 0) return CLUMP_OK;
    job->source = CLUMP_RINGS_ORDER;
    job->rings = (uint32_t)job->order.rings;
    return clump_scan(work, cuda, &o->sort, job->jumps, job->view.count);
}

/* Finds rings from the vertical angles, in the same way. */
static clump_status find_by_angle(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o, bool strict,
                                  objects_job *job)
{
    const size_t bytes = CLUMP_RINGS_BINS * sizeof(uint32_t), table = CLUMP_RINGS_BINS * sizeof(uint16_t);
    CLUMP_TRY(clump_device_reserve(work, cuda, &o->bins, bytes + table));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &o->bins_here, bytes + table));
    job->bins = (uint32_t *)o->bins.data;
    uint32_t *const here = (uint32_t *)o->bins_here.data;
    uint16_t *const rings = (uint16_t *)(here + CLUMP_RINGS_BINS);
    CLUMP_CUDA(work, cuda, "clearing", cudaMemsetAsync(job->bins, 0, bytes, cuda->stream));
    const objects_runner run = {work, cuda, o};
    CLUMP_TRY(run.each<objects_bin>("finding rings", job->view.count, *job));
    CLUMP_CUDA(work, cuda, "finding rings",
               cudaMemcpyAsync(here, job->bins, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "finding rings"));
    const int count = clump_rings_of_angles(here, strict, rings);
    if (count == 0) return CLUMP_OK;
    uint16_t *const there = (uint16_t *)(job->bins + CLUMP_RINGS_BINS);
    CLUMP_CUDA(work, cuda, "finding rings", cudaMemcpyAsync(there, rings, table, cudaMemcpyHostToDevice, cuda->stream));
    job->source = CLUMP_RINGS_ANGLE;
    job->rings = (uint32_t)count;
    job->table = there;
    return CLUMP_OK;
}

/* Finds where the rings come from, as the CPU does (cpu/objects/rings.c). */
static clump_status find_rings(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                               const clump_objects_call *call, objects_job *job)
{
    if (!may_have_rings(call)) return CLUMP_OK;
    if (call->job->rings) {
        job->source = CLUMP_RINGS_GIVEN;
        job->rings = CLUMP_RINGS_MOST;
        job->given = rings_on_host(call) ? (const uint16_t *)o->rings.data : call->job->rings;
        return CLUMP_OK;
    }
    if (call->job->columns > 0) {
        job->source = CLUMP_RINGS_ROWS;
        job->columns = call->job->columns;
        job->rings = (uint32_t)((call->view.count - 1) / call->job->columns) + 1;
        return CLUMP_OK;
    }
    CLUMP_TRY(find_by_order(work, cuda, o, job));
    if (job->source != CLUMP_RINGS_NONE) return CLUMP_OK;
    const bool strict = call->job->neighbours == CLUMP_NEIGHBOURS_AUTO;
    CLUMP_TRY(find_by_angle(work, cuda, o, strict, job));
    if (job->source != CLUMP_RINGS_NONE || strict) return CLUMP_OK;
    return clump_rings_unknown(work);
}

/* ----- calls ---------------------------------------------------------------------------------------------- */

clump_status clump_cuda_objects_run(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                    clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                    clump_stats *stats)
{
    objects_job job;
    const objects_runner run = {work, cuda, o};
    stats->neighbours = CLUMP_NEIGHBOURS_EXACT;
    if (call->view.count == 0) {
        CLUMP_CUDA(work, cuda, "clearing", cudaMemsetAsync(call->counts, 0, sizeof *call->counts, cuda->stream));
        return CLUMP_OK;
    }
    CLUMP_TRY(make_job(work, cuda, o, call, &job));
    CLUMP_TRY(find_rings(work, cuda, o, call, &job));
    if (job.source == CLUMP_RINGS_NONE) {
        CLUMP_TRY(clump_objects_exact_tree(work, cuda, o, ranged, fast, call, &job));
    } else {
        stats->neighbours = CLUMP_NEIGHBOURS_SCAN;
        stats->ring_source = job.source;
        stats->rings = (int)job.rings;
        CLUMP_TRY(objects_scan_steps(run, job));
    }
    return objects_cut_steps(run, job);
}

clump_status clump_cuda_objects_list(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                     const clump_objects_call *call, const clump_stats *stats)
{
    objects_job job;
    const objects_runner run = {work, cuda, o};
    const uint32_t count = listed(call);
    if (count == 0) return CLUMP_OK;
    CLUMP_TRY(make_job(work, cuda, o, call, &job));
    CLUMP_TRY(clump_device_reserve(work, cuda, &o->whole, count * sizeof(objects_node)));
    job.source = stats->ring_source;
    job.whole = (objects_node *)o->whole.data;
    job.listed = count;
    job.found = call->job->found;
    if (call->job->found_place == CLUMP_PLACE_HOST) {
        job.found = (clump_object *)clump_pinned_address(call->job->found);
        if (!job.found) {
            CLUMP_TRY(clump_pinned_reserve(work, cuda, &o->found, count * sizeof *job.found));
            job.found = (clump_object *)o->found.data;
        }
    }
    return objects_list_steps(run, job);
}

void clump_cuda_objects_finish(const clump_cuda_objects *o, const clump_objects_call *call, int32_t clusters,
                               clump_stats *stats)
{
    const clump_objects_job *const job = call->job;
    if (stats->ring_source == CLUMP_RINGS_GIVEN) stats->rings = (int)((objects_report *)o->report.data)->rings;
    const uint32_t most = listed(call), count = (uint32_t)clusters < most ? (uint32_t)clusters : most;
    if (count == 0 || job->found_place == CLUMP_PLACE_DEVICE || clump_pinned_address(job->found)) return;
    memcpy(job->found, o->found.data, count * sizeof *job->found);
}
