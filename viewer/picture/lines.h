/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lines.h: the edges of boxes, the trails and the pairs of a frame, as lines of a picture.
 */
#ifndef CLUMP_VIEWER_LINES_H
#define CLUMP_VIEWER_LINES_H

#include "viewer/picture/raster.h"

/* How a line is drawn. */
typedef struct view_stroke {
    view_rgb colour;
    uint8_t share; /* of 256: how much of its colour is seen; a quarter of it behind points */
    int32_t thick; /* samples */
} view_stroke;

/* A line in samples. nearness is 1 / depth, which is linear along the line in the picture. */
typedef struct view_line {
    double from[2], to[2], nearness[2];
    view_stroke stroke;
} view_line;

typedef struct view_lines {
    view_line *list;
    size_t count, room;
    bool failed; /* no memory: lines are missing */
} view_lines;

/* Adds the line between two places in file coordinates, as far as it is in the picture. */
void view_add_line(view_lines *lines, const view_lens *lens, const double from[3], const double to[3],
                   view_stroke stroke);
/* Adds the boxes of the clusters of labelings[which], if there is one. colours: an index into the palette per cluster. */
void view_add_boxes(view_lines *lines, const view_lens *lens, const view_frame *frame, size_t which,
                    const uint8_t *colours);
/* Adds arrows and trails of what moves by labelings[0], and the path of the sensor in the colour `path`. */
void view_add_tracks(view_lines *lines, const view_lens *lens, const view_frame *frame, const uint8_t *colours,
                     view_rgb path);
/* Adds the pairs, as thin lines: there can be one per point. */
void view_add_pairs(view_lines *lines, const view_lens *lens, const view_frame *frame, view_rgb colour);
void view_lines_release(view_lines *lines);

/* Draws the lines. They shine through what is in front of them. */
void view_band_draw_lines(view_band *band, const view_lines *lines);

#endif
