/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_points.c: the second round of joining (ec.h). Two cells are an open pair if the reps left them in different
 * sets and at least one of them is a multi cell. All points of open pairs are compared. Only the points of cells in open
 * pairs are gathered, and dense sets among them are sorted into patches (patches.h).
 */
#include "core/work.h"
#include "cpu/ec/join_work.h"

#define JOIN_FEW_BLOCKS  4096 /* fewer may have many points each */
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

/* Whether two cells are in one set, without writing. Nearly all cells point to their roots (mend_block()). */
static bool are_joined(const clump_join_work *w, uint32_t cell, uint32_t other)
{
    const uint32_t a = CLUMP_LOAD(&w->parent[cell]), b = CLUMP_LOAD(&w->parent[other]);
    return a == b || clump_root(w->parent, a) == clump_root(w->parent, b);
}

/* Whether each of two blocks is one set, and both are the same set. */
static bool whole_and_joined(const clump_join_work *w, uint32_t id, uint32_t other)
{
    return !((clump_note(w, id) | clump_note(w, other)) & CLUMP_SPLIT) &&
           are_joined(w, w->b->block[id].first, w->b->block[other].first);
}

/* Marks the cells of two blocks that are in open pairs. Returns whether there are any. */
static bool want_cells(clump_join_work *w, uint32_t id, uint32_t other, const clump_ahead_entry *e)
{
    const clump_block *const a = &w->b->block[id], *const b = &w->b->block[other];
    uint64_t wanted_a = 0, wanted_b = 0;
    for (uint64_t rest = a->cells & e->border; rest; rest &= rest - 1) {
        const unsigned c = clump_lowest(rest);
        uint64_t candidates = b->cells & clump_reach(c, e->o), open = 0;
        if (!(a->multi >> c & 1)) candidates &= b->multi;
        if (a == b) candidates &= ~(((uint64_t)2 << c) - 1); /* each pair once */
        if (!candidates) continue;
        const uint32_t cell = clump_cell_number(a, c);
        for (; candidates; candidates &= candidates - 1) {
            const unsigned q = clump_lowest(candidates);
            open |= (uint64_t)!are_joined(w, cell, clump_cell_number(b, q)) << q;
        }
        wanted_b |= open;
        wanted_a |= (uint64_t)(open != 0) << c;
    }
    if (!wanted_a) return false;
    CLUMP_OR(&w->wanted[id], wanted_a);
    CLUMP_OR(&w->wanted[other], wanted_b);
    return true;
}

/* After all reps are joined: closes the pairs of blocks that are joined by now, and marks the cells of the others. */
static void settle_block(clump_join_work *w, uint32_t id)
{
    unsigned note = clump_note(w, id);
    for (unsigned rest = note & CLUMP_OPEN; rest; rest &= rest - 1) {
        const unsigned k = clump_lowest(rest);
        const uint32_t other = block_ahead(w, id, k);
        if (whole_and_joined(w, id, other) || !want_cells(w, id, other, &clump_ahead[k])) note &= ~(1u << k);
    }
    CLUMP_STORE(&w->notes[id], (uint16_t)note);
    if (note & CLUMP_OPEN) CLUMP_STORE(&w->gathers, 1);
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
static void want_discs(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (clump_same_set(w, cell, other)) return;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_dense_want_discs(a, na, b, nb, w->d);
}

static void want_patches(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    (void)user;
    if (clump_same_set(w, cell, other)) return;
    size_t na, nb;
    clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    clump_dense_want_patches(a, na, b, nb, w->d);
}

/* Compares all points of two cells. */
static void compare_points(const clump_join_work *w, uint32_t cell, uint32_t other, void *user)
{
    if (clump_same_set(w, cell, other)) return;
    size_t na, nb;
    const clump_point *const a = set_of(w, cell, &na), *const b = set_of(w, other, &nb);
    if (clump_sets_near(a, na, b, nb, w->d, w->bound, user, w->team)) clump_unite(w->parent, cell, other);
}

/* Calls visit(w, cell, other, user) for the pairs of wanted cells within reach of which at least one is a multi cell,
 * touching pairs first. Two cells in different sets are both wanted. */
typedef void visit_pair(const clump_join_work *w, uint32_t cell, uint32_t other, void *user);

static inline void each_pair(const clump_join_work *w, uint32_t id, uint32_t to, const clump_ahead_entry *e,
                             visit_pair *visit, void *user)
{
    const clump_block *const a = &w->b->block[id], *const b = &w->b->block[to];
    const uint64_t border = w->wanted[id] & e->border, wanted = w->wanted[to];
    for (int further = 0; further < 2; further++) {
        for (uint64_t rest = border; rest; rest &= rest - 1) {
            const unsigned c = clump_lowest(rest);
            const uint64_t touch = clump_touch(c, e->o);
            uint64_t candidates = wanted & (further ? clump_reach(c, e->o) & ~touch : touch);
            if (!(a->multi >> c & 1)) candidates &= b->multi;
            if (a == b) candidates &= ~(((uint64_t)2 << c) - 1); /* each pair once */
            if (!candidates) continue;
            const uint32_t cell = clump_cell_number(a, c);
            for (; candidates; candidates &= candidates - 1)
                visit(w, cell, clump_cell_number(b, clump_lowest(candidates)), user);
        }
    }
}

/* Visits all pairs of cells in the pairs of blocks that are open by a block's notes. */
static void each_open_pair(const clump_join_work *w, uint32_t id, visit_pair *visit, void *user)
{
    for (unsigned open = clump_note(w, id) & CLUMP_OPEN; open; open &= open - 1) {
        const unsigned k = clump_lowest(open);
        each_pair(w, id, block_ahead(w, id, k), &clump_ahead[k], visit, user);
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
static clump_status make_patches(clump_work *work, clump_join_work *w)
{
    const size_t cells = w->b->cell_count, blocks = w->b->block_count;
    const size_t few = block_chunk(w), some = cells / JOIN_FEW_BLOCKS, chunk = some < 1 ? 1 : some > 64 ? 64 : some;
    CLUMP_TRY(clump_run(work, w->threads, cells, chunk, box_dense_cells, w));
    CLUMP_TRY(clump_run(work, w->threads, blocks, few, want_discs_of_blocks, w));
    CLUMP_TRY(clump_run(work, w->threads, cells, chunk, make_discs_of_cells, w));
    CLUMP_TRY(clump_run(work, w->threads, blocks, few, want_patches_of_blocks, w));
    return clump_run(work, w->threads, cells, chunk, patch_dense_cells, w);
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

clump_status clump_join_points(clump_work *work, clump_join *j, clump_join_work *w, const clump_cloud_job *job,
                               int threads)
{
    const uint32_t blocks = w->b->block_count;
    CLUMP_TRY(clump_run(work, threads, blocks, 64, settle_blocks, w));
    if (!w->gathers) return CLUMP_OK;

    CLUMP_TRY(clump_join_gather(work, j, w, job, threads));
    if (w->dense) CLUMP_TRY(make_patches(work, w));
    return clump_run(work, w->threads, blocks, block_chunk(w), compare_blocks, w);
}
