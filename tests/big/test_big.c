/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big.c: surveys in files, in tiles, give the labels of one call, and the ground of its definition.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "big/ranks_world.h"
#include "support/clouds.h"

#include <math.h>

static clump_context *alone;

enum { POINTS = 30000 };
static double xyz[3 * POINTS];

/* Compares a run with one call. Returns the number of tiles. */
static uint64_t compare(const char *path, const clump_joint_settings *s, clump_big_options o, uint64_t most,
                        int threads)
{
    static char work[256];
    const big_whole whole = big_one_call(alone, path, s, &o);
    const clump_big_hooks hooks = {.most = most, .no_sync = true};
    clump_big_result r;
    snprintf(work, sizeof work, "%s", big_path("work"));
    o.work = work;
    o.threads = threads;
    o.ram = (size_t)256 << 20;
    const clump_status status = clump_big_run_with(&path, 1, NULL, s, &o, &hooks, &r, &big_why);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", path, big_why.text);
    if (status != CLUMP_OK) return 0;
    CHECK_MSG(r.labels_hash == whole.hash, "%s: most %llu, %d threads, %llu tiles, min_points %zu", path,
              (unsigned long long)most, threads, (unsigned long long)r.tiles, s->min_points);
    CHECK_INT(r.clusters, whole.clusters);
    CHECK_INT(r.noise, whole.noise);
    CHECK(most == 0 || r.tiles > 1 || r.points <= most);
    CHECK(access(work, F_OK) != 0);
    return r.tiles;
}

static void compare_all(const char *name, const double *origin, clump_file_frame frame)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path(name));
    big_fill(xyz, POINTS, 60, 7);
    big_save(path, xyz, POINTS, origin);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    o.frame = frame;
    s.d = 0.5f;
    for (int job = 0; job < 2; job++) {
        s.min_points = job ? 6 : 0;
        if (check_tier() > 1) {
            compare(path, &s, o, 0, 2);
            compare(path, &s, o, POINTS / 2, 1);
        }
        compare(path, &s, o, POINTS / 7, 2);
        compare(path, &s, o, POINTS / 64, 8);
    }
    unlink(path);
}

static void formats(void)
{
    static const double far_away[3] = {637000, 4850000, 100};
    compare_all("a.las", far_away, CLUMP_FILE_FRAME_AUTO); /* in steps */
    compare_all("b.las", far_away, CLUMP_FILE_FRAME_WHOLE);
    compare_all("a.pcd", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("b.pcd", far_away, CLUMP_FILE_FRAME_AUTO); /* float64 */
    compare_all("a.ply", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("a.bin", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("a.npy", NULL, CLUMP_FILE_FRAME_AUTO);
}

/* Nine of ten points are in one coarse cell of the plan: its tile is divided. */
static void skewed(void)
{
    char path[256];
    snprintf(path, sizeof path, "%s", big_path("skew.bin"));
    big_fill(xyz, POINTS, 5, 3);
    for (size_t i = 0; i < POINTS; i += 10)
        for (size_t a = 0; a < 2; a++) xyz[3 * i + a] = xyz[3 * i + a] * 20000;
    big_save(path, xyz, POINTS, NULL);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 0.1f;
    for (int job = 0; job < 2; job++) {
        s.min_points = job ? 3 : 0;
        CHECK(compare(path, &s, clump_big_defaults(), 1000, 2) > 27);
    }
    unlink(path);
}

/* ----- ground --------------------------------------------------------------------------------------------------------- */

/* A survey around (0, 0): hills with roofs, pits, trees and stray points. Of a corridor nothing is beside a line that crosses many
 * squares, with gaps of whole squares in it. */
static void fill_terrain(size_t count, double side, bool corridor, uint64_t *random)
{
    const double steep = 0.4 * check_random_float(random), wave = 5 + 60 * (double)check_random_float(random);
    for (size_t i = 0; i < count; i++) {
        double *const p = xyz + 3 * i;
        p[0] = side * ((double)check_random_float(random) - 0.5),
        p[1] = side * ((double)check_random_float(random) - 0.5);
        if (corridor) p[1] = 0.7 * p[0] + p[1] / side * 5, p[0] += fmod(fabs(p[0]), 60) < 30 ? 0 : 300;
        p[2] = 20 * sin(p[0] / wave) + steep * p[1] + 0.3 * (double)check_random_float(random);
        const uint64_t kind = check_random(random) % 64;
        if (fmod(fabs(p[0]), 13) < 5 && fmod(fabs(p[1]), 17) < 9) p[2] += 6; /* a roof */
        if (kind < 6) p[2] += 8 * (double)check_random_float(random);
        if (kind == 6) p[2] -= 30 * (double)check_random_float(random);
        for (int a = 0; a < 3; a++) p[a] = rint(1000 * p[a]) / 1000;
    }
}

static uint64_t ground_points, ground_worlds;

static void run_terrain(uint64_t seed)
{
    static const char *const names[] = {"terrain.las", "terrain.pcd", "terrain.npy"};
    static const double offsets[][3] = {{-13, 11, 0}, {637000, 4850000, 100}, {0, 0, 0}};
    static const float tiles[] = {2, 1, 0.75f};
    uint64_t random = seed * 31 + 7;
    char path[256];
    const char *const input = path;
    const char *const name = names[check_random(&random) % 3];
    const size_t count = 300 + check_random(&random) % 1200;
    fill_terrain(count, 60 + (double)(check_random(&random) % 300), check_random(&random) % 3 == 0, &random);
    snprintf(path, sizeof path, "%s", big_path(name));
    big_save(path, xyz, count, strstr(name, ".npy") ? NULL : offsets[check_random(&random) % 3]);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 1.5f, s.min_points = check_random(&random) % 2 ? 4 : 0, s.two_d = check_random(&random) % 4 == 0;
    clump_ground_options ground = clump_ground_defaults();
    ground.tile = tiles[check_random(&random) % 3];
    ground.slope = 0.8f * check_random_float(&random);
    ranks_run run = {.inputs = &input, .count = 1, .settings = &s, .options = clump_big_defaults()};
    run.options.ground = &ground;
    if (check_random(&random) % 2) run.options.frame = CLUMP_FILE_FRAME_WHOLE;
    if (!strstr(name, ".las") && check_random(&random) % 3 == 0)
        run.options.frame = CLUMP_FILE_FRAME_AUTO, run.options.step = 0.01;
    run.options.ram = (size_t)(check_random(&random) % 2 ? 64 : 512) << 20;
    const big_whole whole = big_one_call(alone, path, &s, &run.options);
    ground_points += whole.ground, ground_worlds++;
    for (int k = 0; k < 2; k++) {
        run.ranks = k ? 1 + (int)(check_random(&random) % RANKS_MOST) : 1;
        run.options.threads = 1 + (int)(check_random(&random) % 3);
        run.hooks = (clump_big_hooks){.most = 50 + check_random(&random) % 1000, .no_sync = true};
        run.hooks.mail = check_random(&random) % 2 ? 16 + check_random(&random) % 4000 : 0;
        run.options.work = k == 0 || check_random(&random) % 2 ? big_path("terrain") : NULL;
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "seed %llu: %s", (unsigned long long)seed, run.message.text);
        CHECK_MSG(big_equal(&whole, &run.result), "seed %llu: %s, %zu points, %d ranks: %llu ground instead of %llu",
                  (unsigned long long)seed, name, count, run.ranks, (unsigned long long)run.result.ground,
                  (unsigned long long)whole.ground);
        CHECK(run.result.left_out == 0);
    }
    unlink(path);
}

static void ground_of_terrain(void)
{
    const int rounds = check_rounds(CLOUD_WATCHED ? 8 : 40);
    for (uint64_t seed = 0; seed < (uint64_t)rounds; seed++) run_terrain(seed);
    CHECK(ground_points > 100 * ground_worlds);
}

/* The surface is that of the definition also where nothing is given: no points, one point, points without a height. */
static void ground_of_little(void)
{
    static const double none[3];
    char path[256];
    snprintf(path, sizeof path, "%s", big_path("little.pcd"));
    clump_joint_settings s = clump_joint_defaults();
    s.d = 1;
    clump_big_options o = clump_big_defaults();
    const clump_ground_options ground = clump_ground_defaults();
    o.ground = &ground;
    for (size_t count = 0; count < 6; count++) {
        const double all[18] = {1, 1, 5, 1.5, 1, 1e9, 1, 1, 5.1, 1, NAN, 3, -0.001, -900, 7, 3e30, 0, 0};
        big_save(path, all, count, none);
        const big_whole whole = big_one_call(alone, path, &s, &o);
        const char *const input = path;
        clump_big_result r;
        o.work = big_path("work");
        CHECK_MSG(clump_big_run(&input, 1, NULL, &s, &o, &r, &big_why) == CLUMP_OK, "%s", big_why.text);
        CHECK_MSG(big_equal(&whole, &r), "%zu points: %llu ground", count, (unsigned long long)r.ground);
        CHECK_INT(r.ground, count < 3 ? count > 0 : count < 5 ? 2 : 3);
        unlink(path);
    }
}

/* Squares need memory. The sentence names one that is enough. */
static void ground_needs_memory(void)
{
    enum { APART = 600 }; /* squares of 64 kB each */
    char path[256];
    const char *const input = path;
    snprintf(path, sizeof path, "%s", big_path("wide.npy"));
    for (size_t i = 0; i < APART; i++) xyz[3 * i] = 200.0 * (double)i, xyz[3 * i + 1] = -128, xyz[3 * i + 2] = 1;
    big_save(path, xyz, APART, NULL);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 1;
    clump_ground_options ground = clump_ground_defaults();
    for (int ranks = 1; ranks <= 3; ranks += 2) {
        ranks_run run = {.inputs = &input, .count = 1, .settings = &s, .options = clump_big_defaults(), .ranks = ranks};
        run.options.ground = &ground;
        run.options.threads = 1;
        run.options.work = big_path("work");
        run.options.ram = (size_t)16 << 20;
        run.hooks.no_sync = true;
        CHECK_INT(ranks_world_run(&run), CLUMP_ERR_OUT_OF_MEMORY);
        const char *const ram = strstr(run.message.text, "600 squares of 128 x 128 with points, for which 16.8 MB are");
        const char *const use = strstr(run.message.text, "use --ram ");
        CHECK_MSG(ram && use, "%s", run.message.text);
        if (!use) continue;
        run.options.ram = (size_t)strtoul(use + strlen("use --ram "), NULL, 10) << 20;
        CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
        CHECK_INT(run.result.ground, APART);
        CHECK(access(run.options.work, F_OK) != 0);
    }
    unlink(path);
}

/* Ranks without a memory of their own share half of what is free on their machine. */
static void ranks_share_memory(void)
{
    enum { APART = 600 }; /* squares of 64 kB each: too many for 64 MB, not for 128 MB */
    const char *const input = big_path("wide.npy");
    for (size_t i = 0; i < APART; i++) xyz[3 * i] = 200.0 * (double)i, xyz[3 * i + 1] = -128, xyz[3 * i + 2] = 1;
    big_save(input, xyz, APART, NULL);
    clump_joint_settings s = clump_joint_defaults();
    s.d = 1;
    clump_ground_options ground = clump_ground_defaults();
    ranks_run run = {.inputs = &input, .count = 1, .settings = &s, .options = clump_big_defaults()};
    run.options.ground = &ground;
    run.options.threads = 1;
    run.hooks.free_ram = (size_t)512 << 20;
    run.ranks = 4;
    run.machines = 2;
    CHECK_MSG(ranks_world_run(&run) == CLUMP_OK, "%s", run.message.text);
    run.machines = 1;
    CHECK_INT(ranks_world_run(&run), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK_MSG(strstr(run.message.text, "for which 67.1 MB are"), "%s", run.message.text);
    run.options.ram = (size_t)128 << 20; /* what was given is for each */
    CHECK_INT(ranks_world_run(&run), CLUMP_OK);
    unlink(input);
}

static void refuse(const clump_ground_options *ground, const char *sentence)
{
    const char *const input = "nowhere.npy";
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    s.d = 1, o.ground = ground;
    CHECK(clump_big_run(&input, 1, NULL, &s, &o, NULL, &big_why) != CLUMP_OK);
    CHECK_MSG(strstr(big_why.text, sentence), "%s", big_why.text);
}

/* What belongs to a sensor is refused. */
static void ground_options(void)
{
    const clump_ground_options usual = clump_ground_defaults();
    clump_ground_options o = usual;
    o.tile = 0.1f; /* more tiles than the map around a sensor may have */
    refuse(&o, "nowhere.npy");
    o.slope = -1;
    refuse(&o, "the slope of the ground");
    o = usual, o.cookie = 0;
    refuse(&o, "options");
    o = usual, o.method = CLUMP_GROUND_PEAK;
    refuse(&o, "the ground of a survey cannot be found with a method but grid");
    o = usual, o.flip = true;
    refuse(&o, "with another direction up than z");
    o = usual, o.sensor_height = 2;
    refuse(&o, "with a sensor height");
    o = usual, o.step = true;
    refuse(&o, "with the step rule");
    o = usual, o.sensor[1] = 2;
    refuse(&o, "with a sensor");
}

static int compare_points(const void *a, const void *b)
{
    return memcmp(a, b, 3 * sizeof(float));
}

/* Returns the F1 of the ground of a scan against its points that people have marked: a cloud of their own, with the same floats. */
static double score_of(const char *path, const char *marked, const clump_ground_options *ground)
{
    clump_cloud *cloud = NULL, *truth = NULL;
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    char labels[256];
    size_t bytes = 0, both = 0, found = 0;
    snprintf(labels, sizeof labels, "%s", big_path("real.labels"));
    s.d = 0.5f, o.ground = ground, o.work = big_path("work");
    CHECK_MSG(clump_big_run(&path, 1, labels, &s, &o, NULL, &big_why) == CLUMP_OK, "%s", big_why.text);
    CHECK_INT(clump_cloud_load(path, NULL, &cloud, &big_why), CLUMP_OK);
    CHECK_INT(clump_cloud_load(marked, NULL, &truth, &big_why), CLUMP_OK);
    const clump_points all = clump_cloud_points(cloud);
    const size_t count = clump_cloud_points(truth).count;
    float *const true_points = clump_cloud_xyz(truth);
    int32_t *const label = (int32_t *)(void *)check_load(labels, &bytes);
    CHECK_INT(bytes, 4 * all.count);
    qsort(true_points, count, 3 * sizeof(float), compare_points);
    for (size_t i = 0; i < all.count && 4 * i < bytes; i++) {
        if (label[i] != CLUMP_GROUND) continue;
        found++;
        both += bsearch(all.xyz + 3 * i, true_points, count, 3 * sizeof(float), compare_points) != NULL;
    }
    free(label);
    clump_cloud_destroy(cloud), clump_cloud_destroy(truth);
    unlink(labels);
    return 2 * (double)both / (double)(found + count);
}

/* Airborne scans with ground that people have marked: the figures of docs/ground.md. */
static void real_terrain(void)
{
    static const struct {
        const char *name;
        float slope, sigma;
        double least; /* F1 */
    } scans[] = {{"samp21", 0.2f, 0.2f, 0.94},
                 {"samp21", 1, 0.5f, 0.98},
                 {"samp11", 1, 0.5f, 0.81},
                 {"samp41", 1, 0.5f, 0.84},
                 {"samp51", 1, 0.5f, 0.96}};
    const char *const folder = check_data_folder();
    for (size_t k = 0; k < sizeof scans / sizeof *scans; k++) {
        char path[512], marked[512];
        clump_ground_options ground = clump_ground_defaults();
        snprintf(path, sizeof path, "%s/terrain/isprs_%s-utm.pcd", folder ? folder : "", scans[k].name);
        snprintf(marked, sizeof marked, "%s/terrain/isprs_%s-utm-ground.pcd", folder ? folder : "", scans[k].name);
        if (access(path, R_OK) != 0) SKIP("%s: there is no such scan: " DO_DATA, path);
        ground.slope = scans[k].slope, ground.sigma = scans[k].sigma;
        const double score = score_of(path, marked, &ground);
        printf("%s, slope %g, sigma %g: F1 %.3f\n", scans[k].name, (double)ground.slope, (double)ground.sigma, score);
        CHECK_MSG(score >= scans[k].least, "%s: F1 %.3f", scans[k].name, score);
    }
}

CHECK_PROGRAM(test_big)
{
    alone = cpu_context(1);
    RUN(formats);
    RUN(skewed);
    RUN(ground_of_terrain);
    RUN(ground_of_little);
    RUN(ground_needs_memory);
    RUN(ranks_share_memory);
    RUN(ground_options);
    RUN(real_terrain);
    clump_context_destroy(alone);
}
