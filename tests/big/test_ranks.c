/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranks.c: clouds that are divided among ranks, with stores in memory and on the disk, against one call. The ranks are
 * threads of this process.
 * CLUMP_TEST_CLOUDS in the environment is the number of random worlds of each kind.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "big/ranks_world.h"
#include "support/clouds.h"

#include <float.h>

enum { MOST = 1200 };

static clump_context *alone;
static float xyz[3 * MOST];

/* Clusters a cloud by one call. */
static int64_t label_whole(const clump_joint_settings *s, const float *points, size_t count, int32_t *labels)
{
    big_whole whole = {0};
    (void)big_cluster(alone, (clump_points){.xyz = points, .count = count}, s->d, s, NULL, NULL, labels, &whole);
    return whole.clusters;
}

/* Writes points, and their classes where ids is not null, to the file of the test. Fills in a run of its ranks. */
static ranks_run start_classes(const clump_joint_settings *s, const float *points, const uint16_t *ids, size_t count,
                               int ranks)
{
    static char path[256];
    static const char *input = path;
    clump_cloud *cloud = NULL;
    clump_save_options save = clump_save_defaults();
    snprintf(path, sizeof path, "%s", big_path(ids ? "ranks.pcd" : "ranks.npy"));
    CHECK_INT(clump_cloud_create(count, &cloud, &big_why), CLUMP_OK);
    if (count > 0) memcpy(clump_cloud_xyz(cloud), points, 3 * count * sizeof *points);
    if (ids) clump_cloud_set_field(cloud, &(clump_field){"semantic", CLUMP_TYPE_U16, 1, ids}, NULL);
    if (clump_cloud_save(path, cloud, NULL, &save, &big_why) != CLUMP_OK) CHECK_FAIL("%s", big_why.text);
    clump_cloud_destroy(cloud);
    ranks_run run = {.inputs = &input, .count = 1, .settings = s, .options = clump_big_defaults(), .ranks = ranks};
    run.options.threads = 1;
    run.hooks.no_sync = true;
    return run;
}

static ranks_run start(const clump_joint_settings *s, const float *points, size_t count, int ranks)
{
    return start_classes(s, points, NULL, count, ranks);
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

/* What a world has besides. */
typedef enum world_kind { WORLD_PLAIN, WORLD_CLASSES, WORLD_THIN, WORLD_KINDS } world_kind;

/* Returns the side of voxels for a distance: often a power of two of it, so that points of lattices are at their borders. */
static float random_side(float d, uint64_t *random)
{
    static const float shares[] = {0.01f, 0.125f, 0.2f, 0.5f, 1, 2, 7};
    const float side = d * shares[check_random(random) % (sizeof shares / sizeof *shares)];
    return isfinite(side) && side >= FLT_MIN ? side : FLT_MIN;
}

static bool run_case(uint64_t seed, world_kind kind)
{
    const bool by_class = kind == WORLD_CLASSES;
    static int32_t labels[MOST];
    static uint16_t ids[MOST];
    uint64_t random = seed;
    const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
    const size_t count = check_random(&random) % (check_random(&random) % 4 ? MOST / 4 : MOST + 1);
    const float d = cloud_fill(shape, xyz, count, &random);
    if (check_random(&random) % 3 == 0) cloud_spoil(xyz, count, 1 + check_random(&random) % 60, &random);
    clump_joint_settings settings = random_settings(count, &random);
    settings.d = d;
    if (settings.two_d || by_class) cloud_spoil_z(xyz, count, &random);
    big_table table;
    if (by_class) {
        const uint64_t mixed = 1 + check_random(&random) % 40; /* a long run of points has one class, or a short one */
        for (size_t i = 0; i < count; i++)
            ids[i] = (uint16_t)(i > 0 && check_random(&random) % mixed ? ids[i - 1] : check_random(&random) % CLASSES);
        big_random_table(&table, d, &random);
        big_fit_table(&table, &settings);
        table.classes.of = ids;
    }
    ranks_run run =
        start_classes(&settings, xyz, by_class ? ids : NULL, count, 1 + (int)(check_random(&random) % RANKS_MOST));
    if (by_class) run.options.classes = &table.classes, run.options.class_fields = big_class_fields;
    run.options.threads = 1 + (int)(check_random(&random) % 3) / 2;
    run.hooks.most = 1 + check_random(&random) % (check_random(&random) % 2 ? 20 : 400);
    run.hooks.mail = check_random(&random) % 2 ? 16 + check_random(&random) % 4000 : 0;
    run.hooks.first_block = check_random(&random) % 2 ? 0 : 140000;
    run.hooks.entries = check_random(&random) % 2 ? 0 : 80 + check_random(&random) % 200;
    if (check_random(&random) % 2) run.options.work = big_path("work");
    big_whole whole = {0};
    const clump_points points = {.xyz = xyz, .count = count};
    if (kind == WORLD_THIN) {
        run.options.thin = random_side(d, &random);
        (void)big_thin(alone, points, run.options.thin, &settings, NULL, labels, &whole);
    } else {
        (void)big_cluster(alone, points, d, &settings, NULL, run.options.classes, labels, &whole);
    }
    const clump_status status = ranks_world_run(&run);
    const bool equal = status == CLUMP_OK && big_equal(&whole, &run.result);
    CHECK_MSG(equal, "seed %llu: %s, %zu points, %d ranks, %llu per tile, min_points %zu, kind %d: %s",
              (unsigned long long)seed, cloud_name(shape), count, run.ranks, (unsigned long long)run.hooks.most,
              settings.min_points, (int)kind, status == CLUMP_OK ? "labels differ" : run.message.text);
    unlink(run.inputs[0]);
    return equal;
}

static void random_worlds(void)
{
    const char *const given = getenv("CLUMP_TEST_CLOUDS");
    const long rounds = given && *given ? strtol(given, NULL, 10) : check_rounds(CLOUD_WATCHED ? 60 : 600);
    long differ = 0;
    for (int kind = 0; kind < WORLD_KINDS; kind++)
        for (long round = 0; round < rounds; round++) differ += !run_case((uint64_t)round * 7919 + 3, (world_kind)kind);
    printf("%ld of %ld worlds differ, a third of them with classes, a third with thinning\n", differ,
           WORLD_KINDS * rounds);
}

/* Border points between two clusters each, of three classes in the same places: tiles have choices of several groups. */
static void borders_of_groups(void)
{
    static const float line[] = {-1.4f, -1.3f, -1.2f, -0.9f, 0, 0.9f, 1.2f, 1.3f, 1.4f}; /* 0 has 3 points within 1 */
    enum { LINE = sizeof line / sizeof *line, LINES = MOST / LINE };
    static const clump_class rows[] = {{.id = 0}, {.id = 1, .max_size = 4}, {.id = 2, .two_d = true}};
    static uint16_t ids[MOST];
    static int32_t labels[MOST];
    clump_joint_settings s = clump_joint_defaults();
    s.d = 1, s.min_points = 4;
    for (uint64_t seed = 0; seed < (CLOUD_WATCHED ? 6 : check_fewer(6, 24)); seed++) {
        uint64_t random = seed;
        for (size_t i = 0; i < LINES * LINE; i++) {
            const size_t j = check_random(&random) % (i + 1); /* the order decides which cluster a border point joins */
            memcpy(xyz + 3 * i, xyz + 3 * j, 3 * sizeof *xyz);
            ids[i] = ids[j];
            xyz[3 * j] = line[i % LINE], xyz[3 * j + 1] = 1.1f * (float)(i / LINE / 3), xyz[3 * j + 2] = 0;
            ids[j] = (uint16_t)(i / LINE % 3);
        }
        const clump_classes classes = {.of = ids, .rows = rows, .count = 3};
        ranks_run run = start_classes(&s, xyz, ids, LINES * LINE, 1 + (int)(seed % RANKS_MOST));
        run.options.classes = &classes, run.options.class_fields = big_class_fields;
        run.hooks.most = seed % 2 ? 60 : 300;
        big_whole whole = {0};
        (void)big_cluster(alone, (clump_points){.xyz = xyz, .count = LINES * LINE}, s.d, &s, NULL, &classes, labels,
                          &whole);
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
        CHECK_MSG(big_equal(&whole, &run.result), "seed %llu: labels differ", (unsigned long long)seed);
        unlink(run.inputs[0]);
    }
}

/* ----- integers ------------------------------------------------------------------------------------------------------- */

/* Integers of the frame steps, in groups 2^27 steps apart: no single call can have them. Each group alone gives the sets. */
static void groups_far_apart(void)
{
    enum { GROUPS = 3, EACH = 150, ALL = GROUPS * EACH };
    static double steps[3 * ALL];
    static int32_t part[EACH], expected[ALL];
    static const double scale[3] = {1, 1, 1};
    clump_joint_settings s = clump_joint_defaults();
    s.d = 8.5f;
    for (int ranks = 1; ranks <= 5; ranks += 2) {
        uint64_t random = (uint64_t)ranks;
        int32_t clusters = 0;
        for (size_t g = 0; g < GROUPS; g++) {
            for (size_t i = 0; i < EACH; i++)
                for (size_t a = 0; a < 3; a++) {
                    xyz[3 * i + a] = (float)(check_random(&random) % 40);
                    steps[3 * (g * EACH + i) + a] = (double)xyz[3 * i + a] + (a == 2 ? 0 : ((double)g - 1) * 0x1p27);
                }
            const int64_t found = label_whole(&s, xyz, EACH, part);
            for (size_t i = 0; i < EACH; i++) expected[g * EACH + i] = part[i] < 0 ? part[i] : part[i] + clusters;
            clusters += (int32_t)found;
        }
        char path[256];
        const char *const input = path;
        snprintf(path, sizeof path, "%s", big_path("groups.las"));
        big_save_las(path, steps, ALL, scale, NULL);
        ranks_run run = start(&s, xyz, 0, ranks);
        unlink(run.inputs[0]);
        run.inputs = &input;
        run.options.frame = CLUMP_FILE_FRAME_STEPS;
        run.hooks.most = 40;
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
        CHECK_INT(run.result.clusters, clusters);
        CHECK(run.result.labels_hash == clump_labels_hash(expected, ALL));
        unlink(path);
    }
}

/* ----- skew ----------------------------------------------------------------------------------------------------------- */

static void check_equal(ranks_run *run, const float *points, size_t count)
{
    int32_t *const whole = malloc(count * sizeof *whole + 1);
    const int64_t found = label_whole(run->settings, points, count, whole);
    const clump_status status = ranks_world_run(run);
    CHECK_MSG(status == CLUMP_OK, "%d ranks: %s", run->ranks, run->message.text);
    CHECK_MSG(run->result.labels_hash == clump_labels_hash(whole, count) && run->result.clusters == found,
              "%d ranks: labels differ", run->ranks);
    unlink(run->inputs[0]);
    free(whole);
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
                clump_joint_settings s = clump_joint_defaults();
                s.d = 0.21f;
                s.min_points = dbscan ? 4 : 0;
                ranks_run run = start(&s, points, count, ranks);
                run.options.threads = 2;
                run.hooks.most = 100;
                check_equal(&run, points, count);
            }
    }
}

/* ----- counters ------------------------------------------------------------------------------------------------------- */

/* A ground with objects, as a survey sees them: bytes per point and rims are those that docs/scale.md promises, and what the
 * plan decides does not depend on the number of ranks. */
static void counters_of_a_survey(void)
{
    enum { COUNT = CLOUD_WATCHED ? 140000 : 400000 };
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
    clump_big_result first = {0};
    for (int ranks = 1; ranks <= 8; ranks = check_fewer(ranks + 4, ranks * 2 + (ranks == 2))) {
        clump_joint_settings s = clump_joint_defaults();
        s.d = 0.5f;
        ranks_run run = start(&s, points, COUNT, ranks);
        run.hooks.most = COUNT / 80;
        run.hooks.sample = 1;
        check_equal(&run, points, COUNT);
        const clump_big_result *const r = &run.result;
        if (ranks == 1) first = *r;
        CHECK(r->tiles == first.tiles && r->rim_points == first.rim_points && r->links == first.links);
        CHECK(r->tiles >= 80 && r->links > 0);
        CHECK_MSG(r->rim_points < COUNT / 10, "%llu rim points", (unsigned long long)r->rim_points);
        const double each = (double)r->bytes_sent / COUNT;
        if (CLOUD_WATCHED) continue; /* the map of coarse cells is large beside so few points */
        CHECK_MSG(ranks == 1 ? r->bytes_sent == 0 : each <= 26 && each > 8, "%d ranks: %.2f bytes per point", ranks,
                  each);
    }
    free(points);
}

/* ----- failures ------------------------------------------------------------------------------------------------------- */

static ranks_run start_clumped(clump_joint_settings *s, const uint16_t *ids, size_t count)
{
    uint64_t random = 5;
    *s = clump_joint_defaults();
    s->d = cloud_fill(CLOUD_CLUMPED, xyz, count, &random);
    s->order = CLUMP_ORDER_SIZE;
    ranks_run run = start_classes(s, xyz, ids, count, 3);
    run.hooks.most = 30;
    return run;
}

static clump_status forget(void *user, const clump_cluster *clusters, const uint16_t *classes, const float *hulls,
                           int64_t first, size_t count, const double origin[3])
{
    (void)user, (void)clusters, (void)classes, (void)hulls, (void)first, (void)count, (void)origin;
    return CLUMP_OK;
}

/* Whatever call of the transport fails, all ranks fail with a sentence, and none waits for ever. The same command goes on from
 * the work folder. */
static void fail_every_call(bool by_class)
{
    static uint16_t ids[300];
    static const clump_class rows[] = {{.id = 0, .two_d = true}, {.id = 1, .max_size = 4}};
    const clump_classes classes = {.rows = rows, .count = 2};
    for (size_t i = 0; i < 300; i++) ids[i] = i % 5 == 0;
    clump_joint_settings s;
    ranks_run run = start_clumped(&s, by_class ? ids : NULL, 300);
    if (by_class) run.options.classes = &classes, run.options.class_fields = big_class_fields;
    run.options.clusters = forget, run.options.hull = true;
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
    const uint64_t hash = run.result.labels_hash;
    const long calls = run.calls;
    CHECK(calls > 20);
    for (long call = 1; call <= calls; call += check_fewer(5, 1)) {
        run.options.work = call % 2 ? big_path("work") : NULL;
        run.trap = call;
        const clump_status status = ranks_world_run(&run);
        CHECK_MSG(status != CLUMP_OK && run.message.text[0], "call %ld of %ld", call, calls);
        run.trap = 0;
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "after call %ld: %s", call, run.message.text);
        CHECK(run.result.labels_hash == hash);
        CHECK(!run.options.work || access(run.options.work, F_OK) != 0);
    }
    unlink(run.inputs[0]);
}

static void every_call_fails_once(void)
{
    fail_every_call(false);
    fail_every_call(true);
}

static void cancelled(void)
{
    const volatile int cancel = 1;
    clump_joint_settings s;
    ranks_run run = start_clumped(&s, NULL, 1000);
    run.options.cancel = &cancel;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_CANCELLED);
    CHECK_TEXT(run.message.text, "cancelled by the caller");
    unlink(run.inputs[0]);
}

CHECK_PROGRAM(test_ranks)
{
    alone = cpu_context(1);
    RUN(random_worlds);
    RUN(borders_of_groups);
    RUN(groups_far_apart);
    RUN(skewed_clouds);
    RUN(counters_of_a_survey);
    RUN(every_call_fails_once);
    RUN(cancelled);
    clump_context_destroy(alone);
}
