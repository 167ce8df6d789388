/* SPDX-License-Identifier: BSD-3-Clause
 *
 * key_sort.h: sorts 64-bit keys that are all different, in the processor's cache: the neighbours of one query. Few keys are
 * ranked by comparing all pairs, which has no branch that depends on them. More are divided first (quicksort).
 */
#ifndef CLUMP_COMMON_KEY_SORT_H
#define CLUMP_COMMON_KEY_SORT_H

#include "common/bits.h"
#include "common/sort.h"

#include <string.h>

#define CLUMP_KEYS_RANKED 32 /* keys that are ranked at a time */

/* Writes the k smallest of n keys to `out`, in order; n <= CLUMP_KEYS_RANKED, k <= n. `out` may be `keys`. */
static inline void clump_keys_rank(const uint64_t *keys, size_t n, size_t k, uint64_t *out)
{
    CLUMP_ASSERT(n <= CLUMP_KEYS_RANKED && k <= n);
    uint64_t ranked[CLUMP_KEYS_RANKED];
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = keys[i];
        uint64_t rank = 0;
        for (size_t j = 0; j < n; j++) rank += keys[j] < key;
        ranked[rank] = key;
    }
    if (k > 0) memcpy(out, ranked, k * sizeof *out); /* out may be null then */
}

/* Divides n >= 3 keys: the first `returned` are smaller than the pivot, which is next, and the rest is larger. */
static inline size_t clump_keys_divide(uint64_t *keys, size_t n)
{
    const uint64_t a = keys[0], b = keys[n / 2], c = keys[n - 1];
    const size_t at = (a < b) == (b < c) ? n / 2 : (b < a) == (a < c) ? 0 : n - 1;
    const uint64_t pivot = keys[at];
    keys[at] = keys[n - 1];
    size_t low = 0;
    for (size_t i = 0; i + 1 < n; i++) { /* no branch: keys are in no order that could be predicted */
        const uint64_t key = keys[i];
        keys[i] = keys[low];
        keys[low] = key;
        low += key < pivot;
    }
    keys[n - 1] = keys[low];
    keys[low] = pivot;
    return low;
}

/* Sorts n keys by a heap: where the divisions are bad. */
static inline void clump_keys_heap_sort(uint64_t *keys, size_t n)
{
    clump_heap_make(keys, n);
    for (size_t i = n; i > 1; i--) keys[i - 1] = clump_heap_pop(keys, i);
}

/* Brings the k smallest of n keys to the front, in order. The others are behind them in any order. */
static inline void clump_keys_sort(uint64_t *keys, size_t n, size_t k)
{
    struct {
        uint64_t *keys;
        size_t n;
    } later[64];
    size_t pending = 0;
    const uint64_t *const end = keys + k; /* keys from here on need no order */
    for (size_t bad = 0;;) {
        while (n > CLUMP_KEYS_RANKED && bad < 8 && pending < 64) {
            const size_t low = clump_keys_divide(keys, n);
            bad += low < n / 16 || low > n - n / 16;
            if (keys + low + 1 < end) {
                later[pending].keys = keys + low + 1;
                later[pending++].n = n - low - 1;
            }
            n = low;
        }
        if (n > CLUMP_KEYS_RANKED)
            clump_keys_heap_sort(keys, n);
        else
            clump_keys_rank(keys, n, n, keys);
        if (pending == 0) return;
        keys = later[--pending].keys;
        n = later[pending].n;
    }
}

#define CLUMP_KEYS_SPREAD 512 /* keys that clump_keys_spread sorts */

/* Sorts n keys whose upper halves are the bits of floats from 0 to `most`, evenly spread in about that range, as the squared
 * distances of points on a surface are. They are dealt into buckets, and what is not yet in order is moved by insertion. */
static inline void clump_keys_spread(uint64_t *keys, size_t n, float most)
{
    enum { BUCKETS = 256 };
    CLUMP_ASSERT(n <= CLUMP_KEYS_SPREAD);
    uint16_t begin[BUCKETS + 1] = {0};
    uint8_t bucket[CLUMP_KEYS_SPREAD];
    uint64_t dealt[CLUMP_KEYS_SPREAD];
    const float scale = (float)(BUCKETS - 1) / most;
    for (size_t i = 0; i < n; i++) {
        bucket[i] = (uint8_t)(clump_float_of_bits((uint32_t)(keys[i] >> 32)) * scale);
        begin[bucket[i] + 1]++;
    }
    for (size_t b = 1; b <= BUCKETS; b++) begin[b] = (uint16_t)(begin[b] + begin[b - 1]);
    for (size_t i = 0; i < n; i++) dealt[begin[bucket[i]]++] = keys[i];
    clump_sort_few(dealt, n);
    memcpy(keys, dealt, n * sizeof *keys);
}

#endif
