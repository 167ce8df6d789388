/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCL's Euclidean clustering as a contestant: see contestants.h.
 */
#include "harness/contestants.h"
#include "rivals/load.h"

#include <stdio.h>

static const char *const names[] = {"pcl-best", "pcl-debian"};
enum { PCL_BUILDS = sizeof names / sizeof *names };
static loaded_rival loaded[PCL_BUILDS];

void pcl_load(const char *folder)
{
    for (size_t i = 0; i < PCL_BUILDS && !settings.no_rivals; i++) {
        char path[1024], why[512];
        snprintf(path, sizeof path, "%s/%s.so", folder, names[i]);
        if (!rival_load(path, &loaded[i], why, sizeof why))
            fprintf(stderr, "%s: without %s: %s\n", settings.program, names[i], why);
    }
}

void pcl_enter(contest *c, const bench_cloud *cloud)
{
    for (size_t i = 0; i < PCL_BUILDS; i++) {
        const clump_rival *const rival = loaded[i].rival;
        if (!rival) continue;
        contestant *const who =
            contest_rival(c, cloud, rival->name, rival->version, rival, rival->prepare(cloud->xyz, cloud->count));
        if (who) who->tolerance = rival->must_agree ? 0 : 1;
    }
}

const clump_rival *pcl_functions(size_t build)
{
    return build < PCL_BUILDS ? loaded[build].rival : NULL;
}

bool pcl_run(contestant *who, float d, double *seconds)
{
    const clump_rival *const rival = who->module;
    rival->forget(who->state);
    const double start = machine_seconds();
    const bool done = rival->run(who->state, d);
    *seconds = machine_seconds() - start;
    return done;
}

void pcl_labels(const contestant *who, int32_t *labels)
{
    ((const clump_rival *)who->module)->labels(who->state, labels);
}

void pcl_leave(contestant *who)
{
    ((const clump_rival *)who->module)->release(who->state);
}
