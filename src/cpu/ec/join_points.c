/* SPDX-License-Identifier: BSD-3-Clause
 *
 * join_points.c: the second round of joining (ec.h). Two cells are an open pair if the reps left them in different
 * sets and at least one of them is a multi cell. All points of open pairs are compared. Only the points of blocks with
 * open pairs are gathered, and dense sets among them are sorted into patches (patches.h).
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
    if (clump_sets_near(a, na, b, nb, w->d, w->bound, user, w->team)) clump_unite(w->parent, cell, other);
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
