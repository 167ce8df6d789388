/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_box.h: boxes and trees of points with a bound each (ranged_tree.c). Two points are neighbours when d2 is below the
 * smaller of their bounds.
 */
#ifndef CLUMP_CPU_RANGED_RANGED_BOX_H
#define CLUMP_CPU_RANGED_RANGED_BOX_H

#include "common/bits.h"
#include "common/lanes.h"
#include "common/team.h"
#include "cpu/shared/points.h"
#include "rules/distance.h"

#include <string.h>

/* The bound of a point, from `more`. */
static inline float clump_ranged_bound(clump_point p)
{
    float bound;
    memcpy(&bound, &p.more, sizeof bound);
    return bound;
}

/* The tight box of some points, and their least and largest bound. */
typedef struct clump_ranged_node {
    union {
        struct {
            float lower[3], least;
        };
        float low[4]; /* in the order of a clump_point, so that one vector minimum does all four */
    };
    union {
        struct {
            float upper[3], most;
        };
        float high[4];
    };
} clump_ranged_node;

/* The tight box and the bounds of n points, n >= 1. */
static inline clump_ranged_node clump_ranged_box_of(const clump_point *p, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    clump_f4 low = clump_f4_load(&p->x), high = low;
    for (size_t i = 1; i < n; i++) {
        const clump_f4 here = clump_f4_load(&p[i].x);
        low = clump_f4_min(low, here), high = clump_f4_max(high, here);
    }
    clump_ranged_node box;
    clump_f4_store(box.low, low), clump_f4_store(box.high, high);
    return box;
}

/* Widens a box, and its bounds, by another. */
static inline void clump_ranged_widen(clump_ranged_node *box, const clump_ranged_node *by)
{
    clump_f4_store(box->low, clump_f4_min(clump_f4_load(box->low), clump_f4_load(by->low)));
    clump_f4_store(box->high, clump_f4_max(clump_f4_load(box->high), clump_f4_load(by->high)));
}

/* The least squared distance of points of two boxes. */
static inline float clump_ranged_gap_squared(const clump_ranged_node *a, const clump_ranged_node *b)
{
    const clump_f4 up = clump_f4_sub(clump_f4_load(b->low), clump_f4_load(a->high));
    const clump_f4 down = clump_f4_sub(clump_f4_load(a->low), clump_f4_load(b->high));
    const clump_f4 larger = clump_f4_max(clump_f4_max(up, down), clump_f4_set(0));
    return clump_f4_sum_xyz(clump_f4_mul(larger, larger)); /* in the order of rules/distance.h */
}

/* The largest squared distance of points of two boxes. */
static inline float clump_ranged_span_squared(const clump_ranged_node *a, const clump_ranged_node *b)
{
    const clump_f4 up = clump_f4_sub(clump_f4_load(b->high), clump_f4_load(a->low));
    const clump_f4 down = clump_f4_sub(clump_f4_load(a->high), clump_f4_load(b->low));
    const clump_f4 larger = clump_f4_max(up, down);
    return clump_f4_sum_xyz(clump_f4_mul(larger, larger));
}

/* ----- trees ------------------------------------------------------------------------------------------ */

#define CLUMP_RANGED_LEAF 32 /* most points per leaf; a leaf of a tree with several has more than 16 */

typedef struct clump_ranged_boxes {
    const clump_ranged_node *node;
    const clump_point *point; /* in the order of the tree */
    size_t count;
    unsigned depth;
} clump_ranged_boxes;

/* Part j of 2^k of a tree. */
typedef struct clump_ranged_part {
    const clump_ranged_boxes *of;
    size_t j;
    unsigned k;
} clump_ranged_part;

static inline size_t clump_ranged_node_of(const clump_ranged_part *a)
{
    return ((size_t)1 << a->k) - 1 + a->j;
}

static inline const clump_ranged_node *clump_ranged_box_at(const clump_ranged_part *a)
{
    return &a->of->node[clump_ranged_node_of(a)];
}

static inline size_t clump_ranged_first_of(const clump_ranged_part *a)
{
    return (a->of->count * a->j) >> a->k;
}

static inline size_t clump_ranged_size_of(const clump_ranged_part *a)
{
    return ((a->of->count * (a->j + 1)) >> a->k) - clump_ranged_first_of(a);
}

static inline const clump_point *clump_ranged_points_of(const clump_ranged_part *a)
{
    return a->of->point + clump_ranged_first_of(a);
}

static inline bool clump_ranged_is_leaf(const clump_ranged_part *a)
{
    return a->k == a->of->depth;
}

/* Half 0 or 1 of a part that is no leaf. */
static inline clump_ranged_part clump_ranged_half(const clump_ranged_part *a, size_t half)
{
    return (clump_ranged_part){a->of, 2 * a->j + half, a->k + 1};
}

/* The number of nodes of a tree of n points. */
size_t clump_ranged_tree_nodes(size_t n);

/* Builds a tree of n >= 1 points, which are put into another order, with their entries of index[] unless it is null. Polls
 * `team`; the tree must not be read after a cancellation. */
void clump_ranged_tree_build(clump_ranged_node *nodes, clump_point *p, uint32_t *index, size_t n, clump_team *team);

/* The tree that was built of n points. */
clump_ranged_boxes clump_ranged_tree_of(const clump_ranged_node *nodes, const clump_point *p, size_t n);

/* What a search of pairs needs: memory for the points of both sets, and a team to poll. */
typedef struct clump_ranged_search {
    clump_point *scratch;
    clump_team *team;
    size_t work; /* for tests: pairs tested and points looked at; added to */
} clump_ranged_search;

/* Whether two sets can be searched by clump_ranged_parts_near() and by the sieve: the bounds of a set differ by a factor of
 * at most 2^8, and its box is less than 5 times as wide as the root of the largest. */
static inline bool clump_ranged_is_compact(const clump_ranged_node *box)
{
    return box->most <= 0x1p8f * box->least && clump_ranged_span_squared(box, box) < 24 * box->most;
}

/* Whether two compact parts hold neighbours of each other. */
bool clump_ranged_parts_near(const clump_ranged_part *a, const clump_ranged_part *b, clump_ranged_search *search);

/* The number of n points that are neighbours of p. Stops at `needed` or up to three more. Reads up to three points past the
 * last. */
size_t clump_ranged_count_points(clump_point p, const clump_point *b, size_t n, size_t needed);

/* ----- open points -------------------------------------------------------------------------------------- */

/* Points of which DBSCAN still has to find something: whether they are core points, or the smallest label of the core points
 * that are their neighbours (shells_density.c). */
typedef struct clump_ranged_open {
    clump_team *team;
    size_t min_points;
    uint8_t *core;   /* per point of the cloud */
    int32_t *labels; /* per point of the cloud; null while core points are found */
    clump_point *own;
    uint32_t *index; /* of each point in the cloud */
    uint32_t *near;  /* neighbours so far, or the smallest label so far */
    size_t count;
    clump_ranged_node box;      /* holds all of them; `least` and `most` too */
    uint32_t *hits;             /* for the sieve; null where it is not used */
    clump_point *open, *others; /* the same */
    size_t found;               /* core points, or labels given; added to */
    size_t work;                /* of the sieve; added to */
} clump_ranged_open;

/* Adds a point. */
static inline void clump_ranged_open_point(clump_ranged_open *o, clump_point p, uint32_t index, uint32_t near)
{
    o->own[o->count] = p, o->index[o->count] = index;
    o->near[o->count++] = near;
}

/* Points with enough neighbours are core points and leave. */
void clump_ranged_settle(clump_ranged_open *o);

/* Whether the sieve is faster than tests of all pairs with n points, and there is memory for it. */
bool clump_ranged_worth_sieve(const clump_ranged_open *o, size_t n);

/* Counts the neighbours among the n points in others[], or gives them their label, by the sieve. Reorders others[]. */
void clump_ranged_sieve(clump_ranged_open *o, size_t n, uint32_t label);

/* Writes the labels found. */
void clump_ranged_give(clump_ranged_open *o);

#endif
