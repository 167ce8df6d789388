/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged.h: the method `fast` on a GPU where the radius grows with the range (rules/radius.h). It joins what clustering at
 * eps leaves apart, as the CPU does (cpu/ranged/ranged.h). ranged_job.cuh has the picture.
 *
 *     ranged_job.cuh       buffers, and how the cells around a node are found
 *     ranged_kernels.cuh   the kernels, in the order in which they run
 *     ranged.cu            memory and launches
 *
 * A `node` is the box of up to 32 points of a cell. A `level` is the grid of all points whose radii are within a factor
 * of 2.
 */
#ifndef CLUMP_CUDA_RANGED_RANGED_H
#define CLUMP_CUDA_RANGED_RANGED_H

#include "cuda/fast/ec_fast.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_ranged {
    clump_device_buffer arena, sort, core, counts;
    clump_cuda_lane lane; /* cells are made there, beside the run at eps */
} clump_cuda_ranged;

void clump_cuda_ranged_trim(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r);
void clump_cuda_ranged_close(clump_cuda_ranged *r);

/* Puts a run on the stream: canonical labels and counts. Points, mask and labels are in GPU memory. Does not wait. */
clump_status clump_cuda_ec_ranged(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                  const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                  clump_counts *counts);

/* Its steps, for several runs at the same time; the cloud has points. After a failure the lane is to be settled. */
clump_status clump_cuda_ec_ranged_at_eps(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                         const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                         clump_counts *counts);
clump_status clump_cuda_ec_ranged_cells(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r,
                                        const clump_cloud_job *job, const clump_cloud_view *view);
clump_status clump_cuda_ec_ranged_join(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r,
                                       const clump_cloud_job *job, const clump_cloud_view *view, int32_t *labels,
                                       clump_counts *counts);

/* Does this for DBSCAN; core, in GPU memory, may be null. */
clump_status clump_cuda_dbscan_ranged(clump_work *work, clump_cuda *cuda, clump_cuda_ranged *r, clump_cuda_fast *f,
                                      const clump_dbscan_job *job, const clump_cloud_view *view, int32_t *labels,
                                      uint8_t *core, clump_counts *counts);

#endif
