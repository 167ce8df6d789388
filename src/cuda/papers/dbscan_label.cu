/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_label.cu: see dbscan_dclust.h.
 */
#include "cuda/papers/dbscan_dclust.h"

#include "cuda/gpu/scan.h"
#include "cuda/papers/six.h"

#define LABEL_NONE UINT32_MAX /* in no cluster */

/* Finds the smallest number in P of each set. `first` is all ones before. It is read before the atomic minimum, which most
 * points of a large set then leave out. */
__global__ static void find_first_core(const float4 *sorted, uint32_t n, const uint32_t *set, uint32_t *first)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i >= n || set[i] >= n) return;
    const uint32_t own = __float_as_uint(sorted[i].w);
    if (own < __ldcg(&first[set[i]])) atomicMin(&first[set[i]], own);
}

__global__ static void mark_first_core(const float4 *sorted, uint32_t n, const uint32_t *set, const uint32_t *first,
                                       uint32_t *mark)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i < n) {
        const uint32_t own = __float_as_uint(sorted[i].w);
        mark[own] = set[i] < n && first[set[i]] == own;
    } else if (i == n) {
        mark[n] = 0;
    }
}

/* Labels core points, and replaces `set` by the number of the cluster. Other points become noise. */
__global__ static void label_core(const float4 *sorted, uint32_t n, const uint32_t *index, uint32_t *set,
                                  const uint32_t *first, const uint32_t *mark, int32_t *labels, uint8_t *core,
                                  clump_counts *counts)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    bool noise = false;
    if (i < n) {
        const bool is_core = set[i] < n;
        const uint32_t number = is_core ? mark[first[set[i]]] : LABEL_NONE, p = index[__float_as_uint(sorted[i].w)];
        set[i] = number;
        labels[p] = is_core ? (int32_t)number : CLUMP_NOISE;
        if (core) core[p] = is_core;
        noise = !is_core;
    }
    const int here = __syncthreads_count(noise);
    if (threadIdx.x == 0 && here > 0) atomicAdd(&counts->noise, (uint32_t)here);
    if (i == 0) counts->clusters = mark[n];
}

/* Labels border points, by several lanes per point that is not core. Numbers that are not smaller than the one found need
 * no distance. */
__global__ static void label_border(clump_six_search search, const uint32_t *index, const uint32_t *number,
                                    int32_t *labels, clump_counts *counts)
{
    if (counts->clusters == 0) return; /* in all threads */
    const size_t place = (blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x) / NEIGHBOURS_LANES;
    const uint32_t lane = threadIdx.x % NEIGHBOURS_LANES;
    uint32_t least = LABEL_NONE;
    if (place < search.count && number[place] == LABEL_NONE) {
        const float4 own = search.sorted[place];
        const uint2 *const rows = search.rows + (size_t)search.voxel_of[place] * 9;
#pragma unroll 1
        for (int row = 0; row < 9; row++) {
            const uint2 span = rows[row];
            for (uint32_t k = span.x + lane; k < span.y; k += NEIGHBOURS_LANES) {
                const uint32_t other = number[k];
                if (other >= least) continue;
                const float4 q = search.sorted[k];
                if (clump_distance_squared(own.x, own.y, own.z, q.x, q.y, q.z) < search.bound) least = other;
            }
        }
    }
    __syncwarp();
    for (int step = 1; step < NEIGHBOURS_LANES; step *= 2)
        least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
    const bool found = lane == 0 && least != LABEL_NONE;
    if (found) labels[index[__float_as_uint(search.sorted[place].w)]] = (int32_t)least;
    const int here = __syncthreads_count(found);
    if (threadIdx.x == 0 && here > 0) atomicSub(&counts->noise, (uint32_t)here);
}

clump_status clump_dbscan_label(clump_work *work, clump_cuda *cuda, clump_device_buffer *temporary,
                                const clump_six_search &search, const uint32_t *index, bool border_points,
                                uint32_t *set, uint32_t *first, uint32_t *mark, int32_t *labels, uint8_t *core,
                                clump_counts *counts)
{
    const uint32_t n = search.count;
    CLUMP_ASSERT(n >= 1 && search.range);
    const char *const what = "numbering clusters";
    CLUMP_CUDA(work, cuda, what, cudaMemsetAsync(first, 0xff, n * sizeof *first, cuda->stream));
    CLUMP_TRY(clump_six_launch(work, cuda, what, n, find_first_core, search.sorted, n, set, first));
    CLUMP_TRY(clump_six_launch(work, cuda, what, n + (uint64_t)1, mark_first_core, search.sorted, n, set, first, mark));
    CLUMP_TRY(clump_scan(work, cuda, temporary, mark, n));
    CLUMP_TRY(clump_six_launch(work, cuda, what, n, label_core, search.sorted, n, index, set, first, mark, labels, core,
                               counts));
    if (border_points)
        CLUMP_TRY(clump_six_launch(work, cuda, "labelling border points", (uint64_t)n * NEIGHBOURS_LANES, label_border,
                                   search, index, set, labels, counts));
    return CLUMP_OK;
}
