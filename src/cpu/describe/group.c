/* SPDX-License-Identifier: BSD-3-Clause
 *
 * group.c: the points of each cluster, by a counting sort (places.h). Points keep their order, so the members of a cluster
 * are ascending. The ends of the clusters are the offsets but the first, which is 0.
 */
#include "cpu/describe/describe.h"

#include "cpu/describe/places.h"
#include "core/cluster.h"

typedef struct grouping {
    clump_places places;
    int32_t *members;
} grouping;

static void list_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const grouping *const g = arg;
    const clump_places *const p = &g->places;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = clump_places_slice(p, t);
        int32_t *const places = p->next + t * p->clusters;
        for (size_t i = s.begin, next; i < s.end; i = next) {
            const int32_t label = p->labels[i];
            next = clump_run_end(p->labels, i, s.end);
            if (label < 0) continue;
            int32_t *const to = g->members + places[label];
            for (size_t k = 0; k < next - i; k++) to[k] = (int32_t)(i + k);
            places[label] += (int32_t)(next - i);
        }
    }
}

clump_status clump_cpu_group(clump_work *work, clump_buffer *scratch, const clump_group_job *job, clump_stats *stats)
{
    const size_t clusters = (size_t)job->cluster_count;
    grouping g = {.members = job->members,
                  .places = {.labels = job->labels,
                             .count = job->count,
                             .cluster_count = job->cluster_count,
                             .clusters = clusters,
                             .ends = job->offsets + 1}};
    clump_places *const p = &g.places;
    clump_places_divide(work, p);
    stats->threads = p->threads;
    CLUMP_TRY(clump_buffer_reserve(work, scratch, (size_t)p->slices * clusters * sizeof *p->next));
    p->next = scratch->data;
    CLUMP_TRY(clump_places_find(work, p));
    job->offsets[0] = 0;
    const int32_t total = job->offsets[clusters];
    if (total > 0 && !job->members) return clump_refuse_members(work, total);
    return clump_run(work, p->threads, (size_t)p->slices, 1, list_slices, &g);
}
