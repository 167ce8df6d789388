/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rgb12.h: the colour of a point, three uint16.
 *
 * A symbol tells which of the six bytes differ from the point before, and whether the colour is not grey. The change
 * of red predicts that of green, and both predict that of blue; low and high bytes are apart.
 */
#ifndef CLUMP_IO_LAZ_RGB12_H
#define CLUMP_IO_LAZ_RGB12_H

#include "laz/encoder.h"

#define CLUMP_IO_LAZ_RGB12 6u /* bytes */

typedef struct clump_io_laz_rgb12 {
    CLUMP_IO_LAZ_MODEL(128) used;     /* bit b: byte b differs; bit 6: not grey */
    clump_io_laz_model256 changes[6]; /* of byte b: low and high of red, green, blue */
} clump_io_laz_rgb12;

void clump_io_laz_rgb12_begin(clump_io_laz_rgb12 *state);

/* Returns a byte that is predicted to change by this. */
CLUMP_IO_LAZ_INLINE int32_t clump_io_laz_predict_byte(int32_t before, int32_t change)
{
    const int32_t sum = before + change;
    return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}

CLUMP_IO_LAZ_INLINE int32_t clump_io_laz_byte_of(uint16_t value, int shift)
{
    return value >> shift & 255;
}

/* Decodes the low bytes (half 0) or the high bytes (half 1) into values[], which the caller has set to those before. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_rgb12_decode_half(clump_io_laz_decoder *d, clump_io_laz_rgb12 *state,
                                                        uint32_t used, int half, int32_t values[3], int32_t change)
{
    if (!(used & 64)) {
        values[1] = values[2] = values[0];
        return;
    }
    const int32_t green = values[1];
    if (used >> (2 + half) & 1)
        values[1] = (clump_io_laz_predict_byte(green, change) +
                     (int32_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->changes[2 + half]))) &
                    255;
    if (used >> (4 + half) & 1) {
        const int32_t both = (change + values[1] - green) / 2;
        values[2] = (clump_io_laz_predict_byte(values[2], both) +
                     (int32_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->changes[4 + half]))) &
                    255;
    }
}

/* Replaces the colour before by the next. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_rgb12_decode(clump_io_laz_decoder *d, clump_io_laz_rgb12 *state, uint16_t rgb[3])
{
    const uint32_t used = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->used));
    int32_t low[3], high[3];
    for (int c = 0; c < 3; c++) low[c] = clump_io_laz_byte_of(rgb[c], 0), high[c] = clump_io_laz_byte_of(rgb[c], 8);
    const int32_t red_low = low[0], red_high = high[0];
    if (used & 1) low[0] = (red_low + (int32_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->changes[0]))) & 255;
    if (used & 2) high[0] = (red_high + (int32_t)clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&state->changes[1]))) & 255;
    clump_io_laz_rgb12_decode_half(d, state, used, 0, low, low[0] - red_low);
    clump_io_laz_rgb12_decode_half(d, state, used, 1, high, high[0] - red_high);
    for (int c = 0; c < 3; c++) rgb[c] = (uint16_t)(low[c] | high[c] << 8);
}

void clump_io_laz_rgb12_encode(clump_io_laz_encoder *e, clump_io_laz_rgb12 *state, uint16_t before[3],
                               const uint16_t rgb[3]);

#endif
