/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_memory.c: all memory comes from the caller's allocator, a warm call takes none, all is returned, and out of
 * memory is an error with a message. The allocator (calls.h) counts, checks releases, fails on demand and fills memory
 * with garbage.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 10000 };

/* A bit of everything: crowds that miss each other, copies, a scan, loners that make the tables grow. */
static void fill_mixed(float *xyz, size_t count, uint64_t *random)
{
    const size_t part = count / 4;
    cloud_fill(CLOUD_SCAN, xyz, part, random);
    cloud_fill(CLOUD_EQUAL, xyz + 3 * part, part / 4, random);
    for (size_t i = part + part / 4; i < count; i++) {
        float *const p = xyz + 3 * i;
        for (size_t k = 0; k < 3; k++) p[k] = 500 * check_random_float(random);
        if (i % 3 == 0)
            p[0] = 40 + check_random_float(random), p[1] = i % 2 ? 0.7f : 0.0f, p[2] = check_random_float(random);
    }
    xyz[3] = NAN;
}

static float xyz[3 * MOST];
static int32_t labels[MOST], expected[MOST], offsets[MOST + 1], members[MOST];
static clump_cluster clusters[MOST];

/* ----- warm calls -------------------------------------------------------------------------------- */

/* A clustering, and all calls that use its labels. */
static void call_all(clump_context *ctx, clump_points points, float d, const clump_ec_options *o)
{
    int32_t n = 0;
    CHECK_INT(clump_ec(ctx, points, d, o, labels, &n), CLUMP_OK);
    CHECK_INT(clump_describe(ctx, points, labels, n, NULL, clusters), CLUMP_OK);
    CHECK_INT(clump_group(ctx, labels, points.count, CLUMP_PLACE_HOST, n, offsets, members), CLUMP_OK);
}

#define METHODS cpu_method_count(&clump_ec_methods)

static void warm_calls_take_nothing(void)
{
    uint64_t random = 61;
    const int each = METHODS + 4,
              turns = (CLOUD_WATCHED ? 4 : each) * CLOUD_SHAPES; /* `fast` five times, the others once */
    for (int turn = 0; turn < turns; turn++) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, turn % 4 == 3 ? 2 : 1, &ctx), CLUMP_OK);
        const cloud_shape shape = (cloud_shape)(turn / each);
        const int k = turn % each;
        const clump_ec_method method = (clump_ec_method)cpu_method(&clump_ec_methods, k < 4 ? 0 : k - 4);
        const bool crowded = shape == CLOUD_EQUAL || shape == CLOUD_COPIES || shape == CLOUD_SLABS;
        size_t count = turn % 4 == 3 ? MOST : 3000;
        const bool linear = clump_ec_methods.rows[method].cost == CLUMP_COST_LINEAR;
        if (method != CLUMP_EC_FAST) count = crowded ? 600 : linear ? 3000 : 1500;
        const float d = cloud_fill(shape, xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_ec_options o = clump_ec_defaults();
        o.method = method;
        o.common.order = turn % 8 < 4 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        call_all(ctx, points, d, &o);
        const long taken = c.calls;
        for (int again = 0; again < 4; again++) call_all(ctx, points, d, &o);
        CHECK_MSG(c.calls == taken, "%s, %s, %zu points: %ld allocations by warm calls", cloud_name(shape),
                  clump_ec_method_name(o.method), count, c.calls - taken);
        CHECK_INT(c.bytes > clump_context_stats(ctx).host_bytes, true); /* and the context itself */
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

/* Loners, 3 d apart, then copies of them: any number of cells for the same number of points. However
 * full the tables were after the first call, the second must find them large enough. */
static void warm_whatever_the_tables(void)
{
    const size_t count = 4000;
    for (size_t places = 20; places <= count; places += places / 9 + 1) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
        for (size_t i = 0; i < count; i++) {
            const size_t place = i % places;
            xyz[3 * i] = 3 * (float)(place % 20), xyz[3 * i + 1] = 3 * (float)(place / 20), xyz[3 * i + 2] = 0;
        }
        const clump_points points = {.xyz = xyz, .count = count};
        int32_t n = 0;
        CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, &n), CLUMP_OK);
        CHECK_INT(n, places);
        const long taken = c.calls;
        for (int again = 0; again < 3; again++) CHECK_INT(clump_ec(ctx, points, 1, NULL, labels, &n), CLUMP_OK);
        CHECK_MSG(c.calls == taken, "%zu cells: %ld allocations by warm calls", places, c.calls - taken);
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

/* As many crowds as there can be of `size` points each, in pairs that miss each other. */
static size_t fill_crowds(size_t size)
{
    const size_t crowds = MOST / size, count = crowds * size;
    for (size_t i = 0; i < count; i++) {
        const size_t crowd = i / size;
        xyz[3 * i] = 3 * (float)(crowd / 2) + 1e-4f * (float)(i % 100);
        xyz[3 * i + 1] = crowd % 2 ? 1.02f : 0, xyz[3 * i + 2] = 0;
    }
    return count;
}

/* After clump_context_reserve no cloud up to that size allocates. */
static void reserved_is_enough(void)
{
    uint64_t random = 62;
    for (int threads = 1; threads <= 2; threads++) {
        counter c = {.fail_from = -1};
        clump_context *const ctx = reserved_context(&c, threads, MOST);
        const long taken = c.calls;
        for (int turn = 0; turn < cloud_rounds(CLOUD_WATCHED ? 30 : 50); turn++) {
            const cloud_shape shape = (cloud_shape)(turn % CLOUD_SHAPES);
            size_t count = turn % 2 ? MOST : check_random(&random) % (MOST + 1);
            float d = cloud_fill(shape, xyz, count, &random);
            if (turn % 3 == 0)
                count = fill_crowds(2 + (size_t)turn * 2), d = 1;
            else if (turn % 7 == 0)
                d = turn % 2 ? 0x1p-63f : 0x1.fffffep63f; /* as many cells as can be, and one */
            clump_ec_options o = clump_ec_defaults();
            o.common.order = turn % 4 < 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
            o.common.two_d = turn % 5 == 0;
            CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = count}, d, &o, labels, NULL), CLUMP_OK);
            CHECK_MSG(c.calls == taken, "%s, %zu points, d %.9g, %d threads: %ld allocations", cloud_name(shape), count,
                      (double)d, threads, c.calls - taken);
            if (c.calls != taken) break;
        }
        CHECK_INT(clump_context_reserve(ctx, 100), CLUMP_OK); /* less: nothing to do */
        CHECK_INT(clump_context_reserve(ctx, 0), CLUMP_OK);
        CHECK_INT(c.calls, taken);
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

static void trim_gives_back(void)
{
    uint64_t random = 63;
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
    CHECK_INT(clump_ec(ctx, (clump_points){0}, 0.5f, NULL, NULL, NULL),
              CLUMP_OK); /* the backend's state is there now */
    clump_context_trim(ctx);
    const size_t bare = c.bytes;
    fill_mixed(xyz, MOST, &random);
    clump_ec_options o = clump_ec_defaults();
    o.common.order = CLUMP_ORDER_SIZE;
    for (int turn = 0; turn < 2 * METHODS; turn++) {
        o.method = (clump_ec_method)cpu_method(&clump_ec_methods, turn);
        const bool linear = clump_ec_methods.rows[o.method].cost == CLUMP_COST_LINEAR;
        const clump_points some = {.xyz = xyz, .count = linear ? MOST : 1500};
        int32_t n = 0;
        CHECK_INT(clump_ec(ctx, some, 0.5f, &o, labels, &n), CLUMP_OK);
        CHECK_INT(clump_describe(ctx, some, labels, n, NULL, clusters), CLUMP_OK);
        CHECK(clump_context_stats(ctx).passes > 0); /* matrix-*: both matrices are in use */
        CHECK(clump_context_stats(ctx).host_bytes > 0);
        CHECK(clump_context_stats(ctx).host_bytes <= c.bytes);
        clump_context_trim(ctx);
        clump_context_trim(ctx);
        CHECK_INT(clump_context_stats(ctx).host_bytes, 0);
        CHECK_MSG(c.bytes == bare, "%zu bytes left, %zu without scratch memory", c.bytes, bare);
    }
    clump_context_destroy(ctx);
    CHECK_INT(c.live, 0);
}

/* Scratch memory is linear: at most 64 bytes per point, and a constant. */
static void scratch_is_small(void)
{
    uint64_t random = 64;
    for (int turn = 0; turn < CLOUD_SHAPES; turn++) {
        clump_context *ctx;
        counter c = {.fail_from = -1};
        CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
        const float d = cloud_fill((cloud_shape)turn, xyz, MOST, &random);
        CHECK_INT(clump_ec(ctx, (clump_points){.xyz = xyz, .count = MOST}, d, NULL, labels, NULL), CLUMP_OK);
        const size_t held = clump_context_stats(ctx).host_bytes;
        CHECK_MSG(held <= 64 * MOST + 65536, "%s: %zu bytes for %d points", cloud_name((cloud_shape)turn), held, MOST);
        clump_context_destroy(ctx);
    }
}

/* ----- no memory left ----------------------------------------------------------------------------- */

typedef struct job {
    clump_points points;
    float d;
    clump_ec_options options;
    int32_t found;
} job;

/* Creates, uses and destroys a context. small_first: buffers exist and must grow. Returns the first failure. A
 * context that has failed must succeed once there is memory. */
static clump_status live(counter *c, const job *j, int threads, bool small_first, bool reserve)
{
    clump_context *ctx = (clump_context *)(void *)xyz;
    clump_status status = counted_context(c, threads, &ctx);
    if (status != CLUMP_OK) {
        CHECK(ctx == NULL && c->live == 0);
        return status;
    }
    int32_t n = -1;
    clump_points few = j->points;
    few.count = few.count < 50 ? few.count : 50;
    if (small_first) status = clump_ec(ctx, few, j->d, &j->options, labels, &n);
    if (status == CLUMP_OK && reserve) status = clump_context_reserve(ctx, j->points.count);
    if (status == CLUMP_OK) status = clump_ec(ctx, j->points, j->d, &j->options, labels, &n);
    if (status == CLUMP_OK) status = clump_describe(ctx, j->points, labels, n, NULL, clusters);
    if (status == CLUMP_OK) status = clump_group(ctx, labels, j->points.count, CLUMP_PLACE_HOST, n, offsets, members);
    if (status != CLUMP_OK) {
        CHECK(strstr(clump_context_error(ctx), "memory"));
        c->fail_from = -1;
        if (c->calls % 2) clump_context_trim(ctx); /* a context in any state can be trimmed */
        CHECK_INT(clump_ec(ctx, j->points, j->d, &j->options, labels, &n), CLUMP_OK);
        CHECK_TEXT(clump_context_error(ctx), "");
        CHECK_INT(clump_describe(ctx, j->points, labels, n, NULL, clusters), CLUMP_OK);
    }
    CHECK(n == j->found && memcmp(labels, expected, j->points.count * sizeof *labels) == 0);
    clump_context_destroy(ctx);
    CHECK_INT(c->live, 0);
    return status;
}

static void every_allocation_fails(void)
{
    uint64_t random = 65;
    fill_mixed(xyz, MOST, &random);
    for (int turn = 0; turn < 24 + 2 * METHODS; turn++) { /* `fast` and `bfs`, then all */
        job j = {.points = {.xyz = xyz, .count = turn % 2 ? MOST : 900}, .d = 0.5f, .options = clump_ec_defaults()};
        j.options.method = turn / 2 % 3 == 2 ? CLUMP_EC_BFS : CLUMP_EC_FAST;
        if (turn >= 24)
            j.options.method = (clump_ec_method)cpu_method(&clump_ec_methods, (turn - 24) / 2),
            j.points.count = turn % 2 ? 1500 : 900;
        j.options.common.order = turn / 12 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        j.options.common.min_size = turn / 12 ? 2 : 1;
        const int threads = turn / 2 % 3 == 1 ? 2 : 1;
        const bool small_first = turn / 6 % 2, once = turn / 6 % 2 == 0, reserve = turn % 6 == 4;
        j.found = oracle_ec(j.points, j.d, &j.options, expected);
        long failures = 0;
        for (long k = 0; k < 1000; k++) {
            counter c = {.fail_from = k, .once = once};
            const clump_status status = live(&c, &j, threads, small_first, reserve);
            if (!c.failed) {
                CHECK_INT(status, CLUMP_OK);
                break;
            }
            CHECK_MSG(status == CLUMP_ERR_OUT_OF_MEMORY, "turn %d, allocation %ld: status %d", turn, k, (int)status);
            failures++;
        }
        CHECK_MSG(failures > 4 && failures < 500, "turn %d: %ld", turn, failures);
    }
}

/* The message names the list or matrix that cannot be allocated, and its bytes; the context stays usable. */
static void refusals_name_the_need(void)
{
    static const struct {
        clump_ec_method method;
        const char *text;
    } refusals[] = {
        {CLUMP_EC_VERTEX_ES, "vertex-es needs 16.0 MB of memory for 3998000 neighbours, which cannot be had"},
        {CLUMP_EC_VERTEX_RS, "vertex-rs needs 16.0 MB of memory for 3998000 neighbours, which cannot be had"},
        {CLUMP_EC_EDGE_ES, "edge-es needs 16.0 MB of memory for 1999000 edges, which cannot be had"},
        {CLUMP_EC_EDGE_RS, "edge-rs needs 16.0 MB of memory for 1999000 edges, which cannot be had"},
        {CLUMP_EC_MATRIX_ES,
         "matrix-es needs 512.0 kB of memory for 2000 labels with a bit for each pair of them, which cannot be had"},
        {CLUMP_EC_MATRIX_RS,
         "matrix-rs needs 512.0 kB of memory for 2000 labels with a bit for each pair of them, which cannot be had"},
    };
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        const bool lonely = strstr(refusals[k].text, "labels") != NULL; /* then every point keeps a label */
        for (size_t i = 0; i < 2000; i++) xyz[3 * i] = lonely ? 2 * (float)i : 1, xyz[3 * i + 1] = xyz[3 * i + 2] = 0;
        counter c = {.fail_from = -1, .limit = 400000};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
        clump_ec_options o = clump_ec_defaults();
        o.method = refusals[k].method;
        clump_points points = {.xyz = xyz, .count = 2000};
        CHECK_INT(clump_ec(ctx, points, 1, &o, labels, NULL), CLUMP_ERR_OUT_OF_MEMORY);
        CHECK_TEXT(clump_context_error(ctx), refusals[k].text);
        int32_t n = 0;
        points.count = 200; /* as much as there is memory for */
        CHECK_INT(clump_ec(ctx, points, 1, &o, labels, &n), CLUMP_OK);
        CHECK_INT(n, lonely ? 200 : 1);
        CHECK_TEXT(clump_context_error(ctx), "");
        o.method = CLUMP_EC_FAST, points.count = 2000;
        CHECK_INT(clump_ec(ctx, points, 1, &o, labels, &n), CLUMP_OK);
        CHECK_INT(n, lonely ? 2000 : 1);
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

/* More than the address space: the sum of sizes must not wrap around to a small number. */
static void reserve_without_end(void)
{
    counter c = {.fail_from = 2}; /* the context and the state of its backend */
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    CHECK_INT(clump_context_reserve(ctx, INT32_MAX), CLUMP_ERR_OUT_OF_MEMORY);
    CHECK(strstr(clump_context_error(ctx), "bytes of memory"));
    c.fail_from = -1;
    CHECK_INT(clump_context_reserve(ctx, 1000), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
    CHECK_INT(c.live, 0);
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(warm_calls_take_nothing);
    RUN(warm_whatever_the_tables);
    RUN(reserved_is_enough);
    RUN(trim_gives_back);
    RUN(scratch_is_small);
    RUN(every_allocation_fails);
    RUN(refusals_name_the_need);
    RUN(reserve_without_end);
    return CHECK_END();
}
