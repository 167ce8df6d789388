/* SPDX-License-Identifier: BSD-3-Clause
 *
 * encoder.h: the writing half of the range coder.
 *
 *     clump_io_laz_encoder e;
 *     clump_io_laz_encoder_begin(&e, &bytes);      takes the buffer over, and appends to it
 *     clump_io_laz_encode(&e, CLUMP_IO_LAZ_PARTS(model), symbol);
 *     clump_io_laz_encoder_end(&e, &bytes);        the last bytes; gives the buffer back
 */
#ifndef CLUMP_IO_LAZ_ENCODER_H
#define CLUMP_IO_LAZ_ENCODER_H

#include "common/assert.h"
#include "laz/codec.h"
#include "laz/decoder.h"

typedef struct clump_io_laz_encoder {
    clump_io_laz_bytes out;
    uint32_t base, length; /* the interval; length >= 2^24 between two calls */
} clump_io_laz_encoder;

CLUMP_IO_LAZ_INLINE void clump_io_laz_encoder_begin(clump_io_laz_encoder *e, clump_io_laz_bytes *bytes)
{
    *e = (clump_io_laz_encoder){.out = *bytes, .length = UINT32_MAX};
}

void clump_io_laz_encoder_end(clump_io_laz_encoder *e, clump_io_laz_bytes *bytes);

/* Adds 1 to the number that the bytes written so far are. */
void clump_io_laz_carry(clump_io_laz_bytes *out);

/* Moves the base up and sets the length; writes the bytes that cannot change any more but for a carry. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_narrow(clump_io_laz_encoder *e, uint32_t from, uint32_t length)
{
    const uint32_t before = e->base;
    e->base += from;
    e->length = length;
    if (e->base < before) clump_io_laz_carry(&e->out);
    while (e->length < 1u << 24) {
        clump_io_laz_bytes_put(&e->out, (unsigned char)(e->base >> 24));
        e->base <<= 8;
        e->length <<= 8;
    }
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_encode_bit(clump_io_laz_encoder *e, clump_io_laz_bit *bit, uint32_t one)
{
    const uint32_t end = bit->share * (e->length >> CLUMP_IO_LAZ_BIT_BITS);
    bit->zeros = (uint16_t)(bit->zeros + 1 - one);
    clump_io_laz_narrow(e, one ? end : 0, one ? e->length - end : end);
    if (--bit->left == 0) clump_io_laz_bit_update(bit);
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_encode(clump_io_laz_encoder *e, clump_io_laz_head *head, uint16_t *lows,
                                             uint16_t *counts, uint32_t symbol)
{
    const uint32_t unit = e->length >> CLUMP_IO_LAZ_SHARE_BITS, begin = lows[symbol] * unit;
    const uint32_t end = symbol + 1 == head->symbols ? e->length : lows[symbol + 1] * unit;
    clump_io_laz_narrow(e, begin, end - begin);
    counts[symbol]++;
    if (--head->left == 0) clump_io_laz_model_update(head, lows, counts);
}

/* Writes at most 19 bits that no model knows. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_write_few(clump_io_laz_encoder *e, uint32_t bits, uint32_t value)
{
    CLUMP_ASSERT(bits <= 19);
    const uint32_t length = e->length >> bits;
    clump_io_laz_narrow(e, value * length, length);
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_write_u32(clump_io_laz_encoder *e, uint32_t value)
{
    clump_io_laz_write_few(e, 16, value & 0xffff);
    clump_io_laz_write_few(e, 16, value >> 16);
}

/* Writes 1 to 32 bits. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_write_bits(clump_io_laz_encoder *e, uint32_t bits, uint32_t value)
{
    CLUMP_ASSERT(bits >= 1 && bits <= 32);
    if (bits > 19) {
        clump_io_laz_write_few(e, 16, value & 0xffff);
        value >>= 16;
        bits -= 16;
    }
    clump_io_laz_write_few(e, bits, value);
}

#endif
