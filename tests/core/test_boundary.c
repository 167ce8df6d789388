/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_boundary.c: pairs of points at the distance d, one float more or less, where a grid may be wrong: at the borders
 * of cells, across corners two cells away, where floats are coarser than cells, and at the limits of float32. The
 * definition gives the expected result of each pair.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"

#include "rules/cell.h"

#include <clump/info.h>

#include <float.h>
#include <math.h>

static clump_context *ctx;

static clump_ec_options options_of(clump_ec_method method, bool two_d)
{
    clump_ec_options o = clump_ec_defaults();
    o.method = method;
    o.common.two_d = two_d;
    return o;
}

/* One cluster or two? */
static void pair(const float *a, const float *b, float d, bool two_d, clump_ec_method method)
{
    const float xyz[6] = {a[0], a[1], a[2], b[0], b[1], b[2]};
    const clump_ec_options o = options_of(method, two_d);
    int32_t labels[2] = {9, 9}, found = 9;
    const clump_status status = clump_ec(ctx, (clump_points){.xyz = xyz, .count = 2}, d, &o, labels, &found);
    const bool near = oracle_near(a, b, d, two_d);
    CHECK_MSG(status == CLUMP_OK && labels[0] == 0 && labels[1] == (near ? 0 : 1) && found == (near ? 1 : 2),
              "d %.9g: %.9g %.9g %.9g and %.9g %.9g %.9g are %s (%s%s)", (double)d, (double)a[0], (double)a[1],
              (double)a[2], (double)b[0], (double)b[1], (double)b[2], near ? "near" : "not near",
              clump_ec_method_name(method), two_d ? ", 2-D" : "");
}

static void pair_in_all_ways(const float *a, const float *b, float d)
{
    pair(b, a, d, false, CLUMP_EC_FAST);
    FOR_CPU_METHODS (method, clump_ec_methods) {
        pair(a, b, d, false, (clump_ec_method)method);
        pair(a, b, d, true, (clump_ec_method)method);
    }
}

static void known_pairs(void)
{
    /* x / 0.3 in float is 199 and 201 cells from -40 */
    pair_in_all_ways((float[]){20.0000019f, 0, 0}, (float[]){20.3000011f, 0, 0}, 0.3f);
    CHECK(oracle_near((float[]){20.0000019f, 0, 0}, (float[]){20.3000011f, 0, 0}, 0.3f, false));
    pair_in_all_ways((float[]){0, 0, 0}, (float[]){-0.0f, -0.0f, -0.0f}, 1);
    pair_in_all_ways((float[]){1e30f, -1e30f, 1e30f}, (float[]){1e30f, -1e30f, 1e30f}, 1);
    pair_in_all_ways((float[]){1e30f, 0, 0}, (float[]){1e30f, 0.5f, 0}, 1);
    pair_in_all_ways((float[]){1e30f, 0, 0}, (float[]){cloud_step(1e30f, 1), 0, 0}, 1);
    pair_in_all_ways((float[]){FLT_MAX, FLT_MAX, FLT_MAX}, (float[]){-FLT_MAX, -FLT_MAX, -FLT_MAX}, 1);
    pair_in_all_ways((float[]){FLT_MAX, FLT_MAX, FLT_MAX}, (float[]){FLT_MAX, FLT_MAX, FLT_MAX}, 1e-18f);
    pair_in_all_ways((float[]){FLT_MAX, 0, 0}, (float[]){cloud_step(FLT_MAX, -1), 0, 0}, 1.8e19f);
    pair_in_all_ways((float[]){FLT_TRUE_MIN, 0, 0}, (float[]){-FLT_TRUE_MIN, 0, 0}, 0x1p-63f);
    pair_in_all_ways((float[]){FLT_TRUE_MIN, 1, 0}, (float[]){-FLT_MIN, 1, 0}, 1e18f);
    pair_in_all_ways((float[]){1e-30f, 1e-40f, 0}, (float[]){-1e-30f, 0, 1e-45f}, 1.8e19f);
}

/* Distances that programs are used with, and the ends of what is allowed. */
static const float distances[] = {0.3f,  0.1f,     0.33333334f, 1e-3f,      1e3f,           1e-18f,
                                  1e18f, 0x1p-63f, 0x1.8p-63f,  0x1p-30f,   0.5f,           1,
                                  2,     0x1p40f,  0.7071068f,  1.7320508f, 0x1.fffffep63f, 0x1p-62f};
enum { DISTANCES = sizeof distances / sizeof *distances };

static float pick_distance(uint64_t *random)
{
    const uint64_t k = check_random(random) % (2 * DISTANCES);
    if (k < DISTANCES) return distances[k];
    return ldexpf(1 + check_random_float(random), (int)(check_random(random) % 120) - 60);
}

static int pick_steps(uint64_t *random) /* a few floats, often none */
{
    static const int steps[] = {0, 0, 0, 1, -1, 1, -1, 2, -2, 3, -3, 7};
    return steps[check_random(random) % 12];
}

/* Near a border of a cell: a whole or half number of edges from 0, of any magnitude. */
static float pick_coordinate(float d, bool two_d, uint64_t *random)
{
    const bool voxel = check_random(random) % 4 == 0;
    const double edge = 1 / (voxel ? clump_voxel_rule_make(d) : clump_cell_rule_make(d, two_d)).inverse;
    const int bits = (int)(check_random(random) % 30);
    const double k = (double)(check_random(random) % ((uint64_t)1 << bits)),
                 half = (double)(check_random(random) % 2) / 2;
    const float x = (float)((k + half) * edge);
    const uint64_t kind = check_random(random) % 16;
    if (kind == 0) return 0;
    if (kind == 1) return ldexpf(check_random_float(random), (int)(check_random(random) % 200) - 100);
    return cloud_step(check_random(random) % 2 ? x : -x, pick_steps(random));
}

/* From a, a step of length d along a random way, each coordinate a few floats off. */
static void pick_partner(const float *a, float *b, float d, uint64_t *random)
{
    static const signed char ways[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1},  {1, 1, 0}, {1, 0, 1}, {0, 1, 1},
                                          {1, 1, 1}, {1, 1, 1}, {1, -1, 1}, {2, 1, 0}, {2, 2, 1}, {9, 0, 0}};
    const signed char *const way = ways[check_random(random) % 12];
    double v[3] = {way[0], way[1], way[2]};
    if (way[0] == 9)
        for (int k = 0; k < 3; k++) v[k] = (double)check_random_float(random) - 0.5;
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + 1e-30;
    for (int k = 0; k < 3; k++) {
        const double sign = check_random(random) % 2 ? -1 : 1;
        b[k] = cloud_step((float)((double)a[k] + sign * v[k] / length * (double)d), pick_steps(random));
    }
}

/* Mostly `fast`; one round of eight has another method. */
static clump_ec_method pick_method(long round)
{
    return round % 8 == 3 ? (clump_ec_method)cpu_method(&clump_ec_methods, round / 8) : CLUMP_EC_FAST;
}

static void random_pairs(void)
{
    uint64_t random = 21;
    long near = 0, total = 0;
    for (long round = 0; round < check_rounds(150000); round++) {
        const float d = pick_distance(&random);
        const bool two_d = round % 4 == 0;
        float a[3], b[3];
        for (int k = 0; k < 3; k++) a[k] = pick_coordinate(d, two_d, &random);
        if (round % 8 == 1) a[1] = a[2] = 0; /* one axis alone decides */
        pick_partner(a, b, d, &random);
        pair(a, b, d, two_d, pick_method(round));
        near += oracle_near(a, b, d, two_d), total++;
    }
    CHECK_MSG(near > total / 5 && near < total - total / 5, "%ld of %ld are near: the test does not test", near, total);
}

/* Where the cells end and every float is a cell: just below, at and above `far`. */
static void pairs_far_out(void)
{
    uint64_t random = 22;
    for (long round = 0; round < check_rounds(20000); round++) {
        const float d = pick_distance(&random);
        const bool two_d = round % 2;
        const float far = clump_cell_rule_make(d, two_d).far;
        float a[3] = {0, 0, 0}, b[3];
        const size_t axis = check_random(&random) % 3;
        a[axis] = cloud_step(far, (int)(check_random(&random) % 9) - 4);
        if (check_random(&random) % 4 == 0) a[axis] = ldexpf(far, (int)(check_random(&random) % 3) - 1);
        if (check_random(&random) % 2) a[axis] = -a[axis];
        if (check_random(&random) % 4 == 0) a[(axis + 1) % 3] = cloud_step(far, pick_steps(&random));
        pick_partner(a, b, d, &random);
        if (check_random(&random) % 2) b[axis] = cloud_step(a[axis], pick_steps(&random));
        pair(a, b, d, two_d, pick_method(round));
    }
}

/* Two cells with several points each, of which one pair decides: the one that reps do not see. */
static void crowded_pairs(void)
{
    enum { CROWD = 40 };
    uint64_t random = 23;
    float xyz[3 * 2 * CROWD];
    int32_t labels[2 * CROWD], expected[2 * CROWD];
    for (long round = 0; round < check_rounds(6000); round++) {
        const float d = pick_distance(&random);
        const bool two_d = round % 4 == 0;
        const size_t crowd = 1 + check_random(&random) % CROWD;
        float a[3], b[3];
        for (int k = 0; k < 3; k++) a[k] = pick_coordinate(d, two_d, &random);
        pick_partner(a, b, d, &random);
        for (size_t i = 0; i < 2 * crowd; i++) { /* the others behind them, away from each other */
            const float *const own = i < crowd ? a : b, *const other = i < crowd ? b : a;
            const float back = i == crowd / 2 || i == crowd + crowd / 3 ? 0 : 0.4f * check_random_float(&random);
            for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = own[k] + back * (own[k] - other[k]);
        }
        const clump_ec_options o = options_of(pick_method(round), two_d);
        const clump_points points = {.xyz = xyz, .count = 2 * crowd};
        int32_t found = -1;
        CHECK_INT(clump_ec(ctx, points, d, &o, labels, &found), CLUMP_OK);
        CHECK_MSG(found == oracle_ec(points, d, &o, expected) &&
                      memcmp(labels, expected, 2 * crowd * sizeof *labels) == 0,
                  "round %ld, d %.9g, %zu points: %d clusters", round, (double)d, 2 * crowd, found);
    }
}

/* A full neighbourhood: points on the borders of 5 x 5 x 5 cells, d and its neighbours. */
static void lattices_of_cells(void)
{
    uint64_t random = 24;
    float xyz[3 * 125];
    int32_t labels[125], expected[125];
    for (long round = 0; round < check_rounds(1500); round++) {
        const float d = pick_distance(&random);
        const bool two_d = round % 4 == 0;
        const double edge = 1 / clump_cell_rule_make(d, two_d).inverse;
        const int bits = (int)(check_random(&random) % 28);
        double start[3];
        for (int k = 0; k < 3; k++) start[k] = (double)(check_random(&random) % ((uint64_t)1 << bits)) - 2.5;
        for (size_t i = 0; i < 125; i++) {
            const double at[3] = {(double)(i % 5), (double)(i / 5 % 5), (double)(i / 25)};
            for (size_t k = 0; k < 3; k++)
                xyz[3 * i + k] = cloud_step((float)((start[k] + at[k]) * edge), pick_steps(&random));
        }
        const clump_ec_options o = options_of(pick_method(round), two_d);
        const size_t holes = check_random(&random) % 110;
        for (size_t i = 0; i < holes; i++) xyz[3 * (check_random(&random) % 125)] = NAN;
        const clump_points points = {.xyz = xyz, .count = 125};
        int32_t found = -1;
        CHECK_INT(clump_ec(ctx, points, d, &o, labels, &found), CLUMP_OK);
        CHECK_MSG(found == oracle_ec(points, d, &o, expected) && memcmp(labels, expected, sizeof labels) == 0,
                  "round %ld, d %.9g: %d clusters", round, (double)d, found);
    }
}

CHECK_PROGRAM(test_boundary)
{
    if (clump_context_create(NULL, &ctx) != CLUMP_OK) exit(1);
    RUN(known_pairs);
    RUN(random_pairs);
    RUN(pairs_far_out);
    RUN(crowded_pairs);
    RUN(lattices_of_cells);
    clump_context_destroy(ctx);
}
