/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density.c: see density.h.
 */
#include "cpu/dbscan/density.h"

#include "common/share.h"
#include "core/work.h"
#include "cpu/dbscan/density_work.h"
#include "cpu/grid/slices.h"

#include <string.h>

/* Items that are handled together. */
#define DENSITY_BLOCKS 4    /* blocks per chunk: measured on uniform points, 15 microseconds per block */
#define DENSITY_BOXES  256  /* cells per chunk, where all points of a cell are read */
#define DENSITY_CELLS  1024 /* cells per chunk, where few points of a cell are read */
#define DENSITY_SLICES 256  /* slices of the cells, at most, where their points are summed up */
#define DENSITY_AHEAD  16   /* points between the prefetch of a cell and its use */
#define DENSITY_OPEN   64   /* points of a thin cell that are counted together: 768 bytes of stack */

/* ----- points by cell ------------------------------------------------------------------------------ */

/* The number of consecutive points in the cell of point `at`, before `end`. Consecutive points of a scan are often in one
 * cell, and one atomic addition counts them all. */
static size_t run_length(const uint32_t *owner, size_t at, size_t end)
{
    size_t next = at + 1;
    while (next < end && owner[next] == owner[at]) next++;
    return next - at;
}

/* What the cells of a slice hold. */
typedef struct cell_slice {
    size_t points, largest; /* of all cells, then of all slices before; of the fullest cell */
    bool dense;             /* there is a dense cell */
} cell_slice;

/* Arguments of the tasks of this file. */
typedef struct density_task {
    clump_density *d;
    const clump_cloud_job *job;
    bool alone;        /* one thread */
    cell_slice *slice; /* `slices` of them */
    int slices;
    uint8_t *mark;       /* step of core points: flags to set. Null in the step of border points */
    const uint8_t *core; /* step of border points: the flags, */
    int32_t *labels;     /* and the labels to give */
    size_t sum;          /* core points found, or labels given; added to atomically */
    size_t work;         /* pairs tested and points read; added to atomically */
} density_task;

static void clear_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_rep *const rep = ((const density_task *)arg)->d->grid.rep;
    for (size_t c = begin; c < end; c++) rep[c].count = rep[c].dealt = 0;
}

/* An atomic operation waits for its cache line and for all stores before it. So both are prefetched: the cell of a point
 * some points ahead, */
static inline void prefetch_cell(const clump_blocks *b, size_t i, size_t end)
{
    const uint32_t cell = i < end ? b->owner[i] : CLUMP_NO_BLOCK;
    __builtin_prefetch(&b->rep[cell == CLUMP_NO_BLOCK ? 0 : cell], 1);
}

/* and the place in the cell that the point will about have. */
static inline void prefetch_place(const clump_density *d, size_t i, size_t end)
{
    const uint32_t cell = i < end ? d->grid.owner[i] : CLUMP_NO_BLOCK;
    const clump_rep *const rep = &d->grid.rep[cell == CLUMP_NO_BLOCK ? 0 : cell];
    __builtin_prefetch(&d->points[rep->begin + CLUMP_LOAD(&rep->dealt)], 1);
}

/* Replaces the block of every point by its cell number, and counts the points per cell. */
static void count_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_task *const w = arg;
    const clump_blocks *const b = &w->d->grid;
    uint32_t *const owner = b->owner;
    for (size_t i = begin; i < end; i++)
        if (owner[i] != CLUMP_NO_BLOCK) owner[i] = clump_cell_number(&b->block[owner[i]], b->sub[i]);
    for (size_t i = begin, run; i < end; i += run) {
        run = run_length(owner, i, end);
        prefetch_cell(b, i + DENSITY_AHEAD, end);
        if (owner[i] == CLUMP_NO_BLOCK) continue;
        if (w->alone)
            b->rep[owner[i]].count += (uint32_t)run;
        else
            CLUMP_ADD(&b->rep[owner[i]].count, (uint32_t)run);
    }
}

/* Copies every point to its cell. The order within a cell has no effect on the result. */
static void deal_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_task *const w = arg;
    const clump_blocks *const b = &w->d->grid;
    clump_point *const points = w->d->points;
    for (size_t i = begin, run; i < end; i += run) {
        run = run_length(b->owner, i, end);
        prefetch_cell(b, i + 2 * DENSITY_AHEAD, end);
        prefetch_place(w->d, i + DENSITY_AHEAD, end);
        if (b->owner[i] == CLUMP_NO_BLOCK) continue;
        clump_rep *const cell = &b->rep[b->owner[i]];
        uint32_t at = cell->begin + (w->alone ? cell->dealt : CLUMP_ADD(&cell->dealt, (uint32_t)run));
        if (w->alone) cell->dealt += (uint32_t)run;
        for (size_t k = i; k < i + run; k++) points[at++] = clump_point_copy(w->job, k);
    }
}

static void sum_cells(void *arg, size_t t)
{
    const density_task *const w = arg;
    const clump_rep *const rep = w->d->grid.rep;
    const clump_share s = clump_share_of(w->d->grid.cell_count, (int)t, w->slices);
    cell_slice sum = {0};
    for (size_t c = s.begin; c < s.end; c++) {
        sum.points += rep[c].count;
        sum.largest = rep[c].count > sum.largest ? rep[c].count : sum.largest;
        sum.dense |= is_dense(w->d, &rep[c]);
    }
    w->slice[t] = sum;
}

static void place_cells(void *arg, size_t t)
{
    const density_task *const w = arg;
    clump_rep *const rep = w->d->grid.rep;
    const clump_share s = clump_share_of(w->d->grid.cell_count, (int)t, w->slices);
    uint32_t begin = (uint32_t)w->slice[t].points;
    for (size_t c = s.begin; c < s.end; c++) {
        rep[c].begin = begin;
        begin += rep[c].count;
    }
}

/* Lays the cells out one behind the other. *all becomes what they hold. */
static clump_status lay_out_cells(clump_work *work, density_task *w, int threads, cell_slice *all)
{
    cell_slice slices[DENSITY_SLICES];
    const size_t wanted = w->d->grid.cell_count / DENSITY_CELLS + 1;
    w->slice = slices;
    w->slices = wanted < DENSITY_SLICES ? (int)wanted : DENSITY_SLICES;
    clump_slices sums = {sum_cells, w}, places = {place_cells, w};
    CLUMP_TRY(clump_run(work, threads, (size_t)w->slices, 1, clump_run_slices, &sums));
    *all = (cell_slice){0};
    for (int t = 0; t < w->slices; t++) {
        const cell_slice here = slices[t];
        slices[t].points = all->points;
        all->points += here.points;
        all->largest = here.largest > all->largest ? here.largest : all->largest;
        all->dense |= here.dense;
    }
    return clump_run(work, threads, (size_t)w->slices, 1, clump_run_slices, &places);
}

static void box_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_density *const d = ((const density_task *)arg)->d;
    for (size_t c = begin; c < end; c++) {
        const clump_rep *const cell = &d->grid.rep[c];
        if (cell->count < CLUMP_BOXED) continue;
        d->box[cell->begin / CLUMP_BOXED] =
            clump_box_of(d->points + cell->begin, cell->count); /* no other boxed cell has this entry */
    }
}

/* Makes boxes, if a thin cell can have CLUMP_BOXED points. */
static clump_status make_boxes(clump_work *work, density_task *w, int threads)
{
    clump_density *const d = w->d;
    d->box = NULL;
    if (d->min_points <= CLUMP_BOXED) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(work, &d->boxes, (w->job->count / CLUMP_BOXED + 1) * sizeof(clump_box)));
    d->box = d->boxes.data;
    return clump_run(work, threads, d->grid.cell_count, DENSITY_BOXES, box_cells, w);
}

static void swap_buffers(clump_buffer *a, clump_buffer *b)
{
    const clump_buffer t = *a;
    *a = *b;
    *b = t;
}

/* Reserves memory for the points of two cells per thread, if there are dense cells. Where one cell holds a large part of
 * all points, fewer threads keep the memory linear. */
static clump_status make_room(clump_work *work, clump_density *d, size_t n, size_t largest, bool dense, int threads)
{
    d->room = dense ? (2 * largest < n ? 2 * largest : n) : 0;
    d->dense_threads = dense && n / d->room < (size_t)threads ? (int)(n / d->room) : threads;
    if (!dense) return CLUMP_OK;
    return clump_buffer_reserve(work, d->scratch, (size_t)d->dense_threads * d->room * CLUMP_DENSE_BYTES);
}

clump_status clump_density_build(clump_work *work, clump_density *d, const clump_dbscan_job *job, int threads,
                                 clump_buffer *scratch)
{
    clump_blocks *const b = &d->grid;
    CLUMP_TRY(clump_buffer_reserve(work, &d->memory, (job->in.count + 3) * sizeof(clump_point)));
    swap_buffers(&d->memory, &b->records); /* the records are not needed any more when the points are laid out */
    const clump_status status = clump_blocks_build(work, b, &job->in, threads);
    swap_buffers(&d->memory, &b->records);
    if (status != CLUMP_OK) return status;
    d->points = d->memory.data;
    d->bound = job->in.bound;
    d->min_points = job->min_points;
    d->team = work->team;
    density_task w = {.d = d, .job = &job->in, .alone = threads == 1};
    CLUMP_TRY(clump_run(work, threads, b->cell_count, CLUMP_CHUNK, clear_cells, &w));
    CLUMP_TRY(clump_run(work, threads, job->in.count, CLUMP_CHUNK, count_cells, &w));
    cell_slice all;
    CLUMP_TRY(lay_out_cells(work, &w, threads, &all));
    CLUMP_ASSERT(all.points <= job->in.count);
    memset(d->points + all.points, 0, 3 * sizeof(clump_point));
    CLUMP_TRY(clump_run(work, threads, job->in.count, CLUMP_CHUNK, deal_points, &w));
    d->scratch = scratch;
    CLUMP_TRY(make_room(work, d, all.points, all.largest, all.dense, threads));
    return make_boxes(work, &w, threads);
}

/* ----- core points --------------------------------------------------------------------------------- */

/* Finds core points among points first ... last - 1 of a thin cell, at most DENSITY_OPEN. Each cell around it is compared
 * with the points that are still open. Returns the work. */
static size_t core_of_points(const clump_density *d, surroundings *s, unsigned c, const clump_rep *cell, uint32_t first,
                             uint32_t last, uint8_t *core)
{
    CLUMP_ASSERT(last - first <= DENSITY_OPEN);
    uint32_t open[DENSITY_OPEN];
    size_t neighbours[DENSITY_OPEN], count = 0, work = 0;
    for (uint32_t i = first; i < last; i++) open[count] = i, neighbours[count++] = cell->count;
    ring r = ring_of(s, c);
    for (const clump_rep *other; count > 0 && (other = next_cell(&r));) {
        work += count * other->count;
        for (size_t k = 0; k < count;) {
            neighbours[k] += count_within(d, d->points[open[k]], other, d->min_points - neighbours[k]);
            if (neighbours[k] < d->min_points) {
                k++;
                continue;
            }
            core[d->points[open[k]].more] = 1;
            count--;
            open[k] = open[count], neighbours[k] = neighbours[count];
        }
    }
    return work;
}

/* Whether a cell and those around it have min_points points, so that it may hold core points. Tested only for cells
 * with many points, where all of them would be compared in vain otherwise. */
static bool may_be_core(const clump_density *d, surroundings *s, unsigned c, const clump_rep *cell)
{
    if (cell->count < CLUMP_BOXED) return true;
    size_t all = cell->count;
    ring r = ring_of(s, c);
    for (const clump_rep *other; all < d->min_points && (other = next_cell(&r));) all += other->count;
    return all >= d->min_points;
}

/* Marks the core points of a block, except those of dense cells. Returns the work. */
static size_t core_of_block(const clump_density *d, uint32_t id, uint8_t *core)
{
    surroundings s = around_block(&d->grid, id);
    size_t work = 0;
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = cell_of(&s, c);
        const uint32_t end = cell->begin + cell->count;
        if (cell->count >= d->min_points)
            for (uint32_t i = cell->begin; i < end; i++) core[d->points[i].more] = 1;
        else if (!is_dense(d, cell) && may_be_core(d, &s, c, cell))
            for (uint32_t i = cell->begin; i < end && !clump_team_stopped(d->team); i += DENSITY_OPEN)
                work += core_of_points(d, &s, c, cell, i, end - i < DENSITY_OPEN ? end : i + DENSITY_OPEN, core);
    }
    return work;
}

/* ----- dense cells --------------------------------------------------------------------------------- */

/* The scratch memory of a worker. */
static clump_dense_scratch dense_scratch(const clump_density *d, int worker)
{
    CLUMP_ASSERT(worker >= 0 && worker < d->dense_threads);
    const size_t room = d->room;
    clump_point *const points = (clump_point *)d->scratch->data + (size_t)worker * room;
    uint32_t *const counts = (uint32_t *)((clump_point *)d->scratch->data + (size_t)d->dense_threads * room);
    uint32_t *const neighbours = counts + 2 * (size_t)worker * room;
    return (clump_dense_scratch){.open = points, .neighbours = neighbours, .best = neighbours + room};
}

/* Handles the dense cells of a block. Marks their core points if w->mark is set, otherwise labels their border points. */
static void dense_of_block(density_task *w, clump_dense_scratch *h, uint32_t id)
{
    const clump_density *const d = w->d;
    const clump_block *const block = &d->grid.block[id];
    uint64_t dense = 0;
    for (uint64_t cells = block->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        if (is_dense(d, &d->grid.rep[clump_cell_number(block, c)])) dense |= (uint64_t)1 << c;
    }
    if (!dense) return;
    surroundings s = around_block(&d->grid, id);
    size_t given = 0, work = 0;
    for (; dense && !clump_team_stopped(d->team); dense &= dense - 1) {
        const unsigned c = clump_lowest(dense);
        h->other = h->open + cell_of(&s, c)->count;
        if (w->mark)
            work += clump_dense_core(d, h, &s, c, w->mark);
        else
            given += clump_dense_border(d, h, &s, c, w->core, w->labels, &work);
    }
    CLUMP_ADD(&w->sum, given);
    CLUMP_ADD(&w->work, work);
}

static void find_dense(void *arg, size_t begin, size_t end, int worker)
{
    clump_dense_scratch h = dense_scratch(((density_task *)arg)->d, worker);
    for (size_t id = begin; id < end; id++) dense_of_block(arg, &h, (uint32_t)id);
}

/* Handles all dense cells. A chunk is one block: few cells may hold most of the work. */
static clump_status run_dense_cells(clump_work *work, density_task *w)
{
    const clump_density *const d = w->d;
    return d->room == 0 ? CLUMP_OK : clump_run(work, d->dense_threads, d->grid.block_count, 1, find_dense, w);
}

static void find_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_task *const w = arg;
    size_t work = 0;
    for (size_t id = begin; id < end; id++) work += core_of_block(w->d, (uint32_t)id, w->mark);
    CLUMP_ADD(&w->work, work);
}

static void sum_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_task *const w = arg;
    size_t found = 0;
    for (size_t i = begin; i < end; i++) found += w->mark[i];
    CLUMP_ADD(&w->sum, found);
}

clump_status clump_density_core(clump_work *work, clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found)
{
    density_task w = {.d = d, .mark = core};
    if (count > 0) memset(core, 0, count);
    CLUMP_TRY(clump_run(work, threads, d->grid.block_count, DENSITY_BLOCKS, find_core, &w));
    CLUMP_TRY(run_dense_cells(work, &w));
    w.sum = 0;
    CLUMP_TRY(clump_run(work, threads, count, 8 * CLUMP_CHUNK, sum_core, &w));
    *found = w.sum;
    d->work = w.work;
    return CLUMP_OK;
}

/* ----- border points ------------------------------------------------------------------------------- */

/* Writes the label of a cell's core points to the index of its rep; CLUMP_NOISE if it has none. */
static void label_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_task *const w = arg;
    const clump_density *const d = w->d;
    for (size_t c = begin; c < end; c++) {
        clump_rep *const cell = &d->grid.rep[c];
        cell->index = (uint32_t)CLUMP_NOISE;
        for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
            if (!w->core[d->points[i].more]) continue;
            cell->index = (uint32_t)w->labels[d->points[i].more];
            break;
        }
    }
}

/* Labels the border points of a block, except those of dense cells. Returns the number of labels given. */
static size_t border_of_block(const clump_density *d, uint32_t id, const uint8_t *core, int32_t *labels)
{
    surroundings s = around_block(&d->grid, id);
    size_t given = 0;
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = cell_of(&s, c);
        if (cell->count >= d->min_points || is_dense(d, cell)) continue;
        for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
            const clump_point p = d->points[i];
            if (core[p.more]) continue;
            if (clump_team_stopped(d->team)) return given;
            uint32_t best = cell->index; /* all of the own cell is within eps; CLUMP_NOISE is the largest */
            ring r = ring_of(&s, c);
            for (const clump_rep *other; (other = next_cell(&r));)
                if (other->index < best && core_within(d, core, p, other)) best = other->index;
            if ((int32_t)best == CLUMP_NOISE) continue;
            labels[p.more] = (int32_t)best;
            given++;
        }
    }
    return given;
}

static void find_borders(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_task *const w = arg;
    size_t given = 0;
    for (size_t id = begin; id < end; id++) given += border_of_block(w->d, (uint32_t)id, w->core, w->labels);
    CLUMP_ADD(&w->sum, given);
}

clump_status clump_density_border(clump_work *work, clump_density *d, const uint8_t *core, int32_t *labels, int threads,
                                  size_t *given)
{
    density_task w = {.d = d, .core = core, .labels = labels, .work = d->work};
    CLUMP_TRY(clump_run(work, threads, d->grid.cell_count, DENSITY_CELLS, label_cells, &w));
    CLUMP_TRY(clump_run(work, threads, d->grid.block_count, DENSITY_BLOCKS, find_borders, &w));
    CLUMP_TRY(run_dense_cells(work, &w));
    *given = w.sum;
    d->work = w.work;
    return CLUMP_OK;
}

/* ----- memory -------------------------------------------------------------------------------------- */

clump_status clump_density_reserve(clump_work *work, clump_density *d, size_t max_points, int threads)
{
    CLUMP_TRY(clump_buffer_reserve(work, &d->memory, (max_points + 3) * sizeof(clump_point)));
    CLUMP_TRY(clump_buffer_reserve(work, &d->boxes, (max_points / CLUMP_BOXED + 1) * sizeof(clump_box)));
    swap_buffers(&d->memory, &d->grid.records); /* as in clump_density_build */
    const clump_status status = clump_blocks_reserve(work, &d->grid, max_points, threads);
    swap_buffers(&d->memory, &d->grid.records);
    return status;
}

void clump_density_release(clump_work *work, clump_density *d)
{
    clump_blocks_release(work, &d->grid);
    clump_buffer_release(work, &d->memory);
    clump_buffer_release(work, &d->boxes);
}
