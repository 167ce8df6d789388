/* SPDX-License-Identifier: BSD-3-Clause
 *
 * near.c: see near.h. All pairs is quadratic when there is no neighbour to be found, as between two
 * crowded walls a little more than d apart. So crowds go through two sieves first:
 *
 *   boxes       are the tight boxes of the two sets closer than d?
 *   projection  along u, from the middle of one set to the middle of the other: a pair closer than d
 *               is closer than d along any u, so only points within d of the other set's extreme
 *               can have a neighbour there.
 *
 *          a a a        |         b b b
 *         a a a a[a a] -|- d --> [b]b b b          in brackets: what is left
 *          a a a        |         b b
 *
 * What is left is tried in all pairs when it is little, else the larger set is cut in half across
 * its longest side and both halves start over.
 *
 * The sieves compute in float relative to a point of the sets, where all coordinates are at most a
 * few d (cells within reach of each other), so they are off by less than 2^-20 d; they let
 * everything pass that is closer than d (1 + 2^-16). Only the all-pairs test says yes.
 */
#include "cpu/near.h"

#include "common/simd.h"
#include "rules/distance.h"

#include <math.h>
#include <string.h>

#define FEW      1024 /* pairs not worth a sieve */
#define SLACK    (1 + 0x1p-16f)

static bool one_near(clump_point p, const clump_point *b, size_t nb, float bound)
{
    size_t i = 0;
    if (nb >= 4) {
        const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z), limit = clump_f4_set(bound);
        for (;;) {
            clump_f4 x, y, z;
            clump_f4_load_points(&b[i].x, &x, &y, &z);
            x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
            const clump_f4 d2 = clump_f4_add(clump_f4_add(clump_f4_mul(x, x), clump_f4_mul(y, y)), clump_f4_mul(z, z));
            if (clump_f4_any_less(d2, limit)) return true;
            if (i + 4 == nb) return false;
            i = i + 8 <= nb ? i + 4 : nb - 4; /* the last four may overlap those before */
        }
    }
    for (; i < nb; i++)
        if (clump_distance_squared(p.x, p.y, p.z, b[i].x, b[i].y, b[i].z) < bound) return true;
    return false;
}

static bool all_pairs(const clump_point *a, size_t na, const clump_point *b, size_t nb, float bound)
{
    if (na > nb) { /* the long one is the vector */
        for (size_t i = 0; i < nb; i++)
            if (one_near(b[i], a, na, bound)) return true;
    } else {
        for (size_t i = 0; i < na; i++)
            if (one_near(a[i], b, nb, bound)) return true;
    }
    return false;
}

typedef struct box {
    float lower[3], upper[3];
} box;

/* n >= 1 */
static box box_of(const clump_point *p, size_t n)
{
    box r = {{p->x, p->y, p->z}, {p->x, p->y, p->z}};
    size_t i = 0;
    if (n >= 4) {
        clump_f4 lx, ly, lz, hx, hy, hz;
        clump_f4_load_points(&p->x, &lx, &ly, &lz);
        hx = lx, hy = ly, hz = lz;
        for (i = 4; i + 4 <= n; i += 4) {
            clump_f4 x, y, z;
            clump_f4_load_points(&p[i].x, &x, &y, &z);
            lx = clump_f4_min(lx, x), ly = clump_f4_min(ly, y), lz = clump_f4_min(lz, z);
            hx = clump_f4_max(hx, x), hy = clump_f4_max(hy, y), hz = clump_f4_max(hz, z);
        }
        r = (box){{clump_f4_lowest(lx), clump_f4_lowest(ly), clump_f4_lowest(lz)},
                  {clump_f4_highest(hx), clump_f4_highest(hy), clump_f4_highest(hz)}};
    }
    for (; i < n; i++) {
        const float c[3] = {p[i].x, p[i].y, p[i].z};
        for (int k = 0; k < 3; k++) {
            r.lower[k] = c[k] < r.lower[k] ? c[k] : r.lower[k];
            r.upper[k] = c[k] > r.upper[k] ? c[k] : r.upper[k];
        }
    }
    return r;
}

static bool boxes_near(const box *a, const box *b, float d)
{
    float sum = 0;
    for (int k = 0; k < 3; k++) {
        const float up = b->lower[k] - a->upper[k], down = a->lower[k] - b->upper[k];
        const float gap = up > down ? up : down;
        if (gap > 0) sum += gap * gap;
    }
    return sum < d * d * SLACK;
}

/* A direction of length 1 and a point to measure from. */
typedef struct axis {
    float ox, oy, oz, ux, uy, uz;
} axis;

static float along(const axis *u, clump_point p)
{
    return (p.x - u->ox) * u->ux + (p.y - u->oy) * u->uy + (p.z - u->oz) * u->uz;
}

/* The furthest along u (sign 1) or against it (sign -1), n >= 1. */
static float extreme(const axis *u, const clump_point *p, size_t n, float sign)
{
    const float ux = sign * u->ux, uy = sign * u->uy, uz = sign * u->uz;
    float best = sign * along(u, p[0]);
    size_t i = 0;
    if (n >= 4) {
        const clump_f4 vx = clump_f4_set(ux), vy = clump_f4_set(uy), vz = clump_f4_set(uz);
        const clump_f4 ox = clump_f4_set(u->ox), oy = clump_f4_set(u->oy), oz = clump_f4_set(u->oz);
        clump_f4 most = clump_f4_set(best);
        for (; i + 4 <= n; i += 4) {
            clump_f4 x, y, z;
            clump_f4_load_points(&p[i].x, &x, &y, &z);
            x = clump_f4_mul(clump_f4_sub(x, ox), vx);
            y = clump_f4_mul(clump_f4_sub(y, oy), vy);
            z = clump_f4_mul(clump_f4_sub(z, oz), vz);
            most = clump_f4_max(most, clump_f4_add(clump_f4_add(x, y), z));
        }
        best = clump_f4_highest(most);
    }
    for (; i < n; i++) {
        const float t = sign * along(u, p[i]);
        best = t > best ? t : best;
    }
    return sign * best;
}

/* Points beyond the limit along u are kept, in front; returns how many. */
static size_t keep(const axis *u, clump_point *p, size_t n, float sign, float limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const clump_point q = p[i];
        if (sign * along(u, q) > sign * limit) {
            p[i] = p[kept];
            p[kept++] = q;
        }
    }
    return kept;
}

static axis axis_between(const box *a, const box *b)
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

/* Cuts the set in two across the longest side of its box; the number in the first part, never 0 or n. */
static size_t cut(clump_point *p, size_t n, const box *of)
{
    int side = 0;
    for (int k = 1; k < 3; k++)
        if (of->upper[k] - of->lower[k] > of->upper[side] - of->lower[side]) side = k;
    const float middle = of->lower[side] + (of->upper[side] - of->lower[side]) / 2;
    size_t low = 0;
    for (size_t i = 0; i < n; i++) {
        const clump_point q = p[i];
        const float c = side == 0 ? q.x : side == 1 ? q.y : q.z;
        if (c <= middle && c < of->upper[side]) {
            p[i] = p[low];
            p[low++] = q;
        }
    }
    return low;
}

static float longest_side(const box *b)
{
    return fmaxf(b->upper[0] - b->lower[0], fmaxf(b->upper[1] - b->lower[1], b->upper[2] - b->lower[2]));
}

/* Reorders a and b. Deep only in the halvings of a box, which end when all its points are equal. */
static bool sieve(clump_point *a, size_t na, clump_point *b, size_t nb, float d, float bound)
{
    for (;;) {
        const box box_a = box_of(a, na), box_b = box_of(b, nb);
        if (!boxes_near(&box_a, &box_b, d)) return false;
        if (na * nb <= FEW) return all_pairs(a, na, b, nb, bound);
        const float side_a = longest_side(&box_a), side_b = longest_side(&box_b);
        if (side_a == 0) na = 1; /* copies of one point */
        if (side_b == 0) nb = 1;
        if (na * nb <= FEW) return all_pairs(a, na, b, nb, bound);

        const axis u = axis_between(&box_a, &box_b);
        const float top_a = extreme(&u, a, na, 1), low_b = extreme(&u, b, nb, -1);
        const float reach = d * SLACK;
        const size_t all_a = na, all_b = nb;
        na = keep(&u, a, na, 1, low_b - reach);
        nb = keep(&u, b, nb, -1, top_a + reach);
        if (na == 0 || nb == 0) return false;
        if (na * nb <= FEW) return all_pairs(a, na, b, nb, bound);
        if (na + nb < (all_a + all_b) / 2) continue; /* the sieve works: once more with the new boxes */

        if (side_a >= side_b) {
            const size_t low = cut(a, na, &box_a);
            if (low == 0 || low == na) continue;
            if (sieve(a, low, b, nb, d, bound)) return true;
            a += low, na -= low;
        } else {
            const size_t low = cut(b, nb, &box_b);
            if (low == 0 || low == nb) continue;
            if (sieve(a, na, b, low, d, bound)) return true;
            b += low, nb -= low;
        }
    }
}

bool clump_any_near(const clump_point *a, size_t na, const clump_point *b, size_t nb, float d, float bound,
                    clump_near_scratch scratch)
{
    if (na * nb <= FEW || na + nb > scratch.room) return all_pairs(a, na, b, nb, bound);
    const box box_a = box_of(a, na), box_b = box_of(b, nb);
    if (!boxes_near(&box_a, &box_b, d)) return false;
    clump_point *const copy_a = scratch.points, *const copy_b = scratch.points + na;
    memcpy(copy_a, a, na * sizeof *a);
    memcpy(copy_b, b, nb * sizeof *b);
    return sieve(copy_a, na, copy_b, nb, d, bound);
}
