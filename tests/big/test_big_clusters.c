/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_clusters.c: clusters of surveys are described as by one call on the whole cloud, bit for bit.
 */
#include "support/check.h"

#include "big/big_clusters_case.h"
#include "big/ranks_world.h"

/* Compares a run with one call. `most`: points per tile. With `tight`, memory is for the largest cluster alone. Returns the
 * number of calls. */
static int compare(const clump_joint_settings *s, clump_big_options o, uint64_t most, int threads, bool tight)
{
    o.clusters = collect;
    o.threads = threads;
    big_whole whole = big_one_call(alone, path, s, &o);
    const clump_big_hooks hooks = {.most = most,
                                   .entries = tight ? 100 : 0,
                                   .describe = tight ? least_memory(&whole) : 0,
                                   .punch = true,
                                   .no_sync = true};
    collected c = {0};
    clump_big_result r = {0};
    const clump_status status = run(s, o, &hooks, &c, &r);
    CHECK_MSG(status == CLUMP_OK, "%s: %s", path, big_why.text);
    CHECK(big_equal(&whole, &r));
    check_equal(&whole, &c);
    CHECK(access(work, F_OK) != 0);
    release(&whole, &c);
    return c.calls;
}

static void compare_all(const char *name, const double *origin, clump_file_frame frame)
{
    big_fill(xyz, POINTS, 50, 11);
    save(name, origin);
    clump_joint_settings s = clump_joint_defaults();
    clump_big_options o = clump_big_defaults();
    o.frame = frame;
    o.hull = true;
    s.d = 0.5f;
    for (int job = 0; job < 2; job++) {
        s.min_points = job ? 6 : 0;
        CHECK_INT(compare(&s, o, 0, 2, false), 1);
        CHECK(compare(&s, o, POINTS / 5, 1, true) > 1);
        CHECK(compare(&s, o, POINTS / 40, 8, true) > 1);
    }
    unlink(path);
}

static void formats(void)
{
    compare_all("a.las", far_away, CLUMP_FILE_FRAME_AUTO); /* in steps */
    compare_all("b.las", far_away, CLUMP_FILE_FRAME_WHOLE);
    compare_all("b.pcd", far_away, CLUMP_FILE_FRAME_AUTO); /* float64 */
    compare_all("a.bin", NULL, CLUMP_FILE_FRAME_AUTO);
    compare_all("a.npy", NULL, CLUMP_FILE_FRAME_AUTO);
}

/* Limits, orders, the plane, parts of the survey, the sensor and the axes. */
static void options(void)
{
    static uint8_t drop[256];
    static const double crop[6] = {637005, 4850003, 90, 637040, 4850031, 103};
    drop[2] = drop[4] = 1;
    big_fill(xyz, POINTS, 40, 3);
    save("options.las", far_away);
    for (unsigned k = 0; k < 64; k += check_fewer(5, 1)) {
        clump_joint_settings s = clump_joint_defaults();
        clump_big_options o = clump_big_defaults();
        s.d = 0.4f;
        s.min_points = k & 1 ? 4 : 0;
        s.order = k & 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        s.two_d = k & 4;
        s.min_size = k & 8 ? 5 : 1;
        s.max_size = k & 8 ? 60 : 0;
        if (k & 16) o.drop_classes = drop, o.crop = crop;
        if (k & 32) o.frame = CLUMP_FILE_FRAME_WHOLE, o.thin = k & 4 ? 0.2f : 0;
        o.axes = k & 2, o.hull = k & 1;
        o.sensor[0] = 637010, o.sensor[1] = 4850011;
        CHECK(compare(&s, o, POINTS / 9, 2, true) > 0);
    }
    unlink(path);
}

/* The class of each cluster, in all stored forms of a point. */
static void classes(void)
{
    static const char *const names[] = {"classes.las", "classes.pcd"};
    uint64_t random = 17;
    for (unsigned k = 0; k < 24; k += check_fewer(5, 1)) {
        big_table table;
        clump_joint_settings s = clump_joint_defaults();
        clump_big_options o = clump_big_defaults();
        big_fill(xyz, POINTS, 40, k);
        save(names[k % 2], k & 8 ? far_away : NULL);
        s.d = 0.8f;
        s.min_points = k & 2 ? 3 : 0;
        s.order = k & 4 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        o.hull = k % 3 == 0;
        if (k & 16) o.frame = CLUMP_FILE_FRAME_WHOLE;
        big_random_table(&table, s.d, &random);
        o.classes = &table.classes, o.class_fields = big_class_fields;
        CHECK(compare(&s, o, POINTS / 9, 2, true) >= 0);
        unlink(path);
    }
}

/* A cluster that crosses all tiles, tiles that were divided, and points without z. */
static void shapes(void)
{
    clump_joint_settings s = clump_joint_defaults();
    for (size_t i = 0; i < POINTS; i++) {
        const double turn = (double)i * 0.001;
        xyz[3 * i] = cos(turn) * (100 + (double)(i % 7) * 0.01);
        xyz[3 * i + 1] = sin(turn) * 100;
        xyz[3 * i + 2] = turn;
    }
    save("ring.bin", NULL);
    s.d = 1;
    clump_big_options o = clump_big_defaults();
    o.hull = true;
    CHECK_INT(compare(&s, o, POINTS / 20, 2, true), 1);
    unlink(path);

    big_fill(xyz, POINTS, 5, 3);
    for (size_t i = 0; i < POINTS; i += 10)
        for (size_t a = 0; a < 2; a++) xyz[3 * i + a] = xyz[3 * i + a] * 20000;
    for (size_t i = 0; i < POINTS; i += 3) xyz[3 * i + 2] = (double)NAN;
    save("skew.npy", NULL);
    s.d = 0.1f;
    for (int two_d = 0; two_d < 2; two_d++) {
        s.two_d = two_d;
        CHECK(compare(&s, clump_big_defaults(), 700, 2, true) > 1);
    }
    unlink(path);
}

/* Several ranks: rank 0 gets all clusters in their order. */
static void ranks(void)
{
    big_fill(xyz, POINTS, 40, 3);
    save("ranks.las", far_away);
    for (unsigned k = 0; k < 24; k += check_fewer(5, 1)) {
        clump_joint_settings s = clump_joint_defaults();
        ranks_run r = {.inputs = &(const char *){path}, .count = 1, .settings = &s, .options = clump_big_defaults()};
        collected c = {0};
        r.ranks = (int[]){1, 2, 3, 5, 8}[k % 5];
        s.d = 0.4f;
        s.min_points = k & 1 ? 4 : 0;
        s.order = k & 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        if (k & 4) r.options.frame = CLUMP_FILE_FRAME_WHOLE;
        if (k & 8) r.options.work = work;
        big_table table;
        uint64_t random = k;
        if (k % 3 == 0) {
            big_random_table(&table, s.d, &random);
            r.options.classes = &table.classes, r.options.class_fields = big_class_fields;
        }
        r.options.clusters = collect, r.options.clusters_user = &c;
        r.options.axes = k & 16, r.options.hull = k % 4 != 3;
        r.options.threads = 1 + (int)(k % 2);
        big_whole whole = big_one_call(alone, path, &s, &r.options);
        r.hooks = (clump_big_hooks){.most = POINTS / 20, .no_sync = true, .mail = k % 3 ? 5000 : 0};
        if (k % 2) r.hooks.describe = least_memory(&whole);
        const clump_status status = ranks_world_run(&r);
        CHECK_MSG(status == CLUMP_OK && big_equal(&whole, &r.result), "%d ranks: %s", r.ranks, r.message.text);
        check_equal(&whole, &c);
        release(&whole, &c);
    }
    unlink(path);
}

static void no_clusters(void)
{
    clump_joint_settings s = clump_joint_defaults();
    big_fill(xyz, POINTS, 50, 11);
    save("none.las", far_away);
    s.d = 0.5f;
    s.min_size = POINTS + 1;
    CHECK_INT(compare(&s, clump_big_defaults(), POINTS / 5, 2, false), 0);
    big_save_las(path, xyz, 0, (const double[3]){0.001, 0.001, 0.001}, NULL);
    CHECK_INT(compare(&s, clump_big_defaults(), 0, 2, false), 0);
    unlink(path);
}

CHECK_PROGRAM(test_big_clusters)
{
    alone = cpu_context(1);
    RUN(formats);
    RUN(options);
    RUN(classes);
    RUN(shapes);
    RUN(ranks);
    RUN(no_clusters);
    clump_context_destroy(alone);
}
