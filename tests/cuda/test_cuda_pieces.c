/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cuda_pieces.c: clouds in pieces on the GPU: small limits of device memory, every option, against the CPU and the
 * oracles; pairs at the distance across sides of tiles; limits that are too small; failures of the CUDA runtime; and
 * clump_joint on CUDA contexts. Skipped where there is no GPU. CLUMP_TEST_SMALL makes it short enough for
 * compute-sanitizer.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "support/cut.h"
#include "support/on_gpu.h"
#include "oracle/oracle_dbscan.h"

#include "core/context.h"
#ifdef CLUMP_WITH_CUDA
#include "cuda/gpu/fault.h"

#include <cuda_runtime_api.h>
#endif

#include <clump/info.h>
#include <clump/joint.h>

#include <math.h>

enum {
    MOST = 20000,
    LEAST_LIMIT = 200000, /* bytes; tiles of about 300 points */
    LARGE = 1 << 20,
    LARGE_LIMIT = 64 << 20
};

static clump_context *cpu;
static float xyz[3 * MOST];
static uint8_t mask[MOST], expected_core[MOST], found_core[MOST];
static int32_t expected[MOST], found[MOST];

static clump_context *limited(size_t limit)
{
    clump_context_options options = clump_context_defaults();
    options.backend = CLUMP_BACKEND_CUDA, options.threads = 2, options.device_limit = limit;
    clump_context *ctx = NULL;
    if (clump_context_create(&options, &ctx) != CLUMP_OK) abort();
    return ctx;
}

/* ----- random clouds ------------------------------------------------------------------------------------------------ */

typedef struct random_case {
    uint64_t seed;
    size_t count, min_points; /* min_points 0: clump_ec */
    float d;
    clump_dbscan_options options;
    gpu_place place;
    size_t stride, limit;
} random_case;

static random_case make_case(uint64_t seed)
{
    uint64_t random = seed;
    random_case c = {.seed = seed};
    const cloud_shape shape = (cloud_shape)(check_random(&random) % CLOUD_SHAPES);
    const size_t most = gpu_small() > 1 ? 3000 : gpu_small() ? 6000 : MOST;
    c.count = 2500 + check_random(&random) % (most - 2500);
    c.d = cloud_fill(shape, xyz, c.count, &random);
    if (check_random(&random) % 3 == 0) cloud_spoil(xyz, c.count, 1 + check_random(&random) % 60, &random);
    c.options = clump_dbscan_defaults();
    cloud_dbscan_options(&c.options, mask, c.count, &random);
    if (c.options.common.two_d) cloud_spoil_z(xyz, c.count, &random);
    if (check_random(&random) % 5 < 3) c.min_points = cloud_min_points(60, &random);
    if (c.min_points == 0) c.options.no_border_points = false;
    c.place = check_random(&random) % 2 ? GPU_PAGEABLE : GPU_PINNED;
    c.stride = check_random(&random) % 2 ? 12 : 16 + 4 * (check_random(&random) % 4);
    c.limit = LEAST_LIMIT + check_random(&random) % LEAST_LIMIT;
    return c;
}

static clump_status call(clump_context *ctx, const random_case *c, clump_points points, const uint8_t *masked,
                         int32_t *labels, uint8_t *core, int32_t *on_device, int32_t *clusters)
{
    clump_dbscan_options o = c->options;
    o.core = core, o.common.mask = c->options.common.mask ? masked : NULL, o.common.clusters_on_device = on_device;
    if (c->min_points > 0) return clump_dbscan(ctx, points, c->d, c->min_points, &o, labels, clusters);
    clump_ec_options e = clump_ec_defaults();
    e.common.order = o.common.order, e.common.two_d = o.common.two_d, e.common.min_size = o.common.min_size,
    e.common.max_size = o.common.max_size;
    e.common.mask = o.common.mask, e.common.clusters_on_device = on_device;
    return clump_ec(ctx, points, c->d, &e, labels, clusters);
}

static size_t most_pieces, in_pieces, refusals;

/* Calls with the limit of the case, then with larger ones until the call succeeds. */
static void compare(random_case c)
{
    static char spread[MOST * 40];
    int32_t right = -1, clusters = -7, there = -7;
    const clump_points packed = {.xyz = xyz, .count = c.count};
    CHECK_INT(call(cpu, &c, packed, mask, expected, expected_core, NULL, &right), CLUMP_OK);
    const clump_stats wanted = clump_context_stats(cpu);
    clump_status status = CLUMP_ERR_OUT_OF_MEMORY;
    for (; status == CLUMP_ERR_OUT_OF_MEMORY && c.limit < 1u << 26; c.limit += c.limit / 2) {
        clump_context *const ctx = limited(c.limit), *const free_ctx = limited(0);
        gpu_cloud cloud = gpu_cloud_make(free_ctx, c.place, gpu_spread(spread, xyz, c.count, c.stride),
                                         c.options.common.mask ? mask : NULL);
        gpu_cloud_clear(free_ctx, &cloud);
        for (int again = 0; again < 2; again++) { /* the second time with memory that is there */
            status = call(ctx, &c, cloud.points, cloud.mask, cloud.labels, c.min_points ? cloud.core : NULL,
                          cloud.clusters, &clusters);
            if (status != CLUMP_OK) break;
            const clump_stats s = clump_context_stats(ctx);
            CHECK(gpu_cloud_fetch(free_ctx, &cloud, found, &there));
            size_t at = 0;
            while (at < c.count && found[at] == expected[at]) at++;
            CHECK_MSG(at == c.count, "seed %llu: point %zu of %zu has label %d, expected %d; %zu pieces, limit %zu",
                      (unsigned long long)c.seed, at, c.count, found[at], expected[at], s.pieces, c.limit);
            CHECK_MSG(clusters == right && there == right, "seed %llu: %d clusters, %d on the device, expected %d",
                      (unsigned long long)c.seed, clusters, there, right);
            CHECK_MSG(s.finite == wanted.finite && s.masked == wanted.masked && s.noise == wanted.noise,
                      "seed %llu: %zu finite, %zu masked, %zu noise, expected %zu, %zu, %zu",
                      (unsigned long long)c.seed, s.finite, s.masked, s.noise, wanted.finite, wanted.masked,
                      wanted.noise);
            if (c.min_points) {
                CHECK(gpu_cloud_fetch_core(free_ctx, &cloud, found_core));
                CHECK_MSG(memcmp(found_core, expected_core, c.count) == 0, "seed %llu: core flags",
                          (unsigned long long)c.seed);
            }
            CHECK_MSG(s.device_bytes <= c.limit, "%zu bytes of device memory, the limit is %zu", s.device_bytes,
                      c.limit);
            most_pieces = s.pieces > most_pieces ? s.pieces : most_pieces;
            in_pieces += s.pieces > 1;
        }
        if (status != CLUMP_OK) {
            const char *const said = clump_context_error(ctx);
            CHECK_MSG(status == CLUMP_ERR_OUT_OF_MEMORY && strlen(said) > 30 && !strchr(said, '\n'),
                      "seed %llu: status %d: \"%s\"", (unsigned long long)c.seed, (int)status, said);
            refusals++;
        }
        gpu_cloud_free(free_ctx, &cloud);
        clump_context_destroy(ctx);
        clump_context_destroy(free_ctx);
    }
    CHECK_MSG(status == CLUMP_OK, "seed %llu: no limit was enough", (unsigned long long)c.seed);
}

static void random_clouds(void)
{
    const uint64_t clouds = gpu_small() > 1 ? 2 : gpu_small() ? 6 : check_tier() == 3 ? 2000 : 150;
    for (uint64_t seed = 1; seed <= clouds && check_failures < 10; seed++) compare(make_case(seed));
    printf("in pieces: %zu calls, up to %zu pieces; %zu limits were too small\n", in_pieces, most_pieces, refusals);
    if (!gpu_small()) CHECK(in_pieces > 100 && most_pieces >= 40 && refusals > 10);
}

/* ----- at the boundary ----------------------------------------------------------------------------------------------- */

/* Pairs of points at exactly d, or a float less, along every axis: many cross the side of a tile. */
static void pairs_at_the_distance(void)
{
    const size_t n = gpu_small() ? 2000 : MOST;
    for (int round = 0; round < (gpu_small() ? 2 : 12); round++) {
        const int axis = round % 3;
        random_case c = {.seed = (uint64_t)round, .count = n, .d = 0.3f + 0.07f * (float)round, .stride = 12};
        c.min_points = round / 3 % 2 ? 2 : 0, c.options = clump_dbscan_defaults(), c.limit = LEAST_LIMIT;
        const float origin = round / 6 ? 3000.0f : -3.0f;
        for (size_t k = 0; 2 * k + 2 <= n; k++) {
            float *const a = xyz + 6 * k, *const b = a + 3;
            for (int e = 0; e < 3; e++)
                a[e] = b[e] = origin + (e == (axis + 1) % 3 ? 2.9f * c.d * (float)(k / 100) : 0);
            a[axis] = origin + (float)(k % 100) * 2.37f * c.d;
            float beyond = a[axis] + c.d;
            while (beyond - a[axis] > c.d) beyond = nextafterf(beyond, -INFINITY);
            b[axis] = k % 2 ? beyond : nextafterf(beyond, -INFINITY);
        }
        compare(c);
    }
}

/* ----- larger clouds -------------------------------------------------------------------------------------------------- */

static void a_million_points_in_64_megabytes(void)
{
    if (gpu_small()) SKIP(DO_UNWATCHED);
    float *const cloud = malloc(3 * (size_t)LARGE * sizeof *cloud);
    int32_t *const right = malloc(2 * (size_t)LARGE * sizeof *right), *const labels = right + LARGE;
    if (!cloud || !right) abort();
    uint64_t random = 5;
    for (size_t i = 0; i < LARGE; i++) {
        cloud[3 * i] = (float)(check_random(&random) % 400000) * 1e-3f;
        cloud[3 * i + 1] = (float)(check_random(&random) % 400000) * 1e-3f;
        cloud[3 * i + 2] = (float)(check_random(&random) % 1000) * 1e-3f;
    }
    const clump_points points = {.xyz = cloud, .count = LARGE};
    clump_context *const ctx = limited(LARGE_LIMIT);
    int32_t clusters, wanted;
    CHECK_INT(clump_ec(cpu, points, 0.25f, NULL, right, &wanted), CLUMP_OK);
    CHECK_MSG(clump_ec(ctx, points, 0.25f, NULL, labels, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK(clusters == wanted && memcmp(labels, right, LARGE * sizeof *labels) == 0);
    CHECK(clump_context_stats(ctx).pieces >= 4 && clump_context_stats(ctx).device_bytes <= LARGE_LIMIT);
    CHECK_INT(clump_dbscan(cpu, points, 0.4f, 5, NULL, right, &wanted), CLUMP_OK);
    CHECK_MSG(clump_dbscan(ctx, points, 0.4f, 5, NULL, labels, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK(clusters == wanted && memcmp(labels, right, LARGE * sizeof *labels) == 0);
    CHECK(clump_context_stats(ctx).pieces >= 4);
    /* a smaller cloud goes at once, and the large one again */
    const clump_points few = {.xyz = cloud, .count = 100000};
    CHECK_INT(clump_ec(cpu, few, 0.25f, NULL, right, &wanted), CLUMP_OK);
    CHECK_MSG(clump_ec(ctx, few, 0.25f, NULL, labels, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK(clusters == wanted && memcmp(labels, right, few.count * sizeof *labels) == 0);
    CHECK_INT(clump_context_stats(ctx).pieces, 1);
    CHECK_MSG(clump_context_reserve(ctx, LARGE) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK_INT(clump_ec(cpu, points, 0.25f, NULL, right, &wanted), CLUMP_OK);
    CHECK_MSG(clump_ec(ctx, points, 0.25f, NULL, labels, &clusters) == CLUMP_OK, "%s", clump_context_error(ctx));
    CHECK(clusters == wanted && memcmp(labels, right, LARGE * sizeof *labels) == 0);
    clump_context_destroy(ctx);
    free(cloud), free(right);
}

/* ----- refusals ---------------------------------------------------------------------------------------------------------- */

static void expect_refusal(clump_context *ctx, clump_status status, const char *words)
{
    const char *const said = clump_context_error(ctx);
    CHECK_MSG(status == CLUMP_ERR_OUT_OF_MEMORY && strstr(said, words) && !strchr(said, '\n'), "status %d: \"%s\"",
              (int)status, said);
}

static void limits_that_are_too_small(void)
{
    uint64_t random = 9;
    const float d = cloud_fill(CLOUD_UNIFORM, xyz, MOST, &random);
    const clump_points points = {.xyz = xyz, .count = MOST};
    clump_context *ctx = limited(50000);
    expect_refusal(ctx, clump_ec(ctx, points, d, NULL, found, NULL), "need at least");
    clump_context_destroy(ctx);
    ctx = limited(LEAST_LIMIT);
    for (size_t k = 0; k < 3 * (size_t)MOST; k++) xyz[k] = 1;
    expect_refusal(ctx, clump_ec(ctx, points, 0.1f, NULL, found, NULL), "too close together");
    clump_ec_options o = clump_ec_defaults();
    o.common.eps_per_metre = 0.1f;
    expect_refusal(ctx, clump_ec(ctx, points, d, &o, found, NULL), "the limit is");
    o = clump_ec_defaults(), o.method = CLUMP_EC_EDGE_RS;
    expect_refusal(ctx, clump_ec(ctx, points, 0.1f, &o, found, NULL), "the limit is");
    clump_context_destroy(ctx);
}

/* ----- failures of the runtime ------------------------------------------------------------------------------------------- */

static void every_runtime_call_fails(void)
{
#ifdef CLUMP_WITH_CUDA
    const size_t n = 4000;
    for (int density = 0; density < 2; density++) {
        uint64_t random = 11;
        random_case c = {.count = n, .min_points = density ? 3 : 0, .options = clump_dbscan_defaults()};
        c.d = cloud_fill(CLOUD_JITTER, xyz, n, &random);
        if (density) c.d /= 2; /* the rim of DBSCAN is twice as wide */
        const clump_points points = {.xyz = xyz, .count = n};
        int32_t right, clusters;
        CHECK_INT(call(cpu, &c, points, NULL, expected, NULL, NULL, &right), CLUMP_OK);
        clump_context *const ctx = limited(400000);
        CHECK_MSG(call(ctx, &c, points, NULL, found, NULL, NULL, &clusters) == CLUMP_OK, "%s",
                  clump_context_error(ctx));
        CHECK(clump_context_stats(ctx).pieces > 1 && memcmp(found, expected, n * sizeof *found) == 0);
        long failed = 0, at = 0;
        for (int good = 0; at < 20000 && good < 3 && check_failures < 10; at += gpu_small() ? 37 : 1 + at / 40) {
            if (at % 3 == 0) clump_context_trim(ctx);
            memset(found, 0x77, sizeof found);
            clump_cuda_fail_after(ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state, at,
                                  (int)cudaErrorLaunchFailure);
            clump_status status = call(ctx, &c, points, NULL, found, NULL, NULL, &clusters);
            clump_cuda_fail_after(ctx->backends[CLUMP_BACKEND_CUDA - CLUMP_BACKEND_CPU].state, 0, (int)cudaSuccess);
            if (status != CLUMP_OK) {
                CHECK_MSG(status == CLUMP_ERR_DEVICE && strlen(clump_context_error(ctx)) > 15, "call %ld: %d: %s", at,
                          (int)status, clump_context_error(ctx));
                status = call(ctx, &c, points, NULL, found, NULL, NULL, &clusters);
                failed++, good = 0;
            } else {
                good++;
            }
            CHECK_MSG(status == CLUMP_OK && clusters == right && memcmp(found, expected, n * sizeof *found) == 0,
                      "after a failure at call %ld: %s", at, clump_context_error(ctx));
        }
        CHECK_MSG(failed > (gpu_small() ? 3 : 20), "%ld calls failed", failed);
        clump_context_destroy(ctx);
    }
#endif
}

/* ----- clump_joint --------------------------------------------------------------------------------------------------------- */

static void check_joint(clump_context *gpu, uint64_t seed)
{
    enum { FEW = 400 };
    uint64_t random = seed;
    clump_joint_settings s = clump_joint_defaults();
    const size_t n = 1 + check_random(&random) % FEW;
    s.d = cloud_fill((cloud_shape)(check_random(&random) % CLOUD_SHAPES), xyz, n, &random);
    clump_dbscan_options o = clump_dbscan_defaults();
    cloud_dbscan_options(&o, mask, n, &random);
    o.common.mask = NULL;
    s.two_d = o.common.two_d, s.order = o.common.order, s.min_size = o.common.min_size, s.max_size = o.common.max_size;
    s.min_points = check_random(&random) % 4 ? cloud_min_points(n, &random) : 0;
    s.no_border_points = s.min_points > 0 && o.no_border_points;
    o.no_border_points = s.no_border_points;
    random_case c = {.count = n, .min_points = s.min_points, .d = s.d, .options = o};
    int32_t right = -1;
    CHECK_INT(call(cpu, &c, (clump_points){.xyz = xyz, .count = n}, NULL, expected, NULL, NULL, &right), CLUMP_OK);
    cut pieces = cut_make((cut_kind)(seed % CUT_KINDS), xyz, n, &s, 0, false, &random);
    const gpu_place place = (gpu_place)(seed % GPU_PLACES);
    clump_joint *joint = NULL;
    CHECK_INT(clump_joint_create(gpu, &s, &joint), CLUMP_OK);
    static float points[3 * FEW];
    static int64_t indices[FEW], labels[FEW];
    for (int p = 0; p < pieces.pieces; p++) {
        cut_copy(&pieces, p, xyz, 1, 0, points, indices);
        gpu_cloud cloud = gpu_cloud_make(gpu, place, (clump_points){.xyz = points, .count = pieces.count[p]}, NULL);
        CHECK_MSG(clump_joint_add(gpu, joint, cloud.points, pieces.own[p], indices, NULL) == CLUMP_OK, "seed %llu: %s",
                  (unsigned long long)seed, clump_context_error(gpu));
        gpu_cloud_free(gpu, &cloud);
    }
    int64_t clusters = -1;
    CHECK_INT(clump_joint_finish(gpu, joint, &clusters), CLUMP_OK);
    CHECK_INT(clusters, right);
    for (int p = 0; p < pieces.pieces; p++) {
        CHECK_INT(clump_joint_labels(gpu, joint, p, labels), CLUMP_OK);
        for (size_t k = 0; k < pieces.own[p]; k++)
            CHECK_MSG(labels[k] == expected[pieces.members[p][k]], "seed %llu: point %zu has label %lld, expected %d",
                      (unsigned long long)seed, pieces.members[p][k], (long long)labels[k],
                      expected[pieces.members[p][k]]);
    }
    clump_joint_destroy(joint);
    cut_free(&pieces);
}

static void joints_on_the_gpu(void)
{
    clump_context *const gpu = gpu_context(CLUMP_BACKEND_CUDA, NULL);
    const uint64_t clouds = gpu_small() > 1 ? 3 : gpu_small() ? 10 : check_tier() == 3 ? 3000 : 300;
    for (uint64_t seed = 1; seed <= clouds && check_failures < 10; seed++) check_joint(gpu, seed);
    clump_context_destroy(gpu);
}

CHECK_PROGRAM(test_cuda_pieces)
{
    if (gpu_skip("test_cuda_pieces")) return;
    cpu = gpu_context(CLUMP_BACKEND_CPU, NULL);
    RUN(joints_on_the_gpu);
    RUN(random_clouds);
    RUN(pairs_at_the_distance);
    RUN(a_million_points_in_64_megabytes);
    RUN(limits_that_are_too_small);
    RUN(every_runtime_call_fails);
    clump_context_destroy(cpu);
    CHECK(gpu_reset());
}
