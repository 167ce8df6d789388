/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_tree.c: trees of points (ranged_box.h). Testing all pairs of two large sets of points takes long where there is no
 * pair of neighbours. So the points of a set are halved across the longest side of their box, and the halves again, down to
 * CLUMP_RANGED_LEAF points. Each part has its tight box and its bounds:
 *
 *     node 0                      all n points of the set
 *          1     2                n / 2 each
 *          3  4  5  6             part j of 2^k is points n j / 2^k ... n (j + 1) / 2^k - 1
 *
 * Two parts are first compared by their boxes. On each axis, the difference between points of two boxes is at least that
 * between the facing sides, and at most that between the opposite sides. Rounding keeps this order. So distances of
 * boxes, computed as those of points, decide exactly: no pair, or every pair. Between flat parts, as of two walls, the
 * projection to the line between their centres decides more than boxes do, as in patches.c.
 *
 * Trees decide little between a circle and its axis, or a ball and a shell around it: every point is about as far from all
 * points of the other set. A search that takes RANGED_PAIRS_PER_POINT stops, and the sieve (grid/sieve.h) decides.
 */
#include "cpu/ranged/ranged_box.h"

#include "common/bits.h"
#include "cpu/grid/sieve.h"
#include "rules/float_key.h"

#define RANGED_ALL_PAIRS       1024 /* up to this many pairs all are tested, without boxes: two leaves */
#define RANGED_PAIRS_PER_POINT 32
#define RANGED_VISIT           16    /* pairs of points that take as long as a pair of nodes */
#define RANGED_POLLED          65536 /* pairs of points between two polls */
#define RANGED_LARGE           16384 /* points of a part: from here on a poll takes no time beside its building */

static float axis_of(clump_point p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* ----- pairs -------------------------------------------------------------------------------------------- */

/* Which of up to four points from b on are neighbours of p: one bit each. */
static inline unsigned near_four(const clump_f4 *p, const clump_point *b, size_t left)
{
    clump_f4 x, y, z, bound;
    clump_f4_load_fours(&b->x, &x, &y, &z, &bound);
    x = clump_f4_sub(p[0], x), y = clump_f4_sub(p[1], y), z = clump_f4_sub(p[2], z);
    const clump_f4 d2 = clump_f4_distance_squared(x, y, z);
    return clump_f4_less(d2, clump_f4_min(bound, p[3])) & (left < 4 ? (1u << left) - 1 : 15u);
}

size_t clump_ranged_count_points(clump_point p, const clump_point *b, size_t n, size_t needed)
{
    const clump_f4 four[4] = {clump_f4_set(p.x), clump_f4_set(p.y), clump_f4_set(p.z),
                              clump_f4_set(clump_ranged_bound(p))};
    size_t near = 0;
    for (size_t i = 0; i < n && near < needed; i += 4) near += clump_popcount(near_four(four, b + i, n - i));
    return near;
}

/* Whether two sets of points hold neighbours: tests all pairs. */
static bool all_pairs(const clump_point *a, size_t na, const clump_point *b, size_t nb)
{
    if (na > nb) return all_pairs(b, nb, a, na); /* the longer one fills the vectors */
    for (size_t i = 0; i < na; i++)
        if (clump_ranged_count_points(a[i], b, nb, 1) > 0) return true;
    return false;
}

/* ----- boxes -------------------------------------------------------------------------------------------- */

static int longest_axis(const clump_ranged_node *n)
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (n->upper[k] - n->lower[k] > n->upper[axis] - n->lower[axis]) axis = k;
    return axis;
}

static float longest_side(const clump_ranged_node *n)
{
    const int axis = longest_axis(n);
    return n->upper[axis] - n->lower[axis];
}

/* ----- trees -------------------------------------------------------------------------------------------- */

/* The number of halvings until a part of n points has at most CLUMP_RANGED_LEAF. */
static unsigned depth_of(size_t n)
{
    unsigned k = 0;
    while (((n - 1) >> k) + 1 > CLUMP_RANGED_LEAF) k++;
    return k;
}

/* Moves the `left` smallest points along an axis to the front, and their entries of index[] unless it is null. The limit is
 * found by bisection of the interval of floats, so 32 rounds are enough for any points. Mostly each round reads half as
 * many points as the one before. */
static void cut_points(clump_point *p, uint32_t *index, size_t n, size_t left, int axis, float lower, float upper)
{
    CLUMP_ASSERT(left <= n);
    size_t begin = 0, end = n;
    uint32_t low = clump_key_of_float(lower), high = clump_key_of_float(upper);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const float limit = clump_float_of_key(middle);
        size_t m = begin;
        for (size_t i = begin; i < end; i++) {
            const clump_point q = p[i];
            if (!(axis_of(q, axis) <= limit)) continue;
            p[i] = p[m], p[m] = q;
            if (index) {
                const uint32_t t = index[i];
                index[i] = index[m], index[m] = t;
            }
            m++;
        }
        if (m == left) return;
        if (m > left)
            end = m, high = middle;
        else
            begin = m, low = middle + 1;
    }
}

/* Builds part j of 2^k of a set of n points, and all its parts. */
static void build_part(clump_ranged_node *tree, clump_point *p, uint32_t *index, size_t n, size_t j, unsigned k,
                       unsigned depth, clump_team *team)
{
    const size_t begin = (n * j) >> k, end = (n * (j + 1)) >> k, middle = (n * (2 * j + 1)) >> (k + 1);
    clump_ranged_node *const node = &tree[((size_t)1 << k) - 1 + j];
    *node = clump_ranged_box_of(p + begin, end - begin);
    if (k == depth || (end - begin > RANGED_LARGE && clump_team_stopped(team))) return;
    const int axis = longest_axis(node);
    cut_points(p + begin, index ? index + begin : NULL, end - begin, middle - begin, axis, node->lower[axis],
               node->upper[axis]);
    build_part(tree, p, index, n, 2 * j, k + 1, depth, team);
    build_part(tree, p, index, n, 2 * j + 1, k + 1, depth, team);
}

/* The position along u, from o, of the farthest of n >= 4 points along u (sign 1) or against it (sign -1). */
static float farthest_along(const float *u, const float *o, const clump_point *p, size_t n, float sign)
{
    const clump_f4_axis axis = clump_f4_axis_set(o, sign * u[0], sign * u[1], sign * u[2]);
    clump_f4 most = clump_f4_set(-INFINITY);
    for (size_t i = 0;;) {
        most = clump_f4_max(most, clump_f4_project(axis, &p[i].x));
        if (i + 4 == n) return sign * clump_f4_highest(most);
        i = i + 8 <= n ? i + 4 : n - 4; /* the last four may overlap the four before */
    }
}

/* Whether the projection to the line between the centres of two boxes shows that a and b hold no neighbours. Both have
 * four points or more. Differences from the centre of a are at most the span of both boxes, and the float projections
 * are off by less than 2^-20 of it. Real distances of neighbours exceed the root of the bound by at most 2^-22 of it. */
static bool line_separates(const clump_point *a, size_t na, const clump_ranged_node *p, const clump_point *b, size_t nb,
                           const clump_ranged_node *q)
{
    CLUMP_ASSERT(na >= 4 && nb >= 4);
    float o[3], u[3], largest = 0, length = 0;
    for (int k = 0; k < 3; k++) {
        o[k] = p->lower[k] + (p->upper[k] - p->lower[k]) / 2;
        u[k] = q->lower[k] + (q->upper[k] - q->lower[k]) / 2 - o[k];
        largest = fmaxf(largest, fabsf(u[k]));
    }
    if (!(largest > 0 && largest < INFINITY)) return false;
    for (int k = 0; k < 3; k++) u[k] /= largest, length += u[k] * u[k]; /* scaled, so that no square underflows */
    for (int k = 0; k < 3; k++) u[k] /= sqrtf(length);
    const float reach =
        sqrtf(smaller(p->most, q->most)) * (1 + 0x1p-16f) + sqrtf(clump_ranged_span_squared(p, q)) * 0x1p-18f;
    return farthest_along(u, o, b, nb, -1) - farthest_along(u, o, a, na, 1) > reach;
}

/* A search for neighbours in two parts. */
typedef struct part_pair {
    clump_team *team;
    size_t work, most; /* so far; from `most` on the search is given up */
    size_t poll;       /* the work at the next poll */
    bool stopped;      /* given up or cancelled */
} part_pair;

/* Adds to the work of a search. Returns whether the search goes on. */
static bool goes_on(part_pair *t, size_t work)
{
    t->work += work;
    if (t->work < t->poll) return true;
    t->poll = t->work + RANGED_POLLED < t->most ? t->work + RANGED_POLLED : t->most;
    t->stopped |= t->work >= t->most || clump_team_stopped(t->team);
    return !t->stopped;
}

/* The halves of a part; that which is nearer to a box is first. */
static void halve_part(const clump_ranged_part *a, const clump_ranged_node *box, clump_ranged_part half[2])
{
    half[0] = clump_ranged_half(a, 0), half[1] = clump_ranged_half(a, 1);
    if (!(clump_ranged_gap_squared(clump_ranged_box_at(&half[1]), box) <
          clump_ranged_gap_squared(clump_ranged_box_at(&half[0]), box)))
        return;
    const clump_ranged_part first = half[0];
    half[0] = half[1], half[1] = first;
}

/* Whether two parts hold neighbours of each other. False where the search has stopped. */
static bool parts_near(part_pair *t, const clump_ranged_part *a, const clump_ranged_part *b)
{
    const clump_ranged_node *const p = clump_ranged_box_at(a), *const q = clump_ranged_box_at(b);
    if (t->stopped || !goes_on(t, RANGED_VISIT)) return false;
    if (!(clump_ranged_gap_squared(p, q) < smaller(p->most, q->most))) return false;
    if (clump_ranged_span_squared(p, q) < smaller(p->least, q->least)) return true;
    const clump_point *const pa = clump_ranged_points_of(a), *const pb = clump_ranged_points_of(b);
    const size_t na = clump_ranged_size_of(a), nb = clump_ranged_size_of(b);
    /* costs na + nb projections, so it is tried only where the parts have many pairs and similar sizes */
    if (na >= 8 && nb >= 8 && na < 8 * nb && nb < 8 * na) {
        t->work += na + nb;
        if (line_separates(pa, na, p, pb, nb, q)) return false;
    }
    if (clump_ranged_is_leaf(a) && clump_ranged_is_leaf(b)) return goes_on(t, na * nb) && all_pairs(pa, na, pb, nb);
    clump_ranged_part half[2];
    if (clump_ranged_is_leaf(b) || (!clump_ranged_is_leaf(a) && longest_side(p) >= longest_side(q))) {
        halve_part(a, q, half);
        return parts_near(t, &half[0], b) || parts_near(t, &half[1], b);
    }
    halve_part(b, p, half);
    return parts_near(t, a, &half[0]) || parts_near(t, a, &half[1]);
}

/* Whether the ball around the box of one set is far from all points of the other. Its radius is computed in float: hence
 * 2^-20, as in patches.c. Stops at the first point that is not far. */
static bool ball_separates(const clump_ranged_part *ball, const clump_ranged_part *points)
{
    const clump_ranged_node *const box = clump_ranged_box_at(ball);
    float centre[3], square = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = box->lower[k] + (box->upper[k] - box->lower[k]) / 2;
        const float side = fmaxf(box->upper[k] - centre[k], centre[k] - box->lower[k]);
        square += side * side;
    }
    const float most = smaller(box->most, clump_ranged_box_at(points)->most);
    if (!(square > 0x1p-100f && square < most))
        return false; /* not a ball that is worth it, or squares that lose bits */
    return clump_ball_far(clump_ranged_points_of(points), clump_ranged_size_of(points), centre,
                          sqrtf(square) * (1 + 0x1p-20f), most);
}

bool clump_ranged_parts_near(const clump_ranged_part *a, const clump_ranged_part *b, clump_ranged_search *search)
{
    const size_t na = clump_ranged_size_of(a), nb = clump_ranged_size_of(b);
    if (na * nb <= RANGED_ALL_PAIRS) return all_pairs(clump_ranged_points_of(a), na, clump_ranged_points_of(b), nb);
    const bool a_in_ball = longest_side(clump_ranged_box_at(a)) < longest_side(clump_ranged_box_at(b));
    if (a_in_ball ? ball_separates(a, b) : ball_separates(b, a)) return false;
    const size_t most = RANGED_PAIRS_PER_POINT * (na + nb);
    part_pair t = {.team = search->team, .most = most, .poll = most < RANGED_POLLED ? most : RANGED_POLLED};
    const bool near = !clump_team_stopped(t.team) && parts_near(&t, a, b);
    search->work += t.work;
    if (near || !t.stopped || t.work < most) return near;
    memcpy(search->scratch, clump_ranged_points_of(a), na * sizeof *search->scratch);
    memcpy(search->scratch + na, clump_ranged_points_of(b), nb * sizeof *search->scratch);
    return clump_sieve_grown(search->scratch, na, search->scratch + na, nb, search->team, &search->work);
}

size_t clump_ranged_tree_nodes(size_t n)
{
    return ((size_t)2 << depth_of(n)) - 1;
}

void clump_ranged_tree_build(clump_ranged_node *nodes, clump_point *p, uint32_t *index, size_t n, clump_team *team)
{
    CLUMP_ASSERT(n >= 1);
    build_part(nodes, p, index, n, 0, 0, depth_of(n), team);
}

clump_ranged_boxes clump_ranged_tree_of(const clump_ranged_node *nodes, const clump_point *p, size_t n)
{
    return (clump_ranged_boxes){nodes, p, n, depth_of(n)};
}
