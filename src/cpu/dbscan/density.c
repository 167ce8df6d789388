/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density.c: see density.h.
 */
#include "cpu/dbscan/density.h"

#include "core/context.h"
#include "cpu/dbscan/density_work.h"

#include <string.h>

#define BLOCKS 32 /* per chunk: a block of many points takes a while */

/* ----- points by cell ------------------------------------------------------------------------------ */

/* The points of a share that follow each other in one cell, from `at` on: in a scan, or a crowd, many do, and threads
 * meet at the counter of a cell once for all of them. */
static size_t run_length(const uint32_t *cell_of, size_t at, size_t end)
{
    size_t next = at + 1;
    while (next < end && cell_of[next] == cell_of[at]) next++;
    return next - at;
}

/* What the tasks of this file work on. */
typedef struct density_work {
    clump_density *d;
    const clump_cloud_job *job;
    bool alone;          /* one thread */
    uint8_t *mark;       /* core points: to be marked; null: they are known, */
    const uint8_t *core; /* here, */
    int32_t *labels;     /* and border points get labels */
    size_t sum, work;    /* added to by atomic operations: core points found, or labels given; pairs tested */
} density_work;

static void clear_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_rep *const rep = ((const density_work *)arg)->d->grid.rep;
    for (size_t c = begin; c < end; c++) rep[c].count = rep[c].dealt = 0;
}

/* Numbers of cells take the place of blocks, and the points of each are counted. */
static void count_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_work *const w = arg;
    const clump_blocks *const b = &w->d->grid;
    uint32_t *const owner = b->owner;
    for (size_t i = begin; i < end; i++)
        if (owner[i] != CLUMP_NO_BLOCK) owner[i] = clump_cell_number(&b->block[owner[i]], b->sub[i]);
    for (size_t i = begin, run; i < end; i += run) {
        run = run_length(owner, i, end);
        if (owner[i] == CLUMP_NO_BLOCK) continue;
        if (w->alone)
            b->rep[owner[i]].count += (uint32_t)run;
        else
            CLUMP_ADD(&b->rep[owner[i]].count, (uint32_t)run);
    }
}

/* Every point to its cell. The order within a cell does not matter. */
static void deal(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_work *const w = arg;
    const clump_cloud_job *const job = w->job;
    const clump_blocks *const b = &w->d->grid;
    clump_point *const points = w->d->points;
    for (size_t i = begin, run; i < end; i += run) {
        run = run_length(b->owner, i, end);
        if (b->owner[i] == CLUMP_NO_BLOCK) continue;
        clump_rep *const cell = &b->rep[b->owner[i]];
        uint32_t at = cell->begin + (w->alone ? cell->dealt : CLUMP_ADD(&cell->dealt, (uint32_t)run));
        if (w->alone) cell->dealt += (uint32_t)run;
        for (size_t k = i; k < i + run; k++) {
            const float *const p = (const float *)(const void *)(job->points + k * job->stride);
            points[at++] = (clump_point){p[0], p[1], job->two_d ? 0 : p[2], (uint32_t)k};
        }
    }
}

static void box_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_density *const d = ((const density_work *)arg)->d;
    for (size_t c = begin; c < end; c++) {
        const clump_rep *const cell = &d->grid.rep[c];
        if (cell->count < CLUMP_BOXED) continue;
        d->box[cell->begin / CLUMP_BOXED] =
            clump_box_of(d->points + cell->begin, cell->count); /* no other cell with so many begins there */
    }
}

/* Only where thin cells can have so many points that comparing all with all takes long. */
static clump_status make_boxes(clump_context *ctx, density_work *w, int threads)
{
    clump_density *const d = w->d;
    d->box = NULL;
    if (d->min_points <= CLUMP_BOXED) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(ctx, &d->boxes, (w->job->count / CLUMP_BOXED + 1) * sizeof(clump_box)));
    d->box = d->boxes.data;
    return clump_run(ctx, threads, d->grid.cell_count, 256, box_cells, w);
}

static void swap_buffers(clump_buffer *a, clump_buffer *b)
{
    const clump_buffer t = *a;
    *a = *b;
    *b = t;
}

/* Memory for the points of two cells per thread. Where one cell holds a large share of all points, fewer threads keep
 * the memory linear. */
static clump_status make_room(clump_context *ctx, clump_density *d, size_t n, size_t largest, bool heavy, int threads)
{
    d->room = heavy ? (2 * largest < n ? 2 * largest : n) : 0;
    d->heavy_threads = heavy && n / d->room < (size_t)threads ? (int)(n / d->room) : threads;
    if (!heavy) return CLUMP_OK;
    return clump_buffer_reserve(ctx, d->scratch, (size_t)d->heavy_threads * d->room * CLUMP_HEAVY_BYTES);
}

clump_status clump_density_build(clump_context *ctx, clump_density *d, const clump_dbscan_job *job, int threads,
                                 clump_buffer *scratch)
{
    clump_blocks *const b = &d->grid;
    clump_status status = clump_buffer_reserve(ctx, &d->memory, (job->in.count + 3) * sizeof(clump_point));
    if (status != CLUMP_OK) return status;
    swap_buffers(&d->memory, &b->records); /* which are needed before the points are laid out, and not after */
    status = clump_blocks_build(ctx, b, &job->in, threads);
    swap_buffers(&d->memory, &b->records);
    if (status != CLUMP_OK) return status;
    d->points = d->memory.data;
    d->bound = job->in.bound;
    d->min_points = job->min_points;
    d->team = ctx->team;
    density_work w = {.d = d, .job = &job->in, .alone = threads == 1};
    CLUMP_TRY(clump_run(ctx, threads, b->cell_count, CLUMP_CHUNK, clear_cells, &w));
    CLUMP_TRY(clump_run(ctx, threads, job->in.count, CLUMP_CHUNK, count_cells, &w));
    uint32_t begin = 0;
    size_t largest = 0;
    bool heavy = false;
    for (uint32_t c = 0; c < b->cell_count; c++) {
        b->rep[c].begin = begin;
        begin += b->rep[c].count;
        largest = b->rep[c].count > largest ? b->rep[c].count : largest;
        heavy |= is_heavy(d, &b->rep[c]);
    }
    memset(d->points + begin, 0, 3 * sizeof(clump_point));
    CLUMP_TRY(clump_run(ctx, threads, job->in.count, CLUMP_CHUNK, deal, &w));
    d->scratch = scratch;
    CLUMP_TRY(make_room(ctx, d, begin, largest, heavy, threads));
    return make_boxes(ctx, &w, threads);
}

/* ----- core points --------------------------------------------------------------------------------- */

/* A thin cell, some of its points at a time. Cell after cell around it is compared with those that do not have
 * enough yet, until none is left. */
static size_t core_of_points(const clump_density *d, surroundings *s, unsigned c, const clump_rep *cell, uint32_t first,
                             uint32_t last, uint8_t *core)
{
    uint32_t open[64];
    size_t near[64], count = 0, work = 0;
    for (uint32_t i = first; i < last; i++) open[count] = i, near[count++] = cell->count;
    ring r = ring_of(s, c);
    for (const clump_rep *other; count > 0 && (other = next_cell(&r));) {
        work += count * other->count;
        for (size_t k = 0; k < count;) {
            near[k] += count_near(d, d->points[open[k]], other, d->min_points - near[k]);
            if (near[k] < d->min_points) {
                k++;
                continue;
            }
            core[d->points[open[k]].more] = 1;
            count--;
            open[k] = open[count], near[k] = near[count];
        }
    }
    return work;
}

/* Whether a cell has enough points around it for any of its own to be a core point. Worth knowing where it has many:
 * else all of them would be compared with all others in vain. */
static bool may_be_core(const clump_density *d, surroundings *s, unsigned c, const clump_rep *cell)
{
    if (cell->count < CLUMP_BOXED) return true;
    size_t all = cell->count;
    ring r = ring_of(s, c);
    for (const clump_rep *other; all < d->min_points && (other = next_cell(&r));) all += other->count;
    return all >= d->min_points;
}

static size_t core_of_block(const clump_density *d, uint32_t id, uint8_t *core)
{
    const clump_blocks *const b = &d->grid;
    surroundings s = around_block(b, id);
    size_t work = 0;
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = &b->rep[clump_cell_number(s.mid, c)];
        const uint32_t end = cell->begin + cell->count;
        if (cell->count >= d->min_points)
            for (uint32_t i = cell->begin; i < end; i++) core[d->points[i].more] = 1;
        else if (!is_heavy(d, cell) && may_be_core(d, &s, c, cell))
            for (uint32_t i = cell->begin; i < end && !clump_team_stopped(d->team); i += 64)
                work += core_of_points(d, &s, c, cell, i, end - i < 64 ? end : i + 64, core);
    }
    return work;
}

/* ----- heavy cells --------------------------------------------------------------------------------- */

/* Scratch memory of a worker. */
static clump_heavy heavy_scratch(const clump_density *d, int worker)
{
    const size_t room = d->room;
    clump_point *const points = (clump_point *)d->scratch->data + (size_t)worker * room;
    uint32_t *const counts = (uint32_t *)((clump_point *)d->scratch->data + (size_t)d->heavy_threads * room);
    uint32_t *const near = counts + 2 * (size_t)worker * room;
    return (clump_heavy){.open = points, .near = near, .best = near + room};
}

/* The heavy cells of a block. With `mark`: marks core points there. Else gives labels to border points, and returns how
 * many it gave. */
static size_t heavy_of_block(const clump_density *d, clump_heavy *h, uint32_t id, uint8_t *mark, const uint8_t *core,
                             int32_t *labels, size_t *work)
{
    const clump_block *const block = &d->grid.block[id];
    uint64_t heavy = 0;
    for (uint64_t cells = block->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        if (is_heavy(d, &d->grid.rep[clump_cell_number(block, c)])) heavy |= (uint64_t)1 << c;
    }
    if (!heavy) return 0;
    surroundings s = around_block(&d->grid, id);
    size_t given = 0;
    for (; heavy && !clump_team_stopped(d->team); heavy &= heavy - 1) {
        const unsigned c = clump_lowest(heavy);
        h->other = h->open + d->grid.rep[clump_cell_number(block, c)].count;
        if (mark)
            *work += clump_heavy_core(d, h, &s, c, mark);
        else
            given += clump_heavy_border(d, h, &s, c, core, labels, work);
    }
    return given;
}

/* The heavy cells of some blocks. */
static void find_heavy(void *arg, size_t begin, size_t end, int worker)
{
    density_work *const w = arg;
    clump_heavy h = heavy_scratch(w->d, worker);
    size_t given = 0, work = 0;
    for (size_t id = begin; id < end; id++)
        given += heavy_of_block(w->d, &h, (uint32_t)id, w->mark, w->core, w->labels, &work);
    CLUMP_ADD(&w->sum, given);
    CLUMP_ADD(&w->work, work);
}

/* All heavy cells. A chunk is one block: few cells may hold most of the work. */
static clump_status heavy_cells(clump_context *ctx, density_work *w)
{
    const clump_density *const d = w->d;
    return d->room == 0 ? CLUMP_OK : clump_run(ctx, d->heavy_threads, d->grid.block_count, 1, find_heavy, w);
}

static void find_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_work *const w = arg;
    size_t work = 0;
    for (size_t id = begin; id < end; id++) work += core_of_block(w->d, (uint32_t)id, w->mark);
    CLUMP_ADD(&w->work, work);
}

static void sum_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_work *const w = arg;
    size_t found = 0;
    for (size_t i = begin; i < end; i++) found += w->mark[i];
    CLUMP_ADD(&w->sum, found);
}

clump_status clump_density_core(clump_context *ctx, clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found)
{
    density_work w = {.d = d, .mark = core};
    if (count > 0) memset(core, 0, count);
    CLUMP_TRY(clump_run(ctx, threads, d->grid.block_count, BLOCKS, find_core, &w));
    CLUMP_TRY(heavy_cells(ctx, &w));
    w.sum = 0;
    CLUMP_TRY(clump_run(ctx, threads, count, 8 * CLUMP_CHUNK, sum_core, &w));
    *found = w.sum;
    d->work = w.work;
    return CLUMP_OK;
}

/* ----- border points ------------------------------------------------------------------------------- */

/* The label of a cell's core points, in the rep's index; CLUMP_NOISE if it has none. */
static void label_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const density_work *const w = arg;
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

static size_t border_of_block(const clump_density *d, uint32_t id, const uint8_t *core, int32_t *labels)
{
    const clump_blocks *const b = &d->grid;
    surroundings s = around_block(b, id);
    size_t given = 0;
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = &b->rep[clump_cell_number(s.mid, c)];
        if (cell->count >= d->min_points || is_heavy(d, cell)) continue;
        for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
            const clump_point p = d->points[i];
            if (core[p.more]) continue;
            if (clump_team_stopped(d->team)) return given;
            uint32_t best = cell->index; /* its own cell is within eps as a whole; CLUMP_NOISE is the largest */
            ring r = ring_of(&s, c);
            for (const clump_rep *other; (other = next_cell(&r));)
                if (other->index < best && core_near(d, core, p, other)) best = other->index;
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
    density_work *const w = arg;
    size_t given = 0;
    for (size_t id = begin; id < end; id++) given += border_of_block(w->d, (uint32_t)id, w->core, w->labels);
    CLUMP_ADD(&w->sum, given);
}

clump_status clump_density_border(clump_context *ctx, clump_density *d, const uint8_t *core, int32_t *labels,
                                  int threads, size_t *given)
{
    density_work w = {.d = d, .core = core, .labels = labels, .work = d->work};
    CLUMP_TRY(clump_run(ctx, threads, d->grid.cell_count, 1024, label_cells, &w));
    CLUMP_TRY(clump_run(ctx, threads, d->grid.block_count, BLOCKS, find_borders, &w));
    CLUMP_TRY(heavy_cells(ctx, &w));
    *given = w.sum;
    d->work = w.work;
    return CLUMP_OK;
}

/* ----- memory -------------------------------------------------------------------------------------- */

clump_status clump_density_reserve(clump_context *ctx, clump_density *d, size_t max_points, int threads)
{
    clump_status status = clump_buffer_reserve(ctx, &d->memory, (max_points + 3) * sizeof(clump_point));
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, &d->boxes, (max_points / CLUMP_BOXED + 1) * sizeof(clump_box));
    if (status != CLUMP_OK) return status;
    swap_buffers(&d->memory, &d->grid.records); /* as in clump_density_build */
    status = clump_blocks_reserve(ctx, &d->grid, max_points, threads);
    swap_buffers(&d->memory, &d->grid.records);
    return status;
}

void clump_density_release(clump_context *ctx, clump_density *d)
{
    clump_blocks_release(ctx, &d->grid);
    clump_buffer_release(ctx, &d->memory);
    clump_buffer_release(ctx, &d->boxes);
}
