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
 *     point[]   in the order of the cells of all levels: a cell or block of any level is one span of points
 *     parent[]  one entry per point: disjoint sets (rules/union_find.h). What is united at a level stays united above
 *
 * Steps per level, each a loop over blocks that any number of threads can share:
 *   1  points of a cell are neighbours and one set; cells of a block are joined          (shells_inside.c)
 *   2  every block is joined with the blocks ahead of it, small blocks by all points,
 *      large ones by the first points of their cells; pairs that stay open are noted     (shells_join.c)
 *   3  open pairs of cells are compared by all points, the largest by trees              (shells_open.c)
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

/* What a block of any level holds. */
typedef struct clump_shell_block {
    clump_ranged_node box;
    uint32_t begin, count; /* points */
    uint32_t note;         /* what stays open: see shells_work.h */
    uint8_t reach;         /* 2, 3 or 4: how many cells its radii reach at most */
    bool split;            /* its points may be in more than one set; else they are in one */
    bool edge;             /* its points may have neighbours in the next shell */
} clump_shell_block;

/* The grid of one level. */
typedef struct clump_shell_level {
    clump_table table;        /* blocks: x, y, z with shell, first cell, cells */
    clump_shell_block *block; /* one per block of the table */
    uint32_t *child;          /* above level 0: eight blocks of the level below per block, or CLUMP_NO_BLOCK */
    uint32_t *begin;          /* per cell: its first point; its span ends where the next one begins */
    uint32_t cells;
    uint64_t *filter; /* one bit per hash of a block: 0 where there is no such block */
    unsigned filter_shift;
    clump_buffer blocks, slots, infos, children, begins, filters;
} clump_shell_level;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_shells {
    clump_radius_rule rule; /* of level 0 */
    float edge;             /* h of grid/shells.h */
    float edge_from;        /* times a shell's least radius, squared: least bound with neighbours in the next shell */
    int levels;
    clump_shell_level level[CLUMP_TREE_LEVELS];
    size_t count;       /* points that take part */
    clump_point *point; /* `more`: the bits of the bound at the level that is being joined; padded */
    uint32_t *parent;
    uint32_t *least; /* per cell of level 0: its smallest point of the cloud */
    clump_buffer points, parents, leasts, places, nodes, trees, ranks, lows, roots;
} clump_shells;

/* Whether shells serve this job: coordinates, radii and factors are in the usual range, and every level has twice the
 * radii of the one below. Other jobs are for ranged_join.c. */
bool clump_shells_fit(const clump_cloud_job *job, int levels, const float *factor);

/* As clump_ranged_tree(), for a job that fits and has the d and per_metre of level 0. *done becomes false, and nothing else is written, where a point is too far
 * from the origin. */
clump_status clump_shells_tree(clump_context *ctx, clump_shells *s, clump_blocks *blocks, const clump_cloud_job *job,
                               int levels, int32_t *const *parent, int32_t *counts, clump_result *result, bool *done);

void clump_shells_release(clump_context *ctx, clump_shells *s);

#endif
