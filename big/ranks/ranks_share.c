/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_share.c: see ranks.h. Every rank computes the same from the same numbers.
 */
#include "ranks/ranks.h"

#include "common/assert.h"

#include <stdbool.h>

#define SHARE_LEAST ((uint64_t)1 << 14) /* points per tile: smaller tiles would have rims as large as themselves */
/* Points per tile. Smaller tiles divide more evenly among ranks, and larger ones have fewer rims. Measured on a host
 * with 16 cores: the weak scaling of 16 ranks is 60 % with tiles of this size and with larger ones. */
#define SHARE_MOST  ((uint64_t)1 << 16)
#define SHARE_TILES 1024 /* tiles of a cloud between these limits */

uint64_t clump_ranks_most(uint64_t points)
{
    const uint64_t even = points / SHARE_TILES;
    return even < SHARE_LEAST ? SHARE_LEAST : even > SHARE_MOST ? SHARE_MOST : even;
}

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
