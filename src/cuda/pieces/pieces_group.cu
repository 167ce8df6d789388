/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_group.cu: groups the points of chunks by key (rules/pieces.h), a counting sort on the GPU:
 *
 *     keys     each point: its key; counts per key
 *     scan     one thread block: where each key starts
 *     scatter  each point takes the next place of its key; the order within a key does not matter
 */
#include "cuda/pieces/pieces_steps.h"

extern "C" {
#include "common/team.h"
}

enum {
    GROUP_THREADS = 256,
    GROUP_BLOCKS = 8, /* per multiprocessor: 2048 threads, all that fit on an H200 */
    GROUP_SCAN_THREADS = 1024,
    GROUP_COPY_THREADS = 8 /* as in gpu/transfer.cu: more are not faster */
};

typedef struct group_chunk {
    clump_pieces_grid grid;
    clump_cloud_view view;
    uint32_t base; /* index of the first point */
    uint32_t keys; /* the key of points that are left out */
    uint32_t *key_of, *starts, *cursors;
    float *points;
    uint32_t *indices;
    pieces_figures *figures;
} group_chunk;

/* ----- kernels -------------------------------------------------------------------------------------- */

/* Returns the next place of a key, CLUMP_GPU_NONE for none. All lanes call it: those with the same key make one atomic
 * operation. */
__device__ static inline uint32_t take_place(uint32_t *cursors, uint32_t key)
{
    const uint32_t same = __match_any_sync(~0u, key);
    const int leader = __ffs((int)same) - 1;
    uint32_t at = 0;
    if (key != CLUMP_GPU_NONE && (int)clump_lane() == leader) at = atomicAdd(&cursors[key], (uint32_t)__popc(same));
    return __shfl_sync(~0u, at, leader) + (uint32_t)__popc(same & clump_lanes_below());
}

__global__ static void __launch_bounds__(GROUP_THREADS) keys_kernel(group_chunk c)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t i0 = team.thread - clump_lane(); i0 < c.view.count; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        const bool is_there = i < c.view.count;
        float x, y, z;
        bool finite = true, masked = false;
        uint32_t key = is_there ? c.keys : CLUMP_GPU_NONE;
        if (is_there && clump_view_point(c.view, i, &x, &y, &z, &finite, &masked))
            key = clump_pieces_key(&c.grid, x, y, z);
        if (is_there) c.key_of[i] = key;
        (void)take_place(c.cursors, key);
        const uint32_t unfit = (uint32_t)__popc(__ballot_sync(~0u, !finite)),
                       hidden = (uint32_t)__popc(__ballot_sync(~0u, masked));
        if (clump_lane() == 0 && unfit) atomicAdd(&c.figures->not_finite, (unsigned long long)unfit);
        if (clump_lane() == 0 && hidden) atomicAdd(&c.figures->masked, (unsigned long long)hidden);
    }
}

/* Prefix sum of the counts in `cursors`, by one thread block. */
__global__ static void __launch_bounds__(GROUP_SCAN_THREADS) scan_kernel(group_chunk c)
{
    __shared__ uint32_t sums[GROUP_SCAN_THREADS / 32];
    const uint32_t warp = threadIdx.x / 32;
    uint32_t carry = 0;
    for (uint32_t k0 = 0; k0 <= c.keys; k0 += GROUP_SCAN_THREADS) {
        const uint32_t k = k0 + threadIdx.x;
        uint32_t total;
        const uint32_t before = clump_warp_scan(k <= c.keys ? c.cursors[k] : 0, &total);
        if (clump_lane() == 0) sums[warp] = total;
        __syncthreads();
        uint32_t earlier = carry;
        for (uint32_t w = 0; w < GROUP_SCAN_THREADS / 32; w++) {
            if (w < warp) earlier += sums[w];
            carry += sums[w];
        }
        if (k <= c.keys) c.starts[k] = c.cursors[k] = earlier + before;
        __syncthreads();
    }
}

__global__ static void __launch_bounds__(GROUP_THREADS) scatter_kernel(group_chunk c)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t i0 = team.thread - clump_lane(); i0 < c.view.count; i0 += team.threads) {
        const uint64_t i = i0 + clump_lane();
        const bool is_there = i < c.view.count;
        const uint32_t at = take_place(c.cursors, is_there ? c.key_of[i] : CLUMP_GPU_NONE);
        if (!is_there) continue;
        const float *const from = (const float *)(c.view.points + i * c.view.stride);
        float *const to = c.points + 3 * (size_t)at;
        to[0] = from[0], to[1] = from[1], to[2] = from[2];
        c.indices[at] = c.base + (uint32_t)i;
    }
}

/* ----- one chunk ------------------------------------------------------------------------------------------- */

size_t pieces_group_fixed(size_t cells)
{
    clump_cutter c = {NULL, 0};
    uint32_t *keys;
    clump_cut(&c, &keys, 2 * cells + 1);
    clump_cut(&c, &keys, 2 * cells + 1);
    return c.used + 8 * 256; /* and the ends of the arrays with an entry per point */
}

/* Where the points of a chunk come from: the caller's memory, or `staging` after packing. */
static clump_status stage(clump_work *work, clump_cuda *cuda, const clump_cuda_pieces *p, clump_pieces_lane *lane,
                          const clump_cloud_job *in, size_t first, size_t n, bool direct, const void **from)
{
    *from = in->points + first * in->stride;
    if (direct) return CLUMP_OK;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &lane->staging, p->sizes.chunk * 3 * sizeof(float)));
    if (lane->staged) CLUMP_CUDA(work, cuda, "sending points to the GPU", cudaEventSynchronize(lane->staged));
    clump_copy_rows(work->team, lane->staging.data, *from, 3 * sizeof(float), in->stride, n,
                    work->threads < GROUP_COPY_THREADS ? work->threads : (int)GROUP_COPY_THREADS);
    *from = lane->staging.data;
    return CLUMP_OK;
}

static void lay_out(const clump_cuda_pieces *p, size_t slot, size_t n, bool masked, group_chunk *c)
{
    clump_cutter cutter = {pieces_slot_memory(p, slot), 0};
    float *points;
    uint8_t *mask;
    clump_cut(&cutter, &c->starts, c->keys + (size_t)1);
    clump_cut(&cutter, &c->cursors, c->keys + (size_t)1);
    clump_cut(&cutter, &points, 3 * n);
    clump_cut(&cutter, &mask, n);
    clump_cut(&cutter, &c->key_of, n);
    clump_cut(&cutter, &c->points, 3 * n);
    clump_cut(&cutter, &c->indices, n);
    CLUMP_ASSERT(cutter.used <= pieces_slot_bytes(&p->sizes));
    c->view.points = (const char *)points;
    c->view.stride = 3 * sizeof(float);
    c->view.mask = masked ? mask : NULL;
    c->view.count = (uint32_t)n;
}

static clump_status launch_kernels(clump_work *work, clump_cuda *cuda, const group_chunk &c)
{
    static const char what[] = "grouping points";
    const uint64_t most = (uint64_t)cuda->units * GROUP_BLOCKS;
    CLUMP_CUDA(work, cuda, what, cudaMemsetAsync(c.cursors, 0, (c.keys + (size_t)1) * sizeof(uint32_t), cuda->stream));
    CLUMP_TRY(clump_launch_items(work, cuda, what, c.view.count, GROUP_THREADS, most, keys_kernel, c));
    CLUMP_TRY(clump_launch_items(work, cuda, what, 1, GROUP_SCAN_THREADS, 1, scan_kernel, c));
    return clump_launch_items(work, cuda, what, c.view.count, GROUP_THREADS, most, scatter_kernel, c);
}

/* Puts a chunk on the stream of its slot. */
static clump_status group_one(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_cloud_job *in,
                              size_t chunk, bool direct)
{
    const size_t slot = chunk % CLUMP_PIECES_SLOTS;
    clump_pieces_lane *const lane = &p->lanes[slot];
    const pieces_on_lane on(cuda, lane);
    static const char up[] = "sending points to the GPU", down[] = "fetching points from the GPU";
    const size_t first = chunk * p->sizes.chunk, n = pieces_chunk_count(p, in->count, chunk);
    const void *from;
    CLUMP_TRY(stage(work, cuda, p, lane, in, first, n, direct, &from));
    group_chunk c = {};
    c.grid = p->plan.grid;
    c.grid.tiling.tiles = (const uint32_t *)p->table.data;
    c.keys = (uint32_t)p->keys;
    c.base = (uint32_t)first;
    c.figures = (pieces_figures *)p->figures.data;
    lay_out(p, slot, n, in->mask != NULL, &c);
    c.view.two_d = in->two_d;
    const cudaStream_t s = cuda->stream;
    CLUMP_CUDA(work, cuda, up,
               cudaMemcpyAsync((void *)c.view.points, from, n * c.view.stride, cudaMemcpyHostToDevice, s));
    CLUMP_TRY(clump_transfer_record(work, cuda, &lane->staged));
    if (in->mask)
        CLUMP_CUDA(work, cuda, up,
                   cudaMemcpyAsync((void *)c.view.mask, in->mask + first, n, cudaMemcpyHostToDevice, s));
    CLUMP_TRY(launch_kernels(work, cuda, c));
    float *const points = (float *)p->points.data + 3 * first;
    uint32_t *const indices = (uint32_t *)p->indices.data + first;
    CLUMP_CUDA(work, cuda, down, cudaMemcpyAsync(points, c.points, 3 * n * sizeof *points, cudaMemcpyDeviceToHost, s));
    CLUMP_CUDA(work, cuda, down, cudaMemcpyAsync(indices, c.indices, n * sizeof *indices, cudaMemcpyDeviceToHost, s));
    CLUMP_CUDA(work, cuda, down,
               cudaMemcpyAsync(pieces_starts(p, chunk), c.starts, (p->keys + 1) * sizeof(uint32_t),
                               cudaMemcpyDeviceToHost, s));
    return CLUMP_OK;
}

/* ----- all chunks ------------------------------------------------------------------------------------------- */

/* Adds the points per cell of a chunk to the plan. */
static void count_cells(clump_cuda_pieces *p, size_t chunk)
{
    const uint32_t *const starts = pieces_starts(p, chunk);
    for (size_t c = 0; c < p->plan.cells; c++) {
        p->plan.edges[c] += starts[2 * c + 1] - starts[2 * c];
        p->plan.loads[c] += starts[2 * c + 2] - starts[2 * c];
    }
}

clump_status pieces_group(clump_work *work, clump_cuda *cuda, clump_cuda_pieces *p, const clump_pieces_job *job)
{
    const clump_cloud_job *const in = job->in;
    const bool direct = in->stride == 3 * sizeof(float) && clump_pinned_address(in->points);
    p->keys = 2 * (size_t)p->plan.cells;
    CLUMP_TRY(clump_pinned_reserve(work, cuda, &p->starts, p->sizes.chunks * (p->keys + 1) * sizeof(uint32_t)));
    CLUMP_TRY(clump_device_reserve(work, cuda, &p->table, p->sizes.cells * sizeof(uint32_t)));
    CLUMP_CUDA(work, cuda, "sending the grid to the GPU",
               cudaMemcpyAsync(p->table.data, p->plan.grid.tiling.tiles, p->plan.cells * sizeof(uint32_t),
                               cudaMemcpyHostToDevice, cuda->stream));
    CLUMP_CUDA(work, cuda, "grouping points",
               cudaMemsetAsync(p->figures.data, 0, sizeof(pieces_figures), cuda->stream));
    CLUMP_TRY(clump_cuda_synchronize(work, cuda, "sending the grid to the GPU"));
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) {
        CLUMP_TRY(clump_poll(work));
        CLUMP_TRY(group_one(work, cuda, p, in, chunk, direct));
    }
    for (clump_pieces_lane &lane : p->lanes)
        CLUMP_CUDA(work, cuda, "grouping points", cudaStreamSynchronize(lane.stream));
    for (size_t chunk = 0; chunk < p->sizes.chunks; chunk++) count_cells(p, chunk);
    return CLUMP_OK;
}
