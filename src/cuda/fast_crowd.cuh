/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_crowd.cuh: the phases of `fast` for pairs of crowded cells that fast_join.cuh put aside: so many
 * points in each that testing all pairs would take longer than the rest, and no neighbours in a sample.
 * Two dense plates just over d apart are such a case: no test succeeds, and all would have to be made.
 *
 *     sort    the points of a crowded cell by 8 x 8 x 8 parts of it, and a box around every 32 in that order
 *     join    boxes against boxes; points only where boxes are closer than d
 *
 * That a pair of boxes is too far apart is computed as the distance of two points is: the gap on an axis is
 * the difference of two coordinates, no pair of points has a smaller one there, and rounding keeps the order.
 * So no pair is lost. Whatever slot the cell's block had is not needed any more: its table holds the boxes, the
 * table of positions the points while they are sorted.
 */
#ifndef CLUMP_CUDA_FAST_CROWD_CUH
#define CLUMP_CUDA_FAST_CROWD_CUH

#include "cuda/fast_join.cuh"

enum {
    FAST_SORT_THREADS = 512, /* as many as there are parts */
    FAST_CROWD_THREADS = 256,
    FAST_CHUNK = 32,   /* points of a box */
    FAST_STRETCH = 32, /* boxes of the first cell that one thread block compares with all of the second */
    FAST_TILE = 32     /* of the second at a time */
};

typedef struct fast_box {
    float lower[3], upper[3];
} fast_box;

/* As many entries as points: box k of a cell is at its start + k. */
__device__ static inline fast_box *fast_boxes(const fast_job &job)
{
    return (fast_box *)job.heads;
}

/* 0 ... 7: where between the borders of its cell. Only an order: it may be off. */
__device__ static inline uint32_t fast_part(float x, const clump_cell_rule &rule)
{
    const double at = (double)x * rule.inverse, within = at - rint(at) + 0.5;
    return within > 0 ? min((uint32_t)(within * 8), 7u) : 0u;
}

/* Bits of the three taken in turns, so that parts that follow each other are near each other. */
__device__ static inline uint32_t fast_part_of(const fast_job &job, const float4 &p)
{
    const uint32_t x = fast_part(p.x, job.rule), y = fast_part(p.y, job.rule), z = fast_part(p.z, job.rule);
    uint32_t code = 0;
    for (uint32_t b = 0; b < 3; b++)
        code |= (x >> b & 1) << 3 * b | (y >> b & 1) << (3 * b + 1) | (z >> b & 1) << (3 * b + 2);
    return code;
}

/* A thread block a cell. */
__device__ static inline void fast_crowd_sort(const fast_job &job)
{
    __shared__ uint32_t at[FAST_SORT_THREADS], sums[FAST_SORT_THREADS / 32];
    const uint32_t cells = min(job.counters->crowd_cells, 2 * job.crowd_limit), t = threadIdx.x;
    float4 *const spare = (float4 *)job.infos;
    for (uint32_t k = blockIdx.x; k < cells; k += gridDim.x) {
        const fast_range range = fast_cell_range(job, job.crowd_cells[k]);
        const uint32_t start = range.start, count = range.count;
        float4 *const points = job.sorted + start;
        at[t] = 0;
        __syncthreads();
        for (uint32_t i = t; i < count; i += FAST_SORT_THREADS) atomicAdd(&at[fast_part_of(job, points[i])], 1);
        __syncthreads();
        uint32_t total;
        const uint32_t before = fast_warp_scan(at[t], &total);
        if (t % 32 == 0) sums[t / 32] = total;
        __syncthreads();
        uint32_t earlier = 0;
        for (uint32_t w = 0; w < t / 32; w++) earlier += sums[w];
        at[t] = earlier + before;
        __syncthreads();
        for (uint32_t i = t; i < count; i += FAST_SORT_THREADS) {
            const float4 p = points[i];
            spare[start + atomicAdd(&at[fast_part_of(job, p)], 1)] = p;
        }
        __syncthreads();
        for (uint32_t i0 = t - t % 32; i0 < count; i0 += FAST_SORT_THREADS) { /* a warp a box */
            const uint32_t i = i0 + t % 32;
            const float4 p = spare[start + min(i, count - 1)];
            if (i < count) points[i] = p;
            float low[3] = {p.x, p.y, p.z}, high[3] = {p.x, p.y, p.z};
            for (int axis = 0; axis < 3; axis++)
                for (int step = 16; step > 0; step /= 2) {
                    low[axis] = fminf(low[axis], __shfl_xor_sync(~0u, low[axis], step));
                    high[axis] = fmaxf(high[axis], __shfl_xor_sync(~0u, high[axis], step));
                }
            if (t % 32 < 3) {
                fast_box *const box = &fast_boxes(job)[start + i0 / FAST_CHUNK];
                box->lower[t % 32] = t % 32 == 0 ? low[0] : t % 32 == 1 ? low[1] : low[2];
                box->upper[t % 32] = t % 32 == 0 ? high[0] : t % 32 == 1 ? high[1] : high[2];
            }
        }
        __syncthreads();
    }
}

__device__ static inline bool fast_boxes_near(const fast_box &a, const fast_box &b, float bound)
{
    float gap[3];
    for (int axis = 0; axis < 3; axis++)
        gap[axis] = fmaxf(0.0f, fmaxf(b.lower[axis] - a.upper[axis], a.lower[axis] - b.upper[axis]));
    return clump_distance_squared(gap[0], gap[1], gap[2], 0.0f, 0.0f, 0.0f) < bound;
}

/* A warp: 32 points against up to 32. */
__device__ static inline bool fast_chunks_near(const fast_job &job, const float4 *a, uint32_t count_a, const float4 *b,
                                               uint32_t count_b)
{
    const float4 p = a[min(fast_lane(), count_a - 1)];
    bool near = false;
    for (uint32_t j = 0; j < count_b; j++) near |= fast_near(p, b[j], job.bound);
    return __any_sync(~0u, near);
}

typedef struct fast_crowd_memory {
    fast_box boxes[FAST_STRETCH];
    uint16_t queue[FAST_STRETCH * FAST_TILE];
    uint32_t queued, decided;
} fast_crowd_memory;

/* One item, by a thread block. */
__device__ static inline void fast_crowd_item_join(const fast_job &job, const fast_crowd_item &item,
                                                   fast_crowd_memory *m)
{
    const uint32_t t = threadIdx.x, warp = t / 32;
    const fast_range a = fast_cell_range(job, item.a), b = fast_cell_range(job, item.b);
    const uint32_t count_a = a.count, count_b = b.count, start_a = a.start, start_b = b.start;
    const uint32_t first = item.stretch * FAST_STRETCH;
    const uint32_t chunks_a = min((count_a + FAST_CHUNK - 1) / FAST_CHUNK - first, (uint32_t)FAST_STRETCH);
    const uint32_t chunks_b = (count_b + FAST_CHUNK - 1) / FAST_CHUNK;
    if (t < chunks_a) m->boxes[t] = fast_boxes(job)[start_a + first + t];
    for (uint32_t tile = 0; tile < chunks_b; tile += FAST_TILE) {
        if (t == 0) {
            m->queued = 0;
            m->decided = clump_find(job.parents, item.a) == clump_find(job.parents, item.b);
        }
        __syncthreads();
        if (m->decided) break;
        for (uint32_t pair = t; pair < FAST_STRETCH * FAST_TILE; pair += FAST_CROWD_THREADS) {
            const uint32_t ia = pair % FAST_STRETCH, ib = tile + pair / FAST_STRETCH;
            if (ia >= chunks_a || ib >= chunks_b) continue;
            if (fast_boxes_near(m->boxes[ia], fast_boxes(job)[start_b + ib], job.bound))
                m->queue[atomicAdd(&m->queued, 1)] = (uint16_t)pair;
        }
        __syncthreads();
        const uint32_t queued = m->queued;
        bool found = false;
        for (uint32_t k = warp; k < queued && !found; k += FAST_CROWD_THREADS / 32) {
            const uint32_t ia = first + m->queue[k] % FAST_STRETCH, ib = tile + m->queue[k] / FAST_STRETCH;
            found = fast_chunks_near(
                job, job.sorted + start_a + ia * FAST_CHUNK, min(count_a - ia * FAST_CHUNK, (uint32_t)FAST_CHUNK),
                job.sorted + start_b + ib * FAST_CHUNK, min(count_b - ib * FAST_CHUNK, (uint32_t)FAST_CHUNK));
        }
        if (found && t % 32 == 0) clump_unite(job.parents, item.a, item.b);
        __syncthreads(); /* the queue is read; the next look at the forest sees the union */
    }
    __syncthreads();
}

/* A thread block an item; whoever is free takes the next. */
__device__ static inline void fast_crowd_join(const fast_job &job)
{
    __shared__ fast_crowd_memory memory;
    __shared__ uint32_t next;
    const uint32_t items = min(job.counters->crowd_items, job.crowd_limit);
    while (items > 0) {
        if (threadIdx.x == 0) next = atomicAdd(&job.counters->crowd_next, 1);
        __syncthreads();
        const uint32_t mine = next;
        if (mine >= items) return;
        const fast_crowd_item item = job.crowd_items[mine];
        if (item.b != FAST_NONE) fast_crowd_item_join(job, item, &memory);
        __syncthreads();
    }
}

#endif
