/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tile_plan.c: see tile_plan.h. The Hilbert curve visits the four quarters of a square one after the other:
 *
 *     1 2     quarters 1 and 2 are traversed as the square, quarter 0 with x and y exchanged, quarter 3 with x and y
 *     0 3     exchanged and both reversed
 *
 * So a square has one of four orientations: exchanged or not, reversed or not. Both are combined by exclusive or. Quarters
 * outside of the map are skipped, so a long narrow map takes no more time than a square one of as many cells.
 */
#include "common/tile_plan.h"

#include "common/assert.h"

#include <stddef.h>

/* Orientation of a square. */
#define PLAN_EXCHANGED 1u
#define PLAN_REVERSED  2u

typedef struct tile_cut {
    const int64_t *size;
    const uint64_t *counts;
    uint64_t most;
    uint32_t *tiles;
    uint64_t *loads; /* may be null */
    uint32_t tile;   /* the last tile so far, */
    uint64_t load;   /* and its points */
} tile_cut;

/* Gives the cells above each other at x, y their tiles. */
static void cut_column(tile_cut *cut, int64_t x, int64_t y)
{
    const int64_t layer = cut->size[0] * cut->size[1];
    for (int64_t z = 0; z < cut->size[2]; z++) {
        const size_t cell = (size_t)(z * layer + y * cut->size[0] + x);
        const uint64_t count = cut->counts[cell];
        const bool full = cut->load > cut->most || count > cut->most - cut->load;
        if (count > 0 && cut->load > 0 && full) {
            cut->tile++;
            cut->load = 0;
        }
        cut->load += count;
        cut->tiles[cell] = cut->tile;
        if (cut->loads) cut->loads[cut->tile] = cut->load;
    }
}

/* Visits the cells of a square with sides of 2^level cells whose first corner is x, y. */
static void visit_square(tile_cut *cut, int64_t x, int64_t y, int level, unsigned orientation)
{
    static const struct {
        unsigned x, y, turn;
    } quarters[4] = {{0, 0, PLAN_EXCHANGED}, {0, 1, 0}, {1, 1, 0}, {1, 0, PLAN_EXCHANGED | PLAN_REVERSED}};
    if (x >= cut->size[0] || y >= cut->size[1]) return;
    if (level == 0) {
        cut_column(cut, x, y);
        return;
    }
    const int64_t half = (int64_t)1 << (level - 1);
    for (int k = 0; k < 4; k++) {
        const bool exchanged = orientation & PLAN_EXCHANGED, reversed = orientation & PLAN_REVERSED;
        const unsigned a = exchanged ? quarters[k].y : quarters[k].x, b = exchanged ? quarters[k].x : quarters[k].y;
        visit_square(cut, x + (a != reversed ? half : 0), y + (b != reversed ? half : 0), level - 1,
                     orientation ^ quarters[k].turn);
    }
}

uint32_t clump_tile_plan(const int64_t size[3], const uint64_t *counts, uint64_t most, uint32_t *tiles, uint64_t *loads)
{
    CLUMP_ASSERT(size[0] >= 1 && size[1] >= 1 && size[2] >= 1);
    tile_cut cut = {.size = size, .counts = counts, .most = most, .tiles = tiles, .loads = loads};
    int level = 0;
    while ((int64_t)1 << level < size[0] || (int64_t)1 << level < size[1]) level++;
    visit_square(&cut, 0, 0, level, 0);
    return cut.tile + 1;
}
