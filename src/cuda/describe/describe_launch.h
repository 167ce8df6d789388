/* SPDX-License-Identifier: BSD-3-Clause
 *
 * describe_launch.h: what describe.cu gives to describe_call.cu.
 */
#ifndef CLUMP_CUDA_DESCRIBE_DESCRIBE_LAUNCH_H
#define CLUMP_CUDA_DESCRIBE_DESCRIBE_LAUNCH_H

#include "cuda/describe/describe_job.cuh"

/* Finds or makes the launch graph for clouds of n points. */
clump_status clump_cuda_describe_graph(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d, size_t n,
                                       clump_describe_shape shape, cudaGraphExec_t *out);

/* Puts all phases of a prepared job on the context's stream. */
clump_status clump_cuda_describe_launch(clump_work *work, clump_cuda *cuda, clump_cuda_describe *d,
                                        const describe_job *job);

#endif
