/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_reps.c: the first round of joining (join.h): one point a cell. Within a block sets of cells
 * grow from cell to cell; then every block is joined with those ahead of it, faces first. A block
 * that is one set needs one hit to be joined as a whole.
 */
#include "common/simd.h"
#include "core/context.h"
#include "cpu/ec/join_work.h"
#include "rules/distance.h"

static bool reps_near(const clump_rep *a, const clump_rep *b, float bound)
{
    return clump_distance_squared(a->x, a->y, a->z, b->x, b->y, b->z) < bound;
}

/* Sets of cells within one block, by growing them from cell to cell: first to cells that touch, and
 * when that finds no more to cells further away. */
static void flood_block(const clump_join_work *w, uint32_t id)
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
    const unsigned open = sets > 1 ? CLUMP_SPLIT | (k->multi ? CLUMP_OPEN_INSIDE : 0) : 0;
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
        const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
        hits |= (uint64_t)clump_f4_less(d2, limit) << i;
    }
    return hits & (UINT64_MAX >> (64 - n));
}

/* Two blocks that are one set each: the first hit is all there is to find. */
static bool join_whole(const clump_join_work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e)
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

static sets sets_of(const clump_join_work *w, const clump_block *k, uint64_t cells)
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
static void join_split(const clump_join_work *w, const clump_block *a, const clump_block *b, const clump_ahead_entry *e,
                       bool whole_b)
{
    const clump_rep *const rep = w->b->rep;
    const uint64_t border = a->cells & e->border, cells_b = b->cells;
    const unsigned nb = clump_popcount(cells_b);
    if (clump_popcount(border) * nb <= 64) { /* trying all is quicker than choosing */
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const uint32_t cell = clump_cell_number(a, clump_lowest(rest));
            if (whole_b && clump_same_set(w, cell, b->first)) continue;
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

/* Whether the cells of a block are in more than one set by now. */
static bool is_split(const clump_join_work *w, const clump_block *k)
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
    unsigned wanted = 0, count = 0;
    for (unsigned k = 0; k < CLUMP_OFFSETS; k++) wanted |= (unsigned)((cells & clump_ahead[k].border) != 0) << k;
    for (; wanted; wanted &= wanted - 1) {
        const unsigned k = clump_lowest(wanted);
        const clump_ahead_entry *const e = &clump_ahead[k];
        const int32_t x = a->x + e->o.x, y = a->y + e->o.y, z = a->z + e->o.z;
        const uint32_t slot = clump_blocks_slot(b, x, y, z);
        uint32_t id = b->slot[slot];
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
static void join_block(const clump_join_work *w, uint32_t id)
{
    const clump_block *const a = &w->b->block[id];
    if (a->cells == 0) return;
    const bool split = (clump_note(w, id) & CLUMP_SPLIT) && is_split(w, a);
    unsigned open = 0;
    ahead list[CLUMP_OFFSETS + 1];
    const unsigned count = find_ahead(w->b, a, list);
    for (unsigned i = 0; i < count; i++) {
        const clump_ahead_entry *const e = &clump_ahead[list[i].k];
        const clump_block *const b = &w->b->block[list[i].id];
        const bool split_b = (clump_note(w, list[i].id) & CLUMP_SPLIT) && is_split(w, b);
        if (split || split_b) {
            join_split(w, a, b, e, !split_b);
        } else if (clump_same_set(w, a->first, b->first) || join_whole(w, a, b, e)) {
            continue;
        }
        if ((a->multi & e->border) | (b->multi & e->back)) open |= 1u << list[i].k;
    }
    if (open) CLUMP_OR(&w->notes[id], (uint16_t)open);
}

/* With all reps joined, a block that was split may have become whole. Its cells are left pointing to
 * their roots, which saves the searches that follow a few steps. */
static void mend_block(const clump_join_work *w, uint32_t id)
{
    if (!(clump_note(w, id) & CLUMP_SPLIT)) return;
    const clump_block *const k = &w->b->block[id];
    const uint32_t end = k->first + clump_popcount(k->cells);
    const uint32_t first = clump_find(w->parent, k->first);
    bool split = false;
    for (uint32_t c = k->first; c < end; c++) {
        const uint32_t root = clump_find(w->parent, c);
        CLUMP_STORE(&w->parent[c], root);
        split |= root != first;
    }
    if (!split) w->notes[id] &= (uint16_t) ~(unsigned)(CLUMP_SPLIT | CLUMP_OPEN_INSIDE);
}

static void flood_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) flood_block(arg, (uint32_t)id);
}

static void join_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) join_block(arg, (uint32_t)id);
}

static void mend_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) mend_block(arg, (uint32_t)id);
}

clump_status clump_join_reps(clump_context *ctx, clump_join_work *w, int threads)
{
    const size_t blocks = w->b->block_count;
    CLUMP_TRY(clump_run(ctx, threads, blocks, 256, flood_chunk, w));
    CLUMP_TRY(clump_run(ctx, threads, blocks, 64, join_chunk, w));
    return clump_run(ctx, threads, blocks, 256, mend_chunk, w);
}
