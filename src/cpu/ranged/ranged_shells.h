/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_shells.h: Euclidean clustering where every point has a radius of its own, for one or more nested radii, in one
 * grid. Cells grow with the radius (grid/shells.h). Level k of the tree has twice the radii of level k - 1, and cells of
 * twice the edge:
 *
 *     level 2   block of 64 cells ── a cell is a block of level 0
 *     level 1   block of 64 cells ── a cell is 2 x 2 x 2 cells of level 0, one byte of the mask of its block
 *     level 0   block of 64 cells ── a cell holds points
 *
 *     points    in the order of the cells of all levels: a cell or block of any level is one span of points
 *     parent[]  one entry per point: disjoint sets (rules/union_find.h). What is united at a level stays united above
 *
 * Steps per level, each a loop over blocks that any number of threads can share:
 *   1  points of a cell are neighbours and one set; cells of a block are joined          (shells_inside.c)
 *   2  every block is joined with the blocks ahead of it, small blocks by all points,
 *      large ones by the first points of their cells; pairs that stay open are noted     (shells_join.c)
 *   3  open pairs of cells are compared by all points, the largest by trees              (shells_open.c)
 * Where there are levels above, steps 1 and 2 of level 0 have a shorter way               (shells_light.c)
 *
 * Points of different shells meet too: a block reaches into the next shell, whose cells are twice as wide, and neighbours
 * lie at most two cells of that shell apart, because the smaller radius is below its least radius.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_SHELLS_H
#define CLUMP_CPU_RANGED_RANGED_SHELLS_H

#include "cpu/grid/bin.h"
#include "cpu/ranged/ranged_box.h"
#include "rules/union_find.h"

#define CLUMP_TREE_LEVELS 4 /* the most levels of a tree */

#define CLUMP_SHELL_PADDING 15 /* floats that can be read past the last point */

/* Points, in four arrays: vector loads need no transposition then. */
typedef struct clump_shell_points {
    float *x, *y, *z;
    float *bound; /* at the level that is being joined */
} clump_shell_points;

/* What a block of any level holds. */
typedef struct clump_shell_block {
    clump_ranged_node box; /* `least` is in use at a single level alone (shells_density.c) */
    uint32_t begin, count; /* points */
    uint32_t note;         /* what stays open: see shells_work.h */
    uint8_t reach;         /* 2, 3 or 4: how many cells its radii reach at most */
    bool split;            /* its points may be in more than one set; else they are in one */
    bool edge;             /* its points may have neighbours in the next shell */
    uint8_t fine;          /* see shells_light.c */
} clump_shell_block;

/* Limits for the largest bound of a block of level 0, per shell. */
typedef struct clump_shell_limits {
    float two, three; /* below: radii reach at most two, three cells */
    float next;       /* below: no neighbours in the next shell */
    float previous;   /* from here on: none in the shell before */
} clump_shell_limits;

/* The grid of one level. */
typedef struct clump_shell_level {
    clump_table table; /* blocks: x, y, z with shell, first cell, cells. With several levels they are in nested */
                       /* order, and `place` is the first block below, at level 0 the block above */
    const clump_block *hashed; /* what the slots refer to: `place` is the number of the block in the table */
    clump_shell_block *block;  /* one per block of the table */
    uint32_t *begin;           /* per cell: its first point; its span ends where the next one begins */
    uint32_t cells, sorted_count;
    uint64_t *filter; /* null, or one bit per hash of a block: 0 where there is no such block */
    unsigned filter_shift;
    clump_buffer blocks, sorted, slots, infos, children, begins, filters;
} clump_shell_level;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_shells {
    clump_radius_rule rule; /* of level 0 */
    clump_shell_limits limits[CLUMP_SHELLS];
    int levels;
    clump_shell_level level[CLUMP_TREE_LEVELS];
    bool inclusive; /* neighbours may be exactly a radius apart: bounds are the next floats */
    size_t count;   /* points that take part */
    clump_shell_points point;
    uint32_t *parent;
    uint32_t *index; /* null, or of each point in the cloud */
    uint32_t *least; /* per cell of level 0: its smallest point of the cloud, then its label */
    size_t work;     /* for tests: of the searches in trees, of all levels */
    clump_buffer points, indices, parents, leasts, places, nodes, trees, copies, searches, ranks, lows, roots;
} clump_shells;

/* Whether shells serve this job: it has points, radii and factors are in the usual range, and every level has twice the
 * radii of the one below. Other jobs are for ranged_any.c. */
bool clump_shells_fit(const clump_cloud_job *job, int levels, const float *factor);

/* As clump_ranged_tree(), for a job that fits and has the d and per_metre of level 0. *done becomes false, and nothing
 * else is written, where a point is too far from the origin. */
clump_status clump_shells_tree(clump_work *work, clump_shells *s, clump_blocks *blocks, const clump_cloud_job *job,
                               int levels, int32_t *const *parent, int32_t *counts, clump_stats *stats, bool *done);

/* DBSCAN for a job that fits: `all` and `cores` become the grids of all points and of core points; core[] has one flag per
 * point. *done as above. */
clump_status clump_shells_dbscan(clump_work *work, clump_shells *all, clump_shells *cores, clump_blocks *blocks,
                                 const clump_dbscan_job *job, uint8_t *core, clump_stats *stats, bool *done);

void clump_shells_release(clump_work *work, clump_shells *s);

#endif
