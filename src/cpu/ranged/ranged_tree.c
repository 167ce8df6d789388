/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_tree.c: large cells of ranged.h, with more than CLUMP_RANGED_LEAF points. Testing all pairs of two large cells
 * takes long where there is no pair of neighbours. So the points of such a cell are halved across the longest side of
 * their box, and the halves again, down to CLUMP_RANGED_LEAF points. Each part has its tight box and its bounds:
 *
 *     node 0                      all n points of the cell
 *          1     2                n / 2 each
 *          3  4  5  6             part j of 2^k is points n j / 2^k ... n (j + 1) / 2^k - 1
 *
 * Two parts are first compared by their boxes. On each axis, the difference between points of two boxes is at least that
 * between the facing sides, and at most that between the opposite sides. Rounding keeps this order. So distances of
 * boxes, computed as those of points, decide exactly: no pair, or every pair. Between flat parts, as of two walls, the
 * projection to the line between their centres decides more than boxes do, as in patches.c. The tree of a cell is built
 * on first use.
 *
 * Trees decide little between a circle and its axis, or a ball and a shell around it: every point is about as far from all
 * points of the other set. A search that takes RANGED_PAIRS_PER_POINT stops, and the sieve (grid/sieve.h) decides.
 */
#include "cpu/ranged/ranged.h"

#include "common/simd.h"
#include "cpu/grid/sieve.h"
#include "rules/float_key.h"

#define RANGED_ALL_PAIRS       1024  /* up to this many pairs all are tested, without boxes: two leaves */
#define RANGED_PAIRS_PER_POINT 64    /* as in patches.c */
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

/* The number of n points that are neighbours of p. Stops at `needed` or up to three more. */
static size_t count_points(clump_point p, const clump_point *b, size_t n, size_t needed)
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
        if (count_points(a[i], b, nb, 1) > 0) return true;
    return false;
}

/* ----- boxes -------------------------------------------------------------------------------------------- */

clump_ranged_node clump_ranged_box(const clump_ranged *g, const clump_ranged_cell *cell)
{
    if (cell->tree != CLUMP_RANGED_NO_TREE) return g->node[cell->tree];
    return clump_ranged_box_of(g->point + cell->begin, clump_ranged_size(cell));
}

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

/* The largest squared distance of points of two boxes. */
static float span_squared(const clump_ranged_node *a, const clump_ranged_node *b)
{
    float span[3];
    for (int k = 0; k < 3; k++) {
        const float up = b->upper[k] - a->lower[k], down = a->upper[k] - b->lower[k];
        span[k] = up > down ? up : down;
    }
    return clump_distance_squared(span[0], span[1], span[2], 0, 0, 0);
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

/* Builds part j of 2^k of a cell with n points, and all its parts. */
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

/* A cell and its tree. */
typedef struct tree_view {
    const clump_ranged_node *node;
    const clump_point *point;
    size_t count;
    unsigned depth;
} tree_view;

static bool is_large(const clump_ranged_cell *cell)
{
    return clump_ranged_size(cell) > CLUMP_RANGED_LEAF;
}

/* The view of a cell. Builds the tree of a large cell on first use; a small cell is a tree of one node, *root. */
static tree_view view_of(clump_ranged *g, clump_ranged_cell *cell, clump_ranged_node *root)
{
    const size_t count = clump_ranged_size(cell);
    clump_point *const points = g->point + cell->begin;
    if (!is_large(cell)) {
        *root = clump_ranged_box_of(points, count);
        return (tree_view){root, points, count, 0};
    }
    const unsigned depth = depth_of(count);
    if (cell->tree == CLUMP_RANGED_NO_TREE) {
        cell->tree = g->nodes;
        g->nodes += (2u << depth) - 1;
        build_part(g->node + cell->tree, points, g->index + cell->begin, count, 0, 0, depth, g->search.team);
    }
    return (tree_view){g->node + cell->tree, points, count, depth};
}

static const clump_ranged_node *node_at(const tree_view *v, size_t j, unsigned k)
{
    return &v->node[((size_t)1 << k) - 1 + j];
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
    const float reach = sqrtf(smaller(p->most, q->most)) * (1 + 0x1p-16f) + sqrtf(span_squared(p, q)) * 0x1p-18f;
    return farthest_along(u, o, b, nb, -1) - farthest_along(u, o, a, na, 1) > reach;
}

/* A search for neighbours in two trees. */
typedef struct tree_pair {
    tree_view a, b;
    clump_team *team;
    size_t work, most; /* so far; from `most` on the search is given up */
    size_t poll;       /* the work at the next poll */
    bool stopped;      /* given up or cancelled */
} tree_pair;

/* Adds to the work of a search. Returns whether the search goes on. */
static bool goes_on(tree_pair *t, size_t work)
{
    t->work += work;
    if (t->work < t->poll) return true;
    t->poll = t->work + RANGED_POLLED < t->most ? t->work + RANGED_POLLED : t->most;
    t->stopped |= t->work >= t->most || clump_team_stopped(t->team);
    return !t->stopped;
}

/* Whether part i of 2^ka of a and part j of 2^kb of b hold neighbours of each other. False where the search has stopped. */
static bool parts_near(tree_pair *t, size_t i, unsigned ka, size_t j, unsigned kb)
{
    const tree_view *const a = &t->a, *const b = &t->b;
    const clump_ranged_node *const p = node_at(a, i, ka), *const q = node_at(b, j, kb);
    if (t->stopped || !goes_on(t, RANGED_VISIT)) return false;
    if (!(clump_ranged_gap_squared(p, q) < smaller(p->most, q->most))) return false;
    if (span_squared(p, q) < smaller(p->least, q->least)) return true;
    const clump_point *const pa = a->point + ((a->count * i) >> ka), *const pb = b->point + ((b->count * j) >> kb);
    const size_t na = (size_t)(a->point + ((a->count * (i + 1)) >> ka) - pa);
    const size_t nb = (size_t)(b->point + ((b->count * (j + 1)) >> kb) - pb);
    /* costs na + nb projections, so it is tried only where the parts have many pairs and similar sizes */
    if (na >= 8 && nb >= 8 && na < 8 * nb && nb < 8 * na) {
        t->work += na + nb;
        if (line_separates(pa, na, p, pb, nb, q)) return false;
    }
    if (ka == a->depth && kb == b->depth) return goes_on(t, na * nb) && all_pairs(pa, na, pb, nb);
    if (kb == b->depth || (ka < a->depth && longest_side(p) >= longest_side(q))) {
        const bool second = clump_ranged_gap_squared(node_at(a, 2 * i + 1, ka + 1), q) <
                            clump_ranged_gap_squared(node_at(a, 2 * i, ka + 1), q);
        return parts_near(t, 2 * i + second, ka + 1, j, kb) || parts_near(t, 2 * i + !second, ka + 1, j, kb);
    }
    const bool second = clump_ranged_gap_squared(p, node_at(b, 2 * j + 1, kb + 1)) <
                        clump_ranged_gap_squared(p, node_at(b, 2 * j, kb + 1));
    return parts_near(t, i, ka, 2 * j + second, kb + 1) || parts_near(t, i, ka, 2 * j + !second, kb + 1);
}

/* Whether the ball around the box of one set is far from all points of the other. Its radius is computed in float: hence
 * 2^-20, as in patches.c. Stops at the first point that is not far. */
static bool ball_separates(const tree_view *ball, const tree_view *points)
{
    const clump_ranged_node *const box = &ball->node[0];
    float centre[3], square = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = box->lower[k] + (box->upper[k] - box->lower[k]) / 2;
        const float side = fmaxf(box->upper[k] - centre[k], centre[k] - box->lower[k]);
        square += side * side;
    }
    const float most = smaller(box->most, points->node[0].most);
    if (!(square > 0x1p-100f && square < most))
        return false; /* not a ball that is worth it, or squares that lose bits */
    return clump_ball_far(points->point, points->count, centre, sqrtf(square) * (1 + 0x1p-20f), most);
}

/* Whether two sets hold neighbours: by their trees, and where these do not decide, by the sieve. */
static bool views_near(tree_view a, tree_view b, clump_ranged_search *search)
{
    const bool a_in_ball = longest_side(&a.node[0]) < longest_side(&b.node[0]);
    if (a_in_ball ? ball_separates(&a, &b) : ball_separates(&b, &a)) return false;
    const size_t all = a.count + b.count, most = RANGED_PAIRS_PER_POINT * all;
    tree_pair t = {
        .a = a, .b = b, .team = search->team, .most = most, .poll = most < RANGED_POLLED ? most : RANGED_POLLED};
    const bool near = !clump_team_stopped(t.team) && parts_near(&t, 0, 0, 0, 0);
    search->work += t.work;
    if (near || !t.stopped || t.work < most) return near;
    memcpy(search->scratch, a.point, a.count * sizeof *a.point);
    memcpy(search->scratch + a.count, b.point, b.count * sizeof *b.point);
    return clump_sieve_grown(search->scratch, a.count, search->scratch + a.count, b.count, search->team, &search->work);
}

size_t clump_ranged_tree_nodes(size_t n)
{
    return ((size_t)2 << depth_of(n)) - 1;
}

void clump_ranged_tree_build(clump_ranged_node *tree, clump_point *p, size_t n, clump_team *team)
{
    build_part(tree, p, NULL, n, 0, 0, depth_of(n), team);
}

bool clump_ranged_trees_near(const clump_ranged_node *tree_a, const clump_point *a, size_t na,
                             const clump_ranged_node *tree_b, const clump_point *b, size_t nb,
                             clump_ranged_search *search)
{
    return views_near((tree_view){tree_a, a, na, depth_of(na)}, (tree_view){tree_b, b, nb, depth_of(nb)}, search);
}

bool clump_ranged_cells_near(clump_ranged *g, clump_ranged_cell *a, clump_ranged_cell *b)
{
    const size_t na = clump_ranged_size(a), nb = clump_ranged_size(b);
    if (na * nb <= RANGED_ALL_PAIRS) return all_pairs(g->point + a->begin, na, g->point + b->begin, nb);
    clump_ranged_node root[2];
    const tree_view va = view_of(g, a, &root[0]), vb = view_of(g, b, &root[1]);
    return views_near(va, vb, &g->search);
}

/* The number of points of part j of 2^k that are neighbours of p, whose box is `box`; see clump_ranged_count. */
static size_t count_part(const tree_view *v, size_t j, unsigned k, clump_point p, const clump_ranged_node *box,
                         size_t needed)
{
    const clump_ranged_node *const node = node_at(v, j, k);
    const size_t begin = (v->count * j) >> k, end = (v->count * (j + 1)) >> k;
    if (!(clump_ranged_gap_squared(node, box) < smaller(node->most, box->most))) return 0;
    if (span_squared(node, box) < smaller(node->least, box->least)) return end - begin;
    if (k == v->depth) return count_points(p, v->point + begin, end - begin, needed);
    const size_t first = count_part(v, 2 * j, k + 1, p, box, needed);
    return first >= needed ? first : first + count_part(v, 2 * j + 1, k + 1, p, box, needed - first);
}

size_t clump_ranged_count(clump_ranged *g, clump_point p, clump_ranged_cell *cell, size_t needed)
{
    if (!is_large(cell)) return count_points(p, g->point + cell->begin, clump_ranged_size(cell), needed);
    const tree_view v = view_of(g, cell, NULL);
    const clump_ranged_node box = clump_ranged_box_of(&p, 1);
    return count_part(&v, 0, 0, p, &box, needed);
}
