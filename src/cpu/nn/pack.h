/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack.h: an order for queries that share a cell of the curve. Where a cloud is a few dense groups far
 * apart, a group has a few of the 2048^3 cells and a cell has thousands of points. The tree gives such a
 * cell a curve of its own. So must the queries have it: thousands of them in no order have
 * nothing in common but the cell, and to search for sixteen of them together is to search the cell.
 * Groups of a metre in a kilometre took seven times as long as a cloud without gaps.
 *
 * So where the tree has a crowd, the queries of the cell are sorted along a curve through their own box, and
 * crowds of them in that likewise. The words keep their places on the curve of the cloud.
 */
#ifndef CLUMP_CPU_NN_PACK_H
#define CLUMP_CPU_NN_PACK_H

#include "cpu/nn/box_tree.h"

/* Orders n sorted words where the tree has crowds; they and a spare array are in `order`. */
clump_status clump_crowds_order(clump_context *ctx, const clump_tree *tree, clump_curve_scratch *order, uint64_t *words,
                                size_t n, clump_view view, int threads);

#endif
