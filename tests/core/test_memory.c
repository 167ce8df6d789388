/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_memory.c: memory of clump_ec: clouds that were bad for tables, reserved memory, and sentences that name what is needed.
 * test_jobs_memory.c has what is true of every job.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include <clump/info.h>

enum { MOST = 10000 };

static float xyz[3 * MOST];
static int32_t labels[MOST];

/* ----- warm calls -------------------------------------------------------------------------------- */

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

/* After clump_context_reserve, no crowds allocate. */
static void reserved_for_crowds(void)
{
    for (int threads = 1; threads <= 2; threads++) {
        counter c = {.fail_from = -1};
        clump_context *const ctx = reserved_context(&c, threads, MOST);
        const long taken = c.calls;
        for (size_t size = 2; size <= 100; size += 6) {
            clump_ec_options o = clump_ec_defaults();
            o.common.order = size % 4 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
            o.common.two_d = size % 5 == 0;
            const clump_points points = {.xyz = xyz, .count = fill_crowds(size)};
            CHECK_INT(clump_ec(ctx, points, 1, &o, labels, NULL), CLUMP_OK);
            CHECK_MSG(c.calls == taken, "crowds of %zu, %d threads: %ld allocations", size, threads, c.calls - taken);
        }
        CHECK_INT(clump_context_reserve(ctx, 100), CLUMP_OK); /* less: nothing to do */
        CHECK_INT(clump_context_reserve(ctx, 0), CLUMP_OK);
        CHECK_INT(c.calls, taken);
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

/* Scratch memory is linear: at most 72 bytes per point. Of 200 seeds the largest was 71.3, of the cloud "scales". */
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
        CHECK_MSG(held <= 72 * MOST, "%s: %zu bytes for %d points", cloud_name((cloud_shape)turn), held, MOST);
        clump_context_destroy(ctx);
    }
}

/* ----- no memory left ----------------------------------------------------------------------------- */

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

CHECK_PROGRAM(test_memory)
{
    RUN(warm_whatever_the_tables);
    RUN(reserved_for_crowds);
    RUN(scratch_is_small);
    RUN(refusals_name_the_need);
    RUN(reserve_without_end);
}
