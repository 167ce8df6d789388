/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.h: labels to member lists, for clump_group and whoever else walks the clusters one by one.
 */
#ifndef CLUMP_HOST_GROUP_H
#define CLUMP_HOST_GROUP_H

#include <clump/clump.h>

/* clump_group without clearing the error text; `call` is the public name for the sentence. */
clump_status clump_group_labels(clump_context *ctx, const char *call, const int32_t *labels, size_t count,
                                int32_t cluster_count, int32_t *offsets, int32_t *members);

#endif
