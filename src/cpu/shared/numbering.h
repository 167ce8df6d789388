/* SPDX-License-Identifier: BSD-3-Clause
 *
 * numbering.h: from a union-find forest (rules/union_find.h) to canonical numbers: sets are numbered in the order of their
 * first points. A node is what the forest joins: a cell, a run of cells or points, a point.
 *
 *     1  clump_number_lows     the first point of a node ─► the first point of its set, at the root
 *     2  clump_number_firsts   one bit per point, set for the first point of each set
 *     3  clump_ranks_count     how many sets there are
 *     4  clump_rank            the number of a set is the number of set bits before its own bit
 *
 * The caller says by inline functions what is the root of a node and what its first point. Steps 1 and 2 are for a range of
 * nodes, so that threads can share them.
 */
#ifndef CLUMP_CPU_SHARED_NUMBERING_H
#define CLUMP_CPU_SHARED_NUMBERING_H

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

/* What the caller says about node c of its forest. The function for the root may replace the parent of the node by it. */
typedef uint32_t clump_node_root(const void *forest, size_t c);
typedef bool clump_node_is_root(const void *forest, size_t c); /* of a set that gets a number */
typedef uint32_t clump_node_first(const void *forest, size_t c);

/* Inlined in any case: then the functions of the caller are, too. */
#define CLUMP_NUMBERING static inline __attribute__((always_inline))

/* Lowers low[] of the roots of nodes begin ... end - 1 to the first points of these nodes. */
CLUMP_NUMBERING void clump_number_lows(const void *forest, size_t begin, size_t end, clump_node_root *root,
                                       clump_node_first *first, uint32_t *low, bool shared)
{
    for (size_t c = begin; c < end; c++) {
        const uint32_t r = root(forest, c), point = first(forest, c);
        if (shared)
            clump_atomic_min(&low[r], point);
        else
            low[r] = point < low[r] ? point : low[r];
    }
}

enum { CLUMP_NUMBERING_LIST = 512 };

/* Sets the bits of the first points of sets, for the roots among the nodes begin ... end - 1. They are listed first, without
 * a branch on which nodes are roots. */
CLUMP_NUMBERING void clump_number_firsts(const void *forest, size_t begin, size_t end, clump_node_is_root *is_root,
                                         clump_node_first *first, clump_ranks *ranks, bool shared)
{
    uint32_t list[CLUMP_NUMBERING_LIST];
    for (size_t base = begin; base < end; base += CLUMP_NUMBERING_LIST) {
        const size_t last = end - base < CLUMP_NUMBERING_LIST ? end : base + CLUMP_NUMBERING_LIST;
        size_t count = 0;
        for (size_t c = base; c < last; c++) {
            const bool numbered = is_root(forest, c);
            list[count] = first(forest, c);
            count += numbered;
        }
        for (size_t k = 0; k < count; k++) {
            if (shared)
                clump_ranks_set_shared(ranks, list[k]);
            else
                clump_ranks_set(ranks, list[k]);
        }
    }
}

#endif
