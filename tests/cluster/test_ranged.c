/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranged.c: a radius that grows with the range (eps_per_metre): clump_ec and clump_dbscan must give the labels of
 * the oracles, bit for bit, with any number of threads, on clouds of all kinds and with the sensor anywhere.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"
#include "oracle/oracle_dbscan.h"
#include "oracle/verify.h"
#include "oracle/verify_dbscan.h"

#include <clump/info.h>

#include <float.h>
#include <math.h>

enum { MOST = 900, RUNS = 2 };

static const int run_threads[RUNS] = {1, 3};
static clump_context *contexts[RUNS];

static float xyz[3 * MOST];
static uint8_t mask[MOST], core[MOST], expected_core[MOST];
static int32_t labels[MOST], expected[MOST];

/* Number of neighbours that are farther apart than eps: a test without such pairs is void. */
static long grown_pairs;

static void compare_ec(clump_points points, float d, const clump_ec_options *o, const char *name, long round)
{
    const int32_t clusters = oracle_ec(points, d, o, expected);
    clump_message why;
    CHECK_MSG(verify_ec(points, d, o, expected, clusters, &why), "%s, round %ld: the oracle: %s", name, round,
              why.text);
    size_t noise = 0;
    for (size_t i = 0; i < points.count; i++) noise += expected[i] == CLUMP_NOISE;
    for (int k = 0; k < RUNS; k++) {
        int32_t found = -7;
        for (size_t i = 0; i < points.count; i++) labels[i] = 77;
        const clump_status status = clump_ec(contexts[k], points, d, o, labels, &found);
        CHECK_MSG(status == CLUMP_OK, "%s, round %ld: %s", name, round, clump_context_error(contexts[k]));
        size_t at = 0;
        while (at < points.count && labels[at] == expected[at]) at++;
        if (found != clusters || at < points.count)
            CHECK_FAIL("ec, %s, round %ld, %d threads: %zu points, d %.9g, %.9g a metre, sensor %.9g %.9g %.9g: "
                       "%d clusters, not %d; point %zu",
                       name, round, run_threads[k], points.count, (double)d, (double)o->common.eps_per_metre,
                       (double)o->common.sensor[0], (double)o->common.sensor[1], (double)o->common.sensor[2], found,
                       clusters, at);
        CHECK(clump_context_stats(contexts[k]).noise == noise);
    }
}

static void compare_dbscan(clump_points points, float eps, size_t min_points, const clump_ec_options *ec, bool borders,
                           const char *name, long round)
{
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.two_d = ec->common.two_d, o.common.order = ec->common.order, o.common.mask = ec->common.mask,
    o.common.min_size = ec->common.min_size, o.common.max_size = ec->common.max_size;
    o.common.eps_per_metre = ec->common.eps_per_metre, o.no_border_points = !borders;
    memcpy(o.common.sensor, ec->common.sensor, sizeof o.common.sensor);
    const int32_t clusters = oracle_dbscan(points, eps, min_points, &o, expected, expected_core);
    clump_message why;
    CHECK_MSG(verify_dbscan(points, eps, min_points, &o, expected, clusters, expected_core, &why),
              "%s, round %ld: the oracle: %s", name, round, why.text);
    size_t noise = 0;
    for (size_t i = 0; i < points.count; i++) noise += expected[i] == CLUMP_NOISE;
    for (int k = 0; k < RUNS; k++) {
        int32_t found = -7;
        o.core = (round + k) % 5 != 0 ? core : NULL;
        for (size_t i = 0; i < points.count; i++) labels[i] = 77, core[i] = 99;
        const clump_status status = clump_dbscan(contexts[k], points, eps, min_points, &o, labels, &found);
        CHECK_MSG(status == CLUMP_OK, "%s, round %ld: %s", name, round, clump_context_error(contexts[k]));
        size_t at = 0;
        while (at < points.count && labels[at] == expected[at] && (!o.core || core[at] == expected_core[at])) at++;
        if (found != clusters || at < points.count)
            CHECK_FAIL("dbscan, %s, round %ld, %d threads: %zu points, eps %.9g, min %zu, %.9g a metre, sensor "
                       "%.9g %.9g %.9g: %d clusters, not %d; point %zu",
                       name, round, run_threads[k], points.count, (double)eps, min_points,
                       (double)o.common.eps_per_metre, (double)o.common.sensor[0], (double)o.common.sensor[1],
                       (double)o.common.sensor[2], found, clusters, at);
        CHECK(clump_context_stats(contexts[k]).noise == noise);
    }
}

/* At a point, at the origin, in the cloud, beside it, or so far away that all radii are alike. */
static void put_sensor(clump_ec_options *o, size_t count, float d, uint64_t *random)
{
    const uint64_t kind = check_random(random) % 6;
    const float *const p = xyz + 3 * (count ? check_random(random) % count : 0);
    for (int k = 0; k < 3; k++) {
        const float u = check_random_float(random) - 0.5f, at = count && isfinite(p[k]) ? p[k] : 0;
        o->common.sensor[k] = kind == 0   ? 0
                              : kind < 3  ? at
                              : kind == 3 ? at + u * d
                              : kind == 4 ? at + 50 * u * d
                                          : at + 1e5f * u * d;
        if (!isfinite(o->common.sensor[k])) o->common.sensor[k] = 0;
    }
}

/* Mostly so that radii of some points are larger than d, and of others not. */
static float some_per_metre(const clump_ec_options *o, size_t count, float d, uint64_t *random)
{
    static const float some[] = {0,          1e-30f, 1e-3f, 0.01f, 0.3f, 0.89999998f, 0.9f,
                                 0.9000001f, 1,      1.5f,  4,     1e3f, 1e10f,       1.8e19f};
    if (check_random(random) % 3 == 0) return some[check_random(random) % (sizeof some / sizeof *some)];
    const float *const p = xyz + 3 * (count ? check_random(random) % count : 0);
    const float range =
        hypotf(hypotf(p[0] - o->common.sensor[0], p[1] - o->common.sensor[1]), p[2] - o->common.sensor[2]);
    const float s = d / range * (check_random(random) % 2 ? 1 : ldexpf(1, (int)(check_random(random) % 8)));
    return s < 1.8e19f ? s : 0.01f; /* not where range is 0, or not finite */
}

static void count_grown(clump_points points, float d, const clump_ec_options *o)
{
    for (size_t i = 1; i < points.count; i++) {
        const float *const a = oracle_point(points, i - 1), *const b = oracle_point(points, i);
        if (oracle_takes_part(points, o, i - 1) && oracle_takes_part(points, o, i))
            grown_pairs += oracle_neighbours(a, b, d, o, false) && !oracle_near(a, b, d, o->common.two_d);
    }
}

static void random_clouds(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 1;
    grown_pairs = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 40 : 240); round++) {
        const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
        const float share = check_random_float(&random); /* mostly small ones */
        const size_t count =
            round < check_fewer(3, 12) ? (size_t)(round % 3) : (size_t)(share * share * (MOST + 0.99f));
        float d = cloud_fill(shape, xyz, count, &random);
        if (check_random(&random) % 2) d *= 0.5f * check_random_float(&random);
        if (!(d * d >= FLT_MIN && d * d < INFINITY)) d = 1;
        clump_ec_options o = clump_ec_defaults();
        cloud_options(&o, mask, count, &random);
        o.method = CLUMP_EC_FAST;
        put_sensor(&o, count, d, &random);
        o.common.eps_per_metre = some_per_metre(&o, count, d, &random);
        if (check_random(&random) % 6 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 50, &random);
        if (o.common.two_d) { /* z must not be looked at */
            o.common.sensor[2] = NAN;
            for (size_t i = 0; i < count; i++)
                if (check_random(&random) % 4 == 0) xyz[3 * i + 2] = NAN;
        }
        const clump_points points = {.xyz = xyz, .count = count};
        compare_ec(points, d, &o, cloud_name(shape), round);
        const size_t min_points = check_random(&random) % 8 ? 1 + check_random(&random) % 12 : 1 + count / 4;
        compare_dbscan(points, d, min_points, &o, check_random(&random) % 8 != 0, cloud_name(shape), round);
        count_grown(points, d, &o);
    }
    CHECK_MSG(grown_pairs > 500, "%ld pairs by a larger radius: the test does not test", grown_pairs);
    destroy_contexts(contexts, RUNS);
}

/* The oracles and the checkers themselves, on a line: 0 and 1 are near each other by their own radius, 2 and 3 by a
 * larger one, and 1 and 2 are not, as that of 1 is too small. */
static void checkers_know_it(void)
{
    static const float line[] = {1, 0, 0, 1.5f, 0, 0, 8, 0, 0, 11, 0, 0};
    static const int32_t good[] = {0, 0, 1, 1}, split[] = {0, 0, 1, 2}, joined[] = {0, 0, 0, 0};
    static const uint8_t flags[] = {1, 1, 1, 1}, none[] = {1, 1, 0, 0};
    const clump_points points = {.xyz = line, .count = 4};
    clump_ec_options o = clump_ec_defaults();
    clump_dbscan_options b = clump_dbscan_defaults();
    o.common.eps_per_metre = b.common.eps_per_metre = 0.5f;
    clump_message why;
    CHECK(verify_ec(points, 1, &o, good, 2, &why));
    CHECK(!verify_ec(points, 1, &o, split, 3, &why) && strstr(why.text, "neighbours 2 and 3"));
    CHECK(!verify_ec(points, 1, &o, joined, 1, &why) && strstr(why.text, "not connected"));
    CHECK(verify_dbscan(points, 1, 2, &b, good, 2, flags, &why));
    CHECK(!verify_dbscan(points, 1, 2, &b, good, 2, none, &why) && strstr(why.text, "core point"));
    CHECK(!verify_dbscan(points, 1, 2, &b, joined, 1, flags, &why) && strstr(why.text, "not connected"));
    CHECK(!verify_dbscan(points, 1, 2, &b, split, 3, flags, &why) && strstr(why.text, "hang together"));
    o.common.eps_per_metre = b.common.eps_per_metre = 0;
    CHECK(verify_ec(points, 1, &o, split, 3, &why) && !verify_ec(points, 1, &o, good, 2, &why));
    CHECK(!verify_dbscan(points, 1, 2, &b, good, 2, flags, &why));
    o.common.eps_per_metre = 0.5f; /* at exactly the radius of the nearer one: only for dbscan */
    static const float tie[] = {4, 0, 0, 6, 0, 0};
    CHECK(!oracle_neighbours(tie, tie + 3, 1, &o, false) && oracle_neighbours(tie, tie + 3, 1, &o, true));
    CHECK(!oracle_neighbours(tie + 3, tie, 1, &o, false) && oracle_neighbours(tie + 3, tie, 1, &o, true));
}

/* Clouds as a sensor sees them: density falls with the range, over ranges of many sizes, so that points of all levels
 * meet; around a sensor near and far from the origin. */
static void clouds_that_thin_out(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 2;
    grown_pairs = 0;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 15 : 70); round++) {
        const size_t count = 20 + check_random(&random) % (MOST / 2);
        static const float growth[] = {0.02f, 0.1f, 0.3f, 0.6f, 0.89f, 0.91f, 1, 1.5f, 3, 20};
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = growth[(size_t)round % 10];
        o.common.two_d = round % 7 == 3;
        const float away = round % 4 == 0 ? 3e5f : round % 4 == 1 ? 0 : 40;
        for (int k = 0; k < 3; k++) o.common.sensor[k] = away * (check_random_float(&random) - 0.5f);
        const float octaves = 1 + 11 * check_random_float(&random), spread = 0.3f + 2 * check_random_float(&random);
        float at[3] = {1, 0, 0}, range = 1;
        for (size_t i = 0; i < count; i++) { /* walks, in steps of about the radius, now and then begun anew */
            if (i % 25 == 0) {
                range = exp2f(octaves * check_random_float(&random));
                for (int k = 0; k < 3; k++) at[k] = range * (check_random_float(&random) - 0.5f);
            } else {
                range = hypotf(hypotf(at[0], at[1]), at[2]);
                const float step = spread * fmaxf(0.4f, o.common.eps_per_metre * range);
                for (int k = 0; k < 3; k++) at[k] += step * (check_random_float(&random) - 0.5f);
            }
            for (int k = 0; k < 3; k++) xyz[3 * i + (size_t)k] = at[k] + o.common.sensor[k];
        }
        const clump_points points = {.xyz = xyz, .count = count};
        compare_ec(points, 0.4f, &o, "walks", round);
        compare_dbscan(points, 0.4f, 2 + (size_t)round % 6, &o, true, "walks", round);
        count_grown(points, 0.4f, &o);
    }
    CHECK_MSG(grown_pairs > 1000, "%ld pairs by a larger radius: the test does not test", grown_pairs);
    destroy_contexts(contexts, RUNS);
}

/* Lattices around the sensor: with S a power of two many a radius is exactly the way to some other point, and with the
 * floats beside it just not. */
static void ties(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 3;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 80); round++) {
        const size_t side = 5 + (size_t)round % 5, flat = round % 3 ? side : 1;
        const float spacing = ldexpf(1, (int)(round % 9) - 4);
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = cloud_step(ldexpf(1, (int)(check_random(&random) % 5) - 3), (int)(round % 3) - 1);
        size_t count = 0;
        for (size_t i = 0; i < side * side * flat && count < MOST; i++) {
            if (check_random(&random) % 3 == 0) continue;
            const size_t at[3] = {i % side, i / side % side, i / side / side};
            for (size_t k = 0; k < 3; k++) xyz[3 * count + k] = spacing * ((float)at[k] - (float)(round % 4));
            count++;
        }
        if (round % 5 == 4)
            for (int k = 0; k < 3; k++) o.common.sensor[k] = spacing * 0.5f * (float)(check_random(&random) % 9);
        const clump_points points = {.xyz = xyz, .count = count};
        const float d = cloud_step(spacing * (round % 2 ? 0.5f : 1.0f), (int)(round / 2 % 3) - 1);
        compare_ec(points, d, &o, "lattice", round);
        compare_dbscan(points, d, 2 + (size_t)round % 7, &o, true, "lattice", round);
    }
    destroy_contexts(contexts, RUNS);
}

/* A chain that runs away from the sensor, every link a little shorter, or a little longer, than the radius at its near
 * end: whole, or in pieces, wherever along it something changes inside. */
static void no_cut_anywhere(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    for (int round = 0; round < 60; round++) {
        const float growth = 0.02f + 0.05f * (float)(round % 20), eps = 0.25f;
        for (int shorter = 0; shorter < 2; shorter++) {
            size_t count = 0;
            double range = 0.5 + 0.01 * round, turn = 0.3 * round;
            clump_ec_options o = clump_ec_defaults();
            o.common.eps_per_metre = growth;
            for (; count < MOST && range < 1e6; count++) {
                xyz[3 * count] = (float)(range * cos(turn)), xyz[3 * count + 1] = (float)(range * sin(turn));
                xyz[3 * count + 2] = 0;
                range += fmax(eps, growth * range) * (shorter ? 0.999 : 1.001);
            }
            const clump_points points = {.xyz = xyz, .count = count};
            for (int k = 0; k < RUNS; k++) {
                int32_t found = -1;
                CHECK_INT(clump_ec(contexts[k], points, eps, &o, labels, &found), CLUMP_OK);
                CHECK_MSG(found == (shorter ? 1 : (int32_t)count), "round %d: %zu points in %d clusters", round, count,
                          found);
            }
        }
    }
    destroy_contexts(contexts, RUNS);
}

/* An arc across every range at which a radius has doubled: its points lie on both sides in turn. */
static void whole_across_levels(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    const float eps = 0.25f, growth = 0.03125f;
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = growth;
    for (int level = 0; level < 12; level++) {
        const double range = ldexp(eps, level) / growth;
        size_t count = 0;
        for (; count < 400; count++) {
            const double here = range * (count % 2 ? 1 - 1e-5 : 1 + 1e-5), turn = 0.9 * growth * (double)count;
            xyz[3 * count] = (float)(here * cos(turn / 3)), xyz[3 * count + 1] = (float)(here * sin(turn / 3));
            xyz[3 * count + 2] = 0;
        }
        const clump_points points = {.xyz = xyz, .count = count};
        int32_t found = -1;
        CHECK_INT(clump_ec(contexts[0], points, eps, &o, labels, &found), CLUMP_OK);
        CHECK_INT(found, 1);
    }
    destroy_contexts(contexts, RUNS);
}

/* Two crowds of all kinds a hair more, or a little less, than the radius of their points apart. All points have the
 * same range, so that the answer is known. */
static void crowds(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    enum { CROWD = 20000 };
    float *const cloud = malloc(6 * CROWD * sizeof *cloud);
    int32_t *const out = malloc(2 * CROWD * sizeof *out);
    uint64_t random = 4;
    for (int round = 0; round < 8; round++) {
        const double range = 100, growth = 0.05, radius = range * growth, angle = 2 * asin(0.5 * growth);
        const bool near = round % 2;
        for (size_t i = 0; i < 2 * CROWD; i++) { /* two strips on a sphere, as parallel as can be */
            const double wide = radius * 0.3 / range, z = radius * 0.5 * ((double)check_random_float(&random) - 0.5);
            const double turn = round / 2 % 2 ? 0.7 : 0, v = z / range;
            const double u = (i < CROWD ? -1 : 1) * (0.5 * angle * (near ? 0.98 : 1.0001) / cos(v)) +
                             (i < CROWD ? -1 : 1) * wide * (double)check_random_float(&random);
            const double p[3] = {range * cos(u + turn) * cos(v), range * sin(u + turn) * cos(v), range * sin(v)};
            for (int k = 0; k < 3; k++) cloud[3 * i + (size_t)k] = (float)p[k];
        }
        clump_ec_options o = clump_ec_defaults();
        o.common.eps_per_metre = (float)growth;
        int32_t found = -1;
        CHECK_INT(clump_ec(contexts[0], (clump_points){.xyz = cloud, .count = 2 * CROWD}, 0.001f, &o, out, &found),
                  CLUMP_OK);
        CHECK_MSG(found == (near ? 1 : 2), "round %d: %d clusters", round, found);
    }
    free(cloud), free(out);
    destroy_contexts(contexts, RUNS);
}

/* Radii over many scales, and windows across the range at which cells become single floats (rules/cell.h). A call that
 * walks through numbers of cells that do not exist would not end within the time that CTest allows. */
static void radii_of_all_scales(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    static const float corners[][3] = {{0x1p26f, 0x1p26f, 0x1p26f},
                                       {0x1p26f, 0x1p26f, 0x1p26f},
                                       {0x1p26f - 3000, 0x1p26f, 0x1p26f},
                                       {0x1p26f, 0, 0},
                                       {0x1p26f, 1, 0},
                                       {0x1p26f - 3000, 0, 0}};
    memcpy(xyz, corners, sizeof corners);
    clump_ec_options o = clump_ec_defaults();
    for (int first = 0; first <= 3; first += 3) {
        const clump_points three = {.xyz = xyz + 3 * first, .count = 3};
        for (float s = 0x1p-29f; s < 0x1p5f; s *= 1.25f) {
            o.common.eps_per_metre = s;
            compare_ec(three, 1.2f, &o, "corners", first);
            compare_dbscan(three, 1.2f, 3, &o, true, "corners", first);
        }
    }
    uint64_t random = 5;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 30 : 200); round++) {
        const size_t count = 10 + check_random(&random) % 110;
        const float d = ldexpf(1 + check_random_float(&random), (int)(check_random(&random) % 100) - 50);
        for (size_t i = 0; i < 3 * count; i++) {
            xyz[i] = ldexpf(1 + check_random_float(&random), (int)(check_random(&random) % 120) - 60);
            if (round % 2) xyz[i] = i % 3 < (size_t)round % 4 ? xyz[i] : 0;
            if (check_random(&random) % 2) xyz[i] = -xyz[i];
        }
        put_sensor(&o, count, d, &random);
        o.common.eps_per_metre = ldexpf(1, (int)(check_random(&random) % 80) - 30);
        o.common.two_d = round % 3 == 0;
        if (round % 4 == 0) xyz[3 * (check_random(&random) % count)] = INFINITY;
        const clump_points points = {.xyz = xyz, .count = count};
        compare_ec(points, d, &o, "scales", round);
        compare_dbscan(points, d, 2 + check_random(&random) % 20, &o, true, "scales", round);
    }
    destroy_contexts(contexts, RUNS);
}

CHECK_PROGRAM(test_ranged)
{
    RUN(checkers_know_it);
    RUN(random_clouds);
    RUN(clouds_that_thin_out);
    RUN(ties);
    RUN(no_cut_anywhere);
    RUN(whole_across_levels);
    RUN(crowds);
    RUN(radii_of_all_scales);
}
