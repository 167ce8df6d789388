/* SPDX-License-Identifier: BSD-3-Clause
 *
 * detect.h: clump_detect on the CPU: everything but the clustering and the boxes, which are those of the separate calls.
 *
 *     begin     mask, region, ground, thinning: which points are clustered. Copies them side by side
 *     cluster   by the method of the job (backend.c)
 *     end       labels back to all points, size limits, order, counts
 *     boxes     clump_cpu_describe (backend.c)
 *
 * Copies pay: half of the points of a scan are ground, and clustering and boxes then skip no points. Where all points
 * may take part nothing is copied, and clustering and boxes use the caller's points.
 *
 * The room, in the order of a call:
 *
 *     region_mask.c   the mask: caller and region
 *     detect.c        begin and end; the ground is that of cpu/obstacles
 *     thin.c          one point per voxel, and its label carried back to the others
 *     gather.h        copies the points that are clustered
 *
 * Words of the room: a point is `taken` where it takes part and is not ground. Taken points are copied side by side.
 */
#ifndef CLUMP_CPU_DETECT_DETECT_H
#define CLUMP_CPU_DETECT_DETECT_H

#include "core/backend.h"
#include "cpu/detect/gather.h"
#include "cpu/obstacles/ground.h"

/* --- thin.c: thinning by voxels (rules/voxel.h) on the CPU: the representatives of a cloud, and their labels carried
 * back. */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_thin {
    clump_buffer voxels;         /* one per point */
    clump_buffer table;          /* hash table of the voxels */
    clump_buffer slots;          /* one per point: its slot */
    clump_buffer points, labels; /* of the representatives */
    clump_gather gather;
} clump_cpu_thin;

/* Finds the representatives of a cloud whose points all take part. In *thinned, a copy of `in`, points, count, stride and
 * labels become theirs. */
clump_status clump_cpu_thin_select(clump_work *work, clump_cpu_thin *thin, const clump_cloud_job *in, float side,
                                   int threads, clump_cloud_job *thinned);

/* Writes the label of its representative to in->labels for every point; *noise becomes the number of those that are
 * CLUMP_NOISE. */
clump_status clump_cpu_thin_carry(clump_work *work, const clump_cpu_thin *thin, const clump_cloud_job *in, int threads,
                                  size_t *noise);

void clump_cpu_thin_release(clump_work *work, clump_cpu_thin *thin);

/* --- detect.c --------------------------------------------------------------------------------------- */

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_detect {
    clump_buffer mask;   /* of caller and region */
    clump_buffer staged; /* with several threads: as `taken`, chunk by chunk */
    clump_buffer taken;  /* copies: points, heights, values */
    clump_buffer labels; /* of the copies; of all points where nothing is copied and the caller wants no labels */
    clump_gather gather;
    clump_cpu_thin thin;
} clump_cpu_detect;

/* The steps of one call. */
typedef struct clump_detect_steps {
    int threads;
    bool copied;
    bool unlimited;           /* the clustering leaves size limits and order to clump_cpu_detect_end() */
    clump_cloud_job taken;    /* the points that take part, and their labels */
    clump_cloud_job cluster;  /* what is clustered: `taken` or its representatives, perhaps without limits and order */
    int32_t *sizes;           /* null, or of the clusters of `taken`, before limits and order */
    clump_describe_job boxes; /* `taken`, its heights and values; all set but cluster_count and `described` */
} clump_detect_steps;

/* Finds the points that are clustered. Sets finite, masked, ground, ground_level, thinned and ground_ms of the result,
 * where points are copied. */
clump_status clump_cpu_detect_begin(clump_work *work, clump_cpu_detect *detect, clump_cpu_ground *ground,
                                    const clump_detect_job *job, clump_detect_steps *steps, clump_stats *stats);

/* Finishes the labels. `clustered` is the result of the clustering. */
clump_status clump_cpu_detect_end(clump_work *work, clump_cpu_detect *detect, const clump_detect_job *job,
                                  clump_detect_steps *steps, const clump_stats *clustered, clump_stats *stats);

/* Reserves what a call with the default options needs. */
clump_status clump_cpu_detect_reserve(clump_work *work, clump_cpu_detect *detect, size_t max_points);
void clump_cpu_detect_release(clump_work *work, clump_cpu_detect *detect);

/* --- region_mask.c: the mask of clump_detect on the CPU: caller and region (rules/region.h) --------- */

/* Sets mask[i] to 1 for points that neither the mask nor the region of the job leaves out, else to 0. */
clump_status clump_cpu_region_mask(clump_work *work, const clump_detect_job *job, int threads, uint8_t *mask);

#endif
