/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_edge.c: the edge-based method (Nguyen et al. 2020, 4.2, after Hawick et al. 2010). Every pair of
 * neighbours is listed once, with the smaller index first. Then every edge propagates the smaller label of
 * its ends to the other end, round by round, until a round changes nothing.
 *
 *     S    0       2     3  3         where the edges of a point begin; S[n] is the number of edges
 *     E    0 1 | 0 3 | 1 2 | ...      two numbers per edge, the smaller first
 *
 * The list is as large as the lists of ec_vertex.c, but a pair is tested once per round instead of twice. The
 * load is balanced: every thread has one edge, whatever the degree of its ends. As in ec_vertex.c, all edges
 * read the labels of the round before, so the number of rounds is equal on every machine; or, in place, there is
 * one array, and the number of rounds is that of edges in the order of the list.
 */
#include "cpu/papers/six.h"

#include "common/timer.h"
#include "core/work.h"

typedef struct edge { /* CUDA's int2 */
    uint32_t x, y;
} edge;

/* Step 5 of Algorithm 1: thread i writes the edges to its neighbours with a larger place, from S[i] on. */
static clump_status fill_edges(clump_work *work, const clump_six *g, const uint64_t *start, edge *edges)
{
    for (size_t i = 0; i < g->count; i++) {
        CLUMP_TRY(clump_poll(work));
        uint64_t at = start[i];
        for (clump_neighbour_walk w = clump_neighbours_of(&g->search, i); clump_next_neighbour(&w);)
            if (w.id > i) edges[at++] = (edge){(uint32_t)i, w.id};
    }
    return CLUMP_OK;
}

/* One round, with one thread per edge. The flags m_t, m_b and m_d are those of ec_vertex.c. */
static clump_status propagate(clump_work *work, const clump_six *g, const edge *edges, clump_six_labels labels,
                              size_t tile_b, bool *m_d)
{
    const uint32_t *const label = labels.read;
    uint32_t *const next = labels.lower;
    const uint64_t *const start = g->starts.data;
    const uint64_t count = start[g->count];
    *m_d = false;
    for (uint64_t first = 0; first < count; first += tile_b) {
        CLUMP_TRY(clump_poll(work));
        bool m_b = false;
        for (uint64_t k = first; k < count && k < first + tile_b; k++) {
            const uint32_t x = edges[k].x, y = edges[k].y;
            const bool m_t = label[x] != label[y];      /* before a line below can change it in place */
            if (label[x] < next[y]) next[y] = label[x]; /* atomicMin; of the two lines, */
            if (label[y] < next[x]) next[x] = label[y]; /* at most one changes a label */
            if (m_t) m_b = true;
        }
        if (m_b) *m_d = true;
    }
    return CLUMP_OK;
}

clump_status clump_cpu_ec_edge(clump_work *work, clump_six *g, const clump_ec_job *job, size_t tile_b,
                               clump_stats *stats)
{
    const double begin = clump_now_ms();
    CLUMP_TRY(clump_six_begin(work, g, job, tile_b, stats));
    CLUMP_TRY(clump_six_starts(work, g, true, sizeof(edge), "edges"));
    const uint64_t *const start = g->starts.data;
    CLUMP_TRY(fill_edges(work, g, start, g->list.data));
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
