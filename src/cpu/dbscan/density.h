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
 * own cell to begin with, and counting stops at min_points. What is stored does not grow with the neighbours. Where
 * min_points is large, thin cells can hold many points. The sieve counts there (density_heavy.c).
 */
#ifndef CLUMP_CPU_DBSCAN_DENSITY_H
#define CLUMP_CPU_DBSCAN_DENSITY_H

#include "common/team.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/patches.h"

/* From this many points on a cell has a tight box. Often the box tells of all points of a cell at once that they are
 * within eps, or that none is. */
#define CLUMP_BOXED 16

typedef struct clump_density {
    clump_team *team;    /* polled where a block takes long */
    clump_blocks grid;   /* of all points that take part; its reps become begin and count of the cells */
    clump_point *points; /* by cell; three more that may be read but mean nothing */
    clump_box *box;      /* of cells with CLUMP_BOXED points or more: at begin / CLUMP_BOXED. Null: there are none */
    float bound;         /* d2 < bound is within eps */
    size_t min_points;
    clump_buffer *scratch; /* for thin cells with many points: borrowed, and free for others between calls */
    size_t room;           /* points that a thread has scratch memory for; 0: there are no such cells */
    int heavy_threads;     /* that have scratch memory */
    size_t work;           /* pairs tested and points looked at by the last call, for tests */
    clump_buffer memory, boxes;
} clump_density;

/* Bytes of scratch memory per point of `room`: the point and two counts. */
#define CLUMP_HEAVY_BYTES (sizeof(clump_point) + 2 * sizeof(uint32_t))

/* Lays the points out. job->labels are scratch. The buffer `scratch` grows to at most CLUMP_HEAVY_BYTES per point; its
 * user may change and grow it between the calls below. */
clump_status clump_density_build(clump_context *ctx, clump_density *d, const clump_dbscan_job *job, int threads,
                                 clump_buffer *scratch);

/* core[i] = 1 for core points, else 0, also of points that take no part. *found: how many there are. */
clump_status clump_density_core(clump_context *ctx, clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found);

/* Given labels of the core points: gives border points the smallest label of the core points within eps. *given: how
 * many it gave. */
clump_status clump_density_border(clump_context *ctx, clump_density *d, const uint8_t *core, int32_t *labels,
                                  int threads, size_t *given);

clump_status clump_density_reserve(clump_context *ctx, clump_density *d, size_t max_points, int threads);
void clump_density_release(clump_context *ctx, clump_density *d);

#endif
