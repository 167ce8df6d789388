/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.h: the method `fast` of Euclidean clustering on the CPU.
 *
 * The room, in the order of a call:
 *
 *     ec_fast.c       the method `fast`: build, join, label, and what its buffers hold
 *     join.c          joins cells that hold neighbours, in two rounds (join.h)
 *     join_reps.c     the first round: one point per cell
 *     join_gather.c   the points of open blocks, by cell
 *     join_points.c   the second round: all points of open pairs
 *     ec_bfs.c        the method `bfs`: a kd-tree and a queue, one thread
 */
#ifndef CLUMP_CPU_EC_EC_FAST_H
#define CLUMP_CPU_EC_EC_FAST_H

#include "cpu/grid/blocks.h"
#include "cpu/ec/join.h"
#include "cpu/rows/rows.h"

typedef struct clump_cpu_fast {
    clump_blocks blocks;
    clump_join join;
    clump_rows rows; /* for sparse clouds */
    clump_buffer ranks;
    bool sparse, by_rows; /* of the last call, for tests: whether the sample was sparse, and whether rows were used */
} clump_cpu_fast;

clump_status clump_cpu_ec_fast(clump_context *ctx, clump_cpu_fast *fast, const clump_cloud_job *job,
                               clump_result *result);
clump_status clump_cpu_fast_reserve(clump_context *ctx, clump_cpu_fast *fast, size_t max_points);
void clump_cpu_fast_release(clump_context *ctx, clump_cpu_fast *fast);

#endif
