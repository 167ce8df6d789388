/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_join.c: Euclidean clustering where every point has a radius of its own (rules/radius.h).
 *
 *     1  all points at eps                                                        (ec_fast.c)
 *     2  points with a larger radius into cells                                   (ranged_grid.c)
 *     3  their clusters are united where cells, or points of two cells, are near  (here, ranged_tree.c)
 *     4  clusters numbered anew                                                   (here)
 *
 * A union is one of clusters, by their numbers from step 1. These are in the order of smallest points, and the root of
 * a set is its smallest member (rules/union_find.h), so the order of the roots is that of the clusters they stand for.
 */
#include "cpu/ranged/ranged_fast.h"

#include "common/timer.h"
#include "core/context.h"
#include "rules/union_find.h"

#define MIXED UINT32_MAX /* in place of the set of a block: its cells are in several */

typedef struct work {
    clump_ranged *g;
    uint32_t *parent; /* of clusters */
    bool any;         /* something was united */
} work;

static void unite(work *w, uint32_t a, uint32_t b)
{
    clump_unite_alone(w->parent, a, b);
    w->any = true;
}

/* All points of a cell are neighbours. */
static void join_inside(work *w, clump_ranged_cell *cell, const int32_t *labels)
{
    const uint32_t *const index = w->g->index + cell->begin;
    cell->set = (uint32_t)labels[index[0]];
    for (uint32_t i = 1; i < clump_ranged_size(cell); i++)
        if ((uint32_t)labels[index[i]] != cell->set) unite(w, cell->set, (uint32_t)labels[index[i]]);
}

static bool first_points_near(const clump_ranged *g, const clump_ranged_cell *a, const clump_ranged_cell *b)
{
    const clump_point p = g->point[a->begin], q = g->point[b->begin];
    const float bound = clump_ranged_bound(p), other = clump_ranged_bound(q);
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < (bound < other ? bound : other);
}

/* A cell with those of one level around it, its own or one above: each pair is met once. */
static void join_around(work *w, uint32_t number, const clump_ranged_node *box, const clump_ranged_block *b, uint32_t m)
{
    clump_ranged *const g = w->g;
    clump_ranged_cell *const cell = &g->cell[number];
    uint32_t root = clump_find(w->parent, cell->set);
    clump_ranged_walk walk = clump_ranged_around(g, m, box->lower, box->upper, clump_ranged_reach(box->most));
    if (m == b->level) clump_ranged_ahead(&walk, b);
    while (clump_ranged_next_block(&walk)) {
        if (walk.block->set != MIXED && clump_find(w->parent, walk.block->set) == root) continue;
        for (uint32_t k; walk.left && clump_ranged_next(&walk, &k);) {
            clump_ranged_cell *const other = &g->cell[k];
            if ((walk.block == b && k <= number) || clump_find(w->parent, other->set) == root) continue;
            if (!first_points_near(g, cell, other) &&
                ((clump_ranged_size(cell) == 1 && clump_ranged_size(other) == 1) || !clump_ranged_near(g, cell, other)))
                continue;
            unite(w, cell->set, other->set);
            root = clump_find(w->parent, root);
        }
    }
}

/* Whether all blocks around a box are of one set, as a whole. */
static bool settled(const work *w, const clump_ranged_node *box, const clump_ranged_block *b, uint32_t m)
{
    const uint32_t root = clump_find(w->parent, b->set);
    clump_ranged_walk walk = clump_ranged_around(w->g, m, box->lower, box->upper, clump_ranged_reach(box->most));
    if (m == b->level) clump_ranged_ahead(&walk, b);
    while (clump_ranged_next_block(&walk))
        if (walk.block->set == MIXED || clump_find(w->parent, walk.block->set) != root) return false;
    return true;
}

static void widen(clump_ranged_node *box, const clump_ranged_node *by)
{
    for (int k = 0; k < 3; k++) {
        box->lower[k] = by->lower[k] < box->lower[k] ? by->lower[k] : box->lower[k];
        box->upper[k] = by->upper[k] > box->upper[k] ? by->upper[k] : box->upper[k];
    }
    box->most = by->most > box->most ? by->most : box->most;
}

/* A set, if all cells of a block are in one by now. */
static uint32_t set_of_block(const work *w, const clump_ranged_block *b)
{
    const clump_ranged_cell *const cell = w->g->cell + b->first;
    const uint32_t count = clump_popcount(b->cells), root = clump_find(w->parent, cell[0].set);
    for (uint32_t c = 1; c < count; c++)
        if (clump_find(w->parent, cell[c].set) != root) return MIXED;
    return root;
}

/* All cells of a block with what is around them. Where most is joined already, as in the ground, a look at the blocks
 * around is all. */
static void join_block(work *w, clump_ranged_block *b)
{
    clump_ranged *const g = w->g;
    const uint32_t count = clump_popcount(b->cells);
    clump_ranged_node box[64], all = clump_ranged_box(g, &g->cell[b->first]);
    for (uint32_t c = 0; c < count; c++) {
        box[c] = clump_ranged_box(g, &g->cell[b->first + c]);
        widen(&all, &box[c]);
    }
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, all.most, all.most, &from);
    for (uint32_t m = b->level; m < to; m++) {
        if (!g->level[m].used) continue;
        b->set = set_of_block(w, b);
        if (count > 1 && b->set != MIXED && settled(w, &all, b, m)) continue;
        for (uint32_t c = 0; c < count; c++) join_around(w, b->first + c, &box[c], b, m);
    }
}

/* The clusters that are left, in their order; parent becomes the new number of each. */
static int32_t renumber(uint32_t *parent, int32_t clusters)
{
    int32_t next = 0;
    for (int32_t c = 0; c < clusters; c++) { /* a parent is smaller, and has its number by now */
        const uint32_t p = parent[c];
        parent[c] = p == (uint32_t)c ? (uint32_t)next++ : parent[p];
    }
    return next;
}

clump_status clump_ranged_join(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, int32_t *clusters)
{
    if (g->count == 0) return CLUMP_OK;
    const size_t before = (size_t)*clusters;
    const clump_status status = clump_buffer_reserve(ctx, &g->parents, before * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    work w = {.g = g, .parent = g->parents.data};
    for (size_t c = 0; c < before; c++) w.parent[c] = (uint32_t)c;
    for (uint32_t c = 0; c < g->cells; c++) join_inside(&w, &g->cell[c], job->labels);
    for (uint32_t id = 0; id < g->blocks; id++) g->block[id].set = set_of_block(&w, &g->block[id]);
    for (uint32_t id = 0; id < g->blocks; id++) {
        CLUMP_TRY(clump_poll(ctx));
        join_block(&w, &g->block[id]);
    }
    if (!w.any) return CLUMP_OK;
    *clusters = renumber(w.parent, *clusters);
    for (size_t i = 0; i < job->count; i++)
        if (job->labels[i] >= 0) job->labels[i] = (int32_t)w.parent[job->labels[i]];
    return CLUMP_OK;
}

clump_status clump_cpu_ec_ranged(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_result *result)
{
    clump_status status = clump_cpu_ec_fast(ctx, fast, job, result);
    if (status != CLUMP_OK) return status;
    const double start = clump_now_ms();
    status = clump_ranged_build(ctx, g, fast, job, false);
    if (status != CLUMP_OK) return status;
    const double built = clump_now_ms();
    status = clump_ranged_join(ctx, g, job, &result->clusters);
    result->build_ms += built - start;
    result->cluster_ms += clump_now_ms() - built;
    return status;
}
