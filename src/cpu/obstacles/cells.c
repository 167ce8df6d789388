/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cells.c: see cells.h. Four steps:
 *
 *     1  place    the bit of the map that each point falls on            threads have slices of the points
 *     2  mark     sets these bits                                        threads have slices of the map
 *     3  number   counts bits; the bit of a point becomes its cell       threads have slices of the points
 *     4  gather   highest, lowest and first point of each cell           threads have slices of the cells
 *
 * In steps 2 and 4 each thread reads the places of all points, which is cheap, and handles those in its own slice of
 * the map or the cells. This avoids false sharing. Heights are compared by their ordered keys (float_key.h), where -0
 * is below 0, so the result does not depend on the order of the points.
 */
#include "cpu/obstacles/cells.h"

#include "common/atomics.h"
#include "common/share.h"
#include "core/work.h"
#include "cpu/obstacles/ground_batch.h"
#include "rules/float_key.h"

#include <string.h>

typedef struct cell_keys {
    uint32_t lowest, highest, first;
} cell_keys;

typedef struct counts {
    size_t finite, masked, ground, noise;
} counts;

/* Finds the places on the map of `count` points, `step` floats apart: the bit, or CLUMP_NOISE off the map. This is
 * clump_elevation_cell without a branch; the compiler vectorises it for a constant step. Returns the finite points. */
static inline uint32_t find_places(const clump_elevation *map, int32_t row_bits, const float *points, size_t step,
                                   uint32_t count, int32_t *places)
{
    const float x0 = map->corner[0], y0 = map->corner[1], cell = map->cell;
    const float rows = (float)map->rows, columns = (float)map->columns;
    const bool y_up = map->up_axis == 1;
    uint32_t finite = 0;
    for (uint32_t k = 0; k < count; k++) {
        const float *const p = points + k * step;
        const float x = p[0], y = y_up ? p[2] : p[1], height = y_up ? p[1] : p[2];
        const float i = clump_elevation_quotient(x, x0, cell), j = clump_elevation_quotient(y, y0, cell);
        const int good = (fabsf(x) <= FLT_MAX) & (fabsf(y) <= FLT_MAX) & (fabsf(height) <= FLT_MAX);
        const int on_map = good & (i >= 0) & (i < rows) & (j >= 0) & (j < columns);
        const int32_t bit = (int32_t)(on_map ? i : 0) * row_bits + (int32_t)(on_map ? j : 0);
        places[k] = on_map ? bit : CLUMP_NOISE;
        finite += (uint32_t)good;
    }
    return finite;
}

static uint32_t find_batch(const clump_erccl_job *job, int32_t row_bits, size_t first, uint32_t count, int32_t *places)
{
    const float *const p = clump_point_at(&job->in, first);
    const size_t step = job->in.stride / sizeof(float);
    if (step == 3) return find_places(&job->map, row_bits, p, 3, count, places);
    if (step == 4) return find_places(&job->map, row_bits, p, 4, count, places);
    return find_places(&job->map, row_bits, p, step, count, places);
}

static counts place_slice(const clump_cells *cells, const clump_erccl_job *job, const clump_surface *ground,
                          clump_share slice)
{
    counts n = {0};
    for (size_t first = slice.begin; first < slice.end; first += CLUMP_GROUND_BATCH) {
        const uint32_t count = (uint32_t)clump_ground_batch_size(first, slice.end);
        int32_t *const places = job->in.labels + first;
        n.finite += find_batch(job, (int32_t)cells->words * 64, first, count, places);
        if (job->in.mask)
            for (uint32_t k = 0; k < count; k++) {
                n.masked += job->in.mask[first + k] == 0;
                places[k] = job->in.mask[first + k] ? places[k] : CLUMP_NOISE;
            }
        float *const heights = job->ground.heights ? job->ground.heights + first : NULL;
        if (ground->kind != CLUMP_SURFACE_NONE || heights) {
            uint8_t flags[CLUMP_GROUND_BATCH];
            clump_ground_batch_flag(&job->in, ground, first, (int)count, flags, heights);
            if (heights) clump_ground_batch_hide(&job->in, first, (int)count, heights);
            for (uint32_t k = 0; k < count; k++) {
                const int yes = (places[k] >= 0) & flags[k];
                n.ground += (size_t)yes;
                places[k] = yes ? CLUMP_GROUND : places[k];
            }
        }
        for (uint32_t k = 0; k < count; k++) n.noise += places[k] == CLUMP_NOISE;
    }
    return n;
}

/* What the tasks of this file work on. Task t of those over slices has slice t of `slices`. */
typedef struct cells_work {
    clump_cells *cells;
    const clump_erccl_job *job;
    const clump_surface *ground;
    int slices;
} cells_work;

static void place_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    const counts n = place_slice(w->cells, w->job, w->ground, (clump_share){begin, end});
    CLUMP_ADD(&w->cells->finite, n.finite);
    CLUMP_ADD(&w->cells->masked, n.masked);
    CLUMP_ADD(&w->cells->ground, n.ground);
    CLUMP_ADD(&w->cells->noise, n.noise);
}

clump_status clump_cells_place(clump_work *work, clump_cells *cells, const clump_erccl_job *job,
                               const clump_surface *ground, int threads)
{
    cells->rows = job->map.rows;
    cells->columns = job->map.columns;
    cells->words = (cells->columns + 63) / 64;
    cells->finite = cells->masked = cells->ground = cells->noise = 0;
    cells_work w = {cells, job, ground, threads};
    return clump_run(work, threads, job->in.count, CLUMP_CHUNK, place_chunk, &w);
}

/* Sets the bits begin ... end - 1 that points fall on. Negative labels are large numbers here, and so are skipped. */
static void mark_bits(const clump_cells *cells, const clump_erccl_job *job, uint32_t begin, uint32_t end)
{
    for (size_t i = 0; i < job->in.count; i++) {
        const uint32_t bit = (uint32_t)job->in.labels[i];
        if (bit - begin < end - begin) cells->word[bit / 64].bits |= (uint64_t)1 << bit % 64;
    }
}

static void mark_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    const uint32_t row_bits = w->cells->words * 64;
    for (size_t t = begin; t < end; t++) {
        const clump_share rows = clump_share_of(w->cells->rows, (int)t, w->slices);
        mark_bits(w->cells, w->job, (uint32_t)rows.begin * row_bits, (uint32_t)rows.end * row_bits);
    }
}

/* Replaces the bits of points by their cells. */
static void number_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_cells *const cells = ((const cells_work *)arg)->cells;
    int32_t *const labels = ((const cells_work *)arg)->job->in.labels;
    for (size_t i = begin; i < end; i++)
        if (labels[i] >= 0) labels[i] = (int32_t)clump_cells_before(cells, (size_t)labels[i]);
}

/* Adds the height of a point to its cell. Returns the keys of the cell. */
static inline cell_keys *gather_height(const clump_cells *cells, const clump_erccl_job *job, uint32_t cell, size_t i)
{
    CLUMP_ASSERT(cell < cells->count);
    const uint32_t height = clump_key_of_float(job->map.up * clump_point_at(&job->in, i)[job->map.up_axis]);
    cell_keys *const k = (cell_keys *)cells->keys.data + cell; /* no branches: they would be mispredicted */
    k->lowest = height < k->lowest ? height : k->lowest;
    k->highest = height > k->highest ? height : k->highest;
    return k;
}

static inline void gather_point(const clump_cells *cells, const clump_erccl_job *job, uint32_t cell, size_t i)
{
    cell_keys *const k = gather_height(cells, job, cell, i);
    k->first = i < k->first ? (uint32_t)i : k->first;
}

/* Adds the heights of ground points in the obstacle cells begin ... end - 1. */
static void gather_ground(const clump_cells *cells, const clump_erccl_job *job, uint32_t begin, uint32_t end)
{
    for (size_t i = 0; i < job->in.count; i++) {
        uint32_t row, column;
        if (job->in.labels[i] != CLUMP_GROUND) continue;
        if (!clump_elevation_cell(&job->map, clump_point_at(&job->in, i), &row, &column)) continue;
        const size_t bit = (size_t)row * cells->words * 64 + column;
        if (!(cells->word[bit / 64].bits >> bit % 64 & 1)) continue;
        const uint32_t cell = clump_cells_before(cells, bit);
        if (cell - begin < end - begin) gather_height(cells, job, cell, i);
    }
}

/* Finds highest, lowest and first point of the cells begin ... end - 1. A single thread also numbers the points. */
static void gather_keys(const clump_cells *cells, const clump_erccl_job *given, uint32_t begin, uint32_t end,
                        bool alone)
{
    const clump_erccl_job job = *given; /* a copy: the compiler then knows that no store changes it */
    cell_keys *const keys = cells->keys.data;
    int32_t *const labels = job.in.labels;
    for (uint32_t c = begin; c < end; c++) keys[c] = (cell_keys){UINT32_MAX, 0, UINT32_MAX};
    for (size_t i = 0; alone && i < job.in.count; i++) {
        if (labels[i] < 0) continue;
        const uint32_t cell = clump_cells_before(cells, (size_t)labels[i]);
        labels[i] = (int32_t)cell;
        gather_point(cells, &job, cell, i);
    }
    for (size_t i = 0; !alone && i < job.in.count; i++) {
        const uint32_t cell = (uint32_t)labels[i];
        if (cell - begin < end - begin) gather_point(cells, &job, cell, i);
    }
    if (job.all_heights) gather_ground(cells, &job, begin, end);
    for (uint32_t c = begin; c < end; c++) {
        cells->lowest[c] = clump_float_of_key(keys[c].lowest);
        cells->highest[c] = clump_float_of_key(keys[c].highest);
        cells->first[c] = keys[c].first;
    }
}

static void gather_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share mine = clump_share_of(w->cells->count, (int)t, w->slices);
        gather_keys(w->cells, w->job, (uint32_t)mine.begin, (uint32_t)mine.end, w->slices == 1);
    }
}

/* Numbers the cells. */
static void count_cells(clump_cells *cells)
{
    const size_t words = (size_t)cells->rows * cells->words;
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++) {
        cells->word[w].first = sum;
        sum += clump_popcount(cells->word[w].bits);
    }
    cells->word[words].first = sum;
    cells->count = sum;
}

/* Lists the columns of the cells, once there is room. */
static void list_columns(const clump_cells *cells)
{
    uint32_t *column = cells->column;
    for (uint32_t row = 0; row < cells->rows; row++) {
        const clump_map_word *const word = &cells->word[(size_t)row * cells->words];
        for (uint32_t w = 0; w < cells->words; w++)
            for (uint64_t bits = word[w].bits; bits; bits &= bits - 1) *column++ = 64 * w + clump_lowest(bits);
    }
}

static clump_status reserve_lists(clump_work *work, clump_cells *cells, size_t count)
{
    CLUMP_TRY(clump_buffer_reserve(work, &cells->keys, count * sizeof(cell_keys)));
    return clump_buffer_reserve(work, &cells->arrays, 4 * count * sizeof(uint32_t));
}

clump_status clump_cells_build(clump_work *work, clump_cells *cells, const clump_erccl_job *job, int threads)
{
    const size_t words = (size_t)cells->rows * cells->words + 1;
    CLUMP_TRY(clump_buffer_reserve(work, &cells->map, words * sizeof *cells->word));
    cells->word = cells->map.data;
    memset(cells->word, 0, words * sizeof *cells->word);
    cells_work w = {cells, job, NULL, threads};
    CLUMP_TRY(clump_run(work, threads, (size_t)threads, 1, mark_slices, &w));
    count_cells(cells);
    const size_t count = cells->count;
    CLUMP_TRY(reserve_lists(work, cells, count));
    if (count == 0) return CLUMP_OK;
    cells->column = cells->arrays.data;
    cells->first = cells->column + count;
    cells->highest = (float *)(cells->first + count);
    cells->lowest = cells->highest + count;
    list_columns(cells);
    if (threads > 1) CLUMP_TRY(clump_run(work, threads, job->in.count, CLUMP_CHUNK, number_chunk, &w));
    return clump_run(work, threads, (size_t)threads, 1, gather_slices, &w);
}

clump_status clump_cells_reserve(clump_work *work, clump_cells *cells, size_t max_points, uint32_t rows,
                                 uint32_t columns)
{
    const size_t words = (size_t)rows * ((columns + 63) / 64) + 1, all = (size_t)rows * columns;
    CLUMP_TRY(clump_buffer_reserve(work, &cells->map, words * sizeof *cells->word));
    return reserve_lists(work, cells, max_points < all ? max_points : all);
}

void clump_cells_release(clump_work *work, clump_cells *cells)
{
    clump_buffer_release(work, &cells->map);
    clump_buffer_release(work, &cells->keys);
    clump_buffer_release(work, &cells->arrays);
}
