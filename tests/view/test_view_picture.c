/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_picture.c: pictures against stored ones, against a simple renderer that is written differently, and of clouds
 * that are hard to draw.
 */
#include "view/view_golden.h"
#include "view/view_street.h"
#include "viewer/picture/camera.h"
#include "viewer/scene/palette.h"
#include "viewer/picture/picture.h"

enum { WIDTH = 320, HEIGHT = 180 };

static bool same_image(const view_image *a, const view_image *b)
{
    return a->width == b->width && a->height == b->height && memcmp(a->rgb, b->rgb, 3 * a->width * a->height) == 0;
}

static view_image draw(const view_frame *frame, const view_options *options, size_t width, size_t height)
{
    view_image image;
    clump_message message = {""};
    const clump_status status = view_draw(frame, options, width, height, &image, &message);
    if (status != CLUMP_OK) CHECK_FAIL("not drawn: %s", message.text);
    return image;
}

static size_t count_drawn(const view_image *image, bool dark)
{
    const view_rgb background = view_special_colours(dark)->background;
    size_t count = 0;
    for (size_t i = 0; i < image->width * image->height; i++) {
        const uint8_t *const p = image->rgb + 3 * i;
        count += p[0] != background.r || p[1] != background.g || p[2] != background.b;
    }
    return count;
}

/* --- stored pictures --------------------------------------------------------------------------- */

static void check_golden(const char *name, const view_frame *frame, const view_options *options)
{
    view_image image = draw(frame, options, WIDTH, HEIGHT);
    golden_check(name, &image);
    view_image_release(&image);
}

static void street_looks_as_stored(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    options.point_size = 8;
    check_golden("view_home_dark", &frame, &options);
    options.theme = VIEW_THEME_LIGHT, options.from = VIEW_TOP;
    check_golden("view_top_light", &frame, &options);
    options.from = VIEW_SENSOR, options.colour = VIEW_BY_RANGE;
    check_golden("view_sensor_range", &frame, &options);
    options = view_defaults(), options.point_size = 5, options.from = VIEW_SIDE, options.colour = VIEW_BY_HEIGHT,
    options.boxes = false;
    check_golden("view_side_height", &frame, &options);
    street_release(&s);
    street_make(&s, &frame, CLUMP_UP_Y);
    options = view_defaults(), options.point_size = 8, options.colour = VIEW_BY_GROUND;
    check_golden("view_home_up_y", &frame, &options);
    street_release(&s);
}

static void pairs_look_as_stored(void)
{
    static street s;
    static int32_t nearest[STREET_ROOM];
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    clump_cloud *const other = cloud_of(s.xyz, s.count);
    const double origin[3] = {0.5, 1.5, 0};
    clump_cloud_set_origin(other, origin);
    for (size_t i = 0; i < s.count; i++) nearest[i] = i % 40 ? -1 : (int32_t)i;
    frame.labeling_count = 0, frame.cloud_count = 2, frame.clouds[1] = other, frame.nearest = nearest;
    view_options options = view_defaults();
    options.from = VIEW_ANGLES, options.azimuth = 150, options.elevation = 55, options.zoom = 0.9;
    options.point_size = 4;
    check_golden("view_pairs", &frame, &options);
    clump_cloud_destroy(other);
    street_release(&s);
}

/* Two labellings: two halves. The second labelling cuts a car in two. */
static void two_labelings_look_as_stored(void)
{
    static street s;
    static int32_t second[STREET_ROOM];
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    for (size_t i = 0; i < s.count; i++) second[i] = s.labels[i] == 2 && s.xyz[3 * i] > 9 ? CLUMP_NOISE : s.labels[i];
    frame.labeling_count = 2, frame.labelings[1] = frame.labelings[0], frame.labelings[1].labels = second;
    view_options options = view_defaults();
    options.point_size = 8;
    check_golden("view_compare", &frame, &options);
    const view_rgb mark = view_special_colours(true)->differs;
    size_t marked[2] = {0, 0};
    options.shading = options.boxes = false;
    view_image image = draw(&frame, &options, WIDTH, HEIGHT);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++) {
        const uint8_t *const p = image.rgb + 3 * i;
        marked[i % WIDTH > WIDTH / 2] += p[0] == mark.r && p[1] == mark.g && p[2] == mark.b;
    }
    CHECK(marked[0] > 10 && marked[0] == marked[1]);
    view_image_release(&image);
    options.colour = VIEW_BY_HEIGHT; /* does not depend on the labels: one picture */
    image = draw(&frame, &options, WIDTH, HEIGHT);
    frame.labeling_count = 1;
    view_image alone = draw(&frame, &options, WIDTH, HEIGHT);
    CHECK(same_image(&image, &alone));
    view_image_release(&image), view_image_release(&alone);
    street_release(&s);
}

/* The comparison must find a picture that is a little different. */
static void changed_picture_is_found(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    options.point_size = 8;
    view_image right = draw(&frame, &options, WIDTH, HEIGHT);
    CHECK(golden_equal(&right, &right));
    view_options changes[5] = {options, options, options, options, options};
    changes[0].shading = false, changes[1].boxes = false, changes[2].point_size = 9, changes[3].zoom = 1.02;
    changes[4].theme = VIEW_THEME_LIGHT;
    for (int i = 0; i < 5; i++) {
        view_image wrong = draw(&frame, &changes[i], WIDTH, HEIGHT);
        CHECK_MSG(!golden_equal(&right, &wrong), "change %d", i);
        view_image_release(&wrong);
    }
    s.labels[0] = s.labels[1] = 0;
    for (size_t i = 0; i < s.count; i++)
        if (s.labels[i] == 2) s.labels[i] = 4; /* one car in another colour */
    view_image wrong = draw(&frame, &options, WIDTH, HEIGHT);
    CHECK(!golden_equal(&right, &wrong));
    view_image_release(&wrong);
    view_image_release(&right);
    street_release(&s);
}

/* --- the legend and the scale bar ---------------------------------------------------------------- */

/* Pixels of a part of the picture that the legend or the bar changes. */
static size_t count_changed(const view_frame *frame, view_options options, size_t width, size_t height,
                            const double part[4])
{
    options.legend = true;
    view_image with = draw(frame, &options, width, height);
    options.legend = false;
    view_image without = draw(frame, &options, width, height);
    size_t changed = 0;
    for (size_t y = (size_t)(part[2] * (double)height); y < (size_t)(part[3] * (double)height); y++)
        for (size_t x = (size_t)(part[0] * (double)width); x < (size_t)(part[1] * (double)width); x++)
            changed += memcmp(with.rgb + 3 * (y * width + x), without.rgb + 3 * (y * width + x), 3) != 0;
    view_image_release(&with);
    view_image_release(&without);
    return changed;
}

static void legend_is_in_the_corners(void)
{
    static const double all[4] = {0, 1, 0, 1}, left[4] = {0, 0.5, 0.7, 1}, right[4] = {0.6, 1, 0.8, 1};
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    for (int from = VIEW_HOME; from <= VIEW_SENSOR; from++) {
        options.from = (view_from)from;
        const size_t changed = count_changed(&frame, options, 800, 450, all);
        const size_t legend = count_changed(&frame, options, 800, 450, left);
        const size_t bar = count_changed(&frame, options, 800, 450, right);
        CHECK_INT(changed, legend + bar);
        CHECK_MSG(legend > 300 && legend < 12000, "%zu", legend);
        CHECK_MSG(from == VIEW_TOP ? bar > 200 : bar == 0, "view %d: %zu", from, bar);
    }
    CHECK_INT(count_changed(&frame, options, WIDTH, HEIGHT, all), 0); /* too small */
    frame.labelings[1] = frame.labelings[0], frame.labeling_count = 2;
    frame.labelings[0].name = "a name that is much too long for one half of a picture of this width, \xc3\xa4\xc3\xb6";
    frame.labelings[1].name = "";
    CHECK(count_changed(&frame, options, 900, 450, left) > 300);
    street_release(&s);
}

/* The bar of a plane from above, in units of the plane: a round number, by the distance of two points in the picture. */
static void bar_has_a_round_length(void)
{
    const view_rgb text = view_special_colours(true)->text;
    for (double size = 0.003; size < 1e6; size *= 7) {
        float xyz[3 * 400];
        for (int i = 0; i < 400; i++) {
            xyz[3 * i] = (float)(size * (i % 20 - 9.5)), xyz[3 * i + 1] = (float)(size * (i / 20 - 9.5));
            xyz[3 * i + 2] = 0;
        }
        clump_cloud *const cloud = cloud_of(xyz, 400);
        const view_frame frame = {.clouds = {cloud}, .cloud_count = 1, .stamp = INT64_MIN};
        view_options options = view_defaults();
        options.from = VIEW_TOP;
        const view_camera camera = view_camera_of(&frame, &options, 800.0 / 450);
        const double high = fabs(camera.eye[2] - camera.target[2]);
        const double per_pixel = 2 * high * tan(22.5 * acos(-1) / 180) / 450; /* the picture is 45 degrees high */
        view_image image = draw(&frame, &options, 800, 450);
        size_t bar = 0;
        for (size_t x = 400; x < 800; x++) bar += memcmp(image.rgb + 3 * (439 * 800 + x), &text, 3) == 0;
        const double length = (double)bar * per_pixel, power = pow(10, floor(log10(length * 1.02)));
        const double factor = length / power;
        const double nearest = factor > 4 ? 5 : factor > 1.7 ? 2 : 1;
        CHECK_MSG(bar > 60 && bar <= 160, "%zu pixels", bar);
        CHECK_MSG(fabs(factor / nearest - 1) < 0.02, "%g of %g", length, size);
        view_image_release(&image);
        clump_cloud_destroy(cloud);
    }
}

static void legends_look_as_stored(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    options.from = VIEW_TOP, options.point_size = 8;
    view_image image = draw(&frame, &options, 480, 270);
    golden_check("view_legend_label", &image);
    view_image_release(&image);
    options.theme = VIEW_THEME_LIGHT, options.colour = VIEW_BY_HEIGHT;
    image = draw(&frame, &options, 480, 270);
    golden_check("view_legend_height", &image);
    view_image_release(&image);
    street_release(&s);
}

/* --- a second renderer ------------------------------------------------------------------------- */

typedef struct simple {
    double depth[2 * HEIGHT][2 * WIDTH];
    double colour[2 * HEIGHT][2 * WIDTH][3];
} simple;

static void simple_points(simple *s, const view_frame *frame, const view_camera *camera, double point_size)
{
    const double slope = tan(22.5 * acos(-1) / 180);
    double sight[3], right[3], reach = 0;
    for (int k = 0; k < 3; k++) reach = hypot(reach, camera->target[k] - camera->eye[k]);
    for (int k = 0; k < 3; k++) sight[k] = (camera->target[k] - camera->eye[k]) / reach;
    for (int k = 0; k < 3; k++)
        right[k] = sight[(k + 1) % 3] * camera->up[(k + 2) % 3] - sight[(k + 2) % 3] * camera->up[(k + 1) % 3];
    const clump_points points = clump_cloud_points(frame->clouds[0]);
    for (size_t i = 0; i < points.count; i++) {
        double x = 0, y = 0, d = 0;
        for (int k = 0; k < 3; k++) {
            const double offset = points.xyz[3 * i + (size_t)k] - camera->eye[k];
            x += offset * right[k], y += offset * camera->up[k], d += offset * sight[k];
        }
        if (d < 1e-3 * reach) continue;
        const double px = WIDTH + HEIGHT * x / d / slope, py = HEIGHT - HEIGHT * y / d / slope;
        const double size = floor(fmax(2, 2 * point_size * HEIGHT / 900 * fmin(fmax(sqrt(reach / d), 0.7), 2.5)) + 0.5);
        const double left = floor(px - size / 2 + 0.5), top = floor(py - size / 2 + 0.5);
        for (double row = fmax(top, 0); row < fmin(top + size, 2 * HEIGHT); row++) {
            for (double column = fmax(left, 0); column < fmin(left + size, 2 * WIDTH); column++) {
                const double u = column + 0.5 - left - size / 2, v = row + 0.5 - top - size / 2;
                if (u * u + v * v > size * size / 4 || d >= s->depth[(int)row][(int)column]) continue;
                s->depth[(int)row][(int)column] = d;
                const int32_t label = frame->labelings[0].labels[i];
                const view_rgb c = label == CLUMP_GROUND ? view_special_colours(true)->ground : view_palette[0];
                s->colour[(int)row][(int)column][0] = c.r, s->colour[(int)row][(int)column][1] = c.g;
                s->colour[(int)row][(int)column][2] = c.b;
            }
        }
    }
}

static void simple_shading(simple *s)
{
    for (int y = 0; y < 2 * HEIGHT; y++) {
        for (int x = 0; x < 2 * WIDTH; x++) {
            double sum = 0;
            for (int n = 0; n < 9 && isfinite(s->depth[y][x]); n++) {
                const int v = y + 2 * (n / 3 - 1), u = x + 2 * (n % 3 - 1);
                if (u < 0 || v < 0 || u >= 2 * WIDTH || v >= 2 * HEIGHT || !isfinite(s->depth[v][u])) continue;
                sum += fmax(0, log2(s->depth[y][x]) - log2(s->depth[v][u]));
            }
            for (int k = 0; k < 3; k++) s->colour[y][x][k] *= 0.25 + 0.75 * exp(-40 * sum / 8);
        }
    }
}

/* Only ground and the first clusters are compared: a frame of two colours needs no rules for colours. */
static void simple_renderer_agrees(void)
{
    static street s;
    static simple other;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    for (size_t i = 0; i < s.count; i++) s.labels[i] = s.labels[i] == CLUMP_GROUND ? CLUMP_GROUND : 0;
    view_options options = view_defaults();
    options.boxes = false, options.point_size = 6, options.colour = VIEW_BY_GROUND;
    const view_camera camera = view_camera_of(&frame, &options, (double)WIDTH / HEIGHT);
    const view_rgb background = view_special_colours(true)->background;
    for (int y = 0; y < 2 * HEIGHT; y++) {
        for (int x = 0; x < 2 * WIDTH; x++) {
            other.depth[y][x] = INFINITY, other.colour[y][x][0] = background.r;
            other.colour[y][x][1] = background.g, other.colour[y][x][2] = background.b;
        }
    }
    simple_points(&other, &frame, &camera, options.point_size);
    simple_shading(&other);
    view_image image = draw(&frame, &options, WIDTH, HEIGHT);
    size_t wrong = 0;
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 3; i++) {
        const size_t x = i / 3 % WIDTH, y = i / 3 / WIDTH, k = i % 3;
        const double mean = (other.colour[2 * y][2 * x][k] + other.colour[2 * y][2 * x + 1][k] +
                             other.colour[2 * y + 1][2 * x][k] + other.colour[2 * y + 1][2 * x + 1][k]) /
                            4;
        wrong += fabs(mean - image.rgb[i]) > 2;
    }
    CHECK_MSG(wrong < (size_t)WIDTH * HEIGHT * 3 / 200, "%zu of %d numbers", wrong, WIDTH * HEIGHT * 3);
    view_image_release(&image);
    street_release(&s);
}

/* --- rules ------------------------------------------------------------------------------------- */

static void same_input_same_bytes(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    const view_options options = view_defaults();
    view_image first = draw(&frame, &options, 333, 211), second = draw(&frame, &options, 333, 211);
    CHECK(same_image(&first, &second));
    view_bytes a = {0}, b = {0};
    CHECK_INT(view_put_png(&a, &first, 64, NULL), CLUMP_OK);
    CHECK_INT(view_put_png(&b, &second, 64, NULL), CLUMP_OK);
    CHECK(a.size == b.size && memcmp(a.data, b.data, a.size) == 0);
    view_bytes_release(&a), view_bytes_release(&b);
    view_image_release(&first), view_image_release(&second);
    street_release(&s);
}

/* Draws two points in cluster 0 and 1 and returns the colour of the middle of the picture. */
static view_rgb middle_of_two(const float xyz[6])
{
    const int32_t labels[2] = {0, 1};
    const clump_cluster clusters[2] = {{.label = 0, .count = 1}, {.label = 1, .count = 1}};
    clump_cloud *const cloud = cloud_of(xyz, 2);
    view_frame frame = {.name = "two", .cloud_count = 1, .labeling_count = 1};
    frame.clouds[0] = cloud;
    frame.labelings[0] = (view_labels){.name = "x", .labels = labels, .clusters = clusters, .count = 2};
    view_options options = view_defaults();
    options.boxes = options.shading = false, options.from = VIEW_TOP, options.point_size = 30,
    options.has_target = true;
    options.target[2] = 1, options.zoom = 0.1;
    view_image image = draw(&frame, &options, 101, 101);
    const uint8_t *const p = image.rgb + 3 * (50 * 101 + 50);
    const view_rgb colour = {p[0], p[1], p[2]};
    view_image_release(&image);
    clump_cloud_destroy(cloud);
    return colour;
}

static void nearer_point_is_in_front(void)
{
    const int32_t labels[2] = {0, 1};
    const clump_cluster clusters[2] = {{.label = 0, .count = 1}, {.label = 1, .count = 1}};
    const view_labels both = {.labels = labels, .clusters = clusters, .count = 2};
    uint8_t chosen[2];
    CHECK(view_choose_colours(&both, chosen));
    const view_rgb first = view_palette[chosen[0]], second = view_palette[chosen[1]];
    view_rgb c = middle_of_two((const float[6]){0, 0, 1, 0, 0, 2});
    CHECK(c.r == second.r && c.g == second.g && c.b == second.b);
    c = middle_of_two((const float[6]){0, 0, 2, 0, 0, 1});
    CHECK(c.r == first.r && c.g == first.g && c.b == first.b);
    c = middle_of_two((const float[6]){0, 0, 1, 0, 0, 1}); /* the smaller index */
    CHECK(c.r == first.r && c.g == first.g && c.b == first.b);
}

static void nothing_to_draw(void)
{
    const float nan3[3] = {NAN, 1, 2};
    const view_options options = view_defaults();
    for (size_t points = 0; points < 2; points++) {
        clump_cloud *const cloud = cloud_of(nan3, points);
        view_frame frame = {.name = "empty", .cloud_count = 1};
        frame.clouds[0] = cloud;
        view_image image = draw(&frame, &options, 64, 48);
        CHECK_INT(count_drawn(&image, true), 0);
        view_image_release(&image);
        clump_cloud_destroy(cloud);
    }
}

static void hard_clouds(void)
{
    const float clouds[][9] = {{1, 2, 3, 1, 2, 3, 1, 2, 3},
                               {1e30f, 0, 0, 0, 1e30f, 0, 0, 0, 1e30f},
                               {3e38f, 3e38f, 3e38f, -3e38f, -3e38f, -3e38f, 0, NAN, 0},
                               {1e-38f, 0, 0, 0, 0, 0, 0, 1e-38f, 0}};
    const double zooms[] = {1, 1e6, 1e-6};
    const size_t sizes[][2] = {{64, 48}, {1, 1}, {2000, 1}, {1, 2000}};
    for (size_t i = 0; i < sizeof clouds / sizeof *clouds; i++) {
        clump_cloud *const cloud = cloud_of(clouds[i], 3);
        view_frame frame = {.name = "hard", .cloud_count = 1, .labeling_count = 1};
        frame.clouds[0] = cloud;
        const int32_t labels[3] = {0, 0, 0};
        clump_cluster cluster = {.count = 3};
        for (int k = 0; k < 3; k++) cluster.lower[k] = -clouds[i][0], cluster.upper[k] = clouds[i][0];
        cluster.box_size[0] = cluster.box_size[1] = clouds[i][0], cluster.yaw = 45;
        frame.labelings[0] = (view_labels){.name = "x", .labels = labels, .clusters = &cluster, .count = 1};
        for (int j = 0; j < 60; j++) {
            view_options options = view_defaults();
            options.from = (view_from)(j % 5), options.zoom = zooms[j / 5 % 3], options.point_size = j % 2 ? 1e9 : 2;
            const size_t *const size = sizes[j / 15];
            view_image image = draw(&frame, &options, size[0], size[1]);
            if (i == 0 && j == 0) CHECK(count_drawn(&image, true) > 0);
            view_image_release(&image);
        }
        clump_cloud_destroy(cloud);
    }
}

/* Lines that begin behind the eye are cut, not turned around: from inside a box its edges ahead are seen, symmetric. */
static void lines_behind_the_eye_are_cut(void)
{
    const float xyz[6] = {-20, -3, -2, 20, 3, 2};
    const int32_t labels[2] = {0, 0};
    const clump_cluster cluster = {
        .count = 2, .lower = {-20, -3, -2}, .upper = {20, 3, 2}, .box_size = {40, 6}, .box_center = {0, 0}};
    clump_cloud *const cloud = cloud_of(xyz, 2);
    view_frame frame = {.name = "box", .cloud_count = 1, .labeling_count = 1};
    frame.clouds[0] = cloud;
    frame.labelings[0] = (view_labels){.name = "x", .labels = labels, .clusters = &cluster, .count = 1};
    view_options options = view_defaults();
    options.from = VIEW_SENSOR;
    view_image image = draw(&frame, &options, 200, 100);
    /* The eye is at the sensor, 0, 0, 0, and looks 5 degrees down. The lower edge ahead is 20 away and 2 below. */
    const double angle = atan2(2, 20) - 5 * acos(-1) / 180;
    const size_t row = (size_t)(50 + 50 * tan(angle) / tan(22.5 * acos(-1) / 180));
    const view_rgb background = view_special_colours(true)->background;
    CHECK(image.rgb[3 * (row * 200 + 100)] != background.r || image.rgb[3 * (row * 200 + 100) + 1] != background.g);
    size_t below = 0;
    for (size_t i = 3 * 200 * (row + 4); i < 3 * 200 * 100; i += 3) below += image.rgb[i + 1] != background.g;
    CHECK_MSG(below > 20 && below < 600, "%zu", below); /* two edges at the sides, nothing else */
    view_image_release(&image);
    clump_cloud_destroy(cloud);
}

static void wrong_requests_are_refused(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    view_image image;
    clump_message message = {""};
    CHECK_INT(view_draw(&frame, &options, 0, 10, &image, &message), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(message.text, "a picture has 1 to 16384 pixels per side, not 0 x 10");
    view_image_release(&image);
    CHECK_INT(view_draw(&frame, &options, 10, SIZE_MAX, &image, NULL), CLUMP_ERR_ARGUMENT);
    view_image_release(&image);
    options.colour = VIEW_BY_CORE;
    CHECK_INT(view_draw(&frame, &options, 10, 10, &image, &message), CLUMP_ERR_ARGUMENT);
    CHECK_TEXT(message.text, "the points have no values for this colour");
    view_image_release(&image);
    street_release(&s);
}

CHECK_PROGRAM(test_view_picture)
{
    RUN(street_looks_as_stored);
    RUN(pairs_look_as_stored);
    RUN(two_labelings_look_as_stored);
    RUN(legend_is_in_the_corners);
    RUN(bar_has_a_round_length);
    RUN(legends_look_as_stored);
    RUN(changed_picture_is_found);
    RUN(simple_renderer_agrees);
    RUN(same_input_same_bytes);
    RUN(nearer_point_is_in_front);
    RUN(nothing_to_draw);
    RUN(hard_clouds);
    RUN(lines_behind_the_eye_are_cut);
    RUN(wrong_requests_are_refused);
}
