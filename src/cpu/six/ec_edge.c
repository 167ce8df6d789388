/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_edge.c: the edge-based method (Nguyen et al. 2020, 4.2, after Hawick et al. 2010). The pairs of
 * neighbours are listed once each, with the smaller index first; then, round by round, every edge
 * hands the smaller label of its ends to the other end, until a round changes nothing.
 *
 *     S    0       2     3  3         where the edges of a point begin; S[n] is how many there are
 *     E    0 1 | 0 3 | 1 2 | ...      two numbers an edge, the smaller first
 *
 * As large as the lists of ec_vertex.c, but a pair is looked at once a round instead of twice, and the
 * work is even: every thread has one edge, however crowded its ends. Rounds, and why they are the same
 * everywhere, are as there: all edges read the labels of the round before.
 */
#include "cpu/six/six.h"

#include "common/timer.h"
#include "core/context.h"

typedef struct edge { /* CUDA's int2 */
    uint32_t x, y;
} edge;

/* Step 5 of Algorithm 1, with both ends and only the neighbours behind point i. */
static clump_status fill_edges(clump_context *ctx, const clump_six *g, const uint64_t *start, edge *edges)
{
    for (size_t i = 0; i < g->count; i++) {
        CLUMP_TRY(clump_poll(ctx));
        uint64_t at = start[i];
        for (clump_neighbour_walk w = clump_neighbours_of(&g->near, i); clump_next_neighbour(&w);)
            if (w.id > i) edges[at++] = (edge){(uint32_t)i, w.id};
    }
    return CLUMP_OK;
}

/* One round, with a thread an edge. m_t, m_b and m_d as in ec_vertex.c. */
static clump_status propagate(clump_context *ctx, const clump_six *g, const edge *edges, uint64_t count, size_t block,
                              bool *m_d)
{
    const uint32_t *const label = g->label;
    uint32_t *const next = g->other;
    *m_d = false;
    for (uint64_t first = 0; first < count; first += block) {
        CLUMP_TRY(clump_poll(ctx));
        bool m_b = false;
        for (uint64_t k = first; k < count && k < first + block; k++) {
            const uint32_t x = edges[k].x, y = edges[k].y;
            const bool m_t = label[x] != label[y];
            if (label[x] < next[y]) next[y] = label[x]; /* atomicMin, and the other way round: */
            if (label[y] < next[x]) next[x] = label[y]; /* one of the two does something */
            if (m_t) m_b = true;
        }
        if (m_b) *m_d = true;
    }
    return CLUMP_OK;
}

clump_status clump_cpu_ec_edge(clump_context *ctx, clump_six *g, const clump_ec_job *job, size_t block,
                               clump_result *result)
{
    const double begin = clump_now_ms();
    clump_status status = clump_six_begin(ctx, g, job, block, result);
    if (status == CLUMP_OK) status = clump_six_starts(ctx, g, job, true, sizeof(edge), "edges");
    if (status != CLUMP_OK) return status;
    const uint64_t *const start = g->starts.data;
    CLUMP_TRY(fill_edges(ctx, g, start, g->list.data));
    const double built = clump_now_ms();

    result->passes = 0;
    for (bool m_d = true; m_d; result->passes++) {
        clump_six_next_round(g);
        CLUMP_TRY(propagate(ctx, g, g->list.data, start[g->count], block, &m_d));
        clump_six_end_round(g);
    }
    clump_six_finish(g, job, begin, built, result);
    return CLUMP_OK;
}
