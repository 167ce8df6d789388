/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_reps.c: the first round of joining (ec.h): one point per cell. Within a block, sets of cells grow from cell to
 * cell. Then every block is joined with the blocks ahead of it, faces first. Two blocks that are one set each need one
 * pair of neighbours to be joined as a whole.
 */
#include "common/simd.h"
#include "core/work.h"
#include "cpu/ec/join_work.h"
#include "rules/distance.h"

#define REPS_FEW_PAIRS  64 /* up to this many pairs of reps are all tested */
#define REPS_FEW_CELLS  16 /* up to this many cells of a block are compared row by row, more from cell to cell */
#define REPS_FEW_SETS   8  /* sets of a block that are told apart */
#define REPS_CHUNK      64 /* blocks: a scan has a few thousand, for up to 16 threads */
#define REPS_JOIN_CHUNK 32 /* blocks, which take longer to join */

static bool reps_near(const clump_rep *a, const clump_rep *b, float bound)
{
    return clump_distance_squared(a->x, a->y, a->z, b->x, b->y, b->z) < bound;
}

/* Returns which of 1 <= n <= 64 reps are neighbours of p, one bit each. Reads up to three reps past the last. */
static inline uint64_t near_reps(const clump_rep *p, const clump_rep *reps, unsigned n, float bound)
{
    const clump_f4 px = clump_f4_set(p->x), py = clump_f4_set(p->y), pz = clump_f4_set(p->z),
                   limit = clump_f4_set(bound);
    CLUMP_ASSERT(n >= 1 && n <= 64);
    uint64_t hits = 0;
    for (unsigned i = 0; i < n; i += 4) {
        clump_f4 x, y, z;
        clump_f4_load_points(&reps[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
        hits |= (uint64_t)clump_f4_less(d2, limit) << i;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

/* Returns bits of which bit 0 is 0 if no block has this hash. Most blocks that do not exist are found out here, without
 * a look at the table of blocks and without a branch that depends on the hash. */
static inline uint64_t filter_bit(const clump_join_work *w, uint32_t hash)
{
    const uint32_t bit = hash >> w->filter_shift;
    return w->filter[bit / 64] >> (bit % 64);
}

/* Puts a block into the filter. */
static void put_in_filter(const clump_join_work *w, const clump_block *k)
{
    const uint32_t bit = clump_hash(w->b->key, k->x, k->y, k->z, 0) >> w->filter_shift;
    CLUMP_OR(&w->filter[bit / 64], (uint64_t)1 << (bit % 64));
}

/* Grows the set of cell `seed` among the cells `left` of a block, and returns its members. Cells that touch are tried
 * first, and when no more are found the cells further away. */
static uint64_t grow_set(unsigned seed, uint64_t left, const float *x, const float *y, const float *z, float bound)
{
    const clump_offset itself = clump_ahead[CLUMP_INSIDE].o;
    uint64_t members = (uint64_t)1 << seed, fresh = members, later = 0;
    left ^= members;
    while (left && (fresh | later)) {
        unsigned c;
        uint64_t candidates;
        if (fresh) {
            c = clump_lowest(fresh);
            fresh &= fresh - 1;
            later |= (uint64_t)1 << c;
            candidates = left & clump_touch(c, itself);
        } else {
            c = clump_lowest(later);
            later &= later - 1;
            candidates = left & clump_reach(c, itself) & ~clump_touch(c, itself);
        }
        for (; candidates; candidates &= candidates - 1) {
            const unsigned q = clump_lowest(candidates);
            if (clump_distance_squared(x[c], y[c], z[c], x[q], y[q], z[q]) < bound) fresh |= (uint64_t)1 << q;
        }
        const uint64_t found = fresh & left;
        members |= found;
        left ^= found;
    }
    return members;
}

/* Joins the cells of a block with many cells, and returns the number of sets. */
static unsigned flood_cells(const clump_join_work *w, const clump_block *k)
{
    uint64_t left = k->cells;
    float x[64], y[64], z[64];
    uint8_t rank[64];
    const clump_rep *rep = &w->b->rep[k->first];
    uint8_t r = 0;
    for (uint64_t rest = left; rest; rest &= rest - 1, rep++) {
        const unsigned c = clump_lowest(rest);
        x[c] = rep->x, y[c] = rep->y, z[c] = rep->z, rank[c] = r++;
    }
    unsigned sets = 0;
    for (; left; sets++) {
        const unsigned seed = clump_lowest(left);
        uint64_t members = grow_set(seed, left, x, y, z, w->bound);
        left ^= members;
        const uint32_t root = k->first + rank[seed];
        for (; members; members &= members - 1) w->parent[k->first + rank[clump_lowest(members)]] = root;
    }
    return sets;
}

/* Joins the cells of a block with few cells, and returns the number of sets. One row of tests finds all neighbours of a
 * cell; mostly a few rows find all cells. */
static unsigned flood_rows(const clump_join_work *w, const clump_block *k, unsigned n)
{
    const clump_rep *const rep = &w->b->rep[k->first];
    uint32_t *const parent = &w->parent[k->first];
    uint64_t left = n == 0 ? 0 : UINT64_MAX >> (64 - n); /* by number in the block */
    unsigned sets = 0;
    for (; left; sets++) {
        const unsigned seed = clump_lowest(left);
        uint64_t fresh = (uint64_t)1 << seed;
        left ^= fresh;
        while (fresh) {
            const unsigned c = clump_lowest(fresh);
            fresh &= fresh - 1;
            parent[c] = k->first + seed;
            if (!left) continue;
            const uint64_t hits = near_reps(&rep[c], rep, n, w->bound) & left;
            left ^= hits;
            fresh |= hits;
        }
    }
    return sets;
}

/* Joins the cells within one block. */
static void flood_block(const clump_join_work *w, uint32_t id)
{
    const clump_block *const k = &w->b->block[id];
    const unsigned n = clump_popcount(k->cells);
    CLUMP_ASSERT(k->first + n <= w->b->cell_count);
    put_in_filter(w, k);
    const unsigned sets = n <= REPS_FEW_CELLS ? flood_rows(w, k, n) : flood_cells(w, k);
    w->notes[id] = (uint16_t)(sets > 1 ? CLUMP_SPLIT | (k->multi ? CLUMP_OPEN_INSIDE : 0) : 0);
}

/* Joins two blocks that are one set each, at the first pair of neighbours. Returns whether there is one. */
static bool join_whole(const clump_join_work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e)
{
    const clump_rep *const rep = w->b->rep;
    const uint64_t cells_a = a->cells, cells_b = b->cells;
    const unsigned na = clump_popcount(cells_a), nb = clump_popcount(cells_b);
    if (na * nb <= REPS_FEW_PAIRS) {
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

/* The first sets that some cells of a block are in. */
typedef struct sets {
    unsigned count;
    uint32_t root[REPS_FEW_SETS];
    uint64_t cells[REPS_FEW_SETS];
} sets;

static sets sets_of(const clump_join_work *w, const clump_block *k, uint64_t cells)
{
    sets s = {.count = 0};
    for (; cells; cells &= cells - 1) {
        const unsigned c = clump_lowest(cells);
        const uint32_t root = clump_find(w->parent, clump_cell_number(k, c));
        unsigned i = 0;
        while (i < s.count && s.root[i] != root) i++;
        if (i == REPS_FEW_SETS) continue; /* one set too many: its cells are listed in none and never skipped */
        if (i == s.count) s.root[s.count++] = root, s.cells[i] = 0;
        s.cells[i] |= (uint64_t)1 << c;
    }
    return s;
}

/* Joins some cells of a split block with a block that is one set. A cell needs one neighbour among all cells of the whole
 * block, and none if it is in its set already. */
static void join_to_whole(const clump_join_work *w, const clump_block *split, uint64_t cells, const clump_block *whole)
{
    const clump_rep *const rep = w->b->rep;
    const unsigned n = clump_popcount(whole->cells);
    uint32_t root = clump_find(w->parent, whole->first);
    for (; cells; cells &= cells - 1) {
        const uint32_t cell = clump_cell_number(split, clump_lowest(cells));
        if (clump_find(w->parent, cell) == root || !near_reps(&rep[cell], &rep[whole->first], n, w->bound)) continue;
        clump_unite(w->parent, cell, root);
        root = clump_find(w->parent, root);
    }
}

/* Joins two blocks of which at least one is split: every pair of neighbours in different sets counts. */
static void join_split(const clump_join_work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e,
                       bool whole_a, bool whole_b)
{
    const clump_rep *const rep = w->b->rep;
    const uint64_t border = a->cells & e->border, cells_b = b->cells;
    const unsigned nb = clump_popcount(cells_b);
    if (whole_a && clump_popcount(cells_b & e->back) * clump_popcount(a->cells) <= REPS_FEW_PAIRS) {
        join_to_whole(w, b, cells_b & e->back, a);
        return;
    }
    if (clump_popcount(border) * nb <= REPS_FEW_PAIRS) {
        if (whole_b) {
            join_to_whole(w, a, border, b);
            return;
        }
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const uint32_t cell = clump_cell_number(a, clump_lowest(rest));
            uint64_t hits = near_reps(&rep[cell], &rep[b->first], nb, w->bound);
            for (; hits; hits &= hits - 1) clump_unite(w->parent, cell, b->first + clump_lowest(hits));
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

/* Whether the cells of a block are in more than one set by now. */
static bool is_split(const clump_join_work *w, const clump_block *k)
{
    const uint32_t end = k->first + clump_popcount(k->cells), root = clump_find(w->parent, k->first);
    for (uint32_t c = k->first + 1; c < end; c++)
        if (clump_find(w->parent, c) != root) return true;
    return false;
}

/* A block ahead, at clump_ahead[k]. */
typedef struct ahead {
    uint32_t id;
    uint8_t k;
} ahead;

/* Lists the blocks ahead of a block that have cells within reach of its own, at most 13, and returns their number. */
static unsigned find_ahead(const clump_join_work *w, const clump_block *a, ahead *list)
{
    const clump_blocks *const b = w->b;
    const uint64_t cells = a->cells;
    unsigned wanted = 0, count = 0;
    uint32_t hash[CLUMP_OFFSETS];
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++) {
        const clump_offset o = clump_ahead[k].o;
        hash[k] = clump_hash(b->key, a->x + o.x, a->y + o.y, a->z + o.z, 0);
    }
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++)
        wanted |= ((unsigned)filter_bit(w, hash[k]) & (unsigned)((cells & clump_ahead[k].border) != 0)) << k;
    for (; wanted; wanted &= wanted - 1) {
        const unsigned k = clump_lowest(wanted);
        const clump_ahead_entry *const e = &clump_ahead[k];
        const uint32_t slot = clump_hash_slot(hash[k], b->slots);
        const uint32_t id = clump_blocks_find_from(b, slot, a->x + e->o.x, a->y + e->o.y, a->z + e->o.z);
        list[count] = (ahead){id, (uint8_t)k};
        count += id != CLUMP_NO_BLOCK && (b->block[id].cells & e->back) != 0;
    }
    return count;
}

/* Joins a block with the blocks ahead of it and notes which pairs stay open. */
static void join_block(const clump_join_work *w, uint32_t id)
{
    const clump_block *const a = &w->b->block[id];
    if (a->cells == 0) return;
    const bool split = (clump_note(w, id) & CLUMP_SPLIT) && is_split(w, a);
    unsigned open = 0;
    ahead list[CLUMP_OFFSETS + 1];
    const unsigned count = find_ahead(w, a, list);
    for (unsigned i = 0; i < count; i++) {
        const clump_ahead_entry *const e = &clump_ahead[list[i].k];
        const clump_block *const b = &w->b->block[list[i].id];
        const bool split_b = (clump_note(w, list[i].id) & CLUMP_SPLIT) && is_split(w, b);
        if (split || split_b) {
            join_split(w, a, b, e, !split, !split_b);
        } else if (clump_same_set(w, a->first, b->first) || join_whole(w, a, b, e)) {
            continue;
        }
        if ((a->multi & e->border) | (b->multi & e->back)) open |= 1u << list[i].k;
    }
    if (open) CLUMP_OR(&w->notes[id], (uint16_t)open);
}

/* After all reps are joined: every cell points to its root afterwards, or where another thread searched at the same time
 * perhaps to a cell before. Unmarks a block that was split and is one set by now. No cell is wanted yet, and none has
 * gathered points: their counts lie over the coordinates of the reps, which are not needed any more. */
static void mend_block(const clump_join_work *w, uint32_t id)
{
    const clump_block *const k = &w->b->block[id];
    w->wanted[id] = 0; /* the filter, whose memory it has, is not needed any more */
    if (k->cells == 0) return;
    const uint32_t end = k->first + clump_popcount(k->cells);
    const uint32_t first = clump_find(w->parent, k->first);
    clump_rep *const rep = w->b->rep;
    bool split = false;
    for (uint32_t c = k->first; c < end; c++) {
        const uint32_t root = clump_find(w->parent, c);
        CLUMP_STORE(&w->parent[c], root);
        split |= root != first;
        rep[c].count = rep[c].dealt = 0;
    }
    if (!split) w->notes[id] &= (uint16_t) ~(unsigned)(CLUMP_SPLIT | CLUMP_OPEN_INSIDE);
}

static void flood_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) flood_block(arg, (uint32_t)id);
}

static void join_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) join_block(arg, (uint32_t)id);
}

static void mend_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) mend_block(arg, (uint32_t)id);
}

clump_status clump_join_reps(clump_work *work, clump_join_work *w, int threads)
{
    const size_t blocks = w->b->block_count;
    CLUMP_TRY(clump_run(work, threads, blocks, REPS_CHUNK, flood_blocks, w));
    CLUMP_TRY(clump_run(work, threads, blocks, REPS_JOIN_CHUNK, join_blocks, w));
    return clump_run(work, threads, blocks, REPS_CHUNK, mend_blocks, w);
}
