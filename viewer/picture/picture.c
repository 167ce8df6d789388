/* SPDX-License-Identifier: BSD-3-Clause
 *
 * picture.c: see picture.h. Points become discs once; then each band of rows is drawn, shaded and averaged into the image.
 */
#include "viewer/picture/picture.h"

#include "common/assert.h"
#include "viewer/picture/paint.h"
#include "viewer/picture/lines.h"
#include "viewer/picture/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples along the height of a band: with a picture 1600 pixels wide, a band has 2.9 MB and stays in the cache. */
enum { PICTURE_BAND = 128 };

enum { PICTURE_LINE = 128 }; /* grey of the line between two halves */

void view_image_release(view_image *image)
{
    free(image->rgb);
    *image = (view_image){0};
}

static clump_status no_memory(size_t width, size_t height, clump_message *message)
{
    if (message)
        snprintf(message->text, sizeof message->text, "not enough memory for a picture of %zu x %zu pixels", width,
                 height);
    return CLUMP_ERR_OUT_OF_MEMORY;
}

/* Makes the discs of all points that are in the picture; returns how many. */
static size_t make_discs(const view_frame *frame, const view_lens *lens, double point_size, const view_rgb *colours,
                         view_disc *discs)
{
    size_t done = 0, made = 0;
    for (size_t c = 0; c < frame->cloud_count; c++) {
        const clump_points points = clump_cloud_points(frame->clouds[c]);
        const double *const origin = clump_cloud_origin(frame->clouds[c]);
        const size_t step = view_step(points);
        for (size_t i = 0; i < points.count; i++) {
            const float *const p = points.xyz + i * step;
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) continue;
            const double at[3] = {p[0] + origin[0], p[1] + origin[1], p[2] + origin[2]};
            made += view_make_disc(lens, at, point_size, colours[done + i], &discs[made]);
        }
        done += points.count;
    }
    return made;
}

/* The mean of four samples, rounded. Red and blue are summed in one integer: a byte of room is between them. */
static uint32_t mean_of(const uint32_t *above, const uint32_t *below)
{
    uint32_t red_blue = 0x20002, green = 0x200;
    const uint32_t samples[4] = {above[0], above[1], below[0], below[1]};
    for (int k = 0; k < 4; k++) red_blue += samples[k] & 0xff00ff, green += samples[k] & 0xff00;
    return (red_blue >> 2 & 0xff00ff) | (green >> 2 & 0xff00);
}

/* Averages the samples of the band into the pixels of the image. */
static void average(const view_band *band, view_image *image)
{
    const size_t first = (size_t)band->first / RASTER_FINE;
    size_t last = first + (size_t)band->rows / RASTER_FINE;
    if (last > image->height) last = image->height;
    for (size_t y = first; y < last; y++) {
        const uint32_t *const above = band->colour + view_sample(band, 0, (int32_t)y * RASTER_FINE);
        uint8_t *pixel = image->rgb + 3 * y * image->width;
        for (size_t x = 0; x < image->width; x++, pixel += 3) {
            const uint32_t mean = mean_of(above + RASTER_FINE * x, above + band->stride + RASTER_FINE * x);
            pixel[0] = (uint8_t)mean, pixel[1] = (uint8_t)(mean >> 8), pixel[2] = (uint8_t)(mean >> 16);
        }
    }
}

static bool draw_bands(const view_disc *discs, size_t count, const view_lines *lines, const view_options *options,
                       view_rgb background, view_image *image)
{
    const int32_t radius = view_shading_radius(image->height);
    const int32_t samples = (int32_t)image->height * RASTER_FINE;
    view_band band;
    const bool made = view_band_create(&band, (int32_t)image->width * RASTER_FINE, PICTURE_BAND, radius, background);
    for (int32_t first = 0; made && first < samples; first += PICTURE_BAND) {
        view_band_move(&band, first);
        view_band_draw(&band, discs, count);
        if (options->shading) view_shade(&band, radius);
        view_band_draw_lines(&band, lines);
        average(&band, image);
    }
    view_band_release(&band);
    return made;
}

static clump_status draw_points(const view_frame *frame, const view_options *options, size_t which,
                                const view_paint *paint, const view_special *special, view_image *image,
                                clump_message *message)
{
    const view_camera camera = view_camera_of(frame, options, (double)image->width / (double)image->height);
    const view_lens lens = view_lens_of(&camera, image->width, image->height);
    const size_t points = view_points(frame);
    view_disc *const discs = malloc((points ? points : 1) * sizeof *discs);
    view_lines lines = {0};
    bool drawn = false;
    if (discs) {
        const size_t count = make_discs(frame, &lens, options->point_size, paint->points, discs);
        if (options->boxes) view_add_boxes(&lines, &lens, frame, which, paint->clusters);
        if (options->boxes && which == 0) view_add_tracks(&lines, &lens, frame, paint->clusters, special->text);
        view_add_pairs(&lines, &lens, frame, special->text);
        drawn = !lines.failed && draw_bands(discs, count, &lines, options, special->background, image);
    }
    view_lines_release(&lines);
    free(discs);
    if (drawn) view_draw_scale(frame, options, &lens, image);
    return drawn ? CLUMP_OK : no_memory(image->width, image->height, message);
}

/* Draws the points with the labels of labelings[which]. named: the legend says which labels these are. */
static clump_status draw_one(const view_frame *frame, const view_options *options, size_t which, bool named,
                             view_image *image, clump_message *message)
{
    CLUMP_ASSERT(which == 0 || which < frame->labeling_count);
    const bool dark = options->theme != VIEW_THEME_LIGHT;
    view_paint paint;
    clump_status status = view_paint_frame(frame, options, which, dark, &paint, message);
    if (status == CLUMP_OK)
        status = draw_points(frame, options, which, &paint, view_special_colours(dark), image, message);
    if (status == CLUMP_OK) view_draw_legend(frame, options, which, &paint, named, image);
    view_paint_release(&paint);
    return status;
}

/* Draws two labellings side by side, with a line between them. */
static clump_status draw_two(const view_frame *frame, const view_options *options, view_image *image,
                             clump_message *message)
{
    const size_t half = image->width / 2 - 1;
    view_image part = {malloc(half * image->height * 3), half, image->height};
    clump_status status = part.rgb ? CLUMP_OK : no_memory(image->width, image->height, message);
    memset(image->rgb, PICTURE_LINE, image->width * image->height * 3);
    for (size_t which = 0; which < 2 && status == CLUMP_OK; which++) {
        status = draw_one(frame, options, which, true, &part, message);
        const size_t left = which ? image->width - half : 0;
        for (size_t y = 0; y < image->height && status == CLUMP_OK; y++)
            memcpy(image->rgb + 3 * (y * image->width + left), part.rgb + 3 * y * half, 3 * half);
    }
    view_image_release(&part);
    return status;
}

/* Whether the picture has two halves: two labellings, and a colour that depends on them. */
static bool shows_two(const view_frame *frame, const view_options *options, size_t width)
{
    view_colour colour;
    if (frame->labeling_count < 2 || width < 16 || !view_resolve_colour(frame, options, &colour)) return false;
    return colour == VIEW_BY_LABEL || colour == VIEW_BY_GROUND || colour == VIEW_BY_CORE;
}

clump_status view_draw(const view_frame *frame, const view_options *options, size_t width, size_t height,
                       view_image *image, clump_message *message)
{
    *image = (view_image){0};
    if (!width || !height || width > VIEW_MOST_PIXELS || height > VIEW_MOST_PIXELS) {
        if (message)
            snprintf(message->text, sizeof message->text, "a picture has 1 to %d pixels per side, not %zu x %zu",
                     VIEW_MOST_PIXELS, width, height);
        return CLUMP_ERR_ARGUMENT;
    }
    *image = (view_image){malloc(width * height * 3), width, height};
    if (!image->rgb) return no_memory(width, height, message);
    if (shows_two(frame, options, width)) return draw_two(frame, options, image, message);
    return draw_one(frame, options, 0, false, image, message);
}
