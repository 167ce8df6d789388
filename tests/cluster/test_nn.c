/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_nn.c: clump_index against a search of all pairs, for clouds that are hard to search. The definition is float32
 * arithmetic, and the smaller index wins, so every exact method must give every index and every distance.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "rules/azimuth.h"
#include "rules/distance.h"

#include <clump/info.h>
#include <clump/index.h>

#include <float.h>
#include <math.h>

enum { MOST = 700, LARGE = 12000, METHODS_ROOM = 64 };

/* A loop over the exact methods: azimuth is approximate. */
#define FOR_EXACT_METHODS(m)                                                                                           \
    FOR_CPU_METHODS (m, clump_nn_methods)                                                                              \
        if (m != CLUMP_NN_AZIMUTH)

static float reference[3 * LARGE], queries[3 * LARGE];

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* ----- the oracle: all pairs ----------------------------------------------------------------------- */

typedef struct pair {
    float d2;
    int32_t index;
} pair;

static int nearer(const void *a, const void *b)
{
    const pair *const p = a, *const q = b;
    if (p->d2 != q->d2) return p->d2 < q->d2 ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* Finds the neighbours of a query within the bound, nearest first; returns their number. */
static size_t oracle(const float *q, const float *points, size_t count, float bound, pair *found)
{
    size_t n = 0;
    for (size_t i = 0; i < count && is_finite(q); i++) {
        const float *const p = points + 3 * i;
        if (!is_finite(p)) continue;
        const float d2 = clump_distance_squared(q[0], q[1], q[2], p[0], p[1], p[2]);
        if (d2 <= bound) found[n++] = (pair){d2, (int32_t)i};
    }
    qsort(found, n, sizeof *found, nearer);
    return n;
}

static int by_index(const void *a, const void *b)
{
    return ((const pair *)a)->index - ((const pair *)b)->index;
}

/* ----- one cloud, every call ----------------------------------------------------------------------- */

static int32_t indices[MOST * 128];
static float distances[MOST * 128];
static int64_t offsets[MOST + 1];
static pair found[MOST][MOST];
static size_t counts[MOST];

static void check_nearest(const clump_index *index, clump_context *ctx, clump_points q, int k, float distance,
                          const char *what)
{
    if (k == 1)
        CHECK_INT(clump_index_nearest(ctx, index, q, distance, indices, distances), CLUMP_OK);
    else
        CHECK_INT(clump_index_knn(ctx, index, q, k, distance, indices, distances), CLUMP_OK);
    for (size_t i = 0; i < q.count; i++) {
        for (size_t j = 0; j < (size_t)k; j++) {
            const bool some = j < counts[i];
            const int32_t wanted = some ? found[i][j].index : -1, got = indices[i * (size_t)k + j];
            const float far = some ? found[i][j].d2 : INFINITY, d2 = distances[i * (size_t)k + j];
            CHECK_MSG(got == wanted && d2 == far, "%s, query %zu, neighbour %zu of %d: %d at %.9g, expected %d at %.9g",
                      what, i, j, k, got, (double)d2, wanted, (double)far);
        }
    }
}

static void check_radius(const clump_index *index, clump_context *ctx, clump_points q, float radius, const char *what)
{
    CHECK_INT(clump_index_radius_count(ctx, index, q, radius, offsets), CLUMP_OK);
    int64_t total = 0;
    for (size_t i = 0; i < q.count; i++) {
        CHECK_MSG(offsets[i] == total, "%s, query %zu", what, i);
        total += (int64_t)counts[i];
    }
    CHECK_INT(offsets[q.count], total);
    if (offsets[q.count] != total || total > (int64_t)(sizeof indices / sizeof *indices)) return;
    CHECK_INT(clump_index_radius_fill(ctx, index, q, radius, offsets, indices, distances), CLUMP_OK);
    for (size_t i = 0; i < q.count; i++) {
        qsort(found[i], counts[i], sizeof **found, by_index);
        for (size_t j = 0; j < counts[i]; j++) {
            const size_t at = (size_t)offsets[i] + j;
            CHECK_MSG(indices[at] == found[i][j].index && distances[at] == found[i][j].d2, "%s, query %zu", what, i);
        }
    }
    if (total > 0) { /* without distances, and with offsets of another radius */
        distances[0] = -7;
        CHECK_INT(clump_index_radius_fill(ctx, index, q, radius, offsets, indices, NULL), CLUMP_OK);
        CHECK(distances[0] == -7);
        for (size_t i = 0; i < q.count; i++) offsets[i + 1]--;
        indices[total - 1] = -5;
        if (offsets[1] >= 0) {
            CHECK_INT(clump_index_radius_fill(ctx, index, q, radius, offsets, indices, NULL), CLUMP_ERR_ARGUMENT);
            CHECK(strstr(clump_context_error(ctx), "offsets are not those of this radius"));
            CHECK_INT(indices[total - 1], -5); /* not past what the offsets say */
        }
    }
}

static void check_cloud(clump_index *const index[METHODS_ROOM], clump_context *ctx, size_t count, size_t asked,
                        float distance, const char *what)
{
    const clump_points p = {.xyz = reference, .count = count}, q = {.xyz = queries, .count = asked};
    FOR_EXACT_METHODS (m) {
        char text[128];
        snprintf(text, sizeof text, "%s, %zu points, %zu queries, %s within %g, %d threads", what, count, asked,
                 clump_nn_method_name((clump_nn_method)m), (double)distance, clump_context_stats(ctx).threads);
        for (size_t i = 0; i < asked; i++)
            counts[i] = oracle(queries + 3 * i, reference, count, distance * distance, found[i]);
        CHECK_INT(clump_index_rebuild(ctx, index[m], p), CLUMP_OK);
        check_nearest(index[m], ctx, q, 1, distance, text);
        check_nearest(index[m], ctx, q, m == 0 ? 128 : 7, distance, text);
        check_radius(index[m], ctx, q, distance, text);
    }
}

static void against_all_pairs(void)
{
    uint64_t random = 71;
    for (int threads = 1; threads <= 3; threads += 2) {
        clump_context *const ctx = cpu_context(threads);
        clump_index *index[METHODS_ROOM];
        FOR_EXACT_METHODS (m) {
            clump_index_options o = clump_index_defaults();
            o.method = (clump_nn_method)m;
            CHECK_INT(clump_index_create(ctx, (clump_points){0}, &o, &index[m]), CLUMP_OK);
        }
        const int rounds = check_rounds(CLOUD_WATCHED ? 1 : 8);
        for (int round = 0; round < rounds * CLOUD_SHAPES; round++) {
            const cloud_shape shape = (cloud_shape)(check_turn(round) % CLOUD_SHAPES);
            const size_t count = check_random(&random) % 400, asked = 1 + check_random(&random) % 60;
            const float d = cloud_fill(shape, reference, count, &random);
            for (size_t i = 0; i < asked; i++) { /* points of the cloud, near ones, and others anywhere */
                const size_t at = count ? check_random(&random) % count : 0;
                for (size_t k = 0; k < 3; k++) {
                    queries[3 * i + k] = count ? reference[3 * at + k] : 1;
                    if (i % 3 == 1) queries[3 * i + k] += d * (check_random_float(&random) - 0.5f);
                    if (i % 7 == 6) queries[3 * i + k] *= -3 * check_random_float(&random);
                }
            }
            if (round % 2) cloud_spoil(reference, count, 9, &random);
            if (round % 4 > 1) cloud_spoil(queries, asked, 5, &random);
            check_cloud(index, ctx, count, asked,
                        round % 3 == 0   ? INFINITY
                        : round % 3 == 1 ? d
                                         : 0,
                        cloud_name(shape));
        }
        FOR_EXACT_METHODS (m) clump_index_destroy(index[m]);
        clump_context_destroy(ctx);
    }
}

/* Queries and points on one line, of all magnitudes: the neighbours of a query are exactly as far from the next query as
 * the distances add up to, but for rounding. */
static void queries_on_a_line(void)
{
    static const float scales[] = {1e-38f, 3e-23f, 1e-20f, 1e-6f, 1, 1e9f, 1e18f};
    uint64_t random = 75;
    clump_context *const ctx = cpu_context(1);
    clump_index *index;
    CHECK_INT(clump_index_create(ctx, (clump_points){0}, NULL, &index), CLUMP_OK);
    for (size_t round = 0; round < 20 * sizeof scales / sizeof *scales; round++) {
        const float scale = scales[round / 20];
        const size_t count = 20 + check_random(&random) % 300, asked = 100;
        const float direction[3] = {1, round % 3 ? check_random_float(&random) : 0, round % 2 ? 0.7f : 0};
        for (size_t i = 0; i < count + asked; i++) {
            const float t = scale * ((float)(check_random(&random) % 4096) / 4096 - (i < count ? 0 : 0.5f));
            float *const p = i < count ? reference + 3 * i : queries + 3 * (i - count);
            for (int k = 0; k < 3; k++) p[k] = t * direction[k];
        }
        char text[64];
        snprintf(text, sizeof text, "round %zu, scale %g", round, (double)scale);
        const clump_points p = {.xyz = reference, .count = count}, q = {.xyz = queries, .count = asked};
        for (size_t i = 0; i < asked; i++) counts[i] = oracle(queries + 3 * i, reference, count, INFINITY, found[i]);
        CHECK_INT(clump_index_rebuild(ctx, index, p), CLUMP_OK);
        for (int k = 2; k <= 8; k += 3) check_nearest(index, ctx, q, k, INFINITY, text);
    }
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

/* Bounds and counts at the limits of what is allowed. */
static void empty_and_small(void)
{
    clump_context *const ctx = cpu_context(2);
    clump_index *index[METHODS_ROOM];
    FOR_EXACT_METHODS (m) {
        clump_index_options o = clump_index_defaults();
        o.method = (clump_nn_method)m;
        CHECK_INT(clump_index_create(ctx, (clump_points){0}, &o, &index[m]), CLUMP_OK);
    }
    for (size_t i = 0; i < 3 * MOST; i++) reference[i] = queries[i] = (float)(i % 11);
    static const float distance[] = {0, FLT_TRUE_MIN, 1, 1e30f, FLT_MAX, INFINITY};
    for (size_t d = 0; d < sizeof distance / sizeof *distance; d++)
        for (size_t count = 0; count <= 40; count = count * 2 + 1)
            for (size_t asked = 0; asked <= 18; asked = asked * 2 + 1)
                check_cloud(index, ctx, count, asked, distance[d], "small");
    for (size_t i = 0; i < 120; i++) reference[i] = NAN;
    check_cloud(index, ctx, 40, 18, INFINITY, "nothing finite");
    for (size_t i = 0; i < 60; i++) reference[i] = (float)i, queries[i] = INFINITY;
    check_cloud(index, ctx, 20, 20, INFINITY, "queries not finite");
    FOR_EXACT_METHODS (m) clump_index_destroy(index[m]);
    clump_context_destroy(ctx);
}

/* ----- larger clouds: methods and threads against each other --------------------------------------- */

static int32_t first[LARGE], other[LARGE];
static float first_d2[LARGE], other_d2[LARGE];

/* `fast` with some threads against the kd-tree; both were compared with all pairs above. */
static void agree(const char *what, size_t count, size_t asked, float distance)
{
    const clump_points p = {.xyz = reference, .count = count}, q = {.xyz = queries, .count = asked};
    for (int threads = 0; threads <= 4; threads += threads < 2 || !CLOUD_WATCHED ? 1 : 2) { /* 0: the kd-tree */
        clump_context *const ctx = cpu_context(threads > 0 ? threads : 1);
        clump_index_options o = clump_index_defaults();
        o.method = threads == 0 ? CLUMP_NN_KDTREE : CLUMP_NN_FAST;
        clump_index *index = NULL;
        CHECK_INT(clump_index_create(ctx, p, &o, &index), CLUMP_OK);
        CHECK_INT(clump_index_nearest(ctx, index, q, distance, other, other_d2), CLUMP_OK);
        if (threads == 0) memcpy(first, other, sizeof first), memcpy(first_d2, other_d2, sizeof first_d2);
        size_t wrong = 0;
        for (size_t i = 0; i < asked; i++) wrong += first[i] != other[i] || first_d2[i] != other_d2[i];
        CHECK_MSG(wrong == 0, "%s: %zu of %zu queries differ with %d threads", what, wrong, asked, threads);
        clump_index_destroy(index);
        clump_context_destroy(ctx);
    }
}

static void large_clouds(void)
{
    uint64_t random = 72;
    const size_t most = CLOUD_WATCHED ? LARGE / 2 : LARGE;
    for (int shape = 0; shape < CLOUD_SHAPES; shape += CLOUD_WATCHED ? 3 : 1) {
        if (shape == CLOUD_EQUAL || shape == CLOUD_COPIES) continue; /* below: the kd-tree looks at each copy */
        const size_t count = most - check_random(&random) % 1000;
        const float d = cloud_fill((cloud_shape)shape, reference, count, &random);
        const float e = cloud_fill((cloud_shape)shape, queries, most, &random);
        (void)e;
        if (shape % 2) cloud_spoil(reference, count, 50, &random), cloud_spoil(queries, most, 50, &random);
        agree(cloud_name((cloud_shape)shape), count, most, shape % 3 ? INFINITY : d);
    }
}

/* Thousands of points in one place: the smallest index wins. A query must not compare all of them: that would take a
 * minute. */
static void copies(void)
{
    clump_context *const ctx = cpu_context(2);
    for (size_t i = 0; i < LARGE; i++) {
        reference[3 * i] = reference[3 * i + 1] = reference[3 * i + 2] = i < 100 ? 50 : i % 5 == 0 ? 1 : 2;
        for (size_t k = 0; k < 3; k++) queries[3 * i + k] = (float)((i * (k + 3)) % 7);
    }
    const clump_points p = {.xyz = reference, .count = LARGE}, q = {.xyz = queries, .count = LARGE};
    clump_index *index;
    CHECK_INT(clump_index_create(ctx, p, NULL, &index), CLUMP_OK);
    CHECK_INT(clump_index_nearest(ctx, index, q, INFINITY, first, first_d2), CLUMP_OK);
    CHECK_INT(
        clump_index_knn(ctx, index, (clump_points){.xyz = queries, .count = 2000}, 2, INFINITY, indices, distances),
        CLUMP_OK);
    for (size_t i = 0; i < LARGE; i++) {
        const float *const a = queries + 3 * i;
        const float one = clump_distance_squared(a[0], a[1], a[2], 1, 1, 1);
        const float two = clump_distance_squared(a[0], a[1], a[2], 2, 2, 2);
        const int32_t wanted = one < two ? 100 : two < one ? 101 : 100;
        CHECK_MSG(first[i] == wanted, "query %zu: %d, expected %d", i, first[i], wanted);
        if (i >= 2000) continue;
        CHECK_INT(indices[2 * i], wanted);
        CHECK_INT(indices[2 * i + 1], one == two ? 101 : one < two ? 105 : 102);
    }
    clump_index_destroy(index);
    clump_context_destroy(ctx);
}

/* A tight clump and one far point, so that a curve through the box sees one cell; queries far away. Also clumps
 * within clumps. */
static void clumps_in_clumps(void)
{
    uint64_t random = 73;
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < LARGE; i++)
            for (size_t k = 0; k < 3; k++) {
                const float u = check_random_float(&random) - 0.5f;
                reference[3 * i + k] = turn < 2 ? 5 + 1e-3f * u : ldexpf(u, -(int)(check_random(&random) % 60));
                queries[3 * i + k] = turn == 0 ? 1000 * u : turn == 1 ? 5 + 2e-3f * u : u;
            }
        if (turn < 2) reference[0] = 1e6f;
        agree("clumps", LARGE, CLOUD_WATCHED ? LARGE / 4 : LARGE, INFINITY);
    }
}

/* Some queries of `agree` against all pairs. */
static void check_some(const char *what, size_t count, size_t asked, size_t step)
{
    size_t wrong = 0;
    for (size_t i = 0; i < asked; i += step) {
        pair best = {INFINITY, -1};
        for (size_t j = 0; j < count; j++) {
            const float *const q = queries + 3 * i, *const p = reference + 3 * j;
            const float d2 = clump_distance_squared(q[0], q[1], q[2], p[0], p[1], p[2]);
            if (d2 < best.d2) best = (pair){d2, (int32_t)j};
        }
        wrong += first[i] != best.index || first_d2[i] != best.d2;
    }
    CHECK_MSG(wrong == 0, "%s: %zu queries differ from all pairs", what, wrong);
}

/* Dense groups so far apart that each has a cell or two of the curve, for points and queries alike: queries get
 * an order within the cell. In the second turn groups have groups in them; in the third, one has nearly all, which
 * threads sort together, and queries are there many times over; in the fourth, cells have few queries. */
static void groups_far_apart(void)
{
    uint64_t random = 75;
    for (int turn = 0; turn < 4; turn++) {
        const size_t asked = turn == 3 ? 60 : !CLOUD_WATCHED ? LARGE : turn < 2 ? LARGE / 8 : 8500;
        for (size_t i = 0; i < 2 * LARGE; i++) {
            float *const p = i < LARGE ? reference + 3 * i : queries + 3 * (i - LARGE);
            const uint64_t group = turn == 2 ? check_random(&random) % 2000 == 0 : check_random(&random) % 5;
            const uint64_t inner = turn == 1 ? check_random(&random) % 4 : 0;
            for (uint64_t k = 0; k < 3; k++) {
                const float u = check_random_float(&random);
                p[k] = (float)((group * (7 + k)) % 5) * 300 + (turn == 1 ? (float)inner * 0.1f + 1e-4f * u : 0.3f * u);
            }
            if (turn == 2 && i > LARGE && i % 3 == 0) memcpy(p, queries, 12);
        }
        agree("groups", LARGE, asked, INFINITY);
        check_some("groups", LARGE, asked, 97);
    }
}

/* Real scans, and every sixteenth query against all pairs of them. */
static void real_scans(void)
{
    const char *const folder = check_data_folder();
    if (!folder) SKIP(DO_DATA);
    size_t count[2] = {0};
    for (int f = 0; f < 2; f++) {
        char path[1100];
        snprintf(path, sizeof path, "%s/kitti/semkitti_00_00000%d.bin", folder, f);
        FILE *const file = fopen(path, "rb");
        if (!file) SKIP("no %s: " DO_DATA, path);
        float p[4];
        for (size_t i = 0; fread(p, sizeof p, 1, file) == 1; i++)
            if (i % 10 == 0 && count[f] < LARGE) memcpy((f ? queries : reference) + 3 * count[f]++, p, 12);
        fclose(file);
    }
    agree("scans", count[0], count[1], INFINITY);
    agree("scans", count[0], count[1], 0.2f);
    size_t wrong = 0;
    for (size_t i = 0; i < count[1]; i += 256) {
        pair best = {0.2f * 0.2f, -1};
        for (size_t j = 0; j < count[0]; j++) {
            const float *const q = queries + 3 * i, *const p = reference + 3 * j;
            const float d2 = clump_distance_squared(q[0], q[1], q[2], p[0], p[1], p[2]);
            if (d2 < best.d2 || (d2 == best.d2 && best.index < 0)) best = (pair){d2, (int32_t)j};
        }
        wrong += first[i] != best.index;
    }
    CHECK_INT(wrong, 0);
}

/* ----- azimuth ------------------------------------------------------------------------------------- */

static void azimuth_partitions(void)
{
    uint64_t random = 74;
    for (int i = 0; i < 20000; i++) {
        const float x = check_random_float(&random) - 0.5f, y = check_random_float(&random) - 0.5f;
        double turn = atan2((double)y, (double)x) / (2 * 3.14159265358979323846);
        if (turn < 0) turn += 1;
        CHECK_MSG(fabs((double)clump_azimuth(x, y) - turn) < 1e-6, "%g %g", (double)x, (double)y);
        const int p = clump_azimuth_partition(x, y, 300);
        CHECK(p >= 0 && p < 300 && fabs(p + 0.5 - turn * 300) < 0.501);
    }
    static const float odd[][2] = {{0, 0}, {-0.0f, -0.0f}, {FLT_MAX, -FLT_TRUE_MIN}, {-FLT_MAX, FLT_MAX}, {1, -1e-30f}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int n = 1; n <= 1000000; n *= 10) {
            const int p = clump_azimuth_partition(odd[i][0], odd[i][1], n);
            CHECK(p >= 0 && p < n);
        }
}

/* `azimuth` finds the nearest point of the partitions that it searches; an independent implementation. */
static void azimuth_searches_its_window(void)
{
    uint64_t random = 75;
    clump_context *const ctx = cpu_context(2);
    for (int turn = 0; turn < 40; turn++) {
        const size_t count = check_random(&random) % MOST, asked = 200;
        clump_index_options o = clump_index_defaults();
        o.method = CLUMP_NN_AZIMUTH;
        o.partitions = turn % 4 == 0 ? 1 + turn / 4 : 300;
        o.window = turn % 3 * (turn / 3);
        for (size_t i = 0; i < 3 * count; i++) reference[i] = check_random_float(&random) - (turn % 5 ? 0.5f : 0);
        for (size_t i = 0; i < 3 * asked; i++) queries[i] = check_random_float(&random) - 0.5f;
        if (turn % 2) cloud_spoil(reference, count, 9, &random), cloud_spoil(queries, asked, 9, &random);
        const clump_points p = {.xyz = reference, .count = count}, q = {.xyz = queries, .count = asked};
        clump_index *index;
        CHECK_INT(clump_index_create(ctx, p, &o, &index), CLUMP_OK);
        CHECK_INT(clump_index_nearest(ctx, index, q, INFINITY, indices, distances), CLUMP_OK);
        for (size_t i = 0; i < asked; i++) {
            pair best = {INFINITY, -1};
            const float *const a = queries + 3 * i;
            for (int reach = o.window; best.index < 0 && reach <= o.window + o.partitions && is_finite(a); reach++) {
                for (size_t j = 0; j < count; j++) {
                    const float *const b = reference + 3 * j;
                    if (!is_finite(b)) continue;
                    int apart = abs(clump_azimuth_partition(a[0], a[1], o.partitions) -
                                    clump_azimuth_partition(b[0], b[1], o.partitions));
                    if (apart > o.partitions - apart) apart = o.partitions - apart;
                    const float d2 = clump_distance_squared(a[0], a[1], a[2], b[0], b[1], b[2]);
                    if (apart <= reach && d2 < best.d2) best = (pair){d2, (int32_t)j};
                }
            }
            CHECK_MSG(indices[i] == best.index && distances[i] == best.d2, "turn %d, query %zu: %d, expected %d", turn,
                      i, indices[i], best.index);
        }
        clump_index_destroy(index);
    }
    clump_context_destroy(ctx);
}

CHECK_PROGRAM(test_nn)
{
    RUN(against_all_pairs);
    RUN(queries_on_a_line);
    RUN(empty_and_small);
    RUN(large_clouds);
    RUN(copies);
    RUN(clumps_in_clumps);
    RUN(groups_far_apart);
    RUN(real_scans);
    RUN(azimuth_partitions);
    RUN(azimuth_searches_its_window);
}
