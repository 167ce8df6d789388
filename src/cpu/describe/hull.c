/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hull.c: the exact convex hull of float32 points. Four steps:
 *
 *     1  drop points well inside a polygon of extreme points of a sample: they cannot be corners. Mostly these are nearly
 *        all points. The polygon is an octagon. An octagon fits badly around a thin, slanted wall: with many points, the
 *        farthest point outside of each edge is added, as in quickhull (Barber et al. 1996). Boxes around consecutive
 *        points are tested first, then points by a polygon of eight corners, then the few that are left by all corners.
 *        Where many points are left, drop those well inside a polygon of extreme points of them
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

#include <math.h>
#include <string.h>

#define HULL_FILTER_FROM 32   /* points; fewer are sorted as fast without the filter */
#define HULL_SAMPLE      1024 /* points that the first polygon is found from, at most */
#define HULL_BATCH       256  /* points that are tested against all corners together */
#define HULL_BOX         64   /* points that are dropped together; 32 and 128 are within 1 % on KITTI */
#define HULL_LANES       ((1u << CLUMP_WIDE) - 1)
#define HULL_MARGIN      0x1p-18f
#define HULL_OCTAGON     8
#define HULL_REFINE_FROM 256 /* points; fewer are sorted as fast */
#define HULL_ROUNDS      4   /* of refine_chain(); measured on KITTI, Xeon: with 2, all boxes take 4 % more time */
#define HULL_AGAIN_FROM  256 /* candidates; fewer are sorted as fast */
#define HULL_RADIX_FROM  64  /* keys; fewer are sorted by insertion */

/* ----- keys ----------------------------------------------------------------------------------- */

static bool is_stopped(clump_team *team)
{
    return team && clump_team_stopped(team);
}

/* Sorts `keys` by radix, least significant byte first; `other` is scratch. A byte that all keys share is skipped. Ends early
 * where the call is cancelled. */
static void sort_keys(uint64_t *keys, uint64_t *other, size_t count, clump_team *team)
{
    if (count < HULL_RADIX_FROM) {
        clump_sort_few(keys, count);
        return;
    }
    uint64_t *from = keys, *to = other;
    for (int shift = 0; shift < 64 && !is_stopped(team); shift += 8) {
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

/* A closed chain of points, counterclockwise. */
typedef struct hull_chain {
    int count;
    uint32_t closed; /* bit k: no point is right of the edge that begins at point k */
    clump_xy at[CLUMP_HULL_EDGES];
} hull_chain;

/* The least or the most of some sums of coordinates, lane by lane, and the vectors that have them. */
typedef struct hull_best {
    clump_fw values;
    clump_iw from; /* first point of the vector */
} hull_best;

static void keep_most(hull_best *best, clump_fw values, clump_iw from)
{
    best->from = clump_iw_choose(clump_fw_is_less(best->values, values), from, best->from);
    best->values = clump_fw_max(best->values, values);
}

static void keep_least(hull_best *best, clump_fw values, clump_iw from)
{
    best->from = clump_iw_choose(clump_fw_is_less(values, best->values), from, best->from);
    best->values = clump_fw_min(best->values, values);
}

/* Returns the point that has the value `best`, which is one of the lanes. */
static size_t point_with(const hull_best *b, float best)
{
    int32_t from[CLUMP_WIDE];
    const unsigned lane = clump_lowest(clump_mw_bits(clump_fw_is_equal(b->values, clump_fw_set(best))));
    clump_iw_store(from, b->from);
    return (size_t)from[lane] + lane;
}

/* Returns the first point of vector i / CLUMP_WIDE of n >= CLUMP_WIDE points. The last vector overlaps the one before. */
static size_t vector_at(size_t i, size_t n)
{
    return i + CLUMP_WIDE <= n ? i : n - CLUMP_WIDE;
}

static void find_sums(const float *x, const float *y, clump_fw sums[4])
{
    const clump_fw px = clump_fw_load(x), py = clump_fw_load(y);
    sums[0] = px, sums[1] = clump_fw_add(px, py), sums[2] = py, sums[3] = clump_fw_sub(py, px);
}

/* Finds the extremes of n >= CLUMP_WIDE points in eight directions. Rounding may miss one: any points will do. */
static hull_chain find_octagon(const float *x, const float *y, size_t n)
{
    CLUMP_ASSERT(n >= CLUMP_WIDE && n <= INT32_MAX);
    hull_best most[4], least[4];
    clump_fw sums[4];
    find_sums(x, y, sums);
    for (int k = 0; k < 4; k++)
        most[k].values = least[k].values = sums[k], most[k].from = least[k].from = clump_iw_set(0);
    for (size_t i = CLUMP_WIDE; i < n; i += CLUMP_WIDE) {
        const size_t at = vector_at(i, n);
        const clump_iw from = clump_iw_set((int32_t)at);
        find_sums(x + at, y + at, sums);
        for (int k = 0; k < 4; k++) keep_most(&most[k], sums[k], from), keep_least(&least[k], sums[k], from);
    }
    hull_chain chain = {.count = HULL_OCTAGON};
    for (int k = 0; k < 4; k++) {
        const size_t p = point_with(&most[k], clump_fw_highest(most[k].values));
        const size_t q = point_with(&least[k], clump_fw_lowest(least[k].values));
        chain.at[k].x = x[p], chain.at[k].y = y[p];
        chain.at[k + 4].x = x[q], chain.at[k + 4].y = y[q];
    }
    return chain;
}

/* Returns the point farthest to the right of the edge from p to q; n where all are left of it. */
static size_t farthest_right(const float *x, const float *y, size_t n, clump_xy p, clump_xy q)
{
    const clump_fw a = clump_fw_set(p.y - q.y), b = clump_fw_set(q.x - p.x);
    const clump_fw px = clump_fw_set(p.x), py = clump_fw_set(p.y);
    hull_best least = {clump_fw_set(0), clump_iw_set(0)};
    for (size_t i = 0; i < n; i += CLUMP_WIDE) {
        const size_t at = vector_at(i, n);
        const clump_fw dx = clump_fw_sub(clump_fw_load(x + at), px), dy = clump_fw_sub(clump_fw_load(y + at), py);
        keep_least(&least, clump_fw_add(clump_fw_mul(a, dx), clump_fw_mul(b, dy)), clump_iw_set((int32_t)at));
    }
    const float lowest = clump_fw_lowest(least.values);
    return lowest < 0 ? point_with(&least, lowest) : n;
}

static void add_to_chain(hull_chain *chain, float x, float y)
{
    CLUMP_ASSERT(chain->count < CLUMP_HULL_EDGES);
    chain->at[chain->count].x = x, chain->at[chain->count].y = y;
    chain->count++;
}

/* Adds to a chain the farthest point outside of each edge, as long as there is room. */
static void refine_chain(const float *x, const float *y, size_t n, hull_chain *chain)
{
    _Static_assert(CLUMP_HULL_EDGES <= 32, "one bit per edge");
    const hull_chain coarse = *chain;
    int room = CLUMP_HULL_EDGES - coarse.count;
    chain->count = 0, chain->closed = 0;
    for (int k = 0; k < coarse.count; k++) {
        const clump_xy p = coarse.at[k], q = coarse.at[k + 1 < coarse.count ? k + 1 : 0];
        const bool open = room > 0 && !(coarse.closed >> k & 1) && (p.x != q.x || p.y != q.y);
        const size_t far = open ? farthest_right(x, y, n, p, q) : n;
        add_to_chain(chain, p.x, p.y);
        if (far < n)
            add_to_chain(chain, x[far], y[far]), room--;
        else
            chain->closed |= (uint32_t)1 << (chain->count - 1);
    }
}

/* Finds the half planes left of the edges of a chain, scaled such that a * x + b * y is at most 1 in magnitude. */
static void find_half_planes(const hull_chain *chain, double width, double height, const clump_hull_filter *f,
                             clump_half_planes *p)
{
    int edges = 0;
    for (int k = 0; k < chain->count; k++) {
        const clump_xy u = chain->at[k], v = chain->at[k + 1 < chain->count ? k + 1 : 0];
        const double a = (double)u.y - v.y, b = (double)v.x - u.x, scale = fabs(a) * width + fabs(b) * height;
        if (scale == 0) continue;
        const double c = a * ((double)u.x - f->x0) + b * ((double)u.y - f->y0);
        p->a[edges] = (float)(a / scale), p->b[edges] = (float)(b / scale);
        p->c[edges++] = (float)(c / scale) + HULL_MARGIN;
    }
    p->count = (edges + 7) / 8 * 8;
    for (int k = edges; edges > 0 && k < CLUMP_HULL_EDGES; k++) p->a[k] = p->a[0], p->b[k] = p->b[0], p->c[k] = p->c[0];
}

/* Returns eight points of a chain. */
static hull_chain coarse_chain(const hull_chain *chain)
{
    hull_chain coarse = {.count = HULL_OCTAGON};
    for (int k = 0; k < HULL_OCTAGON; k++) coarse.at[k] = chain->at[chain->count * k / HULL_OCTAGON];
    return coarse;
}

/* Returns whether float32 has room for the half planes of points with these extents, and for refine_chain(). */
static bool has_room(double width, double height)
{
    return width > 0x1p-60 && width < 0x1p60 && height > 0x1p-60 && height < 0x1p60;
}

/* Returns a chain around at most HULL_SAMPLE of the points: an octagon, refined where there are many points. */
static hull_chain chain_of_sample(const float *x, const float *y, size_t count)
{
    CLUMP_ASSERT(count >= HULL_FILTER_FROM);
    float sample[2][HULL_SAMPLE];
    size_t n = count;
    if (count >= HULL_SAMPLE) {
        const size_t step = count / HULL_SAMPLE + 1;
        n = 0;
        for (size_t i = 0; i < count; i += step, n++) sample[0][n] = x[i], sample[1][n] = y[i];
        x = sample[0], y = sample[1];
    }
    hull_chain chain = find_octagon(x, y, n);
    for (int k = 0; count >= HULL_REFINE_FROM && k < HULL_ROUNDS; k++) refine_chain(x, y, n, &chain);
    return chain;
}

void clump_hull_find_filter(const float *x, const float *y, size_t count, double width, double height,
                            clump_hull_filter *f)
{
    CLUMP_ASSERT(count > 0);
    f->x0 = x[0], f->y0 = y[0], f->coarse.count = f->fine.count = 0;
    if (count < HULL_FILTER_FROM || !has_room(width, height)) return;
    const hull_chain chain = chain_of_sample(x, y, count);
    find_half_planes(&chain, width, height, f, &f->fine);
    if (count < HULL_REFINE_FROM) return;
    const hull_chain coarse = coarse_chain(&chain);
    find_half_planes(&coarse, width, height, f, &f->coarse);
}

/* Only interior points are dropped:
 *   (1) Seen from a point that is left of every edge of a closed chain, the chain turns one way and comes round. So no
 *       half plane bounded by a line through the point holds all its vertices: the point is interior.
 *   (2) This holds for any points of the cluster, even where they are not convex. So a sample is enough to find
 *       them: few points are outside the polygon of a sample. And some corners of a polygon are a polygon, too.
 *   (3) a*x + b*y - c takes 8 roundings in float32, each of at most 2^-24: its terms are at most 1 in magnitude, since x
 *       and y are relative to a point of the cluster. The margin is 2^-18.
 *   (4) Rounding is monotone: where u <= v, the rounded u is at most the rounded v. So in no point of a box is
 *       a*x + b*y - c, as computed, smaller than in the corner with the smallest a*x and b*y. Where that corner is inside
 *       by (3), for each half plane its own, all points of the box are. */

/* Returns which points of the vector at x, y may be outside of a polygon of `count` half planes: one bit each. */
static inline unsigned find_outside(const clump_hull_filter *f, const clump_half_planes *p, int count, const float *x,
                                    const float *y)
{
    const clump_fw px = clump_fw_sub(clump_fw_load(x), clump_fw_set(f->x0));
    const clump_fw py = clump_fw_sub(clump_fw_load(y), clump_fw_set(f->y0));
    clump_fw least = clump_fw_set(1);
    for (int k = 0; k < count; k++) {
        const clump_fw ax = clump_fw_mul(clump_fw_set(p->a[k]), px), by = clump_fw_mul(clump_fw_set(p->b[k]), py);
        least = clump_fw_min(least, clump_fw_sub(clump_fw_add(ax, by), clump_fw_set(p->c[k])));
    }
    return ~clump_mw_bits(clump_fw_is_less(clump_fw_set(0), least)) & HULL_LANES;
}

static size_t keys_of_all(const float *x, const float *y, size_t count, uint64_t *keys)
{
    for (size_t i = 0; i < count; i++) keys[i] = clump_key_of_xy(x[i], y[i]);
    return count;
}

/* Writes the keys of the points that may be outside of the fine polygon. Returns their number. */
static size_t keys_outside(const clump_hull_filter *f, const float *x, const float *y, size_t count, uint64_t *keys)
{
    if (count < CLUMP_WIDE) return keys_of_all(x, y, count, keys);
    size_t kept = 0;
    for (size_t i = 0; i < count; i += CLUMP_WIDE) {
        const size_t first = vector_at(i, count);
        unsigned keeps = find_outside(f, &f->fine, f->fine.count, x + first, y + first) >> (i - first);
        for (; keeps; keeps &= keeps - 1) {
            const size_t at = i + clump_lowest(keeps);
            keys[kept++] = clump_key_of_xy(x[at], y[at]);
        }
    }
    return kept;
}

/* Copies the points that may be outside of the coarse polygon; the last ones, less than a vector, without a test. Returns
 * their number. */
static size_t copy_outside(const clump_hull_filter *restrict f, const float *restrict x, const float *restrict y,
                           size_t n, float *restrict to_x, float *restrict to_y)
{
    CLUMP_ASSERT(f->coarse.count == HULL_OCTAGON);
    size_t i = 0, kept = 0;
    for (; i + CLUMP_WIDE <= n; i += CLUMP_WIDE) {
        unsigned keeps = find_outside(f, &f->coarse, HULL_OCTAGON, x + i, y + i);
        for (; keeps; keeps &= keeps - 1, kept++) {
            const size_t at = i + clump_lowest(keeps);
            to_x[kept] = x[at], to_y[kept] = y[at];
        }
    }
    for (; i < n; i++, kept++) to_x[kept] = x[i], to_y[kept] = y[i];
    return kept;
}

/* Returns whether the box around n points is inside of the fine polygon. */
static bool holds_box(const clump_hull_filter *f, const float *x, const float *y, size_t n)
{
    float left, right, bottom, top;
    clump_find_extremes(x, n, &left, &right);
    clump_find_extremes(y, n, &bottom, &top);
    const clump_fw x1 = clump_fw_set(left - f->x0), x2 = clump_fw_set(right - f->x0);
    const clump_fw y1 = clump_fw_set(bottom - f->y0), y2 = clump_fw_set(top - f->y0);
    clump_fw least = clump_fw_set(1);
    for (int k = 0; k < f->fine.count; k += CLUMP_WIDE) {
        const clump_fw a = clump_fw_load(f->fine.a + k), b = clump_fw_load(f->fine.b + k);
        const clump_fw ax = clump_fw_min(clump_fw_mul(a, x1), clump_fw_mul(a, x2));
        const clump_fw by = clump_fw_min(clump_fw_mul(b, y1), clump_fw_mul(b, y2));
        least = clump_fw_min(least, clump_fw_sub(clump_fw_add(ax, by), clump_fw_load(f->fine.c + k)));
    }
    return clump_fw_lowest(least) > 0;
}

size_t clump_hull_keys(const clump_hull_filter *f, const float *x, const float *y, size_t count, uint64_t *keys)
{
    if (f->fine.count == 0) return keys_of_all(x, y, count, keys);
    if (f->coarse.count == 0) return keys_outside(f, x, y, count, keys);
    float rest_x[HULL_BATCH], rest_y[HULL_BATCH]; /* side by side: the next test is of whole vectors again */
    size_t rest = 0, kept = 0;
    for (size_t from = 0; from < count; from += HULL_BOX) {
        const size_t n = count - from < HULL_BOX ? count - from : HULL_BOX;
        if (holds_box(f, x + from, y + from, n)) continue;
        if (rest + n > HULL_BATCH) kept += keys_outside(f, rest_x, rest_y, rest, keys + kept), rest = 0;
        rest += copy_outside(f, x + from, y + from, n, rest_x + rest, rest_y + rest);
    }
    return kept + keys_outside(f, rest_x, rest_y, rest, keys + kept);
}

/* ----- the hull -------------------------------------------------------------------------------- */

size_t clump_hull_scratch_bytes(size_t count)
{
    return (2 * count + 1) * sizeof(uint64_t);
}

/* Drops more candidates, by a polygon of extremes of all of them. Returns how many are left. */
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
    const double width = (double)right - left, height = (double)top - bottom;
    if (!has_room(width, height)) return candidates;
    clump_hull_filter f;
    f.x0 = x[0], f.y0 = y[0], f.coarse.count = 0;
    hull_chain chain = find_octagon(x, y, candidates);
    for (int k = 0; k < HULL_ROUNDS; k++) refine_chain(x, y, candidates, &chain);
    find_half_planes(&chain, width, height, &f, &f.fine);
    return clump_hull_keys(&f, x, y, candidates, keys);
}

size_t clump_hull_of_keys(uint64_t *keys, size_t candidates, uint64_t *scratch, clump_team *team, const clump_xy **hull)
{
    CLUMP_ASSERT(candidates > 0);
    if (candidates >= HULL_AGAIN_FROM) candidates = drop_again(keys, candidates, (float *)scratch);
    sort_keys(keys, scratch, candidates, team);
    if (is_stopped(team)) candidates = 1;
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
    clump_hull_filter f;
    clump_hull_find_filter(x, y, count, (double)right - left, (double)top - bottom, &f);
    return clump_hull_of_keys(keys, clump_hull_keys(&f, x, y, count, keys), keys + count, NULL, hull);
}
