/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack.h: an order of queries in which consecutive ones make good packs, also in hot cells. A pack is up to 16
 * consecutive queries that are searched for together (nn_tree.h).
 *
 * Where a cloud is a few dense groups far apart, a group has a few of the 2048^3 cells of the curve, and a cell has
 * thousands of points. Queries of one cell are in no order, so a pack of them would span the whole cell, and its search
 * would test all leaves of the cell. Groups of a metre in a kilometre took seven times as long as a cloud without gaps.
 *
 * So the queries of each hot cell (box_tree.h) are sorted along a curve through their own box, and those of a cell of
 * that curve again, recursively. The words keep their places on the curve of the cloud.
 */
#ifndef CLUMP_CPU_NN_PACK_H
#define CLUMP_CPU_NN_PACK_H

#include "cpu/nn/box_tree.h"

/* Orders n sorted words within the hot cells of the tree. They are in one array of `order`; the other is scratch. */
clump_status clump_packs_order(clump_context *ctx, const clump_tree *tree, clump_curve_scratch *order, uint64_t *words,
                               size_t n, clump_view view, int threads);

#endif
