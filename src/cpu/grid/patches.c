/* SPDX-License-Identifier: BSD-3-Clause
 *
 * patches.c: see patches.h. Two dense sets go through tests, coarse to fine, until few pairs are left to try:
 *
 *   boxes       are the tight boxes of the two sets, then of two patches, closer than d?
 *   discs       a patch of a wall is flat: it lies in a disc of some radius and little thickness.
 *               Project both discs on the line between their middles, or on a normal; is the gap < d?
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

#define PATCHES_FEW_PAIRS       1024           /* up to this many pairs, all pairs are tested directly */
#define PATCHES_PAIRS_PER_POINT 64             /* pairs that patches may test; the sieve costs about this much */
#define PATCHES_SLACK           (1 + 0x1p-16f) /* follows from the rounding above */
#define PATCHES_SIDE            8              /* patches along a side of a dense set's box, at most */

/* The `end` of a head: a number of patches, or what has been done so far. */
#define PATCHES_BOX         0                /* the box is there */
#define PATCHES_DISC_WANTED (UINT32_MAX - 2) /* the disc is still to be made */
#define PATCHES_DISC        (UINT32_MAX - 1) /* box and disc are there */
#define PATCHES_WANTED      UINT32_MAX       /* the patches are still to be made */

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

/* Returns the axis from the middle of one box to the middle of another. u is 0 where the middles are one point. */
static clump_axis axis_between(const clump_box *a, const clump_box *b)
{
    float v[3], length = 0;
    clump_axis r;
    for (int k = 0; k < 3; k++) {
        r.o[k] = a->lower[k] + (a->upper[k] - a->lower[k]) / 2;
        v[k] = b->lower[k] + (b->upper[k] - b->lower[k]) / 2 - r.o[k];
    }
    /* scaled, so that the squares of a tiny d do not underflow */
    const float largest = fmaxf(fabsf(v[0]), fmaxf(fabsf(v[1]), fabsf(v[2])));
    for (int k = 0; k < 3; k++) v[k] = largest > 0 ? v[k] / largest : 0, length += v[k] * v[k];
    length = length > 0 ? sqrtf(length) : 1;
    for (int k = 0; k < 3; k++) r.u[k] = v[k] / length;
    return r;
}

/* ----- patches ------------------------------------------------------------------------------------ */

/* A patch, or a whole set. */
typedef struct patch {
    clump_box bounds;
    clump_disc flat;
    const clump_point *points;
    size_t count;
} patch;

/* Write a patch into four entries. begin and end count from the first entry of the set. The head is a patch of all
 * points, with the number of patches as its end. */
static void put_box(clump_point *at, clump_box b, size_t begin, size_t end)
{
    at[0] = (clump_point){b.lower[0], b.lower[1], b.lower[2], (uint32_t)begin};
    at[1] = (clump_point){b.upper[0], b.upper[1], b.upper[2], (uint32_t)end};
}

static void put_disc(clump_point *at, clump_disc f)
{
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

static clump_disc get_disc(const clump_point *at)
{
    return (clump_disc){{at[2].x, at[2].y, at[2].z},
                        {at[3].x, at[3].y, at[3].z},
                        clump_float_of_bits(at[2].more),
                        clump_float_of_bits(at[3].more)};
}

static const clump_point *points_of(const clump_point *set, size_t n)
{
    return set + clump_dense_offset(n);
}

void clump_dense_box(clump_point *entries, size_t n)
{
    CLUMP_ASSERT(n >= CLUMP_DENSE);
    put_box(entries, clump_box_of(points_of(entries, n), n), 0, PATCHES_BOX);
}

/* Marks the dense ones of two sets. */
static void mark_dense(clump_point *a, size_t na, clump_point *b, size_t nb, uint32_t mark)
{
    if (na >= CLUMP_DENSE) CLUMP_STORE(&a[1].more, mark);
    if (nb >= CLUMP_DENSE) CLUMP_STORE(&b[1].more, mark);
}

/* Whether at least one of two sets is dense, and their boxes are closer than d. */
static bool dense_and_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d)
{
    if (na < CLUMP_DENSE && nb < CLUMP_DENSE) return false;
    const clump_box box_a = box_of_set(a, na), box_b = box_of_set(b, nb);
    return boxes_near(&box_a, &box_b, d);
}

void clump_dense_want_discs(clump_point *a, size_t na, clump_point *b, size_t nb, float d)
{
    if (dense_and_near(a, na, b, nb, d)) mark_dense(a, na, b, nb, PATCHES_DISC_WANTED);
}

void clump_dense_make_disc(clump_point *entries, size_t n)
{
    CLUMP_ASSERT(n >= CLUMP_DENSE);
    if (entries[1].more != PATCHES_DISC_WANTED) return;
    const clump_box b = get_box(entries);
    put_disc(entries, clump_disc_of(points_of(entries, n), n, &b));
    entries[1].more = PATCHES_DISC;
}

static clump_disc disc_of_set(const clump_point *set, size_t n)
{
    if (n >= CLUMP_DENSE) return get_disc(set);
    const clump_box b = clump_box_of(set, n);
    return clump_disc_of(set, n, &b);
}

void clump_dense_want_patches(clump_point *a, size_t na, clump_point *b, size_t nb, float d)
{
    if (!dense_and_near(a, na, b, nb, d)) return;
    const clump_disc disc_a = disc_of_set(a, na), disc_b = disc_of_set(b, nb);
    if (!clump_discs_near(&disc_a, &disc_b, d)) return;
    if (clump_walls_apart(points_of(a, na), na, points_of(b, nb), nb, d)) return;
    mark_dense(a, na, b, nb, PATCHES_WANTED);
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

    entries[1].more = (uint32_t)patches;
    clump_point *at = entries + 4;
    size_t from = 0;
    for (unsigned c = 0; c < cells; c++) { /* begin[c] is the end of cell c by now */
        const size_t to = begin[c], offset = (size_t)(points - entries);
        if (to == from) continue;
        const clump_box b = clump_box_of(points + from, to - from);
        put_box(at, b, offset + from, offset + to);
        put_disc(at, clump_disc_of(points + from, to - from, &b));
        at += 4;
        from = to;
    }
}

/* Whether two patches hold a pair of neighbours: by projection, then by all pairs. */
static bool patches_near(const patch *a, const patch *b, float d, float bound, size_t *cost)
{
    if (a->count * b->count > 4 * (a->count + b->count)) { /* else all pairs are as quick */
        const clump_axis u = axis_between(&a->bounds, &b->bounds);
        const float gap =
            clump_extent_along(&u, b->points, b->count).low - clump_extent_along(&u, a->points, a->count).high;
        if (gap > d * PATCHES_SLACK) return false;
    }
    *cost += a->count * b->count;
    return clump_all_pairs(a->points, a->count, b->points, b->count, bound);
}

static patch whole_set(const clump_point *set, size_t n)
{
    if (n >= CLUMP_DENSE) return (patch){get_box(set), get_disc(set), set + clump_dense_offset(n), n};
    const clump_box b = clump_box_of(set, n);
    return (patch){b, clump_disc_of(set, n, &b), set, n};
}

/* Whether the ball around a set is far from all points of another set. The radius was computed in float: hence 2^-20. */
static bool ball_far(const patch *points, const patch *ball, float bound)
{
    return clump_ball_far(points->points, points->count, ball->flat.middle, ball->flat.radius * (1 + 0x1p-20f), bound);
}

/* Whether a set is dense and has no patches. */
static bool lacks_patches(const clump_point *set, size_t n)
{
    CLUMP_ASSERT(n < CLUMP_DENSE || (set[1].more != PATCHES_DISC_WANTED && set[1].more != PATCHES_WANTED));
    return n >= CLUMP_DENSE && (set[1].more == PATCHES_BOX || set[1].more == PATCHES_DISC);
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
    const clump_disc f = get_disc(entry);
    if (!clump_discs_near(&f, &other->flat, d)) return false;
    *out = (patch){b, f, set + entry[0].more, entry[1].more - entry[0].more};
    return true;
}

/* Tests pairs of patches until one holds a pair of neighbours. Stops as undecided before it would test more than `most`
 * pairs of points. */
static bool search_patches(const clump_point *a, const patch *all_a, const clump_point *b, const patch *all_b, float d,
                           float bound, clump_team *team, size_t most, bool *undecided, size_t *cost)
{
    uint16_t facing[PATCHES_SIDE * PATCHES_SIDE * PATCHES_SIDE]; /* patches of b that are near a at all */
    size_t count = 0;
    patch p, q;
    for (size_t j = 0; j < patch_count(b, all_b->count); j++)
        if (get_patch_if_near(b, all_b, j, all_a, d, &q)) facing[count++] = (uint16_t)j;
    for (size_t i = 0; count > 0 && i < patch_count(a, all_a->count); i++) {
        if (!get_patch_if_near(a, all_a, i, all_b, d, &p)) continue;
        if (team && clump_team_stopped(team)) return false;
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
                             clump_point *scratch, clump_team *team, size_t *cost)
{
    *cost = na * nb;
    if (na < CLUMP_DENSE && nb < CLUMP_DENSE && na * nb <= PATCHES_FEW_PAIRS)
        return clump_all_pairs(a, na, b, nb, bound);
    *cost = 0;
    const clump_box box_a = box_of_set(a, na), box_b = box_of_set(b, nb);
    if (!boxes_near(&box_a, &box_b, d)) return false;
    if (lacks_patches(a, na) || lacks_patches(b, nb)) return false; /* want_patches has decided all pairs of that set */
    if (clump_walls_apart(points_of(a, na), na, points_of(b, nb), nb, d)) return false;
    const patch all_a = whole_set(a, na), all_b = whole_set(b, nb);
    if (!clump_discs_near(&all_a.flat, &all_b.flat, d)) return false;
    if (all_a.count < all_b.count ? ball_far(&all_a, &all_b, bound) : ball_far(&all_b, &all_a, bound)) return false;
    bool undecided = false;
    if (search_patches(a, &all_a, b, &all_b, d, bound, team, PATCHES_PAIRS_PER_POINT * (na + nb), &undecided, cost))
        return true;
    if (!undecided) return false;
    memcpy(scratch, all_a.points, na * sizeof *scratch);
    memcpy(scratch + na, all_b.points, nb * sizeof *scratch);
    return clump_sieve_any(scratch, na, scratch + na, nb, bound, team, cost);
}
