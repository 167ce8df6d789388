/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bin.h: points into blocks, one range of points into one table of blocks. The inner loop of
 * blocks.c.
 */
#ifndef CLUMP_CPU_GRID_BIN_H
#define CLUMP_CPU_GRID_BIN_H

#include "cpu/grid/blocks.h"

/* Blocks and the hash table that finds them. */
typedef struct clump_table {
    clump_hash_key key;
    clump_block *block;
    uint32_t *slot; /* number of a block, or CLUMP_NO_BLOCK */
    uint32_t slots;
    uint32_t budget; /* blocks there is room for */
    uint32_t count;
} clump_table;

/* The share of a thread, and how far it is. */
typedef struct clump_bin_slice {
    clump_table table;
    size_t begin, next, end;
    size_t records; /* cells seen first in this range: their first points, ascending */
    size_t unfinite, masked, left_out;
    uint32_t own_blocks, own_cells; /* those that no range before this one has (blocks_merge.c) */
} clump_bin_slice;

/* Fills a table with nothing. */
void clump_table_clear(clump_table *t);

/* The number of the block with the coordinates of `like`, put in as a copy of it if there is none
 * yet; CLUMP_NO_BLOCK when there is no room. */
uint32_t clump_table_add(clump_table *t, const clump_block *like);

/* Bins points from r->next up to r->end, or up to the first that needs a block there is no room for.
 * owner, sub and record have an entry for every point of the cloud; a range's records begin where
 * the range begins. */
void clump_bin(clump_bin_slice *r, const clump_cloud_job *job, clump_cell_rule rule, uint32_t *owner, uint8_t *sub,
               uint32_t *record);

#endif
