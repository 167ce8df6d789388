/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_feed.h: made packets of a Velodyne sensor become points.
 */
#ifndef CLUMP_TESTS_VELODYNE_FEED_H
#define CLUMP_TESTS_VELODYNE_FEED_H

#include "support/velodyne_run.h"
#include "support/velodyne_sample.h"

#define DEGREE (3.14159265358979323846 / 180)
#define SECOND INT64_C(1000000000)

static unsigned char packet[SAMPLE_BYTES];
static const int64_t hour = INT64_C(1600000000) / 3600 * 3600 * SECOND;

static inline velodyne_run open_run(void)
{
    return (velodyne_run){.sensor = &clump_io_sensor_velodyne};
}

static inline size_t give_sample(velodyne_run *run, velodyne_sample *sample)
{
    const int64_t time = hour + (int64_t)(sample->clock * 1000) + 2000000; /* recorded 2 ms later */
    sample_packet(sample, packet);
    return velodyne_run_give(run, packet, sizeof packet, time);
}

#endif
