/* SPDX-License-Identifier: BSD-3-Clause
 *
 * picture.h: a frame as a PNG, drawn without a browser: points with a depth buffer, boxes and pairs as lines, eye-dome
 * lighting. The same input gives the same bytes.
 *
 *     camera.c     where the scene is looked at from
 *     paint.c      the colour of every point
 *     lines.c      boxes and pairs as lines
 *     raster.c     points and lines to samples with a depth, in bands of rows
 *     shading.c    eye-dome lighting
 *     legend.c     what the colours mean, and a scale bar
 *     picture.c    all of these in order
 *     quantise.c   an image with few colours
 *     png.c        PNG files
 *
 * Words of the room: a `camera` is eye, target and up; a `view` is a camera with a name: home, top, side, sensor. A
 * `band` is some rows that are drawn together. A `sample` is a quarter of a pixel. A `disc` is a point as it is drawn.
 */
#ifndef CLUMP_VIEWER_PICTURE_H
#define CLUMP_VIEWER_PICTURE_H

#include "viewer/bytes/bytes.h"
#include "viewer/scene/scene.h"

typedef struct view_image {
    uint8_t *rgb; /* 3 bytes per pixel, rows from the top */
    size_t width, height;
} view_image;

enum { VIEW_MOST_PIXELS = 16384 }; /* along a side */

/* Draws the frame. Two labellings are side by side where the colour depends on them, and points that differ are marked.
 * Release the image in both cases. */
clump_status view_draw(const view_frame *frame, const view_options *options, size_t width, size_t height,
                       view_image *image, clump_message *message);
void view_image_release(view_image *image); /* a zeroed one is fine */

/* Appends the image as a PNG. colours > 0: reduces it to that number of colours, for a small file. */
clump_status view_put_png(view_bytes *to, const view_image *image, size_t colours, clump_message *message);

/* Appends a map as a PNG: numbers by the ramp, labels by the palette, flags black and white; empty cells transparent.
 * The first row of the picture is the last row of the map: x points up, y to the left, as seen from above. */
clump_status view_put_map_png(view_bytes *to, const view_map *map, clump_message *message);

#endif
