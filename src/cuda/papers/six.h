/* SPDX-License-Identifier: BSD-3-Clause
 *
 * six.h: what the CUDA forms of the six methods of Nguyen et al. 2020 have in common. They follow cpu/papers/six.h and its
 * three files step by step; the comments there give the reasons. The comments here say what a GPU adds: which threads
 * work at the same time, and which values the host reads back:
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
 *
 *     neighbours.cu     the grid; neighbours.cuh: all pairs of neighbours, in two ways
 *     ec_vertex.cu      lists of neighbours, labels propagated from point to point
 *     ec_edge.cu        list of edges, labels propagated along edges
 *     ec_matrix.cu      matrix of labels, merged tile by tile; matrix_merge.cuh: by one thread block
 *     six.cu            points, lists, rounds, canonical labels: a whole run
 *
 * A `tile` is points that a thread block keeps in shared memory; of matrices, b x b labels.
 */
#ifndef CLUMP_CUDA_PAPERS_SIX_H
#define CLUMP_CUDA_PAPERS_SIX_H

#include "cuda/gpu/launch.h"
#include "cuda/papers/neighbours.cuh"
#include "cuda/gpu/transfer.h"

enum {
    CLUMP_SIX_ROUNDS = 16,  /* the most rounds that are launched before the host reads their flags */
    CLUMP_SIX_THREADS = 256 /* per thread block */
};

/* What the host reads back. */
typedef struct clump_six_control {
    uint64_t total;  /* entries of the lists; in the host's copy only */
    uint32_t count;  /* points of P */
    uint32_t labels; /* matrix: the number of labels left */
    uint32_t merged; /* matrix: 1 + the layer that merged labels; 0: none did */
    int32_t lower[3], upper[3];
    uint32_t changed[CLUMP_SIX_ROUNDS]; /* m_d of each round launched together */
} clump_six_control;

/* Memory that stays between calls, shared by the six and DBSCAN's `dclust`: one runs at a time. Zeroed is valid. */
typedef struct clump_cuda_six {
    const char *method; /* its name, for error messages */
    uint32_t count;     /* of P */
    uint64_t total;     /* entries of the lists */
    uint32_t tile_b;    /* matrix: b, threads per thread block */
    bool in_place;      /* rounds: one array of labels */
    float4 *points;     /* P, with its place in w, as bits */
    uint32_t *index;
    uint32_t *label; /* C, count entries */
    uint32_t *other; /* count entries: labels of the next round, or R */
    uint32_t *scan;  /* count + 1 entries: L, marks */
    clump_six_search search;
    clump_six_control *control, *fetched; /* on the GPU; the host's copy */
    clump_six_grid grid;
    clump_device_buffer point_memory, index_memory, label_memory, other_memory, scan_memory, control_memory;
    bool control_cleared;          /* control_memory has been set to 0 once */
    clump_device_buffer temporary; /* CUB's */
    clump_device_buffer degrees, starts, list, matrix[2];
    clump_pinned_buffer fetched_memory;
    cudaEvent_t events[4];  /* begin, built, clustered, end */
    cudaEvent_t initial[2]; /* matrix: begin and end of INITIAL_EC */
} clump_cuda_six;

void clump_cuda_six_trim(clump_work *work, clump_cuda *cuda, clump_cuda_six *g);

/* Runs any of the six: from the cloud on the GPU to canonical labels and counts there. Waits for the GPU where the host
 * reads a size or a flag. */
clump_status clump_cuda_ec_six(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const clump_ec_job *job,
                               const clump_cloud_view *view, int32_t *labels, clump_counts *counts, clump_stats *stats);

/* ----- between six.cu and the three files --------------------------------------------------------- */

/* Makes C, with one label per cluster, of P, which is not empty. Calls clump_six_record_built() in between. */
clump_status clump_cuda_ec_vertex(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);
clump_status clump_cuda_ec_edge(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);
clump_status clump_cuda_ec_matrix(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, int64_t *passes);

/* Makes g->count, points, index and search: range search or exhaustive. Points that are not in P are labelled noise, and
 * added to counts, which is 0 before. The method `dclust` of DBSCAN begins with this call, too. */
clump_status clump_six_begin(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const char *method,
                             const clump_cloud_job *job, bool range, const clump_cloud_view *view, int32_t *labels,
                             clump_counts *counts);

/* Records an event of g on the stream. */
clump_status clump_six_record(clump_work *work, clump_cuda *cuda, cudaEvent_t event);

/* Records the event between the stages `build` and `cluster`. */
clump_status clump_six_record_built(clump_work *work, clump_cuda *cuda, clump_cuda_six *g);

/* Waits, and writes the times between the events to the result. */
clump_status clump_six_times(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_stats *stats);

/* Copies *g->control to *g->fetched, and waits. */
clump_status clump_six_fetch_control(clump_work *work, clump_cuda *cuda, clump_cuda_six *g);

/* Makes S: degrees counted and scanned. Reserves g->total entries of `each` bytes in g->list; `entries` names them in
 * error messages. S has search.parts entries per point: point i has S[i * parts] ... S[(i + 1) * parts]. */
clump_status clump_six_starts(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, bool only_after, size_t each,
                              const char *entries);

/* Runs rounds until one changes nothing. `launch` puts one on the stream: a kernel that ends at once unless
 * clump_six_round_is_due(changed, slot), reads g->label, lowers g->other, or in place g->label, and sets changed[slot]. */
typedef clump_status (*clump_six_round)(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, uint32_t slot);
clump_status clump_six_run_rounds(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, clump_six_round launch,
                                  int64_t *passes);

/* Puts a kernel on the stream with one thread per item, in thread blocks of CLUMP_SIX_THREADS. */
template <class... P, class... A>
static inline clump_status clump_six_launch(clump_work *work, clump_cuda *cuda, const char *what, uint64_t items,
                                            void (*kernel)(P...), const A &...arguments)
{
    return clump_launch_items(work, cuda, what, items, CLUMP_SIX_THREADS, CLUMP_GRID_MOST, kernel, arguments...);
}

/* Returns a label. In place it may be lowered meanwhile: a relaxed atomic load then, from L2. */
template <bool IN_PLACE> __device__ static inline uint32_t clump_six_label(const uint32_t *at)
{
    if (!IN_PLACE) return __ldg(at);
    uint32_t label;
    asm("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(label) : "l"(__cvta_generic_to_global(at)));
    return label;
}

__device__ static inline bool clump_six_round_is_due(const uint32_t *changed, uint32_t slot)
{
    return slot == 0 || changed[slot - 1];
}

/* The end of a round's kernel, for all threads of a thread block. Gathers m_t of each thread to m_b, which is the flag of
 * a hardware barrier. Only where m_b is set, thread 0 touches the flag of the grid, m_d. */
__device__ static inline void clump_six_round_flags(bool m_t, uint32_t *m_d)
{
    const bool m_b = __syncthreads_or(m_t);
    if (m_b && threadIdx.x == 0 && !*m_d) *m_d = 1;
}

/* ----- lists --------------------------------------------------------------------------------------- */

/* The visitor (neighbours.cuh) that writes the entries of a list, at the places of S: uint2 of E, uint32_t of N. */
template <class ENTRY> struct clump_six_fill {
    typedef uint64_t State; /* place of the next entry */
    static constexpr bool COUNTS = false;
    const uint64_t *start;
    ENTRY *list;
    __device__ State begin(uint32_t, size_t slot) const
    {
        return start[slot];
    }
    __device__ void found(State at, uint32_t i, uint32_t j, uint32_t before) const
    {
        if constexpr (sizeof(ENTRY) == sizeof(uint2))
            list[at + before] = make_uint2(i, j);
        else
            list[at + before] = j;
    }
    __device__ void advance(State &at, uint32_t n) const
    {
        at += n;
    }
    __device__ void end(size_t, State) const {}
};

/* Makes the list of all pairs, or, AFTER, of those with i < j, and runs rounds over it. */
template <class ENTRY, bool AFTER>
static clump_status clump_six_list_rounds(clump_work *work, clump_cuda *cuda, clump_cuda_six *g, const char *entries,
                                          clump_six_round launch, int64_t *passes)
{
    CLUMP_TRY(clump_six_starts(work, cuda, g, AFTER, sizeof(ENTRY), entries));
    const clump_six_fill<ENTRY> visit = {(const uint64_t *)g->starts.data, (ENTRY *)g->list.data};
    CLUMP_TRY(clump_six_visit_pairs<AFTER>(work, cuda, g->search, visit));
    CLUMP_TRY(clump_six_record_built(work, cuda, g));
    return clump_six_run_rounds(work, cuda, g, launch, passes);
}

#endif
