/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seed.h: where the key of a context's hash tables (rules/hash.h) comes from.
 */
#ifndef CLUMP_CORE_SEED_H
#define CLUMP_CORE_SEED_H

#include <stdint.h>

/* 64 bits that a caller cannot predict, from the system's random numbers. Where the system has none:
 * clump_seed_from_clock(). */
uint64_t clump_seed_draw(const void *address);

/* The time and the addresses of `address` and of the stack, mixed. Two calls give different seeds as long as the clock
 * has advanced or the address differs. */
uint64_t clump_seed_from_clock(const void *address);

#endif
