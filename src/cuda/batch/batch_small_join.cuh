/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_small_join.cuh: joins the cells of a cloud in shared memory (batch_small.cuh). All threads of the thread block call
 * each function.
 *
 *     sides      cells that share a side are joined if their first points are neighbours: most cells of a set meet here,
 *                for three comparisons per cell
 *     main       every word knows which of its cells have the smallest root in it: those of the largest set, mostly
 *     queue      pairs of cells in reach that have different roots; most others are left out at once, by `main`
 *     pairs      points of such pairs are compared. The queue gives each thread a pair; there are long ones and short ones
 *                around a cell, and the threads of a warp would wait for the longest
 *
 * Threads read entries of the union-find that others change, so every access while sets grow is an atomic one.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_SMALL_JOIN_CUH
#define CLUMP_CUDA_BATCH_BATCH_SMALL_JOIN_CUH

#include "cuda/batch/batch_small_visit.cuh"

__device__ static inline uint32_t small_load(uint32_t *entry)
{
    return atomicOr(entry, 0);
}

/* Returns the root of i and halves the path to it. Entries only become smaller. */
__device__ static inline uint32_t small_find(uint32_t *parent, uint32_t i)
{
    for (;;) {
        const uint32_t above = small_load(&parent[i]);
        if (above == i) return i;
        const uint32_t next = small_load(&parent[above]);
        if (next == above) return above;
        atomicMin(&parent[i], next);
        i = next;
    }
}

/* Joins the sets of a and b. The larger one is linked to the smaller if it is a root, else the search goes on with an
 * ancestor of it: most are roots, so one atomic operation is enough. Each step makes the larger one smaller. */
__device__ static inline void small_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    while (a != b) {
        const uint32_t low = min(a, b), high = max(a, b);
        const uint32_t above = atomicCAS(&parent[high], high, low);
        if (above == high) return;
        a = small_load(&parent[above]);
        if (a != above) atomicMin(&parent[high], a); /* halves the path */
        b = low;
    }
}

/* Whether point j can join sets: all can, but for DBSCAN only core points. */
template <bool DENSITY> __device__ static inline bool small_joins(const small_cloud &s, uint32_t j)
{
    return !DENSITY || (s.cell[j] & SMALL_CORE);
}

/* DBSCAN: flags the core points; `first` of a cell is its smallest core point. */
__device__ static inline void small_find_cores(const small_cloud &s, uint32_t min_points)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        const uint16_t cell = s.cell[i];
        if (cell == SMALL_OUT) continue;
        uint32_t found = 0;
        for (uint32_t j = s.head[cell]; j != SMALL_NONE && found < min_points; j = s.next[j]) found++;
        const float3 p = small_point(s, i);
        if (found < min_points)
            small_visit<SMALL_ALL>(s, cell, 0, [&](uint32_t other) {
                for (uint32_t j = s.head[other]; j != SMALL_NONE; j = s.next[j])
                    if (small_near(s, p, j) && ++found >= min_points) return true;
                return false;
            });
        if (found < min_points) continue;
        s.cell[i] = cell | SMALL_CORE;
        atomicMin(&s.first[cell], i);
    }
    __syncthreads();
}

/* Returns the cell of a point that takes part. */
__device__ static inline uint32_t small_cell(const small_cloud &s, uint32_t i)
{
    return s.cell[i] & (SMALL_CORE - 1);
}

/* Makes the first point of its cell the parent of every point that can join. */
template <bool DENSITY> __device__ static inline void small_begin_sets(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x)
        s.parent[i] = s.cell[i] == SMALL_OUT        ? BATCH_OUT
                      : !small_joins<DENSITY>(s, i) ? BATCH_LOOSE
                                                    : s.first[small_cell(s, i)];
    __syncthreads();
}

/* Makes `first` of every cell its root. */
__device__ static inline void small_find_roots(const small_cloud &s)
{
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x)
        if (s.first[cell] != CLUMP_GPU_NONE) s.first[cell] = small_find(s.parent, s.first[cell]);
    __syncthreads();
}

/* Returns the number of the cell at a place; CLUMP_GPU_NONE: it has no points. */
__device__ static inline uint32_t small_cell_at(const small_cloud &s, uint32_t place)
{
    const uint32_t slot = small_find_word(s, place / 32);
    if (slot == CLUMP_GPU_NONE || !(s.bits[slot] >> place % 32 & 1)) return CLUMP_GPU_NONE;
    return small_number_of(s, slot, place);
}

__device__ static inline void small_join_sides(const small_cloud &s)
{
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const uint32_t place = s.place[cell], first = s.first[cell];
        if (first == CLUMP_GPU_NONE) continue;
        const float3 p = small_point(s, first);
        const uint32_t together = __activemask();
        for (int axis = 0; axis < (s.two_d ? 2 : 3); axis++) {
            const uint32_t other = small_cell_at(s, place + (axis == 0 ? 1 : axis == 1 ? s.pitch : s.plane));
            const uint32_t there = other == CLUMP_GPU_NONE ? CLUMP_GPU_NONE : s.first[other];
            if (there != CLUMP_GPU_NONE && small_near(s, p, there)) small_unite(s.parent, first, there);
            __syncwarp(together); /* else each goes on alone: six of 32 threads did the next axis together */
        }
    }
    __syncthreads();
}

/* Finds the smallest root and `main` of every word; roots of cells are known. */
__device__ static inline void small_find_main(const small_cloud &s)
{
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const uint32_t place = s.place[cell], slot = small_find_word(s, place / 32);
        const uint32_t base =
            cell - (uint32_t)__popc(s.bits[slot] & ((1u << place % 32) - 1)); /* others change s.base */
        if (s.first[cell] != CLUMP_GPU_NONE) atomicMin(&s.base[slot], s.first[cell] << 16 | base);
    }
    __syncthreads();
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const uint32_t place = s.place[cell], slot = small_find_word(s, place / 32);
        if (s.base[slot] >> 16 == s.first[cell]) atomicOr(&s.main[slot], 1u << place % 32);
    }
    __syncthreads();
}

static const uint32_t SMALL_TESTS = 64; /* of a pair of cells by one thread */

/* Compares the points of two cells with different roots, and joins them. Returns false where that would take too long for
 * one thread. */
template <bool DENSITY> __device__ static inline bool small_join_pair(const small_cloud &s, uint32_t a, uint32_t b)
{
    uint32_t left = SMALL_TESTS;
    for (uint32_t i = s.head[a]; i != SMALL_NONE; i = s.next[i]) {
        if (!small_joins<DENSITY>(s, i)) continue;
        const float3 p = small_point(s, i);
        for (uint32_t j = s.head[b]; j != SMALL_NONE; j = s.next[j]) {
            if (left-- == 0) return false;
            if (!small_joins<DENSITY>(s, j) || !small_near(s, p, j)) continue;
            small_unite(s.parent, s.first[a], s.first[b]);
            return true;
        }
    }
    return true;
}

/* Joins cells in reach that have different roots. Where the queue is full a pair is compared at once. Returns whether some
 * pair would have taken too long; the same for all threads. */
template <bool DENSITY> __device__ static inline bool small_join_pairs(const small_cloud &s)
{
    bool left = false;
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x) {
        const uint32_t root = s.first[cell];
        if (root == CLUMP_GPU_NONE) continue;
        small_visit<SMALL_STRANGE>(s, cell, root, [&](uint32_t other) {
            const uint32_t there = s.first[other];
            if (there == CLUMP_GPU_NONE || there == root) return false;
            const uint32_t at = atomicAdd(s.queued, 1);
            if (at < s.room)
                s.queue[at] = other << 16 | cell;
            else if (!small_join_pair<DENSITY>(s, cell, other))
                left = true;
            return false;
        });
    }
    __syncthreads();
    const uint32_t pairs = min(*s.queued, s.room);
    for (uint32_t k = threadIdx.x; k < pairs; k += blockDim.x)
        if (!small_join_pair<DENSITY>(s, s.queue[k] & 0xffff, s.queue[k] >> 16)) left = true;
    return __syncthreads_or(left);
}

/* The same for pairs of cells with many points: a thread per point. */
template <bool DENSITY> __device__ static inline void small_join_points(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.cell[i] == SMALL_OUT || !small_joins<DENSITY>(s, i)) continue;
        const uint32_t cell = small_cell(s, i), root = s.first[cell];
        const float3 p = small_point(s, i);
        small_visit<SMALL_STRANGE>(s, cell, root, [&](uint32_t other) {
            const uint32_t there = s.first[other];
            if (there == CLUMP_GPU_NONE || there == root) return false;
            for (uint32_t j = s.head[other]; j != SMALL_NONE; j = s.next[j]) {
                if (!small_joins<DENSITY>(s, j) || !small_near(s, p, j)) continue;
                small_unite(s.parent, root, there);
                break;
            }
            return false;
        });
    }
    __syncthreads();
}

/* Returns the smallest root of a core point near point i, with BATCH_BORDER; BATCH_LOOSE: there is none. */
__device__ static inline uint32_t small_border(const small_cloud &s, uint32_t i)
{
    const uint32_t cell = s.cell[i];
    const float3 p = small_point(s, i);
    uint32_t least = s.first[cell]; /* points of a cell are neighbours */
    small_visit<SMALL_ALL>(s, cell, 0, [&](uint32_t other) {
        const uint32_t root = s.first[other];
        if (root >= least) return false; /* also where the cell has no core points */
        for (uint32_t j = s.head[other]; j != SMALL_NONE; j = s.next[j])
            if ((s.cell[j] & SMALL_CORE) && small_near(s, p, j)) {
                least = root;
                break;
            }
        return false;
    });
    return least == CLUMP_GPU_NONE ? BATCH_LOOSE : least | BATCH_BORDER;
}

/* Finds the sets of all points: `parent` is as in batch_sets. */
template <bool DENSITY>
__device__ static inline void small_join(const small_cloud &s, uint32_t min_points, bool borders)
{
    if (DENSITY) small_find_cores(s, min_points);
    small_begin_sets<DENSITY>(s);
    if (!s.wide) { /* a wide cloud has no words */
        small_join_sides(s);
        small_find_roots(s);
        small_find_main(s);
    }
    bool left = s.wide; /* all pairs are too many for the queue */
    if (!s.wide && small_join_pairs<DENSITY>(s)) {
        small_find_roots(s); /* cells of `main` still have one root, if another one */
        left = true;
    }
    if (left) small_join_points<DENSITY>(s);
    small_find_roots(s);
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.cell[i] == SMALL_OUT) continue;
        if (small_joins<DENSITY>(s, i))
            s.parent[i] = s.first[small_cell(s, i)];
        else if (borders)
            s.parent[i] = small_border(s, i);
    }
    __syncthreads();
}

#endif
