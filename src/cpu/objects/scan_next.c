/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_next.c: compares points with the next in their ring (scan_pairs.h): only where the next point begins another run,
 * since within a run it is within the finest radius. Lanes are the next points 1 ... 4, 5 ... 8, 9 ... 12.
 */
#include "common/simd.h"
#include "cpu/objects/scan_pairs.h"

enum { NEXT_LANES = 4, NEXT_ALL = (1 << CLUMP_SCAN_NEXT) - 1 };

/* Points, and what their tests have found: one bit per next point, those of the finest level first. */
typedef struct batch {
    uint32_t count;
    uint32_t place[CLUMP_PAIRS_BATCH];
    uint64_t found[CLUMP_PAIRS_BATCH];
} batch;

/* Tests the points of a batch. Inlined with a constant number of levels. */
static inline void test_levels(const clump_scan *scan, batch *b, int levels)
{
    for (uint32_t c = 0; c < b->count; c++) {
        const uint32_t place = b->place[c];
        const clump_f4 x = clump_f4_set(scan->x[place]), y = clump_f4_set(scan->y[place]);
        const clump_f4 z = clump_f4_set(scan->z[place]);
        uint64_t found = 0;
        for (unsigned lane = 0; lane < CLUMP_SCAN_NEXT; lane += NEXT_LANES) {
            const uint32_t others = place + 1 + lane;
            const clump_f4 d2 = clump_f4_distance_squared(clump_f4_sub(x, clump_f4_load(scan->x + others)),
                                                          clump_f4_sub(y, clump_f4_load(scan->y + others)),
                                                          clump_f4_sub(z, clump_f4_load(scan->z + others)));
            for (int k = 0; k < levels; k++) {
                const float *const bound = scan->bound[k];
                const clump_f4 least = clump_f4_min(clump_f4_set(bound[place]), clump_f4_load(bound + others));
                found |= (uint64_t)clump_f4_less(d2, least) << (CLUMP_SCAN_NEXT * (unsigned)k + lane);
            }
        }
        b->found[c] = found;
    }
}

/* Lists the runs that point c of a batch has found, each at its finest level. A point of the run of the one before adds
 * nothing unless its level is finer. Returns the new count. */
static inline uint32_t list_runs(clump_run_pairs *list, uint32_t count, uint32_t c, const uint32_t *run, uint64_t found)
{
    const uint64_t levels =
        1 | (uint64_t)1 << CLUMP_SCAN_NEXT | (uint64_t)1 << 2 * CLUMP_SCAN_NEXT | (uint64_t)1 << 3 * CLUMP_SCAN_NEXT;
    const uint32_t own = run[0];
    uint64_t last = (uint64_t)own << 32;
    for (unsigned lane = 0; lane < CLUMP_SCAN_NEXT; lane++) {
        const uint64_t bits = found >> lane & levels, here = clump_run_pair(run[1 + lane], c, bits);
        const uint32_t fresh = (bits != 0) & (run[1 + lane] != own) & ((here >> 32 != last >> 32) | (here < last));
        list->found[count] = here;
        count += fresh;
        last = fresh ? here : last;
    }
    return count;
}

/* Compares the points of a batch with the next `most` points, until one is within the finest radius. */
static void join_batch(clump_joiner *j, batch *b, uint32_t most)
{
    _Static_assert(CLUMP_OBJECTS_LEVELS == 4, "all levels");
    const clump_scan *const scan = j->scan;
    if (scan->levels == 1) test_levels(scan, b, 1);
    if (scan->levels == 2) test_levels(scan, b, 2);
    if (scan->levels == 3) test_levels(scan, b, 3);
    if (scan->levels == 4) test_levels(scan, b, 4);
    uint32_t count = 0;
    for (uint32_t c = 0; c < b->count; c++) {
        const uint64_t finest = b->found[c] | (uint64_t)1 << (most - 1); /* the last point ends the search anyway */
        const uint64_t until = (finest ^ (finest - 1)) & NEXT_ALL;       /* points up to the first of these */
        uint64_t kept = 0;
        for (int k = 0; k < CLUMP_OBJECTS_LEVELS; k++) kept |= until << CLUMP_SCAN_NEXT * k;
        count = list_runs(j->list, count, c, scan->run + b->place[c], b->found[c] & kept);
    }
    j->list->count = count;
    clump_run_pairs_join(j, b->place, CLUMP_SCAN_NEXT);
    b->count = 0;
}

void clump_scan_join_next(clump_joiner *j)
{
    const clump_scan_piece *const piece = j->piece;
    const clump_scan_ring *const ring = &j->scan->ring[piece->ring];
    const uint32_t most = ring->size - 1 < CLUMP_SCAN_NEXT ? ring->size - 1 : CLUMP_SCAN_NEXT;
    const uint32_t *const run = j->scan->run, end = ring->base + ring->size;
    if (most == 0) return;
    batch b;
    b.count = 0;
    for (uint32_t place = piece->base; place < piece->base + piece->size; place++) {
        b.place[b.count] = place;
        b.count += (run[place] != run[place + 1]) | (place + 1 == end); /* the first point is no part of the last run */
        if (b.count == CLUMP_PAIRS_BATCH) join_batch(j, &b, most);
    }
    join_batch(j, &b, most);
}
