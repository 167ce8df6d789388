/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_maps.cu: what the caller of clump_erccl wants to know of the cells of the map, from finished labels.
 */
#include "cuda/obstacles/erccl_launch.h"

#include "cuda/gpu/transfer.h"

/* Returns the height of the ground at the middle of a cell, in the frame of the points; NaN where it is not known. */
__device__ static inline float erccl_ground_at(const erccl_job &job, const clump_surface &s, uint32_t cell)
{
    const clump_elevation &map = job.map;
    const float row = __fadd_rn((float)(cell / map.columns), 0.5f),
                column = __fadd_rn((float)(cell % map.columns), 0.5f);
    const float x = __fadd_rn(map.corner[0], __fmul_rn(row, map.cell));
    const float y = __fadd_rn(map.corner[1], __fmul_rn(column, map.cell));
    const float middle[3] = {x, y, y}; /* heights are not looked at */
    const float u = clump_surface_u(&s, middle), v = clump_surface_v(&s, middle);
    if (s.kind == CLUMP_SURFACE_NONE || !clump_surface_inside(&s, u, v, 0)) return clump_unknown();
    const float height = s.kind == CLUMP_SURFACE_LEVEL ? s.level : clump_surface_height(&s, u, v);
    return __fadd_rn(height, __fmul_rn(map.up, s.sensor));
}

/* All maps. The cells of a set have one label, that of their points; cells without obstacles are noise. */
__global__ static void __launch_bounds__(ERCCL_THREADS) maps_kernel(erccl_job job, clump_erccl_maps maps)
{
    const clump_gpu_team team = clump_whole_grid();
    const clump_surface surface = *job.ground.surface;
    for (uint64_t k = team.thread; k < job.cells; k += team.threads) {
        const uint2 heights = job.heights[k];
        const bool obstacle = erccl_occupied(heights);
        if (maps.obstacle) maps.obstacle[k] = obstacle;
        if (maps.lowest) maps.lowest[k] = obstacle ? clump_float_of_key(heights.x) : clump_unknown();
        if (maps.highest) maps.highest[k] = obstacle ? clump_float_of_key(heights.y) : clump_unknown();
        if (maps.labels) maps.labels[k] = obstacle ? job.labels[job.first[k]] : CLUMP_NOISE;
        if (maps.ground) maps.ground[k] = erccl_ground_at(job, surface, (uint32_t)k);
    }
}

/* After that: the labels of cells that hold ground alone. All threads of a cell write the same value. */
__global__ static void __launch_bounds__(ERCCL_THREADS) maps_ground_kernel(erccl_job job, clump_erccl_maps maps)
{
    const clump_gpu_team team = clump_whole_grid();
    for (uint64_t i = team.thread; i < job.view.count; i += team.threads) {
        if (job.place_of[i] > ERCCL_GROUND) continue;
        const uint32_t place = (uint32_t)(ERCCL_GROUND - job.place_of[i]);
        if (!erccl_occupied(job.heights[place])) maps.labels[place] = CLUMP_GROUND;
    }
}

/* Sets *maps to where the maps are made: in the memory of a caller on the GPU, else in e->maps. */
static clump_status place_maps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e, const clump_erccl_job *job,
                               uint64_t cells, clump_erccl_maps *maps)
{
    *maps = job->maps;
    if (job->in.place == CLUMP_PLACE_DEVICE) return CLUMP_OK;
    for (int turn = 0; turn < 2; turn++) {
        clump_cutter c = {(char *)(turn ? e->maps.data : NULL), 0};
        if (job->maps.obstacle) clump_cut(&c, &maps->obstacle, cells);
        if (job->maps.lowest) clump_cut(&c, &maps->lowest, cells);
        if (job->maps.highest) clump_cut(&c, &maps->highest, cells);
        if (job->maps.ground) clump_cut(&c, &maps->ground, cells);
        if (job->maps.labels) clump_cut(&c, &maps->labels, cells);
        if (turn == 0) CLUMP_TRY(clump_device_reserve(work, cuda, &e->maps, c.used));
    }
    return CLUMP_OK;
}

static clump_status fetch_map(clump_work *work, clump_cuda *cuda, void *to, const void *from, size_t bytes)
{
    if (!to || to == from) return CLUMP_OK;
    CLUMP_CUDA(work, cuda, "fetching maps from the GPU",
               cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda->stream));
    return CLUMP_OK;
}

clump_status clump_cuda_erccl_make_maps(clump_work *work, clump_cuda *cuda, clump_cuda_erccl *e,
                                        const clump_erccl_job *job, const erccl_job *gpu_job)
{
    const clump_erccl_maps *const asked = &job->maps;
    if (!asked->obstacle && !asked->lowest && !asked->highest && !asked->ground && !asked->labels) return CLUMP_OK;
    const uint64_t cells = gpu_job->cells;
    clump_erccl_maps maps;
    CLUMP_TRY(place_maps(work, cuda, e, job, cells, &maps));
    const uint32_t most = (uint32_t)cuda->units * ERCCL_BLOCKS;
    CLUMP_TRY(clump_launch_items(work, cuda, "making maps", cells, ERCCL_THREADS, most, maps_kernel, *gpu_job, maps));
    if (maps.labels)
        CLUMP_TRY(clump_launch_items(work, cuda, "making maps", gpu_job->view.count, ERCCL_THREADS, most,
                                     maps_ground_kernel, *gpu_job, maps));
    CLUMP_TRY(fetch_map(work, cuda, asked->obstacle, maps.obstacle, cells));
    CLUMP_TRY(fetch_map(work, cuda, asked->lowest, maps.lowest, cells * sizeof(float)));
    CLUMP_TRY(fetch_map(work, cuda, asked->highest, maps.highest, cells * sizeof(float)));
    CLUMP_TRY(fetch_map(work, cuda, asked->ground, maps.ground, cells * sizeof(float)));
    return fetch_map(work, cuda, asked->labels, maps.labels, cells * sizeof(int32_t));
}
