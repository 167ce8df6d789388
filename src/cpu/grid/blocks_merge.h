/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_merge.h: builds blocks with several threads. A step of clump_blocks_build().
 */
#ifndef CLUMP_CPU_GRID_BLOCKS_MERGE_H
#define CLUMP_CPU_GRID_BLOCKS_MERGE_H

#include "cpu/grid/bin.h"

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
clump_status clump_blocks_merge(clump_context *ctx, clump_blocks *b, const clump_cloud_job *job, int threads,
                                clump_bin_counts *counts);

/* Reserves the memory for any cloud of up to max_points. */
clump_status clump_blocks_merge_reserve(clump_context *ctx, clump_blocks *b, size_t max_points, int threads);

#endif
