/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels_hash.c: XXH64 with seed 0, from the published description of the algorithm, for an array of int32 instead of
 * bytes. Lengths are multiples of 4 bytes, so the steps for single bytes are not needed. A 64-bit lane is composed of
 * two labels by arithmetic, which is little-endian on every host.
 *
 *     labels   |  8 labels: one stripe, 4 lanes   |  ... stripes ...  | lane | lane | lane | label |
 *                 each lane has its accumulator                         at most 3     at most 1
 */
#include <clump/clump.h>

#define PRIME_1 0x9e3779b185ebca87u
#define PRIME_2 0xc2b2ae3d27d4eb4fu
#define PRIME_3 0x165667b19e3779f9u
#define PRIME_4 0x85ebca77c2b2ae63u
#define PRIME_5 0x27d4eb2f165667c5u

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static uint64_t lane_of(const int32_t *labels)
{
    return (uint64_t)(uint32_t)labels[0] | (uint64_t)(uint32_t)labels[1] << 32;
}

static uint64_t mix(uint64_t accumulator, uint64_t lane)
{
    return rotate_left(accumulator + lane * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge(uint64_t hash, uint64_t accumulator)
{
    return (hash ^ mix(0, accumulator)) * PRIME_1 + PRIME_4;
}

uint64_t clump_labels_hash(const int32_t *labels, size_t count)
{
    if (!labels) count = 0;
    size_t i = 0;
    uint64_t hash = PRIME_5;
    if (count >= 8) {
        uint64_t a = PRIME_1 + PRIME_2, b = PRIME_2, c = 0, d = 0 - PRIME_1;
        for (; count - i >= 8; i += 8) {
            a = mix(a, lane_of(labels + i));
            b = mix(b, lane_of(labels + i + 2));
            c = mix(c, lane_of(labels + i + 4));
            d = mix(d, lane_of(labels + i + 6));
        }
        hash = rotate_left(a, 1) + rotate_left(b, 7) + rotate_left(c, 12) + rotate_left(d, 18);
        hash = merge(merge(merge(merge(hash, a), b), c), d);
    }
    hash += (uint64_t)count * sizeof *labels;

    for (; count - i >= 2; i += 2) hash = rotate_left(hash ^ mix(0, lane_of(labels + i)), 27) * PRIME_1 + PRIME_4;
    if (i < count) hash = rotate_left(hash ^ (uint64_t)(uint32_t)labels[i] * PRIME_1, 23) * PRIME_2 + PRIME_3;

    hash = (hash ^ hash >> 33) * PRIME_2;
    hash = (hash ^ hash >> 29) * PRIME_3;
    return hash ^ hash >> 32;
}
