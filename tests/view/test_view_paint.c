/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_paint.c: the colour of every point, for every way of colouring.
 */
#include "support/check.h"

#include "viewer/picture/paint.h"

#include <math.h>

enum { POINTS = 6 };

/* Six points: core and border of cluster 1, cluster 0 twice, noise, ground. The second labelling makes noise of point 3. */
typedef struct sample {
    clump_cloud *cloud;
    view_frame frame;
} sample;

static const int32_t first_labels[POINTS] = {1, 1, 0, 0, CLUMP_NOISE, CLUMP_GROUND};
static const int32_t second_labels[POINTS] = {1, 1, 0, CLUMP_NOISE, CLUMP_NOISE, CLUMP_GROUND};
static const uint8_t core[POINTS] = {1, 0, 1, 0, 0, 0};
static const clump_cluster clusters[2] = {{.label = 3, .lower = {0, 0, 0}, .upper = {1, 1, 1}},
                                          {.label = 8, .lower = {1, 0, 0}, .upper = {2, 1, 1}}};

static sample make_sample(void)
{
    static const float intensity[POINTS] = {5, NAN, 10, 0, 7.5f, 2.5f};
    const clump_field field = {.name = "intensity", .type = CLUMP_TYPE_F32, .count = 1, .data = intensity};
    sample s = {0};
    CHECK_INT(clump_cloud_create(POINTS, &s.cloud, NULL), CLUMP_OK);
    for (int i = 0; i < POINTS; i++) {
        clump_cloud_xyz(s.cloud)[3 * i] = (float)(POINTS - i); /* the range falls, the height grows */
        clump_cloud_xyz(s.cloud)[3 * i + 2] = (float)i / 100;
    }
    CHECK_INT(clump_cloud_set_field(s.cloud, &field, NULL), CLUMP_OK);
    const view_labels first = {.labels = first_labels, .clusters = clusters, .count = 2, .core = core};
    s.frame = (view_frame){.clouds = {s.cloud}, .cloud_count = 1, .labelings = {first, first}, .labeling_count = 1};
    s.frame.labelings[1].labels = second_labels;
    return s;
}

static bool equal(view_rgb a, view_rgb b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

/* Checks the colours of the six points. */
static void check_paint(const view_frame *frame, view_colour colour, const view_rgb wanted[POINTS])
{
    view_options options = view_defaults();
    options.colour = colour;
    options.field = "intensity";
    view_paint paint;
    CHECK_INT(view_paint_frame(frame, &options, 0, true, &paint, NULL), CLUMP_OK);
    for (size_t i = 0; i < POINTS; i++)
        CHECK_MSG(equal(paint.points[i], wanted[i]), "colour %d, point %zu: %d %d %d, not %d %d %d", (int)colour, i,
                  paint.points[i].r, paint.points[i].g, paint.points[i].b, wanted[i].r, wanted[i].g, wanted[i].b);
    view_paint_release(&paint);
}

static void labels_have_their_colours(void)
{
    sample s = make_sample();
    const view_special *const c = view_special_colours(true);
    uint8_t chosen[2];
    CHECK(view_choose_colours(&s.frame.labelings[0], chosen));
    const view_rgb one = view_palette[chosen[1]], zero = view_palette[chosen[0]], any = view_palette[0];
    CHECK(!equal(one, zero));
    check_paint(&s.frame, VIEW_BY_LABEL, (const view_rgb[]){one, one, zero, zero, c->noise, c->ground});
    check_paint(&s.frame, VIEW_BY_AUTO, (const view_rgb[]){one, one, zero, zero, c->noise, c->ground});
    check_paint(&s.frame, VIEW_BY_GROUND, (const view_rgb[]){any, any, any, any, c->noise, c->ground});
    check_paint(&s.frame, VIEW_BY_CORE,
                (const view_rgb[]){c->core, c->border, c->core, c->border, c->noise, c->ground});
    s.frame.labeling_count = 2;
    check_paint(&s.frame, VIEW_BY_LABEL, (const view_rgb[]){one, one, zero, c->differs, c->noise, c->ground});
    check_paint(&s.frame, VIEW_BY_DIFFERENCE,
                (const view_rgb[]){c->noise, c->noise, c->noise, c->differs, c->noise, c->noise});
    clump_cloud_destroy(s.cloud);
}

/* Without clusters, what stands on the ground differs clearly from it. */
static void ground_alone_has_two_colours(void)
{
    static const int32_t labels[POINTS] = {CLUMP_NOISE, CLUMP_NOISE, CLUMP_NOISE,
                                           CLUMP_NOISE, CLUMP_NOISE, CLUMP_GROUND};
    sample s = make_sample();
    const view_rgb ground = view_special_colours(true)->ground, any = view_palette[0];
    s.frame.labelings[0] = (view_labels){.labels = labels};
    check_paint(&s.frame, VIEW_BY_LABEL, (const view_rgb[]){any, any, any, any, any, ground});
    check_paint(&s.frame, VIEW_BY_GROUND, (const view_rgb[]){any, any, any, any, any, ground});
    clump_cloud_destroy(s.cloud);
}

static void numbers_follow_the_ramp(void)
{
    sample s = make_sample();
    view_rgb up[POINTS], down[POINTS];
    for (int i = 0; i < POINTS; i++) {
        up[i] = view_ramp[51 * i]; /* 255 / 5 */
        down[i] = view_ramp[255 - 51 * i];
    }
    check_paint(&s.frame, VIEW_BY_HEIGHT, up);
    s.frame.flip = true;
    check_paint(&s.frame, VIEW_BY_HEIGHT, down);
    s.frame.sensor[0] = 100; /* far in front: the first point is the nearest one */
    check_paint(&s.frame, VIEW_BY_RANGE, up);
    s.frame.sensor[0] = 0;
    check_paint(&s.frame, VIEW_BY_RANGE, down);
    const view_rgb unknown = view_special_colours(true)->noise;
    check_paint(
        &s.frame, VIEW_BY_FIELD,
        (const view_rgb[]){view_ramp[128], unknown, view_ramp[255], view_ramp[0], view_ramp[191], view_ramp[64]});
    clump_cloud_destroy(s.cloud);
}

/* Points of a second cloud have no label. */
static void second_cloud_has_its_own_colour(void)
{
    sample s = make_sample();
    s.frame.clouds[1] = s.cloud;
    s.frame.cloud_count = 2;
    const view_special *const c = view_special_colours(true);
    check_paint(&s.frame, VIEW_BY_CLOUD,
                (const view_rgb[]){c->clouds[0], c->clouds[0], c->clouds[0], c->clouds[0], c->clouds[0], c->clouds[0]});
    view_options options = view_defaults();
    options.colour = VIEW_BY_LABEL;
    view_paint paint;
    CHECK_INT(view_paint_frame(&s.frame, &options, 0, true, &paint, NULL), CLUMP_OK);
    for (size_t i = 0; i < POINTS; i++) CHECK(equal(paint.points[POINTS + i], c->clouds[1]));
    view_paint_release(&paint);
    clump_cloud_destroy(s.cloud);
}

static void missing_values_are_refused(void)
{
    sample s = make_sample();
    s.frame.labelings[0].core = NULL;
    view_options options = view_defaults();
    static const view_colour missing[] = {VIEW_BY_CORE, VIEW_BY_CLOUD, VIEW_BY_DIFFERENCE, VIEW_BY_FIELD};
    options.field = "ring";
    for (size_t k = 0; k < sizeof missing / sizeof *missing; k++) {
        view_paint paint;
        clump_message message = {0};
        options.colour = missing[k];
        CHECK_INT(view_paint_frame(&s.frame, &options, 0, true, &paint, &message), CLUMP_ERR_ARGUMENT);
        CHECK(message.text[0]);
        view_paint_release(&paint);
    }
    clump_cloud_destroy(s.cloud);
}

CHECK_PROGRAM(test_view_paint)
{
    RUN(labels_have_their_colours);
    RUN(ground_alone_has_two_colours);
    RUN(numbers_follow_the_ramp);
    RUN(second_cloud_has_its_own_colour);
    RUN(missing_values_are_refused);
}
