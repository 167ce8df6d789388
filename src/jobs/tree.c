/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.c: the public clump_tree and clump_tree_cut.
 */
#include "core/context.h"

#include "common/assert.h"
#include "core/options.h"
#include "rules/distance.h"

#include <clump/tree.h>

#include <math.h>
#include <string.h>

#define TREE_POLLED 65536 /* points between two polls */

CLUMP_CALL_RUN(tree)

clump_status clump_tree_call(clump_context *ctx, clump_points points, const clump_tree_options *o, int32_t *parents,
                             float *heights)
{
    static const clump_method method = {"tree", true, true, CLUMP_COST_LINEAR};
    clump_tree_job job = {
        .min_samples = (size_t)o->min_samples, .parents = parents, .heights = heights, .cores = o->cores};
    const clump_clustering common = {.mask = o->mask, .two_d = o->two_d};
    CLUMP_TRY(clump_call_input(&ctx->work, points, &common, parents, true, &job.in));
    clump_opened on;
    CLUMP_TRY(clump_context_open(ctx, points.place, &method, points.count, &on));
    clump_stats stats = clump_stats_before();
    clump_status status = run(ctx, &on, &job, &stats);
    if (status != CLUMP_OK && clump_context_fall_back(ctx, points.place, status, &on)) {
        stats = clump_stats_before();
        status = run(ctx, &on, &job, &stats);
    }
    CLUMP_TRY(status);
    clump_keep_stats(ctx, on.table->id, method.name, &stats);
    ctx->stats.points = points.count;
    return CLUMP_OK;
}

clump_status clump_tree(clump_context *ctx, clump_points points, const clump_tree_options *given, int32_t *parents,
                        float *heights)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_tree"));
    const clump_tree_options o = given ? *given : clump_tree_defaults();
    if (o.cookie != CLUMP_TREE_COOKIE)
        return clump_fail(&ctx->work, CLUMP_ERR_OPTIONS,
                          "clump_tree: the options were not made by clump_tree_defaults()");
    CLUMP_TRY(clump_option_check(&ctx->work, &clump_tree_table, &o));
    size_t stride;
    CLUMP_TRY(clump_check_points(&ctx->work, ctx->work.call, points, &stride));
    if ((!parents || !heights) && points.count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_tree: %s is null", parents ? "heights" : "parents");
    const clump_span spans[] = {
        clump_span_points("points.xyz", points.xyz, points.count, stride),
        clump_span_in("mask", o.mask, points.count, 1, 1),
        clump_span_out("parents", parents, points.count, sizeof *parents, sizeof *parents),
        clump_span_out("heights", heights, points.count, sizeof *heights, sizeof *heights),
        clump_span_out("cores", o.cores, points.count, sizeof *o.cores, sizeof *o.cores),
    };
    CLUMP_TRY(clump_check_spans(&ctx->work, ctx->work.call, spans, sizeof spans / sizeof *spans));
    return clump_tree_call(ctx, points, &o, parents, heights);
}

/* --- the cut -------------------------------------------------------------------------------------- */

/* Which points and which links count. */
typedef struct cut_rule {
    const int32_t *parents;
    const float *heights, *cores;
    float bound;
    bool inclusive; /* as clump_dbscan compares, else as clump_ec */
} cut_rule;

static inline bool is_within(const cut_rule *rule, float d2)
{
    return rule->inclusive ? d2 <= rule->bound : d2 < rule->bound;
}

/* Returns whether point i is in a component, and writes the point before it in the same component, or i. */
static inline bool find_link(const cut_rule *rule, size_t i, int32_t *link)
{
    if (rule->parents[i] < 0 || (rule->cores && !is_within(rule, rule->cores[i]))) return false;
    *link = is_within(rule, rule->heights[i]) ? rule->parents[i] : (int32_t)i;
    return true;
}

/* Returns whether parent and height of point i are those of a tree, as its parent's are: then nothing is read outside of the
 * arrays. Heights sort like their bits, so -0 is none. */
static inline bool is_link(const int32_t *parents, const float *heights, size_t i)
{
    const int32_t parent = parents[i];
    if (parent == CLUMP_NOISE) return true;
    if (parent == (int32_t)i) return heights[i] == INFINITY;
    if (parent < 0 || parent > (int32_t)i || parents[parent] == CLUMP_NOISE) return false;
    return heights[i] < heights[parent] && !signbit(heights[i]);
}

clump_status clump_tree_check(clump_context *ctx, const int32_t *parents, const float *heights, size_t count,
                              const clump_span *others, size_t other_count)
{
    const char *const call = ctx->work.call;
    if (count > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY, "%s: %zu points, at most 2147483647 are allowed", call,
                          count);
    if (count > 0 && (!parents || !heights))
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "%s: %s is null", call, parents ? "heights" : "parents");
    clump_span spans[2 + CLUMP_CALL_SPANS] = {
        clump_span_in("parents", parents, count, sizeof *parents, sizeof *parents),
        clump_span_in("heights", heights, count, sizeof *heights, sizeof *heights),
    };
    CLUMP_ASSERT(other_count <= CLUMP_CALL_SPANS);
    memcpy(spans + 2, others, other_count * sizeof *others);
    CLUMP_TRY(clump_check_spans(&ctx->work, call, spans, 2 + other_count));
    for (size_t i = 0; i < count; i++) {
        if (i % TREE_POLLED == 0) CLUMP_TRY(clump_poll(&ctx->work));
        if (!is_link(parents, heights, i))
            return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT,
                              "%s: point %zu with parent %d and height %g is not part of a tree of clump_tree", call, i,
                              (int)parents[i], (double)heights[i]);
    }
    return CLUMP_OK;
}

/* Labels all points. Parents come before their children, so one pass is enough. */
static clump_status label_points(clump_context *ctx, const cut_rule *rule, size_t count, int32_t *labels,
                                 clump_stats *stats)
{
    stats->clusters = 0, stats->noise = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % TREE_POLLED == 0) CLUMP_TRY(clump_poll(&ctx->work));
        int32_t link;
        if (!find_link(rule, i, &link)) {
            labels[i] = CLUMP_NOISE;
            stats->noise++;
        } else {
            labels[i] = link == (int32_t)i ? stats->clusters++ : labels[link];
        }
    }
    return CLUMP_OK;
}

clump_status clump_tree_cut(clump_context *ctx, const int32_t *parents, const float *heights, const float *cores,
                            size_t count, float distance, size_t min_size, int32_t *labels, int32_t *cluster_count)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_tree_cut"));
    clump_cloud_job job = {.count = count, .labels = labels, .min_size = min_size, .order = CLUMP_ORDER_INDEX};
    if (!labels && count > 0) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_tree_cut: labels is null");
    CLUMP_TRY(clump_call_radius(&ctx->work, "distance", distance, &job));
    const clump_span spans[] = {
        clump_span_in("cores", cores, count, sizeof *cores, sizeof *cores),
        clump_span_out("labels", labels, count, sizeof *labels, sizeof *labels),
        clump_span_number("cluster_count", cluster_count, sizeof *cluster_count),
    };
    CLUMP_TRY(clump_tree_check(ctx, parents, heights, count, spans, 3));
    const cut_rule rule = {parents, heights, cores, clump_distance_bound(distance), cores != NULL};
    clump_stats stats = clump_stats_before();
    CLUMP_TRY(label_points(ctx, &rule, count, labels, &stats));
    CLUMP_TRY(clump_labels_finish(&ctx->work, &job, &stats));
    if (cluster_count) *cluster_count = stats.clusters;
    return CLUMP_OK;
}
