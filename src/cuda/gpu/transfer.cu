/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.cu: see transfer.h.
 *
 *     caller    | x y z i | x y z i | ...      a piece of the caller's points
 *     in        | x y z | x y z | ...          packed into pinned memory by the host
 *     points    | x y z | x y z | ...          copied by the GPU, while the host packs the next piece; of a scan the
 *                                              first kernel reads `in` instead
 */
#include "cuda/gpu/transfer.h"

extern "C" {
#include "common/team.h"
}

#include <string.h>

/* Sizes without a figure were chosen on an H200; no measurement per value is recorded. */
enum {
    TRANSFER_PIECE = 16384,        /* points: large enough for the latency of a copy, small enough to overlap */
    TRANSFER_LARGE_PIECE = 262144, /* points that several threads pack: each piece wakes them once */
    TRANSFER_LARGE = 2 * TRANSFER_LARGE_PIECE,
    TRANSFER_SHARED = 32768,       /* points that several threads pack, at least */
    TRANSFER_SHARED_PIECE = 65536, /* points that several threads pack at once, where the cloud is not large */
    TRANSFER_THREADS = 4,          /* of a KITTI frame: 0.294 ms with 4, 0.308 with 8, more with 1; less work, too */
    TRANSFER_MOST_THREADS = 8,     /* of a large cloud; more threads are not faster */
    TRANSFER_LABEL_THREADS = 4,    /* that wake up before the GPU has finished, the caller included */
    TRANSFER_PACKED = 3 * sizeof(float),
    TRANSFER_STAGED = TRANSFER_PACKED + 1, /* and a byte of the mask, for small clouds */
    TRANSFER_FETCH_PIECE = 1048576,        /* bytes; two pieces are in flight */
    TRANSFER_RAW_STRIDE = 24               /* pinned points with at most this stride are copied unpacked */
};

void *clump_pinned_address(const void *memory)
{
    cudaPointerAttributes attributes;
    if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) {
        (void)cudaGetLastError();
        return NULL;
    }
    const bool usable = attributes.type == cudaMemoryTypeHost || attributes.type == cudaMemoryTypeManaged;
    return usable ? attributes.devicePointer : NULL;
}

void clump_transfer_trim(clump_work *work, clump_cuda *cuda, clump_transfer *t)
{
    clump_device_release(work, cuda, &t->points);
    clump_device_release(work, cuda, &t->mask);
    clump_device_release(work, cuda, &t->labels);
    clump_pinned_release(work, &t->in);
    clump_pinned_release(work, &t->out);
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

clump_status clump_transfer_reserve(clump_work *work, clump_cuda *cuda, clump_transfer *t, size_t max_points)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->points, max_points * TRANSFER_RAW_STRIDE));
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->mask, max_points));
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->labels, max_points * sizeof(int32_t)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->in, max_points * TRANSFER_STAGED));
    const size_t labels = max_points * sizeof(int32_t), pieces = 2 * TRANSFER_FETCH_PIECE; /* clump_fetch */
    return clump_pinned_reserve(work, cuda, &t->out, labels > pieces ? labels : pieces);
}

clump_status clump_transfer_record(clump_work *work, clump_cuda *cuda, cudaEvent_t *event)
{
    if (!*event) CLUMP_CUDA(work, cuda, "making an event", cudaEventCreate(event));
    CLUMP_CUDA(work, cuda, "timing", cudaEventRecord(*event, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_transfer_elapsed(clump_work *work, clump_cuda *cuda, cudaEvent_t from, cudaEvent_t to, double *ms)
{
    float passed = 0;
    CLUMP_CUDA(work, cuda, "timing", cudaEventElapsedTime(&passed, from, to));
    *ms = (double)passed;
    return CLUMP_OK;
}

static int copy_threads(const clump_work *work, int most)
{
    return work->threads < most ? work->threads : most;
}

static int pack_threads(const clump_work *work, size_t count)
{
    const int most = count >= TRANSFER_LARGE ? TRANSFER_MOST_THREADS : TRANSFER_THREADS;
    return count >= TRANSFER_SHARED ? copy_threads(work, most) : 1;
}

/* Packs points first ... first + n - 1 of the caller into t->in; returns where they are. */
static char *pack(clump_work *work, const clump_transfer *t, const char *points, size_t stride, size_t first, size_t n,
                  int threads)
{
    char *const to = (char *)t->in.data + first * TRANSFER_PACKED;
    clump_copy_rows(work->team, to, points + first * stride, TRANSFER_PACKED, stride, n, threads);
    return to;
}

/* Packs and sends points of ordinary host memory, piece by piece. */
static clump_status send_points(clump_work *work, clump_cuda *cuda, clump_transfer *t, const char *points, size_t count,
                                size_t stride)
{
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->in, count * TRANSFER_STAGED));
    const int threads = pack_threads(work, count);
    size_t most = TRANSFER_PIECE;
    if (threads > 1) most = count < TRANSFER_LARGE ? (size_t)TRANSFER_SHARED_PIECE : (size_t)TRANSFER_LARGE_PIECE;
    for (size_t first = 0; first < count; first += most) {
        const size_t n = count - first < most ? count - first : most;
        const char *const piece = pack(work, t, points, stride, first, n, threads);
        CLUMP_CUDA(work, cuda, "sending points to the GPU",
                   cudaMemcpyAsync((char *)t->points.data + first * TRANSFER_PACKED, piece, n * TRANSFER_PACKED,
                                   cudaMemcpyHostToDevice, cuda->stream));
    }
    return CLUMP_OK;
}

clump_status clump_send_cloud(clump_work *work, clump_cuda *cuda, clump_transfer *t, const char *points, size_t count,
                              size_t stride, clump_cloud_view *view)
{
    const bool raw = count > 0 && stride <= TRANSFER_RAW_STRIDE && clump_pinned_address(points);
    CLUMP_ASSERT(count <= INT32_MAX && stride >= TRANSFER_PACKED);
    *view = clump_cloud_view{};
    view->stride = raw ? stride : (size_t)TRANSFER_PACKED;
    view->count = (uint32_t)count;
    CLUMP_TRY(clump_device_reserve(work, cuda, &t->points, count * view->stride));
    view->points = (const char *)t->points.data;
    if (!raw) return send_points(work, cuda, t, points, count, stride);
    /* the last point may end where the caller's memory does */
    CLUMP_CUDA(work, cuda, "sending points to the GPU",
               cudaMemcpyAsync(t->points.data, points, (count - 1) * stride + TRANSFER_PACKED, cudaMemcpyHostToDevice,
                               cuda->stream));
    return CLUMP_OK;
}

/* Lets kernels read a cloud in host memory: the caller's where it is pinned, else in t->in. */
static clump_status stage_cloud(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                                clump_cloud_view *view)
{
    view->points = (const char *)clump_pinned_address(job->points);
    if (job->mask) view->mask = (const uint8_t *)clump_pinned_address(job->mask);
    if (!view->points || (job->mask && !view->mask))
        CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->in, job->count * TRANSFER_STAGED));
    if (!view->points) {
        view->points = pack(work, t, job->points, job->stride, 0, job->count, pack_threads(work, job->count));
        view->stride = TRANSFER_PACKED;
    }
    if (job->mask && !view->mask)
        view->mask = (const uint8_t *)memcpy((char *)t->in.data + job->count * TRANSFER_PACKED, job->mask, job->count);
    return CLUMP_OK;
}

/* Puts the copies of a cloud in host memory on the stream, between two events. */
static clump_status copy_cloud(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                               clump_cloud_view *view)
{
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->before));
    CLUMP_TRY(clump_send_cloud(work, cuda, t, job->points, job->count, job->stride, view));
    view->two_d = job->two_d;
    if (job->mask) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &t->mask, job->count));
        CLUMP_CUDA(work, cuda, "sending the mask to the GPU",
                   cudaMemcpyAsync(t->mask.data, job->mask, job->count, cudaMemcpyHostToDevice, cuda->stream));
        view->mask = (const uint8_t *)t->mask.data;
    }
    return clump_transfer_record(work, cuda, &t->uploaded);
}

clump_status clump_place_labels(clump_work *work, clump_cuda *cuda, clump_transfer *t, int32_t *to, size_t count,
                                int32_t **labels)
{
    *labels = (int32_t *)clump_pinned_address(to);
    t->staged = !*labels;
    if (!t->staged) return CLUMP_OK;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->out, count * sizeof **labels));
    *labels = (int32_t *)t->out.data;
    return CLUMP_OK;
}

clump_status clump_upload(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                          size_t direct, size_t staged, clump_cloud_view *view, int32_t **labels)
{
    const size_t n = job->count;
    CLUMP_ASSERT(n <= INT32_MAX && direct <= CLUMP_TRANSFER_DIRECT);
    view->points = job->points;
    view->stride = job->stride;
    view->mask = job->mask;
    view->count = (uint32_t)n;
    view->two_d = job->two_d;
    *labels = job->labels;
    t->direct = t->sends = t->staged = t->fetches = false;
    if (job->place == CLUMP_PLACE_DEVICE || n == 0) return CLUMP_OK;
    const bool reached = n <= staged || (n <= direct && clump_pinned_address(job->points) &&
                                         (!job->labels || clump_pinned_address(job->labels)) &&
                                         (!job->mask || clump_pinned_address(job->mask)));
    t->direct = reached || n <= direct;
    t->sends = !t->direct;
    /* limits and order read the labels again */
    const bool written = reached || (n <= direct && !clump_labels_unfinished(job));
    t->fetches = job->labels && !written;
    if (job->labels && written) CLUMP_TRY(clump_place_labels(work, cuda, t, job->labels, n, labels));
    if (t->fetches) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &t->labels, n * sizeof(int32_t)));
        *labels = (int32_t *)t->labels.data;
    }
    return t->direct ? stage_cloud(work, cuda, t, job, view) : copy_cloud(work, cuda, t, job, view);
}

/* Waits for a piece in t->out and copies it to the caller. */
static clump_status finish_piece(clump_work *work, clump_cuda *cuda, clump_transfer *t, clump_fetched *piece, int slot)
{
    if (!piece->to) return CLUMP_OK;
    const size_t n = piece->bytes / sizeof(int32_t);
    clump_copy_expect(work->team, sizeof(int32_t), n, copy_threads(work, TRANSFER_LABEL_THREADS));
    CLUMP_CUDA(work, cuda, "waiting for the GPU", cudaEventSynchronize(t->fetched[slot]));
    clump_copy_rows(work->team, piece->to, piece->from, sizeof(int32_t), sizeof(int32_t), n,
                    copy_threads(work, TRANSFER_MOST_THREADS));
    piece->to = NULL;
    return CLUMP_OK;
}

clump_status clump_fetch(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_fetched *parts, int count)
{
    static const char what[] = "fetching results from the GPU";
    clump_fetched last = {}; /* a piece in flight to t->out; the next one follows at once */
    int slot = 0;
    for (int k = 0; k < count; k++) {
        const clump_fetched part = parts[k];
        CLUMP_ASSERT((uintptr_t)part.to % sizeof(int32_t) == 0 && part.bytes % sizeof(int32_t) == 0);
        if (!part.to || part.bytes == 0) continue;
        if (clump_pinned_address(part.to)) {
            CLUMP_CUDA(work, cuda, what,
                       cudaMemcpyAsync(part.to, part.from, part.bytes, cudaMemcpyDeviceToHost, cuda->stream));
            continue;
        }
        CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->out, 2 * TRANSFER_FETCH_PIECE));
        for (size_t first = 0; first < part.bytes; first += TRANSFER_FETCH_PIECE, slot = 1 - slot) {
            const size_t n =
                part.bytes - first < TRANSFER_FETCH_PIECE ? part.bytes - first : (size_t)TRANSFER_FETCH_PIECE;
            char *const piece = (char *)t->out.data + (size_t)slot * TRANSFER_FETCH_PIECE;
            CLUMP_CUDA(
                work, cuda, what,
                cudaMemcpyAsync(piece, (const char *)part.from + first, n, cudaMemcpyDeviceToHost, cuda->stream));
            CLUMP_TRY(clump_transfer_record(work, cuda, &t->fetched[slot]));
            CLUMP_TRY(finish_piece(work, cuda, t, &last, 1 - slot));
            last = clump_fetched{(char *)part.to + first, piece, n};
        }
    }
    return finish_piece(work, cuda, t, &last, 1 - slot);
}

/* Copies labels to ordinary memory through t->out: the host copies one piece while the next arrives. */
static clump_status fetch_labels(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job)
{
    const size_t pieces = job->count >= TRANSFER_LARGE ? CLUMP_TRANSFER_PIECES : 1;
    const size_t each = (job->count + pieces - 1) / pieces;
    const int threads = copy_threads(work, TRANSFER_MOST_THREADS);
    int32_t *const out = (int32_t *)t->out.data;
    for (size_t k = 0, first = 0; first < job->count; k++, first += each) {
        const size_t n = job->count - first < each ? job->count - first : each;
        CLUMP_CUDA(work, cuda, "fetching labels from the GPU",
                   cudaMemcpyAsync(out + first, (const int32_t *)t->labels.data + first, n * sizeof *out,
                                   cudaMemcpyDeviceToHost, cuda->stream));
        CLUMP_TRY(clump_transfer_record(work, cuda, &t->fetched[k]));
    }
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->downloaded));
    if (pieces == 1) clump_copy_expect(work->team, sizeof *out, each, copy_threads(work, TRANSFER_LABEL_THREADS));
    for (size_t k = 0, first = 0; first < job->count; k++, first += each) {
        const size_t n = job->count - first < each ? job->count - first : each;
        CLUMP_CUDA(work, cuda, "waiting for the GPU", cudaEventSynchronize(t->fetched[k]));
        clump_copy_rows(work->team, job->labels + first, out + first, sizeof *out, sizeof *out, n, threads);
    }
    return CLUMP_OK;
}

clump_status clump_take_labels(clump_work *work, clump_cuda *cuda, const clump_transfer *t, int32_t *to, size_t count)
{
    const int threads = copy_threads(work, TRANSFER_LABEL_THREADS);
    if (t->staged) clump_copy_expect(work->team, sizeof *to, count, threads);
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    if (t->staged) clump_copy_rows(work->team, to, t->out.data, sizeof *to, sizeof *to, count, threads);
    return CLUMP_OK;
}

/* Copies the labels in GPU memory to the caller, between two events. */
static clump_status copy_labels(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job)
{
    const size_t bytes = job->count * sizeof(int32_t);
    const bool pinned = clump_pinned_address(job->labels) != NULL;
    if (!pinned) CLUMP_TRY(clump_pinned_reserve(work, cuda, &t->out, bytes));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->computed));
    if (!pinned) return fetch_labels(work, cuda, t, job);
    CLUMP_CUDA(work, cuda, "fetching labels from the GPU",
               cudaMemcpyAsync(job->labels, t->labels.data, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    return clump_transfer_record(work, cuda, &t->downloaded);
}

clump_status clump_download(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                            clump_stats *stats)
{
    if (t->fetches) CLUMP_TRY(copy_labels(work, cuda, t, job));
    CLUMP_TRY(clump_take_labels(work, cuda, t, job->labels, job->count));
    if (t->sends) CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->before, t->uploaded, &stats->upload_ms));
    return t->fetches ? clump_transfer_elapsed(work, cuda, t->computed, t->downloaded, &stats->download_ms) : CLUMP_OK;
}
