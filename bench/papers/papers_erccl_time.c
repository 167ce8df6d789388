/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time, passes and clusters of all methods of clump_erccl, on the CPU and on a GPU. Three experiments are made of one kind
 * of case, a scene or a scan with a reach:
 *
 *     erccl-reach     reach 1 ... 8, mean over consecutive frames                  Figs 7, 12
 *     erccl-scenes    the six scenes                                               Table 1
 *     erccl-frames    `racing` on many frames: what its time depends on            section 4.3
 *
 * The frames of a case lie behind each other in one cloud. A run labels them one after the other; its time is the mean.
 */
#include "papers/papers_erccl.h"
#include "harness/contestants.h"

#include <clump/info.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME_FRAMES = 10, TIME_REACHES = 8, TIME_PER_SCENE = 5 };
#define TIME_KITTI "00_000000"

typedef struct time_case {
    const char *experiment;
    const char *place; /* behind the name of the series: " kitti" */
    double x;
    clump_lidar_scene scene;
    bool kitti;           /* a real frame instead */
    bool racing_alone;    /* beside `fast` */
    size_t frame, frames; /* the first, and their number */
    int reach;
} time_case;

/* What the last run of a contestant did, summed over the frames. */
typedef struct time_sum {
    int64_t passes, clusters;
    double upload_ms, build_ms, cluster_ms, label_ms, download_ms;
} time_sum;

/* contest.scratch */
typedef struct time_scratch {
    size_t frames, first[TIME_FRAMES + 1]; /* points of frame i: first[i] to first[i + 1] */
    time_sum sums[CONTEST_MOST];           /* by contestant */
} time_scratch;

/* --- cases --------------------------------------------------------------------------------------- */

static time_case reach_case(size_t index)
{
    const bool kitti = index >= TIME_REACHES;
    const int reach = (int)(index % TIME_REACHES) + 1;
    return (time_case){.experiment = "erccl-reach",
                       .place = kitti ? " kitti" : "",
                       .x = reach,
                       .scene = CLUMP_SCENE_STREET,
                       .kitti = kitti,
                       .frames = kitti          ? 1
                                 : papers.quick ? 3
                                                : TIME_FRAMES,
                       .reach = reach};
}

static time_case scene_case(size_t index)
{
    return (time_case){.experiment = "erccl-scenes",
                       .place = "",
                       .x = (double)index,
                       .scene = erccl_scenes[index],
                       .frames = 1,
                       .reach = 5};
}

/* Frames of one scene are 10 turns apart: 11 m. */
static time_case frame_case(size_t index)
{
    return (time_case){.experiment = "erccl-frames",
                       .place = "",
                       .x = (double)index,
                       .scene = erccl_scenes[index / TIME_PER_SCENE],
                       .racing_alone = true,
                       .frame = 10 * (index % TIME_PER_SCENE),
                       .frames = 1,
                       .reach = 3};
}

static time_case case_of(const contest *c)
{
    return c->job == &erccl_reach_job    ? reach_case(c->index)
           : c->job == &erccl_scenes_job ? scene_case(c->index)
                                         : frame_case(c->index);
}

static void describe(const time_case *item, char *text)
{
    if (item->kitti)
        snprintf(text, CONTEST_TEXT, "KITTI %s; reach %d", TIME_KITTI, item->reach);
    else
        snprintf(text, CONTEST_TEXT, "%s; frame %zu; frames: %zu; reach %d", clump_lidar_scene_name(item->scene),
                 item->frame, item->frames, item->reach);
}

static bool describe_reach(size_t index, char *name, char *text)
{
    const time_case item = reach_case(index);
    snprintf(name, CONTEST_NAME, "erccl-reach-%s%d", item.kitti ? "kitti-" : "", item.reach);
    describe(&item, text);
    /* The paper's methods take seconds on a frame of KITTI, where `peak` leaves much of the ground. */
    const bool few = item.reach == 1 || item.reach == 3 || item.reach == 5 || item.reach == 8;
    return papers.quick ? few && (!item.kitti || item.reach == 5) : few || !item.kitti;
}

static bool describe_scene(size_t index, char *name, char *text)
{
    const time_case item = scene_case(index);
    snprintf(name, CONTEST_NAME, "erccl-scenes-%s", clump_lidar_scene_name(item.scene));
    describe(&item, text);
    return true;
}

static bool describe_frame(size_t index, char *name, char *text)
{
    const time_case item = frame_case(index);
    snprintf(name, CONTEST_NAME, "erccl-frames-%s-%zu", clump_lidar_scene_name(item.scene), item.frame);
    describe(&item, text);
    return !papers.quick || item.frame < 30;
}

/* --- clouds -------------------------------------------------------------------------------------- */

static bool append(bench_cloud *all, const bench_cloud *more, clump_message *why)
{
    float *const xyz = realloc(all->xyz, 3 * (all->count + more->count) * sizeof *xyz + 1);
    if (!xyz) return snprintf(why->text, sizeof why->text, "no memory for %zu points", more->count), false;
    memcpy(xyz + 3 * all->count, more->xyz, 3 * more->count * sizeof *xyz);
    *all = (bench_cloud){xyz, all->count + more->count};
    return true;
}

static bool make_frames(const time_case *item, bench_cloud *all, time_scratch *scratch, clump_message *why)
{
    for (size_t i = 0; i < item->frames; i++) {
        erccl_scan scan;
        if (item->kitti ? !erccl_read_kitti(TIME_KITTI, &scan, why)
                        : !erccl_simulate(item->scene, item->frame + i, &scan, why))
            return false;
        const bool added = append(all, &scan.cloud, why);
        erccl_scan_free(&scan);
        if (!added) return false;
        scratch->first[++scratch->frames] = all->count;
    }
    return true;
}

/* Puts the obstacle points of the first frame, as ER-CCL has them, into `out`: what PCL clusters. */
static bool take_obstacles(const contest *c, clump_context *context, bench_cloud *out, clump_message *why)
{
    const time_scratch *const scratch = c->scratch;
    const size_t count = scratch->first[1];
    const float *const xyz = c->clouds[0].xyz;
    const clump_erccl_options options = erccl_setting(CLUMP_ERCCL_FAST, case_of(c).reach);
    int32_t *const labels = malloc(count * sizeof *labels + 1);
    const bool found =
        labels && clump_erccl(context, (clump_points){.xyz = xyz, .count = count}, &options, labels, NULL) == CLUMP_OK;
    const bool taken = found && bench_cloud_allocate(count, out, why);
    if (!found) snprintf(why->text, sizeof why->text, "the obstacle points of a frame cannot be found");
    if (taken) out->count = 0;
    for (size_t i = 0; taken && i < count; i++)
        if (labels[i] >= 0) memcpy(out->xyz + 3 * out->count++, xyz + 3 * i, 3 * sizeof *xyz);
    free(labels);
    return taken;
}

/* --- contestants --------------------------------------------------------------------------------- */

static void begin(void)
{
    static bool loaded;
    if (!loaded) pcl_load(papers.rivals);
    loaded = true;
}

static void enter_method(contest *c, clump_erccl_method method, int threads)
{
    contestant *const who = contest_ours(c, c->clouds, clump_erccl_method_name(method), method, threads);
    if (who) who->incomparable = method == CLUMP_ERCCL_CCL || method == CLUMP_ERCCL_HASH;
}

static bool enter(contest *c, clump_message *why)
{
    static const clump_erccl_method gpu[] = {CLUMP_ERCCL_RACING, CLUMP_ERCCL_INDEPENDENT, CLUMP_ERCCL_CCL,
                                             CLUMP_ERCCL_HASH, CLUMP_ERCCL_FAST};
    const time_case item = case_of(c);
    c->scratch = calloc(1, sizeof(time_scratch));
    if (!c->scratch) return snprintf(why->text, sizeof why->text, "no memory for the case"), false;
    if (!make_frames(&item, &c->clouds[0], c->scratch, why)) return false;
    c->answers = c->clouds[0].count;
    enter_method(c, CLUMP_ERCCL_FAST, 1);
    for (int k = CLUMP_ERCCL_SERIAL; k <= CLUMP_ERCCL_HASH; k++)
        if (!item.racing_alone || k == CLUMP_ERCCL_RACING) enter_method(c, (clump_erccl_method)k, 1);
    for (size_t k = 0; k < sizeof gpu / sizeof *gpu && !papers.no_gpu; k++)
        if (!item.racing_alone || gpu[k] == CLUMP_ERCCL_RACING) enter_method(c, gpu[k], CONTEST_GPU);
    if (item.racing_alone || settings.no_rivals) return true;
    if (!take_obstacles(c, c->list[0].context, &c->clouds[1], why)) return false;
    pcl_enter(c, &c->clouds[1]);
    return true;
}

static float rival_distance(const contest *c)
{
    return 0.05f * (float)case_of(c).reach;
}

static void add_stats(time_sum *sum, const clump_stats *s)
{
    sum->passes += s->passes, sum->clusters += s->clusters;
    sum->upload_ms += s->upload_ms, sum->build_ms += s->build_ms, sum->cluster_ms += s->cluster_ms;
    sum->label_ms += s->label_ms, sum->download_ms += s->download_ms;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    if (who->rival) return pcl_run(who, rival_distance(c), seconds);
    time_scratch *const scratch = c->scratch;
    time_sum *const sum = &scratch->sums[who - c->list];
    const clump_erccl_options options = erccl_setting((clump_erccl_method)who->method, case_of(c).reach);
    *sum = (time_sum){0};
    *seconds = 0;
    for (size_t i = 0; i < scratch->frames; i++) {
        const size_t from = scratch->first[i];
        const clump_points points = {.xyz = c->clouds[0].xyz + 3 * from, .count = scratch->first[i + 1] - from};
        const double start = machine_seconds();
        if (clump_erccl(who->context, points, &options, c->answer + from, NULL) != CLUMP_OK) return false;
        *seconds += (machine_seconds() - start) / (double)scratch->frames;
        const clump_stats stats = clump_context_stats(who->context);
        add_stats(sum, &stats);
    }
    return true;
}

/* --- results ------------------------------------------------------------------------------------- */

static long long mean_of(int64_t sum, size_t frames)
{
    return (long long)((double)sum / (double)frames + 0.5);
}

static void note(const contest *c, contestant *who)
{
    const time_scratch *const scratch = c->scratch;
    const time_sum *const sum = &scratch->sums[who - c->list];
    if (who->rival)
        snprintf(who->note, sizeof who->note, "the %zu obstacle points of the first frame; d = %g m", who->cloud->count,
                 (double)rival_distance(c));
    else
        snprintf(who->note, sizeof who->note, "%4lld passes %5lld obstacles", mean_of(sum->passes, scratch->frames),
                 mean_of(sum->clusters, scratch->frames));
}

/* The labels of `ccl` and `hash` are not those of the first contestant: on a GPU they are compared with those of the CPU. Those of
 * rivals are compared with none. */
static const char *agrees(const contest *c, const contestant *who, const char *otherwise)
{
    const contestant *const cpu = contest_find(c, who->name, 1);
    if (who->rival) return "";
    if (who->threads != CONTEST_GPU || !who->incomparable || !cpu) return otherwise;
    return cpu->hash == who->hash ? "yes" : "no";
}

static void figures(contest *c, contest_totals *totals)
{
    for (size_t i = 0; i < c->count; i++) {
        const contestant *const who = &c->list[i];
        if (who->failed || strcmp(agrees(c, who, ""), "no") != 0) continue;
        printf("  ERROR: %s: the labels of the GPU are not those of the CPU\n", who->name);
        totals->wrong++;
    }
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    const time_case item = case_of(c);
    const time_scratch *const scratch = c->scratch;
    const time_sum *const sum = &scratch->sums[who - c->list];
    const double frames = (double)scratch->frames;
    char series[CONTEST_NAME];
    snprintf(series, sizeof series, "%s%s", who->name, item.place);
    papers_row r = papers_row_of(c, who);
    r.experiment = item.experiment;
    r.series = series;
    r.x = item.x;
    r.agree = agrees(c, who, r.agree);
    r.note = who->rival ? who->note : "";
    if (!who->rival) {
        r.points /= scratch->frames;
        r.passes = mean_of(sum->passes, scratch->frames);
        r.clusters = (long)mean_of(sum->clusters, scratch->frames);
        r.upload_ms = sum->upload_ms / frames, r.build_ms = sum->build_ms / frames;
        r.cluster_ms = sum->cluster_ms / frames, r.label_ms = sum->label_ms / frames;
        r.download_ms = sum->download_ms / frames;
    }
    papers_put(rows, &r);
}

static void leave(contestant *who)
{
    if (who->rival) pcl_leave(who);
}

/* Limits are per frame, while a run of erccl-reach has up to 10 frames: a run of a slow method is its only sample there. */
#define TIME_JOB                                                                                                       \
    .program = "clump_bench papers", .csv_header = PAPERS_HEADER, .turn_seconds = CONTEST_TURN_SECONDS,                \
    .slow_seconds = 0.05, .hash = true, .begin = begin, .enter = enter, .run = run, .note = note, .leave = leave,      \
    .figures = figures, .row = row

const contest_job erccl_reach_job = {TIME_JOB, .case_count = 2 * TIME_REACHES, .describe = describe_reach,
                                     .seconds = 0.3, .once_seconds = 0.04};
const contest_job erccl_scenes_job = {TIME_JOB, .case_count = ERCCL_SCENES, .describe = describe_scene, .seconds = 1,
                                      .once_seconds = 0.5};
const contest_job erccl_frames_job = {TIME_JOB, .case_count = ERCCL_SCENES * TIME_PER_SCENE, .describe = describe_frame,
                                      .seconds = 0.3, .once_seconds = 0.5};
