/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.cu: see neighbours.cuh. The grid of cpu/papers/neighbours.c, made by the same sort and scan. A key
 * holds the three coordinates of a voxel, relative to the lower corner of the box, in the bits that the box needs:
 *
 *     | z        | y        | x        |      at most 64 bits: one sort by the bits in use
 *
 * Longer keys need points at 1e9 times d. Then the points are sorted by x first, and stably by z and y after that. Only
 * the GPU knows the number of voxels: there is memory for one per point.
 *
 *     sorted by voxel   a a a b b c d d d d
 *     marks             0 0 0 1 1 2 3 3 3 3  4     scanned: the number of its voxel; at the end, the number of voxels
 *     V                 a b c d
 *     S                 0 3 5 6 10
 *     rows              nine spans of `sorted` per voxel of V: voxels x - 1, x, x + 1 of a row are adjacent
 */
#include "cuda/gpu/scan.h"
#include "cuda/papers/six.h"
#include "rules/cell.h"

enum { NEIGHBOURS_BLOCKS = 16 }; /* of 128 threads: the 2,048 threads that a multiprocessor holds */

/* How the key of a voxel is packed. */
typedef struct packing {
    clump_cell_rule rule;
    int32_t x, y, z; /* lower corner */
    unsigned bits_x, bits_y, bits_z;
} packing;

__device__ static inline int3 voxel_at(float4 p, const clump_cell_rule &rule)
{
    return make_int3(clump_cell(p.x, rule), clump_cell(p.y, rule), clump_cell(p.z, rule));
}

/* The order of the sort. */
__device__ static inline bool voxel_before(int3 a, int3 b)
{
    if (a.z != b.z) return a.z < b.z;
    if (a.y != b.y) return a.y < b.y;
    return a.x < b.x;
}

/* Makes the keys of all three coordinates, or of x alone, for points in their own order. */
__global__ static void make_keys(const float4 *points, uint32_t n, packing p, bool only_x, uint64_t *keys,
                                 uint32_t *places)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i >= n) return;
    const int3 v = voxel_at(points[i], p.rule);
    const uint64_t x = (uint32_t)v.x - (uint32_t)p.x, y = (uint32_t)v.y - (uint32_t)p.y,
                   z = (uint32_t)v.z - (uint32_t)p.z;
    /* shifted twice: bits_x + bits_y may be 64, which one shift cannot do; z is 0 then */
    keys[i] = only_x ? x : z << p.bits_x << p.bits_y | y << p.bits_x | x;
    places[i] = (uint32_t)i;
}

/* Makes the keys of y and z, for points in the order of x. */
__global__ static void make_upper_keys(const float4 *points, uint32_t n, packing p, const uint32_t *places,
                                       uint64_t *keys)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i >= n) return;
    const int3 v = voxel_at(points[places[i]], p.rule);
    const uint64_t y = (uint32_t)v.y - (uint32_t)p.y, z = (uint32_t)v.z - (uint32_t)p.z;
    keys[i] = z << p.bits_y | y;
}

/* Writes the points in their new order, and marks the last point of each voxel. */
__global__ static void arrange(const float4 *points, uint32_t n, clump_cell_rule rule, const uint32_t *places,
                               float4 *sorted, uint32_t *mark)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i > n) return;
    if (i == n) {
        mark[n] = 0;
        return;
    }
    const float4 p = points[places[i]];
    sorted[i] = p;
    bool last = i + 1 == n;
    if (!last) {
        const int3 v = voxel_at(p, rule), next = voxel_at(points[places[i + 1]], rule);
        last = v.x != next.x || v.y != next.y || v.z != next.z;
    }
    mark[i] = last;
}

__global__ static void list_voxels(const float4 *sorted, uint32_t n, clump_cell_rule rule, const uint32_t *mark,
                                   int3 *voxels, uint32_t *starts)
{
    const size_t i = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    if (i >= n) return;
    if (i == 0) starts[0] = 0;
    if (mark[i] == mark[i + 1]) return;
    voxels[mark[i]] = voxel_at(sorted[i], rule);
    starts[mark[i] + 1] = (uint32_t)i + 1;
}

/* Returns the first voxel of V that is not before v. */
__device__ static inline uint32_t voxel_from(const int3 *voxels, uint32_t count, int3 v)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (voxel_before(voxels[middle], v))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the rows, one thread per row. Coordinates stay far from the limits of int32_t (cell.h). */
__global__ static void find_rows(const int3 *voxels, const uint32_t *starts, const uint32_t *voxel_count, uint2 *rows)
{
    const size_t t = blockIdx.x * (size_t)CLUMP_SIX_THREADS + threadIdx.x;
    const uint32_t count = *voxel_count;
    if (t / 9 >= count) return;
    const int row = (int)(t % 9);
    int3 v = voxels[t / 9];
    v.y += row % 3 - 1;
    v.z += row / 3 - 1;
    const uint32_t begin = voxel_from(voxels, count, make_int3(v.x - 1, v.y, v.z));
    const int3 behind = make_int3(v.x + 2, v.y, v.z);
    uint32_t end = begin; /* at most three further */
    while (end < count && voxel_before(voxels[end], behind)) end++;
    rows[t] = make_uint2(starts[begin], starts[end]);
}

/* ----- on the host --------------------------------------------------------------------------------- */

static unsigned bits_of(int32_t lower, int32_t upper)
{
    CLUMP_ASSERT(lower <= upper);
    const uint32_t extent = (uint32_t)upper - (uint32_t)lower;
    unsigned bits = 0;
    while (bits < 32 && extent >> bits) bits++;
    return bits;
}

static clump_status take_memory(clump_work *work, clump_cuda *cuda, clump_six_grid *m, const char *method, uint64_t n)
{
    for (int k = 0; k < 2; k++) {
        CLUMP_TRY(clump_device_need(work, cuda, method, &m->keys[k], n, sizeof(uint64_t), "points"));
        CLUMP_TRY(clump_device_need(work, cuda, method, &m->places[k], n, sizeof(uint32_t), "points"));
    }
    CLUMP_TRY(clump_device_need(work, cuda, method, &m->marks, n + 1, sizeof(uint32_t), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, method, &m->sorted, n, sizeof(float4), "points"));
    CLUMP_TRY(clump_device_need(work, cuda, method, &m->voxels, n, sizeof(int3), "voxels"));
    CLUMP_TRY(clump_device_need(work, cuda, method, &m->starts, n + 1, sizeof(uint32_t), "voxels"));
    return clump_device_need(work, cuda, method, &m->rows, n, 9 * sizeof(uint2), "voxels");
}

/* Steps 4 and 5 of Algorithm 7. *order becomes the places of the points in the order of their voxels. */
static clump_status sort_by_voxel(clump_work *work, clump_cuda *cuda, clump_six_grid *m, clump_device_buffer *temporary,
                                  const float4 *points, uint32_t n, const packing &p, const uint32_t **order)
{
    uint64_t *const keys[] = {(uint64_t *)m->keys[0].data, (uint64_t *)m->keys[1].data};
    uint32_t *const places[] = {(uint32_t *)m->places[0].data, (uint32_t *)m->places[1].data};
    const int bits = (int)(p.bits_x + p.bits_y + p.bits_z), first_bits = bits <= 64 ? bits : (int)p.bits_x;
    CLUMP_TRY(
        clump_six_launch(work, cuda, "finding voxels", n, make_keys, points, n, p, bits > 64, keys[0], places[0]));
    *order = places[0];
    if (first_bits == 0) return CLUMP_OK; /* all in one voxel */
    CLUMP_TRY(clump_sort_pairs(work, cuda, temporary, keys[0], keys[1], places[0], places[1], n, 0, first_bits));
    *order = places[1];
    if (bits <= 64) return CLUMP_OK;
    CLUMP_TRY(clump_six_launch(work, cuda, "finding voxels", n, make_upper_keys, points, n, p, places[1], keys[0]));
    *order = places[0];
    return clump_sort_pairs(work, cuda, temporary, keys[0], keys[1], places[1], places[0], n, 0, bits - first_bits);
}

static clump_status make_grid(clump_work *work, clump_cuda *cuda, clump_six_grid *m, clump_device_buffer *temporary,
                              const char *method, const clump_cloud_job *job, const int32_t *lower,
                              const int32_t *upper, clump_six_search *search)
{
    const uint32_t n = search->count;
    CLUMP_TRY(take_memory(work, cuda, m, method, n));
    const packing p = {clump_voxel_rule_make(job->d),
                       lower[0],
                       lower[1],
                       lower[2],
                       bits_of(lower[0], upper[0]),
                       bits_of(lower[1], upper[1]),
                       bits_of(lower[2], upper[2])};
    const uint32_t *order = NULL;
    CLUMP_TRY(sort_by_voxel(work, cuda, m, temporary, search->points, n, p, &order));
    float4 *const sorted = (float4 *)m->sorted.data;
    uint32_t *const mark = (uint32_t *)m->marks.data, *const starts = (uint32_t *)m->starts.data;
    int3 *const voxels = (int3 *)m->voxels.data;
    uint2 *const rows = (uint2 *)m->rows.data;
    CLUMP_TRY(clump_six_launch(work, cuda, "sorting points", n + (uint64_t)1, arrange, search->points, n, p.rule, order,
                               sorted, mark));
    CLUMP_TRY(clump_scan(work, cuda, temporary, mark, n));
    CLUMP_TRY(clump_six_launch(work, cuda, "listing voxels", n, list_voxels, sorted, n, p.rule, mark, voxels, starts));
    CLUMP_TRY(
        clump_six_launch(work, cuda, "listing voxels", n * (uint64_t)9, find_rows, voxels, starts, mark + n, rows));
    search->sorted = sorted;
    search->voxel_of = mark;
    search->rows = rows;
    return CLUMP_OK;
}

/* Cuts the candidates into parts of whole tiles: at least one part, otherwise enough for NEIGHBOURS_BLOCKS thread blocks
 * per multiprocessor. */
static void cut_parts(const clump_cuda *cuda, clump_six_search *search)
{
    const uint32_t n = search->count, block_points = NEIGHBOURS_THREADS * NEIGHBOURS_OWN;
    CLUMP_ASSERT(n >= 1);
    const uint32_t blocks = (n + block_points - 1) / block_points, tiles = (n + NEIGHBOURS_TILE - 1) / NEIGHBOURS_TILE;
    uint32_t parts = NEIGHBOURS_BLOCKS * (uint32_t)cuda->units / blocks;
    parts = parts < 1 ? 1 : parts > tiles ? tiles : parts;
    search->part_length = (tiles + parts - 1) / parts * NEIGHBOURS_TILE;
    search->parts = (n + search->part_length - 1) / search->part_length;
}

clump_status clump_six_search_prepare(clump_work *work, clump_cuda *cuda, clump_six_grid *memory,
                                      clump_device_buffer *temporary, const char *method, const clump_cloud_job *job,
                                      bool range, const float4 *points, uint32_t count, const int32_t *lower,
                                      const int32_t *upper, clump_six_search *search)
{
    search->points = points;
    search->count = count;
    search->bound = job->bound;
    search->range = range;
    search->parts = 1;
    if (range) return make_grid(work, cuda, memory, temporary, method, job, lower, upper, search);
    cut_parts(cuda, search);
    return CLUMP_OK;
}

void clump_six_grid_trim(clump_work *work, clump_cuda *cuda, clump_six_grid *memory)
{
    clump_device_buffer *const all[] = {&memory->keys[0],   &memory->keys[1], &memory->places[0],
                                        &memory->places[1], &memory->marks,   &memory->sorted,
                                        &memory->voxels,    &memory->starts,  &memory->rows};
    for (clump_device_buffer *buffer : all) clump_device_release(work, cuda, buffer);
}
