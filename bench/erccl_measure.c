/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one case of erccl. Contestants take turns, as in measure.c: labels are compared first, then a round is a turn
 * of each, and a turn as many runs as fit into turn_seconds, at least one. The paper's methods take hundreds of times as
 * long as fast, so they sit out most rounds.
 */
#include "erccl_measure.h"

#include "machine.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn_seconds = 0.02, slow_seconds = 0.1;
enum { max_runs_a_turn = 200, slow_rounds = 3 };

typedef struct runner {
    erccl_contestant *result;
    clump_context *context; /* ours */
    clump_erccl_options options;
    const clump_rival *rival; /* or a rival's */
    void *state;
    samples samples;
    double seconds; /* of the first run */
} runner;

typedef struct bench {
    clump_points points;
    const bench_cloud *bare;
    int32_t *labels;
    runner runners[erccl_max_contestants];
    erccl_result *out;
} bench;

static double run_once(const bench *b, runner *r)
{
    if (r->rival) r->rival->forget(r->state);
    const double start = machine_seconds();
    const bool done = r->rival ? r->rival->run(r->state, ERCCL_RIVAL_DISTANCE)
                               : clump_erccl(r->context, b->points, &r->options, b->labels, NULL) == CLUMP_OK;
    const double seconds = machine_seconds() - start;
    if (!done) {
        r->result->failed = true;
        snprintf(r->result->error, sizeof r->result->error, "%s",
                 r->rival ? "the rival's run failed" : clump_context_error(r->context));
    }
    return seconds;
}

static bool take_turn(const bench *b, runner *r)
{
    double spent = 0;
    for (int i = 0; i < max_runs_a_turn && (i == 0 || spent < turn_seconds); i++) {
        const double seconds = run_once(b, r);
        if (r->result->failed) return true;
        if (!samples_add(&r->samples, seconds)) return false;
        spent += seconds;
    }
    return true;
}

/* The labels of ours beside those of fast; a rival's are of other points. */
static void verify(const bench *b, runner *r)
{
    erccl_contestant *const result = r->result;
    r->seconds = run_once(b, r);
    result->agrees = true;
    if (result->failed || r->rival) return;
    const clump_stats stats = clump_context_stats(r->context);
    result->labels_hash = clump_labels_hash(b->labels, b->points.count);
    result->passes = (long)stats.passes, result->clusters = stats.clusters;
    result->agrees = !result->exact || result->labels_hash == b->runners[0].result->labels_hash;
}

/* --- who takes part ------------------------------------------------------------------------------ */

static void enter_ours(bench *b, clump_erccl_method method, int threads)
{
    runner *const r = &b->runners[b->out->count];
    r->result = &b->out->contestants[b->out->count++];
    *r->result = (erccl_contestant){.name = clump_erccl_method_name(method), .version = "", .threads = threads};
    r->result->exact = method != CLUMP_ERCCL_CCL && method != CLUMP_ERCCL_HASH;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = threads;
    r->options = clump_erccl_defaults();
    r->options.method = method;
    r->options.reach = b->out->item->reach;
    if (clump_context_create(&options, &r->context) != CLUMP_OK) r->result->failed = true;
}

static void enter_rival(bench *b, const clump_rival *rival)
{
    if (b->out->count >= erccl_max_contestants) return;
    runner *const r = &b->runners[b->out->count];
    r->result = &b->out->contestants[b->out->count++];
    *r->result = (erccl_contestant){.name = rival->name, .version = rival->version, .rival = true, .threads = 1};
    r->rival = rival;
    r->state = rival->prepare(b->bare->xyz, b->bare->count);
    if (!r->state) r->result->failed = true;
}

static void enter_all(bench *b, const erccl_measure_options *options)
{
    enter_ours(b, CLUMP_ERCCL_FAST, 1);
    if (options->threads > 1) enter_ours(b, CLUMP_ERCCL_FAST, options->threads);
    for (int method = CLUMP_ERCCL_SERIAL; method <= CLUMP_ERCCL_HASH; method++)
        enter_ours(b, (clump_erccl_method)method, 1);
    for (size_t i = 0; b->out->item->rivals && i < options->rival_count; i++) enter_rival(b, options->rivals[i].rival);
}

static void finish(runner *r)
{
    const samples_summary sum = samples_sum_up(&r->samples);
    r->result->runs = sum.runs, r->result->median_ms = sum.median_ms, r->result->min_ms = sum.min_ms;
    if (r->state) r->rival->release(r->state);
    clump_context_destroy(r->context);
    samples_free(&r->samples);
}

bool erccl_measure(const erccl_case *item, const bench_cloud *scan, const bench_cloud *bare,
                   const erccl_measure_options *options, erccl_result *out, clump_message *why)
{
    *out = (erccl_result){.item = item, .points = scan->count, .obstacle_points = bare->count};
    bench b = {.points = {.xyz = scan->xyz, .count = scan->count}, .bare = bare, .out = out};
    b.labels = malloc(scan->count * sizeof *b.labels + 1);
    bool memory = b.labels != NULL;
    if (memory) enter_all(&b, options);
    for (size_t i = 0; i < out->count; i++)
        if (!out->contestants[i].failed) verify(&b, &b.runners[i]);
    for (size_t round = 0; round < options->rounds && memory; round++)
        for (size_t i = 0; i < out->count && memory; i++) {
            if (out->contestants[i].failed || (b.runners[i].seconds > slow_seconds && round >= slow_rounds)) continue;
            memory = take_turn(&b, &b.runners[i]);
        }
    if (!memory) snprintf(why->text, sizeof why->text, "no memory for labels or samples");
    for (size_t i = 0; i < out->count; i++) finish(&b.runners[i]);
    free(b.labels);
    return memory;
}

const erccl_contestant *erccl_result_of(const erccl_result *result, const char *name, int threads)
{
    for (size_t i = 0; i < result->count; i++) {
        const erccl_contestant *const c = &result->contestants[i];
        if (strcmp(c->name, name) == 0 && c->threads == threads && !c->failed) return c;
    }
    return NULL;
}
