/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench_nn: nearest neighbours beside FLANN, nanoflann and PCL, and ICP beside PCL's, on the same clouds in the
 * same run, taking turns.
 *
 *     clump_bench_nn                        all cases
 *     clump_bench_nn kitti --repeat 5       cases whose names contain one of these
 *
 * Distances are compared before anything is timed. Exit status: 0 done (also where a figure is missed: the output says
 * so), 1 distances differ or something failed, 2 wrong usage.
 */
#include "nn_icp.h"
#include "nn_report.h"
#include "program.h"
#include "rivals/nn_rival.h"
#include "samples.h"

#include <clump/clump.h>

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One contestant while a case is measured. */
typedef struct runner {
    nn_contestant *result;
    clump_context *context; /* ours ... */
    clump_index *index;
    const clump_nn_rival *rival; /* ... or a rival */
    void *state;
    samples build, query, total;
} runner;

typedef struct bench {
    clump_points points, queries;
    int32_t *indices;
    float *distances, *exact;
    runner runners[nn_max_contestants];
    nn_result *out;
} bench;

/* ----- one contestant ------------------------------------------------------------------------------- */

static runner *add(bench *b, const char *name, const char *version, int threads)
{
    runner *const r = &b->runners[b->out->count];
    r->result = &b->out->contestants[b->out->count++];
    *r->result = (nn_contestant){.name = name, .version = version, .threads = threads};
    return r;
}

static void add_ours(bench *b, clump_nn_method method, int threads)
{
    runner *const r = add(b, clump_nn_method_name(method), clump_version(), threads);
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = threads;
    clump_index_options how = clump_index_defaults();
    how.method = method;
    r->result->approximate = method == CLUMP_NN_AZIMUTH;
    r->result->failed = clump_context_create(&options, &r->context) != CLUMP_OK ||
                        clump_index_create(r->context, b->points, &how, &r->index) != CLUMP_OK;
}

static void add_rivals(bench *b, const clump_nn_rival *rival)
{
    for (; rival && rival->name && b->out->count < nn_max_contestants; rival++) {
        runner *const r = add(b, rival->name, rival->version, 1);
        r->rival = rival;
        r->state = rival->prepare(b->points.xyz, b->points.count, b->queries.xyz, b->queries.count);
        r->result->rival = true;
        r->result->failed = !r->state;
    }
}

static void run_once(const bench *b, runner *r, bool timed)
{
    if (r->result->failed) return;
    const double start = machine_seconds();
    bool done = r->rival ? r->rival->build(r->state) : clump_index_rebuild(r->context, r->index, b->points) == CLUMP_OK;
    const double built = machine_seconds();
    if (done && r->rival)
        done = r->rival->query(r->state, b->indices, b->distances);
    else if (done)
        done = clump_index_nearest(r->context, r->index, b->queries, INFINITY, b->indices, b->distances) == CLUMP_OK;
    const double end = machine_seconds();
    if (r->rival) r->rival->forget(r->state);
    if (done && timed)
        done = samples_add(&r->build, built - start) && samples_add(&r->query, end - built) &&
               samples_add(&r->total, end - start);
    r->result->failed = !done;
}

static void compare(const bench *b, runner *r)
{
    run_once(b, r, false);
    if (r == b->runners) memcpy(b->exact, b->distances, b->queries.count * sizeof *b->exact);
    size_t same = 0;
    for (size_t i = 0; i < b->queries.count; i++) same += b->distances[i] == b->exact[i];
    r->result->recall = b->queries.count ? (double)same / (double)b->queries.count : 1;
}

static void finish(runner *r)
{
    const samples_summary build = samples_sum_up(&r->build), query = samples_sum_up(&r->query),
                          total = samples_sum_up(&r->total);
    r->result->runs = total.runs;
    r->result->build_ms = build.median_ms;
    r->result->query_ms = query.median_ms;
    r->result->total_ms = total.median_ms;
    samples_free(&r->build);
    samples_free(&r->query);
    samples_free(&r->total);
    clump_index_destroy(r->index);
    clump_context_destroy(r->context);
    if (r->rival && r->state) r->rival->release(r->state);
}

/* ----- a case ---------------------------------------------------------------------------------------- */

static bool measure(const nn_case *item, const bench_cloud clouds[2], const clump_nn_rival *rivals, const machine *m,
                    const bench_settings *s, nn_result *out)
{
    *out = (nn_result){.item = item, .points = clouds[0].count, .queries = clouds[1].count};
    bench b = {.points = {.xyz = clouds[0].xyz, .count = clouds[0].count},
               .queries = {.xyz = clouds[1].xyz, .count = clouds[1].count},
               .out = out};
    b.indices = malloc(clouds[1].count * sizeof *b.indices);
    b.distances = malloc(clouds[1].count * sizeof *b.distances);
    b.exact = malloc(clouds[1].count * sizeof *b.exact);
    const bool room = b.indices && b.distances && b.exact;
    if (room) {
        add_ours(&b, CLUMP_NN_FAST, 1);
        if (m->cores > 1) add_ours(&b, CLUMP_NN_FAST, 2);
        add_ours(&b, CLUMP_NN_KDTREE, 1);
        if (item->paper) add_ours(&b, CLUMP_NN_AZIMUTH, 1);
        add_rivals(&b, rivals);
        for (size_t i = 0; i < out->count; i++) compare(&b, &b.runners[i]);
        const double begin = machine_seconds();
        for (long round = 0;
             s->repeat ? round < s->repeat : round < 3 || (round < 25 && machine_seconds() - begin < 15); round++)
            for (size_t i = 0; i < out->count; i++) run_once(&b, &b.runners[i], true);
        for (size_t i = 0; i < out->count; i++) finish(&b.runners[i]);
    }
    free(b.indices);
    free(b.distances);
    free(b.exact);
    return room;
}

/* ----- all of it ------------------------------------------------------------------------------------- */

static const char help[] =
    "clump_bench_nn [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 15 seconds, 3 to 25)\n"
    "  --no-rivals     ours alone\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/nn/NAME.csv";

static void list_cases(const bench_settings *s)
{
    for (size_t i = 0; i < nn_case_count; i++)
        if (bench_selected(s, nn_cases[i].name)) puts(nn_cases[i].name);
}

/* What the one function of a module returns; the module stays loaded. Null where it is not there or does not fit. */
static const void *load_module(const char *path, int version)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "clump_bench_nn: without a rival: %s\n", dlerror());
        return NULL;
    }
    void *const symbol = dlsym(library, CLUMP_NN_RIVAL_ENTRY);
    const void *(*entry)(void) = NULL;
    memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function pointer */
    const void *const rival = entry ? entry() : NULL;
    if (rival && *(const int *)rival == version) return rival; /* they begin with their version */
    fprintf(stderr, "clump_bench_nn: without a rival: %s is of another version\n", path);
    return NULL;
}

static int bench_all(const bench_settings *s, const machine *m)
{
    const clump_nn_rival *const rivals =
        s->no_rivals ? NULL : load_module(CLUMP_BENCH_RIVALS "/nn-best.so", CLUMP_NN_RIVAL_INTERFACE);
    const clump_icp_rival *const icp =
        s->no_rivals ? NULL : load_module(CLUMP_BENCH_RIVALS "/icp-pcl.so", CLUMP_ICP_RIVAL_INTERFACE);
    nn_result *const results = calloc(nn_case_count, sizeof *results);
    if (!results) return 1;
    printf("%s, %d cores, %s, clump %s\nMedians; speedup over FLANN.\n\n", m->cpu, m->cores, m->compiler,
           clump_version());
    size_t count = 0;
    nn_totals totals = {0, 0, 0};
    clump_message why = {""};
    for (size_t i = 0; i < nn_case_count; i++) {
        if (!bench_selected(s, nn_cases[i].name)) continue;
        bench_cloud clouds[2] = {{NULL, 0}, {NULL, 0}};
        if (nn_case_make(&nn_cases[i], s->data, &clouds[0], &clouds[1], &why) &&
            measure(&nn_cases[i], clouds, rivals, m, s, &results[count])) {
            nn_report_case(&results[count++], &totals);
            if (nn_cases[i].scans[0] && !nn_cases[i].plot) {
                nn_icp_result aligned;
                nn_icp_measure(&nn_cases[i], clouds, icp, m, s->repeat, &aligned);
                nn_icp_report(&aligned, &totals);
            }
        } else {
            fprintf(stderr, "clump_bench_nn: %s: left out: %s\n", nn_cases[i].name, why.text);
        }
        bench_cloud_free(&clouds[0]);
        bench_cloud_free(&clouds[1]);
    }
    printf("\n%d figures reached, %d missed, %d wrong\n", totals.reached, totals.missed, totals.wrong);
    bool written = true;
    if (s->csv && count && !(written = nn_report_csv(s->csv, m, results, count, &why)))
        fprintf(stderr, "clump_bench_nn: %s\n", why.text);
    free(results);
    return totals.wrong || !written ? 1 : 0;
}

int main(int argc, char **argv)
{
    bench_settings s = {.repeat = 0};
    const bench_program program = {"clump_bench_nn", help, NULL, 0, list_cases, bench_all};
    return bench_main(&program, &s, argc, argv);
}
