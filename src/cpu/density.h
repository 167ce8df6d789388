/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density.h: for DBSCAN: which points have enough neighbours, and which cluster a point without enough belongs to.
 *
 * The points are laid out cell by cell, in cells so small that all points of one are within eps of each other
 * (rules/cell.h), with the blocks of blocks.h to find the cells around:
 *
 *     block ──► cells ──► begin, count ──► points   x y z, and in `more` the index
 *                         label: the cluster of its core points; they are in one, being in one cell
 *
 * A cell with min_points points or more is all core: nothing is counted there. In the others ("thin") a point has its
 * own cell to begin with, and counting stops at min_points. What is stored does not grow with the neighbours. The time
 * can, where min_points is large: up to n min_points, if the boxes of thin cells decide nothing.
 */
#ifndef CLUMP_CPU_DENSITY_H
#define CLUMP_CPU_DENSITY_H

#include "cpu/blocks.h"
#include "cpu/near.h"

/* The tight box of a cell. Often it tells of all points of a cell at once that they are within eps, or that none is. */
typedef struct clump_cell_box {
    float lower[3], upper[3];
} clump_cell_box;

#define CLUMP_BOXED 16

typedef struct clump_density {
    clump_blocks grid;   /* of all points that take part; its reps become begin and count of the cells */
    clump_point *points; /* by cell; three more that may be read but mean nothing */
    clump_cell_box *box; /* of cells with CLUMP_BOXED points or more: at begin / CLUMP_BOXED. Null: there are none */
    float bound;         /* d2 < bound is within eps */
    size_t min_points;
    clump_buffer memory, boxes;
} clump_density;

/* Lays the points out. job->labels are scratch. */
clump_status clump_density_build(clump_context *ctx, clump_density *d, const clump_dbscan_job *job, int threads);

/* core[i] = 1 for core points, else 0, also of points that take no part. *found: how many there are. */
clump_status clump_density_core(clump_context *ctx, const clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found);

/* Given labels of the core points: gives border points the smallest label of the core points within eps. *given: how
 * many it gave. */
clump_status clump_density_border(clump_context *ctx, const clump_density *d, const uint8_t *core, int32_t *labels,
                                  int threads, size_t *given);

clump_status clump_density_reserve(clump_context *ctx, clump_density *d, size_t max_points, int threads);
void clump_density_release(clump_context *ctx, clump_density *d);

#endif
