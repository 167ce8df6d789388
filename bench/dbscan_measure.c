/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Measures one case of dbscan. Contestants take turns, as in measure.c: labels are compared first, then a round is a
 * turn of each, and a turn as many runs as fit into turn_seconds, at least one. scikit-learn runs in a process of its
 * own and tells how long fit() took.
 */
#include "dbscan_measure.h"

#include "machine.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turn_seconds = 0.02;
enum { max_runs_a_turn = 200, min_rounds = 3, max_rounds = 25 };

typedef struct runner {
    dbscan_contestant *result;
    clump_context *context; /* ours */
    clump_dbscan_options options;
    sklearn *rival; /* or the rival */
    samples samples;
    double turn; /* seconds a turn is expected to take */
} runner;

/* The case while it is measured. */
typedef struct bench {
    const dbscan_case *item;
    clump_points points;
    int32_t *labels, *reference;
    runner runners[dbscan_max_contestants];
    dbscan_result *out;
} bench;

/* One run, in seconds. */
static double run_once(const bench *b, runner *r)
{
    double seconds = 0;
    bool done;
    if (r->rival) {
        done = sklearn_fit(r->rival, b->item->cloud.d, b->item->min_points, &seconds);
    } else {
        const double start = machine_seconds();
        done = clump_dbscan(r->context, b->points, b->item->cloud.d, b->item->min_points, &r->options, b->labels,
                            NULL) == CLUMP_OK;
        seconds = machine_seconds() - start;
    }
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

/* Labels beside those of the first. */
static void verify(const bench *b, runner *r)
{
    dbscan_contestant *const result = r->result;
    const double seconds = run_once(b, r);
    r->turn = seconds > turn_seconds ? seconds : turn_seconds;
    if (result->failed) return;
    if (r->rival && !sklearn_labels(r->rival, b->labels, b->points.count)) {
        result->failed = true; /* and there is nothing to compare */
        return;
    }
    result->labels_hash = clump_labels_hash(b->labels, b->points.count);
    if (r == b->runners) {
        memcpy(b->reference, b->labels, b->points.count * sizeof *b->labels);
        const clump_stats stats = clump_context_stats(r->context);
        b->out->clusters = stats.clusters, b->out->noise = stats.noise;
    }
    for (size_t i = 0; i < b->points.count; i++) result->differ += b->labels[i] != b->reference[i];
    result->agrees = result->differ == 0;
}

static void finish(const bench *b, runner *r)
{
    dbscan_contestant *const result = r->result;
    const samples_summary sum = samples_sum_up(&r->samples);
    result->runs = sum.runs, result->median_ms = sum.median_ms, result->min_ms = sum.min_ms;
    if (r->context && !result->failed) {
        if (b->points.count)
            result->bytes_per_point = (double)clump_context_stats(r->context).host_bytes / (double)b->points.count;
        int count;
        const float *const load = clump_context_load(r->context, &count);
        size_t length = 0;
        for (int k = 0; k < count && length + 8 < sizeof result->load; k++)
            length += (size_t)snprintf(result->load + length, sizeof result->load - length, k ? " %.2f" : "%.2f",
                                       (double)load[k]);
    }
    clump_context_destroy(r->context);
    samples_free(&r->samples);
}

/* --- who takes part ------------------------------------------------------------------------------ */

static runner *enter(bench *b, const char *name, int threads)
{
    runner *const r = &b->runners[b->out->count];
    r->result = &b->out->contestants[b->out->count++];
    *r->result = (dbscan_contestant){.name = name, .version = "", .threads = threads};
    return r;
}

static void enter_ours(bench *b, clump_dbscan_method method, int threads)
{
    if (b->out->count >= dbscan_max_contestants) return;
    runner *const r = enter(b, clump_dbscan_method_name(method), threads);
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = threads;
    r->options = clump_dbscan_defaults();
    r->options.method = method;
    if (clump_context_create(&options, &r->context) != CLUMP_OK) r->result->failed = true;
}

static void enter_all(bench *b, const dbscan_measure_options *options)
{
    const int most = b->item->paper ? options->most_threads : options->threads;
    enter_ours(b, CLUMP_DBSCAN_FAST, 1);
    if (options->threads > 1) enter_ours(b, CLUMP_DBSCAN_FAST, options->threads);
    if (b->item->methods) {
        enter_ours(b, CLUMP_DBSCAN_SEQUENTIAL, 1);
        enter_ours(b, CLUMP_DBSCAN_DISJOINT_SET, 1);
        for (int threads = 2; threads <= most; threads *= 2) enter_ours(b, CLUMP_DBSCAN_DISJOINT_SET, threads);
        enter_ours(b, CLUMP_DBSCAN_DCLUST, 1);
    }
    if (!b->item->cloud.rivals || !options->rival || b->out->count >= dbscan_max_contestants) return;
    runner *const r = enter(b, "sklearn", 1);
    r->rival = options->rival, r->result->rival = true, r->result->version = options->rival->version;
    if (!sklearn_points(r->rival, b->points.xyz, b->points.count)) r->result->failed = true;
}

static size_t rounds_for(const bench *b, const dbscan_measure_options *options)
{
    if (options->rounds) return options->rounds;
    double round = 0;
    for (size_t i = 0; i < b->out->count; i++) round += b->runners[i].turn;
    const double fit = round > 0 ? options->seconds / round : 0;
    return fit < min_rounds ? min_rounds : fit > max_rounds ? max_rounds : (size_t)fit;
}

bool dbscan_measure(const dbscan_case *item, const bench_cloud *cloud, const dbscan_measure_options *options,
                    dbscan_result *out, clump_message *why)
{
    *out = (dbscan_result){.item = item, .points = cloud->count};
    bench b = {.item = item, .points = {.xyz = cloud->xyz, .count = cloud->count}, .out = out};
    b.labels = malloc(cloud->count * sizeof *b.labels + 1), b.reference = malloc(cloud->count * sizeof *b.labels + 1);
    bool memory = b.labels && b.reference;
    if (memory) enter_all(&b, options);
    for (size_t i = 0; i < out->count; i++)
        if (!out->contestants[i].failed) verify(&b, &b.runners[i]);
    const size_t rounds = rounds_for(&b, options);
    for (size_t round = 0; round < rounds && memory; round++)
        for (size_t i = 0; i < out->count && memory; i++)
            if (!out->contestants[i].failed) memory = take_turn(&b, &b.runners[i]);
    if (!memory) snprintf(why->text, sizeof why->text, "no memory for labels or samples");
    for (size_t i = 0; i < out->count; i++) finish(&b, &b.runners[i]);
    free(b.labels), free(b.reference);
    return memory;
}

const dbscan_contestant *dbscan_result_of(const dbscan_result *result, const char *name, int threads)
{
    for (size_t i = 0; i < result->count; i++) {
        const dbscan_contestant *const c = &result->contestants[i];
        if (strcmp(c->name, name) == 0 && c->threads == threads && !c->failed) return c;
    }
    return NULL;
}
