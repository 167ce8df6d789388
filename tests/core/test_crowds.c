/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_crowds.c: dense cells that are slightly more than d apart. A test of all pairs would be correct but quadratic.
 * The library narrows the pairs down first (cpu/grid/patches.h) and must lose none. Without that the large clouds here
 * would take minutes.
 */
#include "support/calls.h"
#include "support/check.h"

#include "support/clouds.h"
#include "oracle/oracle.h"

#include "cpu/grid/patches.h"

#include <clump/info.h>

#include <math.h>

/* ----- two sets of points ---------------------------------------------------------------------- */

enum { CROWD = 900 };

/* A set as it lies in the library's arrays. */
typedef struct set {
    float xyz[3 * CROWD];
    size_t count;
    clump_point *entries;
} set;

static void lay_out(set *s)
{
    const size_t entries = clump_dense_entries(s->count), offset = clump_dense_offset(s->count);
    s->entries = malloc((entries ? entries : 1) * sizeof *s->entries);
    if (!s->entries) abort();
    memset(s->entries, 0xff, entries * sizeof *s->entries);
    for (size_t i = 0; i < s->count; i++) {
        const float *const p = s->xyz + 3 * i;
        s->entries[offset + i] = (clump_point){p[0], p[1], p[2], 0};
    }
    if (s->count >= CLUMP_DENSE) clump_dense_box(s->entries, s->count);
}

/* The steps cpu/ec/join.c takes for an open pair of cells. */
static bool library_near(set *a, set *b, float d)
{
    lay_out(a), lay_out(b);
    clump_point *const scratch = malloc((a->count + b->count + 1) * sizeof *scratch);
    clump_dense_want_discs(a->entries, a->count, b->entries, b->count, d);
    if (a->count >= CLUMP_DENSE) clump_dense_make_disc(a->entries, a->count);
    if (b->count >= CLUMP_DENSE) clump_dense_make_disc(b->entries, b->count);
    clump_dense_want_patches(a->entries, a->count, b->entries, b->count, d);
    if (a->count >= CLUMP_DENSE) clump_dense_make_patches(a->entries, a->count, scratch);
    if (b->count >= CLUMP_DENSE) clump_dense_make_patches(b->entries, b->count, scratch);
    const bool near = clump_sets_near(a->entries, a->count, b->entries, b->count, d, d * d, scratch, NULL);
    free(scratch), free(a->entries), free(b->entries);
    return near;
}

static bool all_pairs_near(const set *a, const set *b, float d)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (oracle_near(a->xyz + 3 * i, b->xyz + 3 * j, d, false)) return true;
    return false;
}

/* Points of a cube of side h at `corner`; `face` of 1 to 3 puts them on the side towards the other. */
static void fill_set(set *s, const float *corner, const int *towards, float h, int kind, uint64_t *random)
{
    for (size_t i = 0; i < s->count; i++) {
        const float line = check_random_float(random);
        for (size_t k = 0; k < 3; k++) {
            float t = kind == 1 ? line : check_random_float(random);
            if (kind == 2) t = floorf(4 * t) / 4;                                    /* ties and copies */
            if (kind == 3 && towards[k] != 0) t = towards[k] > 0 ? 1 - 0x1p-20f : 0; /* a wall */
            if (kind == 4 && towards[k] != 0) t = towards[k] > 0 ? 1 - line * line / 2 : line * line / 2; /* a bow */
            if (kind == 5) t = 0.625f; /* one place */
            s->xyz[3 * i + k] = corner[k] + h * t;
        }
    }
}

static void sets_are_near_or_not(void)
{
    static set a, b;
    uint64_t random = 31;
    long near = 0, total = 0;
    for (long round = 0; round < check_rounds(1500); round++) {
        const float h = ldexpf(0.5f + check_random_float(&random), (int)(check_random(&random) % 41) - 20);
        const float away = check_random(&random) % 2 ? 0 : 1000 * check_random_float(&random) * h;
        int towards[3], back[3];
        float at_a[3], at_b[3];
        for (int k = 0; k < 3; k++) {
            towards[k] = (int)(check_random(&random) % 5) - 2;
            back[k] = -towards[k];
            at_a[k] = k % 2 ? away : -away;
            at_b[k] = at_a[k] + (float)towards[k] * h;
        }
        const uint64_t sizes = check_random(&random);
        a.count = 1 + (sizes & 1 ? check_random(&random) % 40 : check_random(&random) % CROWD);
        b.count = 1 + (sizes & 2 ? check_random(&random) % 40 : check_random(&random) % CROWD);
        const int kind = (int)(check_random(&random) % 6);
        fill_set(&a, at_a, towards, h, kind, &random);
        fill_set(&b, at_b, back, h, check_random(&random) % 2 ? kind : (int)(check_random(&random) % 6), &random);

        /* the least distance there is, as a d: then one float more and less decides */
        float least = INFINITY;
        for (size_t i = 0; i < a.count; i++) {
            for (size_t j = 0; j < b.count; j++) {
                const float dx = a.xyz[3 * i] - b.xyz[3 * j], dy = a.xyz[3 * i + 1] - b.xyz[3 * j + 1];
                const float dz = a.xyz[3 * i + 2] - b.xyz[3 * j + 2], d2 = ((dx * dx) + (dy * dy)) + (dz * dz);
                least = d2 < least ? d2 : least;
            }
        }
        for (int step = -2; step <= 2; step++) {
            const float d = cloud_step(least > 0 ? sqrtf(least) : h, step);
            if (d < h / 2) continue; /* sets are cells of d / sqrt(3) or less */
            const bool expected = all_pairs_near(&a, &b, d);
            CHECK_MSG(library_near(&a, &b, d) == expected, "round %ld: %zu and %zu points, kind %d, d %.9g, h %.9g",
                      round, a.count, b.count, kind, (double)d, (double)h);
            near += expected, total++;
        }
    }
    CHECK_MSG(near > total / 5 && near < total - total / 5, "%ld of %ld: the test does not test", near, total);
}

/* ----- surfaces between walls -------------------------------------------------------------------- */

/* Points of a wall of side 0.6 at radius r around `centre`; r = 0: of a flat wall at the height z. */
static void fill_wall(set *s, const float *centre, double r, double z, uint64_t *random)
{
    s->count = CLUMP_DENSE;
    for (size_t i = 0; i < s->count; i++) {
        const double u = 0.6 * (double)check_random_float(random) - 0.3;
        const double v = i == 0 ? 0 : 0.6 * (double)check_random_float(random) - 0.3;
        const double at[3] = {i == 0 ? 0 : u, v, 1};
        const double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        float *const p = s->xyz + 3 * i;
        for (int k = 0; k < 3; k++) p[k] = centre[k] + (float)(r > 0 ? r * at[k] / length : k == 2 ? z : at[k]);
    }
}

static bool library_apart(const set *a, const set *b, float d)
{
    static clump_point p[CROWD], q[CROWD];
    for (size_t i = 0; i < a->count; i++) p[i] = (clump_point){a->xyz[3 * i], a->xyz[3 * i + 1], a->xyz[3 * i + 2], 0};
    for (size_t i = 0; i < b->count; i++) q[i] = (clump_point){b->xyz[3 * i], b->xyz[3 * i + 1], b->xyz[3 * i + 2], 0};
    return clump_walls_apart(p, a->count, q, b->count, d);
}

/* Points 0 of both walls face each other. The least gaps are those that the slack must not let through. */
static void surfaces_keep_walls_apart(void)
{
    static set a, b;
    uint64_t random = 77;
    long apart = 0, close = 0;
    for (long round = 0; round < check_rounds(3000); round++) {
        const double step = ldexp(1, -(int)(check_random(&random) % 22) - 3);
        const double gap = 1 + (round % 3 ? step : -step);
        const double r = round % 2 ? 0 : 0.5 + 20 * (double)check_random_float(&random);
        const float away = round % 5 ? 0 : 10, centre[3] = {away, -away, away / 2};
        fill_wall(&a, centre, r, 0, &random);
        fill_wall(&b, centre, r > 0 ? r + gap : 0, r > 0 ? 0 : gap, &random);
        const bool told = library_apart(&a, &b, 1), near = all_pairs_near(&a, &b, 1);
        CHECK_MSG(!(told && near), "round %ld: gap %.9g, radius %g", round, gap, r);
        CHECK_MSG(told || gap < 1.01, "round %ld: gap %.9g, radius %g: not decided", round, gap, r);
        apart += told, close += near;
    }
    CHECK_MSG(apart > check_fewer(125, 500) && close > check_fewer(125, 500),
              "%ld apart, %ld close: the test does not test", apart, close);
}

/* ----- directions that rounding can spoil ------------------------------------------------------------- */

/* Returns the number of clusters by Euclidean clustering with d = 1 and by DBSCAN, which must be equal. */
static int32_t clusters_at_1(clump_context *ctx, const float *xyz, size_t count)
{
    int32_t *const labels = malloc(count * sizeof *labels), by_ec = -1, by_dbscan = -1;
    const clump_points points = {.xyz = xyz, .count = count};
    CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, &by_ec), CLUMP_OK);
    CHECK_INT(clump_dbscan(ctx, points, 1, 1, NULL, labels, &by_dbscan), CLUMP_OK);
    CHECK_INT(by_dbscan, by_ec);
    free(labels);
    return by_ec;
}

/* Tens of thousands of equal points in a cell, far from its first point: their covariance is rounding errors alone. The
 * last point is 0.85 from the copies. */
static void many_copies_in_a_cell(void)
{
    enum { COPIES = 40000, COUNT = COPIES + 2 };
    float *const xyz = calloc(COUNT, 3 * sizeof *xyz);
    clump_context *const ctx = cpu_context(1);
    uint64_t random = 5;
    for (int round = 0; round < 30; round++) {
        const float p = round ? 0.2f + 0.08f * check_random_float(&random) : 0x1.0cf394p-2f;
        const float q = round ? 0.2f + 0.08f * check_random_float(&random) : 0x1.0e354cp-2f;
        xyz[0] = -p, xyz[1] = -q;
        for (size_t i = 1; i <= COPIES; i++) xyz[3 * i] = p, xyz[3 * i + 1] = q;
        xyz[3 * COPIES + 3] = p + 0.6f, xyz[3 * COPIES + 4] = q + 0.6f;
        CHECK_MSG(clusters_at_1(ctx, xyz, COUNT) == 1, "p %a, q %a", (double)p, (double)q);
    }
    clump_context_destroy(ctx);
    free(xyz);
}

/* A wall so small that squares of its covariance underflow. Only point 1, which no sample has, is near the last point. */
static void walls_of_denormals(void)
{
    enum { COUNT = 129 };
    float xyz[3 * COUNT];
    clump_context *const ctx = cpu_context(1);
    const double length = sqrt(1 + 2 * 0.69 * 0.69), w[3] = {1 / length, 0.69 / length, 0.69 / length};
    const double e[3] = {0, sqrt(0.5), -sqrt(0.5)};
    const double f[3] = {w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2], w[0] * e[1] - w[1] * e[0]};
    for (double size = 1e-42; size < 1e-40; size *= 1.005) {
        for (int i = 0; i < COUNT - 1; i++)
            for (int k = 0; k < 3; k++) {
                const double t = 2 * acos(-1) * (i / 5) / 26;
                xyz[3 * i + k] = i == 0   ? 0
                                 : i == 1 ? (float)(0.25 * w[k])
                                          : (float)(size * (cos(t) * e[k] + sin(t) * f[k]));
            }
        for (int k = 0; k < 3; k++) xyz[3 * (COUNT - 1) + k] = (float)(1.0002 * w[k]);
        CHECK_MSG(clusters_at_1(ctx, xyz, COUNT) == 1, "size %g", size);
    }
    clump_context_destroy(ctx);
}

/* ----- whole clouds ------------------------------------------------------------------------------ */

enum { SLABS, SHELLS, TUBES, SHAPES };

/* Even points on one surface, odd ones on another, `gap` apart. Point 1 is opposite point 0. */
static void fill_pair(int shape, float *xyz, size_t count, float size, float gap, uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const float u = i < 2 ? 0.5f : check_random_float(random), v = i < 2 ? 0.5f : check_random_float(random);
        const float out = i % 2 ? gap : 0, a = (u - 0.5f) * 2, b = (v - 0.5f) * 2;
        if (shape == SLABS) p[0] = size * u, p[1] = out, p[2] = size * v;
        if (shape == SHELLS) {
            const float length = sqrtf(1 + a * a + b * b), r = (size + out) / length;
            p[0] = r * a, p[1] = r * b, p[2] = r;
        }
        if (shape == TUBES) p[0] = (size + out) * sinf(a), p[1] = (size + out) * cosf(a), p[2] = size * b;
    }
}

static void expect_two(clump_context *ctx, const float *xyz, size_t count, float d, clump_ec_method method, bool joined,
                       const char *what)
{
    int32_t *const labels = malloc(count * sizeof *labels);
    clump_ec_options o = clump_ec_defaults();
    o.method = method;
    int32_t found = -1;
    CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = count}, d, &o, labels, &found), CLUMP_OK);
    bool right = found == (joined ? 1 : 2);
    for (size_t i = 0; i < count && right; i++) right = labels[i] == (joined ? 0 : (int32_t)(i % 2));
    CHECK_MSG(right, "%s, %zu points, %s: %d clusters, expected %d", what, count, clump_ec_method_name(method), found,
              joined ? 1 : 2);
    free(labels);
}

/* Two surfaces 1.0001 d apart, then with a single pair that is not. */
static void surfaces_miss_by_little(void)
{
    static const char *const names[SHAPES] = {"slabs", "shells", "tubes"};
    static const size_t counts[] = {400, 3000, 120000};
    uint64_t random = 32;
    for (int threads = 1; threads <= 2; threads++) {
        clump_context_options options = clump_context_defaults();
        options.threads = threads;
        clump_context *ctx;
        CHECK_INT(clump_context_create(&options, &ctx), CLUMP_OK);
        for (int turn = 0; turn < 3 * SHAPES; turn++) {
            const int shape = turn % SHAPES;
            const size_t count = counts[turn / SHAPES];
            float *const xyz = malloc(3 * count * sizeof *xyz);
            const float d = 0.7f, size = count < 1000 ? d : 3 * d;
            fill_pair(shape, xyz, count, size, 1.0001f * d, &random);
            expect_two(ctx, xyz, count, d, CLUMP_EC_FAST, false, names[shape]);
            if (count < 10000) expect_two(ctx, xyz, count, d, CLUMP_EC_BFS, false, names[shape]);
            for (size_t k = 0; k < 3; k++) xyz[3 + k] -= 0.0003f * (xyz[3 + k] - xyz[k]);
            expect_two(ctx, xyz, count, d, CLUMP_EC_FAST, true, names[shape]);
            if (count < 10000) expect_two(ctx, xyz, count, d, CLUMP_EC_BFS, true, names[shape]);
            free(xyz);
        }
        clump_context_destroy(ctx);
    }
}

/* Crowds of copies: two places exactly d apart, and one float closer. */
static void copies_at_the_distance(void)
{
    clump_context *ctx;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    const size_t count = 50000;
    float *const xyz = malloc(3 * count * sizeof *xyz);
    for (int closer = 0; closer < 2; closer++) {
        for (size_t i = 0; i < count; i++) {
            const float at = i % 2 ? cloud_step(2, -closer) : 1;
            xyz[3 * i] = 5, xyz[3 * i + 1] = at, xyz[3 * i + 2] = -3;
        }
        expect_two(ctx, xyz, count, 1, CLUMP_EC_FAST, closer, "copies");
    }
    free(xyz);
    clump_context_destroy(ctx);
}

/* Labels of fast and bfs on two crowds whose one near pair no rep knows of. */
static void compare_crowds(const float *xyz, size_t count, float d, const char *name, int round)
{
    clump_context *ctx = NULL;
    CHECK_INT(clump_context_create(NULL, &ctx), CLUMP_OK);
    static int32_t labels[2][1000];
    clump_ec_options options = clump_ec_defaults();
    for (int k = 0; k < 2; k++) {
        options.method = k ? CLUMP_EC_BFS : CLUMP_EC_FAST;
        CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = count}, d, &options, labels[k], NULL), CLUMP_OK);
    }
    CHECK_MSG(memcmp(labels[0], labels[1], count * sizeof(int32_t)) == 0, "%s, round %d", name, round);
    clump_context_destroy(ctx);
}

/* Where floats are not much finer than d, the middle of a crowd is rounded like everything else: two
 * walls a few floats thick, one more than d apart except for their last points. */
static void walls_far_from_the_origin(void)
{
    static float xyz[3 * 600];
    static const float places[][2] = {{1e6f, 1.0001f}, {1e6f, 1.01f}, {1e5f, 0.51f}, {1e4f, 0.3f}, {500, 0.501f}};
    uint64_t random = 31;
    for (int round = 0; round < check_rounds(400); round++) {
        const float base = places[round % 5][0], d = places[round % 5][1], step = nextafterf(base, INFINITY) - base;
        const int thick = 1 + (int)(check_random(&random) % 3);
        const float start = base + step * (float)(check_random(&random) % 64), gap = floorf(d / step) * step;
        for (int i = 0; i < 600; i++) {
            const bool right = i >= 300, last = i % 300 == 299;
            float x = start + step * (float)(check_random(&random) % (uint64_t)(thick + 1));
            if (last) x = start + step * (float)thick;
            if (right) x = last ? x + gap : x + gap + step * (float)(thick + 1);
            xyz[3 * i] = x;
            xyz[3 * i + 1] = last ? 0.2f * d : check_random_float(&random) * 0.4f * d;
            xyz[3 * i + 2] = last ? 0.2f * d : check_random_float(&random) * 0.4f * d;
        }
        compare_crowds(xyz, 600, d, "walls", round);
    }
}

/* Crowds so nearly on a line that what is across it has squares below any float. */
static void crowds_on_a_line(void)
{
    static float xyz[3 * 400];
    uint64_t random = 32;
    for (int round = 0; round < check_rounds(1500); round++) {
        const double width = pow(10, -10 - 3 * (double)check_random_float(&random));
        const double aside = 0.01 + 0.3 * (double)check_random_float(&random),
                     above = sqrt(1 - aside * aside) * (1 - 1e-5);
        for (int i = 0; i < 200; i++) {
            const double x = i == 199 ? 0.25 : i == 0 ? -0.25 : ((double)check_random_float(&random) - 0.5) * 0.49;
            xyz[3 * i] = (float)x;
            xyz[3 * i + 1] = (float)(((double)check_random_float(&random) - 0.5) * width);
            xyz[3 * i + 2] = 0;
        }
        for (int i = 200; i < 400; i++) { /* a tight clump, with only its last point near the end of the line */
            const double off = i < 399 ? 0.003 : 0;
            xyz[3 * i] = (float)(0.25 + aside + off * (1 + (double)check_random_float(&random)));
            xyz[3 * i + 1] = 0;
            xyz[3 * i + 2] = (float)(above + off * (1 + (double)check_random_float(&random)));
        }
        compare_crowds(xyz, 400, 1, "line", round);
    }
}

CHECK_PROGRAM(test_crowds)
{
    RUN(sets_are_near_or_not);
    RUN(surfaces_keep_walls_apart);
    RUN(many_copies_in_a_cell);
    RUN(walls_of_denormals);
    RUN(surfaces_miss_by_little);
    RUN(copies_at_the_distance);
    RUN(walls_far_from_the_origin);
    RUN(crowds_on_a_line);
}
