/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Consecutive frames of a sensor with 64 beams: see papers.h.
 */
#include "papers/papers.h"

#include "harness/contest.h"

#include <stdio.h>

/* Frees the first `count` clouds. Returns false. */
static bool give_up(bench_cloud *clouds, size_t count)
{
    for (size_t i = 0; i < count; i++) bench_cloud_free(&clouds[i]);
    return false;
}

static bool read_frames(size_t count, bench_cloud *out, clump_message *why)
{
    for (size_t i = 0; i < count; i++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/kitti/semkitti_00_%06zu.bin", settings.data, i);
        if (!bench_cloud_scan(path, NULL, &out[i], why)) return give_up(out, i);
    }
    return true;
}

static bool simulate(const clump_lidar_world *world, size_t frame, size_t rays, bench_cloud *out, clump_message *why)
{
    if (!bench_cloud_allocate(rays, out, why)) return false;
    const clump_lidar_scan scan = {.xyz = out->xyz};
    if (clump_sim_lidar_scan(world, frame, &scan, &out->count, NULL, why) == CLUMP_OK) return true;
    bench_cloud_free(out);
    return false;
}

static bool simulate_frames(size_t count, bench_cloud *out, clump_message *why)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = CLUMP_LIDAR_HDL64E, lidar.scene = CLUMP_SCENE_STREET;
    clump_lidar_world *world;
    if (clump_sim_lidar_create(&lidar, &world, why) != CLUMP_OK) return false;
    size_t made = 0;
    while (made < count && simulate(world, made, clump_lidar_rays(&lidar), &out[made], why)) made++;
    clump_sim_lidar_destroy(world);
    return made == count || give_up(out, made);
}

bool frames_make(size_t count, bench_cloud *out, bool *simulated, clump_message *why)
{
    *simulated = !read_frames(count, out, why);
    return !*simulated || simulate_frames(count, out, why);
}
