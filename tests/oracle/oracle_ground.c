/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_ground.c: see oracle_ground.h.
 */
#include "oracle/oracle_ground.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, MISSING = INT32_MAX };

typedef struct world {
    const clump_ground_options *o;
    int n, across, up;
    int low[SIDE][SIDE][16]; /* of the sixteen parts of each tile */
    int tile[SIDE][SIDE];
    int above[4 * SIDE][4 * SIDE]; /* of each part: points that the step rule counts */
    float corner_u, corner_v;
} world;

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static float place(float x, float corner, float tile)
{
    const float from = x - corner;
    const float scale = 1.0f / tile;
    return from * scale;
}

static float height(const world *w, const float *p)
{
    const float off = p[w->up] - w->o->sensor[w->up];
    return w->o->flip ? -off : off;
}

static bool on_map(const world *w, const float *p, float *u, float *v)
{
    *u = place(p[0], w->corner_u, w->o->tile);
    *v = place(p[w->across], w->corner_v, w->o->tile);
    return *u >= 0 && *v >= 0 && *u < (float)w->n && *v < (float)w->n;
}

static void lowest_points(world *w, const float *xyz, size_t count)
{
    for (int i = 0; i < SIDE * SIDE * 16; i++) (&w->low[0][0][0])[i] = MISSING;
    for (size_t i = 0; i < count; i++) {
        float u, v;
        const float h = height(w, xyz + 3 * i);
        if (!on_map(w, xyz + 3 * i, &u, &v) || !(fabsf(h) < 1000)) continue;
        int *const low = &w->low[(int)u][(int)v][(int)((u - floorf(u)) * 4) * 4 + (int)((v - floorf(v)) * 4)];
        const int z = (int)truncf(h * 1024);
        if (z < *low) *low = z;
    }
}

static void quarter_lows(world *w)
{
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            int *const low = w->low[i][j], count = 0;
            qsort(low, 16, sizeof *low, ascending);
            while (count < 16 && low[count] != MISSING) count++;
            w->tile[i][j] = count ? low[count / 4] : MISSING;
        }
    }
}

/* Returns the rise of a cone, in 1/1024 m, after a tiles along one axis and b tiles along the other. */
static long risen(const world *w, int a, int b)
{
    const double rise = (double)w->o->slope * (double)w->o->tile * 1024;
    const long straight = (long)rise, oblique = (long)(rise * sqrt(2));
    a = abs(a), b = abs(b);
    const int few = a < b ? a : b, more = a < b ? b : a;
    return few * oblique + (more - few) * straight;
}

/* Returns the number of tiles within `reach` whose height is in `from` ... `from` + 1/2 m. */
static int votes(const world *w, int reach, int from)
{
    int found = 0;
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < w->n; j++)
            found += abs(2 * i + 1 - w->n) <= 2 * reach && abs(2 * j + 1 - w->n) <= 2 * reach &&
                     w->tile[i][j] >= from && w->tile[i][j] < from + 512;
    return found;
}

static bool level_of(const world *w, int *level, int *reach)
{
    for (*reach = (int)fmaxf(1, floorf(10 / w->o->tile));; *reach *= 2) {
        int most = 0;
        for (int from = -32 * 1024; from + 512 <= 32 * 1024; from += 128) {
            const int found = votes(w, *reach, from);
            if (found > most) most = found, *level = from + 256;
        }
        if (most > 0) return true;
        if (*reach >= w->n) return false;
    }
}

static bool drop_what_is_not_ground(world *w)
{
    int level = 0, reach = 0;
    long rough = (long)(w->o->window * 1024);
    if (w->o->sensor_height > 0) {
        level = (int)(-w->o->sensor_height * 1024);
    } else {
        if (!level_of(w, &level, &reach)) return false;
        rough = 1024 + reach * risen(w, 1, 0);
    }
    int before[SIDE][SIDE];
    for (int i = 0; i < w->n; i++)
        for (int j = 0; j < w->n; j++)
            if (w->tile[i][j] != MISSING &&
                labs((long)w->tile[i][j] - level) > rough + risen(w, 2 * i + 1 - w->n, 2 * j + 1 - w->n) / 2)
                w->tile[i][j] = MISSING;

    memcpy(before, w->tile, sizeof before); /* holes */
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            int known = 0, low = 0;
            if (before[i][j] == MISSING) continue;
            for (int a = i - 1; a <= i + 1; a++) {
                for (int b = j - 1; b <= j + 1; b++) {
                    if (a < 0 || b < 0 || a >= w->n || b >= w->n || (a == i && b == j)) continue;
                    known += before[a][b] != MISSING;
                    low += before[a][b] != MISSING && before[a][b] - before[i][j] <= 512 + risen(w, 1, 0);
                }
            }
            if (known >= 3 && low < 2) w->tile[i][j] = MISSING;
        }
    }

    memcpy(before, w->tile, sizeof before); /* cones */
    int left = 0;
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            for (int a = 0; a < w->n; a++)
                for (int b = 0; b < w->n; b++)
                    if (before[a][b] != MISSING && before[i][j] != MISSING &&
                        before[i][j] - (before[a][b] + risen(w, a - i, b - j)) > 102)
                        w->tile[i][j] = MISSING;
            left += w->tile[i][j] != MISSING;
        }
    }
    return left > 0;
}

static void fill_once(world *w)
{
    int before[SIDE][SIDE];
    memcpy(before, w->tile, sizeof before);
    for (int i = 0; i < w->n; i++) {
        for (int j = 0; j < w->n; j++) {
            int known = 0, sum = 0;
            for (int a = i - 1; a <= i + 1; a++)
                for (int b = j - 1; b <= j + 1; b++)
                    if (a >= 0 && b >= 0 && a < w->n && b < w->n && before[a][b] != MISSING)
                        known++, sum += before[a][b];
            if (before[i][j] == MISSING && known) w->tile[i][j] = sum / known;
        }
    }
}

/* Returns the mean of the square of side 2^k around a tile: the mean over its quarters that have one. */
static int mean_of_square(const world *w, int k, int i, int j)
{
    if (i << k >= w->n || j << k >= w->n) return MISSING;
    if (k == 0) return w->tile[i][j];
    int known = 0, sum = 0;
    for (int q = 0; q < 4; q++) {
        const int part = mean_of_square(w, k - 1, 2 * i + q / 2, 2 * j + q % 2);
        if (part != MISSING) known++, sum += part;
    }
    return known ? sum / known : MISSING;
}

static int filled(const world *w, int i, int j)
{
    int mean = w->tile[i][j];
    for (int k = 1; mean == MISSING; k++) mean = mean_of_square(w, k, i >> k, j >> k);
    return mean;
}

static float clamped(const world *w, int i, int j)
{
    i = i < 0 ? 0 : i >= w->n ? w->n - 1 : i;
    j = j < 0 ? 0 : j >= w->n ? w->n - 1 : j;
    return (float)filled(w, i, j) / 1024;
}

static float between(float a, float b, float part)
{
    const float step = part * (b - a);
    return a + step;
}

/* Finds the place of a point, its height, and the height of the surface there; false where there is none. */
static bool find_surface(const world *w, const float *p, float *u, float *v, float *h, float *surface)
{
    *h = height(w, p);
    if (!(fabsf(*h) < 1000) || !on_map(w, p, u, v)) return false;
    const float fu = *u + 0.5f, fv = *v + 0.5f;
    const int a = (int)floorf(fu), b = (int)floorf(fv);
    const float pu = fu - (float)a, pv = fv - (float)b;
    const float low = between(clamped(w, a - 1, b - 1), clamped(w, a - 1, b), pv);
    const float high = between(clamped(w, a, b - 1), clamped(w, a, b), pv);
    *surface = between(low, high, pu);
    return true;
}

static void count_above(world *w, const float *xyz, size_t count)
{
    memset(w->above, 0, sizeof w->above);
    for (size_t i = 0; i < count; i++) {
        float u, v, h, surface;
        if (!find_surface(w, xyz + 3 * i, &u, &v, &h, &surface)) continue;
        const float above = h - surface;
        if (above < 0.35f || above > 2.0f) continue;
        w->above[(int)floorf(4 * u)][(int)floorf(4 * v)]++;
    }
}

void oracle_ground_grid(const float *xyz, size_t count, const clump_ground_options *o, int32_t *labels)
{
    static world w;
    w = (world){.o = o, .across = o->up == CLUMP_UP_Y ? 2 : 1, .up = o->up == CLUMP_UP_Y ? 1 : 2};
    w.n = (int)ceilf(o->extent / o->tile);
    if (w.n < 2) w.n = 2;
    if (w.n > SIDE) abort();
    w.corner_u = (float)((double)o->sensor[0] - w.n * (double)o->tile / 2);
    w.corner_v = (float)((double)o->sensor[w.across] - w.n * (double)o->tile / 2);
    lowest_points(&w, xyz, count);
    quarter_lows(&w);
    const bool any = drop_what_is_not_ground(&w);
    for (int k = 0; any && k < 2; k++) fill_once(&w);
    if (any && o->step) count_above(&w, xyz, count);
    for (size_t i = 0; i < count; i++) {
        float u, v, h, surface;
        labels[i] = CLUMP_NOISE;
        if (o->heights) o->heights[i] = NAN;
        if (!any || !find_surface(&w, xyz + 3 * i, &u, &v, &h, &surface)) continue;
        float thickness = o->sigma;
        if (o->step) thickness = w.above[(int)floorf(4 * u)][(int)floorf(4 * v)] < 3 ? 0.25f : 0.1f;
        const float top = surface + thickness;
        if (h < top) labels[i] = CLUMP_GROUND;
        if (o->heights) o->heights[i] = h - surface;
    }
}
