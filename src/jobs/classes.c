/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classes.c: see classes.h.
 */
#include "jobs/classes.h"

#include "common/assert.h"
#include "common/timer.h"

#include <string.h>

/* --- points on a device: they are clustered in host memory, where their classes are looked up ------- */

/* Copies an array of a device to *memory and moves on; null stays null. */
static clump_status fetch(clump_context *ctx, const clump_opened *on, char **memory, const void *from, size_t bytes,
                          const void **to)
{
    *to = NULL;
    if (!from || bytes == 0) return CLUMP_OK;
    CLUMP_TRY(on->table->copy(&ctx->work, on->state, *memory, from, bytes));
    *to = *memory;
    *memory += (bytes + 63) / 64 * 64;
    return CLUMP_OK;
}

/* Brings the input of a call on a device to host memory, and gives its output a place there. */
static clump_status bring(clump_context *ctx, clump_class_job *job, const clump_opened *on)
{
    clump_cloud_job *const in = &job->in;
    const size_t n = in->count, points = n > 0 ? (n - 1) * in->stride + sizeof(float[3]) : 0;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->classes.fetched, points + n + n * sizeof *job->of + 4 * 64));
    char *memory = ctx->classes.fetched.data;
    const void *to;
    CLUMP_TRY(fetch(ctx, on, &memory, in->points, points, &to));
    in->points = to;
    CLUMP_TRY(fetch(ctx, on, &memory, in->mask, n, &to));
    in->mask = to;
    CLUMP_TRY(fetch(ctx, on, &memory, job->of, n * sizeof *job->of, &to));
    job->of = to;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->classes.produced, n * (sizeof(int32_t) + 1)));
    in->labels = ctx->classes.produced.data;
    if (job->core) job->core = (uint8_t *)(in->labels + n);
    in->place = CLUMP_PLACE_HOST;
    return CLUMP_OK;
}

/* --- the call ---------------------------------------------------------------------------------------- */

static clump_status run(clump_context *ctx, const clump_opened *on, const void *given, clump_stats *stats)
{
    const clump_class_job *const job = given;
    clump_opened here = *on;
    size_t found;
    if (job->by.objects) CLUMP_TRY(clump_context_open_cpu(ctx, &here));
    CLUMP_TRY(clump_class_cluster_parts(ctx, &here, job, &found, stats));
    const double start = clump_now_ms();
    CLUMP_TRY(clump_class_number(ctx, job, found, stats));
    stats->label_ms += clump_now_ms() - start;
    return CLUMP_OK;
}

/* Refuses what a call without classes has, and this has not. */
static clump_status check(clump_context *ctx, const clump_class_job *job, bool batch)
{
    if (job->in.clusters_on_device)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED,
                          "%s: with classes the call waits, and clusters_on_device is not supported; use cluster_count",
                          ctx->work.call);
    if (batch && job->in.place == CLUMP_PLACE_DEVICE)
        return clump_fail(&ctx->work, CLUMP_ERR_UNSUPPORTED, "%s: a batch with classes needs its points in host memory",
                          ctx->work.call);
    const clump_objects_job *const tree = job->by.objects;
    const clump_span spans[] = {
        clump_span_in("classes.of", job->of, job->in.count, sizeof *job->of, sizeof *job->of),
        clump_span_out("labels", job->in.labels, job->in.count, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("core", job->core, job->in.count, 1, 1),
        clump_span_out("cluster_counts", job->counts, job->scenes, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("objects.found", tree ? tree->found : NULL, tree ? (size_t)tree->capacity : 0,
                       sizeof(clump_object), _Alignof(clump_object)),
    };
    return clump_check_spans(&ctx->work, ctx->work.call, spans, sizeof spans / sizeof *spans);
}

/* Runs a job in host memory. */
static clump_status run_job(clump_context *ctx, clump_class_job *job, int32_t *cluster_count)
{
    const double start = clump_now_ms();
    CLUMP_TRY(clump_class_deal(ctx, job));
    const double build_ms = clump_now_ms() - start;
    CLUMP_TRY(clump_call(ctx, job->methods, job->method, run, job, &job->in, cluster_count));
    ctx->stats.build_ms += build_ms;
    return CLUMP_OK;
}

/* Runs a job on a device: its results go back there. */
static clump_status run_on_device(clump_context *ctx, clump_class_job *job, int32_t *cluster_count)
{
    const clump_class_job given = *job;
    const clump_method *const method = clump_method_at(job->methods, job->method);
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, job->in.place, method, job->in.count, &on));
    CLUMP_TRY(bring(ctx, job, &on));
    CLUMP_TRY(run_job(ctx, job, cluster_count));
    const size_t n = job->in.count;
    if (n == 0) return CLUMP_OK;
    CLUMP_TRY(on.table->copy(&ctx->work, on.state, given.in.labels, job->in.labels, n * sizeof(int32_t)));
    return given.core ? on.table->copy(&ctx->work, on.state, given.core, job->core, n) : CLUMP_OK;
}

/* Sets what depends on the clustering. */
static void set_clustering(const clump_class_clustering *by, clump_class_job *job)
{
    CLUMP_ASSERT((by->ec != NULL) + (by->dbscan != NULL) + (by->objects != NULL) == 1);
    job->by = *by;
    if (by->ec) {
        job->in = by->ec->in;
        job->methods = &clump_ec_methods;
        job->method = (int)by->ec->method;
    } else if (by->dbscan) {
        job->in = by->dbscan->in;
        job->methods = &clump_dbscan_methods;
        job->method = (int)by->dbscan->method;
        job->core = by->dbscan->core;
    } else {
        job->in = by->objects->in;
        job->methods = &clump_objects_methods;
    }
}

clump_status clump_class_call(clump_context *ctx, const clump_classes *classes, const clump_class_clustering *by,
                              const clump_batch_job *batch, int32_t *cluster_count)
{
    clump_class_job job = {.of = classes->of, .scenes = 1};
    set_clustering(by, &job);
    const int64_t whole[2] = {0, (int64_t)job.in.count};
    job.offsets = whole;
    if (batch) {
        job.offsets = batch->offsets;
        job.scenes = batch->clouds;
        job.radii = batch->radii;
        job.counts = batch->counts;
    }
    if (!clump_method_at(job.methods, job.method))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: there is no method number %d", ctx->work.call,
                          job.method);
    CLUMP_TRY(check(ctx, &job, batch != NULL));
    CLUMP_TRY(clump_class_read_rows(ctx, classes, &job));
    const bool there = job.in.place == CLUMP_PLACE_DEVICE;
    return there ? run_on_device(ctx, &job, cluster_count) : run_job(ctx, &job, cluster_count);
}
