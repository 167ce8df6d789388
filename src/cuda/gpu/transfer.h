/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transfer.h: the points and the mask of a call where the GPU can read them, its labels back where the
 * caller wants them. What lies on the GPU stays there. Pinned memory of the host is copied by the GPU
 * itself; ordinary memory goes through a pinned buffer of ours piece by piece, the GPU fetching one
 * while the next is filled, by several threads where there is much of it.
 */
#ifndef CLUMP_CUDA_GPU_TRANSFER_H
#define CLUMP_CUDA_GPU_TRANSFER_H

#include "cuda/gpu/device.h"
#include "cuda/gpu/warp.cuh"

/* A cloud on the GPU: point i has its floats at points + i * stride. */
typedef struct clump_cloud_view {
    const char *points;
    size_t stride;
    const uint8_t *mask; /* null: all take part */
    uint32_t count;
    bool two_d;
} clump_cloud_view;

/* Of one point: whether it takes part, and where it is. */
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

/* The host's part: *to becomes the cloud that kernels work on, and *from, empty before, the one they fetch it from. A
 * cloud that is not on the host stays where it is. */
static inline void clump_plan_fetch(const clump_cloud_view *view, bool on_host, float4 *points, uint8_t *mask,
                                    clump_cloud_view *to, clump_cloud_view *from)
{
    *to = *view;
    if (!on_host || view->count == 0) return;
    *from = *view;
    to->points = (const char *)points;
    to->stride = sizeof *points;
    if (view->mask) to->mask = mask;
}

/* Limits for methods whose kernels can read points and write labels in pinned host memory themselves. Up to DIRECT points
 * of a caller with pinned memory they do; up to STAGED points of any caller, through a pinned buffer of this file. A copy
 * by the GPU would take longer to begin than to make. */
#define CLUMP_TRANSFER_DIRECT 524288
#define CLUMP_TRANSFER_STAGED 4096

enum { CLUMP_TRANSFER_PIECES = 8 };

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_transfer {
    clump_device_buffer points, mask, labels;
    clump_pinned_buffer in, out;
    bool direct; /* in this call the GPU reads and writes memory of the host itself */
    bool staged; /* and its labels go through out */
    cudaEvent_t before, uploaded, computed, downloaded;
    cudaEvent_t fetched[CLUMP_TRANSFER_PIECES]; /* pieces of the labels */
} clump_transfer;

void clump_transfer_trim(clump_context *ctx, clump_cuda *cuda, clump_transfer *t);
void clump_transfer_close(clump_transfer *t);

/* Room for a cloud of so many points in host memory. */
clump_status clump_transfer_reserve(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, size_t max_points);

/* Puts the copy of a cloud in host memory on the stream; *view is what the GPU has of it then, without a mask. */
clump_status clump_send_cloud(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const char *points, size_t count,
                              size_t stride, clump_cloud_view *view);

/* Copies what the GPU has made to host memory, in the order of the stream; `to` and `bytes` of it are multiples of 4.
 * What goes to pinned memory is there after the next synchronisation, all else when this returns. */
typedef struct clump_fetched {
    void *to; /* null: not wanted */
    const void *from;
    size_t bytes;
} clump_fetched;
clump_status clump_fetch(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_fetched *parts,
                         int count);

/* Puts an event on the stream, which it makes where there is none yet; the time between two, once they have passed. */
clump_status clump_transfer_record(clump_context *ctx, clump_cuda *cuda, cudaEvent_t *event);
clump_status clump_transfer_elapsed(clump_context *ctx, clump_cuda *cuda, cudaEvent_t from, cudaEvent_t to, double *ms);

/* Puts the copies of points and mask on the stream; *labels is where the labels are to be made. A method may
 * be able to read and write pinned memory of the host by itself: then nothing is copied by the GPU for up to
 * `direct` points if the caller's memory is pinned, and for up to `staged` in any case, through memory of ours;
 * and t->direct tells that view and labels are on the host. */
clump_status clump_upload(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                          size_t direct, size_t staged, clump_cloud_view *view, int32_t **labels);

/* Puts the copy of the labels on the stream, and returns when the caller has them: also waits for
 * everything before. For labels on the GPU it only waits. Times go to the result: upload and download. */
clump_status clump_download(clump_context *ctx, clump_cuda *cuda, clump_transfer *t, const clump_cloud_job *job,
                            clump_result *result);

#endif
