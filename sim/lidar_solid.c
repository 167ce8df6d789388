/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_solid.c: where a direction and a beam meet a solid.
 */
#include "lidar_solid.h"

#include <math.h>

/* Cuts the stretch near ... far to the places with |from + change * t| <= half. Sets `facing` if `near` moves. */
static bool cut_slab(lidar_profile *profile, double from, double change, double half)
{
    if (change > -1e-12 && change < 1e-12) return from >= -half && from <= half;
    const double a = (-half - from) / change, b = (half - from) / change;
    const double first = a < b ? a : b, last = a < b ? b : a;
    if (first > profile->near) profile->near = first, profile->facing = fabs(change);
    if (last < profile->far) profile->far = last;
    return profile->near < profile->far;
}

static bool box_profile(const lidar_solid *s, double dx, double dy, const lidar_gaze *gaze, lidar_profile *profile)
{
    profile->along = -dx * s->ux - dy * s->uy;
    profile->across = dx * s->uy - dy * s->ux;
    profile->change = gaze->ux * s->ux + gaze->uy * s->uy;
    profile->drift = gaze->uy * s->ux - gaze->ux * s->uy;
    return cut_slab(profile, profile->along, profile->change, s->hx) &&
           cut_slab(profile, profile->across, profile->drift, s->hy);
}

static bool round_profile(const lidar_solid *s, double dx, double dy, const lidar_gaze *gaze, lidar_profile *profile)
{
    const double along = dx * gaze->ux + dy * gaze->uy, d2 = dx * dx + dy * dy;
    const double half2 = s->hx * s->hx - d2 + along * along;
    if (half2 <= 0) return false;
    const double half = sqrt(half2);
    if (along - half > profile->near) profile->near = along - half;
    if (along + half < profile->far) profile->far = along + half;
    profile->facing = half / s->hx;
    profile->along = along;
    profile->across = d2;
    return profile->near < profile->far;
}

bool lidar_profile_of(const lidar_solid *s, const lidar_gaze *gaze, double reach, lidar_profile *profile)
{
    const double dx = s->x + s->vx * gaze->late - gaze->x, dy = s->y + s->vy * gaze->late - gaze->y;
    *profile = (lidar_profile){.solid = s, .near = 0, .far = reach};
    return s->shape == LIDAR_BOX ? box_profile(s, dx, dy, gaze, profile) : round_profile(s, dx, dy, gaze, profile);
}

/* Cuts a stretch to the heights low ... high. */
static bool cut_heights(const lidar_solid *s, const lidar_beam *beam, lidar_meeting *m)
{
    const double a = (s->low - beam->eye) * beam->per_rise, b = (s->high - beam->eye) * beam->per_rise;
    const double first = beam->rise > 0 ? a : b, last = beam->rise > 0 ? b : a;
    if (last < m->leave) m->leave = last;
    if (first > m->enter) {
        m->enter = first;
        m->facing = fabs(beam->rise);
        m->side = false;
        m->top = beam->rise < 0;
    }
    return m->enter < m->leave;
}

static bool cut_slants(const lidar_profile *profile, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = profile->solid;
    for (size_t i = 0; i < s->slants; i++) {
        const lidar_slant *e = &s->slant[i];
        const double change = e->x * profile->change + e->z * beam->rise;
        const double room = e->limit - e->x * profile->along - e->z * beam->eye;
        if (change > -1e-12 && change < 1e-12) {
            if (room < 0) return false;
            continue;
        }
        const double t = room / change;
        if (change > 0) {
            if (t < m->leave) m->leave = t;
        } else if (t > m->enter) {
            m->enter = t;
            m->facing = -change;
            m->side = m->top = false;
        }
        if (m->enter >= m->leave) return false;
    }
    return true;
}

/* The beam in an ellipsoid: (t^2 - 2 t along + across) / r^2 + (rise t - up)^2 / h^2 = 1. */
static bool meet_rounded(const lidar_profile *profile, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = profile->solid;
    const double h = (s->high - s->low) / 2, up = s->low + h - beam->eye;
    const double rr = 1 / (s->hx * s->hx), hh = 1 / (h * h);
    const double a = rr + beam->rise * beam->rise * hh;
    const double b = profile->along * rr + beam->rise * up * hh;
    const double c = profile->across * rr + up * up * hh - 1;
    const double under_root = b * b - a * c;
    if (under_root <= 0) return false;
    const double root = sqrt(under_root), length = sqrt(1 + beam->rise * beam->rise);
    const double enter = (b - root) / a, leave = (b + root) / a;
    m->enter = enter > 0 ? enter : 0;
    m->leave = leave < profile->far ? leave : profile->far;
    m->facing = sqrt(under_root / a) * length;
    m->side = m->top = false;
    return m->enter < m->leave;
}

bool lidar_meet(const lidar_profile *profile, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = profile->solid;
    if (s->shape == LIDAR_ROUNDED) return meet_rounded(profile, beam, m);
    *m = (lidar_meeting){.enter = profile->near, .leave = profile->far, .facing = profile->facing, .side = true};
    return cut_heights(s, beam, m) && cut_slants(profile, beam, m);
}
