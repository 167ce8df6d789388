/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.c: the public clump_group: its checks and the choice of backend.
 */
#include "core/context.h"

/* Checks alignment and overlap. `members` is as long as the labels demand; on the device nothing can be read. */
static clump_status check_memory(clump_context *ctx, const clump_group_job *job)
{
    clump_span spans[] = {
        clump_span_out("offsets", job->offsets, (size_t)job->cluster_count + 1, sizeof(int32_t), sizeof(int32_t)),
        clump_span_in("labels", job->labels, job->count, sizeof(int32_t), sizeof(int32_t)),
        clump_span_out("members", job->members, 0, sizeof(int32_t), sizeof(int32_t)),
    };
    CLUMP_TRY(clump_check_spans(&ctx->work, ctx->work.call, spans, 3)); /* now labels may be read */
    size_t in_clusters = job->place == CLUMP_PLACE_DEVICE ? job->count : 0;
    for (size_t i = 0; job->place == CLUMP_PLACE_HOST && i < job->count; i++) in_clusters += job->labels[i] >= 0;
    spans[2] = clump_span_out("members", job->members, in_clusters, sizeof(int32_t), sizeof(int32_t));
    return clump_check_spans(&ctx->work, ctx->work.call, spans, 3);
}

CLUMP_CALL_RUN(group)

clump_status clump_group(clump_context *ctx, const int32_t *labels, size_t count, clump_place place,
                         int32_t cluster_count, int32_t *offsets, int32_t *members)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_group"));
    const clump_group_job job = {labels, count, place, cluster_count, offsets, members};
    if (count > INT32_MAX)
        return clump_fail(&ctx->work, CLUMP_ERR_TOO_MANY, "clump_group: %zu labels, at most %d fit into one call",
                          count, INT32_MAX);
    if (!labels && count > 0) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_group: labels is null");
    if (cluster_count < 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_group: cluster_count is %d, below 0", cluster_count);
    if (!offsets) return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_group: offsets is null");
    if (place != CLUMP_PLACE_HOST && place != CLUMP_PLACE_DEVICE)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_group: there is no place number %d", (int)place);
    if (place == CLUMP_PLACE_DEVICE && !members && count > 0)
        return clump_fail(&ctx->work, CLUMP_ERR_ARGUMENT, "clump_group: members is null");
    CLUMP_TRY(check_memory(ctx, &job));
    static const clump_method method = {"group", true, true, CLUMP_COST_LINEAR};
    return clump_call_without_figures(ctx, place, &method, count, run, &job);
}
