/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.h: the cloud as a sparse grid of cells (rules/cell.h), 4 x 4 x 4 cells to a block.
 *
 *     point i ──► owner[i]  ──► block ──► cells   one bit per cell that holds points
 *                 sub[i] 0..63            multi   one bit per cell that holds two or more
 *                                         first   number of its first cell; the cells of a block are
 *                                                 numbered in the order of their bits, so
 *     cell of point i = first + popcount(cells below sub[i])
 *
 * Why blocks: a cell has 124 others within reach, most of them empty. With 64 cells in a word, one look-up of a block and
 * a few ANDs find whole neighbourhoods, and empty cells cost nothing. Blocks are found through an open hash table on
 * their three coordinates, so the extent of the cloud does not matter. Nothing is sorted, and points are not moved.
 *
 * Every cell has a representative, `rep`: the first of its points, with its coordinates.
 *
 * The room, from points to the question whether two cells hold neighbours:
 *
 *     batch.h           coordinates of consecutive points in arrays, for vector loops
 *     bin.c             the cell of each point; one thread puts all points into one table of blocks
 *     deal.c            several threads: points by part of space
 *     blocks_merge.c    several threads: blocks, part by part
 *     blocks_finish.c   several threads: final numbers, hash table, representatives
 *     blocks.c          clump_blocks_build(): one of the two ways
 *     shells.h          cells for a radius that grows with the range
 *     reach.h           which cells of a block a cell reaches
 *     patches.c         do two sets of points hold a pair of neighbours? Coarse to fine
 *     apart.c           a plane or a sphere between two walls: no pair
 *     disc.c            the flat cylinder around a patch: middle, radius, normal, half thickness
 *     sieve.c           the same question, and counts, where patches decide too little
 *
 * Words of the room: a `set` is the points of one cell in patches.h and sieve.h. It is `dense` from 128 points on, and
 * is then stored as a `head` and `patches` (patches.h). A `part` is the blocks that one thread makes, a `bundle` the
 * points of a chunk in one block (deal.h).
 */
#ifndef CLUMP_CPU_GRID_BLOCKS_H
#define CLUMP_CPU_GRID_BLOCKS_H

#include "core/backend.h"
#include "core/work.h"
#include "common/atomics.h"
#include "common/bits.h"
#include "rules/blocks.h"
#include "rules/cell.h"
#include "rules/hash.h"
#include "rules/radius.h"

typedef struct clump_block {
    int32_t x, y, z; /* cell coordinates >> 2 */
    uint32_t first;
    uint64_t cells; /* by clump_block_cell */
    union {
        uint64_t multi;  /* cells with two points or more */
        uint64_t common; /* while labelling (ec_fast.c): the root, then the label, that all its cells have in common */
        uint64_t place;  /* in ranged/shells_build.c: another block */
    };
} clump_block;

typedef struct clump_rep {
    union {
        struct {
            float x, y, z; /* z is 0 in 2-D mode */
        };
        struct { /* after the reps are joined: the gathered points of the cell (join_points.c) */
            uint32_t begin, count, dealt;
        };
    };
    uint32_t index; /* of the point */
} clump_rep;

#define CLUMP_NO_BLOCK UINT32_MAX

/* Memory of several threads while they build blocks (blocks_merge.c). Grids that are not built at the same time can
 * share it. */
typedef struct clump_blocks_work {
    clump_buffer entries, merged, progress, scratch;
    unsigned doublings; /* of the room for blocks, which the last clouds needed */
} clump_blocks_work;

typedef struct clump_blocks {
    /* the result of clump_blocks_build */
    clump_block *block;
    uint32_t block_count;
    uint32_t cell_count;
    clump_rep *rep;  /* one per cell, and three more as padding for vector loads */
    uint32_t *owner; /* one per point: its block, or CLUMP_NO_BLOCK. In the memory of the caller's labels */
    uint8_t *sub;    /* one per point: its cell in the block */
    size_t finite, masked, left_out;

    clump_hash_key key; /* of the context */
    uint32_t *slot;     /* hash table: number of a block, or CLUMP_NO_BLOCK */
    uint32_t slots;

    /* Set by the caller: null, or cells are larger where the radius is (shells.h). Then cells are not numbered and have
     * no reps. */
    const clump_radius_rule *shells;

    /* private */
    size_t hint; /* number of blocks that suited the last cloud */
    clump_buffer blocks, table, subs, records, reps;
    clump_blocks_work own_work, *lent_work; /* lent_work is used where it is not null */
} clump_blocks;

/* Divides a cloud into blocks and cells, with a rep per cell. */
clump_status clump_blocks_build(clump_work *work, clump_blocks *b, const clump_cloud_job *job, int threads);

/* Reserves the memory for any cloud of up to max_points. */
clump_status clump_blocks_reserve(clump_work *work, clump_blocks *b, size_t max_points, int threads);
void clump_blocks_release(clump_work *work, clump_blocks *b);

/* Returns the slot where the search for the block at x, y, z starts. */
static inline uint32_t clump_blocks_slot(const clump_blocks *b, int32_t x, int32_t y, int32_t z)
{
    return clump_hash_slot(clump_hash(b->key, x, y, z, 0), b->slots);
}

/* Returns the block at x, y, z, or CLUMP_NO_BLOCK; s is the slot of its hash. */
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
    return clump_blocks_find_from(b, clump_blocks_slot(b, x, y, z), x, y, z);
}

/* Returns the number of a block's cell `sub`, which is occupied. */
static inline uint32_t clump_cell_number(const clump_block *block, unsigned sub)
{
    CLUMP_ASSERT(sub < 64 && block->cells >> sub & 1);
    return block->first + clump_popcount(block->cells & (((uint64_t)1 << sub) - 1));
}

#endif
