/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.cu: see icp.h. A step is two kernels:
 *
 *     find_pairs   source -> moved, and the place of its nearest point in the tree. A warp takes several consecutive
 *                  points. Each begins with its pair of the last step, or with that of the point before
 *     sum_pairs    a thread sums a run, a thread block a chunk, and the last thread block all chunks, in their order
 *
 * The total goes to host memory, followed by the number of the step. The host polls that number: waking a thread up would
 * take a good part of a step.
 */
#include "cuda/nn/icp.h"

#include "cuda/gpu/launch.h"
#include "cuda/nn/tree_search.cuh"
#include "rules/pairs.h"

#include <math.h>
#include <string.h>

/* Not measured on other machines. */
enum {
    ICP_THREADS = 256, /* per thread block of find_pairs */
    ICP_QUERIES = 8,   /* points per warp */
    ICP_PAIRS = 8,     /* pairs that a thread loads at a time */
    ICP_POLLS = 4096,  /* between two questions to the stream */
    ICP_ROW = 32,      /* doubles per chunk */
    ICP_WARPS = (int)CLUMP_PAIRS_RUNS / 32
};
static_assert((int)CLUMP_PAIRS_SUMS <= (int)ICP_ROW, "one sum per lane");
static_assert(ICP_WARPS == 2 && (int)CLUMP_PAIRS_RUN % (int)ICP_PAIRS == 0,
              "two warps are added, and loads fill a run");

/* Per source point, what the GPU keeps between steps. */
typedef struct icp_pairs {
    float4 *moved;    /* source points; w: the squared distance, where there is a pair */
    uint32_t *places; /* of target points in the tree; TREE_NONE: no pair */
    uint32_t count;
} icp_pairs;

/* The result of a step, in host memory. */
typedef struct icp_total {
    double sums[ICP_ROW];
    uint32_t step; /* written last */
} icp_total;

typedef struct icp_sums {
    const float *normals; /* of target points, by index */
    double center[3];
    double *chunks;    /* ICP_ROW doubles each */
    uint32_t *arrived; /* thread blocks that are done */
    icp_total *total;
    uint32_t step;
} icp_sums;

/* ----- pairs --------------------------------------------------------------------------------------- */

/* Begins a search with a point of the tree, if it is within the bound. */
__device__ static inline void begin_at(const clump_tree_view &tree, const tree_query &q, uint32_t place, uint32_t bound,
                                       tree_nearest_one *search)
{
    if (place == TREE_NONE) return;
    const float4 p = tree.points[place];
    const uint32_t bits = tree_point_bits(q, p);
    if (bits <= bound) *search = tree_nearest_one{bits, (uint32_t)__float_as_int(p.w), place};
}

__global__ static void __launch_bounds__(ICP_THREADS)
    find_pairs(clump_tree_view tree, clump_cloud_view source, clump_rigid motion, uint32_t bound, icp_pairs pairs)
{
    const uint32_t lane = clump_lane();
    const uint64_t base = (blockIdx.x * (uint64_t)ICP_THREADS + threadIdx.x) / 32 * ICP_QUERIES, own = base + lane;
    if (base >= pairs.count) return;
    const bool is_mine = lane < ICP_QUERIES && own < pairs.count;
    tree_query at = {NAN, NAN, NAN};
    if (is_mine) {
        const float *const p = (const float *)(source.points + own * source.stride);
        at.x = clump_moved(motion.turn, motion.move[0], p);
        at.y = clump_moved(motion.turn + 3, motion.move[1], p);
        at.z = clump_moved(motion.turn + 6, motion.move[2], p);
    }
    const bool is_query = isfinite(at.x) && isfinite(at.y) && isfinite(at.z);
    tree_nearest_one found = {bound, TREE_NONE, TREE_NONE};
    if (is_query) begin_at(tree, at, pairs.places[own], bound, &found);
    const uint32_t wanted = __ballot_sync(~0u, is_query);
    uint32_t last = TREE_NONE;
    for (int k = 0; k < ICP_QUERIES; k++) {
        if (!(wanted >> k & 1)) continue;
        const tree_query q = {__shfl_sync(~0u, at.x, k), __shfl_sync(~0u, at.y, k), __shfl_sync(~0u, at.z, k)};
        tree_nearest_one search = {__shfl_sync(~0u, found.best, k), __shfl_sync(~0u, found.which, k),
                                   __shfl_sync(~0u, found.place, k)};
        if (search.which == TREE_NONE) begin_at(tree, q, last, bound, &search);
        tree_search(tree, q, search);
        if (search.which != TREE_NONE) last = search.place;
        if ((int)lane == k) found = search;
    }
    if (!is_mine) return;
    pairs.moved[own] = make_float4(at.x, at.y, at.z, __int_as_float((int)found.best));
    pairs.places[own] = found.which == TREE_NONE ? TREE_NONE : found.place;
}

/* ----- sums ---------------------------------------------------------------------------------------- */

template <bool PLANE>
__device__ static inline void add_pairs(const clump_tree_view &tree, const icp_pairs &pairs, const icp_sums &s,
                                        uint64_t first, double *sums)
{
    float4 from[ICP_PAIRS], to[ICP_PAIRS];
    float normal[ICP_PAIRS][3];
    bool paired[ICP_PAIRS];
#pragma unroll
    for (int k = 0; k < ICP_PAIRS; k++) { /* all loads are issued before the first value is used */
        const uint64_t i = first + k;
        uint32_t place = TREE_NONE;
        from[k] = make_float4(NAN, NAN, NAN, 0.0f);
        if (i < pairs.count) from[k] = pairs.moved[i], place = pairs.places[i];
        paired[k] = place != TREE_NONE;
        to[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (paired[k]) to[k] = tree.points[place];
    }
    if constexpr (PLANE) {
#pragma unroll
        for (int k = 0; k < ICP_PAIRS; k++) {
            const uint64_t index = (uint32_t)__float_as_int(to[k].w);
            for (int j = 0; j < 3; j++) normal[k][j] = paired[k] ? s.normals[3 * index + j] : 0.0f;
        }
    }
#pragma unroll
    for (int k = 0; k < ICP_PAIRS; k++) {
        const float p[3] = {from[k].x, from[k].y, from[k].z}, q[3] = {to[k].x, to[k].y, to[k].z};
        if (isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]))
            sums[CLUMP_SUM_FINITE] = clump_double_add(sums[CLUMP_SUM_FINITE], 1);
        if (!paired[k]) continue;
        if constexpr (PLANE)
            clump_plane_add(sums, s.center, p, q, from[k].w, normal[k]);
        else
            clump_pair_add(sums, s.center, p, q, from[k].w);
    }
}

/* Adds up the chunks, in the last thread block to call this. */
__device__ static inline void sum_chunks(const icp_sums &s, int sums)
{
    __shared__ bool is_last;
    __threadfence(); /* the chunk is visible before it is counted */
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicAdd(s.arrived, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last || threadIdx.x >= 32) return;
    __threadfence();
    double sum = 0;
    if ((int)threadIdx.x < sums) {
#pragma unroll 16
        for (uint32_t c = 0; c < gridDim.x; c++)
            sum = clump_double_add(sum, __ldcg(&s.chunks[(uint64_t)c * ICP_ROW + threadIdx.x]));
    }
    s.total->sums[threadIdx.x] = sum;
    if (threadIdx.x == 0) *s.arrived = 0;
    __threadfence_system();
    __syncwarp();
    if (threadIdx.x == 0) *(volatile uint32_t *)&s.total->step = s.step;
}

/* Sums the pairs: one thread block per chunk, one thread per run. */
template <bool PLANE>
__global__ static void __launch_bounds__(CLUMP_PAIRS_RUNS) sum_pairs(clump_tree_view tree, icp_pairs pairs, icp_sums s)
{
    constexpr int SUMS = PLANE ? CLUMP_PLANE_SUMS : CLUMP_POINT_SUMS;
    __shared__ double of_warp[ICP_WARPS][ICP_ROW];
    const uint32_t t = threadIdx.x;
    const uint64_t first = (blockIdx.x * (uint64_t)CLUMP_PAIRS_RUNS + t) * CLUMP_PAIRS_RUN;
    double sums[SUMS] = {};
#pragma unroll 1
    for (int k = 0; k < CLUMP_PAIRS_RUN; k += ICP_PAIRS) add_pairs<PLANE>(tree, pairs, s, first + k, sums);
    __syncwarp();
#pragma unroll
    for (int k = 0; k < SUMS; k++) {
        for (int step = 1; step < 32; step *= 2) /* both lanes of a pair get its sum */
            sums[k] = clump_double_add(sums[k], __shfl_xor_sync(~0u, sums[k], step));
        if (t % 32 == 0) of_warp[t / 32][k] = sums[k];
    }
    __syncthreads();
    if (t < SUMS) s.chunks[(uint64_t)blockIdx.x * ICP_ROW + t] = clump_double_add(of_warp[0][t], of_warp[1][t]);
    sum_chunks(s, SUMS);
}

/* ----- the whole ----------------------------------------------------------------------------------- */

static uint32_t chunks_of(uint32_t count)
{
    return (uint32_t)((count + (uint64_t)CLUMP_PAIRS_CHUNK - 1) / CLUMP_PAIRS_CHUNK);
}

static icp_pairs pairs_of(const clump_cuda_icp *icp)
{
    const uint32_t n = icp->source.count;
    float4 *const moved = (float4 *)icp->pairs.data;
    return icp_pairs{moved, (uint32_t *)(moved + n), n};
}

static uint32_t *arrived_of(const clump_cuda_icp *icp) /* behind the chunks */
{
    return (uint32_t *)((double *)icp->chunks.data + (size_t)chunks_of(icp->source.count) * ICP_ROW);
}

void clump_cuda_icp_trim(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp)
{
    clump_transfer_trim(ctx, cuda, &icp->normals);
    clump_device_release(ctx, cuda, &icp->pairs);
    clump_device_release(ctx, cuda, &icp->chunks);
    clump_pinned_release(ctx, &icp->total);
}

clump_status clump_cuda_icp_begin(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  const clump_icp_job *job)
{
    clump_cloud_view normals = {};
    icp->step = 0;
    CLUMP_TRY(clump_send_cloud(ctx, cuda, transfer, job->source, job->count, job->stride, &icp->source));
    if (job->normals)
        CLUMP_TRY(clump_send_cloud(ctx, cuda, &icp->normals, (const char *)job->normals, job->targets,
                                   3 * sizeof(float), &normals));
    icp->normals_there = (const float *)normals.points;
    if (job->count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &icp->pairs, job->count * (sizeof(float4) + sizeof(uint32_t))));
    CLUMP_TRY(clump_device_reserve(ctx, cuda, &icp->chunks,
                                   (size_t)chunks_of(icp->source.count) * ICP_ROW * sizeof(double) + sizeof(uint32_t)));
    CLUMP_TRY(clump_pinned_reserve(ctx, cuda, &icp->total, sizeof(icp_total)));
    ((icp_total *)icp->total.data)->step = 0;
    CLUMP_CUDA(ctx, cuda, "clearing pairs",
               cudaMemsetAsync(pairs_of(icp).places, 0xff, job->count * sizeof(uint32_t), cuda->stream));
    CLUMP_CUDA(ctx, cuda, "clearing pairs", cudaMemsetAsync(arrived_of(icp), 0, sizeof(uint32_t), cuda->stream));
    return CLUMP_OK;
}

/* Waits for the total of a step. Now and then asks the stream, which reports a lost GPU. */
static clump_status await_total(clump_context *ctx, clump_cuda *cuda, const icp_total *total, uint32_t step)
{
    for (uint32_t poll = 0; __atomic_load_n(&total->step, __ATOMIC_ACQUIRE) != step; poll++)
        if (poll % ICP_POLLS == ICP_POLLS - 1) {
            const cudaError_t state = cudaStreamQuery(cuda->stream);
            if (state == cudaErrorNotReady) continue;
            CLUMP_CUDA(ctx, cuda, "waiting for the GPU", state);
            if (__atomic_load_n(&total->step, __ATOMIC_ACQUIRE) != step)
                return clump_fail(ctx, CLUMP_ERR_DEVICE, "the GPU ended an iteration without a word");
        }
    return CLUMP_OK;
}

clump_status clump_cuda_icp_step(clump_context *ctx, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums)
{
    memset(sums, 0, CLUMP_PAIRS_SUMS * sizeof *sums);
    const icp_pairs pairs = pairs_of(icp);
    if (pairs.count == 0) return CLUMP_OK;
    CLUMP_ASSERT(pairs.count == job->count && job->bound >= 0);
    uint32_t bound;
    memcpy(&bound, &job->bound, sizeof bound);
    icp_total *const total = (icp_total *)icp->total.data;
    icp_sums s = {};
    s.normals = icp->normals_there;
    memcpy(s.center, job->center, sizeof s.center);
    s.chunks = (double *)icp->chunks.data;
    s.arrived = arrived_of(icp);
    s.total = total;
    s.step = ++icp->step;
    const uint64_t warps = (pairs.count + (uint64_t)ICP_QUERIES - 1) / ICP_QUERIES;
    const clump_launch per_chunk = {chunks_of(pairs.count), CLUMP_PAIRS_RUNS, 0, cuda->stream, false, 0};
    CLUMP_TRY(clump_launch_items(ctx, cuda, "searching pairs", warps * 32, ICP_THREADS, CLUMP_GRID_MOST, find_pairs,
                                 *tree, icp->source, *motion, bound, pairs));
    CLUMP_TRY(clump_launch_kernel(ctx, cuda, "adding pairs up", per_chunk,
                                  job->normals ? sum_pairs<true> : sum_pairs<false>, *tree, pairs, s));
    CLUMP_TRY(await_total(ctx, cuda, total, s.step));
    memcpy(sums, total->sums, (job->normals ? CLUMP_PLANE_SUMS : CLUMP_POINT_SUMS) * sizeof *sums);
    return CLUMP_OK;
}
