/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.cu: see nn.h. With points or queries on the GPU, builds and queries put their kernels on the stream and return.
 * Filling rows is the exception: it waits, to check that the offsets belong to the queries. With host memory a call is
 *
 *     upload     points or queries, offsets            gpu/transfer.h
 *     compute    a build, or a search                  tree.h, nn.h, nn_walk.h
 *     download   results, and the wait                 gpu/transfer.h
 */
#include "cuda/nn/nn.h"
#include "cuda/gpu/scan.h"
#include "cuda/papers/papers.h"

extern "C" {
#include "common/assert.h"
#include "common/atomics.h"
}

#include <string.h>

/* cuda.done is recorded after a build, on the stream cuda.done_on. cuda.unfinished is true until a thread has waited for
 * that event. Several threads may set it to false at the same time. */
typedef struct cuda_index {
    clump_cuda cuda;
    clump_walk walk; /* zeroed: no points */
    clump_cuda_tree tree;
    clump_cuda_list list;
    clump_device_buffer finite;
} cuda_index;

#define INDEX_BYTES ((sizeof(cuda_index) + 63) / 64 * 64)

void clump_cuda_nn_trim(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn)
{
    clump_device_buffer *const all[] = {&nn->tree.keys,  &nn->tree.sorted, &nn->tree.sort, &nn->tree.borders,
                                        &nn->lists.next, &nn->lists.scan,  &nn->indices,   &nn->distances,
                                        &nn->counts,     &nn->offsets,     &nn->rows,      &nn->scan,
                                        &nn->misfit,     &nn->brute};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
    clump_pinned_release(work, &nn->word);
}

/* ----- the index ----------------------------------------------------------------------------------- */

static clump_status check_device(clump_work *work, const clump_cuda *cuda, const clump_cuda *own)
{
    if (own->device == cuda->device) return CLUMP_OK;
    return clump_fail(work, CLUMP_ERR_MEMORY_KIND, "the index is on CUDA device %d, and this context uses device %d",
                      own->device, cuda->device);
}

/* Makes the stream wait for all earlier calls on the index. */
static clump_status wait_for_uses(clump_work *work, clump_cuda *cuda, cuda_index *index)
{
    CLUMP_CUDA(work, cuda, "waiting for the index", cudaEventRecord(index->cuda.done, index->cuda.own));
    CLUMP_CUDA(work, cuda, "waiting for the index", cudaStreamWaitEvent(cuda->stream, index->cuda.done, 0));
    return CLUMP_OK;
}

/* Puts the build of a method on the stream. */
static clump_status build_method(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_work *home,
                                 cuda_index *index, const clump_index_job *job, const clump_cloud_view *cloud)
{
    clump_cuda *const keeper = &index->cuda;
    CLUMP_TRY(clump_device_reserve(home, keeper, &index->finite, sizeof(uint32_t)));
    uint32_t *const finite = (uint32_t *)index->finite.data;
    clump_walk walk = {};
    if (job->method == CLUMP_NN_FAST) {
        CLUMP_TRY(clump_cuda_tree_build(work, cuda, &nn->tree, home, keeper, &index->tree, cloud, finite));
        walk.tree = index->tree.view;
    } else if (job->method == CLUMP_NN_AZIMUTH) {
        CLUMP_TRY(clump_cuda_azimuth_build(work, cuda, &nn->lists, home, keeper, &index->list, cloud, job->partitions,
                                           job->window, finite, &walk));
    } else {
        CLUMP_TRY(clump_cuda_list_build(work, cuda, home, keeper, &index->list, cloud, finite, &walk));
        walk.one_by_one = job->method == CLUMP_NN_PER_QUERY;
    }
    index->walk = walk;
    return CLUMP_OK;
}

/* Marks the end of the build, and makes the index's own stream wait for it. */
static clump_status mark_built(clump_work *work, clump_cuda *cuda, cuda_index *index)
{
    CLUMP_CUDA(work, cuda, "marking the end of a build", cudaEventRecord(index->cuda.done, cuda->stream));
    CLUMP_CUDA(work, cuda, "marking the end of a build", cudaStreamWaitEvent(index->cuda.own, index->cuda.done, 0));
    index->cuda.done_on = cuda->stream;
    index->cuda.unfinished = true;
    return CLUMP_OK;
}

static clump_status build(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *t, clump_work *home,
                          cuda_index *index, const clump_index_job *job, clump_stats *stats)
{
    CLUMP_ASSERT(job->count <= INT32_MAX);
    const bool on_host = job->place == CLUMP_PLACE_HOST;
    if (!index->cuda.done) CLUMP_TRY(clump_cuda_open_like(home, &index->cuda, cuda));
    index->cuda.stream = cuda->stream; /* allocations are in the order of the build */
    CLUMP_TRY(wait_for_uses(work, cuda, index));
    clump_cloud_view cloud = {job->points, job->stride, NULL, (uint32_t)job->count, false};
    if (!on_host) {
        CLUMP_TRY(build_method(work, cuda, nn, home, index, job, &cloud));
        CLUMP_TRY(mark_built(work, cuda, index));
        stats->clusters = -1;
        return clump_cuda_leave_running(work, cuda);
    }
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &nn->word, sizeof(uint64_t)));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->before));
    CLUMP_TRY(clump_send_cloud(work, cuda, t, job->points, job->count, job->stride, &cloud));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->uploaded));
    CLUMP_TRY(build_method(work, cuda, nn, home, index, job, &cloud));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->computed));
    CLUMP_TRY(mark_built(work, cuda, index));
    CLUMP_CUDA(
        work, cuda, "counting points",
        cudaMemcpyAsync(nn->word.data, index->finite.data, sizeof(uint32_t), cudaMemcpyDeviceToHost, cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "building an index"));
    index->cuda.unfinished = false;
    stats->finite = *(const uint32_t *)nn->word.data;
    CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->before, t->uploaded, &stats->upload_ms));
    return clump_transfer_elapsed(work, cuda, t->uploaded, t->computed, &stats->build_ms);
}

clump_status clump_cuda_index_build(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    clump_work *home, void **state, const clump_index_job *job, clump_stats *stats)
{
    if (clump_cuda_capturing(cuda))
        return clump_fail(work, CLUMP_ERR_DEVICE, "an index cannot be built while the stream is captured");
    if (!*state) {
        void *const memory = home->memory.allocate(INDEX_BYTES, 64, home->memory.user);
        if (!memory)
            return clump_fail(work, CLUMP_ERR_OUT_OF_MEMORY, "%zu bytes of memory could not be allocated", INDEX_BYTES);
        memset(memory, 0, sizeof(cuda_index));
        *state = memory;
    }
    cuda_index *const index = (cuda_index *)*state;
    clump_cuda *const own = &index->cuda;
    if (own->done) CLUMP_TRY(check_device(work, cuda, own));
    own->fail_after = cuda->fail_after; /* an injected fault (gpu/fault.h) counts the calls on both */
    own->fail_with = cuda->fail_with;
    const clump_status status = build(work, cuda, nn, transfer, home, index, job, stats);
    if (own->fail_with == cudaSuccess) cuda->fail_with = cudaSuccess; /* it has been returned */
    own->fail_with = cudaSuccess;
    own->stream = own->own;
    if (status != CLUMP_OK) clump_cuda_index_empty(index);
    return status;
}

const clump_tree_view *clump_cuda_index_tree(const void *state)
{
    return &((const cuda_index *)state)->walk.tree;
}

void clump_cuda_index_empty(void *state)
{
    if (state) ((cuda_index *)state)->walk = clump_walk{};
}

void clump_cuda_index_release(clump_work *home, void *state)
{
    if (!state) return;
    cuda_index *const index = (cuda_index *)state;
    clump_cuda *const own = &index->cuda;
    clump_cuda_guard guard = {own->device};
    if (own->own) {
        (void)clump_cuda_enter(home, own, &guard);
        own->stream = own->own;
        clump_device_buffer *const all[] = {&index->tree.points, &index->tree.boxes, &index->list.points,
                                            &index->list.begin, &index->finite};
        for (clump_device_buffer *buffer : all) clump_device_release(home, own, buffer);
    }
    clump_cuda_close(own);
    clump_cuda_leave(own, &guard);
    home->memory.release(state, INDEX_BYTES, home->memory.user);
}

/* ----- queries ------------------------------------------------------------------------------------- */

/* Where the GPU writes the results of a query: the caller's memory, or the context's. */
typedef struct results {
    int32_t *indices;
    float *distances;
    int64_t *sums;
    const int64_t *offsets;
    size_t entries; /* of indices and distances */
} results;

/* Returns whether the build has ended, while this thread captures a stream. In any mode but the relaxed one the query would
 * invalidate the capture. */
static bool build_has_ended(const cuda_index *index)
{
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    bool ended = false;
    if (cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess) {
        ended = cudaEventQuery(index->cuda.done) == cudaSuccess;
        (void)cudaThreadExchangeStreamCaptureMode(&mode);
    }
    (void)cudaGetLastError(); /* cudaErrorNotReady is no error here */
    return ended;
}

static clump_status wait_for_build(clump_work *work, clump_cuda *cuda, cuda_index *index)
{
    if (!CLUMP_LOAD(&index->cuda.unfinished)) return CLUMP_OK;
    if (clump_cuda_capturing(cuda)) {
        if (index->cuda.done_on == cuda->stream) return CLUMP_OK;
        if (build_has_ended(index)) {
            CLUMP_STORE(&index->cuda.unfinished, false);
            return CLUMP_OK;
        }
        return clump_fail(
            work, CLUMP_ERR_DEVICE,
            "a stream is being captured while the index is still being built on another: ask the index once, "
            "and clump_cuda_wait, before the capture");
    }
    CLUMP_CUDA(work, cuda, "waiting for the index", cudaStreamWaitEvent(cuda->stream, index->cuda.done, 0));
    return CLUMP_OK;
}

/* Reserves GPU memory for the results of a caller in host memory, and sends the offsets. */
static clump_status reserve_results(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, const clump_query_job *job,
                                    results *r)
{
    const size_t sums = (job->count + 1) * sizeof(int64_t);
    if (job->kind == CLUMP_QUERY_COUNT) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &nn->offsets, sums));
        r->sums = (int64_t *)nn->offsets.data;
        return CLUMP_OK;
    }
    CLUMP_ASSERT(job->kind == CLUMP_QUERY_FILL ? job->offsets[0] == 0 : job->k >= 1);
    r->entries = job->kind == CLUMP_QUERY_FILL ? (size_t)job->offsets[job->count] : job->count * job->k;
    CLUMP_TRY(clump_device_reserve(work, cuda, &nn->indices, r->entries * sizeof(int32_t)));
    r->indices = (int32_t *)nn->indices.data;
    if (job->distances) {
        CLUMP_TRY(clump_device_reserve(work, cuda, &nn->distances, r->entries * sizeof(float)));
        r->distances = (float *)nn->distances.data;
    }
    if (job->kind != CLUMP_QUERY_FILL) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &nn->offsets, sums));
    CLUMP_CUDA(work, cuda, "sending offsets to the GPU",
               cudaMemcpyAsync(nn->offsets.data, job->offsets, sums, cudaMemcpyHostToDevice, cuda->stream));
    r->offsets = (const int64_t *)nn->offsets.data;
    return CLUMP_OK;
}

static clump_status find_nearest(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, const cuda_index *index,
                                 const clump_query_job *job, const clump_cloud_view *queries, const results *r)
{
    const clump_walk *const walk = &index->walk;
    if (job->k > 1 || walk->kind != CLUMP_WALK_LIST)
        return clump_walk_nearest(work, cuda, walk, queries, (uint32_t)job->k, job->bound, r->indices, r->distances);
    const clump_cloud_view points = {(const char *)walk->points, sizeof(float4), NULL, walk->count, false};
    return clump_cuda_brute_nearest(work, cuda, &nn->brute, !walk->one_by_one, &points, queries, job->bound, r->indices,
                                    r->distances);
}

static clump_status count_neighbours(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, const cuda_index *index,
                                     const clump_query_job *job, const clump_cloud_view *queries, const results *r)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &nn->counts, (queries->count + (size_t)1) * sizeof(uint32_t)));
    uint32_t *const counts = (uint32_t *)nn->counts.data;
    /* the scan reads the entry after the last */
    CLUMP_CUDA(work, cuda, "counting neighbours",
               cudaMemsetAsync(counts + queries->count, 0, sizeof *counts, cuda->stream));
    CLUMP_TRY(clump_walk_count(work, cuda, &index->walk, queries, job->bound, counts));
    return clump_scan_wide(work, cuda, &nn->scan, counts, (uint64_t *)r->sums, queries->count);
}

static clump_status fill_rows(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, const cuda_index *index,
                              const clump_query_job *job, const clump_cloud_view *queries, const results *r)
{
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &nn->word, sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &nn->misfit, sizeof(uint64_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &nn->rows, (queries->count + (size_t)1) * sizeof(uint32_t)));
    CLUMP_TRY(clump_walk_fill(work, cuda, &index->walk, queries, job->bound, r->offsets, r->indices, r->distances,
                              (uint32_t *)nn->rows.data, (unsigned long long *)nn->misfit.data));
    CLUMP_CUDA(work, cuda, "filling rows",
               cudaMemcpyAsync(nn->word.data, nn->misfit.data, sizeof(uint64_t), cudaMemcpyDeviceToHost, cuda->stream));
    return CLUMP_OK;
}

static clump_status search(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, const cuda_index *index,
                           const clump_query_job *job, const clump_cloud_view *queries, const results *r)
{
    if (job->kind == CLUMP_QUERY_NEAREST) return find_nearest(work, cuda, nn, index, job, queries, r);
    if (job->kind == CLUMP_QUERY_COUNT) return count_neighbours(work, cuda, nn, index, job, queries, r);
    return fill_rows(work, cuda, nn, index, job, queries, r);
}

/* After the wait: fails where a row did not fit. */
static clump_status check_rows(clump_work *work, const clump_cuda_nn *nn, const clump_query_job *job)
{
    if (job->kind != CLUMP_QUERY_FILL) return CLUMP_OK;
    const uint64_t misfit = *(const uint64_t *)nn->word.data;
    if (misfit == UINT64_MAX) return CLUMP_OK;
    return clump_fail(work, CLUMP_ERR_ARGUMENT,
                      "the offsets are not those of this radius: query %llu has another number of neighbours",
                      (unsigned long long)misfit);
}

/* Runs a query with queries and results on the GPU. */
static clump_status query_on_gpu(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *t,
                                 const cuda_index *index, const clump_query_job *job, clump_stats *stats)
{
    const clump_cloud_view queries = {job->queries, job->stride, NULL, (uint32_t)job->count, false};
    const results r = {job->indices, job->distances, job->sums, job->offsets, 0};
    const bool waits = job->kind == CLUMP_QUERY_FILL;
    if (waits) CLUMP_TRY(clump_transfer_record(work, cuda, &t->uploaded));
    CLUMP_TRY(search(work, cuda, nn, index, job, &queries, &r));
    if (!waits) {
        CLUMP_TRY(clump_cuda_leave_running(work, cuda));
        stats->clusters = -1;
        if (!clump_cuda_capturing(cuda))
            CLUMP_CUDA(work, cuda, "marking the end of a call", cudaStreamWaitEvent(index->cuda.own, cuda->done, 0));
        return CLUMP_OK;
    }
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->computed));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    CLUMP_TRY(check_rows(work, nn, job));
    return clump_transfer_elapsed(work, cuda, t->uploaded, t->computed, &stats->query_ms);
}

/* Runs a query with queries and results in host memory. */
static clump_status query_from_host(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *t,
                                    const cuda_index *index, const clump_query_job *job, clump_stats *stats)
{
    clump_cloud_view queries;
    results r = {};
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->before));
    CLUMP_TRY(clump_send_cloud(work, cuda, t, job->queries, job->count, job->stride, &queries));
    CLUMP_TRY(reserve_results(work, cuda, nn, job, &r));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->uploaded));
    CLUMP_TRY(search(work, cuda, nn, index, job, &queries, &r));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->computed));
    const clump_fetched parts[] = {{job->sums, r.sums, (job->count + 1) * sizeof(int64_t)},
                                   {job->indices, r.indices, r.entries * sizeof(int32_t)},
                                   {job->distances, r.distances, r.entries * sizeof(float)}};
    CLUMP_TRY(clump_fetch(work, cuda, t, parts, 3));
    CLUMP_TRY(clump_transfer_record(work, cuda, &t->downloaded));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "waiting for the GPU"));
    CLUMP_TRY(check_rows(work, nn, job));
    CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->before, t->uploaded, &stats->upload_ms));
    CLUMP_TRY(clump_transfer_elapsed(work, cuda, t->uploaded, t->computed, &stats->query_ms));
    return clump_transfer_elapsed(work, cuda, t->computed, t->downloaded, &stats->download_ms);
}

clump_status clump_cuda_index_query(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    const void *state, const clump_query_job *job, clump_stats *stats)
{
    cuda_index *const index = (cuda_index *)state;
    CLUMP_ASSERT(index && job->count <= INT32_MAX);
    CLUMP_TRY(check_device(work, cuda, &index->cuda));
    if ((job->place == CLUMP_PLACE_HOST || job->kind == CLUMP_QUERY_FILL) && clump_cuda_capturing(cuda))
        return clump_fail(work, CLUMP_ERR_DEVICE,
                          "this query waits for the GPU, which cannot be done while the stream is captured");
    CLUMP_TRY(wait_for_build(work, cuda, index));
    if (job->place == CLUMP_PLACE_DEVICE) return query_on_gpu(work, cuda, nn, transfer, index, job, stats);
    CLUMP_TRY(query_from_host(work, cuda, nn, transfer, index, job, stats));
    CLUMP_STORE(&index->cuda.unfinished, false); /* the call has waited for the build, too */
    return CLUMP_OK;
}
