/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.cu: see six.h.
 */
#include "cuda/six/six.h"

#include "cuda/gpu/scan.h"
#include "rules/cell.h"

#include <limits.h>

enum { BLOCK = CLUMP_SIX_THREADS };

/* ----- P ------------------------------------------------------------------------------------------- */

__global__ static void mark_points(clump_cloud_view view, uint32_t *mark, clump_counts *counts,
                                   clump_six_control *control)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
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

/* The box of the voxels of a warp, and then of all: looked at first, for most warps do not change it. */
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

/* place: the scanned marks. */
__global__ static void admit(clump_cloud_view view, const uint32_t *place, bool range, clump_cell_rule rule,
                             float4 *points, uint32_t *index, uint32_t *label, int32_t *labels, clump_counts *counts,
                             clump_six_control *control)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
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

static clump_status take_memory(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, const clump_cloud_job *job)
{
    const uint64_t n = job->count;
    const char *const m = g->method;
    CLUMP_TRY(clump_device_need(ctx, cuda, m, &g->point_memory, n, sizeof(float4), "points"));
    CLUMP_TRY(clump_device_need(ctx, cuda, m, &g->index_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(ctx, cuda, m, &g->label_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(ctx, cuda, m, &g->other_memory, n, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(ctx, cuda, m, &g->scan_memory, n + 1, sizeof(uint32_t), "points"));
    const bool first = !g->control_memory.data;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &g->control_memory, sizeof(clump_six_control)));
    if (first) /* it is read back as a whole, also what a method does not use */
        CLUMP_CUDA(ctx, cuda, "clearing flags",
                   cudaMemsetAsync(g->control_memory.data, 0, sizeof(clump_six_control), cuda->stream));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &g->seen_memory, sizeof(clump_six_control)));
    for (cudaEvent_t &event : g->events)
        if (!event) CLUMP_CUDA(ctx, cuda, "making an event", cudaEventCreate(&event));
    g->points = (float4 *)g->point_memory.data;
    g->index = (uint32_t *)g->index_memory.data;
    g->label = (uint32_t *)g->label_memory.data;
    g->other = (uint32_t *)g->other_memory.data;
    g->scan = (uint32_t *)g->scan_memory.data;
    g->control = (clump_six_control *)g->control_memory.data;
    g->seen = (clump_six_control *)g->seen_memory.data;
    return CLUMP_OK;
}

clump_status clump_six_look(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g)
{
    CLUMP_CUDA(ctx, cuda, "reading flags",
               cudaMemcpyAsync(g->seen, g->control, sizeof *g->seen, cudaMemcpyDeviceToHost, cuda->stream));
    return clump_cuda_synchronize(ctx, cuda, "reading flags");
}

static bool is_range(clump_ec_method method)
{
    return method == CLUMP_EC_VERTEX_RS || method == CLUMP_EC_EDGE_RS || method == CLUMP_EC_MATRIX_RS;
}

clump_status clump_six_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, const char *method,
                             const clump_cloud_job *job, bool range, const clump_cloud_view *view, int32_t *labels,
                             clump_counts *counts)
{
    const uint32_t blocks = clump_six_blocks(view->count);
    g->method = method;
    g->count = 0;
    if (view->count == 0) return CLUMP_OK;
    CLUMP_TRY(take_memory(ctx, cuda, g, job));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[0], cuda->stream));
    CLUMP_CUDA(
        ctx, cuda, "counting points",
        (mark_points<<<blocks, BLOCK, 0, cuda->stream>>>(*view, g->scan, counts, g->control), cudaGetLastError()));
    CLUMP_TRY(clump_scan(ctx, cuda, &g->temporary, g->scan, view->count));
    CLUMP_CUDA(ctx, cuda, "gathering points",
               (admit<<<blocks, BLOCK, 0, cuda->stream>>>(*view, g->scan, range, clump_voxel_rule_make(job->d),
                                                          g->points, g->index, g->label, labels, counts, g->control),
                cudaGetLastError()));
    CLUMP_TRY(clump_six_look(ctx, cuda, g));
    g->count = g->seen->count;
    if (g->count == 0) return CLUMP_OK;
    return clump_near_prepare(ctx, cuda, &g->grid, &g->temporary, method, job, range, g->points, g->count,
                              g->seen->lower, g->seen->upper, &g->near);
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

clump_status clump_six_starts(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, bool only_after, size_t each,
                              const char *entries)
{
    const uint64_t slots = (uint64_t)g->count * g->near.parts; /* more than one part only for small clouds */
    CLUMP_TRY(clump_device_need(ctx, cuda, g->method, &g->degrees, slots + 1, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(ctx, cuda, g->method, &g->starts, slots + 1, sizeof(uint64_t), "points"));
    uint64_t *const starts = (uint64_t *)g->starts.data;
    const count_neighbours visit = {(uint32_t *)g->degrees.data};
    CLUMP_CUDA(ctx, cuda, "counting neighbours",
               cudaMemsetAsync(visit.degree + slots, 0, sizeof(uint32_t), cuda->stream));
    CLUMP_TRY(only_after ? clump_near_each<true>(ctx, cuda, g->near, visit)
                         : clump_near_each<false>(ctx, cuda, g->near, visit));
    CLUMP_TRY(clump_scan_wide(ctx, cuda, &g->temporary, visit.degree, starts, (uint32_t)slots));
    CLUMP_CUDA(
        ctx, cuda, "reading the number of neighbours",
        cudaMemcpyAsync(&g->seen->total, starts + slots, sizeof(uint64_t), cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "counting neighbours"));
    g->total = g->seen->total;
    return clump_device_need(ctx, cuda, g->method, &g->list, g->total, each, entries);
}

/* ----- rounds -------------------------------------------------------------------------------------- */

/* The next labels begin as they are. */
__global__ static void next_round(const uint32_t *label, uint32_t *next, uint32_t n, uint32_t *changed, uint32_t slot)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i == 0) changed[slot] = 0;
    if (i < n && clump_round_is_due(changed, slot)) next[i] = label[i];
}

/* Rounds after one that changed nothing are empty, and leave both arrays as they are: the same. So several
 * may be on their way before the host looks. */
clump_status clump_six_rounds(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, clump_six_round launch,
                              int64_t *passes)
{
    *passes = 0;
    for (uint32_t batch = 4;; batch = batch < CLUMP_SIX_BATCH ? 2 * batch : batch) {
        CLUMP_TRY(clump_cuda_poll(ctx, cuda));
        for (uint32_t slot = 0; slot < batch; slot++) {
            CLUMP_CUDA(ctx, cuda, "handing labels on",
                       (next_round<<<clump_six_blocks(g->count), BLOCK, 0, cuda->stream>>>(g->label, g->other, g->count,
                                                                                           g->control->changed, slot),
                        cudaGetLastError()));
            CLUMP_TRY(launch(ctx, cuda, g, slot));
            uint32_t *const swap = g->label;
            g->label = g->other;
            g->other = swap;
        }
        CLUMP_TRY(clump_six_look(ctx, cuda, g));
        for (uint32_t slot = 0; slot < batch; slot++) {
            ++*passes;
            if (!g->seen->changed[slot]) return CLUMP_OK;
        }
    }
}

/* ----- canonical labels ---------------------------------------------------------------------------- */

__global__ static void find_first(const uint32_t *label, uint32_t n, uint32_t *first)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i < n && i < __ldcg(&first[label[i]])) atomicMin(&first[label[i]], (uint32_t)i);
}

__global__ static void mark_first(const uint32_t *label, const uint32_t *first, uint32_t n, uint32_t *mark)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i <= n) mark[i] = i < n && first[label[i]] == i;
}

__global__ static void write_labels(const uint32_t *label, const uint32_t *first, const uint32_t *mark,
                                    const uint32_t *index, uint32_t n, int32_t *labels, clump_counts *counts)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i < n) labels[index[i]] = (int32_t)mark[first[label[i]]];
    if (i == 0) counts->clusters = mark[n];
}

/* make_labels() of cpu/six/six.c. A label that is the smallest place of its cluster has itself as label, so C
 * does for `first`. */
static clump_status make_labels(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, bool smallest, int32_t *labels,
                                clump_counts *counts)
{
    const uint32_t n = g->count, blocks = clump_six_blocks(n);
    const char *const what = "numbering clusters";
    uint32_t *const first = smallest ? g->label : g->other;
    if (!smallest) {
        CLUMP_CUDA(ctx, cuda, what, cudaMemsetAsync(first, 0xff, n * sizeof *first, cuda->stream));
        CLUMP_CUDA(ctx, cuda, what,
                   (find_first<<<blocks, BLOCK, 0, cuda->stream>>>(g->label, n, first), cudaGetLastError()));
    }
    CLUMP_CUDA(ctx, cuda, what,
               (mark_first<<<clump_six_blocks(n + (uint64_t)1), BLOCK, 0, cuda->stream>>>(g->label, first, n, g->scan),
                cudaGetLastError()));
    CLUMP_TRY(clump_scan(ctx, cuda, &g->temporary, g->scan, n));
    CLUMP_CUDA(ctx, cuda, what,
               (write_labels<<<blocks, BLOCK, 0, cuda->stream>>>(g->label, first, g->scan, g->index, n, labels, counts),
                cudaGetLastError()));
    return CLUMP_OK;
}

/* ----- a run --------------------------------------------------------------------------------------- */

clump_status clump_six_built(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g)
{
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[1], cuda->stream));
    return CLUMP_OK;
}

clump_status clump_six_times(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, clump_result *result)
{
    double *const out[] = {&result->build_ms, &result->cluster_ms, &result->label_ms};
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[3], cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "numbering clusters"));
    for (int k = 0; k < 3; k++) {
        float ms = 0;
        CLUMP_CUDA(ctx, cuda, "timing", cudaEventElapsedTime(&ms, g->events[k], g->events[k + 1]));
        *out[k] = (double)ms;
    }
    return CLUMP_OK;
}

clump_status clump_cuda_ec_six(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, const clump_ec_job *job,
                               const clump_cloud_view *view, int32_t *labels, clump_counts *counts,
                               clump_result *result)
{
    const bool matrix = job->method == CLUMP_EC_MATRIX_ES || job->method == CLUMP_EC_MATRIX_RS;
    const bool edge = job->method == CLUMP_EC_EDGE_ES || job->method == CLUMP_EC_EDGE_RS;
    result->passes = matrix ? 0 : 1; /* of no points */
    CLUMP_CUDA(ctx, cuda, "counting points", cudaMemsetAsync(counts, 0, sizeof *counts, cuda->stream));
    CLUMP_TRY(clump_six_begin(ctx, cuda, g, clump_ec_method_name(job->method), &job->in, is_range(job->method), view,
                              labels, counts));
    if (g->count == 0) return CLUMP_OK;
    CLUMP_TRY((matrix ? clump_cuda_ec_matrix
               : edge ? clump_cuda_ec_edge
                      : clump_cuda_ec_vertex)(ctx, cuda, g, &result->passes));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(g->events[2], cuda->stream));
    CLUMP_TRY(make_labels(ctx, cuda, g, !matrix, labels, counts));
    return clump_six_times(ctx, cuda, g, result);
}

void clump_cuda_six_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g)
{
    clump_device_buffer *const all[] = {&g->point_memory, &g->index_memory,   &g->label_memory, &g->other_memory,
                                        &g->scan_memory,  &g->control_memory, &g->temporary,    &g->degrees,
                                        &g->starts,       &g->list,           &g->matrix[0],    &g->matrix[1]};
    for (clump_device_buffer *buffer : all) clump_device_release(ctx, cuda, buffer);
    clump_pinned_release(ctx, &g->seen_memory);
    clump_grid_trim(ctx, cuda, &g->grid);
    for (cudaEvent_t &event : g->events) {
        if (event) (void)cudaEventDestroy(event);
        event = NULL;
    }
}
