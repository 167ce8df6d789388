/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seed.c: see context.h.
 */
#include "core/context.h"

#include "rules/hash.h"

#include <time.h>

#if defined(__linux__)
#include <sys/random.h>
#endif

uint64_t clump_seed_from_clock(const void *address)
{
    struct timespec now = {0};
    timespec_get(&now, TIME_UTC);
    uint64_t state = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    uint64_t seed = clump_hash_draw(&state);
    state ^= (uint64_t)(uintptr_t)address;
    seed ^= clump_hash_draw(&state);
    state ^= (uint64_t)(uintptr_t)&now;
    return seed ^ clump_hash_draw(&state);
}

uint64_t clump_seed_draw(const void *address)
{
#if defined(__linux__)
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) == (ssize_t)sizeof seed) return seed;
#endif
    return clump_seed_from_clock(address);
}
