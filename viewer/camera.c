/* SPDX-License-Identifier: BSD-3-Clause
 *
 * camera.c: see camera.h.
 */
#include "camera.h"

view_camera view_camera_of(const view_frame *frame, const view_options *options, double aspect)
{
    (void)frame, (void)options, (void)aspect;
    return (view_camera){{-50, 0, 40}, {0, 0, 0}, {0, 0, 1}};
}
