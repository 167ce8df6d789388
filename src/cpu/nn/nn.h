/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.h: clump_index on the CPU: building an index, and its queries.
 *
 * The room, from points to neighbours:
 *
 *     curve.c        points in the order of a space-filling curve
 *     box_tree.c     `fast`: a tree of boxes over the points in this order
 *     nn_azimuth.c   `azimuth` and `brute`: partitions by azimuth
 *     pack.c         queries in an order in which consecutive ones are close
 *     nn_pack.c      the nearest point of every query of a pack
 *     nn_tree.c      one query of the tree, of any kind
 *     nn_one.c       one query of the tree without a context
 *     nn_find.c      what has been found for a query: the k nearest, a count, a row
 *     nn.c           indexes, and queries on all threads
 *
 * Words of the room: the `curve` goes through cells; the `place` of a point is its position on the curve; a `word` is
 * place and index of a point in 64 bits (curve.h). A `pack` is up to CLUMP_PACK consecutive queries that search
 * together (nn_boxes.h). A `hot cell` is a place with more than CLUMP_TREE_HOT leaves (box_tree.h).
 */
#ifndef CLUMP_CPU_NN_NN_H
#define CLUMP_CPU_NN_NN_H

#include "core/backend.h"
#include "cpu/nn/curve.h"

/* Scratch memory of a context: orders of points, and the stacks of the searches. Zeroed is valid. */
typedef struct clump_cpu_nn {
    clump_curve_scratch order;
    uint64_t *words; /* the order of the last queries; null: none */
    size_t count;
    clump_buffer stacks; /* CLUMP_TREE_STACK entries per thread */
} clump_cpu_nn;

clump_status clump_cpu_index_build(clump_work *work, clump_cpu_nn *scratch, clump_work *home, void **state,
                                   const clump_index_job *job, clump_stats *stats);
void clump_cpu_index_release(clump_work *home, void *state);
clump_status clump_cpu_index_query(clump_work *work, clump_cpu_nn *scratch, const void *state,
                                   const clump_query_job *job, clump_stats *stats);
/* Answers one query; false where the index is not of the method `fast`. */
bool clump_cpu_index_one(const void *state, const clump_one_job *job, size_t *found);
void clump_cpu_nn_release(clump_work *work, clump_cpu_nn *scratch);

#endif
