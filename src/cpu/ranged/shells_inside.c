/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_inside.c: the first step of a level (ranged_shells.h): joins the points of each block among themselves.
 */
#include "cpu/ranged/shells_work.h"

#define INSIDE_POINTS 64 /* a block with more is joined by the first points of its cells */
#define INSIDE_CHUNK  64 /* blocks: a scan has some thousands, for up to 16 threads */

/* Level 0: makes every cell a set. */
static void begin_sets(const clump_shell_work *w, clump_shell_ref b)
{
    const uint32_t end = b.at->first + clump_popcount(b.at->cells);
    const uint32_t *const begin = w->at->begin;
    for (uint32_t c = b.at->first; c < end; c++)
        for (uint32_t i = begin[c]; i < begin[c + 1]; i++) w->parent[i] = begin[c];
}

/* A level above: unites the sets of each cell and doubles all radii. Boxes of blocks have the doubled ones already. */
static void widen_cells(const clump_shell_work *w, clump_shell_ref b)
{
    const uint32_t end = b.at->first + clump_popcount(b.at->cells);
    const uint32_t *const begin = w->at->begin;
    for (uint32_t c = b.at->first; c < end; c++) {
        for (uint32_t i = begin[c]; i < begin[c + 1]; i++) {
            const float bound = 4 * clump_ranged_bound(w->point[i]);
            memcpy(&w->point[i].more, &bound, sizeof bound);
            if (CLUMP_LOAD(&w->parent[i]) != CLUMP_LOAD(&w->parent[begin[c]])) clump_unite(w->parent, i, begin[c]);
        }
    }
}

/* Finds the sets of 1 <= n <= 64 points by their distances, and calls unite for pairs that join them. at[] are their
 * places in parent[]; null: they are in a row from `first` on. */
static void flood_points(const clump_shell_work *w, const clump_point *p, unsigned n, uint32_t first,
                         const uint32_t *at)
{
    uint64_t left = UINT64_MAX >> (64 - n);
    while (left) {
        const unsigned seed = clump_lowest(left);
        const uint32_t root = at ? at[seed] : first + seed;
        uint64_t fresh = (uint64_t)1 << seed;
        left ^= fresh;
        while (fresh && left) {
            const unsigned c = clump_lowest(fresh);
            fresh &= fresh - 1;
            const clump_shell_query query = clump_shell_query_of(p[c]);
            uint64_t hits = clump_shell_row(&query, p, n) & left;
            left ^= hits;
            fresh |= hits;
            for (; hits; hits &= hits - 1) {
                const unsigned k = clump_lowest(hits);
                clump_unite(w->parent, root, at ? at[k] : first + k);
            }
        }
    }
}

/* Joins the cells of a block by their first points. */
static void flood_cells(const clump_shell_work *w, clump_shell_ref b)
{
    clump_point first[64 + 3];
    uint32_t at[64];
    const unsigned n = clump_popcount(b.at->cells);
    for (unsigned c = 0; c < n; c++) {
        at[c] = w->at->begin[b.at->first + c];
        first[c] = w->point[at[c]];
    }
    memset(first + n, 0, 3 * sizeof *first);
    flood_points(w, first, n, 0, at);
}

static void join_inside(clump_shell_work *w, uint32_t id)
{
    const clump_shell_ref b = clump_shell_ref_of(w, id);
    if (w->level == 0)
        begin_sets(w, b);
    else
        widen_cells(w, b);
    b.is->note = 0;
    b.is->split = true;
    b.is->split = clump_shell_is_split(w, b);
    if (!b.is->split) return;
    const bool small = b.is->count <= INSIDE_POINTS;
    if (small)
        flood_points(w, w->point + b.is->begin, b.is->count, b.is->begin, NULL);
    else
        flood_cells(w, b);
    b.is->split = clump_shell_is_split(w, b);
    if (small || !b.is->split) return;
    b.is->note = 1u << SHELL_INSIDE;
    CLUMP_STORE(&w->open, 1);
}

static void join_insides(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t id = begin; id < end; id++) join_inside(arg, (uint32_t)id);
}

clump_status clump_shells_inside(clump_context *ctx, clump_shell_work *w, int threads)
{
    return clump_run(ctx, threads, w->at->table.count, INSIDE_CHUNK, join_insides, w);
}
