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
 * Where every point has a bound of its own, a pair has to be below both. With r for the bound of a point, and |b - a0|^2 - r(b)
 * beside |b - a0|^2 as a second number per point, (*) bounds |a - b|^2 - r(b) for a point a against all of B as it bounds
 * |a - b|^2, which is compared with r(a). No pair is near where one of both is too large; all are where both are small
 * enough. So there are up to two spreads per set, and the largest is divided. Both are thresholds of a sum of a number of a
 * and a number of b: undecided are the parts along a staircase, about as many as one set has parts, not their product.
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
 *   7. Bounds of points: the functions below lower all bounds to M, the smaller of the two largest, and take away the points
 *      that the box of the other set shows to be far. This changes no pair. What is left of one set is within the root of M
 *      of the box of the other, so differences are below 8 times the root of M as in 5, with M as bound there. Bounds within
 *      a set differ by a factor of at most 2^8, so that 2^-35 M is less than 2^-25 r.
 *
 * Costs. A level of division looks at each point once. Sets are divided until few points are left, or until coupling
 * and spread are below 2^-24 bound. What is left then are pairs within 6 u of the bound, which only distance.h can
 * decide. Two sets of which most pairs are such, in no box smaller than 2^-24 d, still cost the product of their sizes.
 */
#include "cpu/grid/sieve.h"

#include "common/bits.h"
#include "common/simd.h"

#include <math.h>

#define SIEVE_FEW_PAIRS 4096              /* pairs that are tested at once: a level of the sieve costs as much */
#define SIEVE_NARROW    8                 /* a set of so few points is tested with all others */
#define SIEVE_SAMPLE    64                /* points that the axes of a set are computed from */
#define SIEVE_POLLED    ((size_t)1 << 18) /* pairs between two polls: some tenths of a millisecond */

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

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Returns the number of points of b with d2 below their own bound and below that of p. Stops after `needed`. */
static size_t count_grown(clump_point p, float own, const clump_point *b, size_t nb, size_t needed)
{
    const clump_f4 px = clump_f4_set(p.x), py = clump_f4_set(p.y), pz = clump_f4_set(p.z), limit = clump_f4_set(own);
    size_t near = 0, i = 0;
    for (; i + 4 <= nb && near < needed; i += 4) {
        clump_f4 x, y, z, bound;
        clump_f4_load_fours(&b[i].x, &x, &y, &z, &bound);
        x = clump_f4_sub(px, x), y = clump_f4_sub(py, y), z = clump_f4_sub(pz, z);
        near += clump_popcount(clump_f4_less(clump_f4_distance_squared(x, y, z), clump_f4_min(bound, limit)));
    }
    for (; i < nb && near < needed; i++)
        near += clump_distance_squared(p.x, p.y, p.z, b[i].x, b[i].y, b[i].z) <
                smaller(own, clump_float_of_bits(b[i].more));
    return near;
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
    double centre[3];      /* the middle of the extents in the frame */
    double half[3];        /* half the extents in the frame */
    double away[3];        /* centre of the other to this centre, in the frame */
    double low, high;      /* least and greatest squared distance to the centre of the other */
    double below, beyond;  /* the same, less the bound of the point */
    double radius;         /* greatest distance to the own centre */
    float least, most;     /* bounds of the points */
    const clump_point *of; /* null, or the bound of point p is that of of[p.more] */
} side;

typedef struct sieve {
    float bound;
    bool grown; /* each point has a bound of its own instead, but at most `most` */
    float most;
    double fine; /* smaller spreads and couplings do not matter */
    uint32_t needed;
    uint32_t *near_count; /* null: one pair is enough */
    clump_team *team;     /* null: nothing cancels the call */
    size_t cost;          /* points looked at and pairs tested */
} sieve;

/* The limits of step 6. */
static inline double near_below(double bound)
{
    return bound * (1 - 6 * 0x1p-24) - 0x1p-147;
}

static inline double far_from(double bound)
{
    return bound * (1 + 6 * 0x1p-24) + 0x1p-147;
}

static inline float bound_of(const sieve *s, const side *x, clump_point p)
{
    if (!s->grown) return s->bound;
    return smaller(clump_float_of_bits(x->of ? x->of[p.more].more : p.more), s->most);
}

/* Whether the call is cancelled. The answer does not matter any more then. */
static inline bool is_stopped(const sieve *s)
{
    return s->team && clump_team_stopped(s->team);
}

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

/* Computes low, high, radius and bounds of a set. */
static void measure_distances(const sieve *v, const frame *f, side *s)
{
    double own[3], most = 0;
    s->low = s->below = INFINITY, s->high = 0, s->beyond = -INFINITY;
    s->least = v->grown ? INFINITY : v->bound, s->most = v->grown ? 0 : v->bound;
    for (size_t i = 0; i < s->n; i++) {
        const double d2 = to_other(f, s, s->p[i], own), r2 = square_of(own);
        s->low = d2 < s->low ? d2 : s->low;
        s->high = d2 > s->high ? d2 : s->high;
        most = r2 > most ? r2 : most;
        if (!v->grown) continue;
        const float bound = bound_of(v, s, s->p[i]);
        const double past = d2 - (double)bound;
        s->below = past < s->below ? past : s->below;
        s->beyond = past > s->beyond ? past : s->beyond;
        s->least = smaller(s->least, bound), s->most = larger(s->most, bound);
    }
    s->radius = sqrt(most);
}

/* ----- deciding a point against a set -------------------------------------------------------------- */

typedef struct limits {
    double between;            /* squared distance of the centres */
    double ball_in, ball_from; /* limits to the squared distance from the centre of the other */
} limits;

static limits limits_of(const side *own, const side *other)
{
    const double in = sqrt(near_below((double)smaller(own->least, other->least))) - other->radius;
    const double from = sqrt(far_from((double)smaller(own->most, other->most))) + other->radius;
    return (limits){square_of(own->away), in > 0 ? in * in : 0, from * from};
}

/* What the box of the other set decides, where points have bounds of their own. */
static clump_verdict judge_by_box(const side *other, clump_point p, float bound)
{
    const float most = smaller(bound, other->most), least = smaller(bound, other->least);
    const clump_verdict v = clump_box_verdict(p, &other->box, most);
    return v == CLUMP_NONE_NEAR || most == least                        ? v
           : clump_box_verdict(p, &other->box, least) == CLUMP_ALL_NEAR ? CLUMP_ALL_NEAR
                                                                        : CLUMP_SOME_NEAR;
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
    const float bound = bound_of(s, own, p);
    const double at = d2 - l->between, none = far_from((double)bound), all = near_below((double)bound);
    if (gap >= far_from((double)smaller(bound, other->most)) || at + other->low - 2 * coupling >= none)
        return CLUMP_NONE_NEAR;
    const bool near = at + other->high + 2 * coupling < all;
    if (!s->grown) return near || far < all ? CLUMP_ALL_NEAR : clump_box_verdict(p, &other->box, bound);
    /* the bounds of the other points: their slack is at most that of the largest */
    const double slack = far_from((double)other->most) - (double)other->most;
    if (at + other->below - 2 * coupling >= slack) return CLUMP_NONE_NEAR;
    if (near && at + other->beyond + 2 * coupling < -slack) return CLUMP_ALL_NEAR;
    if (far < near_below((double)smaller(bound, other->least))) return CLUMP_ALL_NEAR;
    return judge_by_box(other, p, bound);
}

/* Removes the decided points of a: the others are moved to the front. Returns true if a pair is found and one is
 * enough. */
static bool filter_a(sieve *s, const frame *f, side *a, const side *b)
{
    const limits l = limits_of(a, b);
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
    const limits l = limits_of(b, a);
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

/* Moves the points to the front whose squared distance to the other's centre is at most `middle`; with `past` that less
 * their bound. Returns their number. */
static size_t cut_by_distance(const sieve *v, const frame *f, side *s, bool past, double middle)
{
    double own[3];
    size_t front = 0;
    for (size_t i = 0; i < s->n; i++) {
        const clump_point p = s->p[i];
        if (to_other(f, s, p, own) - (past ? (double)bound_of(v, s, p) : 0) > middle) continue;
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

/* Whether a point of x has a pair in b, or counts its pairs. */
static bool test_row(sieve *s, const side *x, clump_point p, const side *b)
{
    if (!s->near_count)
        return s->grown ? count_grown(p, bound_of(s, x, p), b->p, b->n, 1) > 0 : one_near(p, b->p, b->n, s->bound);
    uint32_t *const near = &s->near_count[p.more];
    if (*near >= s->needed) return false;
    *near += (uint32_t)(s->grown ? count_grown(p, bound_of(s, x, p), b->p, b->n, s->needed - *near)
                                 : count_near(p, b->p, b->n, s->bound));
    return false;
}

/* Tests all pairs that are left. */
static bool test_all(sieve *s, const side *a, const side *b)
{
    const bool turned = !s->near_count && a->n > b->n; /* the vector loop goes over the longer set */
    const side *const x = turned ? b : a, *const y = turned ? a : b;
    const size_t rows = SIEVE_POLLED / (y->n + 1) + 1;
    for (size_t i = 0; i < x->n; i++) {
        if (i % rows == 0) {
            if (is_stopped(s)) return true;
            s->cost += (x->n - i < rows ? x->n - i : rows) * y->n;
        }
        if (test_row(s, x, x->p[i], y)) return true;
    }
    return false;
}

/* Reduces copies of one point to one point, if one pair is enough. */
static void merge_copies(const sieve *s, side *x)
{
    const clump_box *const b = &x->box;
    const bool one_place = b->lower[0] == b->upper[0] && b->lower[1] == b->upper[1] && b->lower[2] == b->upper[2];
    if (s->near_count || !one_place) return;
    for (size_t i = 1; s->grown && i < x->n; i++) { /* the largest bound counts */
        const clump_point p = x->p[i];
        if (!(bound_of(s, x, p) > bound_of(s, x, x->p[0]))) continue;
        x->p[i] = x->p[0], x->p[0] = p; /* exchanged, not lost */
    }
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
    if (is_stopped(s)) return *found = true, 0;
    measure_distances(s, f, a), measure_distances(s, f, b);
    if (is_stopped(s)) return *found = true, 0;
    *found = filter_a(s, f, a, b) || (a->n > 0 && filter_b(s, f, a, b));
    return coupling_of(a, b);
}

typedef enum division { SIEVE_UNDIVIDED, SIEVE_FRONT_OF_A, SIEVE_FRONT_OF_B } division;

/* Divides one of the sets and returns which. *front becomes the number of points in its front part. */
static division divide(const sieve *s, const frame *f, side *a, side *b, double coupling, size_t *front)
{
    const double past_a = s->grown ? a->beyond - a->below : 0, past_b = s->grown ? b->beyond - b->below : 0;
    const double spread_a = fmax(a->high - a->low, past_a), spread_b = fmax(b->high - b->low, past_b);
    const double spread = spread_a > spread_b ? spread_a : spread_b;
    if (spread <= s->fine && coupling <= s->fine) return SIEVE_UNDIVIDED;
    if (spread > 4 * coupling) {
        side *const cut = spread_a > spread_b ? a : b;
        const bool past = (cut == a ? past_a : past_b) == spread;
        const double low = past ? cut->below : cut->low;
        *front = cut_by_distance(s, f, cut, past, low + spread / 2);
        return cut == a ? SIEVE_FRONT_OF_A : SIEVE_FRONT_OF_B;
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
        if (is_stopped(s)) return true;
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

bool clump_sieve_any(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, clump_team *team, size_t *cost)
{
    sieve s = {.bound = bound, .fine = (double)bound * 0x1p-26, .team = team};
    const bool found = sieve_pairs(&s, (side){.p = a, .n = na}, (side){.p = b, .n = nb});
    *cost += s.cost;
    return found;
}

void clump_sieve_count(clump_point *a, size_t na, clump_point *b, size_t nb, float bound, uint32_t needed,
                       uint32_t *near_count, clump_team *team, size_t *cost)
{
    sieve s = {
        .bound = bound, .fine = (double)bound * 0x1p-26, .needed = needed, .near_count = near_count, .team = team};
    sieve_pairs(&s, (side){.p = a, .n = na}, (side){.p = b, .n = nb});
    *cost += s.cost;
}

/* ----- bounds of points ---------------------------------------------------------------------------- */

/* Finds the box and the bounds of a set. */
static void find_bounds(const sieve *s, side *x)
{
    x->box = clump_box_of(x->p, x->n);
    x->least = x->most = bound_of(s, x, x->p[0]);
    for (size_t i = 1; i < x->n; i++) {
        const float bound = bound_of(s, x, x->p[i]);
        x->least = smaller(x->least, bound), x->most = larger(x->most, bound);
    }
}

/* Removes the points that the box of the other set shows to be far. */
static void trim(const sieve *s, side *x, const side *other)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->n; i++) {
        const clump_point p = x->p[i];
        if (clump_box_verdict(p, &other->box, bound_of(s, x, p)) == CLUMP_NONE_NEAR) continue;
        x->p[i] = x->p[kept]; /* exchanged, not lost: the caller may need it */
        x->p[kept++] = p;
    }
    x->n = kept;
}

/* Prepares two sets as in step 7. Returns whether points are left in both. */
static bool prepare(sieve *s, side *a, side *b)
{
    s->cost = a->n + b->n;
    s->most = INFINITY;
    find_bounds(s, a), find_bounds(s, b);
    CLUMP_ASSERT(a->least >= a->most * 0x1p-8f && b->least >= b->most * 0x1p-8f);
    s->fine = (double)smaller(a->least, b->least) * 0x1p-26;
    s->most = smaller(a->most, b->most);
    side *const less = a->most > b->most ? b : a, *const more = a->most > b->most ? a : b;
    trim(s, more, less); /* the set with smaller bounds is not much wider than these */
    if (more->n == 0) return false;
    find_bounds(s, more);
    trim(s, less, more);
    return less->n > 0;
}

bool clump_sieve_grown(clump_point *a, size_t na, clump_point *b, size_t nb, clump_team *team, size_t *cost)
{
    sieve s = {.grown = true, .team = team};
    side x = {.p = a, .n = na}, y = {.p = b, .n = nb};
    const bool found = prepare(&s, &x, &y) && sieve_pairs(&s, x, y);
    *cost += s.cost;
    return found;
}

void clump_sieve_count_grown(clump_point *a, size_t na, const clump_point *of, clump_point *b, size_t nb,
                             uint32_t needed, uint32_t *near_count, clump_team *team, size_t *cost)
{
    sieve s = {.grown = true, .needed = needed, .near_count = near_count, .team = team};
    side x = {.p = a, .n = na, .of = of}, y = {.p = b, .n = nb};
    if (prepare(&s, &x, &y)) sieve_pairs(&s, x, y);
    *cost += s.cost;
}
