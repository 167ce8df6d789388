/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_outputs.c: outputs of clump_objects: capacities, counts and times.
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

CHECK_PROGRAM(test_objects_outputs)
{
    RUN(capacities);
    RUN(stages);
}
