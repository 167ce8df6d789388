/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify_dbscan.h: is this a right answer of clump_dbscan? As verify.h for clump_ec.
 */
#ifndef CLUMP_TESTS_VERIFY_DBSCAN_H
#define CLUMP_TESTS_VERIFY_DBSCAN_H

#include <clump/clump.h>

/* True when labels, clusters and core flags are what clump_dbscan must return: core points are those with min_points
 * within eps; core points within eps of each other have one label, and a cluster hangs together by them; a border
 * point is in the adjacent cluster whose smallest core point is the smallest; noise is what is left; the numbers are
 * 0, 1, 2 ... in the order asked for. Else false, and *why says what is wrong. options may be null for the defaults,
 * core where there are no flags to check. Time n times the points within eps along one axis. */
bool verify_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                   const int32_t *labels, int32_t clusters, const uint8_t *core, clump_message *why);

#endif
