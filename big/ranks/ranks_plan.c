/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_plan.c: the tiles of a cloud. All ranks find the same box of voxels, count their points per coarse cell, and add up
 * the counts. So all ranks have the same map, and make the same tiles of it.
 *
 * If a coarse cell has far too many points for a tile, cells are made smaller, and at last z is divided too.
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include "common/atomics.h"

#include <stdlib.h>
#include <string.h>

enum { PLAN_BATCH = 65536 }; /* points that a thread takes at a time */

typedef struct plan {
    clump_ranks *ranks;
    int64_t first[3], last[3]; /* box of voxels */
    uint64_t next;             /* the next point that no thread has taken */
    size_t cells;
    uint64_t large;       /* points of a coarse cell that is too full */
    uint64_t *counts;     /* per coarse cell, one table per thread; the first becomes that of all ranks */
    clump_big_box *boxes; /* of stored coordinates, one per thread */
} plan;

/* Takes the next points. Returns how many. */
static size_t take_batch(plan *p, size_t *begin)
{
    *begin = (size_t)CLUMP_ADD(&p->next, PLAN_BATCH);
    if (*begin >= p->ranks->taken || clump_ranks_cancelled(p->ranks)) return 0;
    return p->ranks->taken - *begin < PLAN_BATCH ? p->ranks->taken - *begin : PLAN_BATCH;
}

/* ----- the box ------------------------------------------------------------------------------------------------------ */

/* Unites the box with some stored integers. */
static void add_steps(const clump_ranks *ranks, size_t begin, size_t count, clump_big_box *box)
{
    const bool wide = ranks->frame.stored == CLUMP_BIG_I64;
    for (size_t i = begin; i < begin + count; i++) {
        int64_t v[3];
        int32_t narrow[3];
        memcpy(narrow, clump_ranks_point(ranks, i), sizeof narrow);
        if (wide) memcpy(v, clump_ranks_point(ranks, i), sizeof v);
        for (int a = 0; a < 3; a++) {
            const int64_t x = (wide ? v[a] : narrow[a]) + ranks->frame.base[a];
            box->lower_step[a] = x < box->lower_step[a] ? x : box->lower_step[a];
            box->upper_step[a] = x > box->upper_step[a] ? x : box->upper_step[a];
        }
    }
}

/* Unites the box with some stored floats. z may be NaN in the plane. */
static void add_floats(const clump_ranks *ranks, size_t begin, size_t count, clump_big_box *box)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    const float *const xyz = (const float *)ranks->stored + 3 * begin;
    for (size_t i = 0; i < count; i++)
        for (size_t a = 0; a < 3; a++) {
            lower[a] = xyz[3 * i + a] < lower[a] ? xyz[3 * i + a] : lower[a];
            upper[a] = xyz[3 * i + a] > upper[a] ? xyz[3 * i + a] : upper[a];
        }
    for (int a = 0; a < 3; a++) {
        box->lower[a] = fmin(box->lower[a], (double)lower[a] + ranks->frame.origin[a]);
        box->upper[a] = fmax(box->upper[a], (double)upper[a] + ranks->frame.origin[a]);
    }
}

static clump_status find_boxes(void *arg, int worker, clump_message *message)
{
    plan *const p = arg;
    size_t begin, count;
    clump_big_box box;
    (void)message;
    clump_big_box_clear(&box);
    while ((count = take_batch(p, &begin)) > 0) {
        if (p->ranks->frame.stored == CLUMP_BIG_F32)
            add_floats(p->ranks, begin, count, &box);
        else
            add_steps(p->ranks, begin, count, &box);
    }
    p->boxes[worker] = box;
    return CLUMP_OK;
}

/* Finds the box of voxels of this rank's points. */
static clump_status find_own_box(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    p->boxes = malloc((size_t)ranks->threads * sizeof *p->boxes);
    if (!p->boxes) return clump_big_no_memory(&ranks->message, (size_t)ranks->threads * sizeof *p->boxes);
    for (int k = 0; k < ranks->threads; k++) clump_big_box_clear(&p->boxes[k]);
    const clump_status status = clump_ranks_work(ranks, find_boxes, p);
    for (int k = 1; k < ranks->threads; k++) clump_big_box_unite(&p->boxes[0], &p->boxes[k]);
    CLUMP_ASSERT(ranks->threads >= 1);
    clump_big_map_corners(&ranks->frame, &p->boxes[0], p->first, p->last);
    return status;
}

/* Finds the box of voxels of all points. */
static clump_status find_box(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, find_own_box(p)));
    int64_t bounds[6];
    for (int a = 0; a < 3; a++) {
        bounds[a] = ranks->taken > 0 ? p->first[a] : INT64_MAX;
        bounds[3 + a] = ranks->taken > 0 ? -p->last[a] : INT64_MAX;
    }
    uint64_t taken = ranks->taken;
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, bounds, 6)));
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, &taken, 1)));
    for (int a = 0; a < 3; a++) {
        p->first[a] = taken > 0 ? bounds[a] : 0;
        p->last[a] = taken > 0 ? -bounds[3 + a] : 0;
    }
    CLUMP_ASSERT(taken <= ranks->points);
    ranks->left_out = ranks->points - taken;
    p->large = ranks->most > 0 ? ranks->most : CLUMP_RANKS_LARGE;
    if (ranks->most == 0) ranks->most = clump_ranks_most(taken);
    return CLUMP_OK;
}

/* ----- coarse cells ------------------------------------------------------------------------------------------------- */

static clump_status count_cells(void *arg, int worker, clump_message *message)
{
    plan *const p = arg;
    size_t begin, count;
    (void)message;
    while ((count = take_batch(p, &begin)) > 0)
        clump_big_map_count(&p->ranks->map, &p->ranks->frame, clump_ranks_point(p->ranks, begin), count,
                            p->counts + (size_t)worker * p->cells);
    return CLUMP_OK;
}

/* Counts the points of this rank per coarse cell, in the first table. */
static clump_status count_own(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    const size_t threads = (size_t)ranks->threads;
    free(p->counts);
    p->counts = calloc(p->cells * threads, sizeof *p->counts);
    if (!p->counts) return clump_big_no_memory(&ranks->message, p->cells * threads * sizeof *p->counts);
    p->next = 0;
    CLUMP_BIG_TRY(clump_ranks_work(ranks, count_cells, p));
    for (size_t t = 1; t < threads; t++)
        for (size_t c = 0; c < p->cells; c++) p->counts[c] += p->counts[t * p->cells + c];
    return CLUMP_OK;
}

/* Lays coarse cells that are small enough for tiles of `most` points, and counts the points of all ranks in them. Returns
 * the points of the fullest cell in *fullest. */
static clump_status count_points(plan *p, uint64_t most, bool all_axes, uint64_t *fullest)
{
    clump_ranks *const ranks = p->ranks;
    clump_status status = clump_big_map_place(&ranks->map, &ranks->frame, p->first, p->last,
                                              ranks->points - ranks->left_out, most, all_axes, &ranks->message);
    p->cells = status == CLUMP_OK ? clump_big_map_cells(&ranks->map) : 0;
    if (status == CLUMP_OK) status = count_own(p);
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, status));
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, p->counts, p->cells)));
    *fullest = 0;
    for (size_t c = 0; c < p->cells; c++) *fullest = p->counts[c] > *fullest ? p->counts[c] : *fullest;
    return CLUMP_OK;
}

/* Chooses coarse cells, so that none has more points than a tile may have, where that is possible. */
static clump_status choose_cells(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    uint64_t most = ranks->most, fullest;
    CLUMP_BIG_TRY(count_points(p, most, false, &fullest));
    for (int shift = ranks->map.tiling.shift[0]; fullest > p->large && most > 1;) {
        most = most / 16 + 1; /* four times as many cells along x and y */
        CLUMP_BIG_TRY(count_points(p, most, false, &fullest));
        if (ranks->map.tiling.shift[0] == shift) break; /* cells are as small as they can be */
        shift = ranks->map.tiling.shift[0];
    }
    if (fullest > p->large && !ranks->frame.two_d && p->first[2] < p->last[2])
        CLUMP_BIG_TRY(count_points(p, most, true, &fullest));
    return CLUMP_OK;
}

clump_status clump_ranks_plan(clump_ranks *ranks)
{
    plan p = {.ranks = ranks};
    clump_status status = find_box(&p);
    if (status == CLUMP_OK) status = choose_cells(&p);
    if (status == CLUMP_OK)
        status = clump_ranks_agree(
            ranks, clump_big_map_cut(&ranks->map, &ranks->frame, p.counts, ranks->most, &ranks->message));
    free(p.boxes);
    free(p.counts);
    return status;
}
