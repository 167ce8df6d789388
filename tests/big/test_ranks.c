/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranks.c: clouds that are divided among ranks, against one call. The ranks are threads of this process.
 * CLUMP_TEST_CLOUDS in the environment is the number of random worlds; CLUMP_TEST_LONG=1 makes it 20 times as large.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "big/ranks_world.h"

#include <math.h>

enum { MOST = 1200 };

static clump_context *alone;
static float xyz[3 * MOST];

/* Clusters a cloud by one call. */
static int64_t label_whole(const clump_joint_settings *s, const float *points, size_t count, int32_t *labels)
{
    const clump_points all = {.xyz = points, .count = count};
    int32_t found = -1;
    clump_status status;
    if (s->min_points > 0) {
        clump_dbscan_options o = clump_dbscan_defaults();
        o.common.order = s->order, o.common.two_d = s->two_d, o.common.min_size = s->min_size,
        o.common.max_size = s->max_size;
        o.no_border_points = s->no_border_points;
        status = clump_dbscan(alone, all, s->d, s->min_points, &o, labels, &found);
    } else {
        clump_ec_options o = clump_ec_defaults();
        o.common.order = s->order, o.common.two_d = s->two_d, o.common.min_size = s->min_size,
        o.common.max_size = s->max_size;
        status = clump_ec(alone, all, s->d, &o, labels, &found);
    }
    CHECK_MSG(status == CLUMP_OK, "%s", clump_context_error(alone));
    return found;
}

/* ----- random worlds -------------------------------------------------------------------------------------------------- */

static clump_joint_settings random_settings(size_t count, uint64_t *random)
{
    clump_joint_settings s = clump_joint_defaults();
    clump_dbscan_options o = clump_dbscan_defaults();
    uint8_t mask[MOST];
    cloud_dbscan_options(&o, mask, count, random);
    s.two_d = o.common.two_d, s.order = o.common.order, s.min_size = o.common.min_size, s.max_size = o.common.max_size;
    if (check_random(random) % 2) {
        s.min_points = cloud_min_points(count, random);
        s.no_border_points = o.no_border_points;
    }
    return s;
}

static bool run_case(uint64_t seed)
{
    static int32_t whole[MOST];
    static int64_t labels[MOST];
    uint64_t random = seed;
    const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
    const size_t count = check_random(&random) % (check_random(&random) % 4 ? MOST / 4 : MOST + 1);
    const float d = cloud_fill(shape, xyz, count, &random);
    if (check_random(&random) % 3 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 60, &random);
    ranks_case c = {.settings = random_settings(count, &random), .xyz = xyz, .count = count, .random = seed};
    c.settings.d = d;
    if (c.settings.two_d) cloud_spoil_z(xyz, count, &random);
    c.ranks = 1 + (int)(check_random(&random) % 8);
    c.threads = 1 + (int)(check_random(&random) % 3) / 2;
    c.most = 1 + check_random(&random) % (check_random(&random) % 2 ? 20 : 400);
    c.mail = check_random(&random) % 2 ? 16 + check_random(&random) % 4000 : 0;
    c.first_index = check_random(&random) % 2 ? 0 : ((uint64_t)1 << 33) + 5;
    c.wide = check_random(&random) % 4 == 0;
    const int64_t found = label_whole(&c.settings, xyz, count, whole);
    ranks_outcome out;
    const clump_status status = ranks_world_run(&c, labels, &out);
    bool equal = status == CLUMP_OK && out.clusters == found;
    uint64_t noise = 0;
    for (size_t i = 0; i < count; i++) equal &= status != CLUMP_OK || labels[i] == whole[i], noise += whole[i] < 0;
    equal &= status != CLUMP_OK || out.noise == noise;
    CHECK_MSG(equal, "seed %llu: %s, %zu points, %d ranks, %llu per tile, min_points %zu: %s", (unsigned long long)seed,
              cloud_name(shape), count, c.ranks, (unsigned long long)c.most, c.settings.min_points,
              status == CLUMP_OK ? "labels differ" : out.message.text);
    return equal;
}

static void random_worlds(void)
{
    const char *const given = getenv("CLUMP_TEST_CLOUDS");
    const long rounds = given && *given ? strtol(given, NULL, 10) : cloud_rounds(CLOUD_WATCHED ? 60 : 600);
    long differ = 0;
    for (long round = 0; round < rounds; round++) differ += !run_case((uint64_t)round * 7919 + 3);
    printf("%ld of %ld worlds differ\n", differ, rounds);
}

/* ----- integers ------------------------------------------------------------------------------------------------------- */

/* Integers of the frame steps, in groups 2^27 steps apart: no single call can have them. Each group alone gives the sets. */
static void groups_far_apart(void)
{
    enum { GROUPS = 3, EACH = 150, ALL = GROUPS * EACH };
    static int32_t steps[3 * ALL], part[EACH];
    static int64_t labels[ALL], expected[ALL];
    for (int ranks = 1; ranks <= 5; ranks += 2) {
        uint64_t random = (uint64_t)ranks;
        ranks_case c = {.settings = clump_joint_defaults(), .steps = steps, .count = ALL, .ranks = ranks, .threads = 1};
        c.settings.d = 8.5f;
        c.most = 40;
        c.random = (uint64_t)ranks;
        int64_t clusters = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            for (size_t i = 0; i < EACH; i++)
                for (size_t a = 0; a < 3; a++) {
                    xyz[3 * i + a] = (float)(check_random(&random) % 40);
                    const int32_t far = a == 2 ? 0 : ((int32_t)g - 1) * ((int32_t)1 << 27);
                    steps[3 * (g * EACH + i) + a] = (int32_t)xyz[3 * i + a] + far;
                }
            const int64_t found = label_whole(&c.settings, xyz, EACH, part);
            for (size_t i = 0; i < EACH; i++) expected[g * EACH + i] = part[i] + clusters;
            clusters += found;
        }
        ranks_outcome out;
        CHECK_INT(ranks_world_run(&c, labels, &out), CLUMP_OK);
        CHECK_INT(out.clusters, clusters);
        CHECK(memcmp(labels, expected, sizeof labels) == 0);
    }
}

/* ----- skew ----------------------------------------------------------------------------------------------------------- */

static void check_equal(ranks_case *c, ranks_outcome *out)
{
    int32_t *const whole = malloc(c->count * sizeof *whole + 1);
    int64_t *const labels = malloc(c->count * sizeof *labels + 1);
    const int64_t found = label_whole(&c->settings, c->xyz, c->count, whole);
    const clump_status status = ranks_world_run(c, labels, out);
    CHECK_MSG(status == CLUMP_OK, "%d ranks: %s", c->ranks, out->message.text);
    size_t differ = 0;
    for (size_t i = 0; i < c->count && status == CLUMP_OK; i++) differ += labels[i] != whole[i];
    CHECK_MSG(differ == 0 && out->clusters == found, "%d ranks: %zu labels differ", c->ranks, differ);
    free(whole);
    free(labels);
}

/* 90 % of the points in one coarse cell; all on a line; all at one place; fewer points than ranks; no points. */
static void skewed_clouds(void)
{
    enum { COUNT = 4000 };
    static float points[3 * COUNT];
    for (int kind = 0; kind < 5; kind++) {
        uint64_t random = 11 + (uint64_t)kind;
        size_t count = COUNT;
        for (size_t i = 0; i < COUNT; i++)
            for (size_t a = 0; a < 3; a++) {
                const float x = check_random_float(&random);
                points[3 * i + a] = kind == 0   ? (i % 10 ? 3 * x : 800 * x)
                                    : kind == 1 ? (a ? 0 : 900 * x)
                                    : kind == 2 ? 1
                                                : x;
            }
        if (kind == 3) count = 5;
        if (kind == 4) count = 0;
        for (int dbscan = 0; dbscan < 2; dbscan++)
            for (int ranks = 1; ranks <= 8; ranks += 7) {
                ranks_case c = {.settings = clump_joint_defaults(), .xyz = points, .count = count, .ranks = ranks};
                ranks_outcome out;
                c.settings.d = 0.21f;
                c.settings.min_points = dbscan ? 4 : 0;
                c.threads = 2;
                c.most = 100;
                c.random = (uint64_t)(kind + ranks);
                check_equal(&c, &out);
            }
    }
}

/* ----- counters ------------------------------------------------------------------------------------------------------- */

/* A ground with objects, as a survey sees them: bytes per point, rim and imbalance are those that docs/scale.md promises,
 * and what the plan decides does not depend on the number of ranks. */
static void counters_of_a_survey(void)
{
    enum { COUNT = CLOUD_WATCHED ? 40000 : 400000 };
    float *const points = malloc(3 * COUNT * sizeof *points);
    uint64_t random = 77;
    float x = 0, y = 0;
    for (size_t i = 0; i < COUNT; i++) { /* 40 points of a tree, 160 of the ground */
        const bool tree = i % 200 < 40, new_tree = i % 200 == 0;
        x = tree && !new_tree ? x + check_random_float(&random) - 0.5f : 250 * check_random_float(&random);
        y = tree && !new_tree ? y + check_random_float(&random) - 0.5f : 200 * check_random_float(&random);
        points[3 * i] = x, points[3 * i + 1] = y;
        points[3 * i + 2] = tree ? 3 + check_random_float(&random) : sinf(0.05f * x);
    }
    ranks_outcome first = {0};
    for (int ranks = 1; ranks <= 8; ranks = ranks * 2 + (ranks == 2)) {
        ranks_case c = {
            .settings = clump_joint_defaults(), .xyz = points, .count = COUNT, .ranks = ranks, .threads = 1};
        ranks_outcome out;
        c.settings.d = 0.5f;
        c.even = true;
        c.most = COUNT / 80;
        check_equal(&c, &out);
        if (ranks == 1) first = out;
        CHECK(out.tiles == first.tiles && out.rims == first.rims && out.links == first.links);
        CHECK(out.tiles >= 80 && out.links > 0);
        CHECK_MSG(out.rims < COUNT / 10, "%llu rim points", (unsigned long long)out.rims);
        CHECK_MSG((double)out.loads_most <= 1.15 * (double)out.loads_mean, "%d ranks: %llu points, mean %llu", ranks,
                  (unsigned long long)out.loads_most, (unsigned long long)out.loads_mean);
        const double each = (double)out.sent / COUNT; /* the output adds 4 */
        if (CLOUD_WATCHED) continue;                  /* the map of coarse cells is large beside so few points */
        CHECK_MSG(ranks == 1 ? out.sent == 0 : each <= 22 && each > 8, "%d ranks: %.2f bytes per point", ranks, each);
    }
    free(points);
}

/* ----- failures ------------------------------------------------------------------------------------------------------- */

/* Whatever call of the transport fails, all ranks fail with a sentence, and none waits for ever. */
static void every_call_fails_once(void)
{
    static int64_t labels[MOST];
    uint64_t random = 5;
    ranks_case c = {.settings = clump_joint_defaults(), .xyz = xyz, .count = 300, .ranks = 3, .threads = 1, .most = 30};
    c.settings.d = cloud_fill(CLOUD_CLUMPED, xyz, c.count, &random);
    c.settings.order = CLUMP_ORDER_SIZE;
    ranks_outcome out;
    CHECK_INT(ranks_world_run(&c, labels, &out), CLUMP_OK);
    const long calls = out.calls;
    CHECK(calls > 20);
    for (long call = 1; call <= calls; call++) {
        c.trap = call;
        const clump_status status = ranks_world_run(&c, labels, &out);
        CHECK_MSG(status != CLUMP_OK && out.message.text[0], "call %ld of %ld", call, calls);
    }
}

/* A rank that may not use the memory that it needs: all ranks say which. */
static void too_little_memory(void)
{
    static int64_t labels[MOST];
    uint64_t random = 5;
    ranks_case c = {
        .settings = clump_joint_defaults(), .xyz = xyz, .count = 1000, .ranks = 3, .threads = 1, .ram = 1000};
    c.settings.d = cloud_fill(CLOUD_CLUMPED, xyz, c.count, &random);
    ranks_outcome out;
    CHECK_INT(ranks_world_run(&c, labels, &out), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK(out.same_message);
    CHECK_MSG(strstr(out.message.text, "rank ") && strstr(out.message.text, "--ram"), "%s", out.message.text);
}

static void cancelled(void)
{
    static int64_t labels[MOST];
    uint64_t random = 5;
    const volatile int cancel = 1;
    ranks_case c = {.settings = clump_joint_defaults(), .xyz = xyz, .count = 1000, .ranks = 3, .threads = 2};
    c.cancel = &cancel;
    c.settings.d = cloud_fill(CLOUD_CLUMPED, xyz, c.count, &random);
    ranks_outcome out;
    CHECK_INT(ranks_world_run(&c, labels, &out), CLUMP_ERR_CANCELLED);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    alone = cpu_context(1);
    RUN(random_worlds);
    RUN(groups_far_apart);
    RUN(skewed_clouds);
    RUN(counters_of_a_survey);
    RUN(every_call_fails_once);
    RUN(too_little_memory);
    RUN(cancelled);
    clump_context_destroy(alone);
    return CHECK_END();
}
