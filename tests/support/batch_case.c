/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_case.c: see batch_case.h.
 */
#include "support/batch_case.h"

#include "support/clouds.h"
#include "support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t pick_size(uint64_t *random, size_t most)
{
    const uint64_t kind = check_random(random) % 20;
    size_t n;
    if (kind < 3)
        n = 0;
    else if (kind < 5)
        n = 1;
    else if (kind < 12)
        n = 2 + check_random(random) % 60;
    else if (kind < 18)
        n = 40 + check_random(random) % 1200;
    else
        n = 1000 + check_random(random) % 8000;
    return n < most ? n : most;
}

static void fill_clouds(batch_case *c, size_t most, uint64_t *random)
{
    const size_t wanted = 1 + check_random(random) % BATCH_CLOUDS;
    for (c->clouds = 0; c->clouds < wanted; c->clouds++) {
        const size_t n = pick_size(random, most);
        if (c->points + n > BATCH_POINTS) break;
        const cloud_shape shape = (cloud_shape)(check_random(random) % CLOUD_SHAPES);
        float *const xyz = c->xyz + 3 * c->points;
        c->radii[c->clouds] = cloud_fill(shape, xyz, n, random);
        if (n > 0 && check_random(random) % 4 == 0) cloud_spoil(xyz, n, 20, random);
        c->points += n;
        c->offsets[c->clouds + 1] = (int64_t)c->points;
    }
}

void batch_case_make(batch_case *c, uint64_t seed, size_t most)
{
    uint64_t random = seed * 77777 + 5;
    c->seed = seed;
    c->points = 0;
    c->offsets[0] = 0;
    fill_clouds(c, most, &random);
    c->density = check_random(&random) % 2;
    c->per_cloud = check_random(&random) % 2;
    c->radius = c->clouds > 0 ? c->radii[check_random(&random) % c->clouds] : 1;
    c->ec = clump_ec_defaults();
    c->dbscan = clump_dbscan_defaults();
    cloud_options(&c->ec, c->mask, c->points, &random);
    cloud_dbscan_options(&c->dbscan, c->mask, c->points, &random);
    c->min_points = cloud_min_points(30, &random);
    c->ec.method = CLUMP_EC_FAST;
    c->dbscan.method = CLUMP_DBSCAN_FAST;
}

static void stop(const batch_case *c, clump_context *ctx)
{
    fprintf(stderr, "seed %llu: %s\n", (unsigned long long)c->seed, clump_context_error(ctx));
    abort();
}

void batch_case_expect(batch_case *c, clump_context *ctx)
{
    for (size_t k = 0; k < c->clouds; k++) {
        const size_t first = (size_t)c->offsets[k], n = (size_t)c->offsets[k + 1] - first;
        const clump_points points = {.xyz = c->xyz + 3 * first, .count = n};
        const float radius = c->per_cloud ? c->radii[k] : c->radius;
        clump_ec_options ec = c->ec;
        clump_dbscan_options dbscan = c->dbscan;
        if (ec.common.mask) ec.common.mask += first;
        if (dbscan.common.mask) dbscan.common.mask += first;
        dbscan.core = c->core + first;
        const clump_status status =
            c->density ? clump_dbscan(ctx, points, radius, c->min_points, &dbscan, c->labels + first, &c->counts[k])
                       : clump_ec(ctx, points, radius, &ec, c->labels + first, &c->counts[k]);
        if (status != CLUMP_OK) stop(c, ctx);
    }
}

clump_status batch_case_run(const batch_case *c, clump_context *ctx, const batch_arrays *a)
{
    if (c->density) {
        clump_dbscan_options o = c->dbscan;
        o.common.mask = o.common.mask ? a->mask : NULL;
        o.core = a->core;
        return clump_dbscan_batch(ctx, a->points, a->offsets, c->clouds, c->radius, a->radii, c->min_points, &o,
                                  a->labels, a->counts);
    }
    clump_ec_options o = c->ec;
    o.common.mask = o.common.mask ? a->mask : NULL;
    return clump_ec_batch(ctx, a->points, a->offsets, c->clouds, c->radius, a->radii, &o, a->labels, a->counts);
}
