/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PCL's Euclidean clustering as a contestant, and the rivals of users: see contestants.h.
 */
#include "harness/contestants.h"
#include "rivals/load.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const names[] = {"pcl-best", "pcl-debian"};
enum { PCL_BUILDS = sizeof names / sizeof *names };
static loaded_rival loaded[PCL_BUILDS];
static rival_list others; /* of CLUMP_RIVALS */

void pcl_load(const char *folder)
{
    for (size_t i = 0; i < PCL_BUILDS && !settings.no_rivals; i++) {
        char path[1024], why[512];
        snprintf(path, sizeof path, "%s/%s.so", folder, names[i]);
        if (!rival_load(path, &loaded[i], why, sizeof why))
            fprintf(stderr, "%s: without %s: %s\n", settings.program, names[i], why);
    }
    if (!settings.no_rivals && others.count == 0)
        rivals_load(settings.program, getenv("CLUMP_RIVALS"), CLUMP_EC_RIVALS_ENTRY, CLUMP_RIVAL_INTERFACE,
                    sizeof(clump_rival), &others);
}

static void enter(contest *c, const bench_cloud *cloud, const clump_rival *rival)
{
    void *const state = rival->prepare(cloud->xyz, cloud->count);
    contestant *const who = contest_rival(c, cloud, rival->name, rival->version, rival, state);
    if (who)
        who->tolerance = rival->must_agree ? 0 : 1;
    else if (state)
        rival->release(state);
}

void pcl_enter(contest *c, const bench_cloud *cloud)
{
    for (size_t i = 0; i < PCL_BUILDS; i++)
        if (loaded[i].rival) enter(c, cloud, loaded[i].rival);
    for (size_t i = 0; i < others.count; i++) enter(c, cloud, others.tables[i]);
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
