/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rigid.c: see icp.h. Sizes are small and fixed, so it uses the simplest methods that cannot fail: Jacobi rotations
 * for eigenvectors, and elimination with diagonal pivots for equations.
 */
#include "host/icp.h"

#include <clump/index.h>

#include <float.h>
#include <math.h>
#include <string.h>

const clump_rigid clump_rigid_none = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};

/* ----- eigenvectors ---------------------------------------------------------------------------- */

enum { RIGID_N = 4 }; /* rows of the matrix of a quaternion */

/* Makes a[p][q] 0 by a rotation of rows and columns p and q; v collects the rotations. */
static void rotate(double *a, double *v, int p, int q)
{
    const double apq = a[p * RIGID_N + q];
    if (apq == 0) return;
    const double theta = (a[q * RIGID_N + q] - a[p * RIGID_N + p]) / (2 * apq);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < RIGID_N; k++) {
        const double kp = a[k * RIGID_N + p], kq = a[k * RIGID_N + q];
        a[k * RIGID_N + p] = c * kp - s * kq, a[k * RIGID_N + q] = s * kp + c * kq;
    }
    for (int k = 0; k < RIGID_N; k++) {
        const double pk = a[p * RIGID_N + k], qk = a[q * RIGID_N + k];
        a[p * RIGID_N + k] = c * pk - s * qk, a[q * RIGID_N + k] = s * pk + c * qk;
        const double vp = v[k * RIGID_N + p], vq = v[k * RIGID_N + q];
        v[k * RIGID_N + p] = c * vp - s * vq, v[k * RIGID_N + q] = s * vp + c * vq;
    }
}

/* Finds the eigenvector of the largest eigenvalue of a symmetric matrix; overwrites a. */
static void largest_eigenvector(double a[RIGID_N * RIGID_N], double vector[RIGID_N])
{
    double vectors[RIGID_N * RIGID_N]; /* in columns */
    for (int i = 0; i < RIGID_N * RIGID_N; i++) vectors[i] = i % (RIGID_N + 1) == 0;
    for (int sweep = 0; sweep < 30; sweep++) { /* six suffice: convergence is quadratic */
        double off = 0, on = 0;
        for (int i = 0; i < RIGID_N * RIGID_N; i++) *(i % (RIGID_N + 1) == 0 ? &on : &off) += fabs(a[i]);
        if (!(off > on * DBL_EPSILON * 0.01)) break;
        for (int p = 0; p < RIGID_N; p++)
            for (int q = p + 1; q < RIGID_N; q++) rotate(a, vectors, p, q);
    }
    int largest = 0; /* of equal ones the last */
    for (int i = 1; i < RIGID_N; i++)
        if (a[i * (RIGID_N + 1)] >= a[largest * (RIGID_N + 1)]) largest = i;
    for (int k = 0; k < RIGID_N; k++) vector[k] = vectors[k * RIGID_N + largest];
}

/* ----- rotations ------------------------------------------------------------------------------- */

static void rotation_of_quaternion(const double q[4], double r[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double m[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                         2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    memcpy(r, m, sizeof m);
}

static void rotate_point(const double r[9], const double p[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = r[3 * i] * p[0] + r[3 * i + 1] * p[1] + r[3 * i + 2] * p[2];
}

/* Makes the rows of a rotation orthonormal again; the change is about as small as the rounding errors. */
static void orthonormalize(double r[9])
{
    const double xy = r[0] * r[3] + r[1] * r[4] + r[2] * r[5];
    double x[3], y[3];
    for (int k = 0; k < 3; k++) x[k] = r[k] - xy / 2 * r[3 + k], y[k] = r[3 + k] - xy / 2 * r[k];
    const double lx = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), ly = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    for (int k = 0; k < 3; k++) r[k] = x[k] / lx, r[3 + k] = y[k] / ly;
    r[6] = r[1] * r[5] - r[2] * r[4];
    r[7] = r[2] * r[3] - r[0] * r[5];
    r[8] = r[0] * r[4] - r[1] * r[3];
}

clump_rigid clump_rigid_after(const clump_rigid *a, const clump_rigid *b)
{
    clump_rigid m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.turn[3 * i + j] =
                a->turn[3 * i] * b->turn[j] + a->turn[3 * i + 1] * b->turn[3 + j] + a->turn[3 * i + 2] * b->turn[6 + j];
    orthonormalize(m.turn);
    rotate_point(a->turn, b->move, m.move);
    for (int i = 0; i < 3; i++) m.move[i] += a->move[i];
    return m;
}

bool clump_is_pose(const double m[12])
{
    if (!m) return false;
    for (int i = 0; i < 3; i++) {
        if (!isfinite(m[4 * i + 3])) return false;
        for (int j = i; j < 3; j++) {
            const double dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
            if (!(fabs(dot - (i == j)) <= 1e-3)) return false;
        }
    }
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) +
               m[2] * (m[4] * m[9] - m[5] * m[8]) >
           0;
}

double clump_rigid_angle(const clump_rigid *m)
{
    const double *const r = m->turn;
    const double x = r[7] - r[5], y = r[2] - r[6], z = r[3] - r[1];
    return atan2(sqrt(x * x + y * y + z * z), r[0] + r[4] + r[8] - 1);
}

double clump_rigid_length(const clump_rigid *m)
{
    return sqrt(m->move[0] * m->move[0] + m->move[1] * m->move[1] + m->move[2] * m->move[2]);
}

/* ----- from pairs ------------------------------------------------------------------------------ */

bool clump_rigid_of_pairs(const clump_pair_sums *s, clump_rigid *out)
{
    if (!(s->count >= 3)) return false;
    double p[3], q[3], c[9]; /* means, covariance */
    for (int k = 0; k < 3; k++) p[k] = s->p[k] / s->count, q[k] = s->q[k] / s->count;
    for (int k = 0; k < 9; k++) c[k] = s->pq[k] / s->count - p[k / 3] * q[k % 3];
    double n[16] = {c[0] + c[4] + c[8], c[5] - c[7],        c[6] - c[2],        c[1] - c[3],
                    c[5] - c[7],        c[0] - c[4] - c[8], c[1] + c[3],        c[2] + c[6],
                    c[6] - c[2],        c[1] + c[3],        c[4] - c[0] - c[8], c[5] + c[7],
                    c[1] - c[3],        c[2] + c[6],        c[5] + c[7],        c[8] - c[0] - c[4]};
    double quaternion[RIGID_N];
    largest_eigenvector(n, quaternion);
    rotation_of_quaternion(quaternion, out->turn);
    orthonormalize(out->turn);
    rotate_point(out->turn, p, out->move);
    for (int k = 0; k < 3; k++) out->move[k] = q[k] - out->move[k];
    return isfinite(out->turn[0]) && isfinite(out->move[0] + out->move[1] + out->move[2]);
}

bool clump_align_pairs(const double (*from)[3], const double (*to)[3], size_t count, double transform[16])
{
    for (int i = 0; i < 16; i++) transform[i] = i % 5 == 0;
    clump_pair_sums sums = {.count = (double)count};
    clump_rigid m;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            sums.p[k] += from[i][k] - from[0][k];
            sums.q[k] += to[i][k] - to[0][k];
            for (int l = 0; l < 3; l++) sums.pq[3 * k + l] += (from[i][k] - from[0][k]) * (to[i][l] - to[0][l]);
        }
    double total = 0;
    for (int k = 0; k < 3; k++) total += fabs(sums.p[k]) + fabs(sums.q[k]);
    for (int k = 0; k < 9; k++) total += fabs(sums.pq[k]);
    if (!isfinite(total) || !clump_rigid_of_pairs(&sums, &m)) return false;
    double turned[3];
    rotate_point(m.turn, from[0], turned);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) transform[4 * i + j] = m.turn[3 * i + j];
        transform[4 * i + 3] = m.move[i] + (to[0][i] - turned[i]);
    }
    return true;
}

/* Solves a x = b for a symmetric positive semidefinite 6 x 6 matrix. Undetermined directions get 0. Returns false where
 * nothing is determined. */
static bool solve_normal_equations(double a[36], double b[6], double x[6])
{
    double largest = 0;
    for (int i = 0; i < 6; i++) largest = a[7 * i] > largest ? a[7 * i] : largest;
    if (!(largest > 0) || !isfinite(largest)) return false;
    bool used[6] = {false};
    for (int step = 0; step < 6; step++) {
        int at = -1;
        for (int i = 0; i < 6; i++)
            if (!used[i] && (at < 0 || a[7 * i] > a[7 * at])) at = i;
        if (!(a[7 * at] > largest * 1e-12)) break;
        used[at] = true;
        for (int i = 0; i < 6; i++) {
            const double factor = a[6 * i + at] / a[7 * at];
            if (i == at || factor == 0) continue;
            for (int j = 0; j < 6; j++) a[6 * i + j] -= factor * a[6 * at + j];
            b[i] -= factor * b[at];
        }
    }
    for (int i = 0; i < 6; i++) x[i] = used[i] ? b[i] / a[7 * i] : 0;
    return true;
}

bool clump_rigid_of_planes(const clump_plane_sums *s, clump_rigid *out)
{
    if (!(s->count >= 3)) return false;
    double a[36], b[6], x[6];
    for (int i = 0, at = 0; i < 6; i++) {
        b[i] = s->b[i];
        for (int j = i; j < 6; j++) a[6 * i + j] = a[6 * j + i] = s->a[at++];
    }
    if (!solve_normal_equations(a, b, x)) return false;
    const double angle = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double half = angle > 0 ? sin(angle / 2) / angle : 0;
    const double quaternion[4] = {cos(angle / 2), half * x[0], half * x[1], half * x[2]};
    rotation_of_quaternion(quaternion, out->turn);
    orthonormalize(out->turn);
    for (int k = 0; k < 3; k++) out->move[k] = x[3 + k];
    return isfinite(out->turn[0]) && isfinite(out->move[0] + out->move[1] + out->move[2]);
}
