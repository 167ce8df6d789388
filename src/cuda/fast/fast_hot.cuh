/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_hot.cuh: the phase of `fast` for heavy pairs of cells, which fast_test.cuh deferred. Testing
 * all pairs of their points could take longer than the rest of the call, and a sample found no neighbours. Two dense walls just over d
 * apart are an example: no test succeeds, and all would have to be made. The cells of heavy pairs are hot.
 *
 *     sort    the points of each hot cell, so that points that follow each other are close (fast_sort.cuh)
 *     nodes   boxes around each chunk of 32 points, one per lane, and around each stretch of 32 chunks (fast_node.cuh)
 *     join    per stretch of one cell: the stretches of the other cell whose boxes may be closer than d to its box. Per
 *             two stretches: the chunks that may be so close. Per two chunks: the points of the second that may be so
 *             close to the first. Each of these is tested with all points of the first chunk.
 *
 * A chunk of a wall with n points is sqrt(32 / n) as wide as the cell, and flat. The nodes of two walls that face each
 * other are as far apart as the walls, less a part that grows with the square of that width where the walls are bent.
 * So each chunk is tested with a few chunks only, however many points there are and however the walls lie.
 *
 * The table of blocks is not needed any more, so its memory holds the nodes. DBSCAN needs the table for its border
 * points and has memory of its own for the nodes.
 */
#ifndef CLUMP_CUDA_FAST_FAST_HOT_CUH
#define CLUMP_CUDA_FAST_FAST_HOT_CUH

#include "cuda/fast/fast_sort.cuh"
#include "cuda/fast/fast_test.cuh"

enum {
    FAST_STRETCH_SAMPLE = 8, /* the axes of a stretch are made from one point in 8 */
    FAST_FEW = FAST_CHUNK    /* a cell with fewer points has no nodes: all its points are tested */
};

static_assert(FAST_CHUNK == 32, "a chunk has one point per lane");
static_assert(FAST_FEW >= 16, "a cell with nodes has at most one per 8 points");
static_assert(sizeof(fast_node) <= 8 * 24, "the nodes fit into the table of blocks");

/* ----- nodes --------------------------------------------------------------------------------------- */

/* Returns the nodes of a cell: first one per chunk, then one per stretch. They fit into the table of blocks: at most
 * one node per 8 points, of less than 8 * 24 bytes; and at least 1.5 slots per point, of 16 bytes. */
__device__ static inline fast_node *fast_nodes(const fast_job &job, const fast_span &cell)
{
    return (fast_node *)job.nodes + cell.start / 8;
}

/* Returns the list of the stretches of all hot cells: cell, stretch. It shares the memory of late_rounds and has at
 * most points / 32 entries. */
__device__ static inline uint2 *fast_stretch_list(const fast_job &job)
{
    return (uint2 *)job.late_rounds;
}

/* Lists the stretches of a cell, by a thread block. */
__device__ static inline void fast_list_stretches(const fast_job &job, const fast_span &cell, fast_sort_memory *m)
{
    const uint32_t stretches = fast_stretches(cell.count);
    if (threadIdx.x == 0) m->list = atomicAdd(&job.counters->hot_stretches, stretches);
    __syncthreads();
    for (uint32_t s = threadIdx.x; s < stretches; s += FAST_HOT_THREADS)
        fast_stretch_list(job)[m->list + s] = make_uint2(cell.cell, s);
}

/* Makes the nodes of a stretch and of its chunks, by a thread block. */
__device__ static inline void fast_stretch_nodes(const fast_job &job, const fast_span &cell, uint32_t stretch)
{
    const uint32_t first = stretch * FAST_STRETCH, chunks = fast_chunks(cell.count);
    const uint32_t mine = min(chunks - first, (uint32_t)FAST_STRETCH);
    const float4 *const points = job.sorted + cell.start;
    fast_node *const nodes = fast_nodes(job, cell);
    for (uint32_t k = threadIdx.x / 32; k <= mine; k += FAST_HOT_WARPS) { /* a warp per node, the stretch first */
        const uint32_t from = (k == 0 ? first : first + k - 1) * FAST_CHUNK;
        const uint32_t count = min(cell.count - from, (uint32_t)(k == 0 ? FAST_STRETCH * FAST_CHUNK : FAST_CHUNK));
        fast_fit(job, points + from, count, points[0],
                 k == 0 && count > 32 * FAST_STRETCH_SAMPLE ? FAST_STRETCH_SAMPLE : 1,
                 k == 0 ? &nodes[chunks + stretch] : &nodes[first + k - 1]);
    }
}

/* ----- join ---------------------------------------------------------------------------------------- */

typedef struct fast_hot_memory {
    fast_node whole, a[FAST_STRETCH], b[FAST_STRETCH]; /* of the stretch of a; of chunks */
    uint32_t listed, queued, decided;
    uint16_t queue[FAST_STRETCH * FAST_STRETCH]; /* pairs of chunks */
    uint32_t list[FAST_HOT_THREADS];             /* stretches of b */
} fast_hot_memory;

/* A heavy pair of cells, and a stretch of the first. a is the larger cell (fast_defer_heavy), so it has nodes. */
typedef struct fast_cell_pair {
    fast_span a, b;
    uint32_t first, chunks; /* of the stretch of a */
    fast_pair_frame frame;
} fast_cell_pair;

__device__ static inline void fast_copy_nodes(fast_node *to, const fast_node *from, uint32_t count)
{
    const uint32_t words = count * (uint32_t)(sizeof *to / sizeof(float));
    for (uint32_t w = threadIdx.x; w < words; w += FAST_HOT_THREADS) ((float *)to)[w] = ((const float *)from)[w];
}

/* Returns whether two chunks hold neighbours, by a warp: tests all pairs of points that may reach the other chunk. */
__device__ static inline bool fast_try_chunks(const fast_job &job, const fast_cell_pair &two, uint32_t chunk_a,
                                              uint32_t chunk_b, const fast_node &node_a, const fast_node &node_b)
{
    const float4 *const a = job.sorted + two.a.start, *const b = job.sorted + two.b.start;
    const float4 p = a[min(chunk_a * FAST_CHUNK + clump_lane(), two.a.count - 1)];
    const float4 q = b[min(chunk_b * FAST_CHUNK + clump_lane(), two.b.count - 1)];
    float to_p[3], to_q[3];
    fast_relative(job, a[0], p, to_p);
    fast_relative(job, b[0], q, to_q);
    for (int k = 0; k < 3; k++) {
        to_p[k] = to_p[k] - two.frame.shift[k] - node_b.middle[k];
        to_q[k] = to_q[k] + two.frame.shift[k] - node_a.middle[k];
    }
    const bool p_near = fast_point_may_reach(to_p, node_b, two.frame.reach);
    uint32_t left = __ballot_sync(~0u, fast_point_may_reach(to_q, node_a, two.frame.reach));
    if (!__any_sync(~0u, p_near)) return false;
    bool found = false;
    for (; left; left &= left - 1) {
        const int from = __ffs((int)left) - 1;
        found |= fast_are_neighbours(p, fast_shuffle_point(q, from), job.bound);
    }
    return __any_sync(~0u, found);
}

/* Tries the stretch of a and one of b, by a thread block. */
__device__ static inline void fast_join_stretches(const fast_job &job, const fast_cell_pair &two, uint32_t stretch_b,
                                                  fast_hot_memory *m)
{
    const uint32_t t = threadIdx.x, first_b = stretch_b * FAST_STRETCH;
    const uint32_t chunks_b = min(fast_chunks(two.b.count) - first_b, (uint32_t)FAST_STRETCH);
    fast_copy_nodes(m->b, fast_nodes(job, two.b) + first_b, chunks_b);
    __syncthreads();
    for (uint32_t pair = t; pair < FAST_STRETCH * FAST_STRETCH; pair += FAST_HOT_THREADS) {
        const uint32_t ia = pair % FAST_STRETCH, ib = pair / FAST_STRETCH;
        if (ia < two.chunks && ib < chunks_b && fast_nodes_may_reach(m->a[ia], m->b[ib], two.frame, job.bound))
            m->queue[atomicAdd(&m->queued, 1)] = (uint16_t)pair;
    }
    __syncthreads();
    const uint32_t queued = m->queued;
    bool found = false;
    for (uint32_t k = t / 32; k < queued && !found; k += FAST_HOT_WARPS) {
        const uint32_t ia = m->queue[k] % FAST_STRETCH, ib = m->queue[k] / FAST_STRETCH;
        found = fast_try_chunks(job, two, two.first + ia, first_b + ib, m->a[ia], m->b[ib]);
    }
    if (found && t % 32 == 0) fast_unite(job.parents, two.a.cell, two.b.cell);
    __syncthreads(); /* the queue and the nodes are read; the next look at the forest sees the union */
}

/* Tries the stretch of a and all points of b, which has few, by a thread block. */
__device__ static inline void fast_join_few(const fast_job &job, const fast_cell_pair &two)
{
    const uint32_t from = two.first * FAST_CHUNK, to = min(from + two.chunks * FAST_CHUNK, two.a.count);
    bool found = false;
    for (uint32_t i = from + threadIdx.x; i < to; i += FAST_HOT_THREADS) {
        const float4 p = job.sorted[two.a.start + i];
        for (uint32_t j = 0; j < two.b.count; j++)
            found |= fast_are_neighbours(p, job.sorted[two.b.start + j], job.bound);
    }
    if (__any_sync(~0u, found) && clump_lane() == 0) fast_unite(job.parents, two.a.cell, two.b.cell);
}

/* Returns whether both cells are in one set by now, the same value in all threads. Resets the counters of *m. */
__device__ static inline bool fast_pair_decided(const fast_job &job, const fast_cell_pair &two, fast_hot_memory *m)
{
    if (threadIdx.x == 0) {
        m->queued = m->listed = 0;
        m->decided = fast_same_set(job.parents, two.a.cell, two.b.cell);
    }
    __syncthreads();
    return m->decided;
}

/* Tries one entry of hot_pairs, by a thread block. */
__device__ static inline void fast_join_hot_pair(const fast_job &job, const fast_hot_pair &pair, fast_hot_memory *m)
{
    const uint32_t t = threadIdx.x;
    fast_cell_pair two;
    two.a = fast_cell_span(job, pair.a);
    two.b = fast_cell_span(job, pair.b);
    two.first = pair.stretch * FAST_STRETCH;
    two.chunks = min(fast_chunks(two.a.count) - two.first, (uint32_t)FAST_STRETCH);
    if (fast_pair_decided(job, two, m)) return;
    if (two.b.count < FAST_FEW) {
        fast_join_few(job, two);
        return;
    }
    two.frame = fast_make_frame(job, job.sorted[two.a.start], job.sorted[two.b.start]);
    const fast_node *const nodes_a = fast_nodes(job, two.a), *const nodes_b = fast_nodes(job, two.b);
    const uint32_t chunks_b = fast_chunks(two.b.count), stretches_b = fast_stretches(two.b.count);
    fast_copy_nodes(&m->whole, nodes_a + fast_chunks(two.a.count) + pair.stretch, 1);
    fast_copy_nodes(m->a, nodes_a + two.first, two.chunks);
    __syncthreads();
    for (uint32_t s0 = 0; s0 < stretches_b; s0 += FAST_HOT_THREADS) {
        const uint32_t s = s0 + t;
        if (s < stretches_b && fast_nodes_may_reach(m->whole, nodes_b[chunks_b + s], two.frame, job.bound))
            m->list[atomicAdd(&m->listed, 1)] = s;
        __syncthreads();
        const uint32_t listed = m->listed;
        for (uint32_t k = 0; k < listed; k++) {
            fast_join_stretches(job, two, m->list[k], m);
            if (fast_pair_decided(job, two, m)) return;
        }
        __syncthreads(); /* all threads have read `listed` before the next stretches are listed */
    }
}

/* ----- all steps ----------------------------------------------------------------------------------- */

/* Returns the next task of a step, the same value in all threads of the thread block. Only running thread blocks take
 * tasks, so every task that was taken ends. */
__device__ static inline uint32_t fast_take_task(const fast_job &job, uint32_t step, uint32_t *shared)
{
    __syncthreads();
    if (threadIdx.x == 0) *shared = atomicAdd(&job.counters->hot_taken[step], 1);
    __syncthreads();
    return *shared;
}

/* Publishes the writes of a task that this thread block has done. */
__device__ static inline void fast_finish_task(const fast_job &job, uint32_t step)
{
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    atomicAdd(&job.counters->hot_done[step], 1);
}

/* Waits until all `count` tasks of a step are done. Tasks do not depend on thread blocks that wait here. */
__device__ static inline void fast_await_tasks(const fast_job &job, uint32_t step, uint32_t count)
{
    if (threadIdx.x == 0) {
        while (*(volatile uint32_t *)&job.counters->hot_done[step] < count) __nanosleep(200);
        __threadfence(); /* also invalidates L1 copies of what others wrote */
    }
    __syncthreads();
}

/* The phase: thread blocks take segments to sort, round by round, then stretches to make nodes of, then heavy pairs. */
__device__ static inline void fast_hot(const fast_job &job)
{
    __shared__ union {
        fast_sort_memory sort;
        fast_hot_memory join;
    } memory;
    __shared__ uint32_t taken;
    const uint32_t pairs = min(job.counters->hot_pairs, job.hot_limit);
    if (pairs == 0) return;
    uint32_t count = job.counters->hot_cells;
    for (uint32_t round = 0; round < FAST_HOT_ROUNDS && count > 0; round++) {
        for (uint32_t k; (k = fast_take_task(job, round, &taken)) < count;) {
            if (round == 0) {
                const fast_span cell = fast_cell_span(job, job.hot_cells[k]);
                if (cell.count >= FAST_FEW) {
                    fast_list_stretches(job, cell, &memory.sort);
                    fast_sort_segment(job, cell.start, cell.count, round, &memory.sort);
                }
            } else {
                const uint2 segment = fast_segments(job, round)[k];
                fast_sort_segment(job, segment.x, segment.y, round, &memory.sort);
            }
            fast_finish_task(job, round);
        }
        fast_await_tasks(job, round, count);
        count = round + 1 < FAST_HOT_ROUNDS ? __ldcg(&job.counters->hot_segments[round + 1]) : 0;
    }
    count = __ldcg(&job.counters->hot_stretches);
    for (uint32_t k; (k = fast_take_task(job, FAST_HOT_NODES, &taken)) < count;) {
        const uint2 stretch = fast_stretch_list(job)[k];
        fast_stretch_nodes(job, fast_cell_span(job, stretch.x), stretch.y);
        fast_finish_task(job, FAST_HOT_NODES);
    }
    fast_await_tasks(job, FAST_HOT_NODES, count);
    for (uint32_t k; (k = fast_take_task(job, FAST_HOT_JOIN, &taken)) < pairs;) {
        const fast_hot_pair pair = job.hot_pairs[k]; /* b none: the list was full, and the pair was tested at once */
        if (pair.b != CLUMP_GPU_NONE) fast_join_hot_pair(job, pair, &memory.join);
    }
}

#endif
