/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_nn_one.c: one query at a time, beside the comparison of all pairs: clouds of every shape, all k, bounds from nothing to
 * everything, too little room, and the order of the neighbours.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "common/key_sort.h"
#include "oracle/nn_oracle.h"
#include "oracle/oracle.h"

#include <clump/index.h>

#include <math.h>

enum { MOST = 3000 };

static float xyz[3 * MOST], queries[3 * 64];
static uint64_t keys[MOST], copy[MOST];

static int by_key(const void *a, const void *b)
{
    return nn_compare_keys(a, b);
}

/* Checks all calls for the queries of one index. */
static void compare(const clump_index *index, clump_points points, clump_points asked, float radius, const char *name)
{
    const answers a = nn_ask_oracle(points, asked, radius);
    const float bound = clump_distance_bound(radius);
    for (size_t i = 0; i < asked.count; i++) {
        const uint64_t *const expected = a.keys + a.offsets[i];
        const size_t n = (size_t)(a.offsets[i + 1] - a.offsets[i]);
        uint64_t *const sorted = nn_need(malloc((n + 1) * sizeof *sorted));
        memcpy(sorted, expected, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_key);
        size_t found = 99;
        for (int k = 1; k <= CLUMP_NN_MAX_K; k += 1 + k / 3) {
            const size_t least = n < (size_t)k ? n : (size_t)k;
            CHECK_INT(clump_index_knn_one(index, oracle_point(asked, i), k, bound, keys, &found), CLUMP_OK);
            CHECK_MSG(found == least && memcmp(keys, sorted, least * sizeof *keys) == 0, "%s, k %d", name, k);
        }
        CHECK_INT(clump_index_radius_one(index, oracle_point(asked, i), bound, true, keys, MOST, &found), CLUMP_OK);
        CHECK_MSG(found == n && memcmp(keys, sorted, n * sizeof *keys) == 0, "%s, sorted", name);
        memset(keys, 0xff, sizeof keys); /* exactly the room: nothing may be written behind it */
        CHECK_INT(clump_index_radius_one(index, oracle_point(asked, i), bound, false, keys, n, &found), CLUMP_OK);
        CHECK_INT(found, n);
        if (n < MOST) CHECK(keys[n] == UINT64_MAX);
        qsort(keys, n, sizeof *keys, by_key);
        CHECK_MSG(memcmp(keys, sorted, n * sizeof *keys) == 0, "%s, not sorted", name);
        CHECK_INT(clump_index_radius_one(index, oracle_point(asked, i), bound, true, NULL, 0, &found), CLUMP_OK);
        CHECK_INT(found, n);
        free(sorted);
    }
    free(a.offsets);
    free(a.keys);
}

static void against_all_pairs(void)
{
    clump_context *const ctx = cpu_context(1);
    uint64_t random = 1;
    for (int round = 0; round < check_rounds(60); round++) {
        const size_t n = 1 + check_random(&random) % (round % 4 ? 300 : MOST);
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const float d = cloud_fill(shape, xyz, n, &random);
        if (round % 5 == 0) cloud_spoil(xyz, n, 7, &random);
        for (size_t i = 0; i < 3 * 24; i++) queries[i] = xyz[(3 * (check_random(&random) % n) + i % 3)];
        for (size_t i = 36; i < 3 * 24; i++) queries[i] += d * (check_random_float(&random) - 0.5f);
        const clump_points points = {.xyz = xyz, .count = n}, asked = {.xyz = queries, .count = 24};
        clump_index *index;
        CHECK_INT(clump_index_create(ctx, points, NULL, &index), CLUMP_OK);
        compare(index, points, asked, d, cloud_name(shape));
        compare(index, points, asked, 5 * d, cloud_name(shape));
        compare(index, points, asked, 0, cloud_name(shape));
        compare(index, points, asked, INFINITY, cloud_name(shape));
        clump_index_destroy(index);
    }
    clump_context_destroy(ctx);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(1);
    for (size_t i = 0; i < 300; i++) xyz[i] = (float)i;
    const clump_points points = {.xyz = xyz, .count = 100};
    clump_index *index, *other;
    CHECK_INT(clump_index_create(ctx, points, NULL, &index), CLUMP_OK);
    size_t found;
    CHECK_INT(clump_index_knn_one(NULL, xyz, 1, 1, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, NULL, 1, 1, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, 0, 1, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, CLUMP_NN_MAX_K + 1, 1, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, 1, -1, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, 1, NAN, keys, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, 1, 1, NULL, &found), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_knn_one(index, xyz, 1, 1, keys, NULL), CLUMP_ERR_ARGUMENT);
    CHECK_INT(clump_index_radius_one(index, xyz, 1, true, NULL, 1, &found), CLUMP_ERR_ARGUMENT);
    const float wrong[3] = {0, NAN, 0};
    CHECK_INT(clump_index_knn_one(index, wrong, 3, 1, keys, &found), CLUMP_OK);
    CHECK_INT(found, 0);
    clump_index_options options = clump_index_defaults();
    options.method = CLUMP_NN_KDTREE;
    CHECK_INT(clump_index_create(ctx, points, &options, &other), CLUMP_OK);
    CHECK_INT(clump_index_knn_one(other, xyz, 1, 1, keys, &found), CLUMP_ERR_UNSUPPORTED);
    CHECK_INT(clump_index_rebuild(ctx, index, (clump_points){.count = 0}), CLUMP_OK);
    CHECK_INT(clump_index_radius_one(index, xyz, INFINITY, true, keys, MOST, &found), CLUMP_OK);
    CHECK_INT(found, 0);
    clump_index_destroy(index);
    clump_index_destroy(other);
    clump_context_destroy(ctx);
}

/* Keys in hard orders: sorted, reversed, all but equal distances, powers of two. */
static void sorting(void)
{
    uint64_t random = 3;
    for (size_t n = 0; n < MOST; n += 1 + n / 5)
        for (int order = 0; order < 5; order++) {
            for (size_t i = 0; i < n; i++) {
                const float d2 = order == 0   ? (float)i
                                 : order == 1 ? (float)(n - i)
                                 : order == 2 ? 1
                                 : order == 3 ? ldexpf(1, (int)(i % 200) - 100)
                                              : check_random_float(&random);
                keys[i] = (uint64_t)clump_float_bits(d2) << 32 | (order % 2 ? n - i : i);
            }
            memcpy(copy, keys, n * sizeof *keys);
            qsort(copy, n, sizeof *copy, by_key);
            const size_t k = order < 4 ? n : n / 3;
            if (n <= CLUMP_KEYS_SPREAD && order != 3 && n > 0) {
                uint64_t spread[CLUMP_KEYS_SPREAD];
                memcpy(spread, keys, n * sizeof *keys);
                clump_keys_spread(spread, n, order < 2 ? (float)n : 1);
                CHECK_MSG(memcmp(spread, copy, n * sizeof *keys) == 0, "%zu keys in order %d, spread", n, order);
            }
            clump_keys_sort(keys, n, k);
            CHECK_MSG(memcmp(keys, copy, k * sizeof *keys) == 0, "%zu keys in order %d", n, order);
        }
}

CHECK_PROGRAM(test_nn_one)
{
    RUN(against_all_pairs);
    RUN(wrong_arguments);
    RUN(sorting);
}
