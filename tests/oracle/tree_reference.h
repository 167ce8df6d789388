/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_reference.h: clump_tree and clump_hdbscan by their definitions (clump/tree.h), in cubic time, for at most
 * REFERENCE_MOST points. Two points are in one component of a weight where a path connects them whose heaviest pair is no
 * heavier: all such paths at once, by Floyd and Warshall. No spanning tree, no order of merges.
 */
#ifndef CLUMP_TESTS_TREE_REFERENCE_H
#define CLUMP_TESTS_TREE_REFERENCE_H

#include <clump/tree.h>

#include <stdbool.h>

enum { REFERENCE_MOST = 128 };

typedef struct reference_tree {
    size_t count;
    bool in[REFERENCE_MOST];                      /* takes part */
    float core[REFERENCE_MOST];                   /* squared core distances */
    float joined[REFERENCE_MOST][REFERENCE_MOST]; /* the weight from which on two points are in one component */
    int32_t parents[REFERENCE_MOST];
    float heights[REFERENCE_MOST];
} reference_tree;

/* Makes the tree of packed points. */
void reference_make(reference_tree *t, const float *xyz, size_t count, const clump_tree_options *o);

/* Labels points. Returns the number of clusters. */
int32_t reference_hdbscan(const reference_tree *t, const clump_hdbscan_options *o, int32_t *labels,
                          float *probabilities);

#endif
