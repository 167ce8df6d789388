/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_icp.c: clump_icp finds known motions, reports where it cannot, and gives equal results with any number of
 * threads.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/yard.h"

#include "host/icp.h"

#include <clump/info.h>
#include <clump/io.h>
#include <clump/sim.h>
#include <clump/index.h>

#include <float.h>
#include <math.h>

enum { MOST = 5000 };

static float target[3 * MOST], source[3 * MOST];
static const double degree = 3.14159265358979323846 / 180;

/* Sets m to a rotation about z followed by a translation. */
static void motion(double angle, double x, double y, double z, double m[16])
{
    const double c = cos(angle), s = sin(angle);
    const double all[16] = {c, -s, 0, x, s, c, 0, y, 0, 0, 1, z, 0, 0, 0, 1};
    memcpy(m, all, sizeof all);
}

/* Sets `from` to the inverse of m applied to `to`, so that m maps it back. */
static void move_away(const double m[16], const float *to, float *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double p[3] = {(double)to[3 * i] - m[3], (double)to[3 * i + 1] - m[7], (double)to[3 * i + 2] - m[11]};
        for (size_t k = 0; k < 3; k++) from[3 * i + k] = (float)(m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2]);
    }
}

/* Computes the distance of the images of `at` under two motions, and the angle between the motions. */
static void compare(const double a[16], const double b[16], const double at[3], double *far, double *angle)
{
    double sum = 0, trace = 0;
    for (size_t i = 0; i < 3; i++) {
        double d = a[4 * i + 3] - b[4 * i + 3];
        for (size_t j = 0; j < 3; j++) {
            d += (a[4 * i + j] - b[4 * i + j]) * at[j];
            trace += a[4 * i + j] * b[4 * i + j];
        }
        sum += d * d;
    }
    *far = sqrt(sum);
    *angle = acos(fmin(1, fmax(-1, (trace - 1) / 2)));
}

static void known_motions(void)
{
    uint64_t random = 91;
    clump_context *const ctx = cpu_context(2);
    const double places[2][3] = {{0, 0, 0}, {4000, -3000, 200}};
    for (int turn = 0; turn < 8; turn++) {
        const double *const at = places[turn / 4];
        make_yard(target, MOST, at, &random);
        double m[16];
        motion((turn % 2 ? -1 : 1) * 1.0 * degree, 0.2, -0.1 * turn, 0.05, m);
        /* a turn about the yard's corner, not about the origin */
        m[3] += at[0] - m[0] * at[0] - m[1] * at[1], m[7] += at[1] - m[4] * at[0] - m[5] * at[1];
        move_away(m, target, source, MOST);
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 4 < 2 ? CLUMP_ICP_POINT : CLUMP_ICP_PLANE;
        o.max_iterations = 200;
        o.tolerance = turn < 4 ? 1e-6 : 1e-4;
        o.max_distance = turn % 2 ? 2 : INFINITY;
        clump_icp_result r;
        const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        const double fine = turn < 4 ? 1e-4 : 3e-3; /* floats are 0.0003 apart there */
        CHECK_MSG(far < fine && angle < 1e-4, "turn %d: off by %g m, %g degrees after %d iterations, rmse %g", turn,
                  far, angle / degree, r.iterations, r.rmse);
        CHECK(r.fitness == 1 && r.rmse < fine && r.converged && r.iterations > 1 && r.iterations < 200);
        CHECK(clump_context_stats(ctx).passes == r.iterations && clump_context_stats(ctx).query_ms > 0);

        o.initial = m; /* there already */
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(r.iterations <= 3 && r.converged);
        o.max_iterations = 0;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(r.iterations == 0 && !r.converged && r.fitness == 1);
        compare(r.transform, m, at, &far, &angle);
        CHECK(far < 1e-9 && angle < 1e-7);
    }
    clump_context_destroy(ctx);
}

/* A third of the source is not in the target. Trimming ignores it, and so does a maximum distance. */
static void outliers(void)
{
    uint64_t random = 92;
    clump_context *const ctx = cpu_context(1);
    const double at[3] = {0, 0, 0};
    make_yard(target, MOST, at, &random);
    double m[16];
    motion(0.5 * degree, 0.1, 0.1, 0, m);
    move_away(m, target, source, MOST);
    for (size_t i = 0; i < MOST; i += 3) source[3 * i + 2] += 6 + 3 * check_random_float(&random);
    const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
    for (int turn = 0; turn < 3; turn++) {
        clump_icp_options o = clump_icp_defaults();
        o.max_iterations = 100;
        o.tolerance = 1e-6;
        if (turn == 1) o.keep = 0.6;
        if (turn == 2) o.max_distance = 1;
        clump_icp_result r;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        CHECK_MSG(turn == 0 ? far > 0.1 : far < 1e-4, "turn %d: off by %g", turn, far);
        if (turn == 1) CHECK(r.fitness == 1 && r.rmse < 1e-4);
        if (turn == 2) CHECK(r.fitness > 0.66 && r.fitness < 0.68);
    }
    clump_context_destroy(ctx);
}

/* Two turns of a simulated VLP-16, half a metre apart. The rings on the ground lie on each other wherever the sensor is, and
 * they are most of the points: the nearest 70 percent of the pairs see no motion, the others do. */
static void trimming_does_not_starve(void)
{
    static const clump_lidar_scene scenes[] = {CLUMP_SCENE_STREET, CLUMP_SCENE_CROSSROAD, CLUMP_SCENE_CROSSROAD};
    clump_context *const ctx = cpu_context(2);
    for (int turn = 0; turn < 3; turn++) {
        clump_lidar lidar = clump_lidar_defaults();
        lidar.model = CLUMP_LIDAR_VLP16, lidar.scene = scenes[turn], lidar.speed = 5;
        float *const xyz = malloc(2 * clump_lidar_rays(&lidar) * 3 * sizeof *xyz);
        clump_lidar_world *world;
        CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), CLUMP_OK);
        size_t counts[2] = {0};
        double pose[12] = {0};
        for (size_t i = 0; i < 2; i++) {
            const clump_lidar_scan scan = {.xyz = xyz + i * clump_lidar_rays(&lidar) * 3};
            CHECK_INT(clump_sim_lidar_scan(world, i, &scan, &counts[i], pose, NULL), CLUMP_OK);
        }
        clump_sim_lidar_destroy(world);
        clump_icp_options o = clump_icp_defaults();
        o.method = turn == 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.keep = 0.7;
        clump_icp_result r;
        const clump_points a = {.xyz = xyz, .count = counts[0]},
                           b = {.xyz = xyz + clump_lidar_rays(&lidar) * 3, .count = counts[1]};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_MSG(pose[3] > 0.45 && fabs(r.transform[3] - pose[3]) < 0.05 && r.converged && r.contested,
                  "turn %d: %g m, not %g, rmse %g", turn, r.transform[3], pose[3], r.rmse);
        free(xyz);
    }
    clump_context_destroy(ctx);
}

/* Pairs of a known motion, far from the origin, and pairs that determine none. */
static void aligns_pairs(void)
{
    double from[20][3], to[20][3], m[16], found[16];
    uint64_t random = 3;
    motion(0.7, 3, -4e5, 1, m);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 3; k++) from[i][k] = 1e6 * k + 100 * (double)check_random_float(&random);
        for (int k = 0; k < 3; k++)
            to[i][k] = m[4 * k] * from[i][0] + m[4 * k + 1] * from[i][1] + m[4 * k + 2] * from[i][2] + m[4 * k + 3];
    }
    CHECK(clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found));
    for (int i = 0; i < 16; i++) CHECK(fabs(found[i] - m[i]) < (i == 3 || i == 7 || i == 11 ? 1e-4 : 1e-10));
    CHECK(!clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 2, found) && found[0] == 1 &&
          found[3] == 0);
    for (int i = 0; i < 20; i++) to[i][0] = to[i][1] = to[i][2] = 5;
    CHECK(clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found));
    for (int i = 0; i < 16; i++) CHECK(isfinite(found[i]));
    to[7][1] = NAN;
    CHECK(!clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found) && found[5] == 1 &&
          found[7] == 0);
}

/* Clouds that do not determine a motion, or not all of it. */
static void too_little(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_icp_result r;
    for (size_t i = 0; i < MOST; i++) {
        target[3 * i] = (float)(i % 90), target[3 * i + 1] = (float)(i / 90), target[3 * i + 2] = 0;
        for (size_t k = 0; k < 3; k++) source[3 * i + k] = target[3 * i + k] + (k == 2 ? 0.25f : 0);
    }
    for (int method = 0; method < 2; method++) {
        clump_icp_options o = clump_icp_defaults();
        o.method = (clump_icp_method)method;
        for (size_t n = 0; n < 5; n++)
            for (size_t m = 0; m < 5; m++) {
                const clump_points a = {.xyz = target, .count = n}, b = {.xyz = source, .count = m};
                CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
                for (int k = 0; k < 16; k++) CHECK(isfinite(r.transform[k]));
                if (n == 0 || m < 3) CHECK(!r.converged && r.iterations == 0 && r.transform[0] == 1);
                if (n == 0 || m == 0) CHECK(r.fitness == 0 && r.rmse == 0);
            }
        /* a plane over a plane: down, and nowhere else */
        const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_MSG(r.converged && fabs(r.transform[11] + 0.25) < 1e-6 && fabs(r.transform[3]) < 1e-6 &&
                      fabs(r.transform[7]) < 1e-6,
                  "method %d: %g %g %g", method, r.transform[3], r.transform[7], r.transform[11]);
        o.max_distance = 0.1f;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(!r.converged && r.fitness == 0 && r.transform[11] == 0);
        for (size_t i = 0; i < 60; i++) target[3 * i] = i % 2 ? 3e38f : 0, source[3 * i + 1] = -FLT_MAX;
        const clump_points huge = {.xyz = target, .count = 60}, also = {.xyz = source, .count = 60};
        o.max_distance = INFINITY;
        CHECK_INT(clump_icp(ctx, huge, also, &o, &r), CLUMP_OK);
        for (size_t i = 0; i < 60; i++) target[3 * i] = (float)(i % 90), source[3 * i + 1] = 0;
    }
    clump_context_destroy(ctx);
}

/* ----- kinds -------------------------------------------------------------------------------------------- */

/* Every method, thinned or not, robust or not, finds a known motion; thinning is that of the caller. */
static void kinds_find_motions(void)
{
    static float few[2][3 * MOST];
    uint64_t random = 98;
    clump_context *const ctx = cpu_context(2), *const one = cpu_context(1);
    const double at[3] = {0, 0, 0};
    double m[16];
    make_yard(target, MOST, at, &random);
    motion(0.8 * degree, 0.15, -0.1, 0.04, m);
    move_away(m, target, source, MOST);
    for (size_t i = 0; i < MOST; i += 5) source[3 * i + 2] += 0.8f + check_random_float(&random); /* a fifth is wrong */
    const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
    for (int kind = 0; kind < 12; kind++) {
        clump_icp_options o = clump_icp_defaults();
        clump_icp_result r, same;
        o.method = (clump_icp_method)(kind % 3);
        o.max_distance = 2;
        o.thin = kind / 3 % 2 ? 0.4f : 0;
        o.robust = kind / 6 ? 0.1f : 0;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_INT(clump_icp(one, a, b, &o, &same), CLUMP_OK);
        CHECK(memcmp(r.transform, same.transform, sizeof r.transform) == 0 && r.iterations == same.iterations);
        CHECK(memcmp(r.information, same.information, sizeof r.information) == 0);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        CHECK_MSG(r.converged && far < (o.robust > 0 ? 0.03 : 0.5), "kind %d: off by %g after %d iterations, rmse %g",
                  kind, far, r.iterations, r.rmse);
        if (o.robust > 0) CHECK(r.rmse < 0.15);
        if (o.thin == 0) continue;
        clump_points thinned[2] = {a, b};
        for (int c = 0; c < 2; c++) {
            size_t count = 0;
            for (size_t i = 0; i < MOST; i++) { /* by brute force */
                const float *const p = thinned[c].xyz + 3 * i;
                bool is_new = true;
                for (size_t j = 0; j < count && is_new; j++)
                    is_new = floorf(p[0] / o.thin) != floorf(few[c][3 * j] / o.thin) ||
                             floorf(p[1] / o.thin) != floorf(few[c][3 * j + 1] / o.thin) ||
                             floorf(p[2] / o.thin) != floorf(few[c][3 * j + 2] / o.thin);
                if (is_new) memcpy(few[c] + 3 * count++, p, 3 * sizeof(float));
            }
            thinned[c] = (clump_points){.xyz = few[c], .count = count};
        }
        CHECK(thinned[0].count < MOST * 9 / 10 && clump_context_stats(ctx).queries == thinned[1].count);
        o.thin = 0;
        CHECK_INT(clump_icp(ctx, thinned[0], thinned[1], &o, &same), CLUMP_OK);
        CHECK(memcmp(r.transform, same.transform, sizeof r.transform) == 0 && r.rmse == same.rmse);
    }
    clump_context_destroy(one);
    clump_context_destroy(ctx);
}

/* Returns how much a 6 x 6 matrix says of a direction. */
static double along(const double *m, const double *v)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += v[i] * m[6 * i + j] * v[j];
    return sum;
}

/* The information is that of the sums, written out, and a plane says nothing of motions along it. */
static void information_is_known(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < MOST; i++) {
        target[3 * i] = (float)(i % 90) + 100, target[3 * i + 1] = (float)(i / 90) - 30, target[3 * i + 2] = 7;
    }
    const clump_points a = {.xyz = target, .count = MOST};
    for (int method = 0; method < 3; method++) {
        clump_icp_options o = clump_icp_defaults();
        clump_icp_result r;
        o.method = (clump_icp_method)method;
        CHECK_INT(clump_icp(ctx, a, a, &o, &r), CLUMP_OK);
        for (int k = 0; k < 6; k++) { /* the motion of every point, times itself */
            double v[6] = {0}, wanted = 0;
            v[k] = 1;
            for (size_t i = 0; i < MOST; i++) {
                const double p[3] = {(double)target[3 * i], (double)target[3 * i + 1], (double)target[3 * i + 2]};
                const double d[3] = {v[0] + v[4] * p[2] - v[5] * p[1], v[1] + v[5] * p[0] - v[3] * p[2],
                                     v[2] + v[3] * p[1] - v[4] * p[0]};
                const double flat = method == 0 ? 1 : method == 1 ? 0 : CLUMP_GICP_THICK;
                wanted += flat * (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
            }
            const double found = along(r.information, v);
            CHECK_MSG(fabs(found - wanted) <= 1e-6 * wanted + 1e-6, "method %d, %d: %g, not %g", method, k, found,
                      wanted);
        }
    }
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points p = {.xyz = target, .count = 9};
    clump_points q = p;
    clump_icp_result r;
    clump_icp_options o = clump_icp_defaults();
    double bad[16];
    motion(0, 0, 0, 0, bad);
    bad[0] = 2;
    o.method = (clump_icp_method)4;
    CHECK_INT(clump_icp(ctx, p, p, &o, &r), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(clump_context_error(ctx), "method number 4"), "%s", clump_context_error(ctx));
    o = clump_icp_defaults(), o.initial = bad;
    CHECK_INT(clump_icp(ctx, p, p, &o, &r), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(clump_context_error(ctx), "not a rigid motion"), "%s", clump_context_error(ctx));
    CHECK_INT(clump_icp(NULL, p, p, NULL, &r), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_icp(ctx, p, p, NULL, NULL), CLUMP_ERR_ARGUMENT);
    q.place = CLUMP_PLACE_DEVICE;
    CHECK_INT(clump_icp(ctx, p, q, NULL, &r), CLUMP_ERR_MEMORY_KIND);
    CHECK_INT(clump_icp(ctx, p, p, NULL, &r), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* ----- real scans --------------------------------------------------------------------------------------- */

static clump_cloud *load(const char *folder, const char *file)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    clump_cloud *cloud = NULL;
    clump_cloud_load(path, NULL, &cloud, NULL);
    return cloud;
}

/* Registers b to a and compares with a motion that is known; destroys both clouds. */
static void register_scans(clump_cloud *a, clump_cloud *b, clump_icp_method method, const double *known, double most,
                           double most_angle)
{
    clump_context *const ctx = cpu_context(2);
    clump_icp_options o = clump_icp_defaults();
    o.method = method;
    o.max_distance = 1;
    o.max_iterations = 100;
    clump_icp_result r;
    CHECK_INT(clump_icp(ctx, clump_cloud_points(a), clump_cloud_points(b), &o, &r), CLUMP_OK);
    double far, angle;
    compare(r.transform, known, (const double[3]){0, 0, 0}, &far, &angle);
    CHECK_MSG(far < most && angle < most_angle && r.converged, "off by %g m, %g degrees", far, angle / degree);
    clump_context_destroy(ctx);
    clump_cloud_destroy(a);
    clump_cloud_destroy(b);
}

/* The result of pcl::IterativeClosestPoint (1.13) for these scans, with pairs within 1 m and an equal tolerance. */
static void scans_as_pcl(void)
{
    if (CLOUD_WATCHED) SKIP(DO_UNWATCHED);
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    clump_cloud *const a = load(folder, "kitti/semkitti_00_000000.bin"), *const b = load(
                                                                             folder, "kitti/semkitti_00_000001.bin");
    if (!a || !b) SKIP(DO_DATA);
    static const double pcl[16] = {0.999999,
                                   -0.00275745,
                                   -0.000691407,
                                   0.662591,
                                   0.00275647,
                                   1,
                                   -0.00146229,
                                   0.00893968,
                                   0.000695413,
                                   0.00146036,
                                   1,
                                   0.00655051,
                                   0,
                                   0,
                                   0,
                                   1};
    register_scans(a, b, CLUMP_ICP_POINT, pcl, 0.02, 0.1 * degree);
}

static void pair_with_known_pose(void)
{
    if (CLOUD_WATCHED) SKIP(DO_UNWATCHED);
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    clump_cloud *const a = load(folder, "ply/smallgicp_target.ply"), *const b =
                                                                         load(folder, "ply/smallgicp_source.ply");
    char path[1200];
    snprintf(path, sizeof path, "%s/ply/smallgicp_T_target_source.txt", folder);
    FILE *const file = fopen(path, "r");
    double pose[16];
    for (int i = 0; file && i < 16; i++)
        if (fscanf(file, "%lf", &pose[i]) != 1) SKIP("%s is not a pose: " DO_DATA, path);
    if (!a || !b || !file) SKIP(DO_DATA);
    fclose(file);
    register_scans(a, b, CLUMP_ICP_PLANE, pose, 0.05, 0.2 * degree);
}

CHECK_PROGRAM(test_icp)
{
    RUN(known_motions);
    RUN(outliers);
    RUN(trimming_does_not_starve);
    RUN(aligns_pairs);
    RUN(too_little);
    RUN(kinds_find_motions);
    RUN(information_is_known);
    RUN(wrong_arguments);
    RUN(scans_as_pcl);
    RUN(pair_with_known_pose);
}
