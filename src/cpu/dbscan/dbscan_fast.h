/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_fast.h: the method `fast` of DBSCAN on the CPU.
 */
#ifndef CLUMP_CPU_DBSCAN_DBSCAN_FAST_H
#define CLUMP_CPU_DBSCAN_DBSCAN_FAST_H

#include "cpu/dbscan/density.h"
#include "cpu/ec/ec_fast.h"

typedef struct clump_cpu_dbscan {
    clump_density density;
    clump_buffer core; /* flags, where the caller does not want them */
} clump_cpu_dbscan;

/* `fast` is that of Euclidean clustering, whose memory the two share. */
clump_status clump_cpu_dbscan_fast(clump_context *ctx, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                   const clump_dbscan_job *job, clump_result *result);
clump_status clump_cpu_dbscan_reserve(clump_context *ctx, clump_cpu_dbscan *s, size_t max_points);
void clump_cpu_dbscan_release(clump_context *ctx, clump_cpu_dbscan *s);

#endif
