/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe.h: clump_describe on the CPU.
 */
#ifndef CLUMP_CPU_DESCRIBE_DESCRIBE_H
#define CLUMP_CPU_DESCRIBE_DESCRIBE_H

#include "core/context.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_describe_scratch {
    clump_buffer buffer;
} clump_cpu_describe_scratch;

clump_status clump_cpu_describe(clump_context *ctx, clump_cpu_describe_scratch *scratch, const clump_describe_job *job,
                                clump_result *result);

/* Takes the memory for any labels of up to max_points points, with heights and without values. */
clump_status clump_cpu_describe_reserve(clump_context *ctx, clump_cpu_describe_scratch *scratch, size_t max_points);
void clump_cpu_describe_release(clump_context *ctx, clump_cpu_describe_scratch *scratch);

#endif
