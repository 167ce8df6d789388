/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.h: brings the points and the mask of a call to where the GPU can read them, and its labels to the caller.
 * Memory of the GPU stays there. The GPU copies pinned host memory itself. Ordinary memory goes through a pinned buffer
 * of this file, which several threads fill. Kernels read a scan from there themselves. Large clouds go piece by piece:
 * the GPU copies one piece while the host fills the next. Threads that copy labels wake up while the GPU computes.
 */
#ifndef CLUMP_CUDA_GPU_TRANSFER_H
#define CLUMP_CUDA_GPU_TRANSFER_H

#include "common/assert.h"
#include "cuda/gpu/device.h"
#include "cuda/gpu/warp.cuh"

#include <stddef.h>

/* --- places several arrays in one buffer. With base null it only computes the size ------------------ */

typedef struct clump_cutter {
    char *base;
    size_t used;
} clump_cutter;

/* Places `count` entries at a multiple of 256 bytes, the alignment of cudaMalloc. */
template <class T> static inline void clump_cut(clump_cutter *c, T **out, size_t count)
{
    *out = (T *)(c->base ? c->base + c->used : NULL);
    c->used += (count * sizeof(T) + 255) / 256 * 256;
}

/* --- transfer.cu ------------------------------------------------------------------------------------ */

/* A cloud on the GPU: point i has its floats at points + i * stride. */
typedef struct clump_cloud_view {
    const char *points;
    size_t stride;
    const uint8_t *mask; /* null: all take part */
    uint32_t count;
    bool two_d;
} clump_cloud_view;

/* Reads one point; returns whether it takes part. */
__device__ static inline bool clump_view_point(const clump_cloud_view &v, size_t i, float *x, float *y, float *z,
                                               bool *finite, bool *masked)
{
    const float *const p = (const float *)(v.points + i * v.stride);
    *x = p[0];
    *y = p[1];
    *z = v.two_d ? 0.0f : p[2];
    *finite = isfinite(*x) && isfinite(*y) && isfinite(*z);
    *masked = v.mask && !v.mask[i];
    return *finite && !*masked;
}

/* Copies points and mask of a cloud in pinned host memory to those of `to`, a view of float4 points in GPU memory. The
 * later phases read each point several times. At most CLUMP_TRANSFER_DIRECT points. */
__device__ static inline void clump_fetch_cloud(const clump_cloud_view &to, const clump_gpu_team &team,
                                                const clump_cloud_view &from)
{
    float4 *const points = (float4 *)to.points;
    uint8_t *const mask = (uint8_t *)to.mask;
    for (uint32_t i = team.thread; i < from.count; i += team.threads) {
        const float *const p = (const float *)(from.points + i * from.stride);
        points[i] = make_float4(p[0], p[1], p[2], 0.0f);
        if (from.mask) mask[i] = from.mask[i];
    }
}

/* Limits for methods whose kernels can read points and write labels in pinned host memory themselves: to start a copy
 * would take longer than the copy. They do so for up to DIRECT points: the caller's memory where it is pinned, else through
 * a pinned buffer of this file. Up to STAGED points all kinds of jobs do. */
#define CLUMP_TRANSFER_DIRECT 524288
#define CLUMP_TRANSFER_STAGED 4096

/* Room for a cloud that kernels fetch from pinned host memory. */
typedef struct clump_fetch_room {
    float4 *points;
    uint8_t *mask;
} clump_fetch_room;

static inline void clump_cut_room(clump_cutter *c, clump_fetch_room *room, size_t n)
{
    clump_cut(c, &room->points, n <= CLUMP_TRANSFER_DIRECT ? n : 0);
    clump_cut(c, &room->mask, n <= CLUMP_TRANSFER_DIRECT ? n : 0);
}

/* Returns the bytes that are enough for up to n points. size_of(n) is the layout of n points, with such a room: a cloud
 * within CLUMP_TRANSFER_DIRECT can need more than a larger one. */
template <class F> static inline size_t clump_bytes_up_to(size_t n, F size_of)
{
    const size_t bytes = size_of(n), small = n > CLUMP_TRANSFER_DIRECT ? size_of(CLUMP_TRANSFER_DIRECT) : 0;
    return bytes > small ? bytes : small;
}

/* The host's part: *to becomes the cloud that kernels work on, and *from, empty before, the one they fetch it from. A
 * cloud that is not on the host stays where it is. */
static inline void clump_plan_fetch(const clump_cloud_view *view, bool on_host, const clump_fetch_room *room,
                                    clump_cloud_view *to, clump_cloud_view *from)
{
    *to = *view;
    if (!on_host || view->count == 0) return;
    CLUMP_ASSERT(view->count <= CLUMP_TRANSFER_DIRECT);
    *from = *view;
    to->points = (const char *)room->points;
    to->stride = sizeof *room->points;
    if (view->mask) to->mask = room->mask;
}

enum { CLUMP_TRANSFER_PIECES = 8 }; /* of the labels of a large cloud */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_transfer {
    clump_device_buffer points, mask, labels;
    clump_pinned_buffer in, out;
    bool direct;  /* in this call kernels read the cloud in host memory themselves */
    bool sends;   /* it is copied to `points` and `mask` */
    bool staged;  /* kernels write labels to `out` */
    bool fetches; /* they write them to `labels` */
    cudaEvent_t before, uploaded, computed, downloaded;
    cudaEvent_t fetched[CLUMP_TRANSFER_PIECES]; /* pieces of the labels */
} clump_transfer;

void clump_transfer_trim(clump_work *work, clump_cuda *cuda, clump_transfer *t);
void clump_transfer_close(clump_transfer *t);

/* Returns the address of pinned host memory on the GPU; null where the memory is not pinned. */
void *clump_pinned_address(const void *memory);

/* Reserves memory for clouds of up to max_points in host memory. */
clump_status clump_transfer_reserve(clump_work *work, clump_cuda *cuda, clump_transfer *t, size_t max_points);

/* Puts the copy of a cloud in host memory on the stream; *view is the copy, without a mask. */
clump_status clump_send_cloud(clump_work *work, clump_cuda *cuda, clump_transfer *t, const char *points, size_t count,
                              size_t stride, clump_cloud_view *view);

/* Copies results to host memory, in the order of the stream; `to` and `bytes` are multiples of 4. Results in pinned
 * memory are complete after the next synchronisation, all others when this returns. */
typedef struct clump_fetched {
    void *to; /* null: not wanted */
    const void *from;
    size_t bytes;
} clump_fetched;
clump_status clump_fetch(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_fetched *parts, int count);

/* Records an event on the stream, after creating it where it is null. */
clump_status clump_transfer_record(clump_work *work, clump_cuda *cuda, cudaEvent_t *event);

/* Finds the milliseconds between two events that have passed. */
clump_status clump_transfer_elapsed(clump_work *work, clump_cuda *cuda, cudaEvent_t from, cudaEvent_t to, double *ms);

/* Finds where kernels write labels that go to host memory: there, where it is pinned, else to t->out. clump_take_labels()
 * has to follow. Only after clump_upload(). */
clump_status clump_place_labels(clump_work *work, clump_cuda *cuda, clump_transfer *t, int32_t *to, size_t count,
                                int32_t **labels);

/* Waits for the stream, then copies labels in t->out, if there are any, to the caller. */
clump_status clump_take_labels(clump_work *work, clump_cuda *cuda, const clump_transfer *t, int32_t *to, size_t count);

/* Puts the copies of points and mask on the stream; *labels is where kernels write the labels. A method whose kernels
 * access pinned host memory passes CLUMP_TRANSFER_DIRECT and CLUMP_TRANSFER_STAGED, others 0. Where t->direct is true
 * afterwards, nothing is copied, and *view is on the host. So may be *labels in any case. Where job->labels is null, so is
 * *labels. */
clump_status clump_upload(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                          size_t direct, size_t staged, clump_cloud_view *view, int32_t **labels);

/* Copies the labels to the caller; waits for the stream. For labels on the GPU it only waits. Times of upload and
 * download go to the result. */
clump_status clump_download(clump_work *work, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                            clump_stats *stats);

#endif
