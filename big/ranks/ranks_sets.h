/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_sets.h: a table from 64-bit keys to 64-bit values, and disjoint sets of 64-bit numbers, which need no array over all
 * numbers.
 */
#ifndef CLUMP_BIG_RANKS_SETS_H
#define CLUMP_BIG_RANKS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table. The key UINT64_MAX does not occur. */
typedef struct clump_ranks_words {
    uint64_t *slots; /* key, value */
    size_t mask, count;
} clump_ranks_words;

/* Makes an empty table for up to `most` keys. False: no memory. */
bool clump_ranks_words_make(clump_ranks_words *table, size_t most);
/* Returns the value of a key, for writing. A key that is not there is entered with the value UINT64_MAX. */
uint64_t *clump_ranks_words_at(clump_ranks_words *table, uint64_t key);
/* Returns the value of a key; null: it is not there. */
const uint64_t *clump_ranks_words_find(const clump_ranks_words *table, uint64_t key);
void clump_ranks_words_release(clump_ranks_words *table);

/* Disjoint sets of up to `most` numbers. Each number gets an entry when it occurs first. */
typedef struct clump_ranks_sets {
    clump_ranks_words entries;
    uint64_t *members; /* the number of each entry */
    size_t *parents;
    size_t count;
} clump_ranks_sets;

bool clump_ranks_sets_make(clump_ranks_sets *sets, size_t most);
/* Unites the sets of two numbers. False: they were one already. */
bool clump_ranks_sets_unite(clump_ranks_sets *sets, uint64_t a, uint64_t b);
/* Returns the entry that stands for the set of an entry. */
size_t clump_ranks_sets_root(clump_ranks_sets *sets, size_t entry);
void clump_ranks_sets_release(clump_ranks_sets *sets);

#endif
