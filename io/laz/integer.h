/* SPDX-License-Identifier: BSD-3-Clause
 *
 * integer.h: integers coded as the difference from a prediction.
 *
 *     difference   width   inside that width
 *     0 and 1      0       one bit
 *     -1 and 2     1       the first of 2^1 numbers is the least
 *     -3 ... 4     2       without those of width 1
 *     ...
 *     2^31         32      only one number
 *
 * The width has a model per context. Of the number inside the width, the upper 8 bits have a model per width; lower
 * bits have none. Models are set up when they are first needed.
 */
#ifndef CLUMP_IO_LAZ_INTEGER_H
#define CLUMP_IO_LAZ_INTEGER_H

#include "laz/encoder.h"

#define CLUMP_IO_LAZ_CONTEXTS 22 /* at most */

typedef struct clump_io_laz_integer {
    uint32_t bits;            /* 1 to 32: integers are below 2^bits; 32: any int32 */
    uint32_t width;           /* of the last difference */
    uint32_t ready_contexts;  /* bit c: contexts[c] is set up */
    uint32_t ready_remainder; /* bit w: remainder[w] is set up */
    clump_io_laz_bit least;   /* of width 0 */
    CLUMP_IO_LAZ_MODEL(33) contexts[CLUMP_IO_LAZ_CONTEXTS];
    clump_io_laz_model256 remainder[32]; /* by width, 1 to 31 */
} clump_io_laz_integer;

CLUMP_IO_LAZ_INLINE void clump_io_laz_integer_begin(clump_io_laz_integer *integer, uint32_t bits)
{
    integer->bits = bits;
    integer->width = integer->ready_contexts = integer->ready_remainder = 0;
    clump_io_laz_bit_begin(&integer->least);
}

/* Set a model up, and return. */
void clump_io_laz_integer_context(clump_io_laz_integer *integer, uint32_t context);
void clump_io_laz_integer_remainder(clump_io_laz_integer *integer, uint32_t width);

/* Returns a difference from the prediction. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode_difference(clump_io_laz_decoder *d, clump_io_laz_integer *integer,
                                                            uint32_t context)
{
    if (!(integer->ready_contexts >> context & 1)) clump_io_laz_integer_context(integer, context);
    const uint32_t width = clump_io_laz_decode(d, CLUMP_IO_LAZ_PARTS(&integer->contexts[context]));
    integer->width = width;
    if (width == 0) return clump_io_laz_decode_bit(d, &integer->least);
    if (width == 32) return 0x80000000u;
    if (!(integer->ready_remainder >> width & 1)) clump_io_laz_integer_remainder(integer, width);
    uint32_t inside = clump_io_laz_decode_wide(d, CLUMP_IO_LAZ_PARTS(&integer->remainder[width]));
    if (width > 8) {
        const uint32_t upper = inside << (width - 8);
        inside = upper | clump_io_laz_read_bits(d, width - 8);
    }
    return inside >= 1u << (width - 1) ? inside + 1 : inside - ((1u << width) - 1);
}

CLUMP_IO_LAZ_INLINE int32_t clump_io_laz_decode_integer(clump_io_laz_decoder *d, clump_io_laz_integer *integer,
                                                        int32_t prediction, uint32_t context)
{
    const uint32_t sum = (uint32_t)prediction + clump_io_laz_decode_difference(d, integer, context);
    if (integer->bits == 32) return (int32_t)sum;
    const uint32_t range = 1u << integer->bits; /* differences are modulo the range */
    return (int32_t)(sum >> 31 ? sum + range : sum >= range ? sum - range : sum);
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_encode_difference(clump_io_laz_encoder *e, clump_io_laz_integer *integer,
                                                        int32_t difference, uint32_t context)
{
    const uint32_t size = difference <= 0 ? 0u - (uint32_t)difference : (uint32_t)difference - 1;
    const uint32_t width = size ? 32 - (uint32_t)__builtin_clz(size) : 0;
    if (!(integer->ready_contexts >> context & 1)) clump_io_laz_integer_context(integer, context);
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&integer->contexts[context]), width);
    integer->width = width;
    if (width == 0) clump_io_laz_encode_bit(e, &integer->least, (uint32_t)difference);
    if (width == 0 || width == 32) return;
    if (!(integer->ready_remainder >> width & 1)) clump_io_laz_integer_remainder(integer, width);
    const uint32_t inside = (uint32_t)difference + (difference < 0 ? (1u << width) - 1 : 0u - 1);
    const uint32_t below = width > 8 ? width - 8 : 0; /* bits without a model */
    clump_io_laz_encode(e, CLUMP_IO_LAZ_PARTS(&integer->remainder[width]), inside >> below);
    if (below) clump_io_laz_write_bits(e, below, inside & ((1u << below) - 1));
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_encode_integer(clump_io_laz_encoder *e, clump_io_laz_integer *integer,
                                                     int32_t prediction, int32_t value, uint32_t context)
{
    int32_t difference = (int32_t)((uint32_t)value - (uint32_t)prediction);
    if (integer->bits < 32) {
        const int32_t range = (int32_t)(1u << integer->bits);
        if (difference < -range / 2)
            difference += range;
        else if (difference >= range / 2)
            difference -= range;
    }
    clump_io_laz_encode_difference(e, integer, difference, context);
}

#endif
