/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_edge.cu: cpu/six/ec_edge.c on a GPU: a list of edges, and rounds in which every edge hands the smaller
 * label of its ends to the other end.
 *
 *     E      0 1 | 0 3 | 1 2 | ...        a uint2 an edge, the smaller index first
 *     thread 0     1     2                 as many as the GPU holds; the next edges when they are done
 */
#include "cuda/six/six.h"

struct fill_edges {
    typedef uint64_t State; /* where the next edge goes */
    static constexpr bool COUNTS = false;
    const uint64_t *start;
    uint2 *edges;
    __device__ State begin(uint32_t, size_t slot) const
    {
        return start[slot];
    }
    __device__ void found(State at, uint32_t i, uint32_t j, uint32_t before) const
    {
        edges[at + before] = make_uint2(i, j);
    }
    __device__ void advance(State &at, uint32_t n) const
    {
        at += n;
    }
    __device__ void end(size_t, State) const {}
};

__global__ static void propagate(const uint2 *__restrict__ edges, uint64_t count, const uint32_t *__restrict__ label,
                                 uint32_t *next, uint32_t *changed, uint32_t slot)
{
    if (!clump_round_is_due(changed, slot)) return; /* all of the block */
    const uint64_t threads = (uint64_t)gridDim.x * CLUMP_SIX_THREADS;
    bool m_t = false;
#pragma unroll 4
    for (uint64_t k = blockIdx.x * (uint64_t)CLUMP_SIX_THREADS + threadIdx.x; k < count; k += threads) {
        const uint2 e = edges[k];
        const uint32_t x = label[e.x], y = label[e.y];
        if (x == y) continue;
        uint32_t *const end = &next[x < y ? e.y : e.x];
        const uint32_t smaller = x < y ? x : y;
        if (smaller < __ldcg(end)) atomicMin(end, smaller);
        m_t = true;
    }
    clump_round_flags(m_t, &changed[slot]);
}

static clump_status launch_round(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot)
{
    const uint64_t count = g->total, most = (uint64_t)cuda->units * 32;
    const uint64_t wanted = (count + CLUMP_SIX_THREADS - 1) / CLUMP_SIX_THREADS;
    const uint32_t blocks = (uint32_t)(wanted < 1 ? 1 : wanted < most ? wanted : most);
    CLUMP_CUDA(ctx, cuda, "handing labels on",
               (propagate<<<blocks, CLUMP_SIX_THREADS, 0, cuda->stream>>>((const uint2 *)g->list.data, count, g->label,
                                                                          g->other, g->control->changed, slot),
                cudaGetLastError()));
    return CLUMP_OK;
}

clump_status clump_cuda_ec_edge(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes)
{
    CLUMP_TRY(clump_six_starts(ctx, cuda, g, true, sizeof(uint2), "edges"));
    const fill_edges visit = {(const uint64_t *)g->starts.data, (uint2 *)g->list.data};
    CLUMP_TRY(clump_near_each<true>(ctx, cuda, g->near, visit));
    CLUMP_TRY(clump_six_built(ctx, cuda, g));
    return clump_six_rounds(ctx, cuda, g, launch_round, passes);
}
