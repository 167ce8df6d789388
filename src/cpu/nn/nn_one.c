/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_one.c: see nn_boxes.h. Keys (nn_find.h) of all points within the bound are collected without a branch per point, and
 * sorted at the end. A search for the k nearest does the same: whenever the room is full, only the k nearest stay, and the
 * bound becomes that of the last one. So a good bound, such as that of a query close by, makes it a radius search.
 */

#include "common/key_sort.h"
#include "cpu/nn/nn_boxes.h"

#include <math.h>

enum {
    ONE_ROOM = 384,                             /* keys of a search for the k nearest, at least 2 * CLUMP_FIND_MOST */
    ONE_LEAF = CLUMP_TREE_LEAF + CLUMP_WIDE - 1 /* keys that testing a leaf writes at most */
};

/* Appends the keys of the points of a leaf that are within the bound; writes up to ONE_LEAF keys. Returns their number. */
static size_t collect(const clump_tree_point *points, size_t count, const clump_find *at, uint64_t *keys)
{
    const clump_fw x = clump_fw_set(at->x), y = clump_fw_set(at->y), z = clump_fw_set(at->z);
    const clump_fw bound = clump_fw_set(at->bound);
    const unsigned all = (unsigned)(((uint64_t)1 << CLUMP_WIDE) - 1);
    size_t n = 0, i = 0;
    for (; i + CLUMP_WIDE <= count; i += CLUMP_WIDE) {
        clump_fw px, py, pz;
        clump_fw_load_points(&points[i].x, &px, &py, &pz);
        const clump_fw d2 = clump_fw_distance_squared(clump_fw_sub(x, px), clump_fw_sub(y, py), clump_fw_sub(z, pz));
        const unsigned within = clump_mw_bits(clump_fw_is_less(bound, d2)) ^ all;
        if (within == 0) continue;
        float squares[CLUMP_WIDE];
        clump_fw_store(squares, d2);
        for (unsigned lane = 0; lane < CLUMP_WIDE; lane++) {
            keys[n] = clump_find_key(squares[lane], points[i + clump_fw_point(lane)].index);
            n += within >> lane & 1;
        }
    }
    for (; i < count; i++) {
        const float d2 = clump_distance_squared(at->x, at->y, at->z, points[i].x, points[i].y, points[i].z);
        keys[n] = clump_find_key(d2, points[i].index);
        n += d2 <= at->bound;
    }
    return n;
}

/* The keys found so far, and where the next go. */
typedef struct one_keys {
    uint64_t *keys;
    size_t count, room;
    size_t k; /* 0: all */
} one_keys;

/* Keeps the k nearest of at least k keys. */
static void keep_nearest(clump_find *at, one_keys *found)
{
    clump_keys_sort(found->keys, found->count, found->k);
    found->count = found->k;
    at->worst = found->keys[found->k - 1];
    at->bound = clump_find_distance(at->worst);
}

/* Adds the points of a leaf. Lowers the bound where the k nearest are known well enough. */
static void add_leaf(const clump_box_tree *tree, const clump_tree_leaf *leaf, clump_find *at, one_keys *found)
{
    const size_t points = leaf->last - leaf->first;
    if (found->count + ONE_LEAF <= found->room) {
        found->count += collect(tree->points + leaf->first, points, at, found->keys + found->count);
        if (found->k == 0 || found->count + ONE_LEAF <= found->room) return;
        keep_nearest(at, found);
        return;
    }
    uint64_t last[ONE_LEAF]; /* the caller's memory ends near here, or has ended */
    const size_t n = collect(tree->points + leaf->first, points, at, last);
    if (n > 0 && found->count + n <= found->room) memcpy(found->keys + found->count, last, n * sizeof *last);
    found->count += n;
}

/* Lowers the bound as soon as k points are known, so that boxes further away are not opened. */
static void lower_bound(clump_find *at, one_keys *found, size_t *known)
{
    if (found->k == 0 || found->count < found->k || found->count < *known) return;
    keep_nearest(at, found);
    *known = found->k + found->k / 2 + 8; /* again when this many have been found */
}

/* Whether a child that is just as near as the last of the k nearest has no smaller index. Many points may be in one place.
 * Not known of leaves. */
static bool comes_later(const clump_box_tree *tree, uint32_t child, uint64_t worst)
{
    if (child & CLUMP_TREE_LEAF_BIT) return false;
    int32_t least = CLUMP_TREE_NO_INDEX;
    for (int j = 0; j < CLUMP_TREE_WIDTH; j++)
        least = tree->nodes[child].least[j] < least ? tree->nodes[child].least[j] : least;
    return (uint32_t)least > (uint32_t)worst;
}

/* The stack holds children, not slots. */
static void walk(const clump_box_tree *tree, clump_find *at, one_keys *found)
{
    clump_tree_pending stack[CLUMP_TREE_STACK];
    const clump_boxes_query query = clump_boxes_point(at->x, at->y, at->z);
    const bool ordered = found->k > 0; /* otherwise all boxes within the bound are opened anyway */
    size_t known = isfinite(at->bound) ? found->k + found->k / 2 + 8 : found->k;
    uint32_t node_at = tree->root;
    for (size_t n = 0;;) {
        const clump_tree_node *const node = &tree->nodes[node_at];
        const size_t base = n;
        float least[CLUMP_TREE_WIDTH];
        unsigned within = clump_boxes_within(node, &query, at->bound, least);
        for (; within != 0; within &= within - 1) {
            const unsigned j = clump_lowest(within);
            if (least[j] < INFINITY || node->least[j] != CLUMP_TREE_NO_INDEX) /* unused boxes are at infinity */
                n = clump_boxes_push(stack, ordered ? base : n, n, least[j], node->child[j]);
        }
        for (;;) {
            if (n == 0) return;
            const clump_tree_pending next = stack[--n];
            node_at = next.slot;
            if (next.least >= at->bound && (next.least > at->bound || comes_later(tree, node_at, at->worst))) continue;
            if ((node_at & CLUMP_TREE_LEAF_BIT) == 0) break;
            add_leaf(tree, &tree->leaves[node_at & ~CLUMP_TREE_LEAF_BIT], at, found);
            lower_bound(at, found, &known);
        }
    }
}

/* The nearest point alone: there is nothing to collect. */
static size_t find_nearest(const clump_box_tree *tree, const clump_one_job *job)
{
    clump_tree_pending stack[CLUMP_TREE_STACK];
    clump_find find = {.kind = CLUMP_FIND_NEAREST, .room = 1, .heap = job->keys};
    clump_find_begin(&find, job->query, job->bound);
    clump_tree_find(tree, &find, stack);
    return find.found;
}

/* Sorts all neighbours. Where many squared distances are alike, dealing them out does not help; time n^2 is then bounded by
 * the size of CLUMP_KEYS_SPREAD. */
static void sort_all(const clump_one_job *job, size_t n)
{
    const bool normal = job->bound >= 1e-30f && job->bound <= 1e30f; /* no overflow in the scale */
    if (n > CLUMP_KEYS_RANKED && n <= CLUMP_KEYS_SPREAD && normal)
        clump_keys_spread(job->keys, n, job->bound);
    else
        clump_keys_sort(job->keys, n, n);
}

size_t clump_tree_one(const clump_box_tree *tree, const clump_one_job *job)
{
    const float *const q = job->query;
    if (tree->count == 0 || !isfinite(q[0]) || !isfinite(q[1]) || !isfinite(q[2])) return 0;
    if (job->k == 1) return find_nearest(tree, job);
    clump_find at;
    clump_find_begin(&at, q, job->bound);
    if (job->k > 0) {
        uint64_t keys[ONE_ROOM];
        one_keys found = {keys, 0, ONE_ROOM, job->k};
        walk(tree, &at, &found);
        const size_t n = found.count < job->k ? found.count : job->k;
        if (found.count <= CLUMP_KEYS_RANKED) {
            clump_keys_rank(keys, found.count, n, job->keys);
        } else {
            clump_keys_sort(keys, found.count, n);
            memcpy(job->keys, keys, n * sizeof *keys);
        }
        return n;
    }
    one_keys found = {job->keys, 0, job->room, 0};
    walk(tree, &at, &found);
    if (job->sorted && found.count <= job->room) sort_all(job, found.count);
    return found.count;
}
