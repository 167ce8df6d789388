/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The simulated sensor: the same bytes everywhere and in any order of frames; wrong parameters are refused. What the
 * points are is in test_sim_scan.c.
 */
#include "sim/lidar_scan.h"

#include <math.h>
#include <pthread.h>

/* The bytes of a scan are part of its name: these values change only with the simulation itself. */
static void same_bytes_everywhere(void)
{
    static const struct {
        clump_lidar_model model;
        clump_lidar_scene scene;
        uint64_t hash;
    } scans[] = {
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_STREET, 0x6e38446c241dd7c4},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_T_JUNCTION, 0x9f8a60add643749b},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_ROAD, 0x2051e1acf33bd282},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_SQUARE, 0x49a0fe9eb2d12be4},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_TREES, 0x1069fd4656a65715},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_PEOPLE, 0x6805e27ea006ab84},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_CROSSROAD, 0x2f7bad0a2e2842c2},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_PAIRS, 0x4477c1ef541753f5},
        {CLUMP_LIDAR_VLP16, CLUMP_SCENE_YARD, 0xae7ae2e4c4d21576},
        {CLUMP_LIDAR_HDL32E, CLUMP_SCENE_STREET, 0xdbfbc6c1c9ad0660},
        {CLUMP_LIDAR_HDL64E, CLUMP_SCENE_CROSSROAD, 0x0a36f7c7f0289ad2},
        {CLUMP_LIDAR_128, CLUMP_SCENE_TREES, 0x5dd6fac6ca15fdd2},
    };
    for (size_t i = 0; i < sizeof scans / sizeof scans[0]; i++) {
        const clump_lidar lidar = lidar_of(scans[i].model, scans[i].scene);
        lidar_scan s = scan_of(&lidar);
        CHECK_MSG(hash_scan(&s) == scans[i].hash, "%s in %s: 0x%016" PRIx64, clump_lidar_model_name(lidar.model),
                  clump_lidar_scene_name(lidar.scene), hash_scan(&s));
        free_scan(&s);
    }
}

/* Every parameter has an effect, and the effect is pinned, too. */
static void same_bytes_with_options(void)
{
    const clump_lidar plain = lidar_of(CLUMP_LIDAR_HDL32E, CLUMP_SCENE_STREET);
    clump_lidar ways[11];
    for (size_t i = 0; i < 11; i++) ways[i] = plain;
    ways[0].seed = 2, ways[1].rate = 20, ways[2].height = 2.5, ways[3].reach = 30, ways[4].noise = 0.1;
    ways[5].dropout = 0.3, ways[6].slope = 10, ways[7].kerb = 0.3, ways[8].vehicle = false, ways[9].distortion = true;
    ways[10].slope = -10, ways[10].speed = -5, ways[10].distortion = true;
    static const uint64_t pinned[11] = {0xd9f2834d949a2f63, 0x5a0a70f1fa91d928, 0x74534bc374d80492, 0x9d9a14087d3b6d69,
                                        0x3ec9ea9311e9fe2d, 0x7c60ced9d6b6d47b, 0x1fcfb07ab9dad75f, 0xeba46b30cc85d45f,
                                        0x54812d7cf09c57e8, 0xbc407326cbd53c02, 0x87499ce1768c2ca7};
    lidar_scan s = scan_of(&plain);
    uint64_t earlier[12] = {hash_scan(&s)};
    free_scan(&s);
    for (size_t i = 0; i < 11; i++) {
        s = scan_of(&ways[i]);
        earlier[i + 1] = hash_scan(&s);
        CHECK_MSG(earlier[i + 1] == pinned[i], "way %zu: 0x%016" PRIx64, i, earlier[i + 1]);
        for (size_t k = 0; k <= i; k++) CHECK_MSG(earlier[k] != earlier[i + 1], "ways %zu and %zu", k, i + 1);
        free_scan(&s);
    }
}

enum { ORDER_FRAMES = 6 };

typedef struct order_job {
    const clump_lidar *lidar;
    const clump_lidar_world *world;
    const uint64_t *expected;
    size_t first;
    long wrong;
} order_job;

static void *scan_backwards(void *job_)
{
    order_job *const job = job_;
    for (size_t i = ORDER_FRAMES; i-- > 0;) {
        const size_t frame = (i + job->first) % ORDER_FRAMES;
        lidar_scan s = make_scan(job->lidar, job->world, frame);
        job->wrong += hash_scan(&s) != job->expected[frame];
        free_scan(&s);
    }
    return NULL;
}

static void frames_do_not_depend_on_order(void)
{
    clump_lidar lidar = lidar_of(CLUMP_LIDAR_VLP16, CLUMP_SCENE_CROSSROAD);
    lidar.distortion = true;
    clump_lidar_world *const world = make_world(&lidar), *const other = make_world(&lidar);
    uint64_t hashes[ORDER_FRAMES];
    for (size_t i = 0; i < ORDER_FRAMES; i++) {
        lidar_scan s = make_scan(&lidar, world, i);
        hashes[i] = hash_scan(&s);
        CHECK(i == 0 || hashes[i] != hashes[i - 1]);
        free_scan(&s);
    }
    order_job jobs[3];
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        jobs[i] = (order_job){&lidar, other, hashes, 2 * i, 0};
        CHECK_INT(pthread_create(&threads[i], NULL, scan_backwards, &jobs[i]), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(jobs[i].wrong, 0);
    }
    clump_sim_lidar_destroy(world);
    clump_sim_lidar_destroy(other);
}

/* Arrays that are not asked for do not change the others. */
static void all_but_the_points_may_be_null(void)
{
    const clump_lidar lidar = lidar_of(CLUMP_LIDAR_VLP16, CLUMP_SCENE_PEOPLE);
    clump_lidar_world *const world = make_world(&lidar);
    lidar_scan whole = make_scan(&lidar, world, 3), bare = make_scan(&lidar, world, 3);
    memset(bare.to.xyz, 0, bare.rays * 3 * sizeof(float));
    bare.count = 0;
    const clump_lidar_scan only = {.xyz = bare.to.xyz};
    CHECK_INT(clump_sim_lidar_scan(world, 3, &only, &bare.count, NULL, NULL), CLUMP_OK);
    CHECK_INT(bare.count, whole.count);
    CHECK(memcmp(bare.to.xyz, whole.to.xyz, whole.count * 3 * sizeof(float)) == 0);
    free_scan(&whole), free_scan(&bare);
    clump_sim_lidar_destroy(world);
    clump_sim_lidar_destroy(NULL);
}

static void refuses(clump_lidar lidar, clump_status expected, const char *part)
{
    clump_lidar_world *world = (clump_lidar_world *)&lidar;
    clump_message why = {""};
    CHECK_INT(clump_sim_lidar_create(&lidar, &world, &why), expected);
    CHECK_MSG(strstr(why.text, part) != NULL, "'%s' has no '%s'", why.text, part);
    CHECK(world == NULL);
    CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), expected);
    CHECK_INT(clump_lidar_rays(&lidar), 0);
}

static void wrong_parameters_are_refused(void)
{
    refuses((clump_lidar){.rate = 10}, CLUMP_ERR_OPTIONS, "clump_lidar_defaults()");
    const struct {
        size_t member;
        double low, high; /* each is one step outside */
        const char *word;
    } rows[] = {
        {offsetof(clump_lidar, rate), 0.5, 51, "turns"},        {offsetof(clump_lidar, height), 0.2, 11, "height"},
        {offsetof(clump_lidar, reach), -1, 301, "reach"},       {offsetof(clump_lidar, noise), -0.1, 1.1, "noise"},
        {offsetof(clump_lidar, dropout), -0.1, 1.1, "dropout"}, {offsetof(clump_lidar, speed), -101, 101, "speed"},
        {offsetof(clump_lidar, slope), -31, 31, "slope"},       {offsetof(clump_lidar, kerb), -0.1, 0.6, "kerb"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const double bad[] = {rows[i].low, rows[i].high, (double)NAN, (double)INFINITY, (double)-INFINITY};
        for (size_t k = 0; k < 5; k++) {
            clump_lidar lidar = clump_lidar_defaults();
            memcpy((char *)&lidar + rows[i].member, &bad[k], sizeof bad[k]);
            refuses(lidar, CLUMP_ERR_ARGUMENT, rows[i].word);
        }
    }
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = (clump_lidar_model)4;
    refuses(lidar, CLUMP_ERR_ARGUMENT, "4");
    lidar = clump_lidar_defaults();
    lidar.scene = (clump_lidar_scene)9;
    refuses(lidar, CLUMP_ERR_ARGUMENT, "9");
    CHECK_INT(clump_sim_lidar_create(NULL, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_lidar_rays(NULL), 0);
}

static void null_arguments_are_refused(void)
{
    const clump_lidar lidar = lidar_of(CLUMP_LIDAR_VLP16, CLUMP_SCENE_ROAD);
    clump_lidar_world *const world = make_world(&lidar);
    size_t count = 7;
    const clump_lidar_scan none = {0};
    CHECK_INT(clump_sim_lidar_scan(world, 0, &none, &count, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_sim_lidar_scan(world, 0, NULL, &count, NULL, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_sim_lidar_scan(NULL, 0, &none, &count, NULL, NULL), CLUMP_ERR_ARGUMENT);
    clump_sim_lidar_destroy(world);
}

static void sensors_and_scenes_have_names(void)
{
    for (int i = 0; i < 4; i++) {
        clump_lidar_model back = (clump_lidar_model)-1;
        CHECK(clump_lidar_model_from_name(clump_lidar_model_name((clump_lidar_model)i), &back));
        CHECK_INT(back, i);
    }
    for (int i = 0; i < 9; i++) {
        clump_lidar_scene back = (clump_lidar_scene)-1;
        CHECK(clump_lidar_scene_from_name(clump_lidar_scene_name((clump_lidar_scene)i), &back));
        CHECK_INT(back, i);
    }
    clump_lidar_model model = CLUMP_LIDAR_128;
    clump_lidar_scene scene = CLUMP_SCENE_TREES;
    CHECK(!clump_lidar_model_name((clump_lidar_model)4) && !clump_lidar_model_name((clump_lidar_model)-1));
    CHECK(!clump_lidar_scene_name((clump_lidar_scene)9) && !clump_lidar_scene_name((clump_lidar_scene)-1));
    CHECK(!clump_lidar_model_from_name("VLP-16", &model) && !clump_lidar_model_from_name(NULL, &model));
    CHECK(!clump_lidar_scene_from_name("", &scene) && !clump_lidar_scene_from_name(NULL, &scene));
    CHECK_INT(model, CLUMP_LIDAR_128);
    CHECK_INT(scene, CLUMP_SCENE_TREES);
}

CHECK_PROGRAM(test_sim_lidar)
{
    RUN(same_bytes_everywhere);
    RUN(same_bytes_with_options);
    RUN(frames_do_not_depend_on_order);
    RUN(all_but_the_points_may_be_null);
    RUN(wrong_parameters_are_refused);
    RUN(null_arguments_are_refused);
    RUN(sensors_and_scenes_have_names);
}
