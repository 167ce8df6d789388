/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.h: obstacles on the elevation map: what the methods of clump_erccl share. `hash` has cells of its own. All
 * other methods fill one array: the set of each cell, named by the smallest cell of the set. Methods of the literature are
 * in papers/.
 *
 * The room, from points to labels:
 *
 *     ground.c         clump_ground: places the map of the ground, labels the points that are ground
 *     ground_grid.c    ground that is not flat
 *     ground_peak.c    the ground of the paper: one level
 *     ground_step.c    the step rule: points above each part of a tile
 *     cells.c          the elevation map: obstacle cells, and the cell of every point
 *     erccl_fast.c     the method `fast`: union-find of runs
 *     erccl.c          clump_erccl: the steps above, then labels
 *     erccl_maps.c     the maps that the caller asks for
 *
 * Words of the room: a `tile` is a square of the ground's map, a `part` a sixteenth of it. A `run` is consecutive
 * obstacle cells of a row that belong together. The `reach` is the rows and columns that a cell looks at.
 */
#ifndef CLUMP_CPU_OBSTACLES_ERCCL_H
#define CLUMP_CPU_OBSTACLES_ERCCL_H

#include "cpu/obstacles/cells.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_erccl {
    clump_cells cells;
    clump_buffer sets;    /* one entry per cell */
    clump_buffer ranks;   /* numbers of sets */
    clump_buffer scratch; /* of the method */
} clump_cpu_erccl;

/* The methods of papers/, which includes this room: the backend hands them over. */
typedef struct clump_erccl_papers {
    /* sets[c] becomes the smallest cell of the set of cell c. There are cells. */
    clump_status (*sets)(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                         int64_t *passes);
    /* `hash`: makes labels of the places of clump_cells_place, without size limits and order. */
    clump_status (*hash)(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, int32_t *clusters);
} clump_erccl_papers;

/* Runs clump_erccl: labels without size limits and order, counts, and the surface of the ground. */
clump_status clump_cpu_erccl_run(clump_work *work, clump_cpu_erccl *e, clump_cpu_ground *ground,
                                 const clump_erccl_job *job, const clump_erccl_papers *papers, clump_surface *surface,
                                 clump_stats *stats);

/* Fills the maps that the caller asked for, from finished labels. */
void clump_cpu_erccl_maps(const clump_erccl_job *job, const clump_surface *surface);

clump_status clump_cpu_erccl_reserve(clump_work *work, clump_cpu_erccl *e, size_t max_points);
void clump_cpu_erccl_release(clump_work *work, clump_cpu_erccl *e);

/* `fast`: sets[c] becomes the smallest cell of the set of cell c. */
clump_status clump_erccl_unite(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int threads);
clump_status clump_erccl_reserve_unite(clump_work *work, clump_cpu_erccl *e, size_t cells, size_t rows);

/* Returns whether cells a and b, which are `rows` rows and `columns` columns apart, are alike. */
static inline bool clump_erccl_alike(const clump_cells *cells, const clump_erccl_job *job, uint32_t rows,
                                     uint32_t columns, uint32_t a, uint32_t b)
{
    CLUMP_ASSERT(rows <= (uint32_t)job->reach && columns <= (uint32_t)job->reach);
    return clump_elevation_difference(cells->highest[a], cells->lowest[a], cells->highest[b], cells->lowest[b]) <=
           job->alike[rows * ((uint32_t)job->reach + 1) + columns];
}

#endif
