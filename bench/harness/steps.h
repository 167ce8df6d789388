/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The labels of clump_detect in separate, plain steps, with any Euclidean clustering in the middle: ours or a rival's.
 */
#ifndef CLUMP_BENCH_STEPS_H
#define CLUMP_BENCH_STEPS_H

#include "harness/clouds.h"

#include <clump/clump.h>

/* Clusters points that are all finite: one label per point, clusters numbered by smallest index, -1 for none. Returns
 * false where it failed. */
typedef bool steps_cluster(void *user, const float *xyz, size_t count, int32_t *labels);

typedef struct steps_job {
    const bench_cloud *cloud;
    float thin;      /* 0: none */
    size_t min_size; /* of clusters, in points of the cloud */
    steps_cluster *cluster;
    void *user;
} steps_job;

/* Ground by clump_ground with its defaults; the other points, or the first of each voxel, are clustered; the others of
 * the voxel get its label; small clusters become noise. labels: one per point, as those of clump_detect. heights: null,
 * or one per point, as clump_ground makes them. Returns false with a sentence in why. */
bool steps_run(clump_context *ctx, const steps_job *job, int32_t *labels, float *heights, clump_message *why);

#endif
