/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp.cu: see icp.h. A step is two kernels, and three more where pairs are trimmed:
 *
 *     find_pairs   source -> moved, and the place of its nearest point in the tree. A warp takes a pack (icp_pack.cuh):
 *                  up to 32 points that are close together, from a leaf of a tree of the source
 *     (icp_cut.cu) trimmed: the largest distance of the pairs that are kept
 *     sum_pairs    a thread sums a run, a thread block a chunk, and the last thread block all chunks, in their order
 *
 * The total goes to host memory, followed by the number of the step. The host polls that number: waking a thread up would
 * take a good part of a step.
 */
#include "cuda/nn/icp.h"

#include "cuda/gpu/launch.h"
#include "cuda/nn/icp_pack.cuh"
#include "rules/pairs.h"

#include <math.h>
#include <string.h>

enum {
    ICP_THREADS = 64, /* per thread block of find_pairs */
    ICP_PACKS = 4096, /* at least. KITTI, H200: packs of 16 take 0.089 ms per iteration, of 8 0.092, of 32 0.103 */
    ICP_PAIRS = 8,    /* pairs that a thread loads at a time */
    ICP_POLLS = 4096, /* between two questions to the stream */
    ICP_ROW = 32,     /* doubles per chunk */
    ICP_WARPS = (int)CLUMP_PAIRS_RUNS / 32
};
static_assert((int)CLUMP_PAIRS_SUMS <= (int)ICP_ROW, "one sum per lane");
static_assert(ICP_WARPS == 2 && (int)CLUMP_PAIRS_RUN % (int)ICP_PAIRS == 0,
              "two warps are added, and loads fill a run");

/* Per source point, by its index, what the GPU keeps between steps. */
typedef struct icp_pairs {
    float4 *moved;    /* source points; w: the squared distance of the pair, or NaN */
    uint32_t *places; /* of target points in the tree; TREE_NONE: no pair */
    uint32_t count;
} icp_pairs;

/* The result of a step, in host memory. */
typedef struct icp_total {
    double sums[ICP_ROW];
    uint32_t step; /* written last */
} icp_total;

typedef struct icp_sums {
    const float4 *normals; /* of target points, by place */
    const uint32_t *cut;   /* bits of the largest squared distance of the pairs that are kept; null: all are */
    double center[3];
    clump_kernel kernel;
    double *chunks;    /* ICP_ROW doubles each */
    uint32_t *arrived; /* thread blocks that are done */
    icp_total *total;
    uint32_t step;
} icp_sums;

/* ----- pairs --------------------------------------------------------------------------------------- */

/* Begins a search with a point of the tree, if it is nearer than the bound. */
__device__ static inline void begin_at(const clump_tree_view &tree, uint32_t place, pack_lane &lane)
{
    if (place == TREE_NONE) return;
    const float4 p = tree.points[place];
    pack_take(lane, tree_point_bits(lane.at, p), (uint32_t)__float_as_int(p.w), place);
}

/* Searches for one query without a pair, and begins the searches of the others with what it finds. */
__device__ static inline void begin_without_pairs(const clump_tree_view &tree, uint32_t bound, pack_lane &lane)
{
    const uint32_t without = __ballot_sync(~0u, lane.which == TREE_NONE);
    if (without == 0) return;
    const int k = __ffs((int)without) - 1;
    const tree_query q = {__shfl_sync(~0u, lane.at.x, k), __shfl_sync(~0u, lane.at.y, k),
                          __shfl_sync(~0u, lane.at.z, k)};
    tree_nearest_one search = {bound, TREE_NONE, TREE_NONE};
    tree_search(tree, q, search);
    if (search.which != TREE_NONE && lane.which == TREE_NONE) begin_at(tree, search.place, lane);
}

__global__ static void __launch_bounds__(ICP_THREADS)
    find_pairs(clump_tree_view tree, clump_tree_view source, uint32_t pack, clump_rigid motion, uint32_t bound,
               icp_pairs pairs)
{
    const uint64_t first = (blockIdx.x * (uint64_t)ICP_THREADS + threadIdx.x) / 32 * pack, i = first + clump_lane();
    if (first >= source.count) return;
    float4 given = make_float4(NAN, NAN, NAN, __int_as_float(-1));
    if (clump_lane() < pack && i < source.count) given = source.points[i];
    const uint32_t own = (uint32_t)__float_as_int(given.w);
    pack_lane lane = {{NAN, NAN, NAN}, 0, 0, TREE_NONE};
    if (own != TREE_NONE) { /* finite */
        const float p[3] = {given.x, given.y, given.z};
        lane.at.x = clump_moved(motion.turn, motion.move[0], p);
        lane.at.y = clump_moved(motion.turn + 3, motion.move[1], p);
        lane.at.z = clump_moved(motion.turn + 6, motion.move[2], p);
    }
    const bool is_query = isfinite(lane.at.x) && isfinite(lane.at.y) && isfinite(lane.at.z);
    if (is_query) {
        lane.best = bound, lane.which = TREE_NONE;
        begin_at(tree, pairs.places[own], lane);
    }
    if (__any_sync(~0u, is_query)) {
        begin_without_pairs(tree, bound, lane);
        pack_search(tree, pack_box_of(lane.at, is_query), lane);
    }
    if (own == TREE_NONE) return;
    const bool is_pair = is_query && lane.which != TREE_NONE;
    pairs.moved[own] = make_float4(lane.at.x, lane.at.y, lane.at.z, is_pair ? __int_as_float((int)lane.best) : NAN);
    pairs.places[own] = is_pair ? lane.place : TREE_NONE;
}

/* ----- sums ---------------------------------------------------------------------------------------- */

template <bool PLANE>
__device__ static inline void add_pairs(const clump_tree_view &tree, const icp_pairs &pairs, const icp_sums &s,
                                        uint32_t cut, uint64_t first, double *sums)
{
    float4 from[ICP_PAIRS], to[ICP_PAIRS], normal[ICP_PAIRS];
    bool paired[ICP_PAIRS];
#pragma unroll
    for (int k = 0; k < ICP_PAIRS; k++) { /* all loads are issued before the first value is used */
        const uint64_t i = first + k;
        uint32_t place = TREE_NONE;
        from[k] = make_float4(NAN, NAN, NAN, NAN);
        if (i < pairs.count) from[k] = pairs.moved[i], place = pairs.places[i];
        paired[k] = place != TREE_NONE;
        to[k] = normal[k] = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        if (paired[k]) to[k] = tree.points[place];
        if (PLANE && paired[k]) normal[k] = s.normals[place];
    }
#pragma unroll
    for (int k = 0; k < ICP_PAIRS; k++) {
        const float p[3] = {from[k].x, from[k].y, from[k].z}, q[3] = {to[k].x, to[k].y, to[k].z};
        if (isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]))
            sums[CLUMP_SUM_FINITE] = clump_double_add(sums[CLUMP_SUM_FINITE], 1);
        if (!paired[k]) continue;
        sums[CLUMP_SUM_PAIRS] = clump_double_add(sums[CLUMP_SUM_PAIRS], 1);
        if ((uint32_t)__float_as_int(from[k].w) > cut) continue;
        const float n[3] = {normal[k].x, normal[k].y, normal[k].z};
        if constexpr (PLANE)
            clump_plane_add(sums, s.center, s.kernel, p, q, from[k].w, n);
        else
            clump_pair_add(sums, s.center, s.kernel, p, q, from[k].w);
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
    clump_after_previous();
    const uint32_t cut = s.cut ? *s.cut : TREE_NONE;
#pragma unroll 1
    for (int k = 0; k < CLUMP_PAIRS_RUN; k += ICP_PAIRS) add_pairs<PLANE>(tree, pairs, s, cut, first + k, sums);
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

/* Returns the number of queries per pack: a power of two. Few points are far apart, and small packs use more threads. */
static uint32_t pack_of(uint32_t count)
{
    uint32_t pack = 1;
    while (pack < 32 && count / pack >= 2 * ICP_PACKS) pack *= 2;
    return pack;
}

static uint32_t chunks_of(uint32_t count)
{
    return (uint32_t)((count + (uint64_t)CLUMP_PAIRS_CHUNK - 1) / CLUMP_PAIRS_CHUNK);
}

static icp_pairs pairs_of(const clump_cuda_icp *icp)
{
    const uint32_t n = icp->count;
    float4 *const moved = (float4 *)icp->pairs.data;
    return icp_pairs{moved, (uint32_t *)(moved + n), n};
}

static uint32_t *arrived_of(const clump_cuda_icp *icp) /* behind the chunks */
{
    return (uint32_t *)((double *)icp->chunks.data + (size_t)chunks_of(icp->count) * ICP_ROW);
}

static clump_icp_cut *cut_of(const clump_cuda_icp *icp)
{
    return (clump_icp_cut *)icp->cut.data;
}

void clump_cuda_icp_trim(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp)
{
    clump_cuda_normals_trim(work, cuda, &icp->normals);
    clump_device_release(work, cuda, &icp->pairs);
    clump_device_release(work, cuda, &icp->chunks);
    clump_device_release(work, cuda, &icp->cut);
    clump_device_release(work, cuda, &icp->source.points);
    clump_device_release(work, cuda, &icp->source.boxes);
    clump_device_release(work, cuda, &icp->finite);
    clump_pinned_release(work, &icp->total);
}

/* Reserves the memory of the steps and clears what they begin with. */
static clump_status prepare_steps(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp, const clump_icp_job *job)
{
    CLUMP_TRY(clump_device_reserve(work, cuda, &icp->pairs, job->count * (sizeof(float4) + sizeof(uint32_t))));
    CLUMP_TRY(clump_device_reserve(work, cuda, &icp->chunks,
                                   (size_t)chunks_of(icp->count) * ICP_ROW * sizeof(double) + sizeof(uint32_t)));
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &icp->total, sizeof(icp_total)));
    ((icp_total *)icp->total.data)->step = 0;
    /* no pairs, and NaN for the points that are not finite */
    CLUMP_CUDA(work, cuda, "clearing pairs",
               cudaMemsetAsync(icp->pairs.data, 0xff, job->count * (sizeof(float4) + sizeof(uint32_t)), cuda->stream));
    CLUMP_CUDA(work, cuda, "clearing pairs", cudaMemsetAsync(arrived_of(icp), 0, sizeof(uint32_t), cuda->stream));
    if (job->keep >= 1) return CLUMP_OK;
    CLUMP_TRY(clump_device_reserve(work, cuda, &icp->cut, sizeof(clump_icp_cut)));
    CLUMP_CUDA(work, cuda, "clearing pairs", cudaMemsetAsync(cut_of(icp), 0, sizeof(clump_icp_cut), cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_icp_begin(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp, clump_transfer *transfer,
                                  clump_tree_scratch *scratch, const clump_tree_view *tree, const clump_icp_job *job)
{
    clump_cloud_view source;
    icp->step = 0;
    icp->count = (uint32_t)job->count;
    if (job->count == 0) return CLUMP_OK;
    if (job->normal_neighbours > 0) /* first: the host packs the source meanwhile */
        CLUMP_TRY(clump_cuda_normals_find(work, cuda, &icp->normals, tree, (uint32_t)job->normal_neighbours,
                                          job->normal_flat));
    CLUMP_TRY(clump_send_cloud(work, cuda, transfer, job->source, job->count, job->stride, &source));
    CLUMP_TRY(clump_device_reserve(work, cuda, &icp->finite, sizeof(uint32_t)));
    CLUMP_TRY(
        clump_cuda_tree_build(work, cuda, scratch, work, cuda, &icp->source, &source, (uint32_t *)icp->finite.data));
    return prepare_steps(work, cuda, icp, job);
}

/* Waits for the total of a step. Now and then asks the stream, which reports a lost GPU. */
static clump_status await_total(clump_work *work, clump_cuda *cuda, const icp_total *total, uint32_t step)
{
    for (uint32_t poll = 0; __atomic_load_n(&total->step, __ATOMIC_ACQUIRE) != step; poll++)
        if (poll % ICP_POLLS == ICP_POLLS - 1) {
            const cudaError_t state = cudaStreamQuery(cuda->stream);
            if (state == cudaErrorNotReady) continue;
            CLUMP_CUDA(work, cuda, "waiting for the GPU", state);
            if (__atomic_load_n(&total->step, __ATOMIC_ACQUIRE) != step)
                return clump_fail(work, CLUMP_ERR_DEVICE, "the GPU ended an iteration without a word");
        }
    return CLUMP_OK;
}

clump_status clump_cuda_icp_step(clump_work *work, clump_cuda *cuda, clump_cuda_icp *icp, const clump_tree_view *tree,
                                 const clump_icp_job *job, const clump_rigid *motion, double *sums)
{
    memset(sums, 0, CLUMP_PAIRS_SUMS * sizeof *sums);
    const icp_pairs pairs = pairs_of(icp);
    if (pairs.count == 0) return CLUMP_OK;
    CLUMP_ASSERT(pairs.count == job->count && job->bound >= 0);
    uint32_t bound;
    memcpy(&bound, &job->bound, sizeof bound);
    icp_total *const total = (icp_total *)icp->total.data;
    const bool plane = job->normal_neighbours > 0, trimmed = job->keep < 1;
    icp_sums s = {};
    s.normals = plane ? (const float4 *)icp->normals.normals.data : NULL;
    s.cut = trimmed ? &cut_of(icp)->prefix : NULL;
    memcpy(s.center, job->center, sizeof s.center);
    s.kernel = job->kernel;
    s.chunks = (double *)icp->chunks.data;
    s.arrived = arrived_of(icp);
    s.total = total;
    s.step = ++icp->step;
    const uint32_t pack = pack_of(pairs.count);
    const uint64_t packs = ((uint64_t)pairs.count + pack - 1) / pack;
    const clump_launch per_chunk = {chunks_of(pairs.count), CLUMP_PAIRS_RUNS, 0, cuda->stream, cuda->overlaps, 0};
    CLUMP_TRY(clump_launch_items(work, cuda, "searching pairs", 32 * packs, ICP_THREADS, CLUMP_GRID_MOST, find_pairs,
                                 *tree, icp->source.view, pack, *motion, bound, pairs));
    if (trimmed)
        CLUMP_TRY(clump_cuda_icp_cut(work, cuda, (const float4 *)pairs.moved, pairs.count, job->keep, cut_of(icp)));
    CLUMP_TRY(clump_launch_kernel(work, cuda, "adding pairs up", per_chunk, plane ? sum_pairs<true> : sum_pairs<false>,
                                  *tree, pairs, s));
    CLUMP_TRY(await_total(work, cuda, total, s.step));
    memcpy(sums, total->sums, (plane ? CLUMP_PLANE_SUMS : CLUMP_POINT_SUMS) * sizeof *sums);
    return CLUMP_OK;
}
