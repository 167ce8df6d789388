/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sums.c: see sums.h. The loops are written such that compilers vectorise them: lanes of sums, no branches.
 */
#include "cpu/describe/sums.h"

#include "common/assert.h"

#define SUMS_LANES 32 /* enough that gcc 12 vectorises the loop instead of unrolling it */

double clump_nearest_of(const float *x, const float *y, size_t n, float sensor_x, float sensor_y)
{
    CLUMP_ASSERT(n >= 1);
    double least = clump_distance_above(x[0], y[0], sensor_x, sensor_y);
    size_t i = 0;
    if (n >= SUMS_LANES) {
        double lanes[SUMS_LANES];
        for (int k = 0; k < SUMS_LANES; k++) lanes[k] = least;
        for (; i + SUMS_LANES <= n; i += SUMS_LANES)
            for (size_t k = 0; k < SUMS_LANES; k++) {
                const double d2 = clump_distance_above(x[i + k], y[i + k], sensor_x, sensor_y);
                lanes[k] = d2 < lanes[k] ? d2 : lanes[k];
            }
        for (int k = 0; k < SUMS_LANES; k++) least = lanes[k] < least ? lanes[k] : least;
    }
    for (; i < n; i++) {
        const double d2 = clump_distance_above(x[i], y[i], sensor_x, sensor_y);
        least = d2 < least ? d2 : least;
    }
    return least;
}

/* Sums the offsets of finite values where every one is at most 2^52. The bits of 2^52 + v are those of 2^52 and the
 * nearest integer of v, ties to even: the integer that clump_axis_offset() returns. */
static int64_t sum_small(const float *values, size_t n, double lower, double scale)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const double rounded = (values[i] - lower) * scale + 0x1p52;
        uint64_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        sum += bits;
    }
    return (int64_t)(sum - n * ((uint64_t)(1023 + 52) << 52));
}

#define SUMS_SMALL_FROM 1024 /* so many values, and the offsets are at most 2^52: 63 - 11 (rules/mean.h) */

int64_t clump_sum_of(const float *values, size_t n, const clump_axis *axis, bool whole)
{
    const double scale = clump_axis_scale(axis);
    const float lower = axis->lower;
    int64_t sum = 0;
    if (scale == 0) return 0;
    if (whole && axis->used >= SUMS_SMALL_FROM) return sum_small(values, n, lower, scale);
    for (size_t i = 0; i < n; i++)
        if (whole || clump_is_finite(values[i])) sum += clump_axis_offset(values[i], lower, scale);
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
