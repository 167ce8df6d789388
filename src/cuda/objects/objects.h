/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.h: clump_objects on a GPU, as a clustering of clump_detect: the tree of clusters, its cut by size, people, labels
 * and the list of clusters. objects_job.cuh begins the description.
 *
 * Only the rings of a scan need the host: it decides from counts whether the order of the points, or their vertical angles,
 * tell them. So clump_cuda_objects_begin counts as soon as the points are on the GPU, and the host reads the counts while
 * the ground is searched.
 *
 * The room, in the order of a call:
 *
 *     objects.cu          memory, where rings come from, the steps on the stream
 *     objects_steps.cuh   the steps in order
 *     objects_job.cuh     what every buffer holds
 *     objects_rings.cuh   rings of the points
 *     objects_scan.cuh    the tree by the neighbours of the scan
 *     objects_exact.cu    the tree by all pairs of points
 *     objects_nodes.cuh   measures of the nodes, the cut, labels, the list of clusters
 *
 * core/node.h has the words: node, level, cut, object, background.
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_H
#define CLUMP_CUDA_OBJECTS_OBJECTS_H

#include "cuda/objects/objects_job.cuh"
#include "cuda/ranged/ranged.h"

/* A stream beside that of the context, and memory for a level of the tree that is clustered there. */
typedef struct clump_objects_lane {
    clump_cuda_lane lane;
    clump_cuda_fast fast;
    clump_cuda_ranged ranged;
} clump_objects_lane;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_objects {
    clump_device_buffer arena, sort, counters, rings, bins;
    clump_device_buffer whole;             /* measures of the clusters that are listed */
    clump_pinned_buffer report, bins_here; /* bins_here: the histogram of vertical angles, and the rings of its bins */
    clump_pinned_buffer found;             /* the list, for a caller in ordinary memory */
    cudaEvent_t counted;
    clump_objects_lane lane[CLUMP_OBJECTS_LEVELS - 1]; /* of all levels but the finest */
} clump_cuda_objects;

void clump_cuda_objects_trim(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o);
void clump_cuda_objects_close(clump_cuda_objects *o);

/* A call on its way. The view has the points that are clustered as its mask. */
typedef struct clump_objects_call {
    const clump_objects_job *job;
    clump_cloud_view view; /* in GPU memory */
    const float *heights;  /* above the ground, on the GPU; null: the ground is not known */
    int32_t *labels;       /* on the GPU */
    clump_counts *counts;
    bool waits;
} clump_objects_call;

/* Puts on the stream: the copy of given rings; the counts of the steps of the cloud, where its rings may follow from the
 * order of the points. */
clump_status clump_cuda_objects_begin(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                      const clump_objects_call *call);

/* Puts canonical labels and counts on the stream. Waits for the counts of clump_cuda_objects_begin. */
clump_status clump_cuda_objects_run(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                    clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                    clump_stats *stats);

/* Puts the list of clusters on the stream, once labels and counts are final. */
clump_status clump_cuda_objects_list(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                     const clump_objects_call *call, const clump_stats *stats);

/* After the wait: brings the list to a caller in ordinary memory, and the number of given rings to the result. */
void clump_cuda_objects_finish(const clump_cuda_objects *o, const clump_objects_call *call, int32_t clusters,
                               clump_stats *stats);

/* --- objects_exact.cu: the tree of clump_objects by all pairs of points: one Euclidean clustering per level. Its
 * labels are the nodes. */

/* Puts the tree on the stream: job->of and job->level_counts of all levels. */
clump_status clump_objects_exact_tree(clump_work *work, clump_cuda *cuda, clump_cuda_objects *o,
                                      clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                      const objects_job *job);

#endif
