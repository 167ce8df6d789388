/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_icp.c: clump_icp finds known motions, reports where it cannot, and gives equal results with any number of
 * threads.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"

#include "core/context.h"
#include "host/icp.h"
#include "rules/normal.h"

#include <clump/info.h>
#include <clump/io.h>
#include <clump/sim.h>
#include <clump/index.h>

#include <float.h>
#include <math.h>

enum { MOST = 5000 };

static float target[3 * MOST], source[3 * MOST];
static const double degree = 3.14159265358979323846 / 180;

/* Sets m to a rotation about z followed by a translation. */
static void motion(double angle, double x, double y, double z, double m[16])
{
    const double c = cos(angle), s = sin(angle);
    const double all[16] = {c, -s, 0, x, s, c, 0, y, 0, 0, 1, z, 0, 0, 0, 1};
    memcpy(m, all, sizeof all);
}

/* Ground, two walls and posts, 20 m wide, about `at`: what a sensor sees of a yard. */
static void make_yard(float *xyz, size_t count, const double at[3], uint64_t *random)
{
    for (size_t i = 0; i < count; i++) {
        const double u = (double)check_random_float(random), v = (double)check_random_float(random);
        const double w = (double)check_random_float(random);
        double p[3] = {20 * u, 20 * v, 0};
        if (i % 4 == 1) p[0] = 0, p[2] = 4 * w;
        if (i % 4 == 2) p[1] = 20, p[2] = 4 * w;
        if (i % 4 == 3) p[0] = floor(5 * u) * 4 + 0.3 * v, p[1] = 4 * floor(5 * w) + 0.3 * v, p[2] = 3 * v;
        for (size_t k = 0; k < 3; k++) xyz[3 * i + k] = (float)(at[k] + p[k]);
    }
}

/* Sets `from` to the inverse of m applied to `to`, so that m maps it back. */
static void move_away(const double m[16], const float *to, float *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double p[3] = {(double)to[3 * i] - m[3], (double)to[3 * i + 1] - m[7], (double)to[3 * i + 2] - m[11]};
        for (size_t k = 0; k < 3; k++) from[3 * i + k] = (float)(m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2]);
    }
}

/* Computes the distance of the images of `at` under two motions, and the angle between the motions. */
static void compare(const double a[16], const double b[16], const double at[3], double *far, double *angle)
{
    double sum = 0, trace = 0;
    for (size_t i = 0; i < 3; i++) {
        double d = a[4 * i + 3] - b[4 * i + 3];
        for (size_t j = 0; j < 3; j++) {
            d += (a[4 * i + j] - b[4 * i + j]) * at[j];
            trace += a[4 * i + j] * b[4 * i + j];
        }
        sum += d * d;
    }
    *far = sqrt(sum);
    *angle = acos(fmin(1, fmax(-1, (trace - 1) / 2)));
}

static void known_motions(void)
{
    uint64_t random = 91;
    clump_context *const ctx = cpu_context(2);
    const double places[2][3] = {{0, 0, 0}, {4000, -3000, 200}};
    for (int turn = 0; turn < 8; turn++) {
        const double *const at = places[turn / 4];
        make_yard(target, MOST, at, &random);
        double m[16];
        motion((turn % 2 ? -1 : 1) * 1.0 * degree, 0.2, -0.1 * turn, 0.05, m);
        /* a turn about the yard's corner, not about the origin */
        m[3] += at[0] - m[0] * at[0] - m[1] * at[1], m[7] += at[1] - m[4] * at[0] - m[5] * at[1];
        move_away(m, target, source, MOST);
        clump_icp_options o = clump_icp_defaults();
        o.method = turn % 4 < 2 ? CLUMP_ICP_POINT : CLUMP_ICP_PLANE;
        o.max_iterations = 200;
        o.tolerance = turn < 4 ? 1e-6 : 1e-4;
        o.max_distance = turn % 2 ? 2 : INFINITY;
        clump_icp_result r;
        const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        const double fine = turn < 4 ? 1e-4 : 3e-3; /* floats are 0.0003 apart there */
        CHECK_MSG(far < fine && angle < 1e-4, "turn %d: off by %g m, %g degrees after %d iterations, rmse %g", turn,
                  far, angle / degree, r.iterations, r.rmse);
        CHECK(r.fitness == 1 && r.rmse < fine && r.converged && r.iterations > 1 && r.iterations < 200);
        CHECK(clump_context_stats(ctx).passes == r.iterations && clump_context_stats(ctx).query_ms > 0);

        o.initial = m; /* there already */
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(r.iterations <= 3 && r.converged);
        o.max_iterations = 0;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(r.iterations == 0 && !r.converged && r.fitness == 1);
        compare(r.transform, m, at, &far, &angle);
        CHECK(far < 1e-9 && angle < 1e-7);
    }
    clump_context_destroy(ctx);
}

/* A third of the source is not in the target. Trimming ignores it, and so does a maximum distance. */
static void outliers(void)
{
    uint64_t random = 92;
    clump_context *const ctx = cpu_context(1);
    const double at[3] = {0, 0, 0};
    make_yard(target, MOST, at, &random);
    double m[16];
    motion(0.5 * degree, 0.1, 0.1, 0, m);
    move_away(m, target, source, MOST);
    for (size_t i = 0; i < MOST; i += 3) source[3 * i + 2] += 6 + 3 * check_random_float(&random);
    const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
    for (int turn = 0; turn < 3; turn++) {
        clump_icp_options o = clump_icp_defaults();
        o.max_iterations = 100;
        o.tolerance = 1e-6;
        if (turn == 1) o.keep = 0.6;
        if (turn == 2) o.max_distance = 1;
        clump_icp_result r;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        CHECK_MSG(turn == 0 ? far > 0.1 : far < 1e-4, "turn %d: off by %g", turn, far);
        if (turn == 1) CHECK(r.fitness == 1 && r.rmse < 1e-4);
        if (turn == 2) CHECK(r.fitness > 0.66 && r.fitness < 0.68);
    }
    clump_context_destroy(ctx);
}

/* Two turns of a simulated VLP-16, half a metre apart. The rings on the ground lie on each other wherever the sensor is, and
 * they are most of the points: the nearest 70 percent of the pairs see no motion, the others do. */
static void trimming_does_not_starve(void)
{
    static const clump_lidar_scene scenes[] = {CLUMP_SCENE_STREET, CLUMP_SCENE_CROSSROAD, CLUMP_SCENE_CROSSROAD};
    clump_context *const ctx = cpu_context(2);
    for (int turn = 0; turn < 3; turn++) {
        clump_lidar lidar = clump_lidar_defaults();
        lidar.model = CLUMP_LIDAR_VLP16, lidar.scene = scenes[turn], lidar.speed = 5;
        float *const xyz = malloc(2 * clump_lidar_rays(&lidar) * 3 * sizeof *xyz);
        clump_lidar_world *world;
        CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), CLUMP_OK);
        size_t counts[2] = {0};
        double pose[12] = {0};
        for (size_t i = 0; i < 2; i++) {
            const clump_lidar_scan scan = {.xyz = xyz + i * clump_lidar_rays(&lidar) * 3};
            CHECK_INT(clump_sim_lidar_scan(world, i, &scan, &counts[i], pose, NULL), CLUMP_OK);
        }
        clump_sim_lidar_destroy(world);
        clump_icp_options o = clump_icp_defaults();
        o.method = turn == 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.keep = 0.7;
        clump_icp_result r;
        const clump_points a = {.xyz = xyz, .count = counts[0]},
                           b = {.xyz = xyz + clump_lidar_rays(&lidar) * 3, .count = counts[1]};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_MSG(pose[3] > 0.45 && fabs(r.transform[3] - pose[3]) < 0.05 && r.converged && r.contested,
                  "turn %d: %g m, not %g, rmse %g", turn, r.transform[3], pose[3], r.rmse);
        free(xyz);
    }
    clump_context_destroy(ctx);
}

static void threads_agree(void)
{
    uint64_t random = 93;
    const double at[3] = {5, 5, 0};
    make_yard(target, MOST, at, &random);
    make_yard(source, MOST, at, &random);
    for (size_t i = 0; i < 3 * MOST; i += 3) source[i] += 0.2f;
    for (size_t i = 0; i < MOST; i += 700) source[3 * i] = NAN, target[3 * i + 1] = INFINITY;
    const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
    for (int method = 0; method < 2; method++) {
        clump_icp_result first;
        memset(&first, 0, sizeof first);
        for (int threads = 1; threads <= 3; threads++) {
            clump_context *const ctx = cpu_context(threads);
            clump_icp_options o = clump_icp_defaults();
            o.method = (clump_icp_method)method;
            o.keep = 0.9;
            o.max_iterations = 8;
            clump_icp_result r;
            CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
            if (threads == 1) first = r;
            CHECK(memcmp(r.transform, first.transform, sizeof r.transform) == 0 && r.rmse == first.rmse);
            CHECK(r.iterations == first.iterations && r.fitness == 1);
            clump_context_destroy(ctx);
        }
    }
}

/* ----- the order of sums -------------------------------------------------------------------------------- */

/* The weight of a residual by the robust kernel. */
static double naive_weight(double width2, double square)
{
    const double root = width2 / (width2 + square);
    return width2 > 0 ? root * root : 1;
}

/* The terms of one pair, written out. */
static void add_naive(const clump_pairs *w, size_t i, double *s)
{
    if (w->indices[i] < 0 || w->distances[i] > w->cut) return;
    const float *const m = w->moved + 3 * i, *const t = w->target.xyz + 3 * w->indices[i];
    double p[3], q[3], j[6], off = 0;
    for (int k = 0; k < 3; k++) p[k] = (double)m[k] - w->center[k], q[k] = (double)t[k] - w->center[k];
    const bool judged = w->normals && w->kernel.graze2 > 0;
    if (!judged) s[CLUMP_SUM_KEPT] += 1;
    if (!w->normals) {
        const double square = (double)w->distances[i], weight = naive_weight(w->kernel.width2, square);
        s[CLUMP_SUM_WEIGHTS] += weight;
        s[CLUMP_SUM_SQUARES] += weight * square;
        for (int k = 0; k < 3; k++) s[CLUMP_SUM_P + k] += weight * p[k], s[CLUMP_SUM_Q + k] += weight * q[k];
        for (int k = 0; k < 9; k++) s[CLUMP_SUM_PQ + k] += weight * p[k / 3] * q[k % 3];
        return;
    }
    if (w->kernel.width2 == 0) s[CLUMP_SUM_SQUARES] += (double)w->distances[i];
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = (double)w->normals[3 * w->indices[i] + k];
    if (n[0] == 0 && n[1] == 0 && n[2] == 0) return;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        j[k] = p[a] * n[b] - p[b] * n[a], j[3 + k] = n[k];
        off += (q[k] - p[k]) * n[k];
    }
    double size2 = 1, facing = 1;
    if (judged) { /* a plane that the ray grazes, or that is none, counts less */
        const double ray = p[0] * n[0] + p[1] * n[1] + p[2] * n[2], range2 = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
        size2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if (ray * ray < w->kernel.graze2 * range2 * size2) facing = ray * ray / (w->kernel.graze2 * range2 * size2);
        s[CLUMP_SUM_KEPT] += facing * size2;
    }
    const double weight = facing * naive_weight(w->kernel.width2, off * off);
    s[CLUMP_SUM_WEIGHTS] += weight * size2;
    if (w->kernel.width2 > 0) s[CLUMP_SUM_SQUARES] += weight * (off * off);
    for (int a = 0, at = CLUMP_SUM_A; a < 6; a++) {
        s[CLUMP_SUM_B + a] += weight * j[a] * off;
        for (int b = a; b < 6; b++) s[at++] += weight * j[b] * j[a];
    }
}

/* The order of sums on a GPU: 64 lanes with 16 points each; every lane of 32 adds the value of its partner; then the
 * two halves are added. */
static void sum_as_lanes(const clump_pairs *w, double *total)
{
    enum { LANES = 64, SUMS = CLUMP_PAIRS_SUMS };
    static double lane[LANES][SUMS], before[LANES][SUMS];
    memset(total, 0, SUMS * sizeof *total);
    for (size_t first = 0; first < w->count; first += 1024) {
        memset(lane, 0, sizeof lane);
        for (size_t l = 0; l < LANES; l++)
            for (size_t i = first + 16 * l; i < first + 16 * l + 16 && i < w->count; i++) add_naive(w, i, lane[l]);
        for (size_t step = 1; step < 32; step *= 2) {
            memcpy(before, lane, sizeof lane);
            for (size_t l = 0; l < LANES; l++)
                for (size_t k = 0; k < SUMS; k++) lane[l][k] = before[l][k] + before[l ^ step][k];
        }
        for (size_t k = 0; k < SUMS; k++) total[k] += lane[0][k] + lane[32][k];
    }
}

static void sums_have_one_order(void)
{
    static const size_t sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 511, 512, 513, 1023, 1024, 1025, 2048, MOST};
    static float normals[3 * MOST], distances[MOST];
    static int32_t indices[MOST];
    uint64_t random = 95;
    const double at[3] = {100, -50, 3}, center[3] = {108.7, -41.3, 3.9};
    make_yard(target, MOST, at, &random);
    make_yard(source, MOST, at, &random);
    for (size_t i = 0; i < MOST; i++) {
        for (size_t k = 0; k < 3; k++) normals[3 * i + k] = i % 9 ? check_random_float(&random) - 0.5f : 0;
        distances[i] = check_random_float(&random);
        indices[i] = (int32_t)(check_random_float(&random) * (MOST - 1));
        if (i % 5 == 1 || (i > 100 && i < 150)) indices[i] = -1, distances[i] = INFINITY;
    }
    double scratch[(MOST / CLUMP_PAIRS_CHUNK + 1) * CLUMP_PAIRS_SUMS];
    clump_context *const ctx[3] = {cpu_context(1), cpu_context(2), cpu_context(3)};
    for (int turn = 0; turn < 8; turn++)
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
            clump_pairs w = {.target = {.xyz = target, .count = MOST, .stride = 12},
                             .moved = source,
                             .indices = indices,
                             .distances = distances,
                             .count = sizes[n],
                             .normals = turn % 2 ? normals : NULL,
                             .center = center,
                             .kernel = {turn < 4 ? 0 : 0.3, turn < 6 ? 0 : 0.4},
                             .cut = turn % 4 < 2 ? INFINITY : 0.7f};
            CHECK(clump_pairs_scratch(w.count) <= sizeof scratch / sizeof *scratch);
            double sums[CLUMP_PAIRS_SUMS], wanted[CLUMP_PAIRS_SUMS];
            CHECK_INT(clump_pairs_sum(&ctx[n % 3]->work, &w, scratch, sums), CLUMP_OK);
            sum_as_lanes(&w, wanted);
            CHECK_MSG(memcmp(sums, wanted, sizeof sums) == 0, "turn %d, %zu points: %.17g squares, not %.17g", turn,
                      w.count, sums[CLUMP_SUM_SQUARES], wanted[CLUMP_SUM_SQUARES]);
            if (w.count > 100) CHECK(sums[CLUMP_SUM_KEPT] > 5 && sums[CLUMP_SUM_KEPT] < (double)w.count);
        }
    for (int k = 0; k < 3; k++) clump_context_destroy(ctx[k]);
}

/* ----- normals ------------------------------------------------------------------------------------------ */

/* Returns the sum of the squares of the distances of the points from a plane through their mean. */
static double off_plane(const float *p, size_t count, const double n[3])
{
    double mean[3] = {0}, sum = 0;
    for (size_t i = 0; i < 3 * count; i++) mean[i % 3] += (double)p[i] / (double)count;
    for (size_t i = 0; i < count; i++) {
        double off = 0;
        for (size_t k = 0; k < 3; k++) off += ((double)p[3 * i + k] - mean[k]) * n[k];
        sum += off * off;
    }
    return sum;
}

static void normal_of(const float *p, size_t count, float normal[3])
{
    clump_normal_sums sums = {{0}, {0}, 0};
    for (size_t i = 0; i < count; i++) clump_normal_add(&sums, p, p + 3 * i);
    clump_normal_of(&sums, 0, normal);
}

/* No other direction has a smaller sum, neither any nor one close to the normal. */
static void normals_are_of_least_squares(void)
{
    enum { POINTS = 12 };
    uint64_t random = 98;
    float p[3 * POINTS], normal[3];
    for (int turn = 0; turn < 400; turn++) {
        const double flat = turn % 4 == 0 ? 1 : turn % 4 == 1 ? 0.1 : turn % 4 == 2 ? 1e-3 : 0;
        const double scale = turn % 3 == 0 ? 1 : turn % 3 == 1 ? 1e-6 : 1e12;
        for (size_t i = 0; i < POINTS; i++) {
            const double x = (double)check_random_float(&random), y = (double)check_random_float(&random);
            const double z = (double)check_random_float(&random);
            p[3 * i] = (float)(scale * x), p[3 * i + 1] = (float)(scale * y);
            p[3 * i + 2] = (float)(scale * (x / 4 - y / 2 + flat * z));
        }
        const size_t count = 3 + (size_t)turn % (POINTS - 2);
        normal_of(p, count, normal);
        double n[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), least = off_plane(p, count, n);
        CHECK_MSG(fabs(length - 1) < 1e-6, "turn %d: length %g", turn, length);
        for (int other = 0; other < 100; other++) {
            double v[3], size = 0;
            for (size_t k = 0; k < 3; k++) {
                v[k] = (double)check_random_float(&random) - 0.5;
                if (other % 2) v[k] = n[k] + 0.01 * v[k];
                size += v[k] * v[k];
            }
            for (size_t k = 0; k < 3; k++) v[k] /= sqrt(size);
            const double rounding = 1e-12 * scale * scale; /* of the normal to float32 */
            CHECK_MSG(off_plane(p, count, v) >= least * (1 - 1e-6) - rounding, "turn %d: %g, not %g", turn, least,
                      off_plane(p, count, v));
        }
    }
}

/* Fewer than three points, equal points and points on a line have no plane. */
static void no_normals(void)
{
    const float equal[12] = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3};
    float line[60]; /* rounded: nearly on a line */
    for (size_t i = 0; i < 60; i++) line[i] = (float)(sqrt(2.0 + (double)(i % 3)) * sin((double)(i / 3)));
    const float two[6] = {0, 0, 0, 1, 2, 5}, three[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    float n[3];
    normal_of(equal, 4, n);
    CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
    for (size_t count = 3; count <= 20; count++) {
        normal_of(line, count, n);
        CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
    }
    normal_of(two, 2, n);
    CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
    normal_of(two, 0, n);
    CHECK(n[0] == 0 && n[1] == 0 && n[2] == 0);
    normal_of(three, 3, n);
    CHECK(n[0] == 0 && n[1] == 0 && fabsf(n[2]) == 1);
}

/* ----- a backend that makes whole iterations ------------------------------------------------------------ */

static const clump_backend_table *cpu_table; /* the one that is replaced */
static const clump_icp_job *begun;
static int steps, fail_at; /* the step that fails; 0: none does */
static size_t targets;     /* points of the target */
static float whole_normals[3 * MOST];

static clump_status nearest(clump_work *work, void *state, const void *index, const float *queries, size_t count,
                            size_t k, float bound, int32_t *indices, float *distances)
{
    const clump_query_job query = {.kind = CLUMP_QUERY_NEAREST,
                                   .queries = (const char *)queries,
                                   .count = count,
                                   .stride = 3 * sizeof(float),
                                   .bound = bound,
                                   .k = k,
                                   .indices = indices,
                                   .distances = distances};
    clump_stats result = {.threads = 1};
    return cpu_table->index_query(work, state, index, &query, &result);
}

static clump_status begin_whole(clump_work *work, void *state, const void *index, const clump_icp_job *job)
{
    begun = job;
    steps = 0;
    const size_t k = (size_t)job->normal_neighbours;
    static int32_t neighbours[MOST * 10];
    static float d2[MOST * 10];
    CHECK(k <= 10 && targets <= MOST);
    if (k == 0) return CLUMP_OK;
    const clump_status status = nearest(work, state, index, target, targets, k, INFINITY, neighbours, d2);
    for (size_t i = 0; i < targets; i++) {
        clump_normal_sums sums = {{0}, {0}, 0};
        for (size_t j = 0; j < k && neighbours[i * k + j] >= 0; j++)
            clump_normal_add(&sums, target + 3 * i, target + 3 * neighbours[i * k + j]);
        clump_normal_of(&sums, job->normal_flat, whole_normals + 3 * i);
    }
    return status;
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Returns the distance of the last pair that is kept, by sorting. */
static float sorted_cut(double keep, const int32_t *indices, const float *distances, size_t count, size_t *pairs)
{
    static float sorted[MOST];
    *pairs = 0;
    for (size_t i = 0; i < count; i++)
        if (indices[i] >= 0) sorted[(*pairs)++] = distances[i];
    if (*pairs == 0 || keep >= 1) return INFINITY;
    qsort(sorted, *pairs, sizeof *sorted, compare_floats);
    size_t kept = 1;
    while ((double)kept < keep * (double)*pairs) kept++;
    return sorted[kept - 1];
}

static clump_status step_whole(clump_work *work, void *state, const void *index, const clump_icp_job *job,
                               const clump_rigid *motion, double *sums)
{
    static float moved[3 * MOST], distances[MOST];
    static int32_t indices[MOST];
    CHECK(job == begun && job->count <= MOST);
    if (++steps == fail_at) return clump_fail(work, CLUMP_ERR_DEVICE, "as the test wants it");
    double finite = 0;
    for (size_t i = 0; i < job->count; i++) {
        const float *const p = (const float *)(const void *)(job->source + i * job->stride);
        for (size_t k = 0; k < 3; k++) moved[3 * i + k] = clump_moved(motion->turn + 3 * k, motion->move[k], p);
        finite += isfinite(moved[3 * i]) && isfinite(moved[3 * i + 1]) && isfinite(moved[3 * i + 2]);
    }
    const clump_status status = nearest(work, state, index, moved, job->count, 1, job->bound, indices, distances);
    size_t pairs;
    const clump_pairs w = {.target = {.xyz = target, .count = MOST, .stride = 12},
                           .moved = moved,
                           .indices = indices,
                           .distances = distances,
                           .count = job->count,
                           .normals = job->normal_neighbours > 0 ? whole_normals : NULL,
                           .center = job->center,
                           .kernel = job->kernel,
                           .cut = sorted_cut(job->keep, indices, distances, job->count, &pairs)};
    sum_as_lanes(&w, sums);
    sums[CLUMP_SUM_FINITE] = finite;
    sums[CLUMP_SUM_PAIRS] = (double)pairs;
    return status;
}

/* Their results are equal, bit for bit; a step that fails returns its status. */
static void whole_iterations(void)
{
    enum { SIZES = 7, KINDS = 6 };
    static const size_t sizes[SIZES] = {0, 1, 2, 3, 33, 1025, MOST};
    static const double keeps[3] = {1, 0.7, 1e-3};
    uint64_t random = 96;
    const double at[3] = {-20, 7, 1};
    make_yard(target, MOST, at, &random);
    make_yard(source, MOST, at, &random);
    for (size_t i = 0; i < 3 * MOST; i += 3) source[i] += 0.2f;
    for (size_t i = 0; i < MOST; i += 37) source[3 * i] = NAN, target[3 * i + 1] = INFINITY;
    clump_context *const plain = cpu_context(1), *const ctx = cpu_context(2);
    cpu_table = ctx->level->table();
    clump_backend_table table = *cpu_table;
    table.icp_begin = begin_whole, table.icp_step = step_whole;
    const clump_points few = {.xyz = target, .count = 9};
    clump_icp_result r, wanted;
    CHECK_INT(clump_icp(ctx, few, few, NULL, &r), CLUMP_OK); /* opens the one that is replaced */
    ctx->backends[0].table = &table;
    for (int turn = 0; turn < SIZES * KINDS; turn++) {
        const int kind = turn / SIZES;
        const clump_points a = {.xyz = target, .count = turn % SIZES < 6 ? 700 : MOST},
                           b = {.xyz = source, .count = sizes[turn % SIZES]};
        targets = a.count;
        clump_icp_options o = clump_icp_defaults();
        o.method = kind % 2 ? CLUMP_ICP_PLANE : CLUMP_ICP_POINT;
        o.max_iterations = 5;
        o.keep = keeps[kind / 2];
        if (kind == 1 || kind == 2) o.max_distance = 0.5f;
        CHECK_INT(clump_icp(plain, a, b, &o, &wanted), CLUMP_OK);
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(steps > r.iterations && steps <= r.iterations + (o.keep < 1 ? 7 : 1)); /* one more per phase */
        CHECK_MSG(memcmp(r.transform, wanted.transform, sizeof r.transform) == 0 && r.rmse == wanted.rmse &&
                      r.fitness == wanted.fitness && r.iterations == wanted.iterations,
                  "turn %d: %d iterations, rmse %.17g, fitness %g, not %d, %.17g, %g", turn, r.iterations, r.rmse,
                  r.fitness, wanted.iterations, wanted.rmse, wanted.fitness);
        CHECK(clump_context_stats(ctx).queries == b.count && clump_context_stats(plain).queries == b.count);
        if (b.count == MOST && o.max_distance < 1) CHECK(r.iterations > 1 && r.fitness > 0 && r.fitness < 1);
        const int made = steps;
        fail_at = 1 + turn % 3;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), fail_at <= made ? CLUMP_ERR_DEVICE : CLUMP_OK);
        fail_at = 0;
    }
    clump_context_destroy(ctx);
    clump_context_destroy(plain);
}

/* Clouds that do not determine a motion, or not all of it. */
/* Pairs of a known motion, far from the origin, and pairs that determine none. */
static void aligns_pairs(void)
{
    double from[20][3], to[20][3], m[16], found[16];
    uint64_t random = 3;
    motion(0.7, 3, -4e5, 1, m);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < 3; k++) from[i][k] = 1e6 * k + 100 * (double)check_random_float(&random);
        for (int k = 0; k < 3; k++)
            to[i][k] = m[4 * k] * from[i][0] + m[4 * k + 1] * from[i][1] + m[4 * k + 2] * from[i][2] + m[4 * k + 3];
    }
    CHECK(clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found));
    for (int i = 0; i < 16; i++) CHECK(fabs(found[i] - m[i]) < (i == 3 || i == 7 || i == 11 ? 1e-4 : 1e-10));
    CHECK(!clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 2, found) && found[0] == 1 &&
          found[3] == 0);
    for (int i = 0; i < 20; i++) to[i][0] = to[i][1] = to[i][2] = 5;
    CHECK(clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found));
    for (int i = 0; i < 16; i++) CHECK(isfinite(found[i]));
    to[7][1] = NAN;
    CHECK(!clump_align_pairs((const double(*)[3])from, (const double(*)[3])to, 20, found) && found[5] == 1 &&
          found[7] == 0);
}

static void too_little(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_icp_result r;
    for (size_t i = 0; i < MOST; i++) {
        target[3 * i] = (float)(i % 90), target[3 * i + 1] = (float)(i / 90), target[3 * i + 2] = 0;
        for (size_t k = 0; k < 3; k++) source[3 * i + k] = target[3 * i + k] + (k == 2 ? 0.25f : 0);
    }
    for (int method = 0; method < 2; method++) {
        clump_icp_options o = clump_icp_defaults();
        o.method = (clump_icp_method)method;
        for (size_t n = 0; n < 5; n++)
            for (size_t m = 0; m < 5; m++) {
                const clump_points a = {.xyz = target, .count = n}, b = {.xyz = source, .count = m};
                CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
                for (int k = 0; k < 16; k++) CHECK(isfinite(r.transform[k]));
                if (n == 0 || m < 3) CHECK(!r.converged && r.iterations == 0 && r.transform[0] == 1);
                if (n == 0 || m == 0) CHECK(r.fitness == 0 && r.rmse == 0);
            }
        /* a plane over a plane: down, and nowhere else */
        const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_MSG(r.converged && fabs(r.transform[11] + 0.25) < 1e-6 && fabs(r.transform[3]) < 1e-6 &&
                      fabs(r.transform[7]) < 1e-6,
                  "method %d: %g %g %g", method, r.transform[3], r.transform[7], r.transform[11]);
        o.max_distance = 0.1f;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK(!r.converged && r.fitness == 0 && r.transform[11] == 0);
        for (size_t i = 0; i < 60; i++) target[3 * i] = i % 2 ? 3e38f : 0, source[3 * i + 1] = -FLT_MAX;
        const clump_points huge = {.xyz = target, .count = 60}, also = {.xyz = source, .count = 60};
        o.max_distance = INFINITY;
        CHECK_INT(clump_icp(ctx, huge, also, &o, &r), CLUMP_OK);
        for (size_t i = 0; i < 60; i++) target[3 * i] = (float)(i % 90), source[3 * i + 1] = 0;
    }
    clump_context_destroy(ctx);
}

/* ----- kinds -------------------------------------------------------------------------------------------- */

/* Every method, thinned or not, robust or not, finds a known motion; thinning is that of the caller. */
static void kinds_find_motions(void)
{
    static float few[2][3 * MOST];
    uint64_t random = 98;
    clump_context *const ctx = cpu_context(2), *const one = cpu_context(1);
    const double at[3] = {0, 0, 0};
    double m[16];
    make_yard(target, MOST, at, &random);
    motion(0.8 * degree, 0.15, -0.1, 0.04, m);
    move_away(m, target, source, MOST);
    for (size_t i = 0; i < MOST; i += 5) source[3 * i + 2] += 0.8f + check_random_float(&random); /* a fifth is wrong */
    const clump_points a = {.xyz = target, .count = MOST}, b = {.xyz = source, .count = MOST};
    for (int kind = 0; kind < 12; kind++) {
        clump_icp_options o = clump_icp_defaults();
        clump_icp_result r, same;
        o.method = (clump_icp_method)(kind % 3);
        o.max_distance = 2;
        o.thin = kind / 3 % 2 ? 0.4f : 0;
        o.robust = kind / 6 ? 0.1f : 0;
        CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        CHECK_INT(clump_icp(one, a, b, &o, &same), CLUMP_OK);
        CHECK(memcmp(r.transform, same.transform, sizeof r.transform) == 0 && r.iterations == same.iterations);
        CHECK(memcmp(r.information, same.information, sizeof r.information) == 0);
        double far, angle;
        compare(r.transform, m, at, &far, &angle);
        CHECK_MSG(r.converged && far < (o.robust > 0 ? 0.03 : 0.5), "kind %d: off by %g after %d iterations, rmse %g",
                  kind, far, r.iterations, r.rmse);
        if (o.robust > 0) CHECK(r.rmse < 0.15);
        if (o.thin == 0) continue;
        clump_points thinned[2] = {a, b};
        for (int c = 0; c < 2; c++) {
            size_t count = 0;
            for (size_t i = 0; i < MOST; i++) { /* by brute force */
                const float *const p = thinned[c].xyz + 3 * i;
                bool is_new = true;
                for (size_t j = 0; j < count && is_new; j++)
                    is_new = floorf(p[0] / o.thin) != floorf(few[c][3 * j] / o.thin) ||
                             floorf(p[1] / o.thin) != floorf(few[c][3 * j + 1] / o.thin) ||
                             floorf(p[2] / o.thin) != floorf(few[c][3 * j + 2] / o.thin);
                if (is_new) memcpy(few[c] + 3 * count++, p, 3 * sizeof(float));
            }
            thinned[c] = (clump_points){.xyz = few[c], .count = count};
        }
        CHECK(thinned[0].count < MOST * 9 / 10 && clump_context_stats(ctx).queries == thinned[1].count);
        o.thin = 0;
        CHECK_INT(clump_icp(ctx, thinned[0], thinned[1], &o, &same), CLUMP_OK);
        CHECK(memcmp(r.transform, same.transform, sizeof r.transform) == 0 && r.rmse == same.rmse);
    }
    clump_context_destroy(one);
    clump_context_destroy(ctx);
}

/* Returns how much a 6 x 6 matrix says of a direction. */
static double along(const double *m, const double *v)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) sum += v[i] * m[6 * i + j] * v[j];
    return sum;
}

/* The information is that of the sums, written out, and a plane says nothing of motions along it. */
static void information_is_known(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < MOST; i++) {
        target[3 * i] = (float)(i % 90) + 100, target[3 * i + 1] = (float)(i / 90) - 30, target[3 * i + 2] = 7;
    }
    const clump_points a = {.xyz = target, .count = MOST};
    for (int method = 0; method < 3; method++) {
        clump_icp_options o = clump_icp_defaults();
        clump_icp_result r;
        o.method = (clump_icp_method)method;
        CHECK_INT(clump_icp(ctx, a, a, &o, &r), CLUMP_OK);
        for (int k = 0; k < 6; k++) { /* the motion of every point, times itself */
            double v[6] = {0}, wanted = 0;
            v[k] = 1;
            for (size_t i = 0; i < MOST; i++) {
                const double p[3] = {(double)target[3 * i], (double)target[3 * i + 1], (double)target[3 * i + 2]};
                const double d[3] = {v[0] + v[4] * p[2] - v[5] * p[1], v[1] + v[5] * p[0] - v[3] * p[2],
                                     v[2] + v[3] * p[1] - v[4] * p[0]};
                const double flat = method == 0 ? 1 : method == 1 ? 0 : CLUMP_GICP_THICK;
                wanted += flat * (d[0] * d[0] + d[1] * d[1]) + d[2] * d[2];
            }
            const double found = along(r.information, v);
            CHECK_MSG(fabs(found - wanted) <= 1e-6 * wanted + 1e-6, "method %d, %d: %g, not %g", method, k, found,
                      wanted);
        }
    }
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points p = {.xyz = target, .count = 9};
    clump_points q = p;
    clump_icp_result r;
    struct {
        clump_icp_options o;
        clump_status status;
        const char *words;
    } wrong[9];
    for (int i = 0; i < 9; i++) wrong[i].o = clump_icp_defaults(), wrong[i].status = CLUMP_ERR_ARGUMENT;
    double bad[16];
    motion(0, 0, 0, 0, bad);
    bad[0] = 2;
    wrong[0].o.cookie = 0, wrong[0].status = CLUMP_ERR_OPTIONS, wrong[0].words = "clump_icp_defaults";
    wrong[1].o.method = (clump_icp_method)4, wrong[1].words = "method number 4";
    wrong[2].o.max_iterations = -1, wrong[2].words = "max_iterations is -1";
    wrong[3].o.max_distance = 0, wrong[3].words = "max_distance is 0";
    wrong[4].o.keep = 0, wrong[4].words = "keep is 0";
    wrong[5].o.keep = 1.5, wrong[5].words = "keep is 1.5";
    wrong[6].o.tolerance = (double)NAN, wrong[6].words = "tolerance is nan";
    wrong[7].o.normal_neighbours = 2, wrong[7].words = "normal_neighbours is 2";
    wrong[8].o.initial = bad, wrong[8].words = "not a rigid motion";
    for (int i = 0; i < 9; i++) {
        CHECK_INT(clump_icp(ctx, p, p, &wrong[i].o, &r), wrong[i].status);
        CHECK_MSG(strstr(clump_context_error(ctx), wrong[i].words), "%s", clump_context_error(ctx));
    }
    CHECK_INT(clump_icp(NULL, p, p, NULL, &r), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_icp(ctx, p, p, NULL, NULL), CLUMP_ERR_ARGUMENT);
    q.stride = 5;
    CHECK_INT(clump_icp(ctx, q, p, NULL, &r), CLUMP_ERR_ARGUMENT);
    q = p, q.place = CLUMP_PLACE_DEVICE;
    CHECK_INT(clump_icp(ctx, p, q, NULL, &r), CLUMP_ERR_MEMORY_KIND);
    CHECK_INT(clump_icp(ctx, p, p, NULL, &r), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* ----- memory ------------------------------------------------------------------------------------------ */

static void memory(void)
{
    uint64_t random = 94;
    const double at[3] = {0, 0, 0};
    make_yard(target, 3000, at, &random);
    make_yard(source, 2500, at, &random);
    const clump_points a = {.xyz = target, .count = 3000}, b = {.xyz = source, .count = 2500};
    clump_icp_options o = clump_icp_defaults();
    o.method = CLUMP_ICP_PLANE;
    o.max_iterations = 3;
    for (long fail = -1; fail < 40; fail++) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
        if (fail >= 0) c.fail_from = 1 + fail;
        clump_icp_result r;
        const clump_status status = clump_icp(ctx, a, b, &o, &r);
        if (fail < 0) {
            CHECK_INT(status, CLUMP_OK);
            const long taken = c.calls;
            CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
            CHECK_INT(clump_icp(ctx, b, a, &o, &r), CLUMP_OK); /* no larger */
            CHECK(c.calls <= taken + 2);                       /* but the source is */
            clump_context_trim(ctx);
        } else if (status != CLUMP_OK) {
            CHECK_INT(status, CLUMP_ERR_OUT_OF_MEMORY);
            CHECK(strstr(clump_context_error(ctx), "could not be allocated"));
            c.fail_from = -1;
            CHECK_INT(clump_icp(ctx, a, b, &o, &r), CLUMP_OK);
        }
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
        if (fail >= 0 && status == CLUMP_OK) break;
    }
}

/* ----- real scans --------------------------------------------------------------------------------------- */

static clump_cloud *load(const char *folder, const char *file)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    clump_cloud *cloud = NULL;
    clump_cloud_load(path, NULL, &cloud, NULL);
    return cloud;
}

/* Registers b to a and compares with a motion that is known; destroys both clouds. */
static void register_scans(clump_cloud *a, clump_cloud *b, clump_icp_method method, const double *known, double most,
                           double most_angle)
{
    clump_context *const ctx = cpu_context(2);
    clump_icp_options o = clump_icp_defaults();
    o.method = method;
    o.max_distance = 1;
    o.max_iterations = 100;
    clump_icp_result r;
    CHECK_INT(clump_icp(ctx, clump_cloud_points(a), clump_cloud_points(b), &o, &r), CLUMP_OK);
    double far, angle;
    compare(r.transform, known, (const double[3]){0, 0, 0}, &far, &angle);
    CHECK_MSG(far < most && angle < most_angle && r.converged, "off by %g m, %g degrees", far, angle / degree);
    clump_context_destroy(ctx);
    clump_cloud_destroy(a);
    clump_cloud_destroy(b);
}

/* The result of pcl::IterativeClosestPoint (1.13) for these scans, with pairs within 1 m and an equal tolerance. */
static void scans_as_pcl(void)
{
    if (CLOUD_WATCHED) SKIP("threads are watched on smaller clouds");
    const char *const folder = check_data_folder();
    if (!folder) SKIP("no real scans (CLUMP_DATA)");
    clump_cloud *const a = load(folder, "kitti/semkitti_00_000000.bin"), *const b = load(
                                                                             folder, "kitti/semkitti_00_000001.bin");
    if (!a || !b) SKIP("no KITTI scans");
    static const double pcl[16] = {0.999999,
                                   -0.00275745,
                                   -0.000691407,
                                   0.662591,
                                   0.00275647,
                                   1,
                                   -0.00146229,
                                   0.00893968,
                                   0.000695413,
                                   0.00146036,
                                   1,
                                   0.00655051,
                                   0,
                                   0,
                                   0,
                                   1};
    register_scans(a, b, CLUMP_ICP_POINT, pcl, 0.02, 0.1 * degree);
}

static void pair_with_known_pose(void)
{
    if (CLOUD_WATCHED) SKIP("threads are watched on smaller clouds");
    const char *const folder = check_data_folder();
    if (!folder) SKIP("no real scans (CLUMP_DATA)");
    clump_cloud *const a = load(folder, "ply/smallgicp_target.ply"), *const b =
                                                                         load(folder, "ply/smallgicp_source.ply");
    char path[1200];
    snprintf(path, sizeof path, "%s/ply/smallgicp_T_target_source.txt", folder);
    FILE *const file = fopen(path, "r");
    double pose[16];
    for (int i = 0; file && i < 16; i++)
        if (fscanf(file, "%lf", &pose[i]) != 1) SKIP("%s is not a pose", path);
    if (!a || !b || !file) SKIP("no small_gicp scans");
    fclose(file);
    register_scans(a, b, CLUMP_ICP_PLANE, pose, 0.05, 0.2 * degree);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(known_motions);
    RUN(outliers);
    RUN(trimming_does_not_starve);
    RUN(threads_agree);
    RUN(sums_have_one_order);
    RUN(normals_are_of_least_squares);
    RUN(no_normals);
    RUN(whole_iterations);
    RUN(aligns_pairs);
    RUN(too_little);
    RUN(kinds_find_motions);
    RUN(information_is_known);
    RUN(wrong_arguments);
    RUN(memory);
    RUN(scans_as_pcl);
    RUN(pair_with_known_pose);
    return CHECK_END();
}
