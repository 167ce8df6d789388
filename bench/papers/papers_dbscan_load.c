/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How busy threads and thread blocks are, on the largest toy set (Figs 5 and 7 of the paper on DBSCAN). A row is one
 * thread, or one thread block; its value is the share of the step's time in which it worked, the mean of several runs.
 */
#include "papers/papers_dbscan.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD_RUNS = 15, LOAD_BLOCKS = 16, LOAD_MOST = 1024 };

/* Sums over the runs, one per thread or thread block. */
typedef struct load_sums {
    double share[LOAD_MOST];
    int count; /* entries in use; 0: the method does not measure this step */
    int runs;
} load_sums;

static void add_loads(load_sums *sums, const float *load, int count)
{
    sums->count = count < LOAD_MOST ? count : LOAD_MOST;
    sums->runs++;
    for (int i = 0; i < sums->count; i++) sums->share[i] += (double)load[i];
}

/* One experiment on one set. */
typedef struct load_job {
    const char *experiment;
    const dbscan_set *set;
    clump_dbscan_method method;
    clump_backend backend;
    int threads;
    bench_cloud cloud;
    bool simulated;
    int32_t *labels;
    uint64_t expected; /* hash of the labels of `fast` on the CPU */
    load_sums cluster, merge;
    samples times;
    clump_stats stats;
    uint64_t hash;
} load_job;

static clump_status cluster(clump_context *context, const load_job *job, clump_dbscan_method method)
{
    clump_dbscan_options options = clump_dbscan_defaults();
    options.method = method;
    const clump_points points = {.xyz = job->cloud.xyz, .count = job->cloud.count};
    return clump_dbscan(context, points, job->set->eps, job->set->min_points, &options, job->labels, NULL);
}

/* Opens a context. Returns null with a sentence in why. */
static clump_context *open_context(clump_backend backend, int threads, clump_message *why)
{
    clump_context_options options = clump_context_defaults();
    options.backend = backend, options.threads = threads;
    clump_context *context = NULL;
    const clump_status status = clump_context_create(&options, &context);
    if (status != CLUMP_OK) snprintf(why->text, sizeof why->text, "no context: %s", clump_status_text(status));
    return context;
}

static bool find_expected(load_job *job, clump_message *why)
{
    clump_context *const context = open_context(CLUMP_BACKEND_CPU, 1, why);
    if (!context) return false;
    const bool done = cluster(context, job, CLUMP_DBSCAN_FAST) == CLUMP_OK;
    if (!done) snprintf(why->text, sizeof why->text, "%s", clump_context_error(context));
    job->expected = clump_labels_hash(job->labels, job->cloud.count);
    clump_context_destroy(context);
    return done;
}

/* Runs the method; the first run warms up. */
static bool measure(load_job *job, clump_message *why)
{
    clump_context *const context = open_context(job->backend, job->threads, why);
    bool done = context != NULL;
    for (int run = 0; done && run <= LOAD_RUNS; run++) {
        const double start = machine_seconds();
        done = cluster(context, job, job->method) == CLUMP_OK;
        if (!done) snprintf(why->text, sizeof why->text, "%s", clump_context_error(context));
        if (!done || run == 0) continue;
        done = samples_add(&job->times, machine_seconds() - start);
        int count = 0;
        const float *load = clump_context_load(context, &count);
        if (load) add_loads(&job->cluster, load, count);
        load = clump_context_merge_load(context, &count);
        if (load) add_loads(&job->merge, load, count);
    }
    if (done) job->stats = clump_context_stats(context);
    job->hash = clump_labels_hash(job->labels, job->cloud.count);
    clump_context_destroy(context);
    return done;
}

static void put_step(const load_job *job, const load_sums *sums, const char *step, int most, csv *rows)
{
    char series[DBSCAN_NAME], name[CONTEST_NAME];
    dbscan_series(series, step, job->set, job->simulated);
    snprintf(name, sizeof name, "%s-%s", job->experiment, job->set->word);
    samples times = job->times;
    const samples_summary time = samples_sum_up(&times);
    papers_row row = {.name = name,
                      .experiment = job->experiment,
                      .series = series,
                      .backend = job->backend == CLUMP_BACKEND_CUDA ? "cuda" : "cpu",
                      .threads = job->threads,
                      .points = job->cloud.count,
                      .runs = time.runs,
                      .median_ms = time.median_ms,
                      .min_ms = time.min_ms,
                      .upload_ms = job->stats.upload_ms,
                      .build_ms = job->stats.build_ms,
                      .cluster_ms = job->stats.cluster_ms,
                      .merge_ms = job->stats.merge_ms,
                      .label_ms = job->stats.label_ms,
                      .download_ms = job->stats.download_ms,
                      .passes = (long long)job->stats.passes,
                      .clusters = job->stats.clusters,
                      .hash = job->hash,
                      .agree = job->hash == job->expected ? "yes" : "no",
                      .version = clump_version(),
                      .note = ""};
    printf("  %-28s", series);
    for (int i = 0; i < sums->count && i < most; i++) {
        row.x = i + 1, row.value = sums->share[i] / sums->runs;
        printf(" %.2f", row.value);
        papers_add(rows, &row);
    }
    puts(row.agree[0] == 'y' ? "" : "  ERROR: labels differ");
}

/* Measures one set and adds its rows. most: threads or thread blocks that get a row. */
static bool compute_set(load_job *job, int most, csv *rows, contest_totals *totals, clump_message *why)
{
    bool done = dbscan_set_make(job->set, &job->cloud, &job->simulated, why);
    if (done) {
        job->labels = malloc(job->cloud.count * sizeof *job->labels + 1);
        done = job->labels && find_expected(job, why) && measure(job, why);
        if (!job->labels) snprintf(why->text, sizeof why->text, "no memory for %zu labels", job->cloud.count);
    }
    if (done) {
        totals->wrong += job->hash != job->expected;
        put_step(job, &job->cluster, "cluster", most, rows);
        if (job->merge.count) put_step(job, &job->merge, "merge", most, rows);
    }
    samples_free(&job->times);
    free(job->labels);
    bench_cloud_free(&job->cloud);
    return done;
}

/* Both parameters on the largest toy set. */
static bool compute(const load_job *what, int most, csv *rows, contest_totals *totals, clump_message *why)
{
    for (int i = 0; i < 2; i++) {
        load_job *const job = calloc(1, sizeof *job);
        if (!job) return snprintf(why->text, sizeof why->text, "no memory for the loads"), false;
        *job = *what;
        job->set = &dbscan_sets[i ? DBSCAN_TOY3_WIDE : DBSCAN_TOY3_NARROW];
        const bool done = compute_set(job, most, rows, totals, why);
        free(job);
        if (!done) return false;
    }
    return true;
}

bool dbscan_compute_load(csv *rows, contest_totals *totals, clump_message *why)
{
    const int cores = machine_describe().cores;
    const load_job job = {.experiment = "dbscan-load",
                          .method = CLUMP_DBSCAN_DISJOINT_SET,
                          .backend = CLUMP_BACKEND_CPU,
                          .threads = cores > 1 ? cores : 2};
    return compute(&job, LOAD_MOST, rows, totals, why);
}

bool dbscan_compute_blocks(csv *rows, contest_totals *totals, clump_message *why)
{
    if (papers.no_gpu) return snprintf(why->text, sizeof why->text, "there is no GPU"), false;
    const load_job job = {
        .experiment = "dbscan-blocks", .method = CLUMP_DBSCAN_DCLUST, .backend = CLUMP_BACKEND_CUDA, .threads = 1};
    return compute(&job, LOAD_BLOCKS, rows, totals, why);
}
