/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_describe.c: the public clump_describe_batch. Every number of a cluster depends on the set of its points alone, so
 * the clusters of all clouds are described as those of one cloud. For that the labels of a cloud are shifted by the
 * number of clusters before it, and the labels in the output are shifted back:
 *
 *     labels    0 1 -1 | 1 0 | 0      cluster_offsets  0 2 4 5
 *     shifted   0 1 -1 | 3 2 | 4      clusters         0 1 | 0 1 | 0
 */
#include "jobs/batch.h"

#include "common/assert.h"
#include "core/options.h"

/* Writes the shifted labels of a batch in host memory. Fails with the first label that its cloud does not have. */
static clump_status shift_labels(clump_context *ctx, const clump_describe_batch_job *job, int32_t *to)
{
    for (size_t c = 0; c < job->clouds; c++) {
        const int32_t first = (int32_t)job->first[c], most = (int32_t)(job->first[c + 1] - job->first[c]);
        for (int64_t i = job->offsets[c]; i < job->offsets[c + 1]; i++) {
            const int32_t label = job->all.labels[i];
            if (label >= most)
                return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                                  "%s: labels[%lld] is %d, but cloud %zu has %d clusters by cluster_offsets",
                                  ctx->work.call, (long long)i, label, c, most);
            to[i] = label < 0 ? label : label + first;
        }
        CLUMP_TRY(clump_poll(&ctx->work));
    }
    return CLUMP_OK;
}

static clump_status run(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->describe(&ctx->work, on->state, job, stats);
}

static clump_status run_on_device(clump_context *ctx, const clump_opened *on, const void *job, clump_stats *stats)
{
    return on->table->describe_batch(&ctx->work, on->state, job, stats);
}

/* Describes a batch in host memory, on any backend. */
static clump_status describe_on_host(clump_context *ctx, const clump_describe_batch_job *job,
                                     const clump_method *method)
{
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->batch_labels, job->all.count * sizeof(int32_t)));
    CLUMP_TRY(shift_labels(ctx, job, ctx->batch_labels.data));
    clump_describe_job all = job->all;
    all.labels = ctx->batch_labels.data;
    CLUMP_TRY(clump_call_without_figures(ctx, all.place, method, all.count, run, &all));
    for (size_t c = 0; c < job->clouds; c++)
        for (int64_t k = job->first[c]; k < job->first[c + 1]; k++) all.clusters[k].label -= (int32_t)job->first[c];
    return CLUMP_OK;
}

/* Checks the arguments besides the options. */
static clump_status check(clump_context *ctx, const clump_describe_batch_job *job)
{
    const clump_describe_job *const all = &job->all;
    CLUMP_TRY(clump_batch_check_clouds(ctx, job->offsets, job->clouds, all->count));
    if (!all->labels && all->count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels is null", ctx->work.call);
    if (!job->first && job->clouds > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: cluster_offsets is null", ctx->work.call);
    CLUMP_TRY(clump_batch_check_offsets(ctx, "cluster_offsets", job->first, job->clouds, (int64_t)all->count,
                                        "the number of points is"));
    if (all->place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    CLUMP_TRY(clump_batch_check_offsets(ctx, "offsets", job->offsets, job->clouds, (int64_t)all->count,
                                        "the number of points is"));
    if (job->clouds > 0 && job->offsets[job->clouds] != (int64_t)all->count)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                          "%s: offsets[%zu] is %lld, it must be the number of points, %zu", ctx->work.call, job->clouds,
                          (long long)job->offsets[job->clouds], all->count);
    return CLUMP_OK;
}

clump_status clump_describe_batch(clump_context *ctx, clump_points points, const int64_t *offsets, size_t clouds,
                                  const int32_t *labels, const int64_t *cluster_offsets,
                                  const clump_describe_options *given, clump_cluster *clusters)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_describe_batch"));
    clump_describe_batch_job job = {.all = {.points = (const char *)points.xyz,
                                            .count = points.count,
                                            .place = points.place,
                                            .labels = labels,
                                            .clusters = clusters,
                                            .options = given ? *given : clump_describe_defaults()},
                                    .offsets = offsets,
                                    .first = cluster_offsets,
                                    .clouds = clouds};
    clump_describe_job *const all = &job.all;
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &all->stride));
    CLUMP_TRY(clump_describe_check(ctx, points.place, &all->options));
    CLUMP_TRY(check(ctx, &job));
    all->cluster_count = all->described = clouds > 0 ? (int32_t)cluster_offsets[clouds] : 0;
    if (!clusters && all->described > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: clusters is null", ctx->work.call);
    if (all->options.hull_capacity > points.count) all->options.hull_capacity = points.count;
    all->wait = all->options.clusters_place == CLUMP_PLACE_HOST;
    CLUMP_TRY(clump_describe_check_memory(ctx, all));
    static const clump_method method = {"describe", true, true, CLUMP_COST_LINEAR};
    if (points.place == CLUMP_PLACE_HOST) return describe_on_host(ctx, &job, &method);
    return clump_call_without_figures(ctx, points.place, &method, points.count, run_on_device, &job);
}
