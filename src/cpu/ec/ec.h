/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec.h: Euclidean clustering on the CPU by `fast`, which joins cells that hold neighbours. The other methods are in papers/.
 *
 * The room, in the order of a call:
 *
 *     ec_fast.c       the method `fast`: build, join, label, and what its buffers hold
 *     join.c          joins cells that hold neighbours, in two rounds
 *     join_reps.c     the first round: one point per cell
 *     join_gather.c   the points of open cells
 *     join_points.c   the second round: all points of open pairs
 */
#ifndef CLUMP_CPU_EC_EC_H
#define CLUMP_CPU_EC_EC_H

#include "core/backend.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/patches.h"
#include "cpu/rows/rows.h"
#include "rules/union_find.h"

/* --- join.c: unites the cells of a cloud that hold neighbours, in two rounds.
 *
 * The first round compares the reps alone, one point per cell. In a dense cloud that settles nearly everything, and
 * most points are never read again. It leaves open the pairs of cells in different sets of which at least one is a multi
 * cell. The second round gathers the points of those cells and compares all points of the pairs.
 *
 *     reps      flood every block ─► join pairs of blocks ─► settle: which pairs are open?
 *     points    gather the points of open cells ─► join the open pairs in full */

typedef struct clump_join {
    uint32_t *parent; /* one per cell: clump_find() gives the set */
    clump_buffer open, filter, shares, picked, tallies, points, scratch;
} clump_join;

/* Unites cells: two cells have the same root afterwards if and only if a chain of neighbours joins them. */
clump_status clump_join_cells(clump_work *work, clump_join *j, clump_blocks *b, const clump_cloud_job *job,
                              int threads);

clump_status clump_join_reserve(clump_work *work, clump_join *j, size_t max_points, int threads);
void clump_join_release(clump_work *work, clump_join *j);

/* --- ec_fast.c: the method `fast` ------------------------------------------------------------------- */

typedef struct clump_cpu_fast {
    clump_blocks blocks;
    clump_join join;
    clump_rows rows; /* for sparse clouds */
    clump_buffer ranks;
    bool counts;          /* set by the caller: sizes of clusters are wanted */
    int32_t *sizes;       /* of the last call: null, or the sizes of the clusters (clump_labels_sizes()) */
    bool sparse, by_rows; /* of the last call, for tests: whether the sample was sparse, and whether rows were used */
} clump_cpu_fast;

clump_status clump_cpu_ec_fast(clump_work *work, clump_cpu_fast *fast, const clump_cloud_job *job, clump_stats *stats);
clump_status clump_cpu_fast_reserve(clump_work *work, clump_cpu_fast *fast, size_t max_points);
void clump_cpu_fast_release(clump_work *work, clump_cpu_fast *fast);

#endif
