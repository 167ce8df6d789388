/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seed.h: seeds for the key of a context's hash tables (rules/hash.h).
 */
#ifndef CLUMP_CORE_SEED_H
#define CLUMP_CORE_SEED_H

#include <stdint.h>

/* Returns 64 bits that a caller cannot predict, from the system's random numbers. Falls back to
 * clump_seed_from_clock() where the system has none. */
uint64_t clump_seed_draw(const void *address);

/* Returns a mix of the time, `address` and an address on the stack. Two calls return different seeds if the clock has
 * advanced or `address` differs. */
uint64_t clump_seed_from_clock(const void *address);

#endif
