/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_join.c: Euclidean clustering where every point has a radius of its own (rules/radius.h).
 *
 *     1  all points at eps                                                        (ec_fast.c)
 *     2  points with a larger radius into cells                                   (ranged_grid.c)
 *     3  their clusters are united where two cells hold neighbours                (here, ranged_tree.c)
 *     4  clusters are renumbered                                                  (here)
 *
 * Unions are of clusters, by their numbers from step 1. These are in the order of smallest points. The root of a set is
 * its smallest member (rules/union_find.h), so the roots are in the order of the joined clusters.
 */
#include "cpu/ranged/ranged.h"

#include "core/work.h"
#include "rules/union_find.h"

#define RANGED_MIXED UINT32_MAX /* as set of a block: its cells are in several sets */

typedef struct ranged_union {
    clump_ranged *g;
    uint32_t *parent; /* of clusters */
    bool any;         /* whether clusters were united */
} ranged_union;

static void unite_clusters(ranged_union *w, uint32_t a, uint32_t b)
{
    clump_unite_alone(w->parent, a, b);
    w->any = true;
}

/* Unites the clusters of all points of a cell: they are neighbours. */
static void join_inside(ranged_union *w, clump_ranged_cell *cell, const int32_t *labels)
{
    const uint32_t *const index = w->g->index + cell->begin;
    cell->set = (uint32_t)labels[index[0]];
    for (uint32_t i = 1; i < clump_ranged_size(cell); i++)
        if ((uint32_t)labels[index[i]] != cell->set) unite_clusters(w, cell->set, (uint32_t)labels[index[i]]);
}

static bool first_points_near(const clump_ranged *g, const clump_ranged_cell *a, const clump_ranged_cell *b)
{
    const clump_point p = g->point[a->begin], q = g->point[b->begin];
    const float bound = clump_ranged_bound(p), other = clump_ranged_bound(q);
    return clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < (bound < other ? bound : other);
}

/* Joins a cell with the cells around it at level m, its own level or above. Each pair of cells is visited once. */
static void join_around(ranged_union *w, uint32_t number, const clump_ranged_node *box, const clump_ranged_block *b,
                        uint32_t m)
{
    clump_ranged *const g = w->g;
    clump_ranged_cell *const cell = &g->cell[number];
    uint32_t root = clump_find(w->parent, cell->set);
    clump_ranged_walk walk = clump_ranged_around(g, m, box->lower, box->upper, clump_ranged_reach(box->most));
    if (m == b->level) clump_ranged_ahead(&walk, b);
    while (clump_ranged_next_block(&walk)) {
        if (walk.block->set != RANGED_MIXED && clump_find(w->parent, walk.block->set) == root) continue;
        for (uint32_t k; walk.left && clump_ranged_next(&walk, &k);) {
            clump_ranged_cell *const other = &g->cell[k];
            if ((walk.block == b && k <= number) || clump_find(w->parent, other->set) == root) continue;
            if (!first_points_near(g, cell, other) &&
                ((clump_ranged_size(cell) == 1 && clump_ranged_size(other) == 1) ||
                 !clump_ranged_cells_near(g, cell, other)))
                continue;
            unite_clusters(w, cell->set, other->set);
            root = clump_find(w->parent, root);
        }
    }
}

/* Whether all blocks around a box at level m are completely in the set of block b. */
static bool blocks_settled(const ranged_union *w, const clump_ranged_node *box, const clump_ranged_block *b, uint32_t m)
{
    const uint32_t root = clump_find(w->parent, b->set);
    clump_ranged_walk walk = clump_ranged_around(w->g, m, box->lower, box->upper, clump_ranged_reach(box->most));
    if (m == b->level) clump_ranged_ahead(&walk, b);
    while (clump_ranged_next_block(&walk))
        if (walk.block->set == RANGED_MIXED || clump_find(w->parent, walk.block->set) != root) return false;
    return true;
}

/* The set that all cells of a block are in by now, or RANGED_MIXED. */
static uint32_t set_of_block(const ranged_union *w, const clump_ranged_block *b)
{
    const clump_ranged_cell *const cell = w->g->cell + b->first;
    const uint32_t count = clump_popcount(b->cells), root = clump_find(w->parent, cell[0].set);
    for (uint32_t c = 1; c < count; c++)
        if (clump_find(w->parent, cell[c].set) != root) return RANGED_MIXED;
    return root;
}

/* Joins all cells of a block with the cells around them. Where most cells are joined already, as in the ground, only the
 * blocks around are read. */
static void join_block(ranged_union *w, clump_ranged_block *b)
{
    clump_ranged *const g = w->g;
    const uint32_t count = clump_popcount(b->cells);
    clump_ranged_node box[64], all = clump_ranged_box(g, &g->cell[b->first]);
    for (uint32_t c = 0; c < count; c++) {
        box[c] = clump_ranged_box(g, &g->cell[b->first + c]);
        clump_ranged_widen(&all, &box[c]);
    }
    uint32_t from;
    const uint32_t to = clump_ranged_levels(g, all.most, all.most, &from);
    for (uint32_t m = b->level; m < to; m++) {
        if (!g->level[m].used) continue;
        b->set = set_of_block(w, b);
        if (count > 1 && b->set != RANGED_MIXED && blocks_settled(w, &all, b, m)) continue;
        for (uint32_t c = 0; c < count; c++) join_around(w, b->first + c, &box[c], b, m);
    }
}

/* Reserves memory for the points of the two largest cells, if large cells can be compared. */
static clump_status reserve_search(clump_work *work, clump_ranged *g)
{
    size_t largest = 0;
    for (uint32_t c = 0; c < g->cells; c++) {
        const size_t size = clump_ranged_size(&g->cell[c]);
        largest = size > largest ? size : largest;
    }
    const size_t both = 2 * largest < g->count ? 2 * largest : g->count;
    CLUMP_TRY(clump_buffer_reserve(work, &g->searches, largest > CLUMP_RANGED_LEAF ? both * sizeof(clump_point) : 0));
    g->search.scratch = g->searches.data;
    return CLUMP_OK;
}

/* Replaces the parent of each cluster by its new number, in order. Returns the number of clusters left. */
static int32_t renumber(uint32_t *parent, int32_t clusters)
{
    int32_t next = 0;
    for (int32_t c = 0; c < clusters; c++) { /* a parent is smaller, and is numbered already */
        const uint32_t p = parent[c];
        CLUMP_ASSERT(p <= (uint32_t)c);
        parent[c] = p == (uint32_t)c ? (uint32_t)next++ : parent[p];
    }
    return next;
}

clump_status clump_ranged_join(clump_work *work, clump_ranged *g, const clump_cloud_job *job, int32_t *clusters)
{
    if (g->count == 0) return CLUMP_OK;
    const size_t before = (size_t)*clusters;
    CLUMP_TRY(clump_buffer_reserve(work, &g->parents, before * sizeof(uint32_t)));
    CLUMP_TRY(reserve_search(work, g));
    ranged_union w = {.g = g, .parent = g->parents.data};
    for (size_t c = 0; c < before; c++) w.parent[c] = (uint32_t)c;
    for (uint32_t c = 0; c < g->cells; c++) join_inside(&w, &g->cell[c], job->labels);
    for (uint32_t id = 0; id < g->blocks; id++) g->block[id].set = set_of_block(&w, &g->block[id]);
    for (uint32_t id = 0; id < g->blocks; id++) {
        CLUMP_TRY(clump_poll(work));
        join_block(&w, &g->block[id]);
    }
    if (!w.any) return CLUMP_OK;
    *clusters = renumber(w.parent, *clusters);
    for (size_t i = 0; i < job->count; i++)
        if (job->labels[i] >= 0) job->labels[i] = (int32_t)w.parent[job->labels[i]];
    return CLUMP_OK;
}

clump_status clump_ranged_two_grids(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                    clump_stats *stats)
{
    CLUMP_TRY(clump_cpu_ec_fast(work, fast, job, stats));
    const double start = clump_now_ms();
    CLUMP_TRY(clump_ranged_build(work, g, fast, job, false));
    const double built = clump_now_ms();
    CLUMP_TRY(clump_ranged_join(work, g, job, &stats->clusters));
    stats->build_ms += built - start;
    stats->cluster_ms += clump_now_ms() - built;
    return CLUMP_OK;
}

clump_status clump_cpu_ec_ranged(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_stats *stats)
{
    static const float as_given = 1;
    bool done = false;
    if (clump_shells_fit(job, 1, &as_given))
        CLUMP_TRY(clump_shells_tree(work, &g->shells, &fast->blocks, job, 1, NULL, &stats->clusters, stats, &done));
    return done ? CLUMP_OK : clump_ranged_two_grids(work, g, fast, job, stats);
}
