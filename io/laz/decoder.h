/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decoder.h: the reading half of the range coder.
 *
 * A loop over points keeps the decoder in a local variable. All functions are inline, so that its members stay in
 * registers.
 *
 * Any bytes can be decoded. Invariant: value < length, and length >= 2^24 between two calls. So
 * value / (length >> 15) <= 2^15 + 63, and its place in a table of 64 parts is at most 64. Behind the last byte the
 * decoder reads zeros; clump_io_laz_overrun() tells.
 */
#ifndef CLUMP_IO_LAZ_DECODER_H
#define CLUMP_IO_LAZ_DECODER_H

#include "laz/model.h"

#include <stddef.h>
#include <string.h>

#define CLUMP_IO_LAZ_INLINE static inline __attribute__((always_inline))

typedef struct clump_io_laz_decoder {
    const unsigned char *bytes;
    size_t size, at; /* at: bytes read; more than size where zeros were read */
    uint32_t value, length;
} clump_io_laz_decoder;

/* Returns the 4 bytes at d->at, most significant first. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_peek(const clump_io_laz_decoder *d)
{
    uint32_t word = 0;
    if (__builtin_expect(d->at + 4 <= d->size, 1)) {
        memcpy(&word, d->bytes + d->at, 4);
        return __builtin_bswap32(word);
    }
    for (size_t i = d->at; i < d->size; i++) word |= (uint32_t)d->bytes[i] << (24 - 8 * (i - d->at));
    return word;
}

CLUMP_IO_LAZ_INLINE void clump_io_laz_decoder_begin(clump_io_laz_decoder *d, const unsigned char *bytes, size_t size)
{
    *d = (clump_io_laz_decoder){.bytes = bytes, .size = size, .length = UINT32_MAX};
    d->value = clump_io_laz_peek(d);
    d->value -= d->value == UINT32_MAX; /* no encoder writes this value, and it would break the invariant */
    d->at = 4;
}

/* How many bytes were read behind the last one. The encoder writes all bytes that the decoder reads. */
CLUMP_IO_LAZ_INLINE size_t clump_io_laz_overrun(const clump_io_laz_decoder *d)
{
    return d->at > d->size ? d->at - d->size : 0;
}

/* Reads as many bytes as make length at least 2^24; without a branch, since none could predict it. */
CLUMP_IO_LAZ_INLINE void clump_io_laz_refill(clump_io_laz_decoder *d)
{
    const uint32_t bytes = (uint32_t)__builtin_clz(d->length) >> 3, shift = 8 * bytes;
    const uint64_t both = (uint64_t)d->value << 32 | clump_io_laz_peek(d);
    d->value = (uint32_t)(both << shift >> 32);
    d->length <<= shift;
    d->at += bytes;
}

CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode_bit(clump_io_laz_decoder *d, clump_io_laz_bit *bit)
{
    const uint32_t end = bit->share * (d->length >> CLUMP_IO_LAZ_BIT_BITS), one = d->value >= end;
    d->value -= one ? end : 0;
    d->length = one ? d->length - end : end;
    bit->zeros = (uint16_t)(bit->zeros + 1 - one);
    clump_io_laz_refill(d);
    if (--bit->left == 0) clump_io_laz_bit_update(bit);
    return one;
}

/* Returns a symbol below head->symbols. Call it with CLUMP_IO_LAZ_PARTS(model). */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode(clump_io_laz_decoder *d, clump_io_laz_head *head,
                                                 clump_io_laz_slot *slots)
{
    const uint32_t unit = d->length >> CLUMP_IO_LAZ_SHARE_BITS, share = d->value / unit;
    uint32_t s = head->table[share >> head->shift];
    while (slots[s + 1].low <= share) s++;
    const uint32_t begin = slots[s].low * unit;
    const uint32_t end = s + 1 == head->symbols ? d->length : slots[s + 1].low * unit;
    d->value -= begin;
    d->length = end - begin;
    clump_io_laz_refill(d);
    slots[s].count++;
    if (--head->left == 0) clump_io_laz_model_update(head, slots);
    return s;
}

/* Reads at most 19 bits that no model knows. Damaged bytes can give more. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_read_few(clump_io_laz_decoder *d, uint32_t bits)
{
    d->length >>= bits;
    const uint32_t value = d->value / d->length;
    d->value -= value * d->length;
    clump_io_laz_refill(d);
    return value;
}

CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_read_u32(clump_io_laz_decoder *d)
{
    const uint32_t low = clump_io_laz_read_few(d, 16) & 0xffff;
    return low | clump_io_laz_read_few(d, 16) << 16;
}

/* Reads 1 to 32 bits. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_read_bits(clump_io_laz_decoder *d, uint32_t bits)
{
    if (bits <= 19) return clump_io_laz_read_few(d, bits);
    const uint32_t low = clump_io_laz_read_few(d, 16) & 0xffff;
    return low | clump_io_laz_read_few(d, bits - 16) << 16;
}

#endif
