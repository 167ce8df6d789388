/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_one.h: one query of the box tree, for clump_index_knn_one and clump_index_radius_one. Without a context: the memory of a
 * search is on the stack of the thread.
 */
#ifndef CLUMP_CPU_NN_NN_ONE_H
#define CLUMP_CPU_NN_NN_ONE_H

#include "core/backend.h"
#include "cpu/nn/box_tree.h"

/* Answers the query. Returns the number of neighbours; a number above job->room says that `keys` are not all. */
size_t clump_tree_one(const clump_tree *tree, const clump_one_job *job);

#endif
