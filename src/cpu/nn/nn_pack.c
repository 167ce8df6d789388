/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_pack.c: searches of the box tree for a pack of queries, depth first, the nearer box first.
 *
 * Calls have many queries, and consecutive ones in the order of the curve lie close together. They are searched for as
 * a pack. The boxes of a node are tested against the box around the pack. The box of a leaf is tested against the
 * queries, a vector of them at a time. Where a query may have its nearest point in the leaf, each point of the leaf is
 * tested against the queries, a vector at a time, without a branch:
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

#include "cpu/nn/nn_boxes.h"

#include <math.h>

#define PACK_VECTORS (CLUMP_PACK / CLUMP_WIDE)
#define PACK_HELD    (CLUMP_WIDE == 4 ? 4 : 2) /* vectors of queries that stay in registers */
#define PACK_OPENED  24                        /* nodes opened before a pack tests its queries for each further node */

typedef struct search {
    clump_pack *pack;
    int vectors;
    float worst; /* the largest of the best distances */
} search;

static inline float highest_of(const float *lanes, int vectors)
{
    clump_fw high = clump_fw_load(lanes);
    for (int v = 1; v < vectors; v++) high = clump_fw_max(high, clump_fw_load(lanes + CLUMP_WIDE * v));
    return clump_fw_highest(high);
}

static inline float lowest_of(const float *lanes, int vectors)
{
    clump_fw low = clump_fw_load(lanes);
    for (int v = 1; v < vectors; v++) low = clump_fw_min(low, clump_fw_load(lanes + CLUMP_WIDE * v));
    return clump_fw_lowest(low);
}

/* The distance along an axis between queries and box j of a node. */
static inline clump_fw gap(clump_fw x, const clump_tree_node *node, int axis, unsigned j)
{
    const clump_fw below = clump_fw_sub(clump_fw_set(node->lower[axis][j]), x);
    const clump_fw above = clump_fw_sub(x, clump_fw_set(node->upper[axis][j]));
    return clump_fw_max(clump_fw_max(below, above), clump_fw_set(0));
}

/* Returns the queries of vector v that may have their nearest point in box j of the node. */
static inline clump_mw find_queries(const clump_pack *p, int v, const clump_tree_node *node, unsigned j)
{
    const int at = CLUMP_WIDE * v;
    const clump_fw d2 =
        clump_fw_distance_squared(gap(clump_fw_load(p->x + at), node, 0, j), gap(clump_fw_load(p->y + at), node, 1, j),
                                  gap(clump_fw_load(p->z + at), node, 2, j));
    const clump_fw best = clump_fw_load(p->best + at);
    const clump_mw smaller = clump_iw_is_less(clump_iw_set(node->least[j]), clump_iw_load(p->index + at));
    return clump_mw_or(clump_fw_is_less(d2, best), clump_mw_and(clump_fw_is_equal(d2, best), smaller));
}

/* Returns the vectors with a query that may have its nearest point in box j of the node, one bit each. */
static inline unsigned find_vectors(const search *s, const clump_tree_node *node, unsigned j)
{
#if CLUMP_WIDE == 4
    clump_mw within[PACK_VECTORS];
    for (int v = 0; v < PACK_VECTORS; v++)
        within[v] = v < s->vectors ? find_queries(s->pack, v, node, j) : clump_iw_set(0);
    return clump_i4_some(within);
#else
    unsigned within = 0;
    for (int v = 0; v < s->vectors; v++)
        within |= (unsigned)(clump_mw_bits(find_queries(s->pack, v, node, j)) != 0) << v;
    return within;
#endif
}

/* Tests points against the queries of `vectors` vectors from lane `at` on, which stay in registers. The loop takes two
 * points at a time. If `count` is odd, it also tests the point behind the last: of the next leaf, or the sentinel at
 * infinity. That changes no result. */
static inline void test_points(clump_pack *p, size_t at, int vectors, const clump_tree_point *points, size_t count)
{
    clump_fw x[PACK_HELD], y[PACK_HELD], z[PACK_HELD], best[PACK_HELD];
    clump_iw index[PACK_HELD];
    for (int v = 0; v < vectors; v++) {
        const size_t lane = at + CLUMP_WIDE * (size_t)v;
        x[v] = clump_fw_load(p->x + lane), y[v] = clump_fw_load(p->y + lane), z[v] = clump_fw_load(p->z + lane);
        best[v] = clump_fw_load(p->best + lane), index[v] = clump_iw_load(p->index + lane);
    }
    for (const clump_tree_point *const end = points + count; points < end; points += 2) {
        for (int i = 0; i < 2; i++) {
            const clump_fw px = clump_fw_set(points[i].x), py = clump_fw_set(points[i].y);
            const clump_fw pz = clump_fw_set(points[i].z);
            const clump_iw number = clump_iw_set(points[i].index);
            for (int v = 0; v < vectors; v++) {
                const clump_fw d2 =
                    clump_fw_distance_squared(clump_fw_sub(x[v], px), clump_fw_sub(y[v], py), clump_fw_sub(z[v], pz));
                const clump_iw tied = clump_iw_min_where(clump_fw_is_equal(d2, best[v]), index[v], number);
                index[v] = clump_iw_choose(clump_fw_is_less(d2, best[v]), number, tied);
                best[v] = clump_fw_min(best[v], d2);
            }
        }
    }
    for (int v = 0; v < vectors; v++) {
        const size_t lane = at + CLUMP_WIDE * (size_t)v;
        clump_fw_store(p->best + lane, best[v]);
        clump_iw_store(p->index + lane, index[v]);
    }
}

/* Tests the points of a leaf against the vectors whose bits are set. */
static inline void test_leaf(search *s, const clump_tree_point *points, const clump_tree_leaf *leaf, unsigned vectors)
{
    clump_pack *const p = s->pack;
    const size_t count = leaf->last - leaf->first;
    points += leaf->first;
    const unsigned held = (1u << PACK_HELD) - 1;
    for (size_t lane = 0; vectors != 0; lane += PACK_HELD * CLUMP_WIDE, vectors >>= PACK_HELD) {
        unsigned here = vectors & held;
        if (here == held) {
            test_points(p, lane, PACK_HELD, points, count);
            continue;
        }
        for (; here != 0; here &= here - 1) test_points(p, lane + CLUMP_WIDE * clump_lowest(here), 1, points, count);
    }
    s->worst = highest_of(p->best, s->vectors);
}

/* Pads the lanes to whole vectors. Returns their number. */
static inline int pad_lanes(clump_pack *g)
{
    CLUMP_ASSERT(g->count >= 1 && g->count <= CLUMP_PACK);
    int n = g->count;
    for (; n % CLUMP_WIDE != 0; n++) {
        g->x[n] = g->x[0], g->y[n] = g->y[0], g->z[n] = g->z[0];
        g->best[n] = g->best[0], g->index[n] = g->index[0];
    }
    return n / CLUMP_WIDE;
}

/* Returns the box around the pack. */
static inline clump_boxes_query box_of(const clump_pack *p, int vectors)
{
    const float *const lanes[3] = {p->x, p->y, p->z};
    clump_boxes_query q;
    for (int k = 0; k < 3; k++) {
        q.lower[k] = clump_fe_set(lowest_of(lanes[k], vectors));
        q.upper[k] = clump_fe_set(highest_of(lanes[k], vectors));
    }
    return q;
}

/* Returns the children that are used, one bit each. */
static unsigned used_children(const clump_tree_node *node)
{
    unsigned boxes = 0;
    for (unsigned j = 0; j < CLUMP_TREE_WIDTH; j++) boxes |= (unsigned)(node->least[j] != CLUMP_TREE_NO_INDEX) << j;
    return boxes;
}

void clump_tree_find_pack(const clump_box_tree *tree, clump_pack *p, size_t start, clump_tree_pending *stack)
{
    search s = {.pack = p, .vectors = pad_lanes(p)};
    uint32_t begin = UINT32_MAX; /* first point of the leaf tested first */
    if (start == CLUMP_TREE_NO_LEAF) {
        s.worst = highest_of(p->best, s.vectors);
    } else {
        begin = tree->leaves[start].first;
        test_leaf(&s, tree->points, &tree->leaves[start], (1u << s.vectors) - 1);
    }

    const clump_boxes_query box = box_of(p, s.vectors);
    uint32_t at = tree->root;
    size_t opened = 0;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[at];
        float least[CLUMP_TREE_WIDTH];
        unsigned within = clump_boxes_within(node, &box, s.worst, least);
        if (!(s.worst < INFINITY)) within = used_children(node); /* otherwise unused ones are too far away */
        const size_t base = n;
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            const uint32_t child = node->child[j];
            if ((child & CLUMP_TREE_LEAF_BIT) == 0) {
                n = clump_boxes_push(stack, base, n, least[j], at * CLUMP_TREE_WIDTH + j);
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
            if (++opened > PACK_OPENED && find_vectors(&s, from, j) == 0) continue;
            at = from->child[j];
            break;
        }
    }
}
