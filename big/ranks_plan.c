/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_plan.c: the tiles of a cloud. All ranks find the same box of voxels, count the points of their shares per coarse
 * cell, and add up the counts. So all ranks have the same map, and make the same plan of it.
 *
 * Coarse cells are as large as an even division among tiles allows. If one has more points than a tile may have, they are
 * made smaller, and at last z is divided too.
 */
#include "ranks.h"
#include "ranks_share.h"

#include "common/atomics.h"

#include <math.h>
#include <stdlib.h>

#define PLAN_CELLS        ((int64_t)1 << 20) /* coarse cells at first, at most */
#define PLAN_CELLS_FINEST ((int64_t)1 << 22) /* and at last */
#define PLAN_CELLS_TILE   64                 /* coarse cells per tile, for even tiles */
#define PLAN_STEPS        ((int64_t)1 << 22) /* steps per tile and axis: with its rim, float32 holds all offsets */
#define PLAN_BATCH        65536              /* points that a thread takes at a time */

typedef struct plan {
    clump_ranks *ranks;
    int64_t low[3], high[3]; /* box of voxels */
    int shift;               /* of the axes that are divided */
    bool divides_z;
    uint64_t next;     /* the next point that no thread has taken */
    uint64_t *tables;  /* counts per coarse cell, one table per thread */
    size_t cells;
    double corners[CLUMP_RANKS_THREADS][6]; /* per thread: lower and upper corner of stored coordinates */
    uint64_t taking_part[CLUMP_RANKS_THREADS];
} plan;

/* Takes the next points. False: there are none. */
static bool take_batch(plan *p, uint64_t *begin, uint64_t *end)
{
    *begin = CLUMP_ADD(&p->next, PLAN_BATCH);
    if (*begin >= p->ranks->share) return false;
    *end = p->ranks->share - *begin < PLAN_BATCH ? p->ranks->share : *begin + PLAN_BATCH;
    return true;
}

/* ----- the box ------------------------------------------------------------------------------------------------------ */

/* Returns a stored coordinate. float64 holds it: the placement of the frame limits integers to 2^50. */
static double coordinate(const clump_big_frame *frame, const void *stored, size_t axis)
{
    float f;
    int32_t narrow;
    int64_t wide;
    if (frame->stored == CLUMP_BIG_F32) return memcpy(&f, (const float *)stored + axis, sizeof f), (double)f;
    if (frame->stored == CLUMP_BIG_I32) return memcpy(&narrow, (const int32_t *)stored + axis, 4), (double)narrow;
    return memcpy(&wide, (const int64_t *)stored + axis, sizeof wide), (double)wide;
}

static void find_corners(void *arg, int thread)
{
    plan *const p = arg;
    const clump_big_frame *const frame = &p->ranks->frame;
    const size_t axes = frame->two_d ? 2 : 3;
    double corners[6];
    for (int k = 0; k < 6; k++) corners[k] = k < 3 ? INFINITY : -INFINITY;
    uint64_t begin, end, taking_part = 0;
    while (take_batch(p, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            const void *const stored = clump_ranks_point(p->ranks, i);
            if (!clump_ranks_takes_part(frame, stored)) continue;
            taking_part++;
            for (size_t a = 0; a < axes; a++) {
                const double x = coordinate(frame, stored, a);
                corners[a] = x < corners[a] ? x : corners[a];
                corners[3 + a] = x > corners[3 + a] ? x : corners[3 + a];
            }
        }
    }
    memcpy(p->corners[thread], corners, sizeof corners);
    p->taking_part[thread] = taking_part;
}

/* Returns the voxel of a corner. Voxels are monotone functions of coordinates. */
static void corner_voxel(const clump_big_frame *frame, const double corner[3], int64_t voxel[3])
{
    const size_t axes = frame->two_d ? 2 : 3;
    float f[3] = {0};
    int64_t steps[3] = {0};
    for (size_t a = 0; a < axes; a++) {
        if (frame->stored == CLUMP_BIG_F32)
            f[a] = (float)corner[a];
        else
            steps[a] = (int64_t)corner[a];
    }
    if (frame->stored == CLUMP_BIG_F32)
        clump_big_voxel_of_floats(frame, f, voxel);
    else
        clump_big_voxel_of_steps(frame, steps, voxel);
}

static clump_status find_box(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    for (int t = 0; t < CLUMP_RANKS_THREADS; t++)
        for (int k = 0; k < 6; k++) p->corners[t][k] = k < 3 ? INFINITY : -INFINITY;
    p->next = 0;
    clump_ranks_run_threads(ranks->threads, find_corners, p);
    double box[6];
    uint64_t counts[2] = {0, ranks->share};
    memcpy(box, p->corners[0], sizeof box);
    for (int t = 0; t < CLUMP_RANKS_THREADS; t++) {
        counts[0] += p->taking_part[t];
        for (int k = 0; k < 3; k++) box[k] = fmin(box[k], p->corners[t][k]);
        for (int k = 3; k < 6; k++) box[k] = fmax(box[k], p->corners[t][k]);
    }
    int64_t bounds[6], voxel[3];
    for (int k = 0; k < 6; k++) bounds[k] = INT64_MAX;
    if (counts[0] > 0) {
        corner_voxel(&ranks->frame, box, bounds);
        corner_voxel(&ranks->frame, box + 3, voxel);
        for (int k = 0; k < 3; k++) bounds[3 + k] = -voxel[k];
    }
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_least(&ranks->mail, bounds, 6)));
    CLUMP_BIG_TRY(clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, counts, 2)));
    for (int k = 0; k < 3; k++) {
        p->low[k] = counts[0] > 0 ? bounds[k] : 0;
        p->high[k] = counts[0] > 0 ? -bounds[3 + k] : 0;
    }
    ranks->left_out = counts[1] - counts[0];
    if (ranks->most == 0) ranks->most = clump_ranks_most(counts[0]);
    return CLUMP_OK;
}

/* ----- coarse cells ------------------------------------------------------------------------------------------------- */

static bool divides(const plan *p, int axis)
{
    return axis < 2 || p->divides_z;
}

/* Returns the number of coarse cells with this shift; more than can be if it is too large. */
static int64_t cells_of(const plan *p, int shift)
{
    double cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= divides(p, k) ? (double)((p->high[k] >> shift) - (p->low[k] >> shift) + 1) : 1;
    return cells < 0x1p40 ? (int64_t)cells : (int64_t)1 << 40;
}

/* Sets the tiling for the current shift. */
static void set_tiling(plan *p)
{
    clump_tiling *const t = &p->ranks->tiling;
    *t = (clump_tiling){.reach = p->ranks->frame.reach};
    for (int k = 0; k < 3; k++) {
        t->shift[k] = divides(p, k) ? p->shift : 40;
        t->first[k] = p->low[k] >> t->shift[k];
        t->size[k] = divides(p, k) ? (p->high[k] >> p->shift) - t->first[k] + 1 : 1;
    }
    p->cells = (size_t)(t->size[0] * t->size[1] * t->size[2]);
}

static void count_cells(void *arg, int thread)
{
    plan *const p = arg;
    const clump_big_frame *const frame = &p->ranks->frame;
    const clump_tiling *const t = &p->ranks->tiling;
    uint64_t *const table = p->tables + (size_t)thread * p->cells, begin, end;
    while (take_batch(p, &begin, &end)) {
        for (uint64_t i = begin; i < end; i++) {
            const void *const stored = clump_ranks_point(p->ranks, i);
            if (!clump_ranks_takes_part(frame, stored)) continue;
            int64_t v[3];
            clump_big_voxel(frame, stored, v);
            const int64_t z = clump_tile_entry(t, 2, v[2]), y = clump_tile_entry(t, 1, v[1]);
            table[(z * t->size[1] + y) * t->size[0] + clump_tile_entry(t, 0, v[0])]++;
        }
    }
}

/* Counts the points of all ranks per coarse cell, in the first table. */
static clump_status count_points(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    set_tiling(p);
    free(p->tables);
    p->tables = calloc(p->cells * (size_t)ranks->threads, sizeof *p->tables);
    const size_t bytes = p->cells * (size_t)ranks->threads * sizeof *p->tables;
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, p->tables ? CLUMP_OK : clump_big_no_memory(&ranks->message, bytes)));
    p->next = 0;
    clump_ranks_run_threads(ranks->threads, count_cells, p);
    for (size_t c = p->cells; c < p->cells * (size_t)ranks->threads; c++) p->tables[c % p->cells] += p->tables[c];
    return clump_ranks_sent(ranks, clump_mail_sum(&ranks->mail, p->tables, p->cells));
}

static uint64_t fullest(const plan *p)
{
    uint64_t most = 0;
    for (size_t c = 0; c < p->cells; c++) most = p->tables[c] > most ? p->tables[c] : most;
    return most;
}

/* Returns the largest shift with which a tile of one coarse cell is short enough for offsets in float32. 40: every tile
 * is; -1: none is. */
static int longest_shift(const plan *p)
{
    const int64_t edge = p->ranks->frame.edge > 0 ? p->ranks->frame.edge : 1;
    bool is_long = false;
    for (int k = 0; k < 3; k++) is_long |= p->high[k] - p->low[k] >= PLAN_STEPS / edge;
    if (p->ranks->frame.kind != CLUMP_FILE_FRAME_STEPS || !is_long) return 40;
    int shift = -1;
    while (edge << (shift + 1) <= PLAN_STEPS) shift++;
    return shift;
}

/* Chooses coarse cells, and counts their points. */
static clump_status choose_cells(plan *p, uint64_t points)
{
    clump_ranks *const ranks = p->ranks;
    const int least = ranks->frame.reach, longest = longest_shift(p);
    const int64_t wanted = (int64_t)(points / ranks->most + 1) * PLAN_CELLS_TILE;
    const int64_t cells = wanted < PLAN_CELLS ? wanted : PLAN_CELLS;
    /* z is divided where float32 cannot hold its offsets */
    p->divides_z = longest >= 0 && longest < 40 && p->high[2] - p->low[2] >= (int64_t)1 << longest;
    p->shift = least;
    while (p->shift < longest && p->shift < 40 && cells_of(p, p->shift) > cells) p->shift++;
    if (least > longest || cells_of(p, p->shift) > PLAN_CELLS_FINEST * 4)
        return clump_big_fail(&ranks->message, CLUMP_ERR_IO_UNSUPPORTED,
                              "the box is too long for the distance in the frame steps: --frame whole has no such limit");
    CLUMP_BIG_TRY(count_points(p));
    while (fullest(p) > ranks->most) {
        if (p->shift > least && cells_of(p, p->shift - 1) <= PLAN_CELLS_FINEST) {
            p->shift--;
        } else if (!p->divides_z && p->high[2] >> p->shift > p->low[2] >> p->shift) {
            p->divides_z = true;
            while (cells_of(p, p->shift) > PLAN_CELLS_FINEST && p->shift < longest) p->shift++;
        } else {
            break;
        }
        CLUMP_BIG_TRY(count_points(p));
    }
    return CLUMP_OK;
}

static clump_status make_tiles(plan *p)
{
    clump_ranks *const ranks = p->ranks;
    int64_t block[3] = {0};
    const int longest = longest_shift(p);
    for (int k = 0; k < 3; k++) block[k] = longest < 40 && divides(p, k) ? (int64_t)1 << (longest - p->shift) : 0;
    ranks->table = malloc(p->cells * sizeof *ranks->table);
    if (!ranks->table) return clump_big_no_memory(&ranks->message, p->cells * sizeof *ranks->table);
    ranks->tile_count = clump_ranks_tiles(ranks->tiling.size, p->tables, ranks->most, block, ranks->table);
    ranks->tiling.tiles = ranks->table;
    return ranks->tile_count > 0 ? CLUMP_OK : clump_big_no_memory(&ranks->message, 2 * p->cells * 16);
}

clump_status clump_ranks_plan(clump_ranks *ranks)
{
    plan *const p = calloc(1, sizeof *p);
    CLUMP_BIG_TRY(clump_ranks_agree(ranks, p ? CLUMP_OK : clump_big_no_memory(&ranks->message, sizeof *p)));
    p->ranks = ranks;
    clump_status status = find_box(p);
    const uint64_t points = ranks->starts[ranks->mail.peers.count] - ranks->left_out;
    if (status == CLUMP_OK) status = choose_cells(p, points);
    if (status == CLUMP_OK) status = clump_ranks_agree(ranks, make_tiles(p));
    free(p->tables);
    free(p);
    return status;
}
