/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ranged_call.c: eps_per_metre in the calls: refusals and their messages, and a real scan. Labels are
 * tested in test_ranged.c.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"
#include "oracle/oracle.h"
#include "support/scans.h"
#include "oracle/verify.h"
#include "oracle/verify_dbscan.h"

#include <clump/info.h>

#include <float.h>
#include <math.h>

enum { MOST = 9000 };

static float xyz[3 * MOST];
static int32_t labels[MOST];
static uint8_t core[MOST];

/* ----- arguments ------------------------------------------------------------------------------------ */

static clump_status both(clump_context *ctx, clump_points p, const clump_ec_options *ec, const clump_dbscan_options *db)
{
    if (ec) return clump_ec(ctx, p, 1, ec, labels, NULL);
    return clump_dbscan(ctx, p, 1, 3, db, labels, NULL);
}

static void wrong_arguments(void)
{
    clump_context *const ctx = cpu_context(0);
    const clump_points p = {.xyz = xyz, .count = 30};
    clump_ec_options o = clump_ec_defaults();
    clump_dbscan_options b = clump_dbscan_defaults();
    o.common.eps_per_metre = b.common.eps_per_metre = -0.5f;
    expect_failure(ctx, both(ctx, p, &o, NULL), CLUMP_ERR_ARGUMENT,
                   "clump_ec: eps_per_metre is -0.5, it must be a number and not below 0");
    o.common.eps_per_metre = 0x1p64f;
    expect_failure(ctx, both(ctx, p, &o, NULL), CLUMP_ERR_ARGUMENT, "the square of eps_per_metre");
    o.common.eps_per_metre = b.common.eps_per_metre = 0x1.fffffep63f; /* the largest there is */
    CHECK_INT(both(ctx, p, &o, NULL), CLUMP_OK);
    CHECK_INT(both(ctx, p, NULL, &b), CLUMP_OK);

    o.common.eps_per_metre = b.common.eps_per_metre = 0.01f;
    FOR_CPU_METHODS (method, clump_ec_methods) {
        if (method == CLUMP_EC_FAST) continue;
        char words[100];
        o.method = (clump_ec_method)method;
        snprintf(words, sizeof words, "clump_ec: eps_per_metre is for the method fast, %s does not have it",
                 clump_ec_method_name(o.method));
        expect_failure(ctx, both(ctx, p, &o, NULL), CLUMP_ERR_UNSUPPORTED, words);
        o.common.eps_per_metre = 0; /* is off, for all of them */
        CHECK_INT(both(ctx, p, &o, NULL), CLUMP_OK);
        o.common.eps_per_metre = 0.01f;
    }
    b.method = CLUMP_DBSCAN_SEQUENTIAL;
    expect_failure(ctx, both(ctx, p, NULL, &b), CLUMP_ERR_UNSUPPORTED, "method fast, sequential does not");
    o.method = CLUMP_EC_FAST;
    o.common.sensor[2] = NAN;
    expect_failure(ctx, both(ctx, p, &o, NULL), CLUMP_ERR_ARGUMENT, "the z of the sensor is nan, it must be finite");
    o.common.two_d = true; /* it has no z then */
    CHECK_INT(both(ctx, p, &o, NULL), CLUMP_OK);
    o.common.sensor[0] = -INFINITY;
    expect_failure(ctx, both(ctx, p, &o, NULL), CLUMP_ERR_ARGUMENT, "the x of the sensor is -inf");
    o.common.eps_per_metre = 0; /* then the sensor is not used */
    CHECK_INT(both(ctx, p, &o, NULL), CLUMP_OK);
    clump_context_destroy(ctx);
}

/* ----- a real scan ------------------------------------------------------------------------------------ */

/* Every 14th point of a scan, which is what the checkers can take: with radii that suit so few points, neither a
 * cluster nor a border point is wrong, anywhere. And objects far away are whole that are in pieces without. */
static void real_scan(void)
{
    clump_cloud *const cloud = scan_load("kitti/semkitti_00_000000.bin");
    if (!cloud) SKIP(DO_DATA);
    const clump_points all = clump_cloud_points(cloud);
    size_t count = 0;
    for (size_t i = 0; i < all.count && count < MOST; i += CLOUD_WATCHED ? 60 : 14)
        memcpy(xyz + 3 * count++, oracle_point(all, i), 12);
    clump_cloud_destroy(cloud);
    const clump_points points = {.xyz = xyz, .count = count};
    uint64_t hash[2] = {0};
    for (int threads = 1; threads < 4; threads += 2) {
        counter c = {.fail_from = -1};
        clump_context *ctx;
        CHECK_INT(counted_context(&c, threads, &ctx), CLUMP_OK);
        clump_ec_options o = clump_ec_defaults();
        clump_dbscan_options b = clump_dbscan_defaults();
        int32_t clusters, pieces;
        clump_message why;
        CHECK_INT(clump_ec(ctx, points, 0.5f, &o, labels, &pieces), CLUMP_OK);
        o.common.eps_per_metre = b.common.eps_per_metre = 0.05f;
        CHECK_INT(clump_ec(ctx, points, 0.5f, &o, labels, &clusters), CLUMP_OK);
        CHECK_MSG(clusters < pieces - pieces / 4, "%d clusters, %d without", clusters, pieces);
        if (threads == 1) hash[0] = clump_labels_hash(labels, count);
        CHECK(clump_labels_hash(labels, count) == hash[0]);
        if (threads == 1) CHECK_MSG(verify_ec(points, 0.5f, &o, labels, clusters, &why), "%s", why.text);
        b.core = core;
        CHECK_INT(clump_dbscan(ctx, points, 0.5f, 6, &b, labels, &clusters), CLUMP_OK);
        if (threads == 1) hash[1] = clump_labels_hash(labels, count);
        CHECK(clump_labels_hash(labels, count) == hash[1]);
        if (threads == 1) CHECK_MSG(verify_dbscan(points, 0.5f, 6, &b, labels, clusters, core, &why), "%s", why.text);
        clump_context_destroy(ctx);
    }
}

CHECK_PROGRAM(test_ranged_call)
{
    RUN(wrong_arguments);
    RUN(real_scan);
}
