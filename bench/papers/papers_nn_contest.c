/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The contests of the paper on nearest neighbours. `fast` with one thread is first: all distances are compared with its
 * distances. A run builds the index and asks for the neighbours of all queries, from pageable memory to pageable memory.
 * The value of a row is the speed-up over FLANN.
 *
 *     nn-table        all methods on two frames, ten trials; three rows each: construction, query, total. The rows of
 *                     nn-trials have the spread: the fastest, the median, the mean and the slowest total
 *     nn-size         20,000 queries against the first points of the reference: 500, 1000, 2000 ... all
 *     nn-size-small   the same below 4000 points
 */
#include "papers/papers.h"
#include "harness/contestants.h"

#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NN_QUERIES = 20000 };                                                         /* of the paper's plots */
static const size_t sizes[] = {500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 0}; /* 0: all */
static const size_t small_sizes[] = {250, 500, 1000, 1500, 2000, 2500, 3000, 3500, 4000};

static const clump_nn_rival *rivals;
static bool simulated; /* the frames of this case */

static void begin(void)
{
    if (!settings.no_rivals && !rivals) rivals = neighbours_load(papers.rivals);
}

/* --- entering ------------------------------------------------------------------------------------ */

static void enter_ours(contest *c, clump_nn_method method, int threads)
{
    clump_index_options options = clump_index_defaults();
    options.method = method;
    neighbours_ours(c, &options, threads);
}

static bool make(contest *c, clump_message *why)
{
    return frames_make(2, c->clouds, &simulated, why) && neighbours_begin(c, why);
}

static bool enter_table(contest *c, clump_message *why)
{
    static const clump_nn_method on_gpu[] = {CLUMP_NN_PER_QUERY, CLUMP_NN_BATCH, CLUMP_NN_AZIMUTH, CLUMP_NN_FAST};
    if (!make(c, why)) return false;
    enter_ours(c, CLUMP_NN_FAST, 1);
    if (settings.cores > 1) enter_ours(c, CLUMP_NN_FAST, settings.cores);
    enter_ours(c, CLUMP_NN_KDTREE, 1);
    enter_ours(c, CLUMP_NN_AZIMUTH, 1);
    enter_ours(c, CLUMP_NN_BRUTE, 1);
    neighbours_rivals(c, rivals, "flann");
    neighbours_rivals(c, rivals, "nanoflann");
    neighbours_others(c);
    for (size_t i = 0; i < sizeof on_gpu / sizeof *on_gpu && !papers.no_gpu; i++) enter_ours(c, on_gpu[i], CONTEST_GPU);
    return true;
}

static size_t size_of(const contest *c)
{
    return c->job == &nn_small_job ? small_sizes[c->index] : sizes[c->index];
}

static bool enter_size(contest *c, clump_message *why)
{
    if (!frames_make(2, c->clouds, &simulated, why)) return false;
    bench_cloud *const points = &c->clouds[0], *const queries = &c->clouds[1];
    if (size_of(c) && size_of(c) < points->count) points->count = size_of(c);
    if (queries->count > NN_QUERIES) queries->count = NN_QUERIES;
    if (!neighbours_begin(c, why)) return false;
    enter_ours(c, CLUMP_NN_FAST, 1);
    enter_ours(c, CLUMP_NN_KDTREE, 1);
    enter_ours(c, CLUMP_NN_BRUTE, 1);
    neighbours_rivals(c, rivals, "flann");
    if (papers.no_gpu) return true;
    enter_ours(c, CLUMP_NN_PER_QUERY, CONTEST_GPU);
    enter_ours(c, CLUMP_NN_FAST, CONTEST_GPU);
    return true;
}

/* --- rows ---------------------------------------------------------------------------------------- */

static bool is_approximate(const contestant *who)
{
    return !who->rival && who->method == CLUMP_NN_AZIMUTH;
}

/* Returns the speed-up over FLANN by one of the clocks; NaN where there is no FLANN. */
static double speedup(const contest *c, const contestant *who, int clock)
{
    const contestant *const flann = contest_find(c, "flann", 1);
    return flann && who->time[clock].median_ms > 0 ? flann->time[clock].median_ms / who->time[clock].median_ms
                                                   : (double)NAN;
}

static void note(const contest *c, contestant *who)
{
    const double over_flann = speedup(c, who, 0);
    int length = snprintf(who->note, sizeof who->note, "construction %8.2f query %8.2f",
                          who->time[NEIGHBOURS_BUILD].median_ms, who->time[NEIGHBOURS_QUERY].median_ms);
    if (!isnan(over_flann))
        length +=
            snprintf(who->note + length, sizeof who->note - (size_t)length, "  speed-up over FLANN %.3f", over_flann);
    if (is_approximate(who))
        snprintf(who->note + length, sizeof who->note - (size_t)length, "  recall %.2f %%",
                 100 - 100 * (double)who->differ / (double)c->answers);
}

/* Returns the row of a contestant, its stages those of build and query together. text: for its note. */
static papers_row row_of(const contest *c, const contestant *who, char *text, size_t size)
{
    papers_row row = papers_row_of(c, who);
    row.upload_ms = who->time[NEIGHBOURS_UPLOAD].median_ms;
    row.build_ms = who->time[NEIGHBOURS_BUILD].median_ms - row.upload_ms;
    row.cluster_ms = who->time[NEIGHBOURS_QUERY].median_ms;
    row.label_ms = row.download_ms = 0;
    row.passes = 0, row.clusters = 0;
    row.value = speedup(c, who, 0);
    const char *const begin_text = simulated ? "simulated frames; " : "";
    snprintf(text, size, "%s", simulated ? "simulated frames" : "");
    if (is_approximate(who)) {
        row.agree = "";
        snprintf(text, size, "%srecall %.2f %%", begin_text, 100 - 100 * (double)who->differ / (double)c->answers);
    } else if (who->differ && (double)who->differ <= who->tolerance * (double)c->answers) {
        row.agree = "";
        snprintf(text, size, "%s%zu distances differ by rounding", begin_text, who->differ);
    }
    row.note = text;
    return row;
}

/* The spread of the trials. A contestant that ran once has none. */
static void add_trials(const samples_summary *time, const papers_row *of, csv *rows)
{
    const double numbers[] = {time->min_ms, time->median_ms, time->mean_ms, time->max_ms};
    papers_row row = *of;
    row.experiment = "nn-trials", row.value = (double)NAN;
    for (int k = 0; k < 4 && time->runs >= NN_TRIALS; k++) {
        row.x = k, row.median_ms = row.min_ms = numbers[k];
        papers_add(rows, &row);
    }
}

/* Three rows; the harness ends the last. */
static void row_table(const contest *c, const contestant *who, csv *rows)
{
    static const int clocks[NN_PARTS] = {
        [NN_CONSTRUCTION] = NEIGHBOURS_BUILD, [NN_QUERY] = NEIGHBOURS_QUERY, [NN_TOTAL] = 0};
    char text[200];
    papers_row row = row_of(c, who, text, sizeof text);
    row.experiment = "nn-table";
    add_trials(&who->time[0], &row, rows);
    for (int part = 0; part < NN_PARTS; part++) {
        const samples_summary *const time = &who->time[clocks[part]];
        row.x = part;
        row.median_ms = time->median_ms, row.min_ms = time->min_ms;
        row.value = speedup(c, who, clocks[part]);
        if (part < NN_TOTAL)
            papers_add(rows, &row);
        else
            papers_put(rows, &row);
    }
}

static void row_size(const contest *c, const contestant *who, csv *rows)
{
    char text[200];
    papers_row row = row_of(c, who, text, sizeof text);
    row.experiment = c->job == &nn_small_job ? "nn-size-small" : "nn-size";
    row.x = (double)c->clouds[0].count;
    papers_put(rows, &row);
}

static void no_figures(contest *c, contest_totals *totals)
{
    (void)c, (void)totals;
}

/* --- the jobs ------------------------------------------------------------------------------------ */

static bool describe_table(size_t index, char *name, char *text)
{
    (void)index;
    snprintf(name, CONTEST_NAME, "nn-table");
    snprintf(text, CONTEST_TEXT, "two consecutive frames");
    return true;
}

static void describe_size(const char *experiment, size_t size, char *name, char *text)
{
    if (size)
        snprintf(name, CONTEST_NAME, "%s-%zu", experiment, size);
    else
        snprintf(name, CONTEST_NAME, "%s-all", experiment);
    snprintf(text, CONTEST_TEXT, "%d queries", (int)NN_QUERIES);
}

/* --quick: every second size. */
static bool describe_all(size_t index, char *name, char *text)
{
    describe_size("nn-size", sizes[index], name, text);
    return !papers.quick || index % 2 == 0;
}

static bool describe_small(size_t index, char *name, char *text)
{
    describe_size("nn-size-small", small_sizes[index], name, text);
    return !papers.quick || index % 2 == 0;
}

#define NN_JOB                                                                                                         \
    .program = "clump_bench papers", .csv_header = PAPERS_HEADER, .seconds = 1, .once_seconds = 1.5, .begin = begin,   \
    .run = neighbours_run, .note = note, .leave = neighbours_leave, .figures = no_figures

const contest_job nn_table_job = {
    NN_JOB,          .case_count = 1, .least_rounds = NN_TRIALS, .describe = describe_table, .enter = enter_table,
    .row = row_table};
const contest_job nn_size_job = {NN_JOB, .case_count = sizeof sizes / sizeof *sizes, .describe = describe_all,
                                 .enter = enter_size, .row = row_size};
const contest_job nn_small_job = {NN_JOB, .case_count = sizeof small_sizes / sizeof *small_sizes,
                                  .describe = describe_small, .enter = enter_size, .row = row_size};

/* --- the experiments of the paper "Parallel Nearest Neighbor Search for Velodyne LiDAR Point Clouds" ---------------- */

static const papers_experiment experiments[] = {
    {"nn-table", "Summary of Results", "Construction, query and total of all methods", &nn_table_job, NULL},
    {"nn-memory", "Summary of Results", "Points in pageable, pinned and Unified Memory, on a GPU", &nn_memory_job,
     NULL},
    {"nn-size", "Figure 1", "Time against the size of the reference", &nn_size_job, NULL},
    {"nn-size-small", "Figure 2", "Time against the size of a small reference", &nn_small_job, NULL},
    {"nn-window", "Reducing search space", "What azimuth finds, against its window", NULL, nn_compute_window},
};

const papers_paper papers_nn = {"nn", experiments, sizeof experiments / sizeof *experiments};
