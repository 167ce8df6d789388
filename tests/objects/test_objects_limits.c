/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_objects_limits.c: every limit of clump_objects at its value and one float, or one point, beside it. The scenes are
 * made by hand, and the expected answers follow from section 8 of clump.h without any code.
 *
 *     ground is z = 0, and the sensor is at the origin, so the height of a point is its z
 *     block: a lattice with corners at the origin, one node of the finest level (radius 0.5)
 *     fence: points 0.7 beside the block, in the same node of the coarsest level (radius 1)
 */
#include "support/check.h"

#include "support/calls.h"
#include "support/clouds.h"

#include <math.h>

enum { MOST = 4000, FOUND = 100, FLOOR = 40 };

static float xyz[3 * MOST];
static int32_t labels[MOST];
static size_t count, block_begin, fence_begin;
static clump_object found[FOUND];
static int32_t clusters;

static void add(float x, float y, float z)
{
    if (count == MOST) abort();
    float *const p = xyz + 3 * count++;
    p[0] = x, p[1] = y, p[2] = z;
}

static float up(float x)
{
    return nextafterf(x, INFINITY);
}

static float down(float x)
{
    return nextafterf(x, -INFINITY);
}

/* Position k of n on the way from a to b, exact at the ends. */
static float along(float a, float b, int k, int n)
{
    return k == n - 1 ? b : a + (b - a) * (float)k / (float)(n - 1);
}

typedef struct block {
    float length, width, bottom, top;
    int points; /* more than the lattice has lie at its corner */
} block;

static void add_block(block b)
{
    const int nx = (int)(b.length / 0.45f) + 2, ny = (int)(b.width / 0.45f) + 2,
              nz = (int)((b.top - b.bottom) / 0.45f) + 2;
    block_begin = count;
    for (int i = 0; i < nx * ny * nz; i++)
        add(along(0, b.length, i % nx, nx), along(0, b.width, i / nx % ny, ny),
            along(b.bottom, b.top, i / nx / ny, nz));
    CHECK_MSG(count - block_begin <= (size_t)b.points, "the lattice has %zu points", count - block_begin);
    while (count < block_begin + (size_t)b.points) add(0, 0, b.bottom);
}

/* A row of points that no box of this file holds. */
static void add_fence(block b)
{
    fence_begin = count;
    for (int k = 0; k < 60; k++) add(b.length + 0.7f, 0.15f * (float)k, b.bottom);
}

static void begin_scene(bool ground)
{
    count = block_begin = fence_begin = 0;
    for (int i = 0; ground && i < FLOOR * FLOOR; i++)
        add(0.5f * (float)(i % FLOOR - FLOOR / 2), 0.5f * (float)(i / FLOOR - FLOOR / 2), 0);
}

static clump_objects_options options_of(bool ground)
{
    clump_objects_options o = clump_objects_defaults();
    o.neighbours = CLUMP_NEIGHBOURS_EXACT;
    o.d = 1;
    o.common.eps_per_metre = 0;
    o.levels = 2;
    o.factors[0] = 0.5f, o.factors[1] = 1;
    o.boxes = 0;
    o.common.min_size = 1;
    o.ground.method = ground ? CLUMP_GROUND_GRID : CLUMP_GROUND_NONE;
    o.found = found;
    o.found_capacity = FOUND;
    return o;
}

/* Runs the call. Heights must be z, else the scene is not what the test says. */
static void run(clump_objects_options o)
{
    static float heights[MOST];
    clump_context *const ctx = cpu_context(1);
    const clump_points points = {.xyz = xyz, .count = count};
    if (o.ground.method != CLUMP_GROUND_NONE) {
        clump_ground_options g = o.ground;
        g.heights = heights;
        CHECK_INT(clump_ground(ctx, points, &g, labels, NULL), CLUMP_OK);
        for (size_t i = block_begin; i < count; i++)
            CHECK_MSG(heights[i] == xyz[3 * i + 2] && labels[i] != CLUMP_GROUND, "%.9g, %.9g", (double)heights[i],
                      (double)xyz[3 * i + 2]);
    }
    CHECK_INT(clump_objects(ctx, points, &o, labels, &clusters), CLUMP_OK);
    CHECK_TEXT(clump_context_error(ctx), "");
    clump_context_destroy(ctx);
}

/* Whether the block is an object of its own; all its points have one label in any case. */
static bool is_separate(void)
{
    const int32_t label = labels[block_begin];
    for (size_t i = block_begin; i < (fence_begin ? fence_begin : count); i++) CHECK_INT(labels[i], label);
    for (size_t i = fence_begin; fence_begin && i < count; i++) CHECK_INT(labels[i], labels[fence_begin]);
    CHECK(label >= 0 && label < clusters && clusters <= FOUND);
    const bool alone = !fence_begin || labels[fence_begin] != label;
    CHECK_INT(clusters, fence_begin && alone ? 2 : 1);
    return alone && found[label].object;
}

/* ----- people ------------------------------------------------------------------------------------------------------- */

/* A block beside `rest` points that belong to its cluster. */
static bool is_person(block b, int rest, bool no_people)
{
    begin_scene(true);
    add_block(b);
    fence_begin = count;
    for (int k = 0; k < rest; k++) add(b.length + 0.7f, 0, b.bottom);
    clump_objects_options o = options_of(true);
    o.no_people = no_people;
    run(o);
    const bool person = is_separate();
    CHECK_INT(found[labels[block_begin]].fits, person ? CLUMP_FIT_PERSON : CLUMP_FIT_OTHER);
    return person;
}

static void people(void)
{
    const block good = {1.1f, 0.9f, 0.3f, 1.5f, 120};
    block b = good;
    CHECK(is_person(b, 60, false));
    CHECK(!is_person(b, 60, true));
    b.length = up(1.1f);
    CHECK(!is_person(b, 60, false));
    b = good, b.width = up(0.9f);
    CHECK(!is_person(b, 60, false));
    b = good, b.bottom = 0.9f, b.top = 1.7f;
    CHECK(is_person(b, 60, false));
    b.bottom = up(0.9f);
    CHECK(!is_person(b, 60, false));
    b = good, b.top = 1.2f;
    CHECK(is_person(b, 60, false));
    b.top = down(1.2f);
    CHECK(!is_person(b, 60, false));
    b = good, b.top = 2.2f;
    CHECK(is_person(b, 60, false));
    b.top = up(2.2f);
    CHECK(!is_person(b, 60, false));
    b = good, b.top = 1.2f, b.bottom = 1.2f - 0.7f;
    CHECK(b.top - b.bottom == 0.7f);
    CHECK(is_person(b, 60, false));
    b.bottom = up(b.bottom);
    CHECK(!is_person(b, 60, false));
}

static void number_of_points_of_people(void)
{
    block b = {0.4f, 0.3f, 0.3f, 1.3f, 50};
    CHECK(is_person(b, 60, false));
    b.points = 49;
    CHECK(!is_person(b, 60, false));
    b.points = 60;
    CHECK(is_person(b, 20, false)); /* three quarters of 80 */
    b.points = 60;
    CHECK(!is_person(b, 19, false));
    b.points = 50;
    CHECK(is_person(b, 17, false));
    b.points = 50;
    CHECK(!is_person(b, 16, false));
}

/* Each of two people can be three quarters of a cluster or less; then nothing is left of it. */
static void two_people_are_a_whole_cluster(void)
{
    begin_scene(true);
    const block b = {0.4f, 0.3f, 0.3f, 1.3f, 60};
    add_block(b);
    const size_t first = block_begin;
    fence_begin = count;
    for (size_t i = first; i < fence_begin; i++) add(xyz[3 * i] + 1.1f, xyz[3 * i + 1], xyz[3 * i + 2]);
    run(options_of(true));
    CHECK(is_separate());
    CHECK(clusters == 2 && found[1].object && found[1].fits == CLUMP_FIT_PERSON && found[1].count == 60);
}

/* ----- boxes -------------------------------------------------------------------------------------------------------- */

static const clump_object_box usual_box = {1.2f, 0.8f, 1.1f, 1.9f, 0.6f, CLUMP_FIT_TRUCK};

/* Whether a block is an object by the box: alone, so on the coarsest level, or beside a fence, so on the finest. */
static bool fits(block b, clump_object_box box, bool fence, bool ground)
{
    begin_scene(ground);
    add_block(b);
    if (fence) add_fence(b);
    clump_objects_options o = options_of(ground);
    o.no_people = true;
    o.boxes = 1;
    o.box[0] = box;
    run(o);
    const bool object = is_separate();
    const clump_object *const f = &found[labels[block_begin]];
    CHECK_INT(f->fits, object ? (int)box.fits : CLUMP_FIT_OTHER);
    if (!fence || object) CHECK(f->length == b.length && f->width == b.width && f->count == b.points);
    if (ground && object) CHECK(f->bottom == b.bottom && f->top == b.top);
    return object;
}

static void boxes(void)
{
    for (int turn = 0; turn < 2; turn++) {
        const bool fence = turn;
        const block good = {1.2f, 0.8f, 0.6f, 1.5f, 60};
        block b = good;
        CHECK(fits(b, usual_box, fence, true));
        b.length = up(1.2f);
        CHECK(!fits(b, usual_box, fence, true));
        b = good, b.width = up(0.8f);
        CHECK(!fits(b, usual_box, fence, true));
        b = good, b.bottom = up(0.6f);
        CHECK(!fits(b, usual_box, fence, true));
        b = good, b.top = 1.1f;
        CHECK(fits(b, usual_box, fence, true));
        b.top = down(1.1f);
        CHECK(!fits(b, usual_box, fence, true));
        b = good, b.top = 1.9f;
        CHECK(fits(b, usual_box, fence, true));
        b.top = up(1.9f);
        CHECK(!fits(b, usual_box, fence, true));
    }
}

/* Below the coarsest level a node needs 10 points and a bottom of at most 1; on it neither. */
static void finer_levels_need_more(void)
{
    clump_object_box box = usual_box;
    box.most_bottom = INFINITY;
    block b = {0.4f, 0.3f, 0.9f, 1.3f, 10};
    CHECK(fits(b, box, true, true) && fits(b, box, false, true));
    b.points = 9;
    CHECK(!fits(b, box, true, true) && fits(b, box, false, true));
    b.points = 10, b.bottom = 1;
    CHECK(fits(b, box, true, true) && fits(b, box, false, true));
    b.bottom = up(1);
    CHECK(!fits(b, box, true, true) && fits(b, box, false, true));
}

/* Without ground the lowest point of a node counts as ground. */
static void heights_without_ground(void)
{
    clump_object_box box = {1.2f, 0.8f, 1.0f, 1.5f, 0, CLUMP_FIT_CAR};
    block b = {1.2f, 0.8f, -8, -6.5f, 60};
    for (int turn = 0; turn < 2; turn++) {
        box.most_top = 1.5f;
        CHECK(fits(b, box, turn, false));
        CHECK(found[labels[0]].bottom == 0 && found[labels[0]].top == 1.5f);
        box.most_top = down(1.5f);
        CHECK(!fits(b, box, turn, false));
        box.most_top = INFINITY, box.least_top = 1.5f;
        CHECK(fits(b, box, turn, false));
        box.least_top = up(1.5f);
        CHECK(!fits(b, box, turn, false));
        box.least_top = 1;
    }
}

/* Of boxes that fit the first counts, and a person comes before all. */
static void first_box_counts(void)
{
    begin_scene(true);
    add_block((block){0.4f, 0.3f, 0.3f, 1.3f, 60});
    clump_objects_options o = options_of(true);
    o.boxes = 3;
    o.box[0] = (clump_object_box){0.3f, 0.3f, -INFINITY, 2, 1, CLUMP_FIT_OTHER};
    o.box[1] = (clump_object_box){0.4f, 0.3f, -INFINITY, 2, 1, CLUMP_FIT_TRUCK};
    o.box[2] = (clump_object_box){4, 3, -INFINITY, 2, 1, CLUMP_FIT_CAR};
    o.no_people = true;
    run(o);
    CHECK(clusters == 1 && found[0].object && found[0].fits == CLUMP_FIT_TRUCK);
    o.no_people = false;
    run(o);
    CHECK(clusters == 1 && found[0].object && found[0].fits == CLUMP_FIT_PERSON);
}

/* Two blocks that are one node on the coarsest level: one object where their union fits, else two. */
static void coarse_before_fine(void)
{
    begin_scene(true);
    add_block((block){0.4f, 0.3f, 0.3f, 1.0f, 20});
    fence_begin = count;
    for (size_t i = block_begin; i < fence_begin; i++) add(xyz[3 * i] + 1.1f, xyz[3 * i + 1], xyz[3 * i + 2]);
    clump_objects_options o = options_of(true);
    o.boxes = 1;
    o.box[0] = (clump_object_box){1.5f, 0.3f, -INFINITY, 2, 1, CLUMP_FIT_CAR};
    run(o);
    CHECK(clusters == 1 && found[0].count == 40 && found[0].length == 1.5f);
    o.box[0].length = down(1.5f);
    run(o);
    CHECK(clusters == 2 && found[0].count == 20 && found[1].count == 20 && found[0].object && found[1].object);
}

/* ----- groups ------------------------------------------------------------------------------------------------------- */

/* A second block beside the first, `dx` and `dy` farther; its far side is at y = `far` where this is not 0. */
static void add_twin(block b, float dx, float dy, float far, int points)
{
    const size_t begin = block_begin, end = count;
    fence_begin = count;
    for (size_t i = begin; i < end && count < fence_begin + (size_t)points; i++) {
        const bool side = far > 0 && xyz[3 * i + 1] == b.width;
        add(xyz[3 * i] + dx, side ? far : xyz[3 * i + 1] + dy, xyz[3 * i + 2]);
    }
    while (count < fence_begin + (size_t)points) add(dx, dy, b.bottom);
}

/* The clusters of two people in a row, and of `rest` points beside them; the node has `length`. */
static int32_t clusters_of_pair(int first, int second, int rest, float length, bool no_groups)
{
    const block b = {0.2f, 0.3f, 0.3f, 1.3f, first};
    begin_scene(true);
    add_block(b);
    add_twin(b, length - 0.2f, 0, 0, second);
    for (int k = 0; k < rest; k++) add(length, 1, 0.3f);
    clump_objects_options o = options_of(true);
    o.boxes = 1;
    o.box[0] = (clump_object_box){6, 3, -INFINITY, 2.6f, INFINITY, CLUMP_FIT_OTHER};
    o.no_groups = no_groups;
    run(o);
    for (int32_t c = 0; c < clusters; c++) CHECK(found[c].object);
    return clusters;
}

static void groups_of_people(void)
{
    CHECK_INT(clusters_of_pair(40, 40, 0, 1.15f, false), 2);
    CHECK(found[0].fits == CLUMP_FIT_PERSON && found[1].fits == CLUMP_FIT_PERSON && found[0].level == 0);
    CHECK_INT(clusters_of_pair(40, 40, 0, 1.15f, true), 1);
    CHECK_INT(clusters_of_pair(48, 16, 0, 1.15f, false), 2); /* three quarters */
    CHECK_INT(clusters_of_pair(49, 16, 0, 1.15f, false), 1);
    CHECK_INT(clusters_of_pair(20, 20, 10, 1.15f, false), 3); /* four fifths */
    CHECK_INT(clusters_of_pair(20, 20, 11, 1.15f, false), 1);
    CHECK_INT(clusters_of_pair(40, 40, 0, 1.1f, false), 1); /* the size of one person */
    CHECK(found[0].length == 1.1f && found[0].fits == CLUMP_FIT_PERSON);
    CHECK_INT(clusters_of_pair(40, 40, 0, 1.100001f, false), 2);
}

/* The clusters of two cars side by side that are `width` wide together. */
static int32_t clusters_of_cars(float width, clump_fit fits, bool no_groups)
{
    const block b = {4, 0.6f, 0.3f, 1.4f, 144};
    begin_scene(true);
    add_block(b);
    add_twin(b, 0, width - 0.6f, width, 144);
    clump_objects_options o = options_of(true);
    o.d = 1.4f;
    o.boxes = 1;
    o.factors[0] = 0.45f;
    o.box[0] = (clump_object_box){6, 3, -INFINITY, 2.6f, INFINITY, fits};
    o.no_groups = no_groups;
    run(o);
    return clusters;
}

static void groups_of_vehicles(void)
{
    const float widest = 2 + 0.13f * 4; /* of one car with a length of 4 */
    CHECK_INT(clusters_of_cars(widest, CLUMP_FIT_CAR, false), 1);
    CHECK_INT(clusters_of_cars(up(widest), CLUMP_FIT_CAR, false), 2);
    CHECK_INT(clusters_of_cars(up(widest), CLUMP_FIT_CAR, true), 1);
    CHECK_INT(clusters_of_cars(up(widest), CLUMP_FIT_OTHER, false), 1); /* a box of the caller */
}

CHECK_PROGRAM(test_objects_limits)
{
    RUN(people);
    RUN(number_of_points_of_people);
    RUN(two_people_are_a_whole_cluster);
    RUN(boxes);
    RUN(finer_levels_need_more);
    RUN(heights_without_ground);
    RUN(first_box_counts);
    RUN(coarse_before_fine);
    RUN(groups_of_people);
    RUN(groups_of_vehicles);
}
