/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bits.h: counting and finding bits.
 */
#ifndef CLUMP_COMMON_BITS_H
#define CLUMP_COMMON_BITS_H

#include "common/assert.h"

#include <stdint.h>
#include <string.h>

static inline unsigned clump_popcount(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

/* Returns the position of the lowest set bit; x is not 0. */
static inline unsigned clump_lowest(uint64_t x)
{
    CLUMP_ASSERT(x != 0);
    return (unsigned)__builtin_ctzll(x);
}

/* Returns the position of the highest set bit; x is not 0. */
static inline unsigned clump_highest(uint64_t x)
{
    CLUMP_ASSERT(x != 0);
    return 63 - (unsigned)__builtin_clzll(x);
}

/* The bits of a float. Those of floats that are not negative sort like their values. */
static inline uint32_t clump_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The float with these bits. */
static inline float clump_float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
