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

#ifdef _OPENMP
#include <omp.h>
#endif

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

/* Points of the blocks to be gathered, sorted by cell: listed, counted, then dealt out, with room for
 * the patches of crowds (near.h). The order within a cell does not matter. Where a cell's points are
 * is noted in its rep, whose coordinates are not needed any more. */
static clump_status gather(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_ec_job *job, int threads)
{
    clump_blocks *const b = w->b;
    const uint32_t cells = b->cell_count;
    const bool shared = threads > 1;
    clump_status status = clump_buffer_reserve(ctx, &j->shares, 2 * (size_t)threads * sizeof(size_t));
    if (status != CLUMP_OK) return status;
    size_t *const start = j->shares.data, *const size = start + threads; /* of each thread's part of the list */
    size_t all = 0;
    /* Where cells are few and most points take part there is memory to spare, and the list may be as long as it can
     * get. Else the points are counted first. */
    const size_t taking_part = job->count - b->left_out;
    const bool spare = cells < taking_part / 2 && taking_part > job->count / 2;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        const clump_share s = clump_share_of(job->count, t, threads);
        size[t] = spare ? s.end - s.begin : pick(w, s, NULL);
    }
    for (int t = 0; t < threads; t++) { /* one more than there are: writing without a branch runs one ahead */
        start[t] = all;
        all += size[t] + 1;
    }
    status = clump_buffer_reserve(ctx, &j->picked, all * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    uint32_t *const picked = j->picked.data;
    /* Few cells are crowded ones, and threads that count them together would wait for each other: then
     * each keeps a tally of its own. */
    const bool own = shared && (size_t)cells * (size_t)threads <= job->count / 4;
    status = clump_buffer_reserve(ctx, &j->tallies, own ? (size_t)cells * (size_t)threads * sizeof(uint32_t) : 0);
    if (status != CLUMP_OK) return status;
    uint32_t *const tallies = j->tallies.data;
    for (uint32_t c = 0; c <= cells; c++) b->rep[c].count = b->rep[c].dealt = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        uint32_t *const mine = picked + start[t], *const tally = own ? tallies + (size_t)cells * (size_t)t : NULL;
        if (own) memset(tally, 0, cells * sizeof *tally);
        size[t] = pick(w, clump_share_of(job->count, t, threads), mine);
        for (size_t k = 0; k < size[t]; k++) {
            clump_rep *const cell = cell_of_point(b, mine[k]);
            if (own)
                tally[cell - b->rep]++;
            else if (shared)
                CLUMP_ADD(&cell->count, 1);
            else
                cell->count++;
        }
    }
    for (int t = 0; own && t < threads; t++) { /* tallies become where each thread starts in a cell */
        uint32_t *const tally = tallies + (size_t)cells * (size_t)t;
        for (uint32_t c = 0; c < cells; c++) {
            const uint32_t here = tally[c];
            tally[c] = b->rep[c].count;
            b->rep[c].count += here;
        }
    }
    size_t sum = 0, largest = 0;
    for (uint32_t c = 0; c <= cells; c++) {
        largest = b->rep[c].count > largest ? b->rep[c].count : largest;
        b->rep[c].begin = (uint32_t)sum;
        sum += clump_crowd_entries(b->rep[c].count);
    }
    if (sum > UINT32_MAX) return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "too many crowded points for one call");
    status = clump_buffer_reserve(ctx, &j->points, sum * sizeof(clump_point));
    if (status != CLUMP_OK) return status;
    clump_point *const points = j->points.data;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        const uint32_t *const mine = picked + start[t];
        uint32_t *const tally = own ? tallies + (size_t)cells * (size_t)t : NULL;
        for (size_t k = 0; k < size[t]; k++) {
            clump_rep *const cell = cell_of_point(b, mine[k]);
            const uint32_t place = own ? tally[cell - b->rep]++ : shared ? CLUMP_ADD(&cell->dealt, 1) : cell->dealt++;
            const float *const f = (const float *)(const void *)(job->points + mine[k] * job->stride);
            points[cell->begin + clump_crowd_offset(cell->count) + place] =
                (clump_point){f[0], f[1], job->two_d ? 0 : f[2], 0};
        }
    }
    w->points = points;

    /* Room for two of the largest cells a thread. Where one cell has a large share of all points there
     * is little to share out, and fewer threads keep the memory linear. */
    const size_t worth = largest > 0 ? sum / (2 * largest) : 1;
    w->threads = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    w->crowds = largest >= CLUMP_CROWD;
    status = clump_buffer_reserve(ctx, &j->scratch, w->room * (size_t)w->threads * sizeof(clump_point));
    w->scratch = j->scratch.data;
    return status;
}

/* ----- trying -------------------------------------------------------------------------------------- */

static clump_point *my_scratch(const clump_join_work *w)
{
#ifdef _OPENMP
    return w->scratch + w->room * (size_t)omp_get_thread_num();
#else
    return w->scratch;
#endif
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

/* Gets the crowds among the gathered cells ready for clump_sets_near(). */
static void make_patches(const clump_join_work *w)
{
    const uint32_t cells = w->b->cell_count, blocks = w->b->block_count;
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 64) if (w->threads > 1)
    for (uint32_t c = 0; c < cells; c++) {
        size_t n;
        clump_point *const set = set_of(w, c, &n);
        if (n >= CLUMP_CROWD) clump_crowd_box(set, n);
    }
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 16) if (w->threads > 1)
    for (uint32_t id = 0; id < blocks; id++) each_open(w, id, meet, NULL);
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, 64) if (w->threads > 1)
    for (uint32_t c = 0; c < cells; c++) {
        size_t n;
        clump_point *const set = set_of(w, c, &n);
        if (n >= CLUMP_CROWD) clump_crowd_patches(set, n, my_scratch(w));
    }
}

clump_status clump_join_points(clump_context *ctx, clump_join *j, clump_join_work *w, const clump_ec_job *job,
                               int threads)
{
    const uint32_t blocks = w->b->block_count;
    bool any = false;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) settle_block(w, id);
    for (uint32_t id = 0; id < blocks && !any; id++) any = clump_note(w, id) & CLUMP_GATHER;
    if (!any) return CLUMP_OK;

    const clump_status status = gather(ctx, j, w, job, threads);
    if (status != CLUMP_OK) return status;
    if (w->crowds) make_patches(w);
    const int chunk = blocks < 4096 ? 1 : 16; /* few blocks may be few and large */
#pragma omp parallel for num_threads(w->threads) schedule(dynamic, chunk) if (w->threads > 1)
    for (uint32_t id = 0; id < blocks; id++) each_open(w, id, try_in_full, my_scratch(w));
    return CLUMP_OK;
}
