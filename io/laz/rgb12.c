/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rgb12.c: encodes the colour of a point.
 */
#include "laz/rgb12.h"

#include "common/assert.h"

void clump_io_laz_rgb12_begin(clump_io_laz_rgb12 *state)
{
    clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->used), 128);
    for (int b = 0; b < 6; b++) clump_io_laz_model_begin(CLUMP_IO_LAZ_PARTS(&state->changes[b]), 256);
}

static uint32_t find_used(const uint16_t before[3], const uint16_t rgb[3])
{
    uint32_t used = rgb[0] != rgb[1] || rgb[0] != rgb[2] ? 64 : 0;
    for (int c = 0; c < 3; c++) {
        const unsigned differs = before[c] ^ rgb[c];
        used |= (differs & 255 ? 1u : 0u) << (2 * c) | (differs >> 8 ? 2u : 0u) << (2 * c);
    }
    return used;
}

static void encode_change(clump_io_laz_encoder *e, clump_io_laz_rgb12 *state, int byte, int32_t change)
{
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->changes[byte]), (uint32_t)change & 255);
}

/* Encodes green and blue: their low bytes (half 0) or high bytes (half 1). */
static void encode_half(clump_io_laz_encoder *e, clump_io_laz_rgb12 *state, uint32_t used, int half,
                        const uint16_t before[3], const uint16_t rgb[3])
{
    CLUMP_ASSERT(half == 0 || half == 1);
    int32_t old[3], new[3];
    for (int c = 0; c < 3; c++)
        old[c] = clump_io_laz_byte_of(before[c], 8 * half), new[c] = clump_io_laz_byte_of(rgb[c], 8 * half);
    const int32_t change = new[0] - old[0];
    if (used >> (2 + half) & 1) encode_change(e, state, 2 + half, new[1] - clump_io_laz_predict_byte(old[1], change));
    if (used >> (4 + half) & 1) {
        const int32_t both = (change + new[1] - old[1]) / 2;
        encode_change(e, state, 4 + half, new[2] - clump_io_laz_predict_byte(old[2], both));
    }
}

void clump_io_laz_rgb12_encode(clump_io_laz_encoder *e, clump_io_laz_rgb12 *state, uint16_t before[3],
                               const uint16_t rgb[3])
{
    const uint32_t used = find_used(before, rgb);
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&state->used), used);
    for (int half = 0; half < 2; half++)
        if (used >> half & 1)
            encode_change(e, state, half,
                          clump_io_laz_byte_of(rgb[0], 8 * half) - clump_io_laz_byte_of(before[0], 8 * half));
    for (int half = 0; half < 2 && used & 64; half++) encode_half(e, state, used, half, before, rgb);
    memcpy(before, rgb, 6);
}
