/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join.c: see join.h. Every step is a loop over blocks (or points) that any number of threads can
 * share: sets are united without locks (rules/union_find.h), and a block's own notes are written
 * by the thread that has the block.
 */
#include "cpu/join.h"

#include "common/simd.h"
#include "core/context.h"
#include "cpu/reach.h"
#include "rules/distance.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Notes on a block, 16 bits: a bit for each of the 13 blocks ahead if the pair is open, and: */
enum {
    OPEN_INSIDE = 1 << CLUMP_INSIDE, /* cells of the block itself are open */
    GATHER = 1 << 14,                /* its points are needed */
    SPLIT = 1 << 15                  /* its cells are in more than one set, as far as the reps tell */
};

typedef struct work {
    clump_blocks *b;
    uint32_t *parent;
    uint16_t *notes;
    float d, bound;
    clump_point *points;  /* gathered, by cell */
    bool crowds;          /* some cell is one */
    int threads;          /* that have scratch */
    clump_point *scratch; /* `room` points for each of them */
    size_t room;
} work;

static unsigned note_of(const work *w, uint32_t id)
{
    return CLUMP_LOAD(&w->notes[id]);
}

static bool reps_near(const clump_rep *a, const clump_rep *b, float bound)
{
    return clump_distance_squared(a->x, a->y, a->z, b->x, b->y, b->z) < bound;
}

static bool same_set(const work *w, uint32_t cell_a, uint32_t cell_b)
{
    return clump_find(w->parent, cell_a) == clump_find(w->parent, cell_b);
}

/* ----- reps -------------------------------------------------------------------------------------- */

/* Sets of cells within one block, by growing them from cell to cell: first to cells that touch, and
 * when that finds no more to cells further away. */
static void flood_block(const work *w, uint32_t id)
{
    const clump_block *const k = &w->b->block[id];
    uint64_t left = k->cells;
    if ((left & (left - 1)) == 0) { /* one cell, or none */
        if (left) w->parent[k->first] = k->first;
        w->notes[id] = 0;
        return;
    }
    float x[64], y[64], z[64];
    uint8_t rank[64];
    const clump_rep *rep = &w->b->rep[k->first];
    uint8_t r = 0;
    for (uint64_t rest = left; rest; rest &= rest - 1, rep++) {
        const unsigned c = clump_lowest(rest);
        x[c] = rep->x, y[c] = rep->y, z[c] = rep->z, rank[c] = r++;
    }
    unsigned sets = 0;
    while (left) {
        const unsigned seed = clump_lowest(left);
        uint64_t members = (uint64_t)1 << seed, fresh = members, later = 0;
        left ^= members;
        while (left && (fresh | later)) {
            unsigned c;
            uint64_t candidates;
            if (fresh) {
                c = clump_lowest(fresh);
                fresh &= fresh - 1;
                later |= (uint64_t)1 << c;
                candidates = left & clump_touch(c, clump_ahead[CLUMP_INSIDE].o);
            } else {
                c = clump_lowest(later);
                later &= later - 1;
                candidates =
                    left & clump_reach(c, clump_ahead[CLUMP_INSIDE].o) & ~clump_touch(c, clump_ahead[CLUMP_INSIDE].o);
            }
            for (; candidates; candidates &= candidates - 1) {
                const unsigned q = clump_lowest(candidates);
                if (clump_distance_squared(x[c], y[c], z[c], x[q], y[q], z[q]) < w->bound) fresh |= (uint64_t)1 << q;
            }
            const uint64_t found = fresh & left;
            members |= found;
            left ^= found;
        }
        const uint32_t root = k->first + rank[seed];
        for (; members; members &= members - 1) w->parent[k->first + rank[clump_lowest(members)]] = root;
        sets++;
    }
    const unsigned open = sets > 1 ? SPLIT | (k->crowds ? OPEN_INSIDE : 0) : 0;
    w->notes[id] = (uint16_t)open;
}

/* Which of n <= 64 reps are near p, a bit each. Reads up to three past the last. */
static inline uint64_t near_reps(const clump_rep *p, const clump_rep *reps, unsigned n, float bound)
{
    const clump_f4 px = clump_f4_set(p->x), py = clump_f4_set(p->y), pz = clump_f4_set(p->z),
                   limit = clump_f4_set(bound);
    uint64_t hits = 0;
    for (unsigned i = 0; i < n; i += 4) {
        clump_f4 x, y, z;
        clump_f4_load_points(&reps[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_add(clump_f4_add(clump_f4_mul(x, x), clump_f4_mul(y, y)), clump_f4_mul(z, z));
        hits |= (uint64_t)clump_f4_less(d2, limit) << i;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

/* Two blocks that are one set each: the first hit is all there is to find. */
static bool join_whole(const work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e)
{
    const clump_rep *const rep = w->b->rep;
    const uint64_t cells_a = a->cells, cells_b = b->cells;
    const unsigned na = clump_popcount(cells_a), nb = clump_popcount(cells_b);
    if (na * nb <= 64) { /* trying all is quicker than choosing */
        for (unsigned i = 0; i < na; i++) {
            if (!near_reps(&rep[a->first + i], &rep[b->first], nb, w->bound)) continue;
            clump_unite(w->parent, a->first, b->first);
            return true;
        }
        return false;
    }
    for (int further = 0; further < 2; further++) {
        for (uint64_t rest = cells_a & e->border; rest; rest &= rest - 1) {
            const unsigned c = clump_lowest(rest);
            const uint64_t touch = clump_touch(c, e->o);
            uint64_t candidates = cells_b & (further ? clump_reach(c, e->o) & ~touch : touch);
            if (!candidates) continue;
            const clump_rep *const mine = &rep[clump_cell_number(a, c)];
            for (; candidates; candidates &= candidates - 1) {
                if (!reps_near(mine, &rep[clump_cell_number(b, clump_lowest(candidates))], w->bound)) continue;
                clump_unite(w->parent, a->first, b->first);
                return true;
            }
        }
    }
    return false;
}

/* The sets that some cells of a block are in, as far as they are few. */
#define FEW_SETS 8
typedef struct sets {
    unsigned count;
    uint32_t root[FEW_SETS];
    uint64_t cells[FEW_SETS];
} sets;

static sets sets_of(const work *w, const clump_block *k, uint64_t cells)
{
    sets s = {.count = 0};
    for (; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const uint32_t root = clump_find(w->parent, clump_cell_number(k, c));
        unsigned i = 0;
        while (i < s.count && s.root[i] != root) i++;
        if (i == FEW_SETS) continue; /* one too many: its cells are in no set, so never passed over */
        if (i == s.count) s.root[s.count++] = root, s.cells[i] = 0;
        s.cells[i] |= (uint64_t)1 << c;
    }
    return s;
}

/* Two blocks of which one is split: every hit between different sets counts. */
static void join_split(const work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e,
                       bool whole_b)
{
    const clump_rep *const rep = w->b->rep;
    const uint64_t border = a->cells & e->border, cells_b = b->cells;
    const unsigned nb = clump_popcount(cells_b);
    if (clump_popcount(border) * nb <= 64) { /* trying all is quicker than choosing */
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const uint32_t cell = clump_cell_number(a, clump_lowest(rest));
            if (whole_b && same_set(w, cell, b->first)) continue;
            for (uint64_t hits = near_reps(&rep[cell], &rep[b->first], nb, w->bound); hits; hits &= hits - 1)
                clump_unite(w->parent, cell, b->first + clump_lowest(hits));
        }
        return;
    }
    sets s = sets_of(w, b, cells_b & e->back);
    for (uint64_t rest = border; rest; rest &= rest - 1) {
        const unsigned c = clump_lowest(rest);
        uint64_t candidates = cells_b & clump_reach(c, e->o);
        if (!candidates) continue;
        const uint32_t cell = clump_cell_number(a, c), root = clump_find(w->parent, cell);
        for (unsigned i = 0; i < s.count; i++)
            if (s.root[i] == root) candidates &= ~s.cells[i];
        while (candidates) {
            const unsigned q = clump_lowest(candidates);
            candidates &= candidates - 1;
            const uint32_t other = clump_cell_number(b, q);
            if (!reps_near(&rep[cell], &rep[other], w->bound)) continue;
            clump_unite(w->parent, cell, other);
            for (unsigned i = 0; i < s.count; i++) {
                if (s.cells[i] >> q & 1) candidates &= ~s.cells[i];
                s.root[i] = clump_find(w->parent, s.root[i]);
            }
        }
    }
}

/* The block at entry k from block id, which is there. */
static uint32_t neighbour(const work *w, uint32_t id, unsigned k)
{
    const clump_block *const a = &w->b->block[id];
    const clump_offset o = clump_ahead[k].o;
    if (k == CLUMP_INSIDE) return id;
    return clump_blocks_find(w->b, a->x + o.x, a->y + o.y, a->z + o.z);
}

/* Whether the cells of a block are in more than one set by now. */
static bool is_split(const work *w, const clump_block *k)
{
    const uint32_t end = k->first + clump_popcount(k->cells), root = clump_find(w->parent, k->first);
    for (uint32_t c = k->first + 1; c < end; c++)
        if (clump_find(w->parent, c) != root) return true;
    return false;
}

/* A block ahead, at clump_offsets[k]. */
typedef struct ahead {
    uint32_t id;
    uint8_t k;
} ahead;

/* The blocks ahead of one that have cells within reach of its own; at most 13. Written without a
 * branch on whether a neighbour is there: that is as good as random, and a wrong guess costs more
 * than looking it up. */
static unsigned find_ahead(const clump_blocks *b, const clump_block *a, ahead *list)
{
    const uint64_t cells = a->cells;
    const uint32_t linear = clump_block_linear(a->x, a->y, a->z);
    unsigned wanted = 0, count = 0;
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++) wanted |= (unsigned)((cells & clump_ahead[k].border) != 0) << k;
    for (; wanted; wanted &= wanted - 1) {
        const unsigned k = clump_lowest(wanted);
        const clump_ahead_entry *const e = &clump_ahead[k];
        const uint32_t slot = clump_block_slot(clump_block_scramble(linear + e->linear), b->slots);
        uint32_t id = b->slot[slot];
        const int32_t x = a->x + e->o.x, y = a->y + e->o.y, z = a->z + e->o.z;
        const bool there = id != CLUMP_NO_BLOCK;
        const clump_block *other = &b->block[there ? id : 0];
        bool same = ((other->x ^ x) | (other->y ^ y) | (other->z ^ z)) == 0;
        if (there && !same) { /* the slot is another's: search on */
            id = clump_blocks_find_from(b, slot, x, y, z);
            same = id != CLUMP_NO_BLOCK;
            other = &b->block[same ? id : 0];
        }
        list[count] = (ahead){id, (uint8_t)k};
        count += (unsigned)(there & same) & ((other->cells & e->back) != 0);
    }
    return count;
}

/* Joins a block with those ahead of it and notes which pairs the reps could not join. */
static void join_block(const work *w, uint32_t id)
{
    const clump_block *const a = &w->b->block[id];
    if (a->cells == 0) return;
    const bool split = (note_of(w, id) & SPLIT) && is_split(w, a);
    unsigned open = 0;
    ahead list[CLUMP_OFFSETS + 1];
    const unsigned count = find_ahead(w->b, a, list);
    for (unsigned i = 0; i < count; i++) {
        const clump_ahead_entry *const e = &clump_ahead[list[i].k];
        const clump_block *const b = &w->b->block[list[i].id];
        const bool split_b = (note_of(w, list[i].id) & SPLIT) && is_split(w, b);
        if (split || split_b) {
            join_split(w, a, b, e, !split_b);
        } else if (same_set(w, a->first, b->first) || join_whole(w, a, b, e)) {
            continue;
        }
        if ((a->crowds & e->border) | (b->crowds & e->back)) open |= 1u << list[i].k;
    }
    if (open) CLUMP_OR(&w->notes[id], (uint16_t)open);
}

/* With all reps joined, a block that was split may have become whole. Its cells are left pointing to
 * their roots, which saves the searches that follow a few steps. */
static void mend_block(const work *w, uint32_t id)
{
    if (!(note_of(w, id) & SPLIT)) return;
    const clump_block *const k = &w->b->block[id];
    const uint32_t end = k->first + clump_popcount(k->cells);
    const uint32_t first = clump_find(w->parent, k->first);
    bool split = false;
    for (uint32_t c = k->first; c < end; c++) {
        const uint32_t root = clump_find(w->parent, c);
        CLUMP_STORE(&w->parent[c], root);
        split |= root != first;
    }
    if (!split) w->notes[id] &= (uint16_t) ~(unsigned)(SPLIT | OPEN_INSIDE);
}

/* ----- what is open ------------------------------------------------------------------------------ */

/* Calls visit(w, cell, other, user) for pairs of cells that are within reach and not both single
 * points; touching ones first. Stops when visit says so, and returns whether it did. */
typedef bool visit_pair(const work *w, uint32_t cell, uint32_t other, void *user);

static inline bool each_pair(const work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e,
                             visit_pair *visit, void *user)
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

static bool whole_and_joined(const work *w, uint32_t id, uint32_t other)
{
    return !((note_of(w, id) | note_of(w, other)) & SPLIT) &&
           same_set(w, w->b->block[id].first, w->b->block[other].first);
}

static bool is_open(const work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    return !same_set(w, cell, other);
}

/* With all reps joined, closes what has been settled meanwhile, and marks what has to be gathered. */
static void settle_block(const work *w, uint32_t id)
{
    unsigned open = note_of(w, id) & (OPEN_INSIDE | (OPEN_INSIDE - 1));
    const clump_block *const a = &w->b->block[id];
    for (unsigned rest = open; rest; rest &= rest - 1) {
        const unsigned k = clump_lowest(rest);
        const uint32_t other = neighbour(w, id, k);
        if (!whole_and_joined(w, id, other) && each_pair(w, a, &w->b->block[other], &clump_ahead[k], is_open, NULL)) {
            CLUMP_OR(&w->notes[id], GATHER);
            CLUMP_OR(&w->notes[other], GATHER);
        } else {
            CLUMP_AND(&w->notes[id], (uint16_t) ~(1u << k));
        }
    }
}

static clump_point *my_scratch(const work *w)
{
#ifdef _OPENMP
    return w->scratch + w->room * (size_t)omp_get_thread_num();
#else
    return w->scratch;
#endif
}

/* ----- points ------------------------------------------------------------------------------------ */

typedef struct share {
    size_t begin, end;
} share;

static share share_of(size_t n, int t, int threads)
{
    return (share){n * (size_t)t / (size_t)threads, n * (size_t)(t + 1) / (size_t)threads};
}

/* The points of a share that are to be gathered: how many, or, given room for them, which. Without a
 * branch on what is as good as random. */
static size_t pick(const work *w, share s, uint32_t *picked)
{
    const uint32_t *const owner = w->b->owner;
    uint32_t nowhere;
    size_t m = 0;
    for (size_t i = s.begin; i < s.end; i++) {
        const uint32_t id = owner[i];
        const unsigned note = w->notes[id == CLUMP_NO_BLOCK ? 0 : id];
        *(picked ? &picked[m] : &nowhere) = (uint32_t)i;
        m += (id != CLUMP_NO_BLOCK) & ((note & GATHER) != 0);
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
static clump_status gather(clump_context *ctx, clump_join *j, work *w, const clump_ec_job *job, int threads)
{
    clump_blocks *const b = w->b;
    const uint32_t cells = b->cell_count;
    const bool shared = threads > 1;
    clump_status status = clump_buffer_reserve(ctx, &j->shares, 2 * (size_t)threads * sizeof(size_t));
    if (status != CLUMP_OK) return status;
    size_t *const start = j->shares.data, *const size = start + threads; /* of each thread's part of the list */
    size_t all = 0;
    /* Where cells are few there is memory to spare, and the list may be as long as it can get. Else the
     * points are counted first. */
    const bool spare = cells < job->count / 2;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        const share s = share_of(job->count, t, threads);
        size[t] = spare ? s.end - s.begin : pick(w, s, NULL);
    }
    for (int t = 0; t < threads; t++) { /* one more than there are: writing without a branch runs one ahead */
        start[t] = all;
        all += size[t] + 1;
    }
    status = clump_buffer_reserve(ctx, &j->picked, all * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    uint32_t *const picked = j->picked.data;
    for (uint32_t c = 0; c <= cells; c++) b->rep[c].count = b->rep[c].dealt = 0;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        uint32_t *const mine = picked + start[t];
        size[t] = pick(w, share_of(job->count, t, threads), mine);
        for (size_t k = 0; k < size[t]; k++) {
            clump_rep *const cell = cell_of_point(b, mine[k]);
            if (shared)
                CLUMP_ADD(&cell->count, 1);
            else
                cell->count++;
        }
    }
    size_t sum = 0, largest = 0;
    for (uint32_t c = 0; c <= cells; c++) {
        largest = b->rep[c].count > largest ? b->rep[c].count : largest;
        b->rep[c].begin = (uint32_t)sum;
        sum += clump_crowd_entries(b->rep[c].count);
    }
    if (sum > UINT32_MAX) return clump_fail(ctx, CLUMP_ERR_TOO_MANY, "clump_ec: too many crowded points for one call");
    status = clump_buffer_reserve(ctx, &j->points, sum * sizeof(clump_point));
    if (status != CLUMP_OK) return status;
    clump_point *const points = j->points.data;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (shared)
    for (int t = 0; t < threads; t++) {
        const uint32_t *const mine = picked + start[t];
        for (size_t k = 0; k < size[t]; k++) {
            clump_rep *const cell = cell_of_point(b, mine[k]);
            const uint32_t place = shared ? CLUMP_ADD(&cell->dealt, 1) : cell->dealt++;
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

/* The points of a cell: where, and how many. */
static clump_point *set_of(const work *w, uint32_t cell, size_t *n)
{
    const clump_rep *const rep = &w->b->rep[cell];
    *n = rep->count;
    return w->points + rep->begin;
}

static bool meet(const work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (same_set(w, cell, other)) return false;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_crowds_meet(a, na, b, nb, w->d);
    return false;
}

static bool try_in_full(const work *w, uint32_t cell, uint32_t other, void *user)
{
    if (same_set(w, cell, other)) return false;
    size_t na, nb;
    const clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    if (clump_sets_near(a, na, b, nb, w->d, w->bound, user)) clump_unite(w->parent, cell, other);
    return false;
}

/* Visits all pairs of cells that a block's notes say are open. */
static void each_open(const work *w, uint32_t id, visit_pair *visit, void *user)
{
    const clump_block *const a = &w->b->block[id];
    unsigned open = note_of(w, id) & (OPEN_INSIDE | (OPEN_INSIDE - 1));
    for (; open; open &= open - 1) {
        const unsigned k = clump_lowest(open);
        each_pair(w, a, &w->b->block[neighbour(w, id, k)], &clump_ahead[k], visit, user);
    }
}

/* Gets the crowds among the gathered cells ready for clump_sets_near(). */
static void make_patches(const work *w)
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

/* ----- all of it --------------------------------------------------------------------------------- */

clump_status clump_join_cells(clump_context *ctx, clump_join *j, clump_blocks *b, const clump_ec_job *job, int threads)
{
    clump_status status = clump_buffer_reserve(ctx, &j->open, b->room * sizeof(uint16_t));
    if (status != CLUMP_OK) return status;
    j->parent = b->records.data; /* the records have done their duty, and there are no more cells than points */
    work w = {.b = b, .parent = j->parent, .notes = j->open.data, .d = job->d, .bound = clump_distance_bound(job->d)};
    const uint32_t blocks = b->block_count;
    bool any = false;

#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) flood_block(&w, id);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) join_block(&w, id);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) mend_block(&w, id);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) if (threads > 1)
    for (uint32_t id = 0; id < blocks; id++) settle_block(&w, id);
    for (uint32_t id = 0; id < blocks && !any; id++) any = note_of(&w, id) & GATHER;
    if (!any) return CLUMP_OK;

    status = gather(ctx, j, &w, job, threads);
    if (status != CLUMP_OK) return status;
    if (w.crowds) make_patches(&w);
#pragma omp parallel for num_threads(w.threads) schedule(dynamic, 16) if (w.threads > 1)
    for (uint32_t id = 0; id < blocks; id++) each_open(&w, id, try_in_full, my_scratch(&w));
    return CLUMP_OK;
}

clump_status clump_join_reserve(clump_context *ctx, clump_join *j, size_t max_points, int threads)
{
    /* crowds add at most 4 + 4 * (n / 32) entries to n points, and have at least CLUMP_CROWD of them */
    const size_t entries = max_points + max_points / 8 + 4 * (max_points / CLUMP_CROWD + 1);
    const size_t scratch = 2 * max_points > entries ? 2 * max_points : entries;
    clump_status status = clump_buffer_reserve(ctx, &j->open, (max_points + (size_t)threads) * sizeof(uint16_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &j->shares, 2 * (size_t)threads * sizeof(size_t));
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, &j->picked, (max_points + (size_t)threads) * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &j->points, entries * sizeof(clump_point));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &j->scratch, scratch * sizeof(clump_point));
    return status;
}

void clump_join_release(clump_context *ctx, clump_join *j)
{
    clump_buffer *const all[] = {&j->open, &j->shares, &j->picked, &j->points, &j->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
    j->parent = NULL;
}
