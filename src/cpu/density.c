/* SPDX-License-Identifier: BSD-3-Clause
 *
 * density.c: see density.h.
 */
#include "cpu/density.h"

#include "common/simd.h"
#include "core/context.h"
#include "cpu/reach.h"

#include <math.h>
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
    const clump_ec_job *job;
    bool alone; /* one thread */
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
    const clump_ec_job *const job = w->job;
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
        const float *p = &d->points[cell->begin].x;
        clump_cell_box k = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
        for (uint32_t i = 1; i < cell->count; i++) {
            p = &d->points[cell->begin + i].x;
            for (int axis = 0; axis < 3; axis++) {
                k.lower[axis] = p[axis] < k.lower[axis] ? p[axis] : k.lower[axis];
                k.upper[axis] = p[axis] > k.upper[axis] ? p[axis] : k.upper[axis];
            }
        }
        d->box[cell->begin / CLUMP_BOXED] = k; /* no other cell with so many begins there */
    }
}

/* Only where thin cells can have so many points that comparing all with all takes long. */
static clump_status make_boxes(clump_context *ctx, density_work *w, int threads)
{
    clump_density *const d = w->d;
    d->box = NULL;
    if (d->min_points <= CLUMP_BOXED) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(ctx, &d->boxes, (w->job->count / CLUMP_BOXED + 1) * sizeof(clump_cell_box)));
    d->box = d->boxes.data;
    return clump_run(ctx, threads, d->grid.cell_count, 256, box_cells, w);
}

static void swap_buffers(clump_buffer *a, clump_buffer *b)
{
    const clump_buffer t = *a;
    *a = *b;
    *b = t;
}

clump_status clump_density_build(clump_context *ctx, clump_density *d, const clump_dbscan_job *job, int threads)
{
    clump_blocks *const b = &d->grid;
    clump_status status = clump_buffer_reserve(ctx, &d->memory, (job->ec.count + 3) * sizeof(clump_point));
    if (status != CLUMP_OK) return status;
    swap_buffers(&d->memory, &b->records); /* which are needed before the points are laid out, and not after */
    status = clump_blocks_build(ctx, b, &job->ec, threads);
    swap_buffers(&d->memory, &b->records);
    if (status != CLUMP_OK) return status;
    d->points = d->memory.data;
    d->bound = job->ec.bound;
    d->min_points = job->min_points;
    density_work w = {d, &job->ec, threads == 1};
    CLUMP_TRY(clump_run(ctx, threads, b->cell_count, CLUMP_CHUNK, clear_cells, &w));
    CLUMP_TRY(clump_run(ctx, threads, job->ec.count, CLUMP_CHUNK, count_cells, &w));
    uint32_t begin = 0;
    for (uint32_t c = 0; c < b->cell_count; c++) {
        b->rep[c].begin = begin;
        begin += b->rep[c].count;
    }
    memset(d->points + begin, 0, 3 * sizeof(clump_point));
    CLUMP_TRY(clump_run(ctx, threads, job->ec.count, CLUMP_CHUNK, deal, &w));
    return make_boxes(ctx, &w, threads);
}

/* ----- what is around a cell ----------------------------------------------------------------------- */

/* A block and those around it, looked up when they are first needed. */
typedef struct surroundings {
    const clump_blocks *b;
    const clump_block *mid;
    uint32_t looked;              /* a bit for each of the 27 that has been */
    const clump_block *block[27]; /* null: not there */
} surroundings;

static const clump_block *block_at(surroundings *s, clump_offset o)
{
    const unsigned k = (unsigned)(o.x + 1 + 3 * (o.y + 1) + 9 * (o.z + 1));
    if (!(s->looked >> k & 1)) {
        const uint32_t id = clump_blocks_find(s->b, s->mid->x + o.x, s->mid->y + o.y, s->mid->z + o.z);
        s->block[k] = id == CLUMP_NO_BLOCK ? NULL : &s->b->block[id];
        s->looked |= 1u << k;
    }
    return s->block[k];
}

/* What a block in a sparse cloud will look up: the places in the table come from all over the memory, so they are
 * asked for some blocks ahead. */
static void look_ahead(const clump_blocks *b, uint32_t id)
{
    if (id >= b->block_count) return;
    const clump_block *const k = &b->block[id];
    const unsigned c = clump_lowest(k->cells);
    const int x = (c & 3) < 2 ? -1 : 1, y = (c >> 2 & 3) < 2 ? -1 : 1, z = (c >> 4) < 2 ? -1 : 1;
    for (int sides = 1; sides < 8; sides++) {
        const uint32_t s =
            clump_blocks_slot(b, k->x + (sides & 1 ? x : 0), k->y + (sides & 2 ? y : 0), k->z + (sides & 4 ? z : 0));
        __builtin_prefetch(&b->slot[s]);
    }
}

static surroundings around_block(const clump_blocks *b, uint32_t id)
{
    look_ahead(b, id + 4);
    surroundings s = {.b = b, .mid = &b->block[id], .looked = 1u << 13};
    s.block[13] = s.mid;
    return s;
}

/* The cells around one, group by group: first those that touch it, then those two steps away; and in both its own
 * block before the others. A cell reaches over one side of its block on each axis, the nearer one, so eight blocks are
 * all that matter. */
typedef struct ring {
    surroundings *s;
    unsigned cell, step; /* of 16 */
    const clump_block *block;
    uint64_t cells; /* of that block, not yet visited */
} ring;

static ring ring_of(surroundings *s, unsigned cell)
{
    return (ring){.s = s, .cell = cell};
}

/* The next cell, or null. */
static inline clump_rep *next_cell(ring *r)
{
    static const uint8_t order[8] = {0, 1, 2, 4, 3, 5, 6, 7}; /* itself, faces, edges, corner */
    while (!r->cells) {
        if (r->step == 16) return NULL;
        const unsigned c = r->cell, sides = order[r->step & 7], further = r->step >> 3;
        r->step++;
        const clump_offset o = {(int8_t)(sides & 1 ? ((c & 3) < 2 ? -1 : 1) : 0),
                                (int8_t)(sides & 2 ? ((c >> 2 & 3) < 2 ? -1 : 1) : 0),
                                (int8_t)(sides & 4 ? ((c >> 4) < 2 ? -1 : 1) : 0)};
        const uint64_t touch = clump_touch(c, o), wanted = further ? clump_reach(c, o) & ~touch : touch;
        if (!wanted || !(r->block = block_at(r->s, o))) continue;
        r->cells = r->block->cells & wanted;
        if (sides == 0) r->cells &= ~((uint64_t)1 << c);
    }
    const unsigned lowest = clump_lowest(r->cells);
    r->cells &= r->cells - 1;
    return &r->s->b->rep[clump_cell_number(r->block, lowest)];
}

/* ----- core points --------------------------------------------------------------------------------- */

typedef enum verdict { NONE_NEAR, SOME_NEAR, ALL_NEAR } verdict;

/* What the box of a cell tells. The distance to its nearest and its furthest corner is computed as that of points is;
 * differences on an axis are no smaller, or no larger, for any point inside, and rounding keeps the order. */
static verdict ask_box(const clump_density *d, clump_point p, const clump_rep *cell)
{
    if (!d->box || cell->count < CLUMP_BOXED) return SOME_NEAR;
    const clump_cell_box *const k = &d->box[cell->begin / CLUMP_BOXED];
    const float at[3] = {p.x, p.y, p.z};
    float near[3], far[3];
    for (int axis = 0; axis < 3; axis++) {
        const float below = k->lower[axis] - at[axis], above = at[axis] - k->upper[axis];
        near[axis] = below > 0 ? below : above > 0 ? above : 0;
        far[axis] = -below > -above ? -below : -above;
    }
    if (!(clump_distance_squared(near[0], near[1], near[2], 0, 0, 0) < d->bound)) return NONE_NEAR;
    return clump_distance_squared(far[0], far[1], far[2], 0, 0, 0) < d->bound ? ALL_NEAR : SOME_NEAR;
}

/* How many points of a cell are within eps of p, or as many as are needed. */
static inline size_t count_near(const clump_density *d, clump_point p, const clump_rep *cell, size_t needed)
{
    const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z),
                   limit = clump_f4_set(d->bound);
    const uint32_t end = cell->begin + cell->count;
    const verdict told = ask_box(d, p, cell);
    if (told != SOME_NEAR) return told == ALL_NEAR ? cell->count : 0;
    size_t near = 0;
    for (uint32_t i = cell->begin; i < end && near < needed; i += 4) { /* three more than there are may be read */
        clump_f4 x, y, z;
        clump_f4_load_points(&d->points[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_add(clump_f4_add(clump_f4_mul(x, x), clump_f4_mul(y, y)), clump_f4_mul(z, z));
        const unsigned there = end - i < 4 ? (1u << (end - i)) - 1 : 15;
        near += clump_popcount(clump_f4_less(d2, limit) & there);
    }
    return near;
}

/* A thin cell, some of its points at a time. Cell after cell around it is compared with those that do not have
 * enough yet, until none is left. */
static void core_of_points(const clump_density *d, surroundings *s, unsigned c, const clump_rep *cell, uint32_t first,
                           uint32_t last, uint8_t *core)
{
    uint32_t open[64];
    size_t near[64], count = 0;
    for (uint32_t i = first; i < last; i++) open[count] = i, near[count++] = cell->count;
    ring r = ring_of(s, c);
    for (const clump_rep *other; count > 0 && (other = next_cell(&r));) {
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

/* Polls the team, as a block may take long. */
static void core_of_block(const clump_density *d, clump_team *team, uint32_t id, uint8_t *core)
{
    const clump_blocks *const b = &d->grid;
    surroundings s = around_block(b, id);
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = &b->rep[clump_cell_number(s.mid, c)];
        const uint32_t end = cell->begin + cell->count;
        if (cell->count >= d->min_points)
            for (uint32_t i = cell->begin; i < end; i++) core[d->points[i].more] = 1;
        else if (may_be_core(d, &s, c, cell))
            for (uint32_t i = cell->begin; i < end && !clump_team_stopped(team); i += 64)
                core_of_points(d, &s, c, cell, i, end - i < 64 ? end : i + 64, core);
    }
}

typedef struct core_work {
    clump_team *team;
    const clump_density *d;
    uint8_t *core;
    size_t found; /* added to by atomic operations */
} core_work;

static void find_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const core_work *const w = arg;
    for (size_t id = begin; id < end; id++) core_of_block(w->d, w->team, (uint32_t)id, w->core);
}

static void sum_core(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    core_work *const w = arg;
    size_t found = 0;
    for (size_t i = begin; i < end; i++) found += w->core[i];
    CLUMP_ADD(&w->found, found);
}

clump_status clump_density_core(clump_context *ctx, const clump_density *d, uint8_t *core, size_t count, int threads,
                                size_t *found)
{
    core_work w = {.team = ctx->team, .d = d, .core = core};
    if (count > 0) memset(core, 0, count);
    CLUMP_TRY(clump_run(ctx, threads, d->grid.block_count, BLOCKS, find_core, &w));
    CLUMP_TRY(clump_run(ctx, threads, count, 8 * CLUMP_CHUNK, sum_core, &w));
    *found = w.found;
    return CLUMP_OK;
}

/* ----- border points ------------------------------------------------------------------------------- */

typedef struct border_work {
    clump_team *team;
    const clump_density *d;
    const uint8_t *core;
    int32_t *labels;
    size_t given; /* added to by atomic operations */
} border_work;

/* The label of a cell's core points, in the rep's index; CLUMP_NOISE if it has none. */
static void label_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const border_work *const w = arg;
    const clump_density *const d = w->d;
    const uint8_t *const core = w->core;
    const int32_t *const labels = w->labels;
    for (size_t c = begin; c < end; c++) {
        clump_rep *const cell = &d->grid.rep[c];
        cell->index = (uint32_t)CLUMP_NOISE;
        for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
            if (!core[d->points[i].more]) continue;
            cell->index = (uint32_t)labels[d->points[i].more];
            break;
        }
    }
}

static bool core_near(const clump_density *d, const uint8_t *core, clump_point p, const clump_rep *cell)
{
    if (cell->count >= d->min_points) return count_near(d, p, cell, 1) > 0; /* all core */
    if (ask_box(d, p, cell) == NONE_NEAR) return false;
    for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
        const clump_point q = d->points[i];
        if (core[q.more] && clump_distance_squared(p.x, p.y, p.z, q.x, q.y, q.z) < d->bound) return true;
    }
    return false;
}

static size_t border_of_block(const clump_density *d, clump_team *team, uint32_t id, const uint8_t *core,
                              int32_t *labels)
{
    const clump_blocks *const b = &d->grid;
    surroundings s = around_block(b, id);
    size_t given = 0;
    for (uint64_t cells = s.mid->cells; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const clump_rep *const cell = &b->rep[clump_cell_number(s.mid, c)];
        if (cell->count >= d->min_points) continue;
        for (uint32_t i = cell->begin; i < cell->begin + cell->count; i++) {
            const clump_point p = d->points[i];
            if (core[p.more]) continue;
            if (clump_team_stopped(team)) return given;
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
    border_work *const w = arg;
    size_t given = 0;
    for (size_t id = begin; id < end; id++) given += border_of_block(w->d, w->team, (uint32_t)id, w->core, w->labels);
    CLUMP_ADD(&w->given, given);
}

clump_status clump_density_border(clump_context *ctx, const clump_density *d, const uint8_t *core, int32_t *labels,
                                  int threads, size_t *given)
{
    border_work w = {ctx->team, d, core, labels, 0};
    CLUMP_TRY(clump_run(ctx, threads, d->grid.cell_count, 1024, label_cells, &w));
    CLUMP_TRY(clump_run(ctx, threads, d->grid.block_count, BLOCKS, find_borders, &w));
    *given = w.given;
    return CLUMP_OK;
}

/* ----- memory -------------------------------------------------------------------------------------- */

clump_status clump_density_reserve(clump_context *ctx, clump_density *d, size_t max_points, int threads)
{
    clump_status status = clump_buffer_reserve(ctx, &d->memory, (max_points + 3) * sizeof(clump_point));
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, &d->boxes, (max_points / CLUMP_BOXED + 1) * sizeof(clump_cell_box));
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
