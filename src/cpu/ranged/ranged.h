/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.h: neighbours where every point has a radius of its own (rules/radius.h). What happens at eps itself is left to
 * the methods for one radius. Only a pair of points that both have a larger radius can be further apart and still be
 * neighbours, so only those points are here, each on the level of its radius:
 *
 *     level  0  eps <= radius < 2 eps         every level is a grid of cells (rules/cell.h) made for its least
 *            1  2 eps <= radius < 4 eps       radius, so that points of one cell are neighbours. Cells in blocks
 *            2  ...                           of 4 x 4 x 4 with 64-bit masks, as in blocks.h; one hash table for all
 *
 *     block (level, x, y, z) ──► cells ──► begin, count ──► points, with their bounds in `more`
 *
 * The work per point is bounded:
 *   (1) Around a point at level l with radius r, neighbours at level m are closer than min(r, twice the least radius of
 *       m). So they lie in a window of at most nine cells per side, or 19 where floats are farther apart than cells
 *       (rules/cell.h). The window of a whole cell is one cell wider at its own level and those above, and two at the
 *       one below. Windows are cut to the blocks that a level has.
 *   (2) Radii of neighbours differ at most by the factor of rules/radius.h. Where per_metre is below 0.9 only the levels
 *       l - 1, l and l + 1 matter, and mostly l alone. In general about log2(1 + per_metre) + 2 levels on either side
 *       matter. Where these are many, the points of a level lie in few blocks: a level is a shell around the sensor, and
 *       its cells are about as large as per_metre times its radius.
 *
 *     ranged_grid.c    points into cells          ranged_join.c     Euclidean clustering
 *     ranged_tree.c    crowded cells              ranged_density.c  core points and border points
 *
 * One thread; what is done at eps has them all.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_H
#define CLUMP_CPU_RANGED_RANGED_H

#include "common/bits.h"
#include "core/backend.h"
#include "core/buffer.h"
#include "cpu/ec/ec_fast.h"
#include "cpu/grid/patches.h"
#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/radius.h"

#include <math.h>
#include <string.h>

#define CLUMP_LEVELS 128 /* radii lie between 2^-64 and 2^64 */

typedef struct clump_ranged_block {
    int32_t x, y, z; /* cell coordinates >> 2 */
    uint32_t first;  /* number of its first cell */
    uint64_t cells;
    uint32_t level;
    uint32_t set; /* of ranged_join.c */
} clump_ranged_block;

typedef struct clump_ranged_cell {
    uint32_t begin; /* of its points; they end where those of the next cell begin */
    uint32_t tree;  /* first of its nodes, CLUMP_NO_TREE while it has none */
    uint32_t set;   /* of ranged_join.c */
} clump_ranged_cell;

/* Number of points of a cell. */
static inline uint32_t clump_ranged_size(const clump_ranged_cell *cell)
{
    return cell[1].begin - cell->begin;
}

#define CLUMP_NO_TREE UINT32_MAX

/* A part of a crowded cell: the tight box of its points, and their least and largest bound. */
typedef struct clump_ranged_node {
    float lower[3], upper[3];
    float least, most;
} clump_ranged_node;

#define CLUMP_RANGED_LEAF     32            /* points at the end of a tree; a cell with more may get one */
#define CLUMP_RANGED_NODES(n) ((n) / 8 + 1) /* of all trees of n points: a leaf has more than 16, so fewer than this */

/* A level: its grid, and the blocks that it has as a box of block coordinates. */
typedef struct clump_ranged_level {
    bool used;
    clump_cell_rule rule;
    int32_t low[3], high[3];
} clump_ranged_level;

typedef struct clump_ranged {
    clump_radius_rule rule;
    float bound;        /* of a radius of eps */
    bool two_d, strict; /* strict: d2 < bound; else d2 <= bound, and the bounds are the next floats */
    float grown_from;   /* points with per_metre * range below this are not here */
    size_t count;       /* of points here */
    clump_point *point; /* by cell; `more`: the bits of a bound, d2 < the smaller of two makes neighbours. Three more */
                        /* that may be read but mean nothing */
    uint32_t *index;    /* of each of them in the cloud */
    clump_ranged_cell *cell; /* and one more, which marks the end of the last */
    uint32_t cells;
    clump_ranged_block *block;
    uint32_t blocks;
    clump_hash_key key; /* of the context */
    uint32_t *slot;     /* hash table: number of a block, or UINT32_MAX */
    uint32_t slots;
    clump_ranged_node *node;
    uint32_t nodes;
    uint32_t levels;           /* the highest in use, and one */
    clump_ranged_level *level; /* CLUMP_LEVELS of them */
    size_t budget;             /* blocks there is room for */
    clump_buffer indices, scratch, all_cells, all_levels, parents;
    clump_buffer *points, *all_blocks, *table; /* the caller's: memory that is not used at the same time */
} clump_ranged;

/* ----- points into cells ------------------------------------------------------------------------------ */

/* The points of a job that have a radius above eps; or, with their_neighbours, those and all that are within eps of
 * them, and maybe more. mask takes the place of the job's. The memory of `fast` is used as well, until its next run. */
clump_status clump_ranged_build(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                bool their_neighbours);
void clump_ranged_release(clump_context *ctx, clump_ranged *g);

#define CLUMP_RANGED_BATCH 256

/* per_metre * range of the points from base on, CLUMP_RANGED_BATCH of them or as many as are left, which it returns. A
 * NaN, or infinite, for points that are not finite. */
size_t clump_ranged_grow(const clump_ranged *g, const clump_cloud_job *job, size_t base, float *grown);

/* A point of the cloud as it is, or would be, here. */
clump_point clump_ranged_point(const clump_ranged *g, const float *f);

/* A point's bound from its `more`. */
static inline float clump_ranged_bound(clump_point p)
{
    float bound;
    memcpy(&bound, &p.more, sizeof bound);
    return bound;
}

/* Less than `reach` apart is what neighbours with this bound are, on every axis, as float32 numbers and as real ones. */
static inline float clump_ranged_reach(float bound)
{
    return sqrtf(bound) * (1 + 0x1p-19f);
}

/* The cells of a level that can hold points within `reach` of a box, one after the other. */
typedef struct clump_ranged_walk {
    const clump_ranged *g;
    uint32_t level;
    int32_t low[3], high[3]; /* cells */
    int32_t from[3], to[3];  /* blocks, cut to those of the level */
    int32_t at[3];           /* block to look up next */
    const clump_ranged_block *block;
    uint64_t left; /* cells of it, not yet visited */
} clump_ranged_walk;

clump_ranged_walk clump_ranged_around(const clump_ranged *g, uint32_t level, const float *lower, const float *upper,
                                      float reach);

/* The same from block b of that level on, which is in it, in the order of z, y and x: half of what is around it, so that
 * each pair of blocks is met once. */
static inline void clump_ranged_ahead(clump_ranged_walk *w, const clump_ranged_block *b)
{
    w->at[0] = b->x, w->at[1] = b->y, w->at[2] = b->z;
}

/* The next block that has such cells, as `block` and `left`; false when there is none. */
bool clump_ranged_next_block(clump_ranged_walk *w);

/* The number of the next cell, in the next block where none is left; false when there is none. */
static inline bool clump_ranged_next(clump_ranged_walk *w, uint32_t *cell)
{
    if (!w->left && !clump_ranged_next_block(w)) return false;
    const uint64_t below = (w->left & (~w->left + 1)) - 1; /* bits under the lowest */
    w->left &= w->left - 1;
    *cell = w->block->first + clump_popcount(w->block->cells & below);
    return true;
}

/* Levels that can hold neighbours of points with these least and largest bounds: *from up to, not including, the
 * returned one. */
static inline uint32_t clump_ranged_levels(const clump_ranged *g, float least, float most, uint32_t *from)
{
    const clump_radius_span span = clump_radius_of_neighbours(g->rule, sqrtf(least), sqrtf(most));
    const uint32_t last = clump_radius_level(g->rule.eps, span.to);
    *from = clump_radius_level(g->rule.eps, span.from);
    return last < g->levels ? last + 1 : g->levels;
}

/* ----- crowded cells ---------------------------------------------------------------------------------- */

/* The tight box, and the least and largest bound, of the points of a cell. */
clump_ranged_node clump_ranged_box(const clump_ranged *g, const clump_ranged_cell *cell);

/* Whether two cells hold neighbours. Sorts the points of crowded ones, the first time. */
bool clump_ranged_near(clump_ranged *g, clump_ranged_cell *a, clump_ranged_cell *b);

/* How many points of a cell are neighbours of p; stops at `needed`. */
size_t clump_ranged_count(clump_ranged *g, clump_point p, clump_ranged_cell *cell, size_t needed);

/* ----- what it is for --------------------------------------------------------------------------------- */

/* The clusters at eps are in the job's labels: joins those that have neighbours by larger radii, and numbers them anew. */
clump_status clump_ranged_join(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, int32_t *clusters);

/* core[], with an entry for all points of the cloud, tells the core points at eps: adds those that are by larger radii.
 * *found: how many there are. */
clump_status clump_ranged_core(clump_context *ctx, clump_ranged *g, size_t min_points, uint8_t *core, size_t count,
                               size_t *found);

/* After clump_ranged_join, with g the core points: border points among those with larger radii, by the job's mask, get
 * the smallest label there is. *given: how many were noise. */
clump_status clump_ranged_border(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, const uint8_t *core,
                                 size_t *given);

#endif
