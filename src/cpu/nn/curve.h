/* SPDX-License-Identifier: BSD-3-Clause
 *
 * curve.h: points in the order of a space-filling curve. The box around a cloud is cut into 2048^3
 * cells; a cell's place on the curve (Morton's) is the bits of its three numbers, interleaved, so
 * that points with the first bits in common share a box. Points of one cell keep their order.
 *
 *     word    | place of the cell, 33 bits | number of the point, 31 bits |
 *
 * The order only decides what is looked at together. No result depends on it, so nothing here has
 * to be exact.
 */
#ifndef CLUMP_CPU_NN_CURVE_H
#define CLUMP_CPU_NN_CURVE_H

#include "common/radix_sort.h"
#include "core/buffer.h"

#define CLUMP_CURVE_SHIFT 31 /* bits of the number */
#define CLUMP_CURVE_BITS  33

typedef struct clump_curve {
    float lower[3];
    float scale; /* cells a unit */
} clump_curve;

typedef struct clump_view {
    const char *points; /* point i has its floats at points + i * stride */
    size_t count, stride;
} clump_view;

/* Memory of an order. */
typedef struct clump_curve_scratch {
    clump_buffer words, spare, counters;
} clump_curve_scratch;

static inline const float *clump_view_at(clump_view view, size_t i)
{
    return (const float *)(const void *)(view.points + i * view.stride);
}

static inline uint32_t clump_word_point(uint64_t word)
{
    return (uint32_t)(word & (((uint64_t)1 << CLUMP_CURVE_SHIFT) - 1));
}

/* The curve through the box; corners that are not finite are allowed. */
clump_curve clump_curve_of(const float lower[3], const float upper[3]);

/* The box of the finite points, and how many there are: on the calling thread, and by several. */
size_t clump_curve_box(clump_view view, float lower[3], float upper[3]);
clump_status clump_curve_box_shared(clump_context *ctx, clump_view view, int threads, float lower[3], float upper[3],
                                    size_t *finite);

/* The words of the finite points, sorted; *count of them. What is in scratch->spare may be overwritten. */
clump_status clump_curve_order(clump_context *ctx, clump_curve_scratch *scratch, const clump_curve *curve,
                               clump_view view, int threads, uint64_t **words, size_t *count);

/* The words of points that are all finite, in their order. Points outside the box go to the nearest cell. */
void clump_curve_words(const clump_curve *curve, clump_view view, uint64_t *words);

/* Places the points of n words anew, on another curve. */
void clump_curve_replace(const clump_curve *curve, clump_view view, uint64_t *words, size_t n);

/* Sorts n words; spare is as large. Threads need CLUMP_CURVE_COUNTERS counters each. False: the call was cancelled, and the
 * words are garbage. */
#define CLUMP_CURVE_COUNTERS ((size_t)2 << CLUMP_RADIX_BITS)
bool clump_curve_sort(clump_team *team, uint64_t *words, uint64_t *spare, size_t n, size_t *counters, int threads);

void clump_curve_release(clump_context *ctx, clump_curve_scratch *scratch);

#endif
