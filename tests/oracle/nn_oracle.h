/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_oracle.h: the neighbours of every query, by comparing all pairs, for the tests of clump_index.
 */
#ifndef CLUMP_TESTS_NN_ORACLE_H
#define CLUMP_TESTS_NN_ORACLE_H

#include <clump/clump.h>

/* The expected neighbours of each query within a radius. A key has the bits of the squared distance above the index;
 * the keys of a query are sorted. */
typedef struct answers {
    size_t queries;
    int64_t *offsets;
    uint64_t *keys;
} answers;

/* Returns the memory; aborts where it is null. */
void *nn_need(void *memory);

/* Compare two keys for qsort(): whole, and by their indices alone. */
int nn_compare_keys(const void *a, const void *b);
int nn_compare_indices(const void *a, const void *b);

/* Returns the neighbours of every query within the radius. */
answers nn_ask_oracle(clump_points points, clump_points queries, float radius);

void nn_forget(answers *a);

#endif
