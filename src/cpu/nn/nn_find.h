/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nn_find.h: one query, and what has been found for it. Every method of `nn` passes spans of points to
 * clump_find_test(), which collects the k nearest, a count, or a row of neighbours.
 *
 * A neighbour is a key: the bits of its squared distance above its index. Distances are not negative, so their bits
 * sort like their values. The smaller key is the nearer point; of equally near points, the one with the smaller index.
 * One comparison of keys is the whole rule.
 *
 *     key     | squared distance, 32 bits | index, 32 bits |
 */
#ifndef CLUMP_CPU_NN_NN_FIND_H
#define CLUMP_CPU_NN_NN_FIND_H

#include "common/bits.h"
#include "common/sort.h"
#include "common/wide.h"
#include "cpu/nn/box_tree.h"
#include "rules/distance.h"

#define CLUMP_FIND_MOST 128 /* neighbours of a query; clump_index_knn refuses more */

typedef enum clump_find_kind { CLUMP_FIND_NEAREST, CLUMP_FIND_COUNT, CLUMP_FIND_FILL } clump_find_kind;

typedef struct clump_find {
    float x, y, z;
    clump_find_kind kind;
    float bound;    /* largest squared distance that is still wanted */
    uint64_t worst; /* largest key that is still wanted */
    size_t found, room;
    uint64_t *heap;   /* NEAREST: `room` keys; a heap once found == room */
    int32_t *indices; /* FILL: `room` entries, in any order */
    float *distances; /* FILL: squared distances of the indices; may be null */
} clump_find;

static inline uint64_t clump_find_key(float d2, int32_t index)
{
    return (uint64_t)clump_float_bits(d2) << 32 | (uint32_t)index;
}

static inline float clump_find_distance(uint64_t key)
{
    return clump_float_of_bits((uint32_t)(key >> 32));
}

/* Begins a search for points within the bound, inclusive. */
static inline void clump_find_begin(clump_find *find, const float *query, float bound)
{
    find->x = query[0], find->y = query[1], find->z = query[2];
    find->bound = bound;
    find->worst = clump_find_key(bound, CLUMP_TREE_NO_INDEX);
    find->found = 0;
}

/* Adds a key to the k nearest; it is not above find->worst. */
static inline void clump_find_insert(clump_find *find, uint64_t key)
{
    CLUMP_ASSERT(find->room >= 1 && find->room <= CLUMP_FIND_MOST && key <= find->worst);
    if (find->found < find->room) {
        find->heap[find->found++] = key;
        if (find->found < find->room) return;
        clump_heap_make(find->heap, find->room);
    } else {
        clump_heap_sink(find->heap, find->room, 0, key);
    }
    find->worst = find->heap[0];
    find->bound = clump_find_distance(find->worst);
}

/* Adds a point if it is wanted. */
static inline void clump_find_add(clump_find *find, float d2, int32_t index)
{
    const uint64_t key = clump_find_key(d2, index);
    if (key > find->worst) return;
    if (find->kind == CLUMP_FIND_NEAREST) {
        clump_find_insert(find, key);
        return;
    }
    if (find->kind == CLUMP_FIND_FILL && find->found < find->room) {
        find->indices[find->found] = index;
        if (find->distances) find->distances[find->found] = d2;
    }
    find->found++;
}

/* Tests one point. */
static inline void clump_find_test_one(clump_find *find, const clump_tree_point *p)
{
    const float d2 = clump_distance_squared(find->x, find->y, find->z, p->x, p->y, p->z);
    if (d2 <= find->bound) clump_find_add(find, d2, p->index);
}

/* Adds those of CLUMP_WIDE points that are wanted; bit i of `within` is point clump_fw_point(i). */
static inline void clump_find_add_lanes(clump_find *find, const clump_tree_point *points, unsigned within)
{
    if (find->kind == CLUMP_FIND_COUNT) {
        find->found += clump_popcount(within);
        return;
    }
    for (; within != 0; within &= within - 1) clump_find_test_one(find, &points[clump_fw_point(clump_lowest(within))]);
}

/* Tests points first ... last - 1. */
static inline void clump_find_test(clump_find *find, const clump_tree_point *points, size_t first, size_t last)
{
    const clump_fw x = clump_fw_set(find->x), y = clump_fw_set(find->y), z = clump_fw_set(find->z);
    const unsigned all = (unsigned)(((uint64_t)1 << CLUMP_WIDE) - 1);
    size_t i = first;
    for (; i + CLUMP_WIDE <= last; i += CLUMP_WIDE) {
        clump_fw px, py, pz;
        clump_fw_load_points(&points[i].x, &px, &py, &pz);
        const clump_fw d2 = clump_fw_distance_squared(clump_fw_sub(x, px), clump_fw_sub(y, py), clump_fw_sub(z, pz));
        const unsigned beyond = clump_mw_bits(clump_fw_is_less(clump_fw_set(find->bound), d2));
        clump_find_add_lanes(find, points + i, beyond ^ all);
    }
#if CLUMP_WIDE > 4
    const clump_f4 x4 = clump_f4_set(find->x), y4 = clump_f4_set(find->y), z4 = clump_f4_set(find->z);
    for (; i + 4 <= last; i += 4) {
        clump_f4 px, py, pz;
        clump_f4_load_points(&points[i].x, &px, &py, &pz);
        const clump_f4 d2 = clump_f4_distance_squared(clump_f4_sub(x4, px), clump_f4_sub(y4, py), clump_f4_sub(z4, pz));
        unsigned within = clump_f4_less(clump_f4_set(find->bound), d2) ^ 15u;
        for (; within != 0; within &= within - 1) clump_find_test_one(find, &points[i + clump_lowest(within)]);
    }
#endif
    for (; i < last; i++) clump_find_test_one(find, &points[i]);
}

/* Writes the k nearest in order, then -1 and infinity up to `room`; distances may be null. */
void clump_find_nearest(clump_find *find, int32_t *indices, float *distances);

/* Sorts a row of neighbours by ascending index; distances may be null. */
void clump_find_sort_row(int32_t *indices, float *distances, size_t n);

#endif
