/* SPDX-License-Identifier: BSD-3-Clause
 *
 * decoder.h: the reading half of the range coder.
 *
 * A loop over points keeps the decoder in a local variable. All functions are inline, so that its members stay in
 * registers.
 *
 * Any bytes can be decoded. Invariant: value < length, and length >= 2^24 between two calls. So
 * value / (length >> 15) <= 2^15 + 63, and its place in a table of 64 parts is at most 64. Shares from 2^15 on belong to
 * the last symbol. Behind the last byte the
 * decoder reads zeros; clump_io_laz_overrun() tells.
 */
#ifndef CLUMP_IO_LAZ_DECODER_H
#define CLUMP_IO_LAZ_DECODER_H

#include "common/assert.h"
#include "laz/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Inlining makes decoding several times as fast. With the checks of a sanitizer it takes minutes to compile. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CLUMP_IO_LAZ_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CLUMP_IO_LAZ_SANITIZED
#endif
#ifdef CLUMP_IO_LAZ_SANITIZED
#define CLUMP_IO_LAZ_INLINE static inline
#else
#define CLUMP_IO_LAZ_INLINE static inline __attribute__((always_inline))
#endif

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

/* A symbol, and the shares where it begins and the next one begins. */
typedef struct clump_io_laz_place {
    uint32_t symbol, low, next;
} clump_io_laz_place;

/* Finds the symbol of a share below 2^15 from symbol s on, step by step. */
CLUMP_IO_LAZ_INLINE clump_io_laz_place clump_io_laz_search(const uint16_t *lows, uint32_t s, uint32_t share)
{
    uint32_t next;
    while ((next = lows[s + 1]) <= share) s++;
    return (clump_io_laz_place){s, lows[s], next};
}

/* The same without branches: counts the lows that are at most as large as the share, 4 at once. A lane has 16 bits, of which
 * lows take 15. Its upper bit is left where the share minus the low is not negative; a sentinel clears it. */
CLUMP_IO_LAZ_INLINE clump_io_laz_place clump_io_laz_search_wide(const uint16_t *lows, uint32_t s, uint32_t share)
{
    const uint64_t tops = 0x8000800080008000u, shares = share * (uint64_t)0x0001000100010001u | tops;
    for (;; s += 4) {
        uint64_t here, next;
        memcpy(&here, lows + s, 8);
        memcpy(&next, lows + s + 1, 8);
        const uint64_t above = ((shares - next) & tops) ^ tops;
        if (__builtin_expect(above == 0, 0)) continue;
        const uint32_t shift = (uint32_t)__builtin_ctzll(above) & 0x30; /* lows ascend: so do the bits */
        return (clump_io_laz_place){s + shift / 16, (uint16_t)(here >> shift), (uint16_t)(next >> shift)};
    }
}

/* The two below. wide is a constant. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode_symbol(clump_io_laz_decoder *d, clump_io_laz_head *head,
                                                        uint16_t *lows, uint16_t *counts, bool wide)
{
    const uint32_t last = (1u << CLUMP_IO_LAZ_SHARE_BITS) - 1;
    const uint32_t unit = d->length >> CLUMP_IO_LAZ_SHARE_BITS, quotient = d->value / unit;
    const uint32_t share = quotient < last ? quotient : last, s = head->table[quotient >> CLUMP_IO_LAZ_PART_BITS];
    const clump_io_laz_place place =
        wide ? clump_io_laz_search_wide(lows, s, share) : clump_io_laz_search(lows, s, share);
    const uint32_t begin = place.low * unit, end = place.next > last ? d->length : place.next * unit;
    d->value -= begin;
    d->length = end - begin;
    clump_io_laz_refill(d);
    counts[place.symbol]++;
    if (--head->left == 0) clump_io_laz_model_update(head, lows, counts);
    return place.symbol;
}

/* Returns a symbol below head->symbols. Call it with CLUMP_IO_LAZ_PARTS(model). For models with few likely symbols: where
 * the processor predicts the branches of the search, it does not wait for it. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode(clump_io_laz_decoder *d, clump_io_laz_head *head, uint16_t *lows,
                                                 uint16_t *counts)
{
    return clump_io_laz_decode_symbol(d, head, lows, counts, false);
}

/* The same for models whose symbols nothing predicts: the search has no branches. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode_wide(clump_io_laz_decoder *d, clump_io_laz_head *head, uint16_t *lows,
                                                      uint16_t *counts)
{
    return clump_io_laz_decode_symbol(d, head, lows, counts, true);
}

/* The same for models where a symbol is likely to be the last one again: the processor does not wait for a division. */
CLUMP_IO_LAZ_INLINE uint32_t clump_io_laz_decode_again(clump_io_laz_decoder *d, clump_io_laz_head *head, uint16_t *lows,
                                                       uint16_t *counts, uint32_t guess)
{
    const uint32_t unit = d->length >> CLUMP_IO_LAZ_SHARE_BITS, low = lows[guess], next = lows[guess + 1];
    const uint32_t begin = low * unit, end = next >> CLUMP_IO_LAZ_SHARE_BITS ? d->length : next * unit;
    if (d->value - begin >= end - begin) return clump_io_laz_decode(d, head, lows, counts);
    d->value -= begin;
    d->length = end - begin;
    clump_io_laz_refill(d);
    counts[guess]++;
    if (--head->left == 0) clump_io_laz_model_update(head, lows, counts);
    return guess;
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
    CLUMP_ASSERT(bits >= 1 && bits <= 32);
    if (bits <= 19) return clump_io_laz_read_few(d, bits);
    const uint32_t low = clump_io_laz_read_few(d, 16) & 0xffff;
    return low | clump_io_laz_read_few(d, bits - 16) << 16;
}

#endif
