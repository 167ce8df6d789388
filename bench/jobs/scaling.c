/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench scaling: the same call with 1, 2, 4 ... threads, up to one per core: how much sooner it is done, and how
 * much more processor time it takes. The answers of all numbers of threads are compared.
 *
 *     clump_bench scaling                    all cases
 *     clump_bench scaling --only ec kitti    the cases of ec whose names contain "kitti"
 *     clump_bench scaling --threads 16       up to 16 threads, also on a machine with fewer cores
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"

#include <clump/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALING_EC, SCALING_DBSCAN, SCALING_NN, SCALING_DESCRIBE, SCALING_DETECT, SCALING_OBJECTS, SCALING_JOBS };
static const char *const job_names[SCALING_JOBS] = {"ec", "dbscan", "nn", "describe", "detect", "objects"};

/* A cube of n points with k neighbours each. */
#define SCALING_UNIFORM(count, degree)                                                                                 \
    .kind = CASE_FACTORS, .layout = CLUMP_LAYOUT_BLOB, .n = (count), .c = 1, .D = 1, .k = (degree), .d = 1
#define SCALING_FRAME .kind = CASE_SCAN, .scan = CASE_FRAME, .d = 0.5f

/* Figures: the speedup with 16 threads, for machines with 16 cores; processor time over that of one thread, at most. */
static const struct scaling_case {
    bench_case cloud; /* of nearest neighbours the name alone: the clouds are those of nn_cases[0] */
    int job;
    double speedup, work; /* 0: none set */
} cases[] = {
    {{"ec-kitti", SCALING_FRAME}, SCALING_EC, 6, 1.3},
    {{"ec-blob-1m", CASE_OF_FACTORS(BLOB, 1048576, 512, 32)}, SCALING_EC, 10, 1.15},
    {{"ec-blob-4m", CASE_OF_FACTORS(BLOB, 4194304, 2048, 32), .slow = true}, SCALING_EC, 10, 1.15},
    {{"ec-sparse-4m", SCALING_UNIFORM(4194304, 2), .slow = true}, SCALING_EC, 10, 1.15},
    {{"dbscan-kitti", SCALING_FRAME}, SCALING_DBSCAN, 0, 1.3},
    {{"dbscan-1m", SCALING_UNIFORM(1048576, 32)}, SCALING_DBSCAN, 10, 1.15},
    {{"nn-kitti", .kind = CASE_SCAN}, SCALING_NN, 0, 0},
    {{"describe-kitti", SCALING_FRAME}, SCALING_DESCRIBE, 0, 0},
    {{"detect-kitti", SCALING_FRAME}, SCALING_DETECT, 0, 0},
    {{"objects-kitti", SCALING_FRAME}, SCALING_OBJECTS, 0, 0},
};
enum { SCALING_THREADS = 16, SCALING_MIN_POINTS = 10, SCALING_CAPACITY = 2048 };

static const char *only;
static bool quick, chosen[SCALING_JOBS];

static const char help[] =
    "clump_bench scaling [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --only JOBS     some of the jobs, by name: --only ec,dbscan; there are ec, dbscan, nn, describe,\n"
    "                  detect, objects\n"
    "  --threads N     up to N threads (default: one per core)\n"
    "  --repeat N      N rounds per case (default: what fits into 15 seconds, 3 to 25)\n"
    "  --quick         3 rounds, without the largest clouds\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA); without it their cases are left out\n"
    "  --machine       print the name of this machine, as for results/scaling/NAME.csv";

/* --- cases --------------------------------------------------------------------------------------- */

static bool check(void)
{
    if (quick && !settings.repeat) settings.repeat = 3;
    if (contest_choose(only, job_names, SCALING_JOBS, chosen)) return true;
    fprintf(stderr, "clump_bench scaling: the value of --only is wrong (see --help)\n");
    return false;
}

static void begin(void)
{
    if (!settings.threads) settings.threads = settings.cores;
}

static void parameters_of(size_t index, char *out, size_t size)
{
    const struct scaling_case *const item = &cases[index];
    if (item->job == SCALING_NN) {
        snprintf(out, size, "%s and %s", nn_cases[0].scans[0], nn_cases[0].scans[1]);
        return;
    }
    bench_case_parameters(&item->cloud, out, size);
    const size_t length = strlen(out);
    if (item->job == SCALING_DBSCAN) snprintf(out + length, size - length, " min_points=%d", SCALING_MIN_POINTS);
}

static bool describe(size_t index, char *name, char *text)
{
    char parameters[160];
    parameters_of(index, parameters, sizeof parameters);
    snprintf(name, CONTEST_NAME, "%s", cases[index].cloud.name);
    snprintf(text, CONTEST_TEXT, "%s", parameters);
    return chosen[cases[index].job] && !(quick && cases[index].cloud.slow);
}

static bool has_boxes(const struct scaling_case *item)
{
    return item->job == SCALING_DESCRIBE || item->job == SCALING_DETECT;
}

/* --- jobs ---------------------------------------------------------------------------------------- */

static clump_points as_points(const bench_cloud *cloud)
{
    return (clump_points){.xyz = cloud->xyz, .count = cloud->count};
}

/* What clump_describe() reads, and where boxes go: contest.scratch. */
typedef struct described {
    int32_t clusters;
    clump_cluster boxes[SCALING_CAPACITY];
    int32_t labels[]; /* of clump_describe() */
} described;

/* Makes room for the boxes, which are the answers. Finds the clusters that clump_describe() gets. */
static bool enter_boxes(contest *c, clump_message *why)
{
    const struct scaling_case *const item = &cases[c->index];
    described *const scratch = calloc(1, sizeof *scratch + c->clouds[0].count * sizeof(int32_t));
    c->scratch = scratch;
    c->answers = SCALING_CAPACITY * (sizeof(clump_cluster) / sizeof(int32_t));
    if (!scratch) return snprintf(why->text, sizeof why->text, "no memory for the clusters"), false;
    if (item->job == SCALING_DETECT) return true;
    if (clump_ec(c->list[0].context, as_points(c->clouds), item->cloud.d, NULL, scratch->labels, &scratch->clusters) !=
            CLUMP_OK ||
        scratch->clusters > SCALING_CAPACITY)
        return snprintf(why->text, sizeof why->text, "the clusters were not found, or are too many"), false;
    return true;
}

static bool enter_nn(contest *c, contestant *who)
{
    clump_index *index = NULL;
    const bool created = clump_index_create(who->context, as_points(c->clouds), NULL, &index) == CLUMP_OK;
    who->state = index;
    return created;
}

/* Returns twice as many threads, and all threads after the last power of two. */
static long more_threads(long threads)
{
    return threads < settings.threads && 2 * threads > settings.threads ? settings.threads : 2 * threads;
}

static bool enter(contest *c, clump_message *why)
{
    const struct scaling_case *const item = &cases[c->index];
    const bool pair = item->job == SCALING_NN;
    if (pair ? !nn_case_make(&nn_cases[0], settings.data, &c->clouds[0], &c->clouds[1], why)
             : !bench_case_make(&item->cloud, settings.data, &c->clouds[0], why))
        return false;
    c->answers = c->clouds[pair].count;
    for (long threads = 1; threads <= settings.threads; threads = more_threads(threads)) {
        contestant *const who = contest_ours(c, c->clouds, "fast", 0, (int)threads);
        if (!who) break;
        if (pair) who->failed = who->failed || !enter_nn(c, who);
    }
    if (pair) c->scratch = malloc(c->answers * sizeof(float));
    if (pair && !c->scratch) return snprintf(why->text, sizeof why->text, "no memory for the distances"), false;
    return !has_boxes(item) || enter_boxes(c, why);
}

static clump_status search(contest *c, contestant *who)
{
    const clump_status status = clump_index_rebuild(who->context, who->state, as_points(&c->clouds[0]));
    if (status != CLUMP_OK) return status;
    return clump_index_nearest(who->context, who->state, as_points(&c->clouds[1]), INFINITY, c->answer, c->scratch);
}

static clump_status call(contest *c, contestant *who)
{
    const struct scaling_case *const item = &cases[c->index];
    const clump_points points = as_points(c->clouds);
    described *const boxes = c->scratch;
    switch (item->job) {
    case SCALING_EC:
        return clump_ec(who->context, points, item->cloud.d, NULL, c->answer, NULL);
    case SCALING_DBSCAN:
        return clump_dbscan(who->context, points, item->cloud.d, SCALING_MIN_POINTS, NULL, c->answer, NULL);
    case SCALING_NN:
        return search(c, who);
    case SCALING_DETECT:
        return clump_detect(who->context, points, NULL, NULL, boxes->boxes, SCALING_CAPACITY, NULL);
    case SCALING_OBJECTS:
        return clump_objects(who->context, points, NULL, c->answer, NULL);
    default:
        return clump_describe(who->context, points, boxes->labels, boxes->clusters, NULL, boxes->boxes);
    }
}

/* seconds: the call; the processor time of all threads. */
static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const double work = machine_cpu_seconds(), start = machine_seconds();
    const clump_status status = call(c, who);
    seconds[0] = machine_seconds() - start;
    seconds[1] = machine_cpu_seconds() - work;
    if (has_boxes(&cases[c->index]))
        memcpy(c->answer, ((const described *)c->scratch)->boxes, c->answers * sizeof *c->answer);
    return status == CLUMP_OK;
}

static void leave(contestant *who)
{
    clump_index_destroy(who->state);
}

/* --- report -------------------------------------------------------------------------------------- */

static double speedup_of(const contest *c, const contestant *who)
{
    const double ratio = contest_ratio(c, who);
    return ratio > 0 ? 1 / ratio : 0;
}

/* Returns the processor time over that of one thread. */
static double work_of(const contest *c, const contestant *who)
{
    const double one = c->list[0].time[1].median_ms;
    return one > 0 ? who->time[1].median_ms / one : 0;
}

static void note(const contest *c, contestant *who)
{
    snprintf(who->note, sizeof who->note, "speedup %5.2f  processor %9.3f ms, %.2f times that of one",
             speedup_of(c, who), who->time[1].median_ms, work_of(c, who));
}

static void figures(contest *c, contest_totals *totals)
{
    const struct scaling_case *const item = &cases[c->index];
    const contestant *const who = contest_find(c, "fast", SCALING_THREADS);
    if (!who) return;
    if (item->speedup > 0 && settings.cores >= SCALING_THREADS)
        contest_figure(totals, speedup_of(c, who) >= item->speedup, "%d threads: speedup %.2f [%g]", SCALING_THREADS,
                       speedup_of(c, who), item->speedup);
    if (item->work > 0)
        contest_figure(totals, work_of(c, who) <= item->work,
                       "%d threads: %.2f times the processor time of one [at most %g]", SCALING_THREADS,
                       work_of(c, who), item->work);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    char parameters[160];
    parameters_of(c->index, parameters, sizeof parameters);
    csv_add(rows, "%s,%s,%g,%zu,%d,%d,%zu,%.4f,%.4f,%.4f,%.3f,%.3f,%016llx,%s,", c->name, parameters,
            (double)cases[c->index].cloud.d, c->clouds[0].count, who->threads, who->stats.threads, who->time[0].runs,
            who->time[0].median_ms, who->time[0].min_ms, who->time[1].median_ms, speedup_of(c, who), work_of(c, who),
            (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

int bench_scaling(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST,
        {"--repeat", .number = &settings.repeat},
        {"--threads", .number = &settings.threads},
        {"--only", .text = &only},
        {"--quick", .flag = &quick},
    };
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench scaling",
        .csv_header =
            "case,parameters,d,points,threads,threads_used,runs,p50_ms,min_ms,cpu_ms,speedup,work,answer_hash,"
            "answers_agree," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 15,
        .turn_seconds = CONTEST_TURN_SECONDS,
        .hash = true,
        .legend = "Median ms; x = times as long as one thread.",
        .check = check,
        .leave = leave,
    };
    settings.threads = 0;
    return contest_main(&job, argc, argv);
}
