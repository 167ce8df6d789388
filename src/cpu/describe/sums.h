/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sums.h: the loops over the coordinates of a cluster that need arithmetic in double or 64-bit integers.
 */
#ifndef CLUMP_CPU_DESCRIBE_SUMS_H
#define CLUMP_CPU_DESCRIBE_SUMS_H

#include "core/cluster.h"

/* Returns the least squared distance of n >= 1 points from the sensor, seen from above. */
double clump_nearest_of(const float *x, const float *y, size_t n, float sensor_x, float sensor_y);

/* Returns the sum of the scaled offsets of the finite values. `whole`: all values are finite. */
int64_t clump_sum_of(const float *values, size_t n, const clump_axis *axis, bool whole);

/* Returns the moments of points. Those whose entry in `finite` is not finite are left out; null: none is. */
clump_moments clump_moments_of(const float *const at[3], size_t n, const clump_axis axis[3], const float *finite);

#endif
