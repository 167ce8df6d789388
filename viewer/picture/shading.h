/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shading.h: eye-dome lighting: a sample becomes darker the more its neighbours are in front of it. Unlit points read as
 * surfaces that way. The page does the same in its shader.
 */
#ifndef CLUMP_VIEWER_SHADING_H
#define CLUMP_VIEWER_SHADING_H

#include "viewer/picture/raster.h"

#define SHADING_STRENGTH 40.0
#define SHADING_LEAST    0.25 /* of the colour is left where all neighbours are far in front */

/* The distance of the neighbours in samples, for a picture of this many pixels along its height. */
int32_t view_shading_radius(size_t height);

/* Darkens the colours of the band. radius is at most the margin of the band. */
void view_shade(view_band *band, int32_t radius);

#endif
