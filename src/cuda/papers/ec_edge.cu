/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_edge.cu: cpu/papers/ec_edge.c on a GPU: a list of edges, and rounds in which every edge propagates the smaller label of
 * its ends to the other end.
 *
 *     E      0 1 | 0 3 | 1 2 | ...        one uint2 per edge, the smaller index first
 *     thread 0     1     2                 limited number; each takes several edges in turn
 */
#include "cuda/papers/six.h"

/* Thread blocks per multiprocessor: more than run at once. */
enum { EDGE_BLOCKS = 32 };

/* In place `label` and `next` are one array. */
template <bool IN_PLACE>
__global__ static void propagate(const uint2 *__restrict__ edges, uint64_t count, const uint32_t *label, uint32_t *next,
                                 uint32_t *changed, uint32_t slot)
{
    if (!clump_six_round_is_due(changed, slot)) return; /* the whole thread block */
    const uint64_t threads = (uint64_t)gridDim.x * CLUMP_SIX_THREADS;
    bool m_t = false;
#pragma unroll 4
    for (uint64_t k = blockIdx.x * (uint64_t)CLUMP_SIX_THREADS + threadIdx.x; k < count; k += threads) {
        const uint2 e = edges[k];
        const uint32_t x = clump_six_label<IN_PLACE>(&label[e.x]), y = clump_six_label<IN_PLACE>(&label[e.y]);
        if (x == y) continue;
        uint32_t *const end = &next[x < y ? e.y : e.x];
        const uint32_t smaller = x < y ? x : y;
        if (IN_PLACE || smaller < __ldcg(end)) atomicMin(end, smaller);
        m_t = true;
    }
    clump_six_round_flags(m_t, &changed[slot]);
}

static clump_status launch_edges(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot)
{
    return clump_launch_items(work, cuda, "handing labels on", g->total, CLUMP_SIX_THREADS,
                              (uint64_t)cuda->units * EDGE_BLOCKS, g->in_place ? propagate<true> : propagate<false>,
                              (const uint2 *)g->list.data, g->total, g->label, g->in_place ? g->label : g->other,
                              &g->control->changed[0], slot);
}

clump_status clump_cuda_ec_edge(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes)
{
    return clump_six_list_rounds<uint2, true>(work, cuda, g, "edges", launch_edges, passes);
}
