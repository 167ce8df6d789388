/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_fast.h: the method `fast`, of Euclidean clustering and of DBSCAN, where the radius grows with the range. The
 * memory of the methods for one radius is shared with them.
 */
#ifndef CLUMP_CPU_RANGED_FAST_H
#define CLUMP_CPU_RANGED_FAST_H

#include "cpu/dbscan_fast.h"
#include "cpu/ranged.h"

clump_status clump_cpu_ec_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_ec_job *job,
                                 clump_ec_result *result);
clump_status clump_cpu_dbscan_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_ec_result *result);

#endif
