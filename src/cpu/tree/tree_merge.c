/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_merge.c: see tree.h. Edges are added in the order of their weights. Where a component joins one with a smaller first
 * point, its own first point ends there: it gets the weight as height, and the other first point as parent. Edges of one
 * weight come in any order, so a parent can end at the same weight. A last pass in the order of the points replaces such a
 * parent by its own, which is final by then: parents come before their children.
 */
#include "cpu/tree/tree.h"

#include "core/work.h"

#include <math.h>

#define MERGE_POLLED 65536 /* points between two polls */
#define MERGE_EDGES  4096  /* edges between two polls: their ends are anywhere in memory */

static uint32_t find_set(uint32_t *set, uint32_t i)
{
    while (set[i] != i) i = set[i] = set[set[i]];
    return i;
}

/* Joins the sets of the two ends of an edge. f->best holds sizes, f->target the first points. */
static void join_sets(clump_forest *f, size_t edge, const clump_tree_job *job)
{
    uint32_t a = find_set(f->set, (uint32_t)(f->edges[edge] >> 32)), b = find_set(f->set, (uint32_t)f->edges[edge]);
    CLUMP_ASSERT(a != b);
    if (f->best[a] < f->best[b]) {
        const uint32_t swapped = a;
        a = b, b = swapped;
    }
    f->set[b] = a;
    f->best[a] += f->best[b];
    const uint32_t low = f->target[a] < f->target[b] ? f->target[a] : f->target[b];
    const uint32_t ends = f->target[a] ^ f->target[b] ^ low;
    job->parents[ends] = (int32_t)low;
    job->heights[ends] = f->weights[edge];
    f->target[a] = low;
}

/* Points that take part are roots so far; the others are in no tree. */
static clump_status begin_hierarchy(clump_work *work, clump_forest *f, const clump_tree_job *job)
{
    for (size_t i = 0; i < job->in.count; i++) {
        if (i % MERGE_POLLED == 0) CLUMP_TRY(clump_poll(work));
        job->parents[i] = CLUMP_NOISE;
        job->heights[i] = INFINITY;
        if (job->cores) job->cores[i] = INFINITY;
    }
    for (size_t i = 0; i < f->count; i++) {
        if (i % MERGE_POLLED == 0) CLUMP_TRY(clump_poll(work));
        const int32_t index = f->boxes->points[i].index;
        job->parents[index] = index;
        if (job->cores) job->cores[index] = f->core[i];
        f->set[i] = (uint32_t)i, f->target[i] = (uint32_t)index, f->best[i] = 1;
    }
    return CLUMP_OK;
}

clump_status clump_forest_merge(clump_work *work, clump_forest *f, const clump_tree_job *job, uint64_t *words,
                                size_t *counters, int threads)
{
    CLUMP_TRY(begin_hierarchy(work, f, job));
    const size_t n = f->edge_count;
    for (size_t i = 0; i < n; i++) words[i] = (uint64_t)clump_float_bits(f->weights[i]) << 32 | i;
    const uint64_t *const sorted = clump_radix_sort(work->team, words, words + n, n, 32, 32, counters, threads);
    if (!sorted) return clump_poll(work);
    for (size_t i = 0; i < n; i++) {
        if (i % MERGE_EDGES == 0) CLUMP_TRY(clump_poll(work));
        join_sets(f, (uint32_t)sorted[i], job);
    }
    for (size_t i = 0; i < job->in.count; i++) {
        if (i % MERGE_POLLED == 0) CLUMP_TRY(clump_poll(work));
        const int32_t parent = job->parents[i];
        if (parent >= 0 && parent != (int32_t)i && job->heights[parent] == job->heights[i])
            job->parents[i] = job->parents[parent];
    }
    return CLUMP_OK;
}
