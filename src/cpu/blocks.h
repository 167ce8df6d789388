/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.h: the cloud as a sparse grid of cells (rules/cell.h), 4 x 4 x 4 cells to a block.
 *
 *     point i ──► owner[i]  ──► block ──► cells   one bit a cell that holds points
 *                 sub[i] 0..63            crowds  one bit a cell that holds two or more
 *                                         first   number of its first cell; the cells of a block are
 *                                                 numbered in the order of their bits, so
 *     cell of point i = first + popcount(cells below sub[i])
 *
 * Why blocks: a cell has 124 others within reach, most of them empty. With 64 cells in a word,
 * whole neighbourhoods are found by one look-up of a block and a few ANDs, and nothing is paid for
 * emptiness. Blocks are found through an open hash table on their three coordinates, so the extent
 * of the cloud does not matter. Nothing here is sorted, and the points are not moved.
 *
 * Every cell has a `rep`: the first of its points, with its coordinates.
 */
#ifndef CLUMP_CPU_BLOCKS_H
#define CLUMP_CPU_BLOCKS_H

#include "core/backend.h"
#include "core/buffer.h"
#include "common/atomics.h"
#include "common/bits.h"
#include "rules/cell.h"

typedef struct clump_block {
    int32_t x, y, z; /* cell coordinates >> 2 */
    uint32_t first;
    uint64_t cells; /* bit = x | y << 2 | z << 4, each & 3 */
    uint64_t crowds;
} clump_block;

typedef struct clump_rep {
    union {
        struct {
            float x, y, z; /* z is 0 in 2-D mode */
        };
        struct { /* once the reps are joined: the points of the cell, where they are gathered (join.c) */
            uint32_t begin, count, dealt;
        };
    };
    uint32_t index; /* of the point */
} clump_rep;

#define CLUMP_NO_BLOCK UINT32_MAX

typedef struct clump_blocks {
    /* what clump_blocks_build leaves behind */
    clump_block *block;
    uint32_t block_count;
    uint32_t cell_count;
    clump_rep *rep;  /* one a cell, and three more that may be read but mean nothing */
    uint32_t *owner; /* one a point: its block, CLUMP_NO_BLOCK when left out. The caller's labels */
    uint8_t *sub;    /* one a point: its cell in the block */
    size_t finite, masked, left_out;

    uint32_t *slot; /* hash table: number of a block, or CLUMP_NO_BLOCK */
    uint32_t slots;

    /* its own */
    uint32_t budget; /* blocks every thread has room for */
    size_t hint;     /* budgets that suited the last cloud, added up */
    clump_buffer blocks, table, subs, records, reps, progress;
} clump_blocks;

/* One cloud into blocks, cells and reps, in two steps. The first bins a part of the points and tells
 * from it whether most cells will hold a single point, so that another method is better; sparse may
 * be null when that is settled. */
clump_status clump_blocks_begin(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads,
                                bool *sparse);
clump_status clump_blocks_build(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads);

/* Memory for any cloud of up to max_points. */
clump_status clump_blocks_reserve(clump_context *ctx, clump_blocks *b, size_t max_points, int threads);
void clump_blocks_release(clump_context *ctx, clump_blocks *b);

/* The hash of a block: linear in its coordinates, so that those around it are found by adding, then
 * scrambled so that any of the high bits is as good as any other. Blocks that differ by a vector of a
 * certain lattice collide; the shortest such vectors are over a thousand blocks long, so it takes a
 * cloud made for the purpose to make look-ups slow. */
#define CLUMP_BLOCK_LINEAR(x, y, z) ((uint32_t)(x)*0x9e3779b1u + (uint32_t)(y)*0x85ebca77u + (uint32_t)(z)*0xc2b2ae3du)

static inline uint32_t clump_block_linear(int32_t x, int32_t y, int32_t z)
{
    return CLUMP_BLOCK_LINEAR(x, y, z);
}

static inline uint32_t clump_block_scramble(uint32_t h)
{
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 13;
    return h * 0x297a2d39u;
}

static inline uint32_t clump_block_hash(int32_t x, int32_t y, int32_t z)
{
    return clump_block_scramble(clump_block_linear(x, y, z));
}

/* Where the search for a hash starts, 0 ... slots - 1. */
static inline uint32_t clump_block_slot(uint32_t hash, uint32_t slots)
{
    return (uint32_t)(((uint64_t)hash * slots) >> 32);
}

/* The block at x, y, z, or CLUMP_NO_BLOCK; s is the slot of its hash. */
static inline uint32_t clump_blocks_find_from(const clump_blocks *b, uint32_t s, int32_t x, int32_t y, int32_t z)
{
    for (;;) {
        const uint32_t id = b->slot[s];
        if (id == CLUMP_NO_BLOCK) return id;
        const clump_block *const k = &b->block[id];
        if (k->x == x && k->y == y && k->z == z) return id;
        if (++s == b->slots) s = 0;
    }
}

static inline uint32_t clump_blocks_find(const clump_blocks *b, int32_t x, int32_t y, int32_t z)
{
    return clump_blocks_find_from(b, clump_block_slot(clump_block_hash(x, y, z), b->slots), x, y, z);
}

/* Number of a block's cell `sub`, which is occupied. */
static inline uint32_t clump_cell_number(const clump_block *block, unsigned sub)
{
    return block->first + clump_popcount(block->cells & (((uint64_t)1 << sub) - 1));
}

#endif
