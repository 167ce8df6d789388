/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contestants of the Euclidean clustering paper: the six methods, `fast`, `bfs` and PCL. The numbers that are given.
 */
#include "papers/papers_ec.h"
#include "harness/contestants.h"

#include <clump/info.h>
#include <clump/cuda.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const clump_ec_method ec_six[EC_SIX] = {CLUMP_EC_VERTEX_ES, CLUMP_EC_EDGE_ES, CLUMP_EC_MATRIX_ES,
                                        CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_MATRIX_RS};

/* --- how long it takes --------------------------------------------------------------------------- */

static double pair_seconds[CLUMP_EC_MATRIX_RS + 1]; /* per method; ES alone */

bool ec_is_exhaustive(clump_ec_method method)
{
    return method == CLUMP_EC_VERTEX_ES || method == CLUMP_EC_EDGE_ES || method == CLUMP_EC_MATRIX_ES;
}

double ec_limit(void)
{
    return papers.quick || !papers.no_gpu ? 2.5 : 4; /* beside a GPU the whole run takes minutes, not the CPU's part */
}

double ec_expected_seconds(clump_ec_method method, size_t points)
{
    return pair_seconds[method] * (double)points * (double)points;
}

/* Returns the seconds of the fastest of three calls; 0 where one failed. */
static double time_method(clump_context *ctx, const bench_cloud *cloud, clump_ec_method method, int32_t *labels)
{
    const clump_points points = {.xyz = cloud->xyz, .count = cloud->count};
    clump_ec_options options = clump_ec_defaults();
    options.method = method;
    double least = 0;
    for (int i = 0; i < 3; i++) {
        const double start = machine_seconds();
        if (clump_ec(ctx, points, 1, &options, labels, NULL) != CLUMP_OK) return 0;
        const double seconds = machine_seconds() - start;
        if (i == 0 || seconds < least) least = seconds;
    }
    return least;
}

/* Measures the ES methods on a small cloud: about 0.1 s. Without memory no method is left out by its expected time. */
static void measure_pairs(void)
{
    clump_factors factors = clump_factors_defaults();
    factors.points = 2048, factors.degree = 16;
    const double pairs = (double)factors.points * (double)factors.points;
    bench_cloud cloud = {NULL, 0};
    int32_t *const labels = malloc(4 * factors.points);
    clump_context *ctx = NULL;
    clump_context_options how = clump_context_defaults();
    how.backend = CLUMP_BACKEND_CPU, how.threads = 1;
    clump_message why;
    if (labels && bench_cloud_factors(&factors, &cloud, &why) && clump_context_create(&how, &ctx) == CLUMP_OK)
        for (int m = 0; m < EC_SIX; m++)
            if (ec_is_exhaustive(ec_six[m]))
                pair_seconds[ec_six[m]] = time_method(ctx, &cloud, ec_six[m], labels) / pairs;
    clump_context_destroy(ctx);
    bench_cloud_free(&cloud);
    free(labels);
}

void ec_begin(void)
{
    static bool begun;
    if (begun) return;
    begun = true;
    pcl_load(papers.rivals);
    measure_pairs();
}

/* --- entering ------------------------------------------------------------------------------------ */

bool ec_make_case(contest *c, const char *experiment, double x, float d, clump_message *why)
{
    ec_case *const item = malloc(sizeof *item);
    if (!item) return snprintf(why->text, sizeof why->text, "no memory for the case"), false;
    *item = (ec_case){experiment, x, d};
    c->scratch = item;
    c->limit_seconds = ec_limit();
    return true;
}

ec_call *ec_call_of(const contestant *who)
{
    return who->rival ? NULL : who->state;
}

/* Copies the points into pinned memory. */
static bool pin(contestant *who)
{
    ec_call *const call = ec_call_of(who);
    const size_t n = who->cloud->count;
    void *xyz = NULL, *labels = NULL;
    const bool done = clump_cuda_allocate(who->context, CLUMP_CUDA_PINNED, 12 * n + 1, &xyz) == CLUMP_OK &&
                      clump_cuda_allocate(who->context, CLUMP_CUDA_PINNED, 4 * n + 1, &labels) == CLUMP_OK;
    call->xyz = xyz, call->labels = labels;
    if (done) memcpy(xyz, who->cloud->xyz, 12 * n);
    return done;
}

void ec_leave_out(contestant *who, double seconds)
{
    snprintf(who->left_out, sizeof who->left_out, "it would take about %.*f s", seconds < 10 ? 1 : 0, seconds);
}

contestant *ec_enter(contest *c, clump_ec_method method, int threads, const char *suffix)
{
    contestant *const who = contest_ours(c, c->clouds, "", (int)method, threads);
    if (!who) return NULL;
    ec_call *const call = calloc(1, sizeof *call);
    who->state = call;
    if (!call || who->failed) {
        who->name = clump_ec_method_name(method);
        who->failed = true;
        snprintf(who->error, sizeof who->error, "no context for it");
        return who;
    }
    snprintf(call->name, sizeof call->name, "%s%s", clump_ec_method_name(method), suffix);
    call->options = clump_ec_defaults(), call->options.method = method;
    call->papers = clump_papers_defaults(), call->options.common.papers = &call->papers;
    call->x = (double)NAN;
    who->name = call->name;
    const double expected = ec_expected_seconds(method, who->cloud->count);
    if (threads != CONTEST_GPU && c->limit_seconds > 0 && expected > c->limit_seconds) ec_leave_out(who, expected);
    if (threads == CONTEST_GPU && !pin(who)) who->failed = true;
    return who;
}

void ec_enter_in_place(contest *c, clump_ec_method method, int threads)
{
    contestant *const who = ec_enter(c, method, threads, " in place");
    if (who && who->state) ec_call_of(who)->papers.in_place = true;
}

void ec_enter_all(contest *c)
{
    ec_enter(c, CLUMP_EC_FAST, 1, "");
    if (settings.cores > 1) ec_enter(c, CLUMP_EC_FAST, 0, "");
    for (int m = 0; m < EC_SIX; m++) ec_enter(c, ec_six[m], 1, "");
    ec_enter(c, CLUMP_EC_BFS, 1, "");
    if (!papers.no_gpu) ec_enter(c, CLUMP_EC_FAST, CONTEST_GPU, "");
    for (int m = 0; m < EC_SIX && !papers.no_gpu; m++) ec_enter(c, ec_six[m], CONTEST_GPU, "");
    pcl_enter(c, c->clouds);
}

void ec_leave(contestant *who)
{
    ec_call *const call = ec_call_of(who);
    if (!call) {
        pcl_leave(who);
        return;
    }
    if (call->xyz) clump_cuda_release(who->context, CLUMP_CUDA_PINNED, call->xyz);
    if (call->labels) clump_cuda_release(who->context, CLUMP_CUDA_PINNED, call->labels);
    free(call->found);
    free(call);
}

/* --- running ------------------------------------------------------------------------------------- */

void ec_refuse(contestant *who, clump_status status, const char *error)
{
    if (status == CLUMP_ERR_OUT_OF_MEMORY)
        snprintf(who->left_out, sizeof who->left_out, "%s", error);
    else
        snprintf(who->error, sizeof who->error, "%s", error);
}

bool ec_run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const ec_case *const item = c->scratch;
    const ec_call *const call = ec_call_of(who);
    if (!call) return pcl_run(who, item->d, seconds);
    const clump_points points = {.xyz = call->xyz ? call->xyz : who->cloud->xyz, .count = who->cloud->count};
    int32_t *const labels = call->labels ? call->labels : c->answer;
    const double start = machine_seconds();
    const clump_status status = clump_ec(who->context, points, item->d, &call->options, labels, NULL);
    seconds[0] = machine_seconds() - start;
    if (status != CLUMP_OK) return ec_refuse(who, status, clump_context_error(who->context)), false;
    if (labels != c->answer) memcpy(c->answer, labels, 4 * points.count);
    return true;
}

bool ec_fetch(contest *c, contestant *who)
{
    pcl_labels(who, c->answer);
    return true;
}

/* --- reporting ----------------------------------------------------------------------------------- */

static size_t bytes_of(const contestant *who)
{
    return who->threads == CONTEST_GPU ? who->stats.device_bytes : who->stats.host_bytes;
}

void ec_note(const contest *c, contestant *who)
{
    (void)c;
    if (who->rival) return;
    const clump_stats *const s = &who->stats;
    snprintf(who->note, sizeof who->note, "%lld passes  %.1f MB", (long long)s->passes, (double)bytes_of(who) / 1e6);
}

void ec_no_figures(contest *c, contest_totals *totals)
{
    (void)c, (void)totals;
}

void ec_put_row(const contest *c, const contestant *who, csv *rows)
{
    const ec_case *const item = c->scratch;
    const ec_call *const call = ec_call_of(who);
    papers_row row = papers_row_of(c, who);
    row.experiment = item->experiment;
    row.x = call && !isnan(call->x) ? call->x : item->x;
    if (call && !who->left_out[0]) row.value = (double)bytes_of(who);
    papers_put(rows, &row);
}

/* --- given numbers ------------------------------------------------------------------------------- */

/* Of ec-cold: the authors' code of 2019, measured on an NVIDIA H200. Of ec-distance: the paper, on a GTX Titan X of 2015.
 * bench/report/papers.py has these numbers and all others that are drawn; a test compares them. */
static const struct {
    const char *experiment, *series;
    double x, ms;
} ec_given[] = {
    {"ec-distance", "matrix-rs", 1, 4.5},        {"ec-distance", "matrix-rs", 1024, 156},
    {"ec-cold", "vertex-es cold", 4096, 2.13},   {"ec-cold", "edge-es cold", 4096, 2.10},
    {"ec-cold", "matrix-es cold", 4096, 1.10},   {"ec-cold", "vertex-rs cold", 4096, 0.90},
    {"ec-cold", "edge-rs cold", 4096, 0.92},     {"ec-cold", "matrix-rs cold", 4096, 1.35},
    {"ec-cold", "vertex-es cold", 65536, 27.9},  {"ec-cold", "matrix-es cold", 65536, 10.1},
    {"ec-cold", "vertex-rs cold", 65536, 2.78},  {"ec-cold", "matrix-rs cold", 65536, 2.60},
    {"ec-cold", "vertex-es cold", 262144, 216},  {"ec-cold", "matrix-es cold", 262144, 138},
    {"ec-cold", "vertex-rs cold", 262144, 7.70}, {"ec-cold", "matrix-rs cold", 262144, 5.24},
};

double ec_given_ms(const char *experiment, const char *series, double x)
{
    for (size_t i = 0; i < sizeof ec_given / sizeof *ec_given; i++)
        if (ec_given[i].x == x && strcmp(ec_given[i].experiment, experiment) == 0 &&
            strcmp(ec_given[i].series, series) == 0)
            return ec_given[i].ms;
    return 0;
}

bool ec_is_h200(void)
{
    return strstr(papers.gpu, "H200") != NULL;
}
