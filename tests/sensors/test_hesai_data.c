/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hesai_data.c: recordings of Hesai sensors against frames that another decoder (nebula) has made of them.
 *
 * The other decoder cuts frames by the azimuth of each point, this one by that of the block. So points whose direction is
 * near azimuth 0 may be in the frame before or after. All others must be there in both. Of the QT128, the other decoder has
 * left out points nearer than 0.3 m, and the first of two returns within 0.1 m of each other.
 */
#include "support/check.h"

#include <clump/io.h>

#include <math.h>
#include <unistd.h>

static const struct {
    const char *recording, *truth, *model;
    size_t frame, frames; /* that the truth is of; in the recording */
    size_t points;        /* of the frame here; fixed */
    double edge;          /* degrees around azimuth 0: the largest azimuth of a channel */
    size_t near;          /* points here that are nearer than 0.3 m, and that the other decoder has left out */
    size_t twins;         /* points here whose beam has another return within 0.1 m */
    uint64_t lost;        /* packets that the recording does not have */
} samples[] = {
    {"rosbag/nebula_pandar64_0.db3", "rosbag/nebula_pandar64_truth.pcd", "Hesai Pandar64", 2, 5, 93600, 5.6, 0, 0, 0},
    {"rosbag/nebula_qt64_0.db3", "rosbag/nebula_qt64_truth.pcd", "Hesai QT64", 2, 5, 34156, 9.5, 0, 0, 0},
    {"rosbag/nebula_xt32_0.db3", "rosbag/nebula_xt32_truth.pcd", "Hesai XT32", 3, 5, 63021, 0.6, 0, 0, 0},
    {"rosbag/nebula_xt16_0.db3", "rosbag/nebula_xt16_truth.pcd", "Hesai XT16", 2, 5, 26287, 0.6, 0, 0, 0},
    {"rosbag/nebula_40p_0.db3", "rosbag/nebula_40p_truth.pcd", "Hesai Pandar40P", 2, 5, 56763, 6.2, 0, 0, 0},
    {"rosbag/nebula_qt128_0.db3", "rosbag/nebula_qt128_truth.pcd", "Hesai QT128", 1, 3, 88495, 10.5, 14935, 7, 0},
    {"rosbag/nebula_xt32m_0.db3", "rosbag/nebula_xt32m_truth.pcd", "Hesai XT32M2X", 3, 5, 13574, 1.5, 0, 0, 852},
};

static int compare_x(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns a copy of the points, sorted by x. */
static float *sort_points(clump_points points)
{
    float *xyz = malloc(points.count * 12 + 1);
    if (!xyz) abort();
    memcpy(xyz, points.xyz, points.count * 12);
    qsort(xyz, points.count, 12, compare_x);
    return xyz;
}

static bool has_point(const float *sorted, size_t count, const float p[3], float tolerance)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sorted[3 * middle] < p[0] - tolerance)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && sorted[3 * low] <= p[0] + tolerance; low++)
        if (fabsf(sorted[3 * low + 1] - p[1]) <= tolerance && fabsf(sorted[3 * low + 2] - p[2]) <= tolerance)
            return true;
    return false;
}

/* Counts points of a that b does not have within 0.1 mm, whose azimuth is not within `edge` degrees of 0, and that are not
 * nearer than `nearest`. */
static size_t count_missing(clump_points a, clump_points b, double edge, float nearest)
{
    float *sorted = sort_points(b);
    size_t missing = 0;
    for (size_t i = 0; i < a.count; i++) {
        const float *p = a.xyz + 3 * i;
        const double azimuth = atan2(p[0], p[1]) * 180 / acos(-1);
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] < nearest * nearest) continue;
        if (fabs(azimuth) > edge && !has_point(sorted, b.count, p, 1e-4f)) missing++;
    }
    free(sorted);
    return missing;
}

static void check_frame(const clump_frame *frame, const char *truth_path, size_t sample)
{
    clump_cloud *truth;
    clump_message why;
    CHECK_INT(clump_cloud_load(truth_path, NULL, &truth, &why), CLUMP_OK);
    if (!truth) return;
    const clump_points ours = clump_cloud_points(frame->cloud), theirs = clump_cloud_points(truth);
    CHECK_INT(ours.count, samples[sample].points);
    const size_t far = ours.count - samples[sample].near;
    CHECK_MSG(far + 30 > theirs.count && theirs.count + 30 > far, "%zu", far);
    CHECK_INT(count_missing(ours, theirs, samples[sample].edge, samples[sample].near ? 0.3f : 0),
              samples[sample].twins);
    CHECK_INT(count_missing(theirs, ours, samples[sample].edge, 0), 0);
    clump_cloud_destroy(truth);
}

static void check_recording(const char *folder, size_t sample)
{
    char path[1100], truth[1100];
    snprintf(path, sizeof path, "%s/%s", folder, samples[sample].recording);
    snprintf(truth, sizeof truth, "%s/%s", folder, samples[sample].truth);
    clump_recording *recording;
    clump_message why = {""};
    if (access(truth, R_OK) != 0) {
        printf("skipped: %s: " DO_DATA "\n", samples[sample].truth);
        return;
    }
    const clump_status opened = clump_recording_open(path, NULL, &recording, &why);
    CHECK_MSG(opened == CLUMP_OK, "%s", why.text);
    if (opened != CLUMP_OK) return;
    clump_frame frame = {0};
    int64_t stamp = 0;
    size_t count = 0;
    for (bool more; clump_recording_next(recording, &frame, &more, &why) == CLUMP_OK && more; count++) {
        if (count == samples[sample].frame) check_frame(&frame, truth, sample);
        if (count > 1 && count < samples[sample].frames) /* 10 turns per second, by the sensor's clock */
            CHECK_MSG(llabs(frame.stamp - stamp - 100000000) < 200000, "frame %zu: %" PRId64, count,
                      frame.stamp - stamp);
        stamp = frame.stamp;
        if (samples[sample].lost == 0) CHECK_INT(frame.lost, 0);
    }
    CHECK_INT(count, samples[sample].frames);
    const clump_recording_losses losses = clump_recording_lost(recording);
    CHECK_INT(losses.lost_packets, samples[sample].lost);
    CHECK_INT(losses.damaged_packets + losses.reordered + losses.damaged_messages, 0);
    clump_frame_release(&frame);
    clump_recording_close(recording);
}

static void agrees_with_another_decoder(void)
{
    const char *folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    for (size_t k = 0; k < sizeof samples / sizeof samples[0]; k++) check_recording(folder, k);
}

CHECK_PROGRAM(test_hesai_data)
{
    RUN(agrees_with_another_decoder);
}
