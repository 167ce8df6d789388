/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pack.c: see pack.h. Crowds are shared out among the threads, a crowd to the thread in whose share
 * it begins; one that would keep its thread busy while the others wait is sorted by all of them.
 */
#include "cpu/nn/pack.h"

#include "common/share.h"
#include "core/context.h"

#include <math.h>
#include <string.h>

#define FEW   4    /* words of a crowd, at least */
#define SOME  32   /* the same for a crowd in a crowd, where little is left to win */
#define LARGE 8192 /* words of a crowd that all threads sort, at least */
#define DEPTH 32   /* of crowds in crowds: each is 2048 times smaller than the one around it, and floats end before */

typedef struct crowds {
    clump_team *team;
    const clump_tree *tree;
    uint64_t *words, *spare; /* of all */
    clump_view view;
} crowds;

static inline bool together(const uint64_t *words, size_t i, size_t j)
{
    return (words[i] ^ words[j]) >> CLUMP_CURVE_SHIFT == 0;
}

/* The first word from i on, up to last, that has another place. */
static size_t end_of(const uint64_t *words, size_t i, size_t last)
{
    size_t end = i + 1, step = 1;
    while (end < last && together(words, i, end + step - 1 < last ? end + step - 1 : last - 1)) {
        end = end + step < last ? end + step : last;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (end + step <= last && together(words, i, end + step - 1)) end += step;
    return end;
}

typedef struct box {
    float lower[3], upper[3];
} box;

static box box_of(const crowds *c, size_t first, size_t last)
{
    float x0 = INFINITY, y0 = INFINITY, z0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, z1 = -INFINITY;
    for (size_t i = first; i < last; i++) {
        const float *const p = clump_view_at(c->view, clump_word_point(c->words[i]));
        x0 = p[0] < x0 ? p[0] : x0, y0 = p[1] < y0 ? p[1] : y0, z0 = p[2] < z0 ? p[2] : z0;
        x1 = p[0] > x1 ? p[0] : x1, y1 = p[1] > y1 ? p[1] : y1, z1 = p[2] > z1 ? p[2] : z1;
    }
    return (box){{x0, y0, z0}, {x1, y1, z1}};
}

/* One crowd, words first ... last - 1, for the tasks of several threads. */
typedef struct crowd_work {
    const crowds *c;
    size_t first, last;
    int shares;
    box *boxes; /* of the shares */
    const clump_curve *curve;
    uint64_t place;
} crowd_work;

static void box_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const crowd_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        const clump_share s = clump_share_of(w->last - w->first, (int)t, w->shares);
        w->boxes[t] = box_of(w->c, w->first + s.begin, w->first + s.end);
    }
}

static void replace_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const crowd_work *const w = arg;
    clump_curve_replace(w->curve, w->c->view, w->c->words + w->first + begin, end - begin);
}

static void restore_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const crowd_work *const w = arg;
    uint64_t *const words = w->c->words + w->first;
    for (size_t i = begin; i < end; i++) words[i] = w->place << CLUMP_CURVE_SHIFT | clump_word_point(words[i]);
}

static bool box_together(crowd_work *w, box *all)
{
    box boxes[CLUMP_MAX_THREADS];
    w->boxes = boxes;
    if (!clump_team_run(w->c->team, w->shares, (size_t)w->shares, 1, box_shares, w)) return false;
    *all = boxes[0];
    for (int t = 1; t < w->shares; t++) {
        for (int k = 0; k < 3; k++) {
            all->lower[k] = boxes[t].lower[k] < all->lower[k] ? boxes[t].lower[k] : all->lower[k];
            all->upper[k] = boxes[t].upper[k] > all->upper[k] ? boxes[t].upper[k] : all->upper[k];
        }
    }
    return true;
}

static bool order_within(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth);

/* Orders words of one place. In the cloud, if they are where the tree has a crowd too; in a crowd, always. False, here and
 * below: the call was cancelled, and the words are garbage. */
static bool order_crowd(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    const uint64_t place = c->words[first] >> CLUMP_CURVE_SHIFT;
    if (depth == 0 && !clump_tree_is_crowd(c->tree, clump_tree_leaf_at(c->tree, place), place)) return true;
    crowd_work w = {.c = c, .first = first, .last = last, .shares = threads, .place = place};
    box all;
    if (threads == 1)
        all = box_of(c, first, last);
    else if (!box_together(&w, &all))
        return false;
    if (depth == DEPTH || memcmp(all.lower, all.upper, sizeof all.lower) == 0) return true;
    const clump_curve curve = clump_curve_of(all.lower, all.upper);
    w.curve = &curve;
    return clump_team_run(c->team, threads, last - first, CLUMP_CHUNK, replace_chunk, &w) &&
           clump_curve_sort(c->team, c->words + first, c->spare + first, last - first, counters, threads) &&
           (together(c->words, first, last - 1) || order_within(c, first, last, counters, threads, depth + 1)) &&
           clump_team_run(c->team, threads, last - first, CLUMP_CHUNK, restore_chunk, &w);
}

/* Crowds among the words first ... last - 1 that have less than `most` words. */
static bool order_some(const crowds *c, size_t first, size_t last, size_t most, size_t *counters, int depth)
{
    const uint64_t *const words = c->words;
    const size_t least = depth == 0 ? FEW : SOME;
    for (size_t i = first; last - i >= least;) {
        size_t next = i + least - 1;
        if (together(words, i, next)) {
            next = end_of(words, i, last);
            if (next - i < most && !order_crowd(c, i, next, counters, 1, depth)) return false;
        } else {
            while (together(words, next - 1, next)) next--; /* no crowd begins before */
        }
        i = next;
    }
    return true;
}

/* Crowds that have as many or more. A step of half as many words does not miss one. */
static bool order_large(const crowds *c, size_t first, size_t last, size_t most, size_t *counters, int threads,
                        int depth)
{
    for (size_t i = first; last - i > most / 2;) {
        size_t next = i + most / 2;
        if (together(c->words, i, next)) {
            while (i > first && together(c->words, i - 1, i)) i--;
            next = end_of(c->words, i, last);
            if (next - i >= most && !order_crowd(c, i, next, counters, threads, depth)) return false;
        }
        i = next;
    }
    return true;
}

/* Crowds of the shares of several threads, which begin at own[0] and end at own[1] of their counters. */
typedef struct shares_work {
    const crowds *c;
    size_t most, *counters;
    int depth;
} shares_work;

static void order_shares(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shares_work *const w = arg;
    for (size_t t = begin; t < end; t++) {
        size_t *const own = w->counters + t * CLUMP_CURVE_COUNTERS;
        if (!order_some(w->c, own[0], own[1], w->most, own, w->depth)) return;
    }
}

/* All crowds among the words first ... last - 1, which are sorted. */
static bool order_within(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    if (threads == 1) return order_some(c, first, last, SIZE_MAX, counters, depth);
    const size_t quarter = (last - first) / ((size_t)threads * 4), most = quarter > LARGE ? quarter : LARGE;
    for (int t = 0; t < threads; t++) { /* where its share ends is known to each before another moves words */
        size_t *const own = counters + (size_t)t * CLUMP_CURVE_COUNTERS;
        own[0] = t == 0 ? first : own[1 - (ptrdiff_t)CLUMP_CURVE_COUNTERS];
        const size_t end = first + clump_share_of(last - first, t, threads).end;
        own[1] = end <= own[0] ? own[0] : end_of(c->words, end - 1, last);
    }
    shares_work w = {c, most, counters, depth};
    return clump_team_run(c->team, threads, (size_t)threads, 1, order_shares, &w) &&
           order_large(c, first, last, most, counters, threads, depth);
}

clump_status clump_crowds_order(clump_context *ctx, const clump_tree *tree, clump_curve_scratch *order, uint64_t *words,
                                size_t n, clump_view view, int threads)
{
    uint64_t *const spare = words == order->words.data ? order->spare.data : order->words.data;
    const crowds c = {ctx->team, tree, words, spare, view};
    return order_within(&c, 0, n, order->counters.data, threads, 0) ? CLUMP_OK : clump_poll(ctx);
}
