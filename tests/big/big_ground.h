/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big_ground.h: the ground of a survey by the words of docs/ground.md ("Surveys"), on dense arrays, slowly.
 */
#ifndef CLUMP_TESTS_BIG_GROUND_H
#define CLUMP_TESTS_BIG_GROUND_H

#include <clump/clump.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A point on the map: in 1/1024 of a tile, and 1/1024 m. */
typedef struct ground_point {
    int64_t u, v;
    int32_t height;
    bool takes; /* part */
} ground_point;

enum { GROUND_SQUARE = 64, GROUND_NONE = INT32_MAX };

typedef struct ground_world {
    int64_t first_u, first_v; /* tiles of the corner */
    int across, along;        /* tiles, whole squares and one more on each side */
    bool *there;              /* tiles of squares with points */
    int32_t *low;             /* four per tile */
    int32_t *z, *next;
    int32_t straight, oblique;
} ground_world;

static inline int64_t ground_down(int64_t a, int64_t b) /* a / b, rounded down */
{
    return a / b - (a % b < 0);
}

/* Where coordinates are on the map. steps: side of a part in steps, or 0: coordinates are in metres. */
static inline int64_t ground_along(double coordinate, double tile, int64_t part)
{
    if (part == 0) return (int64_t)floor(coordinate / (tile / 1024));
    const int64_t side = 2 * part, steps = (int64_t)coordinate, at = ground_down(steps, side);
    return 1024 * at + (steps - at * side) * 1024 / side;
}

static inline int32_t *ground_tile(const ground_world *w, int32_t *of, int64_t i, int64_t j)
{
    return i < 0 || j < 0 || i >= w->across || j >= w->along ? NULL : &of[i * w->along + j];
}

static inline int32_t ground_height(const ground_world *w, int32_t *of, int64_t i, int64_t j)
{
    const int32_t *const z = ground_tile(w, of, i, j);
    return z ? *z : GROUND_NONE;
}

static inline int ground_ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static inline void ground_tiles(ground_world *w)
{
    for (int t = 0; t < w->across * w->along; t++) {
        int32_t *const low = &w->low[4 * t];
        int n = 0;
        qsort(low, 4, sizeof *low, ground_ascending);
        while (n < 4 && low[n] != GROUND_NONE) n++;
        w->z[t] = n ? low[n / 4] : GROUND_NONE;
    }
}

static inline void ground_holes(ground_world *w)
{
    memcpy(w->next, w->z, sizeof *w->z * (size_t)(w->across * w->along));
    for (int i = 0; i < w->across; i++)
        for (int j = 0; j < w->along; j++) {
            const int32_t z = ground_height(w, w->z, i, j);
            int known = 0, low = 0;
            for (int a = -1; a <= 1 && z != GROUND_NONE; a++)
                for (int b = -1; b <= 1; b++) {
                    const int32_t other = a || b ? ground_height(w, w->z, i + a, j + b) : GROUND_NONE;
                    known += other != GROUND_NONE;
                    low += other != GROUND_NONE && other - z <= 512 + w->straight;
                }
            if (known >= 3 && low <= 1) *ground_tile(w, w->next, i, j) = GROUND_NONE;
        }
    memcpy(w->z, w->next, sizeof *w->z * (size_t)(w->across * w->along));
}

/* Every tile with a height against every other of its square and those around it. */
static inline void ground_cones(ground_world *w)
{
    const int tiles = w->across * w->along;
    int *const list = malloc(sizeof *list * (size_t)tiles), count = 0, n = count;
    for (int t = 0; t < tiles; t++)
        if (w->z[t] != GROUND_NONE) list[n++] = t;
    memcpy(w->next, w->z, sizeof *w->z * (size_t)tiles);
    for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++) {
            if (w->z[list[p]] - w->z[list[q]] <= 102) continue;
            const int i = list[p] / w->along, j = list[p] % w->along, a = list[q] / w->along, b = list[q] % w->along;
            if (abs(i / GROUND_SQUARE - a / GROUND_SQUARE) > 1 || abs(j / GROUND_SQUARE - b / GROUND_SQUARE) > 1)
                continue;
            const int along = abs(i - a), across = abs(j - b), few = along < across ? along : across;
            const int64_t rise = (int64_t)few * w->oblique + (int64_t)(along + across - 2 * few) * w->straight;
            if (w->z[list[p]] - w->z[list[q]] - rise > 102) w->next[list[p]] = GROUND_NONE;
        }
    memcpy(w->z, w->next, sizeof *w->z * (size_t)tiles);
    free(list);
}

static inline void ground_beside(ground_world *w)
{
    memcpy(w->next, w->z, sizeof *w->z * (size_t)(w->across * w->along));
    for (int i = 0; i < w->across; i++)
        for (int j = 0; j < w->along; j++) {
            int64_t sum = 0, known = 0;
            if (!w->there[i * w->along + j] || ground_height(w, w->z, i, j) != GROUND_NONE) continue;
            for (int a = -1; a <= 1; a++)
                for (int b = -1; b <= 1; b++) {
                    const int32_t other = ground_height(w, w->z, i + a, j + b);
                    if (other != GROUND_NONE) sum += other, known++;
                }
            if (known) *ground_tile(w, w->next, i, j) = (int32_t)(sum / known);
        }
    memcpy(w->z, w->next, sizeof *w->z * (size_t)(w->across * w->along));
}

/* Returns the mean of the means of the four quarters. */
static inline int32_t ground_mean(const ground_world *w, int i, int j, int side)
{
    int64_t sum = 0, known = 0;
    if (side == 1) return w->z[i * w->along + j];
    for (int k = 0; k < 4; k++) {
        const int32_t mean = ground_mean(w, i + k / 2 * side / 2, j + k % 2 * side / 2, side / 2);
        if (mean != GROUND_NONE) sum += mean, known++;
    }
    return known ? (int32_t)(sum / known) : GROUND_NONE;
}

static inline void ground_far(ground_world *w)
{
    memcpy(w->next, w->z, sizeof *w->z * (size_t)(w->across * w->along));
    for (int side = 2; side <= GROUND_SQUARE; side *= 2)
        for (int i = 0; i < w->across; i += side)
            for (int j = 0; j < w->along; j += side) {
                const int32_t mean = w->there[i * w->along + j] ? ground_mean(w, i, j, side) : GROUND_NONE;
                for (int k = 0; k < side * side; k++) {
                    int32_t *const z = ground_tile(w, w->next, i + k / side, j + k % side);
                    if (*z == GROUND_NONE) *z = mean;
                }
            }
    memcpy(w->z, w->next, sizeof *w->z * (size_t)(w->across * w->along));
}

/* Whether a point is lower than the surface plus sigma. All numbers are exact: heights and quotients of powers of two. */
static inline bool ground_is(const ground_world *w, const ground_point *p, int32_t sigma)
{
    const double u = (double)(p->u - 1024 * w->first_u) / 1024, v = (double)(p->v - 1024 * w->first_v) / 1024;
    double sum = 0, weights = 0;
    if (ground_height(w, w->z, (int64_t)u, (int64_t)v) == GROUND_NONE) return false;
    for (int64_t i = (int64_t)u - 1; i <= (int64_t)u + 1; i++)
        for (int64_t j = (int64_t)v - 1; j <= (int64_t)v + 1; j++) {
            const double near_u = 1 - fabs((double)i + 0.5 - u), near_v = 1 - fabs((double)j + 0.5 - v);
            const int32_t z = ground_height(w, w->z, i, j);
            if (near_u <= 0 || near_v <= 0 || z == GROUND_NONE) continue;
            sum += near_u * near_v * z, weights += near_u * near_v;
        }
    return p->height * weights < sum + sigma * weights;
}

/* Sets ground[i] to whether point i is ground. */
static inline void ground_by_words(const ground_point *points, size_t count, const clump_ground_options *o,
                                   bool *ground)
{
    int64_t least[2] = {INT64_MAX, INT64_MAX}, most[2] = {INT64_MIN, INT64_MIN};
    enum { SQUARE = 1024 * GROUND_SQUARE };
    memset(ground, 0, count);
    for (size_t i = 0; i < count; i++) {
        const int64_t at[2] = {ground_down(points[i].u, SQUARE), ground_down(points[i].v, SQUARE)};
        for (int a = 0; a < 2 && points[i].takes; a++) {
            if (at[a] < least[a]) least[a] = at[a];
            if (at[a] > most[a]) most[a] = at[a];
        }
    }
    if (least[0] > most[0]) return;
    const double rise = (double)o->slope * (double)o->tile * 1024;
    ground_world w = {.first_u = (least[0] - 1) * GROUND_SQUARE,
                      .first_v = (least[1] - 1) * GROUND_SQUARE,
                      .across = (int)(most[0] - least[0] + 3) * GROUND_SQUARE,
                      .along = (int)(most[1] - least[1] + 3) * GROUND_SQUARE,
                      .straight = (int32_t)rise,
                      .oblique = (int32_t)(rise * sqrt(2))};
    const size_t tiles = (size_t)w.across * (size_t)w.along;
    w.there = calloc(tiles, sizeof *w.there);
    w.low = malloc(4 * tiles * sizeof *w.low), w.z = malloc(tiles * sizeof *w.z),
    w.next = malloc(tiles * sizeof *w.next);
    for (size_t k = 0; k < 4 * tiles; k++) w.low[k] = GROUND_NONE;
    for (size_t k = 0; k < count; k++) {
        const int64_t u = points[k].u - 1024 * w.first_u, v = points[k].v - 1024 * w.first_v;
        if (!points[k].takes) continue;
        int32_t *const low = &w.low[4 * (u / 1024 * w.along + v / 1024) + u / 512 % 2 * 2 + v / 512 % 2];
        if (points[k].height < *low) *low = points[k].height;
        for (int i = 0; i < GROUND_SQUARE; i++)
            memset(&w.there[(u / SQUARE * GROUND_SQUARE + i) * w.along + v / SQUARE * GROUND_SQUARE], 1, GROUND_SQUARE);
    }
    ground_tiles(&w);
    ground_holes(&w);
    ground_cones(&w);
    ground_beside(&w);
    ground_beside(&w);
    ground_far(&w);
    for (size_t k = 0; k < count; k++)
        ground[k] = points[k].takes && ground_is(&w, &points[k], (int32_t)(o->sigma * 1024));
    free(w.there), free(w.low), free(w.z), free(w.next);
}

#endif
