/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.h: lists of the members of each cluster, for clump_group and clump_describe.
 */
#ifndef CLUMP_HOST_GROUP_H
#define CLUMP_HOST_GROUP_H

#include <clump/clump.h>

/* Does what clump_group does, with checked pointers. `call` is the name of the public call, for error messages. */
clump_status clump_group_labels(clump_context *ctx, const char *call, const int32_t *labels, size_t count,
                                int32_t cluster_count, int32_t *offsets, int32_t *members);

/* Finds where the points of each cluster start in an array sorted by cluster. */
clump_status clump_group_starts(clump_context *ctx, const char *call, const int32_t *labels, size_t count,
                                int32_t cluster_count, int32_t *starts);

#endif
