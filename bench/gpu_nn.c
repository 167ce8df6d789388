/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nearest neighbours on the GPU: the table of part f. A run builds the index anew and asks it for the neighbours of all
 * queries. Indices are compared with the CPU's before anything is timed. In the CSV the column labels_hash is that of the
 * indices, and cluster_ms is the time of the queries.
 */
#include "gpu_parts.h"
#include "nn_cases.h"

#include <clump/cuda.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    warm_ups = 3,
    least_runs = 11,
    most_runs = 200,
    most_in_a_row = 16,
    plot_queries = 20000,
    smallest = 256,
    largest = 65536
};
static const double slow_seconds = 0.2, enough_seconds = 0.3;

/* What is measured of a pair of clouds, with the most it may take on an NVIDIA H200; 0: none set. */
typedef struct nn_job {
    const char *name;
    clump_nn_method method;
    gpu_memory memory;
    int k;
    double target_ms;
} nn_job;

static const nn_job scan_jobs[] = {
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0},    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0.45},
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_DEVICE, 1, 0},      {"kitti-0-1", CLUMP_NN_FAST, MEMORY_RUNNING, 1, 0},
    {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 8, 0},      {"kitti-0-1", CLUMP_NN_FAST, MEMORY_PINNED, 128, 0},
    {"kitti-0-1", CLUMP_NN_AZIMUTH, MEMORY_PINNED, 1, 3.6}, {"kitti-0-1", CLUMP_NN_BATCH, MEMORY_PINNED, 1, 19.5},
    {"kitti-0-1", CLUMP_NN_PER_QUERY, MEMORY_PINNED, 1, 0}, {"uniform-1m", CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0},
    {"uniform-1m", CLUMP_NN_FAST, MEMORY_PINNED, 1, 4},     {"uniform-1m", CLUMP_NN_FAST, MEMORY_DEVICE, 1, 0},
    {"clump-100k", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0},     {"groups-1m", CLUMP_NN_FAST, MEMORY_PINNED, 1, 0},
};

/* Clouds and results where the job wants them. */
typedef struct nn_bed {
    clump_context *ctx;
    clump_index *index;
    clump_points points, queries;
    int32_t *indices;
    float *distances;
    int k;
    void *memory[4];
    clump_cuda_memory kind;
    bool on_gpu, pageable;
} nn_bed;

static clump_status copy(const nn_bed *b, void *to, const void *from, size_t bytes)
{
    if (!b->pageable) return clump_cuda_copy(b->ctx, to, from, bytes);
    memcpy(to, from, bytes);
    return CLUMP_OK;
}

static clump_status make_bed(const nn_job *job, int cpu_threads, int cores, const bench_cloud *points,
                             const bench_cloud *queries, nn_bed *b)
{
    const size_t entries = queries->count * (size_t)job->k;
    const size_t bytes[4] = {12 * points->count, 12 * queries->count, 4 * entries, 4 * entries};
    clump_context_options options = clump_context_defaults();
    options.backend = cpu_threads ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA;
    options.threads = cpu_threads ? cpu_threads : cores;
    b->k = job->k;
    b->on_gpu = cpu_threads == 0;
    b->pageable = job->memory == MEMORY_PAGEABLE;
    clump_status status = clump_context_create(&options, &b->ctx);
    b->kind = job->memory == MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE;
    for (int i = 0; i < 4 && status == CLUMP_OK; i++) {
        if (!b->pageable)
            status = clump_cuda_allocate(b->ctx, b->kind, bytes[i], &b->memory[i]);
        else if (!(b->memory[i] = malloc(bytes[i] + 1)))
            status = CLUMP_ERR_OUT_OF_MEMORY;
    }
    if (status == CLUMP_OK) status = copy(b, b->memory[0], points->xyz, bytes[0]);
    if (status == CLUMP_OK) status = copy(b, b->memory[1], queries->xyz, bytes[1]);
    const clump_place place = job->memory >= MEMORY_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST;
    b->points = (clump_points){.xyz = b->memory[0], .count = points->count, .place = place};
    b->queries = (clump_points){.xyz = b->memory[1], .count = queries->count, .place = place};
    b->indices = b->memory[2], b->distances = b->memory[3];
    clump_index_options o = clump_index_defaults();
    o.method = job->method;
    return status == CLUMP_OK ? clump_index_create(b->ctx, b->points, &o, &b->index) : status;
}

static void clear_bed(nn_bed *b)
{
    clump_index_destroy(b->index);
    for (int i = 0; i < 4; i++) {
        if (b->pageable)
            free(b->memory[i]);
        else if (b->memory[i])
            clump_cuda_release(b->ctx, b->kind, b->memory[i]);
    }
    clump_context_destroy(b->ctx);
}

/* So many runs, and a wait; seconds of one, or negative. The stats are those of both calls. */
static double run(nn_bed *b, size_t runs, clump_stats *stats)
{
    clump_status status = CLUMP_OK;
    const double start = machine_seconds();
    for (size_t i = 0; i < runs && status == CLUMP_OK; i++) {
        status = clump_index_rebuild(b->ctx, b->index, b->points);
        const clump_stats built = clump_context_stats(b->ctx);
        if (status == CLUMP_OK)
            status = clump_index_knn(b->ctx, b->index, b->queries, b->k, INFINITY, b->indices, b->distances);
        *stats = clump_context_stats(b->ctx);
        stats->upload_ms += built.upload_ms, stats->build_ms = built.build_ms, stats->cluster_ms = stats->query_ms;
        stats->device_bytes += clump_index_bytes(b->index);
    }
    if (status == CLUMP_OK && b->on_gpu) status = clump_cuda_wait(b->ctx);
    return status == CLUMP_OK ? (machine_seconds() - start) / (double)runs : -1;
}

/* The indices of the CPU, as a hash; 0: it failed. */
static uint64_t reference_hash(const nn_job *job, const bench_cloud *points, const bench_cloud *queries)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    clump_index *index = NULL;
    clump_index_options o = clump_index_defaults();
    if (job->method == CLUMP_NN_AZIMUTH) o.method = CLUMP_NN_AZIMUTH;
    const clump_points p = {.xyz = points->xyz, .count = points->count},
                       q = {.xyz = queries->xyz, .count = queries->count};
    const size_t entries = q.count * (size_t)job->k;
    int32_t *const indices = malloc(entries * sizeof *indices + 1);
    uint64_t hash = 0;
    if (indices && clump_context_create(&options, &ctx) == CLUMP_OK &&
        clump_index_create(ctx, p, &o, &index) == CLUMP_OK &&
        clump_index_knn(ctx, index, q, job->k, INFINITY, indices, NULL) == CLUMP_OK)
        hash = clump_labels_hash(indices, entries);
    clump_index_destroy(index);
    clump_context_destroy(ctx);
    free(indices);
    return hash;
}

/* The first run, compared. */
static bool verify(nn_bed *b, uint64_t expected, gpu_row *row)
{
    const size_t entries = b->queries.count * (size_t)b->k;
    int32_t *const indices = malloc(entries * sizeof *indices + 1);
    bool done = indices && run(b, 1, &row->stats) >= 0;
    if (done) done = copy(b, indices, b->indices, entries * sizeof *indices) == CLUMP_OK;
    if (done) row->labels_hash = clump_labels_hash(indices, entries);
    row->differs = done && row->labels_hash != expected;
    if (row->differs) snprintf(row->note, sizeof row->note, "OTHER INDICES than the CPU's");
    free(indices);
    return done;
}

static bool take_samples(const gpu_settings *s, gpu_memory memory, nn_bed *b, gpu_row *row, samples *out)
{
    const double once = run(b, 1, &row->stats);
    if (once < 0) return false;
    const bool slow = once > slow_seconds;
    double fit = (s->quick ? 0.25 : 1) * enough_seconds / once;
    if (fit < least_runs) fit = least_runs;
    if (fit > most_runs) fit = most_runs;
    const size_t runs = slow ? 2 : (size_t)fit, row_of = memory == MEMORY_RUNNING ? most_in_a_row : 1;
    for (size_t i = 0; i < runs + (slow ? 0 : warm_ups); i++) {
        const double seconds = run(b, row_of, &row->stats);
        if (seconds < 0 || ((slow || i >= warm_ups) && !samples_add(out, seconds))) return false;
    }
    return true;
}

/* With cpu_threads on the CPU, on the GPU where that is 0. */
static bool measure(const gpu_settings *s, const nn_job *job, int cpu_threads, const char *parameters,
                    const bench_cloud *points, const bench_cloud *queries, gpu_results *results)
{
    gpu_row row = {.points = points->count,
                   .backend = cpu_threads ? CLUMP_BACKEND_CPU : CLUMP_BACKEND_CUDA,
                   .method = clump_nn_method_name(job->method),
                   .memory = job->memory,
                   .target_ms = job->target_ms};
    snprintf(row.part, sizeof row.part, "nn");
    snprintf(row.cloud, sizeof row.cloud, "%s", job->name);
    snprintf(row.parameters, sizeof row.parameters, "%s queries=%zu k=%d", parameters, queries->count, job->k);
    nn_bed b = {0};
    samples taken = {0};
    const clump_status status = make_bed(job, cpu_threads, results->host.cores, points, queries, &b);
    const bool done = status == CLUMP_OK && verify(&b, reference_hash(job, points, queries), &row) &&
                      take_samples(s, job->memory, &b, &row, &taken);
    if (!done) {
        row.failed = true;
        snprintf(row.note, sizeof row.note, "%.300s", b.ctx ? clump_context_error(b.ctx) : clump_status_text(status));
    }
    row.time = samples_sum_up(&taken);
    samples_free(&taken);
    clear_bed(&b);
    char text[64];
    gpu_cell(&row, text, sizeof text);
    printf("%-12s %8zu %8zu  %-9s %3d  %-14s  %-22s %8.4f %8.4f %8.4f %8.4f\n", job->name, points->count,
           queries->count, row.method, job->k, gpu_memory_name(job->memory), text, row.stats.upload_ms,
           row.stats.build_ms, row.stats.query_ms, row.stats.download_ms);
    fflush(stdout);
    return gpu_results_add(results, &row);
}

/* Where is the GPU faster? Fewer points of both clouds, evenly picked, on the CPU with one thread, with all cores, and
 * on the GPU from ordinary memory. */
static bool compare_sizes(const gpu_settings *s, const bench_cloud *points, const bench_cloud *queries,
                          gpu_results *results)
{
    bool kept = true;
    for (size_t n = smallest; n <= largest && n <= points->count && n <= queries->count && kept; n *= 2) {
        const bench_cloud *const whole[2] = {points, queries};
        bench_cloud part[2] = {{malloc(12 * n), n}, {malloc(12 * n), n}};
        for (int c = 0; c < 2 && part[0].xyz && part[1].xyz; c++)
            for (size_t i = 0; i < n; i++)
                memcpy(part[c].xyz + 3 * i, whole[c]->xyz + 3 * (i * whole[c]->count / n), 12);
        const int threads[] = {1, results->host.cores, 0};
        char name[32];
        snprintf(name, sizeof name, "crossover-%zu", n);
        for (int t = 0; t < 3 && kept && part[0].xyz && part[1].xyz; t++) {
            const nn_job job = {name, CLUMP_NN_FAST, MEMORY_PAGEABLE, 1, 0};
            kept = measure(s, &job, threads[t], "scans", &part[0], &part[1], results);
        }
        free(part[0].xyz), free(part[1].xyz);
    }
    return kept;
}

static bool measure_pair(const gpu_settings *s, const nn_case *item, gpu_results *results)
{
    bench_cloud points = {0}, queries = {0};
    clump_message why = {""};
    const size_t first = results->count;
    bool kept = true;
    if (nn_case_make(item, s->data, &points, &queries, &why)) {
        for (size_t i = 0; i < sizeof scan_jobs / sizeof *scan_jobs && kept; i++)
            if (strcmp(scan_jobs[i].name, item->name) == 0)
                kept = measure(s, &scan_jobs[i], 0,
                               item->scans[0]     ? "scans"
                               : item->clump      ? "clump"
                               : item->groups > 0 ? "groups"
                                                  : "cube",
                               &points, &queries, results);
        /* the paper's plot: one launch a query, against the size of the reference */
        bench_cloud few = queries;
        if (few.count > plot_queries) few.count = plot_queries;
        for (size_t n = 500; item->paper && kept; n *= 2) {
            bench_cloud some = points;
            if (n < points.count) some.count = n;
            const nn_job job = {"plot", CLUMP_NN_PER_QUERY, MEMORY_PINNED, 1, 0};
            kept = measure(s, &job, 0, "scans", &some, &few, results);
            if (n >= points.count) break;
        }
        if (item->paper && kept) kept = compare_sizes(s, &points, &queries, results);
        if (item->paper && kept) kept = gpu_compare_icp(&points, &queries, results);
    } else {
        printf("%-16s left out: %s\n", item->name, why.text);
    }
    bench_cloud_free(&points);
    bench_cloud_free(&queries);
    return gpu_finish(results, first) && kept;
}

bool gpu_part_nn(const gpu_settings *s, gpu_results *results)
{
    printf("\nnn, build and query, median ms; in brackets the most it may take. Stages are those of the last run.\n");
    printf("%-12s %8s %8s  %-9s %3s  %-14s  %-22s %8s %8s %8s %8s\n", "cloud", "points", "queries", "method", "k",
           "memory", "total", "upload", "build", "query", "download");
    bool done = true;
    for (size_t i = 0; i < nn_case_count && done; i++) {
        bool measured = false;
        for (size_t j = 0; j < sizeof scan_jobs / sizeof *scan_jobs; j++)
            measured |= strcmp(scan_jobs[j].name, nn_cases[i].name) == 0;
        if (measured && gpu_wanted(s, nn_cases[i].name)) done = measure_pair(s, &nn_cases[i], results);
    }
    return done;
}
