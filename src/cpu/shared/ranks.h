/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.h: numbers sets in the order of their first points. There is one bit per point, set for the first
 * point of each set. The number of a set is the number of set bits before its own bit.
 */
#ifndef CLUMP_CPU_SHARED_RANKS_H
#define CLUMP_CPU_SHARED_RANKS_H

#include "common/assert.h"
#include "common/atomics.h"
#include "common/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct clump_ranks {
    uint64_t *bits;   /* one bit per point */
    uint32_t *before; /* one count per word: bits set in the words before it */
    size_t words;
} clump_ranks;

/* Bytes of memory for n points, aligned to 8. */
static inline size_t clump_ranks_bytes(size_t n)
{
    return (n + 63) / 64 * (sizeof(uint64_t) + sizeof(uint32_t));
}

/* Ranks of n points in this memory, no bit set. */
static inline clump_ranks clump_ranks_make(void *memory, size_t n)
{
    const size_t words = (n + 63) / 64;
    clump_ranks r = {.words = words};
    if (words == 0) return r; /* memory may be null */
    r.bits = memory;
    r.before = (uint32_t *)(r.bits + words);
    memset(r.bits, 0, words * sizeof *r.bits);
    return r;
}

/* Marks the first point of a set. */
static inline void clump_ranks_set(clump_ranks *r, uint32_t first)
{
    r->bits[first / 64] |= (uint64_t)1 << first % 64;
}

/* The atomic form, for several threads. */
static inline void clump_ranks_set_shared(clump_ranks *r, uint32_t first)
{
    CLUMP_OR(&r->bits[first / 64], (uint64_t)1 << first % 64);
}

/* Marks the point if `yes`, without a branch. */
static inline void clump_ranks_set_if(clump_ranks *r, uint32_t first, bool yes)
{
    r->bits[first / 64] |= (uint64_t)yes << first % 64;
}

/* Returns the number of sets. To be called once all bits are set, before clump_rank(). */
static inline uint32_t clump_ranks_count(clump_ranks *r)
{
    uint32_t sum = 0;
    for (size_t w = 0; w < r->words; w++) {
        r->before[w] = sum;
        sum += clump_popcount(r->bits[w]);
    }
    return sum;
}

/* The number of the set whose first point this is. */
static inline uint32_t clump_rank(const clump_ranks *r, uint32_t first)
{
    CLUMP_ASSERT(first / 64 < r->words);
    return r->before[first / 64] + clump_popcount(r->bits[first / 64] & (((uint64_t)1 << first % 64) - 1));
}

#endif
