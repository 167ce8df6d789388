/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rgb.h: the colours that the points of a cloud have in the file. Names of fields are compared without case:
 *
 *     rgb, rgba              0xAARRGGBB in 32 bits, as an integer or as the bits of a float32 (PCD, PointCloud2);
 *                            or three and more elements: red, green, blue
 *     red green blue         (PLY, LAS), also diffuse_red .. and r g b
 *
 * Numbers of separate fields are 0 to 255 where none is greater, else 16 bits, of which the upper 8 are taken. Real numbers
 * of which none is greater than 1 are shares of 255.
 */
#ifndef CLUMP_VIEWER_RGB_H
#define CLUMP_VIEWER_RGB_H

#include "viewer/scene/palette.h"

/* Where the colours of a cloud are. */
typedef struct view_colours {
    clump_field fields[3]; /* of red, green and blue; all the same where one field holds the colour */
    uint32_t elements[3];
    bool packed;        /* 0xAARRGGBB in fields[0] */
    double scale, half; /* where not packed: a byte is floor(number * scale + half) */
} view_colours;

/* Finds the colours of a cloud. False: it has none. */
bool view_find_colours(const clump_cloud *cloud, view_colours *colours);

/* Returns the colour of point i. */
view_rgb view_point_colour(const view_colours *colours, size_t i);

/* Returns whether the finite points of the cloud have two different colours. */
bool view_has_colours(const clump_cloud *cloud);

#endif
