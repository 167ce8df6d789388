/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bin.h: puts one slice of the points into one table of blocks. The inner loop of blocks.c.
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
    uint32_t budget; /* blocks that fit */
    uint32_t count;
} clump_table;

/* A thread's slice of the points, and how far it is. */
typedef struct clump_bin_slice {
    clump_table table;
    size_t begin, next, end;
    size_t records; /* cells of this slice: their first points, ascending */
    size_t unfinite, masked, left_out;
    uint32_t own_blocks, own_cells; /* those that no earlier slice has (blocks_merge.c) */
} clump_bin_slice;

/* Empties the hash table. */
void clump_table_clear(clump_table *t);

/* Returns the number of the block with the coordinates of `like`. Adds a copy of `like` if there is none yet; returns
 * CLUMP_NO_BLOCK if it does not fit. */
uint32_t clump_table_add(clump_table *t, const clump_block *like);

/* Bins the points from r->next on, up to r->end or to the first that needs a block which does not fit. owner, sub and
 * record have one entry per point of the cloud; the records of a slice begin where the slice begins. */
void clump_bin(clump_bin_slice *r, const clump_cloud_job *job, clump_cell_rule rule, uint32_t *owner, uint8_t *sub,
               uint32_t *record);

#endif
