/* SPDX-License-Identifier: BSD-3-Clause
 *
 * paint.h: the colour of every point of a frame in a picture, by the rules of the page: numbers by the ramp, from their 2nd
 * to their 98th percentile; clusters by the palette; noise and ground in colours of their own;
 * or the colours of the file.
 */
#ifndef CLUMP_VIEWER_PAINT_H
#define CLUMP_VIEWER_PAINT_H

#include "viewer/picture/picture.h"
#include "viewer/picture/raster.h"
#include "viewer/scene/palette.h"

/* One colour per point of all clouds, in the order of the clouds. */
typedef struct view_paint {
    view_rgb *points;
    uint8_t *clusters; /* per cluster of the labelling: an index into the palette */
    double low,
        high; /* where points are coloured by numbers: those of the first and of the last colour of the ramp; heights
                        * are those of the file */
    view_rgb rest; /* where they are coloured by labels: the colour of points outside of clusters and ground */
} view_paint;

/* Paints the frame with the labels of labelings[which]; of two labellings, points that differ are marked. dark: the
 * background is dark. Release the paint in both cases. */
clump_status view_paint_frame(const view_frame *frame, const view_options *options, size_t which, bool dark,
                              view_paint *paint, clump_message *message);
void view_paint_release(view_paint *paint);

/* The colour of a number between two limits. */
view_rgb view_ramp_colour(float value, float low, float high);

/* --- legend.c: what the colours of a picture mean, and a scale bar. Both are drawn over the pixels of the picture: the
 * legend in the lower left corner, the bar in the lower right one. */

/* A smaller picture has neither: the text would hide too much of it. */
enum { VIEW_LEGEND_WIDTH = 400, VIEW_LEGEND_HEIGHT = 240 };

/* Draws the legend of labelings[which], with the paint of the points. named: its first line is the name of the labelling. */
void view_draw_legend(const view_frame *frame, const view_options *options, size_t which, const view_paint *paint,
                      bool named, view_image *image);

/* Draws a bar of a round length where the picture is seen along the axis that points up: elsewhere one length has many
 * sizes. The length holds in the depth of the target. */
void view_draw_scale(const view_frame *frame, const view_options *options, const view_lens *lens, view_image *image);

/* --- quantise.c: an image with few colours, for a small file ---------------------------------------- */

/* Chooses at most `most` colours (1 ... 256) by median cut and writes the index of one per pixel. Returns how many colours
 * were chosen; 0: no memory. */
size_t view_quantise(const view_image *image, size_t most, view_rgb colours[256], uint8_t *pixels);

#endif
