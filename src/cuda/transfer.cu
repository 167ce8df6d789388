/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.cu: see transfer.h.
 *
 *     caller    | x y z i | x y z i | ...      a piece of the caller's points
 *     in        | x y z | x y z | ...          packed into pinned memory by the host
 *     points    | x y z | x y z | ...          copied by the GPU, while the host packs the next piece
 */
#include "cuda/transfer.h"

#include <string.h>

enum {
    PIECE = 16384, /* points: large enough for a copy's latency, small enough to overlap */
    PACKED = 3 * sizeof(float),
    RAW_STRIDE = 24 /* from pinned memory up to this stride points are copied as they are */
};

bool clump_is_pinned(const void *memory)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
}

void clump_transfer_trim(clump_context *ctx, clump_cuda *cuda, clump_transfer *t)
{
    clump_device_release(ctx, cuda, &t->points);
    clump_device_release(ctx, cuda, &t->mask);
    clump_device_release(ctx, cuda, &t->labels);
    clump_pinned_release(ctx, &t->in);
    clump_pinned_release(ctx, &t->out);
}

void clump_transfer_close(clump_transfer *t)
{
    cudaEvent_t *const all[] = {&t->before, &t->uploaded, &t->computed, &t->downloaded};
    for (cudaEvent_t *event : all) {
        if (*event) cudaEventDestroy(*event);
        *event = NULL;
    }
}

clump_status clump_transfer_reserve(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, size_t max_points)
{
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->points, max_points * RAW_STRIDE));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->mask, max_points));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->labels, max_points * sizeof(int32_t)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->in, max_points * PACKED));
    return clump_pinned_reserve(ctx, cuda, &t->out, max_points * sizeof(int32_t));
}

static clump_status record(clump_context *ctx, clump_cuda *cuda, cudaEvent_t *event)
{
    if (!*event) CLUMP_CUDA(ctx, cuda, "making an event", cudaEventCreate(event));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(*event, cuda->stream));
    return CLUMP_OK;
}

/* Host memory the GPU cannot read: packed and sent piece by piece. */
static clump_status send_points(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job)
{
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->in, job->count * PACKED));
    for (size_t first = 0; first < job->count; first += PIECE) {
        const size_t n = job->count - first < PIECE ? job->count - first : (size_t)PIECE;
        char *const piece = (char *)t->in.data + first * PACKED;
        const char *const from = job->points + first * job->stride;
        if (job->stride == PACKED)
            memcpy(piece, from, n * PACKED);
        else
            for (size_t i = 0; i < n; i++) memcpy(piece + i * PACKED, from + i * job->stride, PACKED);
        CLUMP_CUDA(ctx, cuda, "sending points to the GPU",
                   cudaMemcpyAsync((char *)t->points.data + first * PACKED, piece, n * PACKED, cudaMemcpyHostToDevice,
                                   cuda->stream));
    }
    return CLUMP_OK;
}

clump_status clump_upload(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job,
                          clump_cloud_view *view, int32_t **labels)
{
    view->points = job->points;
    view->stride = job->stride;
    view->mask = job->mask;
    view->count = (uint32_t)job->count;
    view->two_d = job->two_d;
    *labels = job->labels;
    if (job->place == CLUMP_PLACE_DEVICE) return CLUMP_OK;

    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->labels, job->count * sizeof(int32_t)));
    *labels = (int32_t *)t->labels.data;
    const bool raw = job->count > 0 && job->stride <= RAW_STRIDE && clump_is_pinned(job->points);
    view->stride = raw ? job->stride : (size_t)PACKED;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->points, job->count * view->stride));
    view->points = (const char *)t->points.data;
    CLUMP_TRY(record(ctx, cuda, &t->before));
    if (raw) /* the last point may end where the caller's memory does */
        CLUMP_CUDA(ctx, cuda, "sending points to the GPU",
                   cudaMemcpyAsync(t->points.data, job->points, (job->count - 1) * job->stride + PACKED,
                                   cudaMemcpyHostToDevice, cuda->stream));
    else
        CLUMP_TRY(send_points(ctx, cuda, t, job));
    if (job->mask && job->count > 0) {
        CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->mask, job->count));
        CLUMP_CUDA(ctx, cuda, "sending the mask to the GPU",
                   cudaMemcpyAsync(t->mask.data, job->mask, job->count, cudaMemcpyHostToDevice, cuda->stream));
        view->mask = (const uint8_t *)t->mask.data;
    }
    return record(ctx, cuda, &t->uploaded);
}

clump_status clump_download(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job,
                            clump_ec_result *result)
{
    if (job->place == CLUMP_PLACE_DEVICE || job->count == 0)
        return clump_cuda_synchronize(ctx, cuda, "waiting for the GPU");
    const size_t bytes = job->count * sizeof(int32_t);
    const bool direct = clump_is_pinned(job->labels);
    if (!direct) CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->out, bytes));
    CLUMP_TRY(record(ctx, cuda, &t->computed));
    CLUMP_CUDA(ctx, cuda, "fetching labels from the GPU",
               cudaMemcpyAsync(direct ? (void *)job->labels : t->out.data, t->labels.data, bytes,
                               cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(record(ctx, cuda, &t->downloaded));
    CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "waiting for the GPU"));
    if (!direct) memcpy(job->labels, t->out.data, bytes);
    float up = 0, down = 0;
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventElapsedTime(&up, t->before, t->uploaded));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventElapsedTime(&down, t->computed, t->downloaded));
    result->upload_ms = (double)up;
    result->download_ms = (double)down;
    return CLUMP_OK;
}
