/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree_near.c: see tree.h. One search for the nearest points gives both: the core distance of a point is that of its
 * min_samples-th nearest point, itself included, and the nearest points are its list. What is not in a list is no nearer than
 * the last point found.
 */
#include "cpu/tree/tree.h"

#include "cpu/nn/nn_boxes.h"

#include <math.h>

#define NEAR_CHUNK  512   /* points per task */
#define NEAR_POLLED 65536 /* points between two polls */
#define NEAR_FOUND  8     /* points searched for, at least: the more, the fewer searches later */

typedef struct near_work {
    clump_team *team;
    clump_forest *f;
    size_t k, min_samples;
} near_work;

static void find_near(const near_work *w, size_t at, clump_recent *recent)
{
    clump_forest *const f = w->f;
    const float *const q = &f->boxes->points[at].x;
    uint64_t keys[CLUMP_FIND_MOST];
    const clump_one_job one = {.query = q, .bound = clump_recent_bound(recent, q), .k = w->k, .keys = keys};
    const size_t n = clump_tree_one(f->boxes, &one);
    const bool all = n < w->k; /* every point was found, or all others are infinitely far away */
    const float last = n > 0 ? clump_find_distance(keys[n - 1]) : 0;
    if (!all) clump_recent_keep(recent, q, last);
    f->core[at] = w->min_samples == 1   ? 0
                  : w->min_samples <= n ? clump_find_distance(keys[w->min_samples - 1])
                                        : INFINITY;
    uint32_t *const list = f->near + at * f->listed;
    size_t fill = 0, j = 0;
    for (; j < n && fill < f->listed; j++) {
        const uint32_t place = f->set[(uint32_t)keys[j]];
        list[fill] = place;
        fill += place != at;
    }
    const float horizon = j < n ? clump_find_distance(keys[j]) : all ? INFINITY : last;
    f->fill[at] = (uint8_t)fill;
    f->lower[at] = horizon > f->core[at] ? horizon : f->core[at];
    f->target[at] = (uint32_t)at;
}

static void find_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const near_work *const w = arg;
    clump_recent recent = clump_recent_none();
    for (size_t at = begin; at < end && !clump_team_stopped(w->team); at++) find_near(w, at, &recent);
}

clump_status clump_forest_near(clump_work *work, clump_forest *f, size_t min_samples, int threads)
{
    near_work w = {work->team, f, min_samples > NEAR_FOUND ? min_samples : NEAR_FOUND, min_samples};
    CLUMP_ASSERT(w.k <= CLUMP_FIND_MOST);
    for (size_t i = 0; i < f->count; i++) {
        if (i % NEAR_POLLED == 0) CLUMP_TRY(clump_poll(work));
        f->set[(uint32_t)f->boxes->points[i].index] = (uint32_t)i;
    }
    return clump_run(work, threads, f->count, NEAR_CHUNK, find_chunk, &w);
}
