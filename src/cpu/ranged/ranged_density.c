/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_density.c: DBSCAN where every point has a radius of its own (rules/radius.h).
 *
 *     1  core points at eps; whoever is one there is one here                         (density.c)
 *     2  of the others those with a larger radius are counted                        (here)
 *     3  Euclidean clustering of the core points, by larger radii too            (ranged_join.c)
 *     4  border points at eps, then those by larger radii                    (density.c, here)
 *
 * A point whose radius is eps has its neighbours within eps, so that steps 1 and 4 have the last word on it. One with a
 * larger radius is counted in step 2 among all its neighbours, near ones with a radius of eps included, and in step 4
 * joins the smaller of what is found within eps and beyond.
 */
#include "cpu/ranged/ranged_fast.h"

#include "core/context.h"

/* ----- core points ---------------------------------------------------------------------------------------- */

/* The most that a point at a level can be away from a neighbour at level m, whose bound is `bound` or less. */
static float reach_at(const clump_ranged *g, uint32_t m, float bound)
{
    const float reach = clump_ranged_reach(bound), twice = ldexpf(g->rule.eps, (int)m + 1) * (1 + 0x1p-19f);
    return reach < twice ? reach : twice;
}

/* Points of a cell that have not enough neighbours yet, at most 64. */
typedef struct wanting {
    uint32_t at[64];
    size_t near[64]; /* neighbours so far */
    size_t count;
} wanting;

/* Compares points first ... last - 1 of those with a cell; who has enough then is a core point, and leaves. */
static void compare(clump_ranged *g, wanting *w, size_t first, size_t last, clump_ranged_cell *cell, size_t min_points,
                    uint8_t *core)
{
    for (size_t k = last; k-- > first;) {
        w->near[k] += clump_ranged_count(g, g->point[w->at[k]], cell, min_points - w->near[k]);
        if (w->near[k] < min_points) continue;
        core[g->index[w->at[k]]] = 1;
        w->count--;
        w->at[k] = w->at[w->count], w->near[k] = w->near[w->count];
    }
}

/* Cell after cell around a cell, at its own level, the one below and those above: for all points at once. */
static void count_around(clump_ranged *g, wanting *w, uint32_t number, const clump_ranged_node *box, uint32_t m,
                         size_t min_points, uint8_t *core)
{
    clump_ranged_walk walk = clump_ranged_around(g, m, box->lower, box->upper, reach_at(g, m, box->most));
    for (uint32_t c; w->count > 0 && clump_ranged_next(&walk, &c);)
        if (c != number) compare(g, w, 0, w->count, &g->cell[c], min_points, core);
}

/* At levels further below the window of a whole cell would be large, so it is one of each point. */
static void count_below(clump_ranged *g, wanting *w, uint32_t m, size_t min_points, uint8_t *core)
{
    for (size_t k = w->count; k-- > 0;) {
        const clump_point p = g->point[w->at[k]];
        const float at[3] = {p.x, p.y, p.z};
        clump_ranged_walk walk = clump_ranged_around(g, m, at, at, reach_at(g, m, clump_ranged_bound(p)));
        const size_t before = w->count;
        for (uint32_t c; w->count == before && clump_ranged_next(&walk, &c);)
            compare(g, w, k, k + 1, &g->cell[c], min_points, core);
    }
}

/* Nearest levels first. */
static void count_neighbours(clump_ranged *g, wanting *w, uint32_t number, uint32_t level, size_t min_points,
                             uint8_t *core)
{
    const clump_ranged_node box = clump_ranged_box(g, &g->cell[number]);
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, box.least, box.most, &from);
    for (size_t k = 0; k < w->count; k++) w->near[k] = clump_ranged_size(&g->cell[number]); /* all of its own */
    for (uint32_t m = level; m < to && w->count > 0; m++)
        if (g->level[m].used) count_around(g, w, number, &box, m, min_points, core);
    for (uint32_t m = level; m-- > from && w->count > 0;) {
        if (!g->level[m].used) continue;
        if (m + 1 == level)
            count_around(g, w, number, &box, m, min_points, core);
        else
            count_below(g, w, m, min_points, core);
    }
    w->count = 0;
}

static void core_of_cell(clump_ranged *g, uint32_t number, uint32_t level, size_t min_points, uint8_t *core)
{
    const clump_ranged_cell *const cell = &g->cell[number];
    const uint32_t end = cell[1].begin;
    if (clump_ranged_size(cell) >= min_points) {
        for (uint32_t i = cell->begin; i < end; i++) core[g->index[i]] = 1;
        return;
    }
    wanting w;
    w.count = 0;
    for (uint32_t i = cell->begin; i < end; i++) {
        if (core[g->index[i]] || !(clump_ranged_bound(g->point[i]) > g->bound)) continue;
        w.at[w.count++] = i;
        if (w.count == 64) count_neighbours(g, &w, number, level, min_points, core);
    }
    if (w.count > 0) count_neighbours(g, &w, number, level, min_points, core);
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

/* The smallest label of the core points that are neighbours of a point, if it is below `best`. */
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
            const uint32_t label = (uint32_t)labels[g->index[g->cell[c].begin]]; /* that of all in the cell */
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
        const size_t m = clump_ranged_grow(g, job, base, grown);
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

/* ----- all of it ------------------------------------------------------------------------------------------ */

clump_status clump_cpu_dbscan_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_result *result)
{
    clump_dbscan_run run;
    CLUMP_TRY(clump_dbscan_begin(ctx, s, fast, job, &run));
    CLUMP_TRY(clump_ranged_build(ctx, g, fast, &job->in, true));
    CLUMP_TRY(clump_ranged_core(ctx, g, job->min_points, run.core, job->in.count, &run.cores));
    run.at.built = clump_now_ms();
    if (run.cores > 0) CLUMP_TRY(clump_cpu_ec_ranged(ctx, g, fast, &run.among, result));
    CLUMP_TRY(clump_dbscan_end(ctx, s, job, &run, result));
    if (!job->border_points || run.cores == 0) return CLUMP_OK;
    size_t given;
    CLUMP_TRY(clump_ranged_border(ctx, g, &job->in, run.core, &given));
    result->noise -= given;
    result->label_ms = clump_now_ms() - run.at.clustered;
    return CLUMP_OK;
}
