/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atomics.h: relaxed atomic access to plain integers: fields that threads share in one phase and that are ordinary data
 * in all others. The end of a parallel region orders everything, so atomicity is enough but for CLUMP_IS_LAST. Single-threaded code stays
 * free of atomics.
 */
#ifndef CLUMP_COMMON_ATOMICS_H
#define CLUMP_COMMON_ATOMICS_H

#include <stdint.h>

#define CLUMP_LOAD(p)     __atomic_load_n((p), __ATOMIC_RELAXED)
#define CLUMP_STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define CLUMP_OR(p, v)    __atomic_fetch_or((p), (v), __ATOMIC_RELAXED)
#define CLUMP_AND(p, v)   __atomic_fetch_and((p), (v), __ATOMIC_RELAXED)
#define CLUMP_ADD(p, v)   __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)
/* Compare-and-swap: stores v if *p is *expected, else loads *p into *expected. Weak: may fail spuriously. */
#define CLUMP_SWAP(p, expected, v)                                                                                     \
    __atomic_compare_exchange_n((p), (expected), (v), 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)

/* Counts *p down. True for the thread that counts to 0: it sees what the others wrote before they counted. */
#define CLUMP_IS_LAST(p) (__atomic_sub_fetch((p), 1, __ATOMIC_ACQ_REL) == 0)

/* Sets *p to the smaller of *p and v. */
static inline void clump_atomic_min(uint32_t *p, uint32_t v)
{
    uint32_t seen = CLUMP_LOAD(p);
    while (v < seen && !CLUMP_SWAP(p, &seen, v)) {}
}

static inline void clump_atomic_min_int(int32_t *p, int32_t v)
{
    int32_t seen = CLUMP_LOAD(p);
    while (v < seen && !CLUMP_SWAP(p, &seen, v)) {}
}

/* As clump_atomic_min, of 64 bits. */
static inline void clump_atomic_min_64(uint64_t *p, uint64_t v)
{
    uint64_t seen = CLUMP_LOAD(p);
    while (v < seen && !CLUMP_SWAP(p, &seen, v)) {}
}

#endif
