/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_traps.c: clouds and files that a clustering in tiles gets wrong easily, one test per trap.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "support/clouds.h"

#include <fcntl.h>
#include <sys/resource.h>

enum { MOST = 200000 };

static clump_context *alone;
static double xyz[3 * MOST];
static char path[256], work[256];
static clump_joint_settings settings;
static clump_big_options options;
static clump_big_hooks hooks;

/* Sets everything to its defaults. */
static void begin(const char *name)
{
    snprintf(path, sizeof path, "%s", big_path(name));
    snprintf(work, sizeof work, "%s", big_path("trap"));
    settings = clump_joint_defaults();
    settings.d = 0.5f;
    options = clump_big_defaults();
    options.ram = (size_t)64 << 20;
    options.threads = 2;
    options.work = work;
    hooks = (clump_big_hooks){.no_sync = true};
}

static clump_big_result run(void)
{
    const char *const input = path;
    clump_big_result r = {0};
    const clump_status status = clump_big_run_with(&input, 1, NULL, &settings, &options, &hooks, &r, &big_why);
    CHECK_MSG(status == CLUMP_OK, "%s", big_why.text);
    return r;
}

/* Runs, and compares with one call. */
static clump_big_result compare(void)
{
    const big_whole whole = big_one_call(alone, path, &settings, &options);
    const clump_big_result r = run();
    CHECK_MSG(r.labels_hash == whole.hash, "min_points %zu, most %llu, %llu tiles", settings.min_points,
              (unsigned long long)hooks.most, (unsigned long long)r.tiles);
    CHECK_INT(r.clusters, whole.clusters);
    CHECK_INT(r.noise, whole.noise);
    CHECK_INT(r.moved, whole.moved);
    CHECK_INT(r.thinned, whole.thinned);
    return r;
}

static void compare_both(void)
{
    for (settings.min_points = 0; settings.min_points <= 4; settings.min_points += 4) compare();
}

/* Shuffles the points. */
static void shuffle(size_t count, uint64_t seed)
{
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(check_random(&seed) % i);
        for (size_t a = 0; a < 3; a++) {
            const double swap = xyz[3 * (i - 1) + a];
            xyz[3 * (i - 1) + a] = xyz[3 * j + a], xyz[3 * j + a] = swap;
        }
    }
}

/* ----- headers -------------------------------------------------------------------------------------------------------- */

/* Overwrites the box of a LAS header: x upper, x lower, y upper ... */
static void lie(double lower, double upper)
{
    FILE *const file = fopen(path, "r+b");
    fseek(file, 179, SEEK_SET);
    for (int a = 0; a < 3; a++) {
        fwrite(&upper, 8, 1, file);
        fwrite(&lower, 8, 1, file);
    }
    fclose(file);
}

static void lying_header(void)
{
    static const double scales[2][3] = {{0.001, 0.001, 0.001}, {-0.001, 0.001, -0.001}};
    static const double offset[3] = {637000, 4850000, 100};
    static const double lies[][2] = {{0, 1}, {637000, 637000}, {-1e6, -1e6 + 3}, {0, 1e9}, {5, -5}};
    for (int sign = 0; sign < 2; sign++)
        for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
            begin("lies.las");
            hooks.most = 500;
            options.frame = k % 2 ? CLUMP_FILE_FRAME_WHOLE : CLUMP_FILE_FRAME_STEPS;
            big_fill(xyz, 5000, 30, k);
            big_save_las(path, xyz, 5000, scales[sign], offset);
            lie(lies[k][0], lies[k][1]);
            compare_both();
            options.frame = CLUMP_FILE_FRAME_AUTO, options.thin = 0.2f; /* whose voxels need the origin */
            compare_both();
        }
    unlink(path);
}

/* ----- steps that no single call can have ----------------------------------------------------------------------------- */

/* Labels of Euclidean clustering and DBSCAN from integers, by all pairs. */
static uint64_t brute_force(size_t count, double step, int64_t *clusters)
{
    const double d = rint((double)settings.d / step), bound = d * d;
    int64_t *const first = malloc(count * sizeof *first);
    int32_t *const labels = malloc(count * sizeof *labels);
    uint8_t *const core = calloc(count, 1), *const near = calloc(count, count);
    for (size_t i = 0; i < count; i++) {
        size_t neighbours = 0;
        for (size_t j = 0; j < count; j++) {
            double d2 = 0;
            for (size_t a = 0; a < 3; a++) {
                const double delta = rint(xyz[3 * i + a] / step) - rint(xyz[3 * j + a] / step);
                d2 += delta * delta;
            }
            near[i * count + j] = settings.min_points ? d2 <= bound : d2 < bound;
            neighbours += near[i * count + j];
        }
        core[i] = settings.min_points == 0 || neighbours >= settings.min_points;
        first[i] = (int64_t)i;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++)
                if (core[i] && core[j] && near[i * count + j] && first[j] < first[i])
                    first[i] = first[j], changed = true;
    }
    *clusters = 0;
    for (size_t i = 0; i < count; i++) {
        labels[i] = -1;
        if (core[i] && first[i] == (int64_t)i) labels[i] = (int32_t)(*clusters)++;
    }
    for (size_t i = 0; i < count; i++) {
        if (core[i]) labels[i] = labels[first[i]];
        int32_t least = INT32_MAX;
        for (size_t j = 0; j < count && !core[i]; j++)
            if (core[j] && near[i * count + j] && labels[first[j]] < least) least = labels[first[j]];
        if (!core[i] && least != INT32_MAX) labels[i] = least;
    }
    const uint64_t hash = clump_labels_hash(labels, count);
    free(first), free(labels), free(core), free(near);
    return hash;
}

/* A survey of 60 km in millimetres: float32 has no such integers. Points lie on lines, so that all sides of tiles are
 * crossed; some tiles are empty, or have a rim only. */
static void longer_than_floats(void)
{
    enum { COUNT = 1500 };
    for (int round = 0; round < 6; round += check_fewer(5, 1)) {
        begin("long.las");
        uint64_t random = (uint64_t)round + 1;
        for (size_t i = 0; i < COUNT; i++) {
            const double along = (double)(check_random(&random) % 60000000) / 1000;
            const bool dense = i % 3 > 0;
            xyz[3 * i] =
                dense ? 8388.608 * (double)(i % 7) + (double)(check_random(&random) % 3000) / 1000 - 1.5 : along;
            xyz[3 * i + 1] = dense ? (double)(check_random(&random) % 4000) / 1000 : along;
            xyz[3 * i + 2] = (double)(check_random(&random) % 500) / 1000;
        }
        static const double fine[3] = {0.001, 0.001, 0.001};
        big_save_las(path, xyz, COUNT, fine, NULL);
        hooks.most = round % 2 ? 40 : 0;
        settings.min_points = round % 3 ? 0 : 3;
        if (round == 5) lie(0, 1);
        int64_t clusters;
        const uint64_t hash = brute_force(COUNT, 0.001, &clusters);
        const clump_big_result r = run();
        CHECK_INT(r.clusters, clusters);
        CHECK_MSG(r.labels_hash == hash, "round %d", round);
        CHECK(r.tiles > 3 && r.frame == CLUMP_FILE_FRAME_STEPS);
    }
    unlink(path);
}

/* Integers that 32 bits cannot hold: axes with scales of 10 and 0.001. */
static void wide_integers(void)
{
    enum { COUNT = 1200 };
    static const double scale[3] = {10, 0.001, 0.001};
    for (int round = 0; round < 2; round++) {
        begin("wide.las");
        uint64_t random = 3;
        for (size_t i = 0; i < COUNT; i++) {
            xyz[3 * i] = 1e7 * (double)(check_random(&random) % 9);
            xyz[3 * i + 1] = (double)(check_random(&random) % 20000) / 1000;
            xyz[3 * i + 2] = (double)(check_random(&random) % 900) / 1000;
        }
        big_save_las(path, xyz, COUNT, scale, NULL);
        settings.min_points = round ? 3 : 0;
        hooks.most = 60;
        int64_t clusters;
        const uint64_t hash = brute_force(COUNT, 0.001, &clusters);
        const clump_big_result r = run();
        CHECK_INT(r.clusters, clusters);
        CHECK(r.labels_hash == hash);
    }
    unlink(path);
}

/* ----- points --------------------------------------------------------------------------------------------------------- */

/* Thousands of copies where tiles meet: points are known by their index, not by their coordinates. */
static void copies_on_a_corner(void)
{
    begin("copies.bin");
    big_fill(xyz, 20000, 20, 8);
    for (size_t i = 0; i < 20000; i += 2) xyz[3 * i] = 8, xyz[3 * i + 1] = 8, xyz[3 * i + 2] = 0.25;
    big_save(path, xyz, 20000, NULL);
    hooks.most = 300;
    compare_both();
    unlink(path);
}

static void one_voxel_holds_all(void)
{
    begin("voxel.bin");
    for (size_t i = 0; i < 20000; i++) xyz[3 * i] = 5, xyz[3 * i + 1] = 6, xyz[3 * i + 2] = 7;
    big_save(path, xyz, 20000, NULL);
    hooks.most = 100;
    CHECK_INT(compare().tiles, 1);
    settings.min_points = 30;
    CHECK_INT(compare().tiles, 1);
    unlink(path);
}

/* More points in a voxel than the memory allows are refused. The memory that the sentence names is enough, in a new work folder
 * and in the one of the run that was refused. */
static void one_voxel_holds_too_many(void)
{
    for (int again = 0; again < 2; again++) {
        begin("dense.bin");
        settings.min_points = 4;
        big_fill(xyz, MOST, 10, 3);
        for (size_t i = 0; i < MOST; i++)
            for (size_t a = 0; a < 3 && i % 16 > 0; a++) xyz[3 * i + a] = 5 + (double)(i % (7 + a)) / 100;
        big_save(path, xyz, MOST, NULL);
        const big_whole whole = big_one_call(alone, path, &settings, &options);
        const char *const input = path;
        clump_big_result r = {0};
        options.ram = (size_t)16 << 20;
        CHECK_INT(clump_big_run_with(&input, 1, NULL, &settings, &options, &hooks, &r, &big_why),
                  CLUMP_ERR_OUT_OF_MEMORY);
        const char *const named = strstr(big_why.text, "--ram ");
        const long points = strtol(big_why.text, NULL, 10), ram = named ? strtol(named + 6, NULL, 10) : 0;
        CHECK_MSG(points >= MOST / 16 * 15 && points <= MOST, "%s", big_why.text);
        CHECK_MSG(ram > 16 && ram < 100, "%s", big_why.text);
        options.ram = (size_t)ram << 20;
        if (again) snprintf(work, sizeof work, "%s", big_path("other"));
        r = run();
        CHECK(r.labels_hash == whole.hash);
        options.ram = (size_t)1 << 30, snprintf(work, sizeof work, "%s", big_path("trap"));
        if (again) CHECK(run().tasks_skipped > 0);
    }
    unlink(path);
}

/* Blocks are scattered by eight threads; the order inside a tile stays that of the input. */
static void shuffled_input(void)
{
    begin("shuffled.bin");
    const size_t count = CLOUD_WATCHED ? 70000 : check_fewer(70000, MOST);
    big_fill(xyz, count, 150, 9);
    shuffle(count, 10);
    big_save(path, xyz, count, NULL);
    options.threads = 8;
    hooks.most = count / 20;
    compare_both();
    unlink(path);
}

/* Limits are those of whole clusters, also where a cluster is in many tiles. */
static void sizes_at_limits(void)
{
    begin("limits.bin");
    for (size_t i = 0; i < 3000; i++) { /* ten lines of 300 points across all tiles, of 300 - line points */
        const size_t line = i / 300, at = i % 300;
        const bool apart = at >= 300 - line;
        xyz[3 * i] = (double)at * 0.4 + (apart ? 1000 + 5 * (double)i : 0);
        xyz[3 * i + 1] = (double)line * 7, xyz[3 * i + 2] = 0;
    }
    shuffle(3000, 4);
    big_save(path, xyz, 3000, NULL);
    hooks.most = 40;
    for (size_t size = 295; size <= 297; size++) {
        settings.min_size = size, settings.max_size = 0;
        CHECK_INT(compare().clusters, 300 - size + 1);
        settings.min_size = 2, settings.max_size = size;
        CHECK_INT(compare().clusters, size - 290);
        settings.order = settings.order == CLUMP_ORDER_SIZE ? CLUMP_ORDER_INDEX : CLUMP_ORDER_SIZE;
    }
    unlink(path);
}

/* Indices beyond 2^31 and 2^33: the reader lies about its blocks. */
static void large_indices(void)
{
    begin("indices.bin");
    big_fill(xyz, 20000, 40, 12);
    big_save(path, xyz, 20000, NULL);
    hooks.most = 900;
    static const uint32_t blocks[] = {32767, 65535, 1 << 17, UINT32_MAX - 8};
    for (size_t k = 0; k < 4; k++) {
        hooks.first_block = blocks[k];
        compare_both();
    }
    unlink(path);
}

static void not_finite(void)
{
    begin("nan.bin");
    for (size_t i = 0; i < 3000; i++) xyz[i] = i % 2 ? NAN : -INFINITY;
    big_save(path, xyz, 1000, NULL);
    const clump_big_result r = compare();
    CHECK(r.left_out == 1000 && r.noise == 1000 && r.clusters == 0 && r.tiles == 0);
    big_fill(xyz, 1000, 10, 1);
    for (size_t i = 0; i < 1000; i++) xyz[3 * i + 2] = i % 2 ? NAN : 1;
    big_save(path, xyz, 1000, NULL);
    settings.two_d = true;
    hooks.most = 100;
    compare_both();
    unlink(path);
}

static void no_points(void)
{
    static const double scale[3] = {0.001, 0.001, 0.001};
    begin("none.las");
    big_save_las(path, xyz, 0, scale, NULL);
    const clump_big_result r = run();
    CHECK(r.points == 0 && r.clusters == 0 && r.noise == 0 && r.labels_hash == clump_labels_hash(NULL, 0));
    xyz[0] = 1, xyz[1] = 2, xyz[2] = 3;
    big_save_las(path, xyz, 1, scale, NULL);
    CHECK_INT(compare().clusters, 1);
    unlink(path);
}

/* Far points make huge coarse cells: tiles are divided until they are small. */
static void far_points(void)
{
    begin("far.bin");
    big_fill(xyz, 20000, 40, 15);
    for (size_t i = 0; i < 20000; i += 1000)
        for (size_t a = 0; a < 3; a++) xyz[3 * i + a] = ((double)a - 1) * 1e30 + (double)i * 1e25;
    big_save(path, xyz, 20000, NULL);
    hooks.most = 800;
    for (settings.min_points = 0; settings.min_points <= 4; settings.min_points += 4) CHECK(compare().tiles >= 20);
    unlink(path);
}

/* ----- a step that coordinates are rounded to ------------------------------------------------------------------------- */

static clump_status refused(void)
{
    const char *const input = path;
    return clump_big_run_with(&input, 1, NULL, &settings, &options, &hooks, NULL, &big_why);
}

/* Points that steps cannot hold are refused only where they take part, and in the plane without a look at z. */
static void rounded(void)
{
    static const double crop[6] = {-5, -5, -5, 25.0125, 25, 5}, fine[3] = {0.001, 0.001, 0.001};
    static const double no_step[3] = {0.003, 0.001, 0.0017};
    begin("rounded.bin");
    options.step = 0.05;
    hooks.most = 300;
    big_fill(xyz, 5000, 30, 4);
    xyz[3 * 70 + 2] = NAN, xyz[3 * 80 + 2] = 1e30;
    big_save(path, xyz, 5000, NULL);
    CHECK_INT(refused(), CLUMP_ERR_IO_UNSUPPORTED);
    CHECK_MSG(strstr(big_why.text, "rounded.bin: point 80: z is 1e+30, more than 2^53 steps of 0.05"), "%s",
              big_why.text);
    options.crop = crop;
    compare_both();
    options.crop = NULL;
    settings.two_d = true;
    compare_both();
    const clump_big_result r = compare();
    CHECK(r.frame == CLUMP_FILE_FRAME_STEPS && r.step == 0.05 && r.moved > 8000 && !r.no_step);
    settings.d = 5000; /* more steps than are usual */
    CHECK(compare().frame == CLUMP_FILE_FRAME_STEPS);
    unlink(path);

    begin("rounded.las");
    options.step = 0.05;
    big_fill(xyz, 5000, 30, 4);
    big_save_las(path, xyz, 5000, fine, NULL);
    CHECK_INT(refused(), CLUMP_ERR_ARGUMENT);
    CHECK_MSG(strstr(big_why.text, "rounded.las: the cloud has steps of 0.001, not of 0.05"), "%s", big_why.text);
    big_save_las(path, xyz, 5000, no_step, NULL);
    CHECK(compare().no_step);
    unlink(path);
}

/* ----- many tiles ----------------------------------------------------------------------------------------------------- */

static void tiles_of_one_point(void)
{
    enum { SIDE = 64 };
    begin("ones.bin");
    for (size_t i = 0; i < SIDE * SIDE; i++)
        xyz[3 * i] = (double)(i % SIDE) * 8, xyz[3 * i + 1] = (double)(i / SIDE) * 8, xyz[3 * i + 2] = 0;
    big_save(path, xyz, SIDE * SIDE, NULL);
    hooks.most = 1;
    const clump_big_result r = compare();
    CHECK_INT(r.tiles, SIDE * SIDE);
    CHECK_MSG(r.rim_points <= 7 * SIDE * SIDE, "%llu points in rims", (unsigned long long)r.rim_points);
    CHECK_INT(r.links, 0);
    unlink(path);
}

/* Clusters that cross tiles are limited by the memory, too. */
static void too_many_cross(void)
{
    begin("cross.bin");
    big_fill(xyz, 20000, 40, 2);
    big_save(path, xyz, 20000, NULL);
    hooks.most = 500;
    hooks.nodes = 20;
    const char *const input = path;
    clump_big_result r = {0};
    CHECK_INT(clump_big_run_with(&input, 1, NULL, &settings, &options, &hooks, &r, &big_why), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK_MSG(strstr(big_why.text, "more than 20 clusters cross") && strstr(big_why.text, "--ram"), "%s", big_why.text);
    hooks.nodes = 0;
    CHECK(compare().links > 20);
    unlink(path);
}

/* The number of open files does not grow with the number of tiles. */
static void few_descriptors(void)
{
    begin("files.bin");
    big_fill(xyz, 20000, 60, 2);
    big_save(path, xyz, 20000, NULL);
    hooks.most = 50;
    const int next = open("/dev/null", O_RDONLY);
    struct rlimit before = {0}, few;
    CHECK(next >= 0 && getrlimit(RLIMIT_NOFILE, &before) == 0);
    few = before;
    few.rlim_cur = (rlim_t)next + 12;
    const big_whole whole = big_one_call(alone, path, &settings, &options);
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    const clump_big_result r = run();
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK(r.labels_hash == whole.hash && r.tiles > 300);
    close(next);
    unlink(path);
}

/* ----- thinning ------------------------------------------------------------------------------------------------------- */

/* Points at the borders of voxels, and one float to either side: quotients are rounded there. `far`: where floats are as far
 * apart as voxels. */
static void fill_borders(size_t count, float side, float far, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++) {
        const int64_t span = i % 3 == 2 ? 20 : 400;
        float x = far + side * (float)((int64_t)(check_random(random) % (uint64_t)span) - span / 2);
        for (uint64_t turns = check_random(random) % 3; turns > 0; turns--)
            x = nextafterf(x, check_random(random) % 2 ? INFINITY : -INFINITY);
        xyz[i] = (double)x;
    }
}

static void borders_of_voxels(void)
{
    enum { COUNT = 6000 };
    static const float sides[] = {0.1f, 0.05f, 0.3f, 0.7f, 1.0f / 3}, fars[] = {0, 1e5f, -3e6f, 2e7f};
    static const char *const names[] = {"border.bin", "border.pcd", "border.las"};
    uint64_t random = 3;
    for (int k = 0; k < (CLOUD_WATCHED ? 20 : check_fewer(30, 120)); k++) {
        begin(names[k % 3]);
        const float side = sides[k % 5], far = fars[k % 4];
        fill_borders(COUNT, side, far, &random);
        big_save(path, xyz, COUNT, k % 3 == 1 ? (const double[3]){637000, 4850000, 100} : NULL);
        options.thin = side;
        settings.d = side * (float[]){1, 2, 2.5f, 5, 0.4f, 11}[k / 5 % 6];
        settings.two_d = k % 7 == 0;
        hooks.most = k % 2 ? COUNT / 9 : COUNT / 60;
        compare_both();
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) unlink(big_path(names[k]));
}

/* Chains whose points are as far apart as neighbours can be: a rim that is too narrow cuts them. `far`: floats are about as far
 * apart as points. */
static void chains_across_tiles(void)
{
    enum { EACH = 500, LINES = 8 };
    uint64_t random = 7;
    for (int k = 0; k < (CLOUD_WATCHED ? 20 : check_fewer(38, 150)); k++) {
        begin("chain.bin");
        const float d = 0.5f + check_random_float(&random);
        const bool far = k % 2;
        for (size_t line = 0; line < LINES; line++) {
            float x = d * (far ? 0x1p22f : 100) * (1 + check_random_float(&random));
            for (size_t i = 0; i < EACH; i++) {
                double *const p = xyz + 3 * (line * EACH + i);
                p[0] = (double)x, p[1] = 30 * (double)line, p[2] = 0;
                float next = x + d;
                while ((next - x) * (next - x) >= d * d) next = nextafterf(next, 0);
                x = next;
            }
        }
        shuffle(EACH * LINES, (uint64_t)k);
        big_save(path, xyz, EACH * LINES, NULL);
        options.thin = d / (0.4f + 8 * check_random_float(&random));
        settings.d = d;
        hooks.most = 60;
        for (settings.min_points = 0; settings.min_points <= 2; settings.min_points += 2) compare();
    }
    unlink(path);
}

/* Representatives may be in another file than the points that get their label. */
static void thinned_files(void)
{
    enum { COUNT = 9000 };
    char a[256], b[256];
    const char *const files[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const double *const offset = k ? NULL : (const double[3]){637000, 4850000, 100};
        begin(k ? "all.bin" : "all.las");
        snprintf(a, sizeof a, "%s", big_path(k ? "a.bin" : "a.las"));
        snprintf(b, sizeof b, "%s", big_path(k ? "b.bin" : "b.las"));
        big_fill(xyz, COUNT, 20, 5);
        shuffle(COUNT, 9);
        big_save(path, xyz, COUNT, offset);
        big_save(a, xyz, COUNT / 3, offset);
        big_save(b, xyz + COUNT / 3 * 3, COUNT - COUNT / 3, offset);
        options.thin = 0.25f, hooks.most = 700;
        for (settings.min_points = 0; settings.min_points <= 3; settings.min_points += 3) {
            const clump_big_result one = compare();
            clump_big_result two;
            CHECK_INT(clump_big_run_with(files, 2, NULL, &settings, &options, &hooks, &two, &big_why), CLUMP_OK);
            CHECK(one.labels_hash == two.labels_hash && one.thinned == two.thinned);
            CHECK_MSG(one.thinned > COUNT / 20, "%llu points", (unsigned long long)one.thinned);
        }
        unlink(path), unlink(a), unlink(b);
    }
}

static void refused_thinning(void)
{
    static const float wrong[] = {-1, 1e-40f, INFINITY, NAN};
    const char *const input = path;
    const clump_classes classes = {.rows = &(const clump_class){.id = 1}, .count = 1};
    begin("refused.bin");
    big_save(path, xyz, 10, NULL);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        options.thin = wrong[k];
        CHECK_INT(clump_big_run(&input, 1, NULL, &settings, &options, NULL, &big_why), CLUMP_ERR_ARGUMENT);
        CHECK_MSG(strstr(big_why.text, "it must be 0 or at least 1.17549e-38"), "%s", big_why.text);
    }
    options.thin = 0.1f;
    for (int k = 0; k < 3; k++) {
        options.step = k == 0 ? 0.01 : 0;
        options.frame = k == 1 ? CLUMP_FILE_FRAME_STEPS : CLUMP_FILE_FRAME_AUTO;
        if (k == 2) options.classes = &classes, options.class_fields = big_class_fields;
        CHECK_INT(clump_big_run(&input, 1, NULL, &settings, &options, NULL, &big_why), CLUMP_ERR_ARGUMENT);
        CHECK_MSG(strstr(big_why.text, k < 2 ? "thin needs the frame whole" : "classes and thin"), "%s", big_why.text);
    }
    unlink(path);
}

CHECK_PROGRAM(test_big_traps)
{
    alone = cpu_context(1);
    RUN(lying_header);
    RUN(longer_than_floats);
    RUN(wide_integers);
    RUN(copies_on_a_corner);
    RUN(one_voxel_holds_all);
    RUN(one_voxel_holds_too_many);
    RUN(shuffled_input);
    RUN(sizes_at_limits);
    RUN(large_indices);
    RUN(not_finite);
    RUN(no_points);
    RUN(far_points);
    RUN(rounded);
    RUN(tiles_of_one_point);
    RUN(too_many_cross);
    RUN(few_descriptors);
    RUN(borders_of_voxels);
    RUN(chains_across_tiles);
    RUN(thinned_files);
    RUN(refused_thinning);
    clump_context_destroy(alone);
}
