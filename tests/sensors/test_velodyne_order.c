/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_velodyne_order.c: frames, order, loss and time of made packets.
 */
#include "support/check.h"
#include "sensors/velodyne_feed.h"

#include <math.h>

/* --- frames --------------------------------------------------------------------------------------- */

typedef struct seen_frames {
    size_t count;
    size_t points[16];
    int64_t stamps[16];
    float first_azimuth[16]; /* of the first point, degrees */
} seen_frames;

static void see_frame(void *user, const clump_io_filling *filling)
{
    seen_frames *const seen = user;
    if (seen->count >= 16) return;
    seen->points[seen->count] = filling->count;
    seen->stamps[seen->count] = filling->stamp;
    const double azimuth = atan2(-(double)filling->xyz[1], (double)filling->xyz[0]) / DEGREE;
    seen->first_azimuth[seen->count++] = (float)(azimuth < -0.001 ? azimuth + 360 : azimuth);
}

static void cuts_frames_at_azimuth_0(void)
{
    seen_frames seen = {0};
    velodyne_run run = open_run();
    run.frame = see_frame, run.user = &seen;
    velodyne_sample sample = sample_vlp16();
    sample.distance = 5000, sample.azimuth = 18000;
    for (int i = 0; i < 75 * 3; i++) give_sample(&run, &sample); /* three turns: 900 firings each */
    CHECK_INT(seen.count, 3);
    CHECK_INT(seen.points[0], 450 * 32);
    CHECK_INT(seen.points[1], 900 * 32);
    CHECK_INT(seen.points[2], 900 * 32);
    CHECK(seen.first_azimuth[1] < 0.01f);
    CHECK(llabs(seen.stamps[1] - (hour + 450 * 110592)) < 1000);
    velodyne_run_close(&run);
    CHECK_INT(run.frames, 4);
    CHECK_INT(run.lost, 0);
}

/* A sensor that is set to send 270 to 90 degrees gives whole sectors, and its pauses are no loss. */
static void cuts_frames_in_a_masked_sector(void)
{
    seen_frames seen = {0};
    velodyne_run run = open_run();
    run.frame = see_frame, run.user = &seen;
    velodyne_sample sample = sample_vlp32();
    sample.distance = 5000, sample.azimuth = 28000, sample.mask_from = 9000, sample.mask_to = 27000;
    for (int i = 0; i < 75 * 6; i++) give_sample(&run, &sample);
    velodyne_run_close(&run);
    CHECK_INT(run.lost, 0);
    CHECK_INT(seen.count, 8);
    CHECK_INT(seen.points[0], 400 * 32); /* up to 0 degrees: the mask is not known yet */
    CHECK_INT(seen.points[1], 450 * 32);
    for (size_t i = 2; i < 7; i++) CHECK_INT(seen.points[i], 900 * 32);
    CHECK(fabsf(seen.first_azimuth[3] - 271.4f) < 0.3f);
}

/* After restart(), the same packets give the same frames. */
static void forgets_all_at_a_restart(void)
{
    seen_frames seen[2] = {{0}, {0}};
    velodyne_run run = open_run();
    run.frame = see_frame;
    for (int round = 0; round < 2; round++) {
        velodyne_sample sample = sample_vlp32();
        sample.distance = 5000, sample.azimuth = 28000, sample.mask_from = 9000, sample.mask_to = 27000;
        sample.clock = 2000e6;
        run.user = &seen[round];
        if (run.state) run.sensor->restart(run.state);
        for (int i = 0; i < 75 * 3; i++) give_sample(&run, &sample);
        velodyne_run_end(&run);
    }
    CHECK(seen[0].count > 2 && memcmp(&seen[0], &seen[1], sizeof seen[0]) == 0);
    CHECK_INT(run.lost, 0);
    velodyne_run_close(&run);
}

static void counts_lost_packets(void)
{
    static velodyne_sample (*const samples[])(void) = {sample_vlp16, sample_hdl32, sample_vlp32, sample_vls128,
                                                       sample_hdl64};
    for (size_t s = 0; s < 5; s++) {
        velodyne_run run = open_run();
        velodyne_sample sample = samples[s]();
        sample.clock = 3599.99e6; /* passes the end of the hour */
        uint64_t missing = 0;
        for (int i = 0; i < 400; i++) {
            give_sample(&run, &sample);
            for (int k = 0; k < (i % 100 == 50 ? i / 50 : 0); k++, missing++) sample_packet(&sample, packet);
        }
        CHECK_MSG(run.lost == missing && missing > 0, "sensor %zu: %d of %d", s, (int)run.lost, (int)missing);
        CHECK_INT(run.reordered + run.damaged, 0);
        velodyne_run_close(&run);
    }
}

/* Half a turn or several turns are missing. */
static void cuts_frames_after_a_gap(void)
{
    seen_frames seen = {0};
    velodyne_run run = open_run();
    run.frame = see_frame, run.user = &seen;
    velodyne_sample sample = sample_vlp16();
    sample.distance = 5000, sample.azimuth = 100;
    for (int i = 0; i < 40; i++) give_sample(&run, &sample);
    for (int i = 0; i < 75 + 10; i++) sample_packet(&sample, packet); /* a turn and some more, not past 0 */
    for (int i = 0; i < 10; i++) give_sample(&run, &sample);
    CHECK_INT(seen.count, 1);
    CHECK_INT(run.lost, 85);
    sample.clock += 60e6; /* a minute: a pause, not a loss */
    give_sample(&run, &sample);
    CHECK_INT(seen.count, 2);
    CHECK_INT(run.lost, 85);
    velodyne_run_close(&run);
}

static void keeps_late_packets_in_the_frame(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.distance = 5000, sample.azimuth = 35000;
    unsigned char early[SAMPLE_BYTES], late[SAMPLE_BYTES];
    give_sample(&run, &sample); /* 350 to 354.8 degrees */
    sample_packet(&sample, late);
    sample_packet(&sample, early); /* 359.6 to 4.4 degrees: cuts */
    velodyne_run_give(&run, early, sizeof early, hour);
    CHECK_INT(run.frames, 1);
    velodyne_run_give(&run, late, sizeof late, hour);
    CHECK_INT(run.reordered, 1);
    for (int i = 0; i < 5; i++) give_sample(&run, &sample);
    CHECK_INT(run.frames, 1); /* the late packet has not begun a turn */
    CHECK_INT(run.lost, 1);   /* it was missing when the next one came */
    const uint64_t points = run.filling.count;
    velodyne_run_give(&run, packet, sizeof packet, hour); /* the last one again */
    CHECK_INT(run.filling.count, points);
    CHECK_INT(run.reordered, 2);
    velodyne_run_close(&run);
}

static void goes_on_when_the_clock_goes_back(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.clock = 100e6, sample.azimuth = 5000;
    for (int i = 0; i < 10; i++) give_sample(&run, &sample);
    sample.clock = 10e6, sample.azimuth = 20000;
    for (int i = 0; i < 10; i++) give_sample(&run, &sample);
    CHECK_INT(run.frames, 1);
    CHECK_INT(run.lost + run.reordered, 0);
    CHECK_INT(run.filling.stamp, hour + 10 * SECOND);
    velodyne_run_close(&run);
}

static void ignores_jitter_of_the_azimuth(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.distance = 5000;
    for (int i = 0; i < 200; i++) {
        sample_packet(&sample, packet);
        for (unsigned b = 1; b < 12; b += 3) { /* 1 degree back */
            const unsigned azimuth = (packet[100 * b + 2] | (unsigned)packet[100 * b + 3] << 8) + 36000 - 100;
            packet[100 * b + 2] = (unsigned char)(azimuth % 36000),
                             packet[100 * b + 3] = (unsigned char)(azimuth % 36000 >> 8);
        }
        velodyne_run_give(&run, packet, sizeof packet, hour + (int64_t)sample.clock * 1000);
    }
    CHECK_INT(run.frames, 200 / 75);
    velodyne_run_close(&run);
}

/* --- time ------------------------------------------------------------------------------------------ */

static int64_t first_stamp(double clock, int64_t received)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.clock = clock;
    sample_packet(&sample, packet);
    velodyne_run_give(&run, packet, sizeof packet, received);
    const int64_t stamp = run.filling.stamp;
    velodyne_run_close(&run);
    return stamp;
}

static void completes_times_by_the_hour(void)
{
    CHECK_INT(first_stamp(1e6, hour + SECOND + 777), hour + SECOND);
    CHECK_INT(first_stamp(3599.5e6, hour + SECOND / 4), hour - SECOND / 2); /* recorded in the next hour */
    CHECK_INT(first_stamp(0.5e6, hour - SECOND), hour + SECOND / 2);        /* recorded by a clock that is late */
    CHECK_INT(first_stamp(1000e6, hour + 5), hour + 5);                     /* no GPS: the clock tells nothing */
    CHECK_INT(first_stamp(1000e6, INT64_MAX), INT64_MAX);
    CHECK_INT(first_stamp(1000e6, INT64_MIN), INT64_MIN);
}

/* Without GPS, intervals are those of the sensor, not of the network. */
static void keeps_intervals_without_gps(void)
{
    velodyne_run run = open_run();
    velodyne_sample sample = sample_vlp16();
    sample.clock = 2000e6, sample.azimuth = 100;
    for (int i = 0; i < 50; i++) {
        const int64_t jitter = i % 7 * 300000;
        sample_packet(&sample, packet);
        velodyne_run_give(&run, packet, sizeof packet, hour + i * INT64_C(1327104) + jitter);
    }
    const float *const time = run.filling.fields[2];
    CHECK_INT(run.filling.stamp, hour);
    CHECK(fabsf(time[49 * 384] - 49 * 1327.104e-6f) < 2e-6f);
    velodyne_run_close(&run);
}

CHECK_PROGRAM(test_velodyne_order)
{
    RUN(cuts_frames_at_azimuth_0);
    RUN(cuts_frames_in_a_masked_sector);
    RUN(forgets_all_at_a_restart);
    RUN(counts_lost_packets);
    RUN(cuts_frames_after_a_gap);
    RUN(keeps_late_packets_in_the_frame);
    RUN(goes_on_when_the_clock_goes_back);
    RUN(ignores_jitter_of_the_azimuth);
    RUN(completes_times_by_the_hour);
    RUN(keeps_intervals_without_gps);
}
