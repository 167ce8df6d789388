/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_search.c: see tree.h. The points of a leaf that are in one component search together, depth first, the lighter box
 * first. A box is skipped where all its points are in the same component, or where no edge to it can be lighter than the
 * lightest that is known. Rounding cannot exclude a point: the computed distance of two boxes is at most that of any pair of
 * their points (cpu/nn/nn_pack.c), and the largest of several numbers grows with each of them.
 *
 * Before the leaves of a node search, the box of the node does: where no point of another component is within reach of the
 * box, its leaves need not search. This keeps the cost low where a small set of points is about equally far from all points
 * of a large one, such as a ball in a sphere: else every leaf of the ball would look at all points of the sphere.
 */
#include "cpu/tree/tree.h"

#include "common/atomics.h"
#include "cpu/nn/nn_boxes.h"

#include <math.h>

#define SEARCH_LANES  (CLUMP_TREE_LEAF + CLUMP_WIDE)
#define SEARCH_OPENED 24 /* boxes opened before the points of a group are compared with each further box */

/* Points of one component that search together. */
typedef struct group {
    float x[SEARCH_LANES], y[SEARCH_LANES], z[SEARCH_LANES], core[SEARCH_LANES];
    uint32_t place[SEARCH_LANES];
    int count;
    uint32_t component;
    float bound;       /* weight of the lightest edge known; only lighter ones are wanted */
    uint32_t from, to; /* of the edge found; equal: none */
} group;

static void add_point(group *g, const clump_forest *f, uint32_t place)
{
    const clump_tree_point *const p = &f->boxes->points[place];
    g->x[g->count] = p->x, g->y[g->count] = p->y, g->z[g->count] = p->z;
    g->core[g->count] = f->core[place];
    g->place[g->count++] = place;
}

/* Fills the last vector with copies of the first point. */
static int pad_group(group *g)
{
    int n = g->count;
    for (; n % CLUMP_WIDE != 0; n++) {
        g->x[n] = g->x[0], g->y[n] = g->y[0], g->z[n] = g->z[0];
        g->core[n] = g->core[0], g->place[n] = g->place[0];
    }
    return n;
}

static clump_boxes_query box_of(const group *g)
{
    const float *const lanes[3] = {g->x, g->y, g->z};
    clump_boxes_query q;
    for (int k = 0; k < 3; k++) {
        float low = lanes[k][0], high = low;
        for (int i = 1; i < g->count; i++) {
            low = lanes[k][i] < low ? lanes[k][i] : low;
            high = lanes[k][i] > high ? lanes[k][i] : high;
        }
        q.lower[k] = clump_fe_set(low), q.upper[k] = clump_fe_set(high);
    }
    return q;
}

/* Tests a point, whose core distance is below the bound, against the group. */
static inline void test_point(group *g, int lanes, const clump_tree_point *p, float core, uint32_t place)
{
    const clump_fw x = clump_fw_set(p->x), y = clump_fw_set(p->y), z = clump_fw_set(p->z);
    for (int i = 0; i < lanes; i += CLUMP_WIDE) {
        const clump_fw d2 = clump_fw_distance_squared(clump_fw_sub(clump_fw_load(g->x + i), x),
                                                      clump_fw_sub(clump_fw_load(g->y + i), y),
                                                      clump_fw_sub(clump_fw_load(g->z + i), z));
        const clump_fw w = clump_fw_max(d2, clump_fw_load(g->core + i));
        unsigned lighter = clump_mw_bits(clump_fw_is_less(w, clump_fw_set(g->bound)));
        if (lighter == 0) continue;
        float weights[CLUMP_WIDE];
        clump_fw_store(weights, w);
        for (; lighter != 0; lighter &= lighter - 1) {
            const unsigned lane = clump_lowest(lighter);
            const float weight = weights[lane] > core ? weights[lane] : core;
            if (weight >= g->bound) continue;
            g->bound = weight;
            g->from = g->place[(unsigned)i + lane], g->to = place;
        }
    }
}

static void test_leaf(const clump_forest *f, group *g, int lanes, const clump_tree_leaf *leaf)
{
    for (uint32_t j = leaf->first; j < leaf->last; j++)
        if (f->component[j] != g->component && f->core[j] < g->bound)
            test_point(g, lanes, &f->boxes->points[j], f->core[j], j);
}

/* Pushes the children of a node that may have lighter edges to the group, lightest on top. Returns the size of the stack. */
static inline size_t push_children(const clump_forest *f, const group *g, const clump_boxes_query *box, uint32_t at,
                                   clump_tree_pending *stack, size_t n)
{
    float least[CLUMP_TREE_WIDTH];
    const size_t base = n;
    unsigned within = clump_boxes_within(&f->boxes->nodes[at], box, g->bound, least);
    for (; within != 0; within &= within - 1) {
        const unsigned j = clump_lowest(within);
        const uint32_t slot = at * CLUMP_TREE_WIDTH + j;
        const float weight = least[j] > f->slot_core[slot] ? least[j] : f->slot_core[slot];
        if (weight < g->bound && f->slot_component[slot] != g->component)
            n = clump_boxes_push(stack, base, n, weight, slot);
    }
    return n;
}

/* The distance along an axis between points of the group, from lane i on, and a box. */
static inline clump_fw gap(const float *lanes, int i, float lower, float upper)
{
    const clump_fw at = clump_fw_load(lanes + i);
    const clump_fw below = clump_fw_sub(clump_fw_set(lower), at), above = clump_fw_sub(at, clump_fw_set(upper));
    return clump_fw_max(clump_fw_max(below, above), clump_fw_set(0));
}

/* Returns whether a point of the group, not only its box, is near enough to a box. */
static bool is_reached(const group *g, int lanes, const clump_tree_node *node, unsigned j)
{
    for (int i = 0; i < lanes; i += CLUMP_WIDE) {
        const clump_fw d2 = clump_fw_distance_squared(gap(g->x, i, node->lower[0][j], node->upper[0][j]),
                                                      gap(g->y, i, node->lower[1][j], node->upper[1][j]),
                                                      gap(g->z, i, node->lower[2][j], node->upper[2][j]));
        const clump_fw w = clump_fw_max(d2, clump_fw_load(g->core + i));
        if (clump_mw_bits(clump_fw_is_less(w, clump_fw_set(g->bound))) != 0) return true;
    }
    return false;
}

/* Searches the box tree for an edge that is lighter than the bound. */
static void search_boxes(const clump_forest *f, group *g)
{
    const clump_box_tree *const tree = f->boxes;
    clump_tree_pending stack[CLUMP_TREE_STACK];
    const int lanes = pad_group(g);
    const clump_boxes_query box = box_of(g);
    size_t opened = 0, n = push_children(f, g, &box, tree->root, stack, 0);
    while (n > 0) {
        const clump_tree_pending next = stack[--n];
        if (next.least >= g->bound) continue;
        const clump_tree_node *const from = &tree->nodes[next.slot / CLUMP_TREE_WIDTH];
        const unsigned j = next.slot % CLUMP_TREE_WIDTH;
        if (++opened > SEARCH_OPENED && !is_reached(g, lanes, from, j)) continue;
        const uint32_t at = from->child[j];
        if (at & CLUMP_TREE_LEAF_BIT)
            test_leaf(f, g, lanes, &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT]);
        else
            n = push_children(f, g, &box, at, stack, n);
    }
}

/* Searches for one group, then notes what is known of its points. */
static void search_group(const clump_forest *f, group *g)
{
    search_boxes(f, g);
    for (int i = 0; i < g->count; i++) {
        const uint32_t place = g->place[i];
        if (f->lower[place] < g->bound) f->lower[place] = g->bound;
    }
    if (g->from == g->to) return;
    f->target[g->from] = g->to;
    clump_atomic_min_64(&f->best[g->component], clump_forest_key(g->bound, g->from));
}

static inline float bound_of(const clump_forest *f, uint32_t component)
{
    return clump_forest_key_weight(CLUMP_LOAD(&f->best[component]));
}

/* Searches for the points of a leaf. */
static void search_leaf(const clump_forest *f, uint32_t slot)
{
    const uint32_t child = f->boxes->nodes[slot / CLUMP_TREE_WIDTH].child[slot % CLUMP_TREE_WIDTH];
    const clump_tree_leaf leaf = f->boxes->leaves[child & ~CLUMP_TREE_LEAF_BIT];
    uint32_t open = 0; /* points that have to search, one bit each */
    CLUMP_ASSERT(leaf.last - leaf.first <= 32);
    for (uint32_t i = leaf.first; i < leaf.last; i++)
        open |= (uint32_t)(f->lower[i] < bound_of(f, f->component[i])) << (i - leaf.first);
    while (open != 0) {
        group g;
        g.count = 0;
        g.from = g.to = 0;
        g.component = f->component[leaf.first + clump_lowest(open)];
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const uint32_t place = leaf.first + clump_lowest(left);
            if (f->component[place] != g.component) continue;
            add_point(&g, f, place);
            open &= ~((uint32_t)1 << (place - leaf.first));
        }
        g.bound = bound_of(f, g.component);
        search_group(f, &g);
    }
}

/* --- nodes of one component ----------------------------------------------------------------------- */

/* Returns whether a point of another component is nearer to the box of the group than its bound. */
static bool leaf_is_near(const clump_forest *f, const group *g, const clump_tree_node *node, unsigned j,
                         const clump_tree_leaf *leaf)
{
    for (uint32_t i = leaf->first; i < leaf->last; i++) {
        if (f->component[i] == g->component || f->core[i] >= g->bound) continue;
        const float *const p = &f->boxes->points[i].x;
        float d[3];
        for (int k = 0; k < 3; k++) {
            const float below = node->lower[k][j] - p[k], above = p[k] - node->upper[k][j];
            d[k] = fmaxf(fmaxf(below, above), 0);
        }
        if (clump_distance_squared(d[0], d[1], d[2], 0, 0, 0) < g->bound) return true;
    }
    return false;
}

/* Returns whether a slot, whose points are all in one component, may have a lighter edge than its component knows. */
static bool is_open(const clump_forest *f, uint32_t slot, float bound)
{
    const clump_box_tree *const tree = f->boxes;
    const clump_tree_node *const own = &tree->nodes[slot / CLUMP_TREE_WIDTH];
    const unsigned own_j = slot % CLUMP_TREE_WIDTH;
    if (f->slot_core[slot] >= bound) return false;
    group g;
    g.component = f->slot_component[slot], g.bound = bound;
    clump_boxes_query box;
    for (int k = 0; k < 3; k++)
        box.lower[k] = clump_fe_set(own->lower[k][own_j]), box.upper[k] = clump_fe_set(own->upper[k][own_j]);
    clump_tree_pending stack[CLUMP_TREE_STACK];
    size_t n = push_children(f, &g, &box, tree->root, stack, 0);
    while (n > 0) {
        const uint32_t next = stack[--n].slot;
        const uint32_t at = tree->nodes[next / CLUMP_TREE_WIDTH].child[next % CLUMP_TREE_WIDTH];
        if ((at & CLUMP_TREE_LEAF_BIT) == 0)
            n = push_children(f, &g, &box, at, stack, n);
        else if (leaf_is_near(f, &g, own, own_j, &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT]))
            return true;
    }
    return false;
}

void clump_forest_search(clump_team *team, const clump_forest *f, uint32_t slot)
{
    const uint32_t at = f->boxes->nodes[slot / CLUMP_TREE_WIDTH].child[slot % CLUMP_TREE_WIDTH];
    if (clump_team_stopped(team)) return;
    if (at & CLUMP_TREE_LEAF_BIT) {
        search_leaf(f, slot);
        return;
    }
    if (f->slot_component[slot] != CLUMP_TREE_MIXED) {
        const float bound = bound_of(f, f->slot_component[slot]);
        if (f->slot_lower[slot] >= bound) return;
        if (!is_open(f, slot, bound)) {
            f->slot_lower[slot] = bound;
            return;
        }
    }
    for (uint32_t j = 0; j < CLUMP_TREE_WIDTH && f->boxes->nodes[at].least[j] != CLUMP_TREE_NO_INDEX; j++)
        clump_forest_search(team, f, at * CLUMP_TREE_WIDTH + j);
}
