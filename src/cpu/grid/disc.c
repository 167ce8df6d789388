/* SPDX-License-Identifier: BSD-3-Clause
 *
 * disc.c: see patches.h.
 */
#include "cpu/grid/patches.h"

#include <float.h>
#include <math.h>

#define DISC_SLACK (1 + 0x1p-16f) /* see patches.c */

/* Adds the products of the coordinates of four points, from c, to the sums of moments_of(). */
static inline void add_four(const clump_point *p, const float *c, clump_f4 *sum)
{
    clump_f4 x, y, z;
    clump_f4_load_points(&p->x, &x, &y, &z);
    x = clump_f4_sub(x, clump_f4_set(c[0])), y = clump_f4_sub(y, clump_f4_set(c[1]));
    z = clump_f4_sub(z, clump_f4_set(c[2]));
    const clump_f4 term[9] = {x,
                              y,
                              z,
                              clump_f4_mul(x, x),
                              clump_f4_mul(x, y),
                              clump_f4_mul(x, z),
                              clump_f4_mul(y, y),
                              clump_f4_mul(y, z),
                              clump_f4_mul(z, z)};
    for (int t = 0; t < 9; t++) sum[t] = clump_f4_add(sum[t], term[t]);
}

/* Computes the sums of x, y, z, xx, xy, xz, yy, yz, zz, from c. */
static void moments_of(const clump_point *p, size_t n, const float *c, float *moments)
{
    clump_f4 sum[9];
    size_t i = 0;
    for (int t = 0; t < 9; t++) sum[t] = clump_f4_set(0);
    for (; i + 4 <= n; i += 4) add_four(p + i, c, sum);
    if (i < n) { /* the middle itself adds nothing */
        const clump_point middle = {c[0], c[1], c[2], 0};
        clump_point last[4] = {middle, middle, middle, middle};
        for (size_t k = 0; i + k < n; k++) last[k] = p[i + k];
        add_four(last, c, sum);
    }
    for (int t = 0; t < 9; t++) moments[t] = clump_f4_sum(sum[t]);
}

/* The normal of the points: the rows of their covariance span the wall, so the cross product of two rows is normal. 0 where
 * there is none: the sums of many equal points are rounding errors, also negative ones. Any other normal has the length 1. */
static void normal_of(const clump_point *p, size_t n, const float *c, float *normal)
{
    float m[9];
    moments_of(p, n, c, m);
    const float x = m[0] / (float)n, y = m[1] / (float)n, z = m[2] / (float)n;
    const float xx = m[3] - x * m[0], xy = m[4] - x * m[1], xz = m[5] - x * m[2];
    const float yy = m[6] - y * m[1], yz = m[7] - y * m[2], zz = m[8] - z * m[2];
    const float trace = xx + yy + zz, scale = 1 / trace;
    normal[0] = normal[1] = normal[2] = 0;
    if (!(trace > FLT_MIN && trace < FLT_MAX)) return;
    const float row[3][3] = {{xx * scale, xy * scale, xz * scale},
                             {xy * scale, yy * scale, yz * scale},
                             {xz * scale, yz * scale, zz * scale}};
    float best = 0x1p-100f; /* below it a square has too few bits for a length of 1: no normal */
    for (int i = 0; i < 3; i++) {
        const float *const a = row[i], *const b = row[(i + 1) % 3];
        const float v[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        const float length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!(length > best && length < FLT_MAX)) continue;
        best = length;
        const float inverse = 1 / sqrtf(length);
        for (int k = 0; k < 3; k++) normal[k] = v[k] * inverse;
    }
}

clump_disc clump_disc_of(const clump_point *p, size_t n, const clump_box *of)
{
    clump_disc r;
    for (int k = 0; k < 3; k++) r.middle[k] = of->lower[k] + (of->upper[k] - of->lower[k]) / 2;
    normal_of(p, n, r.middle, r.n);
    const clump_axis u = {{r.middle[0], r.middle[1], r.middle[2]}, {r.n[0], r.n[1], r.n[2]}};
    const clump_extent e = clump_extent_along(&u, p, n);
    /* Far from the origin the middle moves to the nearest float, not exactly as far as asked: what counts is how far it
     * moved. */
    float moved = 0;
    for (int k = 0; k < 3; k++) {
        const float from = r.middle[k];
        r.middle[k] += r.n[k] * (e.low + e.high) / 2;
        moved += (r.middle[k] - from) * r.n[k];
    }
    r.half = fmaxf(e.high - moved, moved - e.low);
    const float most = clump_extent_around(r.middle, p, n).high;
    /* Squares of a tiny d lose bits, and a radius must not be too small: then a bound from the box. */
    r.radius = most > 0x1p-100f ? sqrtf(most) : r.half;
    for (int k = 0; k < 3 && most <= 0x1p-100f; k++) r.radius += of->upper[k] - of->lower[k];
    return r;
}

/* Returns how far a disc extends along a direction with this cosine to its normal: radius * sine, plus half its
 * thickness. The square of the sine is off by up to 2^-20, which matters where it is small. */
static float disc_extent(const clump_disc *a, float cosine_squared)
{
    const float sine_squared = 1 - cosine_squared;
    return a->radius * sqrtf((sine_squared > 0 ? sine_squared : 0) + 0x1p-20f) + a->half;
}

/* Three directions are tried: both normals, and the line between the middles. */
bool clump_discs_near(const clump_disc *a, const clump_disc *b, float d)
{
    float v[3], square = 0, across_a = 0, across_b = 0, cosine = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = b->middle[k] - a->middle[k];
        square += v[k] * v[k];
        across_a += v[k] * a->n[k];
        across_b += v[k] * b->n[k];
        cosine += a->n[k] * b->n[k];
    }
    const float least = d * DISC_SLACK, keep = 1 - 0x1p-16f;
    cosine *= cosine;
    if (fabsf(across_a) * keep - (a->half + disc_extent(b, cosine)) * DISC_SLACK >= least) return false;
    if (fabsf(across_b) * keep - (b->half + disc_extent(a, cosine)) * DISC_SLACK >= least) return false;
    if (!(square > FLT_MIN) || !(square < FLT_MAX)) return true;
    const float inverse = 1 / square;
    const float take = disc_extent(a, across_a * across_a * inverse) + disc_extent(b, across_b * across_b * inverse);
    return sqrtf(square) * keep - take * DISC_SLACK < least;
}
