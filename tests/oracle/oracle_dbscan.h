/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_dbscan.h: an independent implementation of density clustering that compares all pairs, as oracle.h for
 * clump_ec.
 */
#ifndef CLUMP_TESTS_ORACLE_DBSCAN_H
#define CLUMP_TESTS_ORACLE_DBSCAN_H

#include <clump/clump.h>

/* Returns the options that clump_dbscan shares with clump_ec, for the functions of oracle.h and sweep.h. */
clump_ec_options oracle_common(const clump_dbscan_options *options);

/* Computes labels and core flags of clump_dbscan in time n^2 and returns the number of clusters. options may be null
 * for the defaults; the method is ignored. core has one entry per point. */
int32_t oracle_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                      int32_t *labels, uint8_t *core);

#endif
