/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.h: what clump_group and clump_describe share.
 */
#ifndef CLUMP_HOST_GROUP_H
#define CLUMP_HOST_GROUP_H

#include <clump/clump.h>

/* Fails with the first label that is not allowed; CLUMP_OK if there is none. `call` is the name of the public call. */
clump_status clump_group_refuse(clump_context *ctx, const char *call, const int32_t *labels, size_t count,
                                int32_t cluster_count);

#endif
