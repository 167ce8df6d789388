/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_dbscan.h: density clustering once more, by comparing all pairs, as oracle.h does for clump_ec.
 */
#ifndef CLUMP_TESTS_ORACLE_DBSCAN_H
#define CLUMP_TESTS_ORACLE_DBSCAN_H

#include <clump/clump.h>

/* What clump_dbscan has in common with clump_ec, for the functions of oracle.h and sweep.h. */
clump_ec_options oracle_common(const clump_dbscan_options *options);

/* Labels and core flags as clump_dbscan defines them, in time n^2; returns the number of clusters. options may be
 * null for the defaults; its method is ignored. core has an entry a point. */
int32_t oracle_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                      int32_t *labels, uint8_t *core);

#endif
