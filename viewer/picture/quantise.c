/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quantise.c: median cut. Colours are counted with 5 bits per channel. A box of colours is halved again and again, always the
 * one with the largest product of pixels and longest side, until there are enough boxes. A colour of the result is the mean
 * of the pixels of its box.
 */
#include "viewer/picture/paint.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

enum { QUANTISE_BITS = 5, QUANTISE_SIDE = 1 << QUANTISE_BITS, QUANTISE_BINS = 1 << 3 * QUANTISE_BITS };

typedef struct bin {
    uint64_t pixels, sums[3];
} bin;

typedef struct colour_box {
    int low[3], high[3]; /* bins, both ends within */
    uint64_t pixels;
} colour_box;

static size_t bin_of(const int at[3])
{
    return ((size_t)at[0] << 2 * QUANTISE_BITS) + ((size_t)at[1] << QUANTISE_BITS) + (size_t)at[2];
}

static size_t bin_of_pixel(const uint8_t *rgb)
{
    const int at[3] = {rgb[0] >> (8 - QUANTISE_BITS), rgb[1] >> (8 - QUANTISE_BITS), rgb[2] >> (8 - QUANTISE_BITS)};
    return bin_of(at);
}

/* Calls of this move `at` through the bins of a box. False: all have been visited. */
static bool next_bin(const colour_box *box, int at[3])
{
    for (int k = 2; k >= 0; k--) {
        if (at[k]++ < box->high[k]) return true;
        at[k] = box->low[k];
    }
    return false;
}

/* Shrinks a box to the bins that have pixels, and counts these. */
static void shrink(const bin *bins, colour_box *box)
{
    colour_box small = {.low = {QUANTISE_SIDE, QUANTISE_SIDE, QUANTISE_SIDE}, .high = {-1, -1, -1}};
    int at[3] = {box->low[0], box->low[1], box->low[2]};
    do {
        const uint64_t pixels = bins[bin_of(at)].pixels;
        if (!pixels) continue;
        small.pixels += pixels;
        for (int k = 0; k < 3; k++) {
            if (at[k] < small.low[k]) small.low[k] = at[k];
            if (at[k] > small.high[k]) small.high[k] = at[k];
        }
    } while (next_bin(box, at));
    *box = small;
}

static int longest_axis(const colour_box *box)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box->high[k] - box->low[k] > box->high[axis] - box->low[axis]) axis = k;
    return axis;
}

/* Halves a box across its longest axis, near the median of its pixels. */
static void cut(const bin *bins, colour_box *box, colour_box *other)
{
    const int axis = longest_axis(box);
    uint64_t along[QUANTISE_SIDE] = {0}, before = 0;
    int at[3] = {box->low[0], box->low[1], box->low[2]};
    do along[at[axis]] += bins[bin_of(at)].pixels;
    while (next_bin(box, at));
    int last = box->low[axis];
    for (before = along[last]; 2 * before < box->pixels && last + 1 < box->high[axis];) before += along[++last];
    *other = *box;
    other->low[axis] = last + 1, box->high[axis] = last;
    shrink(bins, box);
    shrink(bins, other);
}

/* Returns the box to cut next; -1: none can be cut. */
static int largest_box(const colour_box *boxes, size_t count)
{
    CLUMP_ASSERT(count >= 1 && count <= 256);
    int best = -1;
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const int axis = longest_axis(&boxes[i]);
        const uint64_t size = (uint64_t)(boxes[i].high[axis] - boxes[i].low[axis]) * boxes[i].pixels;
        if (size > most) most = size, best = (int)i;
    }
    return best;
}

/* Returns the mean colour of the bins of a box, and makes them point to it. */
static view_rgb mean_of(const bin *bins, const colour_box *box, uint8_t index, uint8_t *index_of_bin)
{
    uint64_t sums[3] = {0};
    int at[3] = {box->low[0], box->low[1], box->low[2]};
    do {
        const size_t place = bin_of(at);
        for (int k = 0; k < 3; k++) sums[k] += bins[place].sums[k];
        index_of_bin[place] = index;
    } while (next_bin(box, at));
    const uint64_t half = box->pixels / 2;
    return (view_rgb){(uint8_t)((sums[0] + half) / box->pixels), (uint8_t)((sums[1] + half) / box->pixels),
                      (uint8_t)((sums[2] + half) / box->pixels)};
}

size_t view_quantise(const view_image *image, size_t most, view_rgb colours[256], uint8_t *pixels)
{
    CLUMP_ASSERT(most >= 1 && most <= 256);
    const size_t total = image->width * image->height;
    bin *const bins = calloc(QUANTISE_BINS, sizeof *bins);
    uint8_t *const index_of_bin = calloc(QUANTISE_BINS, 1);
    colour_box boxes[256];
    size_t count = 0;
    if (bins && index_of_bin && total) {
        for (size_t i = 0; i < total; i++) {
            bin *const b = &bins[bin_of_pixel(image->rgb + 3 * i)];
            b->pixels++;
            for (int k = 0; k < 3; k++) b->sums[k] += image->rgb[3 * i + (size_t)k];
        }
        boxes[count++] = (colour_box){.high = {QUANTISE_SIDE - 1, QUANTISE_SIDE - 1, QUANTISE_SIDE - 1}};
        shrink(bins, &boxes[0]);
        for (int next; count < most && count < 256 && (next = largest_box(boxes, count)) >= 0; count++)
            cut(bins, &boxes[next], &boxes[count]);
        for (size_t i = 0; i < count; i++) colours[i] = mean_of(bins, &boxes[i], (uint8_t)i, index_of_bin);
        for (size_t i = 0; i < total; i++) pixels[i] = index_of_bin[bin_of_pixel(image->rgb + 3 * i)];
    }
    free(bins), free(index_of_bin);
    return count;
}
