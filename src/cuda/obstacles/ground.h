/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: the surface of the ground on a GPU: what its kernels work with (ground_grid.cuh, ground_peak.cuh), and the
 * host's part: numbers from the options, and memory. Whose kernels they are, and when they run: erccl.cu.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_H
#define CLUMP_CUDA_OBSTACLES_GROUND_H

#include "cuda/gpu/device.h"
#include "rules/ground.h"

enum { GROUND_PARTS = 16 }; /* of a tile */

/* One search for the ground. Heights of tiles are whole numbers, as on the CPU; arrays of tiles have a border of one. */
typedef struct ground_work {
    clump_ground_method method;
    clump_surface start;    /* the map, and no ground yet */
    clump_surface *surface; /* on the GPU: what is found */
    float *heights;         /* of the surface, (tiles + 2)^2 */

    /* grid */
    int32_t straight, oblique; /* how much a cone rises from a tile to the next, along an axis and across */
    int32_t level, rough;      /* where the sensor's height is given: that of the ground, and how far off it may be */
    int32_t near;              /* tiles: here the level is looked for; 0: it is given */
    int32_t pitch;             /* of a row of tiles; odd, so that those of a column lie in different banks */
    int32_t *part;             /* GROUND_PARTS a tile, together */
    int32_t *tile, *other;     /* with border; of no use where both fit into shared memory */
    uint32_t shared_bytes;     /* of the thread block that finds the surface */

    /* peak */
    float per_bin, bin, sensor_height, window;
    uint32_t bin_count;
    uint32_t *bins;
} ground_work;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_ground {
    clump_device_buffer map;
} clump_cuda_ground;

/* What the kernels need for these options, with memory for it. shared_bytes: what a thread block can have here. */
clump_status clump_cuda_ground_prepare(clump_context *ctx, clump_cuda *cuda, clump_cuda_ground *g,
                                       const clump_ground_options *options, uint32_t shared_bytes, ground_work *out);

#endif
