/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_scans.c: the levels of the tree of clump_objects are those of clump_ec, and on real scans clump_objects
 * gives the result of the definition (objects_reference.h).
 */
#include "support/check.h"

#include "support/clouds.h"
#include "objects/objects_compare.h"
#include "oracle/oracle.h"
#include "support/objects_scenes.h"
#include "support/scans.h"

enum { MOST = 3000 };

static float xyz[3 * MOST];

/* ----- levels ------------------------------------------------------------------------------------------------------- */

/* Compares labels with clump_ec for the radii of a factor, on the points that are not ground. */
static void compare_with_ec(clump_points points, const clump_objects_options *o, float factor, const char *name)
{
    int32_t *const ground = malloc((points.count + 1) * sizeof *ground), clusters = -1, expected = -1;
    int32_t *const labels = malloc((points.count + 1) * sizeof *labels);
    uint8_t *const kept = malloc(points.count + 1);
    CHECK_INT(clump_ground(contexts[0], points, &o->ground, ground, NULL), CLUMP_OK);
    for (size_t i = 0; i < points.count; i++) kept[i] = ground[i] != CLUMP_GROUND;
    clump_ec_options ec = clump_ec_defaults();
    ec.common.mask = kept;
    ec.common.eps_per_metre = o->common.eps_per_metre * factor;
    int32_t *const by_ec = malloc((points.count + 1) * sizeof *by_ec);
    CHECK_INT(clump_ec(contexts[0], points, o->d * factor, &ec, by_ec, &expected), CLUMP_OK);
    for (size_t i = 0; i < points.count; i++)
        if (!kept[i]) by_ec[i] = CLUMP_GROUND;
    for (int k = 0; k < CONTEXTS; k++) {
        CHECK_INT(clump_objects(contexts[k], points, o, labels, &clusters), CLUMP_OK);
        CHECK_MSG(clusters == expected && memcmp(labels, by_ec, points.count * sizeof *labels) == 0,
                  "%s: factor %g, %d threads: %d clusters, expected %d", name, (double)factor, threads_of[k], clusters,
                  expected);
    }
    free(ground), free(labels), free(kept), free(by_ec);
}

/* One level alone; all levels with no box; all levels with a box for everything. */
static void levels_are_those_of_ec(clump_points points, const char *name)
{
    clump_objects_options o = exact_defaults();
    o.common.min_size = 1;
    o.no_people = true;
    const clump_objects_options tree = o;
    for (int k = 0; k < tree.levels; k++) {
        o.levels = 1;
        o.factors[0] = tree.factors[k];
        compare_with_ec(points, &o, tree.factors[k], name);
    }
    o = tree;
    o.boxes = 0;
    compare_with_ec(points, &o, tree.factors[tree.levels - 1], name);
    o.boxes = 1;
    o.box[0] = (clump_object_box){1e30f, 1e30f, -INFINITY, INFINITY, INFINITY, CLUMP_FIT_OTHER};
    compare_with_ec(points, &o, tree.factors[tree.levels - 1], name);
}

static void levels_of_streets(void)
{
    uint64_t random = 2304;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 2 : 20); round++) {
        const size_t count = street_make(xyz, MOST, &random);
        levels_are_those_of_ec((clump_points){.xyz = xyz, .count = count}, "street");
    }
}

/* ----- scans -------------------------------------------------------------------------------------------------------- */

static const char *const frames[] = {"kitti/semkitti_00_000000.bin", "kitti/semkitti_04_000003.bin",
                                     "kitti/semkitti_06_000006.bin"};
enum { FRAMES = CLOUD_WATCHED ? 1 : sizeof frames / sizeof *frames };

/* Runs `check` on the frames; the test is skipped where they are not. */
static void visit_frames(void (*check)(clump_points points, const char *name))
{
    for (int k = 0; k < FRAMES; k++) {
        clump_cloud *const cloud = scan_load(frames[k]);
        if (!cloud) SKIP("no scans in %s: " DO_DATA, scans_folder());
        check(clump_cloud_points(cloud), frames[k]);
        clump_cloud_destroy(cloud);
    }
}

/* Parts of a scan small enough for all pairs: every 24th point, and a sector as dense as it is. */
static void compare_parts(clump_points points, const char *name)
{
    float *const part = malloc(points.count * 3 * sizeof *part);
    for (int turn = 0; turn < 3; turn++) {
        size_t count = 0;
        for (size_t i = 0; i < points.count && count < 10000; i++) {
            const float *const p = oracle_point(points, i);
            if (turn ? fabsf(p[turn - 1]) > 0.3f * fabsf(p[2 - turn]) || p[2 - turn] < 0 : i % 24 != 0) continue;
            memcpy(part + 3 * count++, p, 3 * sizeof *part);
        }
        clump_objects_options o = exact_defaults();
        o.ground.step = turn == 2;
        o.common.order = (clump_order)(turn % 2);
        compare_all((clump_points){.xyz = part, .count = count}, &o, true, name);
    }
    free(part);
}

static void parts_of_scans(void)
{
    visit_frames(compare_parts);
}

/* Whole scans: the nodes are those of clump_ec. */
static void compare_whole(clump_points points, const char *name)
{
    static int seen;
    const int turn = seen++;
    clump_objects_options o = exact_defaults();
    o.ground.step = turn == 1;
    o.common.min_size = turn == 1 ? 1 : 10;
    o.common.order = turn == 2 ? CLUMP_ORDER_SIZE : CLUMP_ORDER_INDEX;
    compare_all(points, &o, false, name);
    if (turn == 0) levels_are_those_of_ec(points, name);
}

static void whole_scans(void)
{
    visit_frames(compare_whole);
}

CHECK_PROGRAM(test_objects_scans)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(levels_of_streets);
    RUN(parts_of_scans);
    RUN(whole_scans);
    destroy_contexts(contexts, CONTEXTS);
}
