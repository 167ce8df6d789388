/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: the ground of a scan on the CPU. Two steps: find the surface, then ask it of every point, which the caller
 * may do himself where he passes over the points anyway (rules/ground.h).
 */
#ifndef CLUMP_CPU_OBSTACLES_GROUND_H
#define CLUMP_CPU_OBSTACLES_GROUND_H

#include "core/backend.h"
#include "core/buffer.h"
#include "rules/ground.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_ground {
    clump_buffer map;  /* of grid: lowest heights, tiles, their surface */
    clump_buffer bins; /* of peak: a histogram for each thread */
} clump_cpu_ground;

/* The surface of the points that the job has: its points, count, stride and mask are looked at. The options have been
 * checked (clump_ground_check). What it says is good until the next call with the same memory. */
clump_status clump_cpu_ground_find(clump_context *ctx, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface);

/* The two ways to find it. surface has all but kind, level and heights on entry. */
clump_status clump_cpu_ground_peak(clump_context *ctx, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface);
clump_status clump_cpu_ground_grid(clump_context *ctx, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface);

/* clump_ground: CLUMP_GROUND or CLUMP_NOISE in job->in.labels. */
clump_status clump_cpu_ground_label(clump_context *ctx, clump_cpu_ground *ground, const clump_ground_job *job,
                                    clump_result *result);

/* Memory for any number of points, with the default options. */
clump_status clump_cpu_ground_reserve(clump_context *ctx, clump_cpu_ground *ground);
void clump_cpu_ground_release(clump_context *ctx, clump_cpu_ground *ground);

static inline const float *clump_ground_point(const clump_cloud_job *job, size_t i)
{
    return (const float *)(const void *)(job->points + i * job->stride);
}

#endif
