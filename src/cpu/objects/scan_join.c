/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_join.c: joins the neighbours of the scan, piece by piece of the rings (scan_pairs.h).
 */
#include "core/work.h"
#include "cpu/objects/scan_pairs.h"

typedef struct joining {
    clump_scan *scan;
    bool alone; /* one thread */
} joining;

static void join_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const joining *const all = arg;
    clump_scan *const scan = all->scan;
    clump_run_pairs list;
    for (size_t p = begin; p < end; p++) {
        clump_joiner j = {.scan = scan, .piece = &scan->piece[p], .list = &list, .alone = all->alone};
        clump_scan_join_next(&j);
        uint32_t *const open = (uint32_t *)(scan->keys + j.piece->from); /* keys are sorted, and not needed any more */
        uint32_t count = j.piece->size;
        bool listed = false;
        for (size_t s = 1; s <= CLUMP_SCAN_RINGS && j.piece->ring + s < (size_t)scan->rings && count > 0; s++) {
            const clump_scan_ring *const next = &scan->ring[j.piece->ring + s];
            if (next->size == 0) continue;
            count = clump_scan_join_across(&j, next, listed ? open : NULL, count, open);
            listed = true;
        }
    }
}

clump_status clump_scan_join(clump_work *work, clump_scan *scan, int threads)
{
    joining all = {scan, threads == 1};
    return clump_run(work, threads, scan->pieces, 1, join_pieces, &all);
}
