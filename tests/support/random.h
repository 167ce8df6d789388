/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random.h: deterministic pseudo-random numbers (splitmix64). Equal seeds give equal numbers on every machine.
 */
#ifndef CLUMP_TESTS_RANDOM_H
#define CLUMP_TESTS_RANDOM_H

#include <stdint.h>

static inline uint64_t check_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline float check_random_float(uint64_t *state) /* [0, 1) */
{
    return (float)(check_random(state) >> 40) * (1.0f / 16777216); /* no hexadecimal number: C++14 reads this too */
}

#endif
