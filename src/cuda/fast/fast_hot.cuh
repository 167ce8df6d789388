/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_hot.cuh: the phase of `fast` for pairs of crowded cells that fast_test.cuh put aside: so many points in
 * each that testing all pairs would take longer than the rest, and no neighbours in a sample. Two dense walls just
 * over d apart are such a case: no test succeeds, and all would have to be made.
 *
 *     sort    the points of a crowded cell, so that those that follow each other are near each other (fast_sort.cuh)
 *     nodes   boxes around every 32 points in that order, a chunk, and around every 1024, a stretch (fast_node.cuh)
 *     join    a stretch of one cell and the stretches of the other that can be near it; of two stretches the chunks
 *             that can; of two chunks the points that can be near the other chunk, and only those one by one
 *
 * A chunk of n points on a wall is sqrt(32 / n) as wide as the cell, and flat: the nodes of two walls that face
 * each other are as far apart as the walls, up to a little that grows with the square of that width where they are
 * bent. So a chunk has a few chunks to be tried with, however many points there are and however the walls lie.
 *
 * Whatever slot the cell's block had is not needed any more: its table holds the nodes. DBSCAN does need it, for its
 * border points, and has memory for the nodes.
 */
#ifndef CLUMP_CUDA_FAST_FAST_HOT_CUH
#define CLUMP_CUDA_FAST_FAST_HOT_CUH

#include "cuda/fast/fast_sort.cuh"
#include "cuda/fast/fast_test.cuh"

enum {
    FAST_CHUNK = 32,         /* points */
    FAST_STRETCH = 32,       /* chunks */
    FAST_STRETCH_SAMPLE = 8, /* its axes are those of one point in so many */
    FAST_FEW = FAST_CHUNK    /* a cell with fewer points has no nodes: others try all of them */
};

/* ----- nodes --------------------------------------------------------------------------------------- */

/* A cell: first those of its chunks, then those of its stretches. That is no more than one for 8 points, and a
 * node takes less than 8 * 24 bytes: slots are 16 bytes, and half as many again as points. */
__device__ static inline fast_node *fast_nodes(const fast_job &job, const fast_range &cell)
{
    return (fast_node *)job.nodes + cell.start / 8;
}

__device__ static inline uint32_t fast_chunks(uint32_t points)
{
    return (points + FAST_CHUNK - 1) / FAST_CHUNK;
}

__device__ static inline uint32_t fast_stretches(uint32_t points)
{
    return (points + FAST_CHUNK * FAST_STRETCH - 1) / (FAST_CHUNK * FAST_STRETCH);
}

/* The stretches of all crowded cells: number of the cell, of the stretch. In the list `late`, which is done with; there
 * are no more than points / 32. */
__device__ static inline uint2 *fast_stretch_list(const fast_job &job)
{
    return (uint2 *)job.late;
}

/* All threads of a block. */
__device__ static inline void fast_list_stretches(const fast_job &job, const fast_range &cell, fast_sort_memory *m)
{
    const uint32_t stretches = fast_stretches(cell.count);
    if (threadIdx.x == 0) m->list = atomicAdd(&job.counters->crowd_stretches, stretches);
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < stretches; s += FAST_CROWD_THREADS)
        fast_stretch_list(job)[m->list + s] = make_uint2(cell.cell, s);
}

/* The nodes of a stretch and of its chunks, by a thread block. */
__device__ static inline void fast_stretch_nodes(const fast_job &job, const fast_range &cell, uint32_t stretch)
{
    const uint32_t first = stretch * FAST_STRETCH, chunks = fast_chunks(cell.count);
    const uint32_t mine = min(chunks - first, (uint32_t)FAST_STRETCH);
    const float4 *const points = job.sorted + cell.start;
    fast_node *const nodes = fast_nodes(job, cell);
    for (uint32_t k = threadIdx.x / 32; k <= mine; k += FAST_CROWD_WARPS) { /* a warp a node, that of all first */
        const uint32_t from = (k == 0 ? first : first + k - 1) * FAST_CHUNK;
        const uint32_t count = min(cell.count - from, (uint32_t)(k == 0 ? FAST_STRETCH * FAST_CHUNK : FAST_CHUNK));
        fast_fit(job, points + from, count, points[0],
                 k == 0 && count > 32 * FAST_STRETCH_SAMPLE ? FAST_STRETCH_SAMPLE : 1,
                 k == 0 ? &nodes[chunks + stretch] : &nodes[first + k - 1]);
    }
}

/* ----- join ---------------------------------------------------------------------------------------- */

typedef struct fast_crowd_memory {
    fast_node whole, a[FAST_STRETCH], b[FAST_STRETCH]; /* the stretch of a, and chunks */
    uint32_t listed, queued, decided;
    uint16_t queue[FAST_STRETCH * FAST_STRETCH]; /* pairs of chunks */
    uint32_t list[FAST_CROWD_THREADS];           /* stretches of b */
} fast_crowd_memory;

/* Two cells, of the first a stretch. */
typedef struct fast_meeting {
    fast_range a, b;
    uint32_t first, chunks; /* of a */
    fast_way way;
} fast_meeting;

__device__ static inline void fast_copy_nodes(fast_node *to, const fast_node *from, uint32_t count)
{
    const uint32_t words = count * (uint32_t)(sizeof *to / sizeof(float));
    for (uint32_t w = threadIdx.x; w < words; w += FAST_CROWD_THREADS) ((float *)to)[w] = ((const float *)from)[w];
}

/* A warp: two chunks. Of each the points that can be near the other, and of those all pairs. */
__device__ static inline bool fast_chunks_near(const fast_job &job, const fast_meeting &two, uint32_t chunk_a,
                                               uint32_t chunk_b, const fast_node &node_a, const fast_node &node_b)
{
    const float4 *const a = job.sorted + two.a.start, *const b = job.sorted + two.b.start;
    const float4 p = a[min(chunk_a * FAST_CHUNK + clump_lane(), two.a.count - 1)];
    const float4 q = b[min(chunk_b * FAST_CHUNK + clump_lane(), two.b.count - 1)];
    float to_p[3], to_q[3];
    fast_from(job, a[0], p, to_p);
    fast_from(job, b[0], q, to_q);
    for (int k = 0; k < 3; k++) {
        to_p[k] = to_p[k] - two.way.shift[k] - node_b.middle[k];
        to_q[k] = to_q[k] + two.way.shift[k] - node_a.middle[k];
    }
    const bool p_near = fast_point_near(to_p, node_b, two.way.reach);
    uint32_t left = __ballot_sync(~0u, fast_point_near(to_q, node_a, two.way.reach));
    if (!__any_sync(~0u, p_near)) return false;
    bool near = false;
    for (; left; left &= left - 1) {
        const int from = __ffs((int)left) - 1;
        float4 other;
        other.x = __shfl_sync(~0u, q.x, from);
        other.y = __shfl_sync(~0u, q.y, from);
        other.z = __shfl_sync(~0u, q.z, from);
        near |= fast_near(p, other, job.bound);
    }
    return __any_sync(~0u, near);
}

/* The stretch of a and one of b, by a thread block. */
__device__ static inline void fast_join_stretches(const fast_job &job, const fast_meeting &two, uint32_t stretch_b,
                                                  fast_crowd_memory *m)
{
    const uint32_t t = threadIdx.x, first_b = stretch_b * FAST_STRETCH;
    const uint32_t chunks_b = min(fast_chunks(two.b.count) - first_b, (uint32_t)FAST_STRETCH);
    fast_copy_nodes(m->b, fast_nodes(job, two.b) + first_b, chunks_b);
    __syncthreads();
    for (uint32_t pair = t; pair < FAST_STRETCH * FAST_STRETCH; pair += FAST_CROWD_THREADS) {
        const uint32_t ia = pair % FAST_STRETCH, ib = pair / FAST_STRETCH;
        if (ia < two.chunks && ib < chunks_b && fast_nodes_near(m->a[ia], m->b[ib], two.way, job.bound))
            m->queue[atomicAdd(&m->queued, 1)] = (uint16_t)pair;
    }
    __syncthreads();
    const uint32_t queued = m->queued;
    bool found = false;
    for (uint32_t k = t / 32; k < queued && !found; k += FAST_CROWD_WARPS) {
        const uint32_t ia = m->queue[k] % FAST_STRETCH, ib = m->queue[k] / FAST_STRETCH;
        found = fast_chunks_near(job, two, two.first + ia, first_b + ib, m->a[ia], m->b[ib]);
    }
    if (found && t % 32 == 0) fast_unite(job.parents, two.a.cell, two.b.cell);
    __syncthreads(); /* the queue and the nodes are read; the next look at the forest sees the union */
}

/* The same where b has few points. */
__device__ static inline void fast_join_few(const fast_job &job, const fast_meeting &two)
{
    const uint32_t from = two.first * FAST_CHUNK, to = min(from + two.chunks * FAST_CHUNK, two.a.count);
    bool near = false;
    for (uint32_t i = from + threadIdx.x; i < to; i += FAST_CROWD_THREADS) {
        const float4 p = job.sorted[two.a.start + i];
        for (uint32_t j = 0; j < two.b.count; j++) near |= fast_near(p, job.sorted[two.b.start + j], job.bound);
    }
    if (__any_sync(~0u, near) && clump_lane() == 0) fast_unite(job.parents, two.a.cell, two.b.cell);
}

/* Whether the two are of one set by now, the same for all threads; and counters at 0. */
__device__ static inline bool fast_decided(const fast_job &job, const fast_meeting &two, fast_crowd_memory *m)
{
    if (threadIdx.x == 0) {
        m->queued = m->listed = 0;
        m->decided = fast_same_set(job.parents, two.a.cell, two.b.cell);
    }
    __syncthreads();
    return m->decided;
}

/* One item, by a thread block. */
__device__ static inline void fast_crowd_item_join(const fast_job &job, const fast_crowd_item &item,
                                                   fast_crowd_memory *m)
{
    const uint32_t t = threadIdx.x;
    fast_meeting two;
    two.a = fast_cell_range(job, item.a);
    two.b = fast_cell_range(job, item.b);
    two.first = item.stretch * FAST_STRETCH;
    two.chunks = min(fast_chunks(two.a.count) - two.first, (uint32_t)FAST_STRETCH);
    if (fast_decided(job, two, m)) return;
    if (two.b.count < FAST_FEW) {
        fast_join_few(job, two);
        return;
    }
    two.way = fast_way_between(job, job.sorted[two.a.start], job.sorted[two.b.start]);
    const fast_node *const nodes_a = fast_nodes(job, two.a), *const nodes_b = fast_nodes(job, two.b);
    const uint32_t chunks_b = fast_chunks(two.b.count), stretches_b = fast_stretches(two.b.count);
    fast_copy_nodes(&m->whole, nodes_a + fast_chunks(two.a.count) + item.stretch, 1);
    fast_copy_nodes(m->a, nodes_a + two.first, two.chunks);
    __syncthreads();
    for (uint32_t s0 = 0; s0 < stretches_b; s0 += FAST_CROWD_THREADS) {
        const uint32_t s = s0 + t;
        if (s < stretches_b && fast_nodes_near(m->whole, nodes_b[chunks_b + s], two.way, job.bound))
            m->list[atomicAdd(&m->listed, 1)] = s;
        __syncthreads();
        const uint32_t listed = m->listed;
        for (uint32_t k = 0; k < listed; k++) {
            fast_join_stretches(job, two, m->list[k], m);
            if (fast_decided(job, two, m)) return;
        }
        __syncthreads(); /* where nothing is listed, all have seen that before the next are */
    }
}

/* ----- all steps ----------------------------------------------------------------------------------- */

/* The next number of a step, the same for all threads of the block. Each is taken by a block that is running. */
__device__ static inline uint32_t fast_take(const fast_job &job, uint32_t step, uint32_t *shared)
{
    __syncthreads();
    if (threadIdx.x == 0) *shared = atomicAdd(&job.counters->crowd_taken[step], 1);
    __syncthreads();
    return *shared;
}

/* A block has done one: what it wrote is there for those that wait. */
__device__ static inline void fast_done(const fast_job &job, uint32_t step)
{
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    atomicAdd(&job.counters->crowd_done[step], 1);
}

/* Waits for those that others took, which need none of those that wait. */
__device__ static inline void fast_wait(const fast_job &job, uint32_t step, uint32_t count)
{
    if (threadIdx.x == 0) {
        while (*(volatile uint32_t *)&job.counters->crowd_done[step] < count) __nanosleep(200);
        __threadfence(); /* also forgets old copies of what the others wrote */
    }
    __syncthreads();
}

/* Thread blocks take segments to sort, round by round, then stretches to make nodes of, then pairs to join. */
__device__ static inline void fast_crowd(const fast_job &job)
{
    __shared__ union {
        fast_sort_memory sort;
        fast_crowd_memory join;
    } memory;
    __shared__ uint32_t taken;
    const uint32_t items = min(job.counters->crowd_items, job.crowd_limit);
    if (items == 0) return;
    uint32_t count = job.counters->crowd_cells;
    for (uint32_t round = 0; round < FAST_CROWD_ROUNDS && count > 0; round++) {
        for (uint32_t k; (k = fast_take(job, round, &taken)) < count;) {
            if (round == 0) {
                const fast_range cell = fast_cell_range(job, job.crowd_cells[k]);
                if (cell.count >= FAST_FEW) {
                    fast_list_stretches(job, cell, &memory.sort);
                    fast_crowd_sort(job, cell.start, cell.count, round, &memory.sort);
                }
            } else {
                const uint2 segment = fast_segments(job, round)[k];
                fast_crowd_sort(job, segment.x, segment.y, round, &memory.sort);
            }
            fast_done(job, round);
        }
        fast_wait(job, round, count);
        count = round + 1 < FAST_CROWD_ROUNDS ? __ldcg(&job.counters->crowd_segments[round + 1]) : 0;
    }
    count = __ldcg(&job.counters->crowd_stretches);
    for (uint32_t k; (k = fast_take(job, FAST_CROWD_NODES, &taken)) < count;) {
        const uint2 stretch = fast_stretch_list(job)[k];
        fast_stretch_nodes(job, fast_cell_range(job, stretch.x), stretch.y);
        fast_done(job, FAST_CROWD_NODES);
    }
    fast_wait(job, FAST_CROWD_NODES, count);
    for (uint32_t k; (k = fast_take(job, FAST_CROWD_JOIN, &taken)) < items;) {
        const fast_crowd_item item = job.crowd_items[k];
        if (item.b != CLUMP_GPU_NONE) fast_crowd_item_join(job, item, &memory.join);
    }
}

#endif
