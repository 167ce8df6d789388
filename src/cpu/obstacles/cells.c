/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cells.c: see cells.h. Points find their places; places become bits of the map; bits are counted and places become
 * cells; cells find their highest, lowest and first point. Threads share out the points where each point is on its own,
 * and the map or the cells where points meet: there each thread reads the places of all points, which takes next to
 * nothing, and looks further only at those in its part. So nobody waits for a line of memory that another writes to.
 * Heights are compared as integers in the order of the floats (float_key.h), which tells -0 from 0 in one way only.
 */
#include "cpu/obstacles/cells.h"

#include "common/atomics.h"
#include "common/share.h"
#include "core/context.h"
#include "cpu/obstacles/ground_batch.h"
#include "rules/float_key.h"

#include <string.h>

typedef struct cell_keys {
    uint32_t lowest, highest, first;
} cell_keys;

static const float *point_at(const clump_erccl_job *job, size_t i)
{
    return (const float *)(const void *)(job->in.points + i * job->in.stride);
}

typedef struct counts {
    size_t finite, masked, ground, noise;
} counts;

enum { BLOCK = CLUMP_GROUND_BLOCK }; /* points whose places are found at a time */

/* Place on the map of points that follow each other `step` floats apart: the bit, or CLUMP_NOISE where they have none.
 * What clump_elevation_cell says, without a branch: with a step that it knows the compiler makes vector code of it.
 * Returns how many are finite. */
static inline uint32_t find_places(const clump_elevation *map, int32_t row_bits, const float *points, size_t step,
                                   uint32_t count, int32_t *places)
{
    const float x0 = map->corner[0], y0 = map->corner[1], cell = map->cell, side = (float)map->side;
    const bool y_up = map->up_axis == 1;
    uint32_t finite = 0;
    for (uint32_t k = 0; k < count; k++) {
        const float *const p = points + k * step;
        const float x = p[0], y = y_up ? p[2] : p[1], height = y_up ? p[1] : p[2];
        const float i = clump_elevation_quotient(x, x0, cell), j = clump_elevation_quotient(y, y0, cell);
        const int good = (fabsf(x) <= FLT_MAX) & (fabsf(y) <= FLT_MAX) & (fabsf(height) <= FLT_MAX);
        const int on_map = good & (i >= 0) & (i < side) & (j >= 0) & (j < side);
        const int32_t bit = (int32_t)(on_map ? i : 0) * row_bits + (int32_t)(on_map ? j : 0);
        places[k] = on_map ? bit : CLUMP_NOISE;
        finite += (uint32_t)good;
    }
    return finite;
}

static uint32_t find_block(const clump_erccl_job *job, int32_t row_bits, size_t first, uint32_t count, int32_t *places)
{
    const float *const p = point_at(job, first);
    const size_t step = job->in.stride / sizeof(float);
    if (step == 3) return find_places(&job->map, row_bits, p, 3, count, places);
    if (step == 4) return find_places(&job->map, row_bits, p, 4, count, places);
    return find_places(&job->map, row_bits, p, step, count, places);
}

static void flag_ground(const clump_cloud_job *job, const clump_surface *ground, size_t first, int count,
                        uint8_t *flags)
{
    if (ground->kind == CLUMP_SURFACE_MAP) {
        clump_ground_block block;
        clump_ground_see(job, ground, first, count, &block);
        clump_ground_test(ground, &block, count, flags);
    } else {
        for (int k = 0; k < count; k++)
            flags[k] = clump_surface_is_ground(ground, clump_ground_point(job, first + (size_t)k));
    }
}

static counts place_share(const clump_cells *cells, const clump_erccl_job *job, const clump_surface *ground,
                          clump_share share)
{
    counts n = {0};
    for (size_t first = share.begin; first < share.end; first += BLOCK) {
        const uint32_t count = share.end - first < BLOCK ? (uint32_t)(share.end - first) : BLOCK;
        int32_t *const places = job->in.labels + first;
        n.finite += find_block(job, (int32_t)cells->words * 64, first, count, places);
        if (job->in.mask)
            for (uint32_t k = 0; k < count; k++) {
                n.masked += job->in.mask[first + k] == 0;
                places[k] = job->in.mask[first + k] ? places[k] : CLUMP_NOISE;
            }
        if (ground->kind != CLUMP_SURFACE_NONE) {
            uint8_t flags[BLOCK];
            flag_ground(&job->in, ground, first, (int)count, flags);
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

/* What the tasks of this file work on. Tasks over shares have share t of `shares`. */
typedef struct cells_work {
    clump_cells *cells;
    const clump_erccl_job *job;
    const clump_surface *ground;
    int shares;
} cells_work;

static void place_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    const counts n = place_share(w->cells, w->job, w->ground, (clump_share){begin, end});
    CLUMP_ADD(&w->cells->finite, n.finite);
    CLUMP_ADD(&w->cells->masked, n.masked);
    CLUMP_ADD(&w->cells->ground, n.ground);
    CLUMP_ADD(&w->cells->noise, n.noise);
}

clump_status clump_cells_place(clump_context *ctx, clump_cells *cells, const clump_erccl_job *job,
                               const clump_surface *ground, int threads)
{
    cells->side = job->map.side;
    cells->words = (cells->side + 63) / 64;
    cells->finite = cells->masked = cells->ground = cells->noise = 0;
    cells_work w = {cells, job, ground, threads};
    return clump_run(ctx, threads, job->in.count, CLUMP_CHUNK, place_chunk, &w);
}

/* Sets the bits from `begin` on, below `end`, that points have. What is no place is a large number here. */
static void mark_bits(const clump_cells *cells, const clump_erccl_job *job, uint32_t begin, uint32_t end)
{
    for (size_t i = 0; i < job->in.count; i++) {
        const uint32_t bit = (uint32_t)job->in.labels[i];
        if (bit - begin < end - begin) cells->word[bit / 64].bits |= (uint64_t)1 << bit % 64;
    }
}

static void mark_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    const uint32_t row_bits = w->cells->words * 64;
    for (size_t t = begin; t < end; t++) {
        const clump_share rows = clump_share_of(w->cells->side, (int)t, w->shares);
        mark_bits(w->cells, w->job, (uint32_t)rows.begin * row_bits, (uint32_t)rows.end * row_bits);
    }
}

/* From the bit of a point to its cell. */
static void number_share(const clump_cells *cells, const clump_erccl_job *job, clump_share share)
{
    int32_t *const labels = job->in.labels;
    for (size_t i = share.begin; i < share.end; i++)
        if (labels[i] >= 0) labels[i] = (int32_t)clump_cells_before(cells, (size_t)labels[i]);
}

static void number_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    number_share(w->cells, w->job, (clump_share){begin, end});
}

static inline void gather_point(const clump_cells *cells, const clump_erccl_job *job, uint32_t cell, size_t i)
{
    const uint32_t height = clump_key_of_float(job->map.up * point_at(job, i)[job->map.up_axis]);
    cell_keys *const k = (cell_keys *)cells->keys.data + cell; /* no branches: nobody can foresee them */
    k->lowest = height < k->lowest ? height : k->lowest;
    k->highest = height > k->highest ? height : k->highest;
    k->first = i < k->first ? (uint32_t)i : k->first;
}

/* The keys of the cells from `begin` on, below `end`. A thread that is alone numbers the points on the way. */
static void gather_keys(const clump_cells *cells, const clump_erccl_job *given, uint32_t begin, uint32_t end,
                        bool alone)
{
    const clump_erccl_job job = *given; /* nobody else could change it */
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
    for (uint32_t c = begin; c < end; c++) {
        cells->lowest[c] = clump_float_of_key(keys[c].lowest);
        cells->highest[c] = clump_float_of_key(keys[c].highest);
        cells->first[c] = keys[c].first;
    }
}

static void gather_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cells_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share mine = clump_share_of(w->cells->count, (int)t, w->shares);
        gather_keys(w->cells, w->job, (uint32_t)mine.begin, (uint32_t)mine.end, w->shares == 1);
    }
}

/* Numbers for the cells; their columns, once there is room. */
static void count_cells(clump_cells *cells)
{
    const size_t words = (size_t)cells->side * cells->words;
    uint32_t sum = 0;
    for (size_t w = 0; w < words; w++) {
        cells->word[w].first = sum;
        sum += clump_popcount(cells->word[w].bits);
    }
    cells->word[words].first = sum;
    cells->count = sum;
}

static void list_columns(const clump_cells *cells)
{
    uint32_t *column = cells->column;
    for (uint32_t row = 0; row < cells->side; row++) {
        const clump_map_word *const word = &cells->word[(size_t)row * cells->words];
        for (uint32_t w = 0; w < cells->words; w++)
            for (uint64_t bits = word[w].bits; bits; bits &= bits - 1) *column++ = 64 * w + clump_lowest(bits);
    }
}

static clump_status reserve_lists(clump_context *ctx, clump_cells *cells, size_t count)
{
    clump_status status = clump_buffer_reserve(ctx, &cells->keys, count * sizeof(cell_keys));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &cells->arrays, 4 * count * sizeof(uint32_t));
    return status;
}

clump_status clump_cells_build(clump_context *ctx, clump_cells *cells, const clump_erccl_job *job, int threads)
{
    const size_t words = (size_t)cells->side * cells->words + 1;
    clump_status status = clump_buffer_reserve(ctx, &cells->map, words * sizeof *cells->word);
    if (status != CLUMP_OK) return status;
    cells->word = cells->map.data;
    memset(cells->word, 0, words * sizeof *cells->word);
    cells_work w = {cells, job, NULL, threads};
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, mark_shares, &w));
    count_cells(cells);
    const size_t count = cells->count;
    status = reserve_lists(ctx, cells, count);
    if (status != CLUMP_OK || count == 0) return status;
    cells->column = cells->arrays.data;
    cells->first = cells->column + count;
    cells->highest = (float *)(cells->first + count);
    cells->lowest = cells->highest + count;
    list_columns(cells);
    if (threads > 1) CLUMP_TRY(clump_run(ctx, threads, job->in.count, CLUMP_CHUNK, number_chunk, &w));
    return clump_run(ctx, threads, (size_t)threads, 1, gather_shares, &w);
}

clump_status clump_cells_reserve(clump_context *ctx, clump_cells *cells, size_t max_points, uint32_t side)
{
    const size_t words = (size_t)side * ((side + 63) / 64) + 1, all = (size_t)side * side;
    const clump_status status = clump_buffer_reserve(ctx, &cells->map, words * sizeof *cells->word);
    return status == CLUMP_OK ? reserve_lists(ctx, cells, max_points < all ? max_points : all) : status;
}

void clump_cells_release(clump_context *ctx, clump_cells *cells)
{
    clump_buffer_release(ctx, &cells->map);
    clump_buffer_release(ctx, &cells->keys);
    clump_buffer_release(ctx, &cells->arrays);
}
