/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sums.c: see sums.h. The loops are written such that compilers vectorise them: lanes of sums, no branches.
 */
#include "cpu/describe/sums.h"

#include "common/assert.h"

#define SUMS_LANES 8

double clump_nearest_of(const float *x, const float *y, size_t n, float sensor_x, float sensor_y)
{
    CLUMP_ASSERT(n >= 1);
    double least[SUMS_LANES];
    const double first = clump_distance_above(x[0], y[0], sensor_x, sensor_y);
    for (int k = 0; k < SUMS_LANES; k++) least[k] = first;
    size_t i = 0;
    for (; i + SUMS_LANES <= n; i += SUMS_LANES)
        for (int k = 0; k < SUMS_LANES; k++) {
            const double d2 = clump_distance_above(x[i + (size_t)k], y[i + (size_t)k], sensor_x, sensor_y);
            least[k] = d2 < least[k] ? d2 : least[k];
        }
    for (; i < n; i++) {
        const double d2 = clump_distance_above(x[i], y[i], sensor_x, sensor_y);
        least[0] = d2 < least[0] ? d2 : least[0];
    }
    for (int k = 1; k < SUMS_LANES; k++) least[0] = least[k] < least[0] ? least[k] : least[0];
    return least[0];
}

int64_t clump_sum_of(const float *values, size_t n, const clump_axis *axis, bool whole)
{
    const double scale = clump_axis_scale(axis);
    const float lower = axis->lower;
    int64_t sum = 0;
    if (scale == 0) return 0;
    if (whole)
        for (size_t i = 0; i < n; i++) sum += clump_axis_offset(values[i], lower, scale);
    else
        for (size_t i = 0; i < n; i++)
            if (clump_is_finite(values[i])) sum += clump_axis_offset(values[i], lower, scale);
    return sum;
}

clump_moments clump_moments_of(const float *const at[3], size_t n, const clump_axis axis[3], const float *finite)
{
    clump_moments m = {0};
    double scale[3];
    for (int k = 0; k < 3; k++) scale[k] = clump_moment_scale(&axis[k]);
    for (size_t i = 0; i < n; i++) {
        if (finite && !clump_is_finite(finite[i])) continue;
        clump_moments_add(&m, clump_moment_offset(at[0][i], axis[0].lower, scale[0]),
                          clump_moment_offset(at[1][i], axis[1].lower, scale[1]),
                          clump_moment_offset(at[2][i], axis[2].lower, scale[2]));
    }
    return m;
}
