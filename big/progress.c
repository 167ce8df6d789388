/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.c: progress reports of a run, and whether the caller has cancelled it.
 */
#include "job.h"

#include "common/assert.h"

/* Time per point that takes part, beside those of run.c. */
#define PROGRESS_TILES  10.0
#define PROGRESS_GROUND 0.5 /* per point of the input, besides reading */

void clump_big_tell(clump_big_job *job, clump_big_phase phase, double share)
{
    CLUMP_ASSERT(share >= 0 && share <= 1);
    const clump_big_options *const o = job->options;
    if (!o->progress || clump_big_rank(job) != 0) return;
    const double taken = job->own > 0 ? (double)job->own / ((double)job->info.count + 1) : 1, read = job->read_weight;
    const struct {
        clump_big_phase phase;
        const char *name;
        double weight;                            /* how long it takes beside others */
    } phases[] = {{CLUMP_BIG_PLAN, "plan", read}, /* in the order of time */
                  {CLUMP_BIG_GROUND, "ground", o->ground ? read + PROGRESS_GROUND : 0},
                  {CLUMP_BIG_SCATTER, "scatter", read + taken},
                  {CLUMP_BIG_SPLIT, "split", 0.1 * taken},
                  {CLUMP_BIG_TILES, "tiles", PROGRESS_TILES * taken},
                  {CLUMP_BIG_MERGE, "merge", 0.3 * taken},
                  {CLUMP_BIG_CLUSTERS, "clusters", o->clusters ? PROGRESS_TILES * taken : 0},
                  {CLUMP_BIG_OUTPUT, "output", 1 + job->write_weight}};
    double before = 0, all = 0;
    size_t at = 0;
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++) {
        if (phases[k].phase == phase) at = k, before = all;
        all += phases[k].weight;
    }
    const double done = (before + share * phases[at].weight) / all;
    if (done > job->told) job->told = done < 1 ? done : 1;
    const clump_big_progress progress = {phases[at].name, share, job->told, job->info.count};
    o->progress(o->progress_user, &progress);
}

clump_status clump_big_step(clump_big_job *job, clump_big_phase phase, double share, clump_message *message)
{
    clump_big_tell(job, phase, share);
    return clump_big_workers_poll(&job->workers, message);
}
