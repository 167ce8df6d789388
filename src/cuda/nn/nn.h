/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.h: clump_index on the GPU. An index outlives the context that built it, and several contexts may query it at the same
 * time. So it has GPU memory and a stream of its own. No kernel runs on that stream: it waits for all calls on the index
 * that return before their work is done. A rebuild, or the release of the memory, comes after them.
 *
 *     context A     build ......... query
 *     context B           waits for the build, query .......
 *     the index                 waits ......... waits ...... rebuild, or the end
 *
 * The room, from points to neighbours and motions:
 *
 *     tree.cu           `fast`: a tree of boxes (tree.h)
 *     nn_lists.cu       the paper's methods: one list, or partitions by azimuth
 *     nn.cu             indexes and queries
 *     tree_search.cuh   a warp searches the tree around one point
 *     nn_walk.cuh       the same search on a tree, a list or partitions
 *     nn_nearest.cu     the nearest points of every query; nearest_k.cuh: several
 *     nn_radius.cu      all points within a distance of every query
 *     icp_normals.cu    normals of the target
 *     icp.cu            an iteration of ICP: pairs and their sums; icp_pack.cuh: pairs of a pack
 *     icp_cut.cu        trimmed ICP: the largest distance that is kept
 *
 * A `pack` is up to 32 source points that are close together; one warp searches for all of them.
 */
#ifndef CLUMP_CUDA_NN_NN_H
#define CLUMP_CUDA_NN_NN_H

#include "cuda/gpu/transfer.h"
#include "cuda/nn/nn_walk.h"

/* --- nn_lists.cu: the data of the paper's methods: all points of a cloud in one list (`per-query`, `batch`), or in
 * partitions by azimuth. */

/* Memory that stays between builds. Zeroed is valid. */
typedef struct clump_cuda_list {
    clump_device_buffer points, begin;
} clump_cuda_list;

typedef struct clump_list_scratch {
    clump_device_buffer next, scan;
} clump_list_scratch;

/* Both put a build on the stream, and make *walk a walk over the result. Memory as in tree.h. */
clump_status clump_cuda_list_build(clump_work *work, clump_cuda *cuda, clump_work *home, clump_cuda *keeper,
                                   clump_cuda_list *list, const clump_cloud_view *cloud, uint32_t *finite,
                                   clump_walk *walk);
clump_status clump_cuda_azimuth_build(clump_work *work, clump_cuda *cuda, clump_list_scratch *scratch, clump_work *home,
                                      clump_cuda *keeper, clump_cuda_list *list, const clump_cloud_view *cloud,
                                      int partitions, int window, uint32_t *finite, clump_walk *walk);

/* --- nn.cu ------------------------------------------------------------------------------------------ */

/* Memory of a context for builds and queries. It stays between calls; zeroed is valid. */
typedef struct clump_cuda_nn {
    clump_tree_scratch tree;
    clump_list_scratch lists;
    clump_device_buffer indices, distances;    /* results for a caller in host memory */
    clump_device_buffer counts, offsets, rows; /* of radius searches */
    clump_device_buffer scan, misfit, brute;
    clump_pinned_buffer word; /* what the host reads back: the number of finite points, or a misfit query */
} clump_cuda_nn;

clump_status clump_cuda_index_build(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    clump_work *home, void **index, const clump_index_job *job, clump_stats *stats);
clump_status clump_cuda_index_query(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn, clump_transfer *transfer,
                                    const void *index, const clump_query_job *job, clump_stats *stats);
const clump_tree_view *clump_cuda_index_tree(const void *index); /* of an index by `fast`, built from host memory */
void clump_cuda_index_empty(void *index); /* no points until a build succeeds; index may be null */
void clump_cuda_index_release(clump_work *home, void *index);
void clump_cuda_nn_trim(clump_work *work, clump_cuda *cuda, clump_cuda_nn *nn);

#endif
