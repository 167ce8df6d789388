/* SPDX-License-Identifier: BSD-3-Clause
 *
 * raster.c: see raster.h.
 */
#include "viewer/picture/raster.h"

#include "common/assert.h"

#include <math.h>
#include <stdlib.h>

view_lens view_lens_of(const view_camera *camera, size_t width, size_t height)
{
    CLUMP_ASSERT(width >= 1 && height >= 1);
    view_lens lens = {.width = (double)width * RASTER_FINE, .height = (double)height * RASTER_FINE};
    double length = 0;
    for (int k = 0; k < 3; k++) {
        lens.eye[k] = camera->eye[k], lens.up[k] = camera->up[k];
        lens.sight[k] = camera->target[k] - camera->eye[k];
        length = fmax(length, fabs(lens.sight[k]));
    }
    double square = 0; /* of the length, divided first: large numbers would overflow */
    for (int k = 0; k < 3; k++) square += lens.sight[k] / length * (lens.sight[k] / length);
    lens.target = length * sqrt(square);
    for (int k = 0; k < 3; k++) lens.sight[k] /= lens.target;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        lens.right[k] = lens.sight[i] * lens.up[j] - lens.sight[j] * lens.up[i];
    }
    lens.scale = lens.height / 2 / tan(VIEW_FIELD_OF_VIEW / 2 * VIEW_RADIANS);
    lens.middle[0] = lens.width / 2, lens.middle[1] = lens.height / 2;
    lens.near = 1e-3 * lens.target;
    lens.unit = lens.height / 900;
    return lens;
}

view_spot view_project(const view_lens *lens, const double at[3])
{
    double x = 0, y = 0, depth = 0;
    for (int k = 0; k < 3; k++) {
        const double offset = at[k] - lens->eye[k];
        x += offset * lens->right[k], y += offset * lens->up[k], depth += offset * lens->sight[k];
    }
    return (view_spot){lens->middle[0] + lens->scale * x / depth, lens->middle[1] - lens->scale * y / depth, depth};
}

/* fmin() and fmax() are calls, because of NaN; this is not. NaN becomes `least`. */
static double between(double value, double least, double most)
{
    return value > least ? (value < most ? value : most) : least;
}

int32_t view_fixed_depth(double depth)
{
    return (int32_t)floor(between(log2(depth), -500, 500) * RASTER_DEPTH_ONE + 0.5);
}

bool view_make_disc(const view_lens *lens, const double at[3], double point_size, view_rgb colour, view_disc *disc)
{
    const view_spot spot = view_project(lens, at);
    if (!(spot.depth > lens->near)) return false;
    const double grow = between(sqrt(lens->target / spot.depth), 0.7, 2.5);
    const double size = floor(between(point_size * lens->unit * grow, RASTER_FINE, RASTER_MOST_SIZE) + 0.5);
    const double left = floor(spot.x - size / 2 + 0.5), top = floor(spot.y - size / 2 + 0.5);
    if (!(left > -size && left < lens->width && top > -size && top < lens->height)) return false;
    *disc = (view_disc){(int32_t)left, (int32_t)top, view_fixed_depth(spot.depth), colour, (uint8_t)size};
    return true;
}

bool view_band_create(view_band *band, int32_t width, int32_t rows, int32_t margin, view_rgb background)
{
    CLUMP_ASSERT(width >= 1 && rows >= 1 && margin >= 0);
    const int32_t tiles = (width + RASTER_TILE - 1) / RASTER_TILE;
    *band = (view_band){.width = width, .rows = rows, .margin = margin, .tiles = tiles};
    band->stride = (size_t)(tiles * RASTER_TILE + 2 * margin), band->background = view_pack(background);
    const size_t all_rows = (size_t)(rows + 2 * margin), samples = band->stride * all_rows;
    band->depth = malloc(samples * sizeof *band->depth);
    band->colour = malloc(samples * sizeof *band->colour);
    band->touched = calloc(all_rows, (size_t)tiles);
    if (!band->depth || !band->colour || !band->touched) return false;
    for (size_t i = 0; i < samples; i++) band->depth[i] = RASTER_BACKGROUND, band->colour[i] = band->background;
    return true;
}

void view_band_release(view_band *band)
{
    free(band->depth), free(band->colour), free(band->touched);
    *band = (view_band){0};
}

void view_band_move(view_band *band, int32_t first)
{
    for (int32_t y = band->first - band->margin; y < band->first + band->rows + band->margin; y++) {
        for (int32_t x = 0; x < band->width; x += RASTER_TILE) {
            if (!*view_tile(band, x, y)) continue;
            const size_t at = view_sample(band, x, y);
            for (size_t i = at; i < at + RASTER_TILE; i++)
                band->depth[i] = RASTER_BACKGROUND, band->colour[i] = band->background;
            *view_tile(band, x, y) = 0;
        }
    }
    band->first = first;
}

/* indent[size][row]: samples of the square that a disc leaves free at both ends of a row. */
typedef uint8_t disc_shapes[RASTER_MOST_SIZE + 1][RASTER_MOST_SIZE];

static void shape_discs(disc_shapes indent)
{
    for (int size = 1; size <= RASTER_MOST_SIZE; size++) {
        for (int row = 0; row < size; row++) {
            const double y = row + 0.5 - size / 2.0, radius = size / 2.0;
            const double half = sqrt(fmax(radius * radius - y * y, 0));
            indent[size][row] = (uint8_t)fmin(floor(radius - half + 0.5), (size - 1) / 2);
        }
    }
}

static void draw_disc(view_band *band, const view_disc *disc, const uint8_t *indent)
{
    const int32_t above = band->first - band->margin, below = band->first + band->rows + band->margin;
    const uint32_t packed = view_pack(disc->colour);
    const int32_t top = disc->top < above ? above : disc->top;
    const int32_t bottom = disc->top + disc->size > below ? below : disc->top + disc->size;
    for (int32_t y = top; y < bottom; y++) {
        const int32_t free_ends = indent[y - disc->top];
        int32_t from = disc->left + free_ends, to = disc->left + disc->size - free_ends;
        if (from < 0) from = 0;
        if (to > band->width) to = band->width;
        if (from >= to) continue;
        for (int32_t x = from / RASTER_TILE * RASTER_TILE; x < to; x += RASTER_TILE) *view_tile(band, x, y) = 1;
        int32_t *const depth = band->depth + view_sample(band, 0, y);
        uint32_t *const colour = band->colour + view_sample(band, 0, y);
        for (int32_t x = from; x < to; x++)
            if (disc->depth < depth[x]) depth[x] = disc->depth, colour[x] = packed;
    }
}

void view_band_draw(view_band *band, const view_disc *discs, size_t count)
{
    const int32_t above = band->first - band->margin, below = band->first + band->rows + band->margin;
    disc_shapes indent;
    shape_discs(indent);
    for (size_t i = 0; i < count; i++) {
        const view_disc *const disc = &discs[i];
        if (disc->top < below && disc->top + disc->size > above) draw_disc(band, disc, indent[disc->size]);
    }
}
