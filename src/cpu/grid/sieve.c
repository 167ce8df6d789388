/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sieve.c: see sieve.h. For sets A and B with centres a0, b0, and points a0 + s of A and b0 + t of B:
 *
 *     |a - b|^2  =  |a - b0|^2 + |b - a0|^2 - |a0 - b0|^2 - 2 s.t                                      (*)
 *                   depends on a  depends on b              the coupling
 *
 * The first terms need one number per point. Only the coupling needs both points, and it is small: it has no terms in
 * d. In a frame of three axes |s.t| <= sum |s_k| T_k, where T_k is half the extent of B. Three bounds follow for a point
 * against a whole set, each from below and from above:
 *
 *   box       the nearest and the furthest corner of the box in the frame      decides between flat walls
 *   ball      |a - b0| -/+ the radius of B                                     decides around a small set
 *   coupling  (*) with the least and the greatest |b - a0|^2                   decides around a line, and in general
 *
 * Points that a bound decides against the whole other set leave. Of the rest, one set is divided: by |a - b0|^2 where
 * its spread is larger than the coupling, as in a sort by distance; else across the axis with the largest coupling,
 * which halves it. The frame is that of the principal axes of A or of B. Any frame is correct; these make the coupling
 * small. A line and the circle around it have none.
 *
 * Why rounding cannot change an answer. u = 2^-24, D is the exact squared distance, d2 the one of distance.h.
 *   1. A float32 difference has a relative error of at most u; a difference that underflows is exact.
 *   2. A square has a relative error of at most u, or an absolute one of 2^-150; the two sums have u each.
 *   3. So D (1 - u)^5 - 3 * 2^-150 <= d2 <= (D + 3 * 2^-150) (1 + u)^5.
 *   4. D >= bound (1 + 5.5 u) + 2^-147 gives d2 >= bound: not neighbours.
 *      D <  bound (1 - 5.5 u) - 2^-147 gives d2 <  bound: neighbours.
 *   5. The bounds are computed in double from floats that are at most 8 d apart on an axis. Every term is below 2^10
 *      bound and takes fewer than 2^5 operations, so its error is below 2^(10 + 5 - 53) bound = 2^-38 bound. The axes come
 *      from fewer than 2^5 rotations and are orthonormal up to 2^-46, which adds less than 2^-35 bound. All of it is less
 *      than u / 2 bound = 2^-25 bound.
 *   6. So the limits are bound (1 +/- 6 u) +/- 2^-147, as below. A pair between them is tested as distance.h says.
 *
 * Costs. A level of division looks at each point once. Sets are divided until few points are left, or until coupling
 * and spread are below 2^-24 bound. What is left then are pairs within 6 u of the bound, which only distance.h can
 * decide. Two sets of which most pairs are such, in no box smaller than 2^-24 d, still cost the product of their sizes.
 */
#include "cpu/grid/sieve.h"

#include "common/bits.h"
#include "common/simd.h"

#include <math.h>

#define SIEVE_FEW_PAIRS 4096 /* pairs that are tested at once: a level of the sieve costs as much */
#define SIEVE_NARROW    8    /* a set of so few points is tested with all others; no comparison is on record */
#define SIEVE_SAMPLE    64   /* points that the axes of a set are computed from; no comparison is on record */

/* ----- all pairs --------------------------------------------------------------------------------- */

/* Whether some point of b has d2 < bound with p. */
static bool one_near(clump_point p, const clump_point *b, size_t nb, float bound)
{
    size_t i = 0;
    if (nb >= 4) {
        const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z),
                       limit = clump_f4_set(bound);
        for (;;) {
            clump_f4 x, y, z;
            clump_f4_load_points(&b[i].x, &x, &y, &z);
            x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
            const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
            if (clump_f4_any_less(d2, limit)) return true;
            if (i + 4 == nb) return false;
            i = i + 8 <= nb ? i + 4 : nb - 4; /* the last group may overlap the one before */
        }
    }
    for (; i < nb; i++)
        if (clump_distance_squared(p.x, p.y, p.z, b[i].x, b[i].y, b[i].z) < bound) return true;
    return false;
}

bool clump_all_pairs(const clump_point *a, size_t na, const clump_point *b, size_t nb, float bound)
{
    if (na > nb) { /* the vector loop goes over the longer set */
        for (size_t i = 0; i < nb; i++)
            if (one_near(b[i], a, na, bound)) return true;
    } else {
        for (size_t i = 0; i < na; i++)
            if (one_near(a[i], b, nb, bound)) return true;
    }
    return false;
}

/* Returns the number of points of b with d2 < bound to p. */
static size_t count_near(clump_point p, const clump_point *b, size_t nb, float bound)
{
    const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z), limit = clump_f4_set(bound);
    size_t near = 0, i = 0;
    for (; i + 4 <= nb; i += 4) {
        clump_f4 x, y, z;
        clump_f4_load_points(&b[i].x, &x, &y, &z);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
        near += clump_popcount(clump_f4_less(d2, limit));
    }
    for (; i < nb; i++) near += clump_distance_squared(p.x, p.y, p.z, b[i].x, b[i].y, b[i].z) < bound;
    return near;
}

/* ----- boxes and axes ---------------------------------------------------------------------------- */

clump_box clump_box_of(const clump_point *p, size_t n)
{
    CLUMP_ASSERT(n >= 1);
    clump_box r = {{p->x, p->y, p->z}, {p->x, p->y, p->z}};
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
        r = (clump_box){{clump_f4_lowest(lx), clump_f4_lowest(ly), clump_f4_lowest(lz)},
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

/* Three axes of length 1, normal to each other. */
typedef struct frame {
    double axis[3][3];
} frame;

/* Turns the matrix m and the axes in the plane i, j so that m[i][j] becomes 0 (Jacobi). */
static void turn_axes(double m[3][3], frame *f, int i, int j)
{
    if (!(fabs(m[i][j]) > 0x1p-60)) return;
    const double half = (m[j][j] - m[i][i]) / (2 * m[i][j]);
    const double t = (half < 0 ? -1 : 1) / (fabs(half) + sqrt(half * half + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) { /* columns */
        const double x = m[k][i], y = m[k][j];
        m[k][i] = c * x - s * y, m[k][j] = s * x + c * y;
    }
    for (int k = 0; k < 3; k++) { /* rows */
        const double x = m[i][k], y = m[j][k], p = f->axis[i][k], q = f->axis[j][k];
        m[i][k] = c * x - s * y, m[j][k] = s * x + c * y;
        f->axis[i][k] = c * p - s * q, f->axis[j][k] = s * p + c * q;
    }
}

/* ----- two sets in a frame ----------------------------------------------------------------------- */

typedef struct side {
    clump_point *p;
    size_t n;
    clump_box box;
    double centre[3]; /* the middle of the extents in the frame */
    double half[3];   /* half the extents in the frame */
    double away[3];   /* centre of the other to this centre, in the frame */
    double low, high; /* least and greatest squared distance to the centre of the other */
    double radius;    /* greatest distance to the own centre */
} side;

typedef struct sieve {
    float bound;
    double near_below, far_from; /* limits of step 6 */
    double fine;                 /* smaller spreads and couplings do not matter */
    uint32_t needed;
    uint32_t *near_count; /* null: one pair is enough */
    size_t cost;          /* points looked at and pairs tested */
} sieve;

/* Computes the coordinates s of a point in the frame, from a centre. */
static inline void in_frame(const frame *f, const double *centre, clump_point p, double *s)
{
    const double x = (double)p.x - centre[0], y = (double)p.y - centre[1], z = (double)p.z - centre[2];
    for (int k = 0; k < 3; k++) s[k] = f->axis[k][0] * x + f->axis[k][1] * y + f->axis[k][2] * z;
}

static void middle_of(const clump_box *box, double *centre)
{
    for (int k = 0; k < 3; k++) centre[k] = ((double)box->lower[k] + (double)box->upper[k]) / 2;
}

static size_t sample_step(const side *s)
{
    return s->n / SIEVE_SAMPLE + 1;
}

/* Returns the principal axes of a sample of about SIEVE_SAMPLE points. */
static frame principal_axes(const side *s)
{
    double centre[3];
    middle_of(&s->box, centre);
    double m[3][3] = {{0}}, mean[3] = {0}, scale = 0;
    const clump_point *const p = s->p;
    const size_t step = sample_step(s);
    size_t taken = 0;
    for (size_t i = 0; i < s->n; i += step, taken++) {
        const double x[3] = {(double)p[i].x - centre[0], (double)p[i].y - centre[1], (double)p[i].z - centre[2]};
        for (int k = 0; k < 3; k++) {
            mean[k] += x[k];
            for (int l = k; l < 3; l++) m[k][l] += x[k] * x[l];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int l = k; l < 3; l++) m[k][l] -= mean[k] * mean[l] / (double)taken;
    for (int k = 0; k < 3; k++) scale += m[k][k];
    frame f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!(scale > 0)) return f;
    for (int k = 0; k < 3; k++)
        for (int l = k; l < 3; l++) m[l][k] = m[k][l] /= scale;
    for (int sweep = 0; sweep < 6; sweep++) turn_axes(m, &f, 0, 1), turn_axes(m, &f, 0, 2), turn_axes(m, &f, 1, 2);
    return f;
}

/* Computes the extents of each step-th point in the frame, from a centre. */
static void find_extents(const frame *f, const side *s, const double *from, size_t step, double *low, double *high)
{
    in_frame(f, from, s->p[0], low);
    for (int k = 0; k < 3; k++) high[k] = low[k];
    for (size_t i = step; i < s->n; i += step) {
        double x[3];
        in_frame(f, from, s->p[i], x);
        for (int k = 0; k < 3; k++) {
            low[k] = x[k] < low[k] ? x[k] : low[k];
            high[k] = x[k] > high[k] ? x[k] : high[k];
        }
    }
}

/* Computes the centre of a set in a frame, and half its extents. */
static void place_in_frame(const frame *f, side *s, size_t step)
{
    double from[3], low[3], high[3];
    middle_of(&s->box, from);
    find_extents(f, s, from, step, low, high);
    for (int k = 0; k < 3; k++) {
        s->half[k] = (high[k] - low[k]) / 2;
        s->centre[k] = from[k];
        for (int l = 0; l < 3; l++) s->centre[k] += f->axis[l][k] * (low[l] + high[l]) / 2;
    }
}

static double coupling_of(const side *a, const side *b)
{
    return a->half[0] * b->half[0] + a->half[1] * b->half[1] + a->half[2] * b->half[2];
}

/* Returns the principal axes of a or of b: those that make the coupling smaller, by samples. */
static frame choose_frame(side *a, side *b)
{
    const frame of_a = principal_axes(a), of_b = principal_axes(b);
    place_in_frame(&of_a, a, sample_step(a)), place_in_frame(&of_a, b, sample_step(b));
    const double by_a = coupling_of(a, b);
    place_in_frame(&of_b, a, sample_step(a)), place_in_frame(&of_b, b, sample_step(b));
    return by_a < coupling_of(a, b) ? of_a : of_b;
}

static inline double square_of(const double *s)
{
    return s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
}

/* Returns the squared distance of p to the centre of the other set. own[] gets p in the frame, from its own centre. */
static inline double to_other(const frame *f, const side *s, clump_point p, double *own)
{
    in_frame(f, s->centre, p, own);
    const double w[3] = {own[0] + s->away[0], own[1] + s->away[1], own[2] + s->away[2]};
    return square_of(w);
}

/* Computes low, high and radius of a set. */
static void measure_distances(const frame *f, side *s)
{
    double own[3], most = 0;
    s->low = INFINITY, s->high = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double d2 = to_other(f, s, s->p[i], own), r2 = square_of(own);
        s->low = d2 < s->low ? d2 : s->low;
        s->high = d2 > s->high ? d2 : s->high;
        most = r2 > most ? r2 : most;
    }
    s->radius = sqrt(most);
}

/* ----- deciding a point against a set -------------------------------------------------------------- */

typedef struct limits {
    double between;            /* squared distance of the centres */
    double ball_in, ball_from; /* limits to the squared distance from the centre of the other */
} limits;

static limits limits_of(const sieve *s, const side *own, const side *other)
{
    const double in = sqrt(s->near_below) - other->radius, from = sqrt(s->far_from) + other->radius;
    return (limits){square_of(own->away), in > 0 ? in * in : 0, from * from};
}

/* Decides a point of `own` against the whole other set. */
static inline clump_verdict judge_point(const sieve *s, const frame *f, const side *own, const side *other,
                                        const limits *l, clump_point p)
{
    double x[3], gap = 0, far = 0, coupling = 0;
    const double d2 = to_other(f, own, p, x);
    if (d2 >= l->ball_from) return CLUMP_NONE_NEAR;
    if (d2 < l->ball_in) return CLUMP_ALL_NEAR;
    for (int k = 0; k < 3; k++) {
        const double w = fabs(x[k] + own->away[k]), h = other->half[k], g = w > h ? w - h : 0;
        gap += g * g;
        far += (w + h) * (w + h);
        coupling += fabs(x[k]) * h;
    }
    if (gap >= s->far_from || d2 + other->low - l->between - 2 * coupling >= s->far_from) return CLUMP_NONE_NEAR;
    if (far < s->near_below || d2 + other->high - l->between + 2 * coupling < s->near_below) return CLUMP_ALL_NEAR;
    return clump_box_verdict(p, &other->box, s->bound);
}

/* Removes the decided points of a: the others are moved to the front. Returns true if a pair is found and one is
 * enough. */
static bool filter_a(sieve *s, const frame *f, side *a, const side *b)
{
    const limits l = limits_of(s, a, b);
    size_t kept = 0;
    for (size_t i = 0; i < a->n; i++) {
        const clump_point p = a->p[i];
        if (s->near_count && s->near_count[p.more] >= s->needed) continue;
        const clump_verdict v = judge_point(s, f, a, b, &l, p);
        if (v == CLUMP_ALL_NEAR) {
            if (!s->near_count) return true;
            s->near_count[p.more] += (uint32_t)b->n;
        }
        if (v != CLUMP_SOME_NEAR) continue;
        a->p[i] = a->p[kept]; /* exchanged, not lost: later divisions need it */
        a->p[kept++] = p;
    }
    a->n = kept;
    return false;
}

/* Removes the decided points of b. Those near all of a count for all points that are left of a. */
static bool filter_b(sieve *s, const frame *f, const side *a, side *b)
{
    const limits l = limits_of(s, b, a);
    size_t kept = 0;
    uint32_t near_all = 0;
    for (size_t i = 0; i < b->n; i++) {
        const clump_point p = b->p[i];
        const clump_verdict v = judge_point(s, f, b, a, &l, p);
        if (v == CLUMP_ALL_NEAR && !s->near_count) return true;
        near_all += v == CLUMP_ALL_NEAR;
        if (v != CLUMP_SOME_NEAR) continue;
        b->p[i] = b->p[kept];
        b->p[kept++] = p;
    }
    b->n = kept;
    for (size_t i = 0; near_all > 0 && i < a->n; i++) s->near_count[a->p[i].more] += near_all;
    return false;
}

/* ----- dividing ------------------------------------------------------------------------------------ */

/* Moves the points to the front that are closer to the other's centre than the middle of the spread; returns their
 * number. */
static size_t cut_by_distance(const frame *f, side *s)
{
    const double middle = s->low + (s->high - s->low) / 2;
    double own[3];
    size_t front = 0;
    for (size_t i = 0; i < s->n; i++) {
        const clump_point p = s->p[i];
        if (to_other(f, s, p, own) > middle) continue;
        s->p[i] = s->p[front];
        s->p[front++] = p;
    }
    return front;
}

/* Moves the points to the front that are below the own centre on an axis; returns their number. */
static size_t cut_across(const frame *f, side *s, int axis)
{
    double own[3];
    size_t front = 0;
    for (size_t i = 0; i < s->n; i++) {
        const clump_point p = s->p[i];
        in_frame(f, s->centre, p, own);
        if (own[axis] > 0) continue;
        s->p[i] = s->p[front];
        s->p[front++] = p;
    }
    return front;
}

/* Tests all pairs that are left. */
static bool test_all(sieve *s, const side *a, const side *b)
{
    s->cost += a->n * b->n;
    if (!s->near_count) return clump_all_pairs(a->p, a->n, b->p, b->n, s->bound);
    for (size_t i = 0; i < a->n; i++) {
        uint32_t *const near = &s->near_count[a->p[i].more];
        if (*near < s->needed) *near += (uint32_t)count_near(a->p[i], b->p, b->n, s->bound);
    }
    return false;
}

/* Reduces copies of one point to one point, if one pair is enough. */
static void merge_copies(const sieve *s, side *x)
{
    const clump_box *const b = &x->box;
    if (!s->near_count && b->lower[0] == b->upper[0] && b->lower[1] == b->upper[1] && b->lower[2] == b->upper[2])
        x->n = 1;
}

static bool is_small(const side *a, const side *b)
{
    return a->n * b->n <= SIEVE_FEW_PAIRS || a->n <= SIEVE_NARROW || b->n <= SIEVE_NARROW;
}

/* One level: places both sets in a frame and removes decided points. Returns the coupling that is left. */
static double sift_level(sieve *s, frame *f, side *a, side *b, bool *found)
{
    *f = choose_frame(a, b);
    place_in_frame(f, a, 1), place_in_frame(f, b, 1);
    const double between[3] = {a->centre[0] - b->centre[0], a->centre[1] - b->centre[1], a->centre[2] - b->centre[2]};
    for (int k = 0; k < 3; k++) {
        a->away[k] = f->axis[k][0] * between[0] + f->axis[k][1] * between[1] + f->axis[k][2] * between[2];
        b->away[k] = -a->away[k];
    }
    measure_distances(f, a), measure_distances(f, b);
    *found = filter_a(s, f, a, b) || (a->n > 0 && filter_b(s, f, a, b));
    return coupling_of(a, b);
}

typedef enum division { SIEVE_UNDIVIDED, SIEVE_FRONT_OF_A, SIEVE_FRONT_OF_B } division;

/* Divides one of the sets and returns which. *front becomes the number of points in its front part. */
static division divide(const sieve *s, const frame *f, side *a, side *b, double coupling, size_t *front)
{
    const double spread_a = a->high - a->low, spread_b = b->high - b->low;
    const double spread = spread_a > spread_b ? spread_a : spread_b;
    if (spread <= s->fine && coupling <= s->fine) return SIEVE_UNDIVIDED;
    if (spread > 4 * coupling) {
        *front = cut_by_distance(f, spread_a > spread_b ? a : b);
        return spread_a > spread_b ? SIEVE_FRONT_OF_A : SIEVE_FRONT_OF_B;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (a->half[k] * b->half[k] > a->half[axis] * b->half[axis]) axis = k;
    const bool of_a = a->half[axis] > b->half[axis];
    *front = cut_across(f, of_a ? a : b, axis);
    return of_a ? SIEVE_FRONT_OF_A : SIEVE_FRONT_OF_B;
}

/* Recurses into the smaller part and continues with the larger one, so the depth is at most the sum of the binary
 * logarithms of both sizes. A part can be empty where points were removed after the spread was measured; that halves the
 * spread. */
static bool sieve_pairs(sieve *s, side a, side b)
{
    for (;;) {
        if (a.n == 0 || b.n == 0) return false;
        if (is_small(&a, &b)) return test_all(s, &a, &b);
        a.box = clump_box_of(a.p, a.n), b.box = clump_box_of(b.p, b.n);
        merge_copies(s, &a), merge_copies(s, &b);
        if (is_small(&a, &b)) return test_all(s, &a, &b);
        const size_t before = a.n + b.n;
        frame f;
        bool found;
        s->cost += before;
        const double coupling = sift_level(s, &f, &a, &b, &found);
        if (found) return true;
        if (a.n == 0 || b.n == 0) return false;
        if (a.n + b.n <= before - before / 4) continue; /* the bounds decide much: repeat with tighter ones */
        size_t front = 0;
        const division how = divide(s, &f, &a, &b, coupling, &front);
        if (how == SIEVE_UNDIVIDED) return test_all(s, &a, &b);
        side *const divided = how == SIEVE_FRONT_OF_A ? &a : &b;
        const side all = *divided;
        CLUMP_ASSERT(front <= all.n);
        const size_t back = all.n - front;
        if (front == 0 || back == 0) continue;
        if (front < back) {
            divided->n = front;
            if (sieve_pairs(s, a, b)) return true;
            divided->p = all.p + front, divided->n = back;
        } else {
            divided->p = all.p + front, divided->n = back;
            if (sieve_pairs(s, a, b)) return true;
            divided->p = all.p, divided->n = front;
        }
    }
}

bool clump_ball_far(const clump_point *p, size_t n, const float *centre, float radius, float bound)
{
    const double reach = sqrt((double)bound * (1 + 6 * 0x1p-24) + 0x1p-147) + (double)radius;
    for (size_t i = 0; i < n; i++) {
        const double s[3] = {(double)p[i].x - (double)centre[0], (double)p[i].y - (double)centre[1],
                             (double)p[i].z - (double)centre[2]};
        if (!(square_of(s) >= reach * reach)) return false; /* also for NaN: a ball that is not known is not far */
    }
    return true;
}

/* Returns an empty sieve with the limits of step 6. */
static sieve make_sieve(float bound)
{
    const double b = (double)bound;
    return (sieve){.bound = bound,
                   .near_below = b * (1 - 6 * 0x1p-24) - 0x1p-147,
                   .far_from = b * (1 + 6 * 0x1p-24) + 0x1p-147,
                   .fine = b * 0x1p-26};
}

bool clump_sieve_any(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, size_t *cost)
{
    sieve s = make_sieve(bound);
    const bool found = sieve_pairs(&s, (side){.p = a, .n = na}, (side){.p = b, .n = nb});
    *cost += s.cost;
    return found;
}

void clump_sieve_count(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, uint32_t needed,
                       uint32_t *near_count, size_t *cost)
{
    sieve s = make_sieve(bound);
    s.near_count = near_count, s.needed = needed;
    sieve_pairs(&s, (side){.p = a, .n = na}, (side){.p = b, .n = nb});
    *cost += s.cost;
}
