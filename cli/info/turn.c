/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turn.c: see info.h. A sensor sees all around, not far up or down, and not through things: few points lie behind
 * others. Points of several scans, a survey or an object fail one of these.
 *
 *     sectors   every 10 degrees of azimuth have points
 *     steep     at most 5 % of the points are more than 55 degrees above or below the sensor
 *     hidden    of the points that are not the nearest of their direction, of 1 x 1 degrees, at most 40 % are more
 *               than 1.5 times as far as the nearest
 *
 * Measured on 30 whole turns of sensors with 16 to 128 beams: steep at most 0.2 %, hidden 1 to 32 %. Clouds of other
 * kinds that have points all around: steep 16 % or more. Chains of the paper: hidden 99 %.
 */
#include "info/info.h"

#include "common/assert.h"

#include "base/cli.h"

#include <math.h>
#include <stdlib.h>

enum { TURN_AZIMUTHS = 360, TURN_ELEVATIONS = 181, TURN_SECTOR = 10, TURN_SECTORS = TURN_AZIMUTHS / TURN_SECTOR };
enum { TURN_LEAST_POINTS = 1000, TURN_MOST_POINTS = 1 << 20, TURN_STEEP = 55 }; /* 128 beams, 4096 steps, two echoes */
static const double most_steep = 0.05, most_hidden = 0.4;
static const float farther = 1.5f, degrees = 57.29578f;

typedef struct direction {
    int azimuth, elevation; /* degrees: 0 ... 359, 0 ... 180 */
    float range;
} direction;

/* Returns whether the point has a direction: it is finite and not at 0, 0, 0. */
static bool find_direction(const float *p, direction *d)
{
    const float across = hypotf(p[0], p[1]);
    d->range = hypotf(across, p[2]);
    if (!isfinite(d->range) || d->range == 0) return false;
    d->azimuth = (int)(atan2f(p[1], p[0]) * degrees + 180) % TURN_AZIMUTHS;
    d->elevation = (int)(atan2f(p[2], across) * degrees + 90);
    CLUMP_ASSERT(d->azimuth >= 0 && d->elevation >= 0 && d->elevation < TURN_ELEVATIONS);
    return true;
}

/* Stores the nearest range of each direction, and how many points there are besides the nearest. Returns whether
 * sectors and steepness are those of a turn. */
static bool look_around(clump_points points, float *nearest, size_t *behind)
{
    bool sector[TURN_SECTORS] = {false};
    size_t steep = 0, seen = 0;
    direction d;
    for (size_t k = 0; k < TURN_AZIMUTHS * TURN_ELEVATIONS; k++) nearest[k] = INFINITY;
    for (size_t i = 0; i < points.count; i++) {
        if (!find_direction(cli_point(points, i), &d)) continue;
        float *const least = &nearest[d.azimuth * TURN_ELEVATIONS + d.elevation];
        if (isfinite(*least)) ++*behind;
        if (d.range < *least) *least = d.range;
        sector[d.azimuth / TURN_SECTOR] = true;
        steep += abs(d.elevation - 90) > TURN_STEEP;
        seen++;
    }
    for (size_t k = 0; k < TURN_SECTORS; k++)
        if (!sector[k]) return false;
    return (double)steep <= most_steep * (double)seen;
}

bool cli_is_turn(clump_points points)
{
    if (points.count < TURN_LEAST_POINTS || points.count > TURN_MOST_POINTS) return false;
    float *const nearest = malloc((size_t)TURN_AZIMUTHS * TURN_ELEVATIONS * sizeof *nearest);
    size_t behind = 0, hidden = 0;
    const bool turn = nearest && look_around(points, nearest, &behind);
    direction d;
    for (size_t i = 0; turn && i < points.count; i++)
        hidden += find_direction(cli_point(points, i), &d) &&
                  d.range > farther * nearest[d.azimuth * TURN_ELEVATIONS + d.elevation];
    free(nearest);
    return turn && (double)hidden <= most_hidden * (double)behind;
}
