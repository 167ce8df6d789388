/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join.h: unites the cells of a cloud that hold neighbours, in two rounds.
 *
 * The first round compares the reps alone, one point per cell. In a dense cloud that settles nearly everything, and
 * most points are never read again. It leaves open the pairs of cells in different sets of which at least one is a multi
 * cell. The second round gathers the points of the blocks of those pairs by cell and compares all points of the pairs.
 *
 *     reps      flood every block ─► join pairs of blocks ─► settle: which pairs are open?
 *     points    gather the points of open blocks ─► join the open pairs in full
 */
#ifndef CLUMP_CPU_EC_JOIN_H
#define CLUMP_CPU_EC_JOIN_H

#include "cpu/grid/blocks.h"
#include "cpu/grid/patches.h"
#include "rules/union_find.h"

typedef struct clump_join {
    uint32_t *parent; /* one per cell: clump_find() gives the set */
    clump_buffer open, filter, shares, picked, tallies, points, scratch;
} clump_join;

/* Unites cells: two cells have the same root afterwards if and only if a chain of neighbours joins them. */
clump_status clump_join_cells(clump_context *ctx, clump_join *j, clump_blocks *b, const clump_cloud_job *job,
                              int threads);

clump_status clump_join_reserve(clump_context *ctx, clump_join *j, size_t max_points, int threads);
void clump_join_release(clump_context *ctx, clump_join *j);

#endif
