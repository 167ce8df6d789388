/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_call.c: what clump_objects refuses, and its messages; names of its values.
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/objects_scenes.h"

#include <clump/info.h>

#include <math.h>

enum { MOST = 2000 };

static float xyz[3 * MOST];
static int32_t labels[MOST], again[MOST];
static uint16_t rings[MOST];
static clump_object found[1];

static clump_points street_of(size_t count)
{
    uint64_t random = 2310;
    return (clump_points){.xyz = xyz, .count = street_make(xyz, count, &random)};
}

/* ----- arguments ---------------------------------------------------------------------------------------------------- */

#define REFUSED_WITH(status, change, words)                                                                            \
    do {                                                                                                               \
        clump_objects_options o = clump_objects_defaults();                                                            \
        change;                                                                                                        \
        expect_failure(ctx, clump_objects(ctx, points, &o, labels, NULL), status, words);                              \
    } while (0)
#define REFUSED(change, words) REFUSED_WITH(CLUMP_ERR_ARGUMENT, change, words)

static void wrong_levels(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street_of(100);
    REFUSED(o.levels = 0, "clump_objects: there are 0 levels, there must be 1 to 4");
    REFUSED(o.levels = 5, "clump_objects: there are 5 levels");
    REFUSED(o.levels = -1, "there are -1 levels");
    REFUSED(o.factors[0] = 0, "clump_objects: factors[0] is 0, it must be a number above 0");
    REFUSED(o.factors[1] = -1, "factors[1] is -1");
    REFUSED(o.factors[2] = NAN, "factors[2] is");
    REFUSED(o.factors[2] = INFINITY, "factors[2] is inf");
    REFUSED(o.factors[1] = 0.5f, "clump_objects: factors[1] is 0.5, it must be larger than the one before");
    REFUSED(o.factors[2] = 0.9f, "factors[2] is 0.9, it must be larger");
    REFUSED((o.levels = 4, o.factors[3] = 2), "factors[3] is 2, it must be larger");
    REFUSED(o.d = 0, "clump_objects: the distance is 0");
    REFUSED(o.d = NAN, "clump_objects: the distance is");
    REFUSED(o.d = 1e19f, "clump_objects: the square of the radius of a level");
    REFUSED(o.factors[0] = 1e-30f, "clump_objects: the square of the radius of a level");
    REFUSED(o.common.eps_per_metre = 1e19f, "times the factor 2 does not fit into a float");
    clump_objects_options o = clump_objects_defaults();
    o.factors[3] = NAN; /* a level that is not used */
    CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

static void wrong_boxes(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street_of(100);
    REFUSED(o.boxes = -1, "clump_objects: there are -1 boxes, there must be 0 to 8");
    REFUSED(o.boxes = 9, "there are 9 boxes");
    REFUSED(o.box[0].width = 0, "clump_objects: box[0] is 6 x 0, its width must be above 0");
    REFUSED((o.box[1].width = 0, o.box[1].length = 0), "box[1] is 0 x 0");
    REFUSED(o.box[1].width = NAN, "box[1] is 19 x");
    REFUSED(o.box[0].length = 2, "box[0] is 2 x 3, its width must be above 0 and its length at least its width");
    REFUSED(o.box[0].length = NAN, "box[0] is");
    REFUSED(o.box[0].length = INFINITY, "box[0] is inf x 3");
    REFUSED(o.box[0].most_top = 0,
            "clump_objects: the top of box[0] is -inf to 0, it must be a range that ends above 0");
    REFUSED(o.box[1].least_top = 5, "the top of box[1] is 5 to 4.5");
    REFUSED(o.box[1].least_top = NAN, "the top of box[1] is");
    REFUSED(o.box[1].most_top = NAN, "the top of box[1] is");
    REFUSED(o.box[1].most_bottom = NAN, "clump_objects: most_bottom of box[1] is not a number");
    REFUSED(o.box[1].fits = (clump_fit)4, "clump_objects: there is no fit number 4, in box[1]");
    clump_objects_options o = clump_objects_defaults();
    o.box[2].width = -1; /* a box that is not used */
    o.box[0].least_top = -INFINITY, o.box[0].most_top = INFINITY, o.box[0].most_bottom = -INFINITY;
    CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

static void wrong_rings(void)
{
    clump_context *const ctx = cpu_context(1);
    clump_points points = street_of(2000);
    REFUSED((o.rings = rings, o.columns = 100), "clump_objects: both rings and columns are given");
    REFUSED(o.columns = 1, "clump_objects: 2000 points in rows of 1 make more than 1024 rings");
    rings[1999] = 1024;
    REFUSED(o.rings = rings, "clump_objects: rings[1999] is 1024, it must be below 1024");
    rings[7] = 65535;
    REFUSED(o.rings = rings, "rings[7] is 65535");
    REFUSED((o.rings = rings, o.neighbours = CLUMP_NEIGHBOURS_EXACT), "rings[7] is 65535");
    memset(rings, 0, sizeof rings);
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_EXACT; /* rings make no difference */
    int32_t n, other;
    CHECK_INT(clump_objects(ctx, points, &o, labels, &n), CLUMP_OK);
    o.rings = rings;
    CHECK_INT(clump_objects(ctx, points, &o, again, &other), CLUMP_OK);
    CHECK(n == other && memcmp(labels, again, points.count * sizeof *labels) == 0);
    points.count = 1024;
    o.rings = NULL, o.columns = 1;
    CHECK_INT(clump_objects(ctx, points, &o, again, &other), CLUMP_OK);
    clump_context_destroy(ctx);
}

static void wrong_numbers(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street_of(100);
    CHECK_INT(clump_objects(NULL, points, NULL, labels, NULL), CLUMP_ERR_ARGUMENT);
    REFUSED((o.common.min_size = 3, o.common.max_size = 2), "clump_objects: min_size 3 is larger than max_size 2");
    REFUSED(o.ground.method = (clump_ground_method)5, "clump_objects: there is no ground method number 5");
    REFUSED(o.found_capacity = -1, "clump_objects: found_capacity is -1, it must be 0 or more");
    REFUSED(o.found_capacity = 1, "clump_objects: found is null but found_capacity is 1");
    REFUSED(o.found_place = (clump_place)6, "clump_objects: there is no place number 6");
    clump_detect_options d = clump_detect_defaults();
    d.method = CLUMP_DETECT_OBJECTS;
    d.thin = 0.1f;
    expect_failure(ctx, clump_detect(ctx, points, &d, labels, NULL, 0, NULL), CLUMP_ERR_UNSUPPORTED,
                   "clump_detect: thin does not work with the method objects");
    d = clump_detect_defaults();
    d.objects.cookie = 0;
    expect_failure(ctx, clump_detect(ctx, points, &d, labels, NULL, 0, NULL), CLUMP_ERR_OPTIONS,
                   "the objects options were not made by clump_objects_defaults()");
    d = clump_detect_defaults();
    d.method = CLUMP_DETECT_OBJECTS;
    d.objects.levels = 7;
    expect_failure(ctx, clump_detect(ctx, points, &d, labels, NULL, 0, NULL), CLUMP_ERR_ARGUMENT,
                   "clump_detect: there are 7 levels");
    d.objects = clump_objects_defaults(); /* not used: */
    d.objects.ground.sensor[0] = NAN, d.objects.ground.cookie = 0;
    CHECK_INT(clump_detect(ctx, points, &d, labels, NULL, 0, NULL), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

static void wrong_memory(void)
{
    clump_context *const ctx = cpu_context(1);
    const clump_points points = street_of(100);
    expect_failure(ctx, clump_objects(ctx, points, NULL, NULL, NULL), CLUMP_ERR_ARGUMENT,
                   "clump_objects: labels is null");
    expect_failure(ctx, clump_objects(ctx, points, NULL, (int32_t *)(void *)xyz, NULL), CLUMP_ERR_ARGUMENT,
                   "labels and points.xyz overlap");
    REFUSED((o.found = (clump_object *)(void *)labels, o.found_capacity = 2), "objects.found and labels overlap");
    REFUSED((o.found = (clump_object *)(void *)((char *)found + 2), o.found_capacity = 2),
            "objects.found is not aligned");
    REFUSED(o.rings = (const uint16_t *)(const void *)((const char *)rings + 1), "objects.rings is not aligned");
    memset(labels, 0, sizeof labels);
    REFUSED(o.rings = (const uint16_t *)(const void *)labels, "objects.rings and labels overlap");
    REFUSED(o.common.mask = (const uint8_t *)labels, "labels and mask overlap");
    REFUSED_WITH(CLUMP_ERR_MEMORY_KIND, (o.found_place = CLUMP_PLACE_DEVICE, o.found = found, o.found_capacity = 1),
                 "found is on the device, but the points are in host memory");
    int32_t on_device;
    REFUSED_WITH(CLUMP_ERR_MEMORY_KIND, o.common.clusters_on_device = &on_device, "clusters_on_device");
    clump_objects_options o = clump_objects_defaults(); /* not used: */
    o.ground.mask = (const uint8_t *)labels;
    o.ground.heights = (float *)(void *)labels;
    CHECK_INT(clump_objects(ctx, points, &o, labels, NULL), CLUMP_OK);
    clump_context_destroy(ctx);
}

static void names(void)
{
    clump_neighbour_kind kind;
    for (int k = 0; k < 3; k++) {
        CHECK(clump_neighbour_kind_from_name(clump_neighbour_kind_name((clump_neighbour_kind)k), &kind));
        CHECK_INT(kind, k);
    }
    CHECK(!clump_neighbour_kind_from_name("none", &kind) && !clump_neighbour_kind_from_name(NULL, &kind));
    CHECK(!clump_neighbour_kind_name((clump_neighbour_kind)3) && !clump_neighbour_kind_name((clump_neighbour_kind)-1));
    CHECK_TEXT(clump_ring_source_name(CLUMP_RINGS_ANGLE), "angle");
    CHECK(!clump_ring_source_name((clump_ring_source)5));
    CHECK_TEXT(clump_ring_doubt_name(CLUMP_RING_DOUBT_UNORDERED), "unordered");
    CHECK(!clump_ring_doubt_name((clump_ring_doubt)3));
    CHECK_TEXT(clump_fit_name(CLUMP_FIT_PERSON), "person");
    CHECK(!clump_fit_name((clump_fit)4));
}

CHECK_PROGRAM(test_objects_call)
{
    RUN(wrong_levels);
    RUN(wrong_boxes);
    RUN(wrong_rings);
    RUN(wrong_numbers);
    RUN(wrong_memory);
    RUN(names);
}
