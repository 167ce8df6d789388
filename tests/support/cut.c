/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cut.c: see cut.h.
 */
#include "support/cut.h"

#include "support/random.h"
#include "rules/cell.h"
#include "rules/tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cutter {
    cut *c;
    const float *xyz;
    int axes; /* 2 or 3 */
    double width;
    bool one_sided;
    uint64_t *random;
} cutter;

static bool is_finite(const cutter *k, size_t i)
{
    for (int a = 0; a < k->axes; a++)
        if (!isfinite(k->xyz[3 * i + (size_t)a])) return false;
    return true;
}

static int below(const cutter *k, int n)
{
    return (int)(check_random(k->random) % (uint64_t)n);
}

static void *take(size_t bytes)
{
    void *const memory = malloc(bytes ? bytes : 1);
    if (!memory) abort();
    return memory;
}

/* Whether the point may be in the rim of the piece at all. */
static bool may_be_in_rim(const cutter *k, size_t i, int piece)
{
    const int owner = k->c->owner[i];
    return owner != piece && (!k->one_sided || owner < piece) && is_finite(k, i);
}

static void add_to_rim(cut *c, int piece, size_t point)
{
    c->members[piece][c->count[piece]++] = point;
}

/* Makes the lists of own points, once the owners are known. */
static void list_own(cut *c)
{
    for (int p = 0; p < c->pieces; p++) {
        c->members[p] = take(c->points * sizeof **c->members);
        for (size_t i = 0; i < c->points; i++)
            if (c->owner[i] == p) c->members[p][c->own[p]++] = i;
        c->count[p] = c->own[p];
    }
}

/* ----- boxes ------------------------------------------------------------------------------------------------------ */

/* Divides a box at a coordinate of some point, at times a little beside it. */
static void divide_box(const cutter *k, cut_box *boxes, int count)
{
    cut_box *const box = &boxes[below(k, count)];
    boxes[count] = *box;
    const int a = below(k, k->axes);
    const float at = k->xyz[3 * (size_t)(check_random(k->random) % k->c->points) + (size_t)a];
    const float to = below(k, 4) ? at : nextafterf(at, below(k, 2) ? INFINITY : -INFINITY);
    const float side = to > box->low[a] && to < box->high[a] ? to : box->high[a]; /* else an empty box */
    box->high[a] = side;
    boxes[count].low[a] = side;
}

static bool is_inside(const cut_box *box, const float *p, int axes)
{
    for (int a = 0; a < axes; a++)
        if (!(p[a] >= box->low[a] && (p[a] < box->high[a] || box->high[a] == INFINITY))) return false;
    return true;
}

static bool is_near_box(const cut_box *box, const float *p, int axes, double width)
{
    for (int a = 0; a < axes; a++)
        if ((double)p[a] < (double)box->low[a] - width || (double)p[a] > (double)box->high[a] + width) return false;
    return true;
}

static void cut_boxes(const cutter *k)
{
    cut *const c = k->c;
    cut_box boxes[CUT_PIECES];
    boxes[0] = (cut_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int p = 1; p < c->pieces; p++) divide_box(k, boxes, p);
    for (int p = c->pieces - 1; p > 0; p--) { /* any order of the pieces */
        const int other = below(k, p + 1);
        const cut_box swap = boxes[p];
        boxes[p] = boxes[other], boxes[other] = swap;
    }
    for (size_t i = 0; i < c->points; i++) {
        c->owner[i] = below(k, c->pieces);
        for (int p = 0; p < c->pieces && is_finite(k, i); p++)
            if (is_inside(&boxes[p], k->xyz + 3 * i, k->axes)) c->owner[i] = p;
    }
    list_own(c);
    for (int p = 0; p < c->pieces; p++)
        for (size_t i = c->points; i-- > 0;)
            if (may_be_in_rim(k, i, p) && is_near_box(&boxes[p], k->xyz + 3 * i, k->axes, k->width))
                add_to_rim(c, p, i);
}

/* ----- coarse cells ----------------------------------------------------------------------------------------------- */

static void voxel_of(const cutter *k, clump_cell_rule rule, size_t i, int64_t voxel[3])
{
    voxel[2] = 0;
    for (int a = 0; a < k->axes; a++) voxel[a] = clump_cell(k->xyz[3 * i + (size_t)a], rule);
}

static void cut_coarse(const cutter *k, float d, int reach)
{
    enum { SIDE = 9 };
    static uint32_t tiles[SIDE * SIDE * SIDE];
    cut *const c = k->c;
    const clump_cell_rule rule = clump_voxel_rule_make(d);
    clump_tiling t = {.reach = reach, .tiles = tiles};
    int64_t middle[3] = {0, 0, 0};
    const size_t any = (size_t)(check_random(k->random) % c->points);
    if (is_finite(k, any)) voxel_of(k, rule, any, middle); /* a table around some point; others may be outside */
    for (int a = 0; a < 3; a++) {
        t.shift[a] = reach + below(k, 3);
        t.size[a] = a < k->axes && below(k, 5) ? 1 + below(k, SIDE) : 1;
        t.first[a] = (middle[a] >> t.shift[a]) - below(k, SIDE);
    }
    for (size_t e = 0; e < sizeof tiles / sizeof *tiles; e++) tiles[e] = (uint32_t)below(k, c->pieces);
    for (size_t i = 0; i < c->points; i++) {
        int64_t voxel[3];
        c->owner[i] = below(k, c->pieces);
        if (!is_finite(k, i)) continue;
        voxel_of(k, rule, i, voxel);
        c->owner[i] = (int)clump_tile_of(&t, voxel);
    }
    list_own(c);
    for (size_t i = 0; i < c->points; i++) {
        if (!is_finite(k, i)) continue;
        int64_t voxel[3];
        uint32_t rims[CLUMP_TILE_RIMS];
        voxel_of(k, rule, i, voxel);
        if (clump_tile_is_inside(&t, voxel)) continue;
        const int count = clump_tile_rims(&t, voxel, (uint32_t)c->owner[i], rims);
        for (int r = 0; r < count; r++)
            if (may_be_in_rim(k, i, (int)rims[r])) add_to_rim(c, (int)rims[r], i);
    }
}

/* ----- any point in any piece --------------------------------------------------------------------------------------- */

static bool is_near_own(const cutter *k, size_t i, int piece)
{
    const float *const p = k->xyz + 3 * i;
    for (size_t m = 0; m < k->c->own[piece]; m++) {
        const size_t own = k->c->members[piece][m];
        const float *const q = k->xyz + 3 * own;
        bool near = is_finite(k, own);
        for (int a = 0; a < k->axes; a++) near = near && fabs((double)p[a] - (double)q[a]) <= k->width;
        if (near) return true;
    }
    return false;
}

static void cut_scattered(const cutter *k)
{
    cut *const c = k->c;
    for (size_t i = 0; i < c->points; i++) c->owner[i] = below(k, c->pieces);
    list_own(c);
    for (int p = 0; p < c->pieces; p++)
        for (size_t i = 0; i < c->points; i++)
            if (may_be_in_rim(k, i, p) && is_near_own(k, i, p)) add_to_rim(c, p, i);
}

/* ----- all of them --------------------------------------------------------------------------------------------------- */

cut cut_make(cut_kind kind, const float *xyz, size_t count, const clump_joint_settings *settings, double width,
             bool one_sided, uint64_t *random)
{
    cut c = {.points = count, .owner = take(count * sizeof *c.owner)};
    cutter k = {.c = &c, .xyz = xyz, .axes = settings->two_d ? 2 : 3, .one_sided = one_sided, .random = random};
    k.width = width > 0 ? width : clump_joint_settings_reach(settings);
    c.pieces = 1 + below(&k, below(&k, 4) ? CUT_PIECES / 4 : CUT_PIECES);
    if (count == 0)
        list_own(&c);
    else if (kind == CUT_BOXES)
        cut_boxes(&k);
    else if (kind == CUT_COARSE)
        cut_coarse(&k, settings->d, settings->min_points > 1 ? 2 : 1);
    else
        cut_scattered(&k);
    return c;
}

void cut_free(cut *c)
{
    for (int p = 0; p < c->pieces; p++) free(c->members[p]);
    free(c->owner);
}

void cut_copy(const cut *c, int piece, const float *xyz, int64_t step, int64_t base, float *points, int64_t *indices)
{
    for (size_t m = 0; m < c->count[piece]; m++) {
        const size_t i = c->members[piece][m];
        memcpy(points + 3 * m, xyz + 3 * i, 3 * sizeof *points);
        indices[m] = (int64_t)i * step + base;
    }
}
