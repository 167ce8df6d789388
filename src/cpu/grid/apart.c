/* SPDX-License-Identifier: BSD-3-Clause
 *
 * apart.c: see patches.h. A wall is flat or curved, and a wall next to it has mostly the same shape:
 *
 *     plane    along any direction u, two points are no further apart than in space. So a gap of d between the extents
 *              of the sets along u keeps all pairs apart. Flat walls have such a gap along their normal.
 *     sphere   the same holds for the distances to any point o (triangle inequality). Walls that curve around a common
 *              centre, as two shells do, have such a gap in their distances to the centre.
 *
 * Any u and any o are correct. A good guess comes from a sample of both sets, with each set centred at its mean: the
 * normal is the direction of the least covariance M, and the centre solves the least squares of |p - o|^2 = constant
 * per set, 2 M o = g. Both need the adjugate of M. The sample is tested first, so a failure costs a small part of a pass.
 *
 * Rounding. d is between 2^-40 and 2^40, so no square that matters overflows or loses bits. Coordinates are at most 16 d
 * and the centre at most 64 d from the middle of the sample, so all distances are below 96 d.
 *   plane    as in patches.c: off by less than 2^-20 d; the slack is 2^-16 d.
 *   sphere   the square has a relative error of at most 6 * 2^-24, the root of 4 * 2^-24. That is less than 2^-15 d for
 *            each of the two distances; the slack is 2^-13 d.
 */
#include "cpu/grid/patches.h"

#include "cpu/grid/extent.h"

#include <float.h>
#include <math.h>

#define APART_SAMPLE 32 /* points of a set that the guess is made from; measured: 64 are 8 % slower on shells */
#define APART_FLAT   (1 + 0x1p-16f)
#define APART_ROUND  (1 + 0x1p-13f)

/* Whether the extents of two sets have a gap of more than `least` between them. */
static bool have_gap(clump_extent a, clump_extent b, float least)
{
    return b.low - a.high > least || a.low - b.high > least;
}

static bool plane_between(const clump_axis *u, const clump_point *a, size_t na, const clump_point *b, size_t nb,
                          float d)
{
    return have_gap(clump_extent_along(u, a, na), clump_extent_along(u, b, nb), d * APART_FLAT);
}

static bool sphere_between(const float *o, const clump_point *a, size_t na, const clump_point *b, size_t nb, float d)
{
    const clump_extent sa = clump_extent_around(o, a, na), sb = clump_extent_around(o, b, nb);
    const clump_extent of_a = {sqrtf(sa.low), sqrtf(sa.high)}, of_b = {sqrtf(sb.low), sqrtf(sb.high)};
    return have_gap(of_a, of_b, d * APART_ROUND);
}

/* Copies about APART_SAMPLE points, spread over the set, and returns their number. */
static size_t take_sample(const clump_point *p, size_t n, clump_point *sample)
{
    const size_t step = n / APART_SAMPLE + 1;
    size_t taken = 0;
    for (size_t i = 0; i < n; i += step) sample[taken++] = p[i];
    CLUMP_ASSERT(taken >= 1 && taken <= APART_SAMPLE);
    return taken;
}

/* Adds the moments of a sample around its own mean: m, the products of coordinates, and g, the products of coordinates
 * and squared distances from `from`. */
static void add_moments(const clump_point *p, size_t n, const float *from, double m[3][3], double *g)
{
    double sum[3] = {0}, square = 0, mm[3][3] = {{0}}, gg[3] = {0};
    for (size_t i = 0; i < n; i++) {
        const double q[3] = {(double)p[i].x - (double)from[0], (double)p[i].y - (double)from[1],
                             (double)p[i].z - (double)from[2]};
        const double s = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
        square += s;
        for (int k = 0; k < 3; k++) {
            sum[k] += q[k], gg[k] += q[k] * s;
            for (int l = k; l < 3; l++) mm[k][l] += q[k] * q[l];
        }
    }
    for (int k = 0; k < 3; k++) {
        g[k] += gg[k] - sum[k] * square / (double)n;
        for (int l = k; l < 3; l++) m[k][l] += mm[k][l] - sum[k] * sum[l] / (double)n;
    }
}

/* Computes the adjugate of a symmetric matrix whose upper half is given. */
static void adjugate(double m[3][3], double adj[3][3])
{
    adj[0][0] = m[1][1] * m[2][2] - m[1][2] * m[1][2];
    adj[1][1] = m[0][0] * m[2][2] - m[0][2] * m[0][2];
    adj[2][2] = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    adj[0][1] = adj[1][0] = m[0][2] * m[1][2] - m[0][1] * m[2][2];
    adj[0][2] = adj[2][0] = m[0][1] * m[1][2] - m[0][2] * m[1][1];
    adj[1][2] = adj[2][1] = m[0][1] * m[0][2] - m[1][2] * m[0][0];
}

/* Guesses a normal: the columns of the adjugate of a nearly singular matrix are the direction that it lacks. */
static bool guess_plane(double adj[3][3], const float *from, clump_axis *axis)
{
    int best = 0;
    for (int k = 1; k < 3; k++)
        if (adj[k][k] > adj[best][best]) best = k;
    const double largest = fmax(fabs(adj[best][0]), fmax(fabs(adj[best][1]), fabs(adj[best][2])));
    if (!(largest > 0 && largest < DBL_MAX)) return false;
    double v[3], square = 0; /* from 1 to 3: entries may be so small that their squares lose bits */
    for (int k = 0; k < 3; k++) v[k] = adj[best][k] / largest, square += v[k] * v[k];
    for (int k = 0; k < 3; k++) axis->o[k] = from[k], axis->u[k] = (float)(v[k] / sqrt(square));
    return true;
}

/* Guesses the centre of the walls. Fails where they are too flat for a centre within 64 d. */
static bool guess_centre(double m[3][3], double adj[3][3], const double *g, const float *from, float d, float *centre)
{
    const double determinant = m[0][0] * adj[0][0] + m[0][1] * adj[0][1] + m[0][2] * adj[0][2];
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double o = (adj[k][0] * g[0] + adj[k][1] * g[1] + adj[k][2] * g[2]) / (2 * determinant);
        square += o * o;
        centre[k] = (float)((double)from[k] + o);
    }
    return square < 64 * 64 * (double)d * (double)d; /* false for NaN */
}

bool clump_walls_apart(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d)
{
    if (!(d > 0x1p-40f && d < 0x1p40f)) return false;
    clump_point of_a[APART_SAMPLE], of_b[APART_SAMPLE];
    const size_t in_a = take_sample(a, na, of_a), in_b = take_sample(b, nb, of_b);
    const float from[3] = {a->x, a->y, a->z};
    double m[3][3] = {{0}}, g[3] = {0}, adj[3][3];
    add_moments(of_a, in_a, from, m, g), add_moments(of_b, in_b, from, m, g);
    adjugate(m, adj);
    clump_axis u;
    if (guess_plane(adj, from, &u) && plane_between(&u, of_a, in_a, of_b, in_b, d) &&
        plane_between(&u, a, na, b, nb, d))
        return true;
    float o[3];
    return guess_centre(m, adj, g, from, d, o) && sphere_between(o, of_a, in_a, of_b, in_b, d) &&
           sphere_between(o, a, na, b, nb, d);
}
