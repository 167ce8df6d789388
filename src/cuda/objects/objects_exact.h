/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects_exact.h: the tree of clump_objects by all pairs of points: one Euclidean clustering per level. Its labels are the
 * nodes.
 */
#ifndef CLUMP_CUDA_OBJECTS_OBJECTS_EXACT_H
#define CLUMP_CUDA_OBJECTS_OBJECTS_EXACT_H

#include "cuda/objects/objects.h"
#include "cuda/objects/objects_job.cuh"

/* Puts the tree on the stream: job->of and job->level_counts of all levels. */
clump_status clump_objects_exact_tree(clump_context *ctx, clump_cuda *cuda, clump_cuda_objects *o,
                                      clump_cuda_ranged *ranged, clump_cuda_fast *fast, const clump_objects_call *call,
                                      const objects_job *job);

/* Records an event on the stream, after creating it where it is null. */
clump_status clump_objects_record(clump_context *ctx, clump_cuda *cuda, cudaEvent_t *event);

#endif
