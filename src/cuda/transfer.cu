/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.cu: see transfer.h.
 *
 *     caller    | x y z i | x y z i | ...      a piece of the caller's points
 *     in        | x y z | x y z | ...          packed into pinned memory by the host
 *     points    | x y z | x y z | ...          copied by the GPU, while the host packs the next piece
 */
#include "cuda/transfer.h"

extern "C" {
#include "common/copy.h"
}

#include <string.h>

enum {
    PIECE = 16384,        /* points: large enough for a copy's latency, small enough to overlap */
    LARGE_PIECE = 262144, /* the same where several threads pack it, which have to be woken each time */
    LARGE = 2 * LARGE_PIECE,
    MOST_THREADS = 8, /* more do not make it faster */
    PACKED = 3 * sizeof(float),
    STAGED = PACKED + 1, /* and a byte of the mask, for small clouds */
    RAW_STRIDE = 24      /* from pinned memory up to this stride points are copied as they are */
};

/* Where the GPU finds this memory of the host; null if it cannot read and write it by itself. */
static void *pinned(const void *memory)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    const bool usable = attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
    return usable ? attributes.devicePointer : NULL;
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
    for (cudaEvent_t &event : t->fetched) {
        if (event) cudaEventDestroy(event);
        event = NULL;
    }
}

clump_status clump_transfer_reserve(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, size_t max_points)
{
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->points, max_points * RAW_STRIDE));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->mask, max_points));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->labels, max_points * sizeof(int32_t)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->in, max_points * STAGED));
    return clump_pinned_reserve(ctx, cuda, &t->out, max_points * sizeof(int32_t));
}

static clump_status record(clump_context *ctx, clump_cuda *cuda, cudaEvent_t *event)
{
    if (!*event) CLUMP_CUDA(ctx, cuda, "making an event", cudaEventCreate(event));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventRecord(*event, cuda->stream));
    return CLUMP_OK;
}

static int copy_threads(const clump_context *ctx)
{
    return ctx->options.threads < MOST_THREADS ? ctx->options.threads : (int)MOST_THREADS;
}

/* Points first ... first + n - 1 of the caller, without what lies between them. */
static char *pack(const clump_transfer *t, const clump_ec_job *job, size_t first, size_t n, int threads)
{
    char *const to = (char *)t->in.data + first * PACKED;
    clump_copy_rows(to, job->points + first * job->stride, PACKED, job->stride, n, threads);
    return to;
}

/* Host memory the GPU cannot read: packed and sent piece by piece. */
static clump_status send_points(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job)
{
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->in, job->count * STAGED));
    const int threads = job->count >= LARGE ? copy_threads(ctx) : 1;
    const size_t most = threads > 1 ? LARGE_PIECE : PIECE;
    for (size_t first = 0; first < job->count; first += most) {
        const size_t n = job->count - first < most ? job->count - first : most;
        const char *const piece = pack(t, job, first, n, threads);
        CLUMP_CUDA(ctx, cuda, "sending points to the GPU",
                   cudaMemcpyAsync((char *)t->points.data + first * PACKED, piece, n * PACKED, cudaMemcpyHostToDevice,
                                   cuda->stream));
    }
    return CLUMP_OK;
}

/* Nothing to be copied by the GPU: the caller's memory if it is pinned, else ours. */
static clump_status offer(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job,
                          clump_cloud_view *view, int32_t **labels)
{
    if (job->count == 0) return CLUMP_OK;
    view->points = (const char *)pinned(job->points);
    if (job->mask) view->mask = (const uint8_t *)pinned(job->mask);
    if (!view->points || (job->mask && !view->mask))
        CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->in, job->count * STAGED));
    if (!view->points) {
        view->points = pack(t, job, 0, job->count, 1);
        view->stride = PACKED;
    }
    if (job->mask && !view->mask)
        view->mask = (const uint8_t *)memcpy((char *)t->in.data + job->count * PACKED, job->mask, job->count);
    *labels = (int32_t *)pinned(job->labels);
    t->staged = !*labels;
    if (!t->staged) return CLUMP_OK;
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->out, job->count * sizeof(int32_t)));
    *labels = (int32_t *)t->out.data;
    return CLUMP_OK;
}

clump_status clump_upload(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job,
                          size_t direct, size_t staged, clump_cloud_view *view, int32_t **labels)
{
    view->points = job->points;
    view->stride = job->stride;
    view->mask = job->mask;
    view->count = (uint32_t)job->count;
    view->two_d = job->two_d;
    *labels = job->labels;
    t->direct = false;
    if (job->place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    t->direct = job->count <= staged || (job->count <= direct && pinned(job->points) && pinned(job->labels) &&
                                         (!job->mask || pinned(job->mask)));
    if (t->direct) return offer(ctx, cuda, t, job, view, labels);

    CLUMP_TRY(clump_device_reserve(ctx, cuda, &t->labels, job->count * sizeof(int32_t)));
    *labels = (int32_t *)t->labels.data;
    const bool raw = job->count > 0 && job->stride <= RAW_STRIDE && pinned(job->points);
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

/* Labels to the caller's ordinary memory: through ours, one piece while the next comes. */
static clump_status fetch_labels(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job)
{
    const size_t pieces = job->count >= LARGE ? CLUMP_TRANSFER_PIECES : 1;
    const size_t each = (job->count + pieces - 1) / pieces;
    int32_t *const out = (int32_t *)t->out.data;
    for (size_t k = 0, first = 0; first < job->count; k++, first += each) {
        const size_t n = job->count - first < each ? job->count - first : each;
        CLUMP_CUDA(ctx, cuda, "fetching labels from the GPU",
                   cudaMemcpyAsync(out + first, (const int32_t *)t->labels.data + first, n * sizeof *out,
                                   cudaMemcpyDeviceToHost, cuda->stream));
        CLUMP_TRY(record(ctx, cuda, &t->fetched[k]));
    }
    CLUMP_TRY(record(ctx, cuda, &t->downloaded));
    for (size_t k = 0, first = 0; first < job->count; k++, first += each) {
        const size_t n = job->count - first < each ? job->count - first : each;
        CLUMP_CUDA(ctx, cuda, "waiting for the GPU", cudaEventSynchronize(t->fetched[k]));
        clump_copy_rows(job->labels + first, out + first, sizeof *out, sizeof *out, n, copy_threads(ctx));
    }
    return CLUMP_OK;
}

clump_status clump_download(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_ec_job *job,
                            clump_ec_result *result)
{
    const size_t bytes = job->count * sizeof(int32_t);
    if (job->place == CLUMP_PLACE_DEVICE || job->count == 0 || t->direct) {
        CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "waiting for the GPU"));
        if (t->direct && t->staged && bytes > 0) memcpy(job->labels, t->out.data, bytes);
        return CLUMP_OK;
    }
    t->staged = !pinned(job->labels);
    if (t->staged) CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &t->out, bytes));
    CLUMP_TRY(record(ctx, cuda, &t->computed));
    if (t->staged) {
        CLUMP_TRY(fetch_labels(ctx, cuda, t, job));
    } else {
        CLUMP_CUDA(ctx, cuda, "fetching labels from the GPU",
                   cudaMemcpyAsync(job->labels, t->labels.data, bytes, cudaMemcpyDeviceToHost, cuda->stream));
        CLUMP_TRY(record(ctx, cuda, &t->downloaded));
    }
    CLUMP_TRY(clump_cuda_synchronize(ctx, cuda, "waiting for the GPU"));
    float up = 0, down = 0;
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventElapsedTime(&up, t->before, t->uploaded));
    CLUMP_CUDA(ctx, cuda, "timing", cudaEventElapsedTime(&down, t->computed, t->downloaded));
    result->upload_ms = (double)up;
    result->download_ms = (double)down;
    return CLUMP_OK;
}
