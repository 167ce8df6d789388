/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_sequential.c: DBSCAN as in the textbook (Ester et al. 1996; Algorithm 1 of Ky and Beach 2024). Take the
 * first point that was not looked at and search its neighbours. Too few: noise, for now. Else it begins a cluster:
 * its neighbours join, those not looked at yet wait in a queue, and each of them that proves to be a core point
 * brings in its own neighbours, until the queue is empty.
 *
 *     label    UNSEEN -----> cluster        joins, and waits in the queue
 *                 \            ^
 *                  `-> noise --'            was a seed with too few neighbours: joins, but is not searched again
 *
 * Why the labels are the defined ones, although a border point stays with whoever came first:
 *   - Seeds are taken in the order of the input, only a core point begins a cluster, and the cluster is complete
 *     before the next seed. So the seed is its cluster's smallest core point: a smaller one would have been a seed,
 *     or in a finished cluster, before. Clusters come out numbered by their smallest core points.
 *   - So the first cluster to reach a border point is, of all that are adjacent, the one with the smallest number.
 * Without border points one that was reached becomes noise when its own search comes up short.
 *
 * A point is searched once and enters the queue once; neighbours of one point at a time are kept. So memory is linear,
 * and time grows with the number of neighbour pairs: quadratic where all points are within eps of each other.
 */
#include "cpu/dbscan/dbscan_sequential.h"

#include "common/timer.h"
#include "core/context.h"

#define UNSEEN INT32_MIN

typedef struct search {
    const clump_dbscan_job *job;
    const clump_kdtree *tree;
    float bound;
    int32_t *near; /* room for all points */
} search;

/* Neighbours of a point into s->near; how many, or 0 when it is not a core point. */
static size_t core_neighbours(const search *s, int32_t i)
{
    if (s->job->min_points > s->tree->count) return 0;
    const clump_cloud_job *const ec = &s->job->in;
    const float *const p = (const float *)(const void *)(ec->points + (size_t)i * ec->stride);
    const size_t n = clump_kdtree_radius(s->tree, p[0], p[1], ec->two_d ? 0 : p[2], s->bound, true, s->near);
    if (n < s->job->min_points) return 0;
    if (s->job->core) s->job->core[i] = 1;
    return n;
}

/* The neighbours of a core point join its cluster. Returns the new end of the queue. */
static size_t take(const search *s, size_t n, int32_t label, int32_t *queue, size_t tail)
{
    int32_t *const labels = s->job->in.labels;
    for (size_t k = 0; k < n; k++) {
        const int32_t i = s->near[k];
        if (labels[i] == UNSEEN)
            queue[tail++] = i;
        else if (labels[i] != CLUMP_NOISE || !s->job->border_points)
            continue;
        labels[i] = label;
    }
    return tail;
}

/* The seed is a core point with n neighbours in s->near. */
static clump_status expand(clump_context *ctx, const search *s, int32_t seed, size_t n, int32_t label, int32_t *queue)
{
    int32_t *const labels = s->job->in.labels;
    labels[seed] = label;
    size_t head = 0, tail = take(s, n, label, queue, 0);
    while (head < tail) {
        CLUMP_TRY(clump_poll(ctx));
        const int32_t i = queue[head++];
        n = core_neighbours(s, i);
        if (n > 0)
            tail = take(s, n, label, queue, tail);
        else if (!s->job->border_points)
            labels[i] = CLUMP_NOISE;
    }
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_sequential(clump_context *ctx, clump_cpu_sequential *scratch, const clump_dbscan_job *job,
                                         clump_result *result)
{
    const double start = clump_now_ms();
    clump_kdtree *const tree = &scratch->tree;
    clump_status status = clump_dbscan_admit(ctx, tree, job, result);
    const size_t bytes = tree->count * sizeof(int32_t);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->queue, bytes);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &scratch->near, bytes);
    if (status != CLUMP_OK) return status;
    const double built = clump_now_ms();

    const search s = {job, tree, clump_distance_bound(job->in.d), scratch->near.data};
    int32_t *const labels = job->in.labels;
    for (size_t i = 0; i < tree->count; i++) labels[tree->points[i].index] = UNSEEN;
    for (size_t i = 0; i < job->in.count; i++) {
        if (labels[i] != UNSEEN) continue;
        CLUMP_TRY(clump_poll(ctx));
        const size_t n = core_neighbours(&s, (int32_t)i);
        if (n > 0)
            CLUMP_TRY(expand(ctx, &s, (int32_t)i, n, result->clusters++, scratch->queue.data));
        else
            labels[i] = CLUMP_NOISE;
    }
    for (size_t i = 0; i < job->in.count; i++) result->noise += labels[i] == CLUMP_NOISE;

    result->threads = 1;
    result->passes = 1;
    result->build_ms = built - start;
    result->cluster_ms = clump_now_ms() - built;
    result->label_ms = 0; /* labels are canonical as they come */
    return CLUMP_OK;
}

void clump_cpu_sequential_release(clump_context *ctx, clump_cpu_sequential *scratch)
{
    clump_kdtree_release(ctx, &scratch->tree);
    clump_buffer_release(ctx, &scratch->queue);
    clump_buffer_release(ctx, &scratch->near);
}
