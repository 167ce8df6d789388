/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_vertex.c: the vertex-based method (Nguyen et al. 2020, 4.1, after Hawick et al. 2010). Every point
 * gets a list of its neighbours. Then every point propagates its label to neighbours with a larger label,
 * round by round, until a round changes nothing.
 *
 *     S      0     2        5   6          where the list of a point begins; S[n] is the end of the last
 *     N      1 3 | 0 2 3 |  1 | ...        neighbours, in no particular order
 *
 *     a chain 0 - 1 - 2 - 3      C   0 1 2 3
 *                                    0 0 1 2     round 1
 *                                    0 0 0 1     round 2
 *                                    0 0 0 0     round 3
 *                                    0 0 0 0     round 4: no change, done
 *
 * All threads of a round act at once: they read the labels of the round before and lower those of
 * the next by atomicMin. So the number of rounds is equal on every machine. Labels only fall, until all points
 * of a cluster have its smallest label. The number of rounds is one more than the number of steps from the first
 * point of a cluster to the furthest: many for long thin clusters.
 *
 * In place, as the paper has it, there is one array C, and a thread may read labels that its own round lowered.
 * Here the threads run in order of their index; on a GPU they race. The result is the same:
 *   1. A label is always the place of a point of the same cluster, so it is never below the cluster's smallest.
 *   2. A round without a change has read every pair of neighbours with equal labels. So all points of a cluster
 *      have one label. The first point of the cluster has its own place, which nothing lowers. Hence that label.
 *   3. After r rounds no label is larger than with two arrays after r rounds: a round reads labels that are at
 *      most those from before it, and lowers every neighbour at least to them. So in place needs no more rounds.
 */
#include "cpu/papers/six.h"

#include "common/timer.h"
#include "core/work.h"

/* Step 5 of Algorithm 1: thread i writes the neighbours of point i to N from S[i] on. */
static clump_status fill_lists(clump_work *work, const clump_six *g, const uint64_t *start, uint32_t *list)
{
    for (size_t i = 0; i < g->count; i++) {
        CLUMP_TRY(clump_poll(work));
        uint64_t at = start[i];
        for (clump_neighbour_walk w = clump_neighbours_of(&g->search, i); clump_next_neighbour(&w);) list[at++] = w.id;
    }
    return CLUMP_OK;
}

/* One round. *m_d becomes whether a label changed. Three levels of flags save memory traffic on a GPU: m_t per thread,
 * m_b per thread block, m_d for all. A flag is written only where the one before it is set. */
static clump_status propagate(clump_work *work, const clump_six *g, const uint32_t *list, clump_six_labels labels,
                              size_t tile_b, bool *m_d)
{
    const size_t n = g->count;
    const uint64_t *const start = g->starts.data;
    const uint32_t *const label = labels.read;
    uint32_t *const next = labels.lower;
    *m_d = false;
    for (size_t first = 0; first < n; first += tile_b) {
        CLUMP_TRY(clump_poll(work));
        bool m_b = false;
        for (size_t i = first; i < n && i < first + tile_b; i++) {
            bool m_t = false;
            for (uint64_t k = start[i]; k < start[i + 1]; k++) {
                const uint32_t j = list[k];
                if (label[i] >= label[j]) continue;
                if (label[i] < next[j]) next[j] = label[i]; /* atomicMin */
                m_t = true;
            }
            if (m_t) m_b = true;
        }
        if (m_b) *m_d = true;
    }
    return CLUMP_OK;
}

clump_status clump_cpu_ec_vertex(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                                 clump_stats *stats)
{
    const double begin = clump_now_ms();
    CLUMP_TRY(clump_six_begin(work, g, job, tile_b, stats));
    CLUMP_TRY(clump_six_starts(work, g, false, sizeof(uint32_t), "neighbours"));
    const uint64_t *const start = g->starts.data;
    CLUMP_TRY(fill_lists(work, g, start, g->list.data));
    const double built = clump_now_ms();

    stats->passes = 0;
    for (bool m_d = true; m_d; stats->passes++) {
        const clump_six_labels labels = clump_six_begin_round(g, job->in_place);
        CLUMP_TRY(propagate(work, g, g->list.data, labels, tile_b, &m_d));
        clump_six_end_round(g, job->in_place);
    }
    clump_six_finish(g, job, begin, built, stats);
    return CLUMP_OK;
}
