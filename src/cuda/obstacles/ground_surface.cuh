/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_surface.cuh: the last phase of CLUMP_GROUND_GRID on a GPU, by one cluster of thread blocks; by one thread block on
 * GPUs without clusters. Its steps have a barrier of the cluster between them. The tiles are in global memory, which the
 * caches of the multiprocessors hold, in three arrays with a border of one:
 *
 *     step      reads           writes          what
 *     level     tile                            level of the ground near the sensor; each thread block by itself
 *     far       tile            other           tiles too far above or below the level
 *     holes     other           tile, cone      tiles much lower than those beside them
 *     cones     cone            cone            the highest ground of limited slope that is nowhere above a tile
 *     fill      tile, cone      other           tiles above the cones; means of tiles beside
 *     fill      other           tile            means of tiles beside
 *     squares   tile            other           means of squares of 2, 4, 8 ... tiles; the first thread block
 *     heights   tile, other     heights         unknown tiles: of the smallest square that is known
 *
 * On the CPU cones are two sweeps over the map. Here: a shortest path along axes and diagonals has diagonal steps of one
 * direction and straight steps of one direction, in any order. So cones spread along all diagonals of one kind, along those
 * of the other, along rows, along columns. Lines of one kind share no tile; a warp has a line.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_SURFACE_CUH
#define CLUMP_CUDA_OBSTACLES_GROUND_SURFACE_CUH

#include "cuda/obstacles/ground_grid.cuh"

__device__ static inline int32_t ground_twice_away(const ground_search &w, int32_t i)
{
    const int32_t off = 2 * i + 1 - w.start.tiles;
    return off < 0 ? -off : off;
}

/* Returns the place of tile i, j in arrays with a border. */
__device__ static inline int32_t ground_at(const ground_search &w, int32_t i, int32_t j)
{
    return (i + 1) * w.pitch + j + 1;
}

/* Calls f(i, j) for every i and j from `first` to before `end`: a warp has 32 of a row at a time. */
template <class F>
__device__ static inline void ground_square(const clump_gpu_team &team, int32_t first, int32_t end, F f)
{
    const uint32_t side = (uint32_t)(end - first), pieces = (side + 31) / 32;
    for (uint32_t k = team.thread / 32; k < side * pieces; k += team.threads / 32) {
        const uint32_t row = k / pieces, column = (k - row * pieces) * 32 + clump_lane();
        if (column < side) f(first + (int32_t)row, first + (int32_t)column);
    }
}

__device__ static inline clump_gpu_team ground_thread_block(void)
{
    return clump_gpu_team{threadIdx.x, blockDim.x};
}

/* ----- level ----------------------------------------------------------------------------------------- */

/* Finds the level that most tiles within `reach` have, the lowest of equals; returns false where there is no tile. */
__device__ static inline bool ground_find_level(const ground_search &w, int32_t reach, int32_t *level)
{
    __shared__ uint32_t bins[CLUMP_LOW_BINS], best;
    __syncthreads();
    if (threadIdx.x < CLUMP_LOW_BINS) bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    const int32_t n = w.start.tiles, first = n > 2 * reach ? (n - 2 * reach) / 2 : 0; /* |2 i + 1 - n| <= 2 reach */
    ground_square(ground_thread_block(), first, n - first, [&](int32_t i, int32_t j) {
        const int32_t a = ground_twice_away(w, i), b = ground_twice_away(w, j);
        const int32_t z = w.tile[ground_at(w, i, j)] + CLUMP_LOW_MIDDLE;
        if ((a > b ? a : b) <= 2 * reach && z >= 0 && z < CLUMP_LOW_BINS << CLUMP_LOW_BIN_SHIFT)
            atomicAdd(&bins[z >> CLUMP_LOW_BIN_SHIFT], 1u);
    });
    __syncthreads();
    const uint32_t b = threadIdx.x;
    if (b + 4 <= CLUMP_LOW_BINS) {
        const uint32_t votes = bins[b] + bins[b + 1] + bins[b + 2] + bins[b + 3];
        if (votes) atomicMax(&best, votes * CLUMP_LOW_BINS + (CLUMP_LOW_BINS - 1 - b)); /* of at most 2^20 tiles */
    }
    __syncthreads();
    const int32_t winner = CLUMP_LOW_BINS - 1 - (int32_t)(best % CLUMP_LOW_BINS);
    *level = ((winner + 2) << CLUMP_LOW_BIN_SHIFT) - CLUMP_LOW_MIDDLE;
    return best > 0;
}

/* ----- far, holes -------------------------------------------------------------------------------------- */

__device__ static inline void ground_drop_far(const ground_search &w, const clump_gpu_team &team, int32_t level,
                                              int64_t rough)
{
    const int32_t n = w.start.tiles;
    ground_square(team, -1, n + 1, [&](int32_t i, int32_t j) {
        const int32_t at = ground_at(w, i, j), z = w.tile[at]; /* the border has no height */
        const int32_t a = ground_twice_away(w, i), b = ground_twice_away(w, j), few = a < b ? a : b,
                      more = a < b ? b : a;
        const int64_t slope = ((int64_t)few * w.lows.oblique + (int64_t)(more - few) * w.lows.straight) / 2;
        const int64_t off = (int64_t)z - level;
        const bool inside = i >= 0 && i < n && j >= 0 && j < n;
        w.other[at] = !inside || (off < 0 ? -off : off) > rough + slope ? (int32_t)CLUMP_LOW_NONE : z;
    });
}

__device__ static inline void ground_drop_holes(const ground_search &w, const clump_gpu_team &team)
{
    const int32_t p = w.pitch, beside[8] = {-p - 1, -p, -p + 1, -1, 1, p - 1, p, p + 1};
    ground_square(team, 0, w.start.tiles, [&](int32_t i, int32_t j) {
        const int32_t at = ground_at(w, i, j), z = w.other[at];
        int known = 0, low = 0;
        for (int k = 0; k < 8; k++) {
            const int32_t other = w.other[at + beside[k]];
            known += other != CLUMP_LOW_NONE;
            low += other <= z + CLUMP_LOW_HOLE + w.lows.straight;
        }
        w.tile[at] = w.cone[at] = z != CLUMP_LOW_NONE && known >= 3 && low < 2 ? (int32_t)CLUMP_LOW_NONE : z;
    });
}

/* ----- cones ----------------------------------------------------------------------------------------- */

/* Returns best + count * rise, capped: no height is above CLUMP_LOW_NONE, and twice that and one rise still fit. */
__device__ static inline int32_t ground_risen(int32_t best, int32_t count, int32_t rise)
{
    const int64_t more = (int64_t)count * rise;
    return best + (int32_t)(more < CLUMP_LOW_NONE ? more : CLUMP_LOW_NONE);
}

/* Spreads cones in one direction over the tiles of a warp, GROUND_EACH consecutive ones per lane: each tile is at most the
 * one before it plus the rise. `before` is the tile before all; returns the last one. Towards lane 0 where BACK. */
template <bool BACK> __device__ static inline int32_t ground_spread(int32_t *z, int32_t rise, int32_t before)
{
    const int32_t place = BACK ? 31 - (int32_t)clump_lane() : (int32_t)clump_lane();
    int32_t mine = CLUMP_LOW_NONE; /* the last tile of this lane, without those of other lanes */
#pragma unroll
    for (int e = 0; e < GROUND_EACH; e++) {
        const int32_t here = z[BACK ? GROUND_EACH - 1 - e : e];
        mine = mine + rise < here ? mine + rise : here;
    }
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        const int32_t other = BACK ? __shfl_down_sync(~0u, mine, step) : __shfl_up_sync(~0u, mine, step);
        const int32_t risen = ground_risen(other, step * GROUND_EACH, rise);
        if (place >= step && risen < mine) mine = risen;
    }
    const int32_t other = BACK ? __shfl_down_sync(~0u, mine, 1) : __shfl_up_sync(~0u, mine, 1);
    int32_t best = ground_risen(before, place * GROUND_EACH, rise);
    if (place > 0 && other < best) best = other;
#pragma unroll
    for (int e = 0; e < GROUND_EACH; e++) {
        int32_t *const here = &z[BACK ? GROUND_EACH - 1 - e : e];
        best = best + rise < *here ? best + rise : *here;
        *here = best;
    }
    return __shfl_sync(~0u, best, BACK ? 0 : 31);
}

/* Spreads cones in both directions along a line of tiles, by one warp. */
__device__ static inline void ground_spread_line(int32_t *tile, int32_t step, int32_t length, int32_t rise)
{
    enum { AT_ONCE = 32 * GROUND_EACH };
    const int32_t mine = (int32_t)clump_lane() * GROUND_EACH, last = (length - 1) / AT_ONCE * AT_ONCE;
    int32_t z[GROUND_EACH], before = CLUMP_LOW_NONE;
    const auto load = [&](int32_t first) {
#pragma unroll
        for (int e = 0; e < GROUND_EACH; e++)
            z[e] = first + mine + e < length ? tile[(first + mine + e) * step] : (int32_t)CLUMP_LOW_NONE;
    };
    const auto store = [&](int32_t first) {
#pragma unroll
        for (int e = 0; e < GROUND_EACH; e++)
            if (first + mine + e < length) tile[(first + mine + e) * step] = z[e];
    };
    for (int32_t first = 0; first <= last; first += AT_ONCE) {
        load(first);
        before = ground_spread<false>(z, rise, before);
        if (first < last) store(first);
    }
    before = CLUMP_LOW_NONE;
    for (int32_t first = last; first >= 0; first -= AT_ONCE) { /* the last ones are still here */
        if (first < last) load(first);
        before = ground_spread<true>(z, rise, before);
        store(first);
    }
}

__device__ static inline void ground_cones(const ground_search &w, const clump_gpu_team &team)
{
    const int32_t n = w.start.tiles, p = w.pitch, straight = w.lows.straight;
    /* two straight steps may be less than an oblique one, where both were rounded from almost 0 */
    const int32_t oblique = w.lows.oblique < 2 * straight ? w.lows.oblique : 2 * straight;
    const int32_t warp = (int32_t)(team.thread / 32), warps = (int32_t)(team.threads / 32);
    int32_t *const first = w.cone + p + 1;
    for (int kind = 0; kind < 2; kind++) { /* diagonals from the left downwards, from the right downwards */
        for (int32_t line = warp; line < 2 * n - 1; line += warps) {
            const int32_t row = line < n ? 0 : line - n + 1, column = line < n ? line : 0;
            const int32_t length = n - (row > column ? row : column);
            ground_spread_line(first + row * p + (kind ? n - 1 - column : column), kind ? p - 1 : p + 1, length,
                               oblique);
        }
        clump_barrier();
    }
    for (int32_t line = warp; line < n; line += warps) ground_spread_line(first + line * p, 1, n, straight);
    clump_barrier();
    for (int32_t line = warp; line < n; line += warps) ground_spread_line(first + line, p, n, straight);
    clump_barrier();
}

/* ----- means ----------------------------------------------------------------------------------------- */

/* Returns the height at a place, or where it is unknown the mean of those beside. */
template <class F> __device__ static inline int32_t ground_mean_beside(const ground_search &w, int32_t at, F height)
{
    const int32_t p = w.pitch, beside[8] = {-p - 1, -p, -p + 1, -1, 1, p - 1, p, p + 1}, z = height(at);
    int32_t known = 0, sum = 0;
    if (z != CLUMP_LOW_NONE) return z;
    for (int k = 0; k < 8; k++) {
        const int32_t other = height(at + beside[k]);
        known += other != CLUMP_LOW_NONE;
        sum += other != CLUMP_LOW_NONE ? other : 0;
    }
    return known ? sum / known : (int32_t)CLUMP_LOW_NONE;
}

/* Both steps that fill tiles with the mean of those beside. There is a surface where any tile is known. */
__device__ static inline void ground_fill_beside(const ground_search &w, const clump_gpu_team &team)
{
    bool known = false;
    const auto below_cones = [&](int32_t at) {
        const int32_t z = w.tile[at];
        return z != CLUMP_LOW_NONE && z - w.cone[at] > CLUMP_LOW_BUMP ? (int32_t)CLUMP_LOW_NONE : z;
    };
    ground_square(team, 0, w.start.tiles, [&](int32_t i, int32_t j) {
        const int32_t at = ground_at(w, i, j);
        known |= below_cones(at) != CLUMP_LOW_NONE;
        w.other[at] = ground_mean_beside(w, at, below_cones);
    });
    if (__any_sync(~0u, known) && clump_lane() == 0) { /* all that write write the same */
        w.surface->kind = CLUMP_SURFACE_MAP;
        w.surface->heights = w.heights;
    }
    clump_barrier();
    ground_square(team, 0, w.start.tiles, [&](int32_t i, int32_t j) {
        const int32_t at = ground_at(w, i, j);
        w.tile[at] = ground_mean_beside(w, at, [&](int32_t there) { return w.other[there]; });
    });
    clump_barrier();
}

/* Means of squares, in w.other: those of 2 x 2 tiles, then those of 2 x 2 of them, and so on. One thread block. */
__device__ static inline void ground_squares(const ground_search &w)
{
    const int32_t *from = w.tile + w.pitch + 1;
    int32_t *to = w.other, side = w.start.tiles, pitch = w.pitch;
    while (side > 1) {
        const int32_t half = (side + 1) / 2;
        ground_square(ground_thread_block(), 0, half, [&](int32_t i, int32_t j) {
            int32_t known = 0, sum = 0;
            for (int32_t q = 0; q < 4; q++) {
                const int32_t a = 2 * i + q / 2, b = 2 * j + q % 2;
                const int32_t z = a < side && b < side ? from[a * pitch + b] : (int32_t)CLUMP_LOW_NONE;
                known += z != CLUMP_LOW_NONE;
                sum += z != CLUMP_LOW_NONE ? z : 0;
            }
            to[i * half + j] = known ? sum / known : (int32_t)CLUMP_LOW_NONE;
        });
        __syncthreads();
        from = to, to += half * half;
        side = pitch = half;
    }
}

/* Stores the heights of the surface, with copies of the outermost tiles around them. A tile that is still unknown has the
 * mean of the smallest square that is known. */
__device__ static inline void ground_put_heights(const ground_search &w, const clump_gpu_team &team)
{
    const int32_t n = w.start.tiles, wide = n + 2;
    ground_square(team, 0, wide, [&](int32_t i, int32_t j) {
        int32_t a = i < 1 ? 0 : i > n ? n - 1 : i - 1, b = j < 1 ? 0 : j > n ? n - 1 : j - 1;
        int32_t z = w.tile[ground_at(w, a, b)], side = n;
        const int32_t *squares = w.other;
        while (z == CLUMP_LOW_NONE && side > 1) {
            side = (side + 1) / 2, a /= 2, b /= 2;
            z = squares[a * side + b];
            squares += side * side;
        }
        w.heights[i * wide + j] = __fmul_rn((float)z, 1.0f / CLUMP_LOW_UNIT);
    });
}

/* The phase. The grid is one cluster, or one thread block. */
__device__ static inline void ground_surface(const ground_search &w)
{
    const clump_gpu_team team = clump_whole_grid();
    int32_t level = w.lows.level;
    int64_t rough = w.lows.rough;
    if (w.lows.near_tiles > 0) {
        int32_t reach = w.lows.near_tiles;
        while (!ground_find_level(w, reach, &level)) {
            if (reach >= w.start.tiles) return; /* in all thread blocks */
            reach *= 2;
        }
        rough = CLUMP_LOW_ROUGH + (int64_t)reach * w.lows.straight;
    }
    ground_drop_far(w, team, level, rough);
    clump_barrier();
    ground_drop_holes(w, team);
    clump_barrier();
    ground_cones(w, team);
    ground_fill_beside(w, team);
    if (blockIdx.x == 0) ground_squares(w);
    clump_barrier();
    ground_put_heights(w, team);
}

#endif
