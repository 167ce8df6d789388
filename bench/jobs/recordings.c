/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clump_bench recordings: how fast frames come out of a recording, on one core, and how fast they become boxes.
 *
 *     clump_bench recordings [--frames N] [--repeat R] [--csv FILE] [--list] [--machine] [CASE...]
 *
 * Recordings of clouds are written here, in memory: scans of KITTI, or simulated ones, as sensor_msgs/PointCloud2 in MCAP
 * and in bags of ROS 1. Recordings of packets are real captures of the folder of scans. All times are per frame.
 *
 *     next      clump_recording_next(): read, decompress, decode
 *     detect    the same, then clump_detect(): ground, clusters closer than 0.5 m, boxes; one thread
 *     memcpy    the floor: one copy of the recording's bytes
 */
#include "jobs/jobs.h"

#include "harness/cases.h"
#include "harness/contest.h"

#include <clump/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kind {
    const char *name;
    const char *file; /* below the folder of scans; null: made here */
    clump_recording_format format;
    clump_compression compression;
    double next_target;   /* million points per second; 0: none */
    double detect_target; /* frames per second; 0: none */
} kinds[] = {
    {"mcap", NULL, CLUMP_RECORDING_MCAP, CLUMP_COMPRESSION_NONE, 0, 100},
    {"mcap-lz4", NULL, CLUMP_RECORDING_MCAP, CLUMP_COMPRESSION_LZ4, 0, 0},
    {"mcap-zstd", NULL, CLUMP_RECORDING_MCAP, CLUMP_COMPRESSION_ZSTD, 0, 0},
    {"bag", NULL, CLUMP_RECORDING_BAG, CLUMP_COMPRESSION_NONE, 0, 100},
    {"bag-lz4", NULL, CLUMP_RECORDING_BAG, CLUMP_COMPRESSION_LZ4, 0, 0},
    {"bag-bz2", NULL, CLUMP_RECORDING_BAG, CLUMP_COMPRESSION_BZ2, 0, 0},
    {"vlp-16", "pcap/mrpt_sample_velodyne_vlp16_gps.pcap", 0, 0, 20, 0},
    {"vlp-16-dual", "pcap/DERIVED_nebula_vlp16.pcap", 0, 0, 20, 0},
    {"vlp-32c", "pcap/DERIVED_nebula_vlp32.pcap", 0, 0, 20, 0},
    {"hdl-32e", "pcap/mrpt_sample_velodyne_hdl32.pcap", 0, 0, 20, 0},
    {"vls-128", "rosbag/nebula_vls128_0.db3", 0, 0, 20, 0},
    {"ouster-os-1-128", "pcap/ouster_OS-1-128_v2.3.0_1024x10_lb_n3.pcap", 0, 0, 20, 0},
    {"ouster-os-2-128", "pcap/ouster_OS-2-128-U1_v2.3.0_1024x10.pcap", 0, 0, 20, 0},
    {"pandar64", "rosbag/nebula_pandar64_0.db3", 0, 0, 20, 0},
    {"xt32", "rosbag/nebula_xt32_0.db3", 0, 0, 20, 0},
};

enum { RECORDINGS_NEXT, RECORDINGS_DETECT, RECORDINGS_MEMCPY, RECORDINGS_SCANS = 3 };
static const char *const names[] = {"next", "detect", "memcpy"};

static long frame_limit = 20;
static char folder[] = "/tmp/clump-bench-XXXXXX";
static clump_context *context;
static struct {
    unsigned char *bytes, *copy;
    size_t size, frames, points;
    clump_frame frame;
    int32_t *labels;
    clump_cluster boxes[4096];
    char json[1000]; /* path of the sensor's metadata; "" without */
} now;

/* --- the recordings ----------------------------------------------------------------------------- */

/* Returns scan i: of KITTI where there are scans, else simulated. The caller destroys it. */
static clump_cloud *make_scan(int i, clump_message *why)
{
    char path[1000];
    clump_cloud *cloud = NULL;
    snprintf(path, sizeof path, "%s/kitti/semkitti_00_00000%d.bin", settings.data, i);
    if (access(path, R_OK) == 0) return clump_cloud_load(path, NULL, &cloud, why) == CLUMP_OK ? cloud : NULL;
    bench_cloud street;
    if (!bench_cloud_street(&street, why)) return NULL;
    if (clump_cloud_create(street.count, &cloud, why) == CLUMP_OK)
        memcpy(clump_cloud_xyz(cloud), street.xyz, 3 * street.count * sizeof *street.xyz);
    const clump_field field = {"intensity", CLUMP_TYPE_F32, 1, street.xyz};
    if (cloud) (void)clump_cloud_set_field(cloud, &field, why);
    bench_cloud_free(&street);
    return cloud;
}

/* Writes a recording of scans. */
static bool write_scans(const struct kind *kind, const char *path, clump_message *why)
{
    clump_recorder_options options = clump_recorder_defaults();
    options.format = kind->format;
    options.compression = kind->compression;
    clump_recorder *recorder;
    clump_frame frames[RECORDINGS_SCANS] = {{.frame_id = "velodyne"}};
    bool right = clump_recorder_open(path, &options, &recorder, why) == CLUMP_OK;
    for (int i = 0; right && i < RECORDINGS_SCANS; i++) right = (frames[i].cloud = make_scan(i, why)) != NULL;
    for (long i = 0; right && i < frame_limit; i++) {
        clump_frame *const frame = &frames[i % RECORDINGS_SCANS];
        frame->stamp = frame->received = 1700000000000000000 + i * 100000000;
        right = clump_recorder_cloud(recorder, "/points", frame, NULL, why) == CLUMP_OK;
    }
    if (recorder) right = clump_recorder_close(recorder, right, right ? why : NULL) == CLUMP_OK && right;
    for (int i = 0; i < RECORDINGS_SCANS; i++) clump_frame_release(&frames[i]);
    return right;
}

static bool read_file(const char *path, clump_message *why)
{
    FILE *const from = fopen(path, "rb");
    if (!from) return snprintf(why->text, sizeof why->text, "%.400s cannot be opened", path), false;
    fseek(from, 0, SEEK_END);
    now.size = (size_t)ftell(from);
    rewind(from);
    now.bytes = malloc(now.size + 1);
    now.copy = malloc(now.size + 1);
    const bool right = now.bytes && now.copy && fread(now.bytes, 1, now.size, from) == now.size;
    fclose(from);
    if (!right) snprintf(why->text, sizeof why->text, "%.400s cannot be read", path);
    return right;
}

/* The JSON file of an Ouster capture has its name up to the mode. */
static void find_metadata(const char *path)
{
    snprintf(now.json, sizeof now.json, "%s", path);
    char *const mode = strstr(now.json, "1024x10");
    if (mode) snprintf(mode, sizeof now.json - (size_t)(mode - now.json), "1024x10.json");
    if (!mode || access(now.json, R_OK) != 0) now.json[0] = '\0';
}

/* --- one pass ------------------------------------------------------------------------------------- */

static bool open_now(clump_recording **recording, clump_message *why)
{
    clump_recording_options options = clump_recording_defaults();
    if (now.json[0]) options.metadata = now.json;
    return clump_recording_parse(now.bytes, now.size, "recording", &options, recording, why) == CLUMP_OK;
}

/* Reads all frames, and finds the boxes where `detects`. */
static bool pass(bool detects, clump_message *why)
{
    clump_recording *recording;
    if (!open_now(&recording, why)) return false;
    now.frames = now.points = 0;
    bool more = true, right = true;
    while (right) {
        right = clump_recording_next(recording, &now.frame, &more, why) == CLUMP_OK;
        if (!right || !more) break;
        const clump_points points = clump_cloud_points(now.frame.cloud);
        now.frames++;
        now.points += points.count;
        if (!detects) continue;
        int32_t count;
        right = clump_detect(context, points, NULL, now.labels, now.boxes, sizeof now.boxes / sizeof *now.boxes,
                             &count) == CLUMP_OK;
    }
    clump_recording_close(recording);
    return right;
}

/* --- the contest ---------------------------------------------------------------------------------- */

static void release(void)
{
    free(now.bytes);
    free(now.copy);
    free(now.labels);
    now.bytes = now.copy = NULL, now.labels = NULL, now.json[0] = '\0';
}

static bool describe(size_t index, char *name, char *text)
{
    snprintf(name, CONTEST_NAME, "%s", kinds[index].name);
    snprintf(text, CONTEST_TEXT, "%s", kinds[index].file ? kinds[index].file : "PointCloud2 x y z intensity");
    return true;
}

static bool enter(contest *c, clump_message *why)
{
    const struct kind *const kind = &kinds[c->index];
    char path[1000];
    release();
    if (kind->file) {
        snprintf(path, sizeof path, "%s/%s", settings.data, kind->file);
        find_metadata(path);
    } else {
        snprintf(path, sizeof path, "%s/recording", folder);
        if (!write_scans(kind, path, why)) return false;
    }
    const bool read = read_file(path, why);
    if (!kind->file) unlink(path);
    if (!read || !pass(false, why)) return false;
    now.labels = malloc((now.points + 1) * sizeof *now.labels);
    if (!now.labels) return snprintf(why->text, sizeof why->text, "no memory"), false;
    c->clouds[0].count = now.frames ? now.points / now.frames : 0;
    for (int k = RECORDINGS_NEXT; k <= RECORDINGS_MEMCPY; k++) {
        contestant *const who =
            contest_rival(c, c->clouds, names[k], k == RECORDINGS_MEMCPY ? "" : clump_version(), NULL, c);
        who->method = k, who->rival = false;
    }
    return true;
}

static bool run(contest *c, contestant *who, double *seconds)
{
    (void)c;
    clump_message why = {0};
    bool right = true;
    const double begin = machine_seconds();
    if (who->method == RECORDINGS_MEMCPY)
        memcpy(now.copy, now.bytes, now.size);
    else
        right = pass(who->method == RECORDINGS_DETECT, &why);
    *seconds = (machine_seconds() - begin) / (double)(now.frames ? now.frames : 1);
    if (!right) fprintf(stderr, "clump_bench recordings: %s\n", why.text);
    return right;
}

static double points_per_frame(void)
{
    return now.frames ? (double)now.points / (double)now.frames : 0;
}

/* Million points per second. */
static double rate_of(const contestant *who)
{
    return who->time[0].median_ms > 0 ? 1e-3 * points_per_frame() / who->time[0].median_ms : 0;
}

static void note(const contest *c, contestant *who)
{
    (void)c;
    if (who->time[0].median_ms > 0)
        snprintf(who->note, sizeof who->note, "%.0f frames/s, %.1f million points/s", 1e3 / who->time[0].median_ms,
                 rate_of(who));
}

static void figures(contest *c, contest_totals *totals)
{
    const struct kind *const kind = &kinds[c->index];
    const contestant *const next = contest_find(c, "next", 1), *const detect = contest_find(c, "detect", 1);
    if (next && kind->next_target > 0)
        contest_figure(totals, rate_of(next) >= kind->next_target, "%.1f million points per second [%g]", rate_of(next),
                       kind->next_target);
    if (detect && kind->detect_target > 0)
        contest_figure(totals, 1e3 / detect->time[0].median_ms >= kind->detect_target,
                       "%.0f frames per second from the recording to boxes [%g]", 1e3 / detect->time[0].median_ms,
                       kind->detect_target);
}

static void row(const contest *c, const contestant *who, csv *rows)
{
    csv_add(rows, "%s,%s,%zu,%.0f,%zu,%zu,%.4f,%.1f,%.2f,", c->name, who->name, now.frames, points_per_frame(),
            now.size, who->time[0].runs, who->time[0].median_ms,
            who->time[0].median_ms > 0 ? 1e3 / who->time[0].median_ms : 0, rate_of(who));
}

static void begin(void)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    options.threads = 1;
    if (clump_context_create(&options, &context) != CLUMP_OK || !mkdtemp(folder))
        fprintf(stderr, "clump_bench recordings: no context, or %s cannot be made\n", folder);
}

static void end(contest_totals *totals)
{
    (void)totals;
    release();
    clump_frame_release(&now.frame);
    clump_context_destroy(context);
    rmdir(folder);
}

static const char help[] = "clump_bench recordings [--frames N] [--repeat R] [--csv FILE] [--resume] [--data FOLDER] "
                           "[--list] [--machine] [CASE...]";

int bench_recordings(int argc, char **argv)
{
    static const contest_option options[] = {
        CONTEST_LIST, {"--frames", .number = &frame_limit}, {"--repeat", .number = &settings.repeat}};
    const contest_job job = {
        CONTEST_MEMBERS,
        .program = "clump_bench recordings",
        .csv_header = "case,contestant,frames,points_per_frame,bytes,rounds,median_ms,frames_per_second,"
                      "million_points_per_second," CSV_MACHINE,
        .case_count = sizeof kinds / sizeof *kinds,
        .end = end,
    };
    settings.repeat = 11;
    return contest_main(&job, argc, argv);
}
