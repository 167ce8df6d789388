/* SPDX-License-Identifier: BSD-3-Clause
 *
 * xxh64.h: the steps of XXH64 with seed 0, from the published description of the algorithm.
 *
 *     bytes   |  32 bytes: one stripe, 4 lanes   |  ... stripes ...  | lane | lane | lane | word | byte | byte | byte |
 *                each lane has its accumulator                         at most 3     at most 1   at most 3
 *
 *     clump_xxh64_begin(lanes);                    four accumulators
 *     lanes[k] = clump_xxh64_mix(lanes[k], lane);  per stripe and lane
 *     hash = clump_xxh64_join(lanes, bytes);       bytes: of all stripes and of the rest
 *     hash = clump_xxh64_add_lane(hash, lane);     the rest: 8 bytes, 4 bytes, single bytes
 *     hash = clump_xxh64_add_word(hash, word);
 *     hash = clump_xxh64_add_byte(hash, byte);
 *     hash = clump_xxh64_end(hash);
 *
 * Lanes and words are little-endian numbers. The caller composes them, so that the hash is the same on every host.
 */
#ifndef CLUMP_COMMON_XXH64_H
#define CLUMP_COMMON_XXH64_H

#include <stdint.h>

#define CLUMP_XXH64_STRIPE 32 /* bytes */

#define CLUMP_XXH64_PRIME_1 0x9e3779b185ebca87u
#define CLUMP_XXH64_PRIME_2 0xc2b2ae3d27d4eb4fu
#define CLUMP_XXH64_PRIME_3 0x165667b19e3779f9u
#define CLUMP_XXH64_PRIME_4 0x85ebca77c2b2ae63u
#define CLUMP_XXH64_PRIME_5 0x27d4eb2f165667c5u

static inline uint64_t clump_xxh64_rotate(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static inline void clump_xxh64_begin(uint64_t lanes[4])
{
    lanes[0] = CLUMP_XXH64_PRIME_1 + CLUMP_XXH64_PRIME_2;
    lanes[1] = CLUMP_XXH64_PRIME_2;
    lanes[2] = 0;
    lanes[3] = 0 - CLUMP_XXH64_PRIME_1;
}

/* Adds 8 bytes of a stripe to their accumulator. */
static inline uint64_t clump_xxh64_mix(uint64_t accumulator, uint64_t lane)
{
    return clump_xxh64_rotate(accumulator + lane * CLUMP_XXH64_PRIME_2, 31) * CLUMP_XXH64_PRIME_1;
}

/* Returns the hash of all stripes. `bytes` are those of all data; where they are fewer than a stripe, lanes do not count. */
static inline uint64_t clump_xxh64_join(const uint64_t lanes[4], uint64_t bytes)
{
    uint64_t hash = CLUMP_XXH64_PRIME_5;
    if (bytes >= CLUMP_XXH64_STRIPE) {
        hash = clump_xxh64_rotate(lanes[0], 1) + clump_xxh64_rotate(lanes[1], 7) + clump_xxh64_rotate(lanes[2], 12) +
               clump_xxh64_rotate(lanes[3], 18);
        for (int k = 0; k < 4; k++)
            hash = (hash ^ clump_xxh64_mix(0, lanes[k])) * CLUMP_XXH64_PRIME_1 + CLUMP_XXH64_PRIME_4;
    }
    return hash + bytes;
}

/* Adds 8 bytes behind the last stripe. */
static inline uint64_t clump_xxh64_add_lane(uint64_t hash, uint64_t lane)
{
    return clump_xxh64_rotate(hash ^ clump_xxh64_mix(0, lane), 27) * CLUMP_XXH64_PRIME_1 + CLUMP_XXH64_PRIME_4;
}

/* Adds 4 bytes behind the last lane. */
static inline uint64_t clump_xxh64_add_word(uint64_t hash, uint32_t word)
{
    return clump_xxh64_rotate(hash ^ word * CLUMP_XXH64_PRIME_1, 23) * CLUMP_XXH64_PRIME_2 + CLUMP_XXH64_PRIME_3;
}

static inline uint64_t clump_xxh64_add_byte(uint64_t hash, uint8_t byte)
{
    return clump_xxh64_rotate(hash ^ byte * CLUMP_XXH64_PRIME_5, 11) * CLUMP_XXH64_PRIME_1;
}

static inline uint64_t clump_xxh64_end(uint64_t hash)
{
    hash = (hash ^ hash >> 33) * CLUMP_XXH64_PRIME_2;
    hash = (hash ^ hash >> 29) * CLUMP_XXH64_PRIME_3;
    return hash ^ hash >> 32;
}

#endif
