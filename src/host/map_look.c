/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map_look.c: which voxels did the beams of a frame pass through?
 *
 *     points  -> cells of directions, on the six sides of a cube -> the longest beam of each cell, sorted by tiles
 *     voxels near the sensor and outside of their windows -> tiles that their ball touches -> beams, exact test
 *
 * A tile is 16 x 16 cells: 0.35 degrees, about as far apart as beams are. It knows how far its beams count, and most tiles
 * are skipped by that. A tile has at most 256 beams, so no frame makes the search slow.
 *
 * Why no beam is missed: a beam that passes has a point q within r of the voxel's point v, and v is at least 6 r away
 * (CLUMP_MAP_BEGIN / CLUMP_MAP_RADIUS). 1. q is on the side of the cube with axis m, so q_m >= |q| / sqrt(3) >= (|v| - r) /
 * sqrt(3), and q_m is within r of v_m. 2. The coordinates of the direction on that side, q_a / q_m, are between the extremes
 * of (v_a -+ r) / q_m over that interval. 3. r is enlarged by 0.1 %, and the coordinates by 1e-6, which is more than
 * all rounding: cells are computed in float32 with an error below 4e-7.
 */
#include "common/sort.h"
#include "host/map.h"

#include <math.h>
#include <string.h>

enum {
    LOOK_EDGE = CLUMP_MAP_CELLS / 16, /* tiles along an edge */
    LOOK_TILES = 6 * LOOK_EDGE * LOOK_EDGE,
    LOOK_BITS = 27, /* of the number of a cell */
    LOOK_SHARE = 4096,
    LOOK_GROUPS = 4 /* per chunk of the loop */
};
_Static_assert((uint64_t)LOOK_TILES * 256 < 1u << LOOK_BITS, "cells have numbers of 27 bits");

/* A beam. With p its point, L its length and q a point beside it: it passes where begin <= q p <= end, and
 * |q x p|^2 <= wide. */
typedef struct look_beam {
    double p[3], begin, end, wide;
} look_beam;

typedef struct look_frame {
    clump_map *map;
    clump_points points; /* the stride is set */
    const double *pose;
    int32_t frame;
    double begin;         /* where beams begin to count */
    uint64_t *words;      /* per point: its cell << 32 | its index */
    const uint32_t *tile; /* the first beam of a tile; one more than tiles */
    const float *reach;   /* of a tile: where its beams end, at most */
    const look_beam *beams;
} look_frame;

static const float *point_at(const look_frame *f, size_t i)
{
    return (const float *)(const void *)((const char *)f->points.xyz + i * f->points.stride);
}

/* ----- beams ---------------------------------------------------------------------------------------- */

static double square_of(const float *p)
{
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    return x * x + y * y + z * z;
}

static uint32_t edge_cell(float a, float m)
{
    const int32_t cell = (int32_t)((a / m + 1.0f) * (float)(CLUMP_MAP_CELLS / 2));
    return (uint32_t)(cell < CLUMP_MAP_CELLS ? cell : CLUMP_MAP_CELLS - 1);
}

/* Returns the cell of a direction: tile, then place in the tile. */
static uint32_t cell_of(const float *p)
{
    const float x = fabsf(p[0]), y = fabsf(p[1]), z = fabsf(p[2]);
    const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const float m = fabsf(p[axis]);
    const uint32_t u = edge_cell(p[(axis + 1) % 3], m), v = edge_cell(p[(axis + 2) % 3], m);
    const uint32_t side = 2 * (uint32_t)axis + (p[axis] < 0);
    const uint32_t tile = (side * LOOK_EDGE + u / 16) * LOOK_EDGE + v / 16;
    return tile << 8 | (u & 15) << 4 | (v & 15);
}

#define LOOK_NONE UINT32_C(0x7ffffff) /* the cell of points that are no beams: behind all others */

static void find_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const look_frame *const f = arg;
    for (size_t i = begin; i < end; i++) {
        const float *const p = point_at(f, i);
        const double square = square_of(p);
        const bool counts = square > f->begin * f->begin && square <= 1e60; /* false for NaN */
        f->words[i] = (uint64_t)(counts ? cell_of(p) : LOOK_NONE) << 32 | i;
    }
}

static look_beam beam_of(const look_frame *f, const float *p)
{
    const double side = (double)f->map->options.voxel, length = sqrt(square_of(p));
    const double margin = fmax(CLUMP_MAP_MARGIN * length, CLUMP_MAP_GAP * side);
    const double wide = CLUMP_MAP_RADIUS * side * length;
    return (look_beam){.p = {(double)p[0], (double)p[1], (double)p[2]},
                       .begin = f->begin * length,
                       .end = (length - margin) * length,
                       .wide = wide * wide};
}

/* Makes the beams of sorted words, and what the tiles know of them. */
static clump_status make_beams(clump_work *work, look_frame *f, const uint64_t *words)
{
    look_beam *const beams = f->map->beams.data;
    uint32_t *const tiles = f->map->cells.data;
    float *const reach = f->map->reach.data;
    uint32_t count = 0, next = 0; /* beams; tiles that have begun */
    memset(reach, 0, LOOK_TILES * sizeof *reach);
    for (size_t i = 0; i < f->points.count;) {
        if (i % LOOK_SHARE == 0) CLUMP_TRY(clump_poll(work));
        const uint32_t cell = (uint32_t)(words[i] >> 32);
        if (cell == LOOK_NONE) break;
        const float *longest = point_at(f, (uint32_t)words[i]);
        for (i++; i < f->points.count && words[i] >> 32 == cell; i++) {
            if (i % LOOK_SHARE == 0) CLUMP_TRY(clump_poll(work));
            const float *const p = point_at(f, (uint32_t)words[i]);
            if (square_of(p) > square_of(longest)) longest = p;
        }
        const uint32_t tile = cell >> 8;
        while (next <= tile) tiles[next++] = count;
        beams[count] = beam_of(f, longest);
        const float ends = (float)(beams[count].end / sqrt(square_of(longest))) * 1.000001f;
        if (ends > reach[tile]) reach[tile] = ends;
        count++;
    }
    while (next <= LOOK_TILES) tiles[next++] = count;
    f->tile = tiles, f->reach = reach, f->beams = beams;
    return CLUMP_OK;
}

static clump_status find_beams(clump_work *work, look_frame *f)
{
    clump_map *const map = f->map;
    const size_t n = f->points.count;
    const int threads = clump_threads_for(work, n, LOOK_SHARE);
    CLUMP_TRY(clump_map_reserve(work, map, &map->words, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->spare, n * sizeof(uint64_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->counters, clump_radix_counters(threads) * sizeof(size_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->beams, n * sizeof(look_beam)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->cells, (LOOK_TILES + 1) * sizeof(uint32_t)));
    CLUMP_TRY(clump_map_reserve(work, map, &map->reach, LOOK_TILES * sizeof(float)));
    f->words = map->words.data;
    CLUMP_TRY(clump_run(work, threads, n, LOOK_SHARE, find_cells, f));
    const uint64_t *const sorted =
        clump_radix_sort(work->team, f->words, map->spare.data, n, 32, LOOK_BITS, map->counters.data, threads);
    return sorted ? make_beams(work, f, sorted) : clump_poll(work);
}

/* ----- voxels --------------------------------------------------------------------------------------- */

static bool beam_passes(const look_beam *b, const double q[3])
{
    const double along = q[0] * b->p[0] + q[1] * b->p[1] + q[2] * b->p[2];
    if (!(along >= b->begin && along <= b->end)) return false;
    const double x = q[1] * b->p[2] - q[2] * b->p[1], y = q[2] * b->p[0] - q[0] * b->p[2],
                 z = q[0] * b->p[1] - q[1] * b->p[0];
    return x * x + y * y + z * z <= b->wide;
}

/* The tiles along an edge that directions near a voxel can have: first > last: none. */
typedef struct look_span {
    int first, last;
} look_span;

/* The coordinate of the directions is between (a - r) / m and (a + r) / m, for m from near to far, both above 0. */
static look_span span_of(double a, double r, double near, double far)
{
    const double low = a - r, high = a + r;
    const double from = low / (low > 0 ? far : near) - 1e-6, to = high / (high > 0 ? near : far) + 1e-6;
    if (from > 1 || to < -1) return (look_span){1, 0};
    const int first = (int)((fmax(from, -1) + 1) * (LOOK_EDGE / 2)), last = (int)((fmin(to, 1) + 1) * (LOOK_EDGE / 2));
    return (look_span){first < LOOK_EDGE ? first : LOOK_EDGE - 1, last < LOOK_EDGE ? last : LOOK_EDGE - 1};
}

/* Whether a beam of one side of the cube passes. d is the distance of q. */
static bool side_passes(const look_frame *f, const double q[3], double d, double r, int side)
{
    const int axis = side / 2;
    const double m = side % 2 ? -q[axis] : q[axis];
    const double near = fmax(m - r, (d - r) * 0.577), far = m + r;
    if (near > far) return false;
    const look_span u = span_of(q[(axis + 1) % 3], r, near, far), v = span_of(q[(axis + 2) % 3], r, near, far);
    const float least = (float)(d - r);
    for (int i = u.first; i <= u.last; i++)
        for (int j = v.first; j <= v.last; j++) {
            const int tile = (side * LOOK_EDGE + i) * LOOK_EDGE + j;
            if (f->reach[tile] < least) continue;
            for (uint32_t k = f->tile[tile]; k < f->tile[tile + 1]; k++)
                if (beam_passes(&f->beams[k], q)) return true;
        }
    return false;
}

static bool voxel_is_passed(const look_frame *f, const map_voxel *v)
{
    const double side = (double)f->map->options.voxel, most = (double)f->map->options.max_range;
    const double *const p = f->pose;
    double g[3], q[3];
    for (int k = 0; k < 3; k++) g[k] = ((double)v->xyz[k] + (double)v->place[k]) * side - p[4 * k + 3];
    for (int k = 0; k < 3; k++) q[k] = p[k] * g[0] + p[4 + k] * g[1] + p[8 + k] * g[2];
    const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    if (!(square <= most * most) || square < f->begin * f->begin * 0.999) return false;
    const double d = sqrt(square), r = CLUMP_MAP_RADIUS * side * 1.001;
    for (int k = 0; k < 6; k++)
        if (side_passes(f, q, d, r, k)) return true;
    return false;
}

/* Whether a voxel of the group can be in range of the sensor; their points are inside of the box. */
static bool group_is_near(const look_frame *f, const map_group *group)
{
    const double side = (double)f->map->options.voxel, most = (double)f->map->options.max_range * 1.001;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double at = f->pose[4 * k + 3];
        const double low = (double)group->lower[k] * side - at, high = (double)(group->upper[k] + 1) * side - at;
        const double apart = low > 0 ? low : high < 0 ? high : 0;
        square += apart * apart;
    }
    return square <= most * most + side * side;
}

static void look_at_groups(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const look_frame *const f = arg;
    map_voxel *const voxels = f->map->voxels.data;
    const map_group *const groups = f->map->groups.data;
    for (size_t g = begin; g < end; g++) {
        if (!group_is_near(f, &groups[g])) continue;
        const size_t first = g * MAP_GROUP, left = f->map->count - first;
        for (size_t i = first; i < first + (left < MAP_GROUP ? left : MAP_GROUP); i++)
            if (voxels[i].observations > 0 && (f->frame < voxels[i].first || f->frame > voxels[i].last) &&
                voxel_is_passed(f, &voxels[i]))
                voxels[i].passes++;
    }
}

static clump_status look_at_frame(clump_work *work, look_frame *f)
{
    CLUMP_TRY(clump_map_settle(work, f->map));
    if (f->points.count == 0 || f->map->count == 0) return CLUMP_OK;
    CLUMP_TRY(find_beams(work, f));
    const size_t groups = ((size_t)f->map->count + MAP_GROUP - 1) / MAP_GROUP;
    return clump_run(work, clump_threads_for(work, groups, LOOK_GROUPS), groups, LOOK_GROUPS, look_at_groups, f);
}

clump_status clump_map_look(clump_context *ctx, clump_map *map, int32_t frame, clump_points points,
                            const double pose[12])
{
    if (!ctx) return CLUMP_ERR_ARGUMENT;
    CLUMP_TRY(clump_map_begin(ctx, map, "clump_map_look"));
    clump_work *const work = &ctx->work;
    CLUMP_TRY(clump_check_points(work, work->call, points, &points.stride));
    CLUMP_TRY(clump_map_check_pose(work, pose));
    if (points.place != CLUMP_PLACE_HOST)
        return clump_fail(work, CLUMP_ERR_ARGUMENT, "%s: the points must be in host memory", work->call);
    const double begin = fmax((double)map->options.min_range, CLUMP_MAP_BEGIN * (double)map->options.voxel);
    look_frame f = {.map = map, .points = points, .pose = pose, .frame = frame, .begin = begin};
    return map_break(map, look_at_frame(work, &f));
}
