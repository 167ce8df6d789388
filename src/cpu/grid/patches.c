/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patches.c: see patches.h. Two dense sets go through tests, coarse to fine, until few pairs are left to try:
 *
 *   boxes       are the tight boxes of the two sets, then of two patches, closer than d?
 *   discs       a patch of a wall is flat: it lies in a disc of some radius and little thickness.
 *               Project both discs on the line between their middles and subtract both from its length; is the rest < d?
 *   projection  along u, from the middle of one patch to the middle of the other: a pair closer than
 *               d is closer than d along any u, so if the nearest extremes are at least d apart there is none. This
 *               separates two curved walls whose boxes overlap:
 *
 *          a a a        |         b b b
 *         a a a a a  a -|- d --->  b b b b
 *          a a a        |         b b
 *
 * Pairs of patches that pass are tested point by point. Where the tests exceed PATCHES_PAIRS_PER_POINT, the sieve (sieve.h)
 * decides instead. It costs more per point, but its cost is not quadratic for two walls a little more than d apart.
 *
 * Rounding. The tests compute in float, with differences between coordinates or to the middle of a box. The sets are at most a
 * few d apart (cells within reach), so such differences are exact or nearly so, wherever the sets lie. Results are off
 * by less than 2^-20 d. The tests pass everything closer than d (1 + 2^-17): the box test has its slack of 2^-16 on the square. Only pairs of points say yes.
 */
#include "cpu/grid/patches.h"

#include "common/atomics.h"
#include "common/bits.h"
#include "common/simd.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The slack follows from the rounding above. The other values were not tuned. */
#define PATCHES_FEW_PAIRS       1024 /* up to this many pairs, all pairs are tested directly */
#define PATCHES_PAIRS_PER_POINT 64   /* pairs that patches may test; the sieve costs about this much */
#define PATCHES_SLACK           (1 + 0x1p-16f)
#define PATCHES_SIDE            8          /* patches along a side of a dense set's box, at most */
#define PATCHES_WANTED          UINT32_MAX /* as `end` of a head: the patches are still to be made */

static bool boxes_near(const clump_box *a, const clump_box *b, float d)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        const float up = b->lower[k] - a->upper[k], down = a->lower[k] - b->upper[k];
        const float gap = up > down ? up : down;
        if (gap > 0) sum += gap * gap;
    }
    return sum < d * d * PATCHES_SLACK;
}

/* A direction of length 1 and a point to measure from. */
typedef struct axis {
    float ox, oy, oz, ux, uy, uz;
} axis;

static float along(const axis *u, clump_point p)
{
    return (p.x - u->ox) * u->ux + (p.y - u->oy) * u->uy + (p.z - u->oz) * u->uz;
}

/* Returns the largest (sign 1) or smallest (sign -1) coordinate along u of n >= 1 points. */
static float extreme(const axis *u, const clump_point *p, size_t n, float sign)
{
    const float ux = sign * u->ux, uy = sign * u->uy, uz = sign * u->uz;
    float best = sign * along(u, p[0]);
    size_t i = 0;
    if (n >= 4) {
        const float origin[3] = {u->ox, u->oy, u->oz};
        const clump_f4_axis signed_axis = clump_f4_axis_set(origin, ux, uy, uz);
        clump_f4 most = clump_f4_set(best);
        for (; i + 4 <= n; i += 4) most = clump_f4_max(most, clump_f4_project(signed_axis, &p[i].x));
        best = clump_f4_highest(most);
    }
    for (; i < n; i++) {
        const float t = sign * along(u, p[i]);
        best = t > best ? t : best;
    }
    return sign * best;
}

static axis axis_between(const clump_box *a, const clump_box *b)
{
    float c[3], v[3], length = 0;
    for (int k = 0; k < 3; k++) {
        c[k] = a->lower[k] + (a->upper[k] - a->lower[k]) / 2;
        v[k] = b->lower[k] + (b->upper[k] - b->lower[k]) / 2 - c[k];
    }
    /* scaled, so that the squares of a tiny d do not underflow */
    const float largest = fmaxf(fabsf(v[0]), fmaxf(fabsf(v[1]), fabsf(v[2])));
    if (!(largest > 0)) return (axis){c[0], c[1], c[2], 0, 0, 0};
    for (int k = 0; k < 3; k++) v[k] /= largest, length += v[k] * v[k];
    length = sqrtf(length);
    return (axis){c[0], c[1], c[2], v[0] / length, v[1] / length, v[2] / length};
}

/* ----- discs and patches ------------------------------------------------------------------------- */

/* All points are within `radius` of `middle`, and within `half` of the plane through `middle` with the normal n. n has
 * length 1, or 0 where no normal was found. A bad normal only makes `half` large. */
typedef struct disc {
    float middle[3], n[3];
    float radius, half;
} disc;

/* The normal of the points: the rows of their covariance span the wall, so the cross product of two rows is normal. */
static void normal_of(const clump_point *p, size_t n, const float *c, float *normal)
{
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    for (size_t i = 0; i < n; i++) {
        const float x = p[i].x - c[0], y = p[i].y - c[1], z = p[i].z - c[2];
        xx += x * x, xy += x * y, xz += x * z, yy += y * y, yz += y * z, zz += z * z;
    }
    const float scale = 1 / fmaxf(xx + yy + zz, FLT_MIN);
    const float row[3][3] = {{xx * scale, xy * scale, xz * scale},
                             {xy * scale, yy * scale, yz * scale},
                             {xz * scale, yz * scale, zz * scale}};
    float best = 0x1p-100f; /* below it a square has too few bits for a length of 1: no normal */
    normal[0] = normal[1] = normal[2] = 0;
    for (int i = 0; i < 3; i++) {
        const float *const a = row[i], *const b = row[(i + 1) % 3];
        const float v[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
        const float length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        if (!(length > best)) continue;
        best = length;
        const float inverse = 1 / sqrtf(length);
        for (int k = 0; k < 3; k++) normal[k] = v[k] * inverse;
    }
}

static disc disc_of(const clump_point *p, size_t n, const clump_box *of)
{
    disc r;
    for (int k = 0; k < 3; k++) r.middle[k] = of->lower[k] + (of->upper[k] - of->lower[k]) / 2;
    normal_of(p, n, r.middle, r.n);
    const axis u = {r.middle[0], r.middle[1], r.middle[2], r.n[0], r.n[1], r.n[2]};
    const float low = extreme(&u, p, n, -1), high = extreme(&u, p, n, 1);
    /* Far from the origin the middle moves to the nearest float, not exactly as far as asked: what counts is how far it
     * moved. */
    float moved = 0;
    for (int k = 0; k < 3; k++) {
        const float from = r.middle[k];
        r.middle[k] += r.n[k] * (low + high) / 2;
        moved += (r.middle[k] - from) * r.n[k];
    }
    r.half = fmaxf(high - moved, moved - low);
    float most = 0;
    for (size_t i = 0; i < n; i++) {
        const float x = p[i].x - r.middle[0], y = p[i].y - r.middle[1], z = p[i].z - r.middle[2];
        most = fmaxf(most, x * x + y * y + z * z);
    }
    /* Squares of a tiny d lose bits, and a radius must not be too small: then a bound from the box. */
    r.radius = most > 0x1p-100f ? sqrtf(most) : r.half;
    for (int k = 0; k < 3 && most <= 0x1p-100f; k++) r.radius += of->upper[k] - of->lower[k];
    return r;
}

static bool discs_near(const disc *a, const disc *b, float d)
{
    float v[3], square = 0, across_a = 0, across_b = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = b->middle[k] - a->middle[k];
        square += v[k] * v[k];
        across_a += v[k] * a->n[k];
        across_b += v[k] * b->n[k];
    }
    if (!(square > FLT_MIN) || !(square < FLT_MAX)) return true;
    /* A disc extends along v by radius * sine of the angle between v and n, plus half its thickness. The square of the sine is
     * off by up to 2^-20, which matters where it is small. */
    const float length = sqrtf(square), inverse = 1 / square;
    const float take_a = a->radius * sqrtf(fmaxf(0, 1 - across_a * across_a * inverse) + 0x1p-20f) + a->half;
    const float take_b = b->radius * sqrtf(fmaxf(0, 1 - across_b * across_b * inverse) + 0x1p-20f) + b->half;
    return length * (1 - 0x1p-16f) - (take_a + take_b) * PATCHES_SLACK < d * PATCHES_SLACK;
}

/* A patch, or a whole set. */
typedef struct patch {
    clump_box bounds;
    disc flat;
    const clump_point *points;
    size_t count;
} patch;

/* Writes a patch into four entries. begin and end count from the first entry of the set. The head is a patch of all
 * points, with the number of patches as its end. */
static void put_patch(clump_point *at, const clump_point *points, size_t count, size_t begin, size_t end)
{
    const clump_box b = clump_box_of(points, count);
    const disc f = disc_of(points, count, &b);
    at[0] = (clump_point){b.lower[0], b.lower[1], b.lower[2], (uint32_t)begin};
    at[1] = (clump_point){b.upper[0], b.upper[1], b.upper[2], (uint32_t)end};
    at[2] = (clump_point){f.middle[0], f.middle[1], f.middle[2], clump_float_bits(f.radius)};
    at[3] = (clump_point){f.n[0], f.n[1], f.n[2], clump_float_bits(f.half)};
}

static clump_box get_box(const clump_point *at)
{
    return (clump_box){{at[0].x, at[0].y, at[0].z}, {at[1].x, at[1].y, at[1].z}};
}

static clump_box box_of_set(const clump_point *set, size_t n)
{
    return n < CLUMP_DENSE ? clump_box_of(set, n) : get_box(set);
}

static disc get_disc(const clump_point *at)
{
    return (disc){{at[2].x, at[2].y, at[2].z},
                  {at[3].x, at[3].y, at[3].z},
                  clump_float_of_bits(at[2].more),
                  clump_float_of_bits(at[3].more)};
}

void clump_dense_box(clump_point *entries, size_t n)
{
    CLUMP_ASSERT(n >= CLUMP_DENSE);
    const clump_box b = clump_box_of(entries + clump_dense_offset(n), n);
    entries[0] = (clump_point){b.lower[0], b.lower[1], b.lower[2], 0};
    entries[1] = (clump_point){b.upper[0], b.upper[1], b.upper[2], 0};
}

void clump_dense_want_patches(clump_point *a, size_t na, clump_point *b, size_t nb, float d)
{
    if (na < CLUMP_DENSE && nb < CLUMP_DENSE) return;
    const clump_box box_a = box_of_set(a, na), box_b = box_of_set(b, nb);
    if (!boxes_near(&box_a, &box_b, d)) return;
    if (na >= CLUMP_DENSE) CLUMP_STORE(&a[1].more, PATCHES_WANTED);
    if (nb >= CLUMP_DENSE) CLUMP_STORE(&b[1].more, PATCHES_WANTED);
}

/* The number of the cell of a side x side x side grid over the box that p is in. */
static unsigned patch_of(clump_point p, const clump_box *of, const float *scale, unsigned side)
{
    const float c[3] = {p.x, p.y, p.z};
    unsigned index = 0;
    for (int k = 2; k >= 0; k--) {
        unsigned i = (unsigned)((c[k] - of->lower[k]) * scale[k]);
        if (i >= side) i = side - 1;
        index = index * side + i;
    }
    return index;
}

void clump_dense_make_patches(clump_point *entries, size_t n, clump_point *scratch)
{
    if (entries[1].more != PATCHES_WANTED) return;
    CLUMP_ASSERT(n >= CLUMP_DENSE);
    const size_t room = n / CLUMP_PATCH_POINTS; /* patches: see clump_dense_entries */
    clump_point *const points = entries + clump_dense_offset(n);
    const clump_box all = get_box(entries);
    uint32_t begin[PATCHES_SIDE * PATCHES_SIDE * PATCHES_SIDE + 1];
    unsigned side = PATCHES_SIDE, cells;
    float scale[3];
    size_t patches;
    for (;; side--) { /* ends: one patch always fits */
        cells = side * side * side;
        for (int k = 0; k < 3; k++) {
            const float extent = all.upper[k] - all.lower[k];
            scale[k] = extent > 0 ? fminf((float)side / extent, FLT_MAX) : 0;
        }
        memset(begin, 0, (cells + 1) * sizeof *begin);
        for (size_t i = 0; i < n; i++) begin[patch_of(points[i], &all, scale, side) + 1]++;
        patches = 0;
        for (unsigned c = 0; c < cells; c++) patches += begin[c + 1] != 0;
        if (patches <= room) break;
    }
    for (unsigned c = 0; c < cells; c++) begin[c + 1] += begin[c];
    for (size_t i = 0; i < n; i++) scratch[begin[patch_of(points[i], &all, scale, side)]++] = points[i];
    memcpy(points, scratch, n * sizeof *points);

    put_patch(entries, points, n, 0, patches);
    clump_point *at = entries + 4;
    size_t from = 0;
    for (unsigned c = 0; c < cells; c++) { /* begin[c] is the end of cell c by now */
        const size_t to = begin[c], offset = (size_t)(points - entries);
        if (to == from) continue;
        put_patch(at, points + from, to - from, offset + from, offset + to);
        at += 4;
        from = to;
    }
}

/* Whether two patches hold a pair of neighbours: by projection, then by all pairs. */
static bool patches_near(const patch *a, const patch *b, float d, float bound, size_t *cost)
{
    if (a->count * b->count > 4 * (a->count + b->count)) { /* else all pairs are as quick */
        const axis u = axis_between(&a->bounds, &b->bounds);
        const float gap = extreme(&u, b->points, b->count, -1) - extreme(&u, a->points, a->count, 1);
        if (gap > d * PATCHES_SLACK) return false;
    }
    *cost += a->count * b->count;
    return clump_all_pairs(a->points, a->count, b->points, b->count, bound);
}

static patch whole_set(const clump_point *set, size_t n)
{
    if (n >= CLUMP_DENSE) return (patch){get_box(set), get_disc(set), set + clump_dense_offset(n), n};
    const clump_box b = clump_box_of(set, n);
    return (patch){b, disc_of(set, n, &b), set, n};
}

/* Whether the ball around a set is far from all points of another set. The radius was computed in float: hence 2^-20. */
static bool ball_far(const patch *points, const patch *ball, float bound)
{
    return clump_ball_far(points->points, points->count, ball->flat.middle, ball->flat.radius * (1 + 0x1p-20f), bound);
}

static size_t patch_count(const clump_point *set, size_t n)
{
    CLUMP_ASSERT(n < CLUMP_DENSE || (set[1].more >= 1 && set[1].more <= n / CLUMP_PATCH_POINTS));
    return n < CLUMP_DENSE ? 1 : set[1].more;
}

/* Reads patch i of a set into *out, unless box or disc show that it is far from another patch: then returns false. */
static bool get_patch_if_near(const clump_point *set, const patch *all, size_t i, const patch *other, float d,
                              patch *out)
{
    if (all->count < CLUMP_DENSE) {
        *out = *all;
        return true;
    }
    const clump_point *const entry = set + 4 + 4 * i;
    const clump_box b = get_box(entry);
    if (!boxes_near(&b, &other->bounds, d)) return false;
    const disc f = get_disc(entry);
    if (!discs_near(&f, &other->flat, d)) return false;
    *out = (patch){b, f, set + entry[0].more, entry[1].more - entry[0].more};
    return true;
}

/* Tests pairs of patches until one holds a pair of neighbours. Stops as undecided before it would test more than `most`
 * pairs of points. */
static bool search_patches(const clump_point *a, const patch *all_a, const clump_point *b, const patch *all_b, float d,
                           float bound, size_t most, bool *undecided, size_t *cost)
{
    uint16_t facing[PATCHES_SIDE * PATCHES_SIDE * PATCHES_SIDE]; /* patches of b that are near a at all */
    size_t count = 0;
    patch p, q;
    for (size_t j = 0; j < patch_count(b, all_b->count); j++)
        if (get_patch_if_near(b, all_b, j, all_a, d, &q)) facing[count++] = (uint16_t)j;
    for (size_t i = 0; count > 0 && i < patch_count(a, all_a->count); i++) {
        if (!get_patch_if_near(a, all_a, i, all_b, d, &p)) continue;
        for (size_t j = 0; j < count; j++) {
            if (!get_patch_if_near(b, all_b, facing[j], &p, d, &q)) continue;
            *undecided = *cost + p.count * q.count > most;
            if (*undecided) return false;
            if (patches_near(&p, &q, d, bound, cost)) return true;
        }
    }
    return false;
}

bool clump_sets_near_counted(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                             clump_point *scratch, size_t *cost)
{
    *cost = na * nb;
    if (na < CLUMP_DENSE && nb < CLUMP_DENSE && na * nb <= PATCHES_FEW_PAIRS)
        return clump_all_pairs(a, na, b, nb, bound);
    *cost = 0;
    const clump_box box_a = box_of_set(a, na), box_b = box_of_set(b, nb);
    if (!boxes_near(&box_a, &box_b, d)) return false; /* else want_patches has marked both sets */
    const patch all_a = whole_set(a, na), all_b = whole_set(b, nb);
    if (!discs_near(&all_a.flat, &all_b.flat, d)) return false;
    if (all_a.count < all_b.count ? ball_far(&all_a, &all_b, bound) : ball_far(&all_b, &all_a, bound)) return false;
    bool undecided = false;
    if (search_patches(a, &all_a, b, &all_b, d, bound, PATCHES_PAIRS_PER_POINT * (na + nb), &undecided, cost))
        return true;
    if (!undecided) return false;
    memcpy(scratch, all_a.points, na * sizeof *scratch);
    memcpy(scratch + na, all_b.points, nb * sizeof *scratch);
    return clump_sieve_any(scratch, na, scratch + na, nb, bound, cost);
}
