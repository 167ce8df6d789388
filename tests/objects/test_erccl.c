/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_erccl.c: clump_erccl on hundreds of maps: every method must give the labels, counts and maps of the oracle, bit
 * for bit; and with any number of threads the same on clouds large enough to be shared out, real scans among them.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"
#include "core/alike.h"
#include "oracle/oracle.h"
#include "oracle/oracle_erccl.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 1500, LARGE = 40000, SIDE = 90, RUNS = 4, METHODS_ROOM = 64 };

static const int run_threads[RUNS] = {1, 2, 3, 8};
static clump_context *contexts[RUNS];

static float xyz[3 * LARGE];
static uint8_t mask[MOST];
static int32_t labels[LARGE + 1], expected[LARGE], ground[LARGE];

/* Two of each map: what is found, what is expected. */
static struct {
    uint8_t obstacle[SIDE * SIDE];
    float lowest[SIDE * SIDE], highest[SIDE * SIDE];
    int32_t labels[SIDE * SIDE];
} maps[2];

static clump_erccl_maps maps_of(int which)
{
    return (clump_erccl_maps){.obstacle = maps[which].obstacle,
                              .lowest = maps[which].lowest,
                              .highest = maps[which].highest,
                              .labels = maps[which].labels};
}

/* Equal bits, all NaNs being equal. */
static bool same_floats(const float *a, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(isnan(a[i]) && isnan(b[i])) && memcmp(&a[i], &b[i], sizeof *a) != 0) return false;
    return true;
}

static bool same_maps(size_t n)
{
    return memcmp(maps[0].obstacle, maps[1].obstacle, n) == 0 && same_floats(maps[0].lowest, maps[1].lowest, n) &&
           same_floats(maps[0].highest, maps[1].highest, n) &&
           memcmp(maps[0].labels, maps[1].labels, n * sizeof(int32_t)) == 0;
}

/* One method on one context against the oracle. Where the options remove ground, clump_ground says which. */
static void compare(const char *name, long round, int k, clump_points points, clump_erccl_options o)
{
    const size_t n = points.count;
    clump_ground_options g = o.ground;
    g.mask = o.common.mask;
    if (clump_ground(contexts[k], points, &g, ground, NULL) != CLUMP_OK)
        CHECK_FAIL("%s, round %ld: %s", name, round, clump_context_error(contexts[k]));
    const clump_erccl_maps wanted = maps_of(1);
    const int32_t clusters = oracle_erccl(points, &o, ground, expected, &wanted);
    const bool with_maps = round % 3 != 0;
    if (with_maps) o.maps = maps_of(0);
    memset(maps[0].obstacle, 99, sizeof maps[0].obstacle);
    for (size_t i = 0; i < n; i++) labels[i] = 77;
    labels[n] = 123456;
    int32_t found = -7;
    const clump_status status = clump_erccl(contexts[k], points, &o, labels, &found);
    CHECK_MSG(status == CLUMP_OK, "%s, round %ld: %s", name, round, clump_context_error(contexts[k]));
    if (status != CLUMP_OK) return;
    size_t at = 0;
    while (at < n && labels[at] == expected[at]) at++;
    if (at < n || found != clusters || labels[n] != 123456)
        CHECK_FAIL("%s, round %ld: %s, %d threads, reach %d: %d clusters, not %d; point %zu is %d, not %d", name, round,
                   clump_erccl_method_name(o.method), run_threads[k], o.reach, found, clusters, at,
                   at < n ? labels[at] : 0, at < n ? expected[at] : 0);
    if (with_maps)
        CHECK_MSG(same_maps(clump_erccl_rows(&o) * clump_erccl_columns(&o)), "%s, round %ld: maps", name, round);
    size_t finite = 0, masked = 0, noise = 0, on_ground = 0;
    for (size_t i = 0; i < n; i++) {
        const float *const p = oracle_point(points, i);
        finite += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
        masked += o.common.mask && o.common.mask[i] == 0;
        noise += expected[i] == CLUMP_NOISE;
        on_ground += expected[i] == CLUMP_GROUND;
    }
    const clump_stats s = clump_context_stats(contexts[k]);
    CHECK_MSG(s.points == n && s.finite == finite && s.masked == masked && s.noise == noise && s.ground == on_ground &&
                  s.clusters == clusters && s.passes >= 1,
              "%s, round %ld: %s: %zu finite, %zu masked, %zu noise, %zu ground", name, round, s.method, s.finite,
              s.masked, s.noise, s.ground);
    CHECK_TEXT(s.method, clump_erccl_method_name(o.method));
}

static void compare_all(const char *name, long round, clump_points points, clump_erccl_options o)
{
    FOR_CPU_METHODS (method, clump_erccl_methods) {
        o.method = (clump_erccl_method)method;
        compare(name, round, (int)(round + method) % RUNS, points, o);
    }
}

/* ----- random maps --------------------------------------------------------------------------------------- */

static float pick(const float *values, size_t count, uint64_t *random)
{
    return values[check_random(random) % count];
}

static clump_erccl_options random_options(uint64_t *random, size_t count)
{
    static const float cells[] = {0.05f, 0.05f, 0.1f, 0.25f, 0.3f, 1, 3, 0x1p-20f, 1e5f};
    static const float alphas[] = {0.7f, 0.7f, 0.5f, 0.2f, 0, 1, 0x1p-24f, 0x1.fffffep-1f};
    static const float taus[] = {0.75f, 0.75f, 0.6f, 0.3f, 0.9f, 0.999f, 1, 1.5f, 0, -2, 0x1p-126f};
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = pick(cells, 9, random);
    o.extent = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    o.extent -= check_random(random) % 3 ? 0 : 0.4f * o.cell;
    if (check_random(random) % 2) o.extent_columns = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    PAPERS(o)->all_heights = check_random(random) % 2 == 0;
    o.reach = 1 + (int)(check_random(random) % 8);
    if (check_random(random) % 16 == 0) o.reach = CLUMP_ERCCL_REACH;
    o.alpha = pick(alphas, 8, random);
    o.tau = pick(taus, 11, random);
    if (check_random(random) % 8 == 0) PAPERS(o)->beta = 0.75f * expf((float)o.reach);
    cloud_erccl_options(&o, mask, count, random);
    o.ground.method = (clump_ground_method)(check_random(random) % 3);
    o.ground.up = check_random(random) % 4 ? CLUMP_UP_Z : CLUMP_UP_Y;
    o.ground.flip = check_random(random) % 4 == 0;
    if (check_random(random) % 3 == 0)
        for (int axis = 0; axis < 3; axis++) o.ground.sensor[axis] = 100 * (check_random_float(random) - 0.5f);
    return o;
}

/* Points over the map and a little beyond, their heights such that about half of the cells are alike. */
static void random_points(const clump_erccl_options *o, size_t count, uint64_t *random)
{
    static const float spreads[] = {0, 0.05f, 0.3f, 1, 5};
    const float beyond = 1 + 0.3f * check_random_float(random), spread = pick(spreads, 5, random);
    const float width = o->extent * beyond, length = o->extent_columns > 0 ? o->extent_columns * beyond : width;
    const int up = o->ground.up == CLUMP_UP_Y ? 1 : 2, across = 3 - up;
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        p[0] = o->ground.sensor[0] + width * (check_random_float(random) - 0.5f);
        p[across] = o->ground.sensor[across] + length * (check_random_float(random) - 0.5f);
        p[up] = o->ground.sensor[up] - 1.7f + spread * check_random_float(random);
        if (check_random(random) % 3 == 0) p[up] = o->ground.sensor[up] + 0.125f * (float)(check_random(random) % 8);
        if (i > 0 && check_random(random) % 4 == 0) p[0] = xyz[3 * (check_random(random) % i)];
    }
}

static void random_maps(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 1;
    for (long round = 0; round < check_rounds(CLOUD_WATCHED ? 40 : 180); round++) {
        const float share = check_random_float(&random);
        const size_t count =
            round < check_fewer(5, 20) ? (size_t)(round % 5) : (size_t)(share * share * (MOST + 0.99f));
        const clump_erccl_options o = random_options(&random, count);
        random_points(&o, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 40, &random);
        compare_all("random", round, (clump_points){.xyz = xyz, .count = count}, o);
    }
    destroy_contexts(contexts, RUNS);
}

/* Clouds that broke others: huge, tiny and equal coordinates, points a million metres away. */
static void hard_clouds(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 2;
    for (long round = 0; round < check_rounds(2 * CLOUD_SHAPES); round++) {
        const size_t count = 1 + check_random(&random) % 300;
        clump_erccl_options o = clump_erccl_defaults();
        const float d = cloud_fill((cloud_shape)(check_turn(round) % CLOUD_SHAPES), xyz, count, &random);
        if (d > 0x1p-60f && d < 0x1p50f) o.cell = d;
        o.extent = o.cell * (float)(2 + check_random(&random) % (SIDE - 2));
        o.tau = 0.3f;
        for (int axis = 0; axis < 3; axis++)
            if (isfinite(xyz[axis]) && fabsf(xyz[axis]) < 0x1p60f) o.ground.sensor[axis] = xyz[axis];
        o.ground.method = (clump_ground_method)(round % 3);
        compare_all(cloud_name((cloud_shape)(check_turn(round) % CLOUD_SHAPES)), round,
                    (clump_points){xyz, count, 0, 0}, o);
    }
    destroy_contexts(contexts, RUNS);
}

/* Two cells at every offset, one point each or two, whose dh is the limit exactly, and one float to either side. */
static void ties(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    long joined = 0, apart = 0;
    for (int reach = 1; reach <= 8; reach++)
        for (int rows = 0; rows <= reach; rows++)
            for (int columns = -reach; columns <= reach; columns++) {
                if (rows == 0 && columns <= 0) continue;
                clump_erccl_options o = clump_erccl_defaults();
                o.cell = 0.0625f, o.extent = 4, o.reach = reach; /* exact: 64 x 64 cells */
                o.ground.method = CLUMP_GROUND_NONE;
                const float limit = oracle_erccl_limit(&o, rows, columns);
                const float row = 30.5f * 0.0625f - 2, column = 31.5f * 0.0625f - 2;
                for (int step = -1; step <= 1 && limit >= 0; step++) {
                    const float dh = cloud_step(limit, step);
                    const float points[] = {row,
                                            column,
                                            0,
                                            row + 0.0625f * (float)rows,
                                            column + 0.0625f * (float)columns,
                                            dh,
                                            row + 0.0625f * (float)rows,
                                            column + 0.0625f * (float)columns,
                                            0};
                    memcpy(xyz, points, sizeof points);
                    compare("ties", 1, 0, (clump_points){xyz, 3, 0, 0}, o);
                    CHECK_INT(expected[0] == expected[1], step <= 0);
                    joined += step <= 0, apart += step > 0;
                }
            }
    CHECK(joined > 500 && apart > 250);
    destroy_contexts(contexts, RUNS);
}

/* Points on the lines between cells and at the ends of the map, and the floats beside them. */
static void borders(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 3;
    static const float cells[] = {0.05f, 0.1f, 0.3f, 0.7f, 1, 0x1.99999ap-5f};
    for (long round = 0; round < check_rounds(60); round++) {
        clump_erccl_options o = clump_erccl_defaults();
        o.cell = pick(cells, 6, &random);
        o.extent = o.cell * (float)(1 + check_random(&random) % 40);
        if (round % 2) o.extent_columns = o.cell * (float)(1 + check_random(&random) % 40);
        o.ground.method = CLUMP_GROUND_NONE;
        o.ground.sensor[0] = (float)(check_random(&random) % 3) * 12.3f;
        const size_t cells_along[2] = {oracle_erccl_rows(&o), oracle_erccl_columns(&o)};
        size_t count = 0;
        for (; count < 250; count++) {
            float *const p = xyz + 3 * count;
            for (int axis = 0; axis < 2; axis++) {
                const float half = 0.5f * (float)cells_along[axis] * o.cell;
                const long at = (long)(check_random(&random) % (cells_along[axis] + 3)) - 1;
                p[axis] =
                    cloud_step(o.ground.sensor[axis] - half + (float)at * o.cell, (int)(check_random(&random) % 5) - 2);
            }
            p[2] = 0.4f * check_random_float(&random);
        }
        compare_all("borders", round, (clump_points){xyz, count, 0, 0}, o);
    }
    destroy_contexts(contexts, RUNS);
}

/* The library's table against E itself, in double, away from the threshold. */
static void table(void)
{
    uint64_t random = 4;
    static float entries[(CLUMP_ERCCL_REACH + 1) * (CLUMP_ERCCL_REACH + 1)];
    for (int round = 0; round < 200; round++) {
        clump_erccl_options o = random_options(&random, 0);
        if (o.reach > 8) o.reach = 8;
        clump_alike_fill(&o, papers_of(&o.common)->beta, entries);
        const double a = (double)o.alpha, tau = papers_of(&o.common)->beta != 0
                                                    ? (double)papers_of(&o.common)->beta * exp(-o.reach)
                                                    : (double)o.tau;
        for (int rows = 0; rows <= o.reach; rows++)
            for (int columns = 0; columns <= o.reach; columns++) {
                const float limit = entries[rows * (o.reach + 1) + columns];
                const double near = a * exp(-(double)o.cell * hypot(rows, columns));
                if (limit < 0)
                    CHECK(near + (1 - a) < tau * (1 + 1e-9) + 1e-12);
                else if (isinf(limit))
                    CHECK(near >= tau * (1 - 1e-9) - 1e-12);
                else
                    CHECK_MSG(near + (1 - a) * exp(-(double)limit * (1 - 1e-6)) >= tau * (1 - 1e-9) &&
                                  near + (1 - a) * exp(-(double)limit * (1 + 1e-6)) <= tau * (1 + 1e-9),
                              "alpha %g, tau %g, %d rows, %d columns: %g", a, tau, rows, columns, (double)limit);
                if (columns > 0) CHECK(limit <= entries[rows * (o.reach + 1) + columns - 1]);
                if (rows > 0) CHECK(limit <= entries[(rows - 1) * (o.reach + 1) + columns]);
            }
    }
}

/* ----- threads ------------------------------------------------------------------------------------------- */

/* The same hash from all exact methods with any number of threads, and each other method alike with itself. */
static void all_agree(const char *name, clump_points points, clump_erccl_options o, int32_t *out)
{
    uint64_t hashes[METHODS_ROOM] = {0};
    int64_t passes[METHODS_ROOM] = {0};
    CHECK(clump_erccl_methods.count <= METHODS_ROOM);
    FOR_CPU_METHODS (method, clump_erccl_methods) {
        const bool threaded = method == CLUMP_ERCCL_FAST || method == CLUMP_ERCCL_HASH;
        for (int k = 0; k < (threaded ? RUNS : 1); k++) {
            const int with = threaded ? k : method % RUNS;
            o.method = (clump_erccl_method)method;
            CHECK_INT(clump_erccl(contexts[with], points, &o, out, NULL), CLUMP_OK);
            const uint64_t hash = clump_labels_hash(out, points.count);
            if (k == 0) hashes[method] = hash, passes[method] = clump_context_stats(contexts[with]).passes;
            CHECK_MSG(hash == hashes[method], "%s: %s with %d threads", name,
                      clump_erccl_method_name((clump_erccl_method)method), run_threads[with]);
            CHECK_INT(clump_context_stats(contexts[with]).passes, passes[method]);
        }
        if (method != CLUMP_ERCCL_CCL && method != CLUMP_ERCCL_HASH) /* those define clusters of their own */
            CHECK_MSG(hashes[method] == hashes[0], "%s: %s", name, clump_erccl_method_name((clump_erccl_method)method));
    }
    CHECK_MSG(passes[0] == 1 && passes[1] > 1 && passes[1] <= passes[2] && passes[2] <= passes[3],
              "%s: %d, %d, %d passes", name, (int)passes[1], (int)passes[2], (int)passes[3]);
}

/* ccl does what racing does where tau is 0, at any tau: the same labels in as many passes. */
static void compare_ccl(const char *name, clump_points points, clump_erccl_options o)
{
    o.method = CLUMP_ERCCL_RACING, o.tau = 0;
    CHECK_INT(clump_erccl(contexts[0], points, &o, expected, NULL), CLUMP_OK);
    const int64_t passes = clump_context_stats(contexts[0]).passes;
    o.method = CLUMP_ERCCL_CCL, o.tau = 2;
    CHECK_INT(clump_erccl(contexts[0], points, &o, labels, NULL), CLUMP_OK);
    CHECK_MSG(clump_context_stats(contexts[0]).passes == passes && passes > 1, "%s: %d passes of ccl, %d of racing",
              name, (int)clump_context_stats(contexts[0]).passes, (int)passes);
    CHECK(memcmp(labels, expected, points.count * sizeof *labels) == 0);
}

static void threads(void)
{
    cpu_contexts(contexts, run_threads, RUNS);
    uint64_t random = 5;
    for (int turn = 0; turn < (CLOUD_WATCHED ? 1 : 2); turn++) {
        clump_erccl_options o = clump_erccl_defaults();
        o.cell = 0.1f, o.extent = 8, o.reach = 2 + turn,
        o.ground.method = turn == 1 ? CLUMP_GROUND_PEAK : CLUMP_GROUND_NONE;
        for (size_t i = 0; i < LARGE; i++) {
            float *const p = xyz + 3 * i;
            p[0] = 8.4f * (check_random_float(&random) - 0.5f);
            p[1] = 8.4f * (check_random_float(&random) - 0.5f);
            /* steep steps: crowds of cells that are not alike */
            p[2] = floorf(p[0] * 1.7f) * 0.9f + floorf(p[1] * 2.3f) + 0.1f * check_random_float(&random);
        }
        const clump_points points = {.xyz = xyz, .count = LARGE};
        all_agree("steps", points, o, labels);
        compare_ccl("steps", points, o);
        compare("steps", 1, turn, points, (o.method = CLUMP_ERCCL_FAST, o));
    }
    destroy_contexts(contexts, RUNS);
}

static void real_scans(void)
{
    static const char *const names[] = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_06_000000.bin"};
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    cpu_contexts(contexts, run_threads, RUNS);
    for (size_t k = 0; k < (CLOUD_WATCHED ? 1 : 2); k++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        FILE *const file = fopen(path, "rb");
        if (!file) SKIP("%s is not there: " DO_DATA, path);
        float *const points = malloc(4 * 130000 * sizeof *points);
        int32_t *const out = malloc(130000 * sizeof *out);
        if (!points || !out) abort();
        const size_t count = fread(points, 16, 130000, file);
        fclose(file);
        clump_erccl_options o = clump_erccl_defaults();
        o.reach = 2;
        if (k == 1) o.reach = 3, o.cell = 0.1f, o.ground.method = CLUMP_GROUND_PEAK;
        all_agree(names[k], (clump_points){.xyz = points, .count = count, .stride = 16}, o, out);
        free(points), free(out);
    }
    destroy_contexts(contexts, RUNS);
}

CHECK_PROGRAM(test_erccl)
{
    RUN(table);
    RUN(ties);
    RUN(borders);
    RUN(random_maps);
    RUN(hard_clouds);
    RUN(threads);
    RUN(real_scans);
}
