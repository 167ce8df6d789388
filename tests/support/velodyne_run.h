/* SPDX-License-Identifier: BSD-3-Clause
 *
 * velodyne_run.h: a sensor that is fed packets by hand, as frames.c does it.
 */
#ifndef CLUMP_TESTS_VELODYNE_RUN_H
#define CLUMP_TESTS_VELODYNE_RUN_H

#include "sensors/sensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct velodyne_run {
    const clump_io_sensor *sensor;
    clump_io_sensor_setup setup;
    clump_message why;
    void *state;
    clump_io_filling filling;
    uint64_t lost, reordered, damaged, frames, points;
    void (*frame)(void *user, const clump_io_filling *filling); /* called for each frame; may be null */
    void *user;
} velodyne_run;

static inline void velodyne_run_room(velodyne_run *run)
{
    const clump_io_where where = {NULL, &run->why};
    clump_io_filling *const f = &run->filling;
    size_t count;
    const clump_io_shape *const shapes = run->sensor->fields(run->state, &count);
    if (!f->cloud && clump_io_cloud_prepare(&where, &f->cloud, shapes, count, 1024) != CLUMP_OK) abort();
    clump_io_cloud_set_count(f->cloud, f->count);
    if (clump_io_cloud_grow(&where, f->cloud, f->count + run->sensor->most_points(run->state)) != CLUMP_OK) abort();
    f->room = f->cloud->capacity;
    f->xyz = f->cloud->xyz;
    for (size_t i = 0; i < count; i++) f->fields[i] = clump_io_field_data(f->cloud, i);
}

/* Ends the frame. */
static inline void velodyne_run_end(velodyne_run *run)
{
    clump_io_filling *const f = &run->filling;
    if (f->count == 0) return;
    clump_io_cloud_set_count(f->cloud, f->count);
    if (run->frame) run->frame(run->user, f);
    run->frames++;
    run->points += f->count;
    f->count = 0, f->stamp = 0, f->lost = 0;
}

/* Returns the number of parts of the packet. */
static inline size_t velodyne_run_give(velodyne_run *run, const unsigned char *bytes, size_t size, int64_t received)
{
    const clump_io_packet packet = {bytes, size, received};
    run->setup.where.message = &run->why;
    if (!run->state) {
        if (!run->sensor->recognise(bytes, size)) return 0;
        if (run->sensor->create(&run->setup, &packet, &run->state) != CLUMP_OK) return 0;
    }
    bool damaged = false;
    uint64_t lost = 0, reordered = 0;
    const size_t parts = run->sensor->begin(run->state, &packet, &damaged, &lost, &reordered);
    run->lost += lost, run->reordered += reordered, run->damaged += damaged;
    run->filling.lost += lost;
    for (size_t i = 0; i < parts; i++) {
        if (run->sensor->cuts(run->state, i)) velodyne_run_end(run);
        if (run->filling.stamp == 0) run->filling.stamp = run->sensor->part_time(run->state, i);
        velodyne_run_room(run);
        run->sensor->append(run->state, i, &run->filling);
        if (run->filling.count > run->filling.room) abort();
    }
    return parts;
}

static inline void velodyne_run_close(velodyne_run *run)
{
    velodyne_run_end(run);
    if (run->state) run->sensor->destroy(run->state);
    clump_cloud_destroy(run->filling.cloud);
}

/* Gives all UDP payloads of a pcap file with Ethernet frames, nanoseconds or microseconds. Returns the number of
 * packets; 0: the file cannot be read. */
static inline size_t velodyne_run_pcap(velodyne_run *run, const char *path)
{
    FILE *const file = fopen(path, "rb");
    if (!file) return 0;
    static unsigned char frame[65536];
    uint32_t head[6], record[4];
    size_t packets = 0;
    if (fread(head, sizeof head, 1, file) != 1) head[0] = 0;
    const int64_t unit = head[0] == 0xa1b23c4d ? 1 : head[0] == 0xa1b2c3d4 ? 1000 : 0;
    while (unit && fread(record, sizeof record, 1, file) == 1) {
        if (record[2] > sizeof frame || fread(frame, 1, record[2], file) != record[2]) break;
        if (record[2] < 42 || frame[12] != 8 || frame[23] != 17) continue;
        velodyne_run_give(run, frame + 42, record[2] - 42, record[0] * INT64_C(1000000000) + record[1] * unit);
        packets++;
    }
    fclose(file);
    return packets;
}

#endif
