/* SPDX-License-Identifier: BSD-3-Clause
 *
 * thin.h: thinning by voxels (rules/voxel.h) on the CPU: the representatives of a cloud, and their labels carried back.
 */
#ifndef CLUMP_CPU_DETECT_THIN_H
#define CLUMP_CPU_DETECT_THIN_H

#include "cpu/detect/gather.h"

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
clump_status clump_cpu_thin_select(clump_context *ctx, clump_cpu_thin *thin, const clump_cloud_job *in, float side,
                                   int threads, clump_cloud_job *thinned);

/* Writes the label of its representative to in->labels for every point; *noise becomes the number of those that are
 * CLUMP_NOISE. */
clump_status clump_cpu_thin_carry(clump_context *ctx, const clump_cpu_thin *thin, const clump_cloud_job *in,
                                  int threads, size_t *noise);

void clump_cpu_thin_release(clump_context *ctx, clump_cpu_thin *thin);

#endif
