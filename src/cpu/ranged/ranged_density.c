/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_density.c: DBSCAN where every point has a radius of its own (rules/radius.h).
 *
 *     1  core points at eps, which are core points by larger radii too             (density.c)
 *     2  neighbours of the other points with a larger radius are counted           (here)
 *     3  Euclidean clustering of the core points, by larger radii too              (ranged_join.c)
 *     4  border points at eps, then border points by larger radii                  (density.c, here)
 *
 * A point whose radius is eps has all its neighbours within eps, so steps 1 and 4 at eps decide it. For a point with a
 * larger radius, step 2 counts all its neighbours, including those with a radius of eps. In step 4 it takes the smaller
 * of the labels found within eps and beyond.
 */
#include "cpu/ranged/ranged_fast.h"

#include "core/context.h"

#define RANGED_OPEN 64 /* points of a cell that are counted together: 768 bytes of stack */

/* ----- core points ---------------------------------------------------------------------------------------- */

/* The largest distance along an axis between a point with at most this bound and a neighbour at level m. */
static float reach_at(const clump_ranged *g, uint32_t m, float bound)
{
    const float reach = clump_ranged_reach(bound), twice = ldexpf(g->rule.eps, (int)m + 1) * (1 + 0x1p-19f);
    return reach < twice ? reach : twice;
}

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
    for (size_t k = last; k-- > first;) {
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
    clump_ranged_walk walk = clump_ranged_around(g, m, box->lower, box->upper, reach_at(g, m, box->most));
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
        clump_ranged_walk walk = clump_ranged_around(g, m, at, at, reach_at(g, m, clump_ranged_bound(p)));
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

/* Marks the core points of a cell. */
static void core_of_cell(clump_ranged *g, uint32_t number, uint32_t level, size_t min_points, uint8_t *core)
{
    const clump_ranged_cell *const cell = &g->cell[number];
    const uint32_t end = cell[1].begin;
    if (clump_ranged_size(cell) >= min_points) {
        for (uint32_t i = cell->begin; i < end; i++) core[g->index[i]] = 1;
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

clump_status clump_ranged_core(clump_context *ctx, clump_ranged *g, size_t min_points, uint8_t *core, size_t count,
                               size_t *found)
{
    for (uint32_t id = 0; id < g->blocks; id++) {
        const clump_ranged_block *const b = &g->block[id];
        const uint32_t end = b->first + clump_popcount(b->cells);
        for (uint32_t c = b->first; c < end; c++) {
            CLUMP_TRY(clump_poll(ctx));
            core_of_cell(g, c, b->level, min_points, core);
        }
    }
    *found = 0;
    for (size_t i = 0; i < count; i++) *found += core[i];
    return CLUMP_OK;
}

/* ----- border points -------------------------------------------------------------------------------------- */

/* The smallest label of the core points that are neighbours of a point, or `best` if none is smaller. */
static uint32_t smallest_label(clump_ranged *g, const float *f, const int32_t *labels, uint32_t best)
{
    const clump_point p = clump_ranged_point(g, f);
    const float at[3] = {p.x, p.y, p.z};
    const float bound = clump_ranged_bound(p);
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, bound, bound, &from);
    for (uint32_t m = from; m < to; m++) {
        if (!g->level[m].used) continue;
        clump_ranged_walk walk = clump_ranged_around(g, m, at, at, reach_at(g, m, bound));
        for (uint32_t c; clump_ranged_next(&walk, &c);) {
            const uint32_t label = (uint32_t)labels[g->index[g->cell[c].begin]]; /* of all points of the cell */
            if (label < best && clump_ranged_count(g, p, &g->cell[c], 1) > 0) best = label;
        }
    }
    return best;
}

clump_status clump_ranged_border(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, const uint8_t *core,
                                 size_t *given)
{
    float grown[CLUMP_RANGED_BATCH];
    *given = 0;
    for (size_t base = 0; base < job->count && g->count > 0; base += CLUMP_RANGED_BATCH) {
        const size_t m = clump_ranged_growth(g, job, base, grown);
        for (size_t i = base; i < base + m; i++) {
            if (!(grown[i - base] > g->rule.eps) || core[i] || !clump_takes_part(job, i)) continue;
            CLUMP_TRY(clump_poll(ctx));
            const uint32_t before = (uint32_t)job->labels[i]; /* CLUMP_NOISE is the largest */
            const uint32_t best = smallest_label(g, clump_point_at(job, i), job->labels, before);
            job->labels[i] = (int32_t)best;
            *given += before == (uint32_t)CLUMP_NOISE && best != before;
        }
    }
    return CLUMP_OK;
}

/* ----- all steps ------------------------------------------------------------------------------------------ */

clump_status clump_cpu_dbscan_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_result *result)
{
    clump_dbscan_run run;
    CLUMP_TRY(clump_dbscan_begin(ctx, s, fast, job, &run));
    CLUMP_TRY(clump_ranged_build(ctx, g, fast, &job->in, true));
    CLUMP_TRY(clump_ranged_core(ctx, g, job->min_points, run.core, job->in.count, &run.cores));
    run.at.built = clump_now_ms();
    if (run.cores > 0) CLUMP_TRY(clump_ranged_two_grids(ctx, g, fast, &run.among, result));
    CLUMP_TRY(clump_dbscan_end(ctx, s, job, &run, result));
    if (!job->border_points || run.cores == 0) return CLUMP_OK;
    size_t given;
    CLUMP_TRY(clump_ranged_border(ctx, g, &job->in, run.core, &given));
    result->noise -= given;
    result->label_ms = clump_now_ms() - run.at.clustered;
    return CLUMP_OK;
}
