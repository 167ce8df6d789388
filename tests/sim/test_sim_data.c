/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Simulated scans beside real ones: how far apart their ranges, elevations and densities are (bench/harness/scan_shape.h). Real
 * scans of one sensor in different places are the scale. docs/simulation.md has the table that this program prints.
 */
#include "support/check.h"
#include "harness/scan_shape.h"
#include "support/scans.h"

#include <clump/sim.h>

#include <math.h>

#define DATA_SEEDS check_fewer(1u, 3u)

/* The largest distance that is accepted, by measure. Real scans of HDL-64E in different places are up to 0.17, 0.06 and
 * 0.25 apart. */
static const double most[SCAN_MEASURES] = {0.25, 0.1, 0.25};

static void simulated_scans_are_like_real_ones(void)
{
    size_t compared = 0;
    printf("%-40s %-9s %-10s  points  simulated  range  elevation  density\n", "scan", "sensor", "scene");
    for (size_t i = 0; i < LIKENESS_COUNT; i++) {
        const likeness *row = &likenesses[i];
        scan_shape real, made;
        if (!likeness_measure_real(row, scans_folder(), &real)) continue;
        compared++;
        double mean[SCAN_MEASURES] = {0}, points = 0;
        for (uint64_t seed = 1; seed <= DATA_SEEDS; seed++) {
            CHECK(likeness_measure_simulated(row, seed, &made));
            points += (double)made.points / DATA_SEEDS;
            for (int m = 0; m < SCAN_MEASURES; m++)
                mean[m] += scan_distance(&real, &made, (scan_measure)m) / DATA_SEEDS;
        }
        printf("%-40s %-9s %-10s %7zu %10.0f   %.2f       %.2f     %.2f\n", row->path,
               clump_lidar_model_name(row->model), clump_lidar_scene_name(row->scene), real.points, points, mean[0],
               mean[1], mean[2]);
        for (int m = 0; m < SCAN_MEASURES; m++)
            CHECK_MSG(mean[m] <= most[m], "%s: %s %g", row->path, scan_measure_name((scan_measure)m), mean[m]);
    }
    if (compared == 0) SKIP("no scans in %s: " DO_DATA, scans_folder());
}

/* Distances of the real scans of one sensor from each other, for the table. */
static void real_scans_differ_too(void)
{
    scan_shape shapes[LIKENESS_COUNT];
    bool read[LIKENESS_COUNT];
    size_t pairs = 0;
    for (size_t i = 0; i < LIKENESS_COUNT; i++)
        read[i] = likeness_measure_real(&likenesses[i], scans_folder(), &shapes[i]);
    for (size_t i = 0; i < LIKENESS_COUNT; i++)
        for (size_t k = 0; k < i; k++) {
            if (!read[i] || !read[k] || likenesses[i].model != likenesses[k].model) continue;
            printf("%-40s %-40s", likenesses[k].path, likenesses[i].path);
            for (int m = 0; m < SCAN_MEASURES; m++)
                printf("  %.2f", scan_distance(&shapes[i], &shapes[k], (scan_measure)m));
            puts("");
            pairs++;
        }
    if (pairs == 0) SKIP("no scans in %s: " DO_DATA, scans_folder());
}

enum { DATA_RINGS = 128 };

/* Puts the mean elevation of the points of each ring, in degrees, at a distance of 4 m or more; NaN: there are none. */
static void mean_elevations(const float *xyz, const clump_field *ring, size_t count, double out[DATA_RINGS])
{
    size_t points[DATA_RINGS] = {0};
    double sums[DATA_RINGS] = {0};
    for (size_t i = 0; i < count; i++) {
        const double flat = hypot((double)xyz[3 * i], (double)xyz[3 * i + 1]), z = (double)xyz[3 * i + 2];
        const size_t r = (size_t)clump_field_value(ring, i, 0);
        if (r >= DATA_RINGS || hypot(flat, z) < 4) continue;
        sums[r] += atan2(z, flat) * (180 / 3.14159265358979323846);
        points[r]++;
    }
    for (size_t r = 0; r < DATA_RINGS; r++) out[r] = points[r] ? sums[r] / (double)points[r] : (double)NAN;
}

static void simulated_elevations(clump_lidar_model model, double out[DATA_RINGS])
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = model;
    const size_t rays = clump_lidar_rays(&lidar);
    float *const xyz = malloc(rays * 3 * sizeof *xyz);
    uint16_t *const rings = malloc(rays * sizeof *rings);
    clump_lidar_world *world;
    size_t count = 0;
    if (!xyz || !rings || clump_sim_lidar_create(&lidar, &world, NULL) != CLUMP_OK) abort();
    const clump_lidar_scan to = {.xyz = xyz, .ring = rings};
    CHECK_INT(clump_sim_lidar_scan(world, 0, &to, &count, NULL, NULL), CLUMP_OK);
    mean_elevations(xyz, &(clump_field){.type = CLUMP_TYPE_U16, .count = 1, .data = rings}, count, out);
    clump_sim_lidar_destroy(world);
    free(xyz), free(rings);
}

/* Beams of recordings against simulated ones. The beams of a VLP-16 begin up to 11 mm above or below the middle of the
 * sensor, which is 0.15 degrees at 4 m. */
static void beams_are_those_of_real_sensors(void)
{
    static const struct {
        const char *path;
        clump_lidar_model model;
        size_t least;
        double most;
    } rows[] = {{"pcap/DERIVED_nebula_vlp16.pcap", CLUMP_LIDAR_VLP16, 8, 0.15},
                {"pcap/mrpt_sample_velodyne_hdl32.pcap", CLUMP_LIDAR_HDL32E, 24, 0.02},
                {"rosbag/nebula_vls128_0.db3", CLUMP_LIDAR_128, 100, 0.02}};
    size_t compared = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        clump_frame frame = {0};
        clump_field ring;
        double real[DATA_RINGS], made[DATA_RINGS];
        if (likeness_read_frame(scans_folder(), rows[i].path, &frame) && clump_cloud_find(frame.cloud, "ring", &ring)) {
            compared++;
            mean_elevations(clump_cloud_xyz(frame.cloud), &ring, clump_cloud_points(frame.cloud).count, real);
            simulated_elevations(rows[i].model, made);
            size_t rings = 0;
            for (size_t r = 0; r < DATA_RINGS; r++) {
                if (isnan(real[r]) || isnan(made[r])) continue;
                rings++;
                CHECK_MSG(fabs(real[r] - made[r]) < rows[i].most, "%s: ring %zu is at %g, simulated %g", rows[i].path,
                          r, real[r], made[r]);
            }
            CHECK_MSG(rings >= rows[i].least, "%s: %zu rings", rows[i].path, rings);
        }
        clump_frame_release(&frame);
    }
    if (compared == 0) SKIP("no scans in %s: " DO_DATA, scans_folder());
}

/* The measures themselves: distances of shapes that are known. */
static void distances_are_right(void)
{
    float near[300], far[300];
    for (int i = 0; i < 100; i++) {
        near[3 * i] = 5 + 0.1f * (float)i, near[3 * i + 1] = 0, near[3 * i + 2] = -1;
        far[3 * i] = 10 + 0.1f * (float)i, far[3 * i + 1] = 0, far[3 * i + 2] = -1;
    }
    scan_shape a, b;
    CHECK(scan_shape_of((clump_points){.xyz = near, .count = 100}, &a) && a.points == 100);
    CHECK(scan_shape_of((clump_points){.xyz = far, .count = 100}, &b));
    CHECK(scan_distance(&a, &a, SCAN_RANGE) == 0 && fabs(scan_distance(&a, &b, SCAN_RANGE) - 0.5) < 0.011);
    CHECK(scan_distance(&a, &b, SCAN_DENSITY) == 0); /* ten points per cube in both */
    CHECK(fabs(scan_quantile(&a, SCAN_RANGE, 0.5) - 10) < 0.2 && fabs(scan_quantile(&a, SCAN_DENSITY, 0.5) - 10) < 1.5);
    CHECK(scan_quantile(&a, SCAN_ELEVATION, 0.01) < -11 && scan_quantile(&a, SCAN_ELEVATION, 0.99) > -5);
    near[0] = (float)NAN, near[3] = 1, near[6] = 81; /* not finite, too near, too far */
    CHECK(scan_shape_of((clump_points){.xyz = near, .count = 100}, &a) && a.points == 97);
    CHECK(scan_shape_of((clump_points){.xyz = near, .count = 0}, &a) && a.points == 0);
}

CHECK_PROGRAM(test_sim_data)
{
    RUN(distances_are_right);
    RUN(simulated_scans_are_like_real_ones);
    RUN(real_scans_differ_too);
    RUN(beams_are_those_of_real_sensors);
}
