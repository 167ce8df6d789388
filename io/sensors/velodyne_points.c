/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_points.c: from distances to coordinates.
 *
 * The direction of a slot is a + t: a is the azimuth of the block, t the turn of the sensor until the laser fires, less
 * the laser's own rotation. Tables hold cosine and sine of a per 0.01 degrees, and of t per slot. The turn per firing
 * changes little, so that the values of t are computed for some turns and used again. Nothing is rounded to 0.01
 * degrees, which would be 17 mm at 100 m.
 *
 * Coordinates are those of ROS: x is azimuth 0, y is azimuth 270 degrees, z is up.
 */
#include "sensors/velodyne.h"

#include "common/assert.h"

#include <math.h>
#include <string.h>

#define POINTS_UNIT_ANGLE (3.14159265358979323846 / 18000) /* radians of 0.01 degrees */

/* Distances in metres between which the two-point correction is linear: the manual of the HDL-64E. */
#define POINTS_NEAR_X 2.4f
#define POINTS_NEAR_Y 1.93f
#define POINTS_FAR    25.04f

/* --- constants --------------------------------------------------------------------------------------- */

/* Microseconds from the beginning of a firing to the shot of a slot. */
static double shot_time(const clump_velodyne_model *model, unsigned slot)
{
    const unsigned laser = slot % model->lasers, group = laser / model->group_size;
    const unsigned pauses = model->pause ? group / model->pause : 0;
    return slot / model->lasers * model->round_us + (group + pauses) * model->group_us;
}

/* Rings count from the lowest laser. Of equal elevations the lower number is first. */
static uint16_t ring_of(const clump_velodyne_laser *lasers, unsigned count, unsigned laser)
{
    CLUMP_ASSERT(laser < count);
    unsigned ring = 0;
    for (unsigned i = 0; i < count; i++)
        if (lasers[i].elevation < lasers[laser].elevation ||
            (lasers[i].elevation == lasers[laser].elevation && i < laser))
            ring++;
    return (uint16_t)ring;
}

/* Fills the tables of the azimuth. A quarter is computed, the others are its mirror images. */
static void fill_turn(clump_velodyne_optics *optics)
{
    const unsigned half = VELODYNE_TURN / 2, quarter = VELODYNE_TURN / 4;
    for (unsigned i = 0; i <= quarter; i++) {
        const float sine = (float)sin(i * POINTS_UNIT_ANGLE);
        optics->turn_sine[(VELODYNE_TURN - i) % VELODYNE_TURN] = -sine;
        optics->turn_sine[half + i] = -sine;
        optics->turn_sine[half - i] = optics->turn_sine[i] = sine;
    }
    for (unsigned i = 0; i < VELODYNE_TURN; i++)
        optics->turn_cosine[i] = optics->turn_sine[(i + quarter) % VELODYNE_TURN];
}

void clump_velodyne_optics_set(clump_velodyne_optics *optics, const clump_velodyne_model *model,
                               const clump_velodyne_laser *lasers, double unit)
{
    optics->unit = (float)unit;
    optics->corrected = false;
    for (unsigned slot = 0; slot < VELODYNE_SLOTS * model->banks; slot++) {
        const clump_velodyne_laser *const laser = &lasers[slot % model->lasers];
        const double cosine = cos(laser->elevation), sine = sin(laser->elevation), time = shot_time(model, slot);
        optics->laser[slot] = *laser;
        optics->cosine[slot] = (float)cosine;
        optics->sine[slot] = (float)sine;
        optics->flat_offset[slot] = (float)(laser->distance * cosine - laser->up * sine);
        optics->up_offset[slot] = (float)(laser->distance * sine + laser->up * cosine);
        optics->time[slot] = (float)(time * 1e-6);
        optics->share[slot] = time / model->firing_us;
        optics->ring[slot] = ring_of(lasers, model->lasers, slot % model->lasers);
        if (laser->two_points || laser->aside != 0) optics->corrected = true;
    }
    for (unsigned i = 0; i < VELODYNE_TURNINGS; i++) optics->turnings[i].gap = -1;
    fill_turn(optics);
}

static const clump_velodyne_turning *turning_of(clump_velodyne_optics *optics, unsigned gap)
{
    clump_velodyne_turning *const turning = &optics->turnings[gap % VELODYNE_TURNINGS];
    if (turning->gap == (int)gap) return turning;
    turning->gap = (int)gap;
    for (unsigned slot = 0; slot < VELODYNE_MAX_LASERS; slot++) {
        const double angle = gap * POINTS_UNIT_ANGLE * optics->share[slot] - optics->laser[slot].rotation;
        turning->cosine[slot] = (float)cos(angle);
        turning->sine[slot] = (float)sin(angle);
    }
    return turning;
}

/* --- points ------------------------------------------------------------------------------------------- */

/* The measurements of a block. */
typedef struct points_measured {
    unsigned raw[VELODYNE_SLOTS];   /* 0: no return */
    float distance[VELODYNE_SLOTS]; /* metres */
    float x[VELODYNE_SLOTS], y[VELODYNE_SLOTS], z[VELODYNE_SLOTS];
} points_measured;

static void place(const clump_velodyne_optics *optics, const clump_velodyne_turning *turning, unsigned azimuth,
                  unsigned bank, points_measured *m)
{
    CLUMP_ASSERT(bank < 4);
    const float cosine = optics->turn_cosine[azimuth], sine = optics->turn_sine[azimuth];
    const unsigned first = bank * VELODYNE_SLOTS;
    for (unsigned i = 0; i < VELODYNE_SLOTS; i++) {
        const unsigned s = first + i;
        const float flat = m->distance[i] * optics->cosine[s] + optics->flat_offset[s];
        m->x[i] = flat * (cosine * turning->cosine[s] - sine * turning->sine[s]);
        m->y[i] = -flat * (sine * turning->cosine[s] + cosine * turning->sine[s]);
        m->z[i] = m->distance[i] * optics->sine[s] + optics->up_offset[s];
    }
}

/* The same with lenses beside the axis and with a correction that depends on the distance along x and y. */
static void place_corrected(const clump_velodyne_optics *optics, const clump_velodyne_turning *turning,
                            unsigned azimuth, unsigned bank, points_measured *m)
{
    CLUMP_ASSERT(bank < 4);
    const float turn_cosine = optics->turn_cosine[azimuth], turn_sine = optics->turn_sine[azimuth];
    for (unsigned i = 0; i < VELODYNE_SLOTS; i++) {
        const unsigned s = bank * VELODYNE_SLOTS + i;
        const clump_velodyne_laser *const laser = &optics->laser[s];
        const float cosine = turn_cosine * turning->cosine[s] - turn_sine * turning->sine[s];
        const float sine = turn_sine * turning->cosine[s] + turn_cosine * turning->sine[s];
        const float aside = (float)laser->aside, flat = m->distance[i] * optics->cosine[s] + optics->flat_offset[s];
        float more_x = 0, more_y = 0; /* of the manual's axes: x is right, y is forward */
        if (laser->two_points) {
            const float x = fabsf(flat * sine - aside * cosine), y = fabsf(flat * cosine + aside * sine);
            more_x = (float)(laser->distance_x - laser->distance) * (POINTS_FAR - x) / (POINTS_FAR - POINTS_NEAR_X);
            more_y = (float)(laser->distance_y - laser->distance) * (POINTS_FAR - y) / (POINTS_FAR - POINTS_NEAR_Y);
        }
        m->x[i] = (flat + more_y * optics->cosine[s]) * cosine + aside * sine;
        m->y[i] = aside * cosine - (flat + more_x * optics->cosine[s]) * sine;
        m->z[i] = (m->distance[i] + more_y) * optics->sine[s] + optics->up_offset[s];
    }
}

void clump_velodyne_points_append(clump_velodyne_optics *optics, const clump_velodyne_block *block, float since,
                                  bool with_return, clump_io_filling *to)
{
    points_measured m;
    for (unsigned i = 0; i < VELODYNE_SLOTS; i++) m.raw[i] = clump_io_u16(block->bytes + 4 + 3 * i);
    for (unsigned i = 0; i < VELODYNE_SLOTS; i++) m.distance[i] = (float)(int)m.raw[i] * optics->unit;
    /* The second return of a laser that had only one repeats the first. */
    for (unsigned i = 0; block->twin && i < VELODYNE_SLOTS; i++)
        if (clump_io_u16(block->twin + 4 + 3 * i) == m.raw[i]) m.raw[i] = 0;
    const clump_velodyne_turning *const turning = turning_of(optics, block->gap);
    if (optics->corrected)
        place_corrected(optics, turning, block->azimuth, block->bank, &m);
    else
        place(optics, turning, block->azimuth, block->bank, &m);

    /* Each point is stored, and counts only if there is one: no branch depends on the data. */
    const unsigned first = block->bank * VELODYNE_SLOTS;
    float *const xyz = to->xyz, *const intensity = to->fields[0], *const time = to->fields[2];
    uint16_t *const ring = to->fields[1];
    size_t n = to->count;
    for (unsigned i = 0; i < VELODYNE_SLOTS; i++) {
        xyz[3 * n] = m.x[i], xyz[3 * n + 1] = m.y[i], xyz[3 * n + 2] = m.z[i];
        intensity[n] = block->bytes[6 + 3 * i];
        ring[n] = optics->ring[first + i];
        time[n] = since + optics->time[first + i];
        n += m.raw[i] != 0;
    }
    if (with_return && n > to->count) memset((uint8_t *)to->fields[3] + to->count, block->twin != NULL, n - to->count);
    to->count = n;
}
