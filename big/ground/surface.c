/* SPDX-License-Identifier: BSD-3-Clause
 *
 * surface.c: see ground.h. Each step goes through all squares, one per thread. It reads one of the four heights of the tiles of a
 * square and of those around it, and writes another one of its own tiles. So no step depends on the order of the squares.
 *
 *     step      reads                  writes
 *     lows      all four of a tile     0: the height of the tile
 *     holes     0                      1: without holes
 *     cones     1                      2: the ground
 *     beside    2                      3: the mean of neighbours
 *     again     3                      0
 *     far       0, of itself alone     0: the surface
 */
#include "ground/ground.h"

#include "common/assert.h"
#include "common/atomics.h"
#include "store/store.h"

#include <stdlib.h>

enum {
    SURFACE_CONES = 3 * CLUMP_BIG_SQUARE + 2, /* a square, those around it, and a border */
    SURFACE_STEPS = 6
};

/* Memory of one thread. */
typedef struct surface_memory {
    int32_t tile[SURFACE_CONES * SURFACE_CONES], cone[SURFACE_CONES * SURFACE_CONES];
    int32_t coarse[CLUMP_BIG_SQUARE_TILES / 2];
} surface_memory;

typedef struct surface {
    clump_big_ground *ground;
    clump_big_workers *workers;
    int step;
    size_t next; /* atomic: square */
} surface;

/* Copies heights `slot` of a square, and of `ring` tiles around it, into a relief of n tiles. What is not there has none. */
static clump_relief gather(const surface *s, size_t square, int slot, int ring, int n, surface_memory *m)
{
    const clump_big_ground *const g = s->ground;
    const clump_big_square *const at = &g->squares[square];
    const int width = n + 2, first = (width - CLUMP_BIG_SQUARE) / 2; /* of the square in the relief */
    CLUMP_ASSERT(width <= SURFACE_CONES && ring <= first);
    for (int k = 0; k < width * width; k++) m->tile[k] = CLUMP_LOW_NONE;
    for (int k = 0; k < 9; k++) {
        const int a = k / 3 - 1, b = k % 3 - 1;
        const int32_t *const from = clump_big_ground_find(g, at->x + a, at->y + b);
        const int i0 = a < 0 ? CLUMP_BIG_SQUARE - ring : 0, i1 = a > 0 ? ring : CLUMP_BIG_SQUARE;
        const int j0 = b < 0 ? CLUMP_BIG_SQUARE - ring : 0, j1 = b > 0 ? ring : CLUMP_BIG_SQUARE;
        for (int i = i0; i < i1 && from; i++)
            for (int j = j0; j < j1; j++)
                m->tile[(first + a * CLUMP_BIG_SQUARE + i) * width + first + b * CLUMP_BIG_SQUARE + j] =
                    from[CLUMP_BIG_TILE_PARTS * (i * CLUMP_BIG_SQUARE + j) + slot];
    }
    return (clump_relief){.tiles = n,
                          .width = width,
                          .straight = g->lows.straight,
                          .oblique = g->lows.oblique,
                          .tile = m->tile,
                          .cone = m->cone};
}

/* Copies the square in the middle of a relief back. */
static void put(const surface *s, size_t square, int slot, const clump_relief *r)
{
    int32_t *const to = s->ground->heights + s->ground->each * square;
    const int first = (r->width - CLUMP_BIG_SQUARE) / 2;
    for (int i = 0; i < CLUMP_BIG_SQUARE; i++)
        for (int j = 0; j < CLUMP_BIG_SQUARE; j++)
            to[CLUMP_BIG_TILE_PARTS * (i * CLUMP_BIG_SQUARE + j) + slot] = r->tile[(first + i) * r->width + first + j];
}

static void find_tiles(const surface *s, size_t square)
{
    int32_t *const heights = s->ground->heights + s->ground->each * square;
    for (size_t k = 0; k < CLUMP_BIG_SQUARE_LOWS; k += CLUMP_BIG_TILE_PARTS)
        heights[k] = clump_relief_low(heights + k, CLUMP_BIG_TILE_PARTS);
}

static void do_step(const surface *s, size_t square, surface_memory *m)
{
    static const int reads[SURFACE_STEPS] = {0, 0, 1, 2, 3, 0}, writes[SURFACE_STEPS] = {0, 1, 2, 3, 0, 0};
    if (s->step == 0) {
        find_tiles(s, square);
        return;
    }
    const bool cones = s->step == 2, alone = s->step == 5;
    const int ring = cones ? CLUMP_BIG_SQUARE : alone ? 0 : 1, n = cones ? 3 * CLUMP_BIG_SQUARE : CLUMP_BIG_SQUARE;
    const clump_relief r = gather(s, square, reads[s->step], ring, n, m);
    if (s->step == 1) clump_relief_drop_holes(&r);
    if (cones) clump_relief_find_cones(&r), clump_relief_drop_above_cones(&r);
    if (s->step == 3 || s->step == 4) clump_relief_fill_beside(&r);
    if (alone) clump_relief_fill_far(r.tile + r.width + 1, n, r.width, m->coarse);
    put(s, square, writes[s->step], &r);
}

static clump_status do_squares(void *arg, int worker, clump_message *message)
{
    (void)worker;
    surface *const s = arg;
    surface_memory *const m = malloc(sizeof *m);
    if (!m) return clump_big_no_memory(message, sizeof *m);
    while (!clump_big_stopped(s->workers)) {
        const size_t square = CLUMP_ADD(&s->next, 1);
        if (square >= s->ground->count) break;
        do_step(s, square, m);
    }
    free(m);
    return CLUMP_OK;
}

clump_status clump_big_ground_surface(clump_big_ground *g, clump_big_workers *workers, clump_message *message)
{
    surface s = {.ground = g, .workers = workers};
    for (s.step = 0; s.step < SURFACE_STEPS; s.step++) {
        s.next = 0;
        CLUMP_BIG_TRY(clump_big_workers_run(workers, do_squares, &s, message));
    }
    clump_big_ground_shrink(g);
    return CLUMP_OK;
}
