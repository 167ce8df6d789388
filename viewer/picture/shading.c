/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shading.c: see raster.h. response = mean over 8 neighbours of max(0, log2 d - log2 d of the neighbour), with d the depth
 * along the direction of sight. The colour is multiplied by l + (1 - l) exp(-s * response), with l = SHADING_LEAST and s =
 * SHADING_STRENGTH. Background is infinitely far away and darkens nothing.
 */
#include "viewer/picture/raster.h"

#include "common/assert.h"

#include <math.h>

/* The factor by the response, in steps that change a colour by less than one of 255. */
enum { SHADING_STEPS = 2048 };
#define SHADING_MOST 6.0 /* exp(-6) is black */

int32_t view_shading_radius(size_t height)
{
    const double pixels = floor(1.2 * (double)height / 900 + 0.5);
    return (int32_t)(fmax(pixels, 1) * RASTER_FINE);
}

/* Sets the sums of the responses of a tile to its 8 neighbours. No term is more than `most`, so a sum cannot overflow. */
static void add_responses(int32_t *restrict sums, const int32_t *restrict tile, const ptrdiff_t places[8], int32_t most)
{
    for (int x = 0; x < RASTER_TILE; x++) sums[x] = 0;
    for (int n = 0; n < 8; n++) {
        const int32_t *const neighbour = tile + places[n];
        for (int x = 0; x < RASTER_TILE; x++) {
            int32_t behind = tile[x] - neighbour[x];
            behind = behind < most ? behind : most;
            sums[x] += behind > 0 ? behind : 0;
        }
    }
}

static void darken(uint32_t *colour, const int32_t *depth, const int32_t *sums, const uint16_t *factors, int32_t step)
{
    for (int x = 0; x < RASTER_TILE; x++) {
        if (!sums[x] || depth[x] == RASTER_BACKGROUND) continue;
        const int32_t place = sums[x] / step;
        const uint32_t factor = factors[place < SHADING_STEPS ? place : SHADING_STEPS - 1], c = colour[x];
        const uint32_t red_blue = (c & 0xff00ff) * factor >> 8 & 0xff00ff, green = (c & 0xff00) * factor >> 8 & 0xff00;
        colour[x] = red_blue | green;
    }
}

void view_shade(view_band *band, int32_t radius)
{
    CLUMP_ASSERT(radius >= 0 && radius <= band->margin);
    /* The sum over 8 neighbours at which the colour is black, and at which the next factor begins. */
    const int32_t most = (int32_t)(SHADING_MOST / SHADING_STRENGTH * 8 * RASTER_DEPTH_ONE), step = most / SHADING_STEPS;
    uint16_t factors[SHADING_STEPS]; /* of 256 */
    for (int i = 0; i < SHADING_STEPS; i++)
        factors[i] =
            (uint16_t)floor(256 * (SHADING_LEAST + (1 - SHADING_LEAST) * exp(-SHADING_MOST * i / SHADING_STEPS)) + 0.5);
    const ptrdiff_t down = (ptrdiff_t)band->stride * radius;
    const ptrdiff_t places[8] = {-down - radius, -down,         -down + radius, -radius,
                                 radius,         down - radius, down,           down + radius};
    int32_t sums[RASTER_TILE];
    for (int32_t y = band->first; y < band->first + band->rows; y++) {
        for (int32_t x = 0; x < band->width; x += RASTER_TILE) {
            if (!*view_tile(band, x, y)) continue;
            const size_t at = view_sample(band, x, y);
            add_responses(sums, band->depth + at, places, most);
            darken(band->colour + at, band->depth + at, sums, factors, step);
        }
    }
}
