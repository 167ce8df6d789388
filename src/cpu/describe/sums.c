/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sums.c: see measure.h. The loops are written such that compilers vectorise them: lanes of sums, no branches.
 */
#include "cpu/describe/measure.h"

#include "common/assert.h"
#include "common/wide.h"

#include <float.h>

#define SUMS_LANES 32 /* enough that gcc 12 vectorises the loop instead of unrolling it */

/* ----- the nearest point --------------------------------------------------------------------------- */

#define SUMS_FAR 256 /* points that are left out together */

/* Returns the least squared distance of n >= 1 points from the sensor. */
static double nearest_of_all(const float *x, const float *y, size_t n, float sensor_x, float sensor_y)
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

/* Returns the least squared distance of SUMS_FAR points from the sensor in float32, FLT_MAX where all are above. */
static float nearest_rounded(const float *x, const float *y, clump_fw sensor_x, clump_fw sensor_y)
{
    clump_fw least = clump_fw_set(FLT_MAX);
    for (size_t i = 0; i < SUMS_FAR; i += CLUMP_WIDE) {
        const clump_fw dx = clump_fw_sub(clump_fw_load(x + i), sensor_x);
        const clump_fw dy = clump_fw_sub(clump_fw_load(y + i), sensor_y);
        least = clump_fw_min(least, clump_fw_add(clump_fw_mul(dx, dx), clump_fw_mul(dy, dy)));
    }
    return clump_fw_lowest(least);
}

/* Leaves out points that are certainly not nearer than those before. With D a squared distance without rounding, and f
 * the same in float32:
 *   (1) Differences, squares and the sum are each rounded by at most 2^-24 of their value, squares that underflow by
 *       at most 2^-149. So f is at most (1 + 2^-24)^4 * D + 2^-147.
 *   (2) Where f overflows, the number that (1) bounds is above FLT_MAX: (1) then holds for FLT_MAX in place of f.
 *   (3) From f = 2^-60 on, 2^-147 is less than 2^-80 * f. So D is at least (1 - 2^-21) * f.
 *   (4) In double nothing underflows: clump_distance_above() is at least (1 - 2^-50) * D, and so (1 - 2^-20) * f. */
double clump_nearest_of(const float *x, const float *y, size_t n, float sensor_x, float sensor_y)
{
    if (n < 2 * SUMS_FAR) return nearest_of_all(x, y, n, sensor_x, sensor_y);
    const clump_fw sx = clump_fw_set(sensor_x), sy = clump_fw_set(sensor_y);
    double least = nearest_of_all(x + n - SUMS_FAR, y + n - SUMS_FAR, SUMS_FAR, sensor_x, sensor_y);
    for (size_t i = 0; i + SUMS_FAR <= n; i += SUMS_FAR) {
        const float rounded = nearest_rounded(x + i, y + i, sx, sy);
        if (rounded >= 0x1p-60f && rounded * (1 - 0x1p-20) >= least) continue;
        const double d2 = nearest_of_all(x + i, y + i, SUMS_FAR, sensor_x, sensor_y);
        least = d2 < least ? d2 : least;
    }
    return least;
}

/* ----- sums ------------------------------------------------------------------------------------------ */

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

/* ----- moments -------------------------------------------------------------------------------------- */

#define SUMS_BATCH 256 /* points */

/* Writes the offsets of n coordinates; 0 where the entry in `finite` is not finite. */
static void find_offsets(const float *restrict values, size_t n, float lower, double scale,
                         const float *restrict finite, uint32_t *restrict q)
{
    if (!finite)
        for (size_t i = 0; i < n; i++) q[i] = clump_moment_offset(values[i], lower, scale);
    else
        for (size_t i = 0; i < n; i++)
            q[i] = clump_is_finite(finite[i]) ? clump_moment_offset(values[i], lower, scale) : 0;
}

static uint64_t sum_offsets(const uint32_t *q, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += q[i];
    return sum;
}

static void add_products(clump_moments *m, int pair, const uint32_t *restrict a, const uint32_t *restrict b, size_t n)
{
    uint64_t low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        const uint64_t product = (uint64_t)a[i] * b[i];
        low += product & 0xffffffffu;
        high += product >> 32;
    }
    m->low[pair] += low, m->high[pair] += high;
}

clump_moments clump_moments_of(const float *const at[3], size_t n, const clump_axis axis[3], const float *finite)
{
    clump_moments m = {0};
    uint32_t q[3][SUMS_BATCH];
    for (size_t from = 0; from < n; from += SUMS_BATCH) {
        const size_t count = n - from < SUMS_BATCH ? n - from : SUMS_BATCH;
        const float *const known = finite ? finite + from : NULL;
        for (int k = 0; k < 3; k++) {
            find_offsets(at[k] + from, count, axis[k].lower, clump_moment_scale(&axis[k]), known, q[k]);
            m.sum[k] += sum_offsets(q[k], count);
        }
        int pair = 0;
        for (int a = 0; a < 3; a++)
            for (int b = a; b < 3; b++) add_products(&m, pair++, q[a], q[b], count);
        m.used += count;
        for (size_t i = 0; known && i < count; i++) m.used -= !clump_is_finite(known[i]);
    }
    return m;
}
