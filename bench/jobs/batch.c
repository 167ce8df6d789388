/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench batch: many small clouds: one call per cloud, and all clouds in one call, on the CPU and on the GPU. The
 * labels of all are compared.
 *
 *     calls    clump_ec or clump_dbscan per cloud, one thread
 *     batch    clump_ec_batch or clump_dbscan_batch; on the GPU from ordinary memory
 *     pinned   on the GPU, from and to pinned host memory
 *     device   on the GPU, points and labels stay there; with the wait
 */
#include "jobs/jobs.h"

#include "harness/contest.h"

#include <clump/info.h>
#include <clump/batch.h>
#include <clump/cuda.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_MIN_POINTS = 5 };
enum { BATCH_CALLS, BATCH_HOST, BATCH_PINNED, BATCH_DEVICE };

/* Figures: nanoseconds per point of one thread, at most; milliseconds on an NVIDIA H200, pinned and device. */
static const struct batch_shape {
    const char *name;
    size_t clouds, points; /* of a cloud */
    size_t clusters;       /* of a cloud */
    double degree;
    bool density, slow;
    double thread_ns, pinned_ms, device_ms;
} cases[] = {
    {"blobs-16", 20000, 16, 2, 4, false, false, 0, 0, 0},
    {"blobs-128", 4000, 128, 4, 16, false, false, 28, 0, 0},
    {"blobs-1024", 1000, 1024, 8, 32, false, false, 21, 0, 0},
    {"sparse-1024", 1000, 1024, 1, 2, false, false, 63, 0, 0},
    {"dense-1024", 1000, 1024, 1, 500, false, false, 63, 0, 0},
    {"blobs-4096", 250, 4096, 32, 32, false, false, 0, 0, 0},
    {"dbscan-1024", 1000, 1024, 8, 32, true, false, 0, 0, 0},
    {"blobs-10k-1024", 10000, 1024, 8, 32, false, true, 21, 3, 1},
    {"sparse-10k-1024", 10000, 1024, 1, 2, false, true, 63, 3, 1},
    {"dbscan-10k-1024", 10000, 1024, 8, 32, true, true, 0, 0, 0},
};

static bool quick;

static const char help[] =
    "clump_bench batch [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --threads N     the second measurement on the CPU has N threads (default: one per core)\n"
    "  --repeat N      N rounds per case (default: what fits into 10 seconds, 3 to 25)\n"
    "  --quick         3 rounds, without the largest batches\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --machine       print the name of this machine, as for results/batch/NAME.csv";

static bool check(void)
{
    if (quick && !settings.repeat) settings.repeat = 3;
    return true;
}

static void begin(void) {}

static bool describe(size_t index, char *name, char *text)
{
    const struct batch_shape *const s = &cases[index];
    snprintf(name, CONTEST_NAME, "%s", s->name);
    snprintf(text, CONTEST_TEXT, "clouds=%zu n=%zu c=%zu k=%g d=1%s", s->clouds, s->points, s->clusters, s->degree,
             s->density ? " dbscan min_points=5" : "");
    return !(quick && s->slow);
}

/* ----- memory ------------------------------------------------------------------------------------- */

/* The arrays of a contestant. */
typedef struct arrays {
    clump_context *context; /* null: ordinary memory, not owned */
    clump_cuda_memory kind;
    float *xyz;
    int64_t *offsets;
    int32_t *labels, *counts;
} arrays;

static void arrays_free(arrays *a)
{
    if (!a) return;
    if (a->context) {
        void *const all[] = {a->xyz, a->offsets, a->labels, a->counts};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (all[i]) clump_cuda_release(a->context, a->kind, all[i]);
    }
    free(a);
}

static bool take(arrays *a, size_t bytes, const void *from, void **out)
{
    return clump_cuda_allocate(a->context, a->kind, bytes, out) == CLUMP_OK &&
           (!from || clump_cuda_copy(a->context, *out, from, bytes) == CLUMP_OK);
}

/* Copies points and offsets to pinned or device memory; null where there is too little. */
static arrays *arrays_make(contest *c, clump_context *context, clump_cuda_memory kind)
{
    arrays *const a = calloc(1, sizeof *a);
    if (!a) return NULL;
    const struct batch_shape *const s = &cases[c->index];
    const size_t n = c->clouds[0].count;
    a->context = context;
    a->kind = kind;
    void *xyz = NULL, *offsets = NULL, *labels = NULL, *counts = NULL;
    const bool made = take(a, 3 * n * sizeof(float), c->clouds[0].xyz, &xyz) &&
                      take(a, (s->clouds + 1) * sizeof(int64_t), c->scratch, &offsets) &&
                      take(a, n * sizeof(int32_t), NULL, &labels) &&
                      take(a, s->clouds * sizeof(int32_t), NULL, &counts);
    a->xyz = xyz, a->offsets = offsets, a->labels = labels, a->counts = counts;
    if (made) return a;
    arrays_free(a);
    return NULL;
}

static void leave(contestant *who)
{
    arrays_free(who->state);
}

/* ----- clouds ------------------------------------------------------------------------------------- */

static bool make_clouds(contest *c, clump_message *why)
{
    const struct batch_shape *const s = &cases[c->index];
    if (!bench_cloud_allocate(s->clouds * s->points, &c->clouds[0], why)) return false;
    int64_t *const offsets = malloc((s->clouds + 1) * sizeof *offsets);
    c->scratch = offsets;
    if (!offsets) return snprintf(why->text, sizeof why->text, "no memory for the offsets"), false;
    offsets[0] = 0;
    for (size_t k = 0; k < s->clouds; k++) {
        clump_factors f = clump_factors_defaults();
        f.layout = CLUMP_LAYOUT_BLOB;
        f.points = s->points;
        f.clusters = s->clusters;
        f.distance = 1;
        f.degree = s->degree;
        f.seed = k + 1;
        if (clump_sim_factors(&f, c->clouds[0].xyz + 3 * k * s->points, NULL, why) != CLUMP_OK) return false;
        offsets[k + 1] = (int64_t)((k + 1) * s->points);
    }
    return true;
}

static bool enter(contest *c, clump_message *why)
{
    if (!make_clouds(c, why)) return false;
    c->answers = c->clouds[0].count;
    contest_ours(c, c->clouds, "calls", BATCH_CALLS, 1);
    contest_ours(c, c->clouds, "batch", BATCH_HOST, 1);
    if (settings.threads > 1) contest_ours(c, c->clouds, "batch", BATCH_HOST, (int)settings.threads);
    if (clump_device_absence(CLUMP_BACKEND_CUDA)) return true;
    contest_ours(c, c->clouds, "batch", BATCH_HOST, CONTEST_GPU);
    for (int kind = BATCH_PINNED; kind <= BATCH_DEVICE; kind++) {
        const bool pinned = kind == BATCH_PINNED;
        contestant *const who = contest_ours(c, c->clouds, pinned ? "pinned" : "device", kind, CONTEST_GPU);
        if (!who || who->failed) continue;
        who->state = arrays_make(c, who->context, pinned ? CLUMP_CUDA_PINNED : CLUMP_CUDA_DEVICE);
        who->failed = !who->state;
    }
    return true;
}

/* ----- runs --------------------------------------------------------------------------------------- */

static clump_status call_each(contest *c, contestant *who)
{
    const struct batch_shape *const s = &cases[c->index];
    clump_status status = CLUMP_OK;
    for (size_t k = 0; k < s->clouds && status == CLUMP_OK; k++) {
        const clump_points points = {.xyz = c->clouds[0].xyz + 3 * k * s->points, .count = s->points};
        int32_t *const labels = c->answer + k * s->points;
        int32_t found;
        status = s->density ? clump_dbscan(who->context, points, 1, BATCH_MIN_POINTS, NULL, labels, &found)
                            : clump_ec(who->context, points, 1, NULL, labels, &found);
    }
    return status;
}

static clump_status call_batch(contest *c, contestant *who)
{
    const struct batch_shape *const s = &cases[c->index];
    const arrays *const a = who->state;
    const clump_points points = {.xyz = a ? a->xyz : c->clouds[0].xyz,
                                 .count = c->clouds[0].count,
                                 .place = who->method == BATCH_DEVICE ? CLUMP_PLACE_DEVICE : CLUMP_PLACE_HOST};
    const int64_t *const offsets = a ? a->offsets : c->scratch;
    int32_t *const labels = a ? a->labels : c->answer, *const counts = a ? a->counts : NULL;
    const clump_status status =
        s->density ? clump_dbscan_batch(who->context, points, offsets, s->clouds, 1, NULL, BATCH_MIN_POINTS, NULL,
                                        labels, counts)
                   : clump_ec_batch(who->context, points, offsets, s->clouds, 1, NULL, NULL, labels, counts);
    return status == CLUMP_OK && who->method == BATCH_DEVICE ? clump_cuda_wait(who->context) : status;
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const double start = machine_seconds();
    const clump_status status = who->method == BATCH_CALLS ? call_each(c, who) : call_batch(c, who);
    seconds[0] = machine_seconds() - start;
    if (status != CLUMP_OK) return false;
    const arrays *const a = who->state;
    return !a || clump_cuda_copy(who->context, c->answer, a->labels, c->answers * sizeof(int32_t)) == CLUMP_OK;
}

/* ----- report ------------------------------------------------------------------------------------- */

static double nanoseconds_per_point(const contest *c, const contestant *who)
{
    return 1e6 * who->time[0].median_ms / (double)c->clouds[0].count;
}

static void note(const contest *c, contestant *who)
{
    snprintf(who->note, sizeof who->note, "%7.3f us per cloud, %6.2f ns per point, %8.1f M points/s",
             1e3 * who->time[0].median_ms / (double)cases[c->index].clouds, nanoseconds_per_point(c, who),
             1e3 / nanoseconds_per_point(c, who));
}

static void figures(contest *c, contest_totals *totals)
{
    const struct batch_shape *const s = &cases[c->index];
    const contestant *const one = contest_find(c, "batch", 1);
    if (one && s->thread_ns > 0)
        contest_figure(totals, nanoseconds_per_point(c, one) <= s->thread_ns,
                       "one thread: %.1f ns per point [at most %g]", nanoseconds_per_point(c, one), s->thread_ns);
    const contestant *const pinned = contest_find(c, "pinned", CONTEST_GPU);
    if (pinned && s->pinned_ms > 0)
        contest_figure(totals, pinned->time[0].median_ms <= s->pinned_ms, "pinned: %.3f ms [at most %g]",
                       pinned->time[0].median_ms, s->pinned_ms);
    const contestant *const device = contest_find(c, "device", CONTEST_GPU);
    if (device && s->device_ms > 0)
        contest_figure(totals, device->time[0].median_ms <= s->device_ms, "device: %.3f ms [at most %g]",
                       device->time[0].median_ms, s->device_ms);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,%s,%zu,%s,%d,%d,%zu,%.4f,%.4f,%.3f,%.3f,%016llx,%s,", c->name, c->text, c->clouds[0].count,
            who->name, who->threads, who->stats.threads, who->time[0].runs, who->time[0].median_ms, who->time[0].min_ms,
            nanoseconds_per_point(c, who), contest_ratio(c, who), (unsigned long long)who->hash,
            who->differ ? "no" : "yes");
}

int bench_batch(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST,
        {"--repeat", .number = &settings.repeat},
        {"--threads", .number = &settings.threads},
        {"--quick", .flag = &quick},
    };
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench batch",
        .csv_header =
            "case,parameters,points,way,threads,threads_used,runs,p50_ms,min_ms,ns_per_point,ratio,labels_hash,"
            "labels_agree," CSV_MACHINE,
        .case_count = sizeof cases / sizeof *cases,
        .seconds = 10,
        .hash = true,
        .legend = "Median ms; x = times as long as one call per cloud.",
        .check = check,
        .leave = leave,
    };
    return contest_main(&job, argc, argv);
}
