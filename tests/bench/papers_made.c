/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A made-up paper and its rows: see papers_made.h.
 */
#include "bench/papers_made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- rows ---------------------------------------------------------------------------------------- */

static const struct {
    const char *gpu, *cpu;
    int cores;
} made_machines[2] = {{"Made GPU 9", "Made CPU <A&B>", 16}, {"", "Made CPU 2", 2}};

static void add_row(csv *rows, int which, papers_row row)
{
    char name[96];
    if (!row.name) snprintf(name, sizeof name, "%s-%g", row.experiment, row.x), row.name = name;
    if (!row.backend) row.backend = "cpu";
    if (!row.agree) row.agree = "yes";
    if (!row.note) row.note = "";
    row.version = "0.1.0";
    snprintf(papers.gpu, sizeof papers.gpu, "%s", made_machines[which].gpu);
    papers_put(rows, &row);
    csv_add(rows, "%s,%d,gcc 12.2.0 Release,0.1.0,2026-11-%02d\n", made_machines[which].cpu, made_machines[which].cores,
            20 + which);
}

/* Sizes 1024 ... 65536. "slow" grows with the square and is left out at the end, "quick" is also on the GPU, "wrong"
 * differs once. */
static void add_sizes(csv *rows, int which)
{
    for (double n = 1024; n <= 65536; n *= 4) {
        const double slow = n * n * 1e-6;
        papers_row row = {.experiment = "made-size", .x = n, .points = (size_t)n, .runs = 5, .value = n, .threads = 1};
        row.series = "slow", row.median_ms = slow, row.passes = (long long)(n / 1024), row.cluster_ms = slow;
        if (n > 60000) row.runs = 0, row.median_ms = row.cluster_ms = 0, row.note = "left out: about 40 s";
        add_row(rows, which, row);
        row.runs = 5, row.passes = 2, row.note = "";
        for (int threads = 1; threads <= 2; threads++) {
            row.series = "quick", row.threads = threads, row.median_ms = n * 1e-3 / threads;
            row.build_ms = 0.25 * row.median_ms, row.cluster_ms = 0.5 * row.median_ms,
            row.label_ms = 0.25 * row.median_ms;
            add_row(rows, which, row);
        }
        row.series = "wrong", row.agree = n == 4096 ? "no" : "yes", row.threads = 1, row.median_ms = n * 2e-3;
        add_row(rows, which, row);
        if (which) continue;
        row.agree = "yes", row.series = "quick", row.backend = "cuda", row.median_ms = n * 1e-4;
        row.upload_ms = n * 2e-5, row.build_ms = row.label_ms = n * 1e-5, row.cluster_ms = n * 6e-5;
        add_row(rows, which, row);
    }
}

/* Six named places, a line over threads, a histogram, and a series with an odd name. */
static void add_values(csv *rows, int which)
{
    for (int i = 0; i < 3; i++) {
        add_row(rows, which,
                (papers_row){.experiment = "made-place", .series = "ours", .x = i, .runs = 1, .value = 90 + 2.5 * i});
        add_row(rows, which,
                (papers_row){.experiment = "made-place",
                             .series = "b\"<&>\x01\xff",
                             .x = i,
                             .runs = 1,
                             .value = 80 - i,
                             .note = i ? "" : "odd: ]]> & <b>"});
    }
    for (int threads = 1; threads <= 8; threads *= 2)
        add_row(rows, which,
                (papers_row){.experiment = "made-threads",
                             .series = "team",
                             .x = threads,
                             .threads = threads,
                             .runs = 3,
                             .value = (double)NAN,
                             .median_ms = 80 / sqrt(threads)});
    for (int i = 0; i < 100; i++)
        add_row(rows, which,
                (papers_row){.experiment = "made-histogram",
                             .series = "height",
                             .x = 0.05 * i - 2,
                             .runs = 1,
                             .value = 100 * exp(-0.01 * (i - 30) * (i - 30))});
}

bool made_write(const char *path, int which)
{
    csv rows = {0};
    clump_message why;
    add_sizes(&rows, which);
    add_values(&rows, which);
    remove(path);
    const bool saved = csv_save(&rows, path, PAPERS_HEADER, 1, &why);
    csv_free(&rows);
    return saved;
}

bool made_text(const char *path, const char *text)
{
    FILE *const to = fopen(path, "wb");
    if (!to) return false;
    const bool written = fputs(text, to) >= 0;
    return fclose(to) == 0 && written;
}

/* --- the paper ----------------------------------------------------------------------------------- */

/* Holds where the GPU is at least 10 times as fast as one thread. */
static papers_judgement judge_ten(const papers_table *rows)
{
    const double cpu = papers_median(rows, "made-size", "quick", 16384, "cpu");
    const double gpu = papers_median(rows, "made-size", "quick", 16384, "cuda");
    if (cpu <= 0 || gpu <= 0) return papers_unknown("There is no row of both at 16,384 points.");
    papers_judgement out = {.verdict = cpu / gpu >= 9.99 ? VERDICT_HOLDS : VERDICT_FAILS};
    snprintf(out.ours, sizeof out.ours, "%.1fx", cpu / gpu);
    snprintf(out.why, sizeof out.why, "At 16,384 points the GPU takes %.2f ms, one thread %.1f ms.", gpu, cpu);
    return out;
}

/* Never holds: slow is slow. */
static papers_judgement judge_slow(const papers_table *rows)
{
    const double slow = papers_median(rows, "made-size", "slow", 16384, NULL);
    const double quick = papers_median(rows, "made-size", "quick", 16384, "cpu");
    papers_judgement out = {.verdict = slow < quick ? VERDICT_HOLDS : VERDICT_FAILS,
                            .why = "Its time < grows & grows."};
    snprintf(out.ours, sizeof out.ours, "%.0f ms", slow);
    return out;
}

static const papers_claim made_claims[] = {
    {"made", "made-size", "Fig. 1", "the GPU is 10 times as fast", "10x", true, judge_ten},
    {"made", "made-size", "Fig. 2", "slow is faster than quick", "", false, judge_slow},
    {"made", "made-missing", "Table 9", "nothing is known of this", "1 | 2", false, judge_slow},
    {0},
};

static const papers_chart made_charts[] = {
    {.experiment = "made-size",
     .figure = "Fig. 1",
     .title = "Time against points",
     .x_label = "points",
     .y_label = "ms",
     .measure = MEASURE_TIME,
     .log_x = true,
     .log_y = true},
    {.experiment = "made-size",
     .figure = "Fig. 2",
     .title = "Speed-up over slow",
     .x_label = "points",
     .y_label = "times as fast",
     .measure = MEASURE_SPEEDUP,
     .base = "slow",
     .series = "quick,wrong",
     .log_x = true},
    {.experiment = "made-size",
     .figure = "",
     .title = "Passes",
     .x_label = "points",
     .y_label = "passes",
     .measure = MEASURE_PASSES,
     .log_x = true},
    {.experiment = "made-size",
     .figure = "Fig. 3",
     .title = "Stages",
     .x_label = "points",
     .y_label = "ms",
     .measure = MEASURE_STAGES},
    {.experiment = "made-place",
     .figure = "Table 1",
     .title = "Share by place",
     .x_label = "place",
     .y_label = "%",
     .measure = MEASURE_VALUE,
     .bars = true,
     .x_names = "road,square,t-junction"},
    {.experiment = "made-place",
     .figure = "Fig. 4",
     .title = "A picture",
     .measure = MEASURE_PICTURE,
     .base = "made.png"},
    {.experiment = "made-place",
     .figure = "Fig. 5",
     .title = "Not there",
     .measure = MEASURE_PICTURE,
     .base = "no.png"},
    {.experiment = "made-threads",
     .figure = "Fig. 6",
     .title = "Speed-up over threads",
     .x_label = "threads",
     .y_label = "times as fast",
     .measure = MEASURE_SPEEDUP},
    {.experiment = "made-histogram",
     .figure = "",
     .title = "Heights",
     .x_label = "m",
     .y_label = "%",
     .measure = MEASURE_VALUE},
    {.experiment = "made-missing",
     .figure = "",
     .title = "Missing",
     .x_label = "x",
     .y_label = "y",
     .measure = MEASURE_VALUE},
    {0},
};

static const papers_given made_given[] = {
    {"made-size", "quick", 4096, MEASURE_TIME, 20},
    {"made-size", "slow", 16384, MEASURE_TIME, 1000},
    {"made-place", "ours", 1, MEASURE_VALUE, 98.2},
    {0},
};

static const papers_paper made_paper = {.name = "made",
                                        .title = "A paper & its title",
                                        .authors = "Nobody <2026>",
                                        .charts = made_charts,
                                        .given = made_given,
                                        .claims = made_claims};
const papers_paper *const made_papers[] = {&made_paper, NULL};
