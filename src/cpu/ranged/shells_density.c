/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_density.c: the core points and border points of DBSCAN on shells (ranged_shells.h). Core points are found in the grid
 * of all points. After these are joined in a grid of their own, a border point takes the smallest label of the core points
 * that are its neighbours. Both steps take a cell of the first grid, and visit the cells around it in one of the two:
 *
 *     grid of all points     neighbours of the points of the cell are counted, up to min_points
 *     grid of core points    all points of a cell have one label; it is given to the points that have a neighbour there
 *
 * Light blocks (shells_work.h) are taken as a whole. All points of a cell are neighbours. In a cell with min_points points
 * or more, all are core points, and no border point. Where min_points is large, other cells can be dense. A test of every
 * pair of points would cost the product of the sizes of two dense cells there, so the sieve (grid/sieve.h) decides. Dense
 * cells are for the end, on threads that have room.
 */
#include "cpu/ranged/shells_work.h"

#include "cpu/grid/sieve.h"
#include "cpu/shared/stages.h"

#define DENSITY_DENSE  128               /* points; from here on a cell is dense, as in density_work.h */
#define DENSITY_PAIRS  ((size_t)1 << 18) /* pairs of points; from here on the sieve is faster, as in density_dense.c */
#define DENSITY_BOXED  16                /* points; two cells of as many are first compared by their boxes */
#define DENSITY_BLOCKS 4                 /* blocks per chunk */
#define LIGHT_BLOCK    64                /* as place of a cell: the points are those of a light block */

/* ----- open points ------------------------------------------------------------------------------------------ */

void clump_ranged_settle(clump_ranged_open *o)
{
    size_t open = 0;
    for (size_t k = 0; k < o->count; k++) {
        if (o->near[k] >= o->min_points) {
            o->core[o->index[k]] = 1;
            continue;
        }
        o->own[open] = o->own[k], o->index[open] = o->index[k];
        o->near[open++] = o->near[k];
    }
    o->found += o->count - open;
    o->count = open;
}

bool clump_ranged_worth_sieve(const clump_ranged_open *o, size_t n)
{
    return o->hits && n >= DENSITY_DENSE && o->count >= DENSITY_DENSE && o->count * n >= DENSITY_PAIRS;
}

void clump_ranged_sieve(clump_ranged_open *o, size_t n, uint32_t label)
{
    const size_t needed = o->labels ? 1 : o->min_points;
    size_t open = 0;
    for (size_t k = 0; k < o->count; k++) {
        o->hits[k] = o->labels ? 0 : o->near[k];
        if (o->labels && o->near[k] <= label) continue;
        o->open[open] = o->own[k];
        o->open[open++].more = (uint32_t)k;
    }
    if (open == 0) return;
    clump_sieve_count_grown(o->open, open, o->own, o->others, n, needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX,
                            o->hits, o->team, &o->work);
    for (size_t k = 0; k < o->count; k++) {
        if (!o->labels)
            o->near[k] = o->hits[k];
        else if (o->hits[k] > 0)
            o->near[k] = label;
    }
    if (!o->labels) clump_ranged_settle(o);
}

void clump_ranged_give(clump_ranged_open *o)
{
    for (size_t k = 0; k < o->count; k++) {
        if (o->near[k] == (uint32_t)CLUMP_NOISE) continue;
        o->labels[o->index[k]] = (int32_t)o->near[k];
        o->found++;
    }
}

/* ----- one cell against others ------------------------------------------------------------------------------ */

typedef struct density_work {
    const clump_shells *all; /* the grid of all points */
    const clump_shells *in;  /* the grid that is searched */
    clump_ranged_open task;  /* what the open points of all threads have in common, and the sums */
    int dense;               /* there are dense cells */
    bool for_dense;          /* it is their turn */
    size_t most, largest;    /* room per thread: points of a dense cell, of any cell */
    clump_point *memory;
} density_work;

/* Open points of a cell or a light block. */
typedef struct density_cell {
    clump_ranged_open open;
    unsigned place;  /* of the cell in the block, or LIGHT_BLOCK */
    uint32_t number; /* of the cell */
} density_cell;

static inline uint32_t cell_begin(const clump_shells *s, uint32_t cell)
{
    return s->level[0].begin[cell];
}

static inline uint32_t cell_size(const clump_shells *s, uint32_t cell)
{
    return s->level[0].begin[cell + 1] - s->level[0].begin[cell];
}

static inline clump_point copy_of(clump_shell_points p, size_t i)
{
    return (clump_point){p.x[i], p.y[i], p.z[i], clump_float_bits(p.bound[i])};
}

static inline clump_shell_query query_of(clump_point p)
{
    return (clump_shell_query){clump_f4_set(p.x), clump_f4_set(p.y), clump_f4_set(p.z),
                               clump_f4_set(clump_ranged_bound(p))};
}

/* Adds the neighbours among n points of the grid to the counts of the open points. */
static void count_span(const density_work *w, clump_ranged_open *o, uint32_t begin, uint32_t n)
{
    for (uint32_t i = 0; i < n && o->count > 0 && !clump_team_stopped(o->team); i += 64) {
        const unsigned m = n - i < 64 ? n - i : 64;
        const uint64_t wanted = clump_shell_near_box(w->in->point, begin + i, m, &o->box);
        bool settled = false;
        for (size_t k = 0; wanted && k < o->count; k++) {
            const clump_shell_query q = query_of(o->own[k]);
            o->near[k] += clump_popcount(clump_shell_row_of(&q, w->in->point, begin + i, wanted));
            settled |= o->near[k] >= o->min_points;
        }
        if (settled) clump_ranged_settle(o);
    }
}

/* Gives the label of a cell to the open points that have a neighbour there and a larger label. */
static void label_from_cell(const density_work *w, clump_ranged_open *o, uint32_t cell)
{
    const uint32_t begin = cell_begin(w->in, cell), n = cell_size(w->in, cell), label = w->in->least[cell];
    for (uint32_t i = 0; i < n && !clump_team_stopped(o->team); i += 64) {
        const unsigned m = n - i < 64 ? n - i : 64;
        uint64_t wanted = 0;
        for (size_t k = 0; k < o->count; k++) {
            if (o->near[k] <= label) continue;
            if (!wanted) wanted = clump_shell_near_box(w->in->point, begin + i, m, &o->box);
            if (!wanted) break;
            const clump_shell_query q = query_of(o->own[k]);
            if (clump_shell_row_of(&q, w->in->point, begin + i, wanted)) o->near[k] = label;
        }
    }
}

/* Whether the boxes of the open points and of a cell decide about all pairs; then these are counted. */
static bool count_by_boxes(const density_work *w, clump_ranged_open *o, uint32_t cell)
{
    const uint32_t n = cell_size(w->in, cell);
    if (o->count < DENSITY_BOXED || n < DENSITY_BOXED) return false;
    const clump_ranged_node box = clump_shell_box(w->in->point, cell_begin(w->in, cell), n);
    if (clump_shell_apart(&o->box, &box)) return true;
    if (!(clump_ranged_span_squared(&o->box, &box) < fminf(o->box.least, box.least))) return false;
    for (size_t k = 0; k < o->count; k++) o->near[k] += n;
    clump_ranged_settle(o);
    return true;
}

static void visit_cell(const density_work *w, clump_ranged_open *o, uint32_t cell)
{
    const uint32_t begin = cell_begin(w->in, cell), n = cell_size(w->in, cell);
    if (!o->labels && count_by_boxes(w, o, cell)) return;
    if (clump_ranged_worth_sieve(o, n)) {
        for (uint32_t i = 0; i < n; i++) o->others[i] = copy_of(w->in->point, begin + i);
        clump_ranged_sieve(o, n, o->labels ? w->in->least[cell] : 0);
    } else if (o->labels) {
        label_from_cell(w, o, cell);
    } else {
        count_span(w, o, begin, n);
    }
}

/* Visits the cells of a set of a block, without the own cell. */
static void visit_cells(const density_work *w, density_cell *c, const clump_block *block, uint64_t cells)
{
    for (; cells && c->open.count > 0 && !clump_team_stopped(c->open.team); cells &= cells - 1) {
        const uint32_t other = clump_cell_number(block, clump_lowest(cells));
        if (c->open.labels || other != c->number) visit_cell(w, &c->open, other);
    }
}

/* Visits what can hold neighbours in the blocks of a list. While neighbours are counted, the first is the own block, which
 * was visited before. */
static void visit_around(const density_work *w, density_cell *c, const clump_shell_beside *list)
{
    const clump_shell_level *const at = &w->in->level[0];
    clump_ranged_open *const o = &c->open;
    for (unsigned k = o->labels ? 0 : 1; k < list->count && o->count > 0; k++) {
        const struct clump_shell_near *const b = &list->block[k];
        const clump_shell_block *const is = &at->block[b->id];
        const clump_block *const block = &at->table.block[b->id];
        if (clump_shell_apart(&o->box, &is->box)) continue;
        if (!o->labels && (c->place == LIGHT_BLOCK || clump_shell_is_light(is)))
            count_span(w, o, is->begin, is->count);
        else
            visit_cells(w, c, block,
                        c->place == LIGHT_BLOCK ? block->cells : clump_shell_reach_beside(at, b, c->place));
    }
}

/* ----- all cells -------------------------------------------------------------------------------------------- */

/* Opens n points: all with the same count, or those that are not core points. */
static void open_span(const density_work *w, clump_ranged_open *o, uint32_t begin, uint32_t n, uint32_t count)
{
    o->count = 0;
    for (uint32_t i = begin; i < begin + n; i++) {
        const uint32_t index = w->all->index[i];
        if (o->labels && o->core[index]) continue;
        clump_ranged_open_point(o, copy_of(w->all->point, i), index, o->labels ? (uint32_t)CLUMP_NOISE : count);
    }
}

/* Visits the blocks around block a, which are listed on first use, and decides what is open. */
static void decide_open(const density_work *w, density_cell *c, clump_shell_ref a, clump_shell_beside *list)
{
    if (c->open.count == 0) return;
    if (list->count == 0) clump_shell_list_beside(w->all, &w->in->level[0], a, list);
    if (!c->open.labels && list->points < c->open.min_points) return;
    visit_around(w, c, list);
    if (c->open.labels) clump_ranged_give(&c->open);
}

/* Decides the points of a light block: by all pairs of its points, then with the blocks around it. */
static void decide_light(const density_work *w, density_cell *c, clump_shell_ref a, clump_shell_beside *list)
{
    const unsigned n = a.is->count;
    clump_ranged_open *const o = &c->open;
    open_span(w, o, a.is->begin, n, 0);
    o->box = a.is->box, c->place = LIGHT_BLOCK;
    for (unsigned k = 0; !o->labels && k < n; k++) {
        const clump_shell_query q = query_of(o->own[k]);
        o->near[k] = clump_popcount(clump_shell_row(&q, w->all->point, a.is->begin, n));
    }
    if (!o->labels) clump_ranged_settle(o);
    decide_open(w, c, a, list);
}

/* Decides the points of a cell with fewer than min_points points, in the block that is the first of all lists. */
static void decide_cell(const density_work *w, density_cell *c, clump_shell_ref a, uint32_t id,
                        clump_shell_beside *list)
{
    const clump_shell_level *const at = &w->all->level[0];
    const struct clump_shell_near itself = {id, {0, 0, 0}, a.is->reach};
    const uint32_t begin = cell_begin(w->all, c->number), n = cell_size(w->all, c->number);
    open_span(w, &c->open, begin, n, n);
    if (c->open.count == 0) return;
    c->open.box = clump_shell_box(w->all->point, begin, n);
    if (!c->open.labels) visit_cells(w, c, a.at, clump_shell_reach_beside(at, &itself, c->place));
    decide_open(w, c, a, list);
}

/* Decides the points of a block that are in dense cells, or of those that are not. */
static void decide_block(density_work *w, uint32_t id, density_cell *c)
{
    const clump_shell_level *const at = &w->all->level[0];
    const clump_shell_ref a = {&at->table.block[id], &at->block[id]};
    clump_shell_beside list; /* stays uninitialised */
    list.count = 0;
    if (clump_shell_is_light(a.is)) {
        if (!w->for_dense) decide_light(w, c, a, &list);
        return;
    }
    c->number = a.at->first;
    for (uint64_t rest = a.at->cells; rest && !clump_team_stopped(c->open.team); rest &= rest - 1, c->number++) {
        const uint32_t begin = cell_begin(w->all, c->number), n = cell_size(w->all, c->number);
        c->place = clump_lowest(rest);
        if (n >= c->open.min_points) {
            if (c->open.labels || w->for_dense) continue;
            for (uint32_t i = begin; i < begin + n; i++) c->open.core[w->all->index[i]] = 1;
            c->open.found += n;
        } else if ((n >= DENSITY_DENSE) == w->for_dense) {
            decide_cell(w, c, a, id, &list);
        } else if (!w->for_dense) {
            CLUMP_STORE(&w->dense, 1);
        }
    }
}

/* What the open points of a thread begin with. The sums of `task` change meanwhile. */
static density_cell task_of(const density_work *w)
{
    const clump_ranged_open *const t = &w->task;
    return (density_cell){.open = {.team = t->team, .min_points = t->min_points, .core = t->core, .labels = t->labels}};
}

static void decide_chunk(density_work *w, size_t begin, size_t end, density_cell *c)
{
    for (size_t id = begin; id < end; id++) decide_block(w, (uint32_t)id, c);
    CLUMP_ADD(&w->task.found, c->open.found);
    CLUMP_ADD(&w->task.work, c->open.work);
}

static void decide_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    density_work *const w = arg;
    clump_point own[DENSITY_DENSE];
    uint32_t index[DENSITY_DENSE], near[DENSITY_DENSE];
    density_cell c = task_of(w);
    c.open.own = own, c.open.index = index, c.open.near = near;
    decide_chunk(w, begin, end, &c);
}

/* Points of memory that a thread needs for a dense cell; the numbers take the room of a point. */
static size_t dense_room(const density_work *w)
{
    return 3 * w->most + w->largest;
}

static void decide_dense(void *arg, size_t begin, size_t end, int worker)
{
    density_work *const w = arg;
    clump_point *const own = w->memory + (size_t)worker * dense_room(w);
    uint32_t *const index = (uint32_t *)(own + 2 * w->most + w->largest);
    density_cell c = task_of(w);
    c.open.own = own, c.open.index = index, c.open.near = index + w->most;
    c.open.hits = index + 2 * w->most;
    c.open.open = own + w->most;
    c.open.others = own + 2 * w->most;
    decide_chunk(w, begin, end, &c);
}

/* Decides the points of dense cells. Where one cell holds a large part of all points, fewer threads keep the memory
 * linear. */
static clump_status run_dense(clump_work *work, density_work *w, clump_buffer *memory, int threads)
{
    for (uint32_t c = 0; c < w->all->level[0].cells; c++) {
        const size_t n = cell_size(w->all, c);
        w->largest = n > w->largest ? n : w->largest;
        if (n < w->task.min_points) w->most = n > w->most ? n : w->most;
    }
    const size_t worth = w->all->count / (2 * w->largest);
    const int fewer = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    CLUMP_TRY(clump_buffer_reserve(work, memory, (size_t)fewer * dense_room(w) * sizeof(clump_point)));
    w->memory = memory->data;
    w->for_dense = true;
    return clump_run(work, fewer, w->all->level[0].table.count, 1, decide_dense, w);
}

/* Runs one of the two steps; *found becomes its sum. */
static clump_status run_step(clump_work *work, density_work *w, clump_buffer *memory, int threads, size_t *found)
{
    w->dense = 0, w->for_dense = false, w->task.found = 0;
    CLUMP_TRY(clump_run(work, threads, w->all->level[0].table.count, DENSITY_BLOCKS, decide_blocks, w));
    if (w->dense) CLUMP_TRY(run_dense(work, w, memory, threads));
    *found = w->task.found;
    return CLUMP_OK;
}

/* ----- DBSCAN ----------------------------------------------------------------------------------------------- */

clump_status clump_shells_dbscan(clump_work *work, clump_shells *all, clump_shells *cores, clump_blocks *blocks,
                                 const clump_dbscan_job *job, uint8_t *core, clump_stats *stats, bool *done)
{
    const size_t n = job->in.count;
    const int threads = clump_threads_for(work, n, CLUMP_CHUNK);
    clump_stages at = {.start = clump_now_ms()};
    CLUMP_TRY(clump_shells_begin(work, all, blocks, &job->in, 1, true, threads, done));
    if (!*done) return CLUMP_OK;
    density_work w = {.all = all, .in = all, .task = {.team = work->team, .min_points = job->min_points, .core = core}};
    size_t found, given = 0;
    memset(core, 0, n);
    CLUMP_TRY(run_step(work, &w, &all->searches, threads, &found));
    at.built = clump_now_ms();
    at.clustered = at.built;
    for (size_t i = 0; found == 0 && i < n; i++) job->in.labels[i] = CLUMP_NOISE;
    if (found > 0) {
        CLUMP_TRY(clump_shells_pick(work, cores, all, core, found, job->in.labels, threads));
        CLUMP_TRY(clump_shells_finest(work, cores, n, job->in.labels, threads, &stats->clusters, &at.clustered));
    }
    w.in = cores, w.task.labels = job->in.labels;
    if (found > 0 && job->border_points) CLUMP_TRY(run_step(work, &w, &all->searches, threads, &given));
    stats->noise = n - found - given;
    all->work = w.task.work;
    stats->finite = blocks->finite;
    stats->masked = blocks->masked;
    at.labelled = clump_now_ms();
    clump_report_stages(stats, threads, 1, at);
    return CLUMP_OK;
}
