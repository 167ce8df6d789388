/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_velodyne_data.c: recordings of real sensors against the clouds that another decoder made of them.
 *
 * The clouds are of nebula, with its rules: it rounds directions to 0.01 degrees. It does not interpolate the last
 * firing of a packet, nor the first three banks of a VLS-128. It gives the second of two returns the direction of the
 * next firing. Its directions of a VLP-32C fit lasers that fire one by one; this is inferred from the clouds. By the
 * manual they fire in pairs. So distances and elevations must be equal. The limits of directions are those observed,
 * about the turn of one firing.
 */
#include "support/check.h"
#include "messages/messages.h"
#include "recordings/test_container.h"
#include "support/velodyne_run.h"

#include <math.h>

#define DEGREE (3.14159265358979323846 / 180)

/* A point by laser and distance, for comparing. */
typedef struct beam {
    int elevation; /* 0.01 degrees */
    int range;     /* units of the sensor */
    float azimuth; /* degrees */
} beam;

typedef struct beam_list {
    beam *list;
    size_t count, capacity;
    double unit;
    size_t frame, first, last; /* frames first to last are kept */
} beam_list;

static beam beam_of(const float *p, double unit)
{
    const double x = (double)p[0], y = (double)p[1], z = (double)p[2], range = sqrt(x * x + y * y + z * z);
    return (beam){.elevation = (int)lrint(asin(z / range) / DEGREE * 100),
                  .range = (int)lrint(range / unit),
                  .azimuth = (float)(atan2(y, x) / DEGREE)};
}

static void keep_frame(void *user, const clump_io_filling *filling)
{
    beam_list *const beams = user;
    const size_t frame = beams->frame++;
    if (frame < beams->first || frame > beams->last) return;
    beams->capacity = beams->count + filling->count;
    beams->list = realloc(beams->list, beams->capacity * sizeof *beams->list);
    if (!beams->list) abort();
    for (size_t i = 0; i < filling->count; i++)
        beams->list[beams->count++] = beam_of(filling->xyz + 3 * i, beams->unit);
}

static int by_beam(const void *a, const void *b)
{
    const beam *const x = a, *const y = b;
    if (x->range != y->range) return x->range < y->range ? -1 : 1;
    return (x->elevation > y->elevation) - (x->elevation < y->elevation);
}

/* Returns the difference of direction to the nearest beam of equal range and elevation; 999: there is none. An
 * elevation between two hundredths may be rounded either way. */
static double match(const beam_list *beams, beam wanted)
{
    size_t low = 0, high = beams->count;
    wanted.elevation -= 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (by_beam(&beams->list[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    double best = 999;
    for (const beam *b = beams->list + low; b < beams->list + beams->count && b->range == wanted.range; b++) {
        if (b->elevation > wanted.elevation + 2) break;
        const double apart = fabs(remainder((double)b->azimuth - (double)wanted.azimuth, 360));
        if (apart < best) best = apart;
    }
    return best;
}

/* Compares with a cloud. Returns the share of points with the same direction. */
static double compare(beam_list *beams, const char *cloud_name, double most_apart)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", check_data_folder(), cloud_name);
    clump_cloud *cloud;
    clump_message why;
    if (clump_cloud_load(path, NULL, &cloud, &why) != CLUMP_OK) {
        CHECK_FAIL("%s", why.text);
        return 0;
    }
    qsort(beams->list, beams->count, sizeof *beams->list, by_beam);
    const clump_points points = clump_cloud_points(cloud);
    size_t missing = 0, same = 0;
    for (size_t i = 0; i < points.count; i++) {
        const double apart = match(beams, beam_of(clump_cloud_xyz(cloud) + 3 * i, beams->unit));
        missing += apart > most_apart;
        same += apart < 0.006;
    }
    CHECK_MSG(missing == 0, "%s: %zu of %zu points", cloud_name, missing, points.count);
    const double share = (double)same / (double)points.count;
    clump_cloud_destroy(cloud);
    free(beams->list);
    return share;
}

static velodyne_run open_run(beam_list *beams)
{
    return (velodyne_run){.sensor = &clump_io_sensor_velodyne, .frame = keep_frame, .user = beams};
}

static bool run_pcap(velodyne_run *run, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", check_data_folder(), name);
    const bool readable = velodyne_run_pcap(run, path) > 0;
    velodyne_run_close(run);
    CHECK_INT(run->lost + run->reordered + run->damaged, 0);
    return readable;
}

static void reads_vlp16_as_nebula_does(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    static char calibration[2048]; /* nebula leaves out the height of the lenses */
    size_t used = 0;
    for (int i = 0; i < 16; i++)
        used += (size_t)snprintf(calibration + used, sizeof calibration - used,
                                 "- {laser_id: %d, vert_correction: %.17g}\n", i, (i % 2 ? i : i - 15) * DEGREE);
    beam_list beams = {.unit = 0.002, .first = 3, .last = 4};
    velodyne_run run = open_run(&beams);
    run.setup.calibration = calibration, run.setup.calibration_size = used;
    if (!run_pcap(&run, "pcap/DERIVED_nebula_vlp16.pcap")) SKIP(DO_DATA);
    CHECK_INT(run.frames, 5);
    CHECK_INT(run.points, 59414);
    const double share = compare(&beams, "pcd/nebula_vlp16_1673400472138016708.pcd", 0.43);
    CHECK_MSG(share > 0.75, "%g", share);
}

static void reads_vlp32_as_nebula_does(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    beam_list beams = {.unit = 0.004, .first = 0, .last = 2};
    velodyne_run run = open_run(&beams);
    if (!run_pcap(&run, "pcap/DERIVED_nebula_vlp32.pcap")) SKIP(DO_DATA);
    CHECK_INT(run.points, 131305);
    compare(&beams, "pcd/nebula_vlp32_1713492677464078412.pcd", 0.15);
}

/* Gives all packets of VelodyneScan messages in a .db3 file; false: it cannot be read. */
static bool run_database(velodyne_run *run, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", check_data_folder(), name);
    opened database;
    const bool readable = open_path(&database, &clump_io_container_sqlite, path) == CLUMP_OK;
    clump_io_message message;
    while (readable && read_next(&database, &message)) {
        const clump_io_encoded encoded = {message.bytes, message.size, true};
        clump_io_packet_list list;
        clump_io_packet packet;
        bool damaged;
        CHECK(clump_io_packets_begin(&list, CLUMP_IO_MESSAGE_VELODYNE, &encoded, message.received));
        while (clump_io_packets_next(&list, &packet, &damaged))
            velodyne_run_give(run, packet.bytes, packet.size, packet.received);
    }
    close_opened(&database);
    velodyne_run_close(run);
    return readable;
}

static void compare_vls128(const char *calibration_name)
{
    beam_list beams = {.unit = 0.004, .first = 0, .last = 2};
    velodyne_run run = open_run(&beams);
    char path[1024];
    unsigned char *text = NULL;
    if (calibration_name) {
        snprintf(path, sizeof path, "%s/%s", check_data_folder(), calibration_name);
        text = check_load(path, &run.setup.calibration_size);
        run.setup.calibration = (const char *)text;
    }
    if (!run_database(&run, "rosbag/nebula_vls128_0.db3")) SKIP(DO_DATA);
    CHECK_INT(run.lost + run.reordered + run.damaged, 0);
    CHECK_INT(run.points, 765932);
    compare(&beams, "pcd/nebula_vls128_1585897255376374245.pcd", 0.18);
    free(text);
}

static void reads_vls128_as_nebula_does(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
#ifndef CLUMP_IO_SQLITE
    SKIP("the build has no sqlite3: " DO_SETUP);
#endif
    compare_vls128(NULL);
    compare_vls128("calibration/VLS128.yaml"); /* says 0.007 m per unit, which nebula does not use */
}

/* Points and packets are those that @foxglove/velodyne-cloud counts. */
static void reads_captures(void)
{
    if (!check_data_folder()) SKIP(DO_DATA);
    beam_list beams = {.unit = 0.002, .first = 99};
    velodyne_run run = open_run(&beams);
    if (!run_pcap(&run, "pcap/mrpt_sample_velodyne_vlp16_gps.pcap")) SKIP(DO_DATA);
    CHECK_INT(run.points, 73486);
    CHECK_INT(run.frames, 5);
    run = open_run(&beams);
    if (!run_pcap(&run, "pcap/mrpt_sample_velodyne_hdl32.pcap")) SKIP(DO_DATA);
    CHECK_INT(run.points, 146705);
    CHECK_INT(run.frames, 4);
}

CHECK_PROGRAM(test_velodyne_data)
{
    RUN(reads_captures);
    RUN(reads_vlp16_as_nebula_does);
    RUN(reads_vlp32_as_nebula_does);
    RUN(reads_vls128_as_nebula_does);
}
