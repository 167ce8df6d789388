/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_launch.h: for jobs that have `fast` as one of their steps: the job of its kernels, and its phases on a stream. The
 * phases can be recorded into a launch graph of the caller.
 */
#ifndef CLUMP_CUDA_FAST_FAST_LAUNCH_H
#define CLUMP_CUDA_FAST_FAST_LAUNCH_H

#include "cuda/fast/fast_job.cuh"

/* Reserves memory and fills *out for a cloud that is on the GPU. The first kernel of the caller writes the job to
 * f->job.data, calls fast_stamp(.., 0) and fast_clear. */
clump_status clump_cuda_fast_make(clump_work *work, clump_cuda *cuda, clump_cuda_fast *f, const clump_cloud_job *job,
                                  const clump_cuda_density *density, const clump_cloud_view *view, int32_t *labels,
                                  clump_counts *counts, fast_job *out);

/* Puts all phases but the first on a stream, for clouds of up to n points: canonical labels and counts. `follows` as in
 * clump_launch_phases. */
clump_status clump_cuda_fast_phases(clump_work *work, clump_cuda *cuda, const clump_cuda_fast *f, size_t n,
                                    bool density, cudaStream_t stream, bool follows);

#endif
