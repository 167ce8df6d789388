/* SPDX-License-Identifier: BSD-3-Clause
 *
 * places.c: see places.h.
 */
#include "cpu/describe/places.h"

#include "common/atomics.h"
#include "core/cluster.h"

#include <string.h>

static bool is_allowed(int32_t label, int32_t cluster_count)
{
    return label < cluster_count && label >= CLUMP_GROUND;
}

static void count_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_places *const p = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = clump_places_slice(p, t);
        int32_t *const counts = p->next + t * p->clusters;
        if (p->clusters > 0) memset(counts, 0, p->clusters * sizeof *counts);
        for (size_t i = s.begin, next; i < s.end; i = next) {
            const int32_t label = p->labels[i];
            next = clump_run_end(p->labels, i, s.end);
            if ((uint32_t)label < p->clusters)
                counts[label] += (int32_t)(next - i);
            else if (!is_allowed(label, p->cluster_count))
                CLUMP_STORE(&p->wrong, 1);
        }
    }
}

/* Turns counts into places. */
static void place_clusters(clump_places *p)
{
    int32_t at = 0;
    for (size_t c = 0; c < p->clusters; c++) {
        for (int t = 0; t < p->rows; t++) {
            int32_t *const next = p->next + (size_t)t * p->clusters + c;
            const int32_t count = *next;
            *next = at;
            at += count;
        }
        p->ends[c] = at;
    }
}

static clump_status refuse_wrong(clump_work *work, const clump_places *p)
{
    size_t i = 0;
    while (i + 1 < p->count && is_allowed(p->labels[i], p->cluster_count)) i++;
    return clump_refuse_label(work, i, p->labels[i], p->cluster_count);
}

void clump_places_divide(clump_work *work, clump_places *p)
{
    p->threads = clump_threads_for(work, p->count, CLUMP_PLACES_SHARE);
    p->slices = p->clusters * (size_t)p->threads <= p->count / 2 ? p->threads : 1;
    p->rows = p->slices;
    if (!p->sizes) return;
    p->slices = (int)(p->count / CLUMP_CHUNK) + 1;
    p->rows = 1;
}

clump_status clump_places_find(clump_work *work, clump_places *p)
{
    if (p->sizes)
        memcpy(p->next, p->sizes, p->clusters * sizeof *p->next);
    else
        CLUMP_TRY(clump_run(work, p->threads, (size_t)p->slices, 1, count_slices, p));
    if (p->wrong) return refuse_wrong(work, p);
    place_clusters(p);
    return CLUMP_OK;
}
