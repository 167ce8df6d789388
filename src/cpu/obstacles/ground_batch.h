/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground_batch.h: rules/ground.h for 256 points at a time. Coordinates lie in separate arrays and there are no branches
 * on them, so the compiler vectorises the arithmetic.
 */
#ifndef CLUMP_CPU_OBSTACLES_GROUND_BATCH_H
#define CLUMP_CPU_OBSTACLES_GROUND_BATCH_H

#include "common/bits.h"
#include "cpu/obstacles/ground.h"
#include "cpu/shared/points.h"

#include <string.h>

enum { CLUMP_GROUND_BATCH = 256 }; /* points; 11 KB of arrays stay in the L1 cache */

typedef struct clump_ground_batch {
    float u[CLUMP_GROUND_BATCH], v[CLUMP_GROUND_BATCH], h[CLUMP_GROUND_BATCH]; /* 0 for points outside the map */
    int32_t inside[CLUMP_GROUND_BATCH];                                        /* 0 or 1 */
} clump_ground_batch;

/* Returns how many of the points begin ... end - 1 fit into a batch. */
static inline int clump_ground_batch_size(size_t begin, size_t end)
{
    return end - begin < CLUMP_GROUND_BATCH ? (int)(end - begin) : CLUMP_GROUND_BATCH;
}

/* Turns the coordinates of a point into its place on the map. Returns 1; 0 and a place of zeros where it is outside. */
static inline int32_t clump_ground_place(const clump_surface *s, float *u, float *v, float *h)
{
    const float at_u = (*u - s->corner[0]) * s->per_tile, at_v = (*v - s->corner[1]) * s->per_tile;
    const float at_h = s->sign * (*h - s->sensor);
    const int32_t in = clump_surface_inside(s, at_u, at_v, at_h);
    const uint32_t mask = (uint32_t)-in; /* a conditional would become a branch */
    *u = clump_float_of_bits(clump_float_bits(at_u) & mask);
    *v = clump_float_of_bits(clump_float_bits(at_v) & mask);
    *h = clump_float_of_bits(clump_float_bits(at_h) & mask);
    return in;
}

/* Sets good[k] to 1 where three coordinates are finite: a number minus itself is 0, else NaN. */
static inline void clump_ground_batch_finite(const float *x, const float *y, const float *z, int n, uint8_t *good)
{
    for (int k = 0; k < n; k++) good[k] = (x[k] - x[k]) + (y[k] - y[k]) + (z[k] - z[k]) == 0;
}

/* Turns coordinates, in u, v and h, into places on the map. */
static inline void clump_ground_batch_place(const clump_surface *s, int n, clump_ground_batch *b)
{
    for (int k = 0; k < n; k++) {
        float u = b->u[k], v = b->v[k], h = b->h[k];
        b->inside[k] = clump_ground_place(s, &u, &v, &h);
        b->u[k] = u, b->v[k] = v, b->h[k] = h;
    }
}

/* Loads points begin ... begin + n - 1, n <= CLUMP_GROUND_BATCH. Ignores the mask. */
static inline void clump_ground_batch_load(const clump_cloud_job *job, const clump_surface *s, size_t begin, int n,
                                           clump_ground_batch *b)
{
    CLUMP_ASSERT(n > 0 && n <= CLUMP_GROUND_BATCH && begin + (size_t)n <= job->count);
    clump_split_points(job, begin, n, s->across, s->up, b->u, b->v, b->h);
    clump_ground_batch_place(s, n, b);
}

static inline clump_f4 clump_ground_mix(clump_f4 a, clump_f4 b, clump_f4 part)
{
    return clump_f4_add(a, clump_f4_mul(part, clump_f4_sub(b, a)));
}

/* Finds the height of a surface that is a map below each point; `height` has room for CLUMP_GROUND_BATCH. Heights side by
 * side are loaded with the two behind them: memory of the map follows (ground_grid.c). From a plain loop compilers make
 * gathers, which are slow. */
static inline void clump_ground_batch_heights(const clump_surface *s, const clump_ground_batch *b, int n, float *height)
{
    const int32_t width = s->tiles + 2;
    const float *const here = s->heights, *const next = here + width;
    int32_t at[CLUMP_GROUND_BATCH];
    float part_u[CLUMP_GROUND_BATCH], part_v[CLUMP_GROUND_BATCH];
    for (int k = 0; k < n; k++) {
        const float u = b->u[k] + 0.5f, v = b->v[k] + 0.5f;
        const int32_t i = (int32_t)u, j = (int32_t)v;
        part_u[k] = u - (float)i;
        part_v[k] = v - (float)j;
        at[k] = i * width + j;
    }
    for (int k = n; k % 4; k++) part_u[k] = part_v[k] = 0, at[k] = 0;
    for (int k = 0; k < n; k += 4) {
        const int32_t *const a = at + k;
        clump_f4 here_low, here_high, next_low, next_high, unused;
        clump_f4_load_each(here + a[0], here + a[1], here + a[2], here + a[3], &here_low, &here_high, &unused);
        clump_f4_load_each(next + a[0], next + a[1], next + a[2], next + a[3], &next_low, &next_high, &unused);
        const clump_f4 across = clump_f4_load(part_v + k);
        const clump_f4 low = clump_ground_mix(here_low, here_high, across);
        const clump_f4 high = clump_ground_mix(next_low, next_high, across);
        clump_f4_store(height + k, clump_ground_mix(low, high, clump_f4_load(part_u + k)));
    }
}

/* Sets above[k] to the height above the surface; NaN for points outside the map. */
static inline void clump_ground_batch_above(const clump_ground_batch *b, int n, const float *height, float *above)
{
    for (int k = 0; k < n; k++) { /* masks: a conditional would become a branch */
        const uint32_t known = (uint32_t)-b->inside[k], nan = clump_float_bits(NAN);
        above[k] = clump_float_of_bits((clump_float_bits(b->h[k] - height[k]) & known) | (nan & ~known));
    }
}

/* Sets flag[k] to 1 where point k is ground by the step rule, else to 0. A part decides only on points between thin and
 * thick ground, which are few: eight points at a time are tested for one. */
static inline void clump_ground_batch_step(const clump_surface *s, const clump_ground_batch *b, int n,
                                           const float *height, uint8_t *flag)
{
    int32_t low[CLUMP_GROUND_BATCH], between[CLUMP_GROUND_BATCH];
    uint8_t open[CLUMP_GROUND_BATCH + 8] = {0};
    for (int k = 0; k < n; k++) {
        low[k] = (b->h[k] < height[k] + CLUMP_STEP_THIN) & b->inside[k];
        between[k] = (b->h[k] < height[k] + CLUMP_STEP_THICK) & b->inside[k] & (low[k] ^ 1);
    }
    for (int k = 0; k < n; k++) flag[k] = (uint8_t)low[k];
    for (int k = 0; k < n; k++) open[k] = (uint8_t)between[k];
    for (int first = 0; first < n; first += 8) {
        uint64_t any;
        memcpy(&any, open + first, sizeof any);
        if (!any) continue;
        for (int k = first; k < first + 8; k++)
            if (open[k]) flag[k] = s->steps[clump_surface_part(s, b->u[k], b->v[k])] < CLUMP_STEP_POINTS;
    }
}

/* Sets flag[k] to 1 where point k is ground, else to 0: clump_surface_is_ground for a surface that is a map. Unless
 * above is null, above[k] becomes clump_surface_above. */
static inline void clump_ground_batch_test(const clump_surface *s, const clump_ground_batch *b, int n, uint8_t *flag,
                                           float *above)
{
    const float sigma = s->sigma;
    float height[CLUMP_GROUND_BATCH];
    int32_t is_ground[CLUMP_GROUND_BATCH];
    clump_ground_batch_heights(s, b, n, height);
    if (s->steps) {
        clump_ground_batch_step(s, b, n, height, flag);
    } else {
        for (int k = 0; k < n; k++) is_ground[k] = (b->h[k] < height[k] + sigma) & b->inside[k];
        for (int k = 0; k < n; k++) flag[k] = (uint8_t)is_ground[k];
    }
    if (above) clump_ground_batch_above(b, n, height, above);
}

/* Loads and tests points begin ... begin + n - 1 against a surface of any kind, as clump_ground_batch_test. Ignores the
 * mask. */
static inline void clump_ground_batch_flag(const clump_cloud_job *job, const clump_surface *s, size_t begin, int n,
                                           uint8_t *flag, float *above)
{
    if (s->kind == CLUMP_SURFACE_MAP) {
        clump_ground_batch batch;
        clump_ground_batch_load(job, s, begin, n, &batch);
        clump_ground_batch_test(s, &batch, n, flag, above);
    } else {
        for (int k = 0; k < n; k++) flag[k] = clump_surface_is_ground(s, clump_point_at(job, begin + (size_t)k));
        for (int k = 0; above && k < n; k++) above[k] = clump_surface_above(s, clump_point_at(job, begin + (size_t)k));
    }
}

/* Sets above[k] to NaN where the mask leaves point begin + k out. */
static inline void clump_ground_batch_hide(const clump_cloud_job *job, size_t begin, int n, float *above)
{
    for (int k = 0; job->mask && k < n; k++) above[k] = job->mask[begin + (size_t)k] ? above[k] : NAN;
}

#endif
