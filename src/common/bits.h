/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bits.h: counting and finding bits.
 */
#ifndef CLUMP_COMMON_BITS_H
#define CLUMP_COMMON_BITS_H

#include "common/assert.h"

#include <stdint.h>

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

#endif
