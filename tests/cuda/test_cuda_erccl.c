/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_erccl.c: clump_ground and clump_erccl by the CUDA backend on hundreds of maps (thousands in
 * tier 3), from every kind of memory, and on every scan in the folder CLUMP_DATA: labels, counts and maps of
 * the CPU, which has oracles of its own, bit for bit. Skipped where there is no GPU; a method that is refused there
 * fails. With CLUMP_TEST_SMALL=1, or 2, it is what compute-sanitizer watches.
 */
#include "support/check.h"

#include "cuda/jobs_on_gpu.h"
#include "support/scans.h"
#include "support/papers.h"
#include "support/options.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 3000, SIDE = 90, LARGE_SIDE = 700, WIDEST = 48 };

static float xyz[3 * MOST];
static uint8_t mask[MOST];

/* Gives all options of the rows but the method, and what is in the memory of the run. */
static void set_options(const char *table, void *options, void *user)
{
    const clump_erccl_options *const given = user;
    if (strcmp(table, "ground") == 0) {
        clump_ground_options *const o = options;
        const clump_ground_options before = *o;
        *o = given->ground;
        o->method = before.method, o->mask = before.mask, o->heights = before.heights;
    }
    if (strcmp(table, "erccl") == 0) {
        clump_erccl_options *const o = options;
        const clump_erccl_options before = *o;
        *o = *given;
        o->method = before.method, o->common.mask = before.common.mask;
    }
}

/* Ground and obstacles by all methods, each in one manner. `seed` draws which maps are wanted. */
static void compare_maps(clump_points points, const float *packed, const uint8_t *masked,
                         const clump_erccl_options *given, long round)
{
    clump_erccl_options o = *given;
    const hostile_case c = {.seed = (uint64_t)round,
                            .d = o.cell,
                            .points = points,
                            .packed = (float *)(uintptr_t)packed,
                            .mask = (uint8_t *)(uintptr_t)masked};
    change = set_options, change_user = &o;
    compare_job("clump_ground", "", &c, 0, round);
    compare_job("clump_erccl", "", &c, 0, round);
    change = NULL;
}

/* ----- random maps ---------------------------------------------------------------------------------- */

static float pick(const float *values, size_t count, uint64_t *random)
{
    return values[check_random(random) % count];
}

static void random_ground(clump_ground_options *g, uint64_t *random)
{
    static const float extents[] = {160, 160, 8, 20, 47, 1, 300}, tiles[] = {2, 2, 2, 1, 0.5f, 7, 100};
    static const float slopes[] = {0.2f, 0.2f, 0, 0.0004f, 0.0007f, 1, 10}, sigmas[] = {0.2f, 0.2f, 0, 0.05f, 3};
    static const float bins[] = {0.1f, 0.1f, 0.01f, 0.001f, 2};
    g->method = (clump_ground_method)(check_random(random) % 3);
    if (check_random(random) % 2) g->method = CLUMP_GROUND_GRID;
    g->up = check_random(random) % 4 ? CLUMP_UP_Z : CLUMP_UP_Y;
    g->flip = check_random(random) % 4 == 0;
    g->extent = pick(extents, 7, random), g->tile = pick(tiles, 7, random);
    options_draw("ground", "flip", g, random);
    g->slope = pick(slopes, 7, random), g->sigma = pick(sigmas, 5, random), g->bin = pick(bins, 5, random);
    if (check_random(random) % 4 == 0) g->sensor_height = 1.7f * check_random_float(random) + 0.3f;
    if (check_random(random) % 4 == 0) g->window = 2 * check_random_float(random);
    if (check_random(random) % 3 == 0)
        for (int axis = 0; axis < 3; axis++) g->sensor[axis] = 100 * (check_random_float(random) - 0.5f);
}

static clump_erccl_options random_options(uint64_t *random, size_t count)
{
    static const float cells[] = {0.05f, 0.05f, 0.1f, 0.25f, 0.3f, 1, 3, 0x1p-20f, 1e5f};
    static const float alphas[] = {0.7f, 0.7f, 0.5f, 0.2f, 0, 1},
                       taus[] = {0.75f, 0.75f, 0.6f, 0.3f, 0.9f, 1, 1.5f, -2};
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = pick(cells, 9, random);
    o.extent = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    o.extent -= check_random(random) % 3 ? 0 : 0.4f * o.cell;
    o.reach = 1 + (int)(check_random(random) % 8);
    if (check_random(random) % 12 == 0) o.reach = 15 + (int)(check_random(random) % 2);
    if (check_random(random) % 16 == 0 && !gpu_small()) o.reach = CLUMP_ERCCL_REACH;
    o.alpha = pick(alphas, 6, random);
    o.tau = pick(taus, 8, random);
    cloud_erccl_options(&o, mask, count, random);
    random_ground(&o.ground, random);
    if (check_random(random) % 2) o.extent_columns = o.cell * (float)(1 + check_random(random) % (SIDE - 1));
    PAPERS(o)->all_heights = check_random(random) % 2 == 0;
    return o;
}

/* Points over the map and a little beyond, about half of them on ground that rises, and some strays below it. */
static void random_points(const clump_erccl_options *o, size_t count, uint64_t *random)
{
    static const float spreads[] = {0, 0.05f, 0.3f, 1, 5}, rises[] = {0, 0.05f, 0.15f, 0.5f};
    const bool on_map = check_random(random) % 3 != 0;
    const float beyond = 1 + 0.3f * check_random_float(random);
    const float width = (on_map ? o->extent : o->ground.extent) * beyond;
    const float length = on_map && o->extent_columns > 0 ? o->extent_columns * beyond : width;
    const float height = pick(spreads, 5, random), rise = pick(rises, 4, random), sign = o->ground.flip ? -1.0f : 1.0f;
    const int up = o->ground.up == CLUMP_UP_Y ? 1 : 2, across = 3 - up;
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        p[0] = width * (check_random_float(random) - 0.5f);
        if (i > 0 && check_random(random) % 4 == 0) p[0] = xyz[3 * (check_random(random) % i)] - o->ground.sensor[0];
        p[across] = o->ground.sensor[across] + length * (check_random_float(random) - 0.5f);
        float z = rise * p[0] - 1.7f + 0.03f * check_random_float(random);
        if (check_random(random) % 2) z += height * check_random_float(random);
        if (check_random(random) % 50 == 0) z = 20 * (check_random_float(random) - 0.5f);
        if (check_random(random) % 9 == 0) z = 0.125f * (float)(check_random(random) % 8);
        p[0] += o->ground.sensor[0];
        p[up] = o->ground.sensor[up] + sign * z;
    }
}

static void random_maps(void)
{
    static const size_t strides[] = {12, 16, 20, 48, 0, 32, 24, 28};
    uint64_t random = 301;
    const long rounds = gpu_small() ? 24 : check_rounds(160), step = gpu_small() == 2 ? 8 : 1;
    for (long round = step - 1; round < rounds && check_failures < 20; round += step) {
        const float share = check_random_float(&random), most = gpu_small() ? 400 : MOST;
        const size_t count = round < 10 ? (size_t)(round % 5) : (size_t)(share * (most + 0.99f));
        const clump_erccl_options o = random_options(&random, count);
        random_points(&o, count, &random);
        if (check_random(&random) % 4 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 40, &random);
        static char spread[MOST * WIDEST];
        compare_maps(gpu_spread(spread, xyz, count, strides[check_random(&random) % 8]), xyz, o.common.mask, &o, round);
        if (round % 37 == 36) clump_context_trim(gpu);
    }
}

/* More tiles than fit into shared memory, a table that does not fit into a launch, a long snake of cells. */
static void large_maps(void)
{
    uint64_t random = 304;
    for (long round = 0; round < (gpu_small() ? 1 : 6); round++) {
        const size_t n = gpu_small() ? 500 : MOST;
        clump_erccl_options o = clump_erccl_defaults();
        o.extent = o.cell * (gpu_small() ? 100 : LARGE_SIDE);
        o.ground.tile = round % 2 ? 1 : 0.5f;
        o.reach = round % 3 == 2 ? 30 : 3;
        random_points(&o, n, &random);
        for (size_t i = 0; i < n && round >= 3; i++) { /* there and back, a step a cell */
            const float row = (float)(i / 300), column = (float)(i / 300 % 2 ? 299 - i % 300 : i % 300);
            xyz[3 * i] = o.cell * (row * 5 - 100), xyz[3 * i + 1] = o.cell * (column - 150), xyz[3 * i + 2] = 1;
        }
        compare_maps((clump_points){.xyz = xyz, .count = n}, xyz, NULL, &o, round);
    }
}

/* ----- calls ---------------------------------------------------------------------------------------- */

/* On the device and without a count for the host: `fast` may return before it is done, the others wait. Another table
 * and another reach for each call: none may take those of the next. */
static void without_count(void)
{
    const size_t n = gpu_small() ? 300 : MOST;
    uint64_t random = 305;
    clump_erccl_options o = clump_erccl_defaults();
    o.cell = 0.2f, o.extent = 18, o.ground.method = CLUMP_GROUND_PEAK;
    random_points(&o, n, &random);
    const clump_points points = {.xyz = xyz, .count = n};
    static int32_t expected[MOST], found[MOST + 1];
    const gpu_methods methods = gpu_methods_of(&clump_erccl_methods);
    gpu_cloud c[2] = {gpu_cloud_make(gpu, GPU_DEVICE, points, NULL), gpu_cloud_make(gpu, GPU_DEVICE, points, NULL)};
    for (int turn = 0; turn < 2 * methods.count; turn++) {
        int32_t wanted[2], clusters = -7;
        for (int k = 0; k < 2; k++) {
            o.method = (clump_erccl_method)methods.values[turn % methods.count];
            o.tau = k ? 0.9f : 0.4f, o.reach = k ? 20 : 1;
            o.common.clusters_on_device = c[k].clusters;
            gpu_cloud_clear(gpu, &c[k]);
            CHECK_MSG(clump_erccl(gpu, c[k].points, &o, c[k].labels, NULL) == CLUMP_OK, "%s", clump_context_error(gpu));
        }
        for (int k = 0; k < 2; k++) {
            o.tau = k ? 0.9f : 0.4f, o.reach = k ? 20 : 1;
            o.common.clusters_on_device = NULL;
            CHECK_INT(clump_erccl(cpu, points, &o, expected, &wanted[k]), CLUMP_OK);
            CHECK(gpu_cloud_fetch(gpu, &c[k], found, &clusters));
            CHECK_MSG(clusters == wanted[k] && memcmp(found, expected, n * sizeof *found) == 0,
                      "%s, call %d: %d clusters, expected %d", clump_erccl_method_name(o.method), k, clusters,
                      wanted[k]);
        }
        CHECK(wanted[0] != wanted[1]);
    }
    gpu_cloud_free(gpu, &c[0]), gpu_cloud_free(gpu, &c[1]);
}

/* ----- scans ---------------------------------------------------------------------------------------- */

static void compare_scan(clump_points points, const char *name)
{
    static long turn;
    float *const packed = scan_pack(points);
    clump_erccl_options o = clump_erccl_defaults();
    const long before = check_failures;
    compare_maps(points, packed, NULL, &o, turn++);
    o.ground.step = true;
    compare_maps(points, packed, NULL, &o, turn++);
    o.reach = 1 + (int)(turn % 8);
    compare_maps(points, packed, NULL, &o, turn++);
    if (check_failures > before) printf("in %s\n", name);
    free(packed);
}

static void real_scans(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    SCANS_TEST(compare_scan);
}

CHECK_PROGRAM(test_cuda_erccl)
{
    if (gpu_skip("test_cuda_erccl")) return;
    jobs_open();
    RUN(random_maps);
    RUN(large_maps);
    RUN(without_count);
    RUN(real_scans);
    jobs_close();
    CHECK(gpu_reset());
}
