/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_work.h: what the steps of ranged_shells.h share while a level is joined: which cells of two blocks can hold
 * neighbours, and tests of points against points and boxes.
 */
#ifndef CLUMP_CPU_RANGED_SHELLS_WORK_H
#define CLUMP_CPU_RANGED_SHELLS_WORK_H

#include "common/simd.h"
#include "core/context.h"
#include "cpu/grid/reach.h"
#include "cpu/ranged/ranged_shells.h"

/* Bits of a note: bit k below SHELL_INSIDE: the pair with entry k of clump_ahead is open. */
enum {
    SHELL_INSIDE = CLUMP_INSIDE,     /* pairs of cells of the block itself are open */
    SHELL_NEXT = SHELL_INSIDE + 1,   /* the first of eight: the pair with that block of the next shell is open */
    SHELL_OPEN_BITS = SHELL_NEXT + 8 /* number of bits for open pairs */
};
#define SHELL_HEAVY (1u << SHELL_OPEN_BITS) /* some open pair is for trees */

typedef struct clump_shell_work {
    clump_shells *s;
    clump_shell_level *at; /* the level that is being joined */
    int level;
    clump_point *point; /* as in clump_shells */
    uint32_t *parent;
    int open, heavy; /* some block has a note; some note is SHELL_HEAVY */
    uint32_t *tree;  /* per cell: first node, while trees are in use */
    clump_ranged_node *node;
} clump_shell_work;

/* A block of the level that is being joined: its place and what it holds. */
typedef struct clump_shell_ref {
    const clump_block *at;
    clump_shell_block *is;
} clump_shell_ref;

static inline clump_shell_ref clump_shell_ref_of(const clump_shell_work *w, uint32_t id)
{
    return (clump_shell_ref){&w->at->table.block[id], &w->at->block[id]};
}

/* A pair of blocks, and where the second lies, seen from the first. */
typedef struct clump_shell_pair {
    clump_shell_ref a, b;
    const clump_ahead_entry *ahead; /* null: b is in the next shell */
    unsigned reach;                 /* cells that neighbours are apart at most; not used in the next shell */
} clump_shell_pair;

/* Returns the pair of block id and the block at bit k of a note, of which b.at is null where there is no such block. */
clump_shell_pair clump_shell_pair_of(const clump_shell_work *w, uint32_t id, unsigned k);

/* The cells of b that can hold neighbours of cell c of a. */
uint64_t clump_shell_reach(const clump_shell_pair *p, unsigned c);

/* The set of a cell, by its number. */
static inline uint32_t clump_shell_set(const clump_shell_work *w, uint32_t cell)
{
    return clump_find(w->parent, w->at->begin[cell]);
}

/* Whether the points of a block are in more than one set by now. */
static inline bool clump_shell_is_split(const clump_shell_work *w, clump_shell_ref b)
{
    if (!b.is->split) return false;
    const uint32_t end = b.at->first + clump_popcount(b.at->cells), set = clump_shell_set(w, b.at->first);
    for (uint32_t c = b.at->first + 1; c < end; c++)
        if (clump_shell_set(w, c) != set) return true;
    return false;
}

/* A point in all lanes: x, y, z, bound. */
typedef struct clump_shell_query {
    clump_f4 x, y, z, bound;
} clump_shell_query;

static inline clump_shell_query clump_shell_query_of(clump_point p)
{
    return (clump_shell_query){clump_f4_set(p.x), clump_f4_set(p.y), clump_f4_set(p.z),
                               clump_f4_set(clump_ranged_bound(p))};
}

/* Which of four points are neighbours of p, one bit each. */
static inline unsigned clump_shell_four(const clump_shell_query *p, const clump_point *four)
{
    clump_f4 x, y, z, bound;
    clump_f4_load_fours(&four->x, &x, &y, &z, &bound);
    x = clump_f4_sub(p->x, x), y = clump_f4_sub(p->y, y), z = clump_f4_sub(p->z, z);
    return clump_f4_less(clump_f4_distance_squared(x, y, z), clump_f4_min(bound, p->bound));
}

/* Which of 1 <= n <= 64 points are neighbours of p. Reads up to three points past the last. */
static inline uint64_t clump_shell_row(const clump_shell_query *p, const clump_point *points, unsigned n)
{
    CLUMP_ASSERT(n >= 1 && n <= 64);
    uint64_t hits = 0;
    for (unsigned i = 0; i < n; i += 4) hits |= (uint64_t)clump_shell_four(p, points + i) << i;
    return hits & (UINT64_MAX >> (64 - n));
}

/* Which of 1 <= n <= 64 points are not too far from a box to have a neighbour in it. */
uint64_t clump_shell_beside(const clump_point *points, unsigned n, const clump_ranged_node *box);

/* Whether two sets of points hold neighbours. box_b is the box of b. */
bool clump_shell_spans_near(const clump_point *a, size_t na, const clump_point *b, size_t nb,
                            const clump_ranged_node *box_b);

/* Whether the boxes show that two sets of points hold no neighbours. */
static inline bool clump_shell_apart(const clump_ranged_node *a, const clump_ranged_node *b)
{
    return !(clump_ranged_gap_squared(a, b) < (a->most < b->most ? a->most : b->most));
}

/* The steps, in ranged_shells.h. */
clump_status clump_shells_inside(clump_context *ctx, clump_shell_work *w, int threads);
clump_status clump_shells_join(clump_context *ctx, clump_shell_work *w, int threads);
clump_status clump_shells_open(clump_context *ctx, clump_shell_work *w, int threads);

/* Makes the grid of all levels (shells_build.c). The labels of the job become the cell of level 0 per point. */
clump_status clump_shells_build(clump_context *ctx, clump_shells *s, clump_blocks *b, const clump_cloud_job *job,
                                int threads);

#endif
