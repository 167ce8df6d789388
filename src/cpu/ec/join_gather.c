/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_gather.c: gathers the points of wanted cells by cell, for join_points.c: a counting sort.
 */
#include "common/share.h"
#include "cpu/ec/join_work.h"
#include "cpu/grid/slices.h"

#include <string.h>

#define JOIN_POLLED 65536 /* points between two polls */

/* Returns the number of points of a slice that are to be gathered, and writes them to `picked` unless it is null. A
 * branch on whether a point is picked would be unpredictable, so there is none. */
static size_t pick_points(const clump_join_work *w, clump_share s, uint32_t *picked)
{
    const uint32_t *const owner = w->b->owner;
    const uint8_t *const sub = w->b->sub;
    uint32_t nowhere;
    size_t m = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const uint32_t id = owner[i];
        const uint64_t wanted = w->wanted[id == CLUMP_NO_BLOCK ? 0 : id];
        *(picked ? &picked[m] : &nowhere) = (uint32_t)i;
        m += (id != CLUMP_NO_BLOCK) & wanted >> (sub[i] & 63); /* points that are left out have any sub[i] */
    }
    return m;
}

static clump_rep *cell_of_point(const clump_blocks *b, size_t i)
{
    return &b->rep[clump_cell_number(&b->block[b->owner[i]], b->sub[i])];
}

/* What the tasks of gathering share. There are as many slices of the cells as of the points. */
typedef struct gathering {
    clump_team *team;
    const clump_join_work *w;
    const clump_cloud_job *job;
    int threads, slices;
    bool spare;           /* the list has room for all points */
    size_t *start, *size; /* per slice: its part of the list */
    size_t entries;       /* of the slices of the cells that have a place so far; atomic additions */
    size_t *largest;      /* per slice of the cells: the points of the fullest cell */
    uint32_t *picked;     /* the list of the points to be gathered */
    uint32_t *place;      /* null, or for each point of the list its place in its cell */
    uint32_t *tallies;    /* null, or one count per cell and slice */
    clump_point *points;
} gathering;

static uint32_t *tally_of(const gathering *g, size_t t)
{
    return g->tallies ? g->tallies + (size_t)g->w->b->cell_count * t : NULL;
}

static uint32_t *places_of(const gathering *g, size_t t)
{
    return g->place ? g->place + g->start[t] : NULL;
}

static void size_list(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_share s = clump_share_of(g->job->count, (int)t, g->slices);
    g->size[t] = g->spare ? s.end - s.begin : pick_points(g->w, s, NULL);
}

/* Lists the points of a slice and counts them by cell. */
static void count_slice(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_blocks b = *g->w->b; /* a copy: no store to a cell can alias it */
    uint32_t *const mine = g->picked + g->start[t], *const tally = tally_of(g, t), *const place = places_of(g, t);
    if (tally) memset(tally, 0, b.cell_count * sizeof *tally);
    const size_t size = pick_points(g->w, clump_share_of(g->job->count, (int)t, g->slices), mine);
    CLUMP_ASSERT(size <= g->size[t]);
    for (size_t k = 0; k < size; k++) {
        if (k % JOIN_POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        if (tally)
            tally[cell - b.rep]++;
        else if (place)
            place[k] = CLUMP_ADD(&cell->count, 1);
        else
            cell->count++;
    }
    g->size[t] = size;
}

/* Turns the tallies of each cell into the places where each slice starts. Returns the points of the cell. */
static uint32_t sum_tallies(const gathering *g, size_t c)
{
    uint32_t sum = 0;
    for (int u = 0; u < g->slices; u++) {
        uint32_t *const tally = tally_of(g, (size_t)u) + c;
        const uint32_t here = *tally;
        *tally = sum;
        sum += here;
    }
    return sum;
}

/* Gives the cells of a slice their places, which are claimed for all of them at once. */
static void place_cells(void *arg, size_t t)
{
    gathering *const g = arg;
    const clump_share s = clump_share_of(g->w->b->cell_count, (int)t, g->slices);
    clump_rep *const rep = g->w->b->rep;
    size_t entries = 0, largest = 0;
    for (size_t c = s.begin; c < s.end; c++) {
        if (g->tallies) rep[c].count = sum_tallies(g, c);
        entries += clump_dense_entries(rep[c].count);
        largest = rep[c].count > largest ? rep[c].count : largest;
    }
    g->largest[t] = largest;
    size_t at = CLUMP_ADD(&g->entries, entries);
    for (size_t c = s.begin; c < s.end; c++) {
        rep[c].begin = (uint32_t)at;
        at += clump_dense_entries(rep[c].count);
    }
}

/* Copies the points of a slice to their cells. It takes no atomic operation: one would wait for the store of the point
 * before, which is mostly not in the cache. */
static void deal_slice(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_blocks b = *g->w->b; /* copies: no store can alias them */
    const clump_cloud_job job = *g->job;
    const size_t size = g->size[t];
    const uint32_t *const mine = g->picked + g->start[t];
    uint32_t *const tally = tally_of(g, t);
    const uint32_t *const places = places_of(g, t);
    clump_point *const points = g->points;
    for (size_t k = 0; k < size; k++) {
        if (k % JOIN_POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        const uint32_t place = tally ? tally[cell - b.rep]++ : places ? places[k] : cell->dealt++;
        const float *const f = clump_point_at(&job, mine[k]);
        points[cell->begin + clump_dense_offset(cell->count) + place] =
            (clump_point){f[0], f[1], job.two_d ? 0 : f[2], 0};
    }
}

static clump_status each_slice(clump_work *work, gathering *g, clump_slice_step *step)
{
    clump_slices slices = {step, g};
    return clump_run(work, g->threads, (size_t)g->slices, 1, clump_run_slices, &slices);
}

/* Whether every slice has a tally of its own. Where cells are few, threads would contend for their counts. The tallies
 * take at most a quarter of a count per point. */
static bool gets_tallies(const gathering *g)
{
    return g->slices > 1 && (size_t)g->w->b->cell_count * (size_t)g->slices <= g->job->count / 4;
}

/* Reserves the list of points. Where cells are few and most points take part, the list has room for all points.
 * Otherwise the points are counted first. */
static clump_status reserve_list(clump_work *work, clump_join *j, gathering *g)
{
    const size_t n = g->job->count, taking_part = n - g->w->b->left_out;
    g->spare = g->w->b->cell_count < taking_part / 2 && taking_part > n / 2;
    if (g->spare)
        for (int t = 0; t < g->slices; t++) size_list(g, (size_t)t);
    else
        CLUMP_TRY(each_slice(work, g, size_list));
    size_t all = 0;
    for (int t = 0; t < g->slices; t++) { /* one entry more per slice: pick_points() writes one past its last */
        g->start[t] = all;
        all += g->size[t] + 1;
    }
    const bool places = g->slices > 1 && !gets_tallies(g);
    CLUMP_TRY(clump_buffer_reserve(work, &j->picked, (places ? 2 : 1) * all * sizeof(uint32_t)));
    g->picked = j->picked.data;
    g->place = places ? g->picked + all : NULL;
    return CLUMP_OK;
}

/* Lists the points and counts them by cell. */
static clump_status count_points(clump_work *work, clump_join *j, gathering *g)
{
    const bool own = gets_tallies(g);
    const size_t tallies = own ? (size_t)g->w->b->cell_count * (size_t)g->slices : 0;
    CLUMP_TRY(clump_buffer_reserve(work, &j->tallies, tallies * sizeof(uint32_t)));
    g->tallies = own ? j->tallies.data : NULL;
    CLUMP_TRY(each_slice(work, g, count_slice));
    return each_slice(work, g, place_cells);
}

/* Copies the points to their cells' places; *sum and *largest become the entries of all cells and the points of the
 * fullest one. */
static clump_status deal_points(clump_work *work, clump_join *j, gathering *g, size_t *sum, size_t *largest)
{
    *sum = g->entries, *largest = 0;
    for (int t = 0; t < g->slices; t++) *largest = g->largest[t] > *largest ? g->largest[t] : *largest;
    if (*sum > UINT32_MAX)
        return clump_fail(work, CLUMP_ERR_TOO_MANY, "%s: crowded cells need %zu entries, a call has room for %zu",
                          work->call, *sum, (size_t)UINT32_MAX);
    CLUMP_TRY(clump_buffer_reserve(work, &j->points, *sum * sizeof(clump_point)));
    g->points = j->points.data;
    return each_slice(work, g, deal_slice);
}

clump_status clump_join_gather(clump_work *work, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads)
{
    const int slices = clump_join_slices(job->count, threads);
    gathering g = {.team = work->team, .w = w, .job = job, .threads = threads, .slices = slices};
    CLUMP_TRY(clump_buffer_reserve(work, &j->shares, 3 * (size_t)slices * sizeof(size_t)));
    g.start = j->shares.data, g.size = g.start + slices, g.largest = g.size + slices;
    size_t sum, largest;
    CLUMP_TRY(reserve_list(work, j, &g));
    CLUMP_TRY(count_points(work, j, &g));
    CLUMP_TRY(deal_points(work, j, &g, &sum, &largest));
    w->points = g.points;

    /* Each thread has room for two of the largest cells. Where one cell has a large share of all points there is little
     * to divide, and fewer threads keep the memory linear. */
    const size_t worth = largest > 0 ? sum / (2 * largest) : 1;
    w->threads = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    w->dense = largest >= CLUMP_DENSE;
    CLUMP_TRY(clump_buffer_reserve(work, &j->scratch, w->room * (size_t)w->threads * sizeof(clump_point)));
    w->scratch = j->scratch.data;
    return CLUMP_OK;
}
