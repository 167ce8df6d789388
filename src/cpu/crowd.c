/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crowd.c: see crowd.h. Crowds are shared out among the threads, a crowd to the thread in whose share
 * it begins; one that would keep its thread busy while the others wait is sorted by all of them.
 */
#include "cpu/crowd.h"

#include "common/share.h"

#include <math.h>
#include <string.h>

#define FEW   4    /* words of a crowd, at least */
#define SOME  32   /* the same for a crowd in a crowd, where little is left to win */
#define LARGE 8192 /* words of a crowd that all threads sort, at least */
#define DEPTH 32   /* of crowds in crowds: each is 2048 times smaller than the one around it, and floats end before */

typedef struct crowds {
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

static void box_of(const crowds *c, size_t first, size_t last, int threads, float lower[3], float upper[3])
{
    float x0 = INFINITY, y0 = INFINITY, z0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, z1 = -INFINITY;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1) reduction(min                          \
                                                                                          : x0, y0, z0)                \
    reduction(max                                                                                                      \
              : x1, y1, z1)
    for (size_t i = first; i < last; i++) {
        const float *const p = clump_view_at(c->view, clump_word_point(c->words[i]));
        x0 = p[0] < x0 ? p[0] : x0, y0 = p[1] < y0 ? p[1] : y0, z0 = p[2] < z0 ? p[2] : z0;
        x1 = p[0] > x1 ? p[0] : x1, y1 = p[1] > y1 ? p[1] : y1, z1 = p[2] > z1 ? p[2] : z1;
    }
    lower[0] = x0, lower[1] = y0, lower[2] = z0;
    upper[0] = x1, upper[1] = y1, upper[2] = z1;
}

static void order_within(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth);

/* Orders words of one place. In the cloud, if they are where the tree has a crowd too; in a crowd, always. */
static void order_crowd(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    const uint64_t place = c->words[first] >> CLUMP_CURVE_SHIFT;
    if (depth == 0 && !clump_tree_is_crowd(c->tree, clump_tree_leaf_at(c->tree, place), place)) return;
    float lower[3], upper[3];
    box_of(c, first, last, threads, lower, upper);
    if (depth == DEPTH || memcmp(lower, upper, sizeof lower) == 0) return;
    uint64_t *const words = c->words;
    const clump_curve curve = clump_curve_of(lower, upper);
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const clump_share s = clump_share_of(last - first, t, threads);
        clump_curve_replace(&curve, c->view, words + first + s.begin, s.end - s.begin);
    }
    clump_curve_sort(words + first, c->spare + first, last - first, counters, threads);
    if (!together(words, first, last - 1)) order_within(c, first, last, counters, threads, depth + 1);
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
    for (size_t i = first; i < last; i++) words[i] = place << CLUMP_CURVE_SHIFT | clump_word_point(words[i]);
}

/* Crowds among the words first ... last - 1 that have less than `most` words. */
static void order_some(const crowds *c, size_t first, size_t last, size_t most, size_t *counters, int depth)
{
    const uint64_t *const words = c->words;
    const size_t least = depth == 0 ? FEW : SOME;
    for (size_t i = first; last - i >= least;) {
        size_t next = i + least - 1;
        if (together(words, i, next)) {
            next = end_of(words, i, last);
            if (next - i < most) order_crowd(c, i, next, counters, 1, depth);
        } else {
            while (together(words, next - 1, next)) next--; /* no crowd begins before */
        }
        i = next;
    }
}

/* Crowds that have as many or more. A step of half as many words does not miss one. */
static void order_large(const crowds *c, size_t first, size_t last, size_t most, size_t *counters, int threads,
                        int depth)
{
    for (size_t i = first; last - i > most / 2;) {
        size_t next = i + most / 2;
        if (together(c->words, i, next)) {
            while (i > first && together(c->words, i - 1, i)) i--;
            next = end_of(c->words, i, last);
            if (next - i >= most) order_crowd(c, i, next, counters, threads, depth);
        }
        i = next;
    }
}

/* All crowds among the words first ... last - 1, which are sorted. */
static void order_within(const crowds *c, size_t first, size_t last, size_t *counters, int threads, int depth)
{
    if (threads == 1) {
        order_some(c, first, last, SIZE_MAX, counters, depth);
        return;
    }
    const size_t quarter = (last - first) / ((size_t)threads * 4), most = quarter > LARGE ? quarter : LARGE;
    for (int t = 0; t < threads; t++) { /* where its share ends is known to each before another moves words */
        size_t *const own = counters + (size_t)t * CLUMP_CURVE_COUNTERS;
        own[0] = t == 0 ? first : own[1 - (ptrdiff_t)CLUMP_CURVE_COUNTERS];
        const size_t end = first + clump_share_of(last - first, t, threads).end;
        own[1] = end <= own[0] ? own[0] : end_of(c->words, end - 1, last);
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        size_t *const own = counters + (size_t)t * CLUMP_CURVE_COUNTERS;
        order_some(c, own[0], own[1], most, own, depth);
    }
    order_large(c, first, last, most, counters, threads, depth);
}

void clump_crowds_order(const clump_tree *tree, clump_curve_scratch *order, uint64_t *words, size_t n, clump_view view,
                        int threads)
{
    uint64_t *const spare = words == order->words.data ? order->spare.data : order->words.data;
    const crowds c = {tree, words, spare, view};
    order_within(&c, 0, n, order->counters.data, threads, 0);
}
