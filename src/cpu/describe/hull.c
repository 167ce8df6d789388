/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hull.c: the exact convex hull of float32 points. Four steps:
 *
 *     1  drop points well inside an octagon of extreme points of a sample: they cannot be corners; mostly nearly all
 *        points. Where many are left, drop those well inside 16 extreme points of them
 *     2  encode x and y as one 64-bit key that sorts as (x, y)
 *     3  sort the keys and drop equal ones
 *     4  monotone chain (Andrew 1979): lower side left to right, upper side right to left
 *
 * Exactness makes the result a property of the set of points. It then depends neither on the order of the points nor on
 * which interior points step 1 drops. The corners always turn left, which rules/rectangle.h relies on.
 */
#include "cpu/describe/hull.h"

#include "common/bits.h"
#include "common/sort.h"
#include "cpu/describe/extremes.h"

#include <math.h>
#include <string.h>

#define HULL_FILTER_FROM 32   /* points; fewer are sorted as fast without the filter; not measured on other machines */
#define HULL_SAMPLE      1024 /* points that the octagon is found from, about */
#define HULL_BATCH       256  /* points */
#define HULL_LANES       ((1u << CLUMP_WIDE) - 1)
#define HULL_MARGIN      0x1p-18f
#define HULL_DIRECTIONS  16
#define HULL_AGAIN_FROM  256 /* candidates; fewer are sorted as fast; not measured on other machines */
#define HULL_RADIX_FROM  64  /* keys; fewer are sorted by insertion; not measured on other machines */

/* ----- keys ----------------------------------------------------------------------------------- */

/* Sorts `keys` by radix, least significant byte first; `other` is scratch. A byte that all keys share is skipped. */
static void sort_keys(uint64_t *keys, uint64_t *other, size_t count)
{
    if (count < HULL_RADIX_FROM) {
        clump_sort_few(keys, count);
        return;
    }
    uint64_t *from = keys, *to = other;
    for (int shift = 0; shift < 64; shift += 8) {
        uint32_t starts[256] = {0};
        for (size_t i = 0; i < count; i++) starts[from[i] >> shift & 255]++;
        if (starts[from[0] >> shift & 255] == count) continue;
        uint32_t start = 0;
        for (int digit = 0; digit < 256; digit++) {
            const uint32_t size = starts[digit];
            starts[digit] = start;
            start += size;
        }
        for (size_t i = 0; i < count; i++) to[starts[from[i] >> shift & 255]++] = from[i];
        uint64_t *const swap = from;
        from = to, to = swap;
    }
    if (from != keys) memcpy(keys, from, count * sizeof *keys);
}

/* ----- the filter ------------------------------------------------------------------------------ */

/* Finds the extreme points among each step-th point in `directions`, counterclockwise: 8, or 16 with those between. */
static void find_extremes(const float *x, const float *y, size_t count, size_t step, int directions, size_t *extreme)
{
    memset(extreme, 0, (size_t)directions * sizeof *extreme);
    double best[HULL_DIRECTIONS];
    for (int k = 0; k < directions; k++) best[k] = -INFINITY;
    for (size_t i = 0; i < count; i += step) {
        const double px = x[i], py = y[i], half_x = 0.5 * px, half_y = 0.5 * py;
        const double eight[4] = {px, px + py, py, py - px};
        const double sixteen[8] = {px, px + half_y, px + py, half_x + py, py, py - half_x, py - px, half_y - px};
        const double *const reach = directions == 8 ? eight : sixteen;
        for (int k = 0, opposite = directions / 2; k < directions / 2; k++, opposite++) {
            if (reach[k] > best[k]) best[k] = reach[k], extreme[k] = i;
            if (-reach[k] > best[opposite]) best[opposite] = -reach[k], extreme[opposite] = i;
        }
    }
}

/* Finds the half planes left of the edges between the extremes, scaled such that a * x + b * y is at most 1 in magnitude.
 * There are none where float32 has no room for them. */
static void find_half_planes(const float *x, const float *y, const size_t *extreme, int directions, double width,
                             double height, clump_hull_filter *f)
{
    int edges = 0;
    if (!(width > 0x1p-60 && width < 0x1p60 && height > 0x1p-60 && height < 0x1p60)) return;
    for (int k = 0; k < directions; k++) {
        const size_t p = extreme[k], q = extreme[(k + 1) % directions];
        const double a = (double)y[p] - y[q], b = (double)x[q] - x[p], scale = fabs(a) * width + fabs(b) * height;
        if (scale == 0) continue;
        const double c = a * ((double)x[p] - x[0]) + b * ((double)y[p] - y[0]);
        f->inside[edges].a = (float)(a / scale), f->inside[edges].b = (float)(b / scale);
        f->inside[edges++].c = (float)(c / scale) + HULL_MARGIN;
    }
    f->edges = edges > 0 ? edges > 8 ? 16 : 8 : 0;
    for (int k = edges; k < f->edges; k++) f->inside[k] = f->inside[0];
}

/* Computes how deep each of n points lies in eight half planes: the least over all eight, at most depth[i]. Compilers
 * vectorise it. */
static void find_depths(const clump_hull_filter *restrict f, int first, const float *restrict x,
                        const float *restrict y, size_t n, float *restrict depth)
{
    for (size_t i = 0; i < n; i++) {
        const float px = x[i] - f->x0, py = y[i] - f->y0;
        float least = first > 0 ? depth[i] : 1;
        for (int k = first; k < first + 8; k++) {
            const float d = f->inside[k].a * px + f->inside[k].b * py - f->inside[k].c;
            least = d < least ? d : least;
        }
        depth[i] = least;
    }
}

clump_hull_filter clump_hull_filter_of(const float *x, const float *y, size_t count, double width, double height)
{
    CLUMP_ASSERT(count > 0);
    clump_hull_filter f = {.x0 = x[0], .y0 = y[0]};
    if (count < HULL_FILTER_FROM) return f;
    size_t extreme[8];
    find_extremes(x, y, count, count / HULL_SAMPLE + 1, 8, extreme);
    find_half_planes(x, y, extreme, 8, width, height, &f);
    return f;
}

/* Only interior points are dropped:
 *   (1) Seen from a point that is left of every edge of a closed chain, the chain turns one way and comes round. So no
 *       half plane bounded by a line through the point holds all its vertices: the point is interior.
 *   (2) This holds for any points of the cluster, even where they are not convex. So a sample is enough to find
 *       them: few points are outside the octagon of a sample.
 *   (3) a*x + b*y - c takes 8 roundings in float32, each of at most 2^-24: its terms are at most 1 in magnitude, since x
 *       and y are relative to a point of the cluster. The margin is 2^-18. */
size_t clump_hull_keys(const clump_hull_filter *filter, const float *x, const float *y, size_t count, uint64_t *keys)
{
    size_t kept = 0;
    if (filter->edges == 0) {
        for (size_t i = 0; i < count; i++) keys[i] = clump_key_of_xy(x[i], y[i]);
        return count;
    }
    float depth[HULL_BATCH] = {0};
    for (size_t from = 0; from < count; from += HULL_BATCH) {
        const size_t n = count - from < HULL_BATCH ? count - from : HULL_BATCH;
        for (int k = 0; k < filter->edges; k += 8) find_depths(filter, k, x + from, y + from, n, depth);
        for (size_t i = 0; i < n; i += CLUMP_WIDE) { /* mostly all points of a vector are dropped */
            const clump_mw drops = clump_fw_is_less(clump_fw_set(0), clump_fw_load(depth + i));
            unsigned keeps = ~clump_mw_bits(drops) & HULL_LANES;
            if (n - i < CLUMP_WIDE) keeps &= (1u << (n - i)) - 1;
            for (; keeps; keeps &= keeps - 1) {
                const size_t at = from + i + clump_lowest(keeps);
                keys[kept++] = clump_key_of_xy(x[at], y[at]);
            }
        }
    }
    return kept;
}

/* ----- the hull -------------------------------------------------------------------------------- */

size_t clump_hull_scratch_bytes(size_t count)
{
    return (2 * count + 1) * sizeof(uint64_t);
}

/* Drops more candidates, by their extremes in 16 directions. Returns how many are left. */
static size_t drop_again(uint64_t *keys, size_t candidates, float *scratch)
{
    float *const x = scratch, *const y = scratch + candidates;
    for (size_t i = 0; i < candidates; i++) {
        const clump_xy p = clump_xy_of_key(keys[i]);
        x[i] = p.x, y[i] = p.y;
    }
    float left, right, bottom, top;
    clump_find_extremes(x, candidates, &left, &right);
    clump_find_extremes(y, candidates, &bottom, &top);
    clump_hull_filter f = {.x0 = x[0], .y0 = y[0]};
    size_t extreme[HULL_DIRECTIONS];
    find_extremes(x, y, candidates, 1, HULL_DIRECTIONS, extreme);
    find_half_planes(x, y, extreme, HULL_DIRECTIONS, (double)right - left, (double)top - bottom, &f);
    return clump_hull_keys(&f, x, y, candidates, keys);
}

size_t clump_hull_of_keys(uint64_t *keys, size_t candidates, uint64_t *scratch, const clump_xy **hull)
{
    CLUMP_ASSERT(candidates > 0);
    if (candidates >= HULL_AGAIN_FROM) candidates = drop_again(keys, candidates, (float *)scratch);
    sort_keys(keys, scratch, candidates);
    size_t distinct = 1;
    for (size_t i = 1; i < candidates; i++)
        if (keys[i] != keys[distinct - 1]) keys[distinct++] = keys[i];

    clump_xy *const corners = (clump_xy *)scratch; /* after the sort */
    *hull = corners;
    size_t n = 0;
    for (size_t i = 0; i < distinct; i++) {
        const clump_xy p = clump_xy_of_key(keys[i]);
        while (n >= 2 && clump_orientation(corners[n - 2], corners[n - 1], p) <= 0) n--;
        corners[n++] = p;
    }
    if (distinct < 3) return n;
    const size_t lower = n; /* the upper side begins with the last corner of the lower */
    for (size_t i = distinct - 1; i-- > 0;) {
        const clump_xy p = clump_xy_of_key(keys[i]);
        while (n > lower && clump_orientation(corners[n - 2], corners[n - 1], p) <= 0) n--;
        corners[n++] = p;
    }
    return n - 1; /* the last corner repeats the first */
}

size_t clump_hull(const float *x, const float *y, size_t count, void *scratch, const clump_xy **hull)
{
    CLUMP_ASSERT(count > 0 && (uintptr_t)scratch % sizeof(uint64_t) == 0);
    uint64_t *const keys = scratch;
    float left, right, bottom, top;
    clump_find_extremes(x, count, &left, &right);
    clump_find_extremes(y, count, &bottom, &top);
    const clump_hull_filter f = clump_hull_filter_of(x, y, count, (double)right - left, (double)top - bottom);
    return clump_hull_of_keys(keys, clump_hull_keys(&f, x, y, count, keys), keys + count, hull);
}
