/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: whether a point is ground and how high above it, once the surface is known; compiled by the C compiler and by nvcc. Each step is
 * rounded to float32 and no two are fused (rounded.h).
 *
 * A point has a place (u, v) on the map, in tiles from its corner, and a height h above the sensor. The surface is a
 * level, or a map of tiles x tiles heights. Each height holds at the middle of its tile; between the middles heights
 * are interpolated linearly:
 *
 *     v |  .   .   .        The sensor s is in the middle of the map. A border of copies surrounds the heights, so the
 *       |  .   s   .        surface is flat beyond the outermost middles. Outside the map there is no ground.
 *       |  .   .   .  u
 *
 * The step rule (option `step`) replaces sigma. Each tile is cut into 4 x 4 parts. A part counts its points whose height
 * above the surface is CLUMP_STEP_LOWEST to CLUMP_STEP_HIGHEST. With CLUMP_STEP_POINTS or more of them something stands
 * in the part, and the ground there is thin. Else it is thick.
 */
#ifndef CLUMP_RULES_GROUND_H
#define CLUMP_RULES_GROUND_H

#include "rules/rounded.h"

#include <clump/clump.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum clump_surface_kind {
    CLUMP_SURFACE_NONE,  /* no ground */
    CLUMP_SURFACE_LEVEL, /* within sigma of a level */
    CLUMP_SURFACE_MAP    /* below the map's height + sigma */
} clump_surface_kind;

typedef struct clump_surface {
    clump_surface_kind kind;
    int across, up;  /* axes of v and of heights; the axis of u is 0 */
    float corner[2]; /* of the map: least coordinates along u and v */
    float per_tile;  /* tiles per unit of length */
    int32_t tiles;
    float sensor; /* height is sign * (coordinate - sensor); sign -1: upside down */
    float sign;
    float level, sigma;
    const float *heights; /* (tiles + 2)^2; tile i along u, j along v has [(i + 1) * (tiles + 2) + j + 1] */
    const int32_t *steps; /* null: no step rule; else per part its points of the step rule, exact below
                           * CLUMP_STEP_POINTS */
} clump_surface;

/* Returns the number of tiles along a side of the map; 0: more than CLUMP_GROUND_SIDE. */
CLUMP_RULE size_t clump_ground_tiles(const clump_ground_options *o)
{
    const float tiles = ceilf(o->extent / o->tile);
    return tiles > CLUMP_GROUND_SIDE ? 0 : tiles < 2 ? 2 : (size_t)tiles;
}

/* Returns the map of these options, which have been checked. There is no ground yet. */
CLUMP_RULE clump_surface clump_surface_start(const clump_ground_options *o)
{
    clump_surface s;
    memset(&s, 0, sizeof s);
    s.kind = CLUMP_SURFACE_NONE;
    s.across = o->up == CLUMP_UP_Y ? 2 : 1;
    s.up = o->up == CLUMP_UP_Y ? 1 : 2;
    s.sign = o->flip ? -1.0f : 1.0f;
    s.per_tile = 1.0f / o->tile;
    s.tiles = (int32_t)clump_ground_tiles(o);
    s.sigma = o->sigma;
    const double half = 0.5 * s.tiles * (double)o->tile;
    s.corner[0] = (float)((double)o->sensor[0] - half);
    s.corner[1] = (float)((double)o->sensor[s.across] - half);
    s.sensor = o->sensor[s.up];
    return s;
}

/* Returns the level that was found, or NaN where the surface is no level. */
CLUMP_RULE float clump_surface_level(const clump_surface *s)
{
    return s->kind == CLUMP_SURFACE_LEVEL ? s->level : clump_unknown();
}

/* The place and the height of a point. The point is inside the map when 0 <= u, v < tiles and its height is less than
 * 1000 m above or below the sensor. A point that is not finite is never inside. */
CLUMP_RULE float clump_surface_u(const clump_surface *s, const float *p)
{
    return clump_rn_mul(clump_rn_sub(p[0], s->corner[0]), s->per_tile);
}

CLUMP_RULE float clump_surface_v(const clump_surface *s, const float *p)
{
    return clump_rn_mul(clump_rn_sub(p[s->across], s->corner[1]), s->per_tile);
}

#define CLUMP_SURFACE_HIGHEST 1000.0f

CLUMP_RULE bool clump_surface_inside(const clump_surface *s, float u, float v, float h)
{
    const float end = (float)s->tiles;
    /* no short-circuit evaluation: one branch instead of six */
    return (u >= 0) & (u < end) & (v >= 0) & (v < end) & (h > -CLUMP_SURFACE_HIGHEST) & (h < CLUMP_SURFACE_HIGHEST);
}

CLUMP_RULE float clump_surface_h(const clump_surface *s, const float *p)
{
    return clump_rn_mul(s->sign, clump_rn_sub(p[s->up], s->sensor));
}

CLUMP_RULE float clump_surface_mix(float a, float b, float part)
{
    return clump_rn_add(a, clump_rn_mul(part, clump_rn_sub(b, a)));
}

/* Returns the height of the map at a place inside it. */
CLUMP_RULE float clump_surface_height(const clump_surface *s, float u, float v)
{
    const float from_u = clump_rn_add(u, 0.5f), from_v = clump_rn_add(v, 0.5f);
    const int32_t i = (int32_t)from_u, j = (int32_t)from_v, width = s->tiles + 2;
    const float part_u = clump_rn_sub(from_u, (float)i), part_v = clump_rn_sub(from_v, (float)j);
    const float *const here = s->heights + i * width + j, *const next = here + width;
    return clump_surface_mix(clump_surface_mix(here[0], here[1], part_v), clump_surface_mix(next[0], next[1], part_v),
                             part_u);
}

/* Returns the height of a point above the surface; NaN where there is none: outside the map, for points that are not
 * finite, and where no ground was found. */
CLUMP_RULE float clump_surface_above(const clump_surface *s, const float *p)
{
    if (s->kind == CLUMP_SURFACE_NONE) return clump_unknown();
    const float u = clump_surface_u(s, p), v = clump_surface_v(s, p), h = clump_surface_h(s, p);
    if (!clump_surface_inside(s, u, v, h)) return clump_unknown();
    return clump_rn_sub(h, s->kind == CLUMP_SURFACE_LEVEL ? s->level : clump_surface_height(s, u, v));
}

/* --- lows: the surface of tiles is made from the lowest points of their parts (cpu/obstacles/ground_grid.c) -------- */

/* These lengths define what is ground: they change labels. */
enum {
    CLUMP_LOW_UNIT = 1024,            /* 1 m */
    CLUMP_LOW_NONE = 0x3f3f3f3f,      /* no height; four equal bytes, for memset */
    CLUMP_LOW_NEAR = 10,              /* m: tiles this near to the sensor vote for the level */
    CLUMP_LOW_ROUGH = CLUMP_LOW_UNIT, /* distance of the ground from the level, at most, besides its slope */
    CLUMP_LOW_HOLE =
        CLUMP_LOW_UNIT / 2, /* depth of a tile below its second lowest neighbour, at most, besides its slope */
    CLUMP_LOW_BUMP = CLUMP_LOW_UNIT / 10, /* height of a tile above a cone, at most */
    CLUMP_LOW_BIN_SHIFT = 7,              /* the vote has bins of 1/8 m and a window of 4 bins */
    CLUMP_LOW_BINS = 512,                 /* 32 m up and down */
    CLUMP_LOW_MIDDLE = (CLUMP_LOW_BINS << CLUMP_LOW_BIN_SHIFT) / 2,
};

typedef struct clump_lows {
    int32_t straight, oblique; /* rise of a cone from a tile to the next, along an axis and along a diagonal */
    int32_t level, rough;      /* if the sensor's height is given: level of the ground, and tolerance */
    int32_t near_tiles;        /* tiles within which the level is searched; 0: it is given */
} clump_lows;

CLUMP_RULE clump_lows clump_lows_of(const clump_ground_options *o)
{
    const double rise = (double)o->slope * (double)o->tile * CLUMP_LOW_UNIT;
    const int32_t tiles = (int32_t)((float)CLUMP_LOW_NEAR / o->tile);
    clump_lows l;
    l.straight = (int32_t)rise;
    l.oblique = (int32_t)(rise * 1.4142135623730951);
    l.level = (int32_t)(-o->sensor_height * CLUMP_LOW_UNIT);
    l.rough = (int32_t)(o->window * CLUMP_LOW_UNIT);
    l.near_tiles = o->sensor_height > 0 ? 0 : tiles > 1 ? tiles : 1;
    return l;
}

/* --- peak: the level with most points (cpu/obstacles/ground_peak.c) ---------------------------------- */

#define CLUMP_PEAK_HIGHEST 64.0f /* m: heights this far above and below the sensor are counted */

typedef struct clump_peak {
    float bin, per_bin; /* height of a bin, and bins per metre */
    float sensor_height, window;
    uint32_t bins; /* an empty one at either end, and one for rounding, included */
} clump_peak;

CLUMP_RULE clump_peak clump_peak_of(const clump_ground_options *o)
{
    clump_peak p;
    p.bin = o->bin;
    p.per_bin = 1.0f / o->bin;
    p.sensor_height = o->sensor_height;
    p.window = o->window;
    p.bins = (uint32_t)(2 * CLUMP_PEAK_HIGHEST * p.per_bin) + 4;
    return p;
}

/* Returns the bin of a height; 0 where it has none. */
CLUMP_RULE uint32_t clump_peak_bin(const clump_peak *p, float h)
{
    if (!((h >= -CLUMP_PEAK_HIGHEST) & (h < CLUMP_PEAK_HIGHEST))) return 0;
    return 1 + (uint32_t)clump_rn_mul(clump_rn_add(h, CLUMP_PEAK_HIGHEST), p->per_bin);
}

/* Returns the level of a bin. */
CLUMP_RULE float clump_peak_level(const clump_peak *p, uint32_t bin)
{
    return clump_rn_sub(clump_rn_mul(clump_rn_add((float)(bin - 1), 0.5f), p->bin), CLUMP_PEAK_HIGHEST);
}

/* Returns whether the ground may have this level: where the sensor's height is given, it is within the window. */
CLUMP_RULE bool clump_peak_allows(const clump_peak *p, float level)
{
    const float off = clump_rn_add(level, p->sensor_height);
    return !(p->sensor_height > 0 && (off > p->window || off < -p->window));
}

/* --- step rule -------------------------------------------------------------------------------------- */

#define CLUMP_SURFACE_PARTS 4     /* parts along a side of a tile */
#define CLUMP_STEP_POINTS   3     /* points that make the ground of a part thin */
#define CLUMP_STEP_LOWEST   0.35f /* m above the surface, both included */
#define CLUMP_STEP_HIGHEST  2.0f
#define CLUMP_STEP_THIN     0.10f /* m: thickness of the ground, instead of sigma */
#define CLUMP_STEP_THICK    0.25f

/* Returns the part of a place inside the map. The parts of a tile are consecutive. */
CLUMP_RULE int32_t clump_surface_part(const clump_surface *s, float u, float v)
{
    const int32_t a = (int32_t)clump_rn_mul(u, CLUMP_SURFACE_PARTS), b = (int32_t)clump_rn_mul(v, CLUMP_SURFACE_PARTS);
    return (((a >> 2) * s->tiles + (b >> 2)) << 4) + ((a & 3) << 2) + (b & 3);
}

/* Returns whether a height above the surface counts in the step rule; false for NaN. */
CLUMP_RULE bool clump_step_counts(float above)
{
    return (above >= CLUMP_STEP_LOWEST) & (above <= CLUMP_STEP_HIGHEST);
}

/* Returns the thickness of the ground in a part with `count` points of the step rule. */
CLUMP_RULE float clump_step_thickness(int32_t count)
{
    return count >= CLUMP_STEP_POINTS ? CLUMP_STEP_THIN : CLUMP_STEP_THICK;
}

/* --- ground ----------------------------------------------------------------------------------------- */

/* Returns the thickness of the ground at a place inside the map. */
CLUMP_RULE float clump_surface_thickness(const clump_surface *s, float u, float v)
{
    return s->steps ? clump_step_thickness(s->steps[clump_surface_part(s, u, v)]) : s->sigma;
}

CLUMP_RULE bool clump_surface_is_ground(const clump_surface *s, const float *p)
{
    if (s->kind == CLUMP_SURFACE_NONE) return false;
    const float u = clump_surface_u(s, p), v = clump_surface_v(s, p), h = clump_surface_h(s, p);
    if (!clump_surface_inside(s, u, v, h)) return false;
    const float thickness = clump_surface_thickness(s, u, v);
    if (s->kind == CLUMP_SURFACE_LEVEL) {
        const float off = clump_rn_sub(h, s->level);
        return (off < thickness) & (off > -thickness);
    }
    return h < clump_rn_add(clump_surface_height(s, u, v), thickness);
}

#endif
