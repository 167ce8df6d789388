/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_fast.c: DBSCAN, our way. The clusters of DBSCAN are those of Euclidean clustering among the core points
 * alone, so that is what is run, with all it can do against crowds (ec_fast.c):
 *
 *     1  build    which points are core points                                  (density.c)
 *     2  cluster  Euclidean clustering of the core points, the others masked out    (ec_fast.c)
 *     3  label    border points to the adjacent cluster with the smallest number    (density.c)
 *
 * Within eps is d2 <= eps*eps here and d2 < d*d there. The bound of step 2 is the next float above eps*eps: below
 * that is at most eps*eps. The cells are right for both (rules/cell.h). Clusters come numbered by their smallest
 * point, and all points of step 2 are core points, so that is DBSCAN's order too.
 */
#include "cpu/dbscan/dbscan_fast.h"

#include "common/timer.h"
#include "core/context.h"

#define MIN_SHARE 4096 /* points a thread must have to be worth waking */

clump_status clump_cpu_dbscan_fast(clump_context *ctx, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                   const clump_dbscan_job *job, clump_result *result)
{
    const int threads = clump_threads_for(ctx, job->in.count, MIN_SHARE);

    const double start = clump_now_ms();
    clump_status status = clump_buffer_reserve(ctx, &s->core, job->in.count); /* the next call may need it */
    uint8_t *const core = job->core ? job->core : s->core.data;
    if (status == CLUMP_OK) status = clump_density_build(ctx, &s->density, job, threads, &fast->join.scratch);
    if (status != CLUMP_OK) return status;
    size_t cores;
    CLUMP_TRY(clump_density_core(ctx, &s->density, core, job->in.count, threads, &cores));
    const double built = clump_now_ms();

    if (cores > 0) {
        clump_cloud_job among = job->in;
        among.mask = core;
        status = clump_cpu_ec_fast(ctx, fast, &among, result);
        if (status != CLUMP_OK) return status;
    } else {
        for (size_t i = 0; i < job->in.count; i++) job->in.labels[i] = CLUMP_NOISE;
        result->noise = job->in.count;
    }
    const double clustered = clump_now_ms() - result->label_ms;

    if (job->border_points && cores > 0) {
        size_t given;
        CLUMP_TRY(clump_density_border(ctx, &s->density, core, job->in.labels, threads, &given));
        result->noise -= given;
    }
    result->finite = s->density.grid.finite;
    result->masked = s->density.grid.masked;
    result->threads = threads;
    result->build_ms = built - start;
    result->cluster_ms = clustered - built;
    result->label_ms = clump_now_ms() - clustered;
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_reserve(clump_context *ctx, clump_cpu_dbscan *s, size_t max_points)
{
    const clump_status status = clump_density_reserve(ctx, &s->density, max_points, ctx->options.threads);
    return status == CLUMP_OK ? clump_buffer_reserve(ctx, &s->core, max_points) : status;
}

void clump_cpu_dbscan_release(clump_context *ctx, clump_cpu_dbscan *s)
{
    clump_density_release(ctx, &s->density);
    clump_buffer_release(ctx, &s->core);
}
