/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects.c: clump_objects with exact neighbours gives the labels and the list of clusters of the definition
 * (objects_reference.h), bit for bit and for any number of threads: random streets with random options, limits at the
 * sizes of clusters, clouds of every kind. clump_detect gives the same.
 */
#include "support/check.h"

#include "support/clouds.h"
#include "objects/objects_compare.h"
#include "support/objects_scenes.h"
#include "support/options.h"

enum { MOST = 3000 };

static float xyz[3 * MOST];
static uint8_t mask[MOST];

static size_t pick(uint64_t *random, size_t n)
{
    return check_random(random) % n;
}

/* ----- random streets ----------------------------------------------------------------------------------------------- */

static void choose_tree(clump_objects_options *o, uint64_t *random)
{
    static const float factors[][CLUMP_OBJECTS_LEVELS] = {
        {0.5f, 1, 2}, {0.3f, 0.9f, 1.7f, 3.1f}, {1}, {0.7f, 1.3f}, {0.999f, 1, 1.001f}, {0.45f, 0.5f, 2.2f, 2.3f}};
    const size_t k = pick(random, 2) ? 0 : pick(random, sizeof factors / sizeof *factors);
    memcpy(o->factors, factors[k], sizeof o->factors);
    for (o->levels = 0; o->levels < CLUMP_OBJECTS_LEVELS && o->factors[o->levels] > 0;) o->levels++;
    if (pick(random, 4) == 0) o->common.eps_per_metre = pick(random, 2) ? 0 : 0.03f;
    if (pick(random, 4) == 0) o->d = 0.15f + 0.3f * check_random_float(random);
}

static void choose_boxes(clump_objects_options *o, uint64_t *random)
{
    if (pick(random, 3)) return;
    o->boxes = (int)pick(random, CLUMP_OBJECTS_BOXES + 1);
    for (int k = 0; k < o->boxes; k++) {
        clump_object_box *const b = &o->box[k];
        b->width = 0.3f + 3 * check_random_float(random);
        b->length = b->width + 6 * check_random_float(random);
        b->least_top = pick(random, 2) ? -INFINITY : 2 * check_random_float(random);
        b->most_top = pick(random, 4) ? 2 + 2 * check_random_float(random) : INFINITY;
        b->most_bottom = pick(random, 2) ? INFINITY : 1.5f * check_random_float(random);
        b->fits = (clump_fit)pick(random, 4);
    }
}

static void choose_options(clump_objects_options *o, size_t count, uint64_t *random)
{
    *o = exact_defaults();
    choose_tree(o, random);
    choose_boxes(o, random);
    o->no_people = pick(random, 5) == 0;
    o->no_groups = pick(random, 5) == 0;
    o->min_score = pick(random, 3) ? 0 : check_random_float(random);
    o->common.order = (clump_order)pick(random, 2);
    o->common.min_size = pick(random, 3) ? 10 : pick(random, 2) ? 1 : 1 + pick(random, 60);
    o->common.max_size = pick(random, 4) ? 0 : o->common.min_size + pick(random, 400);
    o->ground.method = pick(random, 2) ? CLUMP_GROUND_GRID : (clump_ground_method)pick(random, 3);
    options_draw("ground", "flip", &o->ground, random);
    if (pick(random, 3) == 0)
        for (int k = 0; k < 3; k++) o->ground.sensor[k] = 2 * check_random_float(random) - 1;
    if (pick(random, 3) == 0) {
        for (size_t i = 0; i < count; i++) mask[i] = (uint8_t)(pick(random, 5) != 0) * 7;
        o->common.mask = mask;
    }
}

/* Turns the scene so that y is up, or down. */
static void turn_scene(clump_objects_options *o, size_t count, uint64_t *random)
{
    const bool y = pick(random, 2);
    o->ground.up = y ? CLUMP_UP_Y : CLUMP_UP_Z;
    o->ground.flip = pick(random, 2);
    for (size_t i = 0; i < count; i++) {
        float *const p = xyz + 3 * i;
        const float height = o->ground.flip ? -p[2] : p[2];
        p[2] = y ? p[1] : height;
        if (y) p[1] = height;
    }
}

static void streets(void)
{
    uint64_t random = 2301;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 8 : 100); round++) {
        const size_t count = street_make(xyz, round % 10 ? 200 + pick(&random, 1400) : MOST, &random);
        clump_objects_options o;
        choose_options(&o, count, &random);
        if (pick(&random, 4) == 0) turn_scene(&o, count, &random);
        if (pick(&random, 4) == 0) cloud_spoil(xyz, count, 20, &random);
        if (pick(&random, 4) == 0) street_shuffle(xyz, count, &random);
        char name[40];
        snprintf(name, sizeof name, "street %d", round);
        const cloud_view view = cloud_view_make(xyz, count, &random);
        compare_all(view.points, &o, true, name);
        free(view.memory);
    }
    if (!CLOUD_WATCHED)
        CHECK_MSG(seen_people > check_fewer(5, 20) && seen_objects > check_fewer(125, 500) &&
                      seen_background > check_fewer(10, 40) && seen_below > check_fewer(10, 40),
                  "%zu %zu %zu %zu", seen_people, seen_objects, seen_background, seen_below);
}

/* The corners of a box of 2 x 1 x 1.5, 20 m away, several times: a score that is easy to compute. */
static void score_of_a_box(void)
{
    enum { COUNT = 20 };
    clump_object f;
    int32_t own[COUNT], clusters;
    for (int i = 0; i < COUNT; i++) {
        float *const p = xyz + (ptrdiff_t)3 * i;
        p[0] = i & 1 ? 21.0f : 19.0f, p[1] = i & 2 ? 1.0f : 0.0f, p[2] = i & 4 ? 1.5f : 0.0f;
    }
    clump_objects_options o = exact_defaults();
    o.ground.method = CLUMP_GROUND_NONE;
    o.d = 3; /* also the finest level holds it together */
    o.found = &f, o.found_capacity = 1;
    CHECK_INT(clump_objects(contexts[0], (clump_points){.xyz = xyz, .count = COUNT}, &o, own, &clusters), CLUMP_OK);
    CHECK(clusters == 1 && f.object == 1 && f.level == 2 && f.length == 2 && f.width == 1 && f.top == 1.5f);
    /* width 0.96, bottom 0.89, top 2.28, factor 1.75, density 20 x 400.25 / 3 = 2668: -1.75; their sum -1.53: 0.1895 */
    CHECK_MSG(fabsf(f.score - 0.1895f) < 1e-6f, "%.9g", (double)f.score);
    for (int k = 0; k < 2; k++) { /* the least score is inclusive */
        o.min_score = k ? nextafterf(f.score, 1) : f.score;
        CHECK_INT(clump_objects(contexts[0], (clump_points){.xyz = xyz, .count = COUNT}, &o, own, &clusters), CLUMP_OK);
        CHECK(clusters == 1 && own[0] == 0 && f.object == !k && f.level == 2 && f.score > 0.16f);
        CHECK_INT(f.fits, k ? CLUMP_FIT_OTHER : CLUMP_FIT_CAR);
    }
}

/* Boxes whose limits are the sizes of clusters, or one float beside: each comparison is <= or >=. */
static void limits_at_sizes(void)
{
    uint64_t random = 2302;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 4 : 60); round++) {
        const size_t count = street_make(xyz, 300 + pick(&random, 900), &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_objects_options o;
        choose_options(&o, count, &random);
        o.common.min_size = 1, o.common.max_size = 0;
        o.boxes = (int)pick(&random, 2) * 2;
        objects_reference r = reference_objects(contexts[0], points, &o, true);
        for (int k = 0; k < CLUMP_OBJECTS_BOXES && r.count > 0; k++) {
            const clump_object *const f = &r.found[pick(&random, (size_t)r.count)];
            if (!(f->width > 0) || !(f->top > 0)) continue;
            clump_object_box *const b = &o.box[o.boxes < CLUMP_OBJECTS_BOXES ? o.boxes++ : 0];
            *b = (clump_object_box){f->length, f->width, f->top, f->top, f->bottom, CLUMP_FIT_TRUCK};
            switch (pick(&random, 8)) { /* mostly it fits exactly */
            case 0:
                b->length = cloud_step(b->length, -1);
                break;
            case 1:
                b->width = cloud_step(b->width, -1);
                break;
            case 2:
                b->least_top = cloud_step(b->least_top, 1), b->most_top = INFINITY;
                break;
            case 3:
                b->most_top = cloud_step(b->most_top, -1), b->least_top = -INFINITY;
                break;
            case 4:
                b->most_bottom = cloud_step(b->most_bottom, -1);
                break;
            default:
                break;
            }
            if (b->length < b->width) b->width = b->length;
        }
        if (r.count > 0 && pick(&random, 2)) { /* size limits, too */
            o.common.min_size = (size_t)r.found[pick(&random, (size_t)r.count)].count;
            o.common.max_size = (size_t)r.found[pick(&random, (size_t)r.count)].count;
            if (o.common.max_size < o.common.min_size) o.common.max_size = 0;
        }
        objects_reference_release(&r);
        char name[40];
        snprintf(name, sizeof name, "limits %d", round);
        compare_all(points, &o, true, name);
    }
}

/* Clouds of every kind. */
static void hostile_clouds(void)
{
    uint64_t random = 2303;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 16 : 64); round++) {
        const cloud_shape shape = (cloud_shape)(round % CLOUD_SHAPES);
        const size_t count = 1 + pick(&random, 700);
        clump_objects_options o;
        choose_options(&o, count, &random);
        o.d = cloud_fill(shape, xyz, count, &random);
        float most = 1;
        for (int k = 0; k < o.levels; k++) {
            const float r = o.d * o.factors[k];
            if (!(r * r >= 1.2e-38f) || !(r * r < INFINITY)) most = 0;
        }
        if (most == 0) o.levels = 1, o.factors[0] = 1;
        if (round % 3 == 0) cloud_spoil(xyz, count, 10, &random);
        char name[40];
        snprintf(name, sizeof name, "%s, round %d", cloud_name(shape), round);
        compare_all((clump_points){.xyz = xyz, .count = count}, &o, true, name);
    }
}

/* Coordinates up to the largest float and a sensor as far away: offsets that are infinite, projections that are not a
 * number. Sizes are infinite then, and no box fits. */
static void offsets_that_overflow(void)
{
    uint64_t random = 2306;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 8 : 40); round++) {
        const size_t count = 300;
        const float far[] = {-3e38f, 0, 1, 3e38f};
        for (size_t i = 0; i < 3 * count; i++)
            xyz[i] = pick(&random, 3) ? far[pick(&random, 4)] : 20 * check_random_float(&random);
        clump_objects_options o;
        choose_options(&o, count, &random);
        o.common.min_size = 1;
        o.d = pick(&random, 2) ? 2 : 1e18f;
        for (int k = 0; k < 3; k++) o.ground.sensor[k] = far[pick(&random, 4)];
        char name[40];
        snprintf(name, sizeof name, "overflow %d", round);
        compare_all((clump_points){.xyz = xyz, .count = count}, &o, true, name);
    }
}

/* ----- from scan to boxes ------------------------------------------------------------------------------------------- */

/* clump_detect gives the labels and the list of clump_objects, and the boxes of clump_describe. */
static void detects_the_same(void)
{
    uint64_t random = 2305;
    for (int round = 0; round < check_rounds(CLOUD_WATCHED ? 4 : 20); round++) {
        const size_t count = street_make(xyz, 500 + pick(&random, MOST - 500), &random);
        const clump_points points = {.xyz = xyz, .count = count};
        clump_objects_options o;
        choose_options(&o, count, &random);
        objects_reference r = reference_objects(contexts[0], points, &o, true);
        clump_detect_options d = clump_detect_defaults();
        d.method = CLUMP_DETECT_OBJECTS;
        d.common = o.common;
        d.common.eps_per_metre = 0;
        d.ground = o.ground;
        memcpy(d.common.sensor, o.ground.sensor, sizeof d.common.sensor);
        d.objects = o;
        d.objects.common = clump_objects_defaults().common;
        d.objects.common.eps_per_metre = o.common.eps_per_metre;
        const size_t room = (size_t)r.count + 1;
        clump_object *const found = malloc(room * sizeof *found);
        clump_cluster *const boxes = malloc(room * sizeof *boxes), *const expected = malloc(room * sizeof *boxes);
        int32_t *const labels = malloc((count + 1) * sizeof *labels), clusters = -1;
        float *const heights = malloc((count + 1) * sizeof *heights);
        memset(found, 0x5a, room * sizeof *found);
        d.objects.found = found;
        d.objects.found_capacity = r.count + 1;
        const clump_context *const ctx = contexts[round % CONTEXTS];
        CHECK_INT(clump_detect(contexts[round % CONTEXTS], points, &d, labels, boxes, r.count, &clusters), CLUMP_OK);
        CHECK_TEXT(clump_context_error(ctx), "");
        CHECK_INT(clusters, r.count);
        CHECK(memcmp(labels, r.labels, count * sizeof *labels) == 0);
        compare_found(found, &r, r.count + 1, "detect", &o);
        clump_ground_options g = o.ground;
        g.mask = o.common.mask;
        g.heights = heights;
        CHECK_INT(clump_ground(contexts[0], points, &g, labels, NULL), CLUMP_OK);
        clump_describe_options describe = clump_describe_defaults();
        describe.up = g.up;
        describe.heights = heights;
        memcpy(describe.sensor, g.sensor, sizeof g.sensor);
        CHECK_INT(clump_describe(contexts[0], points, r.labels, r.count, &describe, expected), CLUMP_OK);
        CHECK(memcmp(boxes, expected, (size_t)r.count * sizeof *boxes) == 0);
        free(found), free(boxes), free(expected), free(labels), free(heights);
        objects_reference_release(&r);
    }
}

CHECK_PROGRAM(test_objects)
{
    cpu_contexts(contexts, threads_of, CONTEXTS);
    RUN(streets);
    RUN(score_of_a_box);
    RUN(limits_at_sizes);
    RUN(hostile_clouds);
    RUN(offsets_that_overflow);
    RUN(detects_the_same);
    destroy_contexts(contexts, CONTEXTS);
}
