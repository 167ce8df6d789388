/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density_work.h: for density.c and density_dense.c: the cells around a cell, and counting neighbours in a cell.
 */
#ifndef CLUMP_CPU_DBSCAN_DENSITY_WORK_H
#define CLUMP_CPU_DBSCAN_DENSITY_WORK_H

#include "common/simd.h"
#include "cpu/dbscan/density.h"
#include "cpu/grid/reach.h"

/* ----- what is around a cell ----------------------------------------------------------------------- */

/* A block and the 26 around it, which are looked up when they are first needed. */
typedef struct surroundings {
    const clump_blocks *b;
    const clump_block *mid;
    uint32_t known;               /* one bit per block: whether it was looked up */
    const clump_block *block[27]; /* null: there is no such block */
} surroundings;

static inline const clump_block *block_at(surroundings *s, clump_offset o)
{
    const unsigned k = (unsigned)(o.x + 1 + 3 * (o.y + 1) + 9 * (o.z + 1));
    if (!(s->known >> k & 1)) {
        const uint32_t id = clump_blocks_find(s->b, s->mid->x + o.x, s->mid->y + o.y, s->mid->z + o.z);
        s->block[k] = id == CLUMP_NO_BLOCK ? NULL : &s->b->block[id];
        s->known |= 1u << k;
    }
    return s->block[k];
}

/* Prefetches the slots of the hash table that a block in a sparse cloud will look up. They are scattered in memory. */
static inline void prefetch_around(const clump_blocks *b, uint32_t id)
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

/* Cell c of the block in the middle, which is occupied. */
static inline clump_rep *cell_of(const surroundings *s, unsigned c)
{
    CLUMP_ASSERT(s->mid->cells >> c & 1);
    return &s->b->rep[clump_cell_number(s->mid, c)];
}

/* The surroundings of a block. Prefetches for the block four ahead. */
static inline surroundings around_block(const clump_blocks *b, uint32_t id)
{
    prefetch_around(b, id + 4);
    surroundings s = {.b = b, .mid = &b->block[id], .known = 1u << 13};
    s.block[13] = s.mid;
    return s;
}

/* A walk over the cells around a cell: first those that touch it, then those two steps away. In both groups the own
 * block comes first. On each axis a cell reaches only over the nearer side of its block, so eight blocks suffice. */
typedef struct ring {
    surroundings *s;
    unsigned cell, step; /* of 16 */
    const clump_block *block;
    uint64_t cells; /* of `block`, not yet visited */
} ring;

static inline ring ring_of(surroundings *s, unsigned cell)
{
    return (ring){.s = s, .cell = cell};
}

/* The next cell; null when there is none. */
static inline clump_rep *next_cell(ring *r)
{
    static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7}; /* own block, faces, edges, corner */
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

/* What the box of a cell decides about a point. */
static inline clump_verdict box_verdict(const clump_density *d, clump_point p, const clump_rep *cell)
{
    if (!d->box || cell->count < CLUMP_BOXED) return CLUMP_SOME_NEAR;
    return clump_box_verdict(p, &d->box[cell->begin / CLUMP_BOXED], d->bound);
}

/* The number of points of a cell within eps of p. Stops at `needed` or up to three more. */
static inline size_t count_points(const clump_density *d, clump_point p, const clump_rep *cell, size_t needed)
{
    const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z),
                   limit = clump_f4_set(d->bound);
    const uint32_t end = cell->begin + cell->count;
    size_t neighbours = 0;
    for (uint32_t i = cell->begin; i < end && neighbours < needed; i += 4) { /* reads up to three entries of padding */
        clump_f4 x, y, z;
        clump_f4_load_points(&d->points[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
        const unsigned there = end - i < 4 ? (1u << (end - i)) - 1 : 15;
        neighbours += clump_popcount(clump_f4_less(d2, limit) & there);
    }
    return neighbours;
}

/* count_points(), or, if the box of the cell decides, all its points or none. */
static inline size_t count_within(const clump_density *d, clump_point p, const clump_rep *cell, size_t needed)
{
    const clump_verdict verdict = box_verdict(d, p, cell);
    if (verdict != CLUMP_SOME_NEAR) return verdict == CLUMP_ALL_NEAR ? cell->count : 0;
    return count_points(d, p, cell, needed);
}

/* Whether a core point of a cell is within eps of p. */
static inline bool core_within(const clump_density *d, const uint8_t *core, clump_point p, const clump_rep *cell)
{
    if (cell->count >= d->min_points) return count_within(d, p, cell, 1) > 0; /* all core */
    if (box_verdict(d, p, cell) == CLUMP_NONE_NEAR) return false;
    for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
        const clump_point q = d->points[i];
        if (core[q.more] && clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < d->bound) return true;
    }
    return false;
}

/* ----- dense cells (density_dense.c) ----------------------------------------------------------------- */

/* From this many points on a thin cell is dense. */
#define CLUMP_DENSE_CELL 128

static inline bool is_dense(const clump_density *d, const clump_rep *cell)
{
    return cell->count >= CLUMP_DENSE_CELL && cell->count < d->min_points;
}

/* Scratch memory of one thread, for the points of two cells. */
typedef struct clump_dense_scratch {
    clump_point *open, *other;   /* d->room points in both together */
    uint32_t *neighbours, *best; /* d->room entries each */
} clump_dense_scratch;

/* Marks the core points of a dense cell. Returns the work: pairs tested and points read. */
size_t clump_dense_core(const clump_density *d, const clump_dense_scratch *h, surroundings *s, unsigned c,
                        uint8_t *core);

/* Gives labels to the border points of a dense cell and returns the number given. Adds to *work. */
size_t clump_dense_border(const clump_density *d, const clump_dense_scratch *h, surroundings *s, unsigned c,
                          const uint8_t *core, int32_t *labels, size_t *work);

#endif
