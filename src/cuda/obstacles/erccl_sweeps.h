/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.h: the paper's methods of clump_erccl, between the map and the labels.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_SWEEPS_H
#define CLUMP_CUDA_OBSTACLES_ERCCL_SWEEPS_H

#include "cuda/obstacles/erccl_job.cuh"

/* Joins the obstacle cells of a job whose points are on the map: parents. `shared` is the job on the GPU. Waits. */
clump_status clump_cuda_erccl_sweeps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_erccl_method method,
                                     const erccl_job *job, const erccl_job *shared, int64_t *passes);

/* Entries of the rings that passes write to. The one on the host lies behind the report in e->report. */
enum { ERCCL_FLAGS = 16 };

#endif
