/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one method on one cloud. The first call takes memory and is compared with the reference, the
 * second tells how long a run takes and so how many there are:
 *
 *     up to 100 ms    5 to warm up, then as many as fit into 0.4 s, at least 21
 *     up to 2 s       5
 *     longer          the second call is the only one
 */
#include "gpu_measure.h"
#include "machine.h"

#include <clump/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { warm_ups = 5, least_runs = 21, most_runs = 400, slow_runs = 5, most_in_a_row = 64 };
static const double slow_seconds = 0.1, slowest_seconds = 2, enough_seconds = 0.4, row_seconds = 0.002;

const char *gpu_memory_name(gpu_memory memory)
{
    static const char *const names[MEMORIES] = {"pageable", "pinned", "device", "device no wait"};
    return names[memory];
}

/* One context with its points and labels where the job wants them. */
typedef struct bed {
    clump_context *ctx;
    clump_points points;
    float d;
    clump_ec_options options;
    size_t min_points; /* 0: Euclidean clustering */
    clump_dbscan_options density;
    const clump_erccl_options *obstacles; /* null: not clump_erccl */
    int32_t *labels;
    void *memory[2]; /* pinned or on the device: points, labels */
    clump_cuda_memory kind;
} bed;

static clump_status make_bed(const gpu_job *job, bed *b, int32_t *host_labels)
{
    *b = (bed){.d = job->item->d,
               .options = clump_ec_defaults(),
               .min_points = job->min_points,
               .density = clump_dbscan_defaults(),
               .obstacles = job->obstacles,
               .labels = host_labels};
    b->options.method = job->method;
    b->density.method = job->density;
    b->points = (clump_points){.xyz = job->cloud->xyz, .count = job->cloud->count};
    clump_context_options options = clump_context_defaults();
    options.backend = job->backend;
    options.threads = job->threads;
    clump_status status = clump_context_create(&options, &b->ctx);
    if (status != CLUMP_OK || job->memory == MEMORY_PAGEABLE) return status;
    b->kind = job->memory == MEMORY_PINNED ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE;
    const size_t points = 3 * sizeof(float) * job->cloud->count, labels = sizeof(int32_t) * job->cloud->count;
    status = clump_cuda_allocate(b->ctx, b->kind, points, &b->memory[0]);
    if (status == CLUMP_OK) status = clump_cuda_allocate(b->ctx, b->kind, labels, &b->memory[1]);
    if (status == CLUMP_OK) status = clump_cuda_copy(b->ctx, b->memory[0], job->cloud->xyz, points);
    b->points.xyz = b->memory[0], b->labels = b->memory[1];
    if (b->kind == CLUMP_CUDA_DEVICE) b->points.place = CLUMP_PLACE_DEVICE;
    return status;
}

static void clear_bed(bed *b)
{
    if (!b->ctx) return;
    for (int i = 0; i < 2; i++)
        if (b->memory[i]) clump_cuda_release(b->ctx, b->kind, b->memory[i]);
    clump_context_destroy(b->ctx);
}

static clump_status call(bed *b, int32_t *clusters)
{
    if (b->obstacles) return clump_erccl(b->ctx, b->points, b->obstacles, b->labels, clusters);
    if (b->min_points > 0)
        return clump_dbscan(b->ctx, b->points, b->d, b->min_points, &b->density, b->labels, clusters);
    return clump_ec(b->ctx, b->points, b->d, &b->options, b->labels, clusters);
}

/* One run that waits, in seconds; negative: it failed. */
static double run_waiting(bed *b)
{
    int32_t clusters;
    const double start = machine_seconds();
    const clump_status status = call(b, &clusters);
    return status == CLUMP_OK ? machine_seconds() - start : -1;
}

/* So many runs one after the other, without waiting but at their end; the mean. */
static double run_row(bed *b, size_t calls)
{
    clump_status status = CLUMP_OK;
    const double start = machine_seconds();
    for (size_t i = 0; i < calls && status == CLUMP_OK; i++) status = call(b, NULL);
    if (status == CLUMP_OK) status = clump_cuda_wait(b->ctx);
    return status == CLUMP_OK ? (machine_seconds() - start) / (double)calls : -1;
}

static void fail(gpu_row *out, const bed *b, clump_status status)
{
    out->refused = status == CLUMP_ERR_OUT_OF_MEMORY;
    out->failed = !out->refused;
    snprintf(out->note, sizeof out->note, "%.300s", b->ctx ? clump_context_error(b->ctx) : clump_status_text(status));
}

/* The first call, and whether its labels are right. */
static bool verify(bed *b, const gpu_reference *reference, int32_t *host_labels, gpu_row *out)
{
    int32_t clusters = -1;
    clump_status status = call(b, &clusters);
    if (status == CLUMP_OK && b->memory[1])
        status = clump_cuda_copy(b->ctx, host_labels, b->labels, b->points.count * sizeof *host_labels);
    if (status != CLUMP_OK) {
        fail(out, b, status);
        return false;
    }
    out->labels_hash = clump_labels_hash(host_labels, b->points.count);
    out->differs = clusters != reference->clusters || out->labels_hash != reference->labels_hash;
    if (out->differs)
        snprintf(out->note, sizeof out->note, "OTHER LABELS: %d clusters and not %d", clusters, reference->clusters);
    return true;
}

static bool take_samples(const gpu_job *job, bed *b, samples *s)
{
    const double once = run_waiting(b);
    if (once < 0) return false;
    if (once > slowest_seconds) return samples_add(s, once);
    const bool slow = once > slow_seconds;
    double fit = (job->quick ? 0.25 : 1) * enough_seconds / once;
    if (fit < least_runs) fit = least_runs;
    if (fit > most_runs) fit = most_runs;
    const size_t runs = slow ? slow_runs : (size_t)fit;
    size_t row = 1;
    if (job->memory == MEMORY_RUNNING && once < row_seconds) row = (size_t)(row_seconds / once);
    if (row > most_in_a_row) row = most_in_a_row;
    for (size_t i = 0; i < runs + (slow ? 0 : warm_ups); i++) {
        const double seconds = job->memory == MEMORY_RUNNING ? run_row(b, row) : run_waiting(b);
        if (seconds < 0) return false;
        if ((slow || i >= warm_ups) && !samples_add(s, seconds)) return false;
    }
    return true;
}

static const char *method_name(const gpu_job *job)
{
    if (job->obstacles) return clump_erccl_method_name(job->obstacles->method);
    return job->min_points ? clump_dbscan_method_name(job->density) : clump_ec_method_name(job->method);
}

void gpu_measure(const gpu_job *job, const gpu_reference *reference, gpu_row *out)
{
    *out = (gpu_row){.d = job->item->d,
                     .points = job->cloud->count,
                     .backend = job->backend,
                     .method = method_name(job),
                     .memory = job->memory,
                     .target_ms = job->target_ms};
    snprintf(out->part, sizeof out->part, "%s", job->part);
    snprintf(out->cloud, sizeof out->cloud, "%s", job->item->name);
    if (job->parameters)
        snprintf(out->parameters, sizeof out->parameters, "%s", job->parameters);
    else
        bench_case_parameters(job->item, out->parameters, sizeof out->parameters);
    out->stats.threads = job->threads;
    int32_t *const labels = malloc(job->cloud->count * sizeof *labels + 1);
    samples s = {0};
    bed b = {0};
    const clump_status status = labels ? make_bed(job, &b, labels) : CLUMP_ERR_OUT_OF_MEMORY;
    if (status != CLUMP_OK) {
        fail(out, &b, status);
    } else if (verify(&b, reference, labels, out)) {
        if (!take_samples(job, &b, &s)) fail(out, &b, CLUMP_ERR_INTERNAL);
        /* a call that did not wait knows nothing of itself */
        const bool known = job->memory != MEMORY_RUNNING || run_waiting(&b) >= 0;
        if (!out->failed && known) out->stats = clump_context_stats(b.ctx);
    }
    out->time = samples_sum_up(&s);
    samples_free(&s);
    clear_bed(&b);
    free(labels);
}

/* By clump_erccl with these options, else by clump_dbscan where min_points are given, else by clump_ec. */
static bool make_reference(const bench_cloud *cloud, float d, size_t min_points, const clump_erccl_options *obstacles,
                           gpu_reference *out, clump_message *why)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    int32_t *const labels = malloc(cloud->count * sizeof *labels + 1);
    clump_status status = labels ? clump_context_create(&options, &ctx) : CLUMP_ERR_OUT_OF_MEMORY;
    const clump_points points = {.xyz = cloud->xyz, .count = cloud->count};
    if (status == CLUMP_OK && obstacles)
        status = clump_erccl(ctx, points, obstacles, labels, &out->clusters);
    else if (status == CLUMP_OK)
        status = min_points > 0 ? clump_dbscan(ctx, points, d, min_points, NULL, labels, &out->clusters)
                                : clump_ec(ctx, points, d, NULL, labels, &out->clusters);
    if (status == CLUMP_OK)
        out->labels_hash = clump_labels_hash(labels, cloud->count);
    else
        snprintf(why->text, sizeof why->text, "%s", ctx ? clump_context_error(ctx) : clump_status_text(status));
    clump_context_destroy(ctx);
    free(labels);
    return status == CLUMP_OK;
}

bool gpu_reference_make(const bench_cloud *cloud, float d, size_t min_points, gpu_reference *out, clump_message *why)
{
    return make_reference(cloud, d, min_points, NULL, out, why);
}

bool gpu_reference_erccl(const bench_cloud *cloud, const clump_erccl_options *options, gpu_reference *out,
                         clump_message *why)
{
    return make_reference(cloud, 0, 0, options, out, why);
}
