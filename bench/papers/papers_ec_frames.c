/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Frames of the sensors of Table 3. The recordings of the paper cannot be had. Their frames have far fewer points than
 * the sensors deliver, so they were thinned and the ground was probably removed; the paper does not say how. Here:
 *
 *     simulated street (clump_sim_lidar_scan), one frame per second of the drive
 *     -> the ground removed (clump_ground, method grid)
 *     -> one point per voxel (the first), as Autoware thins its scans; the side of the voxels, 0.2 m at most, is chosen so
 *        that the mean number of points is that of Table 3
 *     -> where that is not enough, the points within a range, chosen in the same way
 *
 * The frame of KITTI is a real one, without its ground, not thinned.
 */
#include "papers/papers_ec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_STEP = 10 };  /* turns from one frame to the next */
enum { FRAME_SAMPLE = 3 }; /* frames that the side of the voxels is chosen by */
enum { FRAME_BISECTIONS = 16 };
static const double largest_side = 0.2, farthest = 300; /* in m; the side is Autoware's default */

const char *const ec_sensor_names[EC_SENSORS] = {"vlp-16", "hdl-32e", "hdl-64e", "hdl-64e-high", "kitti"};
static const clump_lidar_model models[EC_KITTI] = {CLUMP_LIDAR_VLP16, CLUMP_LIDAR_HDL32E, CLUMP_LIDAR_HDL64E,
                                                   CLUMP_LIDAR_HDL64E};
static const size_t mean_points[EC_KITTI] = {3798, 6085, 21785, 34254}; /* Table 3 */

/* --- obstacles ----------------------------------------------------------------------------------- */

/* Moves the points that are not ground to the front. */
static bool remove_ground(clump_context *ctx, bench_cloud *cloud, clump_message *why)
{
    int32_t *const labels = malloc(4 * cloud->count + 1);
    const clump_points points = {.xyz = cloud->xyz, .count = cloud->count};
    const bool found = labels && clump_ground(ctx, points, NULL, labels, NULL) == CLUMP_OK;
    size_t kept = 0;
    for (size_t i = 0; i < cloud->count && found; i++)
        if (labels[i] != CLUMP_GROUND) memmove(cloud->xyz + 3 * kept++, cloud->xyz + 3 * i, 12);
    free(labels);
    if (!found) return snprintf(why->text, sizeof why->text, "the ground of a frame was not found"), false;
    cloud->count = kept;
    return true;
}

/* Appends the obstacles of every frame. */
static bool scan_frames(clump_context *ctx, const clump_lidar_world *world, size_t rays, ec_frames *out,
                        clump_message *why)
{
    for (size_t f = 0; f < out->count; f++) {
        bench_cloud frame = {out->all.xyz + 3 * out->begin[f], 0};
        const clump_lidar_scan scan = {.xyz = frame.xyz};
        if (clump_sim_lidar_scan(world, FRAME_STEP * f, &scan, &frame.count, NULL, why) != CLUMP_OK) return false;
        if (frame.count > rays || !remove_ground(ctx, &frame, why)) return false;
        out->begin[f + 1] = out->begin[f] + frame.count;
    }
    out->all.count = out->begin[out->count];
    return true;
}

static bool simulate(clump_context *ctx, int sensor, ec_frames *out, clump_message *why)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = models[sensor];
    clump_lidar_world *world = NULL;
    const size_t rays = clump_lidar_rays(&lidar);
    const bool done = clump_sim_lidar_create(&lidar, &world, why) == CLUMP_OK &&
                      bench_cloud_allocate(rays * out->count, &out->all, why) &&
                      scan_frames(ctx, world, rays, out, why);
    clump_sim_lidar_destroy(world);
    return done;
}

/* --- one point per voxel ------------------------------------------------------------------------- */

/* A hash set of voxels: a voxel as 3 x 21 bits, plus 1; 0 is an empty slot. */
typedef struct voxel_set {
    uint64_t *slots;
    size_t mask;
} voxel_set;

/* Returns whether the voxel of the point is new. */
static bool add_voxel(voxel_set *set, const float *p, double side)
{
    uint64_t key = 0;
    for (int k = 0; k < 3; k++) key = key << 21 | ((uint64_t)(int64_t)floor((double)p[k] / side) & 0x1fffff);
    key++;
    uint64_t state = key;
    size_t slot = (size_t)bench_random(&state) & set->mask;
    while (set->slots[slot] && set->slots[slot] != key) slot = (slot + 1) & set->mask;
    const bool is_new = set->slots[slot] == 0;
    set->slots[slot] = key;
    return is_new;
}

static bool is_within(const float *p, double range)
{
    return (double)p[0] * p[0] + (double)p[1] * p[1] < range * range;
}

/* Returns the number of points of all frames within the range, with one point per voxel. move: they are moved to
 * the front. */
static size_t thin(ec_frames *frames, voxel_set *set, bool move)
{
    size_t kept = 0;
    for (size_t f = 0; f < frames->count; f++) {
        const size_t first = frames->begin[f], end = frames->begin[f + 1];
        memset(set->slots, 0, (set->mask + 1) * sizeof *set->slots);
        if (move) frames->begin[f] = kept;
        for (size_t i = first; i < end; i++) {
            const float *const p = frames->all.xyz + 3 * i;
            if (!is_within(p, frames->range) || !add_voxel(set, p, frames->side)) continue;
            if (move) memmove(frames->all.xyz + 3 * kept, p, 12);
            kept++;
        }
    }
    if (move) frames->begin[frames->count] = frames->all.count = kept;
    return kept;
}

/* Sets *number, one of side and range, between low and high, so that the frames have about `points` points. The number of
 * points grows from low to high. */
static void bisect(ec_frames *frames, double *number, double low, double high, size_t points, voxel_set *set)
{
    for (int i = 0; i < FRAME_BISECTIONS; i++) {
        *number = (low + high) / 2;
        if (thin(frames, set, false) > points * frames->count)
            high = *number;
        else
            low = *number;
    }
    *number = low;
}

/* Thins the frames to `points` points on average, where they have more. */
static bool thin_to(ec_frames *frames, size_t points, clump_message *why)
{
    if (frames->all.count <= points * frames->count) return true;
    size_t most = 1;
    for (size_t f = 0; f < frames->count; f++)
        while (most < 2 * (frames->begin[f + 1] - frames->begin[f])) most *= 2;
    voxel_set set = {malloc(most * sizeof *set.slots), most - 1};
    if (!set.slots) return snprintf(why->text, sizeof why->text, "no memory for the voxels of a frame"), false;
    bisect(frames, &frames->side, largest_side, 0, points, &set);
    if (frames->side >= largest_side) bisect(frames, &frames->range, 0, farthest, points, &set);
    thin(frames, &set, true);
    free(set.slots);
    return true;
}

/* --- all ----------------------------------------------------------------------------------------- */

static bool read_kitti(clump_context *ctx, ec_frames *out, clump_message *why)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/kitti/semkitti_00_000000.bin", settings.data);
    out->count = 1;
    if (!bench_cloud_scan(path, NULL, &out->all, why) || !remove_ground(ctx, &out->all, why)) return false;
    out->begin[1] = out->all.count;
    return true;
}

bool ec_frames_make(int sensor, size_t count, ec_frames *out, clump_message *why)
{
    *out = (ec_frames){.count = count, .range = farthest, .begin = calloc(count + 1, sizeof *out->begin)};
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CPU;
    clump_context *ctx = NULL;
    bool done = out->begin && clump_context_create(&options, &ctx) == CLUMP_OK;
    if (!done) snprintf(why->text, sizeof why->text, "no memory for the frames");
    if (done && sensor == EC_KITTI)
        done = read_kitti(ctx, out, why);
    else if (done)
        done = simulate(ctx, sensor, out, why) && thin_to(out, mean_points[sensor], why);
    clump_context_destroy(ctx);
    if (!done) ec_frames_free(out);
    return done;
}

void ec_frames_free(ec_frames *frames)
{
    bench_cloud_free(&frames->all);
    free(frames->begin);
    *frames = (ec_frames){.count = 0};
}
