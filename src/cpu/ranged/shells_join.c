/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_join.c: the second step of a level (ranged_shells.h): joins every block with the blocks ahead of it, and with
 * those of the next shell.
 */
#include "cpu/ranged/shells_work.h"

#define JOIN_PAIRS 2048 /* pairs of points that are all compared. 1024 and 4096: 2 % slower (KITTI, Neoverse V1) */
#define JOIN_CHUNK 32   /* blocks */

/* Joins up to 64 points from `a` on with up to 64 from `b` on, those that are in `mine` and `others`. */
static void join_spans(const clump_shell_work *w, uint32_t a, uint64_t mine, uint32_t b, uint64_t others)
{
    for (; mine && others; mine &= mine - 1) {
        const uint32_t at = a + clump_lowest(mine);
        const clump_shell_query q = clump_shell_query_of(w->point, at);
        for (uint64_t hits = clump_shell_row_of(&q, w->point, b, others); hits; hits &= hits - 1) {
            const uint32_t to = b + clump_lowest(hits);
            if (CLUMP_LOAD(&w->parent[at]) != CLUMP_LOAD(&w->parent[to])) clump_unite(w->parent, at, to);
        }
    }
}

void clump_shell_join_points(const clump_shell_work *w, const clump_shell_pair *p, bool whole)
{
    const clump_shell_block *const a = p->a.is, *const b = p->b.is;
    if (whole) {
        if (clump_shell_spans_near(w->point, a->begin, a->count, b->begin, b->count, &b->box))
            clump_unite(w->parent, a->begin, b->begin);
        return;
    }
    for (uint32_t i = 0; i < a->count; i += 64) {
        const unsigned n = a->count - i < 64 ? a->count - i : 64;
        const uint64_t mine = clump_shell_near_box(w->point, a->begin + i, n, &b->box);
        for (uint32_t j = 0; mine && j < b->count; j += 64) {
            const unsigned m = b->count - j < 64 ? b->count - j : 64;
            join_spans(w, a->begin + i, mine, b->begin + j, clump_shell_near_box(w->point, b->begin + j, m, &a->box));
        }
    }
}

static bool points_near(clump_shell_points p, uint32_t a, uint32_t b)
{
    return clump_distance_squared(p.x[a], p.y[a], p.z[a], p.x[b], p.y[b], p.z[b]) <
           (p.bound[a] < p.bound[b] ? p.bound[a] : p.bound[b]);
}

/* Joins two blocks by the first points of their cells. Returns whether both are one set by then, which is known only
 * where each of them is. */
static bool join_by_cells(const clump_shell_work *w, const clump_shell_pair *p, bool whole)
{
    const clump_block *const a = p->a.at, *const b = p->b.at;
    uint32_t cell = a->first;
    for (uint64_t rest = a->cells; rest; rest &= rest - 1, cell++) {
        uint64_t candidates = clump_shell_reach(p, clump_lowest(rest));
        if (!candidates) continue;
        const uint32_t at = w->at->begin[cell];
        for (; candidates; candidates &= candidates - 1) {
            const uint32_t to = w->at->begin[clump_cell_number(b, clump_lowest(candidates))];
            if (!points_near(w->point, at, to)) continue;
            clump_unite(w->parent, at, to);
            if (whole) return true;
        }
    }
    return false;
}

/* Joins a pair of blocks. Returns whether it stays open. */
static bool join_pair(const clump_shell_work *w, const clump_shell_pair *p, bool split)
{
    if (!split && !p->b.is->split && clump_find(w->parent, p->a.is->begin) == clump_find(w->parent, p->b.is->begin))
        return false;
    if (clump_shell_apart(&p->a.is->box, &p->b.is->box)) return false;
    bool whole = !split;
    if (whole && p->b.is->split) {
        whole = !clump_shell_is_split(w, p->b);
        if (whole && clump_find(w->parent, p->a.is->begin) == clump_find(w->parent, p->b.is->begin)) return false;
    }
    if ((uint64_t)p->a.is->count * p->b.is->count <= JOIN_PAIRS) {
        clump_shell_join_points(w, p, whole);
        return false;
    }
    return !join_by_cells(w, p, whole);
}

/* Whether shells_light.c has joined the blocks above two blocks. */
static bool joined_above(const clump_shell_level *above, const clump_block *a, const clump_block *b)
{
    return above && clump_shell_is_light(&above->block[a->place]) && clump_shell_is_light(&above->block[b->place]);
}

void clump_shell_join_block(clump_shell_work *w, uint32_t id, const clump_shell_level *light_done)
{
    const clump_shell_ref a = clump_shell_ref_of(w, id);
    clump_shell_ahead list[SHELL_BITS];
    const unsigned count = clump_shell_find_ahead(w, a, list);
    if (count == 0) return;
    const bool split = clump_shell_is_split(w, a);
    uint32_t open = 0;
    for (unsigned k = 0; k < count; k++) {
        const clump_shell_pair p = clump_shell_pair_with(w, a, list[k].id, list[k].bit);
        if (!joined_above(light_done, p.a.at, p.b.at) && join_pair(w, &p, split)) open |= 1u << list[k].bit;
    }
    if (!open) return;
    a.is->note |= open;
    CLUMP_STORE(&w->open, 1);
}

static void join_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) clump_shell_join_block(arg, (uint32_t)id, NULL);
}

clump_status clump_shells_join(clump_work *work, clump_shell_work *w, int threads)
{
    return clump_run(work, threads, w->at->table.count, JOIN_CHUNK, join_blocks, w);
}
