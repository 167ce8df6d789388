/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: the surface of the ground on a GPU: the data of its kernels (ground_grid.cuh, ground_peak.cuh,
 * ground_step.cuh), and the host's part: numbers from the options, and memory. erccl_launch.cu launches the kernels.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_H
#define CLUMP_CUDA_OBSTACLES_GROUND_H

#include "cuda/gpu/device.h"
#include "rules/ground.h"

enum { GROUND_PARTS = CLUMP_SURFACE_PARTS * CLUMP_SURFACE_PARTS }; /* per tile */

/* One search for the ground. Heights of tiles are integers, as on the CPU; arrays of tiles have a border of one. */
typedef struct ground_search {
    clump_ground_method method;
    bool step;              /* the step rule; never with CLUMP_GROUND_NONE */
    clump_surface start;    /* the map, and no ground yet */
    clump_surface *surface; /* on the GPU: the result */
    float *heights;         /* of the surface, (tiles + 2)^2 */

    /* GROUND_PARTS consecutive entries per tile: of grid the lowest heights. With `step` the counts of the step rule
     * follow in the same place, which start.steps points to. */
    int32_t *part;

    /* grid */
    clump_lows lows;
    int32_t pitch;                /* entries per row; odd, so that the tiles of a column lie in different banks */
    int32_t *tile, *other, *cone; /* with border; ground_surface.cuh */

    /* peak */
    clump_peak peak; /* zeroed with other methods */
    uint32_t *bins;
} ground_search;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_ground {
    clump_device_buffer map;
} clump_cuda_ground;

/* Fills *out with what the kernels need for these options, and memory. */
clump_status clump_cuda_ground_prepare(clump_work *work, clump_cuda *cuda, clump_cuda_ground *g,
                                       const clump_ground_options *options, ground_search *out);

#endif
