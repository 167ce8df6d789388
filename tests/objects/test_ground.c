/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ground.c: clump_ground on synthetic scenes with known ground, against an oracle, with several threads and orders
 * of points, and on real labelled scans where available.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "objects/ground_scenes.h"
#include "oracle/oracle_ground.h"

#include <clump/info.h>
#include <clump/io.h>

#include <math.h>

static int32_t labels[MOST], other[MOST];
static float heights[MOST], other_heights[MOST];

/* Shares of the ground that was found, and of all else that was taken for ground. Strays do not count. */
static void judge(const scene *s, const int32_t *found, size_t until, double *recall, double *wrong)
{
    size_t ground = 0, right = 0, rest = 0, taken = 0;
    for (size_t i = 0; i < until; i++) {
        ground += s->ground[i], rest += !s->ground[i];
        right += s->ground[i] && found[i] == CLUMP_GROUND;
        taken += !s->ground[i] && found[i] == CLUMP_GROUND;
    }
    *recall = ground ? (double)right / (double)ground : 1;
    *wrong = rest ? (double)taken / (double)rest : 0;
}

/* --- tests ----------------------------------------------------------------------------------------- */

static void scenes_with_known_ground(void)
{
    static const struct {
        const char *name;
        terrain *land;
        double peak; /* recall of peak, which is for flat ground */
    } cases[] = {{"flat", flat, 1},    {"slope", slope, 0.16}, {"oblique", oblique, 0.19},
                 {"kerb", kerb, 0.95}, {"steps", steps, 0.76}, {"hills", hills, 0.36}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        for (int strays = 0; strays <= 150; strays += 150) {
            make(&made, cases[k].land, true, strays, 7 + k);
            double recall, wrong;
            mark(&made, NULL, labels);
            judge(&made, labels, made.count - (size_t)strays, &recall, &wrong);
            CHECK_MSG(recall > 0.99, "%s, %d strays: %.3f of the ground", cases[k].name, strays, recall);
            CHECK_MSG(wrong < 0.01, "%s, %d strays: %.3f of the rest", cases[k].name, strays, wrong);
            clump_ground_options o = clump_ground_defaults();
            o.method = CLUMP_GROUND_PEAK;
            mark(&made, &o, labels);
            judge(&made, labels, made.count - (size_t)strays, &recall, &wrong);
            CHECK_MSG(recall > cases[k].peak - 0.06 && recall < cases[k].peak + 0.06, "%s: peak %.3f of the ground",
                      cases[k].name, recall);
        }
    }
}

/* The level that `peak` finds is that of the flat scene, half a bin more or less, from the sensor; the others have
 * none. */
static void level_is_told(void)
{
    make(&made, flat, true, 0, 7);
    clump_context *ctx = cpu_context(2);
    const clump_points points = {.xyz = made.xyz, .count = made.count};
    float lowest = INFINITY;
    for (size_t i = 0; i < made.count; i++)
        if (made.ground[i] && made.xyz[3 * i + 2] < lowest) lowest = made.xyz[3 * i + 2];
    clump_ground_options o = clump_ground_defaults();
    o.method = CLUMP_GROUND_PEAK;
    CHECK_INT(clump_ground(ctx, points, &o, labels, NULL), CLUMP_OK);
    const float level = clump_context_stats(ctx).ground_level;
    CHECK_MSG(fabsf(level - lowest) < 0.15f, "the ground is at %g, peak says %g", (double)lowest, (double)level);
    o.sensor[2] = 1.25f; /* heights are from the sensor */
    CHECK_INT(clump_ground(ctx, points, &o, labels, NULL), CLUMP_OK);
    CHECK(fabsf(clump_context_stats(ctx).ground_level - (level - 1.25f)) < 0.11f);
    clump_erccl_options e = clump_erccl_defaults();
    e.ground.method = CLUMP_GROUND_PEAK;
    CHECK_INT(clump_erccl(ctx, points, &e, labels, NULL), CLUMP_OK);
    CHECK(clump_context_stats(ctx).ground_level == level);
    CHECK_INT(clump_ground(ctx, points, NULL, labels, NULL), CLUMP_OK);
    CHECK(isnan(clump_context_stats(ctx).ground_level));
    CHECK_INT(clump_ec(ctx, points, 0.5f, NULL, labels, NULL), CLUMP_OK);
    CHECK(isnan(clump_context_stats(ctx).ground_level));
    clump_context_destroy(ctx);
}

/* A labelling that is wrong must be seen to be: too low a limit of slope, too small a sigma, the wrong way up. */
static void wrong_options_are_seen(void)
{
    double recall, wrong;
    make(&made, slope, true, 0, 3);
    clump_ground_options o = clump_ground_defaults();
    o.slope = 0.02f;
    mark(&made, &o, labels);
    judge(&made, labels, made.count, &recall, &wrong);
    CHECK(recall < 0.8);
    o = clump_ground_defaults();
    o.sigma = 1;
    mark(&made, &o, labels);
    judge(&made, labels, made.count, &recall, &wrong);
    CHECK(wrong > 0.2);
    o = clump_ground_defaults();
    o.flip = true;
    mark(&made, &o, labels);
    judge(&made, labels, made.count, &recall, &wrong);
    CHECK(wrong > 0.2);
}

/* The same scene hanging upside down, lying on its side, moved: the same labels. Powers of two keep it exact. */
static void other_frames(void)
{
    static scene moved;
    make(&made, hills, true, 50, 11);
    for (size_t i = 0; i < 3 * made.count; i++) made.xyz[i] = roundf(made.xyz[i] * 4096) / 4096;
    const size_t found = mark(&made, NULL, labels);
    for (int way = 0; way < 4; way++) {
        moved = made;
        clump_ground_options o = clump_ground_defaults();
        for (size_t i = 0; i < made.count; i++) {
            float *const p = moved.xyz + 3 * i, y = p[1], z = p[2];
            if (way == 0) p[2] = -z;
            if (way == 1) p[1] = z, p[2] = y;
            if (way == 2) p[1] = -z, p[2] = y;
            if (way == 3) p[0] += 256, p[1] -= 128, p[2] += 64;
        }
        o.flip = way == 0 || way == 2;
        o.up = way == 1 || way == 2 ? CLUMP_UP_Y : CLUMP_UP_Z;
        if (way == 3) o.sensor[0] = 256, o.sensor[1] = -128, o.sensor[2] = 64;
        CHECK_INT(mark(&moved, &o, other), found);
        CHECK_MSG(memcmp(labels, other, made.count * sizeof *labels) == 0, "way %d", way);
    }
}

static void sensor_height(void)
{
    double recall, wrong;
    make(&made, flat, true, 0, 5);
    for (int method = 0; method < 2; method++) {
        clump_ground_options o = clump_ground_defaults();
        o.method = (clump_ground_method)method;
        o.sensor_height = 1.5f; /* about: it is 1.7 */
        mark(&made, &o, labels);
        judge(&made, labels, made.count, &recall, &wrong);
        CHECK(recall > 0.99 && wrong < 0.01);
        o.sensor_height = 9; /* nothing is there */
        o.slope = 0.02f;
        CHECK_INT(mark(&made, &o, labels), 0);
    }
}

static void scans_without(void)
{
    scene *const s = &made;
    clump_ground_options o = clump_ground_defaults();
    FOR_CPU_METHODS (method, clump_ground_methods) {
        o.method = (clump_ground_method)method;
        s->count = 0; /* empty */
        CHECK_INT(mark(s, &o, labels), 0);
        for (int i = 0; i < 500; i++) add(s, 500 + (float)i, 1000, -1.7f, false); /* outside */
        CHECK_INT(mark(s, &o, labels), 0);
        for (int i = 0; i < 500; i++) CHECK_INT(labels[i], CLUMP_NOISE);
        s->count = 0; /* not finite */
        for (int i = 0; i < 90; i++) {
            const float bad = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
            add(s, i < 30 ? bad : 1, i >= 30 && i < 60 ? bad : 1, i >= 60 ? bad : 1, false);
        }
        CHECK_INT(mark(s, &o, labels), 0);
        clump_context *ctx = cpu_context(1);
        const clump_points points = {.xyz = s->xyz, .count = s->count};
        CHECK_INT(clump_ground(ctx, points, &o, labels, NULL), CLUMP_OK);
        CHECK_INT(clump_context_stats(ctx).finite, 0);
        clump_context_destroy(ctx);
    }
    make(s, flat, false, 0, 9); /* only ground */
    o = clump_ground_defaults();
    CHECK_INT(mark(s, &o, labels), s->count);
    for (int i = 0; i < 30; i++) s->xyz[3 * i + i % 3] = i % 2 ? NAN : -INFINITY; /* and some that are not finite */
    CHECK_INT(mark(s, &o, labels), s->count - 30);
    o.method = CLUMP_GROUND_NONE;
    CHECK_INT(mark(s, &o, labels), 0);
    make(s, flat, true, 0, 9); /* no ground, and the sensor's height is known: what hangs from 1 m above is none */
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (s->ground[i] || s->xyz[3 * i + 2] < -0.6f) continue;
        memmove(s->xyz + 3 * kept, s->xyz + 3 * i, 3 * sizeof(float));
        kept++;
    }
    CHECK(kept > 500);
    s->count = kept;
    o = clump_ground_defaults();
    o.sensor_height = 1.7f;
    o.slope = 0;
    CHECK_INT(mark(s, &o, labels), 0);
}

static void masked_points_have_no_say(void)
{
    static uint8_t mask[MOST];
    make(&made, hills, true, 0, 21);
    const size_t all = made.count, found = mark(&made, NULL, labels);
    for (int i = 0; i < 3000; i++) add(&made, (float)(i % 60) - 30, (float)(i / 60) - 25, -9, false);
    for (size_t i = 0; i < made.count; i++) mask[i] = i < all;
    clump_ground_options o = clump_ground_defaults();
    o.mask = mask;
    CHECK_INT(mark(&made, &o, other), found);
    CHECK(memcmp(labels, other, all * sizeof *labels) == 0);
    o.mask = NULL;
    CHECK(mark(&made, &o, other) != found); /* and they had one */
}

static void against_the_oracle(void)
{
    static terrain *const lands[] = {flat, slope, hills, steps};
    uint64_t seed = 77;
    for (int round = 0; round < 48; round++) {
        clump_ground_options o = clump_ground_defaults();
        o.step = round % 24 < 12;
        o.extent = round % 5 == 4 ? 1 : 10 + 40 * check_random_float(&seed);
        o.tile = round % 3 ? 2 : 1.6f + 2 * check_random_float(&seed);
        o.slope = 0.5f * check_random_float(&seed);
        o.sigma = 0.3f * check_random_float(&seed);
        o.flip = round % 6 == 5;
        o.up = round % 7 == 6 ? CLUMP_UP_Y : CLUMP_UP_Z;
        if (round % 4 == 3) o.sensor_height = 1 + check_random_float(&seed);
        for (int axis = 0; axis < 3; axis++) o.sensor[axis] = round % 2 ? 5 * check_random_float(&seed) : 0;
        make(&made, lands[round % 4], round % 8 < 5, 40 * (round % 3), 100 + (uint64_t)round);
        if (round % 9 == 8) cloud_fill(CLOUD_UNIFORM, made.xyz, made.count, &seed);
        if (round % 2) cloud_spoil(made.xyz, made.count, 50, &seed);
        o.heights = heights;
        mark(&made, &o, labels);
        o.heights = other_heights;
        oracle_ground_grid(made.xyz, made.count, &o, other);
        size_t differ = 0, higher = 0;
        for (size_t i = 0; i < made.count; i++) {
            differ += labels[i] != other[i];
            higher += !(heights[i] == other_heights[i] || (isnan(heights[i]) && isnan(other_heights[i])));
        }
        CHECK_MSG(differ == 0, "round %d: %zu of %zu", round, differ, made.count);
        CHECK_MSG(higher == 0, "round %d: %zu heights of %zu", round, higher, made.count);
    }
}

/* Numbers of points that do not fill a vector, nor four turns. */
static void few_points(void)
{
    uint64_t seed = 5;
    for (size_t count = 1; count <= 40; count++) {
        clump_ground_options o = clump_ground_defaults();
        o.extent = 20;
        o.step = count % 2;
        made.count = count;
        for (size_t i = 0; i < 3 * count; i++) made.xyz[i] = (i % 3 < 2 ? 8.0f : 1.0f) * check_random_float(&seed) - 2;
        o.heights = heights;
        mark(&made, &o, labels);
        o.heights = other_heights;
        oracle_ground_grid(made.xyz, count, &o, other);
        CHECK_MSG(memcmp(labels, other, count * sizeof *labels) == 0, "%zu points", count);
        CHECK_MSG(memcmp(heights, other_heights, count * sizeof *heights) == 0, "%zu points", count);
    }
}

/* Heights of the other methods, of points that are left out, by several threads, and of clump_erccl. */
static void heights_of_points(void)
{
    static uint8_t mask[MOST];
    static const int threads[3] = {1, 2, 4};
    clump_context *ctx[3];
    cpu_contexts(ctx, threads, 3);
    make(&made, hills, true, 200, 32);
    const clump_points points = {.xyz = made.xyz, .count = made.count};
    for (size_t i = 0; i < made.count; i++) mask[i] = i % 5 != 0;
    made.xyz[4] = NAN, made.xyz[6] = 500, made.xyz[11] = 5000;
    for (int turn = 0; turn < 6; turn++) {
        clump_ground_options o = clump_ground_defaults();
        o.method = (clump_ground_method)(turn % 3);
        o.mask = turn / 3 ? mask : NULL;
        o.sensor[2] = 0.25f;
        for (int k = 0; k < 3; k++) {
            o.heights = k ? other_heights : heights;
            memset(o.heights, 0x11, sizeof heights);
            CHECK_INT(clump_ground(ctx[k], points, &o, labels, NULL), CLUMP_OK);
            CHECK(memcmp(heights, o.heights, sizeof heights) == 0);
        }
        const float level = clump_context_stats(ctx[0]).ground_level;
        CHECK(isnan(heights[1]) && isnan(heights[2]) && isnan(heights[3]));
        const uint32_t unknown = 0x7fc00000u; /* the bits of NaN on every backend */
        for (size_t i = 0; i < made.count; i++)
            CHECK(!isnan(heights[i]) || memcmp(&heights[i], &unknown, sizeof unknown) == 0);
        for (size_t i = 4; i < made.count; i++) {
            const bool known = turn % 3 != CLUMP_GROUND_NONE && !(turn / 3 && i % 5 == 0);
            CHECK_MSG(isnan(heights[i]) == !known, "turn %d: point %zu", turn, i);
            if (turn % 3 == CLUMP_GROUND_PEAK && known) CHECK(heights[i] == (made.xyz[3 * i + 2] - 0.25f) - level);
            if (known && turn % 3 == CLUMP_GROUND_GRID) CHECK((heights[i] < o.sigma) == (labels[i] == CLUMP_GROUND));
        }
        clump_erccl_options e = clump_erccl_defaults();
        e.common.mask = o.mask;
        e.ground = o;
        e.method = turn / 3 ? CLUMP_ERCCL_FAST : CLUMP_ERCCL_HASH;
        memset(other_heights, 0x11, sizeof other_heights);
        CHECK_INT(clump_erccl(ctx[1], points, &e, labels, NULL), CLUMP_OK);
        CHECK(memcmp(heights, other_heights, sizeof heights) == 0);
    }
    destroy_contexts(ctx, 3);
}

/* Any number of threads, any order of points, any stride: the same. */
static void threads_order_stride(void)
{
    static float wide[5 * MOST];
    make(&made, hills, true, 200, 31);
    const size_t n = made.count;
    for (int turn = 0; turn < 4; turn++) {
        clump_ground_options o = clump_ground_defaults();
        o.method = (clump_ground_method)(turn % 2);
        o.step = turn / 2;
        const size_t found = mark(&made, &o, labels);
        for (int threads = 2; threads <= 5; threads++) {
            clump_context *ctx = cpu_context(threads);
            for (size_t i = 0; i < n; i++) /* backwards, and with two more floats */
                memcpy(wide + 5 * i, made.xyz + 3 * (n - 1 - i), 3 * sizeof(float));
            const clump_points points = {.xyz = wide, .count = n, .stride = 20};
            size_t again = 0;
            CHECK_INT(clump_ground(ctx, points, &o, other, &again), CLUMP_OK);
            CHECK_INT(again, found);
            CHECK_INT(clump_context_stats(ctx).ground, found);
            CHECK_INT(clump_context_stats(ctx).noise, n - found);
            size_t differ = 0;
            for (size_t i = 0; i < n; i++) differ += other[i] != labels[n - 1 - i];
            CHECK_INT(differ, 0);
            clump_context_destroy(ctx);
        }
    }
}

static void hostile_clouds(void)
{
    uint64_t seed = 41;
    for (int shape = 0; shape < CLOUD_SHAPES; shape++) {
        made.count = 3000;
        cloud_fill((cloud_shape)shape, made.xyz, made.count, &seed);
        cloud_spoil(made.xyz, made.count, 40, &seed);
        for (int turn = 0; turn < 4; turn++) {
            clump_ground_options o = clump_ground_defaults();
            o.method = (clump_ground_method)(turn % 2);
            o.step = turn / 2;
            const size_t found = mark(&made, &o, labels);
            size_t counted = 0;
            for (size_t i = 0; i < made.count; i++) {
                const float *const p = made.xyz + 3 * i;
                counted += labels[i] == CLUMP_GROUND;
                if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) CHECK_INT(labels[i], CLUMP_NOISE);
            }
            CHECK_INT(counted, found);
        }
    }
}

static void refusals(void)
{
    clump_context *ctx = cpu_context(1);
    const clump_points points = {.xyz = made.xyz, .count = 10};
    clump_ground_options o = clump_ground_defaults();
#define REFUSED(change, status, word)                                                                                  \
    do {                                                                                                               \
        o = clump_ground_defaults();                                                                                   \
        change;                                                                                                        \
        CHECK_INT(clump_ground(ctx, points, &o, labels, NULL), status);                                                \
        CHECK_MSG(strstr(clump_context_error(ctx), word), "%s", clump_context_error(ctx));                             \
    } while (0)
    REFUSED(o.method = (clump_ground_method)7, CLUMP_ERR_ARGUMENT, "method number 7");
    REFUSED(o.extent = 1e5f, CLUMP_ERR_ARGUMENT, "use tiles of 97.66");
    REFUSED(o.heights = made.xyz, CLUMP_ERR_ARGUMENT, "heights and points.xyz overlap");
    REFUSED(o.heights = (float *)(void *)((char *)heights + 1), CLUMP_ERR_ARGUMENT, "heights is not aligned");
    CHECK_INT(clump_ground(ctx, points, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_ground(NULL, points, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_ground(ctx, (clump_points){.count = 3}, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    clump_context_destroy(ctx);
    clump_ground_method method;
    CHECK(clump_ground_method_from_name("grid", &method) && method == CLUMP_GROUND_GRID);
    CHECK(!clump_ground_method_from_name("plane", &method) && !clump_ground_method_name((clump_ground_method)3));
}

/* --- real scans ------------------------------------------------------------------------------------ */

static bool is_ground_class(uint32_t class)
{
    return class == 40 || class == 44 || class == 48 || class == 49 || class == 60 || class == 72;
}

static double f1_of(const char *folder, const char *frame, clump_context *ctx, clump_ground_method method, bool step)
{
    char path[1024];
    clump_cloud *cloud = NULL;
    int32_t *truth = NULL;
    size_t count = 0, both = 0, sum = 0;
    snprintf(path, sizeof path, "%s/kitti/semkitti_%s.bin", folder, frame);
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, NULL), CLUMP_OK);
    snprintf(path, sizeof path, "%s/kitti/semkitti_%s.label", folder, frame);
    CHECK_INT(clump_labels_load(path, &truth, &count, NULL), CLUMP_OK);
    int32_t *const found = malloc(count * sizeof *found);
    clump_ground_options o = clump_ground_defaults();
    o.method = method;
    o.step = step;
    CHECK_INT(clump_ground(ctx, clump_cloud_points(cloud), &o, found, NULL), CLUMP_OK);
    const float *const xyz = clump_cloud_xyz(cloud);
    for (size_t i = 0; i < count; i++) {
        const float *const p = xyz + 3 * i;
        const uint32_t class = (uint32_t)truth[i] & 0xffff;
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 400 || class < 2) continue;
        const bool truly = is_ground_class(class), here = found[i] == CLUMP_GROUND;
        both += truly && here;
        sum += (size_t)truly + (size_t)here;
    }
    free(found);
    clump_labels_free(truth);
    clump_cloud_destroy(cloud);
    return 2 * (double)both / (double)sum;
}

static void labelled_scans(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    static const char *const frames[] = {"00_000000", "00_000001", "00_000002", "04_000000", "06_000000"};
    clump_context *ctx = cpu_context(2);
    double mean = 0, peak = 0, step = 0;
    for (int i = 0; i < 5; i++) {
        const double f1 = f1_of(folder, frames[i], ctx, CLUMP_GROUND_GRID, false);
        CHECK_MSG(f1 > 0.95, "%s: F1 %.4f", frames[i], f1);
        mean += f1 / 5;
        peak += f1_of(folder, frames[i], ctx, CLUMP_GROUND_PEAK, false) / 5;
        step += f1_of(folder, frames[i], ctx, CLUMP_GROUND_GRID, true) / 5;
    }
    CHECK_MSG(mean > 0.97, "mean F1 %.4f", mean);
    CHECK_MSG(step > mean, "mean F1 with the step rule %.4f, without %.4f", step, mean);
    CHECK_MSG(peak > 0.8 && peak < mean, "mean F1 of peak %.4f", peak);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_ground)
{
    RUN(scenes_with_known_ground);
    RUN(level_is_told);
    RUN(wrong_options_are_seen);
    RUN(other_frames);
    RUN(sensor_height);
    RUN(scans_without);
    RUN(masked_points_have_no_say);
    RUN(against_the_oracle);
    RUN(few_points);
    RUN(heights_of_points);
    RUN(threads_order_stride);
    RUN(hostile_clouds);
    RUN(refusals);
    RUN(labelled_scans);
}
