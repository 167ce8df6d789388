/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench latency: how long a call takes in a program that gets frames from a sensor, on a machine that it shares
 * with other programs.
 *
 * A case is a number of busy cores: none, half of them, all. The contestants of a case are frames back to back, 20 and
 * 10 per second, each with one thread, with the default of clump (threads = 0), with one thread per core, and on the GPU
 * where there is one (points and labels in the host's memory; for `detect` that is pinned memory). They take turns of 10
 * frames, so that whatever else the machine does hits all of them:
 *
 *     round 1    back-to-back 1, 0, all, GPU   20hz 1, 0, all, GPU   10hz 1, 0, all, GPU
 *     round 2    ...
 *
 * The time of a frame is that of the call. Processor time is that of all threads from one frame to the next: threads
 * that wait for work by spinning count.
 */
#include "jobs/jobs.h"

#include "harness/machine.h"
#include "harness/cases.h"
#include "harness/contest.h"
#include "harness/frame.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LATENCY_FRAMES = 100, LATENCY_QUICK_FRAMES = 20, LATENCY_TURN = 10, LATENCY_CAPACITY = 512 };
/* The default may take this many times as long as one thread, in any case. With idle cores, the 99th percentile of
 * paced frames may be this many times the median of frames back to back. */
static const double slower_limit = 1.1, paced_limit = 2;
/* The most that 99.9 percent of the frames of `detect` may take on a GPU, 10 per second, beside busy cores: NVIDIA H200,
 * a KITTI frame. */
static const double detect_gpu_ms = 1;

enum { LATENCY_IDLE, LATENCY_HALF, LATENCY_FULL, LATENCY_LOADS };
enum { LATENCY_BACK_TO_BACK, LATENCY_20_HZ, LATENCY_10_HZ, LATENCY_PACES };
enum { LATENCY_CPU, LATENCY_GPU, LATENCY_PLACES };
enum { LATENCY_NAMES = LATENCY_LOADS + LATENCY_PACES + LATENCY_PLACES };
static const char *const names[LATENCY_NAMES] = {"idle", "half", "full", "back-to-back", "20hz", "10hz", "cpu", "gpu"};
static const char *const *const paces = names + LATENCY_LOADS;
static const double periods[LATENCY_PACES] = {0, 0.05, 0.1};

enum { LATENCY_EC, LATENCY_DBSCAN, LATENCY_DETECT, LATENCY_JOBS };
static const char *const job_names[LATENCY_JOBS] = {"ec", "dbscan", "detect"};

static const char *job_name = "ec", *file, *distance, *only;
static long frames, min_points = 10;
static bool quick, chosen[LATENCY_NAMES];
static bool *const chosen_paces = chosen + LATENCY_LOADS, *const chosen_places = chosen_paces + LATENCY_PACES;
static int job_kind; /* what follows from the options, and from the files that are there */
static bool synthetic;
static float d = 0.5f;

static const char help[] =
    "clump_bench latency [options] [CASE...]   measure the cases whose names contain one of the words, or all\n"
    "\n"
    "  -l, --list      list the cases\n"
    "  --only NAMES    some of the loads, paces and places: --only half,20hz\n"
    "                  idle, half, full          no core is busy, half of them, all\n"
    "                  back-to-back, 20hz, 10hz  when frames come\n"
    "                  cpu, gpu                  where they are computed\n"
    "  --frames N      paced frames per line, in steps of 10 (default 100, about 3 minutes in all)\n"
    "  --quick         20 frames, about half a minute in all\n"
    "  --job JOB       ec (default), dbscan or detect: ground, ec and boxes\n"
    "  --file FILE     another cloud (default: kitti/semkitti_00_000000.bin in the folder with the scans)\n"
    "  --distance D    distance of ec, or eps (default 0.5)\n"
    "  --min-points N  of dbscan (default 10)\n"
    "  --csv FILE      write the results; rows of other cases in FILE stay\n"
    "  --resume        leave out cases that FILE has of this commit\n"
    "  --data DIR      folder with the scans (default: CLUMP_DATA); without it the cloud is a synthetic street\n"
    "  --machine       print the name of this machine, as for results/latency/NAME.csv";

/* --- settings ------------------------------------------------------------------------------------ */

/* Chooses all of a group, loads or paces, where --only names none of it. */
static void complete_group(bool *group, int count)
{
    bool any = false;
    for (int i = 0; i < count; i++) any = any || group[i];
    for (int i = 0; i < count; i++) group[i] = group[i] || !any;
}

static bool check(void)
{
    char *end = "";
    if (distance) d = strtof(distance, &end);
    while (job_kind < LATENCY_JOBS && strcmp(job_name, job_names[job_kind]) != 0) job_kind++;
    const char *const wrong = !contest_choose(only, names, LATENCY_NAMES, chosen) ? "--only"
                              : job_kind == LATENCY_JOBS                          ? "--job"
                              : *end || !(d > 0)                                  ? "--distance"
                              : file && access(file, R_OK) != 0                   ? "--file"
                                                                                  : NULL;
    if (wrong) fprintf(stderr, "clump_bench latency: the value of %s is wrong (see --help)\n", wrong);
    complete_group(chosen, LATENCY_LOADS);
    complete_group(chosen_paces, LATENCY_PACES);
    complete_group(chosen_places, LATENCY_PLACES);
    if (!frames) frames = quick ? LATENCY_QUICK_FRAMES : LATENCY_FRAMES;
    settings.repeat = (frames + LATENCY_TURN - 1) / LATENCY_TURN;
    char path[1200];
    snprintf(path, sizeof path, "%s/" CASE_FRAME ".bin", settings.data);
    synthetic = !file && access(path, R_OK) != 0;
    return !wrong;
}

static void begin(void)
{
    if (synthetic)
        fprintf(stderr, "clump_bench latency: %s/" CASE_FRAME ".bin is not there: the cloud is a synthetic street\n",
                settings.data);
}

/* --- cases --------------------------------------------------------------------------------------- */

static int busy_cores(size_t load)
{
    return load == LATENCY_IDLE ? 0 : load == LATENCY_HALF ? settings.cores / 2 : settings.cores;
}

/* Writes a name of the cloud for the case: the last part of a path, without its ending and without commas. */
static void name_cloud(char *out, size_t size)
{
    const char *const slash = file ? strrchr(file, '/') : NULL;
    snprintf(out, size, "%s", synthetic ? "street" : !file ? "kitti" : slash ? slash + 1 : file);
    char *const dot = strchr(out + 1, '.');
    if (file && dot) *dot = '\0';
    for (char *c = out; *c; c++)
        if (*c == ',') *c = ' ';
}

static void parameters_of(char *out, size_t size)
{
    char cloud[CONTEST_NAME];
    name_cloud(cloud, sizeof cloud);
    const int length = snprintf(out, size, synthetic || file ? "cloud=%s" : "file=" CASE_FRAME ".bin", cloud);
    if (job_kind == LATENCY_DBSCAN) snprintf(out + length, size - (size_t)length, " min_points=%ld", min_points);
}

static bool describe(size_t index, char *name, char *text)
{
    char cloud[CONTEST_NAME / 2], parameters[160];
    name_cloud(cloud, sizeof cloud);
    parameters_of(parameters, sizeof parameters);
    snprintf(name, CONTEST_NAME, "%s-%s-%s", job_name, cloud, names[index]);
    snprintf(text, CONTEST_TEXT, "%s d=%g, %d busy cores", parameters, (double)d, busy_cores(index));
    return chosen[index] && (index == LATENCY_IDLE || busy_cores(index) > 0);
}

static bool make_cloud(bench_cloud *out, clump_message *why)
{
    static const bench_case scan = {.kind = CASE_SCAN, .scan = CASE_FRAME};
    if (file) return bench_cloud_file(file, out, why);
    return synthetic ? bench_cloud_street(out, why) : bench_case_make(&scan, settings.data, out, why);
}

static void leave(contestant *who)
{
    frame_memory_free(who->state);
}

/* Lists the numbers of threads. Returns how many there are. */
static int choose_threads(int threads[4])
{
    int count = 0;
    if (chosen_places[LATENCY_CPU]) {
        threads[count++] = 1, threads[count++] = 0;
        if (settings.cores > 1) threads[count++] = settings.cores;
    }
    if (chosen_places[LATENCY_GPU] && !clump_device_absence(CLUMP_BACKEND_CUDA)) threads[count++] = CONTEST_GPU;
    return count;
}

/* The busy processes come first: this process has one thread then. */
static bool enter(contest *c, clump_message *why)
{
    int threads[4];
    if (!make_cloud(&c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    if (job_kind == LATENCY_DETECT) c->answers = LATENCY_CAPACITY * sizeof(clump_cluster) / sizeof(int32_t);
    if (!busy_set(busy_cores(c->index)))
        return snprintf(why->text, sizeof why->text, "no %d other processes", busy_cores(c->index)), false;
    const int variants = choose_threads(threads);
    if (variants == 0)
        return snprintf(why->text, sizeof why->text, "%s", clump_device_absence(CLUMP_BACKEND_CUDA)), false;
    for (int pace = 0; pace < LATENCY_PACES; pace++) {
        const contestant *one = NULL;
        for (int i = 0; i < variants && chosen_paces[pace]; i++) {
            contestant *const who = contest_ours(c, c->clouds, paces[pace], pace, threads[i]);
            if (job_kind == LATENCY_DETECT && !who->failed) {
                who->state =
                    frame_memory_make(threads[i] == CONTEST_GPU ? who->context : NULL, c->clouds, LATENCY_CAPACITY);
                who->failed = !who->state;
            }
            if (i == 0) one = who;
            who->base = one;
            who->turn_runs = pace == LATENCY_BACK_TO_BACK ? 0 : frames < LATENCY_TURN ? (size_t)frames : LATENCY_TURN;
        }
    }
    return true;
}

/* --- frames -------------------------------------------------------------------------------------- */

static clump_status call(contest *c, contestant *who)
{
    const frame_memory *const m = who->state; /* of `detect` */
    const clump_points points = {.xyz = m ? m->xyz : c->clouds[0].xyz, .count = c->clouds[0].count};
    if (job_kind == LATENCY_DBSCAN)
        return clump_dbscan(who->context, points, d, (size_t)min_points, NULL, c->answer, NULL);
    if (job_kind == LATENCY_EC) return clump_ec(who->context, points, d, NULL, c->answer, NULL);
    clump_detect_options options = clump_detect_defaults();
    int32_t clusters;
    options.d = d;
    return clump_detect(who->context, points, &options, NULL, m->boxes, LATENCY_CAPACITY, &clusters);
}

/* Waits for the next frame. A frame that came during the call before it is taken at once. */
static void wait_for_frame(const contestant *who)
{
    static const contestant *last;
    static double due;
    const double now = machine_seconds();
    due += periods[who->method];
    if (who != last || due < now) due = now;
    last = who;
    machine_sleep_until(due);
}

/* seconds: the call; the processor time of all threads since the frame before it. */
static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    const double work = machine_cpu_seconds();
    wait_for_frame(who);
    const double start = machine_seconds();
    const clump_status status = call(c, who);
    seconds[0] = machine_seconds() - start;
    seconds[1] = machine_cpu_seconds() - work;
    if (job_kind == LATENCY_DETECT && status == CLUMP_OK)
        memcpy(c->answer, ((const frame_memory *)who->state)->boxes, c->answers * sizeof *c->answer);
    return status == CLUMP_OK;
}

/* --- report -------------------------------------------------------------------------------------- */

static void note(const contest *c, contestant *who)
{
    (void)c;
    const samples_summary *const t = &who->time[0];
    const int length =
        snprintf(who->note, sizeof who->note, "p99 %7.2f  p99.9 %7.2f  max %7.2f ms, %4zu frames, processor %6.2f ms",
                 t->p99_ms, t->p999_ms, t->max_ms, t->runs, who->time[1].mean_ms);
    if (who->threads == 0)
        snprintf(who->note + length, sizeof who->note - (size_t)length, ", %d thread%s at the end", who->stats.threads,
                 who->stats.threads > 1 ? "s" : "");
}

static void figures(contest *c, contest_totals *totals)
{
    const contestant *const gpu = contest_find(c, paces[LATENCY_10_HZ], CONTEST_GPU);
    if (gpu && job_kind == LATENCY_DETECT && c->index != LATENCY_IDLE)
        contest_figure(totals, gpu->time[0].p999_ms <= detect_gpu_ms, "%s on the GPU: p99.9 is %.3f ms [at most %g]",
                       gpu->name, gpu->time[0].p999_ms, detect_gpu_ms);
    const contestant *const steady = contest_find(c, paces[LATENCY_BACK_TO_BACK], 0);
    for (int pace = 0; pace < LATENCY_PACES; pace++) {
        const contestant *const who = contest_find(c, paces[pace], 0);
        if (!who) continue;
        contest_figure(totals, contest_ratio(c, who) <= slower_limit,
                       "%s: the default takes %.2f times as long as one thread [at most %g]", who->name,
                       contest_ratio(c, who), slower_limit);
        if (c->index != LATENCY_IDLE || pace == LATENCY_BACK_TO_BACK || !steady) continue;
        const double ratio = who->time[0].p99_ms / steady->time[0].median_ms;
        contest_figure(totals, ratio <= paced_limit,
                       "%s: p99 of the default is %.2f times its median back to back [at most %g]", who->name, ratio,
                       paced_limit);
    }
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    char parameters[160];
    parameters_of(parameters, sizeof parameters);
    const samples_summary *const t = &who->time[0];
    csv_add(rows, "%s,%s,%g,%zu,%d,%s,%d,%d,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%.3f,%016llx,%s,", c->name, parameters,
            (double)d, c->clouds[0].count, busy_cores(c->index), who->name, who->threads, who->stats.threads, t->runs,
            t->median_ms, t->p99_ms, t->p999_ms, t->max_ms, who->time[1].mean_ms, contest_ratio(c, who),
            (unsigned long long)who->hash, who->differ ? "no" : "yes");
}

static void end(contest_totals *totals)
{
    (void)totals;
    busy_set(0);
}

int bench_latency(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST,
        {"--only", .text = &only},
        {"--frames", .number = &frames},
        {"--quick", .flag = &quick},
        {"--job", .text = &job_name},
        {"--file", .text = &file},
        {"--distance", .text = &distance},
        {"--min-points", .number = &min_points},
    };
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench latency",
        .csv_header = "case,parameters,d,points,busy_cores,pace,threads,threads_used,frames,p50_ms,p99_ms,p999_ms,"
                      "max_ms,cpu_ms,ratio,labels_hash,labels_agree," CSV_MACHINE,
        .case_count = LATENCY_LOADS,
        .turn_seconds = 0.5,
        .warm_turns = true,
        .hash = true,
        .legend = "Median ms; x = times as long as one thread. Processor: mean of all threads per frame.",
        .check = check,
        .leave = leave,
        .end = end,
    };
    return contest_main(&job, argc, argv);
}
