/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_big_matrix.c: surveys in files against one call: methods, frames, formats, tiles, threads and options, combined at
 * random from a seed. `test_big_matrix SEED` runs that case alone.
 */
#include "support/check.h"

#include "big/big_case.h"
#include "support/clouds.h"

enum { CASES = 320, MOST = 100000 };

static clump_context *alone;
static double xyz[3 * MOST];
static const double origin[3] = {637000, 4850000, 100};

typedef struct file_kind {
    const char *ending;
    double scale[3]; /* LAS */
    bool far;        /* coordinates of float64, or LAS with an offset */
    bool has_class;
} file_kind;

static const file_kind kinds[] = {{".las", {0.001, 0.001, 0.001}, true, true},
                                  {".las", {-0.001, 0.001, -0.001}, true, true},
                                  {".las", {0.01, 0.001, 0.01}, false, true},
                                  {".las", {0.003, 0.001, 0.0017}, true, true}, /* no common step */
                                  {".pcd", {0}, false, true},
                                  {".pcd", {0}, true, true},
                                  {".ply", {0}, false, true},
                                  {".ply", {0}, true, true},
                                  {".bin", {0}, false, false},
                                  {".npy", {0}, false, false},
                                  {".csv", {0}, false, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* A lattice with sides of exactly 0.5, with copies: pairs at exactly the distance. */
static void fill_lattice(size_t count, double side, uint64_t *random)
{
    for (size_t i = 0; i < 3 * count; i++)
        xyz[i] = (double)(check_random(random) % (uint64_t)(2 * side * (i % 3 == 2 ? 0.05 : 0.5) + 1)) / 2;
}

static bool is_las(const file_kind *kind)
{
    return strcmp(kind->ending, ".las") == 0;
}

static void save(const file_kind *kind, const char *path, size_t count, uint64_t *random)
{
    if (is_las(kind)) {
        big_save_las(path, xyz, count, kind->scale, kind->far ? origin : NULL);
        return;
    }
    for (size_t i = 0; i < count && check_random(random) % 3 == 0; i += 1 + check_random(random) % 50)
        xyz[3 * i + check_random(random) % 3] = check_random(random) % 2 ? NAN : INFINITY;
    big_save(path, xyz, count, kind->far ? origin : NULL);
}

static void choose_settings(clump_joint_settings *s, size_t count, uint64_t *random)
{
    *s = clump_joint_defaults();
    s->d = 0.5f;
    s->min_points = check_random(random) % 2 ? 0 : 1 + check_random(random) % 12;
    s->two_d = check_random(random) % 3 == 0;
    s->order = check_random(random) % 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    s->no_border_points = check_random(random) % 4 == 0;
    if (check_random(random) % 2) s->min_size = 1 + check_random(random) % 6;
    if (check_random(random) % 3 == 0) s->max_size = s->min_size + check_random(random) % (count / 4 + 10);
}

static void choose_frame(clump_big_options *o, const file_kind *kind, uint64_t *random)
{
    const bool common = is_las(kind) && kind->scale[2] != 0.0017;
    if (check_random(random) % 2) o->frame = CLUMP_FILE_FRAME_WHOLE;
    if (common && check_random(random) % 2) o->frame = CLUMP_FILE_FRAME_STEPS;
    if (common || check_random(random) % 2) return;
    o->step = check_random(random) % 2 ? 0.001 : 0.05;
    o->frame = check_random(random) % 2 ? CLUMP_FILE_FRAME_STEPS : CLUMP_FILE_FRAME_AUTO;
}

static int by_class, thinned, with_ground; /* cases with classes, with thinning, and with a ground */

/* Adds thinning to the options: with voxels much smaller than the distance, or larger than it. Returns false where they exclude it. */
static bool choose_thin(clump_big_options *o, uint64_t *random)
{
    static const float sides[] = {1e-4f, 0.05f, 0.1f, 0.125f, 0.3f, 0.5f, 2};
    if (o->classes || o->step > 0 || o->frame == CLUMP_FILE_FRAME_STEPS || check_random(random) % 2) return false;
    o->thin = sides[check_random(random) % (sizeof sides / sizeof *sides)];
    return true;
}

static void run_case(uint64_t seed)
{
    static const size_t counts[] = {1000, 3000, 3000, 10000, 10000, 30000, MOST};
    static const int threads[] = {1, 2, 8};
    static uint8_t drop[256];
    static double crop[6];
    uint64_t random = seed * 7919 + 1;
    const file_kind *const kind = &kinds[seed % KINDS];
    size_t count = counts[check_random(&random) % (CLOUD_WATCHED ? 3 : 7)];
    const double side = sqrt((double)count) / 3;
    char path[256], work[256];
    char name[32];
    snprintf(name, sizeof name, "matrix%s", kind->ending);
    snprintf(path, sizeof path, "%s", big_path(name));
    snprintf(work, sizeof work, "%s", big_path("matrix"));
    if (check_random(&random) % 4 == 0)
        fill_lattice(count, side, &random);
    else
        big_fill(xyz, count, side, seed);
    save(kind, path, count, &random);

    clump_joint_settings s;
    clump_big_options o = clump_big_defaults();
    choose_settings(&s, count, &random);
    choose_frame(&o, kind, &random);
    if (kind->has_class && check_random(&random) % 3 == 0) {
        memset(drop, 0, sizeof drop);
        drop[check_random(&random) % 7] = drop[check_random(&random) % 7] = 1;
        o.drop_classes = drop;
    }
    if (check_random(&random) % 4 == 0) {
        for (size_t a = 0; a < 3; a++) {
            const double from = kind->far ? origin[a] : 0;
            crop[a] = from + side * (a == 2 ? -1 : 0.2), crop[a + 3] = from + side * 0.7;
        }
        o.crop = crop;
    }
    const uint64_t mosts[] = {0, count / 2, count / 7, count / 64, count / 7, 50};
    clump_big_hooks hooks = {.most = mosts[check_random(&random) % 6], .no_sync = true};
    if (hooks.most == 50 && count > 10000) hooks.most = count / 64;
    if (check_random(&random) % 3 == 0) hooks.window = CLUMP_BLOCK_POINTS;
    if (check_random(&random) % 3 == 0) hooks.entries = 32 + check_random(&random) % 500;
    if (check_random(&random) % 3 == 0) hooks.first_block = (uint32_t)1 << 17; /* indices from 2^33 on */
    if (check_random(&random) % 3 == 0) hooks.punch = true;
    o.threads = threads[check_random(&random) % 3];
    o.ram = (size_t)64 << 20;
    o.work = work;

    big_table table;
    uint64_t more = seed * 31 + 5;
    if (kind->has_class && check_random(&more) % 2) {
        big_random_table(&table, s.d, &more);
        big_fit_table(&table, &s);
        o.classes = &table.classes, o.class_fields = big_class_fields;
        by_class++;
    }
    thinned += choose_thin(&o, &more);
    clump_ground_options ground = clump_ground_defaults();
    if (check_random(&more) % 3 == 0) {
        static const float tiles[] = {2, 7, 0.5f, 0.3f, 1};
        ground.tile =
            tiles[check_random(&more) % (count > 3000 ? 2 : 5)]; /* the definition compares all pairs of tiles */
        ground.slope = 2 * check_random_float(&more), ground.sigma = check_random_float(&more);
        o.ground = &ground;
        with_ground++;
    }
    const big_whole whole = big_one_call(alone, path, &s, &o);
    const char *const input = path;
    clump_big_result r;
    const clump_status status = clump_big_run_with(&input, 1, NULL, &s, &o, &hooks, &r, &big_why);
    CHECK_MSG(status == CLUMP_OK, "case %llu: %s", (unsigned long long)seed, big_why.text);
    if (status == CLUMP_OK)
        CHECK_MSG(big_equal(&whole, &r),
                  "case %llu: kind %d, %zu points, %llu tiles, frame %d, min_points %zu, two_d %d, classes %d, thin "
                  "%g, ground %d: labels differ",
                  (unsigned long long)seed, (int)(kind - kinds), count, (unsigned long long)r.tiles, (int)r.frame,
                  s.min_points, s.two_d, o.classes != NULL, (double)o.thin, o.ground != NULL);
    CHECK_INT(r.moved, whole.moved);
    unlink(path);
}

static uint64_t only; /* 0: all */

static void all_combinations(void)
{
    const int cases = check_rounds(CLOUD_WATCHED ? CASES / 8 : CASES);
    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++)
        if (!only || seed == only) run_case(seed);
    printf("%d of %d cases with classes, %d with thinning, %d with a ground\n", by_class, cases, thinned, with_ground);
}

CHECK_PROGRAM(test_big_matrix)
{
    only = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, check_filter = NULL;
    alone = cpu_context(1);
    RUN(all_combinations);
    clump_context_destroy(alone);
}
