/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_points.c: the second round of joining (join.h). Two cells are an open pair if the reps left them in different
 * sets and at least one of them is a multi cell. All points of open pairs are compared. Only the points of blocks with
 * open pairs are gathered, and dense sets among them are sorted into patches (patches.h).
 */
#include "common/share.h"
#include "cpu/ec/join_work.h"
#include "cpu/grid/slices.h"

#include <string.h>

/* No comparison with other values is on record for these. */
#define JOIN_POLLED      65536 /* points between two polls */
#define JOIN_FEW_BLOCKS  4096  /* fewer may have many points each */
#define JOIN_BLOCK_CHUNK 16

/* ----- what is open ------------------------------------------------------------------------------ */

/* Returns the block at entry k of clump_ahead, seen from block id. It exists. */
static uint32_t block_ahead(const clump_join_work *w, uint32_t id, unsigned k)
{
    const clump_block *const a = &w->b->block[id];
    const clump_offset o = clump_ahead[k].o;
    if (k == CLUMP_INSIDE) return id;
    const uint32_t other = clump_blocks_find(w->b, a->x + o.x, a->y + o.y, a->z + o.z);
    CLUMP_ASSERT(other != CLUMP_NO_BLOCK);
    return other;
}

/* Calls visit(w, cell, other, user) for the pairs of cells within reach of which at least one is a multi cell, touching
 * pairs first. Stops when visit returns true, and returns whether it did. */
typedef bool visit_pair(const clump_join_work *w, uint32_t cell, uint32_t other, void *user);

static inline bool each_pair(const clump_join_work *w, const clump_block *a, const clump_block *b,
                             const clump_ahead_entry *e, visit_pair *visit, void *user)
{
    const clump_offset o = e->o;
    const uint64_t cells_b = b->cells, multi_a = a->multi, multi_b = b->multi;
    const uint64_t border = a->cells & e->border;
    for (int further = 0; further < 2; further++) {
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const unsigned c = clump_lowest(rest);
            const uint64_t touch = clump_touch(c, o);
            uint64_t candidates = cells_b & (further ? clump_reach(c, o) & ~touch : touch);
            if (!(multi_a >> c & 1)) candidates &= multi_b;
            if (a == b) candidates &= ~(((uint64_t)2 << c) - 1); /* each pair once */
            if (!candidates) continue;
            const uint32_t cell = clump_cell_number(a, c);
            for (; candidates; candidates &= candidates - 1) {
                const uint32_t other = clump_cell_number(b, clump_lowest(candidates));
                if (visit(w, cell, other, user)) return true;
            }
        }
    }
    return false;
}

/* Whether each of two blocks is one set, and both are the same set. */
static bool whole_and_joined(const clump_join_work *w, uint32_t id, uint32_t other)
{
    return !((clump_note(w, id) | clump_note(w, other)) & CLUMP_SPLIT) &&
           clump_same_set(w, w->b->block[id].first, w->b->block[other].first);
}

static bool is_open(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    return !clump_same_set(w, cell, other);
}

/* After all reps are joined: closes the pairs of blocks that are joined by now, and marks the others for gathering. */
static void settle_block(clump_join_work *w, uint32_t id)
{
    unsigned open = clump_note(w, id) & (CLUMP_OPEN_INSIDE | (CLUMP_OPEN_INSIDE - 1));
    const clump_block *const a = &w->b->block[id];
    for (unsigned rest = open; rest; rest &= rest - 1) {
        const unsigned k = clump_lowest(rest);
        const uint32_t other = block_ahead(w, id, k);
        if (!whole_and_joined(w, id, other) && each_pair(w, a, &w->b->block[other], &clump_ahead[k], is_open, NULL)) {
            CLUMP_OR(&w->notes[id], CLUMP_GATHER);
            CLUMP_OR(&w->notes[other], CLUMP_GATHER);
            CLUMP_STORE(&w->gathers, 1);
        } else {
            CLUMP_AND(&w->notes[id], (uint16_t) ~(1u << k));
        }
    }
}

/* ----- gathering ---------------------------------------------------------------------------------- */

/* Returns the number of points of a slice that are to be gathered, and writes them to `picked` unless it is null. A
 * branch on whether a point is picked would be unpredictable, so there is none. */
static size_t pick_points(const clump_join_work *w, clump_share s, uint32_t *picked)
{
    const uint32_t *const owner = w->b->owner;
    uint32_t nowhere;
    size_t m = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const uint32_t id = owner[i];
        const unsigned note = w->notes[id == CLUMP_NO_BLOCK ? 0 : id];
        *(picked ? &picked[m] : &nowhere) = (uint32_t)i;
        m += (id != CLUMP_NO_BLOCK) & ((note & CLUMP_GATHER) != 0);
    }
    return m;
}

static clump_rep *cell_of_point(const clump_blocks *b, size_t i)
{
    return &b->rep[clump_cell_number(&b->block[b->owner[i]], b->sub[i])];
}

/* What the tasks of gathering share. There are as many slices of the cells as of the points. */
typedef struct gathering {
    clump_team *team;
    const clump_join_work *w;
    const clump_cloud_job *job;
    int threads, slices;
    bool spare;           /* the list has room for all points */
    size_t *start, *size; /* per slice: its part of the list */
    size_t *entries;      /* per slice of the cells: the entries of its cells, then those of all slices before */
    size_t *largest;      /* per slice of the cells: the points of the fullest cell */
    uint32_t *picked;     /* the list of the points to be gathered */
    uint32_t *place;      /* null, or for each point of the list its place in its cell */
    uint32_t *tallies;    /* null, or one count per cell and slice */
    clump_point *points;
} gathering;

static uint32_t *tally_of(const gathering *g, size_t t)
{
    return g->tallies ? g->tallies + (size_t)g->w->b->cell_count * t : NULL;
}

static uint32_t *places_of(const gathering *g, size_t t)
{
    return g->place ? g->place + g->start[t] : NULL;
}

/* Slice t of the cells and of one entry after the last cell. */
static clump_share cells_of(const gathering *g, size_t t)
{
    return clump_share_of((size_t)g->w->b->cell_count + 1, (int)t, g->slices);
}

static void size_list(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_share s = clump_share_of(g->job->count, (int)t, g->slices);
    g->size[t] = g->spare ? s.end - s.begin : pick_points(g->w, s, NULL);
}

static void clear_counts(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    for (size_t c = s.begin; c < s.end; c++) rep[c].count = rep[c].dealt = 0;
}

/* Lists the points of a slice and counts them by cell. */
static void count_slice(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_blocks b = *g->w->b; /* a copy: no store to a cell can alias it */
    uint32_t *const mine = g->picked + g->start[t], *const tally = tally_of(g, t), *const place = places_of(g, t);
    if (tally) memset(tally, 0, b.cell_count * sizeof *tally);
    const size_t size = pick_points(g->w, clump_share_of(g->job->count, (int)t, g->slices), mine);
    CLUMP_ASSERT(size <= g->size[t]);
    for (size_t k = 0; k < size; k++) {
        if (k % JOIN_POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        if (tally)
            tally[cell - b.rep]++;
        else if (place)
            place[k] = CLUMP_ADD(&cell->count, 1);
        else
            cell->count++;
    }
    g->size[t] = size;
}

/* Turns the tallies of each cell into the places where each slice starts, and sums up entries and largest. */
static void sum_counts(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    const size_t cells = g->tallies ? g->w->b->cell_count : 0; /* that have tallies */
    size_t entries = 0, largest = 0;
    for (size_t c = s.begin; c < s.end; c++) {
        clump_rep *const cell = &rep[c];
        for (int u = 0; c < cells && u < g->slices; u++) {
            uint32_t *const tally = tally_of(g, (size_t)u) + c;
            const uint32_t here = *tally;
            *tally = cell->count;
            cell->count += here;
        }
        entries += clump_dense_entries(cell->count);
        largest = cell->count > largest ? cell->count : largest;
    }
    g->entries[t] = entries;
    g->largest[t] = largest;
}

static void place_cells(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    size_t at = g->entries[t];
    for (size_t c = s.begin; c < s.end; c++) {
        rep[c].begin = (uint32_t)at;
        at += clump_dense_entries(rep[c].count);
    }
}

/* Copies the points of a slice to their cells. It takes no atomic operation: one would wait for the store of the point
 * before, which is mostly not in the cache. */
static void deal_slice(void *arg, size_t t)
{
    const gathering *const g = arg;
    const clump_blocks b = *g->w->b; /* copies: no store can alias them */
    const clump_cloud_job job = *g->job;
    const size_t size = g->size[t];
    const uint32_t *const mine = g->picked + g->start[t];
    uint32_t *const tally = tally_of(g, t);
    const uint32_t *const places = places_of(g, t);
    clump_point *const points = g->points;
    for (size_t k = 0; k < size; k++) {
        if (k % JOIN_POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        const uint32_t place = tally ? tally[cell - b.rep]++ : places ? places[k] : cell->dealt++;
        const float *const f = clump_point_at(&job, mine[k]);
        points[cell->begin + clump_dense_offset(cell->count) + place] =
            (clump_point){f[0], f[1], job.two_d ? 0 : f[2], 0};
    }
}

static clump_status each_slice(clump_context *ctx, gathering *g, clump_slice_step *step)
{
    clump_slices slices = {step, g};
    return clump_run(ctx, g->threads, (size_t)g->slices, 1, clump_run_slices, &slices);
}

/* Whether every slice has a tally of its own. Where cells are few, threads would contend for their counts. The tallies
 * take at most a quarter of a count per point. */
static bool gets_tallies(const gathering *g)
{
    return g->slices > 1 && (size_t)g->w->b->cell_count * (size_t)g->slices <= g->job->count / 4;
}

/* Reserves the list of points. Where cells are few and most points take part, the list has room for all points.
 * Otherwise the points are counted first. */
static clump_status reserve_list(clump_context *ctx, clump_join *j, gathering *g)
{
    const size_t n = g->job->count, taking_part = n - g->w->b->left_out;
    g->spare = g->w->b->cell_count < taking_part / 2 && taking_part > n / 2;
    if (g->spare)
        for (int t = 0; t < g->slices; t++) size_list(g, (size_t)t);
    else
        CLUMP_TRY(each_slice(ctx, g, size_list));
    size_t all = 0;
    for (int t = 0; t < g->slices; t++) { /* one entry more per slice: pick_points() writes one past its last */
        g->start[t] = all;
        all += g->size[t] + 1;
    }
    const bool places = g->slices > 1 && !gets_tallies(g);
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->picked, (places ? 2 : 1) * all * sizeof(uint32_t)));
    g->picked = j->picked.data;
    g->place = places ? g->picked + all : NULL;
    return CLUMP_OK;
}

/* Lists the points and counts them by cell. */
static clump_status count_points(clump_context *ctx, clump_join *j, gathering *g)
{
    const bool own = gets_tallies(g);
    const size_t tallies = own ? (size_t)g->w->b->cell_count * (size_t)g->slices : 0;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->tallies, tallies * sizeof(uint32_t)));
    g->tallies = own ? j->tallies.data : NULL;
    CLUMP_TRY(each_slice(ctx, g, clear_counts));
    CLUMP_TRY(each_slice(ctx, g, count_slice));
    return each_slice(ctx, g, sum_counts);
}

/* Copies the points to their cells' places; *sum and *largest become the entries of all cells and the points of the
 * fullest one. */
static clump_status deal_points(clump_context *ctx, clump_join *j, gathering *g, size_t *sum, size_t *largest)
{
    *sum = *largest = 0;
    for (int t = 0; t < g->slices; t++) {
        const size_t here = g->entries[t];
        g->entries[t] = *sum;
        *sum += here;
        *largest = g->largest[t] > *largest ? g->largest[t] : *largest;
    }
    if (*sum > UINT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "%s: crowded cells need %zu entries, a call has room for %zu",
                          ctx->call, *sum, (size_t)UINT32_MAX);
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->points, *sum * sizeof(clump_point)));
    g->points = j->points.data;
    CLUMP_TRY(each_slice(ctx, g, place_cells));
    return each_slice(ctx, g, deal_slice);
}

/* Gathers the points of the marked blocks by cell, with room for the patches of dense sets (patches.h). The order
 * within a cell does not matter. Where a cell's points are is written over the coordinates of its rep, which are not
 * needed any more. */
static clump_status gather(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                           int threads)
{
    const int slices = clump_join_slices(job->count, threads);
    gathering g = {.team = ctx->team, .w = w, .job = job, .threads = threads, .slices = slices};
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->shares, 4 * (size_t)slices * sizeof(size_t)));
    g.start = j->shares.data, g.size = g.start + slices, g.entries = g.size + slices, g.largest = g.entries + slices;
    size_t sum, largest;
    CLUMP_TRY(reserve_list(ctx, j, &g));
    CLUMP_TRY(count_points(ctx, j, &g));
    CLUMP_TRY(deal_points(ctx, j, &g, &sum, &largest));
    w->points = g.points;

    /* Each thread has room for two of the largest cells. Where one cell has a large share of all points there is little
     * to divide, and fewer threads keep the memory linear. */
    const size_t worth = largest > 0 ? sum / (2 * largest) : 1;
    w->threads = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    w->dense = largest >= CLUMP_DENSE;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->scratch, w->room * (size_t)w->threads * sizeof(clump_point)));
    w->scratch = j->scratch.data;
    return CLUMP_OK;
}

/* ----- comparing ----------------------------------------------------------------------------------- */

static clump_point *scratch_of(const clump_join_work *w, int worker)
{
    CLUMP_ASSERT(worker < w->threads);
    return w->scratch + w->room * (size_t)worker;
}

/* Returns the entries of a cell's points; *n becomes their number. */
static clump_point *set_of(const clump_join_work *w, uint32_t cell, size_t *n)
{
    const clump_rep *const rep = &w->b->rep[cell];
    *n = rep->count;
    return w->points + rep->begin;
}

/* Mark dense sets that are to be compared, unless they are far apart by their boxes, or by their discs. */
static bool want_discs(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (clump_same_set(w, cell, other)) return false;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_dense_want_discs(a, na, b, nb, w->d);
    return false;
}

static bool want_patches(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (clump_same_set(w, cell, other)) return false;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_dense_want_patches(a, na, b, nb, w->d);
    return false;
}

/* Compares all points of two cells. */
static bool compare_points(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    if (clump_same_set(w, cell, other)) return false;
    size_t na, nb;
    const clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    if (clump_sets_near(a, na, b, nb, w->d, w->bound, user)) clump_unite(w->parent, cell, other);
    return false;
}

/* Visits all pairs of cells in the pairs of blocks that are open by a block's notes. */
static void each_open_pair(const clump_join_work *w, uint32_t id, visit_pair *visit, void *user)
{
    const clump_block *const a = &w->b->block[id];
    unsigned open = clump_note(w, id) & (CLUMP_OPEN_INSIDE | (CLUMP_OPEN_INSIDE - 1));
    for (; open; open &= open - 1) {
        const unsigned k = clump_lowest(open);
        each_pair(w, a, &w->b->block[block_ahead(w, id, k)], &clump_ahead[k], visit, user);
    }
}

static void box_dense_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_DENSE) clump_dense_box(set, n);
    }
}

static void want_discs_of_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) each_open_pair(arg, (uint32_t)id, want_discs, NULL);
}

static void make_discs_of_cells(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_DENSE) clump_dense_make_disc(set, n);
    }
}

static void want_patches_of_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) each_open_pair(arg, (uint32_t)id, want_patches, NULL);
}

static void patch_dense_cells(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_DENSE) clump_dense_make_patches(set, n, scratch_of(arg, worker));
    }
}

/* Returns the blocks of a chunk. A block with dense sets can take long, most others take less than a microsecond. */
static size_t block_chunk(const clump_join_work *w)
{
    return w->dense && w->b->block_count < JOIN_FEW_BLOCKS ? 1 : JOIN_BLOCK_CHUNK;
}

/* Prepares the dense sets among the gathered cells for clump_sets_near(). */
static clump_status make_patches(clump_context *ctx, clump_join_work *w)
{
    const size_t cells = w->b->cell_count, blocks = w->b->block_count;
    const size_t few = block_chunk(w), some = cells / JOIN_FEW_BLOCKS, chunk = some < 1 ? 1 : some > 64 ? 64 : some;
    CLUMP_TRY(clump_run(ctx, w->threads, cells, chunk, box_dense_cells, w));
    CLUMP_TRY(clump_run(ctx, w->threads, blocks, few, want_discs_of_blocks, w));
    CLUMP_TRY(clump_run(ctx, w->threads, cells, chunk, make_discs_of_cells, w));
    CLUMP_TRY(clump_run(ctx, w->threads, blocks, few, want_patches_of_blocks, w));
    return clump_run(ctx, w->threads, cells, chunk, patch_dense_cells, w);
}

static void settle_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) settle_block(arg, (uint32_t)id);
}

static void compare_blocks(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t id = begin; id < end; id++) each_open_pair(arg, (uint32_t)id, compare_points, scratch_of(arg, worker));
}

clump_status clump_join_points(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads)
{
    const uint32_t blocks = w->b->block_count;
    CLUMP_TRY(clump_run(ctx, threads, blocks, 64, settle_blocks, w));
    if (!w->gathers) return CLUMP_OK;

    CLUMP_TRY(gather(ctx, j, w, job, threads));
    if (w->dense) CLUMP_TRY(make_patches(ctx, w));
    return clump_run(ctx, w->threads, blocks, block_chunk(w), compare_blocks, w);
}
