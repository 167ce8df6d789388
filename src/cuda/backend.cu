/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backend.cu: the CUDA table for the registry (core/backend.h), and the state of the backend. A call on a cloud is
 *
 *     enter      makes the context's GPU the current one of the thread; leave restores it     gpu/device.h
 *     upload     copies points and mask to the GPU, unless they are there                     gpu/transfer.h
 *     a method   makes canonical labels and counts on the GPU       fast/ec_fast.h, papers/papers.h, ranged/ranged.h
 *     finish     applies size limits and order                                                gpu/labels.h
 *     download   copies labels and counts to the host, and waits                              gpu/transfer.h
 *
 * A caller that does not wait gets no download. Ground and obstacles (obstacles/erccl.h), an index (nn/nn.h),
 * registration (nn/icp.h), boxes and member lists (describe/describe.h), detection (detect/detect.h), and the tree of all
 * distances (tree/tree.h) have these steps inside their own functions. So have clouds in pieces (pieces/pieces.h), for runs of `fast` that do not fit.
 *
 * Rooms of this backend, from the ground up, and the doors that list their files:
 *
 *     gpu         device, memory, transfer, launches, labels        device.h
 *     fast        `fast` of Euclidean clustering and DBSCAN         ec_fast.h
 *     batch       many clouds in one call                           batch.h
 *     pieces      clouds that do not fit into the GPU's memory      pieces.h
 *     ranged      a radius that grows with the range                ranged.h
 *     objects     the tree of clusters, cut by size                 objects.h
 *     obstacles   ground, obstacles on the elevation map            erccl.h
 *     papers      methods of the literature, for comparison         papers.h
 *     describe    boxes, hulls, member lists                        describe.h
 *     detect      from scan to boxes                                detect.h
 *     nn          nearest neighbours, ICP                           nn.h
 *     tree        the clusters of every distance                    tree.h
 *
 * A `phase` is a step of a job on the GPU: a kernel, or a part of a kernel that does several.
 */
#include "cuda/batch/batch.h"
#include "cuda/describe/describe.h"
#include "cuda/detect/detect.h"
#include "cuda/fast/ec_fast.h"
#include "cuda/gpu/device.h"
#include "cuda/gpu/labels.h"
#include "cuda/nn/icp.h"
#include "cuda/nn/nn.h"
#include "cuda/objects/objects.h"
#include "cuda/obstacles/erccl.h"
#include "cuda/pieces/pieces.h"
#include "cuda/ranged/ranged.h"
#include "cuda/papers/papers.h"
#include "cuda/tree/tree.h"

#include <stddef.h>
#include <string.h>

typedef struct cuda_state {
    clump_cuda cuda; /* first: gpu/fault.cu */
    clump_transfer transfer;
    clump_cuda_fast fast;
    clump_cuda_ranged ranged;
    clump_cuda_six six;
    clump_cuda_dclust dclust;
    clump_cuda_erccl erccl;
    clump_cuda_detect detect;
    clump_cuda_objects objects;
    clump_labels_scratch finish;
    clump_cuda_nn nn;
    clump_cuda_icp icp;
    clump_cuda_describe describe;
    clump_cuda_batch batch;
    clump_cuda_pieces pieces;
    clump_cuda_forest forest;
    clump_device_buffer core;           /* core flags of DBSCAN, for a caller in host memory */
    clump_device_buffer borders;        /* number of pairs, and pairs of a clump_border_list */
    clump_device_buffer counts;         /* a clump_counts */
    clump_pinned_buffer counts_on_host; /* the host's copy of it */
} cuda_state;

static_assert(offsetof(cuda_state, cuda) == 0, "gpu/fault.cu");

#define STATE_BYTES ((sizeof(cuda_state) + 63) / 64 * 64)

/* ----- state --------------------------------------------------------------------------------------- */

/* Releases the memory of all jobs but clouds in pieces. */
static void trim_jobs(clump_work *work, cuda_state *s)
{
    clump_transfer_trim(work, &s->cuda, &s->transfer);
    clump_cuda_fast_trim(work, &s->cuda, &s->fast);
    clump_cuda_ranged_trim(work, &s->cuda, &s->ranged);
    clump_cuda_six_trim(work, &s->cuda, &s->six);
    clump_cuda_dclust_trim(work, &s->cuda, &s->dclust);
    clump_cuda_detect_trim(work, &s->cuda, &s->detect); /* its launch graphs refer to the memory of the others */
    clump_cuda_erccl_trim(work, &s->cuda, &s->erccl);
    clump_cuda_objects_trim(work, &s->cuda, &s->objects);
    clump_cuda_nn_trim(work, &s->cuda, &s->nn);
    clump_cuda_icp_trim(work, &s->cuda, &s->icp);
    clump_cuda_describe_trim(work, &s->cuda, &s->describe);
    clump_cuda_batch_trim(work, &s->cuda, &s->batch);
    clump_cuda_forest_trim(work, &s->cuda, &s->forest);
    clump_device_release(work, &s->cuda, &s->core);
    clump_device_release(work, &s->cuda, &s->borders);
    clump_labels_trim(work, &s->cuda, &s->finish);
}

static void trim_all(clump_work *work, cuda_state *s)
{
    trim_jobs(work, s);
    clump_cuda_pieces_trim(work, &s->cuda, &s->pieces);
}

static void trim(clump_work *work, void *state)
{
    cuda_state *const s = (cuda_state *)state;
    clump_cuda_guard guard;
    if (clump_cuda_enter(work, &s->cuda, &guard) != CLUMP_OK) return;
    (void)clump_cuda_begin(work, &s->cuda);
    (void)cudaStreamSynchronize(s->cuda.stream);
    trim_all(work, s);
    (void)cudaStreamSynchronize(s->cuda.stream);
    if (s->cuda.pool) (void)cudaMemPoolTrimTo(s->cuda.pool, 0);
    (void)cudaGetLastError();
    clump_cuda_leave(&s->cuda, &guard);
}

static void close_state(clump_work *work, void *state)
{
    cuda_state *const s = (cuda_state *)state;
    s->cuda.fail_with = cudaSuccess;
    clump_cuda_guard guard = {s->cuda.device};
    (void)clump_cuda_enter(work, &s->cuda, &guard);
    (void)clump_cuda_begin(work, &s->cuda);
    if (s->cuda.stream) (void)cudaStreamSynchronize(s->cuda.stream);
    trim_all(work, s);
    clump_transfer_close(&s->transfer);
    clump_cuda_fast_close(&s->fast);
    clump_cuda_ranged_close(&s->ranged);
    clump_cuda_erccl_close(&s->erccl);
    clump_cuda_describe_close(&s->describe);
    clump_cuda_detect_close(&s->detect);
    clump_cuda_objects_close(&s->objects);
    clump_cuda_batch_close(work, &s->batch);
    clump_cuda_pieces_close(&s->pieces);
    clump_device_release(work, &s->cuda, &s->counts);
    clump_pinned_release(work, &s->counts_on_host);
    clump_cuda_close(&s->cuda);
    clump_cuda_leave(&s->cuda, &guard);
    work->memory.release(state, STATE_BYTES, work->memory.user);
}

static clump_status open_on_device(clump_work *work, cuda_state *s)
{
    CLUMP_TRY(clump_cuda_open(work, &s->cuda));
    CLUMP_TRY(clump_device_reserve(work, &s->cuda, &s->counts, sizeof(clump_counts)));
    return clump_pinned_reserve(work, &s->cuda, &s->counts_on_host, sizeof(clump_counts));
}

static clump_status open_state(clump_work *work, const clump_context_options *options, void **state)
{
    const int count = clump_cuda_device_count(NULL), device = options->device;
    if (device >= count)
        return clump_fail(work, CLUMP_ERR_NO_DEVICE, "there is no CUDA device number %d: %d %s here, numbered from 0",
                          device, count, count == 1 ? "is" : "are");
    cuda_state *const s = (cuda_state *)work->memory.allocate(STATE_BYTES, 64, work->memory.user);
    if (!s) return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", STATE_BYTES);
    memset(s, 0, sizeof *s);
    s->cuda.device = device;
    s->cuda.limit = options->device_limit;
    clump_cuda_guard guard;
    clump_status status = clump_cuda_enter(work, &s->cuda, &guard);
    if (status == CLUMP_OK) {
        status = open_on_device(work, s);
        clump_cuda_leave(&s->cuda, &guard);
    }
    if (status != CLUMP_OK) {
        close_state(work, s);
        return status;
    }
    *state = s;
    return CLUMP_OK;
}

/* ----- calls --------------------------------------------------------------------------------------- */

/* Calls f(state) with the context's GPU as the current one, after the work of the last call. */
template <class F> static clump_status on_device(clump_work *work, void *state, F f)
{
    cuda_state *const s = (cuda_state *)state;
    clump_cuda_guard guard;
    (void)cudaGetLastError(); /* an error of the caller: launches would report it as their own */
    CLUMP_TRY(clump_cuda_enter(work, &s->cuda, &guard));
    clump_status status = clump_cuda_begin(work, &s->cuda);
    if (status == CLUMP_OK) status = f(s);
    clump_cuda_leave(&s->cuda, &guard);
    return status;
}

/* Calls f as above. After a failure waits for the GPU: what was launched must not write to the caller's memory later. */
template <class F> static clump_status on_device_settled(clump_work *work, void *state, F f)
{
    const clump_cuda *const cuda = &((cuda_state *)state)->cuda;
    const clump_status status = on_device(work, state, f);
    if (status == CLUMP_OK || clump_cuda_capturing(cuda)) return status;
    (void)cudaStreamSynchronize(cuda->stream);
    (void)cudaGetLastError();
    return status;
}

static clump_detect_rooms rooms_of(cuda_state *s)
{
    return clump_detect_rooms{&s->transfer, &s->fast,   &s->ranged,   &s->six,    &s->dclust,
                              &s->erccl,    &s->finish, &s->describe, &s->objects};
}

/* ----- clouds in pieces ------------------------------------------------------------------------------ */

enum { PIECES_UNASKED = 1 << 28 }; /* bytes: for less, no call asks how much memory is free */

/* Returns the GPU memory of a run of `fast` on n points from host memory. */
static size_t whole_bytes(size_t n, size_t stride, bool density, bool masked, bool unfinished)
{
    const size_t each = (stride <= 24 ? stride : 12) + sizeof(int32_t) + masked + density; /* gpu/transfer.h */
    return clump_cuda_fast_bytes(n, density) + n * (each + (unfinished ? 28 : 0));         /* gpu/labels.h */
}

/* Releases memory and lets other streams have it. */
template <class F> static clump_status make_way(clump_work *work, cuda_state *s, F trim_some)
{
    CLUMP_TRY(clump_cuda_synchronize(work, &s->cuda, "waiting for the GPU"));
    trim_some();
    CLUMP_TRY(clump_cuda_synchronize(work, &s->cuda, "waiting for the GPU"));
    if (s->cuda.pool) CLUMP_CUDA(work, &s->cuda, "freeing GPU memory", cudaMemPoolTrimTo(s->cuda.pool, 0));
    return CLUMP_OK;
}

/* Decides whether a run that takes `bytes` goes in pieces, and releases memory of earlier calls that is in its way. */
static clump_status decide_pieces(clump_work *work, cuda_state *s, size_t n, bool density, size_t bytes, bool *pieces)
{
    const size_t limit = s->cuda.limit, held = clump_cuda_pieces_held(&s->pieces);
    *pieces = !clump_cuda_fast_takes(n);
    size_t there = limit;
    if (!*pieces && limit == 0) {
        if (bytes <= PIECES_UNASKED || s->fast.arena.bytes >= clump_cuda_fast_bytes(n, density)) return CLUMP_OK;
        const size_t unused = clump_device_free(&s->cuda);
        if (bytes <= unused) return CLUMP_OK;
        there = unused - unused / 32 + work->device_bytes;
    }
    *pieces = *pieces || bytes > there;
    if (*pieces && work->device_bytes - held <= s->counts.bytes) return CLUMP_OK;
    if (*pieces) return make_way(work, s, [=]() { trim_jobs(work, s); });
    if (s->fast.arena.bytes >= clump_cuda_fast_bytes(n, density) || bytes + work->device_bytes <= there)
        return CLUMP_OK;
    return make_way(work, s, [=]() { trim_all(work, s); });
}

/* Runs a job of `fast` in pieces where it does not fit. *done: it did. */
static clump_status run_in_pieces(clump_work *work, cuda_state *s, const clump_pieces_job *job, bool *done,
                                  clump_stats *stats)
{
    const clump_cloud_job *const in = job->in;
    *done = false;
    if (in->place != CLUMP_PLACE_HOST || in->count == 0 || clump_cuda_capturing(&s->cuda)) return CLUMP_OK;
    const size_t bytes =
        whole_bytes(in->count, in->stride, job->min_points > 0, in->mask != NULL, clump_labels_unfinished(in));
    CLUMP_TRY(decide_pieces(work, s, in->count, job->min_points > 0, bytes, done));
    return *done ? clump_cuda_pieces_run(work, &s->cuda, &s->pieces, job, stats) : CLUMP_OK;
}

static clump_status reserve(clump_work *work, void *state, size_t max_points)
{
    return on_device(work, state, [=](cuda_state *s) -> clump_status {
        bool pieces;
        CLUMP_TRY(decide_pieces(work, s, max_points, true, whole_bytes(max_points, 24, true, true, true), &pieces));
        if (pieces) return clump_cuda_pieces_reserve(work, &s->cuda, &s->pieces, max_points);
        CLUMP_TRY(clump_transfer_reserve(work, &s->cuda, &s->transfer, max_points));
        CLUMP_TRY(clump_cuda_fast_prepare(work, &s->cuda, &s->fast, max_points));
        CLUMP_TRY(clump_labels_reserve_on_gpu(work, &s->cuda, &s->finish, max_points));
        CLUMP_TRY(clump_device_reserve(work, &s->cuda, &s->core, max_points));
        CLUMP_TRY(clump_cuda_erccl_reserve(work, &s->cuda, &s->erccl, max_points));
        CLUMP_TRY(clump_cuda_describe_reserve_all(work, &s->cuda, &s->describe, max_points));
        const clump_detect_rooms rooms = rooms_of(s);
        CLUMP_TRY(clump_cuda_detect_reserve(work, &s->cuda, &s->detect, &rooms, max_points));
        return clump_cuda_synchronize(work, &s->cuda, "allocating GPU memory");
    });
}

/* Runs a call on a cloud. method(view, labels, counts) puts the computation of labels and counts on the stream. With `fast`
 * it reads and writes pinned host memory itself, and reports its counts and times itself. */
template <class F>
static clump_status run_on_cloud(clump_work *work, cuda_state *s, const clump_cloud_job *job, bool fast, F method,
                                 clump_stats *stats)
{
    clump_cuda *const cuda = &s->cuda;
    clump_counts *const counts = (clump_counts *)s->counts.data;
    CLUMP_ASSERT(counts && job->count <= INT32_MAX);
    const bool unfinished = clump_labels_unfinished(job);
    const size_t direct = fast ? CLUMP_TRANSFER_DIRECT : 0, staged = fast ? CLUMP_TRANSFER_STAGED : 0;
    clump_cloud_view view;
    int32_t *labels;
    CLUMP_TRY(clump_upload(work, cuda, &s->transfer, job, direct, staged, &view, &labels));
    CLUMP_TRY(method(&view, labels, counts));
    if (unfinished) CLUMP_TRY(clump_labels_finish_on_gpu(work, cuda, &s->finish, job, labels, counts));
    if (job->clusters_on_device)
        CLUMP_CUDA(work, cuda, "handing the number of clusters over",
                   cudaMemcpyAsync(job->clusters_on_device, &counts->clusters, sizeof(int32_t),
                                   cudaMemcpyDeviceToDevice, cuda->stream));
    if (!job->wait && fast) { /* the other methods wait in any case */
        stats->clusters = -1;
        return clump_cuda_leave_running(work, cuda);
    }
    clump_counts *const on_host = (clump_counts *)s->counts_on_host.data;
    if (!fast || unfinished)
        CLUMP_CUDA(work, cuda, "fetching counts from the GPU",
                   cudaMemcpyAsync(on_host, counts, sizeof *counts, cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_download(work, cuda, &s->transfer, job, stats));
    if (fast) clump_cuda_fast_result(&s->fast, s->transfer.direct, stats);
    if (!fast || unfinished) {
        stats->clusters = (int32_t)on_host->clusters;
        stats->finite = on_host->finite;
        stats->masked = on_host->masked;
        stats->noise = on_host->noise;
    }
    return CLUMP_OK;
}

static clump_status ec(clump_work *work, void *state, const clump_ec_job *job, clump_stats *stats)
{
    const bool grows = job->in.per_metre > 0, fast = job->method == CLUMP_EC_FAST && !grows;
    return on_device_settled(work, state, [=](cuda_state *s) -> clump_status {
        bool done = false;
        const clump_pieces_job in_pieces = {&job->in, 0, false, NULL};
        if (fast) CLUMP_TRY(run_in_pieces(work, s, &in_pieces, &done, stats));
        if (done) return CLUMP_OK;
        const auto method = [=](const clump_cloud_view *view, int32_t *labels, clump_counts *counts) {
            if (grows)
                return clump_cuda_ec_ranged(work, &s->cuda, &s->ranged, &s->fast, &job->in, view, labels, counts);
            if (fast)
                return clump_cuda_run_fast(work, &s->cuda, &s->fast, &job->in, NULL, view, s->transfer.direct, labels,
                                           counts);
            return clump_cuda_ec_six(work, &s->cuda, &s->six, job, view, labels, counts, stats);
        };
        return run_on_cloud(work, s, &job->in, fast, method, stats);
    });
}

enum { BORDER_PAIRS = 256 }; /* bytes before the pairs in cuda_state.borders */

/* Lets a run list the clusters next to border points. */
static clump_status want_borders(clump_work *work, cuda_state *s, const clump_border_list *list,
                                 clump_cuda_density *density)
{
    CLUMP_TRY(clump_device_reserve(work, &s->cuda, &s->borders, BORDER_PAIRS + list->capacity * sizeof(clump_border)));
    density->pairs = (clump_border *)((char *)s->borders.data + BORDER_PAIRS);
    density->pair_capacity = list->capacity;
    density->pair_points = (uint32_t)list->points;
    density->pair_count = (unsigned long long *)s->borders.data;
    return CLUMP_OK;
}

/* After the run: copies the list to the host. */
static clump_status fetch_borders(clump_work *work, cuda_state *s, clump_border_list *list)
{
    static const char what[] = "fetching border points from the GPU";
    unsigned long long count = 0;
    CLUMP_CUDA(work, &s->cuda, what,
               cudaMemcpyAsync(&count, s->borders.data, sizeof count, cudaMemcpyDeviceToHost, s->cuda.stream));
    CLUMP_TRY(clump_cuda_synchronize(work, &s->cuda, what));
    list->count = (size_t)count;
    const size_t listed = list->count < list->capacity ? list->count : list->capacity;
    if (listed == 0) return CLUMP_OK;
    CLUMP_CUDA(work, &s->cuda, what,
               cudaMemcpyAsync(list->pairs, (const char *)s->borders.data + BORDER_PAIRS, listed * sizeof *list->pairs,
                               cudaMemcpyDeviceToHost, s->cuda.stream));
    return clump_cuda_synchronize(work, &s->cuda, what);
}

/* Puts a run of DBSCAN on the stream, and the copy of the core flags to the host where the job asks for them. */
static clump_status launch_dbscan(clump_work *work, cuda_state *s, const clump_dbscan_job *job,
                                  const clump_cloud_view *view, int32_t *labels, clump_counts *counts,
                                  clump_stats *stats)
{
    const bool copied = job->core && job->in.place == CLUMP_PLACE_HOST && job->in.count > 0;
    if (copied) CLUMP_TRY(clump_device_reserve(work, &s->cuda, &s->core, job->in.count));
    clump_cuda_density density = {job->min_points, job->border_points, copied ? (uint8_t *)s->core.data : job->core};
    if (job->borders) CLUMP_TRY(want_borders(work, s, job->borders, &density));
    if (job->in.per_metre > 0)
        CLUMP_TRY(
            clump_cuda_dbscan_ranged(work, &s->cuda, &s->ranged, &s->fast, job, view, labels, density.core, counts));
    else if (job->method == CLUMP_DBSCAN_FAST)
        CLUMP_TRY(clump_cuda_run_fast(work, &s->cuda, &s->fast, &job->in, &density, view, s->transfer.direct, labels,
                                      counts));
    else
        CLUMP_TRY(clump_cuda_dbscan_dclust(work, &s->cuda, &s->dclust, &s->six, job, view, labels, density.core, counts,
                                           stats));
    if (copied)
        CLUMP_CUDA(work, &s->cuda, "fetching core flags from the GPU",
                   cudaMemcpyAsync(job->core, density.core, job->in.count, cudaMemcpyDeviceToHost, s->cuda.stream));
    return CLUMP_OK;
}

static clump_status dbscan(clump_work *work, void *state, const clump_dbscan_job *job, clump_stats *stats)
{
    const bool fast = job->method == CLUMP_DBSCAN_FAST && !(job->in.per_metre > 0);
    return on_device_settled(work, state, [=](cuda_state *s) -> clump_status {
        bool done = false;
        const clump_pieces_job in_pieces = {&job->in, job->min_points, job->border_points, job->core};
        if (fast && !job->borders) CLUMP_TRY(run_in_pieces(work, s, &in_pieces, &done, stats));
        if (done) return CLUMP_OK;
        const auto method = [=](const clump_cloud_view *view, int32_t *labels, clump_counts *counts) {
            return launch_dbscan(work, s, job, view, labels, counts, stats);
        };
        CLUMP_TRY(run_on_cloud(work, s, &job->in, fast, method, stats));
        return job->borders ? fetch_borders(work, s, job->borders) : CLUMP_OK;
    });
}

static clump_status ground(clump_work *work, void *state, const clump_ground_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_erccl_ground(work, &s->cuda, &s->erccl, &s->transfer, job, stats);
    });
}

static clump_status erccl(clump_work *work, void *state, const clump_erccl_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_erccl_run(work, &s->cuda, &s->erccl, &s->transfer, &s->finish, clump_cuda_erccl_sweeps, job,
                                    stats);
    });
}

static clump_status detect(clump_work *work, void *state, const clump_detect_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        const clump_detect_rooms rooms = rooms_of(s);
        return clump_cuda_detect_run(work, &s->cuda, &s->detect, &rooms, job, stats);
    });
}

static clump_status index_build(clump_work *work, void *state, clump_work *home, void **index,
                                const clump_index_job *job, clump_stats *stats)
{
    clump_cuda_index_empty(*index); /* also where the GPU cannot be made current */
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_index_build(work, &s->cuda, &s->nn, &s->transfer, home, index, job, stats);
    });
}

static clump_status index_query(clump_work *work, void *state, const void *index, const clump_query_job *job,
                                clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_index_query(work, &s->cuda, &s->nn, &s->transfer, index, job, stats);
    });
}

static clump_status icp_begin(clump_work *work, void *state, const void *index, const clump_icp_job *job)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_icp_begin(work, &s->cuda, &s->icp, &s->transfer, &s->nn.tree, clump_cuda_index_tree(index),
                                    job);
    });
}

static clump_status icp_step(clump_work *work, void *state, const void *index, const clump_icp_job *job,
                             const clump_rigid *motion, double *sums)
{
    return on_device_settled(work, state, [=](cuda_state *s) -> clump_status {
        CLUMP_TRY(clump_cuda_poll(work, &s->cuda)); /* icp_begin may have left work running */
        return clump_cuda_icp_step(work, &s->cuda, &s->icp, clump_cuda_index_tree(index), job, motion, sums);
    });
}

static clump_status describe(clump_work *work, void *state, const clump_describe_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_describe_run(work, &s->cuda, &s->describe, &s->transfer, job, stats);
    });
}

static clump_status batch(clump_work *work, void *state, const clump_batch_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_batch_run(work, &s->cuda, &s->batch, &s->transfer, &s->fast, &s->finish, job, stats);
    });
}

static clump_status describe_batch(clump_work *work, void *state, const clump_describe_batch_job *job,
                                   clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) -> clump_status {
        clump_describe_job all = job->all;
        int32_t *labels;
        CLUMP_TRY(clump_cuda_batch_labels(work, &s->cuda, &s->batch, job, &labels));
        all.labels = labels;
        CLUMP_TRY(clump_cuda_describe_run(work, &s->cuda, &s->describe, &s->transfer, &all, stats));
        return clump_cuda_batch_restore(work, &s->cuda, &s->batch, job);
    });
}

static clump_status group(clump_work *work, void *state, const clump_group_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_group_run(work, &s->cuda, &s->describe, &s->transfer, job, stats);
    });
}

static clump_status tree(clump_work *work, void *state, const clump_tree_job *job, clump_stats *stats)
{
    return on_device_settled(work, state, [=](cuda_state *s) {
        return clump_cuda_forest_run(work, &s->cuda, &s->forest, &s->transfer, job, stats);
    });
}

static clump_status set_stream(clump_work *work, void *state, void *stream)
{
    (void)work;
    clump_cuda *const cuda = &((cuda_state *)state)->cuda;
    cuda->stream = stream ? (cudaStream_t)stream : cuda->own;
    cuda->done_on = NULL; /* a new stream may have the handle of a destroyed one */
    return CLUMP_OK;
}

static clump_status wait(clump_work *work, void *state)
{
    return on_device(work, state,
                     [=](cuda_state *s) { return clump_cuda_synchronize(work, &s->cuda, "waiting for the GPU"); });
}

static clump_status allocate(clump_work *work, void *state, clump_cuda_memory kind, size_t bytes, void **out)
{
    return on_device(work, state, [=](cuda_state *s) -> clump_status {
        const size_t asked = bytes ? bytes : 1;
        if (kind == CLUMP_CUDA_PINNED)
            CLUMP_CUDA(work, &s->cuda, "allocating pinned memory", cudaHostAlloc(out, asked, cudaHostAllocPortable));
        else if (kind == CLUMP_CUDA_MANAGED)
            CLUMP_CUDA(work, &s->cuda, "allocating managed memory", cudaMallocManaged(out, asked));
        else
            CLUMP_CUDA(work, &s->cuda, "allocating GPU memory", cudaMalloc(out, asked));
        return CLUMP_OK;
    });
}

static void release(clump_work *work, void *state, clump_cuda_memory kind, void *memory)
{
    (void)on_device(work, state, [=](cuda_state *) -> clump_status {
        (void)(kind == CLUMP_CUDA_PINNED ? cudaFreeHost(memory) : cudaFree(memory));
        return CLUMP_OK;
    });
}

static clump_status pin(clump_work *work, void *state, void *memory, size_t bytes)
{
    return on_device(work, state, [=](cuda_state *s) -> clump_status {
        if (bytes > 0)
            CLUMP_CUDA(work, &s->cuda, "pinning memory of the caller",
                       cudaHostRegister(memory, bytes, cudaHostRegisterPortable));
        else
            CLUMP_CUDA(work, &s->cuda, "unpinning memory of the caller", cudaHostUnregister(memory));
        return CLUMP_OK;
    });
}

static clump_status copy(clump_work *work, void *state, void *to, const void *from, size_t bytes)
{
    return on_device(work, state, [=](cuda_state *s) -> clump_status {
        CLUMP_CUDA(work, &s->cuda, "copying", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s->cuda.stream));
        return clump_cuda_synchronize(work, &s->cuda, "copying");
    });
}

extern "C" const clump_backend_table *clump_backend_cuda(void)
{
    static const clump_backend_table table = {
        CLUMP_BACKEND_CUDA,
        "cuda",
        clump_cuda_device_count,
        clump_cuda_device_query,
        open_state,
        close_state,
        reserve,
        trim,
        ec,
        set_stream,
        wait,
        allocate,
        release,
        pin,
        copy,
        dbscan,
        ground,
        erccl,
        index_build,
        index_query,
        clump_cuda_index_release,
        icp_begin,
        icp_step,
        describe,
        group,
        detect,
        batch,
        describe_batch,
        0,    /* vector_bits: not the CPU */
        NULL, /* index_one: a GPU is for many queries */
        tree,
        NULL, /* objects: of one group of classes, on the CPU alone */
    };
    return &table;
}
