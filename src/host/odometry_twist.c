/* SPDX-License-Identifier: BSD-3-Clause
 *
 * odometry_twist.c: see odometry.h. A constant velocity moves the sensor along an arc. With v and w for the velocities of
 * translation and rotation, in the axes of the sensor,
 *
 *     rotation(t)    = by the angle |w| t about w
 *     translation(t) = v t + w x v t^2 / 2       the arc up to its curvature: off by 1/6 |v| |w|^2 t^3, 1 mm at 10 m/s and 25
 *                                                degrees per second in 0.1 s
 *
 * The rotation is a quaternion by the tangent of half the angle, of which the first terms of its series are enough. So no
 * function of the system's library is called per point, and bits are equal on all machines.
 */
#include "host/odometry.h"

#include <math.h>
#include <string.h>

clump_rigid clump_rigid_inverse(const clump_rigid *m)
{
    clump_rigid r;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) r.turn[3 * i + j] = m->turn[3 * j + i];
        r.move[i] = -(m->turn[i] * m->move[0] + m->turn[3 + i] * m->move[1] + m->turn[6 + i] * m->move[2]);
    }
    return r;
}

/* Sets r to the rotation by a vector of the length of its angle. tan(x) = x (1 + x^2/3 + 2 x^4/15 + 17 x^6/315 + ...), for
 * x = angle / 2 below 0.5; larger angles are halved first. */
static void rotation_of(const double a[3], double r[9])
{
    double x = a[0] / 2, y = a[1] / 2, z = a[2] / 2, square = x * x + y * y + z * z;
    int halved = 0;
    while (square > 0.25 && halved < 12) x /= 2, y /= 2, z /= 2, square /= 4, halved++;
    const double factor = 1 + square * (1.0 / 3 + square * (2.0 / 15 + square * (17.0 / 315 + square * 62.0 / 2835)));
    const double length = sqrt(1 + square * factor * factor);
    double q[4] = {1 / length, x * factor / length, y * factor / length, z * factor / length};
    for (; halved > 0; halved--) { /* q q */
        const double w = q[0];
        for (int k = 1; k < 4; k++) q[k] *= 2 * w;
        q[0] = 2 * w * w - 1;
    }
    const double xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
    const double m[9] = {1 - 2 * (yy + zz),
                         2 * (q[1] * q[2] - q[0] * q[3]),
                         2 * (q[1] * q[3] + q[0] * q[2]),
                         2 * (q[1] * q[2] + q[0] * q[3]),
                         1 - 2 * (xx + zz),
                         2 * (q[2] * q[3] - q[0] * q[1]),
                         2 * (q[1] * q[3] - q[0] * q[2]),
                         2 * (q[2] * q[3] + q[0] * q[1]),
                         1 - 2 * (xx + yy)};
    memcpy(r, m, sizeof m);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

clump_rigid clump_twist_after(const clump_twist *t, double s)
{
    clump_rigid m;
    double bent[3];
    const double angle[3] = {t->turn[0] * s, t->turn[1] * s, t->turn[2] * s};
    rotation_of(angle, m.turn);
    cross(t->turn, t->move, bent);
    for (int k = 0; k < 3; k++) m.move[k] = t->move[k] * s + bent[k] * (s * s / 2);
    return m;
}

clump_twist clump_twist_of(const clump_rigid *m, double s)
{
    clump_twist t;
    double bent[3];
    const double *const r = m->turn;
    const double axis[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]); /* 2 sin */
    const double factor = length > 1e-12 ? clump_rigid_angle(m) / (length * s) : 0.5 / s;
    for (int k = 0; k < 3; k++) t.turn[k] = axis[k] * factor, t.move[k] = m->move[k] / s;
    cross(t.turn, t.move, bent);
    for (int k = 0; k < 3; k++) t.move[k] -= bent[k] * (s / 2);
    return t;
}

void clump_twist_move(const clump_twist *twist, double at, const float *xyz, size_t stride, const float *times,
                      size_t times_stride, size_t count, float *out)
{
    clump_rigid m = clump_rigid_none;
    float time = NAN; /* of m: points of one firing have equal times */
    for (size_t i = 0; i < count; i++) {
        float p[3], now;
        memcpy(p, (const char *)xyz + i * stride, sizeof p);
        memcpy(&now, (const char *)times + i * times_stride, sizeof now);
        if (now != time) time = now, m = clump_twist_after(twist, (double)now - at);
        for (size_t k = 0; k < 3; k++) out[3 * i + k] = clump_moved(m.turn + 3 * k, m.move[k], p);
    }
}

void clump_samples_deskew(const clump_sample *samples, size_t count, const clump_twist *twist, double at, float *xyz)
{
    if (twist && count > 0)
        clump_twist_move(twist, at, samples->xyz, sizeof *samples, &samples->time, sizeof *samples, count, xyz);
    for (size_t i = 0; !twist && i < count; i++) memcpy(xyz + 3 * i, samples[i].xyz, sizeof samples->xyz);
}
