/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_tree.c: see dbscan_tree.h.
 */
#include "cpu/papers/dbscan_tree.h"

#include "common/atomics.h"
#include "core/work.h"

#include <string.h>

#define DBSCAN_LABEL_CHUNK 256 /* points per chunk: a border point needs a search, which takes microseconds */

clump_status clump_dbscan_admit(clump_work *work, clump_kdtree *tree, const clump_dbscan_job *job, clump_stats *stats)
{
    if (job->core && job->in.count > 0) memset(job->core, 0, job->in.count);
    return clump_kdtree_admit(work, tree, &job->in, stats);
}

clump_status clump_dbscan_prepare(clump_work *work, clump_dbscan_tree *t, const clump_dbscan_job *job,
                                  clump_stats *stats)
{
    CLUMP_TRY(clump_dbscan_admit(work, &t->tree, job, stats));
    const size_t n = t->tree.count;
    CLUMP_TRY(clump_buffer_reserve(work, &t->core_memory, n * sizeof *t->core));
    CLUMP_TRY(clump_buffer_reserve(work, &t->set_memory, n * sizeof *t->set));
    CLUMP_TRY(clump_buffer_reserve(work, &t->number_memory, n * sizeof *t->number));
    t->core = t->core_memory.data;
    t->set = t->set_memory.data;
    t->number = t->number_memory.data;
    return CLUMP_OK;
}

bool clump_dbscan_is_core(const clump_kdtree *tree, size_t place, float bound, size_t min_points)
{
    CLUMP_ASSERT(place < tree->count && min_points >= 1);
    if (min_points > tree->count) return false;
    const clump_kdtree_point p = tree->points[place];
    size_t found = 0;
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, bound);
    while (found < min_points && clump_kdtree_next(&walk))
        for (size_t i = walk.first; i < walk.last; i++) found += clump_dbscan_within(p, tree->points[i], bound);
    return found >= min_points;
}

/* Writes the number of every set to number[] and returns the number of sets. Meanwhile the label of a set's first point
 * holds the set; at the end all labels are noise. */
static int32_t number_sets(clump_dbscan_tree *t, int32_t *labels, size_t count)
{
    const clump_kdtree *const tree = &t->tree;
    for (size_t i = 0; i < tree->count; i++) t->number[i] = INT32_MAX;
    for (size_t i = 0; i < tree->count; i++) {
        if (!t->core[i]) continue;
        CLUMP_ASSERT(t->set[i] < tree->count);
        int32_t *const first = &t->number[t->set[i]];
        if (tree->points[i].index < *first) *first = tree->points[i].index;
    }
    for (size_t s = 0; s < tree->count; s++)
        if (t->number[s] != INT32_MAX) labels[t->number[s]] = (int32_t)s;
    int32_t clusters = 0;
    for (size_t i = 0; i < count; i++) {
        if (labels[i] == CLUMP_NOISE) continue;
        t->number[labels[i]] = clusters++;
        labels[i] = CLUMP_NOISE;
    }
    return clusters;
}

/* The smallest number of the core points within eps of p; CLUMP_NOISE if there are none. */
static int32_t border_label(const clump_dbscan_tree *t, clump_kdtree_point p, float bound)
{
    const clump_kdtree *const tree = &t->tree;
    int32_t label = INT32_MAX;
    clump_kdtree_walk walk = clump_dbscan_near(tree, p, bound);
    while (clump_kdtree_next(&walk)) {
        for (size_t i = walk.first; i < walk.last; i++) {
            if (!t->core[i] || !clump_dbscan_within(p, tree->points[i], bound)) continue;
            const int32_t number = t->number[t->set[i]];
            if (number < label) label = number;
        }
    }
    return label == INT32_MAX ? CLUMP_NOISE : label;
}

typedef struct labelling {
    const clump_dbscan_tree *t;
    const clump_dbscan_job *job;
    float bound;
    bool borders;
    size_t noise; /* points of the tree; added to atomically */
} labelling;

static void label_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    labelling *const l = arg;
    const clump_dbscan_tree *const t = l->t;
    size_t noise = 0;
    for (size_t i = begin; i < end; i++) {
        const clump_kdtree_point p = t->tree.points[i];
        const int32_t label = t->core[i]   ? t->number[t->set[i]]
                              : l->borders ? border_label(t, p, l->bound)
                                           : CLUMP_NOISE;
        l->job->in.labels[p.index] = label;
        if (l->job->core) l->job->core[p.index] = t->core[i] != 0;
        noise += label == CLUMP_NOISE;
    }
    CLUMP_ADD(&l->noise, noise);
}

clump_status clump_dbscan_finish(clump_work *work, clump_dbscan_tree *t, const clump_dbscan_job *job, int threads,
                                 clump_stats *stats)
{
    stats->clusters = number_sets(t, job->in.labels, job->in.count);
    labelling l = {.t = t,
                   .job = job,
                   .bound = clump_distance_bound(job->in.d),
                   .borders = job->border_points && stats->clusters > 0};
    CLUMP_TRY(clump_run(work, threads, t->tree.count, DBSCAN_LABEL_CHUNK, label_chunk, &l));
    stats->noise += l.noise;
    return CLUMP_OK;
}

void clump_dbscan_tree_release(clump_work *work, clump_dbscan_tree *t)
{
    clump_kdtree_release(work, &t->tree);
    clump_buffer_release(work, &t->core_memory);
    clump_buffer_release(work, &t->set_memory);
    clump_buffer_release(work, &t->number_memory);
}
