/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_levels.c: which way a job of ranged.h goes: by shells, or by the tree of all points (ranged_any.c). Mostly all levels
 * of the tree of clusters share one grid of shells. Else there is one clustering per level: the cluster above a cluster is
 * that of any of its points.
 */
#include "cpu/ranged/ranged.h"

#include "core/work.h"
#include "cpu/grid/deal.h"

static const float as_given = 1; /* the factor of the only level */

clump_status clump_cpu_ec_ranged(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                 clump_stats *stats)
{
    bool done = false;
    if (clump_shells_fit(job, 1, &as_given))
        CLUMP_TRY(clump_shells_tree(work, &g->shells, &fast->blocks, job, 1, NULL, &stats->clusters, stats, &done));
    return done ? CLUMP_OK : clump_ranged_any_ec(work, &g->any[0], job, stats);
}

clump_status clump_cpu_dbscan_ranged(clump_work *work, clump_ranged *g, clump_cpu_dbscan *s, clump_cpu_fast *fast,
                                     const clump_dbscan_job *job, clump_stats *stats)
{
    CLUMP_TRY(clump_buffer_reserve(work, &s->core, job->in.count)); /* even if unused now: the next call may need it */
    uint8_t *const core = job->core ? job->core : s->core.data;
    bool done = false;
    if (clump_shells_fit(&job->in, 1, &as_given))
        CLUMP_TRY(clump_shells_dbscan(work, &g->all, &g->shells, &fast->blocks, job, core, stats, &done));
    return done ? CLUMP_OK : clump_ranged_any_dbscan(work, &g->any[1], &g->any[0], job, core, stats);
}

/* ----- levels ----------------------------------------------------------------------------------------------- */

/* The job of one level. Labels go to `labels`. */
static clump_cloud_job job_of_level(const clump_cloud_job *job, float factor, int32_t *labels)
{
    clump_cloud_job at = *job;
    at.d = job->d * factor;
    at.bound = clump_distance_bound(at.d);
    at.per_metre = job->per_metre * factor;
    at.labels = labels;
    return at;
}

/* Clusters one level. */
static clump_status cluster_level(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                  clump_stats *stats)
{
    if (job->per_metre > 0) return clump_cpu_ec_ranged(work, g, fast, job, stats);
    return clump_cpu_ec_fast(work, fast, job, stats);
}

static void add_times(clump_stats *sum, const clump_stats *by)
{
    sum->build_ms += by->build_ms;
    sum->cluster_ms += by->cluster_ms;
    sum->label_ms += by->label_ms;
}

/* Whether one clustering per level is faster than one grid: for one radius and points in random order, which rows serve
 * well (rows/rows.c). Measured: a million uniform points, three levels, 0.24 s against 1.3 s (Neoverse V1). */
static bool levels_apart(const clump_work *work, const clump_cloud_job *job)
{
    const clump_deal deal = {.job = job, .rule.cell = clump_cell_rule_make(job->d, job->two_d), .key = work->hash_key};
    return job->per_metre == 0 && clump_deal_is_random(&deal);
}

clump_status clump_ranged_tree(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                               int levels, const float *factor, int32_t *const *parent, int32_t *counts,
                               clump_stats *stats)
{
    CLUMP_ASSERT(levels >= 1 && levels <= CLUMP_TREE_LEVELS);
    const size_t n = job->count;
    const clump_cloud_job finest = job_of_level(job, factor[0], job->labels);
    if (clump_shells_fit(job, levels, factor) && !levels_apart(work, &finest)) {
        bool done;
        CLUMP_TRY(clump_shells_tree(work, &g->shells, &fast->blocks, &finest, levels, parent, counts, stats, &done));
        if (done) return CLUMP_OK;
    }
    CLUMP_TRY(clump_buffer_reserve(work, &g->level_labels, levels > 1 ? 2 * n * sizeof(int32_t) : 0));
    CLUMP_TRY(cluster_level(work, g, fast, &finest, stats));
    counts[0] = stats->clusters;
    const int32_t *below = job->labels;
    for (int k = 1; k < levels; k++) {
        const clump_cloud_job at = job_of_level(job, factor[k], (int32_t *)g->level_labels.data + (k % 2 ? n : 0));
        clump_stats here = {.threads = 1, .passes = 1};
        CLUMP_ASSERT(factor[k] >= factor[k - 1]);
        CLUMP_TRY(cluster_level(work, g, fast, &at, &here));
        add_times(stats, &here);
        counts[k] = here.clusters;
        for (size_t i = 0; i < n; i++)
            if (below[i] >= 0) parent[k - 1][below[i]] = at.labels[i];
        below = at.labels;
    }
    return CLUMP_OK;
}

void clump_ranged_release(clump_work *work, clump_ranged *g)
{
    clump_shells_release(work, &g->shells);
    clump_shells_release(work, &g->all);
    clump_ranged_any_release(work, &g->any[0]);
    clump_ranged_any_release(work, &g->any[1]);
    clump_buffer_release(work, &g->level_labels);
}
