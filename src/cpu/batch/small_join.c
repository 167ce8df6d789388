/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small_join.c: joins the points of a small cloud to sets and numbers them (small.h).
 *
 * A voxel whose points are all in one set is uniform. It stays uniform, as sets only grow. Of such a voxel one neighbour
 * is enough: the search ends at the first. Two uniform voxels in one set are not compared at all. So dense clouds cost
 * little more than a visit per voxel, though a voxel is no cell of `fast`: its points need not be neighbours.
 */
#include "cpu/batch/small_near.h"

#include "rules/union_find.h"

/* Up to this number of pairs, all are compared: to ask for sets takes longer. Measured on a Neoverse V1. */
#define SMALL_FEW 16

/* Joins the sets of two points; returns whether they were different. */
static inline bool unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = clump_find(parent, a);
    b = clump_find(parent, b);
    if (a == b) return false;
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
    return true;
}

/* Joins point p with its neighbours among the points from q to end - 1. */
static inline void join_point(clump_small *s, uint32_t p, uint32_t q, uint32_t end)
{
    const clump_small_probe probe = clump_small_probe_at(s, p);
    for (; q < end; q += CLUMP_WIDE)
        for (unsigned near = clump_small_near(s, &probe, q, end); near; near &= near - 1)
            unite(s->parent, p, q + clump_lowest(near));
}

/* Joins point p with its first neighbour among the points from q to end - 1. Returns whether there is one. */
static inline bool join_first(clump_small *s, uint32_t p, uint32_t q, uint32_t end)
{
    const clump_small_probe probe = clump_small_probe_at(s, p);
    for (; q < end; q += CLUMP_WIDE) {
        const unsigned near = clump_small_near(s, &probe, q, end);
        if (near == 0) continue;
        unite(s->parent, p, q + clump_lowest(near));
        return true;
    }
    return false;
}

/* Joins the points of one voxel with each other. */
static void join_inside(clump_small *s, clump_small_piece v)
{
    uint32_t sets = 0, rep = CLUMP_SMALL_NONE;
    for (uint32_t p = v.begin; p < v.end; p++) {
        if (!clump_small_in_set(s, p)) continue;
        if (rep == CLUMP_SMALL_NONE) rep = p;
        sets++;
        const clump_small_probe probe = clump_small_probe_at(s, p);
        for (uint32_t q = v.begin; q < p && sets > 1; q += CLUMP_WIDE)
            for (unsigned near = clump_small_near(s, &probe, q, p); near && sets > 1; near &= near - 1)
                if (unite(s->parent, p, q + clump_lowest(near))) sets--;
    }
    s->rep[v.begin] = rep;
    s->uniform[v.begin] = sets <= 1;
}

/* Joins the points of voxels v and u, which both have points. */
static void join_voxels(clump_small *s, clump_small_piece v, clump_small_piece u)
{
    if (s->rep[u.begin] == CLUMP_SMALL_NONE) return;
    if (s->uniform[v.begin] && !s->uniform[u.begin]) {
        const clump_small_piece t = v;
        v = u;
        u = t;
    }
    const bool one = s->uniform[u.begin], both = one && s->uniform[v.begin];
    const uint32_t rep = s->rep[u.begin];
    if (both && clump_find(s->parent, s->rep[v.begin]) == clump_find(s->parent, rep)) return;
    for (uint32_t p = v.begin; p < v.end; p++) {
        if (!clump_small_in_set(s, p)) continue;
        if (!one) {
            join_point(s, p, u.begin, u.end);
        } else if (both || clump_find(s->parent, p) != clump_find(s->parent, rep)) {
            if (join_first(s, p, u.begin, u.end) && both) return;
        }
    }
}

/* Joins voxel v with the voxels that begin at `begin`, `count` of them. */
static void join_row(clump_small *s, clump_small_piece v, const uint16_t *begin, int count)
{
    const uint32_t first = begin[0], end = begin[count];
    if (first == end) return;
    if ((v.end - v.begin) * (end - first) <= SMALL_FEW) {
        for (uint32_t p = v.begin; p < v.end; p++) join_point(s, p, first, end);
        return;
    }
    for (int k = 0; k < count; k++)
        if (begin[k] < begin[k + 1]) join_voxels(s, v, (clump_small_piece){begin[k], begin[k + 1]});
}

void clump_small_join(clump_small *s)
{
    for (clump_small_piece v = {0, 0}; v.begin < s->count; v.begin = v.end) {
        const uint16_t *const at = s->begin + s->key[v.begin];
        v.end = at[s->row[CLUMP_SMALL_BEFORE] + 2];
        join_inside(s, v);
        if (s->rep[v.begin] == CLUMP_SMALL_NONE) continue;
        for (int k = 0; k < CLUMP_SMALL_BEFORE; k++) join_row(s, v, at + s->row[k], 3);
        join_row(s, v, at + s->row[CLUMP_SMALL_BEFORE], 1);
    }
}

int32_t clump_small_number(clump_small *s, const clump_cloud_job *in)
{
    int32_t *const labels = in->labels;
    int32_t *const number = s->number;
    for (uint32_t p = 0; p < s->count; p++) {
        number[p] = CLUMP_NOISE;
        if (clump_small_in_set(s, p)) labels[s->index[p]] = (int32_t)clump_find(s->parent, p);
    }
    int32_t sets = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (labels[i] < 0) continue;
        int32_t *const own = &number[labels[i]];
        if (*own < 0) *own = sets++;
        labels[i] = *own;
    }
    return sets;
}

bool clump_small_ec(clump_small *s, const clump_cloud_job *in, clump_stats *stats)
{
    if (!clump_small_build(s, in, false, stats)) return false;
    clump_small_join(s);
    stats->clusters = clump_small_number(s, in);
    return true;
}
