/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sort.h: sorting 64-bit keys in place without further memory: a heap with the largest key first, and insertion.
 */
#ifndef CLUMP_COMMON_SORT_H
#define CLUMP_COMMON_SORT_H

#include "common/assert.h"
#include "common/team.h"

#include <stddef.h>
#include <stdint.h>

/* Puts `key` in place of the entry `at` of a heap of n keys, whose subtrees below `at` are heaps. */
static inline void clump_heap_sink(uint64_t *heap, size_t n, size_t at, uint64_t key)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1] > heap[child]) child++;
        if (heap[child] <= key) break;
        heap[at] = heap[child];
    }
    heap[at] = key;
}

/* Makes a heap of n keys in any order. */
static inline void clump_heap_make(uint64_t *heap, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) clump_heap_sink(heap, n, i, heap[i]);
}

/* Takes the largest of n keys out of a heap and returns it; n >= 1. The first n - 1 entries are a heap then. */
static inline uint64_t clump_heap_pop(uint64_t *heap, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    const uint64_t largest = heap[0];
    clump_heap_sink(heap, n - 1, 0, heap[n - 1]);
    return largest;
}

/* Sorts a few keys by insertion, in time n^2. */
static inline void clump_sort_few(uint64_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        size_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--) keys[j] = keys[j - 1];
        keys[j] = key;
    }
}

/* --- pair_sort.c: sorts pairs of a key and a value by key, least significant digits first. Stable --- */

typedef struct clump_pair {
    uint64_t key, value;
} clump_pair;

/* Sorts n pairs ascending by key, on the calling thread. `scratch` is a second array of n pairs. The result is in
 * `pairs`. Digits that are equal in all keys cost nothing; pairs that are in order already are left alone. */
void clump_pair_sort(clump_pair *pairs, clump_pair *scratch, size_t n);

/* --- radix_sort.c: sorts 64-bit words by some of their bits; stable, linear, no comparison ---------- */

#define CLUMP_RADIX_BITS 11 /* per pass: a thread's 2048 counters fit into the first-level cache */

/* Returns the number of counters for a number of threads. A single thread counts two digits at a time. */
static inline size_t clump_radix_counters(int threads)
{
    return (size_t)(threads > 1 ? threads : 2) << CLUMP_RADIX_BITS;
}

/* Sorts n words by bits low ... low + bits - 1. a holds the words, b has the same size. Returns the one that holds the
 * result; the other holds garbage. Returns null if the call was cancelled; then both hold garbage. */
uint64_t *clump_radix_sort(clump_team *team, uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits,
                           size_t *counters, int threads);

/* The same on the calling thread, for words that fit into the cache: needs no counters and is not cancelled. */
uint64_t *clump_radix_sort_alone(uint64_t *a, uint64_t *b, size_t n, unsigned low, unsigned bits);

#endif
