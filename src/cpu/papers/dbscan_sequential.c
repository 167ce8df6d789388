/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_sequential.c: DBSCAN as in the textbook (Ester et al. 1996; Algorithm 1 of Ky and Beach 2024). The first
 * unseen point is the seed, and its neighbours are searched. With too few it is noise for now. Otherwise the seed begins
 * a cluster: its neighbours join, and the unseen ones enter a queue. Each point of the queue that proves to be a core
 * point adds its own neighbours, until the queue is empty.
 *
 *     label    unseen -----> cluster        joins, and enters the queue
 *                 \            ^
 *                  `-> noise --'            was a seed with too few neighbours: joins, but is not searched again
 *
 * The labels are the defined ones, although a border point stays in the first cluster that reaches it:
 *   1. Seeds are taken in the order of the input, only a core point begins a cluster, and the cluster is complete
 *      before the next seed. So the seed is the smallest core point of its cluster: a smaller one would have been a
 *      seed before, or in a finished cluster. Clusters are numbered by their smallest core points.
 *   2. So the first cluster that reaches a border point has the smallest number of all adjacent clusters.
 * Where the job wants no border points, such a point becomes noise after its own search.
 *
 * A point is searched once and enters the queue once. Only the neighbours of one point are kept. So memory is linear,
 * and time grows with the number of neighbour pairs: quadratic where all points are within eps of each other.
 */
#include "cpu/papers/papers.h"

#include "core/work.h"
#include "cpu/shared/points.h"
#include "cpu/shared/stages.h"

#define SEQUENTIAL_UNSEEN INT32_MIN /* label of a point that was neither searched nor reached */

typedef struct search {
    const clump_dbscan_job *job;
    const clump_kdtree *tree;
    float bound;
    int32_t *found; /* neighbours of the point last searched; room for all points */
} search;

/* Writes the neighbours of point i to s->found and returns their number; 0 when it is not a core point. */
static size_t core_neighbours(const search *s, int32_t i)
{
    if (s->job->min_points > s->tree->count) return 0;
    const clump_point p = clump_point_copy(&s->job->in, (size_t)i);
    const size_t n = clump_kdtree_radius(s->tree, p.x, p.y, p.z, s->bound, true, s->found);
    if (n < s->job->min_points) return 0;
    if (s->job->core) s->job->core[i] = 1;
    return n;
}

/* Labels the n neighbours in s->found, those of a core point. Returns the new end of the queue. */
static size_t label_neighbours(const search *s, size_t n, int32_t label, int32_t *queue, size_t tail)
{
    int32_t *const labels = s->job->in.labels;
    for (size_t k = 0; k < n; k++) {
        const int32_t i = s->found[k];
        if (labels[i] == SEQUENTIAL_UNSEEN)
            queue[tail++] = i;
        else if (labels[i] != CLUMP_NOISE || !s->job->border_points)
            continue;
        labels[i] = label;
    }
    return tail;
}

/* Grows a cluster from a seed, a core point with n neighbours in s->found. */
static clump_status expand(clump_work *work, const search *s, int32_t seed, size_t n, int32_t label, int32_t *queue)
{
    int32_t *const labels = s->job->in.labels;
    labels[seed] = label;
    size_t head = 0, tail = label_neighbours(s, n, label, queue, 0);
    while (head < tail) {
        CLUMP_ASSERT(tail <= s->tree->count);
        CLUMP_TRY(clump_poll(work));
        const int32_t i = queue[head++];
        n = core_neighbours(s, i);
        if (n > 0)
            tail = label_neighbours(s, n, label, queue, tail);
        else if (!s->job->border_points)
            labels[i] = CLUMP_NOISE;
    }
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_sequential(clump_work *work, clump_cpu_sequential *scratch, const clump_dbscan_job *job,
                                         clump_stats *stats)
{
    const double start = clump_now_ms();
    clump_kdtree *const tree = &scratch->tree;
    CLUMP_TRY(clump_dbscan_admit(work, tree, job, stats));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->queue, tree->count * sizeof(int32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->found, tree->count * sizeof(int32_t)));
    const double built = clump_now_ms();

    const search s = {job, tree, clump_distance_bound(job->in.d), scratch->found.data};
    int32_t *const labels = job->in.labels;
    for (size_t i = 0; i < tree->count; i++) labels[tree->points[i].index] = SEQUENTIAL_UNSEEN;
    for (size_t i = 0; i < job->in.count; i++) {
        if (labels[i] != SEQUENTIAL_UNSEEN) continue;
        CLUMP_TRY(clump_poll(work));
        const size_t n = core_neighbours(&s, (int32_t)i);
        if (n > 0)
            CLUMP_TRY(expand(work, &s, (int32_t)i, n, stats->clusters++, scratch->queue.data));
        else
            labels[i] = CLUMP_NOISE;
    }
    for (size_t i = 0; i < tree->count; i++) stats->noise += labels[tree->points[i].index] == CLUMP_NOISE;

    const double clustered = clump_now_ms(); /* the labels are canonical already */
    clump_report_stages(stats, 1, 1, (clump_stages){start, built, clustered, clustered});
    return CLUMP_OK;
}

void clump_cpu_sequential_release(clump_work *work, clump_cpu_sequential *scratch)
{
    clump_kdtree_release(work, &scratch->tree);
    clump_buffer_release(work, &scratch->queue);
    clump_buffer_release(work, &scratch->found);
}
