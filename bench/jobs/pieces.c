/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench pieces: a cloud in memory, in one call and in pieces. The labels of both are compared.
 *
 *     call      clump_ec or clump_dbscan on the whole cloud
 *     pieces    cut into tiles with rims, clump_joint_add() per tile, merged, labels written in the order of the points.
 *               Each thread has a context of its own with one thread, and takes tile after tile
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"
#include "jobs/tiles.h"

#include <clump/joint.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

enum { PIECES_CALL, PIECES_PIECES, PIECES_MIN_POINTS = 10, PIECES_TILE = 131072 };
enum { PIECES_CUT = 1, PIECES_CLUSTER, PIECES_MERGE }; /* clocks */

/* limit: times one call of one thread, at most; 0: none set. */
static const struct pieces_case {
    bench_case cloud; /* kind CASE_SCAN without a scan: a survey of n points without its ground */
    bool density;
    double limit;
} cases[] = {
    {{"ec-kitti", .kind = CASE_SCAN, .scan = CASE_FRAME, .d = 0.5f}, false, 0},
    {{"ec-blob-1m", CASE_OF_FACTORS(BLOB, 1048576, 512, 32)}, false, 1.25},
    {{"ec-sparse-1m", CASE_OF_FACTORS(BLOB, 1048576, 128, 2)}, false, 1.25},
    {{"ec-wide-32", CASE_OF_FACTORS(JOINTS, 1048576, 32, 2)}, false, 1.25},
    {{"ec-wide-262144", CASE_OF_FACTORS(JOINTS, 1048576, 262144, 2)}, false, 0.5},
    {{"ec-wide-1m", CASE_OF_FACTORS(JOINTS, 1048576, 1048576, 1)}, false, 0.5},
    {{"ec-survey-8m", .kind = CASE_SCAN, .n = 8000000, .d = 0.5f}, false, 1.25},
    {{"dbscan-blob-1m", CASE_OF_FACTORS(BLOB, 1048576, 512, 32)}, true, 1.25},
    {{"dbscan-survey-8m", .kind = CASE_SCAN, .n = 8000000, .d = 0.5f}, true, 1.25},
};

static bool quick, busy;
static long per_tile = PIECES_TILE;

static const char help[] =
    "clump_bench pieces [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --tile N        points per tile, about (default 131072)\n"
    "  --threads N     the second measurement has N threads (default: one per core)\n"
    "  --repeat N      N rounds per case (default: what fits into 10 seconds, 3 to 25)\n"
    "  --quick         3 rounds\n"
    "  --busy          processor time instead of elapsed time, for a machine with other work; implies --threads 1\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA); without it their cases are left out\n"
    "  --machine       print the name of this machine, as for results/pieces/NAME.csv";

static bool check(void)
{
    if (quick && !settings.repeat) settings.repeat = 3;
    if (busy) settings.threads = 1;
    return true;
}

/* Contexts keep their memory from run to run. So is the memory of pieces: it is not returned to the system. */
static void begin(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

static double seconds_now(void)
{
    return busy ? machine_cpu_seconds() : machine_seconds();
}

static bool is_survey(const bench_case *item)
{
    return item->kind == CASE_SCAN && !item->scan;
}

static bool describe(size_t index, char *name, char *text)
{
    const struct pieces_case *const item = &cases[index];
    snprintf(name, CONTEST_NAME, "%s", item->cloud.name);
    char parameters[160];
    if (is_survey(&item->cloud))
        snprintf(parameters, sizeof parameters, "survey n=%zu without its ground", item->cloud.n);
    else
        bench_case_parameters(&item->cloud, parameters, sizeof parameters);
    snprintf(text, CONTEST_TEXT, "%s d=%g%s", parameters, (double)item->cloud.d,
             item->density ? " dbscan min_points=10" : "");
    return true;
}

/* ----- clouds ------------------------------------------------------------------------------------- */

/* A survey of n points, those of the ground left out, in metres. */
static bool make_survey(size_t n, bench_cloud *out, clump_message *why)
{
    clump_survey survey = clump_survey_defaults();
    survey.points = n;
    clump_survey_point *const points = malloc(n * sizeof *points);
    bool made = points && bench_cloud_allocate(n, out, why);
    if (!points) snprintf(why->text, sizeof why->text, "no memory for %zu points", n);
    made = made && clump_sim_survey(&survey, 0, n, points, why) == CLUMP_OK;
    size_t count = 0;
    for (size_t i = 0; made && i < n; i++) {
        if (points[i].classification == CLUMP_SURVEY_GROUND) continue;
        for (size_t a = 0; a < 3; a++) out->xyz[3 * count + a] = (float)points[i].xyz[a] * 1e-3f;
        count++;
    }
    out->count = count;
    free(points);
    return made;
}

static bool enter(contest *c, clump_message *why)
{
    const bench_case *const item = &cases[c->index].cloud;
    if (is_survey(item) ? !make_survey(item->n, &c->clouds[0], why)
                        : !bench_case_make(item, settings.data, &c->clouds[0], why))
        return false;
    c->answers = c->clouds[0].count;
    contest_ours(c, c->clouds, "call", PIECES_CALL, 1);
    contest_ours(c, c->clouds, "pieces", PIECES_PIECES, 1);
    if (settings.threads > 1) {
        contest_ours(c, c->clouds, "call", PIECES_CALL, (int)settings.threads);
        contest_ours(c, c->clouds, "pieces", PIECES_PIECES, (int)settings.threads);
    }
    return true;
}

/* ----- pieces ------------------------------------------------------------------------------------- */

typedef struct cutting cutting;

/* A thread: its context, and labels of a tile. */
typedef struct worker {
    cutting *all;
    int number;
    clump_context *context;
    int64_t *labels;
    size_t room;
    bool failed;
} worker;

struct cutting {
    tiles tiles;
    clump_joint *joint;
    int threads;
    worker *workers;
    int64_t numbers[TILES_MOST]; /* pieces of the tiles */
    int32_t *answer;
    atomic_int next;
    void (*step)(worker *w);
};

static void count_slice(worker *w)
{
    tiles_count(&w->all->tiles, w->number);
}

static void scatter_slice(worker *w)
{
    tiles_scatter(&w->all->tiles, w->number);
}

static void add_tiles(worker *w)
{
    cutting *const all = w->all;
    for (int k; (k = all->next++) < all->tiles.count;) {
        const tile *const t = &all->tiles.list[k];
        const clump_points points = {.xyz = all->tiles.own_xyz + 3 * t->begin, .count = t->own + t->rim};
        if (clump_joint_add(w->context, all->joint, points, t->own, all->tiles.indices + t->begin, &all->numbers[k]) !=
            CLUMP_OK)
            w->failed = true;
    }
}

static void write_labels(worker *w)
{
    cutting *const all = w->all;
    for (int k; !w->failed && (k = all->next++) < all->tiles.count;) {
        const tile *const t = &all->tiles.list[k];
        if (t->own > w->room || !w->labels) {
            free(w->labels);
            w->room = t->own;
            w->labels = malloc(w->room * sizeof *w->labels + 1); /* a tile may be empty */
        }
        if (!w->labels || clump_joint_labels(w->context, all->joint, all->numbers[k], w->labels) != CLUMP_OK) {
            w->failed = true;
            return;
        }
        const int64_t *const indices = all->tiles.indices + t->begin;
        for (size_t i = 0; i < t->own; i++) all->answer[indices[i]] = (int32_t)w->labels[i];
    }
}

static void *run_step(void *worker_)
{
    worker *const w = worker_;
    w->all->step(w);
    return NULL;
}

/* Runs a step on all threads. Returns false where one has failed. */
static bool together(cutting *all, void (*step)(worker *w))
{
    pthread_t threads[TILES_SLICES];
    all->step = step;
    all->next = 0;
    int begun = 1;
    while (begun < all->threads && pthread_create(&threads[begun], NULL, run_step, &all->workers[begun]) == 0) begun++;
    step(&all->workers[0]);
    for (int t = begun; t < all->threads; t++) step(&all->workers[t]);
    for (int t = 1; t < begun; t++) pthread_join(threads[t], NULL);
    bool fine = true;
    for (int t = 0; t < all->threads; t++) fine = fine && !all->workers[t].failed;
    return fine;
}

static bool cut_cloud(cutting *all, const bench_cloud *cloud, const clump_joint_settings *s)
{
    return tiles_plan(&all->tiles, cloud->xyz, cloud->count, clump_joint_settings_reach(s), (size_t)per_tile,
                      s->min_points == 0, all->threads) &&
           together(all, count_slice) && tiles_place(&all->tiles) && together(all, scatter_slice);
}

static bool run_pieces(contest *c, cutting *all, double seconds[CONTEST_CLOCKS])
{
    clump_joint_settings s = clump_joint_defaults();
    s.d = cases[c->index].cloud.d;
    s.min_points = cases[c->index].density ? PIECES_MIN_POINTS : 0;
    clump_context *const ctx = all->workers[0].context;
    double clock[5] = {seconds_now()};
    all->answer = c->answer;
    bool fine = clump_joint_create(ctx, &s, &all->joint) == CLUMP_OK;
    fine = fine && cut_cloud(all, &c->clouds[0], &s);
    clock[1] = seconds_now();
    fine = fine && together(all, add_tiles);
    clock[2] = seconds_now();
    fine = fine && clump_joint_finish(ctx, all->joint, NULL) == CLUMP_OK;
    clock[3] = seconds_now();
    fine = fine && together(all, write_labels);
    clump_joint_destroy(all->joint);
    all->joint = NULL;
    clock[4] = seconds_now();
    seconds[0] = clock[4] - clock[0];
    seconds[PIECES_CUT] = clock[1] - clock[0];
    seconds[PIECES_CLUSTER] = clock[2] - clock[1];
    seconds[PIECES_MERGE] = clock[3] - clock[2];
    return fine;
}

static cutting *cutting_make(int threads)
{
    cutting *const all = calloc(1, sizeof *all);
    if (!all) return NULL;
    all->threads = threads > TILES_SLICES ? TILES_SLICES : threads < 1 ? 1 : threads;
    all->workers = calloc((size_t)all->threads, sizeof *all->workers);
    for (int t = 0; all->workers && t < all->threads; t++) {
        clump_context_options o = clump_context_defaults();
        o.threads = 1;
        o.backend = CLUMP_BACKEND_CPU;
        all->workers[t] = (worker){.all = all, .number = t};
        all->workers[t].failed = clump_context_create(&o, &all->workers[t].context) != CLUMP_OK;
    }
    return all;
}

static void leave(contestant *who)
{
    cutting *const all = who->state;
    if (!all) return;
    for (int t = 0; all->workers && t < all->threads; t++) {
        clump_context_destroy(all->workers[t].context);
        free(all->workers[t].labels);
    }
    tiles_free(&all->tiles);
    free(all->workers);
    free(all);
}

/* ----- runs --------------------------------------------------------------------------------------- */

static clump_status run_call(contest *c, contestant *who)
{
    const clump_points points = {.xyz = c->clouds[0].xyz, .count = c->clouds[0].count};
    const struct pieces_case *const item = &cases[c->index];
    return item->density ? clump_dbscan(who->context, points, item->cloud.d, PIECES_MIN_POINTS, NULL, c->answer, NULL)
                         : clump_ec(who->context, points, item->cloud.d, NULL, c->answer, NULL);
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    if (who->method == PIECES_PIECES) {
        if (!who->state) who->state = cutting_make(who->threads);
        cutting *const all = who->state;
        return all && all->workers && run_pieces(c, all, seconds);
    }
    const double start = seconds_now();
    const clump_status status = run_call(c, who);
    seconds[0] = seconds_now() - start;
    return status == CLUMP_OK;
}

/* ----- report ------------------------------------------------------------------------------------- */

static double nanoseconds(const contest *c, const contestant *who, int clock)
{
    return 1e6 * who->time[clock].median_ms / (double)c->clouds[0].count;
}

static void note(const contest *c, contestant *who)
{
    if (who->method == PIECES_CALL) return;
    snprintf(who->note, sizeof who->note, "ns per point: cut %5.1f, cluster %6.1f, merge %5.1f, in all %6.1f",
             nanoseconds(c, who, PIECES_CUT), nanoseconds(c, who, PIECES_CLUSTER), nanoseconds(c, who, PIECES_MERGE),
             nanoseconds(c, who, 0));
}

static void figures(contest *c, contest_totals *totals)
{
    const double limit = cases[c->index].limit;
    const contestant *const one = contest_find(c, "pieces", 1);
    if (one && limit > 0)
        contest_figure(totals, contest_ratio(c, one) <= limit, "one thread: %.2f times one call [at most %g]",
                       contest_ratio(c, one), limit);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,%s,%zu,%s,%d,%zu,%.4f,%.4f,%.3f,%.3f,%.3f,%.3f,%016llx,%s,", c->name, c->text, c->clouds[0].count,
            who->name, who->threads, who->time[0].runs, who->time[0].median_ms, who->time[0].min_ms,
            nanoseconds(c, who, PIECES_CUT), nanoseconds(c, who, PIECES_CLUSTER), nanoseconds(c, who, PIECES_MERGE),
            contest_ratio(c, who), (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

int bench_pieces(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST,
        {"--repeat", .number = &settings.repeat},
        {"--threads", .number = &settings.threads},
        {"--tile", .number = &per_tile},
        {"--quick", .flag = &quick},
        {"--busy", .flag = &busy},
    };
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench pieces",
        .csv_header = "case,parameters,points,way,threads,runs,p50_ms,min_ms,cut_ns,cluster_ns,merge_ns,ratio,"
                      "labels_hash,labels_agree," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 10,
        .hash = true,
        .legend = "Median ms; x = times as long as one call of one thread.",
        .check = check,
        .leave = leave,
    };
    return contest_main(&job, argc, argv);
}
