/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs.h: how clump_icp moves points and what it sums over pairs; compiled by the C compiler and by nvcc. The
 * arithmetic is in double, each step rounded and no two fused (rounded.h).
 *
 * Floating-point sums depend on their order, so the order is fixed. 16 consecutive points are a run, summed from the
 * first to the last. The 64 runs of a chunk are added in pairs, as a warp reduces them. Chunks are added in order:
 *
 *     runs     0 ... 15   16 ... 31   32 ... 47   48 ... 63   ...
 *                  \_____+_____/          \_____+_____/
 *                        \___________+___________/              up to 64 runs
 *     total    chunk 0, + chunk 1, + chunk 2, ...
 *
 * Empty runs fill up the last chunk. Sums begin with 0 and so are never -0: adding 0 changes nothing. So a point
 * without a pair may be skipped, or may add zeros.
 *
 * A robust kernel of width c gives a pair with residual r the weight (c^2 / (c^2 + r^2))^2 (Geman and McClure). The residual is
 * the distance of the points, or that to the plane.
 *
 * Planes may count less where they are no surfaces. A normal of length l counts l^2 (rules/normal.h). Where the center is the
 * sensor, a plane that is grazed by the ray to it counts by the square of the sine of the angle. This is for scans of few
 * rings: the points of a ring lie on a cone about the sensor. On trees, where the next ring is far, the plane through
 * neighbours is one of that cone, which moves with the sensor.
 */
#ifndef CLUMP_RULES_PAIRS_H
#define CLUMP_RULES_PAIRS_H

#include "rules/rounded.h"

#include <stdbool.h>
#include <stdint.h>

enum { CLUMP_PAIRS_RUN = 16, CLUMP_PAIRS_RUNS = 64, CLUMP_PAIRS_CHUNK = CLUMP_PAIRS_RUN * CLUMP_PAIRS_RUNS };

/* A rigid motion: the rotation, row after row, then the translation. p -> turn * p + move. */
typedef struct clump_rigid {
    double turn[9], move[3];
} clump_rigid;

/* How much pairs count. */
typedef struct clump_kernel {
    double width2; /* square of the width c; 0: all weights are 1 */
    double
        graze2; /* square of the sine of the angle between a plane and the ray to it from the center, below which it counts
                    * less; 0: planes count alike */
} clump_kernel;

/* Positions of the sums. The first five are common; then follow those of point to point, or of point to plane. */
enum {
    CLUMP_SUM_KEPT,    /* pairs that are kept; how much their planes count, where that differs */
    CLUMP_SUM_SQUARES, /* of their distances; with a robust kernel of their residuals, weighted */
    CLUMP_SUM_FINITE,  /* finite source points, with a pair or without; counted by the caller */
    CLUMP_SUM_PAIRS,   /* pairs, kept or not; counted by the caller */
    CLUMP_SUM_WEIGHTS, /* of the pairs that are kept and, for point to plane, have a normal; times how much these count */
    CLUMP_SUM_P,       /* source points */
    CLUMP_SUM_Q = CLUMP_SUM_P + 3,  /* target points */
    CLUMP_SUM_PQ = CLUMP_SUM_Q + 3, /* p q^T, row after row */
    CLUMP_POINT_SUMS = CLUMP_SUM_PQ + 9,
    CLUMP_SUM_A = CLUMP_SUM_WEIGHTS + 1, /* the upper triangle of a 6 x 6 matrix, row after row */
    CLUMP_SUM_B = CLUMP_SUM_A + 21,      /* its right side */
    CLUMP_PLANE_SUMS = CLUMP_SUM_B + 6,
    CLUMP_PAIRS_SUMS = CLUMP_PLANE_SUMS /* the larger of the two */
};

/* a0 b0 + a1 b1 + a2 b2 */
CLUMP_RULE double clump_double_dot(double a0, double b0, double a1, double b1, double a2, double b2)
{
    return clump_double_add(clump_double_add(clump_double_mul(a0, b0), clump_double_mul(a1, b1)),
                            clump_double_mul(a2, b2));
}

/* Returns one coordinate of turn * p + move as float32; `row` is its row of turn, `move` its entry of move. */
CLUMP_RULE float clump_moved(const double *row, double move, const float *p)
{
    const double turned = clump_double_dot(row[0], (double)p[0], row[1], (double)p[1], row[2], (double)p[2]);
    return (float)clump_double_add(turned, move);
}

/* Returns how many of the pairs trimmed ICP keeps, nearest first. All pairs as far as the last of them are kept, too. */
CLUMP_RULE uint32_t clump_pairs_kept(double keep, uint32_t pairs)
{
    const double kept = ceil(clump_double_mul(keep, (double)pairs));
    return kept < 1 ? 1 : (uint32_t)kept;
}

/* Returns the weight of a pair by the square of the kernel's width, and of the residual. */
CLUMP_RULE double clump_pair_weight(double width2, double residual2)
{
    if (!(width2 > 0)) return 1;
    const double root = clump_double_div(width2, clump_double_add(width2, residual2));
    return clump_double_mul(root, root);
}

/* Sets p and q to the points of a pair relative to the center. */
CLUMP_RULE void clump_pair_begin(const double *center, const float *from, const float *to, double *p, double *q)
{
    for (int k = 0; k < 3; k++) {
        p[k] = clump_double_sub((double)from[k], center[k]);
        q[k] = clump_double_sub((double)to[k], center[k]);
    }
}

/* Adds a pair to the weights and the squares. */
CLUMP_RULE void clump_pair_weigh(double *sums, double weight, double square)
{
    sums[CLUMP_SUM_WEIGHTS] = clump_double_add(sums[CLUMP_SUM_WEIGHTS], weight);
    sums[CLUMP_SUM_SQUARES] = clump_double_add(sums[CLUMP_SUM_SQUARES], square);
}

/* Adds a pair for point to point: the moved source point `from` and the target point `to`. */
CLUMP_RULE void clump_pair_add(double *sums, const double *center, clump_kernel kernel, const float *from,
                               const float *to, float d2)
{
    double p[3], q[3];
    clump_pair_begin(center, from, to, p, q);
    sums[CLUMP_SUM_KEPT] = clump_double_add(sums[CLUMP_SUM_KEPT], 1);
    const double weight = clump_pair_weight(kernel.width2, (double)d2);
    clump_pair_weigh(sums, weight, clump_double_mul(weight, (double)d2));
    double *const sp = sums + CLUMP_SUM_P, *const sq = sums + CLUMP_SUM_Q, *const spq = sums + CLUMP_SUM_PQ;
    for (int k = 0; k < 3; k++) {
        const double heavy = clump_double_mul(weight, p[k]);
        sp[k] = clump_double_add(sp[k], heavy);
        sq[k] = clump_double_add(sq[k], clump_double_mul(weight, q[k]));
        for (int j = 0; j < 3; j++) spq[3 * k + j] = clump_double_add(spq[3 * k + j], clump_double_mul(heavy, q[j]));
    }
}

/* sums += row * factor */
CLUMP_RULE void clump_multiple_add(double *sums, const double *row, int n, double factor)
{
    for (int k = 0; k < n; k++) sums[k] = clump_double_add(sums[k], clump_double_mul(row[k], factor));
}

/* Returns how much a plane counts besides the length of its normal: 1, or less where the ray to p grazes it. */
CLUMP_RULE double clump_plane_facing(double graze2, const double *p, double x, double y, double z, double size2)
{
    const double facing = clump_double_dot(p[0], x, p[1], y, p[2], z);
    const double range2 = clump_double_dot(p[0], p[0], p[1], p[1], p[2], p[2]);
    const double enough = clump_double_mul(clump_double_mul(graze2, range2), size2);
    const double facing2 = clump_double_mul(facing, facing);
    return facing2 < enough ? clump_double_div(facing2, enough) : 1;
}

/* Adds the equation of a pair to the sums of point to plane. */
CLUMP_RULE void clump_equation_add(double *sums, const double *row, double off, double weight)
{
    double *const a = sums + CLUMP_SUM_A, *const b = sums + CLUMP_SUM_B;
    double heavy[6];
    for (int k = 0; k < 6; k++) heavy[k] = clump_double_mul(weight, row[k]);
    clump_multiple_add(b, heavy, 6, off);
    clump_multiple_add(a, heavy, 6, row[0]);
    clump_multiple_add(a + 6, heavy + 1, 5, row[1]);
    clump_multiple_add(a + 11, heavy + 2, 4, row[2]);
    clump_multiple_add(a + 15, heavy + 3, 3, row[3]);
    clump_multiple_add(a + 18, heavy + 4, 2, row[4]);
    clump_multiple_add(a + 20, heavy + 5, 1, row[5]);
}

/* Surfaces of GICP (Segal, Haehnel, Thrun 2009): a point may be anywhere in its plane, and off it by this share of that,
 * squared. */
#define CLUMP_GICP_THICK 1e-3

/* Sets m to the inverse of the sum of the covariances of two planes with unit normals a and b, I - (1 - thick) n n^T each:
 * xx xy xz yy yz zz. A normal of 0 is no plane: its covariance is I. */
CLUMP_RULE void clump_gicp_metric(const double *a, const double *b, double *m)
{
    const double flat = 1 - CLUMP_GICP_THICK;
    double c[6]; /* the sum */
    for (int i = 0, at = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++) {
            const double both = clump_double_add(clump_double_mul(a[i], a[j]), clump_double_mul(b[i], b[j]));
            c[at] = clump_double_sub(i == j ? 2 : 0, clump_double_mul(flat, both));
        }
    const double xx = clump_double_sub(clump_double_mul(c[3], c[5]), clump_double_mul(c[4], c[4]));
    const double xy = clump_double_sub(clump_double_mul(c[2], c[4]), clump_double_mul(c[1], c[5]));
    const double xz = clump_double_sub(clump_double_mul(c[1], c[4]), clump_double_mul(c[2], c[3]));
    const double whole = clump_double_dot(c[0], xx, c[1], xy, c[2], xz); /* at least 2 thick x 1 x 1 */
    m[0] = clump_double_div(xx, whole), m[1] = clump_double_div(xy, whole), m[2] = clump_double_div(xz, whole);
    m[3] = clump_double_div(clump_double_sub(clump_double_mul(c[0], c[5]), clump_double_mul(c[2], c[2])), whole);
    m[4] = clump_double_div(clump_double_sub(clump_double_mul(c[1], c[2]), clump_double_mul(c[0], c[4])), whole);
    m[5] = clump_double_div(clump_double_sub(clump_double_mul(c[0], c[3]), clump_double_mul(c[1], c[1])), whole);
}

/* Adds a pair for plane to plane, with the normals of both surfaces in the axes of the target; 0 where there is none. The
 * residual has the unit of a length: it is the distance of the planes where they are parallel. */
CLUMP_RULE void clump_gicp_add(double *sums, const double *center, clump_kernel kernel, const float *from,
                               const float *to, float d2, const double *from_normal, const double *to_normal)
{
    double p[3], q[3], m[6];
    clump_pair_begin(center, from, to, p, q);
    clump_gicp_metric(from_normal, to_normal, m);
    const double d[3] = {clump_double_sub(q[0], p[0]), clump_double_sub(q[1], p[1]), clump_double_sub(q[2], p[2])};
    const double rows[3][3] = {{m[0], m[1], m[2]}, {m[1], m[3], m[4]}, {m[2], m[4], m[5]}};
    double off[3]; /* m d */
    for (int i = 0; i < 3; i++) off[i] = clump_double_dot(rows[i][0], d[0], rows[i][1], d[1], rows[i][2], d[2]);
    const double scale = 2 * CLUMP_GICP_THICK;
    const double square = clump_double_mul(scale, clump_double_dot(d[0], off[0], d[1], off[1], d[2], off[2]));
    const double weight = clump_double_mul(scale, clump_pair_weight(kernel.width2, square));
    const bool robust = kernel.width2 > 0;
    sums[CLUMP_SUM_KEPT] = clump_double_add(sums[CLUMP_SUM_KEPT], 1);
    const double share = clump_double_div(weight, scale);
    clump_pair_weigh(sums, share, robust ? clump_double_mul(share, square) : (double)d2);
    /* j: how the point moves by a rotation and a translation, three rows of six; w = m j */
    const double j[3][6] = {{0, p[2], -p[1], 1, 0, 0}, {-p[2], 0, p[0], 0, 1, 0}, {p[1], -p[0], 0, 0, 0, 1}};
    double *a = sums + CLUMP_SUM_A, *const b = sums + CLUMP_SUM_B;
    for (int k = 0; k < 6; k++) {
        double w[3];
        for (int i = 0; i < 3; i++)
            w[i] = clump_double_mul(weight,
                                    clump_double_dot(rows[i][0], j[0][k], rows[i][1], j[1][k], rows[i][2], j[2][k]));
        b[k] = clump_double_add(b[k], clump_double_dot(w[0], d[0], w[1], d[1], w[2], d[2]));
        for (int l = k; l < 6; l++, a++)
            *a = clump_double_add(*a, clump_double_dot(w[0], j[0][l], w[1], j[1][l], w[2], j[2][l]));
    }
}

/* Adds a pair for point to plane. `normal` is the normal of the target's surface at `to`, or 0 where it has none. */
CLUMP_RULE void clump_plane_add(double *sums, const double *center, clump_kernel kernel, const float *from,
                                const float *to, float d2, const float *normal)
{
    double p[3], q[3];
    clump_pair_begin(center, from, to, p, q);
    const double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
    const bool judged = kernel.graze2 > 0, robust = kernel.width2 > 0;
    if (!judged) sums[CLUMP_SUM_KEPT] = clump_double_add(sums[CLUMP_SUM_KEPT], 1);
    if (!robust) sums[CLUMP_SUM_SQUARES] = clump_double_add(sums[CLUMP_SUM_SQUARES], (double)d2);
    if (x == 0 && y == 0 && z == 0) return;
    double facing = 1, size2 = 1;
    if (judged) {
        size2 = clump_double_dot(x, x, y, y, z, z);
        facing = clump_plane_facing(kernel.graze2, p, x, y, z, size2);
        sums[CLUMP_SUM_KEPT] = clump_double_add(sums[CLUMP_SUM_KEPT], clump_double_mul(facing, size2));
    }
    const double row[6] = {clump_double_sub(clump_double_mul(p[1], z), clump_double_mul(p[2], y)),
                           clump_double_sub(clump_double_mul(p[2], x), clump_double_mul(p[0], z)),
                           clump_double_sub(clump_double_mul(p[0], y), clump_double_mul(p[1], x)),
                           x,
                           y,
                           z};
    const double off = clump_double_dot(clump_double_sub(q[0], p[0]), x, clump_double_sub(q[1], p[1]), y,
                                        clump_double_sub(q[2], p[2]), z);
    const double square = clump_double_mul(off, off);
    const double weight = clump_double_mul(facing, clump_pair_weight(kernel.width2, square));
    clump_pair_weigh(sums, clump_double_mul(weight, size2), robust ? clump_double_mul(weight, square) : 0);
    clump_equation_add(sums, row, off, weight);
}

#endif
