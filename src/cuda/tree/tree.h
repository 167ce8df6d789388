/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: clump_tree on the GPU: the single-linkage tree of mutual reachability, bit for bit that of the CPU.
 *
 * The weight of a pair of points is the largest of three numbers: their squared distance and their two core distances. The
 * room, from points to tree:
 *
 *     tree.cu           the call: memory, the steps on the stream, the rounds, results
 *     tree_job.cuh      what every array holds; weights, sets, smallest edges
 *     tree_near.cuh     core distances, and a list of near points per point
 *     tree_rounds.cuh   a minimum spanning tree, in rounds (Boruvka): every component takes its lightest edge to another one
 *     tree_edges.cuh    the lightest edge of some points of a component, by a search of the box tree
 *     tree_merge.cuh    spanning tree to hierarchy: edges of equal weight at once
 *
 * Words of the room: points are numbered by `place`, their position in the box tree (nn/tree.h). A `component` is a set of
 * points that the edges so far connect; its name is the place of one of its points. An edge `leaves` a component when its other
 * end is in another one. A `group` is the points of one leaf of the box tree that are in one component and search together.
 *
 * Where weights are equal, the spanning tree differs from run to run. The hierarchy does not: the components of all edges
 * below a weight are the same for every minimum spanning tree.
 */
#ifndef CLUMP_CUDA_TREE_TREE_H
#define CLUMP_CUDA_TREE_TREE_H

#include "cuda/gpu/transfer.h"
#include "cuda/nn/tree.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cuda_forest {
    clump_cuda_tree boxes;
    clump_tree_scratch order;
    clump_device_buffer kept, arena, per_box, sort, results, counters;
    clump_pinned_buffer counters_on_host;
} clump_cuda_forest;

/* Makes the tree; waits. Results are in the memory of the points. */
clump_status clump_cuda_forest_run(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s, clump_transfer *transfer,
                                   const clump_tree_job *job, clump_stats *stats);
void clump_cuda_forest_trim(clump_work *work, clump_cuda *cuda, clump_cuda_forest *s);

#endif
