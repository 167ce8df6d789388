/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench erccl: clump_erccl with all its methods. Time and passes against the reach are Figs. 7 and 12 of Tian et
 * al. 2020. Beside them, PCL's Euclidean clustering of the same scan without its ground.
 *
 *     clump_bench erccl                       all cases: scans, each with several reaches
 *     clump_bench erccl kitti-00-r5           cases whose names contain one of these
 *     clump_bench erccl --repeat 3 --no-rivals
 */
#include "jobs/jobs.h"

#include "harness/contestants.h"

#include <clump/info.h>

#include <stdio.h>
#include <string.h>

#define ERCCL_SCAN(n, r, beside_pcl)                                                                                   \
    {                                                                                                                  \
        "kitti-" n, "kitti/semkitti_" n "_000000", r, beside_pcl                                                       \
    }

static const struct erccl_case {
    const char *name, *scan; /* "kitti-00"; the file without its ending */
    int reach;
    bool rivals;
} cases[] = {
    ERCCL_SCAN("00", 1, false), ERCCL_SCAN("00", 2, false), ERCCL_SCAN("00", 3, false), ERCCL_SCAN("00", 4, false),
    ERCCL_SCAN("00", 5, true),  ERCCL_SCAN("00", 6, false), ERCCL_SCAN("00", 7, false), ERCCL_SCAN("00", 8, false),
    ERCCL_SCAN("04", 1, false), ERCCL_SCAN("04", 5, false), ERCCL_SCAN("04", 8, false), ERCCL_SCAN("06", 1, false),
    ERCCL_SCAN("06", 5, false), ERCCL_SCAN("06", 8, false),
};
enum { ERCCL_CASES = sizeof cases / sizeof *cases };

static const double pcl_target = 60, growth_target = 2;
/* The distance of PCL's clusters: that of the other bench. Its effect on the time is small. */
static const float rival_distance = 0.5f;
static double fast_ms[ERCCL_CASES]; /* fast with one thread; 0: not measured */

static const char help[] =
    "clump_bench erccl [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds a case (default 9)\n"
    "  --threads N     threads of the second measurement of fast (default 2)\n"
    "  --no-rivals     ours alone\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/erccl/NAME.csv";

static void begin(void)
{
    pcl_load(CLUMP_BENCH_RIVALS);
}

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s-r%d", cases[index].name, cases[index].reach);
    snprintf(text, CONTEST_TEXT, "scan=%s reach=%d", cases[index].scan, cases[index].reach);
    return true;
}

/* The scan with its ground, and for PCL without. */
static bool enter(contest *c, clump_message *why)
{
    const struct erccl_case *const item = &cases[c->index];
    char points[1100], labels[1100];
    snprintf(points, sizeof points, "%s/%s.bin", settings.data, item->scan);
    snprintf(labels, sizeof labels, "%s/%s.label", settings.data, item->scan);
    if (!bench_cloud_scan(points, NULL, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    contest_ours(c, c->clouds, "fast", CLUMP_ERCCL_FAST, 1);
    if (settings.threads > 1) contest_ours(c, c->clouds, "fast", CLUMP_ERCCL_FAST, (int)settings.threads);
    for (int k = CLUMP_ERCCL_SERIAL; k <= CLUMP_ERCCL_HASH; k++)
        contest_ours(c, c->clouds, clump_erccl_method_name((clump_erccl_method)k), k, 1)->incomparable =
            k == CLUMP_ERCCL_CCL || k == CLUMP_ERCCL_HASH;
    if (!item->rivals) return true;
    if (!bench_cloud_scan(points, labels, &c->clouds[1], why)) return false;
    pcl_enter(c, &c->clouds[1]);
    return true;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    if (who->rival) return pcl_run(who, rival_distance, seconds);
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    clump_erccl_options options = clump_erccl_defaults();
    options.method = (clump_erccl_method)who->method;
    options.reach = cases[c->index].reach;
    const double start = machine_seconds();
    const clump_status status = clump_erccl(who->context, points, &options, c->answer, NULL);
    *seconds = machine_seconds() - start;
    return status == CLUMP_OK;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    if (who->rival)
        snprintf(who->note, sizeof who->note, "of %zu points without ground, d = %g", who->cloud->count,
                 (double)rival_distance);
    else
        snprintf(who->note, sizeof who->note, "%4lld pass%s %5d obstacles", (long long)who->stats.passes,
                 who->stats.passes == 1 ? "  " : "es", who->stats.clusters);
}

static void figures(contest *c, contest_totals *totals)
{
    const contestant *const one = contest_find(c, "fast", 1), *const pcl = contest_find(c, "pcl-best", 1);
    if (one) fast_ms[c->index] = one->time[0].median_ms;
    if (one && pcl)
        contest_figure(totals, contest_ratio(c, pcl) >= pcl_target, "%.1f times as fast as PCL at its best [%g]",
                       contest_ratio(c, pcl), pcl_target);
}

/* By how much fast grows from reach 1 to reach 8, for each scan that was measured with both. */
static void end(contest_totals *totals)
{
    for (size_t i = 0; i < ERCCL_CASES; i++)
        for (size_t k = 0; k < ERCCL_CASES; k++) {
            if (cases[i].reach != 1 || cases[k].reach != 8 || strcmp(cases[i].name, cases[k].name) != 0) continue;
            if (!(fast_ms[i] > 0) || !(fast_ms[k] > 0)) continue;
            const double growth = fast_ms[k] / fast_ms[i];
            contest_figure(totals, growth < growth_target,
                           "%s: from reach 1 to reach 8 the time of fast grows %.2f times [below %g]", cases[i].name,
                           growth, growth_target);
        }
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,%s,%d,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%lld,%d,%016llx,%s,", c->name, cases[c->index].scan,
            cases[c->index].reach, who->cloud->count, who->name, who->version, who->threads, who->time[0].runs,
            who->time[0].median_ms, who->time[0].min_ms, contest_ratio(c, who), (long long)who->stats.passes,
            who->stats.clusters, (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

int bench_erccl(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS, {"--threads", .number = &settings.threads}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench erccl",
        .csv_header = "case,scan,reach,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,passes,"
                      "obstacles,labels_hash,labels_agree," CSV_MACHINE,
        .case_count = ERCCL_CASES,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .slow_seconds = 0.1, /* the paper's methods take hundreds of times as long as fast */
        .hash = true,
        .leave = pcl_leave,
        .end = end,
    };
    settings.repeat = 9;
    return contest_main(&job, argc, argv);
}
