/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.h: what the CUDA forms of the six methods of Nguyen et al. 2020 have in common. They follow
 * cpu/six/six.h and its three files step for step; the comments there say why a step is as it is. Here
 * is only what a GPU adds: who does what at the same time, and what the host has to know when.
 *
 *     host                        GPU
 *     .                           points marked, scanned, P and index written
 *     reads count, box  <----     (sizes of launches, digits of the sort)
 *     .                           grid, degrees, scanned
 *     reads the total   <----     (memory for the lists, or for the matrix)
 *     .                           lists, rounds
 *     reads flags       <----     (several rounds at a time)
 *     .                           canonical labels
 *     reads times       <----
 */
#ifndef CLUMP_CUDA_SIX_SIX_H
#define CLUMP_CUDA_SIX_SIX_H

#include "cuda/gpu/labels.h"
#include "cuda/six/neighbours.cuh"
#include "cuda/gpu/transfer.h"

enum {
    CLUMP_SIX_BATCH = 16, /* rounds between two looks of the host, at most */
    CLUMP_SIX_THREADS = 256
};

/* What the GPU tells the host. */
typedef struct clump_six_control {
    uint64_t total;  /* entries of the lists, in the host's copy only */
    uint32_t count;  /* points of P */
    uint32_t labels; /* matrix: how many are left */
    uint32_t merged; /* matrix: 1 + the layer that merged labels, 0: none did */
    int32_t lower[3], upper[3];
    uint32_t changed[CLUMP_SIX_BATCH]; /* m_d of each round of a batch */
} clump_six_control;

/* Memory that stays between calls, of all six, and of DBSCAN's `dclust`: one runs at a time. Zeroed is valid. */
typedef struct clump_cuda_six {
    const char *method; /* its name, for sentences */
    uint32_t count;     /* of P */
    uint64_t total;     /* entries of the lists */
    float4 *points;     /* P, with its place in w, as bits */
    uint32_t *index;
    uint32_t *label; /* C, count entries */
    uint32_t *other; /* as many: labels of the next round, or R */
    uint32_t *scan;  /* one more: L, marks */
    clump_six_near near;
    clump_six_control *control, *seen; /* on the GPU; the host's copy of it */
    clump_grid_memory grid;
    clump_device_buffer point_memory, index_memory, label_memory, other_memory, scan_memory, control_memory;
    clump_device_buffer temporary; /* CUB's */
    clump_device_buffer degrees, starts, list, matrix[2];
    clump_pinned_buffer seen_memory;
    cudaEvent_t events[4]; /* begin, built, clustered, end */
} clump_cuda_six;

void clump_cuda_six_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g);

/* One run of any of the six: from the cloud on the GPU to canonical labels there. Waits for the GPU where
 * a size or a flag has to be read. counts is on the GPU and filled. */
clump_status clump_cuda_ec_six(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, const clump_ec_job *job,
                               const clump_cloud_view *view, int32_t *labels, clump_counts *counts,
                               clump_result *result);

/* ----- between six.cu and the three --------------------------------------------------------------- */

/* From P, not empty, to C with one label a cluster; clump_six_built() is called in between. */
clump_status clump_cuda_ec_vertex(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);
clump_status clump_cuda_ec_edge(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);
clump_status clump_cuda_ec_matrix(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);

/* Up to the grid, or to what else searches in P: g->count, points, index, near. Points that are not in P are labelled
 * noise, and counts, which is 0 before, tells how many there are. The method `dclust` of DBSCAN begins so, too. */
clump_status clump_six_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, const char *method,
                             const clump_cloud_job *job, bool range, const clump_cloud_view *view, int32_t *labels,
                             clump_counts *counts);

clump_status clump_six_built(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g);

/* Waits; the times between the events to the result. */
clump_status clump_six_times(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, clump_result *result);

/* Copies what the GPU tells to g->seen, and waits. */
clump_status clump_six_look(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g);

/* S, counted and scanned, and room for g->total entries of `each` bytes in g->list. S has near.parts
 * entries a point: point i has S[i * parts] ... S[(i + 1) * parts]. */
clump_status clump_six_starts(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, bool only_after, size_t each,
                              const char *entries);

/* Rounds until one changes nothing. `launch` puts one on the stream: a kernel that is over at once unless
 * clump_round_is_due(changed, slot), reads g->label, lowers g->other, and sets changed[slot]. */
typedef clump_status (*clump_six_round)(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot);
clump_status clump_six_rounds(clump_context *ctx, clump_cuda *cuda, clump_cuda_six *g, clump_six_round launch,
                              int64_t *passes);

__device__ static inline bool clump_round_is_due(const uint32_t *changed, uint32_t slot)
{
    return slot == 0 || changed[slot - 1];
}

/* The end of a round's kernel, for all threads of a block: m_t of each is gathered to m_b, the flag that the
 * hardware keeps for a barrier, and only where that is set thread 0 touches the one of all, m_d. */
__device__ static inline void clump_round_flags(bool m_t, uint32_t *m_d)
{
    const bool m_b = __syncthreads_or(m_t);
    if (m_b && threadIdx.x == 0 && !*m_d) *m_d = 1;
}

static inline uint32_t clump_six_blocks(uint64_t threads)
{
    return (uint32_t)((threads + CLUMP_SIX_THREADS - 1) / CLUMP_SIX_THREADS);
}

#endif
