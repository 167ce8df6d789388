/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec-cold: the six measured as the authors' own code was, whose times include allocations and the lists of indices that
 * it makes on the host. A cold run is
 *
 *     a new context, so every allocation is made     clump_context_create
 *     points and labels in pageable memory           clump_ec
 *     lists of the indices of each cluster           clump_group, on the host
 *     all memory freed                               clump_context_destroy
 *
 * The CUDA driver itself is initialised before. Beside it stands the warm run of the other experiments.
 */
#include "papers/papers_ec.h"
#include "harness/contestants.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLD_CASES = 3 };
static const size_t cold_sizes[COLD_CASES] = {4096, 65536, 262144};

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "ec-cold-%zu", cold_sizes[index]);
    snprintf(text, CONTEST_TEXT, "joints n=%zu c=128 k=32 D=4 d=1", cold_sizes[index]);
    return !papers.quick || cold_sizes[index] <= 65536;
}

static void enter_both(contest *c, clump_ec_method method, int threads)
{
    ec_enter(c, method, threads, "");
    contestant *const who = ec_enter(c, method, threads, " cold");
    if (who && who->state) ec_call_of(who)->cold = true;
}

static bool enter(contest *c, clump_message *why)
{
    clump_factors f = clump_factors_defaults();
    f.points = cold_sizes[c->index];
    if (!ec_make_case(c, "ec-cold", (double)f.points, 1, why)) return false;
    if (!bench_cloud_factors(&f, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    enter_both(c, CLUMP_EC_FAST, 1);
    if (!papers.no_gpu) enter_both(c, CLUMP_EC_FAST, CONTEST_GPU);
    /* The authors' code runs on a GPU. Beside one, the six on the CPU would take 40 s and compare with nothing. */
    for (int m = 0; m < EC_SIX; m++) enter_both(c, ec_six[m], papers.no_gpu ? 1 : CONTEST_GPU);
    pcl_enter(c, c->clouds);
    return true;
}

/* The lists of indices, as the authors' code returns them. */
static clump_status make_lists(clump_context *ctx, const int32_t *labels, size_t count, int32_t clusters)
{
    int32_t *const offsets = malloc(4 * ((size_t)clusters + 1)), *const members = malloc(4 * count + 1);
    const clump_status status = !offsets || !members
                                    ? CLUMP_ERR_OUT_OF_MEMORY
                                    : clump_group(ctx, labels, count, CLUMP_PLACE_HOST, clusters, offsets, members);
    free(offsets), free(members);
    return status;
}

static bool run_cold(contest *c, contestant *who, double *seconds)
{
    const ec_case *const item = c->scratch;
    const clump_points points = {.xyz = who->cloud->xyz, .count = who->cloud->count};
    clump_context_options how = clump_context_defaults();
    how.backend = who->threads == CONTEST_GPU ? CLUMP_BACKEND_CUDA : CLUMP_BACKEND_CPU, how.threads = 1;
    clump_message why = {""};
    clump_context *ctx = NULL;
    int32_t clusters = 0;
    how.message = &why;
    const double start = machine_seconds();
    clump_status status = clump_context_create(&how, &ctx);
    if (status == CLUMP_OK) status = clump_ec(ctx, points, item->d, &ec_call_of(who)->options, c->answer, &clusters);
    if (status == CLUMP_OK) status = make_lists(ctx, c->answer, points.count, clusters);
    const double called = machine_seconds() - start;
    if (ctx) ec_call_of(who)->sum = clump_context_stats(ctx);
    if (status != CLUMP_OK) ec_refuse(who, status, ctx ? clump_context_error(ctx) : why.text);
    const double ending = machine_seconds();
    clump_context_destroy(ctx);
    *seconds = called + (machine_seconds() - ending);
    return status == CLUMP_OK;
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const ec_call *const call = ec_call_of(who);
    return call && call->cold ? run_cold(c, who, seconds) : ec_run(c, who, seconds);
}

/* The statistics of a cold run are those of its own context. */
static void note(const contest *c, contestant *who)
{
    const ec_call *const call = ec_call_of(who);
    if (call && call->cold) who->stats = call->sum;
    ec_note(c, who);
}

/* On the GPU where the authors' code was measured ours must not be slower, measured the same way. */
static void figures(contest *c, contest_totals *totals)
{
    const ec_case *const item = c->scratch;
    for (size_t i = 0; i < c->count && ec_is_h200(); i++) {
        const contestant *const who = &c->list[i];
        const double most = ec_given_ms(item->experiment, who->name, item->x), ms = who->time[0].median_ms;
        if (who->threads == CONTEST_GPU && most > 0 && ms > 0)
            contest_figure(totals, ms <= most, "%s: %.3f ms [at most %g, the authors' code]", who->name, ms, most);
    }
}

const contest_job ec_cold_job = {
    EC_JOB_OF_CLOUDS,
    .run = run,
    .fetch = ec_fetch,
    .note = note,
    .leave = ec_leave,
    .row = ec_put_row,
    .figures = figures,
    .legend =
        "cold: new context, pageable memory, lists of indices made, all freed; else warm, GPU from pinned memory.",
    .case_count = COLD_CASES,
    .begin = ec_begin,
    .describe = describe,
    .enter = enter,
};
