/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_call.cu: whole calls of clump_describe: input to the GPU where it is not there, the phases (describe.cu), and
 * for a caller that waits the entries to the host. Report and entries come back in one copy. Nothing is written to the
 * caller's host memory before the report says that labels and points are allowed.
 */
#include "cuda/describe/describe_launch.h"

extern "C" {
#include "common/team.h"
#include "core/cluster.h"
}

#include <string.h>

#define DESCRIBE_AT_ONCE 1048576 /* bytes of entries that are copied with the report; more go piece by piece */

/* ----- input ---------------------------------------------------------------------------------------- */

/* Puts the copy of a contiguous array of the host on the stream. */
static clump_status send_array(clump_work *work, clump_cuda *cuda, clump_device_buffer *to, const void *from,
                               size_t bytes)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, to, bytes));
    if (bytes > 0)
        CLUMP_CUDA(work, cuda, "sending labels to the GPU",
                   cudaMemcpyAsync(to->data, from, bytes, cudaMemcpyHostToDevice, cuda->stream));
    return CLUMP_OK;
}

/* Packs the field, whose values may be far apart, and puts its copy on the stream. */
static clump_status send_values(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                const clump_describe_job *job)
{
    const size_t bytes = job->count * sizeof(float);
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->values_on_host, bytes));
    clump_copy_rows(work->team, (char *)d->values_on_host.data, (const char *)job->options.values, sizeof(float),
                    job->options.values_stride, job->count, 1);
    return send_array(work, cuda, &d->values, d->values_on_host.data, bytes);
}

/* Input of a caller in host memory. */
static clump_status send_input(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                               const clump_describe_job *job, clump_describe_input *in)
{
    const size_t n = job->count;
    CLUMP_TRY(clump_send_cloud(work, cuda, t, job->points, n, job->stride, &in->view));
    CLUMP_TRY(send_array(work, cuda, &d->labels, job->labels, n * sizeof(int32_t)));
    in->labels = (const int32_t *)d->labels.data;
    if (in->heights) {
        CLUMP_TRY(send_array(work, cuda, &d->heights, job->options.heights, n * sizeof(float)));
        in->heights = (const float *)d->heights.data;
    }
    if (!in->values || n == 0) return CLUMP_OK;
    CLUMP_TRY(send_values(work, cuda, d, job));
    in->values = (const char *)d->values.data;
    in->values_stride = sizeof(float);
    return CLUMP_OK;
}

/* Reserves room for the output of a caller in host memory. No hull has more corners than its cluster has points. */
static clump_status reserve_output(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                   const clump_describe_job *job, clump_describe_input *in)
{
    const size_t clusters = (size_t)job->described;
    const size_t bytes = CLUMP_DESCRIBE_REPORT_ROOM + clusters * sizeof(clump_cluster);
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->results, bytes));
    in->clusters = (clump_cluster *)((char *)d->results.data + CLUMP_DESCRIBE_REPORT_ROOM);
    if (!in->shape.polygons) return CLUMP_OK;
    if (in->hull_capacity > job->count) in->hull_capacity = job->count;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->hull, in->hull_capacity * sizeof(clump_xy)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->hull_offsets, (clusters + 1) * sizeof(int32_t)));
    in->hull = (float *)d->hull.data;
    in->hull_offsets = (int32_t *)d->hull_offsets.data;
    return CLUMP_OK;
}

static clump_describe_input input_of(const clump_describe_job *job)
{
    const clump_describe_options *const o = &job->options;
    clump_describe_input in = {};
    in.view.points = job->points;
    in.view.stride = job->stride;
    in.view.count = (uint32_t)job->count;
    in.labels = job->labels;
    in.heights = o->heights;
    in.values = (const char *)o->values;
    in.values_stride = o->values_stride;
    in.up = o->up;
    memcpy(in.sensor, o->sensor, sizeof in.sensor);
    in.shape.axes = o->axes;
    in.shape.polygons = o->hull_offsets != NULL;
    in.allowed = job->cluster_count;
    in.capacity = job->described;
    in.clusters = job->clusters;
    in.hull = o->hull;
    in.hull_capacity = o->hull ? o->hull_capacity : 0;
    in.hull_offsets = o->hull_offsets;
    return in;
}

/* ----- output --------------------------------------------------------------------------------------- */

/* Copies to the host from wherever the caller's memory is, and waits. */
static clump_status look_at(clump_work *work, clump_cuda *cuda, clump_place place, void *to, const void *from,
                            size_t bytes)
{
    if (place == CLUMP_PLACE_HOST) {
        memcpy(to, from, bytes);
        return CLUMP_OK;
    }
    CLUMP_CUDA(work, cuda, "looking at a point",
               cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    return clump_cuda_synchronize(work, cuda, "looking at a point");
}

/* Fails with the sentence of the first label or point that is not allowed. */
static clump_status check_report(clump_work *work, clump_cuda *cuda, const clump_describe_job *job,
                                 const clump_describe_report *report)
{
    const bool wrong = report->wrong != 0;
    if (!wrong && report->not_finite == 0) return CLUMP_OK;
    const size_t i = (size_t) ~(wrong ? report->wrong : report->not_finite);
    int32_t label = 0;
    float p[3] = {0, 0, 0};
    CLUMP_TRY(look_at(work, cuda, job->place, &label, job->labels + i, sizeof label));
    if (wrong) return clump_refuse_label(work, i, label, job->cluster_count);
    CLUMP_TRY(look_at(work, cuda, job->place, p, job->points + i * job->stride, sizeof p));
    return clump_refuse_point(work, i, label, p, job->options.up);
}

/* Copies offsets and corners to the caller. */
static clump_status fetch_polygons(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                   const clump_describe_job *job, const clump_describe_input *in)
{
    const clump_describe_options *const o = &job->options;
    const size_t clusters = (size_t)job->described;
    const clump_fetched offsets = {o->hull_offsets, d->hull_offsets.data, (clusters + 1) * sizeof(int32_t)};
    CLUMP_TRY(clump_fetch(work, cuda, t, &offsets, 1));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    const size_t total = (size_t)o->hull_offsets[clusters];
    const size_t written = total < in->hull_capacity ? total : in->hull_capacity;
    const clump_fetched corners = {o->hull, d->hull.data, written * sizeof(clump_xy)};
    CLUMP_TRY(clump_fetch(work, cuda, t, &corners, 1));
    return clump_cuda_synchronize(work, cuda, "waiting for the GPU");
}

/* Waits; copies the entries to the caller. */
static clump_status fetch_output(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                 const clump_describe_job *job, const clump_describe_input *in)
{
    const size_t bytes = (size_t)job->described * sizeof(clump_cluster);
    const bool at_once = bytes <= DESCRIBE_AT_ONCE;
    const size_t first = CLUMP_DESCRIBE_REPORT_ROOM + (at_once ? bytes : 0);
    const char *const there = (const char *)d->results.data;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->results_on_host, first));
    const char *const here = (const char *)d->results_on_host.data;
    CLUMP_CUDA(work, cuda, "fetching boxes from the GPU",
               cudaMemcpyAsync(d->results_on_host.data, there, first, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    CLUMP_TRY(check_report(work, cuda, job, (const clump_describe_report *)here));
    if (at_once && bytes > 0) memcpy(job->clusters, here + CLUMP_DESCRIBE_REPORT_ROOM, bytes);
    if (!at_once) {
        const clump_fetched entries = {job->clusters, there + CLUMP_DESCRIBE_REPORT_ROOM, bytes};
        CLUMP_TRY(clump_fetch(work, cuda, t, &entries, 1));
        CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    }
    return in->shape.polygons ? fetch_polygons(work, cuda, d, t, job, in) : CLUMP_OK;
}

/* ----- calls ---------------------------------------------------------------------------------------- */

clump_status clump_cuda_describe_run(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, clump_transfer *t,
                                     const clump_describe_job *job, clump_stats *stats)
{
    CLUMP_ASSERT(job->count <= INT32_MAX && job->described <= job->cluster_count);
    CLUMP_ASSERT(job->place == CLUMP_PLACE_DEVICE || job->options.clusters_place == CLUMP_PLACE_HOST);
    const bool to_host = job->options.clusters_place == CLUMP_PLACE_HOST;
    clump_describe_input in = input_of(job);
    CLUMP_TRY(clump_cuda_describe_reserve(work, cuda, d, job->count, (size_t)job->described));
    if (job->place == CLUMP_PLACE_HOST) CLUMP_TRY(send_input(work, cuda, d, t, job, &in));
    if (to_host) CLUMP_TRY(reserve_output(work, cuda, d, job, &in));
    describe_job gpu_job;
    clump_cuda_describe_prepare(d, &in, &gpu_job);
    CLUMP_TRY(clump_cuda_describe_launch(work, cuda, d, &gpu_job));
    if (to_host) return fetch_output(work, cuda, d, t, job, &in);
    stats->clusters = -1;
    return clump_cuda_leave_running(work, cuda);
}

clump_status clump_cuda_describe_reserve_all(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                             size_t max_points)
{
    const size_t clusters = max_points / 16 + 1, bytes = clusters * sizeof(clump_cluster);
    const size_t at_once = bytes < DESCRIBE_AT_ONCE ? bytes : DESCRIBE_AT_ONCE;
    CLUMP_TRY(clump_cuda_describe_reserve(work, cuda, d, max_points, clusters));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->results, CLUMP_DESCRIBE_REPORT_ROOM + bytes));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->labels, max_points * sizeof(int32_t)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->results_on_host, CLUMP_DESCRIBE_REPORT_ROOM + at_once));
    for (size_t n = 2; n / 2 <= max_points; n *= 2) { /* two per number of bits */
        cudaGraphExec_t graph;
        CLUMP_TRY(clump_cuda_describe_graph(work, cuda, d, n - 1, clump_describe_shape{false, false}, &graph));
    }
    return CLUMP_OK;
}
