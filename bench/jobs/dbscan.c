/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench dbscan: clump_dbscan beside scikit-learn. scikit-learn runs in a process of its own and reports how long
 * fit() took.
 *
 *     clump_bench dbscan                        all cases
 *     clump_bench dbscan blob kitti             cases whose names contain one of these
 *     clump_bench dbscan --repeat 3 --no-rivals ours alone, few runs
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"
#include "harness/contestants.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DBSCAN_FRAME(points) .kind = CASE_SCAN, .scan = CASE_FRAME, .n = (points), .rivals = true
#define DBSCAN_TOY(size, n, eps, least)                                                                                \
    {                                                                                                                  \
        .cloud = {"toy-" size "-" #eps "-" #least, DBSCAN_FRAME(n), .d = (eps)}, .min_points = (least),                \
        .methods = true, .paper = true                                                                                 \
    }

static const struct dbscan_case {
    bench_case cloud; /* d is eps, target the time of scikit-learn over that of fast */
    size_t min_points;
    bool methods;      /* all of ours, not `fast` alone */
    bool paper;        /* of the paper's figures: disjoint-set with 1, 2, 4 ... threads */
    double most_ms;    /* fast with one thread, at most; 0 = none set */
    double most_bytes; /* its scratch memory per point, at most; 0 = none set */
} cases[] = {
    {{"blob-256k", CASE_OF_FACTORS(BLOB, 262144, 128, 32), .target = 60, .rivals = true}, 5, true, .most_bytes = 80},
    {{"blob-k2", CASE_OF_FACTORS(BLOB, 65536, 128, 2), .target = 45, .rivals = true}, 10, true, .most_bytes = 80},
    {{"kitti", DBSCAN_FRAME(0), .d = 0.5f, .target = 100}, 10, true, .most_bytes = 80},
    /* The paper's: the first points of a frame, two pairs of parameters. */
    DBSCAN_TOY("1k", 1000, 1, 2),
    DBSCAN_TOY("1k", 1000, 5, 10),
    DBSCAN_TOY("5k", 5000, 1, 2),
    DBSCAN_TOY("5k", 5000, 5, 10),
    DBSCAN_TOY("10k", 10000, 1, 2),
    DBSCAN_TOY("10k", 10000, 5, 10),
    /* A million points, of which many have a large part of the others within eps. */
    {{"all-1m", .kind = CASE_CUBE, .n = 1000000, .d = 1}, 10, .most_ms = 3000, .most_bytes = 80},
    {{"slabs-1m", CASE_OF_SLABS(1000000)}, 10, .most_ms = 3000, .most_bytes = 80},
    {{"crowd-1m", .kind = CASE_DENSE_CELL, .n = 1000000, .d = 1}, 10, .most_ms = 3000, .most_bytes = 80},
};

static const double speedup_target = 1.6; /* disjoint-set, 2 threads, on clouds that are not toys */
/* Share of labels on which scikit-learn may differ: it computes in float64, so pairs at almost exactly eps may differ.
 * */
static const double may_differ = 0.01;

static const char *python = CLUMP_BENCH_PYTHON;
static sklearn rival;

static const char help[] =
    "clump_bench dbscan [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --threads N     threads of the second measurement of ours (default 2; the paper's cases: all cores)\n"
    "  --no-rivals     ours alone\n"
    "  --python FILE   a python3 that has scikit-learn (default: /usr/bin/python3)\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/dbscan/NAME.csv";

static rival_list others; /* of CLUMP_RIVALS */

static void begin(void)
{
    char reason[256] = "";
    if (!settings.no_rivals)
        rivals_load("clump_bench dbscan", getenv("CLUMP_RIVALS"), CLUMP_DBSCAN_RIVALS_ENTRY,
                    CLUMP_DBSCAN_RIVAL_INTERFACE, sizeof(clump_dbscan_rival), &others);
    if (!settings.no_rivals && !sklearn_start(&rival, python, CLUMP_BENCH_SKLEARN, reason, sizeof reason))
        fprintf(stderr, "clump_bench dbscan: without scikit-learn: %s\n", reason);
}

static void parameters_of(size_t index, char *out, size_t size)
{
    bench_case_parameters(&cases[index].cloud, out, size);
    const size_t length = strlen(out);
    snprintf(out + length, size - length, " min_points=%zu", cases[index].min_points);
}

static bool describe(size_t index, char *name, char *text)
{
    char parameters[160];
    parameters_of(index, parameters, sizeof parameters);
    snprintf(name, CONTEST_NAME, "%s", cases[index].cloud.name);
    snprintf(text, CONTEST_TEXT, "%s eps=%g", parameters, (double)cases[index].cloud.d);
    return true;
}

static void enter_ours(contest *c, clump_dbscan_method method, int threads)
{
    contest_ours(c, c->clouds, clump_dbscan_method_name(method), (int)method, threads);
}

static void enter_others(contest *c)
{
    for (size_t i = 0; i < others.count; i++) {
        const clump_dbscan_rival *const other = others.tables[i];
        void *const state = other->prepare(c->clouds[0].xyz, c->clouds[0].count);
        contestant *const who = contest_rival(c, c->clouds, other->name, other->version, other, state);
        if (who)
            who->tolerance = other->must_agree ? 0 : 1;
        else if (state)
            other->release(state);
    }
}

static bool enter(contest *c, clump_message *why)
{
    const struct dbscan_case *const item = &cases[c->index];
    if (!bench_case_make(&item->cloud, settings.data, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    enter_ours(c, CLUMP_DBSCAN_FAST, 1);
    if (settings.threads > 1) enter_ours(c, CLUMP_DBSCAN_FAST, (int)settings.threads);
    if (item->methods) {
        const int most = item->paper ? settings.cores : (int)settings.threads;
        enter_ours(c, CLUMP_DBSCAN_SEQUENTIAL, 1);
        for (int threads = 1; threads <= most; threads *= 2) enter_ours(c, CLUMP_DBSCAN_DISJOINT_SET, threads);
        enter_ours(c, CLUMP_DBSCAN_DCLUST, 1);
    }
    if (item->cloud.rivals) enter_others(c);
    if (!item->cloud.rivals || !rival.process) return true;
    const bool ready = sklearn_points(&rival, c->clouds[0].xyz, c->clouds[0].count);
    contestant *const who = contest_rival(c, c->clouds, "sklearn", rival.version, NULL, ready ? &rival : NULL);
    if (who) who->tolerance = may_differ;
    return true;
}

static bool run_other(contestant *who, const struct dbscan_case *item, double *seconds)
{
    const clump_dbscan_rival *const other = who->module;
    other->forget(who->state);
    const double start = machine_seconds();
    const bool done = other->run(who->state, item->cloud.d, item->min_points);
    *seconds = machine_seconds() - start;
    return done;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    const struct dbscan_case *const item = &cases[c->index];
    if (who->module) return run_other(who, item, seconds);
    if (who->rival) return sklearn_fit(&rival, item->cloud.d, item->min_points, seconds);
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    clump_dbscan_options options = clump_dbscan_defaults();
    options.method = (clump_dbscan_method)who->method;
    const double start = machine_seconds();
    const clump_status status =
        clump_dbscan(who->context, points, item->cloud.d, item->min_points, &options, c->answer, NULL);
    *seconds = machine_seconds() - start;
    return status == CLUMP_OK;
}

static bool fetch(contest *c, contestant *who)
{
    if (!who->module) return sklearn_labels(&rival, c->answer, c->answers);
    ((const clump_dbscan_rival *)who->module)->labels(who->state, c->answer);
    return true;
}

static void leave(contestant *who)
{
    if (who->module) ((const clump_dbscan_rival *)who->module)->release(who->state);
}

/* Writes the busy share of each thread, "0.99 0.97", where the method measures it; else "". */
static void load_of(const contestant *who, char *out, size_t size)
{
    int count = 0;
    size_t length = 0;
    const float *const load = who->context ? clump_context_load(who->context, &count) : NULL;
    *out = '\0';
    for (int k = 0; k < count && length + 8 < size; k++)
        length += (size_t)snprintf(out + length, size - length, k ? " %.2f" : "%.2f", (double)load[k]);
}

static void note(const contest *c, contestant *who)
{
    char load[128], clusters[64] = "";
    load_of(who, load, sizeof load);
    if (who == c->list)
        snprintf(clusters, sizeof clusters, "  %d clusters, %zu noise", who->stats.clusters, who->stats.noise);
    if (!who->rival)
        snprintf(who->note, sizeof who->note, "%5.1f B/pt%s%s%.100s", contest_bytes_per_point(who), clusters,
                 load[0] ? "  load " : "", load);
}

static void figures(contest *c, contest_totals *totals)
{
    const struct dbscan_case *const item = &cases[c->index];
    const contestant *const one = contest_find(c, "fast", 1), *const sk = contest_find(c, "sklearn", 1);
    const contestant *const alone = contest_find(c, "disjoint-set", 1), *const pair =
                                                                            contest_find(c, "disjoint-set", 2);
    if (!one) return;
    if (item->cloud.target > 0 && sk)
        contest_figure(totals, contest_ratio(c, sk) >= item->cloud.target, "%.1f times as fast as scikit-learn [%g]",
                       contest_ratio(c, sk), item->cloud.target);
    if (alone && pair && !item->paper) {
        const double speedup = alone->time[0].median_ms / pair->time[0].median_ms;
        contest_figure(totals, speedup >= speedup_target, "disjoint-set, 2 threads: speedup %.2f [%g]", speedup,
                       speedup_target);
    }
    if (item->most_ms > 0)
        contest_figure(totals, one->time[0].median_ms <= item->most_ms, "%.0f ms [at most %g]", one->time[0].median_ms,
                       item->most_ms);
    if (item->most_bytes > 0)
        contest_figure(totals, contest_bytes_per_point(one) <= item->most_bytes, "%.1f bytes per point [at most %g]",
                       contest_bytes_per_point(one), item->most_bytes);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    const struct dbscan_case *const item = &cases[c->index];
    char parameters[160], load[128];
    parameters_of(c->index, parameters, sizeof parameters);
    load_of(who, load, sizeof load);
    csv_add(rows, "%s,%s,%g,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,%016llx,%s,%.1f,%s,", item->cloud.name, parameters,
            (double)item->cloud.d, who->cloud->count, who->name, who->version, who->threads, who->time[0].runs,
            who->time[0].median_ms, who->time[0].min_ms, contest_ratio(c, who), who->rival ? item->cloud.target : 0,
            (unsigned long long)who->hash, who->differ ? "no" : "yes", contest_bytes_per_point(who), load);
}

static void end(contest_totals *totals)
{
    (void)totals;
    sklearn_stop(&rival);
}

int bench_dbscan(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_OPTIONS, {"--threads", .number = &settings.threads}, {"--python", .text = &python}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench dbscan",
        .csv_header = "case,parameters,d,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,"
                      "target,labels_hash,labels_agree,bytes_per_point,load," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 20,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
        .fetch = fetch,
        .leave = leave,
        .end = end,
    };
    return contest_main(&job, argc, argv);
}
