/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ground_step.c: the step rule of the ground: hand-made parts, labels that follow from the heights, clump_erccl and
 * clump_detect, real scans beside the oracle and by several threads. test_ground.c has random scenes beside the oracle.
 */
#include "support/check.h"

#include "objects/ground_scenes.h"
#include "oracle/oracle_ground.h"
#include "support/scans.h"

static int32_t labels[MOST], other[MOST];
static float heights[MOST], other_heights[MOST];

/* Flat ground, `above` points at a height above one part, and four at 0.15 above it, on which the step rule decides.
 * Returns how many of the four are ground. */
static size_t tops_that_are_ground(int above, float height, const clump_ground_options *o)
{
    enum { TOP = 4 };
    made.count = 0;
    for (int i = 0; i < 32 * 32; i++) /* in the middle of parts, at a height that is exact in any sum here */
        add(&made, 0.5f * (float)(i % 32) - 7.75f, 0.5f * (float)(i / 32) - 7.75f, -1.75f, true);
    for (int i = 0; i < above; i++) add(&made, 4.01f + 0.1f * (float)i, 3.26f, -1.75f + height, false);
    for (int i = 0; i < TOP; i++) add(&made, 4.02f + 0.1f * (float)i, 3.4f, -1.6f, true);
    size_t found = 0;
    mark(&made, o, labels);
    for (size_t i = made.count - TOP; i < made.count; i++) found += labels[i] == CLUMP_GROUND;
    return found;
}

/* Three points make the ground thin, two do not; the bounds of their heights; a mask; a neighbouring part. */
static void counts(void)
{
    static uint8_t mask[MOST];
    clump_ground_options o = clump_ground_defaults();
    for (int method = 0; method < 2; method++) {
        o = clump_ground_defaults();
        o.method = (clump_ground_method)method;
        o.bin = 0.5f; /* of peak: -1.75 is the middle of a bin */
        CHECK_INT(tops_that_are_ground(3, 1, &o), 4);
        o.sigma = 0.12f;
        CHECK_INT(tops_that_are_ground(0, 1, &o), 0);
        o.step = true; /* sigma has no effect */
        CHECK_INT(tops_that_are_ground(0, 1, &o), 4);
        CHECK_INT(tops_that_are_ground(2, 1, &o), 4);
        CHECK_INT(tops_that_are_ground(3, 1, &o), 0);
        CHECK_INT(tops_that_are_ground(4, 1, &o), 0);
        CHECK_INT(tops_that_are_ground(3, 2, &o), 0); /* 2.0 counts */
        CHECK_INT(tops_that_are_ground(3, 2 + 0x1p-20f, &o), 4);
        CHECK_INT(tops_that_are_ground(3, 0.375f, &o), 0);
        CHECK_INT(tops_that_are_ground(3, 0.3125f, &o), 4);
        memset(mask, 1, sizeof mask);
        mask[32 * 32] = 0; /* the first of those above */
        o.mask = mask;
        CHECK_INT(tops_that_are_ground(3, 1, &o), 4);
        CHECK_INT(tops_that_are_ground(4, 1, &o), 0);
        o.mask = NULL;
        o.tile = 1; /* parts of 0.25: three are above the first, one is above the next */
        CHECK_INT(tops_that_are_ground(4, 1, &o), 1);
    }
}

/* Labels with the step rule from the heights that are not changed by it: parts by a division, as the documentation says
 * them for tiles of 2 m. Returns the differences. Points whose height above a surface that is not level is next to a
 * thickness are left out: there the sum decides, not the difference. */
static size_t differ_from_heights(const float *xyz, size_t count, const clump_ground_options *o, const int32_t *found,
                                  const float *above)
{
    static uint8_t seen[320][320];
    size_t differ = 0;
    memset(seen, 0, sizeof seen);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < count; i++) {
            if (isnan(above[i])) continue;
            const int a = (int)floorf((xyz[3 * i] - -80) / 0.5f), b = (int)floorf((xyz[3 * i + 1] - -80) / 0.5f);
            if (turn == 0) {
                seen[a][b] = (uint8_t)(seen[a][b] + (seen[a][b] < 3 && above[i] >= 0.35f && above[i] <= 2));
                continue;
            }
            const float thickness = seen[a][b] < 3 ? 0.25f : 0.1f;
            const bool peak = o->method == CLUMP_GROUND_PEAK;
            const bool ground = above[i] < thickness && (!peak || above[i] > -thickness);
            if (!peak && fabsf(above[i] - thickness) < 1e-5f) continue;
            differ += ground != (found[i] == CLUMP_GROUND);
        }
    }
    return differ;
}

static void by_heights(void)
{
    static terrain *const lands[] = {flat, slope, kerb, hills};
    for (int turn = 0; turn < 8; turn++) {
        clump_ground_options o = clump_ground_defaults();
        o.method = (clump_ground_method)(turn % 2);
        make(&made, lands[turn / 2], true, 30, 300 + (uint64_t)turn);
        for (int i = 0; i < 500; i++) { /* the feet of things */
            const float x = 4 + 30 * check_random_float(&made.seed), y = i % 2 ? 6.5f : -7.0f;
            add(&made, x, y, lands[turn / 2](x, y) + 0.3f * check_random_float(&made.seed), false);
        }
        o.heights = other_heights;
        const size_t without = mark(&made, &o, other);
        o.step = true;
        o.heights = heights;
        CHECK(mark(&made, &o, labels) != without);
        CHECK(memcmp(heights, other_heights, made.count * sizeof *heights) == 0);
        const size_t differ = differ_from_heights(made.xyz, made.count, &o, labels, heights);
        CHECK_MSG(differ == 0, "turn %d: %zu of %zu", turn, differ, made.count);
        clump_context *ctx = cpu_context(3); /* the ground of the other calls is the same */
        const clump_points points = {.xyz = made.xyz, .count = made.count};
        clump_erccl_options e = clump_erccl_defaults();
        e.ground = o, e.ground.heights = NULL, e.extent = 160, e.cell = 0.25f;
        CHECK_INT(clump_erccl(ctx, points, &e, other, NULL), CLUMP_OK);
        for (size_t i = 0; i < made.count; i++) CHECK((other[i] == CLUMP_GROUND) == (labels[i] == CLUMP_GROUND));
        clump_detect_options d = clump_detect_defaults();
        d.ground = o;
        CHECK_INT(clump_detect(ctx, points, &d, other, NULL, 0, NULL), CLUMP_OK);
        for (size_t i = 0; i < made.count; i++) CHECK((other[i] == CLUMP_GROUND) == (labels[i] == CLUMP_GROUND));
        clump_context_destroy(ctx);
    }
}

/* Real scans: the oracle on the middle of the map, and the heights on all of it, by several threads. */
static void on_scans(void)
{
    static const char *const paths[] = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_06_000000.bin"};
    clump_context *ctx[3];
    cpu_contexts(ctx, (const int[]){1, 2, 4}, 3);
    for (size_t k = 0; k < 2; k++) {
        clump_cloud *const cloud = scan_load(paths[k]);
        if (!cloud) {
            destroy_contexts(ctx, 3);
            SKIP("no %s in %s: " DO_DATA, paths[k], scans_folder());
        }
        const clump_points points = clump_cloud_points(cloud);
        const size_t n = points.count;
        const float *const xyz = clump_cloud_xyz(cloud);
        int32_t *const found = malloc(n * sizeof *found), *const wanted = malloc(n * sizeof *wanted);
        float *const above = malloc(n * sizeof *above);
        if (!found || !wanted || !above) abort();
        clump_ground_options o = clump_ground_defaults();
        o.step = true, o.heights = above;
        for (int method = 0; method < 2; method++) {
            o.method = (clump_ground_method)method;
            CHECK_INT(clump_ground(ctx[0], points, &o, wanted, NULL), CLUMP_OK);
            CHECK_INT(differ_from_heights(xyz, n, &o, wanted, above), 0);
            for (int t = 1; t < 3; t++) {
                CHECK_INT(clump_ground(ctx[t], points, &o, found, NULL), CLUMP_OK);
                CHECK(memcmp(found, wanted, n * sizeof *found) == 0);
            }
        }
        o.extent = 64, o.heights = NULL, o.method = CLUMP_GROUND_GRID;
        CHECK_INT(clump_ground(ctx[1], points, &o, found, NULL), CLUMP_OK);
        oracle_ground_grid(xyz, n, &o, wanted);
        CHECK(memcmp(found, wanted, n * sizeof *found) == 0);
        free(found), free(wanted), free(above);
        clump_cloud_destroy(cloud);
    }
    destroy_contexts(ctx, 3);
}

CHECK_PROGRAM(test_ground_step)
{
    RUN(counts);
    RUN(by_heights);
    RUN(on_scans);
}
