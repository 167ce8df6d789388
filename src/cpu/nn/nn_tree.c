/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_tree.c: searches of the box tree, depth first, the nearer box first.
 *
 * Most queries come by the hundred thousand, and in the order of the curve sixteen that follow each
 * other lie close together. They are searched for together: a node's boxes are compared with the box
 * around the group; a leaf's box with the queries, four at a time; and where some query may have its
 * nearest in the leaf, each of its points with the queries, four at a time, without a branch:
 *
 *     d2 < best  ->  index = the point's
 *     d2 = best  ->  index = the smaller one
 *
 * Nothing is lost by rounding. For a point p of a box and a query q of the group, one axis, as real
 * numbers: p - q >= lower - highest and q - p >= lowest - upper, with the ends of the box and of the group.
 * Rounding is monotone, so the same holds of the float32 differences; squares and sums are rounded
 * monotonely too, in the order in which a distance is computed. So a box's computed distance is at most the
 * computed distance of any pair, also when it overflows to infinity. A box is left out when that
 * is more than the worst best distance; a leaf, and a node when many have been opened, when for each
 * query it is more than the best, or the same and all indices in the box are larger: so thousands of
 * equal points do not have to be looked at to find the one with the smallest index.
 */
#include "cpu/nn/nn_tree.h"

#include "common/lanes.h"

#include <math.h>

#define WIDTH   CLUMP_TREE_WIDTH
#define VECTORS (CLUMP_PACK / 4)
#define MANY    24 /* nodes; a group that needs more asks each of its queries before it opens another */

static inline clump_f4 gap(clump_f4 below, clump_f4 above)
{
    return clump_f4_max(clump_f4_max(below, above), clump_f4_set(0));
}

static inline clump_f4 sum_of_squares(clump_f4 x, clump_f4 y, clump_f4 z)
{
    return clump_f4_distance_squared(x, y, z);
}

/* Puts boxes of a node that wait on the stack, nearest on top, of equal ones the first. */
static inline size_t push(clump_tree_wait *waits, size_t base, size_t n, float least, uint32_t slot)
{
    size_t at = n;
    for (; at > base && waits[at - 1].least <= least; at--) waits[at] = waits[at - 1];
    waits[at] = (clump_tree_wait){least, slot};
    return n + 1;
}

/* ----- one query ------------------------------------------------------------------------------ */

void clump_tree_find(const clump_tree *tree, clump_find *find, clump_tree_wait *waits)
{
    if (tree->count == 0) return;
    const clump_f4 x = clump_f4_set(find->x), y = clump_f4_set(find->y), z = clump_f4_set(find->z);
    uint32_t at = tree->root;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        const size_t base = n;
        float least[WIDTH];
        unsigned within = 0;
        for (int w = 0; w < WIDTH; w += 4) {
            const clump_f4 d2 = sum_of_squares(gap(clump_f4_sub(clump_f4_load(node->lower[0] + w), x),
                                                   clump_f4_sub(x, clump_f4_load(node->upper[0] + w))),
                                               gap(clump_f4_sub(clump_f4_load(node->lower[1] + w), y),
                                                   clump_f4_sub(y, clump_f4_load(node->upper[1] + w))),
                                               gap(clump_f4_sub(clump_f4_load(node->lower[2] + w), z),
                                                   clump_f4_sub(z, clump_f4_load(node->upper[2] + w))));
            clump_f4_store(least + w, d2);
            within |= (clump_f4_less(clump_f4_set(find->bound), d2) ^ 15u) << w;
        }
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            if (node->least[j] != CLUMP_NOBODY) n = push(waits, base, n, least[j], at * WIDTH + j);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_wait next = waits[--n];
            const clump_tree_node *const from = &tree->nodes[next.slot / WIDTH];
            const unsigned j = next.slot % WIDTH;
            if (clump_find_key(next.least, from->least[j]) > find->worst) continue;
            at = from->child[j];
            if ((at & CLUMP_TREE_LEAF_BIT) == 0) break;
            const clump_tree_leaf *const leaf = &tree->leaves[at & ~CLUMP_TREE_LEAF_BIT];
            clump_find_look(find, tree->points, leaf->first, leaf->last);
        }
    }
}

size_t clump_tree_leaf_near(const clump_tree *tree, const float *query, float *wide)
{
    const clump_f4 at[3] = {clump_f4_set(query[0]), clump_f4_set(query[1]), clump_f4_set(query[2])};
    uint32_t child = tree->root;
    do {
        const clump_tree_node *const node = &tree->nodes[child];
        float far[WIDTH];
        for (int w = 0; w < WIDTH; w += 4) {
            clump_f4 d[3];
            for (int k = 0; k < 3; k++)
                d[k] = gap(clump_f4_sub(clump_f4_load(node->lower[k] + w), at[k]),
                           clump_f4_sub(at[k], clump_f4_load(node->upper[k] + w)));
            clump_f4_store(far + w, sum_of_squares(d[0], d[1], d[2]));
        }
        int j = 0; /* there always is a first */
        for (int i = 1; i < WIDTH; i++) j = far[i] < far[j] ? i : j;
        float side = 0;
        for (int k = 0; k < 3; k++) side = fmaxf(side, node->upper[k][j] - node->lower[k][j]);
        *wide = side + sqrtf(far[j]);
        child = node->child[j];
    } while ((child & CLUMP_TREE_LEAF_BIT) == 0);
    return child & ~CLUMP_TREE_LEAF_BIT;
}

/* ----- a group -------------------------------------------------------------------------------- */

typedef struct search {
    clump_pack *pack;
    int vectors;
    float worst; /* of all best distances the largest */
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

/* Bit v: a query of vector v may have its nearest in box j of the node. */
static inline unsigned vectors_near(const search *s, const clump_tree_node *node, unsigned j)
{
    const clump_pack *const g = s->pack;
    const clump_i4 least = clump_i4_set(node->least[j]);
    clump_i4 near[4];
    for (int v = 0; v < VECTORS; v++) {
        if (v >= s->vectors) {
            near[v] = clump_i4_set(0);
            continue;
        }
        const clump_f4 x = clump_f4_load(g->x + 4 * v), y = clump_f4_load(g->y + 4 * v),
                       z = clump_f4_load(g->z + 4 * v);
        const clump_f4 d2 = sum_of_squares(
            gap(clump_f4_sub(clump_f4_set(node->lower[0][j]), x), clump_f4_sub(x, clump_f4_set(node->upper[0][j]))),
            gap(clump_f4_sub(clump_f4_set(node->lower[1][j]), y), clump_f4_sub(y, clump_f4_set(node->upper[1][j]))),
            gap(clump_f4_sub(clump_f4_set(node->lower[2][j]), z), clump_f4_sub(z, clump_f4_set(node->upper[2][j]))));
        const clump_f4 best = clump_f4_load(g->best + 4 * v);
        const clump_i4 tie =
            clump_i4_and(clump_f4_is_equal(d2, best), clump_i4_is_less(least, clump_i4_load(g->index + 4 * v)));
        near[v] = clump_i4_or(clump_f4_is_less(d2, best), tie);
    }
    return clump_i4_some(near);
}

/* Points against the queries of `vectors` vectors from lane `at` on, which stay in registers. Two points at a time:
 * of an odd number the last brings the one behind it along, which is of the next leaf, or far away, and does no harm. */
static inline void compare(clump_pack *p, size_t at, int vectors, const clump_tree_point *points, size_t count)
{
    clump_f4 x[VECTORS], y[VECTORS], z[VECTORS], best[VECTORS];
    clump_i4 index[VECTORS];
    for (int v = 0; v < vectors; v++) {
        const size_t lane = at + 4 * (size_t)v;
        x[v] = clump_f4_load(p->x + lane), y[v] = clump_f4_load(p->y + lane), z[v] = clump_f4_load(p->z + lane);
        best[v] = clump_f4_load(p->best + lane), index[v] = clump_i4_load(p->index + lane);
    }
    const clump_i4 nobody = clump_i4_set(CLUMP_NOBODY);
    for (const clump_tree_point *const end = points + count; points < end; points += 2) {
        for (int i = 0; i < 2; i++) {
            const clump_f4 px = clump_f4_set(points[i].x), py = clump_f4_set(points[i].y);
            const clump_f4 pz = clump_f4_set(points[i].z);
            const clump_i4 number = clump_i4_set(points[i].index);
            for (int v = 0; v < vectors; v++) {
                const clump_f4 d2 =
                    sum_of_squares(clump_f4_sub(x[v], px), clump_f4_sub(y[v], py), clump_f4_sub(z[v], pz));
                const clump_i4 tie = clump_i4_choose(clump_f4_is_equal(d2, best[v]), number, nobody);
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

/* The points of a leaf against the vectors whose bits are set. */
static void look(search *s, const clump_tree_point *points, const clump_tree_leaf *leaf, unsigned vectors)
{
    clump_pack *const p = s->pack;
    const size_t count = leaf->last - leaf->first;
    points += leaf->first;
    if (vectors == 15u) {
        compare(p, 0, 4, points, count);
    } else {
        for (; vectors != 0; vectors &= vectors - 1) compare(p, 4 * (size_t)clump_lowest(vectors), 1, points, count);
    }
    s->worst = highest_of(p->best, s->vectors);
}

/* Lanes up to a whole vector. Returns the vectors. */
static inline int fill_up(clump_pack *g)
{
    int n = g->count;
    for (; n % 4 != 0; n++) {
        g->x[n] = g->x[0], g->y[n] = g->y[0], g->z[n] = g->z[0];
        g->best[n] = g->best[0], g->index[n] = g->index[0];
    }
    return n / 4;
}

/* Bit j: there is a box j. */
static unsigned boxes_of(const clump_tree_node *node)
{
    unsigned boxes = 0;
    for (unsigned j = 0; j < WIDTH; j++) boxes |= (unsigned)(node->least[j] != CLUMP_NOBODY) << j;
    return boxes;
}

void clump_tree_find_pack(const clump_tree *tree, clump_pack *p, size_t start, clump_tree_wait *waits)
{
    search s = {.pack = p, .vectors = fill_up(p)};
    uint32_t begin = UINT32_MAX; /* first point of the leaf */
    if (start == CLUMP_TREE_NO_LEAF) {
        s.worst = highest_of(p->best, s.vectors);
    } else {
        begin = tree->leaves[start].first;
        look(&s, tree->points, &tree->leaves[start], (1u << s.vectors) - 1);
    }

    const clump_f4 lower[3] = {clump_f4_set(lowest_of(p->x, s.vectors)), clump_f4_set(lowest_of(p->y, s.vectors)),
                               clump_f4_set(lowest_of(p->z, s.vectors))};
    const clump_f4 upper[3] = {clump_f4_set(highest_of(p->x, s.vectors)), clump_f4_set(highest_of(p->y, s.vectors)),
                               clump_f4_set(highest_of(p->z, s.vectors))};
    uint32_t at = tree->root;
    size_t opened = 0;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        float least[WIDTH];
        unsigned near = 0;
        for (int w = 0; w < WIDTH; w += 4) {
            clump_f4 d[3];
            for (int k = 0; k < 3; k++)
                d[k] = gap(clump_f4_sub(clump_f4_load(node->lower[k] + w), upper[k]),
                           clump_f4_sub(lower[k], clump_f4_load(node->upper[k] + w)));
            const clump_f4 d2 = sum_of_squares(d[0], d[1], d[2]);
            near |= (clump_f4_less(clump_f4_set(s.worst), d2) ^ 15u) << w;
            clump_f4_store(least + w, d2);
        }
        if (!(s.worst < INFINITY)) near = boxes_of(node); /* else what is not used is too far */
        const size_t base = n;
        for (; near != 0; near &= near - 1) {
            const unsigned j = clump_lowest(near);
            const uint32_t child = node->child[j];
            if ((child & CLUMP_TREE_LEAF_BIT) == 0) {
                n = push(waits, base, n, least[j], at * WIDTH + j);
                continue;
            }
            const clump_tree_leaf *const leaf = &tree->leaves[child & ~CLUMP_TREE_LEAF_BIT];
            if (leaf->first == begin) continue;
            const unsigned vectors = vectors_near(&s, node, j);
            if (vectors != 0) look(&s, tree->points, leaf, vectors);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_wait next = waits[--n];
            if (next.least > s.worst) continue;
            const clump_tree_node *const from = &tree->nodes[next.slot / WIDTH];
            const unsigned j = next.slot % WIDTH;
            if (++opened > MANY && vectors_near(&s, from, j) == 0) continue;
            at = from->child[j];
            break;
        }
    }
}
