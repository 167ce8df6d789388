/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: the ground of a scan on the CPU. Step 1 finds the surface, and with the step rule counts the points above
 * each part. Step 2 tests every point against the surface (rules/ground.h); clump_erccl does that in a pass of its own
 * over the points (cells.c).
 */
#ifndef CLUMP_CPU_OBSTACLES_GROUND_H
#define CLUMP_CPU_OBSTACLES_GROUND_H

#include "core/backend.h"
#include "core/work.h"
#include "rules/ground.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_ground {
    clump_buffer map;  /* parts: of grid their lowest heights, then those of the step rule; of grid: tiles, surface */
    clump_buffer bins; /* of peak: one histogram per thread */
} clump_cpu_ground;

/* What the pass of the step rule finds out about each point, so that the next pass does not compute it again. */
enum {
    CLUMP_NOTE_FINITE = 1, /* three finite coordinates */
    CLUMP_NOTE_GROUND = 2, /* ground in any part */
    CLUMP_NOTE_OPEN = 4    /* ground where the part has thick ground */
};

typedef struct clump_ground_notes {
    uint8_t *marks; /* one per point: CLUMP_NOTE_... The mask of the job does not count */
    float *above;   /* clump_surface_above of each point; may be null */
    bool made;      /* output: only a map with the step rule has notes */
} clump_ground_notes;

/* Finds the surface of the ground. Reads points, count, stride and mask of the job. The options have been checked
 * (clump_ground_check). The surface points into `ground` and is valid until the next call with it. notes may be null. */
clump_status clump_cpu_ground_find(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface,
                                   clump_ground_notes *notes);

/* The two methods. On entry all of surface is set but kind, level and heights. */
clump_status clump_cpu_ground_peak(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface);
clump_status clump_cpu_ground_grid(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job,
                                   const clump_ground_options *options, int threads, clump_surface *surface);

/* Counts the points of the step rule, once the surface is known. The counts take the place of the lowest heights of
 * parts: they need memory of their own with peak alone. */
clump_status clump_cpu_ground_step(clump_work *work, clump_cpu_ground *ground, const clump_cloud_job *job, int threads,
                                   clump_surface *surface, clump_ground_notes *notes);

/* Runs clump_ground: writes CLUMP_GROUND or CLUMP_NOISE to job->in.labels. */
clump_status clump_cpu_ground_label(clump_work *work, clump_cpu_ground *ground, const clump_ground_job *job,
                                    clump_stats *stats);

/* Reserves what a call with the default options needs, for any number of points. */
clump_status clump_cpu_ground_reserve(clump_work *work, clump_cpu_ground *ground);
void clump_cpu_ground_release(clump_work *work, clump_cpu_ground *ground);

#endif
