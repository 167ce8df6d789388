/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_odometry.c: clump_odometry finds the poses of simulated and real drives, says where it cannot, and gives equal bits with
 * any number of threads.
 */
#include "support/check.h"

#include "support/calls.h"

#include "host/odometry.h"

#include <clump/odometry.h>
#include <clump/sim.h>

#include <float.h>
#include <math.h>

enum { MOST = 200000, PERIOD = 100000000 };

static float xyz[4 * MOST], times[MOST];

/* ----- frames ----------------------------------------------------------------------------------------------- */

static clump_lidar_world *make_world(clump_lidar_model model, clump_lidar_scene scene, double speed, bool distortion)
{
    clump_lidar lidar = clump_lidar_defaults();
    clump_lidar_world *world;
    lidar.model = model;
    lidar.scene = scene;
    lidar.speed = speed;
    lidar.distortion = distortion;
    CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), CLUMP_OK);
    CHECK(clump_lidar_rays(&lidar) <= MOST);
    return world;
}

static clump_points scan(const clump_lidar_world *world, size_t frame, double pose[12])
{
    const clump_lidar_scan out = {.xyz = xyz, .time = times};
    size_t count = 0;
    CHECK_INT(clump_sim_lidar_scan(world, frame, &out, &count, pose, NULL), CLUMP_OK);
    return (clump_points){.xyz = xyz, .count = count};
}

/* Turns all points about z, as if the sensor had turned the other way. */
static void turn(clump_points points, double angle)
{
    for (size_t i = 0; i < points.count; i++) {
        const double x = (double)xyz[3 * i], y = (double)xyz[3 * i + 1];
        xyz[3 * i] = (float)(cos(angle) * x - sin(angle) * y);
        xyz[3 * i + 1] = (float)(sin(angle) * x + cos(angle) * y);
    }
}

/* A tube of 6 x 4 m along x, without an end. */
static clump_points tunnel(uint64_t *random)
{
    enum { COUNT = 20000 };
    for (size_t i = 0; i < COUNT; i++) {
        const float u = 2 * check_random_float(random) - 1, v = 2 * check_random_float(random) - 1;
        float *const p = xyz + 3 * i;
        p[0] = 60 * u;
        p[1] = i % 2 ? 3 * v : i % 4 < 2 ? 3.0f : -3.0f;
        p[2] = i % 2 ? (i % 4 < 2 ? 2.0f : -2.0f) : 2 * v;
    }
    return (clump_points){.xyz = xyz, .count = COUNT};
}

static clump_odometry *make(clump_context *ctx, const clump_odometry_options *options)
{
    clump_odometry *odometry = NULL;
    CHECK_INT(clump_odometry_create(ctx, options, &odometry), CLUMP_OK);
    return odometry;
}

static clump_odometry_pose push(clump_context *ctx, clump_odometry *odometry, int64_t time, clump_points points,
                                const float *of_points)
{
    clump_odometry_pose pose;
    memset(&pose, 0, sizeof pose);
    CHECK_MSG(clump_odometry_push(ctx, odometry, time, points, of_points, &pose) == CLUMP_OK, "%s",
              clump_context_error(ctx));
    return pose;
}

/* Returns how far the place of a pose is from that of a 3 x 4 or 4 x 4 matrix. */
static double apart(const clump_odometry_pose *pose, const double *truth)
{
    double square = 0;
    for (int k = 3; k < 12; k += 4) square += (pose->transform[k] - truth[k]) * (pose->transform[k] - truth[k]);
    return sqrt(square);
}

static void check_rigid(const clump_odometry_pose *pose)
{
    const double *const m = pose->transform;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double dot = m[4 * i] * m[4 * j] + m[4 * i + 1] * m[4 * j + 1] + m[4 * i + 2] * m[4 * j + 2];
            CHECK(fabs(dot - (i == j)) < 1e-12);
        }
    CHECK(m[12] == 0 && m[13] == 0 && m[14] == 0 && m[15] == 1);
}

/* ----- drives ----------------------------------------------------------------------------------------------- */

/* Short drives in several scenes: off by at most 0.5 % of the way, with distortion, too. */
static void simulated_drives(void)
{
    static const struct {
        clump_lidar_model model;
        clump_lidar_scene scene;
        bool distortion;
        size_t frames;
    } drives[] = {{CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, false, 40},
                  {CLUMP_LIDAR_VLP16, CLUMP_SCENE_CROSSROAD, true, 40},
                  {CLUMP_LIDAR_VLP16, CLUMP_SCENE_PEOPLE, true, 25},
                  {CLUMP_LIDAR_HDL64E, CLUMP_SCENE_ROAD, true, 12},
                  {CLUMP_LIDAR_HDL64E, CLUMP_SCENE_STREET, true, 12}};
    clump_context *const ctx = cpu_context(2);
    for (size_t d = 0; d < sizeof drives / sizeof *drives; d++) {
        clump_lidar_world *const world = make_world(drives[d].model, drives[d].scene, 8, drives[d].distortion);
        clump_odometry *const odometry = make(ctx, NULL);
        for (size_t i = 0; i < drives[d].frames; i++) {
            double truth[12];
            const clump_points points = scan(world, i, truth);
            const clump_odometry_pose pose =
                push(ctx, odometry, (int64_t)i * PERIOD, points, drives[d].distortion ? times : NULL);
            const double off = apart(&pose, truth), way = truth[3];
            CHECK_INT(pose.state, i == 0 ? CLUMP_ODOMETRY_FIRST : CLUMP_ODOMETRY_OK);
            CHECK_MSG(off < 0.04 + 0.005 * way, "drive %zu, frame %zu: off by %.3f m after %.1f m", d, i, off, way);
            CHECK(!pose.weak && !pose.why && pose.time == (int64_t)i * PERIOD);
            CHECK(pose.deskewed == (i > 0 && drives[d].distortion));
            CHECK(i == 0 || (pose.fitness > 0.9 && pose.rmse > 0 && pose.rmse < 0.3 && pose.iterations > 0));
            check_rigid(&pose);
        }
        clump_odometry_destroy(odometry);
        clump_sim_lidar_destroy(world);
    }
    clump_context_destroy(ctx);
}

/* Distances and angles between consecutive frames of real drives, against their poses. */
static void real_drives(void)
{
    static const char *const names[] = {"00", "04", "06"};
    static const double most[][2] = {
        {0.015, 0.06}, {0.04, 0.04}, {0.015, 0.1}}; /* m, degrees; the poses are not better */
    const char *const folder = check_data_folder();
    char path[1200];
    if (!folder) SKIP(DO_DATA);
    clump_context *const ctx = cpu_context(2);
    for (size_t d = 0; d < 3; d++) {
        snprintf(path, sizeof path, "%s/drives/%s/poses_velodyne.txt", folder, names[d]);
        FILE *const file = fopen(path, "r");
        if (!file) SKIP(DO_DATA);
        clump_odometry *const odometry = make(ctx, NULL);
        double off = 0, angle = 0, truth[12] = {0};
        clump_rigid last = clump_rigid_none, before = clump_rigid_none;
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 12; k++) CHECK_INT(fscanf(file, "%lf", &truth[k]), 1);
            snprintf(path, sizeof path, "%s/drives/%s/velodyne/%06d.bin", folder, names[d], i);
            FILE *const cloud = fopen(path, "rb");
            CHECK(cloud != NULL);
            const size_t count = cloud ? fread(xyz, 16, MOST, cloud) : 0;
            if (cloud) fclose(cloud);
            const clump_odometry_pose pose = push(ctx, odometry, i * (int64_t)PERIOD,
                                                  (clump_points){.xyz = xyz, .count = count, .stride = 16}, NULL);
            clump_rigid here, there;
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 3; c++)
                    here.turn[3 * r + c] = pose.transform[4 * r + c], there.turn[3 * r + c] = truth[4 * r + c];
                here.move[r] = pose.transform[4 * r + 3], there.move[r] = truth[4 * r + 3];
            }
            const clump_rigid a = clump_rigid_inverse(&last), b = clump_rigid_inverse(&before);
            const clump_rigid moved = clump_rigid_after(&a, &here), wanted = clump_rigid_after(&b, &there);
            const clump_rigid back = clump_rigid_inverse(&wanted), error = clump_rigid_after(&back, &moved);
            off += clump_rigid_length(&error) / 9, angle += clump_rigid_angle(&error) / 9;
            last = here, before = there;
            CHECK(pose.state == (i == 0 ? CLUMP_ODOMETRY_FIRST : CLUMP_ODOMETRY_OK) && !pose.weak);
        }
        angle *= 180 / 3.14159265358979323846;
        printf("drive %s: %.2f cm, %.3f degrees per frame\n", names[d], 100 * off, angle);
        CHECK_MSG(off < most[d][0] && angle < most[d][1], "drive %s: %g m, %g degrees", names[d], off, angle);
        clump_odometry_destroy(odometry);
        fclose(file);
    }
    clump_context_destroy(ctx);
}

/* ----- equal bits ------------------------------------------------------------------------------------------- */

static bool is_same(const clump_odometry_pose *a, const clump_odometry_pose *b)
{
    return a->time == b->time && memcmp(a->transform, b->transform, sizeof a->transform) == 0 && a->state == b->state &&
           a->why == b->why && a->weak == b->weak && a->deskewed == b->deskewed && a->rmse == b->rmse &&
           memcmp(a->information, b->information, sizeof a->information) == 0 && a->fitness == b->fitness &&
           memcmp(a->certainty, b->certainty, sizeof a->certainty) == 0 && a->deviation == b->deviation &&
           memcmp(a->weakest, b->weakest, sizeof a->weakest) == 0 && a->iterations == b->iterations &&
           a->used == b->used && a->map_points == b->map_points;
}

/* A reset odometry begins as a new one. */
static void reset_begins_anew(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_odometry *const odometry = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 8, true);
    clump_odometry_pose pose[2][4];
    double truth[12];
    for (int turn_of = 0; turn_of < 2; turn_of++) {
        for (size_t i = 0; i < 4; i++)
            pose[turn_of][i] = push(ctx, odometry, (int64_t)i * PERIOD, scan(world, i, truth), times);
        clump_odometry_reset(odometry);
        clump_points map;
        double origin[3];
        clump_odometry_map(odometry, &map, origin);
        CHECK(map.count == 0 && !map.xyz && origin[0] == 0);
    }
    for (int i = 0; i < 4; i++) CHECK(is_same(&pose[0][i], &pose[1][i]));
    clump_odometry_reset(NULL);
    clump_odometry_destroy(NULL);
    clump_odometry_destroy(odometry);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

/* ----- the map ---------------------------------------------------------------------------------------------- */

/* The map against a plain list: the first point of each voxel, far points gone, however it got there. */
static void map_keeps_the_first_points(void)
{
    enum { FRAMES = 30, EACH = 400, ALL = FRAMES * EACH };
    static float frame[3 * EACH], kept[3 * ALL];
    uint64_t random = 7;
    clump_context *const ctx = cpu_context(1);
    clump_local_map map = {.side = 0.5f, .range = 20};
    size_t count = 0;
    double cleaned = 0;
    for (int f = 0; f < FRAMES; f++) {
        clump_rigid pose = clump_rigid_none;
        pose.move[0] = 0.75 * f; /* whole voxels and halves: sums are exact */
        for (size_t i = 0; i < 3 * EACH; i++)
            frame[i] =
                (float)((int)(check_random_float(&random) * (i % 3 == 2 ? 64 : 600)) - (i % 3 == 2 ? 32 : 300)) / 16;
        if (pose.move[0] - cleaned > 2) { /* a tenth of the range */
            size_t stay = 0;
            cleaned = pose.move[0];
            for (size_t i = 0; i < count; i++) {
                double square = 0;
                for (size_t k = 0; k < 3; k++)
                    square += ((double)kept[3 * i + k] - pose.move[k]) * ((double)kept[3 * i + k] - pose.move[k]);
                if (square <= 400) memmove(kept + 3 * stay++, kept + 3 * i, 3 * sizeof(float));
            }
            count = stay;
        }
        for (size_t i = 0; i < EACH; i++) {
            float p[3];
            bool is_new = true;
            for (size_t k = 0; k < 3; k++) p[k] = (float)((double)frame[3 * i + k] + pose.move[k]);
            for (size_t j = 0; j < count && is_new; j++)
                is_new = floorf(p[0] * 2) != floorf(kept[3 * j] * 2) ||
                         floorf(p[1] * 2) != floorf(kept[3 * j + 1] * 2) ||
                         floorf(p[2] * 2) != floorf(kept[3 * j + 2] * 2);
            if (is_new) memcpy(kept + 3 * count++, p, sizeof p);
        }
        CHECK_INT(clump_local_map_reserve(&ctx->work, &map, EACH), CLUMP_OK);
        clump_local_map_add(&ctx->work, &map, &pose, frame, EACH);
        CHECK_INT(map.count, count);
        const float *const points = map.points.data;
        size_t different = 0;
        for (size_t i = 0; i < 3 * map.count && map.count == count; i++)
            different += (double)points[i] + map.origin[i % 3] != (double)kept[i];
        CHECK_INT(different, 0);
    }
    clump_buffer_release(&ctx->work, &map.points);
    clump_buffer_release(&ctx->work, &map.table);
    clump_context_destroy(ctx);
}

/* The spacing of rings: of simulated sensors, and of clouds without rings. */
static void finds_the_rings(void)
{
    static const struct {
        clump_lidar_model model;
        float least, most;
    } sensors[] = {{CLUMP_LIDAR_VLP16, 0.033f, 0.036f},   /* 2 degrees */
                   {CLUMP_LIDAR_HDL32E, 0.020f, 0.024f},  /* 1.33 */
                   {CLUMP_LIDAR_HDL64E, 0.003f, 0.009f}}; /* 0.33 and 0.5 */
    clump_context *const ctx = cpu_context(1);
    const clump_odometry_options o = clump_odometry_defaults();
    uint64_t random = 3;
    float spacing = -1;
    double truth[12];
    for (size_t s = 0; s < sizeof sensors / sizeof *sensors; s++) {
        clump_lidar_world *const world = make_world(sensors[s].model, CLUMP_SCENE_STREET, 8, true);
        clump_points points = scan(world, 3, truth);
        points.stride = 12;
        CHECK_INT(clump_thin_spacing(&ctx->work, &o, points, &spacing), CLUMP_OK);
        CHECK_MSG(spacing >= sensors[s].least && spacing <= sensors[s].most, "sensor %zu: %g", s, (double)spacing);
        for (size_t i = 0; i < points.count; i++) xyz[3 * i + 2] += 1.7f; /* in the axes of a vehicle */
        CHECK_INT(clump_thin_spacing(&ctx->work, &o, points, &spacing), CLUMP_OK);
        CHECK_MSG(spacing < 0.002f, "sensor %zu from the road: %g", s, (double)spacing);
        points.count = 4000; /* too few */
        CHECK_INT(clump_thin_spacing(&ctx->work, &o, points, &spacing), CLUMP_OK);
        CHECK(spacing == 0);
        clump_sim_lidar_destroy(world);
    }
    clump_points tube = tunnel(&random);
    tube.stride = 12;
    CHECK_INT(clump_thin_spacing(&ctx->work, &o, tube, &spacing), CLUMP_OK);
    CHECK(spacing == 0);
    for (size_t i = 0; i < 20000; i++) { /* two bands, with a wide gap between them */
        const float u = 20 + 20 * check_random_float(&random), p[3] = {u, 3, i % 2 ? 8 : -8};
        memcpy(xyz + 3 * i, p, sizeof p);
    }
    CHECK_INT(clump_thin_spacing(&ctx->work, &o, tube, &spacing), CLUMP_OK);
    CHECK(spacing == 0);
    clump_context_destroy(ctx);
}

/* Far from the origin, poses are as good as near it: the map moves along. */
static void far_drives_stay_precise(void)
{
    clump_context *const ctx = cpu_context(2);
    clump_odometry *const odometry = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_VLP16, CLUMP_SCENE_CROSSROAD, 8, false);
    double truth[12];
    size_t most = 0;
    for (size_t i = 0; i < 30; i++) {
        const clump_odometry_pose pose = push(ctx, odometry, (int64_t)i * PERIOD, scan(world, i, truth), NULL);
        clump_points map;
        double origin[3];
        clump_odometry_map(odometry, &map, origin);
        CHECK_INT(map.count, pose.map_points);
        for (size_t k = 0; k < 3 * map.count; k++) CHECK(fabsf(map.xyz[k]) < 130);
        CHECK(fabs(origin[0] - pose.transform[3]) < 12);
        most = map.count > most ? map.count : most;
    }
    CHECK(most > 10000);
    clump_odometry_destroy(odometry);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

/* ----- bad input -------------------------------------------------------------------------------------------- */

/* Ten metres further from one frame to the next: the frame is lost. A later one may be found at its true place; if none is,
 * the map begins anew. A frame is never taken for registered at a wrong place. */
static void a_jump_is_lost(void)
{
    static const clump_lidar_scene scenes[] = {CLUMP_SCENE_STREET, CLUMP_SCENE_CROSSROAD, CLUMP_SCENE_TREES};
    clump_context *const ctx = cpu_context(2);
    for (int s = 0; s < 3; s++) {
        clump_lidar_world *const world = make_world(CLUMP_LIDAR_HDL32E, scenes[s], 8, false);
        clump_odometry *const odometry = make(ctx, NULL);
        double truth[12], before = 0;
        size_t map = 0, restarted = 0;
        for (size_t i = 0; i < 16; i++) {
            const size_t at = i < 8 ? i : i + 13;
            const clump_odometry_pose pose = push(ctx, odometry, (int64_t)i * PERIOD, scan(world, at, truth), NULL);
            const double x = pose.transform[3];
            if (i == 8) CHECK_INT(pose.state, CLUMP_ODOMETRY_LOST);
            if (pose.state == CLUMP_ODOMETRY_LOST) {
                CHECK(pose.why && pose.information[0] == 0 && pose.map_points == map);
                CHECK(fabs(x - 0.8 * (double)i) < 0.1); /* the expected place */
            }
            restarted += pose.state == CLUMP_ODOMETRY_RESTARTED;
            if (pose.state == CLUMP_ODOMETRY_OK)
                CHECK_MSG(restarted ? fabs(x - before - 0.8) < 0.2 : fabs(x - truth[3]) < 0.2,
                          "scene %d, frame %zu: %g, not %g", s, i, x, truth[3]);
            if (i > 13) CHECK_INT(pose.state, CLUMP_ODOMETRY_OK);
            map = pose.map_points;
            before = x;
        }
        clump_odometry_destroy(odometry);
        clump_sim_lidar_destroy(world);
    }
    clump_context_destroy(ctx);
}

/* From standing to 60 degrees per second, and back. */
static void turns_on_the_spot(void)
{
    clump_context *const ctx = cpu_context(2);
    clump_odometry *const odometry = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_HDL32E, CLUMP_SCENE_STREET, 0, false);
    double truth[12], angle = 0;
    for (size_t i = 0; i < 16; i++) {
        const clump_points points = scan(world, i, truth);
        if (i > 3 && i < 12) angle += 6 * 3.14159265358979323846 / 180;
        turn(points, -angle);
        const clump_odometry_pose pose = push(ctx, odometry, (int64_t)i * PERIOD, points, NULL);
        const double found = atan2(pose.transform[4], pose.transform[0]);
        CHECK_MSG(fabs(found - angle) < 0.004 && fabs(pose.transform[3]) < 0.05 && fabs(pose.transform[7]) < 0.05,
                  "frame %zu: %g, not %g degrees, at %g %g", i, found * 57.29578, angle * 57.29578, pose.transform[3],
                  pose.transform[7]);
        CHECK(pose.state <= CLUMP_ODOMETRY_OK);
    }
    clump_odometry_destroy(odometry);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

/* Along a tunnel nothing tells the motion: it is weak, along x. */
static void a_tunnel_is_weak(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_odometry *const odometry = make(ctx, NULL);
    uint64_t random = 5;
    for (int i = 0; i < 6; i++) {
        const clump_odometry_pose pose = push(ctx, odometry, i * (int64_t)PERIOD, tunnel(&random), NULL);
        if (i == 0) continue;
        CHECK(pose.state == CLUMP_ODOMETRY_OK && pose.weak && pose.certainty[0] < CLUMP_ODOMETRY_WEAK);
        CHECK(fabs(pose.weakest[0]) > 0.99 && pose.certainty[1] > 0.1);
        CHECK(fabs(pose.transform[3]) < 1e-3 && fabs(pose.transform[7]) < 0.02 && fabs(pose.transform[11]) < 0.02);
        CHECK(fabs(pose.certainty[0] + pose.certainty[1] + pose.certainty[2] - 1) < 1e-9);
        /* the information says the same: little along x */
        CHECK(pose.information[0] < 0.05 * pose.information[7] && pose.information[7] > 0);
    }
    clump_odometry_destroy(odometry);
    clump_context_destroy(ctx);
}

/* A round room of radius 10 m with a floor, or a sphere around the sensor, turned about z by an angle that nothing shows. */
static clump_points round_room(uint64_t *random, bool is_sphere)
{
    enum { COUNT = 20000 };
    for (size_t i = 0; i < COUNT; i++) {
        const float angle = 6.2831853f * check_random_float(random), u = check_random_float(random);
        const bool is_floor = !is_sphere && i % 5 < 2;
        const float height = is_sphere ? 20 * u - 10 : is_floor ? -2 : 4 * u - 2;
        const float radius = is_sphere ? sqrtf(100 - height * height) : is_floor ? 10 * sqrtf(u) : 10;
        float *const p = xyz + 3 * i;
        p[0] = radius * cosf(angle), p[1] = radius * sinf(angle), p[2] = height;
    }
    return (clump_points){.xyz = xyz, .count = COUNT};
}

/* Nothing tells a rotation about the axis of a round room, nor any in a sphere: it is weak, and stays. */
static void a_round_room_is_weak(void)
{
    clump_context *const ctx = cpu_context(1);
    for (int is_sphere = 0; is_sphere < 2; is_sphere++) {
        clump_odometry *const odometry = make(ctx, NULL);
        uint64_t random = 5;
        for (int i = 0; i < 8; i++) {
            const clump_odometry_pose pose =
                push(ctx, odometry, i * (int64_t)PERIOD, round_room(&random, is_sphere), NULL);
            if (i == 0) continue;
            const double yaw = atan2(pose.transform[4], pose.transform[0]);
            CHECK(pose.state == CLUMP_ODOMETRY_OK && pose.weak && pose.turn_certainty < CLUMP_ODOMETRY_WEAK);
            CHECK(is_sphere || fabs(pose.turn_weakest[2]) > 0.99);
            CHECK(pose.certainty[0] > 0.1); /* the place is known */
            CHECK_MSG(fabs(yaw) < 1e-3, "sphere %d, frame %d: turned by %g", is_sphere, i, yaw);
        }
        clump_odometry_destroy(odometry);
    }
    clump_context_destroy(ctx);
}

/* A room of 40 x 30 x 6 m with furniture, seen from a place on the x axis. */
static clump_points room(uint64_t *random, float x)
{
    enum { WALLS = 20000, THINGS = 6000 };
    static const float from[3] = {-20, -15, -2}, to[3] = {20, 15, 4};
    static const float things[5][2] = {{5, 3}, {-8, 6}, {10, -9}, {-13, -4}, {2, -7}};
    for (size_t i = 0; i < WALLS + THINGS; i++) {
        float *const p = xyz + 3 * i;
        float u[3];
        for (int k = 0; k < 3; k++) u[k] = check_random_float(random);
        const float *const thing = things[i % 5];
        for (int k = 0; k < 3; k++) p[k] = from[k] + u[k] * (to[k] - from[k]);
        if (i < WALLS) p[i % 3] = i % 2 ? from[i % 3] : to[i % 3];
        if (i >= WALLS) p[0] = thing[0] + 1.5f * u[0], p[1] = thing[1] + u[1], p[2] = 2 * u[2] - 2;
        p[0] -= x;
    }
    return (clump_points){.xyz = xyz, .count = WALLS + THINGS};
}

/* One step of 3 m after standing still, or as the first motion, or forth and back: walls across it are farther than the reach. */
static void a_step_is_found(void)
{
    clump_context *const ctx = cpu_context(1);
    for (int kind = 0; kind < 3; kind++) {
        clump_odometry *const odometry = make(ctx, NULL);
        uint64_t random = 3;
        for (int i = 0; i < 9; i++) {
            const bool has_moved = kind == 0 ? i >= 5 : kind == 1 ? i >= 1 : i % 2;
            const float x = has_moved ? 3 : 0;
            const clump_odometry_pose pose = push(ctx, odometry, i * (int64_t)PERIOD, room(&random, x), NULL);
            CHECK(i == 0 || pose.state == CLUMP_ODOMETRY_OK);
            CHECK_MSG(fabs(pose.transform[3] - (double)x) < 0.1 && !pose.weak, "kind %d, frame %d: %g, not %g", kind, i,
                      pose.transform[3], (double)x);
        }
        clump_odometry_destroy(odometry);
    }
    clump_context_destroy(ctx);
}

/* A first motion of 5 m is found with a larger reach, one of 100 m is not; the map is the first frame then. */
static void a_fast_start_is_found(void)
{
    clump_context *const ctx = cpu_context(1);
    for (int timed = 0; timed < 2; timed++) {
        clump_lidar_world *const world = make_world(CLUMP_LIDAR_HDL64E, CLUMP_SCENE_STREET, 50, timed);
        clump_odometry *const odometry = make(ctx, NULL);
        double truth[12];
        clump_odometry_pose pose;
        for (size_t i = 0; i < 4; i++) {
            pose = push(ctx, odometry, (int64_t)i * PERIOD, scan(world, i, truth), timed ? times : NULL);
            CHECK(pose.state <= CLUMP_ODOMETRY_OK);
            CHECK_MSG(apart(&pose, truth) < 0.3, "timed %d, frame %zu: %g", timed, i, apart(&pose, truth));
        }
        clump_odometry_reset(odometry);
        pose = push(ctx, odometry, 0, scan(world, 0, truth), timed ? times : NULL);
        const size_t map = pose.map_points;
        pose = push(ctx, odometry, PERIOD, scan(world, 25, truth), timed ? times : NULL);
        CHECK_INT(pose.state, CLUMP_ODOMETRY_LOST);
        CHECK(pose.reach == 2 && pose.map_points == map && pose.transform[3] == 0 && !pose.deskewed);
        CHECK_TEXT(pose.why, "no first motion within four times the reach fits the map");
        clump_odometry_destroy(odometry);
        clump_sim_lidar_destroy(world);
    }
    clump_context_destroy(ctx);
}

/* Three frames are missing, and the times do not say so: no false velocity moves the points or the pose. */
static void a_gap_is_bridged(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_HDL64E, CLUMP_SCENE_STREET, 10, true);
    clump_odometry *const odometry = make(ctx, NULL);
    double truth[12];
    for (size_t i = 0; i < 10; i++) {
        const clump_points points = scan(world, i < 5 ? i : i + 3, truth);
        const clump_odometry_pose pose = push(ctx, odometry, (int64_t)i * PERIOD, points, times);
        CHECK_MSG(pose.state <= CLUMP_ODOMETRY_OK && apart(&pose, truth) < 0.1, "frame %zu: off by %g", i,
                  apart(&pose, truth));
    }
    clump_odometry_destroy(odometry);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

/* Frames out of order are refused; empty ones, those of NaN, and those with wrong times are flagged. */
static void bad_frames(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_odometry *const odometry = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 8, true);
    clump_odometry_pose pose;
    double truth[12];
    pose = push(ctx, odometry, 5, (clump_points){0}, NULL); /* before the first frame */
    CHECK(pose.state == CLUMP_ODOMETRY_LOST && pose.why && pose.transform[0] == 1 && pose.map_points == 0);
    for (size_t i = 0; i < 3; i++) pose = push(ctx, odometry, (int64_t)i * PERIOD, scan(world, i, truth), times);
    CHECK(pose.state == CLUMP_ODOMETRY_OK && pose.deskewed);
    const size_t map = pose.map_points;
    const double place = pose.transform[3];

    clump_points points = scan(world, 3, truth);
    expect_failure(ctx, clump_odometry_push(ctx, odometry, 2 * (int64_t)PERIOD, points, times, &pose),
                   CLUMP_ERR_ARGUMENT, "not later than the one before, 200000000 ns");
    pose = push(ctx, odometry, 3 * (int64_t)PERIOD, (clump_points){0}, times);
    CHECK(pose.state == CLUMP_ODOMETRY_LOST && pose.map_points == map && fabs(pose.transform[3] - place - 0.8) < 0.05);
    CHECK_TEXT(pose.why, "the frame has too few points");
    for (size_t i = 0; i < points.count; i++) xyz[3 * i + i % 3] = i % 2 ? NAN : INFINITY;
    pose = push(ctx, odometry, 3 * (int64_t)PERIOD + 1, points, times);
    CHECK(pose.state == CLUMP_ODOMETRY_LOST && pose.used == 0);

    for (int kind = 0; kind < 4; kind++) { /* times that cannot be: not one of them is used */
        points = scan(world, 4 + (size_t)kind, truth);
        times[77] = kind == 0 ? NAN : kind == 1 ? 1.5f : kind == 2 ? -0.9f : -INFINITY;
        pose = push(ctx, odometry, (4 + kind) * (int64_t)PERIOD, points, times);
        CHECK_MSG(!pose.deskewed && pose.state == CLUMP_ODOMETRY_OK, "kind %d", kind);
        CHECK(fabs(pose.transform[3] - truth[3]) < 0.6);
    }
    pose = push(ctx, odometry, 8 * (int64_t)PERIOD, scan(world, 8, truth), times);
    CHECK(pose.deskewed && pose.state == CLUMP_ODOMETRY_OK && apart(&pose, truth) < 0.3);
    clump_odometry_destroy(odometry);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

/* Points that are not finite, too near or too far change nothing. */
static void ignores_points(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_odometry *const a = make(ctx, NULL), *const b = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 8, false);
    double truth[12];
    for (size_t i = 0; i < 3; i++) {
        clump_points points = scan(world, i, truth);
        const clump_odometry_pose plain = push(ctx, a, (int64_t)i * PERIOD, points, NULL);
        const float more[5][3] = {
            {NAN, 1, 1}, {2, -INFINITY, 3}, {0.5f, 0.5f, 0.5f}, {99, 99, 0}, {FLT_MAX, 4, -FLT_MAX}};
        memcpy(xyz + 3 * points.count, more, sizeof more);
        points.count += 5;
        const clump_odometry_pose other = push(ctx, b, (int64_t)i * PERIOD, points, NULL);
        CHECK(memcmp(plain.transform, other.transform, sizeof plain.transform) == 0);
        CHECK(plain.used == other.used && plain.map_points == other.map_points);
    }
    clump_odometry_destroy(a);
    clump_odometry_destroy(b);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_odometry *none;
    clump_odometry_options o = clump_odometry_defaults();
    clump_odometry_pose pose;
    CHECK_INT(clump_odometry_create(NULL, NULL, &none), CLUMP_ERR_ARGUMENT);
    expect_failure(ctx, clump_odometry_create(ctx, NULL, NULL), CLUMP_ERR_ARGUMENT, "out is null");
    o.max_range = 0.5f;
    expect_failure(ctx, clump_odometry_create(ctx, &o, &none), CLUMP_ERR_ARGUMENT, "must be above min_range");
    o = clump_odometry_defaults();
    o.method = (clump_icp_method)9;
    expect_failure(ctx, clump_odometry_create(ctx, &o, &none), CLUMP_ERR_ARGUMENT, "no method number 9");
    clump_odometry *const odometry = make(ctx, NULL);
    const clump_points points = {.xyz = xyz, .count = 100};
    expect_failure(ctx, clump_odometry_push(ctx, NULL, 0, points, NULL, &pose), CLUMP_ERR_ARGUMENT, "odometry is null");
    expect_failure(ctx, clump_odometry_push(ctx, odometry, 0, points, NULL, NULL), CLUMP_ERR_ARGUMENT, "pose is null");
    CHECK(clump_odometry_push(NULL, odometry, 0, points, NULL, &pose) == CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(clump_odometry_state_name(CLUMP_ODOMETRY_RESTARTED), "restarted");
    CHECK(!clump_odometry_state_name((clump_odometry_state)4) && !clump_odometry_state_name((clump_odometry_state)-1));
    clump_odometry_destroy(odometry);
    clump_context_destroy(ctx);
}

/* ----- memory and cancellation ------------------------------------------------------------------------------ */

/* An odometry may outlive its context. */
static void outlives_its_context(void)
{
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    clump_odometry *const odometry = make(ctx, NULL);
    clump_lidar_world *const world = make_world(CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 0, false);
    double truth[12];
    for (size_t i = 0; i < 2; i++) (void)push(ctx, odometry, (int64_t)i * PERIOD, scan(world, i, truth), times);
    clump_context_destroy(ctx);
    ctx = cpu_context(2);
    CHECK_INT(push(ctx, odometry, 2 * (int64_t)PERIOD, scan(world, 2, truth), NULL).state, CLUMP_ODOMETRY_OK);
    clump_odometry_destroy(odometry);
    CHECK_INT(c.live, 0);
    clump_sim_lidar_destroy(world);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_odometry)
{
    RUN(simulated_drives);
    RUN(real_drives);
    RUN(reset_begins_anew);
    RUN(map_keeps_the_first_points);
    RUN(finds_the_rings);
    RUN(far_drives_stay_precise);
    RUN(a_jump_is_lost);
    RUN(turns_on_the_spot);
    RUN(a_tunnel_is_weak);
    RUN(a_round_room_is_weak);
    RUN(a_step_is_found);
    RUN(a_fast_start_is_found);
    RUN(a_gap_is_bridged);
    RUN(bad_frames);
    RUN(ignores_points);
    RUN(wrong_arguments);
    RUN(outlives_its_context);
}
