/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.c: the methods of Tian et al. 2020. Each cell begins with its own number as label. In a pass every cell
 * finds the smallest label among the cells alike within reach, itself counted, and gives it to all of them (eq. 8);
 * passes go on until one changes nothing. Being alike is mutual, so what is left is one label for each set of cells,
 * its smallest: whatever the order in which labels are read and written, only the number of passes depends on it.
 *
 *     serial        one cell after the other, each sees all that was written before it
 *     racing        many cells at once: all of them have read before the first one writes
 *     independent   nobody writes where another does: each cell has, for each place it can have in a neighbourhood, a
 *                   map of its own; the smallest of these is its new label
 *
 * racing, on one thread, is a run of the paper's GPU that could have been: 24576 threads, as many as its card holds at a
 * time, are so many cells of the map, and the next ones begin when these are done. On a GPU a smaller label may get lost
 * when two write to one cell; the passes go on then, until all are right.
 *
 * The paper gives independent "r x r" maps. For two cells never to write into one entry of a map, cells that share it
 * must be further apart than their neighbourhoods are wide: with eq. 4's, 2r + 1 cells, that takes (2r+1) x (2r+1).
 */
#include "cpu/obstacles/erccl.h"

#include "core/context.h"
#include "cpu/shared/need.h"

#include <string.h>

#define WAVE 24576 /* cells of the map: 12 multiprocessors of 2048 threads */

/* What a pass works with. */
typedef struct sweep {
    const clump_cells *cells;
    const clump_erccl_job *job;
    uint32_t reach;
    uint32_t *near; /* the cells found last; room for a whole neighbourhood */
} sweep;

static size_t near_room(const clump_erccl_job *job)
{
    const size_t width = 2 * (size_t)job->reach + 1;
    return width * width;
}

/* The cells alike within reach of cell c in this row, itself counted; their number. */
static size_t find_near(const sweep *s, uint32_t row, uint32_t c)
{
    const clump_cells *const cells = s->cells;
    const uint32_t column = cells->column[c], most = cells->side - 1;
    const uint32_t left = column > s->reach ? column - s->reach : 0;
    const uint32_t right = most - column > s->reach ? column + s->reach : most;
    const uint32_t top = row > s->reach ? row - s->reach : 0;
    const uint32_t bottom = most - row > s->reach ? row + s->reach : most;
    size_t n = 0;
    for (uint32_t r = top; r <= bottom; r++) {
        uint32_t from, to;
        clump_cells_range(cells, r, left, right, &from, &to);
        for (uint32_t b = from; b < to; b++) {
            const uint32_t rows = r > row ? r - row : row - r;
            const uint32_t columns = cells->column[b] > column ? cells->column[b] - column : column - cells->column[b];
            if (b == c || clump_erccl_alike(cells, s->job, rows, columns, c, b)) s->near[n++] = b;
        }
    }
    return n;
}

static uint32_t smallest_label(const sweep *s, size_t n, const uint32_t *labels)
{
    uint32_t least = UINT32_MAX;
    for (size_t k = 0; k < n; k++)
        if (labels[s->near[k]] < least) least = labels[s->near[k]];
    return least;
}

static void own_labels(uint32_t *labels, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) labels[c] = c;
}

/* --- serial ---------------------------------------------------------------------------------------------- */

static clump_status serial_pass(clump_context *ctx, const sweep *s, uint32_t *labels, bool *changed)
{
    *changed = false;
    for (uint32_t row = 0; row < s->cells->side; row++) {
        CLUMP_TRY(clump_poll(ctx));
        const uint32_t end = clump_cells_row(s->cells, row + 1);
        for (uint32_t c = clump_cells_row(s->cells, row); c < end; c++) {
            const size_t n = find_near(s, row, c);
            const uint32_t least = smallest_label(s, n, labels);
            for (size_t k = 0; k < n; k++) {
                if (labels[s->near[k]] == least) continue;
                labels[s->near[k]] = least;
                *changed = true;
            }
        }
    }
    return CLUMP_OK;
}

clump_status clump_erccl_serial(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes)
{
    const clump_status status = clump_buffer_reserve(ctx, &e->work, near_room(job) * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    const sweep s = {&e->cells, job, (uint32_t)job->reach, e->work.data};
    own_labels(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) CLUMP_TRY(serial_pass(ctx, &s, sets, &changed));
    return CLUMP_OK;
}

/* --- racing ---------------------------------------------------------------------------------------------- */

/* Rows top ... bottom - 1 at once. before: room for the labels as they were. Sets *changed where something changes. */
static clump_status race(clump_context *ctx, const sweep *s, uint32_t top, uint32_t bottom, uint32_t *labels,
                         uint32_t *before, bool *changed)
{
    const clump_cells *const cells = s->cells;
    const uint32_t first = top > s->reach ? top - s->reach : 0;
    const uint32_t last = cells->side - bottom > s->reach ? bottom + s->reach : cells->side;
    const uint32_t from = clump_cells_row(cells, first), to = clump_cells_row(cells, last); /* all they can see */
    memcpy(before + from, labels + from, (to - from) * sizeof *labels);
    for (uint32_t row = top; row < bottom; row++) {
        CLUMP_TRY(clump_poll(ctx));
        const uint32_t end = clump_cells_row(cells, row + 1);
        for (uint32_t c = clump_cells_row(cells, row); c < end; c++) {
            const size_t n = find_near(s, row, c);
            const uint32_t least = smallest_label(s, n, before);
            for (size_t k = 0; k < n; k++) {
                if (labels[s->near[k]] <= least) continue;
                labels[s->near[k]] = least;
                *changed = true;
            }
        }
    }
    return CLUMP_OK;
}

clump_status clump_erccl_racing(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes)
{
    const size_t room = near_room(job);
    const clump_status status = clump_buffer_reserve(ctx, &e->work, (room + e->cells.count) * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    const sweep s = {&e->cells, job, (uint32_t)job->reach, e->work.data};
    const uint32_t side = e->cells.side, rows = side < WAVE ? WAVE / side : 1;
    own_labels(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) {
        changed = false;
        for (uint32_t top = 0; top < side; top += rows)
            CLUMP_TRY(race(ctx, &s, top, side - top > rows ? top + rows : side, sets, s.near + room, &changed));
    }
    return CLUMP_OK;
}

/* --- independent ----------------------------------------------------------------------------------------- */

/* The map of a cell is told by where it is within a square of `width` cells: those of one map do not meet. */
static clump_status write_maps(clump_context *ctx, const sweep *s, const uint32_t *labels, uint32_t *maps)
{
    const uint32_t width = 2 * s->reach + 1;
    for (uint32_t row = 0; row < s->cells->side; row++) {
        CLUMP_TRY(clump_poll(ctx));
        const uint32_t end = clump_cells_row(s->cells, row + 1);
        for (uint32_t c = clump_cells_row(s->cells, row); c < end; c++) {
            const size_t map = row % width * (size_t)width + s->cells->column[c] % width;
            const size_t n = find_near(s, row, c);
            const uint32_t least = smallest_label(s, n, labels);
            for (size_t k = 0; k < n; k++) maps[map * s->cells->count + s->near[k]] = least;
        }
    }
    return CLUMP_OK;
}

static clump_status merge_maps(clump_context *ctx, const sweep *s, const uint32_t *maps, uint32_t *merged,
                               uint32_t *labels, bool *changed)
{
    const uint32_t count = s->cells->count;
    memcpy(merged, labels, count * sizeof *labels);
    for (size_t map = 0; map < near_room(s->job); map++) {
        CLUMP_TRY(clump_poll(ctx));
        const uint32_t *const one = maps + map * count;
        for (uint32_t c = 0; c < count; c++) merged[c] = one[c] < merged[c] ? one[c] : merged[c];
    }
    *changed = memcmp(merged, labels, count * sizeof *labels) != 0;
    memcpy(labels, merged, count * sizeof *labels);
    return CLUMP_OK;
}

clump_status clump_erccl_independent(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                     int64_t *passes)
{
    const size_t room = near_room(job), count = e->cells.count; /* one map per cell of a neighbourhood */
    const uint64_t entries = (uint64_t)room * (count + 1) + count;
    const clump_status status =
        clump_need(ctx, "independent", &e->work, entries, sizeof(uint32_t), "labels in its maps");
    if (status != CLUMP_OK) return status;
    const sweep s = {&e->cells, job, (uint32_t)job->reach, e->work.data};
    uint32_t *const merged = s.near + room, *const maps = merged + count;
    /* Every pass writes the same entries. The others keep the largest label, which a minimum ignores. */
    memset(maps, 0xff, room * count * sizeof *maps);
    own_labels(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) {
        CLUMP_TRY(write_maps(ctx, &s, sets, maps));
        CLUMP_TRY(merge_maps(ctx, &s, maps, merged, sets, &changed));
    }
    return CLUMP_OK;
}
