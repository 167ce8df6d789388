/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair_sort.c: see sort.h.
 */
#include "common/sort.h"

#include <stdbool.h>
#include <string.h>

#define PAIR_BITS   8 /* per digit: counters of all digits fit into the level-1 cache */
#define PAIR_DIGITS ((size_t)1 << PAIR_BITS)
#define PAIR_FEW    32 /* up to this many pairs are sorted by insertion */

/* Returns the bits in which keys differ, and in *ordered whether the keys are ascending. */
static uint64_t differing_bits(const clump_pair *pairs, size_t n, bool *ordered)
{
    uint64_t differ = 0;
    *ordered = true;
    for (size_t i = 1; i < n; i++) {
        differ |= pairs[i].key ^ pairs[0].key;
        *ordered &= pairs[i - 1].key <= pairs[i].key;
    }
    return differ;
}

static void insert_pairs(clump_pair *pairs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const clump_pair pair = pairs[i];
        size_t k = i;
        for (; k > 0 && pairs[k - 1].key > pair.key; k--) pairs[k] = pairs[k - 1];
        pairs[k] = pair;
    }
}

/* Moves the pairs from `from` to `to`, in the order of one digit. */
static void move_pairs(const clump_pair *from, clump_pair *to, size_t n, unsigned shift)
{
    size_t place[PAIR_DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++) place[from[i].key >> shift & (PAIR_DIGITS - 1)]++;
    for (size_t digit = 0; digit < PAIR_DIGITS; digit++) {
        const size_t here = place[digit];
        place[digit] = sum;
        sum += here;
    }
    for (size_t i = 0; i < n; i++) to[place[from[i].key >> shift & (PAIR_DIGITS - 1)]++] = from[i];
}

void clump_pair_sort(clump_pair *pairs, clump_pair *scratch, size_t n)
{
    bool ordered;
    const uint64_t differ = differing_bits(pairs, n, &ordered);
    if (ordered) return;
    if (n <= PAIR_FEW) {
        insert_pairs(pairs, n);
        return;
    }
    clump_pair *from = pairs, *to = scratch;
    for (unsigned shift = 0; shift < 64; shift += PAIR_BITS) {
        if (!(differ >> shift & (PAIR_DIGITS - 1))) continue;
        move_pairs(from, to, n, shift);
        clump_pair *const swap = from;
        from = to, to = swap;
    }
    if (from != pairs) memcpy(pairs, from, n * sizeof *pairs);
}
