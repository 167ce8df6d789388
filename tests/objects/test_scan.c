/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_scan.c: clump_objects with scan neighbours gives the result of the definition (scan_reference.h), for any number of
 * threads: random streets and scans with rings in any order, few points per ring, equal azimuths, points in one place,
 * coordinates of every magnitude.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "objects/objects_compare.h"
#include "support/objects_scenes.h"
#include "objects/turning_scans.h"

#include <clump/info.h>

#include <float.h>

enum { MOST = 3000 };

static float xyz[3 * MOST];
static uint16_t rings[MOST];
static uint8_t mask[MOST];

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

static clump_objects_options scan_defaults(const uint16_t *given)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_SCAN;
    o.rings = given;
    return o;
}

/* Compares every level of the tree: with no box, labels are the clusters of the coarsest level. */
static void compare_levels(clump_points points, const clump_objects_options *given, const char *name)
{
    clump_objects_options o = *given;
    o.boxes = 0, o.no_people = true, o.common.min_size = 1, o.common.max_size = 0;
    for (o.levels = 1; o.levels <= given->levels; o.levels++) compare_all(points, &o, true, name);
}

/* ----- small clouds --------------------------------------------------------------------------------------------- */

/* Gives rings to points: by height, by index, at random, all in one or with empty ones between. */
static void choose_rings(size_t count, uint64_t *random)
{
    const size_t kind = pick(random, 5), most = 1 + pick(random, 40);
    for (size_t i = 0; i < count; i++) {
        const float h = xyz[3 * i + 2];
        const float part = isfinite(h) ? fminf(fmaxf((h + 2) / 5, 0), 0.999f) : 0;
        const size_t at = kind == 0   ? (size_t)(part * (float)most)
                          : kind == 1 ? i * most / count
                          : kind == 2 ? pick(random, most)
                          : kind == 3 ? 0
                                      : 3 * (size_t)(part * (float)most);
        rings[i] = (uint16_t)at;
    }
    if (pick(random, 8) == 0) rings[pick(random, count)] = CLUMP_RINGS_MOST - 1;
}

static void choose_options(clump_objects_options *o, size_t count, uint64_t *random)
{
    static const float factors[][CLUMP_OBJECTS_LEVELS] = {
        {0.5f, 1, 2}, {0.3f, 0.9f, 1.7f, 3.1f}, {1}, {0.7f, 1.3f}, {0.999f, 1, 1.001f}};
    *o = scan_defaults(rings);
    const size_t k = pick(random, sizeof factors / sizeof *factors);
    memcpy(o->factors, factors[k], sizeof o->factors);
    for (o->levels = 0; o->levels < CLUMP_OBJECTS_LEVELS && o->factors[o->levels] > 0;) o->levels++;
    if (pick(random, 4) == 0) o->common.eps_per_metre = pick(random, 2) ? 0 : 0.03f;
    if (pick(random, 4) == 0) o->d = 0.15f + 0.6f * check_random_float(random);
    o->ground.method = pick(random, 2) ? CLUMP_GROUND_GRID : CLUMP_GROUND_NONE;
    o->common.min_size = 1 + pick(random, 20);
    if (pick(random, 3) == 0)
        for (int a = 0; a < 3; a++) o->ground.sensor[a] = 2 * check_random_float(random) - 1;
    if (pick(random, 4) == 0) o->ground.up = CLUMP_UP_Y;
    if (pick(random, 3)) return;
    for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0);
    o->common.mask = mask;
}

/* Rounds coordinates, so that azimuths are equal and points coincide. */
static void round_coordinates(size_t count, float step)
{
    for (size_t i = 0; i < 3 * count; i++) xyz[i] = step * rintf(xyz[i] / step);
}

static void streets(void)
{
    uint64_t random = 2311;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 10 : 50); round++) {
        const size_t count = street_make(xyz, round % 10 ? 1 + pick(&random, 900) : MOST, &random);
        if (pick(&random, 3) == 0) round_coordinates(count, pick(&random, 2) ? 0.25f : 1);
        if (pick(&random, 3) == 0) street_shuffle(xyz, count, &random);
        clump_objects_options o;
        choose_options(&o, count, &random);
        choose_rings(count, &random);
        if (pick(&random, 4) == 0) cloud_spoil(xyz, count, 20, &random);
        char name[40];
        snprintf(name, sizeof name, "street %d", round);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        compare_levels(view.points, &o, name);
        compare_all(view.points, &o, true, name);
        free(view.memory);
    }
}

static void hostile_clouds(void)
{
    uint64_t random = 2312;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 64); round++) {
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = 1 + pick(&random, 700);
        clump_objects_options o;
        choose_options(&o, count, &random);
        o.d = cloud_fill(shape, xyz, count, &random);
        o.levels = 1, o.factors[0] = 1;
        choose_rings(count, &random);
        if (round % 3 == 0) cloud_spoil(xyz, count, 10, &random);
        char name[40];
        snprintf(name, sizeof name, "%s, round %d", cloud_name(shape), round);
        compare_all((clump_points){.xyz = xyz, .count = count}, &o, true, name);
    }
}

/* Coordinates whose differences overflow, on the axis of the sensor, and in one place. */
static void far_away(void)
{
    static const float far[] = {FLT_MAX, -FLT_MAX, 1e30f, -1e30f, 0, -0.0f, 1e-40f, 1, INFINITY, NAN};
    uint64_t random = 2313;
    for (int round = 0; round < 100; round++) {
        const size_t count = 1 + pick(&random, 60);
        for (size_t i = 0; i < 3 * count; i++) xyz[i] = far[pick(&random, round % 2 ? 8 : 10)];
        clump_objects_options o;
        choose_options(&o, count, &random);
        if (round % 4 == 0) o.ground.sensor[0] = -FLT_MAX;
        choose_rings(count, &random);
        const clump_points points = {.xyz = xyz, .count = count};
        o.boxes = 0, o.no_people = true, o.common.min_size = 1;
        objects_reference r = reference_objects(contexts[0], points, &o, true);
        compare(contexts[round % CONTEXTS], points, &o, &r, 0, "far"); /* sizes are not finite */
        objects_reference_release(&r);
    }
}

/* ----- scans ---------------------------------------------------------------------------------------------------- */

/* Scans that several threads share. */
static void scans(void)
{
    uint64_t random = 2314;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 1 : 2); round++) {
        turning_scan s = turning_scan_make(40, round % 2 ? 700 : 1000, &random);
        if (round % 2) turning_scan_shuffle(&s, &random);
        const clump_points points = {.xyz = s.xyz, .count = s.count};
        clump_objects_options o = scan_defaults(s.rings);
        compare_levels(points, &o, "scan");
        o.ground.method = CLUMP_GROUND_NONE;
        compare_levels(points, &o, "scan without ground");
        turning_scan_release(&s);
    }
}

/* Rows are rings. */
static void rows(void)
{
    uint64_t random = 2315;
    const size_t count = street_make(xyz, 2000, &random);
    for (size_t columns = 2; columns < 4000; columns = columns * 3 + 1) {
        clump_objects_options o = scan_defaults(NULL);
        o.columns = columns;
        compare_levels((clump_points){.xyz = xyz, .count = count}, &o, "rows");
        const clump_stats stats = clump_context_stats(contexts[0]);
        CHECK_INT(stats.ring_source, CLUMP_RINGS_ROWS);
        CHECK_INT(stats.rings, (int)((count - 1) / columns + 1));
    }
}

/* Many points in one place: one cluster, in time that grows with their number alone. */
static void one_place(void)
{
    const size_t count = CLOUD_WATCHED ? 50000 : 1000000;
    float *const same = malloc(3 * count * sizeof *same);
    uint16_t *const ring = malloc(count * sizeof *ring);
    int32_t *const labels = malloc(count * sizeof *labels), clusters = 0;
    for (size_t i = 0; i < count; i++) same[3 * i] = 5, same[3 * i + 1] = 3, same[3 * i + 2] = 1;
    for (unsigned most = 1; most <= 64; most *= 8) {
        for (size_t i = 0; i < count; i++) ring[i] = (uint16_t)(i % most);
        clump_objects_options o = scan_defaults(ring);
        o.ground.method = CLUMP_GROUND_NONE;
        for (int k = 0; k < CONTEXTS; k++) {
            CHECK_INT(clump_objects(contexts[k], (clump_points){.xyz = same, .count = count}, &o, labels, &clusters),
                      CLUMP_OK);
            CHECK_INT(clusters, 1);
        }
        CHECK_INT(clump_context_stats(contexts[0]).rings, (int)most);
    }
    free(same), free(ring), free(labels);
}

/* Many points in a blob: their azimuths are nearly equal, and all of them are in one small part of the turn. */
static void one_direction(void)
{
    const size_t count = CLOUD_WATCHED ? 50000 : 400000;
    float *const blob = malloc(3 * count * sizeof *blob);
    uint16_t *const ring = malloc(count * sizeof *ring);
    int32_t *const labels = malloc(count * sizeof *labels), clusters = 0;
    uint64_t random = 2316;
    for (size_t i = 0; i < 3 * count; i++) blob[i] = 10 + 0.1f * check_random_float(&random);
    for (size_t i = 0; i < count; i++) ring[i] = (uint16_t)(i % 2);
    clump_objects_options o = scan_defaults(ring);
    o.ground.method = CLUMP_GROUND_NONE;
    for (int k = 0; k < CONTEXTS; k++) {
        CHECK_INT(clump_objects(contexts[k], (clump_points){.xyz = blob, .count = count}, &o, labels, &clusters),
                  CLUMP_OK);
        CHECK_INT(clusters, 1);
    }
    free(blob), free(ring), free(labels);
}

CHECK_PROGRAM(test_scan)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(streets);
    RUN(hostile_clouds);
    RUN(far_away);
    RUN(scans);
    RUN(rows);
    RUN(one_place);
    RUN(one_direction);
    destroy_contexts(contexts, CONTEXTS);
}
