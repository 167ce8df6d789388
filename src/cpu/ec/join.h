/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join.h: unites the cells of a cloud that hold neighbours, in two rounds.
 *
 * First by the reps alone, one point a cell: in a crowded cloud that settles nearly everything, and
 * most points are never looked at again. What it leaves open are pairs of cells in different sets
 * where at least one holds more points than its rep. Only for the blocks of those pairs the points
 * are gathered cell by cell, and the pairs are tried in full.
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
    uint32_t *parent; /* one a cell; find gives the set */
    clump_buffer open, shares, picked, tallies, points, scratch;
} clump_join;

/* After it, two cells have the same root exactly when a chain of neighbours joins them. */
clump_status clump_join_cells(clump_context *ctx, clump_join *j, clump_blocks *b, const clump_cloud_job *job,
                              int threads);

clump_status clump_join_reserve(clump_context *ctx, clump_join *j, size_t max_points, int threads);
void clump_join_release(clump_context *ctx, clump_join *j);

#endif
