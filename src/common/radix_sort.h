/* SPDX-License-Identifier: BSD-3-Clause
 *
 * radix_sort.h: sorts 64-bit words by some of their bits; stable, linear, no comparison.
 */
#ifndef CLUMP_COMMON_RADIX_SORT_H
#define CLUMP_COMMON_RADIX_SORT_H

#include "common/team.h"

#include <stddef.h>
#include <stdint.h>

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
