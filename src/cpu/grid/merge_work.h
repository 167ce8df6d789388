/* SPDX-License-Identifier: BSD-3-Clause
 *
 * merge_work.h: what the steps of blocks_merge.c and blocks_finish.c share while blocks are built.
 */
#ifndef CLUMP_CPU_GRID_MERGE_WORK_H
#define CLUMP_CPU_GRID_MERGE_WORK_H

#include "common/team.h"
#include "cpu/grid/bin.h"
#include "cpu/grid/deal.h"

/* Blocks are numbered by the group that has their first point, then by part: neighbours in a scan become neighbours in
 * memory. Measured: 1 % of the CPU time of a KITTI scan. A group is a part of a chunk, or some chunks. With a plain chunk
 * there is one group. */
#define CLUMP_MERGE_GROUPS 64

/* The blocks of a part that one group has first: their number; since number_blocks(), the number of the first. */
typedef struct clump_merge_tally {
    uint32_t blocks, cells;
} clump_merge_tally;

typedef struct clump_merge_part {
    size_t room;     /* blocks of the parts before this one, at most */
    uint32_t blocks; /* of this part */
    bool full;       /* and there are more */
    clump_merge_tally tally[CLUMP_MERGE_GROUPS];
} clump_merge_part;

typedef struct clump_merge {
    clump_deal deal;
    clump_team *team;
    clump_blocks *b;
    clump_bin_counts counts;
    size_t group;           /* chunks per group */
    uint32_t split;         /* groups per chunk; one of both is 1 */
    clump_merge_part *part; /* one per part and one more */
    clump_block *merged; /* the blocks of all parts, with gaps. `first` is their group; since place_blocks(), it is the
                            first cell and x is the number of the block */
} clump_merge;

/* Returns the part of owner[] that has the blocks of a part's entries in a plain chunk until finish_points(). */
static inline uint32_t *clump_merge_numbers(const clump_merge *m, size_t c, size_t p)
{
    return m->b->owner + m->deal.points * c + (clump_deal_begin(&m->deal, c, p) - m->deal.chunk[c].begin);
}

/* Finishes the blocks that are merged: the runs `finish` of blocks_merge.c. */
clump_status clump_blocks_finish(clump_work *work, clump_merge *m, int threads);

/* --- blocks_merge.c: builds blocks with several threads. A step of clump_blocks_build() ------------- */

/* Returns the number of slots for blocks of n points: the table is a quarter full, or half full where every point has a
 * block. At least twice the number of blocks, unless that exceeds 2^32 - 2. */
static inline uint32_t clump_block_slots(size_t blocks, size_t n)
{
    size_t slots = 4 * blocks < 2 * n ? 4 * blocks : 2 * n;
    if (slots < 2 * blocks) slots = 2 * blocks;
    return (uint32_t)(slots < 4 ? 4 : slots < UINT32_MAX ? slots : UINT32_MAX - 1);
}

/* Builds blocks, cells and reps with any number of threads. The result is that of one thread, except for the order of
 * the blocks. b->owner, b->sub, b->key and b->records are set. */
clump_status clump_blocks_merge(clump_work *work, clump_blocks *b, const clump_cloud_job *job, int threads,
                                clump_bin_counts *counts);

/* Reserves the memory for any cloud of up to max_points. */
clump_status clump_blocks_merge_reserve(clump_work *work, clump_blocks *b, size_t max_points, int threads);

#endif
