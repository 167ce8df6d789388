/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.h: hands the blocks of the reader to several threads.
 */
#ifndef CLUMP_BIG_BLOCKS_H
#define CLUMP_BIG_BLOCKS_H

#include <clump/reader.h>
#include <pthread.h>

typedef struct clump_big_blocks {
    clump_reader *reader;
    bool parallel;
    uint64_t next, end, stride; /* blocks next, next + stride ... below end */
    pthread_mutex_t lock;
} clump_big_blocks;

void clump_big_blocks_begin(clump_big_blocks *blocks, clump_reader *reader, uint64_t first, uint64_t end,
                            uint64_t stride);
void clump_big_blocks_end(clump_big_blocks *blocks);

/* Reads the next block. *number is its number, or `end` where none is left. Readers that are not parallel get their blocks in
 * order, one at a time. */
clump_status clump_big_blocks_take(clump_big_blocks *blocks, clump_block *block, uint64_t *number,
                                   clump_message *message);

#endif
