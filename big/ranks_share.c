/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_share.c: see ranks_share.h. Every rank computes the same from the same numbers.
 */
#include "ranks_share.h"

#include "common/assert.h"
#include "common/pair_sort.h"
#include "common/tile_plan.h"

#include <stdbool.h>
#include <stdlib.h>

#define SHARE_LEAST ((uint64_t)1 << 14) /* points per tile: smaller tiles would have rims as large as themselves */
#define SHARE_MOST  ((uint64_t)1 << 22) /* points per tile: about 300 MB of memory per thread */
#define SHARE_TILES 1024                /* tiles of a cloud between these limits */

uint64_t clump_ranks_most(uint64_t points)
{
    const uint64_t even = points / SHARE_TILES;
    return even < SHARE_LEAST ? SHARE_LEAST : even > SHARE_MOST ? SHARE_MOST : even;
}

/* ----- tiles of limited length -------------------------------------------------------------------------------------- */

/* Returns the block that an entry of the map is in. */
static uint64_t block_of(const int64_t size[3], const int64_t block[3], size_t entry)
{
    uint64_t number = 0;
    const int64_t at[3] = {(int64_t)entry % size[0], (int64_t)entry / size[0] % size[1],
                           (int64_t)entry / (size[0] * size[1])};
    for (int k = 2; k >= 0; k--) {
        const int64_t blocks = block[k] > 0 ? (size[k] - 1) / block[k] + 1 : 1;
        number = number * (uint64_t)blocks + (uint64_t)(block[k] > 0 ? at[k] / block[k] : 0);
    }
    return number;
}

uint32_t clump_ranks_tiles(const int64_t size[3], const uint64_t *counts, uint64_t most, const int64_t block[3],
                           uint32_t *tiles)
{
    const uint32_t planned = clump_tile_plan(size, counts, most, tiles, NULL);
    const size_t entries = (size_t)(size[0] * size[1] * size[2]);
    bool limited = false;
    for (int k = 0; k < 3; k++) limited |= block[k] > 0 && size[k] > block[k];
    if (!limited) return planned;
    /* a tile that lies in several blocks becomes several: entries are sorted by block, then by tile */
    clump_pair *const order = malloc(2 * entries * sizeof *order);
    if (!order) return 0;
    for (size_t i = 0; i < entries; i++) order[i] = (clump_pair){block_of(size, block, i), i};
    clump_pair_sort(order, order + entries, entries);
    for (size_t i = 0; i < entries; i++)
        order[i].key = (uint64_t)tiles[order[i].value] << 32 | (uint32_t)block_of(size, block, order[i].value);
    clump_pair_sort(order, order + entries, entries);
    uint32_t tile = 0;
    for (size_t i = 0; i < entries; i++) {
        tile += i > 0 && order[i].key != order[i - 1].key;
        tiles[order[i].value] = tile;
    }
    free(order);
    return tile + 1;
}

/* ----- tiles of ranks ------------------------------------------------------------------------------------------------ */

/* Gives each rank as many tiles as cost at most `most`. Returns whether that is enough for all tiles. */
static bool deal(const uint64_t *costs, uint32_t tiles, int ranks, uint64_t most, uint32_t *first)
{
    uint32_t tile = 0;
    for (int r = 0; r < ranks; r++) {
        first[r] = tile;
        for (uint64_t load = 0; tile < tiles && costs[tile] <= most - load; tile++) load += costs[tile];
    }
    first[ranks] = tiles;
    return tile == tiles;
}

void clump_ranks_share(const uint64_t *costs, uint32_t tiles, int ranks, uint32_t *first)
{
    CLUMP_ASSERT(ranks >= 1);
    uint64_t low = 0, high = 0;
    for (uint32_t t = 0; t < tiles; t++) high += costs[t];
    while (low < high) { /* the least cost that is enough */
        const uint64_t middle = low + (high - low) / 2;
        if (deal(costs, tiles, ranks, middle, first))
            high = middle;
        else
            low = middle + 1;
    }
    deal(costs, tiles, ranks, high, first);
}

uint64_t clump_ranks_block(uint64_t blocks, int ranks, int r)
{
    const uint64_t each = blocks / (uint64_t)ranks, more = blocks % (uint64_t)ranks, rank = (uint64_t)r;
    return each * rank + (rank < more ? rank : more);
}
