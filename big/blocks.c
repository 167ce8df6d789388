/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.c: see workers.h.
 */
#include "workers.h"

#include "common/assert.h"
#include "store/fail.h"

void clump_big_blocks_begin(clump_big_blocks *blocks, clump_reader *reader, uint64_t first, uint64_t end,
                            uint64_t stride)
{
    CLUMP_ASSERT(stride >= 1);
    *blocks = (clump_big_blocks){.reader = reader,
                                 .parallel = clump_reader_describe(reader).parallel,
                                 .next = first,
                                 .end = end,
                                 .stride = stride};
    if (!blocks->parallel) blocks->stride = 1;
    pthread_mutex_init(&blocks->lock, NULL);
}

void clump_big_blocks_end(clump_big_blocks *blocks)
{
    pthread_mutex_destroy(&blocks->lock);
}

clump_status clump_big_blocks_take(clump_big_blocks *blocks, clump_block *block, uint64_t *number,
                                   clump_message *message)
{
    clump_status status = CLUMP_OK;
    pthread_mutex_lock(&blocks->lock);
    *number = blocks->next < blocks->end ? blocks->next : blocks->end;
    blocks->next = blocks->end - *number > blocks->stride ? *number + blocks->stride : blocks->end;
    if (!blocks->parallel && *number < blocks->end)
        status = clump_reader_block(blocks->reader, *number, block, message);
    pthread_mutex_unlock(&blocks->lock);
    if (blocks->parallel && *number < blocks->end) status = clump_reader_block(blocks->reader, *number, block, message);
    return status;
}
