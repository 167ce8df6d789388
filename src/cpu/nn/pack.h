/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack.h: orders queries so that consecutive queries are close to each other, also in hot cells. A pack is up to
 * CLUMP_PACK consecutive queries that search the tree together (nn_pack.h). Queries are words of curve.h: place and index.
 *
 * Where a cloud is a few dense groups far apart, a group covers only a few of the 2048^3 cells of the curve, and a cell has
 * thousands of points. Queries of one cell are in no order, so a pack of them would span the whole cell, and its search
 * would test all leaves of the cell. Groups 1 m wide in a cloud 1 km wide took seven times as long as a cloud without gaps.
 *
 * So the queries of each hot cell (box_tree.h) are sorted along a curve through their own box, and cells
 * of that curve in the same way, recursively. Afterwards each word has its place on the curve of the tree again.
 */
#ifndef CLUMP_CPU_NN_PACK_H
#define CLUMP_CPU_NN_PACK_H

#include "cpu/nn/box_tree.h"

/* Reorders the words within each hot cell of the tree. The n words are sorted by place before and after. `words` is one of
 * the two arrays of `order`; the other is scratch. */
clump_status clump_packs_order(clump_context *ctx, const clump_tree *tree, clump_curve_scratch *order, uint64_t *words,
                               size_t n, clump_view view, int threads);

#endif
