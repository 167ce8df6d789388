/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papers.h: methods of the literature on a GPU, as references for comparison. `fast` of every job needs none of them.
 *
 * The room, by paper:
 *
 *     six.h             the six of Nguyen et al. 2020, which begins their description
 *     neighbours.cu     the grid; neighbours.cuh: all pairs of neighbours, in two ways
 *     ec_vertex.cu, ec_edge.cu, ec_matrix.cu
 *     six.cu            points, lists, rounds, canonical labels: a whole run
 *
 *     dbscan_dclust.h   CUDA-DClust+, which begins its description
 *     dbscan_dclust.cu  the kernels, and the loop of the host
 *     dbscan_label.cu   from sets of core points to labels
 *
 *     nn_brute.cu       `per-query` and `batch` of Hsiao et al.: every query with every point
 *
 *     erccl_sweeps.cu   `racing`, `independent` and `ccl` of Tian et al. 2020, on the map of obstacles/: passes until one
 *                       changes nothing (erccl_sweeps.cuh); `hash` (erccl_hash.cuh)
 */
#ifndef CLUMP_CUDA_PAPERS_PAPERS_H
#define CLUMP_CUDA_PAPERS_PAPERS_H

#include "cuda/obstacles/erccl.h"
#include "cuda/papers/dbscan_dclust.h"
#include "cuda/papers/six.h"

/* --- nn_brute.cu: the methods `per-query` and `batch` of Hsiao et al. on a GPU: every query is compared with every
 * point. */

/* Puts a search on the stream, with the result of clump_walk_nearest for k = 1. `batch`: all queries in one launch; otherwise
 * one launch per query. `memory` is scratch. */
clump_status clump_cuda_brute_nearest(clump_work *work, clump_cuda *cuda, clump_device_buffer *memory, bool batch,
                                      const clump_cloud_view *points, const clump_cloud_view *queries, float bound,
                                      int32_t *indices, float *d2);

/* --- erccl_sweeps.cu: methods of clump_erccl, between the map and the labels ------------------------ */

clump_status clump_cuda_erccl_sweeps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, clump_erccl_method method,
                                     const struct erccl_job *job, const struct erccl_job *shared, int64_t *passes);

#endif
