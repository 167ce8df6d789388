/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The method `azimuth` of the paper on nearest neighbours: what it finds, and in what time, against the window (additional
 * partitions on either side) and the number of partitions. Beside it where the true neighbours are.
 *
 *     series                   x         value
 *     300 partitions           window    recall in %
 *     300 partitions error     window    mean of the distance found less the true one, over the misses, in m
 *     true neighbours          degrees   share of the queries whose neighbour is within this azimuth, in %
 *     largest partition        number    points of the fullest partition, with this number of partitions
 */
#include "papers/papers.h"

#include <clump/info.h>
#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_MOST = 8, WINDOW_RUNS = 3, WINDOW_QUICK_RUNS = 1 };
static const int partition_counts[] = {300, 100, 900}; /* the first is the paper's */
static const double degrees[] = {0.3, 0.6, 1.2, 2.5, 5, 10};

typedef struct window_job {
    bench_cloud clouds[2];
    bool simulated;
    int32_t *nearest, *found; /* true indices; indices of the last run */
    float *exact, *distances; /* squared: true, of the last run */
    clump_context *cpu, *gpu; /* gpu: null where there is none */
    csv *rows;
    contest_totals *totals;
} window_job;

static clump_points as_points(const bench_cloud *cloud)
{
    return (clump_points){.xyz = cloud->xyz, .count = cloud->count};
}

/* What one setting of the method gives. */
typedef struct window_result {
    samples_summary time;
    double build_ms, query_ms; /* of the last run */
    double recall, error;      /* in %, in m */
    uint64_t hash;             /* of the distances */
} window_result;

static void compare(const window_job *job, window_result *out)
{
    const size_t count = job->clouds[1].count;
    size_t misses = 0;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (job->distances[i] == job->exact[i]) continue;
        misses++;
        sum += sqrt((double)job->distances[i]) - sqrt((double)job->exact[i]);
    }
    out->recall = count ? 100 - 100 * (double)misses / (double)count : 100;
    out->error = misses ? sum / (double)misses : 0;
    out->hash = clump_labels_hash((const void *)job->distances, count);
}

/* Builds an index and asks it, several times. Returns false with a sentence in why. */
static bool measure(const window_job *job, clump_context *context, const clump_index_options *options,
                    window_result *out, clump_message *why)
{
    const int runs = papers.quick ? WINDOW_QUICK_RUNS : WINDOW_RUNS;
    clump_index *index = NULL;
    samples times = {0};
    bool done = clump_index_create(context, as_points(&job->clouds[0]), options, &index) == CLUMP_OK;
    for (int run = 0; done && run < runs; run++) {
        const double start = machine_seconds();
        done = clump_index_rebuild(context, index, as_points(&job->clouds[0])) == CLUMP_OK;
        const double built = machine_seconds();
        done = done && clump_index_nearest(context, index, as_points(&job->clouds[1]), INFINITY, job->found,
                                           job->distances) == CLUMP_OK;
        const double end = machine_seconds();
        out->build_ms = 1000 * (built - start), out->query_ms = 1000 * (end - built);
        done = done && samples_add(&times, end - start);
    }
    if (!done) snprintf(why->text, sizeof why->text, "%s", clump_context_error(context));
    out->time = samples_sum_up(&times);
    samples_free(&times);
    clump_index_destroy(index);
    if (done) compare(job, out);
    return done;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static papers_row row_of(const window_job *job, const char *series, double x, double value)
{
    return (papers_row){.name = "nn-window",
                        .experiment = "nn-window",
                        .series = series,
                        .x = x,
                        .backend = "cpu",
                        .threads = 1,
                        .points = job->clouds[0].count,
                        .runs = 1,
                        .value = value,
                        .agree = "",
                        .version = clump_version(),
                        .note = job->simulated ? "simulated frames" : ""};
}

static void put_result(const window_job *job, const clump_index_options *o, const window_result *r, bool gpu,
                       const char *agree)
{
    char series[64];
    snprintf(series, sizeof series, "%d partitions", o->partitions);
    papers_row row = row_of(job, series, o->window, r->recall);
    row.backend = gpu ? "cuda" : "cpu";
    row.threads = gpu ? 1 : clump_context_stats(job->cpu).threads;
    row.runs = r->time.runs, row.median_ms = r->time.median_ms, row.min_ms = r->time.min_ms;
    row.build_ms = r->build_ms, row.cluster_ms = r->query_ms;
    row.hash = r->hash, row.agree = agree;
    papers_add(job->rows, &row);
    printf("  %-15s window %d  %s %9.3f ms  recall %6.2f %%  misses %.3f m too far%s\n", series, o->window,
           gpu ? "GPU" : "CPU", r->time.median_ms, r->recall, r->error,
           strcmp(agree, "no") == 0 ? "  ERROR: not as on the CPU" : "");
    if (gpu) return;
    snprintf(series, sizeof series, "%d partitions error", o->partitions);
    const papers_row error = row_of(job, series, o->window, r->error);
    papers_add(job->rows, &error);
}

/* --- the method ---------------------------------------------------------------------------------- */

static bool sweep_windows(const window_job *job, int partitions, clump_message *why)
{
    clump_index_options options = clump_index_defaults();
    options.method = CLUMP_NN_AZIMUTH, options.partitions = partitions;
    for (int window = 0; window <= WINDOW_MOST; window += papers.quick ? 2 : 1) {
        window_result cpu = {0}, gpu = {0};
        options.window = window;
        if (!measure(job, job->cpu, &options, &cpu, why)) return false;
        put_result(job, &options, &cpu, false, "");
        if (!job->gpu) continue;
        if (!measure(job, job->gpu, &options, &gpu, why)) return false;
        job->totals->wrong += gpu.hash != cpu.hash;
        put_result(job, &options, &gpu, true, gpu.hash == cpu.hash ? "yes" : "no");
    }
    return true;
}

/* --- the true neighbours ------------------------------------------------------------------------- */

static const double full_turn = 360;

static double azimuth_of(const float *p)
{
    return atan2((double)p[1], (double)p[0]) * full_turn / 2 / 3.14159265358979323846;
}

/* Where the true neighbours are. */
static void put_shares(const window_job *job)
{
    enum { STEPS = sizeof degrees / sizeof *degrees };
    size_t within[STEPS] = {0}, pairs = 0;
    for (size_t i = 0; i < job->clouds[1].count; i++) {
        if (job->nearest[i] < 0) continue;
        const double from = azimuth_of(job->clouds[1].xyz + 3 * i),
                     to = azimuth_of(job->clouds[0].xyz + 3 * (size_t)job->nearest[i]);
        const double apart = fabs(from - to), least = fmin(apart, full_turn - apart);
        pairs++;
        for (int k = 0; k < STEPS; k++) within[k] += least <= degrees[k];
    }
    for (int k = 0; k < STEPS && pairs; k++) {
        const double share = 100 * (double)within[k] / (double)pairs;
        const papers_row row = row_of(job, "true neighbours", degrees[k], share);
        papers_add(job->rows, &row);
        printf("  true neighbours within %4.1f degrees of azimuth: %.2f %%\n", degrees[k], share);
    }
}

/* The paper's kernel has room for 512 points of a partition. */
static bool put_largest(const window_job *job, int partitions)
{
    size_t *const counts = calloc((size_t)partitions, sizeof *counts), largest = 0;
    if (!counts) return false;
    for (size_t i = 0; i < job->clouds[0].count; i++) {
        const double turn = azimuth_of(job->clouds[0].xyz + 3 * i) / full_turn;
        if (!isfinite(turn)) continue;
        const int part = (int)((turn < 0 ? turn + 1 : turn) * partitions);
        const size_t n = ++counts[part < partitions ? part : partitions - 1];
        if (n > largest) largest = n;
    }
    free(counts);
    const papers_row row = row_of(job, "largest partition", partitions, (double)largest);
    papers_add(job->rows, &row);
    printf("  largest of %d partitions: %zu points\n", partitions, largest);
    return true;
}

/* --- the experiment ------------------------------------------------------------------------------ */

static bool prepare(window_job *job, clump_message *why)
{
    if (!frames_make(2, job->clouds, &job->simulated, why)) return false;
    const size_t count = job->clouds[1].count + 1;
    job->nearest = malloc(count * sizeof *job->nearest), job->found = malloc(count * sizeof *job->found);
    job->exact = malloc(count * sizeof *job->exact), job->distances = malloc(count * sizeof *job->distances);
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    bool done = job->nearest && job->found && job->exact && job->distances &&
                clump_context_create(&options, &job->cpu) == CLUMP_OK;
    options.backend = CLUMP_BACKEND_CUDA;
    done = done && (papers.no_gpu || clump_context_create(&options, &job->gpu) == CLUMP_OK);
    if (!done) return snprintf(why->text, sizeof why->text, "no memory, or no context"), false;
    clump_index *index = NULL;
    done = clump_index_create(job->cpu, as_points(&job->clouds[0]), NULL, &index) == CLUMP_OK &&
           clump_index_nearest(job->cpu, index, as_points(&job->clouds[1]), INFINITY, job->nearest, job->exact) ==
               CLUMP_OK;
    if (!done) snprintf(why->text, sizeof why->text, "%s", clump_context_error(job->cpu));
    clump_index_destroy(index);
    return done;
}

bool nn_compute_window(csv *rows, contest_totals *totals, clump_message *why)
{
    window_job job = {.rows = rows, .totals = totals};
    const size_t count = papers.quick ? 1 : sizeof partition_counts / sizeof *partition_counts;
    bool done = prepare(&job, why);
    if (done) put_shares(&job);
    for (size_t i = 0; i < count && done; i++) {
        done = put_largest(&job, partition_counts[i]);
        if (!done) snprintf(why->text, sizeof why->text, "no memory for %d partitions", partition_counts[i]);
        done = done && sweep_windows(&job, partition_counts[i], why);
    }
    clump_context_destroy(job.cpu), clump_context_destroy(job.gpu);
    free(job.nearest), free(job.found), free(job.exact), free(job.distances);
    for (int k = 0; k < 2; k++) bench_cloud_free(&job.clouds[k]);
    return done;
}
