/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_work.h: what the steps of ranged_shells.h share while a level is joined: which cells of two blocks can hold
 * neighbours, and tests of points against points and boxes.
 */
#ifndef CLUMP_CPU_RANGED_SHELLS_WORK_H
#define CLUMP_CPU_RANGED_SHELLS_WORK_H

#include "common/lanes.h"
#include "core/work.h"
#include "cpu/grid/reach.h"
#include "cpu/ranged/ranged_shells.h"

/* Bits of a note: bit k below SHELL_INSIDE: the pair with entry k of clump_ahead is open. */
enum {
    SHELL_INSIDE = CLUMP_INSIDE,   /* pairs of cells of the block itself are open */
    SHELL_NEXT = SHELL_INSIDE + 1, /* the first of eight: the pair with that block of the next shell is open */
    SHELL_BITS = SHELL_NEXT + 8    /* number of bits */
};

typedef struct clump_shell_work {
    clump_team *team; /* polled where cells are large */
    clump_shells *s;
    clump_shell_level *at; /* the level that is being joined */
    int level;
    bool halved;              /* the blocks of `at` are joined by the radii of the level below (shells_light.c) */
    clump_shell_points point; /* as in clump_shells */
    uint32_t *parent;
    int open, heavy;               /* some block has a note; some open pair is for trees */
    struct clump_shell_tree *tree; /* per cell, while trees are in use */
    clump_ranged_node *node;
    clump_point *copy;    /* the points of trees */
    clump_point *scratch; /* `room` points per thread */
    size_t room;
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

/* The blocks below block id of level k >= 1: from its place up to, not including, this one. */
static inline uint32_t clump_shell_end_below(const clump_shells *s, int k, uint32_t id)
{
    const clump_table *const t = &s->level[k].table;
    return id + 1 < t->count ? (uint32_t)t->block[id + 1].place : s->level[k - 1].table.count;
}

/* A pair of blocks, and where the second lies, seen from the first. */
typedef struct clump_shell_pair {
    clump_shell_ref a, b;
    const clump_ahead_entry *ahead; /* null: b is in the next shell */
    unsigned reach;                 /* cells that neighbours are apart at most; not used in the next shell */
} clump_shell_pair;

/* A block that may hold neighbours, and the bit of a note for the pair with it. */
typedef struct clump_shell_ahead {
    uint32_t id;
    uint32_t bit;
} clump_shell_ahead;

/* Lists the blocks ahead of a block and of the next shell that have cells within reach of its own, at most
 * SHELL_BITS. Returns their number. */
unsigned clump_shell_find_ahead(const clump_shell_work *w, clump_shell_ref a, clump_shell_ahead *list);

/* Returns the pair of a and block id, which is at bit k of a's note. */
static inline clump_shell_pair clump_shell_pair_with(const clump_shell_work *w, clump_shell_ref a, uint32_t id,
                                                     unsigned k)
{
    clump_shell_pair p = {.a = a, .b = clump_shell_ref_of(w, id), .ahead = k < SHELL_NEXT ? &clump_ahead[k] : NULL};
    p.reach = p.a.is->reach < p.b.is->reach ? p.a.is->reach : p.b.is->reach;
    return p;
}

/* Returns the pair of block id and the block at bit k of its note, which exists. */
clump_shell_pair clump_shell_pair_of(const clump_shell_work *w, uint32_t id, unsigned k);

/* The blocks that may hold neighbours of points of a block, in both directions: itself first, then the blocks around it,
 * then those of the shells beside. */
typedef struct clump_shell_beside {
    unsigned count;
    size_t points; /* of all blocks */
    struct clump_shell_near {
        uint32_t id;
        clump_offset offset;
        uint8_t reach; /* cells that neighbours are apart at most; 0: the block is in another shell */
    } block[27 + 8 + 64];
} clump_shell_beside;

/* Lists those of a grid with one level. The block itself may be in another grid of the same job. */
void clump_shell_list_beside(const clump_shells *s, const clump_shell_level *at, clump_shell_ref a,
                             clump_shell_beside *list);

/* The cells of a listed block that can hold neighbours of points in cell c of the block itself. */
uint64_t clump_shell_reach_beside(const clump_shell_level *at, const struct clump_shell_near *b, unsigned c);

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

/* A point in all lanes. */
typedef struct clump_shell_query {
    clump_f4 x, y, z, bound;
} clump_shell_query;

static inline clump_shell_query clump_shell_query_of(clump_shell_points p, size_t i)
{
    return (clump_shell_query){clump_f4_set(p.x[i]), clump_f4_set(p.y[i]), clump_f4_set(p.z[i]),
                               clump_f4_set(p.bound[i])};
}

/* Which of the four points from i on are neighbours of q: a mask. */
static inline clump_i4 clump_shell_four(const clump_shell_query *q, clump_shell_points p, size_t i)
{
    const clump_f4 x = clump_f4_sub(q->x, clump_f4_load(p.x + i)), y = clump_f4_sub(q->y, clump_f4_load(p.y + i));
    const clump_f4 z = clump_f4_sub(q->z, clump_f4_load(p.z + i));
    return clump_f4_is_less(clump_f4_distance_squared(x, y, z), clump_f4_min(q->bound, clump_f4_load(p.bound + i)));
}

/* Bits 4 g ... 4 g + 3, one per lane: masks of up to eight groups of points are collected in one vector, because a sum
 * over lanes takes longer than a test of four points. */
extern const int32_t clump_shell_lane[8][4];

/* Which of the 1 <= n <= 64 points from `begin` on are neighbours of q. Reads up to three points past the last. */
static inline uint64_t clump_shell_row(const clump_shell_query *q, clump_shell_points p, size_t begin, unsigned n)
{
    CLUMP_ASSERT(n >= 1 && n <= 64);
    uint64_t hits = 0;
    for (unsigned base = 0; base < n; base += 32) {
        clump_i4 sum = clump_i4_set(0);
        for (unsigned g = 0; g < 8 && base + 4 * g < n; g++)
            sum = clump_i4_or(
                sum, clump_i4_and(clump_shell_four(q, p, begin + base + 4 * g), clump_i4_load(clump_shell_lane[g])));
        hits |= (uint64_t)(uint32_t)clump_i4_sum(sum) << base;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

/* As clump_shell_row(), for those of the 64 points from `begin` on that are in `wanted`, which is not 0. Tests only the span
 * of points from the first to the last that is wanted. */
static inline uint64_t clump_shell_row_of(const clump_shell_query *q, clump_shell_points p, size_t begin,
                                          uint64_t wanted)
{
    const unsigned first = clump_lowest(wanted), last = clump_highest(wanted);
    return clump_shell_row(q, p, begin + first, last - first + 1) << first & wanted;
}

/* The box of the n >= 1 points from `begin` on, and their largest bound. */
clump_ranged_node clump_shell_box(clump_shell_points p, size_t begin, size_t n);

/* Which of the 1 <= n <= 64 points from `begin` on are not too far from a box to have a neighbour in it. */
uint64_t clump_shell_near_box(clump_shell_points p, size_t begin, unsigned n, const clump_ranged_node *box);

/* Whether the na points from a on and the nb points from b on hold neighbours. box_b is the box of the latter. */
bool clump_shell_spans_near(clump_shell_points p, size_t a, size_t na, size_t b, size_t nb,
                            const clump_ranged_node *box_b);

/* Whether the boxes show that two sets of points hold no neighbours. */
static inline bool clump_shell_apart(const clump_ranged_node *a, const clump_ranged_node *b)
{
    return !(clump_ranged_gap_squared(a, b) < (a->most < b->most ? a->most : b->most));
}

/* Joins the points of a block among themselves. */
void clump_shell_join_inside(clump_shell_work *w, uint32_t id);

/* Level 0: makes the sets of 1 <= n <= 64 points from `first` on. Returns whether there are several. */
bool clump_shell_begin_points(const clump_shell_work *w, uint32_t first, unsigned n);

/* Joins two blocks by all pairs of their points; `whole`: each is one set. */
void clump_shell_join_points(const clump_shell_work *w, const clump_shell_pair *p, bool whole);

/* Joins a block with the blocks ahead of it. With light_done, pairs of two blocks below light ones are left out. */
void clump_shell_join_block(clump_shell_work *w, uint32_t id, const clump_shell_level *light_done);

#define CLUMP_SHELL_LIGHT 64 /* a block with at most this many points is light */

static inline bool clump_shell_is_light(const clump_shell_block *b)
{
    return b->count <= CLUMP_SHELL_LIGHT;
}

/* The first two steps of level 0 where there are levels above (shells_light.c). */
clump_status clump_shells_light(clump_work *work, clump_shell_work *w, int threads);

/* The steps, in ranged_shells.h. */
clump_status clump_shells_inside(clump_work *work, clump_shell_work *w, int threads);
clump_status clump_shells_join(clump_work *work, clump_shell_work *w, int threads);
clump_status clump_shells_open(clump_work *work, clump_shell_work *w, int threads);

/* Fills a block of level 0 or 1: box, points, reach, edge. */
void clump_shell_fill(const clump_shells *s, const clump_shell_level *at, uint32_t id);

/* Makes the grid of all levels (shells_build.c). The labels of the job become the cell of level 0 per point. */
clump_status clump_shells_build(clump_work *work, clump_shells *s, clump_blocks *b, const clump_cloud_job *job,
                                int threads);

/* Makes the grid of the `count` points that are wanted, from one of a single level with index[], which must stay. Blocks and
 * cells keep their order. The labels become cells. */
clump_status clump_shells_pick(clump_work *work, clump_shells *s, const clump_shells *from, const uint8_t *wanted,
                               size_t count, int32_t *labels, int threads);

/* Joins the points of a grid at level 0, and numbers the clusters. */
clump_status clump_shells_finest(clump_work *work, clump_shells *s, size_t points, int32_t *labels, int threads,
                                 int32_t *clusters, double *joined);

/* As clump_shells_build(), with the rule and the limits of the job, and with index[] where it is wanted. *done becomes
 * false, and nothing is made, where a point is too far from the origin. */
clump_status clump_shells_begin(clump_work *work, clump_shells *s, clump_blocks *blocks, const clump_cloud_job *job,
                                int levels, bool indexed, int threads, bool *done);

#endif
