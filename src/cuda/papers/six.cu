/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.cu: see six.h: the points P, the lists S, the rounds, the canonical labels, and a whole run.
 */
#include "cuda/papers/six.h"

#include "cuda/gpu/scan.h"
#include "rules/cell.h"

#include <limits.h>

/* Rounds that are launched before the host reads their flags for the first time. Doubled each time. */
enum { SIX_FIRST_ROUNDS = 4 };

/* ----- P ------------------------------------------------------------------------------------------- */

/* Marks the points that take part, and counts them. */
__global__ static void mark_points(clump_cloud_view view, uint32_t *mark, clump_counts *counts,
                                   clump_six_control *control)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    float x, y, z;
    bool finite = false, masked = false;
    if (i < view.count) mark[i] = clump_view_point(view, i, &x, &y, &z, &finite, &masked);
    const int finite_here = __syncthreads_count(finite), masked_here = __syncthreads_count(masked);
    if (threadIdx.x > 0) return;
    if (finite_here > 0) atomicAdd(&counts->finite, (uint32_t)finite_here);
    if (masked_here > 0) atomicAdd(&counts->masked, (uint32_t)masked_here);
    if (i > 0) return;
    mark[view.count] = 0;
    for (int axis = 0; axis < 3; axis++) {
        control->lower[axis] = INT_MAX;
        control->upper[axis] = INT_MIN;
    }
}

/* Widens a box by the voxels of a warp. It is read first: most warps leave it as it is and need no atomic. */
__device__ static inline void widen(int32_t low, int32_t high, int32_t *lower, int32_t *upper)
{
    for (int step = 16; step > 0; step /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, step));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, step));
    }
    if (threadIdx.x % 32 > 0) return;
    if (low < __ldcg(lower)) atomicMin(lower, low);
    if (high > __ldcg(upper)) atomicMax(upper, high);
}

/* Writes P, index and C, and labels the other points noise. `place` are the scanned marks. */
__global__ static void gather_points(clump_cloud_view view, const uint32_t *place, bool range, clump_cell_rule rule,
                                     float4 *points, uint32_t *index, uint32_t *label, int32_t *labels,
                                     clump_counts *counts, clump_six_control *control)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    const bool there = i < view.count && place[i] != place[i + 1];
    float x = 0, y = 0, z = 0;
    if (there) {
        bool finite, masked;
        (void)clump_view_point(view, i, &x, &y, &z, &finite, &masked);
        const uint32_t p = place[i];
        points[p] = make_float4(x, y, z, __uint_as_float(p));
        index[p] = (uint32_t)i;
        label[p] = p;
    } else if (i < view.count) {
        labels[i] = CLUMP_NOISE;
    }
    if (range) {
        const int32_t vx = clump_cell(x, rule), vy = clump_cell(y, rule), vz = clump_cell(z, rule);
        widen(there ? vx : INT_MAX, there ? vx : INT_MIN, &control->lower[0], &control->upper[0]);
        widen(there ? vy : INT_MAX, there ? vy : INT_MIN, &control->lower[1], &control->upper[1]);
        widen(there ? vz : INT_MAX, there ? vz : INT_MIN, &control->lower[2], &control->upper[2]);
    }
    if (i > 0) return;
    control->count = place[view.count];
    counts->noise = view.count - place[view.count];
}

static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const clump_cloud_job *job)
{
    const uint64_t n = job->count;
    const char *const m = g->method;
    CLUMP_TRY(clump_device_need(work, cuda, m, &g->point_memory, n, sizeof(float4), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, m, &g->index_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, m, &g->label_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, m, &g->other_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, m, &g->scan_memory, n + 1, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_reserve(work, cuda, &g->control_memory, sizeof(clump_six_control)));
    if (!g->control_cleared) /* the host reads all of it, also what a method does not use */
        CLUMP_CUDA(work, cuda, "clearing flags",
                   cudaMemsetAsync(g->control_memory.data, 0, sizeof(clump_six_control), cuda->stream));
    g->control_cleared = true;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &g->fetched_memory, sizeof(clump_six_control)));
    for (cudaEvent_t &event : g->events)
        if (!event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreate(&event));
    for (cudaEvent_t &event : g->initial)
        if (!event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreate(&event));
    g->points = (float4 *)g->point_memory.data;
    g->index = (uint32_t *)g->index_memory.data;
    g->label = (uint32_t *)g->label_memory.data;
    g->other = (uint32_t *)g->other_memory.data;
    g->scan = (uint32_t *)g->scan_memory.data;
    g->control = (clump_six_control *)g->control_memory.data;
    g->fetched = (clump_six_control *)g->fetched_memory.data;
    return CLUMP_OK;
}

clump_status clump_six_fetch_control(clump_work *work, clump_cuda *cuda, clump_cuda_six *g)
{
    CLUMP_CUDA(work, cuda, "reading flags",
               cudaMemcpyAsync(g->fetched, g->control, sizeof *g->fetched, cudaMemcpyDeviceToHost, cuda->stream));
    return clump_cuda_synchronize(work, cuda, "reading flags");
}

clump_status clump_six_begin(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const char *method,
                             const clump_cloud_job *job, bool range, const clump_cloud_view *view, int32_t *labels,
                             clump_counts *counts)
{
    CLUMP_ASSERT(view->count == job->count);
    g->method = method;
    g->count = 0;
    if (view->count == 0) return CLUMP_OK;
    CLUMP_TRY(take_memory(work, cuda, g, job));
    CLUMP_CUDA(work, cuda, "timing", cudaEventRecord(g->events[0], cuda->stream));
    CLUMP_TRY(
        clump_six_launch(work, cuda, "counting points", view->count, mark_points, *view, g->scan, counts, g->control));
    CLUMP_TRY(clump_scan(work, cuda, &g->temporary, g->scan, view->count));
    CLUMP_TRY(clump_six_launch(work, cuda, "gathering points", view->count, gather_points, *view, g->scan, range,
                               clump_voxel_rule_make(job->d), g->points, g->index, g->label, labels, counts,
                               g->control));
    CLUMP_TRY(clump_six_fetch_control(work, cuda, g));
    g->count = g->fetched->count;
    if (g->count == 0) return CLUMP_OK;
    return clump_six_search_prepare(work, cuda, &g->grid, &g->temporary, method, job, range, g->points, g->count,
                                    g->fetched->lower, g->fetched->upper, &g->search);
}

/* ----- lists --------------------------------------------------------------------------------------- */

struct count_neighbours {
    typedef uint32_t State;
    static constexpr bool COUNTS = true;
    uint32_t *degree;
    __device__ State begin(uint32_t, size_t) const
    {
        return 0;
    }
    __device__ void found(State, uint32_t, uint32_t, uint32_t) const {}
    __device__ void advance(State &so_far, uint32_t n) const
    {
        so_far += n;
    }
    __device__ void end(size_t slot, State so_far) const
    {
        degree[slot] = so_far;
    }
};

clump_status clump_six_starts(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, bool only_after, size_t each,
                              const char *entries)
{
    const uint64_t slots = (uint64_t)g->count * g->search.parts; /* more than one part only for small clouds */
    CLUMP_ASSERT(g->count > 0 && g->search.parts > 0 && slots < UINT32_MAX);
    CLUMP_TRY(clump_device_need(work, cuda, g->method, &g->degrees, slots + 1, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, g->method, &g->starts, slots + 1, sizeof(uint64_t), "points"));
    uint64_t *const starts = (uint64_t *)g->starts.data;
    const count_neighbours visit = {(uint32_t *)g->degrees.data};
    CLUMP_CUDA(work, cuda, "counting neighbours",
               cudaMemsetAsync(visit.degree + slots, 0, sizeof(uint32_t), cuda->stream));
    CLUMP_TRY(only_after ? clump_six_visit_pairs<true>(work, cuda, g->search, visit)
                         : clump_six_visit_pairs<false>(work, cuda, g->search, visit));
    CLUMP_TRY(clump_scan_wide(work, cuda, &g->temporary, visit.degree, starts, (uint32_t)slots));
    CLUMP_CUDA(
        work, cuda, "reading the number of neighbours",
        cudaMemcpyAsync(&g->fetched->total, starts + slots, sizeof(uint64_t), cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "counting neighbours"));
    g->total = g->fetched->total;
    return clump_device_need(work, cuda, g->method, &g->list, g->total, each, entries);
}

/* ----- rounds -------------------------------------------------------------------------------------- */

/* Copies the labels to those of the next round. */
__global__ static void next_round(const uint32_t *label, uint32_t *next, uint32_t n, uint32_t *changed, uint32_t slot)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i == 0) changed[slot] = 0;
    if (i < n && clump_six_round_is_due(changed, slot)) next[i] = label[i];
}

/* Puts one round on the stream that reads one array of labels and lowers the other. */
static clump_status launch_with_two(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_six_round launch,
                                    uint32_t slot)
{
    CLUMP_TRY(clump_six_launch(work, cuda, "handing labels on", g->count, next_round, g->label, g->other, g->count,
                               &g->control->changed[0], slot));
    CLUMP_TRY(launch(work, cuda, g, slot));
    uint32_t *const swap = g->label;
    g->label = g->other;
    g->other = swap;
    return CLUMP_OK;
}

/* Rounds after one that changed nothing end at once and leave both arrays as they are, which are equal then. So several
 * rounds can be on the stream before the host reads their flags.
 *
 * In place the threads of a round race. A flag is set by each thread that lowers a label. So a round without a flag has
 * read labels that no thread wrote: all neighbours were equal. cpu/papers/ec_vertex.c says why that is the result, and why
 * the rounds are not more than with two arrays. */
clump_status clump_six_run_rounds(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_six_round launch,
                                  int64_t *passes)
{
    CLUMP_ASSERT(g->count > 0);
    *passes = 0;
    for (uint32_t rounds = SIX_FIRST_ROUNDS;; rounds = rounds < CLUMP_SIX_ROUNDS ? 2 * rounds : rounds) {
        CLUMP_TRY(clump_cuda_poll(work, cuda));
        if (g->in_place)
            CLUMP_CUDA(work, cuda, "clearing flags",
                       cudaMemsetAsync(g->control->changed, 0, rounds * sizeof(uint32_t), cuda->stream));
        for (uint32_t slot = 0; slot < rounds; slot++)
            CLUMP_TRY(g->in_place ? launch(work, cuda, g, slot) : launch_with_two(work, cuda, g, launch, slot));
        CLUMP_TRY(clump_six_fetch_control(work, cuda, g));
        for (uint32_t slot = 0; slot < rounds; slot++) {
            ++*passes;
            if (!g->fetched->changed[slot]) return CLUMP_OK;
        }
    }
}

/* ----- canonical labels ---------------------------------------------------------------------------- */

/* Finds the smallest place of each label. */
__global__ static void find_first(const uint32_t *label, uint32_t n, uint32_t *first)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n && i < __ldcg(&first[label[i]])) atomicMin(&first[label[i]], (uint32_t)i);
}

__global__ static void mark_first(const uint32_t *label, const uint32_t *first, uint32_t n, uint32_t *mark)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i <= n) mark[i] = i < n && first[label[i]] == i;
}

__global__ static void write_labels(const uint32_t *label, const uint32_t *first, const uint32_t *mark,
                                    const uint32_t *index, uint32_t n, int32_t *labels, clump_counts *counts)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n) labels[index[i]] = (int32_t)mark[first[label[i]]];
    if (i == 0) counts->clusters = mark[n];
}

/* Makes canonical labels of C, as cpu/papers/six.c does. `smallest`: each label is the smallest place of its cluster. Then the
 * label of that place is the place itself, and C serves as `first`. */
static clump_status make_labels(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, bool smallest, int32_t *labels,
                                clump_counts *counts)
{
    const uint32_t n = g->count;
    const char *const what = "numbering clusters";
    uint32_t *const first = smallest ? g->label : g->other;
    if (!smallest) {
        CLUMP_CUDA(work, cuda, what, cudaMemsetAsync(first, 0xff, n * sizeof *first, cuda->stream));
        CLUMP_TRY(clump_six_launch(work, cuda, what, n, find_first, g->label, n, first));
    }
    CLUMP_TRY(clump_six_launch(work, cuda, what, n + (uint64_t)1, mark_first, g->label, first, n, g->scan));
    CLUMP_TRY(clump_scan(work, cuda, &g->temporary, g->scan, n));
    return clump_six_launch(work, cuda, what, n, write_labels, g->label, first, g->scan, g->index, n, labels, counts);
}

/* ----- a run --------------------------------------------------------------------------------------- */

clump_status clump_six_record(clump_work *work, clump_cuda *cuda, cudaEvent_t event)
{
    CLUMP_CUDA(work, cuda, "timing", cudaEventRecord(event, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_six_record_built(clump_work *work, clump_cuda *cuda, clump_cuda_six *g)
{
    return clump_six_record(work, cuda, g->events[1]);
}

static clump_status elapsed(clump_work *work, clump_cuda *cuda, const cudaEvent_t *two, double *out)
{
    float ms = 0;
    CLUMP_CUDA(work, cuda, "timing", cudaEventElapsedTime(&ms, two[0], two[1]));
    *out = (double)ms;
    return CLUMP_OK;
}

clump_status clump_six_times(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_stats *stats)
{
    double *const out[] = {&stats->build_ms, &stats->cluster_ms, &stats->label_ms};
    CLUMP_TRY(clump_six_record(work, cuda, g->events[3]));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "numbering clusters"));
    for (int k = 0; k < 3; k++) CLUMP_TRY(elapsed(work, cuda, &g->events[k], out[k]));
    return CLUMP_OK;
}

clump_status clump_cuda_ec_six(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const clump_ec_job *job,
                               const clump_cloud_view *view, int32_t *labels, clump_counts *counts, clump_stats *stats)
{
    const bool by_matrix = job->method == CLUMP_EC_MATRIX_ES || job->method == CLUMP_EC_MATRIX_RS;
    const bool edge = job->method == CLUMP_EC_EDGE_ES || job->method == CLUMP_EC_EDGE_RS;
    const bool range =
        job->method == CLUMP_EC_VERTEX_RS || job->method == CLUMP_EC_EDGE_RS || job->method == CLUMP_EC_MATRIX_RS;
    stats->passes = by_matrix ? 0 : 1; /* of an empty cloud */
    g->tile_b = job->matrix_block;
    g->in_place = job->in_place;
    CLUMP_CUDA(work, cuda, "counting points", cudaMemsetAsync(counts, 0, sizeof *counts, cuda->stream));
    CLUMP_TRY(clump_six_begin(work, cuda, g, clump_ec_method_name(job->method), &job->in, range, view, labels, counts));
    if (g->count == 0) return CLUMP_OK;
    CLUMP_TRY((by_matrix ? clump_cuda_ec_matrix
               : edge    ? clump_cuda_ec_edge
                         : clump_cuda_ec_vertex)(work, cuda, g, &stats->passes));
    CLUMP_TRY(clump_six_record(work, cuda, g->events[2]));
    CLUMP_TRY(make_labels(work, cuda, g, !by_matrix, labels, counts));
    CLUMP_TRY(clump_six_times(work, cuda, g, stats));
    if (!by_matrix) return CLUMP_OK;
    CLUMP_TRY(elapsed(work, cuda, g->initial, &stats->initial_ms));
    stats->build_ms -= stats->initial_ms; /* INITIAL_EC is between the grid and BUILD_MATRIX */
    return CLUMP_OK;
}

void clump_cuda_six_trim(clump_work *work, clump_cuda *cuda, clump_cuda_six *g)
{
    clump_device_buffer *const all[] = {&g->point_memory, &g->index_memory,   &g->label_memory, &g->other_memory,
                                        &g->scan_memory,  &g->control_memory, &g->temporary,    &g->degrees,
                                        &g->starts,       &g->list,           &g->matrix[0],    &g->matrix[1]};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    g->control_cleared = false;
    clump_pinned_release(work, &g->fetched_memory);
    clump_six_grid_trim(work, cuda, &g->grid);
    cudaEvent_t *const events[] = {&g->events[0], &g->events[1],  &g->events[2],
                                   &g->events[3], &g->initial[0], &g->initial[1]};
    for (cudaEvent_t *event : events) {
        if (*event) (void)cudaEventDestroy(*event);
        *event = NULL;
    }
}
