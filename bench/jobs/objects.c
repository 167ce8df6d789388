/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench objects: clump_objects with scan and with exact neighbours, ground included. Beside it, `ec` of the points that
 * are not ground: with one distance, and with one that grows with the range.
 *
 *     clump_bench objects                      all cases: scans
 *     clump_bench objects kitti-00             cases whose names contain one of these
 *     clump_bench objects --repeat 3
 *
 * The clusterings differ, so only rows of one clustering are compared: those with other numbers of threads. Figures are
 * milliseconds of one thread of a Neoverse-N1, and the ratio of the two rows of `ec`.
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECTS_SCAN, OBJECTS_EXACT, OBJECTS_EC, OBJECTS_EC_GROWS, OBJECTS_METHODS };
static const struct method {
    const char *name;
    double target_ms; /* one thread, at most; 0: none set */
} methods[OBJECTS_METHODS] = {{"scan", 5}, {"exact", 14}, {"ec", 0}, {"ec-grows", 0}};
static const double growth_target = 1.4; /* ec-grows over ec, at most */
static const float ec_distance = 0.5f, ec_near = 0.25f, ec_growth = 0.0175f;

static const struct objects_case {
    const char *name, *scan;
} cases[] = {
    {"kitti-00", "kitti/semkitti_00_000000"},
    {"kitti-04", "kitti/semkitti_04_000000"},
    {"kitti-06", "kitti/semkitti_06_000000"},
};

static const char help[] =
    "clump_bench objects [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds per case (default: what fits into 10 seconds, 3 to 25)\n"
    "  --threads N     threads of the second measurement (default 2)\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/objects/NAME.csv";

static void begin(void) {}

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s", cases[index].name);
    snprintf(text, CONTEST_TEXT, "file=%s.bin", cases[index].scan);
    return true;
}

/* Enters a method with one thread and with several. */
static void enter_method(contest *c, int method)
{
    const int threads[2] = {1, (int)settings.threads};
    for (int i = 0; i < 2 && (i == 0 || threads[1] > 1); i++) {
        contestant *const who = contest_ours(c, c->clouds, methods[method].name, method, threads[i]);
        who->incomparable = method != OBJECTS_SCAN; /* figures() compares the hashes */
        for (size_t k = 0; k < c->count && method == OBJECTS_EC_GROWS; k++)
            if (c->list[k].method == OBJECTS_EC && c->list[k].threads == threads[i]) who->base = &c->list[k];
    }
}

static bool enter(contest *c, clump_message *why)
{
    const bench_case item = {.name = cases[c->index].name, .kind = CASE_SCAN, .scan = cases[c->index].scan};
    if (!bench_case_make(&item, settings.data, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    for (int method = 0; method < OBJECTS_METHODS; method++) enter_method(c, method);
    return true;
}

static clump_status call(contest *c, contestant *who)
{
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    if (who->method <= OBJECTS_EXACT) {
        clump_objects_options options = clump_objects_defaults();
        options.neighbours = who->method == OBJECTS_SCAN ? CLUMP_NEIGHBOURS_SCAN : CLUMP_NEIGHBOURS_EXACT;
        return clump_objects(who->context, points, &options, c->answer, NULL);
    }
    clump_detect_options options = clump_detect_defaults(); /* without boxes */
    options.d = who->method == OBJECTS_EC ? ec_distance : ec_near;
    options.common.eps_per_metre = who->method == OBJECTS_EC ? 0 : ec_growth;
    return clump_detect(who->context, points, &options, c->answer, NULL, 0, NULL);
}

static bool run(contest *c, contestant *who, double *seconds)
{
    const double start = machine_seconds();
    const clump_status status = call(c, who);
    *seconds = machine_seconds() - start;
    const clump_stats stats = clump_context_stats(who->context);
    seconds[1] = 1e-3 * stats.ground_ms;
    seconds[2] = 1e-3 * (stats.build_ms + stats.cluster_ms);
    seconds[3] = 1e-3 * stats.label_ms;
    return status == CLUMP_OK;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    int length = snprintf(who->note, sizeof who->note, "ground %5.2f clusters %5.2f labels %5.2f ms; %d clusters",
                          who->time[1].median_ms, who->time[2].median_ms, who->time[3].median_ms, who->stats.clusters);
    if (who->method == OBJECTS_SCAN)
        snprintf(who->note + length, sizeof who->note - (size_t)length, ", %d rings by %s", who->stats.rings,
                 clump_ring_source_name(who->stats.ring_source));
}

static void figures(contest *c, contest_totals *totals)
{
    for (int method = 0; method < OBJECTS_METHODS; method++) {
        const contestant *const one = contest_find(c, methods[method].name, 1);
        const double target = methods[method].target_ms;
        const contestant *const more = contest_find(c, methods[method].name, (int)settings.threads);
        if (one && more && one->hash != more->hash) {
            printf("  %s: OTHER LABELS with %ld threads\n", methods[method].name, settings.threads);
            totals->wrong++;
        }
        if (one && target > 0)
            contest_figure(totals, one->time[0].median_ms <= target, "%s: %.2f ms [%g on a Neoverse-N1]",
                           methods[method].name, one->time[0].median_ms, target);
        if (one && method == OBJECTS_EC_GROWS)
            contest_figure(totals, contest_ratio(c, one) <= growth_target,
                           "ec with a distance that grows takes %.2f times as long as with one distance [%g]",
                           contest_ratio(c, one), growth_target);
    }
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,file=%s.bin,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,", c->name, cases[c->index].scan,
            who->cloud->count, who->name, who->version, who->threads, who->time[0].runs, who->time[0].median_ms,
            who->time[0].min_ms, contest_ratio(c, who), who->threads == 1 ? methods[who->method].target_ms : 0);
    csv_add(rows, "%.4f,%.4f,%.4f,%d,%d,%s,%016llx,%s,", who->time[1].median_ms, who->time[2].median_ms,
            who->time[3].median_ms, who->stats.clusters, who->stats.rings,
            clump_ring_source_name(who->stats.ring_source), (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

int bench_objects(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS, {"--threads", .number = &settings.threads}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench objects",
        .csv_header =
            "case,parameters,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,target_ms,"
            "ground_ms,cluster_ms,label_ms,clusters,rings,ring_source,labels_hash,labels_agree," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 10,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
    };
    return contest_main(&job, argc, argv);
}
