/* SPDX-License-Identifier: BSD-3-Clause
 *
 * camera.h: where the scene is looked at from. The page gets these cameras from the packet, so picture and page agree.
 *
 * The part of a scene that is shown is its robust box: from the 2nd to the 98th percentile of the finite points along each
 * axis. Few far points therefore do not shrink the rest.
 */
#ifndef CLUMP_VIEWER_CAMERA_H
#define CLUMP_VIEWER_CAMERA_H

#include "scene.h"

#define VIEW_FIELD_OF_VIEW 45.0 /* degrees, vertical */

/* In file coordinates. */
typedef struct view_camera {
    double eye[3], target[3], up[3]; /* up is a unit vector, orthogonal to the direction of sight */
} view_camera;

/* The camera of options->from (with target, zoom and angles), for a picture of this aspect (width / height). A frame
 * without finite points gets a camera that looks at 0, 0, 0. */
view_camera view_camera_of(const view_frame *frame, const view_options *options, double aspect);

#endif
