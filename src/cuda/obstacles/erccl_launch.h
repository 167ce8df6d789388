/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_launch.h: between the files of clump_ground and clump_erccl: putting their phases and maps on the stream.
 */
#ifndef CLUMP_CUDA_OBSTACLES_ERCCL_LAUNCH_H
#define CLUMP_CUDA_OBSTACLES_ERCCL_LAUNCH_H

#include "cuda/gpu/launch.h"
#include "cuda/obstacles/erccl_job.cuh"

enum {
    ERCCL_THREADS = 256,  /* per thread block */
    ERCCL_BLOCKS = 8,     /* thread blocks per multiprocessor: 2048 threads, all that fit on an H200 */
    ERCCL_LEAST_BITS = 12 /* clouds below 4096 points share a launch graph */
};

/* Parts of a call that can be launched alone. */
enum {
    ERCCL_PART_FLAG = 1,
    ERCCL_PART_PLACE = 2,
    ERCCL_PART_JOIN = 4,
    ERCCL_PART_LABEL = 8,
    ERCCL_PART_SURFACE = 16, /* of the ground alone */
    ERCCL_PART_HEIGHTS = 32, /* with ERCCL_PART_PLACE: heights of cells are of all points, ground included */
    ERCCL_PART_STEP = 64,    /* with the ground: the step rule, where ground_search.step is set */
    ERCCL_PARTS_ALL = ERCCL_PART_PLACE | ERCCL_PART_JOIN | ERCCL_PART_LABEL /* clump_erccl by `fast` */
};

/* e->overlaps and e->clusters: what the code of this build can do on this GPU. */
clump_status clump_cuda_erccl_probe_code(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e);

/* The launch graph of a whole call for clouds of n points. */
clump_status clump_cuda_erccl_graph(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, size_t n, int parts,
                                    clump_ground_method ground, cudaGraphExec_t *out);

/* The first kernel: leaves the job at e->shared. `from` is the cloud that the kernel fetches; its points are null where
 * they are on the GPU already. `alike` is the host's table of height differences, job->reach + 1 of `alike_stride`
 * columns are used; null for clump_ground, which has none. */
clump_status clump_cuda_erccl_clear(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e, const erccl_job *job,
                                    const clump_cloud_view *from, const float *alike, uint32_t alike_stride);

/* The phases of some parts, for clouds of up to n points. `follows` as in clump_launch_phases. */
clump_status clump_cuda_erccl_phases(clump_work *work, clump_cuda *cuda, const clump_cuda_erccl *e, uint64_t n,
                                     int parts, clump_ground_method ground, cudaStream_t stream, bool follows);

/* Reserves memory and fills *out for the kernels of the ground alone, or for all kernels of clump_erccl. job->in has no
 * points: *view is the cloud. With `on_host` it lies in pinned host memory; *from, empty before, is then what the first
 * kernel fetches, and out->view is where the cloud will be. */
clump_status clump_cuda_erccl_make_ground(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                          const clump_ground_options *options, const clump_cloud_view *view,
                                          bool on_host, erccl_job *out, clump_cloud_view *from);
clump_status clump_cuda_erccl_make(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                                   const clump_cloud_view *view, bool on_host, int32_t *labels, bool waits,
                                   erccl_job *out, clump_cloud_view *from);

/* Puts the chosen method on the stream: canonical labels and counts. `fast` does not wait. */
clump_status clump_cuda_erccl_launch(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                     clump_cuda_erccl_join *paper, const clump_erccl_job *job, const erccl_job *gpu_job,
                                     const clump_cloud_view *from, int64_t *passes);

/* The maps that the caller wants, from finished labels: made on the GPU and copied to the caller. */
clump_status clump_cuda_erccl_make_maps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                        const clump_erccl_job *job, const erccl_job *gpu_job);

#endif
