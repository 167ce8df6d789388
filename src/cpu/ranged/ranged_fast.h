/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_fast.h: the method `fast`, of Euclidean clustering and of DBSCAN, where the radius grows with the range. It
 * shares the memory of the methods for one radius.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_FAST_H
#define CLUMP_CPU_RANGED_RANGED_FAST_H

#include "cpu/dbscan/dbscan_fast.h"
#include "cpu/ranged/ranged.h"

clump_status clump_cpu_ec_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_result *result);
clump_status clump_cpu_dbscan_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_result *result);

#endif
