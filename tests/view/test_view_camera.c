/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_view_camera.c: the robust box, the cameras of all views, and the projection of points.
 */
#include "view/view_street.h"
#include "viewer/picture/camera.h"
#include "viewer/picture/raster.h"

static bool close_to(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * fmax(1, fabs(expected));
}

static bool is_vector(const double v[3], double x, double y, double z)
{
    return fabs(v[0] - x) < 1e-9 && fabs(v[1] - y) < 1e-9 && fabs(v[2] - z) < 1e-9;
}

static void sight_of(const view_camera *camera, double sight[3])
{
    double length = 0;
    for (int k = 0; k < 3; k++) length = hypot(length, camera->target[k] - camera->eye[k]);
    for (int k = 0; k < 3; k++) sight[k] = (camera->target[k] - camera->eye[k]) / length;
}

static view_frame frame_of(clump_cloud *cloud)
{
    view_frame frame = {.name = "test", .cloud_count = 1};
    frame.clouds[0] = cloud;
    return frame;
}

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The percentiles of the finite points, by sorting. */
static void box_is_that_of_sorted_numbers(void)
{
    enum { COUNT = 5003 };
    static float xyz[3 * COUNT], axis[COUNT];
    uint64_t random = 7;
    for (size_t i = 0; i < 3 * COUNT; i++) xyz[i] = 200 * check_random_float(&random) - 100;
    for (size_t i = 0; i < COUNT; i += 97) xyz[3 * i + i % 3] = i % 2 ? NAN : -INFINITY;
    for (size_t i = 1; i < COUNT; i += 131) xyz[3 * i] = 1e30f, xyz[3 * i + 1] = -1e-30f;
    clump_cloud *const cloud = cloud_of(xyz, COUNT);
    const double origin[3] = {500000, 4e6, -7};
    clump_cloud_set_origin(cloud, origin);
    const view_frame frame = frame_of(cloud);
    const view_box box = view_robust_box(&frame);
    CHECK(!box.empty);
    for (size_t k = 0; k < 3; k++) {
        size_t count = 0;
        for (size_t i = 0; i < COUNT; i++)
            if (isfinite(xyz[3 * i]) && isfinite(xyz[3 * i + 1]) && isfinite(xyz[3 * i + 2]))
                axis[count++] = xyz[3 * i + k];
        qsort(axis, count, sizeof *axis, by_value);
        const size_t rank = (count - 1) / 50;
        CHECK(box.low[k] == axis[rank] + origin[k]);
        CHECK(box.high[k] == axis[count - 1 - rank] + origin[k]);
    }
    clump_cloud_destroy(cloud);
}

/* Numbers worked out by hand: half of 45 degrees has the slope sqrt(2) - 1. */
static void points_are_projected(void)
{
    const view_camera camera = {{5, 0, 1}, {15, 0, 1}, {0, 0, 1}};
    const view_lens lens = view_lens_of(&camera, 800, 600);
    const double s = 600 / (sqrt(2) - 1); /* samples per unit of the slope: 1200 are the height */
    const view_spot ahead = view_project(&lens, (const double[3]){25, 0, 1});
    CHECK(close_to(ahead.x, 800) && close_to(ahead.y, 600) && close_to(ahead.depth, 20));
    const view_spot left = view_project(&lens, (const double[3]){15, 1, 1}); /* y is to the left, one tenth */
    CHECK(close_to(left.x, 800 - s / 10) && close_to(left.y, 600) && close_to(left.depth, 10));
    const view_spot other = view_project(&lens, (const double[3]){25, -2, 4});
    CHECK(close_to(other.x, 800 + s / 10) && close_to(other.y, 600 - 0.15 * s));
    const view_spot border = view_project(&lens, (const double[3]){15, 0, 1 + 10 * (sqrt(2) - 1)});
    CHECK(fabs(border.y) < 1e-9);
    view_disc disc;
    const view_rgb white = {255, 255, 255};
    CHECK(!view_make_disc(&lens, (const double[3]){4, 0, 1}, 2, white, &disc));   /* behind the eye */
    CHECK(!view_make_disc(&lens, (const double[3]){15, 99, 1}, 2, white, &disc)); /* beside the picture */
    CHECK(view_make_disc(&lens, (const double[3]){15, 0, 1}, 9, white, &disc));
    CHECK_INT(disc.size, 12); /* 9 pixels at a height of 900: 6 at 600, so 12 samples */
    CHECK_INT(disc.left, 800 - 6);
    CHECK_INT(disc.top, 600 - 6);
    CHECK_INT(disc.depth, (int)(log2(10) * RASTER_DEPTH_ONE + 0.5));
}

static void views_look_where_they_say(void)
{
    static street s;
    const struct {
        clump_up up;
        bool flip;
        double left[3], above[3];
    } cases[] = {{CLUMP_UP_Z, false, {0, 1, 0}, {0, 0, 1}},
                 {CLUMP_UP_Z, true, {0, -1, 0}, {0, 0, -1}},
                 {CLUMP_UP_Y, false, {0, 0, -1}, {0, 1, 0}},
                 {CLUMP_UP_Y, true, {0, 0, 1}, {0, -1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        view_frame frame;
        street_make(&s, &frame, cases[i].up);
        frame.flip = cases[i].flip;
        const double *const left = cases[i].left, *const above = cases[i].above;
        view_options options = view_defaults();
        double sight[3];
        options.from = VIEW_TOP;
        view_camera camera = view_camera_of(&frame, &options, 1.5);
        sight_of(&camera, sight);
        CHECK(is_vector(sight, -above[0], -above[1], -above[2]) && is_vector(camera.up, 1, 0, 0));
        options.from = VIEW_SIDE;
        camera = view_camera_of(&frame, &options, 1.5);
        sight_of(&camera, sight);
        CHECK(is_vector(sight, left[0], left[1], left[2]) && is_vector(camera.up, above[0], above[1], above[2]));
        options.from = VIEW_SENSOR;
        camera = view_camera_of(&frame, &options, 1.5);
        sight_of(&camera, sight);
        CHECK(sight[0] > 0.99 && is_vector(camera.eye, 0, 0, 0));
        options.from = VIEW_HOME; /* from behind, from the right, from above; at a scan's sensor */
        camera = view_camera_of(&frame, &options, 1.5);
        sight_of(&camera, sight);
        CHECK(sight[0] > 0.5);
        CHECK(sight[0] * left[0] + sight[1] * left[1] + sight[2] * left[2] > 0.3);
        CHECK(sight[0] * above[0] + sight[1] * above[1] + sight[2] * above[2] < -0.3);
        CHECK(camera.target[0] > 0 && camera.target[0] < 3 && camera.target[1] == 0 && camera.target[2] == 0);
        street_release(&s);
    }
}

/* A sensor that sees a sector is at the border of its scan. */
static void target_is_inside(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    const view_options options = view_defaults();
    const view_box box = view_robust_box(&frame);
    for (int corner = 0; corner < 4; corner++) {
        for (int k = 0; k < 2; k++) frame.sensor[k] = corner >> k & 1 ? box.high[k] : box.low[k];
        const view_camera camera = view_camera_of(&frame, &options, 1.5);
        for (int k = 0; k < 2; k++) {
            const double side = box.high[k] - box.low[k], at = (camera.target[k] - box.low[k]) / side;
            CHECK(fabs(at - (corner >> k & 1 ? 0.8 : 0.2)) < 0.05);
        }
        CHECK(camera.target[2] == frame.sensor[2]);
    }
    street_release(&s);
}

static void up_is_orthogonal(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    options.from = VIEW_ANGLES;
    for (options.azimuth = -400; options.azimuth < 400; options.azimuth += 77) {
        for (options.elevation = -90; options.elevation <= 90; options.elevation += 45) {
            const view_camera camera = view_camera_of(&frame, &options, 2);
            double sight[3], product = 0, square = 0;
            sight_of(&camera, sight);
            for (int k = 0; k < 3; k++) product += sight[k] * camera.up[k], square += camera.up[k] * camera.up[k];
            CHECK(fabs(product) < 1e-9 && fabs(square - 1) < 1e-9);
        }
    }
    street_release(&s);
}

/* The corners of the box are in the middle nine tenths of the picture, and one is at their border. */
static void box_fills_the_picture(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    options.from = VIEW_ANGLES;
    frame.sensor[0] = 1e4; /* no scan: the sensor is elsewhere */
    const double aspects[] = {16.0 / 9, 1, 0.4};
    for (int i = 0; i < 24; i++) {
        options.azimuth = 31 * i, options.elevation = -60 + 20 * (i % 7);
        const size_t width = (size_t)(1000 * aspects[i % 3]);
        const view_camera camera = view_camera_of(&frame, &options, (double)width / 1000);
        const view_lens lens = view_lens_of(&camera, width, 1000);
        const view_box box = view_robust_box(&frame);
        double most = 0;
        for (int corner = 0; corner < 8; corner++) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = corner >> k & 1 ? box.high[k] : box.low[k];
            const view_spot spot = view_project(&lens, at);
            CHECK(spot.depth > 0);
            most = fmax(most, fabs(spot.x / lens.width * 2 - 1));
            most = fmax(most, fabs(spot.y / lens.height * 2 - 1));
        }
        CHECK_MSG(most > 0.899 && most < 0.901, "%g at case %d", most, i);
    }
    street_release(&s);
}

static void options_move_the_camera(void)
{
    static street s;
    view_frame frame;
    street_make(&s, &frame, CLUMP_UP_Z);
    view_options options = view_defaults();
    for (int from = VIEW_HOME; from <= VIEW_ANGLES; from++) {
        options = view_defaults();
        options.from = (view_from)from;
        const view_camera plain = view_camera_of(&frame, &options, 1.6);
        options.zoom = 2, options.has_target = true;
        options.target[0] = 3, options.target[1] = -4, options.target[2] = 5;
        const view_camera moved = view_camera_of(&frame, &options, 1.6);
        CHECK(is_vector(moved.target, 3, -4, 5));
        for (int k = 0; k < 3; k++)
            CHECK(fabs(2 * (moved.eye[k] - moved.target[k]) - (plain.eye[k] - plain.target[k])) < 1e-9);
    }
    street_release(&s);
}

/* A cloud far from its sensor, as those of aeroplanes, is seen from above its near end. */
static void far_sensor_is_ignored(void)
{
    const float xyz[] = {0, 0, 0, 100, 0, 10, 0, 80, 5, 100, 80, 0};
    clump_cloud *const cloud = cloud_of(xyz, 4);
    const double origin[3] = {630000, 4830000, 400};
    clump_cloud_set_origin(cloud, origin);
    const view_frame frame = frame_of(cloud);
    view_options options = view_defaults();
    options.from = VIEW_SENSOR;
    const view_camera camera = view_camera_of(&frame, &options, 1.6);
    CHECK(fabs(camera.eye[0] - 630000) < 2 && fabs(camera.eye[1] - 4830040) < 2);
    CHECK(camera.eye[2] > 410 && camera.eye[2] < 450);
    clump_cloud_destroy(cloud);
}

static void strange_clouds_have_cameras(void)
{
    const float clouds[][6] = {{NAN, 0, 0, 0, INFINITY, 0},     {1, 2, 3, 1, 2, 3},
                               {1e30f, -1e30f, 1e30f, 0, 0, 0}, {3e38f, 3e38f, 3e38f, -3e38f, -3e38f, -3e38f},
                               {1e-30f, 0, 0, 0, 0, 0},         {5, 5, 5, 5, 5, 9}};
    const double zooms[] = {1, 0, NAN, -3, 1e300, 1e-300, INFINITY};
    for (size_t i = 0; i < sizeof clouds / sizeof *clouds; i++) {
        clump_cloud *const cloud = cloud_of(clouds[i], 2);
        const view_frame frame = frame_of(cloud);
        for (int from = VIEW_HOME; from <= VIEW_ANGLES; from++) {
            for (size_t z = 0; z < sizeof zooms / sizeof *zooms; z++) {
                view_options options = view_defaults();
                options.from = (view_from)from, options.zoom = zooms[z], options.azimuth = i == 3 ? NAN : 12;
                const view_camera camera = view_camera_of(&frame, &options, z ? 1e-9 : 1e9);
                double distance = 0;
                for (int k = 0; k < 3; k++) {
                    CHECK(isfinite(camera.eye[k]) && isfinite(camera.target[k]) && isfinite(camera.up[k]));
                    distance += fabs(camera.eye[k] - camera.target[k]);
                }
                CHECK_MSG(distance > 0, "cloud %zu, view %d, zoom %g", i, from, zooms[z]);
            }
        }
        if (i == 0) {
            view_options options = view_defaults();
            const view_camera camera = view_camera_of(&frame, &options, 1.6);
            const view_lens lens = view_lens_of(&camera, 160, 100);
            const view_spot spot = view_project(&lens, (const double[3]){0, 0, 0});
            CHECK(view_robust_box(&frame).empty);
            CHECK(close_to(spot.x, 160) && close_to(spot.y, 100));
        }
        clump_cloud_destroy(cloud);
    }
}

CHECK_PROGRAM(test_view_camera)
{
    RUN(box_is_that_of_sorted_numbers);
    RUN(points_are_projected);
    RUN(views_look_where_they_say);
    RUN(target_is_inside);
    RUN(up_is_orthogonal);
    RUN(box_fills_the_picture);
    RUN(options_move_the_camera);
    RUN(far_sensor_is_ignored);
    RUN(strange_clouds_have_cameras);
}
