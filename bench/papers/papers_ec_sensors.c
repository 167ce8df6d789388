/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec-sensors: sequences of the sensors of Table 3 (papers_ec_frames.c), all six methods beside PCL; Figs 13 and 14. A run
 * clusters every frame of the sequence. Its time is the median over the frames; its stages are means. The rows of
 * ec-frames are the curves: the times of each frame, of the series that the paper draws.
 *
 * The value of a row is the precision as the paper defines it: the share of frames, in per cent, whose number of clusters
 * and whose sizes of clusters equal those that PCL finds.
 *
 * ES methods on the CPU take seconds per large frame: there a run has only the frames that fit into the time limit, at
 * least one. The note of the row says how many. With --quick, methods that would take the limit for one frame are left
 * out, and for the frame of KITTI those that would take twice the limit.
 */
#include "papers/papers_ec.h"
#include "rivals/load.h"
#include "harness/contestants.h"

#include <clump/info.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The clusters of a frame, for comparison: their number, and a hash of their sizes in descending order. */
typedef struct ec_print {
    int32_t clusters;
    uint64_t sizes;
    bool known;
} ec_print;

/* contest.scratch. */
typedef struct sequence {
    ec_case item;           /* first: ec_make_case() of this experiment */
    double side, range;     /* as in ec_frames */
    size_t frames, begin[]; /* frames + 1 entries */
} sequence;

/* contestant.state of PCL: a state of the module per frame. */
typedef struct pcl_sequence {
    const clump_rival *rival;
    size_t frames;
    ec_print *found;
    samples *times; /* of each frame */
    void *states[];
} pcl_sequence;

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "ec-sensors-%s", ec_sensor_names[index]);
    snprintf(text, CONTEST_TEXT, "%s d=0.5",
             index == EC_KITTI ? "a frame without its ground" : "obstacles of a street");
    return true;
}

/* --- precision ----------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static ec_print print_of(const int32_t *labels, size_t count)
{
    ec_print print = {.known = true};
    int32_t *const sizes = calloc(count + 1, sizeof *sizes);
    if (!sizes) return (ec_print){.known = false};
    for (size_t i = 0; i < count; i++) {
        if (labels[i] < 0) continue;
        sizes[labels[i]]++;
        if (labels[i] >= print.clusters) print.clusters = labels[i] + 1;
    }
    qsort(sizes, (size_t)print.clusters, sizeof *sizes, descending);
    print.sizes = clump_labels_hash(sizes, (size_t)print.clusters);
    free(sizes);
    return print;
}

static void keep_prints(const contest *c, ec_print *found, size_t frames)
{
    const sequence *const s = c->scratch;
    for (size_t f = 0; f < frames && found; f++)
        if (!found[f].known) found[f] = print_of(c->answer + s->begin[f], s->begin[f + 1] - s->begin[f]);
}

/* Returns the share of the frames of the contestant, in per cent, that equal PCL's; NaN without PCL. */
static double precision_of(const contest *c, const contestant *who)
{
    const contestant *pcl = NULL;
    for (size_t i = c->count; i-- > 0;)
        if (c->list[i].rival && !c->list[i].failed) pcl = &c->list[i]; /* the first is PCL at its best */
    if (!pcl || who->left_out[0]) return (double)NAN;
    const ec_print *const theirs = ((const pcl_sequence *)pcl->state)->found;
    const ec_print *const ours = who->rival ? ((const pcl_sequence *)who->state)->found : ec_call_of(who)->found;
    const size_t frames = who->rival ? ((const pcl_sequence *)who->state)->frames : ec_call_of(who)->frames;
    size_t same = 0;
    for (size_t f = 0; f < frames; f++)
        same += ours[f].known && theirs[f].known && ours[f].clusters == theirs[f].clusters &&
                ours[f].sizes == theirs[f].sizes;
    return frames ? 100 * (double)same / (double)frames : (double)NAN;
}

/* --- entering ------------------------------------------------------------------------------------ */

static bool make_sequence(contest *c, clump_message *why)
{
    ec_frames frames;
    if (!ec_frames_make((int)c->index, papers.quick ? 5 : 20, &frames, why)) return false;
    sequence *const s = malloc(sizeof *s + (frames.count + 1) * sizeof *s->begin);
    if (!s) {
        ec_frames_free(&frames);
        return snprintf(why->text, sizeof why->text, "no memory for the frames"), false;
    }
    *s = (sequence){.item = {"ec-sensors", (double)c->index, 0.5f},
                    .side = frames.side,
                    .range = frames.range,
                    .frames = frames.count};
    memcpy(s->begin, frames.begin, (frames.count + 1) * sizeof *s->begin);
    c->scratch = s, c->clouds[0] = frames.all, c->answers = frames.all.count;
    frames.all = (bench_cloud){NULL, 0};
    ec_frames_free(&frames);
    const size_t length = strlen(c->text);
    snprintf(c->text + length, sizeof c->text - length,
             ", frames: %zu, mean: %zu points, voxels: %.3f m, range: %.3g m", s->frames, c->answers / s->frames,
             s->side, s->range);
    return true;
}

static void enter_method(contest *c, clump_ec_method method, int threads)
{
    const sequence *const s = c->scratch;
    contestant *const who = ec_enter(c, method, threads, "");
    if (!who || !who->state) return;
    ec_call *const call = ec_call_of(who);
    const double frame = ec_expected_seconds(method, c->answers / s->frames);
    call->frames = s->frames;
    const double most = papers.quick ? 0.2 * ec_limit() : ec_limit(); /* of a run */
    if (threads != CONTEST_GPU && frame * (double)s->frames > most)
        call->frames = frame > most ? 1 : (size_t)(most / frame);
    const bool may_leave_out = papers.quick || c->index == EC_KITTI;
    if (may_leave_out && threads != CONTEST_GPU && frame > (papers.quick ? 1 : 2) * ec_limit())
        ec_leave_out(who, frame);
    call->found = calloc(s->frames, sizeof *call->found);
    call->times = calloc(s->frames, sizeof *call->times);
    if (!call->found || !call->times) who->failed = true;
}

static void free_times(samples *times, size_t frames)
{
    for (size_t f = 0; f < frames && times; f++) samples_free(&times[f]);
    free(times);
}

static void leave_pcl(pcl_sequence *state)
{
    for (size_t f = 0; f < state->frames; f++)
        if (state->states[f]) state->rival->release(state->states[f]);
    free_times(state->times, state->frames);
    free(state->found);
    free(state);
}

static void enter_pcl(contest *c, const clump_rival *rival)
{
    const sequence *const s = c->scratch;
    pcl_sequence *state = calloc(1, sizeof *state + s->frames * sizeof *state->states);
    bool ready = state != NULL;
    if (ready)
        *state = (pcl_sequence){rival, s->frames, calloc(s->frames, sizeof *state->found),
                                calloc(s->frames, sizeof *state->times)};
    ready = ready && state->found && state->times;
    for (size_t f = 0; f < s->frames && ready; f++) {
        state->states[f] = rival->prepare(c->clouds[0].xyz + 3 * s->begin[f], s->begin[f + 1] - s->begin[f]);
        ready = state->states[f] != NULL;
    }
    if (!ready && state) leave_pcl(state);
    contestant *const who = contest_rival(c, c->clouds, rival->name, rival->version, rival, ready ? state : NULL);
    if (who) who->tolerance = rival->must_agree ? 0 : 1;
}

static bool enter(contest *c, clump_message *why)
{
    if (!make_sequence(c, why)) return false;
    enter_method(c, CLUMP_EC_FAST, 1);
    if (settings.cores > 1) enter_method(c, CLUMP_EC_FAST, 0);
    for (int m = 0; m < EC_SIX; m++) enter_method(c, ec_six[m], 1);
    enter_method(c, CLUMP_EC_BFS, 1);
    if (!papers.no_gpu) enter_method(c, CLUMP_EC_FAST, CONTEST_GPU);
    for (int m = 0; m < EC_SIX && !papers.no_gpu; m++) enter_method(c, ec_six[m], CONTEST_GPU);
    for (size_t build = 0; build < 2; build++)
        if (pcl_functions(build)) enter_pcl(c, pcl_functions(build));
    return true;
}

/* --- running ------------------------------------------------------------------------------------- */

static void add_stats(clump_stats *sum, const clump_stats *s)
{
    sum->upload_ms += s->upload_ms, sum->build_ms += s->build_ms, sum->initial_ms += s->initial_ms;
    sum->cluster_ms += s->cluster_ms, sum->label_ms += s->label_ms, sum->download_ms += s->download_ms;
    sum->passes += s->passes, sum->clusters += s->clusters;
}

/* Clusters the frame f. Returns its seconds; negative: it failed. */
static double run_frame(contest *c, contestant *who, size_t f)
{
    const sequence *const s = c->scratch;
    ec_call *const call = ec_call_of(who);
    const size_t first = s->begin[f], count = s->begin[f + 1] - first;
    const float *const xyz = call->xyz ? call->xyz : who->cloud->xyz;
    int32_t *const labels = call->labels ? call->labels : c->answer;
    const double start = machine_seconds();
    const clump_status status = clump_ec(who->context, (clump_points){.xyz = xyz + 3 * first, .count = count},
                                         s->item.d, &call->options, labels + first, NULL);
    const double seconds = machine_seconds() - start;
    if (status != CLUMP_OK) return ec_refuse(who, status, clump_context_error(who->context)), -1;
    if (labels != c->answer) memcpy(c->answer + first, labels + first, 4 * count);
    const clump_stats stats = clump_context_stats(who->context);
    add_stats(&call->sum, &stats);
    return seconds;
}

/* Frames that are left out get the labels of the reference: they are not compared. */
static bool run_ours(contest *c, contestant *who, samples *times)
{
    const sequence *const s = c->scratch;
    ec_call *const call = ec_call_of(who);
    call->sum = (clump_stats){.passes = 0};
    for (size_t f = 0; f < call->frames; f++) {
        const double seconds = run_frame(c, who, f);
        if (seconds < 0 || !samples_add(times, seconds) || !samples_add(&call->times[f], seconds)) return false;
    }
    const size_t done = s->begin[call->frames];
    memcpy(c->answer + done, c->reference + done, 4 * (c->answers - done));
    keep_prints(c, call->found, call->frames);
    return true;
}

static bool run_pcl(contest *c, contestant *who, samples *times)
{
    const sequence *const s = c->scratch;
    const pcl_sequence *const state = who->state;
    for (size_t f = 0; f < s->frames; f++) {
        state->rival->forget(state->states[f]);
        const double start = machine_seconds();
        if (!state->rival->run(state->states[f], s->item.d)) return false;
        const double seconds = machine_seconds() - start;
        if (!samples_add(times, seconds) || !samples_add(&state->times[f], seconds)) return false;
    }
    return true;
}

static bool run(contest *c, contestant *who, double seconds[CONTEST_CLOCKS])
{
    samples times = {0};
    const bool done = who->rival ? run_pcl(c, who, &times) : run_ours(c, who, &times);
    seconds[0] = samples_sum_up(&times).median_ms / 1e3;
    samples_free(&times);
    return done;
}

static bool fetch(contest *c, contestant *who)
{
    const sequence *const s = c->scratch;
    const pcl_sequence *const state = who->state;
    for (size_t f = 0; f < s->frames; f++) state->rival->labels(state->states[f], c->answer + s->begin[f]);
    keep_prints(c, state->found, s->frames);
    return true;
}

static void leave(contestant *who)
{
    if (who->rival) {
        leave_pcl(who->state);
        return;
    }
    free_times(ec_call_of(who)->times, ec_call_of(who)->frames);
    ec_leave(who);
}

/* --- reporting ----------------------------------------------------------------------------------- */

static void note(const contest *c, contestant *who)
{
    const sequence *const s = c->scratch;
    const ec_call *const call = ec_call_of(who);
    const double precision = precision_of(c, who);
    int length = 0;
    if (!isnan(precision)) length = snprintf(who->note, sizeof who->note, "precision %.4g %%", precision);
    if (call && call->frames < s->frames)
        snprintf(who->note + length, sizeof who->note - (size_t)length, "  %zu of %zu frames", call->frames, s->frames);
}

/* Returns whether the paper's curves have the contestant: the six on its device, PCL at its best; `fast` beside them. */
static bool has_curve(const contest *c, const contestant *who)
{
    const int device = papers.no_gpu ? 1 : CONTEST_GPU;
    if (c->index == EC_KITTI || who->left_out[0]) return false;
    return who->rival ? who->module == pcl_functions(0) : who->threads == device && who->method != CLUMP_EC_BFS;
}

/* Adds a row per frame, of all runs. */
static void add_curve(const contest *c, const contestant *who, const papers_row *of, csv *rows)
{
    const sequence *const s = c->scratch;
    const ec_call *const call = ec_call_of(who);
    samples *const times = call ? call->times : ((const pcl_sequence *)who->state)->times;
    const size_t frames = call ? call->frames : s->frames;
    char series[CONTEST_NAME];
    snprintf(series, sizeof series, "%s %s", who->name, ec_sensor_names[c->index]);
    for (size_t f = 0; f < frames; f++) {
        const samples_summary time = samples_sum_up(&times[f]);
        papers_row row = {.name = of->name, .experiment = "ec-frames", .series = series, .x = (double)f};
        row.backend = of->backend, row.threads = of->threads, row.points = s->begin[f + 1] - s->begin[f];
        row.runs = time.runs, row.median_ms = time.median_ms, row.min_ms = time.min_ms;
        row.value = (double)NAN, row.agree = of->agree, row.version = of->version, row.note = "";
        papers_add(rows, &row);
    }
}

static void put_row(const contest *c, const contestant *who, csv *rows)
{
    const sequence *const s = c->scratch;
    const ec_call *const call = ec_call_of(who);
    papers_row row = papers_row_of(c, who);
    char text[CONTEST_TEXT];
    const size_t frames = call ? call->frames : s->frames;
    snprintf(text, sizeof text, "%zu frames; voxels of %.3f m; range %.3g m", frames, s->side, s->range);
    row.experiment = s->item.experiment, row.x = s->item.x, row.points = c->answers / s->frames;
    row.value = precision_of(c, who);
    if (!who->left_out[0]) row.note = text;
    if (call && !who->left_out[0]) {
        const double n = (double)frames;
        const clump_stats *const sum = &call->sum;
        row.upload_ms = sum->upload_ms / n, row.build_ms = sum->build_ms / n, row.initial_ms = sum->initial_ms / n;
        row.cluster_ms = sum->cluster_ms / n, row.label_ms = sum->label_ms / n, row.download_ms = sum->download_ms / n;
        row.passes = (long long)llround((double)sum->passes / n);
        row.clusters = sum->clusters / (long)frames;
    }
    if (has_curve(c, who)) add_curve(c, who, &row, rows);
    papers_put(rows, &row);
}

/* Durations here are per frame; a run has several. Few rounds are enough, and one run where a frame takes 20 ms. */
const contest_job ec_sensors_job = {
    EC_JOB,
    .seconds = 0.2,
    .turn_seconds = 0.002,
    .once_seconds = 0.02,
    .run = run,
    .fetch = fetch,
    .note = note,
    .leave = leave,
    .row = put_row,
    .figures = ec_no_figures,
    .legend = "Median over the frames; GPU: pinned memory. Precision: frames with PCL's number and sizes of clusters.",
    .case_count = EC_SENSORS,
    .begin = ec_begin,
    .describe = describe,
    .enter = enter,
};
