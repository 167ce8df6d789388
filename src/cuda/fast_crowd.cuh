/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_crowd.cuh: the phases of `fast` for pairs of crowded cells that fast_test.cuh put aside: so many
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

#include "cuda/fast_test.cuh"

enum {
    FAST_CROWD_THREADS = 256,
    FAST_PARTS = 512,  /* of a cell: two a thread */
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
    return (fast_box *)job.boxes;
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

typedef struct fast_sort_memory {
    uint32_t at[FAST_PARTS], sums[FAST_CROWD_THREADS / 32];
} fast_sort_memory;

/* One cell, by a thread block. */
__device__ static inline void fast_crowd_sort(const fast_job &job, uint32_t cell, fast_sort_memory *m)
{
    const uint32_t t = threadIdx.x, lane = t % 32;
    const fast_range range = fast_cell_range(job, cell);
    const uint32_t start = range.start, count = range.count;
    float4 *const points = job.sorted + start, *const spare = job.spare + start;
    m->at[2 * t] = m->at[2 * t + 1] = 0;
    __syncthreads();
    for (uint32_t i = t; i < count; i += FAST_CROWD_THREADS) atomicAdd(&m->at[fast_part_of(job, points[i])], 1);
    __syncthreads();
    const uint32_t low = m->at[2 * t], high = m->at[2 * t + 1];
    uint32_t total, before = fast_warp_scan(low + high, &total);
    if (lane == 0) m->sums[t / 32] = total;
    __syncthreads();
    for (uint32_t w = 0; w < t / 32; w++) before += m->sums[w];
    m->at[2 * t] = before;
    m->at[2 * t + 1] = before + low;
    __syncthreads();
    for (uint32_t i = t; i < count; i += FAST_CROWD_THREADS) {
        const float4 p = points[i];
        spare[atomicAdd(&m->at[fast_part_of(job, p)], 1)] = p;
    }
    __syncthreads();
    for (uint32_t i0 = t - lane; i0 < count; i0 += FAST_CROWD_THREADS) { /* a warp a box */
        const uint32_t i = i0 + lane;
        const float4 p = spare[min(i, count - 1)];
        if (i < count) points[i] = p;
        float lower[3] = {p.x, p.y, p.z}, upper[3] = {p.x, p.y, p.z};
        for (int axis = 0; axis < 3; axis++)
            for (int step = 16; step > 0; step /= 2) {
                lower[axis] = fminf(lower[axis], __shfl_xor_sync(~0u, lower[axis], step));
                upper[axis] = fmaxf(upper[axis], __shfl_xor_sync(~0u, upper[axis], step));
            }
        if (lane > 0) continue;
        fast_box *const box = &fast_boxes(job)[start + i0 / FAST_CHUNK];
        for (int axis = 0; axis < 3; axis++) box->lower[axis] = lower[axis], box->upper[axis] = upper[axis];
    }
    __syncthreads();
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
            m->decided = fast_same_set(job.parents, item.a, item.b);
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
        if (found && t % 32 == 0) fast_unite(job.parents, item.a, item.b);
        __syncthreads(); /* the queue is read; the next look at the forest sees the union */
    }
    __syncthreads();
}

/* The next number from a counter, the same for all threads of the block. */
__device__ static inline uint32_t fast_take(uint32_t *counter, uint32_t *shared)
{
    __syncthreads();
    if (threadIdx.x == 0) *shared = atomicAdd(counter, 1);
    __syncthreads();
    return *shared;
}

/* Thread blocks take cells to sort, and when there are no more, pairs to join. Before that they wait for the
 * cells that others are still sorting, which are running and need none of those that wait. */
__device__ static inline void fast_crowd(const fast_job &job)
{
    __shared__ union {
        fast_sort_memory sort;
        fast_crowd_memory join;
    } memory;
    __shared__ uint32_t taken;
    const uint32_t items = min(job.counters->crowd_items, job.crowd_limit);
    if (items == 0) return;
    const uint32_t cells = job.counters->crowd_cells;
    for (uint32_t k; (k = fast_take(&job.counters->crowd_to_sort, &taken)) < cells;) {
        fast_crowd_sort(job, job.crowd_cells[k], &memory.sort);
        if (threadIdx.x != 0) continue;
        __threadfence();
        atomicAdd(&job.counters->crowd_sorted, 1);
    }
    if (threadIdx.x == 0) {
        while (*(volatile uint32_t *)&job.counters->crowd_sorted < cells) __nanosleep(200);
        __threadfence(); /* also forgets old copies of what the others wrote */
    }
    for (uint32_t k; (k = fast_take(&job.counters->crowd_next, &taken)) < items;) {
        const fast_crowd_item item = job.crowd_items[k];
        if (item.b != FAST_NONE) fast_crowd_item_join(job, item, &memory.join);
    }
}

#endif
