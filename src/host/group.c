/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.c: the points of each cluster, by a counting sort. Points are placed in order, so the members of a cluster are
 * ascending. No scratch is needed: placing members advances offsets[c] from the start of cluster c to its end, which is
 * the start of c + 1. Shifting the offsets by one entry repairs that.
 *
 *     labels    1  0  -1  1  1      counts   1  3  .
 *                                   starts   0  1  .
 *     members   1 | 0  3  4         ends     1  4  .   ->   offsets   0  1  4
 */
#include "host/group.h"

#include "core/context.h"

#include <string.h>

static bool is_allowed(int32_t label, int32_t cluster_count)
{
    return label < cluster_count && label >= CLUMP_GROUND;
}

clump_status clump_group_refuse(clump_context *ctx, const char *call, const int32_t *labels, size_t count,
                                int32_t cluster_count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_allowed(labels[i], cluster_count))
            return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "%s: labels[%zu] is %d, allowed are %d to %d", call, i,
                              labels[i], CLUMP_GROUND, cluster_count - 1);
    return CLUMP_OK;
}

/* Groups points, with checked pointers. */
static clump_status group_labels(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count,
                                 int32_t *offsets, int32_t *members)
{
    const size_t clusters = (size_t)cluster_count;
    memset(offsets, 0, (clusters + 1) * sizeof *offsets);
    CLUMP_TRY(clump_group_refuse(ctx, "clump_group", labels, count, cluster_count));
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) offsets[labels[i]]++;

    int32_t start = 0;
    for (size_t c = 0; c <= clusters; c++) {
        const int32_t size = offsets[c];
        offsets[c] = start;
        start += size;
    }
    if (start > 0 && !members)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_group: members is null but %d points are in a cluster",
                          start);

    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) members[offsets[labels[i]]++] = (int32_t)i;
    memmove(offsets + 1, offsets, clusters * sizeof *offsets);
    offsets[0] = 0;
    return CLUMP_OK;
}

static clump_status check_memory(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count,
                                 const int32_t *offsets, const int32_t *members)
{
    clump_span spans[] = {
        clump_span_out("offsets", offsets, (size_t)cluster_count + 1, sizeof *offsets, sizeof *offsets),
        clump_span_in("labels", labels, count, sizeof *labels, sizeof *labels),
        clump_span_out("members", members, 0, sizeof *members, sizeof *members),
    };
    CLUMP_TRY(clump_check_spans(ctx, "clump_group", spans, 3)); /* now labels may be read */
    size_t in_clusters = 0;
    for (size_t i = 0; i < count; i++) in_clusters += labels[i] >= 0;
    spans[2] = clump_span_out("members", members, in_clusters, sizeof *members, sizeof *members);
    return clump_check_spans(ctx, "clump_group", spans, 3);
}

clump_status clump_group(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count,
                         int32_t *offsets, int32_t *members)
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_begin(ctx, "clump_group"));
    if (count > INT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "clump_group: %zu labels, at most %d fit into one call", count,
                          INT32_MAX);
    if (!labels && count > 0) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_group: labels is null");
    if (cluster_count < 0)
        return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_group: cluster_count is %d, below 0", cluster_count);
    if (!offsets) return clump_fail(ctx, CLUMP_ERR_ARGUMENT, "clump_group: offsets is null");
    CLUMP_TRY(check_memory(ctx, labels, count, cluster_count, offsets, members));
    return group_labels(ctx, labels, count, cluster_count, offsets, members);
}
