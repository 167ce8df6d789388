/* SPDX-License-Identifier: BSD-3-Clause
 *
 * refuse.c: see cluster.h.
 */
#include "core/cluster.h"

clump_status clump_refuse_label(clump_work *work, size_t i, int32_t label, int32_t cluster_count)
{
    return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: labels[%zu] is %d, allowed are %d to %d", work->call, i, label,
                      CLUMP_GROUND, cluster_count - 1);
}

clump_status clump_refuse_point(clump_work *work, size_t i, int32_t label, const float point[3], clump_up up)
{
    const int across = clump_across(up);
    return clump_fail(work, CLUMP_ERR_ARGUMENT,
                      "%s: point %zu is in cluster %d but at x = %g, %c = %g, which is not finite", work->call, i,
                      label, (double)point[0], "xyz"[across], (double)point[across]);
}

clump_status clump_refuse_members(clump_work *work, int32_t total)
{
    return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: members is null but %d points are in a cluster", work->call,
                      total);
}
