/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_bfs.c: Euclidean clustering as it is usually done (Rusu 2009): take the first point without a
 * label, search its neighbours, label those that have none, search theirs, until the queue is empty.
 * Points are taken in the order of the input, so clusters are numbered by their smallest point index. A point enters the
 * queue once, so n entries are enough, and no list of neighbours is stored. Time grows with the number of neighbour
 * pairs: the other methods are compared with this one.
 */
#include "cpu/ec/ec_bfs.h"

#include "common/timer.h"
#include "core/context.h"
#include "cpu/shared/points.h"

#define BFS_UNSEEN INT32_MIN

/* Labels points noise or unseen and puts the unseen ones into the tree. */
static void admit(const clump_cloud_job *job, clump_kdtree *tree, clump_result *result)
{
    for (size_t i = 0; i < job->count; i++) {
        const float *const p = clump_point_at(job, i);
        const bool finite = clump_point_is_finite(p, job->two_d), masked = clump_point_is_masked(job, i);
        result->finite += finite;
        result->masked += masked;
        if (finite && !masked) clump_kdtree_add(tree, p[0], p[1], job->two_d ? 0 : p[2], (int32_t)i);
        job->labels[i] = finite && !masked ? BFS_UNSEEN : CLUMP_NOISE;
    }
    result->noise = job->count - tree->count;
}

/* Labels all points that a chain of neighbours joins with the seed. */
static clump_status flood(clump_context *ctx, const clump_cloud_job *job, const clump_kdtree *tree, int32_t seed,
                          int32_t label, int32_t *queue)
{
    const float bound = job->bound;
    int32_t *const labels = job->labels;
    size_t head = 0, tail = 0;
    queue[tail++] = seed;
    labels[seed] = label;
    while (head < tail) {
        CLUMP_TRY(clump_poll(ctx));
        const float *const q = clump_point_at(job, (size_t)queue[head++]);
        const float z = job->two_d ? 0 : q[2];
        clump_kdtree_walk walk = clump_kdtree_near(tree, q[0], q[1], z, bound, false);
        while (clump_kdtree_next(&walk)) {
            for (size_t i = walk.first; i < walk.last; i++) {
                const clump_kdtree_point p = tree->points[i];
                if (!(clump_distance_squared(q[0], q[1], z, p.x, p.y, p.z) < bound)) continue;
                if (labels[p.index] != BFS_UNSEEN) continue;
                labels[p.index] = label;
                CLUMP_ASSERT(tail < tree->count);
                queue[tail++] = p.index;
            }
        }
    }
    return CLUMP_OK;
}

clump_status clump_cpu_ec_bfs(clump_context *ctx, clump_cpu_bfs *scratch, const clump_cloud_job *job,
                              clump_result *result)
{
    const double start = clump_now_ms();
    clump_kdtree *const tree = &scratch->tree;
    CLUMP_TRY(clump_kdtree_reset(ctx, tree, job->count));
    admit(job, tree, result);
    CLUMP_TRY(clump_kdtree_build(ctx, tree));
    CLUMP_TRY(clump_buffer_reserve(ctx, &scratch->queue, tree->count * sizeof(int32_t)));
    const double built = clump_now_ms();

    int32_t *const queue = scratch->queue.data;
    for (size_t i = 0; i < job->count; i++)
        if (job->labels[i] == BFS_UNSEEN) CLUMP_TRY(flood(ctx, job, tree, (int32_t)i, result->clusters++, queue));

    result->threads = 1;
    result->passes = 1;
    result->build_ms = built - start;
    result->cluster_ms = clump_now_ms() - built;
    result->label_ms = 0; /* labels are canonical as they come */
    return CLUMP_OK;
}

void clump_cpu_bfs_release(clump_context *ctx, clump_cpu_bfs *scratch)
{
    clump_kdtree_release(ctx, &scratch->tree);
    clump_buffer_release(ctx, &scratch->queue);
}
