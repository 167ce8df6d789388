/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench detect: from scans to boxes, beside the pipeline of PCL's tutorials: voxel grid, RANSAC plane,
 * EuclideanClusterExtraction, boxes by the moment of inertia.
 *
 *     clump_bench detect                       all cases: scans, without and with thinning
 *     clump_bench detect kitti-00              cases whose names contain one of these
 *     clump_bench detect --repeat 3 --no-rivals
 *
 * The pipelines find different ground, so their clusters differ. Compared before anything is timed: our labels and boxes
 * with those of separate steps (clouds.h); PCL's clusters of the points that we cluster, and their bounds, with ours.
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"
#include "jobs/pipeline.h"
#include "harness/clouds.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETECT_SCAN(n, leaf, ratio)                                                                                    \
    {                                                                                                                  \
        .name = "kitti-" n, .cloud = {.kind = CASE_SCAN, .scan = "kitti/semkitti_" n "_000000", .d = 0.5f},            \
        .thin = leaf, .target = ratio                                                                                  \
    }

static const struct detect_case {
    const char *name;
    bench_case cloud;
    float thin;    /* also the leaf of the rival's voxel grid; 0: none */
    double target; /* time of PCL as in its tutorials over ours, one thread, at least; 0: none set */
} cases[] = {
    DETECT_SCAN("00", 0, 80),   DETECT_SCAN("00", 0.1f, 0), DETECT_SCAN("04", 0, 0),
    DETECT_SCAN("04", 0.1f, 0), DETECT_SCAN("06", 0, 0),    DETECT_SCAN("06", 0.1f, 0),
};

/* The distance from the plane: PCL is then left with as many points of the first scan as clump, 51,500. */
static const float plane_distance = 0.3f;
enum { DETECT_MIN_SIZE = 10, DETECT_CAPACITY = 4096 };
enum { DETECT_ONE_CALL, DETECT_SEPARATE }; /* methods of ours */
enum { DETECT_CLOCK_ALL, DETECT_CLOCK_GROUND, DETECT_CLOCK_CLUSTERS, DETECT_CLOCK_BOXES };

static const char help[] =
    "clump_bench detect [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --repeat N      N rounds per case (default: what fits into 20 seconds, 3 to 25)\n"
    "  --threads N     threads of the second measurement of ours (default 2)\n"
    "  --no-rivals     ours alone\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA)\n"
    "  --machine       print the name of this machine, as for results/detect/NAME.csv";

static void begin(void)
{
    pipeline_load(CLUMP_BENCH_RIVALS);
}

/* --- cases --------------------------------------------------------------------------------------- */

static void parameters_of(const struct detect_case *item, char *out, size_t size)
{
    bench_case_parameters(&item->cloud, out, size);
    const size_t length = strlen(out);
    snprintf(out + length, size - length, " thin=%g min_size=%d plane=%g", (double)item->thin, DETECT_MIN_SIZE,
             (double)plane_distance);
}

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s%s", cases[index].name, cases[index].thin > 0 ? "-thin" : "");
    parameters_of(&cases[index], text, CONTEST_TEXT);
    const size_t length = strlen(text);
    snprintf(text + length, CONTEST_TEXT - length, " d=%g", (double)cases[index].cloud.d);
    return true;
}

/* What ours read and write besides the labels: contest.scratch. */
typedef struct detected {
    bool known; /* the first contestant has been verified: expected has its clusters */
    int32_t clusters;
    clump_cluster boxes[DETECT_CAPACITY], expected[DETECT_CAPACITY];
    int32_t *labels; /* the three have one entry per point, behind this struct */
    float *heights;
    uint8_t *mask;
} detected;

static bool enter(contest *c, clump_message *why)
{
    const struct detect_case *const item = &cases[c->index];
    if (!bench_case_make(&item->cloud, settings.data, &c->clouds[0], why)) return false;
    const size_t count = c->clouds[0].count;
    detected *const d = malloc(sizeof *d + count * (sizeof *d->labels + sizeof *d->heights + sizeof *d->mask));
    if (!d) return snprintf(why->text, sizeof why->text, "no memory for the clusters"), false;
    d->known = false;
    d->labels = (int32_t *)(d + 1);
    d->heights = (float *)(d->labels + count);
    d->mask = (uint8_t *)(d->heights + count);
    c->scratch = d;
    c->answers = count;
    contest_ours(c, c->clouds, "detect", DETECT_ONE_CALL, 1);
    if (settings.threads > 1) contest_ours(c, c->clouds, "detect", DETECT_ONE_CALL, (int)settings.threads);
    if (!(item->thin > 0)) contest_ours(c, c->clouds, "separate", DETECT_SEPARATE, 1);
    pipeline_enter(c, c->clouds);
    return true;
}

/* --- ours ---------------------------------------------------------------------------------------- */

static clump_points as_points(const contest *c)
{
    return (clump_points){.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
}

static clump_status detect(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const struct detect_case *const item = &cases[c->index];
    detected *const d = c->scratch;
    clump_detect_options options = clump_detect_defaults();
    options.d = item->cloud.d, options.thin = item->thin, options.common.min_size = DETECT_MIN_SIZE;
    const double start = machine_seconds();
    const clump_status status =
        clump_detect(who->context, as_points(c), &options, c->answer, d->boxes, DETECT_CAPACITY, &d->clusters);
    seconds[DETECT_CLOCK_ALL] = machine_seconds() - start;
    const clump_stats stats = clump_context_stats(who->context);
    seconds[DETECT_CLOCK_GROUND] = 1e-3 * stats.ground_ms;
    seconds[DETECT_CLOCK_CLUSTERS] = 1e-3 * (stats.build_ms + stats.cluster_ms + stats.label_ms);
    seconds[DETECT_CLOCK_BOXES] = 1e-3 * stats.describe_ms;
    return status;
}

/* The same in separate calls, as a program without clump_detect makes them. */
static clump_status call_separately(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    detected *const d = c->scratch;
    clump_ground_options ground = clump_ground_defaults();
    clump_ec_options ec = clump_ec_defaults();
    clump_describe_options boxes = clump_describe_defaults();
    ground.heights = d->heights, boxes.heights = d->heights;
    ec.common.min_size = DETECT_MIN_SIZE, ec.common.mask = d->mask;
    const double start = machine_seconds();
    clump_status status = clump_ground(who->context, as_points(c), &ground, c->answer, NULL);
    for (size_t i = 0; i < c->answers; i++) d->mask[i] = c->answer[i] != CLUMP_GROUND;
    const double ground_known = machine_seconds();
    if (status == CLUMP_OK)
        status = clump_ec(who->context, as_points(c), cases[c->index].cloud.d, &ec, c->answer, &d->clusters);
    for (size_t i = 0; i < c->answers; i++) c->answer[i] = d->mask[i] ? c->answer[i] : CLUMP_GROUND;
    const double clusters_known = machine_seconds();
    if (status == CLUMP_OK && d->clusters <= DETECT_CAPACITY)
        status = clump_describe(who->context, as_points(c), c->answer, d->clusters, &boxes, d->boxes);
    const double end = machine_seconds();
    seconds[DETECT_CLOCK_ALL] = end - start, seconds[DETECT_CLOCK_GROUND] = ground_known - start;
    seconds[DETECT_CLOCK_CLUSTERS] = clusters_known - ground_known, seconds[DETECT_CLOCK_BOXES] = end - clusters_known;
    return status;
}

static bool cluster_ours(void *user, const float *xyz, size_t count, int32_t *labels)
{
    contest *const c = user;
    const clump_points points = {.xyz = xyz, .count = count};
    return clump_ec(c->list[0].context, points, cases[c->index].cloud.d, NULL, labels, NULL) == CLUMP_OK;
}

static bool run_steps(contest *c, steps_cluster *cluster, void *user, int32_t *labels, clump_message *why)
{
    const struct detect_case *const item = &cases[c->index];
    const steps_job job = {
        .cloud = c->clouds, .thin = item->thin, .min_size = DETECT_MIN_SIZE, .cluster = cluster, .user = user};
    return steps_run(c->list[0].context, &job, labels, ((detected *)c->scratch)->heights, why);
}

/* Compares the last run of the first contestant with the steps. Returns null, or what is wrong. */
static const char *check_steps(contest *c, clump_message *why)
{
    detected *const d = c->scratch;
    if (d->clusters > DETECT_CAPACITY) return "more clusters than the bench has room for";
    if (!run_steps(c, cluster_ours, c, d->labels, why)) return why->text;
    if (memcmp(d->labels, c->answer, c->answers * sizeof *d->labels) != 0)
        return "its labels are not those of the separate steps";
    clump_describe_options options = clump_describe_defaults();
    options.heights = d->heights;
    if (clump_describe(c->list[0].context, as_points(c), d->labels, d->clusters, &options, d->expected) != CLUMP_OK)
        return clump_context_error(c->list[0].context);
    return NULL;
}

static bool run_ours(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    detected *const d = c->scratch;
    clump_message why = {""};
    const clump_status status =
        who->method == DETECT_SEPARATE ? call_separately(c, who, seconds) : detect(c, who, seconds);
    if (status != CLUMP_OK) return false;
    const char *wrong = d->known ? NULL : check_steps(c, &why);
    d->known = true;
    if (!wrong && memcmp(d->boxes, d->expected, (size_t)d->clusters * sizeof *d->boxes) != 0)
        wrong = "its boxes are not those of clump_describe";
    if (wrong) snprintf(who->error, sizeof who->error, "%.*s", CONTEST_TEXT - 1, wrong);
    return !wrong;
}

/* --- rivals -------------------------------------------------------------------------------------- */

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    if (!who->rival) return run_ours(c, who, seconds);
    const struct detect_case *const item = &cases[c->index];
    const clump_rival_settings how = {item->thin, plane_distance, item->cloud.d, DETECT_MIN_SIZE};
    double stages[CLUMP_RIVAL_STAGES] = {0};
    const bool done = pipeline_run(who, &how, &seconds[DETECT_CLOCK_ALL], stages);
    seconds[DETECT_CLOCK_GROUND] = stages[CLUMP_RIVAL_THIN] + stages[CLUMP_RIVAL_GROUND];
    seconds[DETECT_CLOCK_CLUSTERS] = stages[CLUMP_RIVAL_CLUSTER],
    seconds[DETECT_CLOCK_BOXES] = stages[CLUMP_RIVAL_BOXES];
    return done;
}

static bool same_bounds(const contest *c, const pipeline_clusters *found)
{
    const detected *const d = c->scratch;
    if (found->count != (size_t)d->clusters) return false;
    for (size_t i = 0; i < found->count; i++)
        for (int k = 0; k < 3; k++)
            if (found->bounds[i][k] != d->expected[i].lower[k] || found->bounds[i][3 + k] != d->expected[i].upper[k])
                return false;
    return true;
}

/* The labels of the steps with the rival's clustering. Without thinning the bounds of its clusters must be ours where
 * its labels are. With thinning they are those of the representatives. */
static bool fetch(contest *c, contestant *who)
{
    const bool thin = cases[c->index].thin > 0;
    pipeline_clusters found = {
        .rival = who->module, .d = cases[c->index].cloud.d, .min_size = thin ? 1 : DETECT_MIN_SIZE};
    clump_message why = {""};
    bool done = run_steps(c, pipeline_cluster, &found, c->answer, &why);
    const bool equal = done && memcmp(c->answer, c->reference, c->answers * sizeof *c->answer) == 0;
    if (equal && !thin && !same_bounds(c, &found)) {
        done = false;
        snprintf(why.text, sizeof why.text, "the bounds of its clusters differ from ours");
    }
    if (!done) snprintf(who->error, sizeof who->error, "%.*s", CONTEST_TEXT - 1, why.text);
    free(found.bounds);
    return done;
}

/* --- report -------------------------------------------------------------------------------------- */

/* Points that were clustered, clusters. */
static size_t left_of(const contestant *who)
{
    const clump_stats *const s = &who->stats;
    if (who->rival) return ((const clump_detect_rival *)who->module)->left(who->state);
    return who->method == DETECT_SEPARATE ? s->points - s->masked : s->points - s->ground - s->thinned;
}

static size_t clusters_of(const contestant *who)
{
    return who->rival ? ((const clump_detect_rival *)who->module)->clusters(who->state) : (size_t)who->stats.clusters;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    snprintf(who->note, sizeof who->note, "ground %6.2f clusters %7.2f boxes %6.2f ms; %zu points in %zu clusters",
             who->time[DETECT_CLOCK_GROUND].median_ms, who->time[DETECT_CLOCK_CLUSTERS].median_ms,
             who->time[DETECT_CLOCK_BOXES].median_ms, left_of(who), clusters_of(who));
}

static void figures(contest *c, contest_totals *totals)
{
    const double target = cases[c->index].target;
    const contestant *const one = contest_find(c, "detect", 1), *const tutorial = contest_find(c, "pcl-debian", 1);
    if (one && tutorial && target > 0)
        contest_figure(totals, contest_ratio(c, tutorial) >= target, "%.1f times as fast as PCL in its tutorials [%g]",
                       contest_ratio(c, tutorial), target);
    const contestant *const best = contest_find(c, "pcl-best", 1);
    if (one && best) printf("  %.1f times as fast as PCL at its best\n", contest_ratio(c, best));
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    const struct detect_case *const item = &cases[c->index];
    char parameters[160];
    parameters_of(item, parameters, sizeof parameters);
    csv_add(rows, "%s,%s,%g,%zu,%s,%s,%d,%zu,%.4f,%.4f,%.3f,%g,", c->name, parameters, (double)item->cloud.d,
            who->cloud->count, who->name, who->version, who->threads, who->time[0].runs, who->time[0].median_ms,
            who->time[0].min_ms, contest_ratio(c, who), strcmp(who->name, "pcl-debian") == 0 ? item->target : 0);
    csv_add(rows, "%.4f,%.4f,%.4f,%zu,%zu,%016llx,%s,", who->time[DETECT_CLOCK_GROUND].median_ms,
            who->time[DETECT_CLOCK_CLUSTERS].median_ms, who->time[DETECT_CLOCK_BOXES].median_ms, left_of(who),
            clusters_of(who), (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

int bench_detect(int argc, char **argv)
{
    static const contest_option options[] = {CONTEST_OPTIONS, {"--threads", .number = &settings.threads}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench detect",
        .csv_header = "case,parameters,d,points,contestant,contestant_version,threads,runs,median_ms,min_ms,ratio,"
                      "target,ground_ms,cluster_ms,boxes_ms,clustered,clusters,labels_hash,labels_agree," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 20,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
        .fetch = fetch,
        .leave = pipeline_leave,
    };
    return contest_main(&job, argc, argv);
}
