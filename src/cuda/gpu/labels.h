/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.h: size limits and the order of clusters, on the GPU: the definition of core/labels.c, with the same result.
 * Nothing waits: only the GPU may know the number of clusters.
 */
#ifndef CLUMP_CUDA_GPU_LABELS_H
#define CLUMP_CUDA_GPU_LABELS_H

#include "cuda/gpu/device.h"

/* The counts of a call, in memory of the GPU or in pinned memory. */
typedef struct clump_counts {
    uint32_t clusters, finite, masked, noise;
} clump_counts;

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_labels_scratch {
    clump_device_buffer sizes, keys, sorted, sort;
} clump_labels_scratch;

clump_status clump_labels_reserve_on_gpu(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s,
                                         size_t max_points);
void clump_labels_trim(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s);

/* labels     canonical, count entries on the GPU, renumbered in place
 * counts     on the GPU: clusters is read, and clusters and noise are written
 * Only where clump_labels_unfinished(job). */
clump_status clump_labels_finish_on_gpu(clump_work *work, clump_cuda *cuda, clump_labels_scratch *s,
                                        const clump_cloud_job *job, int32_t *labels, clump_counts *counts);

#endif
