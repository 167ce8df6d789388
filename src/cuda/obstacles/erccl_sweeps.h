/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.h: the paper's methods of clump_erccl, between the map and the labels. They are told when to stop.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_SWEEPS_H
#define CLUMP_CUDA_OBSTACLES_ERCCL_SWEEPS_H

#include "cuda/obstacles/erccl_job.cuh"

/* The obstacle cells of a job whose points are on the map into sets: parents. `shared` is the same job on the GPU. */
clump_status clump_cuda_erccl_sweeps(clump_context *ctx, clump_cuda *cuda, clump_cuda_erccl *e,
                                     clump_erccl_method method, const erccl_job *job, const erccl_job *shared,
                                     int64_t *passes);

/* What passes tell: so many entries of host memory are needed in e->report behind the report itself. */
enum { ERCCL_FLAGS = 16 };

#endif
