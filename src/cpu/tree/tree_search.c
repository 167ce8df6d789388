/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_search.c: see tree.h. The points of a leaf that are in one component search together, depth first, the lighter box
 * first. A box is skipped where all its points are in the same component, or where no edge to it can be lighter than the
 * lightest that is known. Rounding cannot exclude a point: the computed distance of two boxes is at most that of any pair of
 * their points (cpu/nn/nn_pack.c), and the largest of several numbers grows with each of them.
 */
#include "cpu/tree/tree.h"

#include "common/atomics.h"
#include "cpu/nn/nn_boxes.h"

#include <math.h>

#define SEARCH_LANES (CLUMP_TREE_LEAF + CLUMP_WIDE)

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

/* Searches the box tree for an edge that is lighter than the bound. */
static void search_boxes(const clump_forest *f, group *g)
{
    const clump_box_tree *const tree = f->boxes;
    clump_tree_pending stack[CLUMP_TREE_STACK];
    const int lanes = pad_group(g);
    const clump_boxes_query box = box_of(g);
    uint32_t at = tree->root;
    for (size_t n = 0;;) {
        float least[CLUMP_TREE_WIDTH];
        const size_t base = n;
        unsigned within = clump_boxes_within(&tree->nodes[at], &box, g->bound, least);
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            const uint32_t slot = at * CLUMP_TREE_WIDTH + j;
            const float weight = least[j] > f->slot_core[slot] ? least[j] : f->slot_core[slot];
            if (weight < g->bound && f->slot_component[slot] != g->component)
                n = clump_boxes_push(stack, base, n, weight, slot);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_pending next = stack[--n];
            if (next.least >= g->bound) continue;
            at = tree->nodes[next.slot / CLUMP_TREE_WIDTH].child[next.slot % CLUMP_TREE_WIDTH];
            if ((at & CLUMP_TREE_LEAF_BIT) == 0) break;
            test_leaf(f, g, lanes, &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT]);
        }
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

void clump_forest_search(const clump_forest *f, uint32_t slot)
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
