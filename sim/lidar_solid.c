/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_solid.c: where a direction and a beam meet a solid.
 */
#include "lidar_solid.h"

#include <math.h>

/* Cuts the stretch near ... far to the places with |from + change * t| <= half. Sets `facing` if `near` moves. */
static bool cut_slab(lidar_span *span, double from, double change, double half)
{
    if (change > -1e-12 && change < 1e-12) return from >= -half && from <= half;
    const double a = (-half - from) / change, b = (half - from) / change;
    const double first = a < b ? a : b, last = a < b ? b : a;
    if (first > span->near) span->near = first, span->facing = fabs(change);
    if (last < span->far) span->far = last;
    return span->near < span->far;
}

static bool box_span(const lidar_solid *s, double dx, double dy, const lidar_gaze *gaze, lidar_span *span)
{
    span->along = -dx * s->ux - dy * s->uy;
    span->across = dx * s->uy - dy * s->ux;
    span->change = gaze->ux * s->ux + gaze->uy * s->uy;
    span->drift = gaze->uy * s->ux - gaze->ux * s->uy;
    return cut_slab(span, span->along, span->change, s->hx) && cut_slab(span, span->across, span->drift, s->hy);
}

static bool round_span(const lidar_solid *s, double dx, double dy, const lidar_gaze *gaze, lidar_span *span)
{
    const double along = dx * gaze->ux + dy * gaze->uy, d2 = dx * dx + dy * dy;
    const double half2 = s->hx * s->hx - d2 + along * along;
    if (half2 <= 0) return false;
    const double half = sqrt(half2);
    if (along - half > span->near) span->near = along - half;
    if (along + half < span->far) span->far = along + half;
    span->facing = half / s->hx;
    span->along = along;
    span->across = d2;
    return span->near < span->far;
}

bool lidar_span_of(const lidar_solid *s, const lidar_gaze *gaze, double reach, lidar_span *span)
{
    const double dx = s->x + s->vx * gaze->late - gaze->x, dy = s->y + s->vy * gaze->late - gaze->y;
    *span = (lidar_span){.solid = s, .near = 0, .far = reach};
    return s->shape == LIDAR_BOX ? box_span(s, dx, dy, gaze, span) : round_span(s, dx, dy, gaze, span);
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

static bool cut_slants(const lidar_span *span, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = span->solid;
    for (size_t i = 0; i < s->slants; i++) {
        const lidar_slant *e = &s->slant[i];
        const double change = e->x * span->change + e->z * beam->rise;
        const double room = e->limit - e->x * span->along - e->z * beam->eye;
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
static bool meet_rounded(const lidar_span *span, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = span->solid;
    const double h = (s->high - s->low) / 2, up = s->low + h - beam->eye;
    const double rr = 1 / (s->hx * s->hx), hh = 1 / (h * h);
    const double a = rr + beam->rise * beam->rise * hh;
    const double b = span->along * rr + beam->rise * up * hh;
    const double c = span->across * rr + up * up * hh - 1;
    const double under_root = b * b - a * c;
    if (under_root <= 0) return false;
    const double root = sqrt(under_root), length = sqrt(1 + beam->rise * beam->rise);
    const double enter = (b - root) / a, leave = (b + root) / a;
    m->enter = enter > 0 ? enter : 0;
    m->leave = leave < span->far ? leave : span->far;
    m->facing = sqrt(under_root / a) * length;
    m->side = m->top = false;
    return m->enter < m->leave;
}

bool lidar_meet(const lidar_span *span, const lidar_beam *beam, lidar_meeting *m)
{
    const lidar_solid *s = span->solid;
    if (s->shape == LIDAR_ROUNDED) return meet_rounded(span, beam, m);
    *m = (lidar_meeting){.enter = span->near, .leave = span->far, .facing = span->facing, .side = true};
    return cut_heights(s, beam, m) && cut_slants(span, beam, m);
}
