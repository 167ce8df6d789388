/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_kernels.cuh: the kernels of a growing radius, in the order in which they run (ranged.cu). A thread takes a
 * point, a slot or a cell at a time, a warp a node; none waits for others. A cell with many points costs a test of its
 * nodes, the boxes of 32 points each.
 */
#ifndef CLUMP_CUDA_RANGED_RANGED_KERNELS_CUH
#define CLUMP_CUDA_RANGED_RANGED_KERNELS_CUH

#include "cuda/gpu/labels.h"
#include "cuda/gpu/warp.cuh"
#include "cuda/ranged/ranged_job.cuh"

enum { RANGED_THREADS = 128 }; /* per thread block */

#define RANGED_FOR(i, n)                                                                                               \
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < (n); i += gridDim.x * (size_t)blockDim.x)

/* ----- points into cells ---------------------------------------------------------------------------------- */

/* Finds or claims the slot of the point's block. The block of a slot follows from its owner, which is a point. */
__global__ static void ranged_enter(const ranged_job job)
{
    RANGED_FOR(i, job.view.count)
    {
        ranged_point p;
        job.slot_of[i] = RANGED_NONE;
        job.parent[i] = (uint32_t)i; /* each cluster at eps is a set of its own */
        if (!ranged_load(job, job.view, i, job.from, &p)) continue;
        uint32_t sub, unused;
        const ranged_block block = ranged_block_of(job, p, &sub);
        uint32_t s = ranged_slot(job, block);
        for (;; s = (s + 1) & job.slot_mask) {
            uint32_t owner = CLUMP_UF_LOAD(&job.owner[s]);
            if (owner == 0) owner = atomicCAS(&job.owner[s], 0u, (uint32_t)i + 1);
            if (owner == 0) break;
            ranged_point q;
            ranged_load(job, job.view, owner - 1, job.from, &q);
            if (ranged_same(ranged_block_of(job, q, &unused), block)) break;
        }
        /* read first: the atomics of many points in one cell would wait for each other */
        if (!(*(volatile unsigned long long *)&job.cells[s] >> sub & 1)) atomicOr(&job.cells[s], 1ull << sub);
        uint32_t *const used = &job.counters->used[p.level / 32];
        if (!(CLUMP_UF_LOAD(used) >> p.level % 32 & 1)) atomicOr(used, 1u << p.level % 32);
        job.slot_of[i] = s;
    }
}

/* Raises a number of several threads. It reads first: most values change nothing, and atomics would wait for each other. */
__device__ static inline void ranged_raise(uint32_t *at, uint32_t value)
{
    if (value > CLUMP_UF_LOAD(at)) atomicMax(at, value);
}

/* Numbers the cells, and finds the boxes of the levels. */
__global__ static void ranged_number(const ranged_job job)
{
    RANGED_FOR(s, (size_t)job.slot_mask + 1) /* whole warps: there are 1024 slots or a multiple of it */
    {
        const bool used = job.owner[s] != 0;
        const uint32_t count = used ? (uint32_t)__popcll(job.cells[s]) : 0;
        uint32_t all, first = 0;
        const uint32_t before = clump_warp_scan(count, &all);
        if (clump_lane() == 0 && all > 0) first = atomicAdd(&job.counters->cells, all);
        first = __shfl_sync(~0u, first, 0) + before;
        if (!used) continue;
        ranged_point p;
        uint32_t sub;
        ranged_load(job, job.view, job.owner[s] - 1, job.from, &p);
        const ranged_block block = job.info[s] = ranged_block_of(job, p, &sub);
        const int32_t at[3] = {block.x, block.y, block.z};
        ranged_box *const box = &job.counters->box[p.level];
        for (int k = 0; k < 3; k++) {
            ranged_raise(&box->low[k], ~ranged_ordered(at[k]));
            ranged_raise(&box->high[k], ranged_ordered(at[k]));
        }
        job.first[s] = first;
        for (uint32_t c = first; c < first + count; c++) job.level[c] = (uint8_t)p.level;
    }
}

/* Returns RANGED_CURVE bits of a coordinate within its cell, each followed by two zero bits. */
__device__ static inline uint32_t ranged_curve(float x, int32_t cell, clump_cell_rule rule)
{
    const double at = (double)x * rule.inverse - cell + 0.5;
    static_assert(RANGED_CURVE == 5, "the masks below spread five bits");
    uint32_t v = at > 0 ? (at < 1 ? (uint32_t)(at * 32) : 31) : 0;
    v = v < 31 ? v : 31;
    v = (v | v << 8) & 0x100fu;
    v = (v | v << 4) & 0x10c3u;
    return (v | v << 2) & 0x1249u;
}

__global__ static void ranged_keys(const ranged_job job)
{
    RANGED_FOR(i, job.view.count)
    {
        const uint32_t s = job.slot_of[i];
        job.places[i] = (uint32_t)i;
        job.keys[i] = RANGED_NO_KEY;
        if (s == RANGED_NONE) continue;
        ranged_point p;
        uint32_t sub;
        ranged_load(job, job.view, i, job.from, &p);
        const ranged_block b = ranged_block_of(job, p, &sub);
        const clump_cell_rule rule = job.cell_rule[p.level];
        const uint32_t cell = job.first[s] + (uint32_t)__popcll(job.cells[s] & ((1ull << sub) - 1));
        const uint32_t curve = ranged_curve(p.x, 4 * b.x + (int32_t)(sub & 3), rule) |
                               ranged_curve(p.y, 4 * b.y + (int32_t)(sub >> 2 & 3), rule) << 1 |
                               ranged_curve(p.z, 4 * b.z + (int32_t)(sub >> 4), rule) << 2;
        job.keys[i] = (unsigned long long)cell << 3 * RANGED_CURVE | curve;
    }
}

/* Writes the points in the order of the keys, and the begins of the cells. Keys of points in no cell are last. */
__global__ static void ranged_lay_out(const ranged_job job)
{
    RANGED_FOR(k, job.view.count)
    {
        if (job.key[k] == RANGED_NO_KEY) continue;
        ranged_point p;
        ranged_load(job, job.view, job.index[k], job.from, &p);
        job.point[k] = make_float4(p.x, p.y, p.z, p.bound);
        const uint32_t cell = ranged_cell_of(job.key[k]);
        if (k == 0 || ranged_cell_of(job.key[k - 1]) != cell) job.begin[cell] = (uint32_t)k;
        if (k + 1 < job.view.count && job.key[k + 1] != RANGED_NO_KEY) continue;
        job.begin[cell + 1] = job.counters->points = (uint32_t)k + 1;
    }
}

/* Returns whether a node begins at place k. Finds its cell, its number and the end of its points. */
__device__ static inline bool ranged_node_at(const ranged_job &job, size_t k, uint32_t *cell, uint32_t *node,
                                             uint32_t *end)
{
    const uint32_t c = ranged_cell_of(job.key[k]), within = (uint32_t)k - job.begin[c], last = job.begin[c + 1];
    *cell = c;
    *node = ranged_nodes_at(job, c) + within / RANGED_CHUNK;
    *end = last - (uint32_t)k < RANGED_CHUNK ? last : (uint32_t)k + RANGED_CHUNK;
    return within % RANGED_CHUNK == 0;
}

__global__ static void ranged_nodes(const ranged_job job)
{
    RANGED_FOR(k, job.counters->points)
    {
        uint32_t cell, n, end;
        if (!ranged_node_at(job, k, &cell, &n, &end)) continue;
        ranged_node node = ranged_node_of(job.point[k]);
        for (uint32_t j = (uint32_t)k + 1; j < end; j++) {
            const float4 p = job.point[j];
            const float at[3] = {p.x, p.y, p.z};
            for (int a = 0; a < 3; a++) {
                node.lower[a] = at[a] < node.lower[a] ? at[a] : node.lower[a];
                node.upper[a] = at[a] > node.upper[a] ? at[a] : node.upper[a];
            }
            node.least = p.w < node.least ? p.w : node.least;
            node.most = p.w > node.most ? p.w : node.most;
        }
        job.node[n] = node;
        job.starts[atomicAdd(&job.counters->nodes, 1u)] = (uint32_t)k;
    }
}

/* ----- joining -------------------------------------------------------------------------------------------- */

/* Joins the clusters of one cell. `set` becomes that of its first point. */
__global__ static void ranged_inside(const ranged_job job, const int32_t *labels)
{
    RANGED_FOR(k, job.counters->points)
    {
        const uint32_t cell = ranged_cell_of(job.key[k]), begin = job.begin[cell];
        const uint32_t mine = (uint32_t)labels[job.index[k]], set = (uint32_t)labels[job.index[begin]];
        if (k == begin) job.set[cell] = set;
        if (mine != set) clump_unite(job.parent, mine, set);
    }
}

/* A node that a warp joins with the cells around it. Its points are begin ... end - 1. */
typedef struct ranged_side {
    ranged_node node;
    uint32_t begin, end, cell, set;
} ranged_side;

static_assert(RANGED_CHUNK == 32, "a lane per point of a node");

/* Returns whether a node has a neighbour in a cell. All lanes call it: each tests a node of the cell, then a point. */
__device__ static inline bool ranged_reaches_cell(const ranged_job &job, const ranged_side &side, uint32_t cell)
{
    const uint32_t begin = job.begin[cell], last = job.begin[cell + 1], nodes = ranged_nodes_at(job, cell);
    const uint32_t count = (last - begin + RANGED_CHUNK - 1) / RANGED_CHUNK;
    for (uint32_t first = 0; first < count; first += 32) {
        const uint32_t mine = first + clump_lane();
        const ranged_verdict verdict =
            mine < count ? ranged_verdict_of(side.node, job.node[nodes + mine]) : RANGED_NO_PAIR;
        if (__any_sync(~0u, verdict == RANGED_EVERY_PAIR)) return true;
        for (uint32_t some = __ballot_sync(~0u, verdict == RANGED_SOME_PAIRS); some; some &= some - 1) {
            const uint32_t j = begin + (first + (uint32_t)__ffs((int)some) - 1) * RANGED_CHUNK + clump_lane();
            const float4 q = j < last ? job.point[j] : make_float4(0, 0, 0, -1); /* no distance is below -1 */
            for (uint32_t i = side.begin; i < side.end; i++)
                if (__any_sync(~0u, ranged_pair(job.point[i], q))) return true;
        }
    }
    return false;
}

/* Joins a node with cells, one per lane; RANGED_NONE: none. All lanes call it. */
__device__ static inline void ranged_join_cells(const ranged_job &job, const ranged_side &side, uint32_t cell)
{
    bool open = cell != RANGED_NONE;
    const uint32_t its = open ? job.set[cell] : 0;
    const auto apart = [&]() { return clump_find(job.parent, side.set) != clump_find(job.parent, its); };
    if (open && job.begin[cell + 1] - job.begin[cell] <= RANGED_CHUNK)
        open = ranged_verdict_of(side.node, job.node[ranged_nodes_at(job, cell)]) != RANGED_NO_PAIR;
    open = open && apart();
    for (uint32_t left; (left = __ballot_sync(~0u, open)) != 0;) {
        const uint32_t next = (uint32_t)__ffs((int)left) - 1;
        const bool joined = ranged_reaches_cell(job, side, __shfl_sync(~0u, cell, (int)next));
        if (clump_lane() == next) {
            if (joined) clump_unite(job.parent, side.set, its);
            open = false;
        }
        __syncwarp();
        if (joined) open = open && apart();
    }
}

enum { RANGED_LISTED = 8 }; /* cells that a lane adds to the list of its warp at a time */

/* Joins a node with the cells around it at level m. All lanes call it: each searches for blocks, then tests cells of all.
 * A search in the hash table takes long, and a block may have 64 cells. */
__device__ static inline void ranged_join_level(const ranged_job &job, const ranged_side &side, uint32_t m,
                                                uint32_t *list)
{
    const uint32_t above = job.level[side.cell] == m ? side.cell + 1 : 0; /* each pair of cells from one side */
    const ranged_window window = ranged_window_of(job, m, side.node, side.node.most);
    const uint32_t columns = ranged_extent(window, 0), plane = columns * ranged_extent(window, 1),
                   blocks = plane * ranged_extent(window, 2);
    for (uint32_t base = 0; base < blocks; base += 32) {
        const uint32_t number = base + clump_lane();
        unsigned long long left = 0;
        uint32_t slot = 0;
        if (number < blocks) {
            const ranged_block b = {window.from[0] + (int32_t)(number % columns),
                                    window.from[1] + (int32_t)(number % plane / columns),
                                    window.from[2] + (int32_t)(number / plane), m};
            left = ranged_cells_of(job, window, b, &slot);
        }
        while (__any_sync(~0u, left != 0)) {
            uint32_t listed, mine = min((uint32_t)__popcll(left), (uint32_t)RANGED_LISTED);
            for (uint32_t at = clump_warp_scan(mine, &listed); mine > 0; mine--, left &= left - 1)
                list[at++] = ranged_cell_at(job, slot, left);
            __syncwarp();
            for (uint32_t i = clump_lane(); i - clump_lane() < listed; i += 32)
                ranged_join_cells(job, side, i < listed && list[i] >= above ? list[i] : RANGED_NONE);
            __syncwarp();
        }
    }
}

/* Joins the cluster of a node with those of the cells around it, at its own level and those above: a warp per node. */
__global__ static void __launch_bounds__(RANGED_THREADS) ranged_join(const ranged_job job)
{
    __shared__ uint32_t lists[RANGED_THREADS / 32][32 * RANGED_LISTED];
    const clump_gpu_team team = clump_whole_grid();
    for (uint32_t w = team.thread / 32; w < job.counters->nodes; w += team.threads / 32) {
        const uint32_t k = job.starts[w];
        uint32_t n, from;
        ranged_side side;
        side.begin = k;
        ranged_node_at(job, k, &side.cell, &n, &side.end);
        side.node = job.node[n];
        side.set = job.set[side.cell];
        const uint32_t to = ranged_levels(job, side.node.least, side.node.most, &from);
        for (uint32_t m = job.level[side.cell]; m < to; m++)
            if (ranged_has_level(job, m)) ranged_join_level(job, side, m, lists[threadIdx.x / 32]);
    }
}

/* Marks the clusters that are roots, for a scan. */
__global__ static void ranged_mark(const ranged_job job, const clump_counts *counts)
{
    const uint32_t clusters = counts->clusters;
    RANGED_FOR(c, (size_t)job.view.count + 1) job.mark[c] = c < clusters && job.parent[c] == c;
}

/* Gives the points the new numbers. */
__global__ static void ranged_relabel(const ranged_job job, int32_t *labels, clump_counts *counts)
{
    RANGED_FOR(i, job.view.count)
    {
        if (labels[i] >= 0) labels[i] = (int32_t)job.mark[clump_root(job.parent, (uint32_t)labels[i])];
        if (i == 0) counts->clusters = job.mark[job.view.count];
    }
}

/* ----- density --------------------------------------------------------------------------------------------- */

/* Returns how many points of a cell are neighbours of p; stops at `needed`. */
__device__ static inline size_t ranged_count(const ranged_job &job, const float4 &p, const ranged_node &box,
                                             uint32_t cell, size_t needed)
{
    const uint32_t begin = job.begin[cell], last = job.begin[cell + 1], nodes = ranged_nodes_at(job, cell);
    size_t found = 0;
    for (uint32_t from = begin; from < last && found < needed; from += RANGED_CHUNK) {
        const uint32_t to = last - from < RANGED_CHUNK ? last : from + RANGED_CHUNK;
        const ranged_verdict verdict = ranged_verdict_of(box, job.node[nodes + (from - begin) / RANGED_CHUNK]);
        if (verdict == RANGED_EVERY_PAIR) found += to - from;
        for (uint32_t j = from; verdict == RANGED_SOME_PAIRS && j < to; j++) found += ranged_pair(p, job.point[j]);
    }
    return found;
}

/* Finds the core points among those with a radius above eps that are no core points at eps. */
__global__ static void ranged_core(const ranged_job job, size_t min_points, uint8_t *core)
{
    RANGED_FOR(k, job.counters->points)
    {
        const uint32_t i = job.index[k], cell = ranged_cell_of(job.key[k]);
        const float4 p = job.point[k];
        if (core[i] || !(p.w > job.bound)) continue;
        const ranged_node box = ranged_node_of(p);
        size_t found = job.begin[cell + 1] - job.begin[cell]; /* all of its own cell */
        uint32_t from;
        const uint32_t to = ranged_levels(job, p.w, p.w, &from);
        for (uint32_t m = from; m < to && found < min_points; m++) {
            if (!ranged_has_level(job, m)) continue;
            ranged_around(job, m, box, p.w, [&](uint32_t other) {
                if (other != cell) found += ranged_count(job, p, box, other, min_points - found);
                return found < min_points;
            });
        }
        if (found >= min_points) core[i] = 1;
    }
}

/* Returns the label of a cell's first point: a core point, whose label no thread writes. */
__device__ static inline uint32_t ranged_label(const ranged_job &job, const int32_t *labels, uint32_t cell)
{
    return (uint32_t)labels[job.index[job.begin[cell]]];
}

/* Labels the points that are not core, whatever their radius, by the smallest cluster within reach. All core points are in
 * the cells. */
__global__ static void ranged_border(const ranged_job job, const clump_cloud_view all_points, const uint8_t *core,
                                     int32_t *labels)
{
    RANGED_FOR(i, job.view.count)
    {
        ranged_point p;
        if (core[i] || !ranged_load(job, all_points, i, -1, &p)) continue;
        const float4 at = make_float4(p.x, p.y, p.z, p.bound);
        const ranged_node box = ranged_node_of(at);
        uint32_t best = (uint32_t)CLUMP_NOISE, from; /* as unsigned, the largest */
        const uint32_t to = ranged_levels(job, p.bound, p.bound, &from);
        for (uint32_t m = from; m < to; m++) {
            if (!ranged_has_level(job, m)) continue;
            ranged_around(job, m, box, p.bound, [&](uint32_t cell) {
                const uint32_t label = ranged_label(job, labels, cell);
                if (label < best && ranged_count(job, at, box, cell, 1) > 0) best = label;
                return true;
            });
        }
        labels[i] = (int32_t)best;
    }
}

/* Counts noise; finite and masked are those of the run at eps. */
__global__ static void ranged_count_noise(const ranged_job job, const int32_t *labels, const clump_counts *at_eps,
                                          clump_counts *counts)
{
    uint32_t noise = 0;
    RANGED_FOR(i, job.view.count)
    {
        noise += labels[i] == CLUMP_NOISE;
        if (i == 0) counts->finite = at_eps->finite, counts->masked = at_eps->masked;
    }
    if (noise > 0) atomicAdd(&counts->noise, noise); /* 0 before */
}

#endif
