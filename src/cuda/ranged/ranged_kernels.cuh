/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_kernels.cuh: the kernels of a growing radius, in the order in which they run (ranged.cu). A thread takes a
 * point, a slot, a cell or a node at a time, and waits for no other thread. A cell with many points costs a test of its
 * nodes, the boxes of 32 points each.
 */
#ifndef CLUMP_CUDA_RANGED_RANGED_KERNELS_CUH
#define CLUMP_CUDA_RANGED_RANGED_KERNELS_CUH

#include "cuda/gpu/labels.h"
#include "cuda/ranged/ranged_job.cuh"

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

/* Numbers the cells, and finds the boxes of the levels. */
__global__ static void ranged_number(const ranged_job job)
{
    RANGED_FOR(s, (size_t)job.slot_mask + 1)
    {
        if (job.owner[s] == 0) continue;
        ranged_point p;
        uint32_t sub;
        ranged_load(job, job.view, job.owner[s] - 1, job.from, &p);
        const ranged_block block = job.info[s] = ranged_block_of(job, p, &sub);
        const int32_t at[3] = {block.x, block.y, block.z};
        ranged_box *const box = &job.counters->box[p.level];
        for (int k = 0; k < 3; k++) {
            atomicMax(&box->low[k], ~ranged_ordered(at[k]));
            atomicMax(&box->high[k], ranged_ordered(at[k]));
        }
        const uint32_t count = (uint32_t)__popcll(job.cells[s]), first = atomicAdd(&job.counters->cells, count);
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
    }
}

enum { RANGED_LANES = 8 };
#define RANGED_ALONE (ranged_share{0, 1})

/* ----- joining -------------------------------------------------------------------------------------------- */

/* Returns the cluster at eps of a cell's first point, with which those of its other points are joined. */
__device__ static inline uint32_t ranged_set(const ranged_job &job, const int32_t *labels, uint32_t cell)
{
    return (uint32_t)labels[job.index[job.begin[cell]]];
}

/* Joins the clusters of one cell. */
__global__ static void ranged_inside(const ranged_job job, const int32_t *labels)
{
    RANGED_FOR(k, job.counters->points)
    {
        const uint32_t mine = (uint32_t)labels[job.index[k]];
        const uint32_t set = ranged_set(job, labels, ranged_cell_of(job.key[k]));
        if (mine != set) clump_unite(job.parent, mine, set);
    }
}

/* Two cells that are nearly a radius apart, as a circle and its axis, or a ball and a shell: boxes of nodes decide nothing,
 * and all pairs take long. After RANGED_VAIN nodes of a cell without a pair, other proofs are tried that two nodes hold no
 * pair. They cost a test per point, not per pair:
 *
 *     ball    all points of one node are farther from the middle of the other than its radius and the reach
 *     line    the extents along the line between the middles have a gap of at least the reach
 *
 * Rounding. The least squared distance of two points that are no neighbours for certain is bound (1 + 5.5 u) + 2^-147, with
 * u = 2^-24 (cpu/grid/sieve.c, steps 1 to 4). The reach is the root of bound (1 + 6 u) + 2^-147. Doubles of floats have
 * relative errors below 2^-48 here, less than a millionth of the difference of 0.5 u. The bound is the largest that a pair
 * of these nodes can have. */
enum { RANGED_VAIN = 4 };

typedef struct ranged_ball {
    double middle[3], radius;
} ranged_ball;

__device__ static inline void ranged_from(const float4 &p, const double *middle, double *out)
{
    out[0] = (double)p.x - middle[0], out[1] = (double)p.y - middle[1], out[2] = (double)p.z - middle[2];
}

__device__ static inline double ranged_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the ball around points from ... to - 1, of which `node` is the box. */
__device__ static inline ranged_ball ranged_ball_of(const ranged_job &job, const ranged_node &node, size_t from,
                                                    size_t to)
{
    ranged_ball ball;
    double most = 0, r[3];
    for (int k = 0; k < 3; k++) ball.middle[k] = ((double)node.lower[k] + (double)node.upper[k]) / 2;
    for (size_t i = from; i < to; i++) {
        ranged_from(job.point[i], ball.middle, r);
        most = fmax(most, ranged_dot(r, r));
    }
    ball.radius = sqrt(most);
    return ball;
}

/* Returns whether points from ... to - 1 are too far from a ball to have a neighbour in it. */
__device__ static inline bool ranged_beyond(const ranged_job &job, const ranged_ball &ball, size_t from, size_t to,
                                            double reach)
{
    const double far = ball.radius + reach;
    double r[3];
    for (size_t i = from; i < to; i++) {
        ranged_from(job.point[i], ball.middle, r);
        if (!(ranged_dot(r, r) >= far * far)) return false;
    }
    return true;
}

/* Returns whether points k ... end - 1 and from ... to - 1 hold no neighbours for certain. `ball` is around the former;
 * node and other are their boxes. */
__device__ static inline bool ranged_apart(const ranged_job &job, size_t k, size_t end, const ranged_node &node,
                                           const ranged_ball &ball, size_t from, size_t to, const ranged_node &other)
{
    const double reach = sqrt((double)ranged_min(node.most, other.most) * (1 + 6 * 0x1p-24) + 0x1p-147);
    if (ranged_beyond(job, ball, from, to, reach)) return true;
    const ranged_ball beside = ranged_ball_of(job, other, from, to);
    if (ranged_beyond(job, beside, k, end, reach)) return true;
    double u[3], r[3], high = -INFINITY, low = INFINITY;
    for (int a = 0; a < 3; a++) u[a] = beside.middle[a] - ball.middle[a];
    for (size_t i = k; i < end; i++) {
        ranged_from(job.point[i], ball.middle, r);
        high = fmax(high, ranged_dot(u, r));
    }
    for (size_t i = from; i < to; i++) {
        ranged_from(job.point[i], ball.middle, r);
        low = fmin(low, ranged_dot(u, r));
    }
    return low - high > sqrt(ranged_dot(u, u)) * reach; /* 0 > 0 where u is 0 */
}

/* Returns whether points k ... end - 1, of which `node` is the box, have a neighbour in a cell. */
__device__ static inline bool ranged_reaches_cell(const ranged_job &job, size_t k, uint32_t end,
                                                  const ranged_node &node, uint32_t cell)
{
    const uint32_t begin = job.begin[cell], last = job.begin[cell + 1], nodes = ranged_nodes_at(job, cell);
    ranged_ball ball;
    uint32_t vain = 0;
    for (uint32_t from = begin; from < last; from += RANGED_CHUNK) {
        const ranged_node &other = job.node[nodes + (from - begin) / RANGED_CHUNK];
        const ranged_verdict verdict = ranged_verdict_of(node, other);
        if (verdict == RANGED_EVERY_PAIR) return true;
        if (verdict == RANGED_NO_PAIR) continue;
        const uint32_t to = last - from < RANGED_CHUNK ? last : from + RANGED_CHUNK;
        if (vain == RANGED_VAIN) ball = ranged_ball_of(job, node, k, end);
        if (vain++ >= RANGED_VAIN && ranged_apart(job, k, end, node, ball, from, to, other)) continue;
        for (size_t i = k; i < end; i++)
            for (uint32_t j = from; j < to; j++)
                if (ranged_pair(job.point[i], job.point[j])) return true;
    }
    return false;
}

/* Joins the cluster of a node with those of the cells around it, at its own level and those above. RANGED_LANES threads
 * share the blocks around a node: a search in the hash table takes long, and there are few nodes. */
__global__ static void ranged_join(const ranged_job job, const int32_t *labels)
{
    RANGED_FOR(t, (size_t)job.counters->points * RANGED_LANES)
    {
        const size_t k = t / RANGED_LANES;
        const ranged_share share = {(uint32_t)(t % RANGED_LANES), RANGED_LANES};
        uint32_t cell, n, end, from;
        if (!ranged_node_at(job, k, &cell, &n, &end)) continue;
        const ranged_node node = job.node[n];
        const uint32_t level = job.level[cell], set = ranged_set(job, labels, cell);
        const uint32_t to = ranged_levels(job, node.least, node.most, &from);
        for (uint32_t m = level; m < to; m++) {
            if (!ranged_has_level(job, m)) continue;
            ranged_around(job, m, node, node.most, share, [&](uint32_t other) {
                if (m == level && other <= cell) return true; /* each pair of cells from one side */
                const uint32_t its = ranged_set(job, labels, other);
                if (clump_find(job.parent, set) == clump_find(job.parent, its)) return true;
                if (ranged_reaches_cell(job, k, end, node, other)) clump_unite(job.parent, set, its);
                return true;
            });
        }
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
            ranged_around(job, m, box, p.w, RANGED_ALONE, [&](uint32_t other) {
                if (other != cell) found += ranged_count(job, p, box, other, min_points - found);
                return found < min_points;
            });
        }
        if (found >= min_points) core[i] = 1;
    }
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
            ranged_around(job, m, box, p.bound, RANGED_ALONE, [&](uint32_t cell) {
                const uint32_t label =
                    ranged_set(job, labels, cell); /* of a core point, whose label no thread writes */
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
