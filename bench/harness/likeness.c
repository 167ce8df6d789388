/* SPDX-License-Identifier: BSD-3-Clause
 *
 * likeness.c: see scan_shape.h.
 */
#include "harness/scan_shape.h"

#include <stdio.h>
#include <stdlib.h>

const likeness likenesses[LIKENESS_COUNT] = {
    {"KITTI 00", "kitti/semkitti_00_000000.bin", false, CLUMP_LIDAR_HDL64E, CLUMP_SCENE_STREET, 10, 1.73},
    {"KITTI 04", "kitti/semkitti_04_000000.bin", false, CLUMP_LIDAR_HDL64E, CLUMP_SCENE_ROAD, 10, 1.73},
    {"KITTI 06", "kitti/semkitti_06_000000.bin", false, CLUMP_LIDAR_HDL64E, CLUMP_SCENE_STREET, 10, 1.73},
    {"KITTI object 1", "kitti/kittiobj_000001.bin", false, CLUMP_LIDAR_HDL64E, CLUMP_SCENE_ROAD, 10, 1.73},
    {"nuScenes", "nuscenes/n015_1532402927647951.pcd.bin", false, CLUMP_LIDAR_HDL32E, CLUMP_SCENE_STREET, 20, 1.84},
    {"MRPT HDL-32E", "pcap/mrpt_sample_velodyne_hdl32.pcap", true, CLUMP_LIDAR_HDL32E, CLUMP_SCENE_SQUARE, 9.04, 1.73},
    {"nebula VLS-128", "rosbag/nebula_vls128_0.db3", true, CLUMP_LIDAR_128, CLUMP_SCENE_CROSSROAD, 10, 2.2},
};

const likeness likeness_of_room = {
    "nebula VLP-16", "pcap/DERIVED_nebula_vlp16.pcap", true, CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 10, 1.73};

bool likeness_read_frame(const char *folder, const char *path, clump_frame *frame)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    clump_recording *recording;
    if (clump_recording_open(whole, NULL, &recording, NULL) != CLUMP_OK) return false;
    bool more = true, read = true;
    for (int i = 0; i < 2 && read; i++) read = clump_recording_next(recording, frame, &more, NULL) == CLUMP_OK && more;
    clump_recording_close(recording);
    return read;
}

static bool measure_recording(const likeness *row, const char *folder, scan_shape *out)
{
    clump_frame frame = {0};
    const bool read =
        likeness_read_frame(folder, row->path, &frame) && scan_shape_of(clump_cloud_points(frame.cloud), out);
    clump_frame_release(&frame);
    return read;
}

bool likeness_measure_real(const likeness *row, const char *folder, scan_shape *out)
{
    char whole[1024];
    clump_cloud *cloud;
    if (row->recording) return measure_recording(row, folder, out);
    snprintf(whole, sizeof whole, "%s/%s", folder, row->path);
    if (clump_cloud_load(whole, NULL, &cloud, NULL) != CLUMP_OK) return false;
    const bool measured = scan_shape_of(clump_cloud_points(cloud), out);
    clump_cloud_destroy(cloud);
    return measured;
}

bool likeness_measure_simulated(const likeness *row, uint64_t seed, scan_shape *out)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = row->model, lidar.scene = row->scene, lidar.rate = row->rate, lidar.height = row->height;
    lidar.seed = seed;
    float *const xyz = malloc(clump_lidar_rays(&lidar) * 3 * sizeof *xyz + 1);
    clump_lidar_world *world = NULL;
    size_t count = 0;
    const bool made = xyz && clump_sim_lidar_create(&lidar, &world, NULL) == CLUMP_OK &&
                      clump_sim_lidar_scan(world, 0, &(clump_lidar_scan){.xyz = xyz}, &count, NULL, NULL) == CLUMP_OK &&
                      scan_shape_of((clump_points){.xyz = xyz, .count = count}, out);
    clump_sim_lidar_destroy(world);
    free(xyz);
    return made;
}
