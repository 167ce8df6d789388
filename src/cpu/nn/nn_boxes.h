/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_boxes.h: the searches of an index, and what those of the box tree share: the distances of the boxes of a node, and
 * the stack.
 */
#ifndef CLUMP_CPU_NN_NN_BOXES_H
#define CLUMP_CPU_NN_NN_BOXES_H

#include "common/wide.h"
#include "core/backend.h"
#include "cpu/nn/box_tree.h"
#include "cpu/nn/nn_find.h"

#include <math.h>

/* --- nn_tree.c: searches of the box tree for one query ---------------------------------------------- */

/* An entry of the stack of a search: child `slot % 8` of node `slot / 8`. */
typedef struct clump_tree_pending {
    float least; /* squared distance of its box */
    uint32_t slot;
} clump_tree_pending;

/* Searches for one query of any kind. `stack` has CLUMP_TREE_STACK entries. */
void clump_tree_find(const clump_box_tree *tree, clump_find *find, clump_tree_pending *stack);

/* Returns the leaf that is reached by descending to the nearest box every time; the tree has points. *wide is the
 * longest side of the leaf's box plus the distance to it: queries closer together test about the same boxes. */
size_t clump_tree_descend(const clump_box_tree *tree, const float *query, float *wide);

/* --- the boxes of a node, and the stack ------------------------------------------------------------- */

/* A box, or a point, in all lanes. */
typedef struct clump_boxes_query {
    clump_fe lower[3], upper[3];
} clump_boxes_query;

static inline clump_boxes_query clump_boxes_point(float x, float y, float z)
{
    const clump_fe at[3] = {clump_fe_set(x), clump_fe_set(y), clump_fe_set(z)};
    return (clump_boxes_query){{at[0], at[1], at[2]}, {at[0], at[1], at[2]}};
}

/* Writes the squared distances between the query and the boxes of a node. Returns which of them are at most `bound`,
 * one bit each. */
static inline unsigned clump_boxes_within(const clump_tree_node *node, const clump_boxes_query *q, float bound,
                                          float d2[CLUMP_TREE_WIDTH])
{
    unsigned within = 0;
    for (int first = 0; first < CLUMP_TREE_WIDTH; first += CLUMP_EIGHT) {
        clump_fe d[3];
        for (int k = 0; k < 3; k++) {
            const clump_fe below = clump_fe_sub(clump_fe_load(node->lower[k] + first), q->upper[k]);
            const clump_fe above = clump_fe_sub(q->lower[k], clump_fe_load(node->upper[k] + first));
            d[k] = clump_fe_max(clump_fe_max(below, above), clump_fe_set(0));
        }
        const clump_fe far = clump_fe_distance_squared(d[0], d[1], d[2]);
        clump_fe_store(d2 + first, far);
        within |= clump_fe_within(far, clump_fe_set(bound)) << first;
    }
    return within;
}

/* Pushes a child of a node, whose children begin at `base`, nearest on top; of equal distances the first child. Returns
 * the new size of the stack. */
static inline size_t clump_boxes_push(clump_tree_pending *stack, size_t base, size_t n, float least, uint32_t slot)
{
    CLUMP_ASSERT(n < CLUMP_TREE_STACK);
    size_t at = n;
    for (; at > base && stack[at - 1].least <= least; at--) stack[at] = stack[at - 1];
    stack[at] = (clump_tree_pending){least, slot};
    return n + 1;
}

/* --- a bound for the k nearest, from queries close by ---------------------------------------------- */

#define CLUMP_RECENT 8 /* queries that bound the next one; measured on a scan, Neoverse: 1 is 4 % slower */

/* The last queries, which are close by in the order of the curve, and the distances of their k-th neighbours. */
typedef struct clump_recent {
    float x[CLUMP_RECENT], y[CLUMP_RECENT], z[CLUMP_RECENT];
    float reach[CLUMP_RECENT]; /* INFINITY: unknown */
    unsigned next;
} clump_recent;

static inline clump_recent clump_recent_none(void)
{
    clump_recent recent = {.next = 0};
    for (int i = 0; i < CLUMP_RECENT; i++) recent.reach[i] = INFINITY;
    return recent;
}

/* Returns a squared distance within which a query has k neighbours: those of a recent query are no further away than
 * theirs from it plus the distance of the two queries. Roundings are off by factors within 1 +- 6 * 2^-24, and by less
 * than 2^-73 where squares underflow; the result is made larger by more than that. */
static inline float clump_recent_bound(const clump_recent *recent, const float *q)
{
    float far = INFINITY;
    for (int i = 0; i < CLUMP_RECENT; i++) {
        const float apart = sqrtf(clump_distance_squared(q[0], q[1], q[2], recent->x[i], recent->y[i], recent->z[i]));
        far = fminf(far, recent->reach[i] + apart);
    }
    far = far * (1 + 0x1p-20f) + 1e-20f;
    return far * far;
}

static inline void clump_recent_keep(clump_recent *recent, const float *q, float d2)
{
    const unsigned i = recent->next++ % CLUMP_RECENT;
    recent->x[i] = q[0], recent->y[i] = q[1], recent->z[i] = q[2];
    recent->reach[i] = sqrtf(d2);
}

/* --- nn_azimuth.c: points in partitions by azimuth, each searched exhaustively. One partition is the method `brute`.
 * */

typedef struct clump_azimuth_parts {
    int partitions, window;
    size_t count;
    clump_tree_point *points; /* by partition, then by index */
    uint32_t *begin;          /* first point of each partition; partitions + 1 entries */
    clump_buffer point_memory, begin_memory;
} clump_azimuth_parts;

clump_status clump_azimuth_build(clump_work *home, clump_azimuth_parts *parts, clump_view view, int partitions,
                                 int window);
void clump_azimuth_find(const clump_azimuth_parts *parts, clump_find *find);
void clump_azimuth_release(clump_work *home, clump_azimuth_parts *parts);

/* --- nn_one.c: one query of the box tree, for clump_index_knn_one and clump_index_radius_one. Without a context: the
 * memory of a search is on the stack of the thread. */

/* Answers the query. Returns the number of neighbours; a number above job->room says that `keys` are not all. */
size_t clump_tree_one(const clump_box_tree *tree, const clump_one_job *job);

/* --- nn_pack.c: searches of the box tree for the nearest points of a pack: consecutive queries in the order of pack.c.
 * */

/* Queries that are searched for together. Measured on scans, Sapphire Rapids: with 8 and 16 lanes 16 is 6 to 10 %
 * slower than 32, 48 gains 2 %; with 4 lanes 16 queries are four vectors, which stay in registers. */
#define CLUMP_PACK (CLUMP_WIDE == 4 ? 16 : 32)

/* Queries in lanes; unused lanes repeat the first query. */
typedef struct clump_pack {
    float x[CLUMP_PACK], y[CLUMP_PACK], z[CLUMP_PACK];
    float best[CLUMP_PACK];    /* squared distance of the nearest point so far, or the bound */
    int32_t index[CLUMP_PACK]; /* its index, or CLUMP_TREE_NO_INDEX */
    int count;                 /* 1 ... CLUMP_PACK */
} clump_pack;

/* Finds the nearest point of every query. On entry `best` and `index` hold the bound and CLUMP_TREE_NO_INDEX, or a
 * point already known. `start` is a leaf to test first, or CLUMP_TREE_NO_LEAF. */
#define CLUMP_TREE_NO_LEAF SIZE_MAX
void clump_tree_find_pack(const clump_box_tree *tree, clump_pack *pack, size_t start, clump_tree_pending *stack);

/* --- pack.c: orders queries so that consecutive queries are close to each other, also in hot cells. A pack is up to
 * CLUMP_PACK consecutive queries that search the tree together (nn_pack.c). Queries are words of curve.h: place and index.
 *
 * Where a cloud is a few dense groups far apart, a group covers only a few of the 2048^3 cells of the curve, and a cell has
 * thousands of points. Queries of one cell are in no order, so a pack of them would span the whole cell, and its search
 * would test all leaves of the cell. Groups 1 m wide in a cloud 1 km wide took seven times as long as a cloud without gaps.
 *
 * So the queries of each hot cell (box_tree.h) are sorted along a curve through their own box, and cells
 * of that curve in the same way, recursively. Afterwards each word has its place on the curve of the tree again. */

/* Reorders the words within each hot cell of the tree. The n words are sorted by place before and after. `words` is one of
 * the two arrays of `order`; the other is scratch. */
clump_status clump_packs_order(clump_work *work, const clump_box_tree *tree, clump_curve_scratch *order,
                               uint64_t *words, size_t n, clump_view view, int threads);

#endif
