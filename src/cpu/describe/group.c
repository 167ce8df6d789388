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
#include "cpu/describe/group.h"

#include "core/refuse.h"

#include <string.h>

static bool is_allowed(int32_t label, int32_t cluster_count)
{
    return label < cluster_count && label >= CLUMP_GROUND;
}

clump_status clump_group_refuse(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_allowed(labels[i], cluster_count)) return clump_refuse_label(ctx, i, labels[i], cluster_count);
    return CLUMP_OK;
}

clump_status clump_cpu_group(clump_context *ctx, const clump_group_job *job)
{
    const size_t clusters = (size_t)job->cluster_count, count = job->count;
    const int32_t *const labels = job->labels;
    int32_t *const offsets = job->offsets, *const members = job->members;
    memset(offsets, 0, (clusters + 1) * sizeof *offsets);
    CLUMP_TRY(clump_group_refuse(ctx, labels, count, job->cluster_count));
    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) offsets[labels[i]]++;

    int32_t start = 0;
    for (size_t c = 0; c <= clusters; c++) {
        const int32_t size = offsets[c];
        offsets[c] = start;
        start += size;
    }
    if (start > 0 && !members) return clump_refuse_members(ctx, start);

    for (size_t i = 0; i < count; i++)
        if (labels[i] >= 0) members[offsets[labels[i]]++] = (int32_t)i;
    memmove(offsets + 1, offsets, clusters * sizeof *offsets);
    offsets[0] = 0;
    return CLUMP_OK;
}
