/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_join.c: the second step of a level (ranged_shells.h): joins every block with the blocks ahead of it, and with
 * those of the next shell.
 */
#include "cpu/ranged/shells_work.h"

#define JOIN_PAIRS 1024 /* two blocks with at most this many pairs of points are compared in full */
#define JOIN_CHUNK 32   /* blocks */

/* Joins two blocks that have few points. */
static void join_by_points(const clump_shell_work *w, const clump_shell_pair *p, bool whole)
{
    const clump_shell_block *const a = p->a.is, *const b = p->b.is;
    if (whole) {
        if (clump_shell_spans_near(w->point + a->begin, a->count, w->point + b->begin, b->count, &b->box))
            clump_unite(w->parent, a->begin, b->begin);
        return;
    }
    for (uint32_t i = 0; i < a->count; i += 64) {
        const unsigned n = a->count - i < 64 ? a->count - i : 64;
        for (uint64_t rest = clump_shell_beside(w->point + a->begin + i, n, &b->box); rest; rest &= rest - 1) {
            const uint32_t at = a->begin + i + clump_lowest(rest);
            const clump_shell_query query = clump_shell_query_of(w->point[at]);
            for (uint32_t j = 0; j < b->count; j += 64) {
                const unsigned m = b->count - j < 64 ? b->count - j : 64;
                uint64_t hits = clump_shell_row(&query, w->point + b->begin + j, m);
                for (; hits; hits &= hits - 1) clump_unite(w->parent, at, b->begin + j + clump_lowest(hits));
            }
        }
    }
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
        const clump_point mine = w->point[at];
        const float bound = clump_ranged_bound(mine);
        for (; candidates; candidates &= candidates - 1) {
            const uint32_t to = w->at->begin[clump_cell_number(b, clump_lowest(candidates))];
            const clump_point other = w->point[to];
            const float other_bound = clump_ranged_bound(other);
            if (!(clump_distance_squared(mine.x, mine.y, mine.z, other.x, other.y, other.z) <
                  (bound < other_bound ? bound : other_bound)))
                continue;
            clump_unite(w->parent, at, to);
            if (whole) return true;
        }
    }
    return false;
}

/* Joins a pair of blocks. Returns whether it stays open. */
static bool join_pair(const clump_shell_work *w, const clump_shell_pair *p, bool split)
{
    const bool whole = !split && !clump_shell_is_split(w, p->b);
    if (whole && clump_find(w->parent, p->a.is->begin) == clump_find(w->parent, p->b.is->begin)) return false;
    if (clump_shell_apart(&p->a.is->box, &p->b.is->box)) return false;
    if ((uint64_t)p->a.is->count * p->b.is->count <= JOIN_PAIRS) {
        join_by_points(w, p, whole);
        return false;
    }
    return !join_by_cells(w, p, whole);
}

static void join_block(clump_shell_work *w, uint32_t id)
{
    const clump_shell_ref a = clump_shell_ref_of(w, id);
    const bool split = clump_shell_is_split(w, a);
    uint32_t open = 0;
    for (unsigned k = 0; k < (a.is->edge ? SHELL_OPEN_BITS : SHELL_NEXT); k++) {
        if (k == SHELL_INSIDE) continue;
        const clump_shell_pair p = clump_shell_pair_of(w, id, k);
        if (p.b.at && join_pair(w, &p, split)) open |= 1u << k;
    }
    if (!open) return;
    a.is->note |= open;
    CLUMP_STORE(&w->open, 1);
}

static void join_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) join_block(arg, (uint32_t)id);
}

clump_status clump_shells_join(clump_context *ctx, clump_shell_work *w, int threads)
{
    return clump_run(ctx, threads, w->at->table.count, JOIN_CHUNK, join_blocks, w);
}
