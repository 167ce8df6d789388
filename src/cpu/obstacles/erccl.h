/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl.h: obstacles on the elevation map: what the methods of clump_erccl share. All but `hash`, which has cells of its
 * own, are ways to fill one array: the set of each cell, told by its smallest cell.
 */
#ifndef CLUMP_CPU_OBSTACLES_ERCCL_H
#define CLUMP_CPU_OBSTACLES_ERCCL_H

#include "cpu/obstacles/cells.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_erccl {
    clump_cells cells;
    clump_buffer sets;  /* an entry a cell */
    clump_buffer ranks; /* numbers of sets */
    clump_buffer work;  /* of the method */
} clump_cpu_erccl;

/* One run: labels, but for size limits and order, and counts. Leaves the surface of the ground, too. */
clump_status clump_cpu_erccl_run(clump_context *ctx, clump_cpu_erccl *e, clump_cpu_ground *ground,
                                 const clump_erccl_job *job, clump_surface *surface, clump_result *result);

/* The maps that the caller wants, from finished labels. */
void clump_cpu_erccl_maps(const clump_erccl_job *job, const clump_surface *surface);

clump_status clump_cpu_erccl_reserve(clump_context *ctx, clump_cpu_erccl *e, size_t max_points);
void clump_cpu_erccl_release(clump_context *ctx, clump_cpu_erccl *e);

/* The methods. sets has an entry a cell, and in the end its smallest one. */
clump_status clump_erccl_unite(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int threads);
clump_status clump_erccl_reserve_unite(clump_context *ctx, clump_cpu_erccl *e, size_t cells, size_t side);
clump_status clump_erccl_serial(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes);
clump_status clump_erccl_racing(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes);
clump_status clump_erccl_independent(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                     int64_t *passes);

/* Labels from places (clump_cells_place); returns them finished but for limits and order. */
clump_status clump_erccl_hash(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, int32_t *clusters);

/* Whether cells a and b, so many rows and columns apart, belong together. */
static inline bool clump_erccl_alike(const clump_cells *cells, const clump_erccl_job *job, uint32_t rows,
                                     uint32_t columns, uint32_t a, uint32_t b)
{
    return clump_elevation_difference(cells->highest[a], cells->lowest[a], cells->highest[b], cells->lowest[b]) <=
           job->alike[rows * ((uint32_t)job->reach + 1) + columns];
}

#endif
