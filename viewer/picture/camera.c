/* SPDX-License-Identifier: BSD-3-Clause
 *
 * camera.c: see camera.h. Every view is a direction of sight and a fit: the eye is moved until the box fills the picture.
 */
#include "viewer/picture/camera.h"

#include "common/assert.h"
#include "viewer/scene/scene.h"

#include <math.h>

#define CAMERA_FILL      0.9 /* of the picture */
#define CAMERA_AZIMUTH   (180 + 35)
#define CAMERA_ELEVATION 30
/* Looked at on scans of streets (KITTI, 64 lines; 32 and 16 lines): the distance of the home view by the extent of the box,
 * and how far in front of the sensor its target is, by that distance. */
#define CAMERA_SCAN   0.55
#define CAMERA_AHEAD  0.1
#define CAMERA_MARGIN 0.2 /* of a side of the box: the target of a scan is not nearer to the border */

/* The directions of a scene: unit vectors. */
typedef struct directions {
    double forward[3], left[3], up[3];
} directions;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = from + length * direction */
static void go(const double from[3], const double direction[3], double length, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = from[k] + length * direction[k];
}

static directions directions_of(const view_frame *frame)
{
    directions d = {.forward = {1, 0, 0}};
    d.up[frame->up == CLUMP_UP_Y ? 1 : 2] = frame->flip ? -1 : 1;
    cross(d.up, d.forward, d.left);
    return d;
}

view_box view_robust_box(const view_frame *frame)
{
    view_box box = {.empty = true};
    for (size_t c = 0; c < frame->cloud_count; c++) {
        const clump_points points = clump_cloud_points(frame->clouds[c]);
        const double *const origin = clump_cloud_origin(frame->clouds[c]);
        const size_t step = view_step(points);
        float low[3], high[3];
        const view_numbers coordinates = {points.xyz, 3, step, points.count};
        if (!view_robust_limits(&coordinates, low, high)) continue;
        for (int k = 0; k < 3; k++) {
            const double below = low[k] + origin[k], above = high[k] + origin[k];
            box.low[k] = box.empty || below < box.low[k] ? below : box.low[k];
            box.high[k] = box.empty || above > box.high[k] ? above : box.high[k];
        }
        box.empty = false;
    }
    return box;
}

/* The box that is fitted: no side is much shorter than the longest, because a box without a size has no fit. */
static view_box thicken(const view_box *box)
{
    view_box out = *box;
    double longest = 0;
    for (int k = 0; k < 3; k++) longest = fmax(longest, out.high[k] - out.low[k]);
    const double least = longest > 0 ? 0.01 * longest : 1;
    for (int k = 0; k < 3; k++) {
        const double lacks = least - (out.high[k] - out.low[k]);
        /* At 1e30 the next double is further away than 1. */
        const double grow = fmax(lacks > 0 ? lacks / 2 : 0, 1e-12 * fmax(fabs(out.low[k]), fabs(out.high[k])));
        out.low[k] -= grow, out.high[k] += grow;
    }
    return out;
}

/* The direction of sight, and up, of a camera at this azimuth and elevation. */
static void aim(const directions *d, double azimuth, double elevation, double sight[3], double up[3])
{
    const double az = azimuth * VIEW_RADIANS, el = elevation * VIEW_RADIANS;
    for (int k = 0; k < 3; k++) {
        const double flat = cos(az) * d->forward[k] + sin(az) * d->left[k];
        sight[k] = -cos(el) * flat - sin(el) * d->up[k];
        up[k] = -sin(el) * flat + cos(el) * d->up[k];
    }
}

/* Puts a camera at this azimuth and elevation so that the box fills the picture.
 *
 * With a, b, c the coordinates of a corner to the right, upwards and forwards, a corner is in the picture of an eye at
 * (ea, eb, ec) where |a - ea| <= s (c - ec), s the slope of the right border. So a - s c <= ea - s ec and
 * -a - s c <= -ea - s ec for all corners; the largest left sides give ea and ec. The same holds for b. */
static view_camera fit(const view_box *box, const directions *d, double azimuth, double elevation, double aspect)
{
    CLUMP_ASSERT(aspect > 0);
    double sight[3], right[3], middle[3];
    view_camera camera;
    aim(d, azimuth, elevation, sight, camera.up);
    for (int k = 0; k < 3; k++) middle[k] = box->low[k] / 2 + box->high[k] / 2;
    cross(sight, camera.up, right);

    const double slope = tan(VIEW_FIELD_OF_VIEW / 2 * VIEW_RADIANS) * CAMERA_FILL;
    const double slopes[2] = {slope * aspect, slope};
    const double *const axes[2] = {right, camera.up};
    double shift[2], distance = 0;
    for (int way = 0; way < 2; way++) {
        double most = -INFINITY, least = -INFINITY;
        for (int corner = 0; corner < 8; corner++) {
            double at[3];
            for (int k = 0; k < 3; k++) at[k] = (corner >> k & 1 ? box->high[k] : box->low[k]) - middle[k];
            most = fmax(most, dot(at, axes[way]) - slopes[way] * dot(at, sight));
            least = fmax(least, -dot(at, axes[way]) - slopes[way] * dot(at, sight));
        }
        shift[way] = (most - least) / 2;
        distance = fmax(distance, (most + least) / (2 * slopes[way]));
    }
    go(middle, right, shift[0], camera.target);
    go(camera.target, camera.up, shift[1], camera.target);
    go(camera.target, sight, -distance, camera.eye);
    return camera;
}

/* The mean of the two sides of the box seen from above. */
static double extent_of(const view_box *box, const view_frame *frame)
{
    const int side = frame->up == CLUMP_UP_Y ? 2 : 1;
    return (box->high[0] - box->low[0]) / 2 + (box->high[side] - box->low[side]) / 2;
}

/* Whether the sensor is in the box, or less than half its size beside it. */
static bool has_sensor(const view_box *box, const view_frame *frame)
{
    for (int k = 0; k < 3; k++) {
        const double room = (box->high[k] - box->low[k]) / 2, at = frame->sensor[k];
        if (!(at >= box->low[k] - room && at <= box->high[k] + room)) return false;
    }
    return true;
}

/* Whether the cloud is a scan of the surroundings of its sensor: wide and flat. In others the home view of a scan would be
 * among the points. */
static bool is_scan(const view_box *box, const view_frame *frame)
{
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2;
    return has_sensor(box, frame) && box->high[up] - box->low[up] < 0.25 * extent_of(box, frame);
}

/* Looks along an azimuth and an elevation, at this target and from this distance. */
static view_camera look_at(const double target[3], const directions *d, double azimuth, double elevation,
                           double distance)
{
    view_camera camera;
    double sight[3];
    aim(d, azimuth, elevation, sight, camera.up);
    for (int k = 0; k < 3; k++) camera.target[k] = target[k];
    go(target, sight, -distance, camera.eye);
    return camera;
}

/* Looks at a scan: the sensor is in the middle, and what is near the sensor fills the picture. A sensor that sees only a
 * sector is at the border of the box; the target is then further inside, or half of the picture would be empty. */
static view_camera look_at_sensor(const view_box *box, const view_frame *frame, const directions *d, double azimuth,
                                  double elevation, double aspect)
{
    /* A narrow picture shows as much to the sides as a wide one. */
    const double distance = CAMERA_SCAN * extent_of(box, frame) * fmax(1, 16.0 / 9 / aspect);
    double target[3];
    go(frame->sensor, d->forward, CAMERA_AHEAD * distance, target);
    for (int k = 0; k < 3; k++) {
        const double margin = CAMERA_MARGIN * (box->high[k] - box->low[k]);
        if (d->up[k] == 0) target[k] = fmin(fmax(target[k], box->low[k] + margin), box->high[k] - margin);
    }
    return look_at(target, d, azimuth, elevation, distance);
}

/* Looks along forward and a little down from the sensor, or from above the near end of the box where the sensor is not. */
static view_camera look_from_sensor(const view_box *box, const view_frame *frame, const directions *d)
{
    const double extent = extent_of(box, frame), tilt = has_sensor(box, frame) ? 5 : 20;
    const int up = frame->up == CLUMP_UP_Y ? 1 : 2;
    double eye[3];
    for (int k = 0; k < 3; k++) eye[k] = frame->sensor[k];
    if (!has_sensor(box, frame)) {
        for (int k = 0; k < 3; k++) eye[k] = box->low[k] / 2 + box->high[k] / 2;
        eye[0] = box->low[0];
        eye[up] = (frame->flip ? box->low[up] : box->high[up]) + d->up[up] * 0.1 * extent;
    }
    view_camera camera = look_at(eye, d, 180, tilt, 0);
    double sight[3], ignored[3];
    aim(d, 180, tilt, sight, ignored);
    go(eye, sight, extent / 4, camera.target);
    return camera;
}

/* Moves the eye along the line of sight, and to the target that the options name. */
static void apply_options(view_camera *camera, const view_options *options)
{
    const double zoom = options->zoom > 0 ? fmin(fmax(options->zoom, 1e-6), 1e6) : 1;
    for (int k = 0; k < 3; k++) {
        const double back = (camera->eye[k] - camera->target[k]) / zoom;
        if (options->has_target && isfinite(options->target[k])) camera->target[k] = options->target[k];
        camera->eye[k] = camera->target[k] + back;
    }
}

view_camera view_camera_in(const view_box *known, const view_frame *frame, const view_options *options, double aspect)
{
    const directions d = directions_of(frame);
    const view_box box = thicken(known);
    double azimuth = CAMERA_AZIMUTH, elevation = CAMERA_ELEVATION;
    if (options->from == VIEW_TOP) azimuth = 180, elevation = 90;
    if (options->from == VIEW_SIDE) azimuth = -90, elevation = 0;
    if (options->from == VIEW_ANGLES) azimuth = options->azimuth, elevation = options->elevation;
    if (!isfinite(azimuth)) azimuth = 0;
    if (!isfinite(elevation)) elevation = 0;
    const double shape = fmin(fmax(aspect, 0.01), 100);

    view_camera camera;
    if (known->empty)
        camera = look_at((const double[3]){0}, &d, azimuth, elevation, 30);
    else if (options->from == VIEW_SENSOR)
        camera = look_from_sensor(&box, frame, &d);
    else if ((options->from == VIEW_HOME || options->from == VIEW_ANGLES) && is_scan(&box, frame))
        camera = look_at_sensor(&box, frame, &d, azimuth, elevation, shape);
    else
        camera = fit(&box, &d, azimuth, elevation, shape);
    apply_options(&camera, options);
    return camera;
}

view_camera view_camera_of(const view_frame *frame, const view_options *options, double aspect)
{
    const view_box box = view_robust_box(frame);
    return view_camera_in(&box, frame, options, aspect);
}
