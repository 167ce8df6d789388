/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raster.h: points and lines become samples with a depth. The picture is drawn in bands of rows, which fit into the cache of
 * the processor and need little memory. Every pixel of the picture has RASTER_FINE x RASTER_FINE samples; their mean smooths
 * the edges.
 */
#ifndef CLUMP_VIEWER_RASTER_H
#define CLUMP_VIEWER_RASTER_H

#include "viewer/picture/camera.h"
#include "viewer/scene/palette.h"

enum { RASTER_FINE = 2 };

/* A camera with the size of its picture, in samples. */
typedef struct view_lens {
    double eye[3], right[3], up[3], sight[3];
    double scale;         /* samples per unit of the slope */
    double middle[2];     /* of the picture */
    double near, target;  /* depths: nothing nearer is drawn; of the target */
    double width, height; /* of the picture */
    double unit;          /* samples per pixel of a picture that is 900 pixels high */
} view_lens;

view_lens view_lens_of(const view_camera *camera, size_t width, size_t height);

/* A point in samples, and its depth along the direction of sight. */
typedef struct view_spot {
    double x, y, depth;
} view_spot;

view_spot view_project(const view_lens *lens, const double at[3]); /* file coordinates */

/* A point that is drawn: a disc. */
typedef struct view_disc {
    int32_t left, top; /* of its square */
    int32_t depth;     /* view_fixed_depth() */
    view_rgb colour;
    uint8_t size; /* of its square; 1 ... RASTER_MOST_SIZE */
} view_disc;

enum {
    RASTER_MOST_SIZE = 64 * RASTER_FINE,
    RASTER_TILE = 64,            /* samples of a row that are handled together */
    RASTER_BACKGROUND = 1 << 30, /* a depth: behind all points */
    RASTER_DEPTH_ONE = 1 << 20   /* the fixed depth of log2(depth) = 1 */
};

/* log2 of a depth as an integer: integers are fast and give the same picture on every processor. */
int32_t view_fixed_depth(double depth);

/* Makes the disc of a point. False: it is not in the picture. point_size as in view_options. */
bool view_make_disc(const view_lens *lens, const double at[3], double point_size, view_rgb colour, view_disc *disc);

/* Samples of the rows `first` to `first + rows - 1` and of a margin around them, for the shading. A row is divided into
 * tiles; most have background only and are skipped. */
typedef struct view_band {
    int32_t width, rows, first, margin, tiles; /* tiles: per row */
    size_t stride;                             /* samples of a row, with its margins */
    uint32_t background;
    int32_t *depth;   /* view_fixed_depth(), or RASTER_BACKGROUND */
    uint32_t *colour; /* r + 256 g + 65536 b */
    uint8_t *touched; /* per tile of all rows: 1 where something was drawn */
} view_band;

/* Makes a band for pictures of this width, all background. False: no memory. Release it in both cases. */
bool view_band_create(view_band *band, int32_t width, int32_t rows, int32_t margin, view_rgb background);
void view_band_release(view_band *band);
/* Makes all samples background and moves the band. */
void view_band_move(view_band *band, int32_t first);
/* Draws discs. Of two at the same depth the one that comes first is in front. */
void view_band_draw(view_band *band, const view_disc *discs, size_t count);

static inline uint32_t view_pack(view_rgb c)
{
    return c.r | (uint32_t)c.g << 8 | (uint32_t)c.b << 16;
}

/* The tile of a sample. */
static inline uint8_t *view_tile(const view_band *band, int32_t x, int32_t y)
{
    return &band->touched[(y - band->first + band->margin) * band->tiles + x / RASTER_TILE];
}

/* The place of a sample in the arrays of a band; x and y may be in the margin. */
static inline size_t view_sample(const view_band *band, int32_t x, int32_t y)
{
    return (size_t)(y - band->first + band->margin) * band->stride + (size_t)(x + band->margin);
}

/* --- shading.c: eye-dome lighting: a sample becomes darker the more its neighbours are in front of it. Unlit points
 * read as surfaces that way. The page does the same in its shader. */

#define SHADING_STRENGTH 40.0
#define SHADING_LEAST    0.25 /* of the colour is left where all neighbours are far in front */

/* The distance of the neighbours in samples, for a picture of this many pixels along its height. */
int32_t view_shading_radius(size_t height);

/* Darkens the colours of the band. radius is at most the margin of the band. */
void view_shade(view_band *band, int32_t radius);

#endif
