/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one row. The first call allocates memory and is compared with what is expected. The time of the second call
 * decides how many runs follow:
 *
 *     up to 100 ms    5 to warm up, then as many as fit into 0.4 s, 21 to 400
 *     up to 2 s       5
 *     longer          none: the second call is the sample
 */
#include "gpu/gpu.h"

#include <clump/info.h>
#include <clump/cuda.h>
#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of short runs takes about half a second. Other values have not been compared. */
enum { GPU_WARM_UPS = 5, GPU_LEAST_RUNS = 21, GPU_MOST_RUNS = 400, GPU_SLOW_RUNS = 5, GPU_MOST_IN_A_ROW = 64 };
static const double slow_seconds = 0.1, slowest_seconds = 2, enough_seconds = 0.4, row_seconds = 0.002;

const char *gpu_method_name(const gpu_job *job)
{
    switch (job->kind) {
    case GPU_EC:
        return clump_ec_method_name((clump_ec_method)job->method);
    case GPU_DBSCAN:
        return clump_dbscan_method_name((clump_dbscan_method)job->method);
    case GPU_ERCCL:
        return clump_erccl_method_name((clump_erccl_method)job->method);
    case GPU_NN:
        return clump_nn_method_name((clump_nn_method)job->method);
    case GPU_ICP:
        return job->method == CLUMP_ICP_PLANE ? "plane" : job->keep < 1 ? "trimmed" : "point";
    case GPU_OBJECTS:
        return clump_neighbour_kind_name((clump_neighbour_kind)job->method);
    case GPU_DESCRIBE:
    case GPU_DETECT:
        return "fast";
    }
    return "";
}

enum { BED_POINTS, BED_QUERIES, BED_ANSWERS, BED_DISTANCES, BED_BOXES, BED_BUFFERS };

/* A context, with the clouds and the answers where the job wants them. */
typedef struct bed {
    const gpu_job *job;
    clump_context *ctx;
    clump_index *index; /* GPU_NN */
    clump_points points, queries;
    size_t answers; /* labels, or indices */
    void *memory[BED_BUFFERS];
    clump_cuda_memory kind;
    bool boxes_alone; /* GPU_DETECT: without labels */
    gpu_row *row;
} bed;

static bool is_pageable(const bed *b)
{
    return b->job->memory == MEMORY_PAGEABLE;
}

static bool has_boxes(const gpu_job *job)
{
    return job->kind == GPU_DESCRIBE || job->kind == GPU_DETECT;
}

/* What a buffer is filled with; null: it is an output. */
static void *source_of(const gpu_job *job, int buffer)
{
    return buffer == BED_POINTS                                 ? job->points.xyz
           : buffer == BED_QUERIES                              ? job->queries.xyz
           : buffer == BED_ANSWERS && job->kind == GPU_DESCRIBE ? (void *)job->labels
                                                                : NULL;
}

static clump_status place_memory(bed *b)
{
    const gpu_job *const job = b->job;
    const size_t bytes[BED_BUFFERS] = {12 * job->points.count, 12 * job->queries.count, 4 * b->answers,
                                       job->kind == GPU_NN ? 4 * b->answers : 0,
                                       has_boxes(job) ? GPU_CAPACITY * sizeof(clump_cluster) : 0};
    b->kind = job->memory == MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE;
    clump_status status = CLUMP_OK;
    for (int i = 0; i < BED_BUFFERS && status == CLUMP_OK; i++) {
        void *const source = source_of(job, i);
        const bool output = i >= BED_ANSWERS && !source;
        if (is_pageable(b)) {
            b->memory[i] = output ? malloc(bytes[i] + 1) : source;
            if (output && !b->memory[i]) status = CLUMP_ERR_OUT_OF_MEMORY;
        } else if (bytes[i] > 0) {
            status = clump_cuda_allocate(b->ctx, b->kind, bytes[i], &b->memory[i]);
            if (status == CLUMP_OK && source) status = clump_cuda_copy(b->ctx, b->memory[i], source, bytes[i]);
        }
    }
    return status;
}

static clump_status make_bed(const gpu_job *job, gpu_row *row, bed *b)
{
    *b = (bed){.job = job, .row = row, .answers = job->points.count};
    if (job->kind == GPU_NN) b->answers = job->queries.count * (size_t)job->k;
    if (job->kind == GPU_ICP) b->answers = 0;
    clump_context_options options = clump_context_defaults();
    options.backend = job->backend;
    if (job->threads) options.threads = job->threads;
    clump_status status = clump_context_create(&options, &b->ctx);
    if (status == CLUMP_OK) status = place_memory(b);
    const clump_place place = job->memory >= MEMORY_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    b->points = (clump_points){.xyz = b->memory[BED_POINTS], .count = job->points.count, .place = place};
    b->queries = (clump_points){.xyz = b->memory[BED_QUERIES], .count = job->queries.count, .place = place};
    clump_index_options how = clump_index_defaults();
    how.method = (clump_nn_method)job->method;
    if (status == CLUMP_OK && job->kind == GPU_NN) status = clump_index_create(b->ctx, b->points, &how, &b->index);
    return status;
}

static void clear_bed(bed *b)
{
    clump_index_destroy(b->index);
    for (int i = 0; i < BED_BUFFERS; i++) {
        if (is_pageable(b) && i >= BED_ANSWERS && !source_of(b->job, i))
            free(b->memory[i]);
        else if (!is_pageable(b) && b->memory[i])
            clump_cuda_release(b->ctx, b->kind, b->memory[i]);
    }
    clump_context_destroy(b->ctx);
}

/* Builds the index anew and asks it. The statistics are those of both calls. */
static clump_status call_nn(bed *b)
{
    clump_status status = clump_index_rebuild(b->ctx, b->index, b->points);
    const clump_stats built = clump_context_stats(b->ctx);
    if (status == CLUMP_OK)
        status = clump_index_knn(b->ctx, b->index, b->queries, b->job->k, INFINITY, b->memory[BED_ANSWERS],
                                 b->memory[BED_DISTANCES]);
    clump_stats *const stats = &b->row->stats;
    *stats = clump_context_stats(b->ctx);
    stats->upload_ms += built.upload_ms, stats->build_ms = built.build_ms, stats->cluster_ms = stats->query_ms;
    stats->device_bytes += clump_index_bytes(b->index);
    return status;
}

/* One call. clusters: null, or the call waits for their number. */
static clump_status call(bed *b, int32_t *clusters)
{
    const gpu_job *const job = b->job;
    switch (job->kind) {
    case GPU_EC: {
        clump_ec_options options = clump_ec_defaults();
        options.method = (clump_ec_method)job->method;
        options.common.eps_per_metre = job->per_metre;
        return clump_ec(b->ctx, b->points, job->d, &options, b->memory[BED_ANSWERS], clusters);
    }
    case GPU_DBSCAN: {
        clump_dbscan_options options = clump_dbscan_defaults();
        options.method = (clump_dbscan_method)job->method;
        return clump_dbscan(b->ctx, b->points, job->d, job->min_points, &options, b->memory[BED_ANSWERS], clusters);
    }
    case GPU_ERCCL: {
        clump_erccl_options options = job->obstacles;
        options.method = (clump_erccl_method)job->method;
        return clump_erccl(b->ctx, b->points, &options, b->memory[BED_ANSWERS], clusters);
    }
    case GPU_NN:
        return call_nn(b);
    case GPU_ICP: {
        clump_icp_options options = clump_icp_defaults();
        options.method = (clump_icp_method)job->method, options.max_distance = 1, options.keep = job->keep;
        return clump_icp(b->ctx, b->points, b->queries, &options, &b->row->icp);
    }
    case GPU_DESCRIBE: {
        clump_describe_options options = clump_describe_defaults();
        options.clusters_place = b->points.place;
        if (clusters) *clusters = job->clusters;
        return clump_describe(b->ctx, b->points, b->memory[BED_ANSWERS], job->clusters, &options, b->memory[BED_BOXES]);
    }
    case GPU_OBJECTS: {
        clump_objects_options options = clump_objects_defaults();
        options.neighbours = (clump_neighbour_kind)job->method;
        options.d = job->d, options.common.eps_per_metre = job->per_metre;
        return clump_objects(b->ctx, b->points, &options, b->memory[BED_ANSWERS], clusters);
    }
    case GPU_DETECT: {
        clump_detect_options options = clump_detect_defaults();
        options.d = job->d, options.thin = job->thin, options.describe.clusters_place = b->points.place;
        return clump_detect(b->ctx, b->points, &options, b->boxes_alone ? NULL : b->memory[BED_ANSWERS],
                            b->memory[BED_BOXES], GPU_CAPACITY, clusters);
    }
    }
    return CLUMP_ERR_INTERNAL;
}

/* Whether the results of a call are there when it returns. */
static bool call_waits(const bed *b)
{
    const bool describes = b->job->kind == GPU_DESCRIBE && b->points.place == CLUMP_PLACE_DEVICE;
    return !describes && (b->job->kind != GPU_NN || b->job->backend != CLUMP_BACKEND_CUDA);
}

/* Returns the seconds of a run, the mean of several calls; negative: it failed. waiting: each call waits. */
static double run(bed *b, size_t calls, bool waiting)
{
    int32_t clusters;
    clump_status status = CLUMP_OK;
    const double start = machine_seconds();
    for (size_t i = 0; i < calls && status == CLUMP_OK; i++) status = call(b, waiting ? &clusters : NULL);
    if (status == CLUMP_OK && (!waiting || !call_waits(b))) status = clump_cuda_wait(b->ctx);
    return status == CLUMP_OK ? (machine_seconds() - start) / (double)calls : -1;
}

static void fail(const bed *b, clump_status status)
{
    gpu_row *const row = b->row;
    row->refused = status == CLUMP_ERR_OUT_OF_MEMORY;
    row->failed = !row->refused;
    snprintf(row->note, sizeof row->note, "%.300s", b->ctx ? clump_context_error(b->ctx) : clump_status_text(status));
}

/* The hash of the 4-byte words of a buffer. */
static clump_status hash_buffer(bed *b, int buffer, size_t words, uint64_t *hash)
{
    if (is_pageable(b)) return *hash = clump_labels_hash(b->memory[buffer], words), CLUMP_OK;
    int32_t *const copy = malloc(4 * words + 1);
    const clump_status status =
        !copy ? CLUMP_ERR_OUT_OF_MEMORY : clump_cuda_copy(b->ctx, copy, b->memory[buffer], 4 * words);
    if (status == CLUMP_OK) *hash = clump_labels_hash(copy, words);
    free(copy);
    return status;
}

static clump_status hash_boxes(bed *b, uint64_t *hash)
{
    const size_t found = b->row->clusters > 0 ? (size_t)b->row->clusters : 0;
    const size_t boxes = found < GPU_CAPACITY ? found : GPU_CAPACITY;
    return hash_buffer(b, BED_BOXES, boxes * sizeof(clump_cluster) / 4, hash);
}

/* The first call: its answers, as hashes. Returns false where it failed. */
static bool answer(bed *b)
{
    const gpu_kind kind = b->job->kind;
    gpu_row *const row = b->row;
    clump_status status = call(b, &row->clusters);
    if (status == CLUMP_OK && !call_waits(b)) status = clump_cuda_wait(b->ctx);
    if (status == CLUMP_OK && kind != GPU_DESCRIBE && b->answers > 0)
        status = hash_buffer(b, BED_ANSWERS, b->answers, &row->hash);
    if (status == CLUMP_OK && has_boxes(b->job))
        status = hash_boxes(b, kind == GPU_DESCRIBE ? &row->hash : &row->boxes);
    if (status != CLUMP_OK) fail(b, status);
    return status == CLUMP_OK;
}

static void compare(bed *b)
{
    const gpu_job *const job = b->job;
    gpu_row *const row = b->row;
    if (job->kind == GPU_ICP) return;
    row->differs = row->hash != job->hash || (job->kind != GPU_NN && row->clusters != job->clusters) ||
                   (job->kind == GPU_DETECT && row->boxes != job->boxes);
    if (row->differs && job->kind == GPU_NN)
        snprintf(row->note, sizeof row->note, "OTHER INDICES than the CPU's");
    else if (row->differs && has_boxes(job) && row->clusters == job->clusters)
        snprintf(row->note, sizeof row->note, "OTHER %s than the CPU's",
                 job->kind == GPU_DETECT && row->hash != job->hash ? "LABELS" : "BOXES");
    else if (row->differs)
        snprintf(row->note, sizeof row->note, "OTHER LABELS: %d clusters and not %d", row->clusters, job->clusters);
}

/* The boxes of the last call, which had no labels. */
static void compare_boxes(bed *b)
{
    uint64_t hash = 0;
    const clump_status status = hash_boxes(b, &hash);
    if (status != CLUMP_OK) fail(b, status);
    if (status != CLUMP_OK || hash == b->row->boxes) return;
    b->row->differs = true;
    snprintf(b->row->note, sizeof b->row->note, "OTHER BOXES without labels");
}

static bool take_samples(bed *b, samples *s)
{
    const bool running = b->job->memory == MEMORY_RUNNING;
    const double once = run(b, 1, true);
    if (once < 0) return false;
    if (once > slowest_seconds) return samples_add(s, once);
    const bool slow = once > slow_seconds;
    double fit = (b->job->quick ? 0.25 : 1) * enough_seconds / once;
    if (fit < GPU_LEAST_RUNS) fit = GPU_LEAST_RUNS;
    if (fit > GPU_MOST_RUNS) fit = GPU_MOST_RUNS;
    const size_t runs = slow ? GPU_SLOW_RUNS : (size_t)fit;
    size_t calls = 1;
    if (running && once < row_seconds) calls = (size_t)(row_seconds / once);
    if (calls > GPU_MOST_IN_A_ROW) calls = GPU_MOST_IN_A_ROW;
    for (size_t i = 0; i < runs + (slow ? 0 : GPU_WARM_UPS); i++) {
        const double seconds = run(b, calls, !running);
        if (seconds < 0) return false;
        if ((slow || i >= GPU_WARM_UPS) && !samples_add(s, seconds)) return false;
    }
    return true;
}

void gpu_measure(const gpu_job *job, gpu_row *out)
{
    *out = (gpu_row){.stats = {.threads = job->threads}, .clusters = -1};
    samples s = {0};
    bed b;
    const clump_status status = make_bed(job, out, &b);
    if (status != CLUMP_OK) {
        fail(&b, status);
    } else if (answer(&b)) {
        compare(&b);
        b.boxes_alone = job->kind == GPU_DETECT;
        if (!take_samples(&b, &s))
            fail(&b, CLUMP_ERR_INTERNAL);
        else if (b.boxes_alone)
            compare_boxes(&b);
        /* a call that did not wait has no statistics */
        const bool known = job->memory != MEMORY_RUNNING || run(&b, 1, true) >= 0;
        if (!out->failed && known && job->kind != GPU_NN) out->stats = clump_context_stats(b.ctx);
    }
    out->time = samples_sum_up(&s);
    samples_free(&s);
    clear_bed(&b);
}

/* The labels whose clusters are described. */
static bool find_labels(gpu_job *job, clump_message *why)
{
    const clump_points points = {.xyz = job->points.xyz, .count = job->points.count};
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    job->labels = malloc(4 * points.count + 1);
    const bool done = job->labels && clump_context_create(&options, &ctx) == CLUMP_OK &&
                      clump_ec(ctx, points, job->d, NULL, job->labels, &job->clusters) == CLUMP_OK;
    clump_context_destroy(ctx);
    if (!done) snprintf(why->text, sizeof why->text, "its clusters were not found");
    if (!done || job->clusters <= GPU_CAPACITY) return done;
    snprintf(why->text, sizeof why->text, "it has %d clusters, there is room for %d", job->clusters, GPU_CAPACITY);
    return false;
}

bool gpu_expect(gpu_job *job, clump_message *why)
{
    if (job->kind == GPU_DESCRIBE && !find_labels(job, why)) return false;
    gpu_job ours = *job;
    ours.backend = CLUMP_BACKEND_CPU, ours.memory = MEMORY_PAGEABLE, ours.threads = 0;
    const bool keeps_method = job->kind == GPU_OBJECTS || (job->kind == GPU_NN && job->method == CLUMP_NN_AZIMUTH);
    if (!keeps_method) ours.method = 0; /* `fast` of every kind */
    gpu_row row = {.clusters = -1};
    bed b;
    const clump_status status = make_bed(&ours, &row, &b);
    if (status != CLUMP_OK) fail(&b, status);
    const bool done = status == CLUMP_OK && answer(&b);
    job->clusters = row.clusters, job->hash = row.hash, job->boxes = row.boxes;
    if (!done) snprintf(why->text, sizeof why->text, "%.250s", row.note);
    clear_bed(&b);
    return done;
}
