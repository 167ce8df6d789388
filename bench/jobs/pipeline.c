/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCL's pipeline from scans to boxes as a contestant: see pipeline.h.
 */
#include "jobs/pipeline.h"
#include "rivals/load.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const modules[] = {"pipeline-best.so", "pipeline-debian.so"};
enum { PIPELINE_BUILDS = sizeof modules / sizeof *modules };
static const clump_detect_rival *loaded[PIPELINE_BUILDS];

void pipeline_load(const char *folder)
{
    for (size_t i = 0; i < PIPELINE_BUILDS && !settings.no_rivals; i++) {
        char path[1100], why[512];
        snprintf(path, sizeof path, "%s/%s", folder, modules[i]);
        loaded[i] = module_load(path, CLUMP_RIVAL_ENTRY, CLUMP_DETECT_RIVAL_INTERFACE, NULL, why, sizeof why);
        if (!loaded[i]) fprintf(stderr, "%s: without %s: %s\n", settings.program, modules[i], why);
    }
}

void pipeline_enter(contest *c, const bench_cloud *cloud)
{
    for (size_t i = 0; i < PIPELINE_BUILDS; i++) {
        const clump_detect_rival *const rival = loaded[i];
        if (!rival) continue;
        contestant *const who =
            contest_rival(c, cloud, rival->name, rival->version, rival, rival->prepare(cloud->xyz, cloud->count));
        if (who) who->tolerance = rival->must_agree ? 0 : 1;
    }
}

bool pipeline_run(contestant *who, const clump_rival_settings *how, double *seconds, double stages[CLUMP_RIVAL_STAGES])
{
    const clump_detect_rival *const rival = who->module;
    rival->forget(who->state);
    const double start = machine_seconds();
    const bool done = rival->run(who->state, how, stages);
    *seconds = machine_seconds() - start;
    return done;
}

void pipeline_leave(contestant *who)
{
    ((const clump_detect_rival *)who->module)->release(who->state);
}

bool pipeline_cluster(void *user, const float *xyz, size_t count, int32_t *labels)
{
    pipeline_clusters *const found = user;
    const clump_detect_rival *const rival = found->rival;
    const clump_rival_settings how = {.d = found->d, .min_size = found->min_size};
    double stages[CLUMP_RIVAL_STAGES];
    void *const state = rival->prepare(xyz, count);
    bool done = state && rival->run(state, &how, stages);
    found->count = done ? rival->clusters(state) : 0;
    found->bounds = malloc(found->count * sizeof *found->bounds + 1);
    done = done && found->bounds;
    if (done) rival->labels(state, labels, found->bounds);
    if (state) rival->release(state);
    return done;
}
