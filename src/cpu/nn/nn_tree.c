/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.c: searches of the box tree, depth first, the nearer box first.
 *
 * Calls have many queries, and 16 consecutive ones in the order of the curve lie close together. They are searched for
 * as a pack. The boxes of a node are tested against the box around the pack. The box of a leaf is tested against the
 * queries, four at a time. Where a query may have its nearest point in the leaf, each point of the leaf is tested
 * against the queries, four at a time, without a branch:
 *
 *     d2 < best  ->  index = the point's
 *     d2 = best  ->  index = the smaller one
 *
 * Rounding cannot exclude a nearest point:
 *   (1) For a point p of a box and a query q of the pack, along an axis, in real numbers: p - q >= lower - highest and
 *       q - p >= lowest - upper, with the ends of the box and of the pack.
 *   (2) Rounding is monotone, so (1) holds for the float32 differences too.
 *   (3) Squares and sums are monotone too, and are computed in the order of a distance. So the computed distance of a
 *       box is at most the computed distance of any pair, also when it overflows to infinity.
 * A box is skipped when its distance is above the largest of the best distances. A leaf, and after many opened nodes a
 * node, is skipped when for each query its distance is above the best, or equal and all indices in the box are larger.
 * So thousands of equal points need not be tested to find the one with the smallest index.
 */
#include "cpu/nn/nn_tree.h"

#include "common/lanes.h"

#include <math.h>

#define TREE_VECTORS (CLUMP_PACK / 4)
#define TREE_OPENED  24 /* nodes opened before a pack tests its queries for each further node; not measured elsewhere */

static inline clump_f4 gap(clump_f4 below, clump_f4 above)
{
    return clump_f4_max(clump_f4_max(below, above), clump_f4_set(0));
}

/* Returns the squared distances between the box lower ... upper and four children of a node, from `first` on. */
static inline clump_f4 distance_to_boxes(const clump_tree_node *node, int first, const clump_f4 lower[3],
                                         const clump_f4 upper[3])
{
    clump_f4 d[3];
    for (int k = 0; k < 3; k++)
        d[k] = gap(clump_f4_sub(clump_f4_load(node->lower[k] + first), upper[k]),
                   clump_f4_sub(lower[k], clump_f4_load(node->upper[k] + first)));
    return clump_f4_distance_squared(d[0], d[1], d[2]);
}

/* Pushes a child of a node, whose children begin at `base`, nearest on top; of equal distances the first child. Returns
 * the new size of the stack. */
static inline size_t push(clump_tree_pending *stack, size_t base, size_t n, float least, uint32_t slot)
{
    CLUMP_ASSERT(n < CLUMP_TREE_STACK);
    size_t at = n;
    for (; at > base && stack[at - 1].least <= least; at--) stack[at] = stack[at - 1];
    stack[at] = (clump_tree_pending){least, slot};
    return n + 1;
}

/* ----- one query ------------------------------------------------------------------------------ */

void clump_tree_find(const clump_tree *tree, clump_find *find, clump_tree_pending *stack)
{
    if (tree->count == 0) return;
    const clump_f4 query[3] = {clump_f4_set(find->x), clump_f4_set(find->y), clump_f4_set(find->z)};
    uint32_t at = tree->root;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        const size_t base = n;
        float least[CLUMP_TREE_WIDTH];
        unsigned within = 0;
        for (int w = 0; w < CLUMP_TREE_WIDTH; w += 4) {
            const clump_f4 d2 = distance_to_boxes(node, w, query, query);
            clump_f4_store(least + w, d2);
            within |= (clump_f4_less(clump_f4_set(find->bound), d2) ^ 15u) << w;
        }
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            if (node->least[j] != CLUMP_TREE_NO_INDEX) n = push(stack, base, n, least[j], at * CLUMP_TREE_WIDTH + j);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_pending next = stack[--n];
            const clump_tree_node *const from = &tree->nodes[next.slot / CLUMP_TREE_WIDTH];
            const unsigned j = next.slot % CLUMP_TREE_WIDTH;
            if (clump_find_key(next.least, from->least[j]) > find->worst) continue;
            at = from->child[j];
            if ((at & CLUMP_TREE_LEAF_BIT) == 0) break;
            const clump_tree_leaf *const leaf = &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT];
            clump_find_test(find, tree->points, leaf->first, leaf->last);
        }
    }
}

size_t clump_tree_descend(const clump_tree *tree, const float *query, float *wide)
{
    CLUMP_ASSERT(tree->count > 0);
    const clump_f4 at[3] = {clump_f4_set(query[0]), clump_f4_set(query[1]), clump_f4_set(query[2])};
    uint32_t child = tree->root;
    do {
        const clump_tree_node *const node = &tree->nodes[child];
        float far[CLUMP_TREE_WIDTH];
        for (int w = 0; w < CLUMP_TREE_WIDTH; w += 4) clump_f4_store(far + w, distance_to_boxes(node, w, at, at));
        int j = 0; /* child 0 is always used */
        for (int i = 1; i < CLUMP_TREE_WIDTH; i++) j = far[i] < far[j] ? i : j;
        float side = 0;
        for (int k = 0; k < 3; k++) side = fmaxf(side, node->upper[k][j] - node->lower[k][j]);
        *wide = side + sqrtf(far[j]);
        child = node->child[j];
    } while ((child & CLUMP_TREE_LEAF_BIT) == 0);
    return child & ~CLUMP_TREE_LEAF_BIT;
}

/* ----- a pack --------------------------------------------------------------------------------- */

typedef struct search {
    clump_pack *pack;
    int vectors;
    float worst; /* the largest of the best distances */
} search;

static inline float highest_of(const float *lanes, int vectors)
{
    clump_f4 high = clump_f4_load(lanes);
    for (int v = 1; v < vectors; v++) high = clump_f4_max(high, clump_f4_load(lanes + 4 * v));
    return clump_f4_highest(high);
}

static inline float lowest_of(const float *lanes, int vectors)
{
    clump_f4 low = clump_f4_load(lanes);
    for (int v = 1; v < vectors; v++) low = clump_f4_min(low, clump_f4_load(lanes + 4 * v));
    return clump_f4_lowest(low);
}

/* Returns the vectors with a query that may have its nearest point in box j of the node, one bit each. */
static inline unsigned find_vectors(const search *s, const clump_tree_node *node, unsigned j)
{
    const clump_pack *const g = s->pack;
    const clump_i4 least = clump_i4_set(node->least[j]);
    clump_i4 within[TREE_VECTORS];
    for (int v = 0; v < TREE_VECTORS; v++) {
        if (v >= s->vectors) {
            within[v] = clump_i4_set(0);
            continue;
        }
        const clump_f4 x = clump_f4_load(g->x + 4 * v), y = clump_f4_load(g->y + 4 * v),
                       z = clump_f4_load(g->z + 4 * v);
        const clump_f4 d2 = clump_f4_distance_squared(
            gap(clump_f4_sub(clump_f4_set(node->lower[0][j]), x), clump_f4_sub(x, clump_f4_set(node->upper[0][j]))),
            gap(clump_f4_sub(clump_f4_set(node->lower[1][j]), y), clump_f4_sub(y, clump_f4_set(node->upper[1][j]))),
            gap(clump_f4_sub(clump_f4_set(node->lower[2][j]), z), clump_f4_sub(z, clump_f4_set(node->upper[2][j]))));
        const clump_f4 best = clump_f4_load(g->best + 4 * v);
        const clump_i4 tie =
            clump_i4_and(clump_f4_is_equal(d2, best), clump_i4_is_less(least, clump_i4_load(g->index + 4 * v)));
        within[v] = clump_i4_or(clump_f4_is_less(d2, best), tie);
    }
    return clump_i4_some(within);
}

/* Tests points against the queries of `vectors` vectors from lane `at` on, which stay in registers. The loop takes two
 * points at a time. If `count` is odd, it also tests the point behind the last: of the next leaf, or the sentinel at
 * infinity. That changes no result. */
static inline void test_points(clump_pack *p, size_t at, int vectors, const clump_tree_point *points, size_t count)
{
    clump_f4 x[TREE_VECTORS], y[TREE_VECTORS], z[TREE_VECTORS], best[TREE_VECTORS];
    clump_i4 index[TREE_VECTORS];
    for (int v = 0; v < vectors; v++) {
        const size_t lane = at + 4 * (size_t)v;
        x[v] = clump_f4_load(p->x + lane), y[v] = clump_f4_load(p->y + lane), z[v] = clump_f4_load(p->z + lane);
        best[v] = clump_f4_load(p->best + lane), index[v] = clump_i4_load(p->index + lane);
    }
    const clump_i4 none = clump_i4_set(CLUMP_TREE_NO_INDEX);
    for (const clump_tree_point *const end = points + count; points < end; points += 2) {
        for (int i = 0; i < 2; i++) {
            const clump_f4 px = clump_f4_set(points[i].x), py = clump_f4_set(points[i].y);
            const clump_f4 pz = clump_f4_set(points[i].z);
            const clump_i4 number = clump_i4_set(points[i].index);
            for (int v = 0; v < vectors; v++) {
                const clump_f4 d2 =
                    clump_f4_distance_squared(clump_f4_sub(x[v], px), clump_f4_sub(y[v], py), clump_f4_sub(z[v], pz));
                const clump_i4 tie = clump_i4_choose(clump_f4_is_equal(d2, best[v]), number, none);
                index[v] = clump_i4_choose(clump_f4_is_less(d2, best[v]), number, clump_i4_min(index[v], tie));
                best[v] = clump_f4_min(best[v], d2);
            }
        }
    }
    for (int v = 0; v < vectors; v++) {
        const size_t lane = at + 4 * (size_t)v;
        clump_f4_store(p->best + lane, best[v]);
        clump_i4_store(p->index + lane, index[v]);
    }
}

/* Tests the points of a leaf against the vectors whose bits are set. */
static void test_leaf(search *s, const clump_tree_point *points, const clump_tree_leaf *leaf, unsigned vectors)
{
    clump_pack *const p = s->pack;
    const size_t count = leaf->last - leaf->first;
    points += leaf->first;
    if (vectors == 15u) {
        test_points(p, 0, 4, points, count);
    } else {
        for (; vectors != 0; vectors &= vectors - 1)
            test_points(p, 4 * (size_t)clump_lowest(vectors), 1, points, count);
    }
    s->worst = highest_of(p->best, s->vectors);
}

/* Pads the lanes to whole vectors. Returns their number. */
static inline int pad_lanes(clump_pack *g)
{
    CLUMP_ASSERT(g->count >= 1 && g->count <= CLUMP_PACK);
    int n = g->count;
    for (; n % 4 != 0; n++) {
        g->x[n] = g->x[0], g->y[n] = g->y[0], g->z[n] = g->z[0];
        g->best[n] = g->best[0], g->index[n] = g->index[0];
    }
    return n / 4;
}

/* Returns the children that are used, one bit each. */
static unsigned used_children(const clump_tree_node *node)
{
    unsigned boxes = 0;
    for (unsigned j = 0; j < CLUMP_TREE_WIDTH; j++) boxes |= (unsigned)(node->least[j] != CLUMP_TREE_NO_INDEX) << j;
    return boxes;
}

void clump_tree_find_pack(const clump_tree *tree, clump_pack *p, size_t start, clump_tree_pending *stack)
{
    search s = {.pack = p, .vectors = pad_lanes(p)};
    uint32_t begin = UINT32_MAX; /* first point of the leaf tested first */
    if (start == CLUMP_TREE_NO_LEAF) {
        s.worst = highest_of(p->best, s.vectors);
    } else {
        begin = tree->leaves[start].first;
        test_leaf(&s, tree->points, &tree->leaves[start], (1u << s.vectors) - 1);
    }

    const clump_f4 lower[3] = {clump_f4_set(lowest_of(p->x, s.vectors)), clump_f4_set(lowest_of(p->y, s.vectors)),
                               clump_f4_set(lowest_of(p->z, s.vectors))};
    const clump_f4 upper[3] = {clump_f4_set(highest_of(p->x, s.vectors)), clump_f4_set(highest_of(p->y, s.vectors)),
                               clump_f4_set(highest_of(p->z, s.vectors))};
    uint32_t at = tree->root;
    size_t opened = 0;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        float least[CLUMP_TREE_WIDTH];
        unsigned within = 0;
        for (int w = 0; w < CLUMP_TREE_WIDTH; w += 4) {
            const clump_f4 d2 = distance_to_boxes(node, w, lower, upper);
            within |= (clump_f4_less(clump_f4_set(s.worst), d2) ^ 15u) << w;
            clump_f4_store(least + w, d2);
        }
        if (!(s.worst < INFINITY)) within = used_children(node); /* otherwise unused ones are too far away */
        const size_t base = n;
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            const uint32_t child = node->child[j];
            if ((child & CLUMP_TREE_LEAF_BIT) == 0) {
                n = push(stack, base, n, least[j], at * CLUMP_TREE_WIDTH + j);
                continue;
            }
            const clump_tree_leaf *const leaf = &tree->leaves[child & ~CLUMP_TREE_LEAF_BIT];
            if (leaf->first == begin) continue;
            const unsigned vectors = find_vectors(&s, node, j);
            if (vectors != 0) test_leaf(&s, tree->points, leaf, vectors);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_pending next = stack[--n];
            if (next.least > s.worst) continue;
            const clump_tree_node *const from = &tree->nodes[next.slot / CLUMP_TREE_WIDTH];
            const unsigned j = next.slot % CLUMP_TREE_WIDTH;
            if (++opened > TREE_OPENED && find_vectors(&s, from, j) == 0) continue;
            at = from->child[j];
            break;
        }
    }
}
