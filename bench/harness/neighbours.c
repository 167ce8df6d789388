/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contests of nearest neighbours: see contestants.h.
 */
#include "harness/contestants.h"

#include <clump/info.h>
#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Share of distances on which a rival may differ. It adds up the distance to a box from differences; their rounding can
 * hide a nearer point. Seen where all points are about as far away. */
static const double may_differ = 0.001;

static rival_list others; /* of CLUMP_RIVALS */

static clump_points as_points(const bench_cloud *cloud)
{
    return (clump_points){.xyz = cloud->xyz, .count = cloud->count};
}

const clump_nn_rival *neighbours_load(const char *folder)
{
    char path[1100], why[512];
    snprintf(path, sizeof path, "%s/nn-best.so", folder);
    const void *const table = module_load(path, CLUMP_RIVAL_ENTRY, CLUMP_NN_RIVAL_INTERFACE, NULL, why, sizeof why);
    if (!table) fprintf(stderr, "%s: without rivals of nearest neighbours: %s\n", settings.program, why);
    if (others.count == 0)
        rivals_load(settings.program, getenv("CLUMP_RIVALS"), CLUMP_NN_RIVALS_ENTRY, CLUMP_NN_RIVAL_INTERFACE,
                    sizeof(clump_nn_rival), &others);
    return table;
}

bool neighbours_begin(contest *c, clump_message *why)
{
    c->answers = c->clouds[1].count;
    c->scratch = malloc(c->answers * sizeof(int32_t) + 1);
    if (!c->scratch) snprintf(why->text, sizeof why->text, "no memory for %zu indices", c->answers);
    return c->scratch != NULL;
}

contestant *neighbours_ours(contest *c, const clump_index_options *options, int threads)
{
    contestant *const who =
        contest_ours(c, c->clouds, clump_nn_method_name(options->method), (int)options->method, threads);
    if (!who) return NULL;
    clump_index *index = NULL;
    who->failed = who->failed || clump_index_create(who->context, as_points(c->clouds), options, &index) != CLUMP_OK;
    if (who->failed && who->context) snprintf(who->error, sizeof who->error, "%s", clump_context_error(who->context));
    who->state = index;
    who->tolerance = options->method == CLUMP_NN_AZIMUTH; /* approximate */
    return who;
}

static void enter_rival(contest *c, const clump_nn_rival *rival)
{
    const bench_cloud *const points = &c->clouds[0], *const queries = &c->clouds[1];
    void *const state = rival->prepare(points->xyz, points->count, queries->xyz, queries->count);
    contestant *const who = contest_rival(c, points, rival->name, rival->version, rival, state);
    if (who)
        who->tolerance = may_differ;
    else if (state)
        rival->release(state);
}

void neighbours_rivals(contest *c, const clump_nn_rival *rivals, const char *name)
{
    for (const clump_nn_rival *rival = rivals; rival && rival->name; rival++)
        if (!name || strcmp(name, rival->name) == 0) enter_rival(c, rival);
}

void neighbours_others(contest *c)
{
    for (size_t i = 0; i < others.count; i++) enter_rival(c, others.tables[i]);
}

bool neighbours_run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const clump_nn_rival *const rival = who->module;
    float *const distances = (void *)c->answer;
    const double start = machine_seconds();
    bool done = rival ? rival->build(who->state)
                      : clump_index_rebuild(who->context, who->state, as_points(c->clouds)) == CLUMP_OK;
    const double built = machine_seconds();
    if (done && !rival) seconds[NEIGHBOURS_UPLOAD] = clump_context_stats(who->context).upload_ms / 1000;
    const double asked = machine_seconds();
    if (done && rival)
        done = rival->query(who->state, c->scratch, distances);
    else if (done)
        done = clump_index_nearest(who->context, who->state, as_points(&c->clouds[1]), INFINITY, c->scratch,
                                   distances) == CLUMP_OK;
    const double end = machine_seconds();
    if (rival) rival->forget(who->state);
    seconds[NEIGHBOURS_BUILD] = built - start, seconds[NEIGHBOURS_QUERY] = end - asked;
    seconds[0] = seconds[NEIGHBOURS_BUILD] + seconds[NEIGHBOURS_QUERY];
    return done;
}

void neighbours_leave(contestant *who)
{
    if (who->rival)
        ((const clump_nn_rival *)who->module)->release(who->state);
    else
        clump_index_destroy(who->state);
}
