/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_sets.c: see ranks_sets.h. Keys are point indices and numbers of labels, which input files do not choose freely; the
 * hash has no secret.
 */
#include "ranks/ranks_sets.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#define SETS_NONE UINT64_MAX

bool clump_ranks_words_make(clump_ranks_words *table, size_t most)
{
    size_t slots = 16;
    while (slots < 2 * most) slots *= 2;
    *table = (clump_ranks_words){.slots = malloc(slots * 2 * sizeof *table->slots), .mask = slots - 1};
    if (!table->slots) return false;
    memset(table->slots, 0xff, slots * 2 * sizeof *table->slots);
    return true;
}

/* Returns the slot of a key, or the empty slot where it belongs. */
static uint64_t *slot_of(const clump_ranks_words *table, uint64_t key)
{
    uint64_t hash = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
    size_t slot = (size_t)hash & table->mask;
    while (table->slots[2 * slot] != SETS_NONE && table->slots[2 * slot] != key) slot = (slot + 1) & table->mask;
    return &table->slots[2 * slot];
}

uint64_t *clump_ranks_words_at(clump_ranks_words *table, uint64_t key)
{
    uint64_t *const slot = slot_of(table, key);
    if (slot[0] == SETS_NONE) {
        CLUMP_ASSERT(table->count < table->mask);
        slot[0] = key;
        table->count++;
    }
    return &slot[1];
}

const uint64_t *clump_ranks_words_find(const clump_ranks_words *table, uint64_t key)
{
    const uint64_t *const slot = slot_of(table, key);
    return slot[0] == SETS_NONE ? NULL : &slot[1];
}

void clump_ranks_words_release(clump_ranks_words *table)
{
    free(table->slots);
    *table = (clump_ranks_words){0};
}

bool clump_ranks_sets_make(clump_ranks_sets *sets, size_t most)
{
    *sets = (clump_ranks_sets){.members = malloc(most * sizeof *sets->members + 1),
                               .parents = malloc(most * sizeof *sets->parents + 1)};
    return clump_ranks_words_make(&sets->entries, most) && sets->members && sets->parents;
}

static size_t entry_of(clump_ranks_sets *sets, uint64_t number)
{
    uint64_t *const entry = clump_ranks_words_at(&sets->entries, number);
    if (*entry == SETS_NONE) {
        *entry = sets->count;
        sets->members[sets->count] = number;
        sets->parents[sets->count] = sets->count;
        sets->count++;
    }
    return (size_t)*entry;
}

size_t clump_ranks_sets_root(clump_ranks_sets *sets, size_t entry)
{
    size_t *const parents = sets->parents;
    while (parents[entry] != entry) {
        parents[entry] = parents[parents[entry]]; /* halves the path */
        entry = parents[entry];
    }
    return entry;
}

bool clump_ranks_sets_unite(clump_ranks_sets *sets, uint64_t a, uint64_t b)
{
    const size_t first = entry_of(sets, a), second = entry_of(sets, b);
    const size_t p = clump_ranks_sets_root(sets, first), q = clump_ranks_sets_root(sets, second);
    if (p < q)
        sets->parents[q] = p;
    else
        sets->parents[p] = q;
    return p != q;
}

void clump_ranks_sets_release(clump_ranks_sets *sets)
{
    clump_ranks_words_release(&sets->entries);
    free(sets->members);
    free(sets->parents);
    *sets = (clump_ranks_sets){0};
}
