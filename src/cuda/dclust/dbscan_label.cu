/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dbscan_label.cu: see dbscan_label.h.
 */
#include "cuda/dclust/dbscan_label.h"

#include "cuda/gpu/scan.h"

enum { BLOCK = 256, LANES = CLUMP_NEAR_LANES };

#define NO_NUMBER UINT32_MAX /* of no cluster */

/* first is all ones before. Looked at before it is lowered: of a large set, most see that another was first. */
__global__ static void find_first(const float4 *sorted, uint32_t n, const uint32_t *set, uint32_t *first)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i >= n || set[i] >= n) return;
    const uint32_t own = __float_as_uint(sorted[i].w);
    if (own < __ldcg(&first[set[i]])) atomicMin(&first[set[i]], own);
}

__global__ static void mark_first(const float4 *sorted, uint32_t n, const uint32_t *set, const uint32_t *first,
                                  uint32_t *mark)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    if (i < n) {
        const uint32_t own = __float_as_uint(sorted[i].w);
        mark[own] = set[i] < n && first[set[i]] == own;
    } else if (i == n) {
        mark[n] = 0;
    }
}

/* Core points get their labels, and set becomes the number of the cluster. Others are noise so far. */
__global__ static void label_core(const float4 *sorted, uint32_t n, const uint32_t *index, uint32_t *set,
                                  const uint32_t *first, const uint32_t *mark, int32_t *labels, uint8_t *core,
                                  clump_counts *counts)
{
    const size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x;
    bool noise = false;
    if (i < n) {
        const bool is_core = set[i] < n;
        const uint32_t number = is_core ? mark[first[set[i]]] : NO_NUMBER, p = index[__float_as_uint(sorted[i].w)];
        set[i] = number;
        labels[p] = is_core ? (int32_t)number : CLUMP_NOISE;
        if (core) core[p] = is_core;
        noise = !is_core;
    }
    const int here = __syncthreads_count(noise);
    if (threadIdx.x == 0 && here > 0) atomicAdd(&counts->noise, (uint32_t)here);
    if (i == 0) counts->clusters = mark[n];
}

/* Several lanes a point that is not core. A number that is not smaller than what was found needs no distance. */
__global__ static void label_border(clump_six_near near, const uint32_t *index, const uint32_t *number, int32_t *labels,
                                    clump_counts *counts)
{
    if (counts->clusters == 0) return; /* all of them */
    const size_t place = (blockIdx.x * (size_t)BLOCK + threadIdx.x) / LANES;
    const uint32_t lane = threadIdx.x % LANES;
    uint32_t least = NO_NUMBER;
    if (place < near.count && number[place] == NO_NUMBER) {
        const float4 own = near.sorted[place];
        const uint2 *const rows = near.rows + (size_t)near.voxel_of[place] * 9;
#pragma unroll 1
        for (int row = 0; row < 9; row++) {
            const uint2 stretch = rows[row];
            for (uint32_t k = stretch.x + lane; k < stretch.y; k += LANES) {
                const uint32_t other = number[k];
                if (other >= least) continue;
                const float4 q = near.sorted[k];
                if (clump_distance_squared(own.x, own.y, own.z, q.x, q.y, q.z) < near.bound) least = other;
            }
        }
    }
    __syncwarp();
    for (int step = 1; step < LANES; step *= 2) least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
    const bool found = lane == 0 && least != NO_NUMBER;
    if (found) labels[index[__float_as_uint(near.sorted[place].w)]] = (int32_t)least;
    const int here = __syncthreads_count(found);
    if (threadIdx.x == 0 && here > 0) atomicSub(&counts->noise, (uint32_t)here);
}

static uint32_t blocks_for(uint64_t threads)
{
    return (uint32_t)((threads + BLOCK - 1) / BLOCK);
}

clump_status clump_dbscan_label(clump_context *ctx, clump_cuda *cuda, clump_device_buffer *temporary,
                                const clump_six_near &near, const uint32_t *index, bool border_points, uint32_t *set,
                                uint32_t *first, uint32_t *mark, int32_t *labels, uint8_t *core, clump_counts *counts)
{
    const uint32_t n = near.count;
    const char *const what = "numbering clusters";
    const cudaStream_t stream = cuda->stream;
    CLUMP_CUDA(ctx, cuda, what, cudaMemsetAsync(first, 0xff, n * sizeof *first, stream));
    CLUMP_CUDA(ctx, cuda, what,
               (find_first<<<blocks_for(n), BLOCK, 0, stream>>>(near.sorted, n, set, first), cudaGetLastError()));
    CLUMP_CUDA(ctx, cuda, what,
               (mark_first<<<blocks_for(n + (uint64_t)1), BLOCK, 0, stream>>>(near.sorted, n, set, first, mark),
                cudaGetLastError()));
    CLUMP_TRY(clump_scan(ctx, cuda, temporary, mark, n));
    CLUMP_CUDA(
        ctx, cuda, what,
        (label_core<<<blocks_for(n), BLOCK, 0, stream>>>(near.sorted, n, index, set, first, mark, labels, core, counts),
         cudaGetLastError()));
    if (border_points)
        CLUMP_CUDA(
            ctx, cuda, "labelling border points",
            (label_border<<<blocks_for((uint64_t)n * LANES), BLOCK, 0, stream>>>(near, index, set, labels, counts),
             cudaGetLastError()));
    return CLUMP_OK;
}
