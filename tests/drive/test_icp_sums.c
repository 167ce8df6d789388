/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_icp_sums.c: the parts of registration: sums in the order of a GPU, normals, a backend that makes whole iterations, and
 * the points of a turn moved to one time.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/yard.h"

#include "core/context.h"
#include "host/icp.h"
#include "rules/normal.h"

#include <clump/info.h>
#include <clump/index.h>
#include <clump/map.h>
#include <clump/odometry.h>
#include <clump/sim.h>

#include <math.h>

enum { MOST = 5000 };

static float target[3 * MOST], source[3 * MOST];

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

/* ----- deskewing ---------------------------------------------------------------------------------------- */

enum { TURN = 20000 };

static float turn_xyz[3 * TURN], times[TURN], moved[3 * TURN], other[3 * TURN], strided[4 * TURN];
static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* A turn by `angle` about z, then a step. */
static void pose_of(double angle, double x, double y, double pose[12])
{
    const double m[12] = {cos(angle), -sin(angle), 0, x, sin(angle), cos(angle), 0, y, 0, 0, 1, 0.1};
    memcpy(pose, m, sizeof m);
}

static void draw_turn(void)
{
    uint64_t seed = 31;
    for (size_t i = 0; i < TURN; i++) {
        for (size_t k = 0; k < 3; k++) strided[4 * i + k] = turn_xyz[3 * i + k] = 40 * check_random_float(&seed) - 20;
        times[i] = 0.1f * (float)(i / 16) / (TURN / 16);
    }
}

/* Where the sensor drives an arc: a point that it saw at a time is taken to the world by the pose of that time. */
static void follows_an_arc(void)
{
    clump_context *const ctx = cpu_context(2);
    const double radius = 20, speed = 15;
    draw_turn();
    for (int turn = 0; turn < 3; turn++) {
        const double offset = (const double[]){0, -0.05, -0.1}[turn]; /* times from, after, up to that of the frame */
        const double rate = (turn == 1 ? -1 : 1) * speed / radius, start = 0.3, dt = 0.1;
        double from[12], to[12], at[12];
        pose_of(start, radius * sin(start), -radius * cos(start), from);
        pose_of(start + rate * dt, radius * sin(start + rate * dt), -radius * cos(start + rate * dt), to);
        for (size_t i = 0; i < TURN; i++) times[i] = (float)(0.1 * (double)i / TURN + offset);
        bool deskewed;
        const clump_points points = {.xyz = turn_xyz, .count = TURN};
        CHECK_INT(clump_deskew(ctx, points, times, from, to, dt, moved, &deskewed), CLUMP_OK);
        CHECK(deskewed);
        double worst = 0;
        for (size_t i = 0; i < TURN; i++) {
            const double a = start + rate * (double)times[i];
            pose_of(a, radius * sin(a), -radius * cos(a), at);
            for (int k = 0; k < 3; k++) {
                double sum = at[4 * k + 3] - from[4 * k + 3];
                for (int j = 0; j < 3; j++)
                    sum += at[4 * k + j] * (double)turn_xyz[3 * i + (size_t)j] -
                           from[4 * k + j] * (double)moved[3 * i + (size_t)j];
                worst = fmax(worst, fabs(sum));
            }
        }
        CHECK_MSG(worst < 3e-3, "turn %d: %g m off", turn, worst);
    }
    clump_context_destroy(ctx);
}

/* In place, strided, and with any number of threads: one result. */
static void has_one_result(void)
{
    double to[12];
    pose_of(0.05, 1.5, 0.1, to);
    draw_turn();
    turn_xyz[300] = strided[400] = NAN;
    times[100] = NAN; /* of the same point */
    clump_context *ctx[3];
    cpu_contexts(ctx, (const int[]){1, 2, 5}, 3);
    const clump_points points = {.xyz = turn_xyz, .count = TURN}, wide = {.xyz = strided, .count = TURN, .stride = 16};
    CHECK_INT(clump_deskew(ctx[0], points, times, identity, to, 0.1, moved, NULL), CLUMP_OK);
    for (int k = 1; k < 3; k++) {
        bool deskewed = false;
        CHECK_INT(clump_deskew(ctx[k], wide, times, identity, to, 0.1, other, &deskewed), CLUMP_OK);
        CHECK(deskewed && memcmp(moved, other, sizeof moved) == 0);
    }
    CHECK_INT(clump_deskew(ctx[1], points, times, identity, to, 0.1, turn_xyz, NULL), CLUMP_OK);
    CHECK(memcmp(moved, turn_xyz, sizeof moved) == 0);
    destroy_contexts(ctx, 3);
}

/* Adds turns of a simulated sensor, which moves while it turns, or only in between. */
static void add_turns(clump_context *ctx, clump_map *map, bool distortion, bool deskews)
{
    clump_lidar lidar = clump_lidar_defaults();
    lidar.model = CLUMP_LIDAR_VLP16, lidar.speed = 15, lidar.distortion = distortion;
    const size_t rays = clump_lidar_rays(&lidar);
    float *const p = malloc(rays * 3 * sizeof *p), *const t = malloc(rays * sizeof *t);
    clump_lidar_world *world;
    double now[12], next[12];
    CHECK_INT(clump_sim_lidar_create(&lidar, &world, NULL), CLUMP_OK);
    for (int f = 0; f < 6; f++) {
        const clump_lidar_scan scan = {.xyz = p, .time = t};
        clump_points points = {.xyz = p};
        CHECK_INT(clump_sim_lidar_scan(world, (size_t)f + 1, &scan, &points.count, next, NULL), CLUMP_OK);
        CHECK_INT(clump_sim_lidar_scan(world, (size_t)f, &scan, &points.count, now, NULL), CLUMP_OK);
        if (deskews) CHECK_INT(clump_deskew(ctx, points, t, now, next, 0.1, p, NULL), CLUMP_OK);
        CHECK_INT(clump_map_add(ctx, map, f, points, now, NULL), CLUMP_OK);
    }
    clump_sim_lidar_destroy(world);
    free(p), free(t);
}

/* Turns that were put right add fewer voxels to a map of a sensor that stands during its turns. */
static void sharpens_a_map(void)
{
    clump_context *const ctx = cpu_context(1);
    size_t voxels[3];
    for (int kind = 0; kind < 3; kind++) {
        clump_map_options o = clump_map_defaults();
        o.voxel = 0.5f, o.max_range = 20;
        clump_map *map;
        clump_map_cloud cloud;
        CHECK_INT(clump_map_create(ctx, &o, &map), CLUMP_OK);
        add_turns(ctx, map, false, false);
        if (kind > 0) add_turns(ctx, map, true, kind == 2);
        CHECK_INT(clump_map_points(ctx, map, &cloud), CLUMP_OK);
        voxels[kind] = cloud.voxels;
        clump_map_destroy(map);
    }
    CHECK_MSG(4 * (voxels[2] - voxels[0]) < 3 * (voxels[1] - voxels[0]), "%zu voxels, %zu skewed, %zu deskewed",
              voxels[0], voxels[1], voxels[2]);
    clump_context_destroy(ctx);
}

/* Times that cannot be those of one turn leave the points as they are. */
static void leaves_other_times(void)
{
    double to[12];
    pose_of(0, 1, 0, to);
    draw_turn();
    clump_context *const ctx = cpu_context(1);
    const clump_points points = {.xyz = turn_xyz, .count = TURN};
    for (int kind = 0; kind < 4; kind++) {
        bool deskewed = true;
        times[7] = (const float[]){1.5f, NAN, 0.25f, -1.01f}[kind];
        CHECK_INT(clump_deskew(ctx, points, times, identity, to, 0.1, moved, &deskewed), CLUMP_OK);
        CHECK(!deskewed && memcmp(moved, turn_xyz, sizeof moved) == 0);
    }
    bool deskewed = true;
    CHECK_INT(clump_deskew(ctx, (clump_points){.count = 0}, times, identity, to, 0.1, moved, &deskewed), CLUMP_OK);
    CHECK(!deskewed);
    clump_context_destroy(ctx);
}

static void refuses_bad_turns(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = {.xyz = turn_xyz, .count = 9};
    double mirror[12];
    memcpy(mirror, identity, sizeof mirror);
    mirror[0] = -1;
    draw_turn();
    expect_failure(ctx, clump_deskew(ctx, points, NULL, identity, identity, 1, moved, NULL), CLUMP_ERR_ARGUMENT,
                   "times");
    expect_failure(ctx, clump_deskew(ctx, points, times, identity, identity, 1, NULL, NULL), CLUMP_ERR_ARGUMENT, "xyz");
    expect_failure(ctx, clump_deskew(ctx, points, times, identity, identity, 1, turn_xyz + 3, NULL), CLUMP_ERR_ARGUMENT,
                   "xyz");
    expect_failure(ctx, clump_deskew(ctx, points, times, mirror, identity, 1, moved, NULL), CLUMP_ERR_ARGUMENT,
                   "rotation");
    expect_failure(ctx, clump_deskew(ctx, points, times, identity, NULL, 1, moved, NULL), CLUMP_ERR_ARGUMENT,
                   "rotation");
    expect_failure(ctx, clump_deskew(ctx, points, times, identity, identity, 0, moved, NULL), CLUMP_ERR_ARGUMENT,
                   "seconds is 0");
    CHECK_INT(clump_deskew(NULL, points, times, identity, identity, 1, moved, NULL), CLUMP_ERR_ARGUMENT);
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_icp_sums)
{
    RUN(sums_have_one_order);
    RUN(normals_are_of_least_squares);
    RUN(no_normals);
    RUN(whole_iterations);
    RUN(follows_an_arc);
    RUN(has_one_result);
    RUN(sharpens_a_map);
    RUN(leaves_other_times);
    RUN(refuses_bad_turns);
}
