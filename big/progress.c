/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.c: progress reports of a run, and whether the caller has cancelled it.
 */
#include "job.h"

#include "common/assert.h"

/* The phases in the order of time. */
static const struct {
    clump_big_phase phase;
    const char *name;
} phases[] = {{CLUMP_BIG_PLAN, "plan"},         {CLUMP_BIG_GROUND, "ground"}, {CLUMP_BIG_SCATTER, "scatter"},
              {CLUMP_BIG_SPLIT, "split"},       {CLUMP_BIG_TILES, "tiles"},   {CLUMP_BIG_MERGE, "merge"},
              {CLUMP_BIG_CLUSTERS, "clusters"}, {CLUMP_BIG_OUTPUT, "output"}};
enum { PROGRESS_PHASES = sizeof phases / sizeof *phases };

/* Time per point that takes part, beside those of run.c. */
#define PROGRESS_TILES  10.0
#define PROGRESS_GROUND 0.5 /* per point of the input, besides reading */

/* Returns how long a phase takes beside others. */
static double weight_of(const clump_big_job *job, clump_big_phase phase)
{
    const double count = (double)job->info.count + 1, taken = job->own > 0 ? (double)job->own / count : 1;
    switch (phase) {
    case CLUMP_BIG_PLAN:
        return job->read_weight;
    case CLUMP_BIG_GROUND:
        return job->options->ground ? job->read_weight + PROGRESS_GROUND : 0;
    case CLUMP_BIG_SCATTER:
        return job->read_weight + taken;
    case CLUMP_BIG_SPLIT:
        return 0.1 * taken;
    case CLUMP_BIG_TILES:
        return PROGRESS_TILES * taken;
    case CLUMP_BIG_MERGE:
        return 0.3 * taken;
    case CLUMP_BIG_CLUSTERS:
        return job->options->clusters ? PROGRESS_TILES * taken : 0;
    case CLUMP_BIG_OUTPUT:
        return 1 + job->write_weight;
    }
    return 0;
}

void clump_big_tell(clump_big_job *job, clump_big_phase phase, double share)
{
    CLUMP_ASSERT(share >= 0 && share <= 1);
    if (!job->options->progress || clump_big_rank(job) != 0) return;
    double before = 0, all = 0;
    size_t at = 0;
    for (size_t k = 0; k < PROGRESS_PHASES; k++) {
        if (phases[k].phase == phase) at = k, before = all;
        all += weight_of(job, phases[k].phase);
    }
    share = share < 0 ? 0 : share < 1 ? share : 1;
    const double done = (before + share * weight_of(job, phase)) / all;
    if (done > job->told) job->told = done < 1 ? done : 1;
    const clump_big_progress progress = {phases[at].name, share, job->told, job->info.count};
    job->options->progress(job->options->progress_user, &progress);
}

clump_status clump_big_step(clump_big_job *job, clump_big_phase phase, double share, clump_message *message)
{
    clump_big_tell(job, phase, share);
    return clump_big_workers_poll(&job->workers, message);
}
