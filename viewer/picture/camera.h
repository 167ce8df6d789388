/* SPDX-License-Identifier: BSD-3-Clause
 *
 * camera.h: where the scene is looked at from. The page gets these cameras from the packet, so picture and page agree.
 *
 * The part of a scene that is shown is its robust box: from the 2nd to the 98th percentile of the finite points along each
 * axis. Few far points therefore do not shrink the rest.
 *
 * Forward is x. Left is up x forward: y where z is up, -z where y is up. With frame.flip, up is negated.
 */
#ifndef CLUMP_VIEWER_CAMERA_H
#define CLUMP_VIEWER_CAMERA_H

#include "viewer/scene/scene.h"

#define VIEW_FIELD_OF_VIEW 45.0                           /* degrees, vertical */
#define VIEW_RADIANS       (3.14159265358979323846 / 180) /* per degree */

/* In file coordinates. */
typedef struct view_camera {
    double eye[3], target[3], up[3]; /* up is a unit vector, orthogonal to the direction of sight */
} view_camera;

/* The robust box of all clouds, in file coordinates. Without finite points it is empty, and low and high are 0. */
typedef struct view_box {
    double low[3], high[3];
    bool empty;
} view_box;

view_box view_robust_box(const view_frame *frame);

/* The camera of options->from (with target, zoom and angles), for a picture of this aspect (width / height). A frame
 * without finite points gets a camera that looks at 0, 0, 0.
 *     home     from behind, from the right and from above; the sensor is in the middle of a scan all around
 *     top      from above; forward is up
 *     side     from the right; forward is to the right
 *     sensor   from the sensor, along forward; from the near end of the box where the sensor is outside of the box
 *     angles   as home, from azimuth (from forward to the left) and elevation (above the horizon) */
view_camera view_camera_of(const view_frame *frame, const view_options *options, double aspect);

/* The same for a box that is already known. */
view_camera view_camera_in(const view_box *box, const view_frame *frame, const view_options *options, double aspect);

#endif
