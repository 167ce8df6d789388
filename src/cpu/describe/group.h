/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.h: clump_group on the CPU.
 */
#ifndef CLUMP_CPU_DESCRIBE_GROUP_H
#define CLUMP_CPU_DESCRIBE_GROUP_H

#include "core/context.h"

/* `scratch` may be any buffer that no other job needs now. */
clump_status clump_cpu_group(clump_context *ctx, clump_buffer *scratch, const clump_group_job *job,
                             clump_result *result);

#endif
