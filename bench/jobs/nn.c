/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench nn: nearest neighbours beside FLANN, nanoflann and PCL, and ICP beside PCL's.
 *
 *     clump_bench nn                        all cases
 *     clump_bench nn kitti --repeat 5       cases whose names contain one of these
 *
 * The cases "icp-..." are the pairs of scans once more: point to point, pairs within 1 m, until an iteration moves by
 * less than 0.1 mm and turns by less than 0.0001. The motions are compared.
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"
#include "harness/contestants.h"

#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double icp_target = 5, apart_target = 0.02, turned_target = 0.1; /* ratio, metres, degrees */
static const float icp_distance = 1;
static const double icp_tolerance = 1e-4;
enum { NN_ICP_ITERATIONS = 100 };

static const clump_nn_rival *rivals; /* ended by one without a name */
static const clump_icp_rival *icp_rival;

static const char help[] =
    "clump_bench nn [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 15 seconds, 3 to 25)\n"
    "  --no-rivals     ours alone\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/nn/NAME.csv";

static void begin(void)
{
    char path[1100], why[512];
    if (settings.no_rivals) return;
    rivals = neighbours_load(CLUMP_BENCH_RIVALS);
    snprintf(path, sizeof path, "%s/icp-pcl.so", CLUMP_BENCH_RIVALS);
    icp_rival = module_load(path, CLUMP_RIVAL_ENTRY, CLUMP_ICP_RIVAL_INTERFACE, NULL, why, sizeof why);
    if (!icp_rival) fprintf(stderr, "clump_bench nn: without a rival: %s\n", why);
}

/* The cases are those of nn_cases for nearest neighbours, then those of nn_cases for ICP. */
static bool is_icp(size_t index)
{
    return index >= nn_case_count;
}

static const nn_case *case_of(size_t index)
{
    return &nn_cases[index % nn_case_count];
}

static bool describe(size_t index, char *name, char *text)
{
    const nn_case *const item = case_of(index);
    snprintf(name, CONTEST_NAME, "%s%s", is_icp(index) ? "icp-" : "", item->name);
    if (item->scans[0])
        snprintf(text, CONTEST_TEXT, "%s and %s", item->scans[0], item->scans[1]);
    else
        snprintf(text, CONTEST_TEXT, "n=%zu", item->count);
    return !is_icp(index) || item->scans[0];
}

/* --- nearest neighbours -------------------------------------------------------------------------- */

static clump_points as_points(const bench_cloud *cloud)
{
    return (clump_points){.xyz = cloud->xyz, .count = cloud->count};
}

static void enter_ours(contest *c, clump_nn_method method, int threads)
{
    clump_index_options options = clump_index_defaults();
    options.method = method;
    neighbours_ours(c, &options, threads);
}

static bool enter_nn(contest *c, clump_message *why)
{
    if (!neighbours_begin(c, why)) return false;
    enter_ours(c, CLUMP_NN_FAST, 1);
    if (settings.cores > 1) enter_ours(c, CLUMP_NN_FAST, 2);
    enter_ours(c, CLUMP_NN_KDTREE, 1);
    if (case_of(c->index)->paper) enter_ours(c, CLUMP_NN_AZIMUTH, 1);
    neighbours_rivals(c, rivals, NULL);
    neighbours_others(c);
    return true;
}

/* Returns the total of the better of FLANN and nanoflann, in ms; 0 where there is none. */
static double best_rival(const contest *c)
{
    const contestant *const a = contest_find(c, "flann", 1), *const b = contest_find(c, "nanoflann", 1);
    if (!a || !b) return a ? a->time[0].median_ms : b ? b->time[0].median_ms : 0;
    return fmin(a->time[0].median_ms, b->time[0].median_ms);
}

static void figures_nn(contest *c, contest_totals *totals)
{
    const nn_case *const item = case_of(c->index);
    for (int threads = 1; threads <= 2; threads++) {
        const contestant *const ours = contest_find(c, "fast", threads);
        const double best = best_rival(c), target = threads == 1 ? item->target : item->target_two;
        if (!ours || !(best > 0) || !(target > 0)) continue;
        const double ratio = best / ours->time[0].median_ms;
        contest_figure(totals, ratio >= target,
                       "%.2f times as fast as the better of FLANN and nanoflann, %d thread%s [%.2f]", ratio, threads,
                       threads > 1 ? "s" : "", target);
    }
}

/* --- ICP ----------------------------------------------------------------------------------------- */

static double motion[2][16]; /* the last of ours, and of the rival */

static void enter_icp(contest *c)
{
    const bench_cloud *const target = &c->clouds[0], *const source = &c->clouds[1];
    contest_ours(c, target, "point", CLUMP_ICP_POINT, 1);
    if (settings.cores > 1) contest_ours(c, target, "point", CLUMP_ICP_POINT, 2);
    if (icp_rival)
        contest_rival(c, target, icp_rival->name, icp_rival->version, icp_rival,
                      icp_rival->prepare(target->xyz, target->count, source->xyz, source->count));
}

static bool run_icp(contest *c, contestant *who, double *seconds)
{
    clump_icp_options options = clump_icp_defaults();
    options.max_distance = icp_distance, options.max_iterations = NN_ICP_ITERATIONS;
    clump_icp_result result = {.converged = true};
    const double start = machine_seconds();
    bool done = who->rival ? icp_rival->run(who->state, icp_distance, NN_ICP_ITERATIONS, icp_tolerance, motion[1])
                           : clump_icp(who->context, as_points(&c->clouds[0]), as_points(&c->clouds[1]), &options,
                                       &result) == CLUMP_OK;
    *seconds = machine_seconds() - start;
    if (done && !result.converged) {
        done = false;
        snprintf(who->error, sizeof who->error, "it has not converged");
    }
    if (!who->rival) memcpy(motion[0], result.transform, sizeof motion[0]);
    return done;
}

static void figures_icp(contest *c, contest_totals *totals)
{
    const contestant *const pcl = icp_rival ? contest_find(c, icp_rival->name, 1) : NULL;
    if (!pcl || c->list[0].failed) return;
    double moved = 0, turned = 0;
    for (int i = 0; i < 12; i++) {
        const double apart = motion[0][i] - motion[1][i];
        *(i % 4 == 3 ? &moved : &turned) += apart * apart;
    }
    moved = sqrt(moved), turned = sqrt(turned / 2) * 180 / 3.14159265358979323846; /* a small angle */
    const bool same = moved < apart_target && turned < turned_target;
    contest_figure(totals, contest_ratio(c, pcl) >= icp_target,
                   "%.2f times as fast as PCL [%g]; %.4f m and %.4f degrees apart%s", contest_ratio(c, pcl), icp_target,
                   moved, turned, same ? "" : " ERROR");
    totals->wrong += !same;
}

/* --- both ---------------------------------------------------------------------------------------- */

static bool enter(contest *c, clump_message *why)
{
    if (!nn_case_make(case_of(c->index), settings.data, &c->clouds[0], &c->clouds[1], why)) return false;
    snprintf(c->text, sizeof c->text, "%zu queries", c->clouds[1].count);
    if (is_icp(c->index)) return enter_icp(c), true;
    return enter_nn(c, why);
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    return is_icp(c->index) ? run_icp(c, who, seconds) : neighbours_run(c, who, seconds);
}

static void note(const contest *c, contestant *who)
{
    const contestant *const flann = contest_find(c, "flann", 1);
    if (is_icp(c->index)) {
        if (!who->rival) snprintf(who->note, sizeof who->note, "%lld iterations", (long long)who->stats.passes);
        return;
    }
    int length = snprintf(who->note, sizeof who->note, "construction %8.2f query %8.2f",
                          who->time[NEIGHBOURS_BUILD].median_ms, who->time[NEIGHBOURS_QUERY].median_ms);
    if (flann)
        length += snprintf(who->note + length, sizeof who->note - (size_t)length, "  speedup over FLANN %.2f",
                           flann->time[0].median_ms / who->time[0].median_ms);
    if (!who->rival && who->method == CLUMP_NN_AZIMUTH)
        snprintf(who->note + length, sizeof who->note - (size_t)length, "  recall %.2f %%",
                 100 - 100 * (double)who->differ / (double)c->answers);
}

static void leave(contestant *who)
{
    if (who->rival && who->module == icp_rival)
        icp_rival->release(who->state);
    else
        neighbours_leave(who);
}

static void figures(contest *c, contest_totals *totals)
{
    if (is_icp(c->index))
        figures_icp(c, totals);
    else
        figures_nn(c, totals);
}

/* The speedup is over FLANN, of ICP over PCL. */
static void row(const contest *c, const contestant *who, csv *rows)
{
    const nn_case *const item = case_of(c->index);
    const bool icp = is_icp(c->index), fast = strcmp(who->name, "fast") == 0, point = strcmp(who->name, "point") == 0;
    const contestant *const rival = contest_find(c, icp ? "pcl" : "flann", 1);
    const double target = point && who->threads == 1 ? icp_target
                          : !fast                    ? 0
                          : who->threads == 1        ? item->target
                                                     : item->target_two;
    csv_add(rows, "%s,%zu,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.4f,%.3f,%.3g,%.6f,", c->name, c->clouds[0].count,
            c->clouds[1].count, who->name, who->version, who->threads, who->time[0].runs,
            who->time[NEIGHBOURS_BUILD].median_ms, who->time[NEIGHBOURS_QUERY].median_ms, who->time[0].median_ms,
            rival ? rival->time[0].median_ms / who->time[0].median_ms : 0, target,
            c->answers ? 1 - (double)who->differ / (double)c->answers : 1);
}

int bench_nn(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench nn",
        .csv_header = "case,points,queries,contestant,contestant_version,threads,runs,construction_ms,query_ms,"
                      "total_ms,speedup,target,recall," CSV_MACHINE,
        .case_count = 2 * nn_case_count,
        .seconds = 15,
        .leave = leave,
    };
    return contest_main(&job, argc, argv);
}
