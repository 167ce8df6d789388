/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gather.h: some of the points of an array, copied side by side in their order, by several threads:
 *
 *     marks    1 0 1 1 0 0 | 0 1 0 ...      one byte per point, 1: taken; written chunk by chunk
 *     starts   0             3      ...     taken points before each chunk, CLUMP_CHUNK points per chunk
 *     copies   a c d h ...
 *
 * Step 1 marks points and counts those of each chunk. Step 2 turns counts into starts. Step 3 copies.
 */
#ifndef CLUMP_CPU_DETECT_GATHER_H
#define CLUMP_CPU_DETECT_GATHER_H

#include "core/work.h"

#include "common/assert.h"

#include <string.h>

typedef struct clump_gather {
    uint8_t *marks;   /* one per point; values other than 1 mean: not taken */
    uint32_t *starts; /* one per chunk */
    clump_buffer memory;
} clump_gather;

static inline size_t clump_gather_chunks(size_t count)
{
    return count / CLUMP_CHUNK + (count % CLUMP_CHUNK != 0);
}

/* Reserves marks and starts for `count` points. */
static inline clump_status clump_gather_reserve(clump_work *work, clump_gather *g, size_t count)
{
    const size_t starts = clump_gather_chunks(count) * sizeof(uint32_t);
    CLUMP_TRY(clump_buffer_reserve(work, &g->memory, starts + count));
    g->starts = g->memory.data;
    g->marks = (uint8_t *)g->memory.data + starts;
    return CLUMP_OK;
}

/* Returns the start of the chunk that begins at point `begin`. */
static inline uint32_t *clump_gather_start(const clump_gather *g, size_t begin)
{
    CLUMP_ASSERT(begin % CLUMP_CHUNK == 0);
    return &g->starts[begin / CLUMP_CHUNK];
}

/* Turns the counts of the chunks into starts; returns their sum. */
static inline size_t clump_gather_sum(const clump_gather *g, size_t count)
{
    uint32_t sum = 0;
    for (size_t c = 0; c < clump_gather_chunks(count); c++) {
        const uint32_t here = g->starts[c];
        g->starts[c] = sum;
        sum += here;
    }
    return sum;
}

#endif
