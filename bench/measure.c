/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one case. Contestants take turns, so that whatever the machine does meanwhile (clock
 * frequency, other work) falls on all of them alike, and the ratio of medians is the figure:
 *
 *     verify each    fast bfs pcl pcl    labels compared; also warms caches and buffers
 *     round 1        fast bfs pcl pcl
 *     round 2        fast bfs pcl pcl    ...
 *
 * A turn is as many runs as fit into turn_seconds, at least one: a run of 40 us straight after
 * another program's half second would measure little but cold caches. Each run is a sample, the
 * rule is the same for all.
 */
#include "measure.h"
#include "machine.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn_seconds = 0.02;
enum { max_runs_a_turn = 200, min_rounds = 3, max_rounds = 25 };

typedef struct contestant {
    contestant_result *result;
    const bench_cloud *cloud;
    float d;
    int32_t *labels;
    clump_context *context; /* ours */
    clump_ec_options options;
    const clump_rival *rival; /* or a rival's */
    void *state;
    samples samples;
    double turn; /* seconds a turn is expected to take */
} contestant;

static bool run_ours(contestant *c)
{
    const clump_points points = {.xyz = c->cloud->xyz, .count = c->cloud->count};
    return clump_ec(c->context, points, c->d, &c->options, c->labels, NULL) == CLUMP_OK;
}

/* One run, in seconds. */
static double run_once(contestant *c)
{
    if (c->rival) c->rival->forget(c->state);
    const double start = machine_seconds();
    const bool done = c->rival ? c->rival->run(c->state, c->d) : run_ours(c);
    const double seconds = machine_seconds() - start;
    if (!done) {
        c->result->failed = true;
        snprintf(c->result->error, sizeof c->result->error, "%s",
                 c->rival ? "the rival's run failed" : clump_context_error(c->context));
    }
    return seconds;
}

static bool take_turn(contestant *c)
{
    double spent = 0;
    for (int i = 0; i < max_runs_a_turn && (i == 0 || spent < turn_seconds); i++) {
        const double seconds = run_once(c);
        if (c->result->failed) return true;
        if (!samples_add(&c->samples, seconds)) return false;
        spent += seconds;
    }
    return true;
}

static void verify(contestant *c, const contestant_result *reference)
{
    const double seconds = run_once(c);
    c->turn = seconds > turn_seconds ? seconds : turn_seconds;
    if (c->result->failed) return;
    if (c->rival) c->rival->labels(c->state, c->labels);
    c->result->labels_hash = clump_labels_hash(c->labels, c->cloud->count);
    c->result->agrees = c->result->role == ROLE_BASE || c->result->labels_hash == reference->labels_hash;
}

static void finish(contestant *c)
{
    contestant_result *r = c->result;
    const samples_summary sum = samples_sum_up(&c->samples);
    r->points = c->cloud->count, r->runs = sum.runs;
    r->median_ms = sum.median_ms, r->min_ms = sum.min_ms;
    if (c->rival || r->failed) return;
    const clump_stats stats = clump_context_stats(c->context);
    r->build_ms = stats.build_ms, r->cluster_ms = stats.cluster_ms, r->label_ms = stats.label_ms;
    if (r->points) r->bytes_per_point = (double)stats.host_bytes / (double)r->points;
}

/* --- who takes part ------------------------------------------------------------------------------ */

static contestant *enter(contestant *list, case_result *out, contestant_role role, const bench_cloud *cloud, float d)
{
    contestant *c = &list[out->count];
    c->result = &out->contestants[out->count++];
    *c->result = (contestant_result){.role = role, .name = "fast", .version = "", .must_agree = true, .threads = 1};
    c->cloud = cloud, c->d = d;
    c->labels = malloc(cloud->count * sizeof *c->labels + 1);
    if (!c->labels) c->result->failed = true;
    return c;
}

static void enter_ours(contestant *c, int threads, clump_ec_method method)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = threads;
    c->result->threads = threads;
    c->result->name = clump_ec_method_name(method);
    c->options = clump_ec_defaults();
    c->options.method = method;
    if (clump_context_create(&options, &c->context) != CLUMP_OK) c->result->failed = true;
}

static void enter_rival(contestant *c, const clump_rival *rival)
{
    c->rival = rival;
    c->result->name = rival->name;
    c->result->version = rival->version;
    c->result->must_agree = rival->must_agree;
    c->state = rival->prepare(c->cloud->xyz, c->cloud->count);
    if (!c->state) c->result->failed = true;
}

static void leave(contestant *c)
{
    if (c->state) c->rival->release(c->state);
    clump_context_destroy(c->context);
    samples_free(&c->samples);
    free(c->labels);
}

static size_t rounds_for(const contestant *list, size_t count, const measure_options *options)
{
    if (options->rounds) return options->rounds;
    double round = 0;
    for (size_t i = 0; i < count; i++) round += list[i].turn;
    const double fit = options->seconds / round;
    return fit < min_rounds ? min_rounds : fit > max_rounds ? max_rounds : (size_t)fit;
}

bool measure_case(const bench_case *item, const bench_cloud *cloud, const bench_cloud *base, float base_d,
                  const measure_options *options, case_result *out, clump_message *why)
{
    contestant list[max_contestants] = {0};
    *out = (case_result){.item = item};
    enter_ours(enter(list, out, ROLE_ONE, cloud, item->d), 1, CLUMP_EC_FAST);
    if (options->threads > 1) enter_ours(enter(list, out, ROLE_SOME, cloud, item->d), options->threads, CLUMP_EC_FAST);
    if (base) enter_ours(enter(list, out, ROLE_BASE, base, base_d), 1, CLUMP_EC_FAST);
    if (item->rivals && options->bfs) enter_ours(enter(list, out, ROLE_BFS, cloud, item->d), 1, CLUMP_EC_BFS);
    for (size_t i = 0; item->rivals && i < options->rival_count && i < max_rivals; i++)
        enter_rival(enter(list, out, ROLE_RIVAL, cloud, item->d), options->rivals[i].rival);

    bool memory = true;
    for (size_t i = 0; i < out->count; i++)
        if (!list[i].result->failed) verify(&list[i], &out->contestants[0]);
    const size_t rounds = rounds_for(list, out->count, options);
    for (size_t round = 0; round < rounds && memory; round++)
        for (size_t i = 0; i < out->count && memory; i++)
            if (!list[i].result->failed) memory = take_turn(&list[i]);
    if (!memory) snprintf(why->text, sizeof why->text, "no memory for the samples");
    for (size_t i = 0; i < out->count; i++) finish(&list[i]), leave(&list[i]);
    return memory;
}

const contestant_result *result_of_role(const case_result *result, contestant_role role)
{
    for (size_t i = 0; i < result->count; i++)
        if (result->contestants[i].role == role) return &result->contestants[i];
    return NULL;
}

const contestant_result *result_of_name(const case_result *result, const char *name)
{
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->contestants[i].name, name) == 0) return &result->contestants[i];
    return NULL;
}
