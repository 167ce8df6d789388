/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_border.c: the border points of DBSCAN where every point has a radius of its own (ranged_density.c). A point takes the
 * smallest label of the core points that are its neighbours. Cells hold core points alone, and those of a cell have one
 * label. Mostly the cells around a point are searched for each point by itself.
 *
 * Where that takes long, as for the points of an axis inside a circle of core points, the points that are left are divided
 * into groups. The box of a group is at most half a radius wide and its bounds differ by a factor of at most 16, so the
 * sieve (grid/sieve.h) can search a cell for all points of a group at once.
 */
#include "cpu/ranged/ranged.h"

#include "core/work.h"
#include "cpu/grid/sieve.h"

#define BORDER_VAIN   64   /* points of cells that are searched in vain, per point of the job; then there are groups */
#define BORDER_POLLED 1024 /* points between two polls */

typedef struct border_work {
    clump_ranged *g;
    const clump_cloud_job *job;
    const uint8_t *core;
    size_t vain;        /* points of large cells that were searched without a neighbour */
    size_t count;       /* of the points in groups */
    clump_point *point; /* with their bounds */
    uint32_t *index;    /* of each in the cloud */
    clump_point *open;  /* of a group; `more` is the number in the group */
    clump_point *other; /* room for the points of a cell */
    uint32_t *found;    /* by number in the group */
} border_work;

/* Whether point i is not core, but has a larger radius and takes part. */
static bool is_candidate(const border_work *w, size_t i, float grown)
{
    return grown > w->g->rule.eps && !w->core[i] && clump_takes_part(w->job, i);
}

/* The label of the core points of a cell. */
static uint32_t label_of(const border_work *w, uint32_t cell)
{
    return (uint32_t)w->job->labels[w->g->index[w->g->cell[cell].begin]];
}

/* The smallest label of the core points that are neighbours of p at levels from ... to - 1, or `best` if none is smaller. */
static uint32_t smallest_label(border_work *w, clump_point p, uint32_t from, uint32_t to, uint32_t best)
{
    clump_ranged *const g = w->g;
    const float at[3] = {p.x, p.y, p.z};
    for (uint32_t m = from; m < to; m++) {
        if (!g->level[m].used) continue;
        clump_ranged_walk walk = clump_ranged_around(g, m, at, at, clump_ranged_reach_at(g, m, clump_ranged_bound(p)));
        for (uint32_t c; clump_ranged_next(&walk, &c);) {
            const uint32_t label = label_of(w, c);
            if (label >= best) continue;
            if (clump_ranged_count(g, p, &g->cell[c], 1) > 0)
                best = label;
            else
                w->vain += clump_ranged_size(&g->cell[c]) >= CLUMP_RANGED_DENSE ? clump_ranged_size(&g->cell[c]) : 0;
        }
    }
    return best;
}

/* Labels point i of the cloud by itself. */
static void label_point(border_work *w, size_t i, clump_point p)
{
    const float bound = clump_ranged_bound(p);
    uint32_t from;
    const uint32_t to = clump_ranged_levels(w->g, bound, bound, &from);
    w->job->labels[i] = (int32_t)smallest_label(w, p, from, to, (uint32_t)w->job->labels[i]);
}

/* ----- groups --------------------------------------------------------------------------------------------- */

/* Gives the label of a cell to the points begin ... end - 1 that have a neighbour there and a larger label. */
static void label_from_cell(border_work *w, size_t begin, size_t end, uint32_t c)
{
    clump_ranged *const g = w->g;
    clump_ranged_cell *const cell = &g->cell[c];
    const uint32_t label = label_of(w, c);
    const size_t n = clump_ranged_size(cell);
    size_t open = 0;
    for (size_t k = begin; k < end; k++) {
        if ((uint32_t)w->job->labels[w->index[k]] <= label) continue;
        w->open[open] = w->point[k];
        w->open[open++].more = (uint32_t)(k - begin);
        w->found[k - begin] = 0;
    }
    if (n >= CLUMP_RANGED_DENSE && open * n >= CLUMP_RANGED_SIEVE_PAIRS) {
        memcpy(w->other, g->point + cell->begin, n * sizeof *w->other);
        clump_sieve_count_grown(w->open, open, w->point + begin, w->other, n, 1, w->found, g->search.team,
                                &g->search.work);
    } else {
        for (size_t k = 0; k < open; k++) {
            if (k % BORDER_POLLED == 0 && clump_team_stopped(g->search.team)) return;
            w->found[w->open[k].more] = clump_ranged_count(g, w->point[begin + w->open[k].more], cell, 1) > 0;
        }
    }
    for (size_t k = 0; k < open; k++)
        if (w->found[w->open[k].more]) w->job->labels[w->index[begin + w->open[k].more]] = (int32_t)label;
}

/* Labels the points begin ... end - 1, whose box is given. Levels further below are searched point by point: there the window
 * of a whole group would be large. */
static void label_group(border_work *w, size_t begin, size_t end, const clump_ranged_node *box)
{
    clump_ranged *const g = w->g;
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, box->least, box->most, &from);
    const uint32_t level = clump_radius_level(g->rule.eps, sqrtf(box->least));
    const uint32_t beside = level > from + 1 ? level - 1 : from;
    for (uint32_t m = beside; m < to; m++) {
        if (!g->level[m].used) continue;
        clump_ranged_walk walk =
            clump_ranged_around(g, m, box->lower, box->upper, clump_ranged_reach_at(g, m, box->most));
        for (uint32_t c; !clump_team_stopped(g->search.team) && clump_ranged_next(&walk, &c);)
            label_from_cell(w, begin, end, c);
    }
    for (size_t k = begin; from < beside && k < end && !clump_team_stopped(g->search.team); k++) {
        int32_t *const label = &w->job->labels[w->index[k]];
        *label = (int32_t)smallest_label(w, w->point[k], from, beside, (uint32_t)*label);
    }
}

/* Moves the points of begin ... end - 1 that are below the middle of an axis to the front; returns the first of the others. */
static size_t cut_group(border_work *w, size_t begin, size_t end, int axis, float middle)
{
    size_t front = begin;
    for (size_t k = begin; k < end; k++) {
        const clump_point p = w->point[k];
        const uint32_t index = w->index[k];
        if ((axis == 0 ? p.x : axis == 1 ? p.y : p.z) > middle) continue;
        w->point[k] = w->point[front], w->index[k] = w->index[front];
        w->point[front] = p, w->index[front++] = index;
    }
    return front;
}

/* Divides the points begin ... end - 1 into groups and labels these. Recurses into the smaller half, so the depth is at most
 * the binary logarithm of the number of points. */
static void label_groups(border_work *w, size_t begin, size_t end)
{
    while (begin < end && !clump_team_stopped(w->g->search.team)) {
        if (end - begin < CLUMP_RANGED_DENSE) {
            for (size_t k = begin; k < end; k++) label_point(w, w->index[k], w->point[k]);
            return;
        }
        const clump_ranged_node box = clump_ranged_box_of(w->point + begin, end - begin);
        int axis = 0;
        float side[3];
        for (int k = 0; k < 3; k++) {
            side[k] = box.upper[k] - box.lower[k];
            axis = side[k] > side[axis] ? k : axis;
        }
        if (side[axis] * side[axis] <= box.least / 4 &&
            box.most <= 16 * box.least) { /* also where all are in one place */
            label_group(w, begin, end, &box);
            return;
        }
        const float middle = box.lower[axis] / 2 + box.upper[axis] / 2; /* the sum of both might overflow */
        const size_t cut = cut_group(w, begin, end, axis, middle < box.upper[axis] ? middle : box.lower[axis]);
        CLUMP_ASSERT(cut > begin && cut < end);
        if (cut - begin < end - cut) {
            label_groups(w, begin, cut);
            begin = cut;
        } else {
            label_groups(w, cut, end);
            end = cut;
        }
    }
}

/* Labels the candidates from point `first` of the cloud on in groups. */
static clump_status label_rest(clump_work *work, border_work *w, size_t first)
{
    clump_ranged *const g = w->g;
    const size_t most = w->job->count - first;
    size_t largest = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        const size_t size = clump_ranged_size(&g->cell[c]);
        largest = size > largest ? size : largest;
    }
    CLUMP_TRY(clump_buffer_reserve(work, &g->searches,
                                   (2 * most + largest) * sizeof *w->point + 2 * most * sizeof *w->index));
    w->point = g->searches.data;
    w->open = w->point + most;
    w->other = w->open + most;
    w->index = (uint32_t *)(w->other + largest);
    w->found = w->index + most;
    float grown[CLUMP_RANGED_BATCH];
    for (size_t base = first; base < w->job->count; base += CLUMP_RANGED_BATCH) {
        const size_t m = clump_ranged_growth(g, w->job, base, grown);
        CLUMP_TRY(clump_poll(work));
        for (size_t i = base; i < base + m; i++) {
            if (!is_candidate(w, i, grown[i - base])) continue;
            w->point[w->count] = clump_ranged_point(g, clump_point_at(w->job, i));
            w->index[w->count++] = (uint32_t)i;
        }
    }
    label_groups(w, 0, w->count);
    return clump_poll(work);
}

clump_status clump_ranged_border(clump_work *work, clump_ranged *g, const clump_cloud_job *job, const uint8_t *core,
                                 size_t *given)
{
    border_work w = {.g = g, .job = job, .core = core};
    float grown[CLUMP_RANGED_BATCH];
    size_t noise = 0, base = 0;
    for (size_t i = 0; i < job->count; i++) noise += job->labels[i] == CLUMP_NOISE;
    for (; base < job->count && g->count > 0 && w.vain < BORDER_VAIN * job->count; base += CLUMP_RANGED_BATCH) {
        const size_t m = clump_ranged_growth(g, job, base, grown);
        for (size_t i = base; i < base + m; i++) {
            if (!is_candidate(&w, i, grown[i - base])) continue;
            CLUMP_TRY(clump_poll(work));
            label_point(&w, i, clump_ranged_point(g, clump_point_at(job, i)));
        }
    }
    if (base < job->count && g->count > 0) CLUMP_TRY(label_rest(work, &w, base));
    for (size_t i = 0; i < job->count; i++) noise -= job->labels[i] == CLUMP_NOISE;
    *given = noise;
    return CLUMP_OK;
}
