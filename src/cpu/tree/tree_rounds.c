/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_rounds.c: see tree.h. In a round, every component takes a lightest edge that leaves it (Boruvka). Of components that
 * chose each other in a circle, all edges are equally light, and the last one is left out. So the edges are those of a minimum
 * spanning tree, whichever of equally light edges are found.
 *
 * An edge is offered from three sources:
 *   1. the lists: nearest points, from the search for core distances;
 *   2. the points beside a point in the order of the curve: an upper bound for components whose lists are used up;
 *   3. a search (tree_search.c), for points that may have a lighter edge than their component knows.
 * The first rounds do without searches. There a component takes an edge only where no point can have a lighter one; the
 * others wait. They go on as long as enough components find an edge.
 */
#include "cpu/tree/tree.h"

#include "common/atomics.h"
#include "core/work.h"
#include "rules/union_find.h"

#include <math.h>
#include <string.h>

#define ROUNDS_TASKS  256   /* nodes whose slots are tasks of a search, about */
#define ROUNDS_POLLED 65536 /* points between two polls */
#define ROUNDS_NODES  4096  /* nodes between two polls */
#define ROUNDS_LISTS  6     /* rounds without searches go on while one component in this many finds an edge */

typedef struct rounds_work {
    clump_team *team;
    clump_forest *f;
} rounds_work;

/* --- offers --------------------------------------------------------------------------------------- */

/* The lightest edge of a point so far. */
typedef struct offer {
    float weight;
    uint32_t to;
} offer;

static inline void consider(const clump_forest *f, size_t at, size_t other, offer *o)
{
    if (f->component[other] == f->component[at]) return;
    const float w = clump_forest_weight(f, at, other);
    if (w < o->weight) *o = (offer){w, (uint32_t)other};
}

static void offer_edges(clump_forest *f, size_t at)
{
    const uint32_t own = f->component[at];
    uint32_t *const list = f->near + at * f->listed;
    offer o = {INFINITY, (uint32_t)at};
    consider(f, at, f->target[at], &o);
    if (at > 0) consider(f, at, at - 1, &o);
    if (at + 1 < f->count) consider(f, at, at + 1, &o);
    size_t fill = 0;
    for (size_t i = 0; i < f->fill[at]; i++) {
        const uint32_t other = list[i];
        if (f->component[other] == own) continue;
        list[fill++] = other;
        consider(f, at, other, &o);
    }
    f->fill[at] = (uint8_t)fill;
    clump_atomic_min(&f->least[own], clump_float_bits(f->lower[at]));
    if (!(o.weight < INFINITY)) return;
    f->target[at] = o.to;
    clump_atomic_min_64(&f->best[own], clump_forest_key(o.weight, (uint32_t)at));
}

static void offer_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rounds_work *const w = arg;
    for (size_t at = begin; at < end; at++) offer_edges(w->f, at);
}

static void search_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const rounds_work *const w = arg;
    for (size_t i = begin; i < end && !clump_team_stopped(w->team); i++)
        clump_forest_search(w->team, w->f, w->f->slots[i]);
}

/* --- slots ---------------------------------------------------------------------------------------- */

/* Lists all nodes, parents first, and the tasks of a search: the slots of the nodes above ROUNDS_TASKS that are leaves, or have
 * nodes below. Nodes are listed level by level. */
static clump_status list_slots(clump_work *work, clump_forest *f)
{
    const clump_box_tree *const tree = f->boxes;
    size_t divided = 1; /* the first nodes of the list: their slots are divided further, or are tasks */
    f->slot_count = 0;
    f->nodes[0] = tree->root, f->node_count = 1;
    for (size_t i = 0; i < f->node_count; i++) {
        if (i % ROUNDS_NODES == 0) CLUMP_TRY(clump_poll(work));
        const clump_tree_node *const node = &tree->nodes[f->nodes[i]];
        for (uint32_t j = 0; j < CLUMP_TREE_WIDTH; j++) {
            const uint32_t slot = f->nodes[i] * CLUMP_TREE_WIDTH + j;
            f->slot_core[slot] = INFINITY;
            f->slot_lower[slot] = 0;
            f->slot_component[slot] = CLUMP_TREE_MIXED;
            if (node->least[j] == CLUMP_TREE_NO_INDEX) continue;
            const bool is_leaf = node->child[j] & CLUMP_TREE_LEAF_BIT;
            if (!is_leaf) f->nodes[f->node_count++] = node->child[j];
            if (i >= divided) continue;
            if (!is_leaf && divided < ROUNDS_TASKS)
                divided++; /* the node that was added last is among the first `divided`, as all before it are */
            else
                f->slots[f->slot_count++] = slot;
        }
    }
    return CLUMP_OK;
}

/* Sets the smallest core distance of a slot. */
static float find_slot_core(const clump_forest *f, uint32_t child)
{
    float core = INFINITY;
    if (child & CLUMP_TREE_LEAF_BIT) {
        const clump_tree_leaf leaf = f->boxes->leaves[child & ~CLUMP_TREE_LEAF_BIT];
        for (uint32_t i = leaf.first; i < leaf.last; i++) core = f->core[i] < core ? f->core[i] : core;
        return core;
    }
    const float *const below = f->slot_core + (size_t)child * CLUMP_TREE_WIDTH;
    for (int j = 0; j < CLUMP_TREE_WIDTH; j++) core = below[j] < core ? below[j] : core;
    return core;
}

/* Returns the component of all points of a slot, or CLUMP_TREE_MIXED. */
static uint32_t find_slot_component(const clump_forest *f, uint32_t child)
{
    if (child & CLUMP_TREE_LEAF_BIT) {
        const clump_tree_leaf leaf = f->boxes->leaves[child & ~CLUMP_TREE_LEAF_BIT];
        for (uint32_t i = leaf.first + 1; i < leaf.last; i++)
            if (f->component[i] != f->component[leaf.first]) return CLUMP_TREE_MIXED;
        return f->component[leaf.first];
    }
    const uint32_t slot = child * CLUMP_TREE_WIDTH; /* slot 0 of a node is always in use */
    for (uint32_t j = 1; j < CLUMP_TREE_WIDTH; j++) {
        if (f->boxes->nodes[child].least[j] == CLUMP_TREE_NO_INDEX) break;
        if (f->slot_component[slot + j] != f->slot_component[slot]) return CLUMP_TREE_MIXED;
    }
    return f->slot_component[slot];
}

/* Renews what is known of slots, children first. */
static clump_status renew_slots(clump_work *work, clump_forest *f, bool core)
{
    for (size_t i = f->node_count; i-- > 0;) {
        if (i % ROUNDS_NODES == 0) CLUMP_TRY(clump_poll(work));
        const clump_tree_node *const node = &f->boxes->nodes[f->nodes[i]];
        for (uint32_t j = 0; j < CLUMP_TREE_WIDTH && node->least[j] != CLUMP_TREE_NO_INDEX; j++) {
            const uint32_t slot = f->nodes[i] * CLUMP_TREE_WIDTH + j;
            if (core) f->slot_core[slot] = find_slot_core(f, node->child[j]);
            f->slot_component[slot] = find_slot_component(f, node->child[j]);
        }
    }
    return CLUMP_OK;
}

/* --- components ----------------------------------------------------------------------------------- */

/* Adds the edge that a component has chosen. Returns whether it has one that joins two sets. */
static bool take_edge(clump_forest *f, uint32_t name, bool searched)
{
    const uint64_t best = f->best[name];
    const float weight = clump_forest_key_weight(best);
    if (!(weight < INFINITY)) return false;
    if (!searched && clump_float_bits(weight) > f->least[name]) return false; /* there may be a lighter one */
    const uint32_t from = (uint32_t)best, to = f->target[from];
    const uint32_t a = clump_find(f->set, name), b = clump_find(f->set, f->component[to]);
    if (a == b) return false;
    f->set[a > b ? a : b] = a > b ? b : a;
    f->weights[f->edge_count] = weight;
    f->edges[f->edge_count++] = (uint64_t)from << 32 | to;
    return true;
}

/* Joins components by their edges. *taken is the number of edges. */
static clump_status join_components(clump_work *work, clump_forest *f, bool searched, size_t *taken)
{
    *taken = 0;
    for (size_t i = 0; i < f->components; i++) {
        if (i % ROUNDS_POLLED == 0) CLUMP_TRY(clump_poll(work));
        *taken += take_edge(f, f->active[i], searched);
    }
    size_t left = 0;
    for (size_t i = 0; i < f->components; i++) {
        if (i % ROUNDS_POLLED == 0) CLUMP_TRY(clump_poll(work));
        if (f->set[f->active[i]] == f->active[i]) f->active[left++] = f->active[i];
    }
    f->components = left;
    return CLUMP_OK;
}

static void rename_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_forest *const f = ((const rounds_work *)arg)->f;
    for (size_t i = begin; i < end; i++) f->component[i] = clump_root(f->set, f->component[i]);
}

static clump_status begin_round(clump_work *work, clump_forest *f)
{
    for (size_t i = 0; i < f->components; i++) {
        if (i % ROUNDS_POLLED == 0) CLUMP_TRY(clump_poll(work));
        f->best[f->active[i]] = clump_forest_key(INFINITY, UINT32_MAX);
        f->least[f->active[i]] = clump_float_bits(INFINITY);
    }
    return CLUMP_OK;
}

/* Every point is a component. */
static clump_status begin_forest(clump_work *work, clump_forest *f)
{
    for (size_t i = 0; i < f->count; i++) {
        if (i % ROUNDS_POLLED == 0) CLUMP_TRY(clump_poll(work));
        f->component[i] = f->set[i] = f->active[i] = (uint32_t)i;
    }
    f->components = f->count;
    f->edge_count = 0;
    return list_slots(work, f);
}

clump_status clump_forest_span(clump_work *work, clump_forest *f, int threads)
{
    rounds_work w = {work->team, f};
    CLUMP_TRY(begin_forest(work, f));
    bool searched = false, first = true;
    while (f->components > 1) {
        const size_t before = f->components;
        CLUMP_TRY(begin_round(work, f));
        CLUMP_TRY(clump_run(work, threads, f->count, CLUMP_CHUNK, offer_chunk, &w));
        if (searched) {
            CLUMP_TRY(renew_slots(work, f, first));
            first = false;
            CLUMP_TRY(clump_run(work, threads, f->slot_count, 1, search_chunk, &w));
        }
        size_t taken;
        CLUMP_TRY(join_components(work, f, searched, &taken));
        CLUMP_TRY(clump_run(work, threads, f->count, CLUMP_CHUNK, rename_chunk, &w));
        if (searched && taken == 0) break; /* what is left is infinitely far apart */
        searched = searched || taken * ROUNDS_LISTS < before;
    }
    return CLUMP_OK;
}
