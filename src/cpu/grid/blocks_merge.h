/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_merge.h: merges the tables of several threads into one. A step of clump_blocks_build().
 */
#ifndef CLUMP_CPU_GRID_BLOCKS_MERGE_H
#define CLUMP_CPU_GRID_BLOCKS_MERGE_H

#include "cpu/grid/blocks.h"

/* Returns the number of slots for blocks of n points: the table is a quarter full, or half full where every point has a
 * block. At least twice the number of blocks, unless that exceeds 2^32 - 2. */
static inline uint32_t clump_block_slots(size_t blocks, size_t n)
{
    size_t slots = 4 * blocks < 2 * n ? 4 * blocks : 2 * n;
    if (slots < 2 * blocks) slots = 2 * blocks;
    return (uint32_t)(slots < 4 ? 4 : slots < UINT32_MAX ? slots : UINT32_MAX - 1);
}

/* After binning with two threads or more: makes one array of blocks without duplicates and one hash table, numbers the
 * cells, and writes the new numbers of the blocks into owner[]. The records of a slice are reduced to the cells that no
 * earlier slice has, so that every cell is on record once, with its first point. */
clump_status clump_blocks_merge(clump_context *ctx, clump_blocks *b, size_t n, int threads);

#endif
