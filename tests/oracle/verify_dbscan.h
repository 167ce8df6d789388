/* SPDX-License-Identifier: BSD-3-Clause
 *
 * verify_dbscan.h: checks the labels of clump_dbscan by their defining properties, as verify.h for clump_ec.
 */
#ifndef CLUMP_TESTS_VERIFY_DBSCAN_H
#define CLUMP_TESTS_VERIFY_DBSCAN_H

#include <clump/clump.h>

/* Returns whether labels, clusters and core flags are what clump_dbscan must return: core points have min_points points
 * within eps; core points within eps of each other have equal labels and connect a cluster; a border point is in the
 * adjacent cluster with the smallest core point; all other points are noise; the numbers are 0, 1, 2 ... in the right
 * order. If not, *why names the error. options may be null for the defaults, core may be null. Time: n times the
 * number of points within eps along one axis. */
bool verify_dbscan(clump_points points, float eps, size_t min_points, const clump_dbscan_options *options,
                   const int32_t *labels, int32_t clusters, const uint8_t *core, clump_message *why);

#endif
