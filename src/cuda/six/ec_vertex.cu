/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_vertex.cu: cpu/six/ec_vertex.c on a GPU: lists of neighbours, and rounds in which every point hands its
 * label to those of its neighbours that have a larger one.
 *
 *     S      0     2        5   6            64 bits an entry; near.parts entries a point
 *     N      1 3 | 0 2 3 |  1 | ...
 *     lanes  0 1   0 1 2    0                a point has several, which read its list side by side
 *
 * A round reads one array of labels and lowers another, so it is the same however its threads take turns.
 * A label is looked at before it is lowered: of many who would lower it, most see that another was first.
 */
#include "cuda/six/six.h"

struct fill_lists {
    typedef uint64_t State; /* where the next neighbour goes */
    static constexpr bool COUNTS = false;
    const uint64_t *start;
    uint32_t *list;
    __device__ State begin(uint32_t, size_t slot) const
    {
        return start[slot];
    }
    __device__ void found(State at, uint32_t, uint32_t j, uint32_t before) const
    {
        list[at + before] = j;
    }
    __device__ void advance(State &at, uint32_t n) const
    {
        at += n;
    }
    __device__ void end(size_t, State) const {}
};

template <int LANES>
__global__ static void propagate(const uint64_t *__restrict__ start, uint32_t parts, const uint32_t *__restrict__ list,
                                 const uint32_t *__restrict__ label, uint32_t *next, uint32_t n, uint32_t *changed,
                                 uint32_t slot)
{
    if (!clump_round_is_due(changed, slot)) return; /* all of the block */
    const size_t i = (blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x) / LANES;
    bool m_t = false;
    if (i < n) {
        const uint32_t own = label[i];
        const uint64_t end = start[(i + 1) * parts];
#pragma unroll 4
        for (uint64_t k = start[i * parts] + threadIdx.x % LANES; k < end; k += LANES) {
            const uint32_t j = list[k];
            if (own >= label[j]) continue;
            if (own < __ldcg(&next[j])) atomicMin(&next[j], own);
            m_t = true;
        }
    }
    clump_round_flags(m_t, &changed[slot]);
}

/* Long lists get a warp each, short ones a quarter of it. */
static clump_status launch_round(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot)
{
    const bool warp = g->total / g->count >= 64;
    const uint64_t *const start = (const uint64_t *)g->starts.data;
    const uint32_t *const list = (const uint32_t *)g->list.data;
    const uint32_t blocks = clump_six_blocks((uint64_t)g->count * (warp ? 32 : 8));
    auto *const kernel = warp ? propagate<32> : propagate<8>;
    CLUMP_CUDA(ctx, cuda, "handing labels on",
               (kernel<<<blocks, CLUMP_SIX_THREADS, 0, cuda->stream>>>(start, g->near.parts, list, g->label, g->other,
                                                                       g->count, g->control->changed, slot),
                cudaGetLastError()));
    return CLUMP_OK;
}

clump_status clump_cuda_ec_vertex(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes)
{
    CLUMP_TRY(clump_six_starts(ctx, cuda, g, false, sizeof(uint32_t), "neighbours"));
    const fill_lists visit = {(const uint64_t *)g->starts.data, (uint32_t *)g->list.data};
    CLUMP_TRY(clump_near_each<false>(ctx, cuda, g->near, visit));
    CLUMP_TRY(clump_six_built(ctx, cuda, g));
    return clump_six_rounds(ctx, cuda, g, launch_round, passes);
}
