/* SPDX-License-Identifier: BSD-3-Clause
 *
 * extents.h: the measures of a few points of one node, in vector registers: the twelve directions of core/node.h in three
 * registers of four lanes. The bits are those of clump_node_add:
 *   - Every lane multiplies, multiplies and adds, each step rounded, as clump_node_project.
 *   - A NaN changes nothing, as in clump_least and clump_most.
 *   - 0 is added once, to minima and maxima, instead of to every projection: then none is -0, too.
 */
#ifndef CLUMP_CPU_OBJECTS_EXTENTS_H
#define CLUMP_CPU_OBJECTS_EXTENTS_H

#include "common/lanes.h"
#include "core/node.h"

enum { CLUMP_EXTENTS_FOURS = CLUMP_NODE_DIRECTIONS / 4 };

typedef struct clump_directions {
    clump_f4 cosine[CLUMP_EXTENTS_FOURS], sine[CLUMP_EXTENTS_FOURS];
} clump_directions;

static inline clump_directions clump_directions_set(void)
{
    float cosine[CLUMP_NODE_DIRECTIONS], sine[CLUMP_NODE_DIRECTIONS];
    for (int k = 0; k < CLUMP_NODE_DIRECTIONS; k++) cosine[k] = clump_node_cosine(k), sine[k] = clump_node_sine(k);
    clump_directions d;
    for (int k = 0; k < CLUMP_EXTENTS_FOURS; k++) {
        d.cosine[k] = clump_f4_load(cosine + 4 * k);
        d.sine[k] = clump_f4_load(sine + 4 * k);
    }
    return d;
}

/* In the fourth register: the heights above the ground and above the sensor, each twice. */
typedef struct clump_extents {
    clump_f4 low[CLUMP_EXTENTS_FOURS + 1], high[CLUMP_EXTENTS_FOURS + 1];
} clump_extents;

static inline clump_extents clump_extents_empty(void)
{
    clump_extents e;
    for (int k = 0; k <= CLUMP_EXTENTS_FOURS; k++)
        e.low[k] = clump_f4_set((float)INFINITY), e.high[k] = clump_f4_set(-(float)INFINITY);
    return e;
}

/* Adds a point, as clump_node_add. */
static inline void clump_extents_add(clump_extents *e, const clump_directions *d, const clump_objects_rule *rule,
                                     const float *p, float above)
{
    const clump_f4 u = clump_f4_set(clump_node_u(rule, p)), v = clump_f4_set(clump_node_v(rule, p));
    for (int k = 0; k < CLUMP_EXTENTS_FOURS; k++) {
        const clump_f4 at = clump_f4_add(clump_f4_mul(u, d->cosine[k]), clump_f4_mul(v, d->sine[k]));
        e->low[k] = clump_f4_least(e->low[k], at);
        e->high[k] = clump_f4_most(e->high[k], at);
    }
    const clump_f4 heights = clump_f4_pair(above, clump_node_h(rule, p));
    e->low[CLUMP_EXTENTS_FOURS] = clump_f4_least(e->low[CLUMP_EXTENTS_FOURS], heights);
    e->high[CLUMP_EXTENTS_FOURS] = clump_f4_most(e->high[CLUMP_EXTENTS_FOURS], heights);
}

/* Adds the points of a node. */
static inline void clump_extents_merge(clump_extents *e, const clump_node *n)
{
    for (int k = 0; k < CLUMP_EXTENTS_FOURS; k++) {
        e->low[k] = clump_f4_least(e->low[k], clump_f4_load(n->low + 4 * k));
        e->high[k] = clump_f4_most(e->high[k], clump_f4_load(n->high + 4 * k));
    }
    const clump_f4 low = clump_f4_pair(n->bottom, n->lowest), high = clump_f4_pair(n->top, n->highest);
    e->low[CLUMP_EXTENTS_FOURS] = clump_f4_least(e->low[CLUMP_EXTENTS_FOURS], low);
    e->high[CLUMP_EXTENTS_FOURS] = clump_f4_most(e->high[CLUMP_EXTENTS_FOURS], high);
}

/* Makes the node of `count` points whose extents these are. */
static inline void clump_extents_store(const clump_extents *e, int32_t count, clump_node *n)
{
    const clump_f4 zero = clump_f4_set(0);
    float low[4], high[4];
    n->count = count;
    for (int k = 0; k < CLUMP_EXTENTS_FOURS; k++) {
        clump_f4_store(n->low + 4 * k, clump_f4_add(e->low[k], zero));
        clump_f4_store(n->high + 4 * k, clump_f4_add(e->high[k], zero));
    }
    clump_f4_store(low, clump_f4_add(e->low[CLUMP_EXTENTS_FOURS], zero));
    clump_f4_store(high, clump_f4_add(e->high[CLUMP_EXTENTS_FOURS], zero));
    n->bottom = low[0], n->lowest = low[1];
    n->top = high[0], n->highest = high[1];
}

/* Adds all points of another node, without branches. */
static inline void clump_extents_join(clump_node *n, const clump_node *other)
{
    clump_extents e = clump_extents_empty();
    clump_extents_merge(&e, n);
    clump_extents_merge(&e, other);
    clump_extents_store(&e, n->count + other->count, n);
}

#endif
