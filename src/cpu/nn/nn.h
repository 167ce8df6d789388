/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn.h: clump_index on the CPU: building an index, and its queries.
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

clump_status clump_cpu_index_build(clump_context *ctx, clump_cpu_nn *scratch, clump_context *home, void **state,
                                   const clump_index_job *job, clump_result *result);
void clump_cpu_index_release(clump_context *home, void *state);
clump_status clump_cpu_index_query(clump_context *ctx, clump_cpu_nn *scratch, const void *state,
                                   const clump_query_job *job, clump_result *result);
/* Answers one query; false where the index is not of the method `fast`. */
bool clump_cpu_index_one(const void *state, const clump_one_job *job, size_t *found);
void clump_cpu_nn_release(clump_context *ctx, clump_cpu_nn *scratch);

#endif
