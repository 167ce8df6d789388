/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.h: clump_group on the CPU, and what it shares with clump_describe.
 */
#ifndef CLUMP_CPU_DESCRIBE_GROUP_H
#define CLUMP_CPU_DESCRIBE_GROUP_H

#include "core/context.h"

clump_status clump_cpu_group(clump_context *ctx, const clump_group_job *job);

/* Fails with the first label that is not allowed; CLUMP_OK if there is none. */
clump_status clump_group_refuse(clump_context *ctx, const int32_t *labels, size_t count, int32_t cluster_count);

#endif
