/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.h: clump_detect on a GPU: mask, region, ground, thinning, clusters, size limits, boxes. One upload, one launch
 * graph, one download. detect_job.cuh begins the description.
 *
 *     detect.cu           memory, jobs of the kernels, whole calls
 *     detect_launch.cu    the kernels in order
 *     detect_job.cuh      what every buffer holds
 *     detect_points.cuh   before the clustering: region, ground, thinning
 *     detect_labels.cuh   after it: size limits, order, counts
 *     detect_boxes.cu     boxes, and their way to the caller
 */
#ifndef CLUMP_CUDA_DETECT_DETECT_H
#define CLUMP_CUDA_DETECT_DETECT_H

#include "cuda/describe/describe.h"
#include "cuda/fast/ec_fast.h"
#include "cuda/objects/objects.h"
#include "cuda/obstacles/erccl.h"
#include "cuda/ranged/ranged.h"
#include "cuda/papers/papers.h"

/* What a launch graph consists of, besides the number of points. */
typedef struct clump_detect_shape {
    uint8_t ground;   /* clump_ground_method */
    uint8_t step;     /* the step rule of the ground */
    uint8_t clusters; /* which clustering is in the graph */
    uint8_t thins, limited;
    uint8_t boxes, axes, polygons; /* of the clusters */
} clump_detect_shape;

/* Launch graphs of one shape. */
typedef struct clump_detect_graphs {
    clump_detect_shape shape;
    uint64_t used; /* number of the last call; 0: never */
    clump_launch_graphs graphs;
} clump_detect_graphs;

enum { CLUMP_DETECT_SHAPES = 8 }; /* kept; a program uses one or two */

/* Memory that stays between calls, and launch graphs. Zeroed is valid. */
typedef struct clump_cuda_detect {
    clump_cuda_erccl ground;    /* its own: clump_erccl as the clustering has another job */
    clump_device_buffer shared; /* the job and its counters */
    clump_device_buffer arena;  /* buffers per point */
    clump_pinned_buffer report;

    /* of callers in host memory */
    clump_device_buffer boxes, hull, hull_offsets, values;
    clump_pinned_buffer boxes_on_host, values_on_host;

    uint64_t calls;
    clump_detect_graphs kept[CLUMP_DETECT_SHAPES];
} clump_cuda_detect;

/* The other parts of the backend's state, which the steps of a call use. */
typedef struct clump_detect_rooms {
    clump_transfer *transfer;
    clump_cuda_fast *fast;
    clump_cuda_ranged *ranged;
    clump_cuda_six *six;
    clump_cuda_dclust *dclust;
    clump_cuda_erccl *erccl;
    clump_labels_scratch *finish;
    clump_cuda_describe *describe;
    clump_cuda_objects *objects;
} clump_detect_rooms;

/* Reserves memory and makes launch graphs for the default options and up to max_points. */
clump_status clump_cuda_detect_reserve(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                       const clump_detect_rooms *rooms, size_t max_points);
void clump_cuda_detect_trim(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d);
void clump_cuda_detect_close(clump_cuda_detect *d);

/* A whole call, from the points to labels and boxes where the caller wants them. */
clump_status clump_cuda_detect_run(clump_work *work, clump_cuda *cuda, clump_cuda_detect *d,
                                   const clump_detect_rooms *rooms, const clump_detect_job *job, clump_stats *stats);

#endif
