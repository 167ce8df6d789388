/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure.c: see measure.h. Values of z that are not finite are ignored.
 */
#include "cpu/describe/measure.h"

#include "common/bits.h"
#include "cpu/describe/extremes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool are_finite(const float *values, size_t count)
{
    uint32_t infinite = 0;
    for (size_t i = 0; i < count; i++) infinite |= (clump_float_bits(values[i]) & 0x7f800000) == 0x7f800000;
    return !infinite;
}

/* Finds the extremes of the finite values and returns their number. */
static size_t find_finite_extremes(const float *values, size_t count, float *least, float *most)
{
    size_t used = 0;
    *least = FLT_MAX, *most = -FLT_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        if (values[i] < *least) *least = values[i];
        if (values[i] > *most) *most = values[i];
        used++;
    }
    return used;
}

void clump_shape_extent(const clump_shape *s, clump_part *part)
{
    const size_t n = part->end - part->begin;
    for (int k = 0; k < 3; k++) {
        const float *const values = s->at[k] + part->begin;
        part->used[k] = n;
        if (k < 2 || are_finite(values, n))
            clump_find_extremes(values, n, &part->lower[k], &part->upper[k]);
        else
            part->used[k] = find_finite_extremes(values, n, &part->lower[k], &part->upper[k]);
    }
}

/* The mean of an axis is the mean of the offsets from the least of its `used` >= 2 finite values.
 *
 *   (1) Each offset is scaled by a power of two, which is exact, such that the extent lands in [2^s, 2^(s+1)). Then it
 *       is rounded to an integer of at most 2^(s+1).
 *   (2) s = 62 - b, where b is the number of bits of `used`. So the sum is at most (2^b - 1) * 2^(63-b) < 2^63: it fits
 *       into int64, and integers have the same sum in any order.
 *   (3) s is at least 31 and the mean of the integers is off by at most 1/2. So the error is at most 2^-32 of the
 *       extent, and far less for few points.
 *   (4) The extent is in [2^-149, 2^129), so neither the scale (2^-97 ... 2^209) nor a product overflows double.
 *
 * Rounding never moves the mean out of the extent: one of n < 2^b offsets is 0, so the mean of the integers is at most
 * (1 - 2^-b)(1 + 2^-(s+1)) of the scaled extent. That is below it by at least 2^-32, and the few roundings in double
 * that follow are 2^-53 each. */
static int exponent_of(size_t used, double extent)
{
    int bits = 0;
    while (used >> bits) bits++;
    return 62 - bits - ilogb(extent);
}

static double extent_of(const clump_shape *s, int k)
{
    return (double)s->upper[k] - s->lower[k];
}

void clump_shape_combine(clump_shape *s, const clump_part *parts, size_t count)
{
    for (int k = 0; k < 3; k++) {
        float least = FLT_MAX, most = -FLT_MAX;
        s->used[k] = 0;
        for (size_t i = 0; i < count; i++) {
            least = parts[i].lower[k] < least ? parts[i].lower[k] : least;
            most = parts[i].upper[k] > most ? parts[i].upper[k] : most;
            s->used[k] += parts[i].used[k];
        }
        if (s->used[k] == 0) least = most = 0;
        s->lower[k] = least, s->upper[k] = most;
        s->exponent[k] = extent_of(s, k) > 0 ? exponent_of(s->used[k], extent_of(s, k)) : 0;
    }
    s->filter = clump_hull_filter_of(s->at[0], s->at[1], s->count, extent_of(s, 0), extent_of(s, 1));
}

static int64_t sum_offsets(const clump_shape *s, int k, const clump_part *part)
{
    const float *const values = s->at[k];
    const double scale = ldexp(1.0, s->exponent[k]), origin = s->lower[k];
    int64_t sum = 0;
    if (s->used[k] == s->count)
        for (size_t i = part->begin; i < part->end; i++) sum += llrint((values[i] - origin) * scale);
    else
        for (size_t i = part->begin; i < part->end; i++)
            if (isfinite(values[i])) sum += llrint((values[i] - origin) * scale);
    return sum;
}

void clump_shape_sum(const clump_shape *s, clump_part *part)
{
    for (int k = 0; k < 3; k++) part->sum[k] = extent_of(s, k) > 0 ? sum_offsets(s, k, part) : 0;
    part->keys = clump_hull_keys(&s->filter, s->at[0] + part->begin, s->at[1] + part->begin, part->end - part->begin,
                                 s->keys + part->begin);
}

static float centroid_of(const clump_shape *s, int k, const clump_part *parts, size_t count)
{
    if (!(extent_of(s, k) > 0)) return s->lower[k];
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += parts[i].sum[k];
    return (float)(s->lower[k] + (double)sum / (double)s->used[k] * ldexp(1.0, -s->exponent[k]));
}

/* Rounds to float32. A box around points near the ends of its range may reach beyond them: it is clamped. */
static float to_float(double value)
{
    return (float)fmax(-FLT_MAX, fmin(value, FLT_MAX));
}

/* Moves the keys of all parts together and returns their number. */
static size_t join_keys(const clump_shape *s, const clump_part *parts, size_t count)
{
    size_t keys = 0;
    for (size_t i = 0; i < count; i++) {
        memmove(s->keys + keys, s->keys + parts[i].begin, parts[i].keys * sizeof *s->keys);
        keys += parts[i].keys;
    }
    return keys;
}

void clump_shape_finish(const clump_shape *s, const clump_part *parts, size_t count, clump_cluster *out)
{
    out->count = (int32_t)s->count;
    for (int k = 0; k < 3; k++) {
        out->lower[k] = s->lower[k], out->upper[k] = s->upper[k];
        out->centroid[k] = centroid_of(s, k, parts, count);
    }
    const clump_xy *hull;
    const size_t corners = clump_hull_of_keys(s->keys, join_keys(s, parts, count), s->keys + s->count, &hull);
    const clump_rectangle box = clump_least_rectangle(hull, corners);
    for (int k = 0; k < 2; k++) {
        out->box_center[k] = to_float(box.center[k]);
        out->box_size[k] = to_float(box.size[k]);
    }
    const float yaw = (float)box.yaw;
    out->yaw = yaw < 90.0f ? yaw : nextafterf(90.0f, 0.0f);
}
