/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_points.c: the second round of joining (join.h): for pairs of cells that the reps left in
 * different sets, and that hold more points than their reps, all points are tried. Only the points
 * of blocks with such pairs are gathered, and crowds among them are sorted into patches (near.h).
 */
#include "common/share.h"
#include "core/context.h"
#include "cpu/ec/join_work.h"

#include <string.h>

#define POLLED 65536 /* points between two polls */

/* ----- what is open ------------------------------------------------------------------------------ */

/* The block at entry k from block id, which is there. */
static uint32_t neighbour(const clump_join_work *w, uint32_t id, unsigned k)
{
    const clump_block *const a = &w->b->block[id];
    const clump_offset o = clump_ahead[k].o;
    if (k == CLUMP_INSIDE) return id;
    return clump_blocks_find(w->b, a->x + o.x, a->y + o.y, a->z + o.z);
}

/* Calls visit(w, cell, other, user) for pairs of cells that are within reach and not both single
 * points; touching ones first. Stops when visit says so, and returns whether it did. */
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

/* With all reps joined, closes what has been settled meanwhile, and marks what has to be gathered. */
static void settle_block(const clump_join_work *w, uint32_t id)
{
    unsigned open = clump_note(w, id) & (CLUMP_OPEN_INSIDE | (CLUMP_OPEN_INSIDE - 1));
    const clump_block *const a = &w->b->block[id];
    for (unsigned rest = open; rest; rest &= rest - 1) {
        const unsigned k = clump_lowest(rest);
        const uint32_t other = neighbour(w, id, k);
        if (!whole_and_joined(w, id, other) && each_pair(w, a, &w->b->block[other], &clump_ahead[k], is_open, NULL)) {
            CLUMP_OR(&w->notes[id], CLUMP_GATHER);
            CLUMP_OR(&w->notes[other], CLUMP_GATHER);
        } else {
            CLUMP_AND(&w->notes[id], (uint16_t) ~(1u << k));
        }
    }
}

/* ----- gathering ---------------------------------------------------------------------------------- */

/* The points of a share that are to be gathered: how many, or, given room for them, which. Without a
 * branch on what is as good as random. */
static size_t pick(const clump_join_work *w, clump_share s, uint32_t *picked)
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

/* What the tasks of gathering work on: one share of the points, and one of the cells, per thread. */
typedef struct gathering {
    clump_team *team;
    const clump_join_work *w;
    const clump_cloud_job *job;
    int shares;
    bool spare;           /* the list may be as long as it can get */
    size_t *start, *size; /* of each share's part of the list of points */
    size_t *entries;      /* of each share of the cells: entries of their points, then of all cells before */
    size_t *largest;      /* of each share of the cells: points of the fullest */
    uint32_t *picked;     /* the list */
    uint32_t *tallies;    /* null, or counts of its own per share */
    clump_point *points;
} gathering;

static uint32_t *tally_of(const gathering *g, size_t t)
{
    return g->tallies ? g->tallies + (size_t)g->w->b->cell_count * t : NULL;
}

/* Share t of the cells, and of the cell after the last. */
static clump_share cells_of(const gathering *g, size_t t)
{
    return clump_share_of((size_t)g->w->b->cell_count + 1, (int)t, g->shares);
}

static void size_list(const gathering *g, size_t t)
{
    const clump_share s = clump_share_of(g->job->count, (int)t, g->shares);
    g->size[t] = g->spare ? s.end - s.begin : pick(g->w, s, NULL);
}

static void clear_counts(const gathering *g, size_t t)
{
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    for (size_t c = s.begin; c < s.end; c++) rep[c].count = rep[c].dealt = 0;
}

static void count_points(const gathering *g, size_t t)
{
    const clump_blocks b = *g->w->b; /* a copy, so that the compiler knows what stores to cells leave alone */
    const bool shared = g->shares > 1;
    uint32_t *const mine = g->picked + g->start[t], *const tally = tally_of(g, t);
    if (tally) memset(tally, 0, b.cell_count * sizeof *tally);
    const size_t size = pick(g->w, clump_share_of(g->job->count, (int)t, g->shares), mine);
    for (size_t k = 0; k < size; k++) {
        if (k % POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        if (tally)
            tally[cell - b.rep]++;
        else if (shared)
            CLUMP_ADD(&cell->count, 1);
        else
            cell->count++;
    }
    g->size[t] = size;
}

/* Tallies become where each share starts in a cell; entries and largest are summed up. */
static void sum_up(const gathering *g, size_t t)
{
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    const size_t cells = g->tallies ? g->w->b->cell_count : 0; /* that have tallies */
    size_t entries = 0, largest = 0;
    for (size_t c = s.begin; c < s.end; c++) {
        clump_rep *const cell = &rep[c];
        for (int u = 0; c < cells && u < g->shares; u++) {
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

static void place_cells(const gathering *g, size_t t)
{
    const clump_share s = cells_of(g, t);
    clump_rep *const rep = g->w->b->rep;
    size_t at = g->entries[t];
    for (size_t c = s.begin; c < s.end; c++) {
        rep[c].begin = (uint32_t)at;
        at += clump_dense_entries(rep[c].count);
    }
}

static void deal_points(const gathering *g, size_t t)
{
    const clump_blocks b = *g->w->b; /* copies, as in count_points() */
    const clump_cloud_job job = *g->job;
    const bool shared = g->shares > 1;
    const size_t size = g->size[t];
    const uint32_t *const mine = g->picked + g->start[t];
    uint32_t *const tally = tally_of(g, t);
    clump_point *const points = g->points;
    for (size_t k = 0; k < size; k++) {
        if (k % POLLED == 0 && clump_team_stopped(g->team)) return;
        clump_rep *const cell = cell_of_point(&b, mine[k]);
        const uint32_t place = tally ? tally[cell - b.rep]++ : shared ? CLUMP_ADD(&cell->dealt, 1) : cell->dealt++;
        const float *const f = (const float *)(const void *)(job.points + mine[k] * job.stride);
        points[cell->begin + clump_dense_offset(cell->count) + place] =
            (clump_point){f[0], f[1], job.two_d ? 0 : f[2], 0};
    }
}

/* A step of gathering for all shares. */
typedef struct gathering_step {
    const gathering *g;
    void (*step)(const gathering *g, size_t share);
} gathering_step;

static void run_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gathering_step *const s = arg;
    for (size_t t = begin; t < end; t++) s->step(s->g, t);
}

static clump_status each_share(clump_context *ctx, const gathering *g, void (*step)(const gathering *g, size_t share))
{
    gathering_step s = {g, step};
    return clump_run(ctx, g->shares, (size_t)g->shares, 1, run_shares, &s);
}

/* Where cells are few and most points take part there is memory to spare, and the list may be as long as it can get.
 * Else the points are counted first. */
static clump_status make_list(clump_context *ctx, clump_join *j, gathering *g)
{
    const size_t n = g->job->count, taking_part = n - g->w->b->left_out;
    g->spare = g->w->b->cell_count < taking_part / 2 && taking_part > n / 2;
    CLUMP_TRY(each_share(ctx, g, size_list));
    size_t all = 0;
    for (int t = 0; t < g->shares; t++) { /* one more than there are: writing without a branch runs one ahead */
        g->start[t] = all;
        all += g->size[t] + 1;
    }
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->picked, all * sizeof(uint32_t)));
    g->picked = j->picked.data;
    return CLUMP_OK;
}

/* Points of the blocks to be gathered, sorted by cell: listed, counted, then dealt out, with room for
 * the patches of crowds (near.h). The order within a cell does not matter. Where a cell's points are
 * is noted in its rep, whose coordinates are not needed any more. */
static clump_status gather(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                           int threads)
{
    gathering g = {.team = ctx->team, .w = w, .job = job, .shares = threads};
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->shares, 4 * (size_t)threads * sizeof(size_t)));
    g.start = j->shares.data, g.size = g.start + threads, g.entries = g.size + threads, g.largest = g.entries + threads;
    CLUMP_TRY(make_list(ctx, j, &g));
    /* Few cells are crowded ones, and threads that count them together would wait for each other: then
     * each keeps a tally of its own. */
    const size_t tallies = (size_t)w->b->cell_count * (size_t)threads;
    const bool own = threads > 1 && tallies <= job->count / 4;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->tallies, own ? tallies * sizeof(uint32_t) : 0));
    g.tallies = own ? j->tallies.data : NULL;
    CLUMP_TRY(each_share(ctx, &g, clear_counts));
    CLUMP_TRY(each_share(ctx, &g, count_points));
    CLUMP_TRY(each_share(ctx, &g, sum_up));
    size_t sum = 0, largest = 0;
    for (int t = 0; t < threads; t++) {
        const size_t here = g.entries[t];
        g.entries[t] = sum;
        sum += here;
        largest = g.largest[t] > largest ? g.largest[t] : largest;
    }
    if (sum > UINT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "%s: crowded cells need %zu entries, a call has room for %zu",
                          ctx->call, sum, (size_t)UINT32_MAX);
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->points, sum * sizeof(clump_point)));
    g.points = w->points = j->points.data;
    CLUMP_TRY(each_share(ctx, &g, place_cells));
    CLUMP_TRY(each_share(ctx, &g, deal_points));

    /* Room for two of the largest cells a thread. Where one cell has a large share of all points there
     * is little to share out, and fewer threads keep the memory linear. */
    const size_t worth = largest > 0 ? sum / (2 * largest) : 1;
    w->threads = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    w->dense = largest >= CLUMP_DENSE;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->scratch, w->room * (size_t)w->threads * sizeof(clump_point)));
    w->scratch = j->scratch.data;
    return CLUMP_OK;
}

/* ----- trying -------------------------------------------------------------------------------------- */

static clump_point *scratch_of(const clump_join_work *w, int worker)
{
    return w->scratch + w->room * (size_t)worker;
}

/* The points of a cell: where, and how many. */
static clump_point *set_of(const clump_join_work *w, uint32_t cell, size_t *n)
{
    const clump_rep *const rep = &w->b->rep[cell];
    *n = rep->count;
    return w->points + rep->begin;
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

static bool try_in_full(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    if (clump_same_set(w, cell, other)) return false;
    size_t na, nb;
    const clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    if (clump_sets_near(a, na, b, nb, w->d, w->bound, user)) clump_unite(w->parent, cell, other);
    return false;
}

/* Visits all pairs of cells that a block's notes say are open. */
static void each_open(const clump_join_work *w, uint32_t id, visit_pair *visit, void *user)
{
    const clump_block *const a = &w->b->block[id];
    unsigned open = clump_note(w, id) & (CLUMP_OPEN_INSIDE | (CLUMP_OPEN_INSIDE - 1));
    for (; open; open &= open - 1) {
        const unsigned k = clump_lowest(open);
        each_pair(w, a, &w->b->block[neighbour(w, id, k)], &clump_ahead[k], visit, user);
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

static void want_patches_of_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) each_open(arg, (uint32_t)id, want_patches, NULL);
}

static void patch_dense_cells(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_DENSE) clump_dense_make_patches(set, n, scratch_of(arg, worker));
    }
}

/* Gets the crowds among the gathered cells ready for clump_sets_near(). */
static clump_status make_patches(clump_context *ctx, clump_join_work *w)
{
    const size_t cells = w->b->cell_count, blocks = w->b->block_count;
    CLUMP_TRY(clump_run(ctx, w->threads, cells, 64, box_dense_cells, w));
    CLUMP_TRY(clump_run(ctx, w->threads, blocks, 16, want_patches_of_blocks, w));
    return clump_run(ctx, w->threads, cells, 64, patch_dense_cells, w);
}

static void settle_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) settle_block(arg, (uint32_t)id);
}

static void try_blocks(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t id = begin; id < end; id++) each_open(arg, (uint32_t)id, try_in_full, scratch_of(arg, worker));
}

clump_status clump_join_points(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads)
{
    const uint32_t blocks = w->b->block_count;
    bool any = false;
    CLUMP_TRY(clump_run(ctx, threads, blocks, 64, settle_blocks, w));
    for (uint32_t id = 0; id < blocks && !any; id++) any = clump_note(w, id) & CLUMP_GATHER;
    if (!any) return CLUMP_OK;

    CLUMP_TRY(gather(ctx, j, w, job, threads));
    if (w->dense) CLUMP_TRY(make_patches(ctx, w));
    const size_t chunk = blocks < 4096 ? 1 : 16; /* few blocks may be few and large */
    return clump_run(ctx, w->threads, blocks, chunk, try_blocks, w);
}
