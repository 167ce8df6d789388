/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hash.c: XXH64 of bytes that come part by part (common/xxh64.h). The rest of fewer than 32 bytes is kept for the next part, and
 * mixed in at the end. Numbers are little-endian, as those of the host are (io/format.h).
 */
#include "store/store.h"

#include "common/xxh64.h"

#include <string.h>

enum { HASH_LABELS = 4096 }; /* labels that are converted at a time */

static uint64_t load_64(const unsigned char *p)
{
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return value;
}

void clump_big_hash_begin(clump_big_hash *hash)
{
    *hash = (clump_big_hash){0};
    clump_xxh64_begin(hash->lanes);
}

static void add_stripes(clump_big_hash *hash, const unsigned char *p, size_t stripes)
{
    uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
    for (; stripes > 0; stripes--, p += CLUMP_XXH64_STRIPE) {
        a = clump_xxh64_mix(a, load_64(p));
        b = clump_xxh64_mix(b, load_64(p + 8));
        c = clump_xxh64_mix(c, load_64(p + 16));
        d = clump_xxh64_mix(d, load_64(p + 24));
    }
    hash->lanes[0] = a, hash->lanes[1] = b, hash->lanes[2] = c, hash->lanes[3] = d;
}

void clump_big_hash_add(clump_big_hash *hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    const size_t held = (size_t)(hash->bytes % CLUMP_XXH64_STRIPE);
    if (size == 0) return; /* data may be null */
    hash->bytes += size;
    if (held > 0) {
        const size_t fill = CLUMP_XXH64_STRIPE - held < size ? CLUMP_XXH64_STRIPE - held : size;
        memcpy(hash->part + held, p, fill);
        p += fill, size -= fill;
        if (held + fill < CLUMP_XXH64_STRIPE) return;
        add_stripes(hash, hash->part, 1);
    }
    add_stripes(hash, p, size / CLUMP_XXH64_STRIPE);
    if (size % CLUMP_XXH64_STRIPE > 0)
        memcpy(hash->part, p + size / CLUMP_XXH64_STRIPE * CLUMP_XXH64_STRIPE, size % CLUMP_XXH64_STRIPE);
}

void clump_big_hash_labels(clump_big_hash *hash, const int64_t *labels, size_t count)
{
    int32_t narrow[HASH_LABELS];
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < HASH_LABELS ? count - done : HASH_LABELS;
        for (size_t i = 0; i < now; i++) narrow[i] = (int32_t)labels[done + i];
        clump_big_hash_add(hash, narrow, now * sizeof *narrow);
    }
}

uint64_t clump_big_hash_end(const clump_big_hash *hash)
{
    uint64_t h = clump_xxh64_join(hash->lanes, hash->bytes);
    const unsigned char *p = hash->part;
    size_t left = (size_t)(hash->bytes % CLUMP_XXH64_STRIPE);
    for (; left >= 8; left -= 8, p += 8) h = clump_xxh64_add_lane(h, load_64(p));
    if (left >= 4) {
        uint32_t word;
        memcpy(&word, p, sizeof word);
        h = clump_xxh64_add_word(h, word);
        left -= 4, p += 4;
    }
    for (; left > 0; left--, p++) h = clump_xxh64_add_byte(h, *p);
    return clump_xxh64_end(h);
}

uint64_t clump_big_checksum(const void *data, size_t size)
{
    clump_big_hash hash;
    clump_big_hash_begin(&hash);
    clump_big_hash_add(&hash, data, size);
    return clump_big_hash_end(&hash);
}
