/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.h: numbers for sets, in the order of their first points. A bit a point, set for the first
 * point of each set; the number of a set is the number of set bits before its own.
 */
#ifndef CLUMP_CPU_SHARED_RANKS_H
#define CLUMP_CPU_SHARED_RANKS_H

#include "common/atomics.h"
#include "common/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct clump_ranks {
    uint64_t *bits;   /* one a point */
    uint32_t *before; /* of every 64: bits set before them */
    size_t words;
} clump_ranks;

/* Bytes of memory for n points. */
static inline size_t clump_ranks_bytes(size_t n)
{
    return (n + 63) / 64 * (sizeof(uint64_t) + sizeof(uint32_t));
}

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

static inline void clump_ranks_set(clump_ranks *r, uint32_t first)
{
    r->bits[first / 64] |= (uint64_t)1 << first % 64;
}

/* The same while other threads set others. */
static inline void clump_ranks_set_shared(clump_ranks *r, uint32_t first)
{
    CLUMP_OR(&r->bits[first / 64], (uint64_t)1 << first % 64);
}

/* The same where `yes`, without a branch on it. */
static inline void clump_ranks_set_if(clump_ranks *r, uint32_t first, bool yes)
{
    r->bits[first / 64] |= (uint64_t)yes << first % 64;
}

/* After all are set; returns how many. */
static inline uint32_t clump_ranks_count(clump_ranks *r)
{
    uint32_t sum = 0;
    for (size_t w = 0; w < r->words; w++) {
        r->before[w] = sum;
        sum += clump_popcount(r->bits[w]);
    }
    return sum;
}

static inline uint32_t clump_rank(const clump_ranks *r, uint32_t first)
{
    return r->before[first / 64] + clump_popcount(r->bits[first / 64] & (((uint64_t)1 << first % 64) - 1));
}

#endif
