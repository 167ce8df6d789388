/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two options of the six: labels updated in place (ec-in-place), and the block size b of the matrix methods (ec-block).
 * Threads of the CPU (ec-threads): the six are plain statements there with one thread, so `fast` alone has several.
 */
#include "papers/papers_ec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- in place ------------------------------------------------------------------------------------ */

enum { IN_PLACE_CASES = 4 };
static const size_t in_place_clusters[IN_PLACE_CASES] = {4, 16, 64, 256};
static const size_t in_place_points = 16384;

static bool describe_in_place(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "ec-in-place-%zu", in_place_clusters[index]);
    snprintf(text, CONTEST_TEXT, "joints n=%zu c=%zu k=32 D=4 d=1", in_place_points, in_place_clusters[index]);
    return true;
}

/* Enters the method twice: with two arrays of labels, and in place. */
static void enter_both(contest *c, clump_ec_method method, int threads)
{
    ec_enter(c, method, threads, "");
    ec_enter_in_place(c, method, threads);
}

/* ES and RS differ in how the graph is built, not in passes: on the CPU, RS alone. */
static bool enter_in_place(contest *c, clump_message *why)
{
    static const clump_ec_method methods[] = {CLUMP_EC_VERTEX_RS, CLUMP_EC_EDGE_RS, CLUMP_EC_VERTEX_ES,
                                              CLUMP_EC_EDGE_ES};
    clump_factors f = clump_factors_defaults();
    f.points = in_place_points, f.clusters = in_place_clusters[c->index];
    if (!ec_make_case(c, "ec-in-place", (double)f.clusters, 1, why)) return false;
    if (!bench_cloud_factors(&f, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    ec_enter(c, CLUMP_EC_FAST, 1, "");
    for (int m = 0; m < 2; m++) enter_both(c, methods[m], 1);
    for (int m = 0; m < 4 && !papers.no_gpu; m++) enter_both(c, methods[m], CONTEST_GPU);
    return true;
}

const contest_job ec_in_place_job = {
    EC_JOB_OF_CALLS,
    .figures = ec_no_figures,
    .legend = "Labels in two arrays, and in place as in the paper; on a GPU passes in place vary from run to run.",
    .case_count = IN_PLACE_CASES,
    .begin = ec_begin,
    .describe = describe_in_place,
    .enter = enter_in_place,
};

/* --- block size ---------------------------------------------------------------------------------- */

enum { BLOCK_SIZES = 5, BLOCK_CASES = 4 };
static const int block_sizes[BLOCK_SIZES] = {64, 128, 256, 512, 1024};
static const struct block_case {
    const char *cloud;
    size_t points; /* of a synthetic cloud; 0: a frame */
    int sensor;
} block_cases[BLOCK_CASES] = {
    {"4096", 4096, 0},
    {"8192", 8192, 0},
    {"vlp-16", 0, EC_VLP16},
    {"hdl-32e", 0, EC_HDL32E},
};

static bool describe_block(size_t index, char *name, char *text)
{
    const struct block_case *const item = &block_cases[index];
    snprintf(name, CONTEST_NAME, "ec-block-%s", item->cloud);
    if (item->points)
        snprintf(text, CONTEST_TEXT, "joints n=%zu c=128 k=32 D=4 d=1", item->points);
    else
        snprintf(text, CONTEST_TEXT, "a frame of the sensor %s d=0.5", item->cloud);
    return !papers.quick || item->points <= 4096;
}

/* Makes one frame of the sensor the cloud of the case. */
static bool make_frame(contest *c, int sensor, clump_message *why)
{
    ec_frames frames;
    if (!ec_frames_make(sensor, 1, &frames, why)) return false;
    c->clouds[0] = frames.all;
    frames.all = (bench_cloud){NULL, 0};
    ec_frames_free(&frames);
    return true;
}

static bool make_block_cloud(contest *c, clump_message *why)
{
    const struct block_case *const item = &block_cases[c->index];
    clump_factors f = clump_factors_defaults();
    f.points = item->points;
    return item->points ? bench_cloud_factors(&f, &c->clouds[0], why) : make_frame(c, item->sensor, why);
}

/* Enters the matrix methods with every b, and the other four once: their rows are at x = 0. */
static void enter_blocks(contest *c, int threads)
{
    for (int m = 0; m < EC_SIX; m++) {
        const bool matrix = ec_six[m] == CLUMP_EC_MATRIX_ES || ec_six[m] == CLUMP_EC_MATRIX_RS;
        for (int b = 0; b < (matrix ? BLOCK_SIZES : 1); b++) {
            char suffix[40];
            snprintf(suffix, sizeof suffix, " %s", block_cases[c->index].cloud);
            contestant *const who = ec_enter(c, ec_six[m], threads, suffix);
            if (!who || !who->state) continue;
            ec_call_of(who)->x = matrix ? block_sizes[b] : 0;
            if (matrix) ec_call_of(who)->papers.matrix_block = block_sizes[b];
        }
    }
}

static bool enter_block(contest *c, clump_message *why)
{
    const bool frame = block_cases[c->index].points == 0;
    if (!ec_make_case(c, "ec-block", 0, frame ? 0.5f : 1, why) || !make_block_cloud(c, why)) return false;
    c->answers = c->clouds[0].count;
    ec_enter(c, CLUMP_EC_FAST, 1, "");
    enter_blocks(c, 1);
    if (!papers.no_gpu) enter_blocks(c, CONTEST_GPU);
    return true;
}

static void note_block(const contest *c, contestant *who)
{
    const ec_call *const call = ec_call_of(who);
    ec_note(c, who);
    const size_t length = strlen(who->note);
    if (call->papers.matrix_block)
        snprintf(who->note + length, sizeof who->note - length, "  b = %d", call->papers.matrix_block);
}

const contest_job ec_block_job = {
    EC_JOB_OF_CLOUDS,
    .run = ec_run,
    .note = note_block,
    .leave = ec_leave,
    .row = ec_put_row,
    .figures = ec_no_figures,
    .legend = "The matrix methods with blocks of b labels, beside the other four.",
    .case_count = BLOCK_CASES,
    .begin = ec_begin,
    .describe = describe_block,
    .enter = enter_block,
};

/* --- threads ------------------------------------------------------------------------------------- */

enum { THREAD_CASES = 2 };
static const char *const thread_clouds[THREAD_CASES] = {"joints", "kitti"};

static bool describe_threads(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "ec-threads-%s", thread_clouds[index]);
    snprintf(text, CONTEST_TEXT, "%s",
             index ? "a frame of KITTI without its ground d=0.5" : "joints c=128 k=32 D=4 d=1");
    return true;
}

/* Enters `fast` with 1, 2, 4 ... threads and with all cores. */
static bool enter_threads(contest *c, clump_message *why)
{
    const int cores = settings.cores > 1 ? settings.cores : 1;
    clump_factors f = clump_factors_defaults();
    if (papers.quick) f.points = 65536;
    if (!ec_make_case(c, "ec-threads", 1, c->index ? 0.5f : 1, why)) return false;
    if (c->index ? !make_frame(c, EC_KITTI, why) : !bench_cloud_factors(&f, &c->clouds[0], why)) return false;
    c->answers = c->clouds[0].count;
    char suffix[24];
    snprintf(suffix, sizeof suffix, " %s", thread_clouds[c->index]);
    for (int threads = 1; threads <= cores; threads = threads < cores && 2 * threads > cores ? cores : 2 * threads) {
        contestant *const who = ec_enter(c, CLUMP_EC_FAST, threads, suffix);
        if (who && who->state) ec_call_of(who)->x = threads;
    }
    return true;
}

const contest_job ec_threads_job = {
    EC_JOB_OF_CALLS,
    .figures = ec_no_figures,
    .legend = "Median ms; x = times as long as with one thread.",
    .case_count = THREAD_CASES,
    .begin = ec_begin,
    .describe = describe_threads,
    .enter = enter_threads,
};
