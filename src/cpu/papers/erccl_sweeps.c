/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_sweeps.c: the methods of Tian et al. 2020. The label of each cell begins as its own number. In a pass every
 * cell finds the smallest label among the cells alike within reach, itself included, and propagates it to all of them
 * (eq. 8). Passes repeat until one changes nothing. Being alike is symmetric, so each set of cells ends with one label,
 * its smallest. Only the number of passes depends on the order of reads and writes.
 *
 *     serial        one cell after the other; each reads all that was written before it
 *     racing        many cells at once; all of them read before the first one writes
 *     independent   no two cells write to one address: a cell has one map entry per place that it can have in a
 *                   neighbourhood; the smallest of these is its new label
 *     ccl           as racing, but heights do not count: all cells within reach are alike. The paper compares with it
 *
 * racing, on one thread, simulates one possible run of the paper's GPU. Its card holds 24576 threads at a time, one per
 * cell of the map; the next cells begin when these are done. On a GPU a smaller label may be lost when two threads
 * write to one cell; further passes repair that.
 *
 * The paper gives independent "r x r" maps. No two cells may write to one entry of a map, so cells that share a map
 * must be further apart than a neighbourhood is wide. Those of eq. 4 are 2r + 1 cells wide: (2r+1) x (2r+1) maps.
 */
#include "cpu/papers/papers.h"

#include "core/work.h"
#include "cpu/shared/need.h"

#include <string.h>

#define SWEEP_WAVE 24576 /* cells of the map: 12 multiprocessors of 2048 threads, the paper's card */
#define SWEEP_POLL 64    /* cells between polls: with the longest reach and a full map, some milliseconds */

/* What a pass works with. */
typedef struct sweep {
    const clump_cells *cells;
    const clump_erccl_job *job;
    uint32_t reach;
    uint32_t *alike; /* the cells found last; room for a whole neighbourhood */
    bool flat;       /* heights do not count, and the table is not read */
} sweep;

/* Returns what the passes of a job work with. `scratch` has room for a neighbourhood. */
static sweep make_sweep(const clump_cells *cells, const clump_erccl_job *job, uint32_t *scratch)
{
    return (sweep){cells, job, (uint32_t)job->reach, scratch, job->method == CLUMP_ERCCL_CCL};
}

/* Returns the number of cells in a neighbourhood. */
static size_t neighbourhood_cells(const clump_erccl_job *job)
{
    const size_t width = 2 * (size_t)job->reach + 1;
    return width * width;
}

/* Finds the cells alike within reach of cell c in this row, itself included. Returns their number. */
static size_t find_alike(const sweep *s, uint32_t row, uint32_t c)
{
    const clump_cells *const cells = s->cells;
    const uint32_t column = cells->column[c], last_row = cells->rows - 1, last_column = cells->columns - 1;
    const uint32_t left = column > s->reach ? column - s->reach : 0;
    const uint32_t right = last_column - column > s->reach ? column + s->reach : last_column;
    const uint32_t top = row > s->reach ? row - s->reach : 0;
    const uint32_t bottom = last_row - row > s->reach ? row + s->reach : last_row;
    size_t n = 0;
    for (uint32_t r = top; r <= bottom; r++) {
        uint32_t from, to;
        clump_cells_span(cells, r, left, right, &from, &to);
        for (uint32_t b = from; b < to; b++) {
            const uint32_t rows = r > row ? r - row : row - r;
            const uint32_t columns = cells->column[b] > column ? cells->column[b] - column : column - cells->column[b];
            if (s->flat || b == c || clump_erccl_alike(cells, s->job, rows, columns, c, b)) s->alike[n++] = b;
        }
    }
    return n;
}

static uint32_t smallest_label(const sweep *s, size_t n, const uint32_t *labels)
{
    uint32_t least = UINT32_MAX;
    for (size_t k = 0; k < n; k++)
        if (labels[s->alike[k]] < least) least = labels[s->alike[k]];
    return least;
}

static void number_cells(uint32_t *labels, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++) labels[c] = c;
}

/* --- serial ---------------------------------------------------------------------------------------------- */

static clump_status serial_pass(clump_work *work, const sweep *s, uint32_t *labels, bool *changed)
{
    *changed = false;
    for (uint32_t row = 0; row < s->cells->rows; row++) {
        const uint32_t end = clump_cells_row(s->cells, row + 1);
        for (uint32_t c = clump_cells_row(s->cells, row); c < end; c++) {
            if (c % SWEEP_POLL == 0) CLUMP_TRY(clump_poll(work));
            const size_t n = find_alike(s, row, c);
            const uint32_t least = smallest_label(s, n, labels);
            for (size_t k = 0; k < n; k++) {
                if (labels[s->alike[k]] == least) continue;
                labels[s->alike[k]] = least;
                *changed = true;
            }
        }
    }
    return CLUMP_OK;
}

static clump_status run_serial(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int64_t *passes)
{
    CLUMP_TRY(clump_buffer_reserve(work, &e->scratch, neighbourhood_cells(job) * sizeof(uint32_t)));
    const sweep s = make_sweep(&e->cells, job, e->scratch.data);
    number_cells(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) CLUMP_TRY(serial_pass(work, &s, sets, &changed));
    return CLUMP_OK;
}

/* --- racing and ccl -------------------------------------------------------------------------------------- */

/* Updates rows top ... bottom - 1 at once; `before` is scratch for old labels. Sets *changed where a label changes. */
static clump_status race_rows(clump_work *work, const sweep *s, uint32_t top, uint32_t bottom, uint32_t *labels,
                              uint32_t *before, bool *changed)
{
    const clump_cells *const cells = s->cells;
    const uint32_t first = top > s->reach ? top - s->reach : 0;
    const uint32_t last = cells->rows - bottom > s->reach ? bottom + s->reach : cells->rows;
    const uint32_t from = clump_cells_row(cells, first), to = clump_cells_row(cells, last); /* all cells within reach */
    memcpy(before + from, labels + from, (to - from) * sizeof *labels);
    for (uint32_t row = top; row < bottom; row++) {
        const uint32_t end = clump_cells_row(cells, row + 1);
        for (uint32_t c = clump_cells_row(cells, row); c < end; c++) {
            if (c % SWEEP_POLL == 0) CLUMP_TRY(clump_poll(work));
            const size_t n = find_alike(s, row, c);
            const uint32_t least = smallest_label(s, n, before);
            for (size_t k = 0; k < n; k++) {
                if (labels[s->alike[k]] <= least) continue;
                labels[s->alike[k]] = least;
                *changed = true;
            }
        }
    }
    return CLUMP_OK;
}

static clump_status run_racing(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int64_t *passes)
{
    const size_t room = neighbourhood_cells(job);
    CLUMP_TRY(clump_buffer_reserve(work, &e->scratch, (room + e->cells.count) * sizeof(uint32_t)));
    const sweep s = make_sweep(&e->cells, job, e->scratch.data);
    const uint32_t rows = e->cells.rows, columns = e->cells.columns;
    const uint32_t wave = columns < SWEEP_WAVE ? SWEEP_WAVE / columns : 1; /* in rows */
    number_cells(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) {
        changed = false;
        for (uint32_t top = 0; top < rows; top += wave)
            CLUMP_TRY(race_rows(work, &s, top, rows - top > wave ? top + wave : rows, sets, s.alike + room, &changed));
    }
    return CLUMP_OK;
}

/* --- independent ----------------------------------------------------------------------------------------- */

/* Writes the labels of a pass to the maps. The map of a cell is its place within a square of width x width cells, so
 * the neighbourhoods of the cells of one map are disjoint. */
static clump_status write_maps(clump_work *work, const sweep *s, const uint32_t *labels, uint32_t *maps)
{
    const uint32_t width = 2 * s->reach + 1;
    for (uint32_t row = 0; row < s->cells->rows; row++) {
        const uint32_t end = clump_cells_row(s->cells, row + 1);
        for (uint32_t c = clump_cells_row(s->cells, row); c < end; c++) {
            if (c % SWEEP_POLL == 0) CLUMP_TRY(clump_poll(work));
            const size_t map = row % width * (size_t)width + s->cells->column[c] % width;
            const size_t n = find_alike(s, row, c);
            const uint32_t least = smallest_label(s, n, labels);
            for (size_t k = 0; k < n; k++) maps[map * s->cells->count + s->alike[k]] = least;
        }
    }
    return CLUMP_OK;
}

/* Takes the minimum over all maps. Sets *changed where a label changes. */
static clump_status merge_maps(clump_work *work, const sweep *s, const uint32_t *maps, uint32_t *merged,
                               uint32_t *labels, bool *changed)
{
    const uint32_t count = s->cells->count;
    memcpy(merged, labels, count * sizeof *labels);
    for (size_t map = 0; map < neighbourhood_cells(s->job); map++) {
        CLUMP_TRY(clump_poll(work));
        const uint32_t *const one = maps + map * count;
        for (uint32_t c = 0; c < count; c++) merged[c] = one[c] < merged[c] ? one[c] : merged[c];
    }
    *changed = memcmp(merged, labels, count * sizeof *labels) != 0;
    memcpy(labels, merged, count * sizeof *labels);
    return CLUMP_OK;
}

static clump_status run_independent(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                    int64_t *passes)
{
    const size_t room = neighbourhood_cells(job), count = e->cells.count; /* one map per cell of a neighbourhood */
    const uint64_t entries = (uint64_t)room * (count + 1) + count;
    CLUMP_TRY(clump_need(work, "independent", &e->scratch, entries, sizeof(uint32_t), "labels in its maps"));
    const sweep s = make_sweep(&e->cells, job, e->scratch.data);
    uint32_t *const merged = s.alike + room, *const maps = merged + count;
    /* Every pass writes the same entries. The others keep UINT32_MAX, which a minimum ignores. */
    memset(maps, 0xff, room * count * sizeof *maps);
    number_cells(sets, e->cells.count);
    *passes = 0;
    for (bool changed = true; changed; ++*passes) {
        CLUMP_TRY(write_maps(work, &s, sets, maps));
        CLUMP_TRY(merge_maps(work, &s, maps, merged, sets, &changed));
    }
    return CLUMP_OK;
}

clump_status clump_erccl_sweeps(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                                int64_t *passes)
{
    switch (job->method) {
    case CLUMP_ERCCL_SERIAL:
        return run_serial(work, e, job, sets, passes);
    case CLUMP_ERCCL_RACING:
    case CLUMP_ERCCL_CCL: /* the same passes, without heights */
        return run_racing(work, e, job, sets, passes);
    case CLUMP_ERCCL_INDEPENDENT:
        return run_independent(work, e, job, sets, passes);
    case CLUMP_ERCCL_FAST: /* of obstacles/ */
    case CLUMP_ERCCL_HASH: /* has no sets */
        break;
    }
    return clump_fail(work, CLUMP_ERR_INTERNAL, "the CPU has no method number %d", (int)job->method);
}
