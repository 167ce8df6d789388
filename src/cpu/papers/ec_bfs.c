/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_bfs.c: Euclidean clustering as it is usually done (Rusu 2009): take the first point without a
 * label, search its neighbours, label those that have none, search theirs, until the queue is empty.
 * Points are taken in the order of the input, so clusters are numbered by their smallest point index. A point enters the
 * queue once, so n entries are enough, and no list of neighbours is stored. Time grows with the number of neighbour
 * pairs: the other methods are compared with this one.
 */
#include "cpu/papers/papers.h"

#include "core/work.h"
#include "cpu/shared/points.h"
#include "cpu/shared/stages.h"

#define BFS_UNSEEN INT32_MIN /* label of a point that is in no cluster yet */

/* Gives `label` to the seed and to all points that are connected to it. */
static clump_status flood(clump_work *work, const clump_cloud_job *job, const clump_kdtree *tree, int32_t seed,
                          int32_t label, int32_t *queue)
{
    const float bound = job->bound;
    int32_t *const labels = job->labels;
    size_t head = 0, tail = 0;
    queue[tail++] = seed;
    labels[seed] = label;
    while (head < tail) {
        CLUMP_TRY(clump_poll(work));
        const clump_point q = clump_point_copy(job, (size_t)queue[head++]);
        clump_kdtree_walk walk = clump_kdtree_near(tree, q.x, q.y, q.z, bound, false);
        while (clump_kdtree_next(&walk)) {
            for (size_t i = walk.first; i < walk.last; i++) {
                const clump_kdtree_point p = tree->points[i];
                if (!(clump_distance_squared(q.x, q.y, q.z, p.x, p.y, p.z) < bound)) continue;
                if (labels[p.index] != BFS_UNSEEN) continue;
                labels[p.index] = label;
                CLUMP_ASSERT(tail < tree->count);
                queue[tail++] = p.index;
            }
        }
    }
    return CLUMP_OK;
}

clump_status clump_cpu_ec_bfs(clump_work *work, clump_cpu_bfs *scratch, const clump_cloud_job *job, clump_stats *stats)
{
    const double start = clump_now_ms();
    clump_kdtree *const tree = &scratch->tree;
    CLUMP_TRY(clump_kdtree_admit(work, tree, job, stats));
    CLUMP_TRY(clump_buffer_reserve(work, &scratch->queue, tree->count * sizeof(int32_t)));
    for (size_t i = 0; i < tree->count; i++) job->labels[tree->points[i].index] = BFS_UNSEEN;
    const double built = clump_now_ms();

    int32_t *const queue = scratch->queue.data;
    for (size_t i = 0; i < job->count; i++)
        if (job->labels[i] == BFS_UNSEEN) CLUMP_TRY(flood(work, job, tree, (int32_t)i, stats->clusters++, queue));

    const double clustered = clump_now_ms(); /* the labels are canonical already */
    clump_report_stages(stats, 1, 1, (clump_stages){start, built, clustered, clustered});
    return CLUMP_OK;
}

void clump_cpu_bfs_release(clump_work *work, clump_cpu_bfs *scratch)
{
    clump_kdtree_release(work, &scratch->tree);
    clump_buffer_release(work, &scratch->queue);
}
