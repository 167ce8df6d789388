/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair_sort.h: sorts pairs of a key and a value by key, least significant digits first. Stable.
 */
#ifndef CLUMP_COMMON_PAIR_SORT_H
#define CLUMP_COMMON_PAIR_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct clump_pair {
    uint64_t key, value;
} clump_pair;

/* Sorts n pairs ascending by key, on the calling thread. `scratch` is a second array of n pairs. The result is in
 * `pairs`. Digits that are equal in all keys cost nothing; pairs that are in order already are left alone. */
void clump_pair_sort(clump_pair *pairs, clump_pair *scratch, size_t n);

#endif
