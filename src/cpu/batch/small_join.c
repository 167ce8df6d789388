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

/* Joins the points of one voxel with each other. */
static void join_inside(clump_small *s, uint32_t v)
{
    const uint32_t begin = s->start[v], end = s->start[v + 1];
    uint32_t sets = 0;
    s->rep[v] = CLUMP_SMALL_NONE;
    for (uint32_t p = begin; p < end; p++) {
        if (!clump_small_in_set(s, p)) continue;
        if (s->rep[v] == CLUMP_SMALL_NONE) s->rep[v] = p;
        sets++;
        const clump_small_probe probe = clump_small_probe_at(s, p);
        for (uint32_t q = begin; q < p && sets > 1; q += CLUMP_WIDE)
            for (unsigned near = clump_small_near(s, &probe, q, p); near && sets > 1; near &= near - 1)
                if (unite(s->parent, p, q + clump_lowest(near))) sets--;
    }
    s->uniform[v] = sets <= 1;
}

/* Joins point p with the neighbours among the points of voxel u; with the first one if `first`. Returns whether there is
 * one. */
static bool join_point(clump_small *s, uint32_t p, uint32_t u, bool first)
{
    const clump_small_probe probe = clump_small_probe_at(s, p);
    const uint32_t end = s->start[u + 1];
    bool any = false;
    for (uint32_t q = s->start[u]; q < end; q += CLUMP_WIDE)
        for (unsigned near = clump_small_near(s, &probe, q, end); near; near &= near - 1) {
            unite(s->parent, p, q + clump_lowest(near));
            if (first) return true;
            any = true;
        }
    return any;
}

/* Joins the points of voxels v and u, which both have points in sets. */
static void join_voxels(clump_small *s, uint32_t v, uint32_t u)
{
    if (s->uniform[v] && !s->uniform[u]) {
        const uint32_t t = v;
        v = u;
        u = t;
    }
    const bool one = s->uniform[u], both = one && s->uniform[v];
    if (both && clump_find(s->parent, s->rep[v]) == clump_find(s->parent, s->rep[u])) return;
    for (uint32_t p = s->start[v]; p < s->start[v + 1]; p++) {
        if (!clump_small_in_set(s, p)) continue;
        if (one && !both && clump_find(s->parent, p) == clump_find(s->parent, s->rep[u])) continue;
        if (join_point(s, p, u, one) && both) return;
    }
}

void clump_small_join(clump_small *s)
{
    enum { BEFORE = 4 }; /* rows of the layer before, and the row before of the same layer */
    clump_small_stream streams[CLUMP_SMALL_ROWS];
    clump_small_streams(s, streams);
    for (uint32_t v = 0; v < s->voxels; v++) {
        join_inside(s, v);
        if (s->rep[v] == CLUMP_SMALL_NONE) continue;
        const int64_t key = s->keys[v];
        for (int k = 0; k < BEFORE; k++) {
            uint32_t end;
            for (uint32_t u = clump_small_move(s, &streams[k], key, &end); u < end; u++)
                if (s->rep[u] != CLUMP_SMALL_NONE) join_voxels(s, v, u);
        }
        if (v > 0 && s->keys[v - 1] == key - 1 && s->rep[v - 1] != CLUMP_SMALL_NONE) join_voxels(s, v, v - 1);
    }
}

int32_t clump_small_number(clump_small *s, const clump_cloud_job *in)
{
    int32_t *const labels = in->labels;
    int32_t *const number = (int32_t *)s->spare;
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

bool clump_small_ec(clump_small *s, const clump_cloud_job *in, clump_result *result)
{
    if (!clump_small_build(s, in, result)) return false;
    clump_small_join(s);
    result->clusters = clump_small_number(s, in);
    return true;
}
