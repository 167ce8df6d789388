/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_pairs.h: pairs of runs that tests have found, and their joins.
 *
 * Tests take no branches. They write what they have found to a list, and branches come afterwards: a branch that waits for
 * the arithmetic costs more than all of it. Points of a run mostly find one other run, so a pair that came lately is left
 * out.
 *
 * Runs within the finest radius are joined at once. Pairs of coarser levels are listed for scan.c, where most of them are in
 * one cluster already. Where that list is full, runs are joined at once too.
 */
#ifndef CLUMP_CPU_OBJECTS_SCAN_PAIRS_H
#define CLUMP_CPU_OBJECTS_SCAN_PAIRS_H

#include "common/bits.h"
#include "cpu/objects/scan.h"
#include "rules/union_find.h"

enum {
    CLUMP_PAIRS_BATCH = 128, /* points that are tested at a time */
    CLUMP_PAIRS_SEEN = 16    /* pairs that are remembered */
};

/* What the tests of a batch have found: the run of the other point above, then the point's number in the batch, then the bit
 * of the test in 8 bits. Bits of the finest level come first, as many per level as a point has tests. */
typedef struct clump_run_pairs {
    uint32_t count;
    uint64_t found[CLUMP_PAIRS_BATCH * CLUMP_SCAN_NEXT + 1]; /* one is written behind the last */
} clump_run_pairs;

/* Returns an entry. `bits` are those of the other point; without any, the entry must not be kept. */
static inline uint64_t clump_run_pair(uint32_t run, uint32_t number, uint64_t bits)
{
    return (uint64_t)run << 32 | number << 8 | clump_lowest(bits | (uint64_t)1 << 63);
}

/* The joins of one piece of a ring. */
typedef struct clump_joiner {
    clump_scan *scan;
    clump_scan_piece *piece;
    clump_run_pairs *list;
    bool alone;                      /* one thread */
    uint64_t seen[CLUMP_PAIRS_SEEN]; /* pairs that came lately; 0: none */
    uint8_t seen_level[CLUMP_PAIRS_SEEN];
} clump_joiner;

/* Joins a pair of runs at a level, unless that was done lately. */
static inline void clump_run_pair_join(clump_joiner *j, uint64_t pair, uint8_t level)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair, slot = (a + b) % CLUMP_PAIRS_SEEN;
    if (pair == j->seen[slot] && j->seen_level[slot] <= level) return;
    j->seen[slot] = pair;
    j->seen_level[slot] = level;
    uint32_t *const listed = &j->piece->listed[level];
    if (level > 0 && *listed < j->piece->size) {
        j->scan->pairs[level][j->piece->from + (*listed)++] = pair;
        return;
    }
    j->piece->full |= (uint8_t)(1 << level);
    if (j->alone)
        clump_unite_alone(j->scan->parent[level], a, b);
    else
        clump_unite(j->scan->parent[level], a, b);
}

/* Joins all pairs of the list. `place` are the points of the batch, each with `tests` tests per level. */
static inline void clump_run_pairs_join(clump_joiner *j, const uint32_t *place, unsigned tests)
{
    const clump_run_pairs *const list = j->list;
    for (uint32_t k = 0; k < list->count; k++) {
        const uint64_t found = list->found[k];
        const uint64_t own = j->scan->run[place[(uint32_t)found >> 8]];
        clump_run_pair_join(j, own << 32 | found >> 32, (uint8_t)((found & 255) / tests));
    }
}

/* Compares the points of the piece with the next in the ring (scan_next.c). */
void clump_scan_join_next(clump_joiner *j);

/* Compares points of the piece with a later ring (scan_across.c). `open` lists the places of those that are within the finest
 * radius of no point in a ring between; null: all points of the piece. Writes those that still are to `still`, which may be
 * `open`. Returns their number. */
uint32_t clump_scan_join_across(clump_joiner *j, const clump_scan_ring *next, const uint32_t *open, uint32_t count,
                                uint32_t *still);

#endif
