/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The contests of the paper on DBSCAN. `fast` with one thread is first: all labels are compared with its labels. The value
 * of a row is the speed-up over disjoint-set with one thread, as in the paper's Figs 4 and 6.
 *
 *     dbscan-threads   disjoint-set on 1, 2, 4 ... threads; beside it sequential, fast and scikit-learn
 *     dbscan-dclust    dclust on CPU and GPU; on the GPU with 1, 2, 4 ... threads of the CPU
 *     dbscan-chains    dclust with other numbers of chains, of threads per chain and of seeds
 *     dbscan-merge     dclust on the GPU, merging there and on the host; the place of a row is its set. Its stages: the
 *                      expansion is cluster_ms, all else of the iterations merge_ms
 */
#include "papers/papers_dbscan.h"
#include "harness/contestants.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Share of labels on which scikit-learn may differ: it computes in float64. */
static const double may_differ = 0.01;
static sklearn rival;

/* What a contestant has besides its method. */
typedef struct variant {
    const char *option; /* "chains", "threads", "seeds": what differs from the defaults; null: nothing does */
    int number;         /* its value; else the CPU's threads, the x of the row */
} variant;

typedef struct dbscan_scratch {
    bool simulated;
    variant list[CONTEST_MOST]; /* one per contestant */
} dbscan_scratch;

static const dbscan_set *set_of(const contest *c);

static const variant *variant_of(const contest *c, const contestant *who)
{
    return &((const dbscan_scratch *)c->scratch)->list[who - c->list];
}

/* --- entering ------------------------------------------------------------------------------------ */

static bool make(contest *c, clump_message *why)
{
    dbscan_scratch *const scratch = calloc(1, sizeof *scratch);
    if (!scratch) return snprintf(why->text, sizeof why->text, "no memory for the contest"), false;
    c->scratch = scratch;
    if (!dbscan_set_make(set_of(c), c->clouds, &scratch->simulated, why)) return false;
    c->answers = c->clouds[0].count;
    return true;
}

/* Enters one of ours. threads: of the CPU, also where gpu is set. */
static void enter_ours(contest *c, clump_dbscan_method method, bool gpu, int threads, const char *option, int number)
{
    contestant *const who =
        contest_ours(c, c->clouds, clump_dbscan_method_name(method), (int)method, gpu ? CONTEST_GPU : threads);
    if (!who) return;
    ((dbscan_scratch *)c->scratch)->list[who - c->list] = (variant){option, number};
    if (!gpu || threads == 1) return;
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.threads = threads;
    clump_context_destroy(who->context);
    who->failed = clump_context_create(&options, &who->context) != CLUMP_OK;
}

static void enter_first(contest *c)
{
    enter_ours(c, CLUMP_DBSCAN_FAST, false, 1, NULL, 1);
}

static bool enter_threads(contest *c, clump_message *why)
{
    int threads[DBSCAN_THREADS];
    const size_t count = dbscan_threads(settings.cores, threads);
    if (!make(c, why)) return false;
    enter_first(c);
    if (settings.cores > 1) enter_ours(c, CLUMP_DBSCAN_FAST, false, settings.cores, NULL, settings.cores);
    enter_ours(c, CLUMP_DBSCAN_SEQUENTIAL, false, 1, NULL, 1);
    for (size_t i = 0; i < count; i++) enter_ours(c, CLUMP_DBSCAN_DISJOINT_SET, false, threads[i], NULL, threads[i]);
    if (!rival.process) return true;
    const bool ready = sklearn_points(&rival, c->clouds[0].xyz, c->clouds[0].count);
    contestant *const who = contest_rival(c, c->clouds, "scikit-learn", rival.version, NULL, ready ? &rival : NULL);
    if (!who) return true;
    who->tolerance = may_differ;
    ((dbscan_scratch *)c->scratch)->list[who - c->list] = (variant){NULL, 1};
    return true;
}

static bool enter_dclust(contest *c, clump_message *why)
{
    int threads[DBSCAN_THREADS];
    const size_t count = dbscan_threads(settings.cores, threads);
    if (!make(c, why)) return false;
    enter_first(c);
    enter_ours(c, CLUMP_DBSCAN_DISJOINT_SET, false, 1, NULL, 1);
    enter_ours(c, CLUMP_DBSCAN_DCLUST, false, 1, NULL, 1);
    const size_t on_gpu = papers.no_gpu ? 0 : c->index < DBSCAN_TOYS ? count : 1; /* Fig. 6 has the toy sets alone */
    for (size_t i = 0; i < on_gpu; i++) enter_ours(c, CLUMP_DBSCAN_DCLUST, true, threads[i], NULL, threads[i]);
    return true;
}

static const variant chain_variants[] = {{"chains", 16},   {"chains", 64},   {"chains", 256},   {"chains", 1024},
                                         {"seeds", 16},    {"seeds", 128},   {"seeds", 1024},   {"seeds", 8192},
                                         {"threads", 128}, {"threads", 256}, {"threads", 1024}, {"threads", 512}};

static bool enter_chains(contest *c, clump_message *why)
{
    if (!make(c, why)) return false;
    enter_first(c);
    enter_ours(c, CLUMP_DBSCAN_DISJOINT_SET, false, 1, NULL, 1);
    for (int gpu = 0; gpu <= !papers.no_gpu; gpu++)
        for (size_t i = 0; i < sizeof chain_variants / sizeof *chain_variants; i++) {
            const variant *const v = &chain_variants[i];
            if (!gpu && strcmp(v->option, "threads") == 0) continue; /* plain code: a chain has no threads */
            enter_ours(c, CLUMP_DBSCAN_DCLUST, gpu, 1, v->option, v->number);
        }
    return true;
}

/* Merging on the GPU, and on the host as in the paper's first version. */
static bool enter_merge(contest *c, clump_message *why)
{
    if (!make(c, why)) return false;
    enter_first(c);
    enter_ours(c, CLUMP_DBSCAN_DCLUST, true, 1, "gpu", (int)c->index);
    enter_ours(c, CLUMP_DBSCAN_DCLUST, true, 1, "host", (int)c->index);
    return true;
}

/* --- running ------------------------------------------------------------------------------------- */

static bool run(contest *c, contestant *who, double *seconds)
{
    const dbscan_set *const set = set_of(c);
    const variant *const v = variant_of(c, who);
    if (who->rival) return sklearn_fit(&rival, set->eps, set->min_points, seconds);
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    clump_dbscan_options options = clump_dbscan_defaults();
    options.method = (clump_dbscan_method)who->method;
    clump_papers more = clump_papers_defaults();
    options.common.papers = &more;
    if (v->option && strcmp(v->option, "chains") == 0) more.dclust_chains = v->number;
    if (v->option && strcmp(v->option, "threads") == 0) more.dclust_threads = v->number;
    if (v->option && strcmp(v->option, "seeds") == 0) more.dclust_seeds = v->number;
    more.dclust_host_merge = v->option && strcmp(v->option, "host") == 0;
    const double start = machine_seconds();
    const clump_status status =
        clump_dbscan(who->context, points, set->eps, set->min_points, &options, c->answer, NULL);
    *seconds = machine_seconds() - start;
    return status == CLUMP_OK;
}

static bool fetch(contest *c, contestant *who)
{
    (void)who;
    return sklearn_labels(&rival, c->answer, c->answers);
}

/* --- rows ---------------------------------------------------------------------------------------- */

/* Returns the speed-up over disjoint-set with one thread; NaN where there is none. */
static double speedup(const contest *c, const contestant *who)
{
    const contestant *const base = contest_find(c, "disjoint-set", 1);
    return base && who->time[0].median_ms > 0 ? base->time[0].median_ms / who->time[0].median_ms : (double)NAN;
}

/* Returns the memory of the context, of host and device. */
static double megabytes(const contestant *who)
{
    return (double)(who->stats.host_bytes + who->stats.device_bytes) / 1e6;
}

static void note(const contest *c, contestant *who)
{
    const variant *const v = variant_of(c, who);
    int length = snprintf(who->note, sizeof who->note, "speed-up %6.2f", speedup(c, who));
    if (v->option)
        length += snprintf(who->note + length, sizeof who->note - (size_t)length, "  %s %d", v->option, v->number);
    else if (who->threads == CONTEST_GPU)
        length += snprintf(who->note + length, sizeof who->note - (size_t)length, "  CPU threads %d", v->number);
    if (who->context)
        snprintf(who->note + length, sizeof who->note - (size_t)length, "  %lld passes  %.1f MB",
                 (long long)who->stats.passes, megabytes(who));
}

static void put_row(const contest *c, const contestant *who, const char *experiment, csv *rows)
{
    const dbscan_scratch *const scratch = c->scratch;
    const variant *const v = variant_of(c, who);
    char series[DBSCAN_NAME], text[200] = "";
    dbscan_series(series, v->option ? v->option : who->name, set_of(c), scratch->simulated);
    papers_row row = papers_row_of(c, who);
    row.experiment = experiment, row.series = series, row.x = v->number, row.value = speedup(c, who);
    if (who->threads == CONTEST_GPU && !v->option) row.threads = v->number;
    const char *const copies = c->clouds[0].count >= 1000000 ? "copies of a frame 300 m apart; " : "";
    if (who->differ && (double)who->differ <= who->tolerance * (double)c->answers) {
        snprintf(text, sizeof text, "%zu labels differ: it computes in float64", who->differ);
        row.agree = "";
    } else if (row.threads > settings.cores) {
        snprintf(text, sizeof text, "more threads than the %d cores", settings.cores);
    } else if (set_of(c) >= &dbscan_sets[DBSCAN_FRAME]) {
        snprintf(text, sizeof text, "%s%.1f MB", copies, megabytes(who));
    }
    row.note = text;
    papers_put(rows, &row);
}

static void row_threads(const contest *c, const contestant *who, csv *rows)
{
    put_row(c, who, "dbscan-threads", rows);
}

static void row_dclust(const contest *c, const contestant *who, csv *rows)
{
    put_row(c, who, "dbscan-dclust", rows);
}

static void row_chains(const contest *c, const contestant *who, csv *rows)
{
    put_row(c, who, "dbscan-chains", rows);
}

/* Series by where is merged, not by set. */
static void row_merge(const contest *c, const contestant *who, csv *rows)
{
    const variant *const v = variant_of(c, who);
    papers_row row = papers_row_of(c, who);
    row.experiment = "dbscan-merge", row.x = (double)c->index;
    if (v->option) row.series = strcmp(v->option, "host") == 0 ? "merged on the host" : "merged on the GPU";
    row.note = ((const dbscan_scratch *)c->scratch)->simulated ? "simulated frame" : "";
    papers_put(rows, &row);
}

static void no_figures(contest *c, contest_totals *totals)
{
    (void)c, (void)totals;
}

/* --- the jobs ------------------------------------------------------------------------------------ */

static const int chain_sets[] = {DBSCAN_TOY3_WIDE, DBSCAN_FRAME};

static const dbscan_set *set_of(const contest *c)
{
    return &dbscan_sets[c->job == &dbscan_chains_job ? (size_t)chain_sets[c->index] : c->index];
}

static void describe_set(const char *experiment, const dbscan_set *set, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s-%s", experiment, set->word);
    snprintf(text, CONTEST_TEXT, "%s min_points %zu", set->name, set->min_points);
}

static bool describe_threads(size_t index, char *name, char *text)
{
    describe_set("dbscan-threads", &dbscan_sets[index], name, text);
    return true;
}

static bool describe_dclust(size_t index, char *name, char *text)
{
    describe_set("dbscan-dclust", &dbscan_sets[index], name, text);
    return true;
}

static bool describe_merge(size_t index, char *name, char *text)
{
    describe_set("dbscan-merge", &dbscan_sets[index], name, text);
    return !papers.no_gpu;
}

/* The frame is for a GPU: on the CPU it takes about a second per contestant. */
static bool describe_chains(size_t index, char *name, char *text)
{
    describe_set("dbscan-chains", &dbscan_sets[chain_sets[index]], name, text);
    return index == 0 || !papers.quick;
}

static void begin_threads(void)
{
    char reason[256] = "";
    if (!settings.no_rivals && !sklearn_start(&rival, CLUMP_BENCH_PYTHON, CLUMP_BENCH_SKLEARN, reason, sizeof reason))
        fprintf(stderr, "clump_bench papers: dbscan-threads: without scikit-learn: %s\n", reason);
}

static void end_threads(contest_totals *totals)
{
    (void)totals;
    sklearn_stop(&rival);
}

static void begin_nothing(void) {}

#define DBSCAN_JOB                                                                                                     \
    .program = "clump_bench papers", .csv_header = PAPERS_HEADER, .seconds = 1, .turn_seconds = CONTEST_TURN_SECONDS,  \
    .once_seconds = 0.3, .hash = true, .run = run, .note = note, .figures = no_figures,                                \
    .legend = "Median ms; x = times as long as the first line; speed-up over disjoint-set with one thread."

const contest_job dbscan_threads_job = {
    DBSCAN_JOB,     .case_count = DBSCAN_TOYS,    .begin = begin_threads, .end = end_threads,
    .fetch = fetch, .describe = describe_threads, .enter = enter_threads, .row = row_threads};
const contest_job dbscan_dclust_job = {DBSCAN_JOB,
                                       .case_count = DBSCAN_SETS,
                                       .begin = begin_nothing,
                                       .describe = describe_dclust,
                                       .enter = enter_dclust,
                                       .row = row_dclust};
const contest_job dbscan_chains_job = {DBSCAN_JOB,
                                       .case_count = sizeof chain_sets / sizeof *chain_sets,
                                       .begin = begin_nothing,
                                       .describe = describe_chains,
                                       .enter = enter_chains,
                                       .row = row_chains};
const contest_job dbscan_merge_job = {DBSCAN_JOB,
                                      .case_count = DBSCAN_FRAME + 1,
                                      .begin = begin_nothing,
                                      .describe = describe_merge,
                                      .enter = enter_merge,
                                      .row = row_merge};
