/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: clump_tree on the CPU: the single-linkage tree of mutual reachability.
 *
 * The weight of a pair of points is the largest of three numbers: their squared distance and their two core distances. The room, from
 * points to tree:
 *
 *     tree.c          the call: which points take part, memory, the order of the steps
 *     tree_near.c     core distances, and a list of near points per point, from the index of nearest neighbours
 *     tree_rounds.c   a minimum spanning tree, in rounds (Boruvka): every component takes its lightest edge to another one
 *     tree_search.c   the lightest edge of some points of a component, by a search of the box tree
 *     tree_merge.c    spanning tree to hierarchy: edges of equal weight at once
 *
 * Words of the room: points are numbered by `place`, their position in the box tree (cpu/nn/box_tree.h). A `component` is a set
 * of points that the edges so far connect; its name is the place of one of its points. A `slot` is child `slot % 8` of node
 * `slot / 8`. An edge `leaves` a component when its other end is in another one.
 *
 * Where weights are equal, the spanning tree depends on threads and order. The hierarchy does not: the components of all edges
 * below a weight are the same for every minimum spanning tree.
 */
#ifndef CLUMP_CPU_TREE_TREE_H
#define CLUMP_CPU_TREE_TREE_H

#include "common/bits.h"
#include "core/backend.h"
#include "cpu/nn/box_tree.h"
#include "rules/distance.h"

#define CLUMP_TREE_LISTED 12 /* near points of a list, at most */

/* Memory of the steps below; arrays have one entry per place unless said otherwise. */
typedef struct clump_forest {
    const clump_box_tree *boxes;
    size_t count;
    size_t listed;       /* entries of a list, at most CLUMP_TREE_LISTED */
    float *core;         /* squared core distances */
    float *lower;        /* edges that leave the component, are not in the list and not `target`, are no lighter */
    uint32_t *near;      /* `listed` places per place, of which the first `fill` are in use */
    uint8_t *fill;       /* shrinks: what is in the own component is dropped */
    uint32_t *target;    /* other end of the lightest known edge */
    uint32_t *component; /* names */
    uint32_t *set;       /* union-find of names; before the rounds: the places of points by their index */
    uint64_t *best;      /* per name: lightest known edge that leaves, weight above place */
    uint32_t *least;     /* per name: bits of the smallest `lower` of its points */
    uint32_t *active;    /* names of all components */
    size_t components;
    uint32_t *slots; /* the tasks of a search: slots that together have all points */
    uint32_t *nodes; /* all nodes, parents first */
    size_t slot_count, node_count;
    uint32_t *slot_component; /* per slot: name where all its points are in one component, else CLUMP_TREE_MIXED */
    float *slot_core;         /* per slot: smallest core distance; INFINITY: unused */
    float *slot_lower;        /* per slot: as `lower`, of all its points */
    uint64_t *edges;          /* place of one end above that of the other; in any order */
    float *weights;
    size_t edge_count;
} clump_forest;

#define CLUMP_TREE_MIXED UINT32_MAX

/* Scratch memory of a context. Zeroed is valid. */
typedef struct clump_cpu_tree {
    clump_curve_scratch order;
    clump_box_tree boxes;
    clump_buffer points, per_point, per_slot, words, counters;
} clump_cpu_tree;

/* The weight of a pair of places. */
static inline float clump_forest_weight(const clump_forest *f, size_t a, size_t b)
{
    const clump_tree_point *const p = &f->boxes->points[a], *const q = &f->boxes->points[b];
    const float d2 = clump_distance_squared(p->x, p->y, p->z, q->x, q->y, q->z);
    const float core = f->core[a] > f->core[b] ? f->core[a] : f->core[b];
    return d2 > core ? d2 : core;
}

/* An edge as one number that sorts by weight: the bits of its weight above the place of one end. */
static inline uint64_t clump_forest_key(float w, uint32_t place)
{
    return (uint64_t)clump_float_bits(w) << 32 | place;
}

static inline float clump_forest_key_weight(uint64_t key)
{
    return clump_float_of_bits((uint32_t)(key >> 32));
}

clump_status clump_cpu_tree_run(clump_work *work, clump_cpu_tree *s, const clump_tree_job *job, clump_stats *stats);
void clump_cpu_tree_release(clump_work *work, clump_cpu_tree *s);

/* Finds core distances and lists (tree_near.c). */
clump_status clump_forest_near(clump_work *work, clump_forest *f, size_t min_samples, int threads);

/* Finds the edges of a minimum spanning forest: no edge has infinite weight (tree_rounds.c). */
clump_status clump_forest_span(clump_work *work, clump_forest *f, int threads);

/* Searches for the lightest edges that leave the components of the points of a slot, as far as they may be lighter than those
 * known; lowers f->best. The recursion is as deep as the box tree (tree_search.c). */
void clump_forest_search(clump_team *team, const clump_forest *f, uint32_t slot);

/* Writes the hierarchy (tree_merge.c). words: twice f->count entries. */
clump_status clump_forest_merge(clump_work *work, clump_forest *f, const clump_tree_job *job, uint64_t *words,
                                size_t *counters, int threads);

#endif
