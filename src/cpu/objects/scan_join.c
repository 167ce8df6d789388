/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan_join.c: joins the neighbours of the scan, ring by ring (scan_pairs.h).
 */
#include "core/work.h"
#include "cpu/objects/scan_pairs.h"

typedef struct joining {
    clump_scan *scan;
    bool alone; /* one thread */
} joining;

static void join_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const joining *const all = arg;
    clump_scan *const scan = all->scan;
    clump_run_pairs list;
    for (size_t r = begin; r < end; r++) {
        clump_joiner j = {.scan = scan, .ring = &scan->ring[r], .list = &list, .alone = all->alone};
        if (j.ring->size == 0) continue;
        clump_scan_join_next(&j);
        uint32_t *const open = (uint32_t *)(scan->keys + j.ring->from); /* keys are sorted, and not needed any more */
        uint32_t count = j.ring->size;
        bool listed = false;
        for (size_t s = 1; s <= CLUMP_SCAN_RINGS && r + s < (size_t)scan->rings && count > 0; s++) {
            if (scan->ring[r + s].size == 0) continue;
            count = clump_scan_join_across(&j, &scan->ring[r + s], listed ? open : NULL, count, open);
            listed = true;
        }
    }
}

clump_status clump_scan_join(clump_work *work, clump_scan *scan, int threads)
{
    joining all = {scan, threads == 1};
    return clump_run(work, threads, (size_t)scan->rings, 1, join_rings, &all);
}
