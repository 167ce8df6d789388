/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_points.c: the second round of joining (join.h): for pairs of cells that the reps left in
 * different sets, and that hold more points than their reps, all points are tried. Only the points
 * of blocks with such pairs are gathered, and crowds among them are sorted into patches (near.h).
 */
#include "common/share.h"
#include "core/context.h"
#include "cpu/join_work.h"

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
    const uint64_t cells_b = b->cells, crowds_a = a->crowds, crowds_b = b->crowds;
    const uint64_t border = a->cells & e->border;
    for (int further = 0; further < 2; further++) {
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const unsigned c = clump_lowest(rest);
            const uint64_t touch = clump_touch(c, o);
            uint64_t candidates = cells_b & (further ? clump_reach(c, o) & ~touch : touch);
            if (!(crowds_a >> c & 1)) candidates &= crowds_b;
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

/* What the tasks of gathering work on. Share t of the points has its part of the list from start[t] on. */
typedef struct gathering {
    clump_team *team;
    clump_join_work *w;
    const clump_ec_job *job;
    int shares;
    bool spare; /* the list may be as long as it can get */
    bool own;   /* each share has a tally of its own */
    size_t *start, *size;
    uint32_t *picked, *tallies;
} gathering;

static uint32_t *tally_of(const gathering *g, size_t t)
{
    return g->own ? g->tallies + (size_t)g->w->b->cell_count * t : NULL;
}

static void size_lists(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gathering *const g = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = clump_share_of(g->job->count, (int)t, g->shares);
        g->size[t] = g->spare ? s.end - s.begin : pick(g->w, s, NULL);
    }
}

static void count_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gathering *const g = arg;
    const clump_blocks *const b = g->w->b;
    for (size_t t = begin; t < end; t++) {
        uint32_t *const mine = g->picked + g->start[t], *const tally = tally_of(g, t);
        if (tally) memset(tally, 0, b->cell_count * sizeof *tally);
        g->size[t] = pick(g->w, clump_share_of(g->job->count, (int)t, g->shares), mine);
        for (size_t k = 0; k < g->size[t]; k++) {
            if (k % POLLED == 0 && clump_team_stopped(g->team)) return;
            clump_rep *const cell = cell_of_point(b, mine[k]);
            if (tally)
                tally[cell - b->rep]++;
            else if (g->shares > 1)
                CLUMP_ADD(&cell->count, 1);
            else
                cell->count++;
        }
    }
}

static void deal_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const gathering *const g = arg;
    const clump_ec_job *const job = g->job;
    const clump_blocks *const b = g->w->b;
    clump_point *const points = g->w->points;
    for (size_t t = begin; t < end; t++) {
        const uint32_t *const mine = g->picked + g->start[t];
        uint32_t *const tally = tally_of(g, t);
        for (size_t k = 0; k < g->size[t]; k++) {
            if (k % POLLED == 0 && clump_team_stopped(g->team)) return;
            clump_rep *const cell = cell_of_point(b, mine[k]);
            const uint32_t place = tally           ? tally[cell - b->rep]++
                                   : g->shares > 1 ? CLUMP_ADD(&cell->dealt, 1)
                                                   : cell->dealt++;
            const float *const f = (const float *)(const void *)(job->points + mine[k] * job->stride);
            points[cell->begin + clump_crowd_offset(cell->count) + place] =
                (clump_point){f[0], f[1], job->two_d ? 0 : f[2], 0};
        }
    }
}

/* Tallies become where each share starts in a cell. */
static void add_tallies(const gathering *g)
{
    const clump_blocks *const b = g->w->b;
    for (int t = 0; g->own && t < g->shares; t++) {
        uint32_t *const tally = tally_of(g, (size_t)t);
        for (uint32_t c = 0; c < b->cell_count; c++) {
            const uint32_t here = tally[c];
            tally[c] = b->rep[c].count;
            b->rep[c].count += here;
        }
    }
}

/* The list of the points to be gathered, and the points of each cell counted. */
static clump_status list_points(clump_context *ctx, clump_join *j, gathering *g)
{
    const clump_blocks *const b = g->w->b;
    const size_t shares = (size_t)g->shares, cells = b->cell_count;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->shares, 2 * shares * sizeof(size_t)));
    g->start = j->shares.data;
    g->size = g->start + shares;
    /* Where cells are few and most points take part there is memory to spare, and the list may be as long as it can
     * get. Else the points are counted first. */
    const size_t taking_part = g->job->count - b->left_out;
    g->spare = cells < taking_part / 2 && taking_part > g->job->count / 2;
    CLUMP_TRY(clump_run(ctx, g->shares, shares, 1, size_lists, g));
    size_t all = 0;
    for (size_t t = 0; t < shares; t++) { /* one more than there are: writing without a branch runs one ahead */
        g->start[t] = all;
        all += g->size[t] + 1;
    }
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->picked, all * sizeof(uint32_t)));
    g->picked = j->picked.data;
    /* Few cells are crowded ones, and threads that count them together would wait for each other: then
     * each keeps a tally of its own. */
    g->own = shares > 1 && cells * shares <= g->job->count / 4;
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->tallies, g->own ? cells * shares * sizeof(uint32_t) : 0));
    g->tallies = j->tallies.data;
    for (size_t c = 0; c <= cells; c++) b->rep[c].count = b->rep[c].dealt = 0;
    CLUMP_TRY(clump_run(ctx, g->shares, shares, 1, count_points, g));
    add_tallies(g);
    return CLUMP_OK;
}

/* Points of the blocks to be gathered, sorted by cell: listed, counted, then dealt out, with room for
 * the patches of crowds (near.h). The order within a cell does not matter. Where a cell's points are
 * is noted in its rep, whose coordinates are not needed any more. */
static clump_status gather(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_ec_job *job, int threads)
{
    clump_blocks *const b = w->b;
    gathering g = {.team = ctx->team, .w = w, .job = job, .shares = threads};
    CLUMP_TRY(list_points(ctx, j, &g));
    size_t sum = 0, largest = 0;
    for (uint32_t c = 0; c <= b->cell_count; c++) {
        largest = b->rep[c].count > largest ? b->rep[c].count : largest;
        b->rep[c].begin = (uint32_t)sum;
        sum += clump_crowd_entries(b->rep[c].count);
    }
    if (sum > UINT32_MAX)
        return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "%s: too many crowded points for one call", ctx->call);
    CLUMP_TRY(clump_buffer_reserve(ctx, &j->points, sum * sizeof(clump_point)));
    w->points = j->points.data;
    CLUMP_TRY(clump_run(ctx, threads, (size_t)threads, 1, deal_points, &g));

    /* Room for two of the largest cells a thread. Where one cell has a large share of all points there
     * is little to share out, and fewer threads keep the memory linear. */
    const size_t worth = largest > 0 ? sum / (2 * largest) : 1;
    w->threads = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    w->crowds = largest >= CLUMP_CROWD;
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

static bool meet(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (clump_same_set(w, cell, other)) return false;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_crowds_meet(a, na, b, nb, w->d);
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

static void box_crowds(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_CROWD) clump_crowd_box(set, n);
    }
}

static void meet_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) each_open(arg, (uint32_t)id, meet, NULL);
}

static void patch_crowds(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t c = begin; c < end; c++) {
        size_t n;
        clump_point *const set = set_of(arg, (uint32_t)c, &n);
        if (n >= CLUMP_CROWD) clump_crowd_patches(set, n, scratch_of(arg, worker));
    }
}

/* Gets the crowds among the gathered cells ready for clump_sets_near(). */
static clump_status make_patches(clump_context *ctx, clump_join_work *w)
{
    const size_t cells = w->b->cell_count, blocks = w->b->block_count;
    CLUMP_TRY(clump_run(ctx, w->threads, cells, 64, box_crowds, w));
    CLUMP_TRY(clump_run(ctx, w->threads, blocks, 16, meet_blocks, w));
    return clump_run(ctx, w->threads, cells, 64, patch_crowds, w);
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

clump_status clump_join_points(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_ec_job *job,
                               int threads)
{
    const uint32_t blocks = w->b->block_count;
    bool any = false;
    CLUMP_TRY(clump_run(ctx, threads, blocks, 64, settle_blocks, w));
    for (uint32_t id = 0; id < blocks && !any; id++) any = clump_note(w, id) & CLUMP_GATHER;
    if (!any) return CLUMP_OK;

    CLUMP_TRY(gather(ctx, j, w, job, threads));
    if (w->crowds) CLUMP_TRY(make_patches(ctx, w));
    const size_t chunk = blocks < 4096 ? 1 : 16; /* few blocks may be few and large */
    return clump_run(ctx, w->threads, blocks, chunk, try_blocks, w);
}
