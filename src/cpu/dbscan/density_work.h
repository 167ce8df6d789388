/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density_work.h: what density.c and density_heavy.c share: the cells around a cell, and counting in one of them.
 */
#ifndef CLUMP_CPU_DBSCAN_DENSITY_WORK_H
#define CLUMP_CPU_DBSCAN_DENSITY_WORK_H

#include "common/simd.h"
#include "cpu/dbscan/density.h"
#include "cpu/grid/reach.h"

/* ----- what is around a cell ----------------------------------------------------------------------- */

/* A block and those around it, looked up when they are first needed. */
typedef struct surroundings {
    const clump_blocks *b;
    const clump_block *mid;
    uint32_t looked;              /* a bit for each of the 27 that has been */
    const clump_block *block[27]; /* null: not there */
} surroundings;

static inline const clump_block *block_at(surroundings *s, clump_offset o)
{
    const unsigned k = (unsigned)(o.x + 1 + 3 * (o.y + 1) + 9 * (o.z + 1));
    if (!(s->looked >> k & 1)) {
        const uint32_t id = clump_blocks_find(s->b, s->mid->x + o.x, s->mid->y + o.y, s->mid->z + o.z);
        s->block[k] = id == CLUMP_NO_BLOCK ? NULL : &s->b->block[id];
        s->looked |= 1u << k;
    }
    return s->block[k];
}

/* What a block in a sparse cloud will look up: the places in the table come from all over the memory, so they are
 * asked for some blocks ahead. */
static inline void look_ahead(const clump_blocks *b, uint32_t id)
{
    if (id >= b->block_count) return;
    const clump_block *const k = &b->block[id];
    const unsigned c = clump_lowest(k->cells);
    const int x = (c & 3) < 2 ? -1 : 1, y = (c >> 2 & 3) < 2 ? -1 : 1, z = (c >> 4) < 2 ? -1 : 1;
    for (int sides = 1; sides < 8; sides++) {
        const uint32_t s =
            clump_blocks_slot(b, k->x + (sides & 1 ? x : 0), k->y + (sides & 2 ? y : 0), k->z + (sides & 4 ? z : 0));
        __builtin_prefetch(&b->slot[s]);
    }
}

static inline surroundings around_block(const clump_blocks *b, uint32_t id)
{
    look_ahead(b, id + 4);
    surroundings s = {.b = b, .mid = &b->block[id], .looked = 1u << 13};
    s.block[13] = s.mid;
    return s;
}

/* The cells around one, group by group: first those that touch it, then those two steps away; and in both its own
 * block before the others. A cell reaches over one side of its block on each axis, the nearer one, so eight blocks are
 * all that matter. */
typedef struct ring {
    surroundings *s;
    unsigned cell, step; /* of 16 */
    const clump_block *block;
    uint64_t cells; /* of that block, not yet visited */
} ring;

static inline ring ring_of(surroundings *s, unsigned cell)
{
    return (ring){.s = s, .cell = cell};
}

/* The next cell, or null. */
static inline clump_rep *next_cell(ring *r)
{
    static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7}; /* itself, faces, edges, corner */
    while (!r->cells) {
        if (r->step == 16) return NULL;
        const unsigned c = r->cell, sides = order[r->step & 7], further = r->step >> 3;
        r->step++;
        const clump_offset o = {(int8_t)(sides & 1 ? ((c & 3) < 2 ? -1 : 1) : 0),
                                (int8_t)(sides & 2 ? ((c >> 2 & 3) < 2 ? -1 : 1) : 0),
                                (int8_t)(sides & 4 ? ((c >> 4) < 2 ? -1 : 1) : 0)};
        const uint64_t touch = clump_touch(c, o), wanted = further ? clump_reach(c, o) & ~touch : touch;
        if (!wanted || !(r->block = block_at(r->s, o))) continue;
        r->cells = r->block->cells & wanted;
        if (sides == 0) r->cells &= ~((uint64_t)1 << c);
    }
    const unsigned lowest = clump_lowest(r->cells);
    r->cells &= r->cells - 1;
    return &r->s->b->rep[clump_cell_number(r->block, lowest)];
}

/* ----- counting in a cell -------------------------------------------------------------------------- */

/* What the box of a cell tells about a point. */
static inline clump_verdict ask_box(const clump_density *d, clump_point p, const clump_rep *cell)
{
    if (!d->box || cell->count < CLUMP_BOXED) return CLUMP_SOME_NEAR;
    return clump_box_verdict(p, &d->box[cell->begin / CLUMP_BOXED], d->bound);
}

/* How many points of a cell are within eps of p, or as many as are needed. */
static inline size_t count_points(const clump_density *d, clump_point p, const clump_rep *cell, size_t needed)
{
    const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z),
                   limit = clump_f4_set(d->bound);
    const uint32_t end = cell->begin + cell->count;
    size_t near = 0;
    for (uint32_t i = cell->begin; i < end && near < needed; i += 4) { /* three more than there are may be read */
        clump_f4 x, y, z;
        clump_f4_load_points(&d->points[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
        const unsigned there = end - i < 4 ? (1u << (end - i)) - 1 : 15;
        near += clump_popcount(clump_f4_less(d2, limit) & there);
    }
    return near;
}

/* The same, with a look at the box of the cell first. */
static inline size_t count_near(const clump_density *d, clump_point p, const clump_rep *cell, size_t needed)
{
    const clump_verdict told = ask_box(d, p, cell);
    if (told != CLUMP_SOME_NEAR) return told == CLUMP_ALL_NEAR ? cell->count : 0;
    return count_points(d, p, cell, needed);
}

/* Whether a core point of a cell is within eps of p. */
static inline bool core_near(const clump_density *d, const uint8_t *core, clump_point p, const clump_rep *cell)
{
    if (cell->count >= d->min_points) return count_near(d, p, cell, 1) > 0; /* all core */
    if (ask_box(d, p, cell) == CLUMP_NONE_NEAR) return false;
    for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
        const clump_point q = d->points[i];
        if (core[q.more] && clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < d->bound) return true;
    }
    return false;
}

/* ----- cells with many points (density_heavy.c) ----------------------------------------------------- */

/* From this many points on a thin cell is heavy. */
#define CLUMP_HEAVY 128

static inline bool is_heavy(const clump_density *d, const clump_rep *cell)
{
    return cell->count >= CLUMP_HEAVY && cell->count < d->min_points;
}

/* Scratch memory of one thread, for points of two cells. */
typedef struct clump_heavy {
    clump_point *open, *other; /* together d->room points */
    uint32_t *near, *best;     /* d->room of each */
} clump_heavy;

/* Marks the core points of a heavy cell. Returns the work: pairs tested and points looked at. */
size_t clump_heavy_core(const clump_density *d, const clump_heavy *h, surroundings *s, unsigned c, uint8_t *core);

/* Gives labels to the border points of a heavy cell, and returns how many it gave. Adds to *work. */
size_t clump_heavy_border(const clump_density *d, const clump_heavy *h, surroundings *s, unsigned c,
                          const uint8_t *core, int32_t *labels, size_t *work);

#endif
