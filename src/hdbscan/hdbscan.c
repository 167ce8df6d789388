/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdbscan.c: the public clump_hdbscan and clump_hdbscan_label. See hdbscan.h.
 */
#include "hdbscan/hdbscan.h"

#include "common/sort.h"
#include "common/timer.h"
#include "core/context.h"
#include "core/options.h"

/* Checks options and outputs. `points` are the number of entries of each output. */
static clump_status check(clump_context *ctx, const clump_hdbscan_options *o, size_t count, const int32_t *labels)
{
    if (o->cookie != CLUMP_HDBSCAN_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS, "%s: the options were not made by clump_hdbscan_defaults()",
                          ctx->work.call);
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_hdbscan_table, o));
    if (!labels && count > 0) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: labels is null", ctx->work.call);
    if (o->max_cluster_size != 0 && o->max_cluster_size < o->min_cluster_size)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: min_cluster_size %d is larger than max_cluster_size %d",
                          ctx->work.call, o->min_cluster_size, o->max_cluster_size);
    return CLUMP_OK;
}

/* Cuts an array off the memory at *at. */
static void *cut(char **at, size_t bytes)
{
    void *const array = *at;
    *at += (bytes + 63) / 64 * 64;
    return array;
}

/* Labels the points of a tree that has been checked. */
static clump_status label(clump_context *ctx, const int32_t *parents, const float *heights, size_t count,
                          const clump_hdbscan_options *o, int32_t *labels, clump_stats *stats)
{
    clump_density d = {.work = &ctx->work, .parents = parents, .heights = heights, .count = count};
    d.room = 2 * (count / (size_t)o->min_cluster_size) + 2; /* every split has two parts or more */
    const size_t counters = clump_radix_counters(1) * sizeof(size_t);
    const size_t bytes = count * (3 * sizeof(int32_t) + 2 * sizeof(uint64_t)) + sizeof(uint64_t) +
                         d.room * sizeof *d.clusters + counters + 8 * 64;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->density, bytes));
    char *at = ctx->density.data;
    d.size = cut(&at, count * sizeof *d.size);
    d.cluster = cut(&at, count * sizeof *d.cluster);
    d.left = cut(&at, count * sizeof *d.left);
    d.words = cut(&at, (2 * count + 1) * sizeof *d.words);
    d.clusters = cut(&at, d.room * sizeof *d.clusters);
    CLUMP_TRY(clump_density_condense(&d, (size_t)o->min_cluster_size, cut(&at, counters)));
    return clump_density_choose(&d, o, labels, stats);
}

clump_status clump_hdbscan_label(clump_context *ctx, const int32_t *parents, const float *heights, size_t count,
                                 const clump_hdbscan_options *given, int32_t *labels, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_hdbscan_label"));
    const clump_hdbscan_options o = given ? *given : clump_hdbscan_defaults();
    CLUMP_TRY(check(ctx, &o, count, labels));
    const clump_span spans[] = {
        clump_span_out("labels", labels, count, sizeof *labels, sizeof *labels),
        clump_span_out("probabilities", o.probabilities, count, sizeof *o.probabilities, sizeof *o.probabilities),
        clump_span_number("cluster_count", cluster_count, sizeof *cluster_count),
    };
    CLUMP_TRY(clump_tree_check(ctx, parents, heights, count, spans, 3));
    clump_stats stats = clump_stats_before();
    CLUMP_TRY(label(ctx, parents, heights, count, &o, labels, &stats));
    if (cluster_count) *cluster_count = stats.clusters;
    return CLUMP_OK;
}

/* Makes the tree in memory of the context, and labels its points. */
static clump_status cluster(clump_context *ctx, clump_points points, const clump_hdbscan_options *o, int32_t *labels)
{
    clump_tree_options tree = clump_tree_defaults();
    tree.min_samples = o->min_samples > 0 ? o->min_samples : o->min_cluster_size;
    if (tree.min_samples > CLUMP_TREE_MOST_SAMPLES) tree.min_samples = CLUMP_TREE_MOST_SAMPLES;
    tree.two_d = o->two_d, tree.mask = o->mask;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->density_heights, points.count * sizeof(float)));
    float *const heights = ctx->density_heights.data;
    CLUMP_TRY(clump_buffer_reserve(&ctx->work, &ctx->density_parents, points.count * sizeof(int32_t)));
    int32_t *const parents = ctx->density_parents.data;
    CLUMP_TRY(clump_tree_call(ctx, points, &tree, parents, heights));
    const double start = clump_now_ms();
    clump_stats stats = ctx->stats;
    CLUMP_TRY(label(ctx, parents, heights, points.count, o, labels, &stats));
    stats.label_ms += clump_now_ms() - start;
    ctx->stats = stats;
    return CLUMP_OK;
}

clump_status clump_hdbscan(clump_context *ctx, clump_points points, const clump_hdbscan_options *given, int32_t *labels,
                           int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_hdbscan"));
    const clump_hdbscan_options o = given ? *given : clump_hdbscan_defaults();
    CLUMP_TRY(check(ctx, &o, points.count, labels));
    clump_cloud_job in = {.labels = labels, .count = points.count, .mask = o.mask, .points = (const char *)points.xyz};
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &in.stride));
    const clump_span others[] = {
        clump_span_out("probabilities", o.probabilities, points.count, sizeof *o.probabilities,
                       sizeof *o.probabilities),
        clump_span_number("cluster_count", cluster_count, sizeof *cluster_count),
    };
    CLUMP_TRY(clump_call_check_memory(ctx, &in, others, 2));
    if (points.place != CLUMP_PLACE_HOST)
        return clump_fail(&ctx->work, CLUMP_ERR_MEMORY_KIND, "%s: the points must be in host memory", ctx->work.call);
    CLUMP_TRY(cluster(ctx, points, &o, labels));
    if (cluster_count) *cluster_count = ctx->stats.clusters;
    return CLUMP_OK;
}
