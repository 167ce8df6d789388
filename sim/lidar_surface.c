/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_surface.c: what surfaces do to rays.
 */
#include "lidar_surface.h"

#include "exact.h"

#include <math.h>

/* Returns 64 pseudo-random bits for a cell of a lattice. */
static uint64_t lattice_bits(double i, double j, double k)
{
    const uint64_t a = (uint64_t)(int64_t)i, b = (uint64_t)(int64_t)j, c = (uint64_t)(int64_t)k;
    return exact_mix(a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u);
}

static double corner(double i, double j)
{
    return (double)(lattice_bits(i, j, 5) >> 11) * 0x1p-52 - 1;
}

double lidar_bump(double x, double y, double scale)
{
    const double i = floor(x / scale), j = floor(y / scale);
    double a = x / scale - i, b = y / scale - j;
    a = a * a * (3 - 2 * a), b = b * b * (3 - 2 * b);
    const double near = corner(i, j) + a * (corner(i + 1, j) - corner(i, j));
    const double far = corner(i, j + 1) + a * (corner(i + 1, j + 1) - corner(i, j + 1));
    return near + b * (far - near);
}

/* Space is divided into cubes; a share of them is full of leaves. The beam is followed in steps of a cube's side. */
double lidar_leaf(const lidar_solid *plant, const lidar_gaze *gaze, const lidar_beam *beam, double enter, double leave)
{
    const double cube = 0.2, step = cube / sqrt(1 + beam->rise * beam->rise);
    double t = enter;
    for (int i = 0; i < 80 && t < leave; i++, t += step) {
        const double x = gaze->x + t * gaze->ux, y = gaze->y + t * gaze->uy, z = beam->eye + t * beam->rise;
        const uint64_t bits = lattice_bits(floor(x / cube), floor(y / cube), floor(z / cube));
        if ((double)(bits >> 40) * 0x1p-24 < plant->filled) return t + (double)(bits & 0xffff) * 0x1p-16 * step;
    }
    return -1;
}

bool lidar_window(const lidar_span *span, double t, double high)
{
    const lidar_solid *s = span->solid;
    const double along = span->along + span->change * t, across = span->across + span->drift * t;
    const bool front = s->hx - fabs(along) < s->hy - fabs(across);
    const double a = ((front ? across : along) + 200) / 2.7, b = (high - s->low) / 2.9;
    const double x = a - floor(a), z = b - floor(b);
    return x > 0.35 && x < 0.8 && z > 0.3 && z < 0.8;
}

/* Rough surfaces return light also at grazing incidence; so a third of it does not depend on the angle. */
double lidar_echo(double shine, double facing, double range, double weak)
{
    return shine * (0.35 + 0.65 * facing) / 0.1 * (weak * weak) / (range * range);
}
