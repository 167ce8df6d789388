/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 15_odometry.c: where did the sensor go? Each frame is registered to a map of the frames before. The scans are simulated, so
 * the true path is known.
 */
#include <clump/odometry.h>
#include <clump/sim.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 6 };

/* Scans the world from its next place, and asks where that is. */
static clump_status push_frame(clump_context *ctx, clump_odometry *odometry, const clump_lidar_world *world,
                               size_t frame, const clump_lidar_scan *scan)
{
    size_t count = 0;
    double truth[12];
    clump_odometry_pose pose;
    if (clump_sim_lidar_scan(world, frame, scan, &count, truth, NULL) != CLUMP_OK) return CLUMP_ERR_ARGUMENT;
    const clump_points points = {.xyz = scan->xyz, .count = count};
    const clump_status status =
        clump_odometry_push(ctx, odometry, (int64_t)frame * 100000000, points, scan->time, &pose);
    if (status == CLUMP_OK)
        printf("frame %zu: %s, at %4.2f %5.2f %5.2f m, true %4.2f\n", frame, clump_odometry_state_name(pose.state),
               pose.transform[3] + 0.0, pose.transform[7] + 0.0, pose.transform[11] + 0.0, truth[3]);
    return status;
}

int main(void)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = CLUMP_LIDAR_HDL32E;
    lidar.distortion = true; /* the sensor moves during a turn; points have times */
    const size_t rays = clump_lidar_rays(&lidar);
    clump_lidar_scan scan = {.xyz = malloc(rays * 3 * sizeof(float)), .time = malloc(rays * sizeof(float))};
    clump_lidar_world *world = NULL;
    clump_context *ctx = NULL;
    clump_odometry *odometry = NULL;
    clump_status status = scan.xyz && scan.time ? CLUMP_OK : CLUMP_ERR_OUT_OF_MEMORY;
    if (status == CLUMP_OK) status = clump_sim_lidar_create(&lidar, &world, NULL);
    if (status == CLUMP_OK) status = clump_context_create(NULL, &ctx);
    if (status == CLUMP_OK) status = clump_odometry_create(ctx, NULL, &odometry);
    for (size_t frame = 0; frame < FRAMES && status == CLUMP_OK; frame++)
        status = push_frame(ctx, odometry, world, frame, &scan);
    if (status != CLUMP_OK) puts(ctx ? clump_context_error(ctx) : "out of memory");
    clump_odometry_destroy(odometry);
    clump_context_destroy(ctx);
    clump_sim_lidar_destroy(world);
    free(scan.xyz);
    free(scan.time);
    return status != CLUMP_OK;
}
