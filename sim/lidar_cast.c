/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lidar_cast.c: rays through a stage. The turn is divided into sectors. A sector lists the solids that its directions
 * can meet. A direction cuts them with its vertical plane and sorts these profiles by distance. A beam tests the
 * profiles until the next one begins behind what was hit.
 *
 * Ground that slopes: the world is sheared, z' = z - slope * x. Then the road is level and upright things stay upright.
 * Only the rise of the beams changes with the direction.
 */
#include "lidar_cast.h"

#include "common/assert.h"

#include "lidar_stage.h"
#include "lidar_surface.h"

#include <math.h>
#include <stdlib.h>

enum { CAST_SECTORS = 256 };

static const double least_range = 0.9;           /* nearer echoes are not measured */
static const double roof[3] = {2.0, 0.85, 0.55}; /* of the vehicle, an ellipse: half axes, below the sensor; as KITTI */
static const double range_step = 0.002;          /* of all models */
static const double start_x = -12, lane_y = -1.75;        /* the sensor in frame 0 */
static const double weave_wide = 0.25, weave_length = 70; /* the vehicle swings in its lane */

/* What the rays of a frame share. */
typedef struct cast {
    const struct clump_lidar_world *world;
    const lidar_stage *stage;
    const clump_lidar_scan *out;
    uint64_t key; /* of the random numbers of the frame */
    double lanes_end;
    const lidar_solid **listed; /* the solids of the sector */
    lidar_profile *profiles;    /* of the direction, sorted by `near` */
    size_t profile_count;
} cast;

lidar_place lidar_place_at(const clump_lidar *lidar, double time)
{
    const double way = lidar->speed * time, turn = way / weave_length;
    double cosine, sine;
    exact_direction(turn, &cosine, &sine);
    const double drift = weave_wide * 2 * EXACT_PI / weave_length * sine, length = sqrt(1 + drift * drift);
    return (lidar_place){start_x + way, lane_y + weave_wide * (1 - cosine), 1 / length, drift / length};
}

/* --- sectors and directions -------------------------------------------------------------------- */

/* Returns the time since the start of the frame that counts for a direction. */
static double lateness(const struct clump_lidar_world *w, double column)
{
    return w->lidar.distortion ? column / ((double)w->columns * w->lidar.rate) : 0;
}

/* Direction `column`, 0 is at the rear; columns go clockwise. */
static lidar_gaze gaze_at(const cast *c, double column)
{
    const struct clump_lidar_world *w = c->world;
    const double late = lateness(w, column);
    const lidar_place place = lidar_place_at(&w->lidar, c->stage->time + late);
    double cosine, sine;
    exact_direction(0.5 - (column + 0.5) / (double)w->columns, &cosine, &sine);
    return (lidar_gaze){.x = place.x,
                        .y = place.y,
                        .ux = cosine * place.ux - sine * place.uy,
                        .uy = cosine * place.uy + sine * place.ux,
                        .eye = w->lidar.height,
                        .late = late};
}

/* Lists the solids that a direction of the sector can meet. `spread` is at least the sine of the angle between the
 * middle of the sector and its edge. A solid is met by a direction that is turned by an angle a if the distance of its
 * middle from the direction is at most its half width across the direction. Both change by at most sin a times the
 * distance and the radius. 0.5 m cover the movement during the sector. */
static size_t list_solids(const cast *c, double middle, double spread)
{
    CLUMP_ASSERT(spread > 0);
    const lidar_gaze gaze = gaze_at(c, middle);
    size_t count = 0;
    for (size_t i = 0; i < c->stage->count; i++) {
        const lidar_solid *s = &c->stage->solids[i];
        const double dx = s->x + s->vx * gaze.late - gaze.x, dy = s->y + s->vy * gaze.late - gaze.y;
        const double off = fabs(dx * gaze.uy - dy * gaze.ux), along = dx * gaze.ux + dy * gaze.uy;
        const double radius = s->hx + s->hy;
        const double half = s->shape == LIDAR_BOX ? s->hx * fabs(s->ux * gaze.uy - s->uy * gaze.ux) +
                                                        s->hy * fabs(s->ux * gaze.ux + s->uy * gaze.uy)
                                                  : s->hx;
        const double margin = 0.5 + spread * (off + fabs(along) + radius);
        if (off <= half + margin && along >= -radius - margin) c->listed[count++] = s;
    }
    return count;
}

/* Cuts the listed solids with the plane of a direction, sorted by distance. */
static void cut_solids(cast *c, const lidar_gaze *gaze, size_t listed)
{
    c->profile_count = 0;
    for (size_t i = 0; i < listed; i++) {
        lidar_profile profile;
        if (!lidar_profile_of(c->listed[i], gaze, c->world->reach, &profile)) continue;
        CLUMP_ASSERT(c->profile_count < c->stage->count);
        size_t at = c->profile_count++;
        for (; at > 0 && c->profiles[at - 1].near > profile.near; at--) c->profiles[at] = c->profiles[at - 1];
        c->profiles[at] = profile;
    }
}

/* --- one ray ----------------------------------------------------------------------------------- */

/* Tries one solid. Returns whether the ray ends in it; then `hit` is nearer than before. */
static bool try_solid(lidar_hit *hit, const lidar_profile *profile, const lidar_gaze *gaze, const lidar_beam *beam)
{
    const lidar_solid *s = profile->solid;
    lidar_meeting m;
    if (!lidar_meet(profile, beam, &m) || m.enter >= hit->t) return false;
    double t = m.enter;
    if (s->filled < 1) {
        t = lidar_leaf(s, gaze, beam, m.enter, m.leave < hit->t ? m.leave : hit->t);
        if (t < 0 || t >= hit->t) return false;
        m.facing = 0.8;
    } else if (t <= 0) {
        return false;
    }
    *hit = (lidar_hit){.t = t, .facing = m.facing, .shine = s->shine, .semantic = s->semantic, .instance = s->instance};
    if (m.top && (s->skin == LIDAR_PAVED || s->skin == LIDAR_ROUGH)) {
        hit->ground = s->skin == LIDAR_PAVED ? LIDAR_EVEN : LIDAR_UNEVEN;
        hit->level = s->high;
    }
    if (s->skin == LIDAR_FACADE && m.side && lidar_window(profile, t, beam->eye + t * beam->rise))
        hit->t += 0.15, hit->shine = 0.12, hit->lost = 0.6;
    if (s->skin == LIDAR_GLASS && !m.top) hit->lost = 0.75;
    return true;
}

/* Returns whether the ray ends somewhere. */
static bool trace(const cast *c, const lidar_gaze *gaze, const lidar_beam *beam, lidar_hit *hit)
{
    CLUMP_ASSERT(beam->rise != 0 && beam->eye > 0);
    *hit = (lidar_hit){.t = c->world->reach};
    bool ends = beam->rise < 0 && -beam->eye * beam->per_rise < hit->t;
    if (ends)
        *hit = (lidar_hit){.t = -beam->eye * beam->per_rise, .facing = fabs(beam->rise), .ground = LIDAR_CARRIAGEWAY};
    for (size_t i = 0; i < c->profile_count && c->profiles[i].near < hit->t; i++)
        if (try_solid(hit, &c->profiles[i], gaze, beam)) ends = true;
    if (hit->ground != LIDAR_NO_GROUND) lidar_finish_ground(hit, gaze, beam, c->lanes_end);
    return ends;
}

/* Returns a number of a normal distribution, nearly: the sum of four uniform ones. */
static double normal(uint64_t bits)
{
    const uint64_t sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    return ((double)sum + 2) * 0x1p-16 * sqrt(3) - 2 * sqrt(3);
}

static double share_of(uint64_t bits)
{
    return (double)(bits >> 11) * 0x1p-53;
}

/* Writes the echo of a ray to its slot. Returns false if there is none. */
static bool write_echo(const cast *c, const lidar_hit *hit, size_t beam, const double ahead[2], size_t slot,
                       uint64_t ray)
{
    CLUMP_ASSERT(beam < c->world->model->beams && slot < c->world->model->beams * c->world->columns);
    const struct clump_lidar_world *w = c->world;
    const double range = hit->t / w->cosine[beam], facing = hit->facing * w->cosine[beam];
    const uint64_t bits = exact_mix(c->key + ray * 0x9e3779b97f4a7c15u);
    const uint64_t more = exact_mix(bits + 1), other = exact_mix(bits + 2);
    if (share_of(bits) < w->lidar.dropout || range > w->reach) return false;
    if (share_of(exact_mix(bits + 4)) < hit->lost) return false;
    const double echo = lidar_echo(hit->shine, facing, range, w->model->weak);
    if (share_of(exact_mix(bits + 3)) > 1.2 * echo - 0.35) return false;
    double measured = range + w->lidar.noise * normal(more);
    measured = floor(measured / range_step + 0.5) * range_step;
    if (measured < least_range) return false;
    const double flat = measured * w->cosine[beam];
    c->out->xyz[3 * slot] = (float)(flat * ahead[0]);
    c->out->xyz[3 * slot + 1] = (float)(flat * ahead[1]);
    c->out->xyz[3 * slot + 2] = (float)(flat * w->rise[beam]);
    if (c->out->intensity) {
        const double light = 255 * hit->shine * (0.7 + 0.3 * facing) * (0.8 + 0.4 * share_of(other)) * w->gain[beam];
        c->out->intensity[slot] = (float)(floor(light < 255 ? light : 255) / 255);
    }
    if (c->out->semantic) c->out->semantic[slot] = hit->semantic;
    if (c->out->instance) c->out->instance[slot] = hit->instance;
    return true;
}

/* --- a frame ----------------------------------------------------------------------------------- */

static size_t slot_of(const struct clump_lidar_world *w, size_t column, size_t place, size_t beam)
{
    CLUMP_ASSERT(column < w->columns && place < w->model->beams && beam < w->model->beams);
    if (!w->model->by_ring) return column * w->model->beams + place;
    const size_t first = (w->columns - 1) / 2; /* the direction ahead, or just left of it */
    return (w->model->beams - 1 - beam) * w->columns + (first + w->columns - column) % w->columns;
}

static void cast_direction(cast *c, size_t column, size_t listed)
{
    const struct clump_lidar_world *w = c->world;
    const lidar_gaze gaze = gaze_at(c, (double)column);
    double ahead[2];
    exact_direction(0.5 - ((double)column + 0.5) / (double)w->columns, &ahead[0], &ahead[1]);
    const double a = ahead[0] / roof[0], b = ahead[1] / roof[1];
    const double roof_end = 1 / sqrt(a * a + b * b), shear = w->lidar.slope / 100 * gaze.ux;
    cut_solids(c, &gaze, listed);
    for (size_t beam = 0; beam < w->model->beams; beam++) {
        double rise = w->rise[beam] - shear;
        if (rise > -1e-9 && rise < 1e-9) rise = 1e-9;
        const lidar_beam ray = {gaze.eye, rise, 1 / rise};
        const size_t place = lidar_firing_place(w->model, beam), slot = slot_of(w, column, place, beam);
        lidar_hit hit;
        const bool hidden = w->lidar.vehicle && rise * roof_end < -roof[2];
        const bool echo = !hidden && trace(c, &gaze, &ray, &hit) &&
                          write_echo(c, &hit, beam, ahead, slot, (uint64_t)column * LIDAR_BEAMS_MOST + beam + 1);
        if (!echo) c->out->xyz[3 * slot] = NAN;
        if (c->out->ring) c->out->ring[slot] = (uint16_t)beam;
        const double turns = ((double)column + (double)place / (double)w->model->beams) / (double)w->columns;
        if (c->out->time) c->out->time[slot] = (float)(turns / w->lidar.rate);
    }
}

bool lidar_cast(const struct clump_lidar_world *world, const lidar_stage *stage, size_t frame,
                const clump_lidar_scan *out)
{
    const size_t room = stage->count ? stage->count : 1;
    cast c = {.world = world,
              .stage = stage,
              .out = out,
              .key = exact_mix(exact_mix(world->lidar.seed + 0x5ca1ab1e) + frame),
              .lanes_end = lidar_lanes_end(world->lidar.scene),
              .listed = malloc(room * sizeof *c.listed),
              .profiles = malloc(room * sizeof *c.profiles)};
    const bool enough = c.listed && c.profiles;
    const double spread = EXACT_PI / CAST_SECTORS + 4 * EXACT_PI / (double)world->columns;
    for (size_t sector = 0; enough && sector < CAST_SECTORS; sector++) {
        const size_t first = sector * world->columns / CAST_SECTORS, end = (sector + 1) * world->columns / CAST_SECTORS;
        if (first == end) continue;
        const size_t listed = list_solids(&c, (double)(first + end - 1) / 2, spread);
        for (size_t column = first; column < end; column++) cast_direction(&c, column, listed);
    }
    free(c.listed);
    free(c.profiles);
    return enough;
}
