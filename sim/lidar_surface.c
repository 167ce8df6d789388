/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_surface.c: what surfaces do to rays.
 */
#include "lidar_surface.h"

#include "exact.h"
#include "lidar_stage.h"

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

/* Returns the height of uneven ground at a place of the world, between -1 and 1, smooth over `scale` m. */
static double bump_at(double x, double y, double scale)
{
    const double i = floor(x / scale), j = floor(y / scale);
    double a = x / scale - i, b = y / scale - j;
    a = a * a * (3 - 2 * a), b = b * b * (3 - 2 * b);
    const double near = corner(i, j) + a * (corner(i + 1, j) - corner(i, j));
    const double far = corner(i, j + 1) + a * (corner(i + 1, j + 1) - corner(i, j + 1));
    return near + b * (far - near);
}

/* Lanes are divided by dashes of 3 m. A wide carriageway has two lanes per direction, and lines at its edges. */
static bool is_marked(double x, double y, double lanes_end)
{
    const bool wide = lanes_end > 7;
    const double dash = x / 6 - floor(x / 6), aside = fabs(y);
    if (lanes_end <= 0) return false;
    return (fabs(aside - (wide ? 3.5 : 0)) < 0.08 && dash < 0.5) || (wide && fabs(aside - 7) < 0.08);
}

void lidar_finish_ground(lidar_hit *hit, const lidar_gaze *gaze, const lidar_beam *beam, double lanes_end)
{
    const double x = gaze->x + hit->t * gaze->ux, y = gaze->y + hit->t * gaze->uy;
    const double bump =
        hit->ground == LIDAR_UNEVEN ? 0.04 * bump_at(x, y, 3) + 0.02 * bump_at(x, y, 0.3) : 0.02 * bump_at(x, y, 9);
    const double t = (hit->level + bump - beam->eye) * beam->per_rise;
    if (t > 0.9 * hit->t && t < 1.1 * hit->t) hit->t = t; /* near the horizon a bump would move the hit too far */
    if (hit->ground != LIDAR_CARRIAGEWAY) return;
    const bool marked = is_marked(x, y, lanes_end);
    hit->semantic = marked ? LIDAR_MARKING : LIDAR_ROAD;
    hit->shine = marked ? 0.6 : 0.27 + 0.05 * bump_at(x, y, 2);
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

bool lidar_window(const lidar_profile *profile, double t, double high)
{
    const lidar_solid *s = profile->solid;
    const double along = profile->along + profile->change * t, across = profile->across + profile->drift * t;
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
