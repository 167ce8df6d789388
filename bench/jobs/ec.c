/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench ec: Euclidean clustering, beside two builds of PCL.
 *
 *     clump_bench ec                        all cases
 *     clump_bench ec blob kitti             cases whose names contain one of these
 *     clump_bench ec --quick --no-rivals    ours alone, few runs, no long case
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contestants.h"

#include <stdio.h>
#include <string.h>

static const double speedup_target = 1.6, bytes_target = 64;
static const size_t large_cloud = 262144; /* threads and memory have figures from this size on */

static const char *rivals = CLUMP_BENCH_RIVALS;
static bool quick, no_bfs, stages;

static const char help[] =
    "clump_bench ec [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --quick         3 rounds, long cases left out\n"
    "  --threads N     threads of the second measurement of ours (default 2)\n"
    "  --no-rivals     ours alone\n"
    "  --no-bfs        without our own method bfs\n"
    "  --stages        show where fast spends its time\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --rivals DIR    folder with the rivals' modules\n"
    "  --machine       print the name of this machine, as for results/NAME.csv";

static void begin(void)
{
    if (quick && !settings.repeat) settings.repeat = 3;
    pcl_load(rivals);
}

static bool describe(size_t index, char *name, char *text)
{
    const bench_case *const item = &bench_cases[index];
    char parameters[160];
    bench_case_parameters(item, parameters, sizeof parameters);
    snprintf(name, CONTEST_NAME, "%s", item->name);
    snprintf(text, CONTEST_TEXT, "%s d=%g", parameters, (double)item->d);
    return !(quick && item->slow);
}

static bool enter(contest *c, clump_message *why)
{
    const bench_case *const item = &bench_cases[c->index];
    const bench_case *const base = item->base ? bench_case_find(item->base) : NULL;
    if (!bench_case_make(item, settings.data, &c->clouds[0], why)) return false;
    if (base && !bench_case_make(base, settings.data, &c->clouds[1], why)) return false;
    c->answers = c->clouds[0].count;
    contest_ours(c, c->clouds, "fast", CLUMP_EC_FAST, 1);
    if (settings.threads > 1) contest_ours(c, c->clouds, "fast", CLUMP_EC_FAST, (int)settings.threads);
    if (base) contest_ours(c, &c->clouds[1], base->name, CLUMP_EC_FAST, 1)->beside = true;
    if (item->rivals && !no_bfs) contest_ours(c, c->clouds, "bfs", CLUMP_EC_BFS, 1);
    if (item->rivals) pcl_enter(c, c->clouds);
    return true;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    const bench_case *const item = &bench_cases[c->index];
    const float d = who->beside ? bench_case_find(item->base)->d : item->d;
    if (who->rival) return pcl_run(who, d, seconds);
    const clump_points points = {.xyz = who->cloud->xyz, .count = who->cloud->count};
    clump_ec_options options = clump_ec_defaults();
    options.method = (clump_ec_method)who->method;
    const double start = machine_seconds();
    const clump_status status = clump_ec(who->context, points, d, &options, c->answer, NULL);
    *seconds = machine_seconds() - start;
    return status == CLUMP_OK;
}

static bool fetch(contest *c, contestant *who)
{
    pcl_labels(who, c->answer);
    return true;
}

static void note(const contest *c, contestant *who)
{
    if (who->rival) return;
    const int length = snprintf(who->note, sizeof who->note, "%.1f B/pt", contest_bytes_per_point(who));
    if (stages && who == c->list)
        snprintf(who->note + length, sizeof who->note - (size_t)length,
                 "; build %.3f cluster %.3f label %.3f ms; %zu runs", who->stats.build_ms, who->stats.cluster_ms,
                 who->stats.label_ms, who->time[0].runs);
}

static void figures(contest *c, contest_totals *totals)
{
    const bench_case *const item = &bench_cases[c->index];
    const contestant *const one = contest_find(c, "fast", 1), *const two = contest_find(c, "fast", 2);
    const contestant *const best = contest_find(c, "pcl-best", 1);
    const contestant *const base = item->base ? contest_find(c, item->base, 1) : NULL;
    if (!one) return;
    const bool large = one->cloud->count >= large_cloud;
    if (large && two) {
        const double speedup = 1 / contest_ratio(c, two);
        contest_figure(totals, speedup >= speedup_target, "2 threads: speedup %.2f [%g]", speedup, speedup_target);
    }
    if (best && item->target > 0)
        contest_figure(totals, contest_ratio(c, best) >= item->target, "%.1f times as fast as PCL at its best [%g]",
                       contest_ratio(c, best), item->target);
    if (large)
        contest_figure(totals, contest_bytes_per_point(one) <= bytes_target, "%.1f bytes per point [at most %g]",
                       contest_bytes_per_point(one), bytes_target);
    if (!base) return;
    const double ours = one->time[0].median_ms / (double)one->cloud->count;
    const double ratio = ours * (double)base->cloud->count / base->time[0].median_ms;
    contest_figure(totals, ratio <= item->base_limit, "%.2f ns per point, %.2f times that of %s [at most %g]",
                   1e6 * ours, ratio, item->base, item->base_limit);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    const bench_case *const item = &bench_cases[c->index];
    char parameters[160];
    bench_case_parameters(item, parameters, sizeof parameters);
    csv_add(rows, "%s,%s,%g,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,%016llx,%s,%.1f,", item->name, parameters,
            (double)item->d, who->cloud->count, who->name, who->version, who->threads, who->time[0].runs,
            who->time[0].median_ms, who->time[0].min_ms, contest_ratio(c, who),
            strcmp(who->name, "pcl-best") == 0 ? item->target : 0, (unsigned long long)who->hash,
            who->differ ? "no" : "yes", contest_bytes_per_point(who));
}

int bench_ec(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS,
                                             {"--threads", .number = &settings.threads},
                                             {"--rivals", .text = &rivals},
                                             {"--quick", .flag = &quick},
                                             {"--no-bfs", .flag = &no_bfs},
                                             {"--stages", .flag = &stages}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench ec",
        .csv_header = "case,parameters,d,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,"
                      "target,labels_hash,labels_agree,bytes_per_point," CSV_MACHINE,
        .case_count = bench_case_count,
        .seconds = 20,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
        .fetch = fetch,
        .leave = pcl_leave,
    };
    return contest_main(&job, argc, argv);
}
