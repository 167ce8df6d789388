/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density.h: the core points and border points of DBSCAN.
 *
 * The points are laid out cell by cell. Cells are so small that all points of one are within eps of each other
 * (rules/cell.h). The blocks of blocks.h find the cells around a cell:
 *
 *     block ──► cells ──► begin, count ──► points   x y z, and in `more` the index
 *                         label: the cluster of its core points, which is one for all points of a cell
 *
 * In a cell with min_points points or more all points are core: nothing is counted. The other cells are "thin". There a
 * count starts with the points of the own cell and stops at min_points. No pair of neighbours is stored. Where
 * min_points is large, thin cells can hold many points. They are "dense", and the sieve counts there (density_dense.c).
 */
#ifndef CLUMP_CPU_DBSCAN_DENSITY_H
#define CLUMP_CPU_DBSCAN_DENSITY_H

#include "common/team.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/patches.h"

/* From this many points on a cell has a tight box. The box often decides for all points of the cell at once: all are
 * within eps, or none is. */
#define CLUMP_BOXED 16

typedef struct clump_density {
    clump_team *team;    /* polled where a block takes long */
    clump_blocks grid;   /* of the points that take part; its reps become begin and count of the cells */
    clump_point *points; /* by cell, with three entries of padding */
    clump_box *box;      /* at begin / CLUMP_BOXED, for cells with CLUMP_BOXED points or more; null: none */
    float bound;         /* d2 < bound is within eps */
    size_t min_points;
    clump_buffer *scratch; /* for dense cells; borrowed: its owner may use it between the calls below */
    size_t room;           /* points of scratch memory per thread; 0: there are no dense cells */
    int dense_threads;     /* threads with scratch memory */
    size_t work;           /* pairs tested and points read by the last call, for tests */
    clump_buffer memory, boxes;
} clump_density;

/* Bytes of scratch memory per point of `room`: the point and two counts. */
#define CLUMP_DENSE_BYTES (sizeof(clump_point) + 2 * sizeof(uint32_t))

/* Lays the points out. job->labels are scratch memory. The buffer `scratch` grows to at most CLUMP_DENSE_BYTES per point;
 * its owner may change and grow it between the calls below. */
clump_status clump_density_build(clump_work *work, clump_density *d, const clump_dbscan_job *job, int threads,
                                 clump_buffer *scratch);

/* Sets core[i] to 1 for core points and to 0 for all other points. *found becomes the number of core points. */
clump_status clump_density_core(clump_work *work, clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found);

/* Gives every border point the smallest label of the core points within eps, whose labels are known. *given becomes the
 * number of labels given. */
clump_status clump_density_border(clump_work *work, clump_density *d, const uint8_t *core, int32_t *labels, int threads,
                                  size_t *given);

/* Lists the clusters next to border points that have several, after clump_density_border() (density_list.c). */
clump_status clump_density_list(clump_work *work, clump_density *d, const uint8_t *core, const int32_t *labels,
                                clump_border_list *list, int threads);

clump_status clump_density_reserve(clump_work *work, clump_density *d, size_t max_points, int threads);
void clump_density_release(clump_work *work, clump_density *d);

#endif
