/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hash.h: the hash of a block of cells, for every hash table of the library. Clouds may be hostile, so a cloud must not
 * be able to choose its slots: every table is keyed by random numbers that are drawn when a context is created. Results
 * never depend on the key; only the time of a look-up does.
 *
 *     product = (x + key.x) (y + key.y) + (z + key.z) (level + key.level)      32-bit sums, 64-bit products
 *     hash    = mixed(upper half of product ^ lower half)
 *
 * Why this shape:
 *   1. `product` is the universal hash NH (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, 1999): two different
 *      blocks have the same product with a probability of at most 2^-32 over the keys, whatever the blocks are. A sum
 *      of coordinates times 32-bit keys does not give this: blocks that differ by multiples of 2^24 share 256 sums, for
 *      every key.
 *   2. The hash uses both halves. For blocks that differ by multiples of a power of two the lower half varies little
 *      and the upper half varies much. For blocks close to each other the upper half varies little.
 *   3. The mixing is a bijection. It separates blocks in a row, whose products are an arithmetic progression, so that
 *      linear probing meets no long runs.
 *
 * Cost: two 32-bit multiplications with 64-bit products and three plain ones; cheap on a GPU, vectorised on a CPU.
 */
#ifndef CLUMP_RULES_HASH_H
#define CLUMP_RULES_HASH_H

#include "rules/distance.h"

#include <stdint.h>

typedef struct clump_hash_key {
    uint32_t x, y, z, level;
} clump_hash_key;

/* Advances the state and returns 64 pseudo-random bits (splitmix64). */
static inline uint64_t clump_hash_draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline clump_hash_key clump_hash_key_make(uint64_t seed)
{
    const uint64_t a = clump_hash_draw(&seed), b = clump_hash_draw(&seed);
    const clump_hash_key key = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)}; /* valid C++ too */
    return key;
}

CLUMP_RULE uint32_t clump_hash_mixed(uint32_t h)
{
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 13;
    return h * 0x297a2d39u;
}

/* Returns the product above. The level tells apart the grids that share a table; with one grid it is 0. */
CLUMP_RULE uint64_t clump_hash_product(clump_hash_key key, int32_t x, int32_t y, int32_t z, uint32_t level)
{
    const uint32_t ax = (uint32_t)x + key.x, ay = (uint32_t)y + key.y, az = (uint32_t)z + key.z;
    return (uint64_t)ax * ay + (uint64_t)az * (level + key.level);
}

CLUMP_RULE uint32_t clump_hash_of_product(uint64_t product)
{
    return clump_hash_mixed((uint32_t)product ^ (uint32_t)(product >> 32));
}

CLUMP_RULE uint32_t clump_hash(clump_hash_key key, int32_t x, int32_t y, int32_t z, uint32_t level)
{
    return clump_hash_of_product(clump_hash_product(key, x, y, z, level));
}

/* Returns the slot where the search for a hash starts, 0 ... slots - 1. */
CLUMP_RULE uint32_t clump_hash_slot(uint32_t hash, uint32_t slots)
{
    return (uint32_t)(((uint64_t)hash * slots) >> 32);
}

/* Returns the slot for a table of slot_mask + 1 slots, a power of two up to 2^32. */
CLUMP_RULE uint32_t clump_hash_slot_masked(uint32_t hash, uint32_t slot_mask)
{
    return (uint32_t)(((uint64_t)hash * slot_mask + hash) >> 32);
}

#endif
