/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shading.c: see shading.h. response = mean over 8 neighbours of max(0, log2 d - log2 d of the neighbour), with d the depth;
 * the colour is multiplied by exp(-SHADING_STRENGTH * response). Background is infinitely far away and darkens nothing.
 */
#include "shading.h"

#include <math.h>
#include <string.h>

/* The factor by the response, in steps that change the colour by less than one of 255. */
enum { SHADING_STEPS = 2048, SHADING_CHUNK = 512 };
#define SHADING_MOST 6.0 /* exp(-6) is black */

int32_t view_shading_radius(size_t height)
{
    const double pixels = floor(1.2 * (double)height / 900 + 0.5);
    return (int32_t)(fmax(pixels, 1) * RASTER_FINE);
}

/* Adds the response of `count` samples at `row` to one of their neighbours. */
static void add_response(float *restrict sum, const float *restrict row, const float *restrict neighbour, int32_t count)
{
    for (int32_t x = 0; x < count; x++) {
        const float behind = row[x] - neighbour[x];
        sum[x] += behind > 0 ? behind : 0;
    }
}

static void darken(view_rgb *colour, const float *depth, const float *sum, const uint16_t *factors, int32_t count)
{
    const float step = (float)(SHADING_STRENGTH / 8 * (SHADING_STEPS - 1) / SHADING_MOST);
    for (int32_t x = 0; x < count; x++) {
        if (!(sum[x] > 0) || !(depth[x] < INFINITY)) continue;
        const float place = sum[x] * step;
        const uint32_t factor = factors[place < SHADING_STEPS - 1 ? (int32_t)place : SHADING_STEPS - 1];
        view_rgb *const c = &colour[x];
        c->r = (uint8_t)(c->r * factor >> 16), c->g = (uint8_t)(c->g * factor >> 16);
        c->b = (uint8_t)(c->b * factor >> 16);
    }
}

void view_shade(view_band *band, int32_t radius)
{
    uint16_t factors[SHADING_STEPS];
    for (int i = 0; i < SHADING_STEPS; i++)
        factors[i] = (uint16_t)floor(65535 * exp(-SHADING_MOST * i / (SHADING_STEPS - 1)) + 0.5);
    const ptrdiff_t down = (ptrdiff_t)band->stride * radius,
                    places[8] = {-down - radius, -down,         -down + radius, -radius,
                                 radius,         down - radius, down,           down + radius};
    float sum[SHADING_CHUNK];
    for (int32_t y = band->first; y < band->first + band->rows; y++) {
        for (int32_t x = 0; x < band->width; x += SHADING_CHUNK) {
            const int32_t count = band->width - x < SHADING_CHUNK ? band->width - x : SHADING_CHUNK;
            const float *const row = band->depth + view_sample(band, x, y);
            memset(sum, 0, sizeof sum);
            for (int n = 0; n < 8; n++) add_response(sum, row, row + places[n], count);
            darken(band->colour + view_sample(band, x, y), row, sum, factors, count);
        }
    }
}
