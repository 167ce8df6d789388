/* SPDX-License-Identifier: BSD-3-Clause
 *
 * relief.h: how the heights of tiles become a surface: of the map around a sensor (cpu/obstacles/ground_grid.c), and of the
 * squares of a survey (big/ground/). In C alone. Heights are integers below CLUMP_LOW_NONE, which is a tile without one.
 */
#ifndef CLUMP_RULES_RELIEF_H
#define CLUMP_RULES_RELIEF_H

#include "rules/ground.h"

#include <stdint.h>
#include <string.h>

enum {
    CLUMP_RELIEF_PARTS = CLUMP_SURFACE_PARTS * CLUMP_SURFACE_PARTS, /* of a tile, at most */
    CLUMP_RELIEF_ROW = 16                                           /* tiles of a row that are filled as vectors */
};

/* tiles x tiles heights with a border around them: tile (i, j) is at (i + 1) * width + j + 1. The border has heights that are
 * read and stay, or CLUMP_LOW_NONE. Heights are at most 2^28 above and below 0. */
typedef struct clump_relief {
    int32_t tiles, width;      /* width is tiles + 2 */
    int32_t straight, oblique; /* as in clump_lows */
    int32_t *tile;
    int32_t *cone; /* scratch, as large; after clump_relief_find_cones() the lowest cone at every tile */
} clump_relief;

static inline int32_t clump_relief_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static inline int32_t clump_relief_most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Returns the lower quartile of the lows of a tile's parts, CLUMP_RELIEF_PARTS at most: the largest with at most a quarter of
 * them below it. All are compared with all, which is faster in vector code than sorting. All lows are below CLUMP_LOW_NONE, so
 * parts without one do not count. */
static inline int32_t clump_relief_low(const int32_t *part, int parts)
{
    int32_t below[CLUMP_RELIEF_PARTS] = {0}, count = 0, low = INT32_MIN;
    for (int k = 0; k < parts; k++) count += part[k] != CLUMP_LOW_NONE;
    if (count == 0) return CLUMP_LOW_NONE;
    for (int j = 0; j < parts; j++)
        for (int k = 0; k < parts; k++) below[k] += part[j] < part[k];
    for (int k = 0; k < parts; k++) low = clump_relief_most(low, below[k] <= count / 4 ? part[k] : INT32_MIN);
    return low;
}

/* Removes holes. All tiles are tested on a copy, so the result does not depend on their order. */
static inline void clump_relief_drop_holes(const clump_relief *r)
{
    const int32_t w = r->width, beside[8] = {-w - 1, -w, -w + 1, -1, 1, w - 1, w, w + 1};
    memcpy(r->cone, r->tile, (size_t)w * (size_t)w * sizeof *r->tile);
    for (int32_t i = 1; i <= r->tiles; i++) {
        for (int32_t j = 1; j <= r->tiles; j++) {
            const int32_t *const z = &r->cone[i * w + j];
            if (*z == CLUMP_LOW_NONE) continue;
            int known = 0, low = 0;
            for (int k = 0; k < 8; k++) {
                known += z[beside[k]] != CLUMP_LOW_NONE;
                low += z[beside[k]] <= *z + CLUMP_LOW_HOLE + r->straight;
            }
            if (known >= 3 && low < 2) r->tile[i * w + j] = CLUMP_LOW_NONE;
        }
    }
}

/* Lowers a row of cones, n tiles, to what the row beside it allows. */
static inline void clump_relief_lower_row(const clump_relief *r, const int32_t *beside, int32_t *restrict c)
{
    const int32_t s = r->straight, o = r->oblique, n = r->tiles;
    for (int32_t k = 0; k < n; k++) {
        const int32_t across = clump_relief_least(beside[k - 1], beside[k + 1]) + o;
        c[k] = clump_relief_least(c[k], clump_relief_least(across, beside[k] + s));
    }
}

/* Finds the lowest of all cones at every tile; the border has no heights. One sweep down and one up are enough. A shortest path
 * along axes and diagonals has at most two kinds of steps, in any order: first come those of the first sweep. */
static inline void clump_relief_find_cones(const clump_relief *r)
{
    const int32_t w = r->width, s = r->straight, n = r->tiles;
    memcpy(r->cone, r->tile, (size_t)w * (size_t)w * sizeof *r->cone);
    for (int32_t i = 1; i <= n; i++) {
        int32_t *const c = &r->cone[i * w + 1];
        clump_relief_lower_row(r, c - w, c);
        for (int32_t k = 0; k < n; k++) c[k] = clump_relief_least(c[k], c[k - 1] + s);
    }
    for (int32_t i = n; i >= 1; i--) {
        int32_t *const c = &r->cone[i * w + 1];
        clump_relief_lower_row(r, c + w, c);
        for (int32_t k = n - 1; k >= 0; k--) c[k] = clump_relief_least(c[k], c[k + 1] + s);
    }
}

/* Removes tiles that stand above the cone of another. */
static inline void clump_relief_drop_above_cones(const clump_relief *r)
{
    const int32_t size = r->width * r->width, *const cone = r->cone;
    int32_t *restrict const tile = r->tile;
    for (int32_t k = 0; k < size; k++) tile[k] = tile[k] - cone[k] > CLUMP_LOW_BUMP ? CLUMP_LOW_NONE : tile[k];
}

/* Returns sum / known, an integer; known is 1 to 8. In double, which is vectorised. Its rounding does not matter: a
 * quotient that is no integer is at least 1/8 away from the next one. */
static inline int32_t clump_relief_mean(int32_t sum, int32_t known)
{
    return (int32_t)((double)sum / known);
}

/* Counts and adds those of n + 2 tiles and the ones above and below that have a height. */
static inline void clump_relief_add_columns(const int32_t *z, int32_t w, int n, int32_t *restrict known,
                                            int32_t *restrict sum)
{
    for (int j = 0; j < n + 2; j++) {
        const int32_t a = z[j - w], b = z[j], c = z[j + w], none = CLUMP_LOW_NONE;
        known[j] = (a != none) + (b != none) + (c != none);
        sum[j] = (a != none ? a : 0) + (b != none ? b : 0) + (c != none ? c : 0);
    }
}

/* Gives n consecutive tiles, those without a height, the mean of those neighbours that have one: of all tiles around, as
 * the tile itself adds nothing. `z` are the heights before. Compilers vectorise it. */
static inline void clump_relief_fill_row(const int32_t *z, int32_t w, int n, int32_t *restrict to)
{
    int32_t known[CLUMP_RELIEF_ROW + 2], sum[CLUMP_RELIEF_ROW + 2];
    clump_relief_add_columns(z - 1, w, n, known, sum);
    for (int j = 0; j < n; j++) {
        const int32_t all = known[j] + known[j + 1] + known[j + 2];
        const int32_t mean = clump_relief_mean(sum[j] + sum[j + 1] + sum[j + 2], clump_relief_most(all, 1));
        to[j] = to[j] == CLUMP_LOW_NONE && all > 0 ? mean : to[j];
    }
}

/* Gives tiles without a height the mean of those neighbours that have one. */
static inline void clump_relief_fill_beside(const clump_relief *r)
{
    const int32_t w = r->width;
    memcpy(r->cone, r->tile, (size_t)w * (size_t)w * sizeof *r->tile);
    for (int32_t i = 1; i <= r->tiles; i++)
        for (int32_t from = 1; from <= r->tiles; from += CLUMP_RELIEF_ROW)
            clump_relief_fill_row(&r->cone[i * w + from], w, clump_relief_least(CLUMP_RELIEF_ROW, r->tiles + 1 - from),
                                  &r->tile[i * w + from]);
}

static inline int32_t clump_relief_coarse_side(int32_t side)
{
    return (side + 1) / 2;
}

/* Returns the mean of those of four tiles that have a height. */
static inline int32_t clump_relief_mean_of_square(int32_t a, int32_t b, int32_t c, int32_t d)
{
    const int32_t n = CLUMP_LOW_NONE, known = (a != n) + (b != n) + (c != n) + (d != n);
    const int32_t sum = (a != n ? a : 0) + (b != n ? b : 0) + (c != n ? c : 0) + (d != n ? d : 0);
    const int32_t mean = clump_relief_mean(sum, clump_relief_most(known, 1));
    return known > 0 ? mean : n;
}

/* Finds the means of the 2 x 2 squares of two rows. A row or column that is taken twice does not change a mean. */
static inline void clump_relief_coarsen_rows(const int32_t *upper, const int32_t *lower, int32_t side,
                                             int32_t *restrict coarse)
{
    for (int32_t j = 0; j < side / 2; j++)
        coarse[j] = clump_relief_mean_of_square(upper[2 * j], upper[2 * j + 1], lower[2 * j], lower[2 * j + 1]);
    const int32_t last = side - 1;
    if (side % 2) coarse[side / 2] = clump_relief_mean_of_square(upper[last], upper[last], lower[last], lower[last]);
}

/* Gives the tiles of a row without a height that of their square. */
static inline void clump_relief_refine_row(int32_t *restrict row, int32_t side, const int32_t *coarse)
{
    for (int32_t j = 0; j < side / 2; j++) {
        row[2 * j] = row[2 * j] == CLUMP_LOW_NONE ? coarse[j] : row[2 * j];
        row[2 * j + 1] = row[2 * j + 1] == CLUMP_LOW_NONE ? coarse[j] : row[2 * j + 1];
    }
    if (side % 2 && row[side - 1] == CLUMP_LOW_NONE) row[side - 1] = coarse[side / 2];
}

/* Fills the other tiles from a pyramid: up to the means of the known tiles in 2 x 2 squares, then down again. `from`
 * has side * side entries; `pitch` is the distance of two rows. */
static inline void clump_relief_fill_far(int32_t *from, int32_t side, int32_t pitch, int32_t *coarse)
{
    if (side == 1) return;
    const int32_t half = clump_relief_coarse_side(side);
    for (int32_t i = 0; i < half; i++)
        clump_relief_coarsen_rows(from + 2 * i * pitch, from + clump_relief_least(2 * i + 1, side - 1) * pitch, side,
                                  coarse + i * half);
    clump_relief_fill_far(coarse, half, half, coarse + (size_t)half * (size_t)half);
    for (int32_t i = 0; i < side; i++) clump_relief_refine_row(from + i * pitch, side, coarse + i / 2 * half);
}

#endif
