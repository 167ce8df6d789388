/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hash.c: XXH64 from the published description of the algorithm. Stripes of 32 bytes go to four lanes; the rest of fewer
 * than 32 bytes is mixed in at the end. Numbers are read as little-endian on every host.
 */
#include "store/hash.h"

#include "common/assert.h"

#include <string.h>

#define HASH_PRIME_1 0x9e3779b185ebca87u
#define HASH_PRIME_2 0xc2b2ae3d27d4eb4fu
#define HASH_PRIME_3 0x165667b19e3779f9u
#define HASH_PRIME_4 0x85ebca77c2b2ae63u
#define HASH_PRIME_5 0x27d4eb2f165667c5u

enum { HASH_STRIPE = 32, HASH_LABELS = 4096 /* labels that are converted at a time */ };

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static uint64_t load_64(const unsigned char *p)
{
    uint64_t value = 0;
    for (int k = 0; k < 8; k++) value |= (uint64_t)p[k] << (8 * k); /* one load on little-endian hosts */
    return value;
}

static uint64_t mix(uint64_t lane, uint64_t value)
{
    return rotate_left(lane + value * HASH_PRIME_2, 31) * HASH_PRIME_1;
}

static uint64_t merge(uint64_t hash, uint64_t lane)
{
    return (hash ^ mix(0, lane)) * HASH_PRIME_1 + HASH_PRIME_4;
}

void clump_big_hash_begin(clump_big_hash *hash)
{
    *hash = (clump_big_hash){.lanes = {HASH_PRIME_1 + HASH_PRIME_2, HASH_PRIME_2, 0, 0 - HASH_PRIME_1}};
}

static void add_stripes(clump_big_hash *hash, const unsigned char *p, size_t stripes)
{
    uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
    for (; stripes > 0; stripes--, p += HASH_STRIPE) {
        a = mix(a, load_64(p));
        b = mix(b, load_64(p + 8));
        c = mix(c, load_64(p + 16));
        d = mix(d, load_64(p + 24));
    }
    hash->lanes[0] = a, hash->lanes[1] = b, hash->lanes[2] = c, hash->lanes[3] = d;
}

void clump_big_hash_add(clump_big_hash *hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    const size_t held = (size_t)(hash->bytes % HASH_STRIPE);
    if (size == 0) return; /* data may be null */
    hash->bytes += size;
    if (held > 0) {
        const size_t fill = HASH_STRIPE - held < size ? HASH_STRIPE - held : size;
        memcpy(hash->part + held, p, fill);
        p += fill, size -= fill;
        if (held + fill < HASH_STRIPE) return;
        add_stripes(hash, hash->part, 1);
    }
    add_stripes(hash, p, size / HASH_STRIPE);
    if (size % HASH_STRIPE > 0) memcpy(hash->part, p + size / HASH_STRIPE * HASH_STRIPE, size % HASH_STRIPE);
}

void clump_big_hash_labels(clump_big_hash *hash, const int64_t *labels, size_t count, size_t width)
{
    CLUMP_ASSERT(width == 4 || width == 8);
    unsigned char bytes[8 * HASH_LABELS];
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < HASH_LABELS ? count - done : HASH_LABELS;
        for (size_t i = 0; i < now; i++) {
            const uint64_t value = (uint64_t)labels[done + i];
            for (size_t k = 0; k < width; k++) bytes[width * i + k] = (unsigned char)(value >> (8 * k));
        }
        clump_big_hash_add(hash, bytes, width * now);
    }
}

uint64_t clump_big_hash_end(const clump_big_hash *hash)
{
    uint64_t h = HASH_PRIME_5;
    if (hash->bytes >= HASH_STRIPE) {
        const uint64_t *const lane = hash->lanes;
        h = rotate_left(lane[0], 1) + rotate_left(lane[1], 7) + rotate_left(lane[2], 12) + rotate_left(lane[3], 18);
        for (int k = 0; k < 4; k++) h = merge(h, lane[k]);
    }
    h += hash->bytes;
    const unsigned char *p = hash->part;
    size_t left = (size_t)(hash->bytes % HASH_STRIPE);
    for (; left >= 8; left -= 8, p += 8) h = rotate_left(h ^ mix(0, load_64(p)), 27) * HASH_PRIME_1 + HASH_PRIME_4;
    if (left >= 4) {
        const uint64_t word = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
        h = rotate_left(h ^ word * HASH_PRIME_1, 23) * HASH_PRIME_2 + HASH_PRIME_3;
        left -= 4, p += 4;
    }
    for (; left > 0; left--, p++) h = rotate_left(h ^ *p * HASH_PRIME_5, 11) * HASH_PRIME_1;
    h = (h ^ h >> 33) * HASH_PRIME_2;
    h = (h ^ h >> 29) * HASH_PRIME_3;
    return h ^ h >> 32;
}

uint64_t clump_big_checksum(const void *data, size_t size)
{
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, data, size);
    return clump_big_hash_end(&hash);
}
