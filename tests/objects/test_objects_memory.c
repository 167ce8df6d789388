/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_memory.c: outputs of clump_objects, its memory and its cancellation.
 */
#include "support/check.h"

#include "support/calls.h"
#include "core/context.h"
#include "objects/objects_street.h"

#include <clump/info.h>

static int32_t again[MOST];
static clump_object others[MOST];

/* ----- outputs ------------------------------------------------------------------------------------------------------ */

static void capacities(void)
{
    clump_context *const ctx = cpu_context(2);
    const clump_points points = street_of(MOST);
    clump_objects_options o = listing();
    int32_t all, n;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &all), CLUMP_OK);
    CHECK(all > 20);
    o.found = others;
    for (int32_t capacity = 0; capacity <= all + 1; capacity += 1 + all / 8) {
        memset(others, 0x33, sizeof others);
        o.found_capacity = capacity;
        CHECK_INT(clump_objects(ctx, points, &o, again, &n), CLUMP_OK);
        const size_t known = (size_t)(capacity < all ? capacity : all);
        CHECK(n == all && memcmp(found, others, known * sizeof *found) == 0);
        CHECK(memcmp(labels, again, points.count * sizeof *labels) == 0);
        const uint8_t *const bytes = (const uint8_t *)others;
        for (size_t k = known * sizeof *others; k < sizeof others; k++)
            if (bytes[k] != 0x33) {
                CHECK_FAIL("capacity %d: byte %zu was written", capacity, k);
                break;
            }
    }
    clump_context_destroy(ctx);
}

static void stages(void)
{
    clump_context *const ctx = cpu_context(2);
    const clump_points points = street_of(MOST);
    clump_objects_options o = listing();
    int32_t n;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
    const clump_stats stats = clump_context_stats(ctx);
    CHECK(stats.ground_ms > 0 && stats.cluster_ms > 0 && stats.label_ms > 0 && stats.describe_ms == 0);
    CHECK(stats.clusters == n && stats.points == points.count && stats.finite == points.count && stats.ground > 0);
    CHECK(stats.threads == 2 && stats.backend == CLUMP_BACKEND_CPU);
    CHECK(stats.neighbours == CLUMP_NEIGHBOURS_EXACT && stats.ring_source == CLUMP_RINGS_NONE && stats.rings == 0);
    int64_t listed = 0;
    for (int32_t c = 0; c < n; c++) listed += found[c].count;
    CHECK_INT(listed, points.count - stats.ground - stats.noise);
    clump_context_destroy(ctx);
}

/* ----- memory and cancellation -------------------------------------------------------------------------------------- */

static clump_objects_options options_of(int turn)
{
    clump_objects_options o = listing();
    o.levels = 1 + turn % 4;
    o.factors[3] = 3;
    o.common.order = (clump_order)(turn / 2 % 2);
    o.common.min_size = turn % 3 ? 10 : 1;
    if (turn / 4 % 2) o.found = NULL, o.found_capacity = 0;
    if (turn % 2) o.neighbours = CLUMP_NEIGHBOURS_SCAN, o.columns = 500;
    return o;
}

static void warm_calls_take_nothing(void)
{
    const clump_points points = street_of(MOST);
    for (int turn = 0; turn < 16; turn++) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, 1 + turn % 3, &ctx), CLUMP_OK);
        const clump_objects_options o = options_of(turn);
        CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
        const long taken = c.calls;
        for (int k = 0; k < 2; k++) CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
        CHECK_MSG(c.calls == taken, "turn %d: %ld allocations by warm calls", turn, c.calls - taken);
        clump_context_trim(ctx);
        CHECK_INT(clump_context_stats(ctx).host_bytes, 0);
        CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
        clump_context_destroy(ctx);
        CHECK_INT(c.live, 0);
    }
}

static void every_allocation_fails(void)
{
    const clump_points points = street_of(4000);
    for (int turn = 0; turn < 16; turn += 5) {
        const clump_objects_options o = options_of(turn);
        clump_context *const good = cpu_context(1);
        int32_t expected;
        CHECK_INT(clump_objects(good, points, &o, again, &expected), CLUMP_OK);
        clump_context_destroy(good);
        for (long k = 1; k < 200; k++) {
            counter c = {.fail_from = k, .once = turn % 2};
            clump_context *ctx;
            CHECK_INT(counted_context(&c, 1 + (int)(k % 2), &ctx), CLUMP_OK);
            const clump_status status = clump_objects(ctx, points, &o, labels, NULL);
            CHECK_INT(status, c.failed ? CLUMP_ERR_OUT_OF_MEMORY : CLUMP_OK);
            if (c.failed) CHECK(strstr(clump_context_error(ctx), "memory"));
            const bool failed = c.failed;
            c.fail_from = -1;
            int32_t n = -1;
            CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
            CHECK(n == expected && memcmp(labels, again, points.count * sizeof *labels) == 0);
            clump_context_destroy(ctx);
            CHECK_INT(c.live, 0);
            if (!failed) break;
        }
    }
}

/* Any poll can cancel the call; the next call is whole. */
static void cancelled(void)
{
    const clump_points points = street_of(9000);
    for (int turn = 0; turn < 16; turn += 5) {
        clump_context *const ctx = cpu_context(1 + turn % 2);
        const clump_objects_options o = options_of(turn);
        int32_t expected, n;
        CHECK_INT(clump_objects(ctx, points, &o, again, &expected), CLUMP_OK);
        long polls = 1;
        for (; polls < 1000; polls += polls / 8 + 1) {
            clump_team_trap(ctx->work.team, polls);
            const clump_status status = clump_objects(ctx, points, &o, labels, &n);
            clump_team_trap(ctx->work.team, 0);
            if (status == CLUMP_OK) break;
            expect_failure(ctx, status, CLUMP_ERR_CANCELLED, "clump_objects: cancelled by the caller");
            CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
            CHECK(n == expected && memcmp(labels, again, points.count * sizeof *labels) == 0);
        }
        CHECK_MSG(polls > 5, "%ld polls", polls);
        clump_context_destroy(ctx);
    }
}

int main(int argc, char **argv)
{
    CHECK_BEGIN(argc, argv);
    RUN(capacities);
    RUN(stages);
    RUN(warm_calls_take_nothing);
    RUN(every_allocation_fails);
    RUN(cancelled);
    return CHECK_END();
}
