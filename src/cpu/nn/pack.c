/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack.c: see nn_boxes.h. The queries of a cell are consecutive words. A cell is ordered by the thread in whose slice it
 * begins. Large cells, which would keep one thread busy while the others wait, are ordered by all threads.
 */
#include "cpu/nn/nn_boxes.h"

#include "common/share.h"
#include "core/work.h"

#include <math.h>

#define PACK_LEAST       4    /* a cell with fewer queries is not ordered */
#define PACK_LEAST_INNER 32   /* the same for a cell within a cell, where less is gained */
#define PACK_SHARED      8192 /* cells with fewer queries are ordered by one thread */
#define PACK_DEPTH       32 /* limit of the recursion, never reached: floats span 277 powers of two, a level takes 11 */

typedef struct ordering {
    clump_team *team;
    const clump_box_tree *tree;
    uint64_t *words, *spare; /* of all queries */
    clump_view view;
} ordering;

static inline bool same_place(const uint64_t *words, size_t i, size_t j)
{
    return (words[i] ^ words[j]) >> CLUMP_CURVE_SHIFT == 0;
}

/* Returns the end of the cell of word i, at most `last`, by galloping search. */
static size_t find_cell_end(const uint64_t *words, size_t i, size_t last)
{
    CLUMP_ASSERT(i < last);
    size_t end = i + 1, step = 1;
    while (end < last && same_place(words, i, end + step - 1 < last ? end + step - 1 : last - 1)) {
        end = end + step < last ? end + step : last;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (end + step <= last && same_place(words, i, end + step - 1)) end += step;
    return end;
}

static clump_bounds box_of_words(const ordering *o, size_t first, size_t last)
{
    float x0 = INFINITY, y0 = INFINITY, z0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, z1 = -INFINITY;
    for (size_t i = first; i < last; i++) {
        const float *const p = clump_view_at(o->view, clump_word_point(o->words[i]));
        x0 = p[0] < x0 ? p[0] : x0, y0 = p[1] < y0 ? p[1] : y0, z0 = p[2] < z0 ? p[2] : z0;
        x1 = p[0] > x1 ? p[0] : x1, y1 = p[1] > y1 ? p[1] : y1, z1 = p[2] > z1 ? p[2] : z1;
    }
    return (clump_bounds){{x0, y0, z0}, {x1, y1, z1}, last - first};
}

/* One cell, words first ... last - 1, for tasks on several threads. */
typedef struct cell_work {
    const ordering *o;
    size_t first, last;
    int slices;
    clump_bounds *bounds; /* of the slices */
    const clump_curve *curve;
    uint64_t place;
} cell_work;

static void box_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = clump_share_of(w->last - w->first, (int)t, w->slices);
        w->bounds[t] = box_of_words(w->o, w->first + s.begin, w->first + s.end);
    }
}

static void set_inner_places(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_work *const w = arg;
    clump_curve_replace(w->curve, w->o->view, w->o->words + w->first + begin, end - begin);
}

static void set_first_places(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const cell_work *const w = arg;
    uint64_t *const words = w->o->words + w->first;
    for (size_t i = begin; i < end; i++) words[i] = w->place << CLUMP_CURVE_SHIFT | clump_word_point(words[i]);
}

static bool box_cell(cell_work *w, clump_bounds *all)
{
    clump_bounds bounds[CLUMP_MAX_THREADS];
    w->bounds = bounds;
    if (!clump_team_run(w->o->team, w->slices, (size_t)w->slices, 1, box_slices, w)) return false;
    *all = bounds[0];
    for (int t = 1; t < w->slices; t++) clump_bounds_join(all, &bounds[t]);
    return true;
}

static bool order_cells(const ordering *o, size_t first, size_t last, size_t *counters, int threads, int depth);

/* Orders the words of one cell: at depth 0 only if the cell is hot, deeper always. This function and
 * those below return false when the call was cancelled; then the words are in no order. */
static bool order_cell(const ordering *o, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    CLUMP_ASSERT(same_place(o->words, first, last - 1));
    const uint64_t place = o->words[first] >> CLUMP_CURVE_SHIFT;
    if (depth == 0 && !clump_tree_is_hot(o->tree, clump_tree_leaf_at(o->tree, place), place)) return true;
    cell_work w = {.o = o, .first = first, .last = last, .slices = threads, .place = place};
    clump_bounds all;
    if (threads == 1)
        all = box_of_words(o, first, last);
    else if (!box_cell(&w, &all))
        return false;
    if (depth == PACK_DEPTH || clump_bounds_is_point(&all)) return true;
    const clump_curve curve = clump_curve_of(&all);
    w.curve = &curve;
    /* A curve that does not split the cell ends the recursion. */
    return clump_team_run(o->team, threads, last - first, CLUMP_CHUNK, set_inner_places, &w) &&
           clump_curve_sort(o->team, o->words + first, o->spare + first, last - first, counters, threads) &&
           (same_place(o->words, first, last - 1) || order_cells(o, first, last, counters, threads, depth + 1)) &&
           clump_team_run(o->team, threads, last - first, CLUMP_CHUNK, set_first_places, &w);
}

/* Orders the cells among the words first ... last - 1 that have fewer than `large` words. */
static bool order_small_cells(const ordering *o, size_t first, size_t last, size_t large, size_t *counters, int depth)
{
    const uint64_t *const words = o->words;
    const size_t least = depth == 0 ? PACK_LEAST : PACK_LEAST_INNER;
    for (size_t i = first; last - i >= least;) {
        size_t next = i + least - 1;
        if (same_place(words, i, next)) {
            next = find_cell_end(words, i, last);
            if (next - i < large && !order_cell(o, i, next, counters, 1, depth)) return false;
        } else {
            while (same_place(words, next - 1, next))
                next--; /* cells that begin before have fewer than `least` words */
        }
        i = next;
    }
    return true;
}

/* Orders the cells that have at least `large` words. Such a cell holds two consecutive samples, large / 2 apart. */
static bool order_large_cells(const ordering *o, size_t first, size_t last, size_t large, size_t *counters, int threads,
                              int depth)
{
    for (size_t i = first; last - i > large / 2;) {
        size_t next = i + large / 2;
        if (same_place(o->words, i, next)) {
            while (i > first && same_place(o->words, i - 1, i)) i--;
            next = find_cell_end(o->words, i, last);
            if (next - i >= large && !order_cell(o, i, next, counters, threads, depth)) return false;
        }
        i = next;
    }
    return true;
}

/* The slice of thread t is own[0] ... own[1] - 1. Both numbers are stored in its counters and read before the sort
 * overwrites them. */
typedef struct slices_work {
    const ordering *o;
    size_t large, *counters;
    int depth;
} slices_work;

static void order_slices(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const slices_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        size_t *const own = w->counters + t * CLUMP_CURVE_COUNTERS;
        if (!order_small_cells(w->o, own[0], own[1], w->large, own, w->depth)) return;
    }
}

/* Orders all cells among the words first ... last - 1, which are sorted. Slices end where a cell ends; all ends are
 * found before any thread moves words: a cell that is being ordered has other places. */
static bool order_cells(const ordering *o, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    if (threads == 1) return order_small_cells(o, first, last, SIZE_MAX, counters, depth);
    const size_t quarter = (last - first) / ((size_t)threads * 4),
                 large = quarter > PACK_SHARED ? quarter : PACK_SHARED;
    for (int t = 0; t < threads; t++) {
        size_t *const own = counters + (size_t)t * CLUMP_CURVE_COUNTERS;
        own[0] =
            t == 0 ? first : counters[(size_t)(t - 1) * CLUMP_CURVE_COUNTERS + 1]; /* the end of the slice before */
        const size_t end = first + clump_share_of(last - first, t, threads).end;
        own[1] = end <= own[0] ? own[0] : find_cell_end(o->words, end - 1, last);
    }
    slices_work w = {o, large, counters, depth};
    return clump_team_run(o->team, threads, (size_t)threads, 1, order_slices, &w) &&
           order_large_cells(o, first, last, large, counters, threads, depth);
}

clump_status clump_packs_order(clump_work *work, const clump_box_tree *tree, clump_curve_scratch *order,
                               uint64_t *words, size_t n, clump_view view, int threads)
{
    const ordering o = {work->team, tree, words, clump_curve_other(order, words), view};
    return order_cells(&o, 0, n, order->counters.data, threads, 0) ? CLUMP_OK : clump_poll(work);
}
