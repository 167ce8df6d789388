/* SPDX-License-Identifier: BSD-3-Clause
 *
 * turning_scans.h: scans of a sensor that turns, for tests: rings at even vertical angles, with things at random ranges,
 * people in front of walls, a floor, and beams without a return.
 */
#ifndef CLUMP_TESTS_TURNING_SCANS_H
#define CLUMP_TESTS_TURNING_SCANS_H

#include "support/check.h"

#include <math.h>

typedef struct turning_scan {
    float *xyz;
    uint16_t *rings;
    size_t count;
    int ring_count;
} turning_scan;

/* The range at which a beam ends; 0: no return. Sectors of the turn have a thing each. */
static inline double turning_range(const double *thing, int sectors, double azimuth, double elevation)
{
    const int sector = (int)(azimuth * sectors);
    const double part = azimuth * sectors - sector, wide = 0.3 + 0.5 * thing[2 * sector + 1];
    const double wall = part < wide ? 3 + 25 * thing[2 * sector] : 40 * thing[2 * sector + 1] + 8;
    const double floor = elevation < -0.01 ? 1.7 / -sin(elevation) : 1e9;
    const double range = wall / cos(elevation);
    return range < floor ? range : floor < 80 ? floor : 0;
}

/* Makes a scan of `rings` rings with `columns` beams each, ring after ring, azimuths ascending. The caller releases it. */
static inline turning_scan turning_scan_make(int rings, int columns, uint64_t *random)
{
    enum { SECTORS = 40 };
    double thing[2 * SECTORS];
    turning_scan s = {malloc(3 * sizeof(float) * (size_t)(rings * columns + 1)),
                      malloc(sizeof(uint16_t) * (size_t)(rings * columns + 1)), 0, rings};
    for (int k = 0; k < 2 * SECTORS; k++) thing[k] = (double)check_random_float(random);
    for (int r = 0; r < rings; r++) {
        const double elevation = -0.35 + 0.45 * (r + 0.5) / rings;
        for (int c = 0; c < columns; c++) {
            const double azimuth = (c + 0.25 + 0.5 * (double)check_random_float(random)) / columns;
            const double noise = 0.04 * ((double)check_random_float(random) - 0.5);
            const double range = turning_range(thing, SECTORS, azimuth, elevation);
            if (range <= 0 || check_random(random) % 20 == 0) continue;
            const double turn = 6.283185307179586 * azimuth, flat = (range + noise) * cos(elevation);
            float *const p = s.xyz + 3 * s.count;
            p[0] = (float)(flat * cos(turn)), p[1] = (float)(flat * sin(turn));
            p[2] = (float)((range + noise) * sin(elevation));
            s.rings[s.count++] = (uint16_t)r;
        }
    }
    return s;
}

static inline void turning_scan_exchange(turning_scan *s, size_t i, size_t j)
{
    const uint16_t ring = s->rings[i];
    s->rings[i] = s->rings[j], s->rings[j] = ring;
    for (int k = 0; k < 3; k++) {
        const float kept = s->xyz[3 * i + (size_t)k];
        s->xyz[3 * i + (size_t)k] = s->xyz[3 * j + (size_t)k], s->xyz[3 * j + (size_t)k] = kept;
    }
}

/* Exchanges points at random. */
static inline void turning_scan_shuffle(turning_scan *s, uint64_t *random)
{
    for (size_t i = s->count; i > 1; i--) turning_scan_exchange(s, i - 1, check_random(random) % i);
}

/* Reverses the points, so that azimuths descend in each ring. Rings are numbered in the new order. */
static inline void turning_scan_reverse(turning_scan *s)
{
    for (size_t i = 0; i < s->count / 2; i++) turning_scan_exchange(s, i, s->count - 1 - i);
    for (size_t i = 0; i < s->count; i++) s->rings[i] = (uint16_t)(s->ring_count - 1 - s->rings[i]);
}

static inline void turning_scan_release(turning_scan *s)
{
    free(s->xyz), free(s->rings);
}

#endif
