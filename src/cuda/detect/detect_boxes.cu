/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect_boxes.cu: the boxes of clump_detect: their job (cuda/describe/describe.h), and the way to a caller in host memory.
 * Only the GPU knows the number of clusters. So a kernel of detect_launch.cu writes the boxes that exist to pinned memory:
 * the caller's, or a buffer of the context.
 */
#include "cuda/detect/detect_launch.h"

extern "C" {
#include "common/team.h"
}

#include <string.h>

bool clump_detect_wants_boxes(const clump_detect_job *job)
{
    return job->describe.described > 0 || job->describe.options.hull_offsets;
}

clump_status clump_detect_reserve_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                        const clump_detect_rooms *rooms, size_t max_points, size_t max_boxes)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->boxes, max_boxes * sizeof(clump_cluster) + 1));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->boxes_on_host, max_boxes * sizeof(clump_cluster) + 1));
    return clump_cuda_describe_reserve(work, cuda, rooms->describe, max_points, max_boxes);
}

/* Returns the most clusters that can be described: none is smaller than the limit. */
static int32_t most_boxes(const clump_detect_job *job, const detect_jobs *jobs)
{
    const size_t least = jobs->detect.least > 1 ? (size_t)jobs->detect.least : 1, most = job->in.count / least;
    const size_t capacity = (size_t)job->describe.described;
    return (int32_t)(capacity < most ? capacity : most);
}

/* Finds the values on the GPU, after a copy from host memory. */
static clump_status place_values(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, const clump_detect_job *job,
                                 clump_describe_input *in)
{
    const clump_describe_options *const o = &job->describe.options;
    const size_t n = job->in.count, bytes = n * sizeof(float);
    in->values = (const char *)o->values;
    in->values_stride = o->values_stride;
    if (!o->values || n == 0 || job->in.place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->values_on_host, bytes));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->values, bytes));
    clump_copy_rows(work->team, (char *)d->values_on_host.data, in->values, sizeof(float), in->values_stride, n, 1);
    CLUMP_CUDA(work, cuda, "sending values to the GPU",
               cudaMemcpyAsync(d->values.data, d->values_on_host.data, bytes, cudaMemcpyHostToDevice, cuda->stream));
    in->values = (const char *)d->values.data;
    in->values_stride = sizeof(float);
    return CLUMP_OK;
}

/* Finds where the kernels write boxes and hulls. */
static clump_status place_outputs(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d, const clump_detect_job *job,
                                  detect_jobs *jobs, clump_describe_input *in)
{
    const clump_describe_options *const o = &job->describe.options;
    const size_t bytes = (size_t)in->capacity * sizeof(clump_cluster);
    in->clusters = job->describe.clusters;
    in->hull = o->hull;
    in->hull_capacity = !o->hull ? 0 : o->hull_capacity < job->in.count ? o->hull_capacity : job->in.count;
    in->hull_offsets = o->hull_offsets;
    if (o->clusters_place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->boxes, bytes + 1));
    in->clusters = (clump_cluster *)d->boxes.data;
    jobs->detect.boxes = in->clusters;
    jobs->detect.boxes_on_host = bytes > 0 ? (clump_cluster *)clump_pinned_address(job->describe.clusters) : NULL;
    if (bytes > 0 && !jobs->detect.boxes_on_host) {
        CLUMP_TRY(clump_pinned_reserve(work, cuda, &d->boxes_on_host, bytes));
        jobs->detect.boxes_on_host = (clump_cluster *)d->boxes_on_host.data;
    }
    if (!o->hull_offsets) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->hull, 2 * in->hull_capacity * sizeof(float) + 1));
    CLUMP_TRY(clump_device_reserve(work, cuda, &d->hull_offsets, ((size_t)in->capacity + 1) * sizeof(int32_t)));
    in->hull = o->hull ? (float *)d->hull.data : NULL;
    in->hull_offsets = (int32_t *)d->hull_offsets.data;
    return CLUMP_OK;
}

clump_status clump_detect_make_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                     const clump_detect_rooms *rooms, const clump_detect_job *job, detect_jobs *jobs)
{
    const clump_describe_options *const o = &job->describe.options;
    clump_describe_input in = {};
    in.view = jobs->detect.view;
    in.labels = jobs->detect.labels;
    in.heights = jobs->detect.heights;
    in.up = o->up;
    memcpy(in.sensor, o->sensor, sizeof in.sensor);
    in.shape = clump_describe_shape{o->axes, o->hull_offsets != NULL};
    in.allowed = INT32_MAX;
    in.capacity = most_boxes(job, jobs);
    in.cluster_count = &jobs->detect.counts->clusters;
    jobs->detect.capacity = (uint32_t)in.capacity;
    CLUMP_TRY(place_values(work, cuda, d, job, &in));
    CLUMP_TRY(place_outputs(work, cuda, d, job, jobs, &in));
    CLUMP_TRY(clump_cuda_describe_reserve(work, cuda, rooms->describe, job->in.count, (size_t)in.capacity));
    clump_cuda_describe_prepare(rooms->describe, &in, &jobs->boxes);
    jobs->detect.describe = (const clump_describe_gpu_job *)rooms->describe->job.data;
    return CLUMP_OK;
}

clump_status clump_detect_take_boxes(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                     const clump_detect_rooms *rooms, const clump_detect_job *job,
                                     const detect_jobs *jobs, int32_t clusters)
{
    const clump_describe_options *const o = &job->describe.options;
    if (!clump_detect_wants_boxes(job) || o->clusters_place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    const size_t boxes = (size_t)clusters < jobs->detect.capacity ? (size_t)clusters : jobs->detect.capacity;
    if (boxes > 0 && jobs->detect.boxes_on_host == d->boxes_on_host.data)
        memcpy(job->describe.clusters, d->boxes_on_host.data, boxes * sizeof(clump_cluster));
    if (!o->hull_offsets) return CLUMP_OK;
    const clump_fetched offsets = {o->hull_offsets, d->hull_offsets.data, (boxes + 1) * sizeof(int32_t)};
    CLUMP_TRY(clump_fetch(work, cuda, rooms->transfer, &offsets, 1));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "fetching hulls from the GPU"));
    if (!o->hull) return CLUMP_OK;
    size_t corners = (size_t)o->hull_offsets[boxes];
    if (corners > o->hull_capacity) corners = o->hull_capacity;
    const clump_fetched hull = {o->hull, d->hull.data, 2 * corners * sizeof(float)};
    CLUMP_TRY(clump_fetch(work, cuda, rooms->transfer, &hull, 1));
    return clump_cuda_synchronize(work, cuda, "fetching hulls from the GPU");
}
