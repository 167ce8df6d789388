/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_dbscan_memory.c: clump_dbscan and the caller's allocator, as test_memory.c for clump_ec: all memory comes from
 * it, a warm call takes none, all is returned, and out of memory is an error with a message.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "support/papers.h"
#include "oracle/oracle_dbscan.h"

#include <clump/info.h>
#include <clump/papers.h>

enum { MOST = 12500, FEW = 2500 };

#define METHODS cpu_method_count(&clump_dbscan_methods)

static void destroy(clump_context *ctx, const counter *c)
{
    clump_context_destroy(ctx);
    CHECK(c->live == 0 && c->bytes == 0);
}

static float xyz[3 * MOST];
static int32_t labels[MOST], expected[MOST];
static uint8_t core[MOST], expected_core[MOST];

static void warm_calls_take_nothing(void)
{
    uint64_t random = 51;
    for (int turn = 0; turn < METHODS * CLOUD_SHAPES; turn++) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        const int threads = turn / METHODS % 3 + 1;
        CHECK_INT(counted_context(&c, threads, &ctx), CLUMP_OK);
        const cloud_shape shape = (cloud_shape)(turn / METHODS);
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)cpu_method(&clump_dbscan_methods, turn);
        const bool crowded = shape == CLOUD_EQUAL || shape == CLOUD_COPIES || shape == CLOUD_SLABS;
        const size_t count = o.method == CLUMP_DBSCAN_FAST ? MOST : crowded ? 600 : FEW;
        const float d = cloud_fill(shape, xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        o.common.order = turn % 8 < 4 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        o.core = turn % 3 ? core : NULL;
        CHECK_INT(clump_dbscan(ctx, points, d, 5, &o, labels, NULL), CLUMP_OK);
        const long taken = c.calls;
        for (int again = 0; again < 4; again++) CHECK_INT(clump_dbscan(ctx, points, d, 5, &o, labels, NULL), CLUMP_OK);
        CHECK_MSG(c.calls == taken, "%s, %s, %zu points: %ld allocations by warm calls", cloud_name(shape),
                  clump_dbscan_method_name(o.method), count, c.calls - taken);
        CHECK(c.bytes > clump_context_stats(ctx).host_bytes); /* and the context itself */
        if (o.method == CLUMP_DBSCAN_FAST)
            CHECK_MSG(clump_context_stats(ctx).host_bytes <= 80 * count + 65536 * ((size_t)threads + 1),
                      "%s: %zu bytes for %zu points", cloud_name(shape), clump_context_stats(ctx).host_bytes, count);
        destroy(ctx, &c);
    }
}

/* The memory of dclust follows chains and seeds. Smaller sizes, and the same ones again, allocate nothing. */
static void dclust_memory_follows(void)
{
    static const int sizes[][2] = {{1024, 65536}, {1024, 65536}, {1, 1}, {0, 0}, {1, 65536}, {1024, 1}};
    uint64_t random = 56;
    const float d = cloud_fill(CLOUD_SCAN, xyz, FEW, &random);
    const clump_points points = {.xyz = xyz, .count = FEW};
    counter c = {.fail_from = -1}, small = {.fail_from = -1};
    clump_context *ctx, *lean;
    CHECK_INT(counted_context(&c, 1, &ctx), CLUMP_OK);
    CHECK_INT(counted_context(&small, 1, &lean), CLUMP_OK);
    clump_dbscan_options o = clump_dbscan_defaults();
    o.method = CLUMP_DBSCAN_DCLUST;
    long taken = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        PAPERS(o)->dclust_chains = sizes[k][0], PAPERS(o)->dclust_seeds = sizes[k][1];
        CHECK_INT(clump_dbscan(ctx, points, d, 5, &o, labels, NULL), CLUMP_OK);
        if (k == 0) taken = c.calls;
    }
    CHECK_MSG(c.calls == taken, "%ld allocations by warm calls", c.calls - taken);
    PAPERS(o)->dclust_chains = 1, PAPERS(o)->dclust_seeds = 1;
    CHECK_INT(clump_dbscan(lean, points, d, 5, &o, labels, NULL), CLUMP_OK);
    /* 1024 lists, none longer than the cloud, beside one list of one seed */
    const size_t lists = 1024 * (size_t)FEW * sizeof(uint32_t);
    CHECK(clump_context_stats(ctx).host_bytes > clump_context_stats(lean).host_bytes + lists);
    CHECK(clump_context_stats(ctx).host_bytes < clump_context_stats(lean).host_bytes + lists + lists / 8);
    destroy(ctx, &c);
    destroy(lean, &small);
}

/* Both jobs in turn on one context: once warm for both, neither allocates. */
static void shared_contexts_stay_warm(void)
{
    uint64_t random = 52;
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
    const float d = cloud_fill(CLOUD_UNIFORM, xyz, FEW, &random);
    const clump_points points = {.xyz = xyz, .count = FEW};
    clump_dbscan_options o = clump_dbscan_defaults();
    o.common.order = CLUMP_ORDER_SIZE;
    long taken = 0;
    uint64_t hash = 0;
    for (int round = 0; round < 6; round++) {
        if (round == 1) taken = c.calls;
        CHECK_INT(clump_ec(ctx, points, d, NULL, labels, NULL), CLUMP_OK);
        FOR_CPU_METHODS (method, clump_dbscan_methods) {
            o.method = (clump_dbscan_method)method;
            CHECK_INT(clump_dbscan(ctx, points, d, 4, &o, labels, NULL), CLUMP_OK);
            if (round + method == 0) hash = clump_labels_hash(labels, FEW);
            CHECK(clump_labels_hash(labels, FEW) == hash);
        }
    }
    CHECK_MSG(c.calls == taken, "%ld allocations by warm calls", c.calls - taken);
    destroy(ctx, &c);
}

/* After clump_context_reserve no cloud up to that size allocates. */
static void reserved_is_enough(void)
{
    uint64_t random = 53;
    static const size_t least[] = {1, 2, 5, 10, 100, 20000};
    for (int threads = 1; threads <= 2; threads++) {
        counter c = {.fail_from = -1};
        clump_context *const ctx = reserved_context(&c, threads, MOST);
        const long taken = c.calls;
        for (int turn = 0; turn < cloud_rounds(CLOUD_WATCHED ? 20 : 96); turn++) {
            const cloud_shape shape = (cloud_shape)(turn % CLOUD_SHAPES);
            const size_t count = turn % 2 ? MOST : check_random(&random) % (MOST + 1), min_points = least[turn / 3 % 6];
            float d = cloud_fill(shape, xyz, count, &random);
            if (turn % 7 == 0) d = turn % 2 ? 0x1p-63f : 0x1.fffffep63f; /* as many cells as can be, and one */
            clump_dbscan_options o = clump_dbscan_defaults();
            o.common.order = turn % 4 < 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
            o.common.two_d = turn % 5 == 0;
            const clump_points points = {.xyz = xyz, .count = count};
            CHECK_INT(clump_dbscan(ctx, points, d, min_points, &o, labels, NULL), CLUMP_OK);
            CHECK_MSG(c.calls == taken, "%s, %zu points, eps %.9g, min %zu, %d threads: %ld allocations",
                      cloud_name(shape), count, (double)d, min_points, threads, c.calls - taken);
            if (c.calls != taken) break;
        }
        destroy(ctx, &c);
    }
}

static void trim_gives_back(void)
{
    uint64_t random = 54;
    counter c = {.fail_from = -1};
    clump_context *ctx;
    CHECK_INT(counted_context(&c, 2, &ctx), CLUMP_OK);
    const size_t bare = c.bytes;
    const float d = cloud_fill(CLOUD_SCAN, xyz, FEW, &random);
    for (int turn = 0; turn < 2 * METHODS; turn++) {
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = (clump_dbscan_method)cpu_method(&clump_dbscan_methods, turn), o.common.order = CLUMP_ORDER_SIZE;
        CHECK_INT(clump_dbscan(ctx, (clump_points){.xyz = xyz, .count = FEW}, d, 3, &o, labels, NULL), CLUMP_OK);
        const size_t held = clump_context_stats(ctx).host_bytes;
        CHECK(held > 0 && held <= c.bytes);
        clump_context_trim(ctx);
        int count = -1;
        CHECK(clump_context_load(ctx, &count) == NULL && count == 0);
        CHECK(clump_context_merge_load(ctx, &count) == NULL && count == 0);
        CHECK_INT(clump_context_stats(ctx).host_bytes, 0);
        /* what is left is the state of the backend, which has no buffer any more */
        CHECK_MSG(c.bytes <= bare + 8192, "%zu bytes left, %zu when made", c.bytes, bare);
    }
    destroy(ctx, &c);
}

/* Creates, uses and destroys a context. small_first: buffers exist and must grow. A context that has failed must
 * succeed once there is memory. */
static clump_status live(counter *c, clump_points points, float d, const clump_dbscan_options *o, int32_t clusters,
                         int threads, bool small_first)
{
    clump_context *ctx = NULL;
    clump_status status = counted_context(c, threads, &ctx);
    if (status != CLUMP_OK) {
        CHECK(ctx == NULL && c->live == 0);
        return status;
    }
    int32_t n = -1;
    clump_points few = points;
    few.count = 50;
    if (small_first) status = clump_dbscan(ctx, few, d, 4, o, labels, &n);
    if (status == CLUMP_OK) status = clump_dbscan(ctx, points, d, 4, o, labels, &n);
    if (status != CLUMP_OK) {
        CHECK(strstr(clump_context_error(ctx), "memory"));
        c->fail_from = -1;
        if (c->calls % 2) clump_context_trim(ctx); /* a context in any state can be trimmed */
        CHECK_INT(clump_dbscan(ctx, points, d, 4, o, labels, &n), CLUMP_OK);
        CHECK_TEXT(clump_context_error(ctx), "");
    }
    CHECK(n == clusters && memcmp(labels, expected, points.count * sizeof *labels) == 0);
    if (o->core) CHECK(memcmp(core, expected_core, points.count) == 0);
    destroy(ctx, c);
    return status;
}

static void every_allocation_fails(void)
{
    uint64_t random = 55;
    for (int turn = 0; turn < 4 * METHODS + !CLOUD_WATCHED; turn++) {
        const bool threaded = turn == 4 * METHODS; /* enough points for fast to use three threads */
        const size_t count = threaded ? MOST : turn % 2 ? FEW : 900;
        const float d = cloud_fill(turn % 3 ? CLOUD_UNIFORM : CLOUD_SCAN, xyz, count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_dbscan_options o = clump_dbscan_defaults();
        o.method = threaded ? CLUMP_DBSCAN_FAST : (clump_dbscan_method)cpu_method(&clump_dbscan_methods, turn / 4),
        o.core = threaded ? NULL : core;
        o.common.order = turn / 2 % 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
        const int32_t clusters = oracle_dbscan(points, d, 4, &o, expected, expected_core);
        long failures = 0;
        for (long k = 0; k < 1000; k++) {
            counter c = {.fail_from = k, .once = turn / 2 % 2};
            const clump_status status = live(&c, points, d, &o, clusters, threaded ? 3 : turn % 3 + 1, turn % 4 == 3);
            if (!c.failed) {
                CHECK_INT(status, CLUMP_OK);
                break;
            }
            CHECK_MSG(status == CLUMP_ERR_OUT_OF_MEMORY, "%s, allocation %ld: status %d",
                      clump_dbscan_method_name(o.method), k, (int)status);
            failures++;
        }
        CHECK_MSG(failures > 2 && failures < 500, "%s: %ld", clump_dbscan_method_name(o.method), failures);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(warm_calls_take_nothing);
    RUN(dclust_memory_follows);
    RUN(shared_contexts_stay_warm);
    RUN(reserved_is_enough);
    RUN(trim_gives_back);
    RUN(every_allocation_fails);
    return CHECK_END();
}
