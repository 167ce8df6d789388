/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_density.c: DBSCAN where every point has a radius of its own (rules/radius.h).
 *
 *     1  core points at eps, which are core points by larger radii too             (density.c)
 *     2  neighbours of the other points with a larger radius are counted           (here)
 *     3  Euclidean clustering of the core points, by larger radii too              (ranged_join.c)
 *     4  border points at eps, then border points by larger radii                  (density.c, ranged_border.c)
 *
 * A point whose radius is eps has all its neighbours within eps, so steps 1 and 4 at eps decide it. For a point with a
 * larger radius, step 2 counts all its neighbours, including those with a radius of eps. In step 4 it takes the smaller
 * of the labels found within eps and beyond.
 *
 * Where min_points is large, cells can be dense and still have to be counted. The points of such a cell are counted together,
 * by the sieve (grid/sieve.h), as in density_dense.c: a count per point would cost the product of the sizes of two cells.
 */
#include "cpu/ranged/ranged.h"

#include "core/work.h"
#include "cpu/grid/sieve.h"

#define RANGED_OPEN   64   /* points of a cell that are counted together: 768 bytes of stack */
#define RANGED_POLLED 1024 /* points that are counted between two polls, in a dense cell */

/* ----- core points ---------------------------------------------------------------------------------------- */

/* Points of a cell that do not have enough neighbours yet. */
typedef struct open_points {
    uint32_t at[RANGED_OPEN];
    size_t neighbours[RANGED_OPEN]; /* number so far */
    size_t count;
    size_t min_points;
    uint8_t *core; /* flags to set */
} open_points;

/* Compares open points first ... last - 1 with a cell. A point with enough neighbours is marked core and leaves. */
static void compare_with_cell(clump_ranged *g, open_points *w, size_t first, size_t last, clump_ranged_cell *cell)
{
    const bool large = clump_ranged_size(cell) >= RANGED_POLLED;
    for (size_t k = last; k-- > first;) {
        if (large && clump_team_stopped(g->search.team)) return;
        w->neighbours[k] += clump_ranged_count(g, g->point[w->at[k]], cell, w->min_points - w->neighbours[k]);
        if (w->neighbours[k] < w->min_points) continue;
        w->core[g->index[w->at[k]]] = 1;
        w->count--;
        w->at[k] = w->at[w->count], w->neighbours[k] = w->neighbours[w->count];
    }
}

/* Compares all open points with the cells around their cell, at its own level, the level below, or a level above. */
static void count_around(clump_ranged *g, open_points *w, uint32_t number, const clump_ranged_node *box, uint32_t m)
{
    clump_ranged_walk walk = clump_ranged_around(g, m, box->lower, box->upper, clump_ranged_reach_at(g, m, box->most));
    for (uint32_t c; w->count > 0 && clump_ranged_next(&walk, &c);)
        if (c != number) compare_with_cell(g, w, 0, w->count, &g->cell[c]);
}

/* Compares each open point with the cells around it, at a level further below. There the window of a whole cell would be
 * large. */
static void count_below(clump_ranged *g, open_points *w, uint32_t m)
{
    for (size_t k = w->count; k-- > 0;) {
        const clump_point p = g->point[w->at[k]];
        const float at[3] = {p.x, p.y, p.z};
        clump_ranged_walk walk = clump_ranged_around(g, m, at, at, clump_ranged_reach_at(g, m, clump_ranged_bound(p)));
        const size_t before = w->count;
        for (uint32_t c; w->count == before && clump_ranged_next(&walk, &c);)
            compare_with_cell(g, w, k, k + 1, &g->cell[c]);
    }
}

/* Counts the neighbours of all open points, nearest levels first. Leaves no open points. */
static void count_neighbours(clump_ranged *g, open_points *w, uint32_t number, uint32_t level)
{
    const clump_ranged_node box = clump_ranged_box(g, &g->cell[number]);
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, box.least, box.most, &from);
    for (size_t k = 0; k < w->count; k++) w->neighbours[k] = clump_ranged_size(&g->cell[number]); /* all of the own */
    for (uint32_t m = level; m < to && w->count > 0; m++)
        if (g->level[m].used) count_around(g, w, number, &box, m);
    for (uint32_t m = level; m-- > from && w->count > 0;) {
        if (!g->level[m].used) continue;
        if (m + 1 == level)
            count_around(g, w, number, &box, m);
        else
            count_below(g, w, m);
    }
    w->count = 0;
}

/* ----- dense cells ---------------------------------------------------------------------------------------- */

/* The open points of a dense cell. */
typedef struct dense_points {
    clump_point *open;    /* `more` is the number in the cell */
    clump_point *other;   /* room for the points of another cell */
    uint32_t *neighbours; /* by number: how many so far */
    size_t count;
    size_t min_points;
    uint8_t *core; /* flags to set */
} dense_points;

/* Whether a cell is dense, and too small for its points to be core points. */
static bool is_dense(const clump_ranged_cell *cell, size_t min_points)
{
    return clump_ranged_size(cell) >= CLUMP_RANGED_DENSE && clump_ranged_size(cell) < min_points;
}

/* Adds the neighbours in another cell to the counts of the open points of a cell whose points are own[]. */
static void count_dense(clump_ranged *g, dense_points *w, const clump_point *own, clump_ranged_cell *other)
{
    const size_t n = clump_ranged_size(other);
    if (n >= CLUMP_RANGED_DENSE && w->count * n >= CLUMP_RANGED_SIEVE_PAIRS) {
        const uint32_t needed = w->min_points < UINT32_MAX ? (uint32_t)w->min_points : UINT32_MAX;
        memcpy(w->other, g->point + other->begin, n * sizeof *w->other);
        clump_sieve_count_grown(w->open, w->count, own, w->other, n, needed, w->neighbours, g->search.team,
                                &g->search.work);
        return;
    }
    for (size_t k = 0; k < w->count; k++) {
        if (k % RANGED_POLLED == 0 && clump_team_stopped(g->search.team)) return;
        uint32_t *const near = &w->neighbours[w->open[k].more];
        *near += (uint32_t)clump_ranged_count(g, own[w->open[k].more], other, w->min_points - *near);
    }
}

/* Points with enough neighbours are marked core and leave. index[] are those of the points of the cell. */
static void settle_dense(dense_points *w, const uint32_t *index)
{
    size_t open = 0;
    for (size_t k = 0; k < w->count; k++) {
        const clump_point p = w->open[k];
        if (w->neighbours[p.more] >= w->min_points)
            w->core[index[p.more]] = 1;
        else
            w->open[open++] = p;
    }
    w->count = open;
}

/* Counts the neighbours of the open points at levels further below, some points at a time. */
static void count_dense_below(clump_ranged *g, const dense_points *w, uint32_t begin, uint32_t from, uint32_t level)
{
    open_points few; /* the arrays stay uninitialised */
    few.count = 0, few.min_points = w->min_points, few.core = w->core;
    for (size_t k = 0; k < w->count; k++) {
        few.at[few.count] = begin + w->open[k].more;
        few.neighbours[few.count++] = w->neighbours[w->open[k].more];
        if (few.count < RANGED_OPEN && k + 1 < w->count) continue;
        for (uint32_t m = level; m-- > from && few.count > 0;)
            if (g->level[m].used) count_below(g, &few, m);
        few.count = 0;
    }
}

/* Marks the core points of a dense cell. */
static void core_of_dense(clump_ranged *g, uint32_t number, uint32_t level, dense_points *w)
{
    const clump_ranged_cell *const cell = &g->cell[number];
    const clump_point *const own = g->point + cell->begin;
    const uint32_t size = clump_ranged_size(cell), *const index = g->index + cell->begin;
    const clump_ranged_node box = clump_ranged_box(g, cell);
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, box.least, box.most, &from);
    w->count = 0;
    for (uint32_t i = 0; i < size; i++) {
        if (w->core[index[i]] || !(clump_ranged_bound(own[i]) > g->bound)) continue;
        w->open[w->count] = own[i];
        w->open[w->count++].more = i;
        w->neighbours[i] = size; /* all of the own cell */
    }
    for (uint32_t m = from + 1 < level ? level - 1 : from; m < to && w->count > 0; m++) {
        if (!g->level[m].used) continue;
        clump_ranged_walk walk = clump_ranged_around(g, m, box.lower, box.upper, clump_ranged_reach_at(g, m, box.most));
        for (uint32_t c; w->count > 0 && !clump_team_stopped(g->search.team) && clump_ranged_next(&walk, &c);) {
            if (c == number) continue;
            count_dense(g, w, own, &g->cell[c]);
            settle_dense(w, index);
        }
    }
    if (from + 1 < level) count_dense_below(g, w, cell->begin, from, level - 1);
}

/* Reserves memory for dense cells. Returns in *w what does not change from cell to cell. */
static clump_status reserve_dense(clump_work *work, clump_ranged *g, size_t min_points, uint8_t *core, dense_points *w)
{
    size_t largest = 0;
    bool dense = false;
    for (uint32_t c = 0; c < g->cells; c++) {
        const size_t size = clump_ranged_size(&g->cell[c]);
        largest = size > largest ? size : largest;
        dense = dense || is_dense(&g->cell[c], min_points);
    }
    if (!dense) largest = 0;
    CLUMP_TRY(clump_buffer_reserve(work, &g->searches, largest * (2 * sizeof *w->open + sizeof *w->neighbours)));
    *w = (dense_points){.open = g->searches.data, .min_points = min_points, .core = core};
    w->other = w->open + largest;
    w->neighbours = (uint32_t *)(w->other + largest);
    return CLUMP_OK;
}

/* ----- all core points ------------------------------------------------------------------------------------ */

/* Marks the core points of a cell. */
static void core_of_cell(clump_ranged *g, uint32_t number, uint32_t level, dense_points *dense)
{
    const clump_ranged_cell *const cell = &g->cell[number];
    const size_t min_points = dense->min_points;
    uint8_t *const core = dense->core;
    const uint32_t end = cell[1].begin;
    if (clump_ranged_size(cell) >= min_points) {
        for (uint32_t i = cell->begin; i < end; i++) core[g->index[i]] = 1;
        return;
    }
    if (is_dense(cell, min_points)) {
        core_of_dense(g, number, level, dense);
        return;
    }
    open_points w; /* the arrays stay uninitialised */
    w.count = 0, w.min_points = min_points, w.core = core;
    for (uint32_t i = cell->begin; i < end; i++) {
        if (core[g->index[i]] || !(clump_ranged_bound(g->point[i]) > g->bound)) continue;
        w.at[w.count++] = i;
        if (w.count == RANGED_OPEN) count_neighbours(g, &w, number, level);
    }
    if (w.count > 0) count_neighbours(g, &w, number, level);
}

clump_status clump_ranged_core(clump_work *work, clump_ranged *g, size_t min_points, uint8_t *core, size_t count,
                               size_t *found)
{
    dense_points dense;
    CLUMP_TRY(reserve_dense(work, g, min_points, core, &dense));
    for (uint32_t id = 0; id < g->blocks; id++) {
        const clump_ranged_block *const b = &g->block[id];
        const uint32_t end = b->first + clump_popcount(b->cells);
        for (uint32_t c = b->first; c < end; c++) {
            CLUMP_TRY(clump_poll(work));
            core_of_cell(g, c, b->level, &dense);
        }
    }
    *found = 0;
    for (size_t i = 0; i < count; i++) *found += core[i];
    return CLUMP_OK;
}

/* ----- all steps ------------------------------------------------------------------------------------------ */

clump_status clump_cpu_dbscan_ranged(clump_work *work, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_stats *stats)
{
    clump_dbscan_run run;
    CLUMP_TRY(clump_dbscan_begin(work, s, fast, job, &run));
    CLUMP_TRY(clump_ranged_build(work, g, fast, &job->in, true));
    CLUMP_TRY(clump_ranged_core(work, g, job->min_points, run.core, job->in.count, &run.cores));
    run.at.built = clump_now_ms();
    if (run.cores > 0) CLUMP_TRY(clump_ranged_two_grids(work, g, fast, &run.among, stats));
    CLUMP_TRY(clump_dbscan_end(work, s, job, &run, stats));
    if (!job->border_points || run.cores == 0) return CLUMP_OK;
    size_t given;
    CLUMP_TRY(clump_ranged_border(work, g, &job->in, run.core, &given));
    stats->noise -= given;
    stats->label_ms = clump_now_ms() - run.at.clustered;
    return CLUMP_OK;
}
