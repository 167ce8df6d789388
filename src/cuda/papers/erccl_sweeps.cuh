/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.cuh: the methods of Tian et al. 2020 on a GPU. Each obstacle cell begins with its place as label. In a
 * pass every cell finds the smallest label among the cells alike within reach, itself included, and writes it to all of
 * them; passes go on until one changes nothing. The paper has a thread per cell of the map; here a warp works per
 * obstacle cell, a lane per cell around it.
 *
 *     racing        all cells at once, in one map. Two may write to one cell, and the larger label may remain. But each
 *                   writer has read a larger label there, so in a pass a label falls or is not written. So passes end,
 *                   with correct labels. Their number depends on the order of threads
 *     independent   no two cells write to one entry: there are (2r+1)^2 maps, and the place of a cell within squares of
 *                   2r+1 cells chooses its map. The smallest label of all maps is the new one. As many passes as on the
 *                   CPU
 *     ccl           as racing, but heights do not count: all obstacle cells within reach are alike
 *
 * Which cells are alike does not change: a bit per cell around each obstacle cell is computed before the first pass. A
 * few passes are on the stream before the host knows whether they are needed; those after a pass that changed nothing
 * do nothing. Each publishes the result of the pass before it in host memory:
 *
 *     pass        0    1    2    3    4         changed      of this pass: may be set; of the last: read; of the next:
 *     changed     1    1    0    .    .                      cleared. A ring of ERCCL_FLAGS
 *     publishes   -    0    1    2    3         published    2 * (pass + 1) + changed; a ring too
 */
#ifndef CLUMP_CUDA_PAPERS_ERCCL_SWEEPS_CUH
#define CLUMP_CUDA_PAPERS_ERCCL_SWEEPS_CUH

#include "cuda/obstacles/erccl_job.cuh"

enum { ERCCL_SLICES = 8 }; /* warps per thread block, which share the maps of 32 cells */

typedef struct erccl_sweep {
    uint32_t *changed;   /* ERCCL_FLAGS entries, on the GPU */
    uint32_t *published; /* ERCCL_FLAGS entries, on the host */
    uint32_t count;      /* obstacle cells */
    uint32_t words;      /* of `alike` per cell */
    uint32_t *alike;     /* per list entry: bits of the cells around */
    uint32_t *labels;    /* independent: per list entry; `parents` then has the list entry of each cell */
    uint32_t *maps;      /* independent: (2r+1)^2 maps of `count` labels */
} erccl_sweep;

__device__ static inline bool erccl_is_over(const erccl_sweep &s, uint32_t pass)
{
    return pass > 0 && s.changed[(pass - 1) % ERCCL_FLAGS] == 0;
}

/* Publishes the pass before, at the beginning of a pass. No other thread reads or writes these entries in this pass. */
__device__ static inline void erccl_publish(const erccl_sweep &s, uint32_t pass)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    s.changed[(pass + 1) % ERCCL_FLAGS] = 0;
    if (pass == 0) return;
    *(volatile uint32_t *)&s.published[(pass - 1) % ERCCL_FLAGS] = 2 * pass + (erccl_is_over(s, pass) ? 0 : 1);
}

/* Before the first pass: labels, and which cells are alike. A warp per cell. `flat`: see erccl_alike. */
__device__ static inline void erccl_sweep_begin(const erccl_job &job, const erccl_sweep &s, bool independent, bool flat,
                                                const clump_gpu_team &team)
{
    const uint32_t around = erccl_around(job);
    if (team.thread == 0) s.changed[0] = 0;
    for (uint64_t w = team.thread / 32; w < s.count; w += team.threads / 32) {
        const erccl_centre c = erccl_centre_at(job, job.list[w]);
        for (uint32_t word = 0; word < s.words; word++) {
            const uint32_t k = 32 * word + clump_lane();
            uint32_t place;
            const unsigned bits = __ballot_sync(~0u, k < around && erccl_alike(job, c, k, &place, flat));
            if (clump_lane() == 0) s.alike[w * s.words + word] = bits;
        }
        if (clump_lane() > 0) continue;
        job.parents[c.place] = independent ? (uint32_t)w : c.place;
        if (independent) s.labels[w] = c.place;
    }
}

enum { ERCCL_WORDS_AT_ONCE = 4 }; /* words of `alike`: a reach of 5 has 4 */

/* Cells alike around an obstacle cell that one lane works on: their places and labels. */
typedef struct erccl_alike_cells {
    uint32_t place[ERCCL_WORDS_AT_ONCE], label[ERCCL_WORDS_AT_ONCE]; /* CLUMP_GPU_NONE: none */
} erccl_alike_cells;

/* Finds the places of ERCCL_WORDS_AT_ONCE words of the w-th obstacle cell. All loads are in flight together. */
__device__ static inline void erccl_find_alike(const erccl_job &job, const erccl_sweep &s, uint64_t w, uint32_t centre,
                                               uint32_t word, erccl_alike_cells *cells)
{
    const uint32_t reach = (uint32_t)job.reach, lane = clump_lane();
    uint32_t bits[ERCCL_WORDS_AT_ONCE];
#pragma unroll
    for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++)
        bits[k] = word + k < s.words ? s.alike[w * s.words + word + k] : 0;
#pragma unroll
    for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++) {
        const uint32_t at = 32 * (word + k) + lane, row = erccl_row_of(job, at);
        const uint32_t column = at - row * (2 * reach + 1);
        /* unsigned arithmetic: wrapping cancels */
        cells->place[k] =
            bits[k] >> lane & 1 ? centre + (row - reach) * job.map.columns + (column - reach) : CLUMP_GPU_NONE;
    }
}

__device__ static inline uint32_t erccl_least_label(const erccl_alike_cells &cells, uint32_t least)
{
#pragma unroll
    for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++) least = cells.label[k] < least ? cells.label[k] : least;
    return least;
}

/* ----- racing and ccl ------------------------------------------------------------------------------ */

__device__ static inline void erccl_load_racing(const erccl_job &job, const erccl_sweep &s, uint64_t w, uint32_t centre,
                                                uint32_t word, erccl_alike_cells *cells)
{
    const volatile uint32_t *const labels = job.parents;
    erccl_find_alike(job, s, w, centre, word, cells);
#pragma unroll
    for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++)
        cells->label[k] = cells->place[k] != CLUMP_GPU_NONE ? labels[cells->place[k]] : CLUMP_GPU_NONE;
}

__device__ static inline void erccl_race(const erccl_job &job, const erccl_sweep &s, uint32_t pass,
                                         const clump_gpu_team &team)
{
    erccl_publish(s, pass);
    if (erccl_is_over(s, pass)) return;
    bool changed = false;
    for (uint64_t w = team.thread / 32; w < s.count; w += team.threads / 32) {
        const uint32_t centre = job.list[w];
        erccl_alike_cells cells;
        uint32_t least = CLUMP_GPU_NONE;
        for (uint32_t word = 0; word < s.words; word += ERCCL_WORDS_AT_ONCE) {
            erccl_load_racing(job, s, w, centre, word, &cells);
            least = erccl_least_label(cells, least);
        }
        least = clump_warp_min(least);
        for (uint32_t word = 0; word < s.words; word += ERCCL_WORDS_AT_ONCE) {
            if (s.words > ERCCL_WORDS_AT_ONCE) erccl_load_racing(job, s, w, centre, word, &cells);
#pragma unroll
            for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++) {
                if (cells.place[k] == CLUMP_GPU_NONE || cells.label[k] <= least) continue;
                *(volatile uint32_t *)&job.parents[cells.place[k]] = least;
                changed = true;
            }
        }
    }
    if (changed) s.changed[pass % ERCCL_FLAGS] = 1;
}

/* ----- independent --------------------------------------------------------------------------------- */

/* Finds the same cells, as list entries instead of places. */
__device__ static inline void erccl_load_listed(const erccl_job &job, const erccl_sweep &s, uint64_t w, uint32_t centre,
                                                uint32_t word, erccl_alike_cells *cells)
{
    erccl_find_alike(job, s, w, centre, word, cells);
#pragma unroll
    for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++)
        if (cells->place[k] != CLUMP_GPU_NONE) cells->place[k] = job.parents[cells->place[k]];
}

__device__ static inline void erccl_write_maps(const erccl_job &job, const erccl_sweep &s, uint32_t pass,
                                               const clump_gpu_team &team)
{
    erccl_publish(s, pass);
    if (erccl_is_over(s, pass)) return;
    const uint32_t width = 2 * (uint32_t)job.reach + 1, columns = job.map.columns;
    for (uint64_t w = team.thread / 32; w < s.count; w += team.threads / 32) {
        const uint32_t centre = job.list[w];
        uint32_t *const map = s.maps + (centre / columns % width * width + centre % columns % width) * (size_t)s.count;
        erccl_alike_cells cells;
        uint32_t least = CLUMP_GPU_NONE;
        for (uint32_t word = 0; word < s.words; word += ERCCL_WORDS_AT_ONCE) {
            erccl_load_listed(job, s, w, centre, word, &cells);
#pragma unroll
            for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++)
                cells.label[k] = cells.place[k] != CLUMP_GPU_NONE ? s.labels[cells.place[k]] : CLUMP_GPU_NONE;
            least = erccl_least_label(cells, least);
        }
        least = clump_warp_min(least);
        for (uint32_t word = 0; word < s.words; word += ERCCL_WORDS_AT_ONCE) {
            if (s.words > ERCCL_WORDS_AT_ONCE) erccl_load_listed(job, s, w, centre, word, &cells);
#pragma unroll
            for (uint32_t k = 0; k < ERCCL_WORDS_AT_ONCE; k++)
                if (cells.place[k] != CLUMP_GPU_NONE) map[cells.place[k]] = least;
        }
    }
}

/* A thread block takes 32 cells at a time; each of its warps takes a slice of the maps. */
__device__ static inline void erccl_merge_maps(const erccl_job &job, const erccl_sweep &s, uint32_t pass)
{
    __shared__ uint32_t smallest[ERCCL_SLICES][32];
    if (erccl_is_over(s, pass)) return;
    const uint32_t around = erccl_around(job), slice = threadIdx.x / 32;
    bool changed = false;
    for (uint64_t first = (uint64_t)blockIdx.x * 32; first < s.count; first += (uint64_t)gridDim.x * 32) {
        const uint64_t k = first + clump_lane();
        uint32_t least = CLUMP_GPU_NONE;
        if (k < s.count) {
#pragma unroll 8
            for (uint32_t map = slice; map < around; map += ERCCL_SLICES) {
                const uint32_t label = s.maps[(size_t)map * s.count + k];
                least = label < least ? label : least;
            }
        }
        smallest[slice][clump_lane()] = least;
        __syncthreads();
        if (slice == 0 && k < s.count) {
            for (int other = 1; other < ERCCL_SLICES; other++) {
                const uint32_t theirs = smallest[other][clump_lane()];
                least = theirs < least ? theirs : least;
            }
            if (least < s.labels[k]) {
                s.labels[k] = least;
                changed = true;
            }
        }
        __syncthreads();
    }
    if (changed) s.changed[pass % ERCCL_FLAGS] = 1;
}

/* Stores the label map where the other methods have it. */
__device__ static inline void erccl_independent_end(const erccl_job &job, const erccl_sweep &s,
                                                    const clump_gpu_team &team)
{
    for (uint64_t k = team.thread; k < s.count; k += team.threads) job.parents[job.list[k]] = s.labels[k];
}

#endif
