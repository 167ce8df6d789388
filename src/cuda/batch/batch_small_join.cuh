/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch_small_join.cuh: joins the cells of a cloud in shared memory (batch_small.cuh). All threads of the thread block call
 * each function.
 *
 *     sides      cells that share a side are joined if their first points are neighbours: most cells of a set meet here,
 *                for three comparisons per cell
 *     main       every block knows which of its cells have the root of its first cell
 *     reaching   points are compared with those of cells in reach that have another root; most are left out at once, by
 *                the set `main` of their block
 *
 * What is done per cell is done by the thread of the point at the head of its list.
 *
 * Threads read entries of the union-find that others change, so every access while sets grow is an atomic one.
 */
#ifndef CLUMP_CUDA_BATCH_BATCH_SMALL_JOIN_CUH
#define CLUMP_CUDA_BATCH_BATCH_SMALL_JOIN_CUH

#include "cuda/batch/batch_small.cuh"

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

__device__ static inline void small_unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    for (;;) {
        a = small_find(parent, a);
        b = small_find(parent, b);
        if (a == b) return;
        const uint32_t low = min(a, b), high = max(a, b);
        if (atomicCAS(&parent[high], high, low) == high) return;
    }
}

/* Whether point j can join sets: all can, but for DBSCAN only core points. */
template <bool DENSITY> __device__ static inline bool small_joins(const small_cloud &s, uint32_t j)
{
    return !DENSITY || (s.place[j] & SMALL_CORE);
}

/* DBSCAN: flags the core points; `first` of a cell is its smallest core point. */
__device__ static inline void small_find_cores(const small_cloud &s, uint32_t min_points)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        const uint32_t place = s.place[i];
        if (place == SMALL_OUT) continue;
        const uint32_t cell = small_cell_of(s, place);
        uint32_t found = 0;
        for (uint32_t j = s.head[cell]; j != SMALL_NONE && found < min_points; j = s.next[j]) found++;
        const float3 p = small_point(s, i);
        if (found < min_points)
            small_visit<SMALL_ALL>(s, place, 0, [&](uint32_t other) {
                for (uint32_t j = s.head[other]; j != SMALL_NONE; j = s.next[j])
                    if (small_near(s, p, j) && ++found >= min_points) return true;
                return false;
            });
        if (found < min_points) continue;
        s.place[i] = place | SMALL_CORE;
        atomicMin(&s.first[cell], i);
    }
    __syncthreads();
}

/* Makes the first point of its cell the parent of every point that can join. */
template <bool DENSITY> __device__ static inline void small_begin_sets(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        const uint32_t place = s.place[i];
        s.parent[i] = place == SMALL_OUT            ? BATCH_OUT
                      : !small_joins<DENSITY>(s, i) ? BATCH_LOOSE
                                                    : s.first[small_cell_of(s, place)];
    }
    __syncthreads();
}

/* Makes `first` of every cell its root. */
__device__ static inline void small_find_roots(const small_cloud &s)
{
    for (uint32_t cell = threadIdx.x; cell < s.cells; cell += blockDim.x)
        if (s.first[cell] != CLUMP_GPU_NONE) s.first[cell] = small_find(s.parent, s.first[cell]);
    __syncthreads();
}

/* Returns the number of the cell that follows a place on an axis; CLUMP_GPU_NONE: it has no points. `cell_step` and
 * `key_step` are from a cell and from a block to the next. */
__device__ static inline uint32_t small_next_cell(const small_cloud &s, uint32_t slot, uint32_t bit, uint32_t cell_step,
                                                  uint32_t key_step)
{
    if ((bit / cell_step & 3) < 3) {
        bit += cell_step;
    } else {
        slot = small_find_block(s, s.key[slot] + key_step);
        bit -= 3 * cell_step;
    }
    if (slot == CLUMP_GPU_NONE || !(s.mask[slot] >> bit & 1)) return CLUMP_GPU_NONE;
    return small_cell_number(s, slot, bit);
}

__device__ static inline void small_join_sides(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.place[i] == SMALL_OUT) continue;
        const uint32_t place = s.place[i] & ~SMALL_CORE, cell = small_cell_of(s, place), first = s.first[cell];
        if (s.head[cell] != i || first == CLUMP_GPU_NONE) continue;
        const float3 p = small_point(s, first);
        for (int axis = 0; axis < (s.two_d ? 2 : 3); axis++) {
            const uint32_t other = small_next_cell(s, place / 64, place % 64, 1u << 2 * axis, 1u << 11 * axis);
            const uint32_t there = other == CLUMP_GPU_NONE ? CLUMP_GPU_NONE : s.first[other];
            if (there != CLUMP_GPU_NONE && small_near(s, p, there)) small_unite(s.parent, first, there);
        }
    }
    __syncthreads();
}

/* Fills `main` of every block; roots are known. */
__device__ static inline void small_find_main(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.place[i] == SMALL_OUT) continue;
        const uint32_t place = s.place[i] & ~SMALL_CORE, slot = place / 64, bit = place % 64;
        const uint32_t cell = small_cell_of(s, place);
        if (s.head[cell] != i || s.first[cell] != s.first[s.base[slot]]) continue;
        atomicOr((uint32_t *)&s.main[slot] + bit / 32, 1u << bit % 32);
    }
    __syncthreads();
}

/* `first` has the roots of cells as they were before. A point with a neighbour in another cell joins both. */
template <bool DENSITY> __device__ static inline void small_join_reaching(const small_cloud &s)
{
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        const uint32_t place = s.place[i];
        if (place == SMALL_OUT || !small_joins<DENSITY>(s, i)) continue;
        const uint32_t root = s.first[small_cell_of(s, place)];
        const float3 p = small_point(s, i);
        small_visit<SMALL_STRANGE>(s, place, root, [&](uint32_t other) {
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
    const uint32_t place = s.place[i];
    const float3 p = small_point(s, i);
    uint32_t least = s.first[small_cell_of(s, place)]; /* points of a cell are neighbours */
    small_visit<SMALL_ALL>(s, place, 0, [&](uint32_t other) {
        const uint32_t root = s.first[other];
        if (root >= least) return false; /* also where the cell has no core points */
        for (uint32_t j = s.head[other]; j != SMALL_NONE; j = s.next[j])
            if ((s.place[j] & SMALL_CORE) && small_near(s, p, j)) {
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
    if (!s.wide) { /* a wide cloud has no blocks */
        small_join_sides(s);
        small_find_roots(s);
        small_find_main(s);
    }
    small_join_reaching<DENSITY>(s);
    small_find_roots(s);
    for (uint32_t i = threadIdx.x; i < s.count; i += blockDim.x) {
        if (s.place[i] == SMALL_OUT) continue;
        if (small_joins<DENSITY>(s, i))
            s.parent[i] = s.first[small_cell_of(s, s.place[i])];
        else if (borders)
            s.parent[i] = small_border(s, i);
    }
    __syncthreads();
}

#endif
