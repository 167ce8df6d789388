/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.h: neighbours where every point has a radius of its own (rules/radius.h): for DBSCAN, and for the jobs of
 * Euclidean clustering that ranged_shells.h does not serve. Pairs within eps are left to the methods for one radius. Only
 * two points that both have a larger radius can be farther apart and still be neighbours, so only such points are in this
 * grid, each on the level of its radius:
 *
 *     level  0  eps <= radius < 2 eps         every level is a grid of cells (rules/cell.h) for its least radius, so
 *            1  2 eps <= radius < 4 eps       all points of a cell are neighbours. Cells are in blocks of 4 x 4 x 4
 *            2  ...                           with 64-bit masks, as in blocks.h; one hash table for all levels
 *
 *     block (level, x, y, z) ──► cells ──► begin, count ──► points, with their bounds in `more`
 *
 * The work per point is bounded:
 *   (1) Around a point at level l with radius r, neighbours at level m are closer than min(r, twice the least radius of
 *       m). So they lie in a window of at most nine cells per side, or 19 where floats are farther apart than cells
 *       (rules/cell.h). The window of a whole cell is one cell wider at its own level and above, and two at the level
 *       below. Windows are cut to the blocks that a level has.
 *   (2) Radii of neighbours differ at most by the factor of rules/radius.h. Where per_metre is below 0.9, only the levels
 *       l - 1, l and l + 1 can hold neighbours, and mostly l alone does. In general about log2(1 + per_metre) + 2 levels
 *       on either side can. Where these are many, the points of a level lie in few blocks: a level is a shell around the
 *       sensor, and its cells are about as large as per_metre times its radius.
 *
 *     ranged_grid.c      points into cells
 *     ranged_tree.c      large cells
 *     ranged_join.c      Euclidean clustering: these cells, or ranged_shells.h
 *     ranged_density.c   DBSCAN: core points, then clusters
 *     ranged_border.c    DBSCAN: border points
 *
 * All of this runs on one thread; the methods at eps, and ranged_shells.h, use all threads.
 *
 * The other files of the room are for Euclidean clustering with one or more nested radii, on all threads:
 *
 *     ranged_levels.c    the tree of nested radii: ranged_shells.c, or one clustering per level
 *     shells_build.c     the grid: blocks, cells and points of all levels
 *     shells_near.c      which blocks, cells and points can be neighbours
 *     shells_inside.c    step 1: within blocks
 *     shells_join.c      step 2: between blocks
 *     shells_light.c     steps 1 and 2 of level 0, a shorter way
 *     shells_open.c      step 3: open pairs of cells
 *     ranged_shells.c    level by level, and the numbers of the clusters (ranged_shells.h)
 */
#ifndef CLUMP_CPU_RANGED_RANGED_H
#define CLUMP_CPU_RANGED_RANGED_H

#include "common/bits.h"
#include "core/backend.h"
#include "core/work.h"
#include "cpu/dbscan/dbscan.h"
#include "cpu/ec/ec.h"
#include "cpu/ranged/ranged_box.h"
#include "cpu/ranged/ranged_shells.h"
#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/radius.h"

#include <math.h>
#include <string.h>

#define CLUMP_RANGED_LEVELS 128 /* radii lie between 2^-64 and 2^64 */

typedef struct clump_ranged_block {
    int32_t x, y, z; /* cell coordinates >> 2 */
    uint32_t first;  /* number of the first cell */
    uint64_t cells;
    uint32_t level;
    uint32_t set; /* cluster, in ranged_join.c */
} clump_ranged_block;

typedef struct clump_ranged_cell {
    uint32_t begin; /* first point; the span ends where that of the next cell begins */
    uint32_t tree;  /* first node; CLUMP_RANGED_NO_TREE before the tree is built */
    uint32_t set;   /* cluster, in ranged_join.c */
} clump_ranged_cell;

/* The number of points of a cell. */
static inline uint32_t clump_ranged_size(const clump_ranged_cell *cell)
{
    return cell[1].begin - cell->begin;
}

#define CLUMP_RANGED_NO_TREE UINT32_MAX

#define CLUMP_RANGED_LEAF     32            /* most points per leaf; a cell with more is large */
#define CLUMP_RANGED_NODES(n) ((n) / 8 + 1) /* more than all trees of n points have: a leaf has more than 16 points */

/* A level: its grid, and the box of its blocks in block coordinates. */
typedef struct clump_ranged_level {
    bool used;
    clump_cell_rule rule;
    int32_t low[3], high[3];
} clump_ranged_level;

typedef struct clump_ranged {
    clump_radius_rule rule;
    float bound;             /* of the radius eps */
    bool two_d, strict;      /* strict: d2 < bound; else d2 <= bound, and the bounds are the next floats */
    float grown_from;        /* points with per_metre * range below this are left out */
    size_t count;            /* points in the grid */
    clump_point *point;      /* by cell, with three entries of padding. `more`: the bits of the bound; two points are */
                             /* neighbours when d2 is below the smaller bound */
    uint32_t *index;         /* of each point in the cloud */
    clump_ranged_cell *cell; /* and a sentinel, whose `begin` ends the last cell */
    uint32_t cells;
    clump_ranged_block *block;
    uint32_t blocks;
    clump_hash_key key; /* of the context */
    uint32_t *slot;     /* hash table: number of a block, or UINT32_MAX */
    uint32_t slots;
    clump_ranged_node *node;
    uint32_t nodes;
    uint32_t levels;            /* one more than the highest level in use */
    clump_ranged_level *level;  /* CLUMP_RANGED_LEVELS entries */
    size_t budget;              /* number of blocks that memory is reserved for */
    clump_ranged_search search; /* its memory is for two cells, in ranged_join.c */
    clump_buffer indices, scratch, all_cells, all_levels, parents, searches;
    clump_buffer level_labels;                 /* two labels per point, in ranged_levels.c */
    clump_shells shells;                       /* the usual way of Euclidean clustering */
    clump_buffer *points, *all_blocks, *table; /* of `fast`, which is not running meanwhile */
} clump_ranged;

/* ----- points into cells ------------------------------------------------------------------------------ */

/* Makes the grid of all points with a radius above eps that take part. With their_neighbours it also has all points
 * within eps of them, and possibly more. Also uses the memory of `fast`, until its next run. */
clump_status clump_ranged_build(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                bool their_neighbours);
void clump_ranged_release(clump_work *work, clump_ranged *g);

#define CLUMP_RANGED_BATCH 256 /* points per batch: 4 KiB of stack, so the arrays stay in the L1 cache */

/* Writes per_metre * range of a batch of points, from `base` on, to `grown`. Returns their number: CLUMP_RANGED_BATCH or
 * fewer at the end. A point that is not finite gets NaN or infinity. */
size_t clump_ranged_growth(const clump_ranged *g, const clump_cloud_job *job, size_t base, float *grown);

/* A copy of a point of the cloud with its bound, as in the grid. */
clump_point clump_ranged_point(const clump_ranged *g, const float *f);

/* On every axis, neighbours with this bound are less than `reach` apart, in float32 and in real arithmetic. */
static inline float clump_ranged_reach(float bound)
{
    return sqrtf(bound) * (1 + 0x1p-19f);
}

/* The largest distance along an axis between a point with at most this bound and a neighbour at level m. */
static inline float clump_ranged_reach_at(const clump_ranged *g, uint32_t m, float bound)
{
    const float reach = clump_ranged_reach(bound), twice = ldexpf(g->rule.eps, (int)m + 1) * (1 + 0x1p-19f);
    return reach < twice ? reach : twice;
}

/* A walk over the cells of a level that can hold points within `reach` of a box. */
typedef struct clump_ranged_walk {
    const clump_ranged *g;
    uint32_t level;
    int32_t low[3], high[3]; /* cells */
    int32_t from[3], to[3];  /* blocks, cut to those of the level */
    int32_t at[3];           /* the block to look up next */
    const clump_ranged_block *block;
    uint64_t left; /* cells of `block` in the window, not yet visited */
} clump_ranged_walk;

clump_ranged_walk clump_ranged_around(const clump_ranged *g, uint32_t level, const float *lower, const float *upper,
                                      float reach);

/* Starts the walk at block b, which is in the window, in the order of z, y and x. This visits half of the blocks around
 * b, so that each pair of blocks is visited once. */
static inline void clump_ranged_ahead(clump_ranged_walk *w, const clump_ranged_block *b)
{
    w->at[0] = b->x, w->at[1] = b->y, w->at[2] = b->z;
}

/* Moves to the next block with cells in the window, as `block` and `left`; false when there is none. */
bool clump_ranged_next_block(clump_ranged_walk *w);

/* Writes the number of the next cell, if need be of the next block; false when there is none. */
static inline bool clump_ranged_next(clump_ranged_walk *w, uint32_t *cell)
{
    if (!w->left && !clump_ranged_next_block(w)) return false;
    CLUMP_ASSERT(w->block->cells & w->left);
    const uint64_t below = (w->left & (~w->left + 1)) - 1; /* bits below the lowest one */
    w->left &= w->left - 1;
    *cell = w->block->first + clump_popcount(w->block->cells & below);
    return true;
}

/* The levels that can hold neighbours of points with these least and largest bounds: from *from up to, not including, the
 * returned level. */
static inline uint32_t clump_ranged_levels(const clump_ranged *g, float least, float most, uint32_t *from)
{
    const clump_radius_span span = clump_radius_of_neighbours(g->rule, sqrtf(least), sqrtf(most));
    const uint32_t last = clump_radius_level(g->rule.eps, span.to);
    *from = clump_radius_level(g->rule.eps, span.from);
    return last < g->levels ? last + 1 : g->levels;
}

/* ----- large cells ------------------------------------------------------------------------------------ */

/* The tight box of a cell, with the least and largest bound of its points. */
clump_ranged_node clump_ranged_box(const clump_ranged *g, const clump_ranged_cell *cell);

/* Whether two cells hold neighbours of each other. Builds the tree of a large cell on first use. */
bool clump_ranged_cells_near(clump_ranged *g, clump_ranged_cell *a, clump_ranged_cell *b);

/* The number of points of a cell that are neighbours of p, not all of them once `needed` are found. */
size_t clump_ranged_count(clump_ranged *g, clump_point p, clump_ranged_cell *cell, size_t needed);

/* From this many points on a cell is dense, as in density_work.h; from this many pairs on the sieve (grid/sieve.h) counts the
 * neighbours of many points in a dense cell, as in density_dense.c. */
#define CLUMP_RANGED_DENSE       128
#define CLUMP_RANGED_SIEVE_PAIRS ((size_t)1 << 18)

/* ----- clustering ------------------------------------------------------------------------------------- */

/* Joins the clusters at eps, given in the job's labels, that have neighbours by larger radii. Renumbers them. */
clump_status clump_ranged_join(clump_work *work, clump_ranged *g, const clump_cloud_job *job, int32_t *clusters);

/* Euclidean clustering in two steps: at eps, then by larger radii. Serves all jobs, and leaves the grid in g. */
clump_status clump_ranged_two_grids(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                    clump_stats *stats);

/* Adds the core points by larger radii to those at eps in core[], which has one flag per point of the cloud. *found
 * becomes the number of all core points. */
clump_status clump_ranged_core(clump_work *work, clump_ranged *g, size_t min_points, uint8_t *core, size_t count,
                               size_t *found);

/* Gives border points with larger radii the smallest label of their core neighbours. To be called after
 * clump_ranged_join, with the core points in g. *given becomes the number of points that were noise before. */
clump_status clump_ranged_border(clump_work *work, clump_ranged *g, const clump_cloud_job *job, const uint8_t *core,
                                 size_t *given);

/* --- The method `fast`, of Euclidean clustering and of DBSCAN, where the radius grows with the range. It shares the
 * memory of the methods for one radius. */

clump_status clump_cpu_ec_ranged(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_stats *stats);
clump_status clump_cpu_dbscan_ranged(clump_work *work, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_stats *stats);

/* --- ranged_levels.c: the tree of clusters of several nested radii. The radii of level k are those of the job times
 * factor[k]:
 *
 *     d_k = d * factor[k]          per_metre_k = per_metre * factor[k]          each rounded to float32
 *
 * Factors ascend, so two points that are neighbours at one level are neighbours at all levels above, and a cluster is
 * part of one cluster of the next level. Level 0 is the finest. The clusters of level k are exactly those of Euclidean
 * clustering with d_k and per_metre_k, numbered by their smallest point. */

/* Finds the tree of the job's cloud with 1 <= levels <= CLUMP_TREE_LEVELS. job->per_metre may be 0. job->bound, order and
 * size limits are not used. Factors are finite and above 0, and every d_k and its square are normal floats.
 *
 *     job->labels   becomes the cluster of level 0 per point, or CLUMP_NOISE for points that take no part
 *     parent[k]     k = 0 ... levels - 2: becomes the cluster of level k + 1 per cluster of level k. Room for
 *                   job->count entries, of which the first counts[k] are written
 *     counts[k]     becomes the number of clusters of level k
 *     result        as of Euclidean clustering at level 0; its times are those of all levels
 */
clump_status clump_ranged_tree(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                               int levels, const float *factor, int32_t *const *parent, int32_t *counts,
                               clump_stats *stats);

#endif
