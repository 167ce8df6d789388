/* SPDX-License-Identifier: BSD-3-Clause
 *
 * curve.h: points in the order of a space-filling curve, Morton's. The box around a cloud is divided into 2048^3 cells.
 * The place of a cell on the curve interleaves the bits of its three coordinates, so points whose places begin with the
 * same bits share a box. Points of one cell keep their order.
 *
 *     word    | place of the cell, 33 bits | number of the point, 31 bits |
 *
 * The order only decides which points are processed together. No result depends on it, so nothing here has to be exact.
 */
#ifndef CLUMP_CPU_NN_CURVE_H
#define CLUMP_CPU_NN_CURVE_H

#include "common/sort.h"
#include "core/work.h"
#include "cpu/shared/points.h"

#define CLUMP_CURVE_SHIFT 31 /* bits of the number */
#define CLUMP_CURVE_BITS  33

typedef struct clump_curve {
    float lower[3];
    float scale; /* cells per unit of length */
} clump_curve;

typedef struct clump_view {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count, stride;
} clump_view;

/* The box of the finite points among some, and their number. */
typedef struct clump_bounds {
    float lower[3], upper[3];
    size_t finite;
} clump_bounds;

/* Extends `all` by `more`. */
static inline void clump_bounds_join(clump_bounds *all, const clump_bounds *more)
{
    for (int k = 0; k < 3; k++) {
        all->lower[k] = more->lower[k] < all->lower[k] ? more->lower[k] : all->lower[k];
        all->upper[k] = more->upper[k] > all->upper[k] ? more->upper[k] : all->upper[k];
    }
    all->finite += more->finite;
}

/* Returns whether all points are equal. */
static inline bool clump_bounds_is_point(const clump_bounds *b)
{
    return b->lower[0] == b->upper[0] && b->lower[1] == b->upper[1] && b->lower[2] == b->upper[2];
}

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_curve_scratch {
    clump_buffer words, spare, counters;
} clump_curve_scratch;

static inline const float *clump_view_at(clump_view view, size_t i)
{
    CLUMP_ASSERT(i < view.count);
    return clump_floats(view.points + i * view.stride);
}

static inline uint32_t clump_word_point(uint64_t word)
{
    return (uint32_t)(word & (((uint64_t)1 << CLUMP_CURVE_SHIFT) - 1));
}

/* Returns the curve through a box; its corners need not be finite. */
clump_curve clump_curve_of(const clump_bounds *bounds);

/* Finds the bounds of points: on the calling thread, and on several. */
clump_bounds clump_bounds_of(clump_view view);
clump_status clump_bounds_shared(clump_work *work, clump_view view, int threads, clump_bounds *bounds);

/* Makes the sorted words of the finite points, *count of them, in one of two arrays of `scratch`. The other array,
 * which clump_curve_other returns, is free. `finite`: all points are known to be. */
clump_status clump_curve_order(clump_work *work, clump_curve_scratch *scratch, const clump_curve *curve,
                               clump_view view, bool finite, int threads, uint64_t **words, size_t *count);

/* Makes the words of points that are all finite, unsorted. Points outside the box belong to the nearest cell. */
void clump_curve_words(const clump_curve *curve, clump_view view, uint64_t *words);

/* Replaces the places of n words by those on another curve. */
void clump_curve_replace(const clump_curve *curve, clump_view view, uint64_t *words, size_t n);

/* Sorts n words; `spare` has n entries, `counters` CLUMP_CURVE_COUNTERS per thread. Returns false when the call was
 * cancelled; then the words are garbage. */
#define CLUMP_CURVE_COUNTERS ((size_t)2 << CLUMP_RADIX_BITS)
bool clump_curve_sort(clump_team *team, uint64_t *words, uint64_t *spare, size_t n, size_t *counters, int threads);

/* Returns the array of `scratch` that does not hold the words. */
static inline uint64_t *clump_curve_other(const clump_curve_scratch *scratch, const uint64_t *words)
{
    return words == scratch->words.data ? scratch->spare.data : scratch->words.data;
}

void clump_curve_release(clump_work *work, clump_curve_scratch *scratch);

#endif
