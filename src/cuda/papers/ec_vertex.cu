/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_vertex.cu: cpu/papers/ec_vertex.c on a GPU: lists of neighbours, and rounds in which every point propagates its label to
 * the neighbours that have a larger one.
 *
 *     S      0     2        5   6            64 bits per entry; search.parts entries per point
 *     N      1 3 | 0 2 3 |  1 | ...
 *     lanes  0 1   0 1 2    0                several per point, which read adjacent entries of its list
 *
 * A round reads one array of labels and lowers another: the order of its threads cannot change the result. A label is
 * read before the atomic minimum, which most threads then leave out: another thread was first. In place both arrays are
 * one, and the threads race (clump_six_run_rounds).
 */
#include "cuda/papers/six.h"

/* Lists of VERTEX_LONG neighbours and more on average get a warp per point, shorter ones a quarter of a warp. */
enum { VERTEX_LONG = 64 };

template <int LANES, bool IN_PLACE>
__global__ static void propagate(const uint64_t *__restrict__ start, uint32_t parts, const uint32_t *__restrict__ list,
                                 const uint32_t *label, uint32_t *next, uint32_t n, uint32_t *changed, uint32_t slot)
{
    if (!clump_six_round_is_due(changed, slot)) return; /* the whole thread block */
    const size_t i = (blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x) / LANES;
    bool m_t = false;
    if (i < n) {
        const uint32_t own = clump_six_label<IN_PLACE>(&label[i]);
        const uint64_t end = start[(i + 1) * parts];
#pragma unroll 4
        for (uint64_t k = start[i * parts] + threadIdx.x % LANES; k < end; k += LANES) {
            const uint32_t j = list[k];
            if (own >= clump_six_label<IN_PLACE>(&label[j])) continue;
            if (IN_PLACE || own < __ldcg(&next[j])) atomicMin(&next[j], own);
            m_t = true;
        }
    }
    clump_six_round_flags(m_t, &changed[slot]);
}

static clump_status launch_vertices(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot)
{
    CLUMP_ASSERT(g->count > 0);
    const bool warp = g->total / g->count >= VERTEX_LONG;
    const auto two = warp ? propagate<32, false> : propagate<8, false>;
    const auto one = warp ? propagate<32, true> : propagate<8, true>;
    return clump_six_launch(work, cuda, "handing labels on", (uint64_t)g->count * (warp ? 32 : 8),
                            g->in_place ? one : two, (const uint64_t *)g->starts.data, g->search.parts,
                            (const uint32_t *)g->list.data, g->label, g->in_place ? g->label : g->other, g->count,
                            &g->control->changed[0], slot);
}

clump_status clump_cuda_ec_vertex(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes)
{
    return clump_six_list_rounds<uint32_t, false>(work, cuda, g, "neighbours", launch_vertices, passes);
}
