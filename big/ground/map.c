/* SPDX-License-Identifier: BSD-3-Clause
 *
 * map.c: see ground.h. Memory is reserved once for all squares that there may be, and becomes used where a square is added: so
 * heights never move, and threads may write to them while others add squares.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "ground/ground.h"

#include "common/assert.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MAP_SQUARE_BITS = 16, MAP_TILE_BITS = 10, MAP_FIRST_SLOTS = 1024 }; /* of places: 64 tiles, one tile */
#define MAP_MOST_PART ((int64_t)1 << 40)                                   /* places of steps fit 64 bits */
#define MAP_FARTHEST  0x1p52                                               /* units from 0 */

clump_status clump_big_ground_make(clump_big_ground *g, const clump_big_frame *frame, const clump_ground_options *o,
                                   size_t most, clump_message *message)
{
    const double parts = frame->step > 0 ? rint((double)o->tile / 2 / frame->step) : 1;
    *g = (clump_big_ground){.steps = frame->kind == CLUMP_FILE_FRAME_STEPS,
                            .part = parts < 1                       ? 1
                                    : parts < (double)MAP_MOST_PART ? (int64_t)parts
                                                                    : MAP_MOST_PART,
                            .step = frame->step,
                            .unit = (double)o->tile / CLUMP_BIG_TILE_UNITS,
                            .lows = clump_lows_of(o),
                            .sigma = (int32_t)(o->sigma * CLUMP_LOW_UNIT),
                            .most = most,
                            .each = CLUMP_BIG_SQUARE_LOWS,
                            .bytes = (most > 0 ? most : 1) * CLUMP_BIG_SQUARE_BYTES};
    memcpy(g->origin, frame->origin, sizeof g->origin);
    pthread_mutex_init(&g->lock, NULL);
    g->made = true;
    void *const memory =
        mmap(NULL, g->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    g->heights = memory != MAP_FAILED ? memory : NULL;
    g->key = clump_hash_key_make((uint64_t)(uintptr_t)memory);
    return g->heights ? CLUMP_OK : clump_big_no_memory(message, g->bytes);
}

void clump_big_ground_release(clump_big_ground *g)
{
    if (g->heights) munmap(g->heights, g->bytes);
    if (g->made) pthread_mutex_destroy(&g->lock);
    free(g->squares);
    free(g->table);
    *g = (clump_big_ground){0};
}

void clump_big_ground_shrink(clump_big_ground *g)
{
    CLUMP_ASSERT(g->each == CLUMP_BIG_SQUARE_LOWS && g->count <= g->most);
    const size_t tiles = g->count * CLUMP_BIG_SQUARE_TILES, page = 1 << 16; /* that of some machines */
    for (size_t k = 0; k < tiles; k++) g->heights[k] = g->heights[CLUMP_BIG_TILE_PARTS * k];
    const size_t kept = (tiles * sizeof *g->heights + page) / page * page;
    if (kept < g->bytes && munmap((unsigned char *)g->heights + kept, g->bytes - kept) == 0) g->bytes = kept;
    g->each = CLUMP_BIG_SQUARE_TILES;
}

/* ----- squares -------------------------------------------------------------------------------------------------------- */

/* Returns the slot of a square, or the empty one where it belongs. */
static size_t find_slot(const clump_big_ground *g, int64_t x, int64_t y)
{
    const uint32_t hash = clump_hash(g->key, (int32_t)x, (int32_t)y, (int32_t)(x >> 32), (uint32_t)(y >> 32));
    size_t slot = clump_hash_slot_masked(hash, (uint32_t)(g->slots - 1));
    for (; g->table[slot]; slot = (slot + 1) & (g->slots - 1)) {
        const clump_big_square *const s = &g->squares[g->table[slot] - 1];
        if (s->x == x && s->y == y) break;
    }
    return slot;
}

int32_t *clump_big_ground_find(const clump_big_ground *g, int64_t x, int64_t y)
{
    const uint32_t number = g->table ? g->table[find_slot(g, x, y)] : 0;
    return number > 0 && number <= g->most ? g->heights + g->each * (number - 1) : NULL;
}

/* Makes room for one square more. */
static clump_status grow(clump_big_ground *g, clump_message *message)
{
    if (g->count == g->room) {
        const size_t room = g->room > 0 ? 2 * g->room : MAP_FIRST_SLOTS / 2;
        clump_big_square *const squares = realloc(g->squares, room * sizeof *squares);
        if (!squares) return clump_big_no_memory(message, room * sizeof *squares);
        g->squares = squares, g->room = room;
    }
    if (2 * (g->count + 1) <= g->slots) return CLUMP_OK;
    const size_t slots = g->slots > 0 ? 2 * g->slots : MAP_FIRST_SLOTS;
    uint32_t *const table = calloc(slots, sizeof *table);
    if (!table) return clump_big_no_memory(message, slots * sizeof *table);
    free(g->table);
    g->table = table, g->slots = slots;
    for (size_t k = 0; k < g->count; k++) table[find_slot(g, g->squares[k].x, g->squares[k].y)] = (uint32_t)k + 1;
    return CLUMP_OK;
}

static clump_status add_square(clump_big_ground *g, int64_t x, int64_t y, int32_t **heights, clump_message *message)
{
    *heights = NULL;
    CLUMP_BIG_TRY(grow(g, message));
    const size_t slot = find_slot(g, x, y);
    if (g->table[slot] == 0) {
        if (g->count < g->most)
            for (size_t k = 0; k < g->each; k++) g->heights[g->each * g->count + k] = CLUMP_LOW_NONE;
        g->squares[g->count++] = (clump_big_square){x, y};
        g->table[slot] = (uint32_t)g->count;
    }
    const size_t number = g->table[slot];
    if (number <= g->most) *heights = g->heights + g->each * (number - 1);
    return CLUMP_OK;
}

clump_status clump_big_ground_add(clump_big_ground *g, int64_t x, int64_t y, int32_t **heights, clump_message *message)
{
    pthread_mutex_lock(&g->lock);
    const clump_status status = add_square(g, x, y, heights, message);
    pthread_mutex_unlock(&g->lock);
    return status;
}

/* ----- points --------------------------------------------------------------------------------------------------------- */

/* Returns the place of an integer along an axis: |step| is at most 2^53. The quotients of doubles are less than 1 off, which is
 * mended; the second is exact where it is truncated: side is at most 2^41, so what is no integer is 2^-41 away from one. */
static int64_t place_of_step(const clump_big_ground *g, int64_t step)
{
    const int64_t side = 2 * g->part;
    int64_t tile = (int64_t)floor((double)step / (double)side), rest = step - tile * side;
    if (rest < 0) tile--, rest += side;
    if (rest >= side) tile++, rest -= side;
    return tile * CLUMP_BIG_TILE_UNITS + (int64_t)((double)(rest * CLUMP_BIG_TILE_UNITS) / (double)side);
}

bool clump_big_ground_place(const clump_big_ground *g, const int64_t *steps, const float *xyz, size_t i,
                            clump_big_place *out)
{
    double z;
    if (g->steps) {
        const int64_t *const p = steps + 3 * i;
        if (p[0] == CLUMP_STEP_NONE || p[1] == CLUMP_STEP_NONE || p[2] == CLUMP_STEP_NONE) return false;
        out->u = place_of_step(g, p[0]), out->v = place_of_step(g, p[1]);
        z = (double)p[2] * g->step;
    } else {
        const double u = floor((g->origin[0] + (double)xyz[3 * i]) / g->unit);
        const double v = floor((g->origin[1] + (double)xyz[3 * i + 1]) / g->unit);
        if (!(fabs(u) < MAP_FARTHEST && fabs(v) < MAP_FARTHEST)) return false;
        out->u = (int64_t)u, out->v = (int64_t)v;
        z = g->origin[2] + (double)xyz[3 * i + 2];
    }
    if (!(fabs(z) < CLUMP_BIG_HIGHEST)) return false;
    out->height = (int32_t)floor(z * CLUMP_LOW_UNIT);
    return true;
}

/* Returns the surface of a tile. */
static int32_t height_of_tile(const clump_big_ground *g, int64_t i, int64_t j, const clump_big_square_cursor *at)
{
    const int64_t x = i >> (MAP_SQUARE_BITS - MAP_TILE_BITS), y = j >> (MAP_SQUARE_BITS - MAP_TILE_BITS);
    const bool here = x == at->square.x && y == at->square.y;
    const int32_t *const heights = here ? at->heights : clump_big_ground_find(g, x, y);
    const size_t row = (size_t)(i & (CLUMP_BIG_SQUARE - 1)), column = (size_t)(j & (CLUMP_BIG_SQUARE - 1));
    return heights ? heights[row * CLUMP_BIG_SQUARE + column] : CLUMP_LOW_NONE;
}

bool clump_big_ground_takes(const clump_big_ground *g, const clump_big_place *p, clump_big_square_cursor *at)
{
    CLUMP_ASSERT(g->each == CLUMP_BIG_SQUARE_TILES);
    const int64_t x = p->u >> MAP_SQUARE_BITS, y = p->v >> MAP_SQUARE_BITS;
    if (!at->heights || at->square.x != x || at->square.y != y)
        *at = (clump_big_square_cursor){{x, y}, clump_big_ground_find(g, x, y)};
    if (height_of_tile(g, p->u >> MAP_TILE_BITS, p->v >> MAP_TILE_BITS, at) == CLUMP_LOW_NONE) return false;
    /* of the four middles of tiles around the place, those that have a height; their weights are at most 2^20 */
    const int64_t u = p->u - CLUMP_BIG_TILE_UNITS / 2, v = p->v - CLUMP_BIG_TILE_UNITS / 2;
    const int64_t part_u = u & (CLUMP_BIG_TILE_UNITS - 1), part_v = v & (CLUMP_BIG_TILE_UNITS - 1);
    int64_t weights = 0, sum = 0;
    for (int k = 0; k < 4; k++) {
        const int32_t z = height_of_tile(g, (u >> MAP_TILE_BITS) + k / 2, (v >> MAP_TILE_BITS) + k % 2, at);
        const int64_t along_u = k / 2 ? part_u : CLUMP_BIG_TILE_UNITS - part_u;
        const int64_t along_v = k % 2 ? part_v : CLUMP_BIG_TILE_UNITS - part_v;
        if (z == CLUMP_LOW_NONE) continue;
        weights += along_u * along_v;
        sum += along_u * along_v * z;
    }
    return p->height * weights < sum + g->sigma * weights;
}
