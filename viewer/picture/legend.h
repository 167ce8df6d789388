/* SPDX-License-Identifier: BSD-3-Clause
 *
 * legend.h: what the colours of a picture mean, and a scale bar. Both are drawn over the pixels of the picture: the legend
 * in the lower left corner, the bar in the lower right one.
 */
#ifndef CLUMP_VIEWER_LEGEND_H
#define CLUMP_VIEWER_LEGEND_H

#include "viewer/picture/paint.h"
#include "viewer/picture/picture.h"
#include "viewer/picture/raster.h"

/* A smaller picture has neither: the text would hide too much of it. */
enum { VIEW_LEGEND_WIDTH = 400, VIEW_LEGEND_HEIGHT = 240 };

/* Draws the legend of labelings[which], with the paint of the points. named: its first line is the name of the labelling. */
void view_draw_legend(const view_frame *frame, const view_options *options, size_t which, const view_paint *paint,
                      bool named, view_image *image);

/* Draws a bar of a round length where the picture is seen along the axis that points up: elsewhere one length has many
 * sizes. The length holds in the depth of the target. */
void view_draw_scale(const view_frame *frame, const view_options *options, const view_lens *lens, view_image *image);

#endif
