/* SPDX-License-Identifier: BSD-3-Clause
 *
 * refuse.h: the sentences of clump_describe and clump_group about labels and points that are not allowed. Both backends
 * find them; the sentence is the same.
 */
#ifndef CLUMP_CORE_REFUSE_H
#define CLUMP_CORE_REFUSE_H

#include "core/context.h"

/* labels[i] is `label`, and labels from cluster_count on are not allowed. */
clump_status clump_refuse_label(clump_context *ctx, size_t i, int32_t label, int32_t cluster_count);

/* Point i of cluster `label` is not finite, seen from above. */
clump_status clump_refuse_point(clump_context *ctx, size_t i, int32_t label, const float point[3], clump_up up);

/* `total` points are in clusters, and there is no memory for the list of them. */
clump_status clump_refuse_members(clump_context *ctx, int32_t total);

#endif
