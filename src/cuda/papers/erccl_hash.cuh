/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_hash.cuh: the method `hash` of cpu/papers/erccl_hash.c on a GPU. Obstacle cells are in a hash table, by their
 * places, with linear probing. The flood from cell to cell becomes unions: a warp per cell, a lane per cell around it that
 * comes before it on the map. Each pair of cells is tried once, and sets do not depend on the order of unions
 * (rules/union_find.h). Heights are ignored; the table of limits says how far apart cells may be.
 *
 *     slots     -  -  7  -  -  -  3  9  -        places of obstacle cells; CLUMP_GPU_NONE: free
 *     parents   per obstacle cell, as in erccl_job.cuh
 */
#ifndef CLUMP_CUDA_PAPERS_ERCCL_HASH_CUH
#define CLUMP_CUDA_PAPERS_ERCCL_HASH_CUH

#include "cuda/obstacles/erccl_job.cuh"
#include "rules/hash.h"

typedef struct erccl_table {
    uint32_t *slots;
    uint32_t room;  /* slots: at least twice the cells, so every search ends at a free one */
    uint32_t count; /* obstacle cells */
    clump_hash_key key;
} erccl_table;

__device__ static inline uint32_t erccl_slot_of(const erccl_table &t, uint32_t place)
{
    return clump_hash_slot(clump_hash(t.key, (int32_t)place, 0, 0, 0), t.room);
}

/* Enters all obstacle cells. Each is a set of its own. */
__device__ static inline void erccl_enter_cells(const erccl_job &job, const erccl_table &t, const clump_gpu_team &team)
{
    for (uint64_t k = team.thread; k < t.count; k += team.threads) {
        const uint32_t place = job.list[k];
        uint32_t at = erccl_slot_of(t, place);
        while (atomicCAS(&t.slots[at], CLUMP_GPU_NONE, place) != CLUMP_GPU_NONE) at = at + 1 < t.room ? at + 1 : 0;
        job.parents[place] = place;
    }
}

__device__ static inline bool erccl_has_cell(const erccl_table &t, uint32_t place)
{
    for (uint32_t at = erccl_slot_of(t, place);; at = at + 1 < t.room ? at + 1 : 0) {
        const uint32_t there = t.slots[at];
        if (there == place || there == CLUMP_GPU_NONE) return there == place;
    }
}

/* Joins the sets of all cells that are near enough. */
__device__ static inline void erccl_join_cells(const erccl_job &job, const erccl_table &t, const clump_gpu_team &team)
{
    const int32_t reach = job.reach, rows = (int32_t)job.map.rows, columns = (int32_t)job.map.columns;
    const uint32_t before = erccl_around(job) / 2, width = 2 * (uint32_t)reach + 1;
    for (uint64_t w = team.thread / 32; w < t.count; w += team.threads / 32) {
        const uint32_t centre = job.list[w];
        for (uint32_t k = clump_lane(); k < before; k += 32) {
            const uint32_t above = erccl_row_of(job, k);
            const int32_t down = (int32_t)above - reach, right = (int32_t)(k - above * width) - reach;
            const int32_t row = (int32_t)(centre / job.map.columns) + down;
            const int32_t column = (int32_t)(centre % job.map.columns) + right;
            if (row < 0 || row >= rows || column < 0 || column >= columns) continue;
            if (job.limits[abs(down) * (reach + 1) + abs(right)] < 0) continue;
            const uint32_t place = (uint32_t)row * job.map.columns + (uint32_t)column;
            if (erccl_has_cell(t, place)) clump_unite(job.parents, centre, place);
        }
    }
}

#endif
