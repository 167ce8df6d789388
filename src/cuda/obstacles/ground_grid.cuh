/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_grid.cuh: CLUMP_GROUND_GRID on a GPU, in three phases; src/cpu/obstacles/ground_grid.c says what is computed
 * and why.
 *
 *     lows       every point lowers the part of the tile it is in                             all threads
 *     tiles      per tile: of its sixteen parts the low that a quarter is below               sixteen lanes per tile
 *     surface    level, limits, holes, cones, means: tiles alone, 80 x 80 of them             one thread block
 *
 * The tiles of the last phase lie in shared memory, in two arrays that change roles; in global memory where they do not
 * fit. On the CPU cones are two sweeps over the map. Here: a shortest path along axes and diagonals has diagonal steps
 * of one direction and straight steps of one direction, in any order. So cones spread along all diagonals of one kind,
 * along those of the other, along rows, along columns, a thread per line; lines of one kind share no tile.
 */
#ifndef CLUMP_CUDA_OBSTACLES_GROUND_GRID_CUH
#define CLUMP_CUDA_OBSTACLES_GROUND_GRID_CUH

#include "cuda/gpu/transfer.h"
#include "cuda/gpu/warp.cuh"
#include "cuda/obstacles/ground.h"

enum {
    GROUND_UNIT = 1024,       /* 1 m */
    GROUND_NONE = 0x3f3f3f3f, /* no height */
    GROUND_NEAR = 10,         /* m */
    GROUND_ROUGH = GROUND_UNIT,
    GROUND_HOLE = GROUND_UNIT / 2,
    GROUND_BUMP = GROUND_UNIT / 10,
    GROUND_BIN_SHIFT = 7,
    GROUND_BINS = 512,
    GROUND_MIDDLE = (GROUND_BINS << GROUND_BIN_SHIFT) / 2, /* of the bins */
    GROUND_BATCH = 8,                                      /* tiles of a line: loads in flight per thread */
    GROUND_LEVELS = 11,                                    /* of squares of 2, 4, 8 ... tiles */
    GROUND_THREADS = 1024                                  /* of the one thread block: the most there can be */
};

/* ----- lows ---------------------------------------------------------------------------------------- */

__device__ static inline void ground_lows(const ground_search &w, const clump_cloud_view &view,
                                          const clump_gpu_team &team)
{
    const clump_surface s = w.start;
    for (uint64_t i = team.thread; i < view.count; i += team.threads) {
        const float *const p = (const float *)(view.points + i * view.stride);
        const float u = clump_surface_u(&s, p), v = clump_surface_v(&s, p), h = clump_surface_h(&s, p);
        if ((view.mask && !view.mask[i]) || !clump_surface_inside(&s, u, v, h)) continue;
        const int32_t z = (int32_t)__fmul_rn(h, (float)GROUND_UNIT);
        const uint32_t a = (uint32_t)__fmul_rn(u, 4.0f), b = (uint32_t)__fmul_rn(v, 4.0f);
        int32_t *const part = &w.part[((size_t)(a / 4) * (uint32_t)s.tiles + b / 4) * GROUND_PARTS + a % 4 * 4 + b % 4];
        if (z < __ldcg(part)) atomicMin(part, z); /* most points are not lower */
    }
}

/* ----- tiles --------------------------------------------------------------------------------------- */

/* A lane per part. Warps are whole: lanes beyond the last tile take part in shuffles. Also fills the border. */
__device__ static inline void ground_tiles(const ground_search &w, const clump_gpu_team &team)
{
    const uint32_t tiles = (uint32_t)w.start.tiles;
    const uint64_t parts = (uint64_t)tiles * tiles * GROUND_PARTS;
    const uint32_t pitch = (uint32_t)w.pitch;
    for (uint32_t k = team.thread; k < (tiles + 2) * pitch; k += team.threads)
        if (k / pitch == 0 || k / pitch > tiles || k % pitch == 0 || k % pitch > tiles) w.tile[k] = GROUND_NONE;
    for (uint64_t k = team.thread; k < (parts + 31) / 32 * 32; k += team.threads) {
        const int32_t mine = k < parts ? w.part[k] : GROUND_NONE;
        int32_t below = 0, count = 0, low = mine;
        for (int other = 0; other < GROUND_PARTS; other++) {
            const int32_t theirs = __shfl_sync(~0u, mine, other, GROUND_PARTS);
            below += theirs < mine;
            count += theirs != GROUND_NONE;
        }
        if (mine == GROUND_NONE || below > count / 4) low = INT32_MIN;
        for (int step = GROUND_PARTS / 2; step > 0; step /= 2) {
            const int32_t theirs = __shfl_xor_sync(~0u, low, step, GROUND_PARTS);
            low = theirs > low ? theirs : low;
        }
        if (k % GROUND_PARTS != 0 || k >= parts) continue;
        const uint32_t tile = (uint32_t)(k / GROUND_PARTS);
        w.tile[(size_t)(tile / tiles + 1) * pitch + tile % tiles + 1] = count ? low : (int32_t)GROUND_NONE;
    }
}

/* ----- surface: one thread block ------------------------------------------------------------------- */

__device__ static inline int32_t ground_twice_away(const ground_search &w, int32_t i)
{
    const int32_t off = 2 * i + 1 - w.start.tiles;
    return off < 0 ? -off : off;
}

/* Calls f(i, j) for every i and j below side, by all threads together: a warp per row, no divisions. */
template <class F> __device__ static inline void ground_square(int32_t side, F f)
{
    for (int32_t i = (int32_t)threadIdx.x / 32; i < side; i += GROUND_THREADS / 32)
        for (int32_t j = (int32_t)threadIdx.x % 32; j < side; j += 32) f(i, j);
}

/* Calls f(i, j, where) for every tile. */
template <class F> __device__ static inline void ground_each(const ground_search &w, F f)
{
    ground_square(w.start.tiles, [&](int32_t i, int32_t j) { f(i, j, (i + 1) * w.pitch + j + 1); });
}

/* Finds the level that most tiles within `reach` have, the lowest of equals; returns false where there is no tile. */
__device__ static inline bool ground_find_level(const ground_search &w, const int32_t *tile, int32_t reach,
                                                int32_t *level)
{
    __shared__ uint32_t bins[GROUND_BINS], best;
    __syncthreads();
    if (threadIdx.x < GROUND_BINS) bins[threadIdx.x] = 0;
    if (threadIdx.x == 0) best = 0;
    __syncthreads();
    ground_each(w, [&](int32_t i, int32_t j, int32_t at) {
        const int32_t a = ground_twice_away(w, i), b = ground_twice_away(w, j), z = tile[at] + GROUND_MIDDLE;
        if ((a > b ? a : b) <= 2 * reach && z >= 0 && z < GROUND_BINS << GROUND_BIN_SHIFT)
            atomicAdd(&bins[z >> GROUND_BIN_SHIFT], 1u);
    });
    __syncthreads();
    const uint32_t b = threadIdx.x;
    if (b + 4 <= GROUND_BINS) {
        const uint32_t votes = bins[b] + bins[b + 1] + bins[b + 2] + bins[b + 3];
        if (votes) atomicMax(&best, votes * GROUND_BINS + (GROUND_BINS - 1 - b)); /* of at most 2^20 tiles */
    }
    __syncthreads();
    const int32_t winner = GROUND_BINS - 1 - (int32_t)(best % GROUND_BINS);
    *level = ((winner + 2) << GROUND_BIN_SHIFT) - GROUND_MIDDLE;
    return best > 0;
}

__device__ static inline void ground_drop_far(const ground_search &w, int32_t *tile, int32_t level, int64_t rough)
{
    ground_each(w, [&](int32_t i, int32_t j, int32_t at) {
        const int32_t a = ground_twice_away(w, i), b = ground_twice_away(w, j), few = a < b ? a : b,
                      more = a < b ? b : a;
        const int64_t slope = ((int64_t)few * w.oblique + (int64_t)(more - few) * w.straight) / 2;
        const int64_t off = (int64_t)tile[at] - level;
        if ((off < 0 ? -off : off) > rough + slope) tile[at] = GROUND_NONE;
    });
}

__device__ static inline void ground_drop_holes(const ground_search &w, const int32_t *from, int32_t *to)
{
    const int32_t p = w.pitch, beside[8] = {-p - 1, -p, -p + 1, -1, 1, p - 1, p, p + 1};
    ground_each(w, [&](int32_t, int32_t, int32_t at) {
        const int32_t z = from[at];
        int known = 0, low = 0;
        for (int k = 0; k < 8; k++) {
            const int32_t other = from[at + beside[k]];
            known += other != GROUND_NONE;
            low += other <= z + GROUND_HOLE + w.straight;
        }
        to[at] = z != GROUND_NONE && known >= 3 && low < 2 ? (int32_t)GROUND_NONE : z;
    });
}

/* Spreads cones in one direction along a line: each tile is at most the one before it plus the rise. */
__device__ static inline void ground_spread(int32_t *tile, int32_t step, int32_t length, int32_t rise)
{
    int32_t best = GROUND_NONE;
    for (int32_t k = 0; k < length; k += GROUND_BATCH, tile += GROUND_BATCH * step) {
        int32_t z[GROUND_BATCH];
#pragma unroll
        for (int b = 0; b < GROUND_BATCH; b++) z[b] = k + b < length ? tile[b * step] : (int32_t)GROUND_NONE;
#pragma unroll
        for (int b = 0; b < GROUND_BATCH; b++) {
            best = best + rise < z[b] ? best + rise : z[b];
            if (k + b < length && best < z[b]) tile[b * step] = best;
        }
    }
}

__device__ static inline void ground_spread_both(int32_t *tile, int32_t step, int32_t length, int32_t rise)
{
    ground_spread(tile, step, length, rise);
    ground_spread(tile + (length - 1) * step, -step, length, rise);
}

__device__ static inline void ground_cones(const ground_search &w, int32_t *cone)
{
    const int32_t n = w.start.tiles, p = w.pitch, straight = w.straight;
    /* two straight steps may be less than an oblique one, where both were rounded from almost 0 */
    const int32_t oblique = w.oblique < 2 * straight ? w.oblique : 2 * straight;
    int32_t *const first = cone + p + 1;
    for (int kind = 0; kind < 2; kind++) { /* diagonals from the left downwards, from the right downwards */
        for (int32_t line = (int32_t)threadIdx.x; line < 2 * n - 1; line += GROUND_THREADS) {
            const int32_t row = line < n ? 0 : line - n + 1, column = line < n ? line : 0;
            const int32_t length = n - (row > column ? row : column);
            ground_spread_both(first + row * p + (kind ? n - 1 - column : column), kind ? p - 1 : p + 1, length,
                               oblique);
        }
        __syncthreads();
    }
    for (int32_t line = (int32_t)threadIdx.x; line < n; line += GROUND_THREADS)
        ground_spread_both(first + line * p, 1, n, straight);
    __syncthreads();
    for (int32_t line = (int32_t)threadIdx.x; line < n; line += GROUND_THREADS)
        ground_spread_both(first + line, p, n, straight);
    __syncthreads();
}

__device__ static inline void ground_fill_beside(const ground_search &w, const int32_t *from, int32_t *to)
{
    const int32_t p = w.pitch, beside[8] = {-p - 1, -p, -p + 1, -1, 1, p - 1, p, p + 1};
    ground_each(w, [&](int32_t, int32_t, int32_t at) {
        int32_t z = from[at];
        if (z == GROUND_NONE) {
            int32_t known = 0, sum = 0;
            for (int k = 0; k < 8; k++) {
                const int32_t other = from[at + beside[k]];
                known += other != GROUND_NONE;
                sum += other != GROUND_NONE ? other : 0;
            }
            if (known) z = sum / known;
        }
        to[at] = z;
    });
    __syncthreads();
}

/* Squares of tiles: the whole map first, then levels of half the side each. */
typedef struct ground_squares {
    int32_t *at;
    int32_t side, pitch;
} ground_squares;

__device__ static inline ground_squares ground_halve(const ground_squares &from, int32_t *room)
{
    return ground_squares{room, (from.side + 1) / 2, (from.side + 1) / 2};
}

__device__ static inline void ground_means(const ground_squares &from, const ground_squares &to)
{
    ground_square(to.side, [&](int32_t i, int32_t j) {
        int32_t known = 0, sum = 0;
        for (int32_t q = 0; q < 4; q++) {
            const int32_t a = 2 * i + q / 2, b = 2 * j + q % 2;
            const int32_t z = a < from.side && b < from.side ? from.at[a * from.pitch + b] : (int32_t)GROUND_NONE;
            known += z != GROUND_NONE;
            sum += z != GROUND_NONE ? z : 0;
        }
        to.at[i * to.pitch + j] = known ? sum / known : (int32_t)GROUND_NONE;
    });
    __syncthreads();
}

/* Gives tiles that are still unknown the mean of the smallest square that is known. room: one entry per tile. */
__device__ static inline void ground_fill_far(const ground_search &w, int32_t *tile, int32_t *room)
{
    bool unknown = false;
    ground_each(w, [&](int32_t, int32_t, int32_t at) { unknown |= tile[at] == GROUND_NONE; });
    if (!__syncthreads_or(unknown)) return;
    ground_squares level[GROUND_LEVELS + 1];
    level[0].at = tile + w.pitch + 1, level[0].side = w.start.tiles, level[0].pitch = w.pitch;
    int last = 0;
    for (; level[last].side > 1; last++) {
        level[last + 1] = ground_halve(level[last], room);
        room += level[last + 1].side * level[last + 1].side;
        ground_means(level[last], level[last + 1]);
    }
    for (; last > 0; last--) {
        const ground_squares fine = level[last - 1], coarse = level[last];
        ground_square(fine.side, [&](int32_t i, int32_t j) {
            int32_t *const z = &fine.at[i * fine.pitch + j];
            if (*z == GROUND_NONE) *z = coarse.at[i / 2 * coarse.pitch + j / 2];
        });
        __syncthreads();
    }
}

/* Makes the tiles of the surface in `tile` from the measured ones; returns false where there is no ground. */
__device__ __forceinline__ static bool ground_find(const ground_search &w, int32_t *tile, int32_t *other)
{
    int32_t level = w.level;
    int64_t rough = w.rough;
    if (w.near_tiles > 0) {
        int32_t reach = w.near_tiles;
        while (!ground_find_level(w, tile, reach, &level)) {
            if (reach >= w.start.tiles) return false;
            reach *= 2;
        }
        rough = GROUND_ROUGH + (int64_t)reach * w.straight;
    }
    ground_drop_far(w, tile, level, rough);
    __syncthreads();
    ground_drop_holes(w, tile, other);
    __syncthreads();
    ground_each(w, [&](int32_t, int32_t, int32_t at) { tile[at] = other[at]; });
    __syncthreads();
    ground_cones(w, other);
    bool known = false;
    ground_each(w, [&](int32_t, int32_t, int32_t at) {
        if (tile[at] != GROUND_NONE && tile[at] - other[at] > GROUND_BUMP) tile[at] = GROUND_NONE;
        known |= tile[at] != GROUND_NONE;
    });
    if (!__syncthreads_or(known)) return false;
    ground_fill_beside(w, tile, other);
    ground_fill_beside(w, other, tile);
    ground_fill_far(w, tile, other);
    return true;
}

/* Stores the heights of the surface, with copies of the outermost tiles around them. */
__device__ static inline void ground_put_heights(const ground_search &w, const int32_t *tile)
{
    const int32_t n = w.start.tiles, wide = n + 2;
    ground_square(wide, [&](int32_t i, int32_t j) {
        const int32_t a = i < 1 ? 1 : i > n ? n : i, b = j < 1 ? 1 : j > n ? n : j;
        w.heights[i * wide + j] = __fmul_rn((float)tile[a * w.pitch + b], 1.0f / GROUND_UNIT);
    });
}

/* Copies tiles; all loads of a batch are in flight together. */
__device__ static inline void ground_copy(int32_t *to, const int32_t *from, int32_t count)
{
    for (int32_t first = (int32_t)threadIdx.x; first < count; first += GROUND_BATCH * GROUND_THREADS) {
        int32_t z[GROUND_BATCH];
#pragma unroll
        for (int b = 0; b < GROUND_BATCH; b++)
            z[b] = first + b * GROUND_THREADS < count ? from[first + b * GROUND_THREADS] : 0;
#pragma unroll
        for (int b = 0; b < GROUND_BATCH; b++)
            if (first + b * GROUND_THREADS < count) to[first + b * GROUND_THREADS] = z[b];
    }
}

__device__ __forceinline__ static void ground_surface_in(const ground_search &w, int32_t *tile, int32_t *other,
                                                         bool copied)
{
    const int32_t wide = w.start.tiles + 2;
    if (copied) ground_copy(tile, w.tile, wide * w.pitch);
    ground_square(wide, [&](int32_t i, int32_t j) {
        if (i == 0 || i == wide - 1 || j == 0 || j == wide - 1) other[i * w.pitch + j] = GROUND_NONE;
    });
    __syncthreads();
    const bool found = ground_find(w, tile, other);
    if (found) ground_put_heights(w, tile);
    if (found && threadIdx.x == 0) {
        w.surface->kind = CLUMP_SURFACE_MAP;
        w.surface->heights = w.heights;
    }
}

__device__ static inline void ground_surface(const ground_search &w, int32_t *shared)
{
    const int32_t room = (w.start.tiles + 2) * w.pitch;
    if (2 * (size_t)room * sizeof *shared <= w.shared_bytes)
        ground_surface_in(w, shared, shared + room, true);
    else
        ground_surface_in(w, w.tile, w.other, false);
}

#endif
