/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_fast.c: DBSCAN by Euclidean clustering. The clusters of DBSCAN are those of Euclidean clustering among the core
 * points, so ec_fast.c clusters the core points:
 *
 *     1  build    finds the core points                                             (density.c)
 *     2  cluster  Euclidean clustering of the core points, all others masked        (ec_fast.c)
 *     3  label    gives border points the smallest number of an adjacent cluster    (density.c)
 *
 * Within eps is d2 <= eps*eps here and d2 < d*d in ec_fast.c. The bound of step 2 is the next float above eps*eps, and a
 * float below it is at most eps*eps. The cells are right for both (rules/cell.h). Clusters are numbered by their
 * smallest point, and all points of step 2 are core points, so this is the order of DBSCAN.
 *
 * The points of a sparse cloud are swept row by row instead (cpu/rows/rows_dbscan.c). A sample tells (sparse.c).
 */
#include "cpu/dbscan/dbscan.h"

#include "core/work.h"
#include "cpu/rows/rows.h"
#include "cpu/shared/stages.h"

#define DBSCAN_MIN_SHARE 4096 /* points per thread that are worth waking it */

typedef struct dbscan_run {
    uint8_t *core;         /* one flag per point */
    size_t cores;          /* number of core points */
    clump_cloud_job among; /* the job of Euclidean clustering: all but core points are masked */
    int threads;
    clump_stages at;
} dbscan_run;

/* Step 1. */
static clump_status find_core(clump_work *work, clump_cpu_dbscan *s, clump_cpu_fast *fast, const clump_dbscan_job *job,
                              dbscan_run *run)
{
    *run = (dbscan_run){.threads = clump_threads_for(work, job->in.count, DBSCAN_MIN_SHARE), .among = job->in};
    run->at.start = clump_now_ms();
    CLUMP_TRY(clump_buffer_reserve(work, &s->core, job->in.count)); /* even if unused now: the next call may need it */
    run->among.mask = run->core = job->core ? job->core : s->core.data;
    CLUMP_TRY(clump_density_build(work, &s->density, job, run->threads, &fast->join.scratch));
    return clump_density_core(work, &s->density, run->core, job->in.count, run->threads, &run->cores);
}

/* Step 3, after step 2 unless there are no core points: also reports the figures of the run. */
static clump_status label_borders(clump_work *work, clump_cpu_dbscan *s, const clump_dbscan_job *job, dbscan_run *run,
                                  clump_stats *stats)
{
    if (run->cores == 0) {
        for (size_t i = 0; i < job->in.count; i++) job->in.labels[i] = CLUMP_NOISE;
        stats->noise = job->in.count;
    }
    run->at.clustered = clump_now_ms() - stats->label_ms;
    if (job->border_points && run->cores > 0) {
        size_t given;
        CLUMP_TRY(clump_density_border(work, &s->density, run->core, job->in.labels, run->threads, &given));
        stats->noise -= given;
        if (job->borders)
            CLUMP_TRY(clump_density_list(work, &s->density, run->core, job->in.labels, job->borders, run->threads));
    }
    stats->finite = s->density.grid.finite;
    stats->masked = s->density.grid.masked;
    run->at.labelled = clump_now_ms();
    clump_report_stages(stats, run->threads, stats->passes, run->at);
    return CLUMP_OK;
}

/* Tries to label the points by rows. */
static clump_status cluster_by_rows(clump_work *work, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                    const clump_dbscan_job *job, clump_stats *stats)
{
    const int threads = clump_threads_for(work, job->in.count, DBSCAN_MIN_SHARE);
    const double start = clump_now_ms();
    s->by_rows = false;
    const bool thin = clump_is_thinner(&job->in, work->hash_key, clump_rows_dbscan_density(job->min_points));
    const double chosen = clump_now_ms();
    if (!thin) return CLUMP_OK;
    fast->rows.wide = &s->density.memory; /* lent: the cells of density.c are not in use then, nor those of ec_fast.c */
    fast->rows.points = &fast->blocks.reps;
    CLUMP_TRY(clump_rows_dbscan(work, &fast->rows, job, threads, stats, &s->by_rows));
    if (s->by_rows) stats->build_ms += chosen - start;
    return CLUMP_OK;
}

clump_status clump_cpu_dbscan_fast(clump_work *work, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                   const clump_dbscan_job *job, clump_stats *stats)
{
    if (job->borders) job->borders->count = 0;
    CLUMP_TRY(cluster_by_rows(work, s, fast, job, stats));
    if (s->by_rows) return CLUMP_OK;
    dbscan_run run;
    CLUMP_TRY(find_core(work, s, fast, job, &run));
    run.at.built = clump_now_ms();
    if (run.cores > 0) CLUMP_TRY(clump_cpu_ec_fast(work, fast, &run.among, stats));
    return label_borders(work, s, job, &run, stats);
}

clump_status clump_cpu_dbscan_reserve(clump_work *work, clump_cpu_dbscan *s, size_t max_points)
{
    CLUMP_TRY(clump_density_reserve(work, &s->density, max_points, work->threads));
    CLUMP_TRY(
        clump_buffer_reserve(work, &s->density.memory, clump_rows_bytes(max_points))); /* rows have more padding */
    return clump_buffer_reserve(work, &s->core, max_points);
}

void clump_cpu_dbscan_release(clump_work *work, clump_cpu_dbscan *s)
{
    clump_density_release(work, &s->density);
    clump_buffer_release(work, &s->core);
}
