/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_any.c: Euclidean clustering and DBSCAN for any radius that grows with the range, on one thread: for jobs that shells do
 * not serve (clump_shells_fit). All points are in one tree of boxes (ranged_tree.c). Two parts of it are compared by their
 * boxes: no pair of points is near, or every pair; else by their halves. Where this is not decided by large parts, as
 * between a circle and its axis, both are soon compact; then clump_ranged_parts_near() or the sieve (grid/sieve.h) decides.
 *
 *     join_inside    sets of points by union-find: a part is `whole` when its points are known to be one set
 *     decide_part    DBSCAN: the points of a part that are all neighbours are compared with the tree together, to find core
 *                    points in the tree of all points, and labels of border points in the tree of core points
 */
#include "cpu/ranged/ranged.h"

#include "cpu/shared/stages.h"
#include "rules/radius.h"
#include "rules/union_find.h"

#define ANY_POLLED 65536 /* points between two polls of a loop that does little per point */

/* ----- the tree -------------------------------------------------------------------------------------------- */

static clump_point point_with_bound(const clump_cloud_job *job, clump_radius_rule rule, size_t i)
{
    clump_point p = clump_point_copy(job, i);
    float bound = clump_distance_bound(clump_radius(rule.eps, clump_radius_grown(rule, p.x, p.y, p.z)));
    if (job->bound != clump_distance_bound(job->d)) bound = nextafterf(bound, INFINITY); /* d2 may be the square */
    p.more = clump_float_bits(bound);
    return p;
}

/* Makes the tree of the points that take part, and counts them. */
static clump_status build_tree(clump_work *work, clump_ranged_any *t, const clump_cloud_job *job, clump_stats *stats)
{
    const clump_radius_rule rule = clump_radius_rule_make(job->d, job->per_metre, job->sensor, job->two_d);
    const size_t nodes = clump_ranged_tree_nodes(job->count > 0 ? job->count : 1);
    CLUMP_TRY(clump_buffer_reserve(work, &t->points, (job->count + 3) * sizeof(clump_point)));
    CLUMP_TRY(clump_buffer_reserve(work, &t->numbers, 2 * (job->count + 1) * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &t->nodes, nodes * sizeof(clump_ranged_node)));
    CLUMP_TRY(clump_buffer_reserve(work, &t->lows, 2 * nodes * sizeof(uint32_t)));
    clump_point *const point = t->points.data;
    t->index = t->numbers.data;
    t->parent = t->index + job->count;
    t->low = t->lows.data;
    t->high = t->low + nodes;
    stats->finite = stats->masked = stats->noise = 0;
    size_t n = 0;
    for (size_t i = 0; i < job->count; i++) {
        if (i % ANY_POLLED == 0) CLUMP_TRY(clump_poll(work));
        if (!clump_admit_point(job, i, stats)) continue;
        point[n] = point_with_bound(job, rule, i);
        t->parent[n] = (uint32_t)n;
        t->index[n++] = (uint32_t)i;
    }
    memset(point + n, 0, 3 * sizeof *point);
    if (n > 0) clump_ranged_tree_build(t->nodes.data, point, t->index, n, work->team);
    t->tree = n > 0 ? clump_ranged_tree_of(t->nodes.data, point, n) : (clump_ranged_boxes){.count = 0};
    return clump_poll(work);
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline bool boxes_apart(const clump_ranged_node *p, const clump_ranged_node *q)
{
    return !(clump_ranged_gap_squared(p, q) < smaller(p->most, q->most));
}

static inline bool all_near(const clump_ranged_node *p, const clump_ranged_node *q)
{
    return clump_ranged_span_squared(p, q) < smaller(p->least, q->least);
}

/* The halves of a part, that which is nearer to a box first. */
static void halves_of(const clump_ranged_part *a, const clump_ranged_node *box, clump_ranged_part half[2])
{
    const clump_ranged_part x = clump_ranged_half(a, 0), y = clump_ranged_half(a, 1);
    const bool second =
        clump_ranged_gap_squared(clump_ranged_box_at(&y), box) < clump_ranged_gap_squared(clump_ranged_box_at(&x), box);
    half[0] = second ? y : x, half[1] = second ? x : y;
}

/* ----- joining ---------------------------------------------------------------------------------------------- */

typedef struct any_join {
    uint32_t *parent;
    uint32_t *whole; /* per node: not 0 where its points are known to be in one set */
    clump_ranged_search search;
} any_join;

/* Makes the points of a part one set. */
static void make_whole(any_join *w, const clump_ranged_part *a)
{
    const size_t begin = clump_ranged_first_of(a), end = begin + clump_ranged_size_of(a);
    uint32_t *const whole = &w->whole[clump_ranged_node_of(a)];
    for (size_t i = begin + 1; !*whole && i < end; i++) clump_unite_alone(w->parent, (uint32_t)begin, (uint32_t)i);
    *whole = 1;
}

static inline bool same_set(const any_join *w, const clump_ranged_part *a, const clump_ranged_part *b)
{
    return clump_find(w->parent, (uint32_t)clump_ranged_first_of(a)) ==
           clump_find(w->parent, (uint32_t)clump_ranged_first_of(b));
}

/* Whether a part is one set by now. May miss that where it is no leaf. */
static bool is_whole(any_join *w, const clump_ranged_part *a)
{
    uint32_t *const whole = &w->whole[clump_ranged_node_of(a)];
    if (*whole) return true;
    if (!clump_ranged_is_leaf(a)) {
        const clump_ranged_part x = clump_ranged_half(a, 0), y = clump_ranged_half(a, 1);
        *whole = w->whole[clump_ranged_node_of(&x)] && w->whole[clump_ranged_node_of(&y)] && same_set(w, &x, &y);
        return *whole != 0;
    }
    const uint32_t begin = (uint32_t)clump_ranged_first_of(a), end = begin + (uint32_t)clump_ranged_size_of(a);
    const uint32_t set = clump_find(w->parent, begin);
    for (uint32_t i = begin + 1; i < end; i++)
        if (clump_find(w->parent, i) != set) return false;
    *whole = 1;
    return true;
}

/* Joins two leaves, or a leaf with itself, by all pairs of points. */
static void join_points(any_join *w, const clump_ranged_part *a, const clump_ranged_part *b)
{
    const clump_point *const p = a->of->point;
    const size_t a_begin = clump_ranged_first_of(a), b_begin = clump_ranged_first_of(b);
    const size_t a_end = a_begin + clump_ranged_size_of(a), b_end = b_begin + clump_ranged_size_of(b);
    for (size_t i = a_begin; i < a_end; i++) {
        const float bound = clump_ranged_bound(p[i]);
        const clump_ranged_node at = clump_ranged_box_of(&p[i], 1);
        if (boxes_apart(&at, clump_ranged_box_at(b))) continue;
        for (size_t j = a == b ? i + 1 : b_begin; j < b_end; j++)
            if (clump_distance_squared(p[i].x, p[i].y, p[i].z, p[j].x, p[j].y, p[j].z) <
                smaller(bound, clump_ranged_bound(p[j])))
                clump_unite_alone(w->parent, (uint32_t)i, (uint32_t)j);
    }
}

/* Joins two parts that do not overlap. */
static void join_parts(any_join *w, const clump_ranged_part *a, const clump_ranged_part *b)
{
    const clump_ranged_node *const p = clump_ranged_box_at(a), *const q = clump_ranged_box_at(b);
    if (boxes_apart(p, q) || clump_team_stopped(w->search.team)) return;
    const bool a_whole = is_whole(w, a), b_whole = is_whole(w, b), whole = a_whole && b_whole;
    if (whole && same_set(w, a, b)) return;
    const bool all = all_near(p, q);
    if (all) make_whole(w, a), make_whole(w, b);
    if (all || (whole && clump_ranged_is_compact(p) && clump_ranged_is_compact(q))) {
        if (all || clump_ranged_parts_near(a, b, &w->search))
            clump_unite_alone(w->parent, (uint32_t)clump_ranged_first_of(a), (uint32_t)clump_ranged_first_of(b));
        return;
    }
    if (clump_ranged_is_leaf(a) && clump_ranged_is_leaf(b)) {
        join_points(w, a, b);
        return;
    }
    /* a part that is whole stays large, else the larger one is halved */
    const bool larger = clump_ranged_span_squared(p, p) >= clump_ranged_span_squared(q, q);
    const bool halve_a = a_whole == b_whole ? larger : b_whole;
    const bool first = clump_ranged_is_leaf(b) || (halve_a && !clump_ranged_is_leaf(a));
    clump_ranged_part half[2];
    halves_of(first ? a : b, first ? q : p, half);
    for (int k = 0; k < 2; k++) join_parts(w, first ? &half[k] : a, first ? b : &half[k]);
}

/* Sets the marks of a part and of all parts of it. */
static void mark_all(any_join *w, const clump_ranged_part *a, uint32_t whole)
{
    w->whole[clump_ranged_node_of(a)] = whole;
    for (size_t k = 0; k < 2 && !clump_ranged_is_leaf(a); k++) {
        const clump_ranged_part half = clump_ranged_half(a, k);
        mark_all(w, &half, whole);
    }
}

/* Joins the points of a part among themselves. */
static void join_inside(any_join *w, const clump_ranged_part *a)
{
    const clump_ranged_node *const box = clump_ranged_box_at(a);
    uint32_t *const whole = &w->whole[clump_ranged_node_of(a)];
    *whole = 0;
    if (clump_team_stopped(w->search.team)) return;
    if (all_near(box, box)) {
        make_whole(w, a);
        mark_all(w, a, 1);
    } else if (clump_ranged_is_leaf(a)) {
        join_points(w, a, a);
    } else {
        const clump_ranged_part x = clump_ranged_half(a, 0), y = clump_ranged_half(a, 1);
        join_inside(w, &x), join_inside(w, &y);
        join_parts(w, &x, &y);
        is_whole(w, &x), is_whole(w, &y), is_whole(w, a); /* for the parts above */
    }
}

/* Numbers the sets in the order of their first points. The labels of the points are noise before. */
static int32_t number_sets(const clump_ranged_any *t, const clump_cloud_job *job)
{
    const size_t n = t->tree.count;
    int32_t next = 0;
    for (size_t k = 0; k < n; k++) job->labels[t->index[k]] = (int32_t)clump_root(t->parent, (uint32_t)k);
    for (size_t k = 0; k < n; k++) t->parent[k] = UINT32_MAX; /* from here on the number of a root */
    for (size_t i = 0; i < job->count; i++) {
        if (job->labels[i] == CLUMP_NOISE) continue;
        uint32_t *const number = &t->parent[job->labels[i]];
        if (*number == UINT32_MAX) *number = (uint32_t)next++;
        job->labels[i] = (int32_t)*number;
    }
    return next;
}

clump_status clump_ranged_any_ec(clump_work *work, clump_ranged_any *t, const clump_cloud_job *job, clump_stats *stats)
{
    clump_stages at = {.start = clump_now_ms()};
    CLUMP_TRY(build_tree(work, t, job, stats));
    CLUMP_TRY(clump_buffer_reserve(work, &t->scratch, (job->count + 3) * sizeof(clump_point)));
    at.built = clump_now_ms();
    any_join w = {t->parent, t->low, {.scratch = t->scratch.data, .team = work->team}};
    const clump_ranged_part root = {.of = &t->tree};
    if (t->tree.count > 0) join_inside(&w, &root);
    CLUMP_TRY(clump_poll(work));
    t->work = w.search.work;
    at.clustered = clump_now_ms();
    stats->clusters = number_sets(t, job);
    at.labelled = clump_now_ms();
    clump_report_stages(stats, 1, 1, at);
    return CLUMP_OK;
}

/* ----- DBSCAN ----------------------------------------------------------------------------------------------- */

typedef struct any_density {
    const clump_ranged_any *all, *in; /* the tree of all points, and that which is searched */
    clump_ranged_open open;
    uint32_t largest; /* of the labels of open points */
} any_density;

static void find_largest(any_density *w)
{
    w->largest = 0;
    for (size_t k = 0; k < w->open.count; k++) w->largest = w->open.near[k] > w->largest ? w->open.near[k] : w->largest;
}

/* Compares the open points with those of a leaf. */
static void compare_leaf(any_density *w, const clump_ranged_part *b)
{
    const size_t first = clump_ranged_first_of(b), n = clump_ranged_size_of(b);
    const clump_ranged_node *const box = clump_ranged_box_at(b);
    clump_ranged_open *const o = &w->open;
    const clump_point *const p = w->in->tree.point + first;
    const uint32_t *const index = w->in->index + first;
    for (size_t k = 0; k < o->count; k++) {
        uint32_t *const near = &o->near[k];
        const clump_ranged_node at = clump_ranged_box_of(&o->own[k], 1);
        if (boxes_apart(&at, box)) continue;
        if (!o->labels) *near += (uint32_t)clump_ranged_count_points(o->own[k], p, n, n);
        for (size_t i = 0; o->labels && i < n; i++)
            if ((uint32_t)o->labels[index[i]] < *near && clump_ranged_count_points(o->own[k], p + i, 1, 1) > 0)
                *near = (uint32_t)o->labels[index[i]];
    }
}

/* Decides the open points by a part, where the boxes or the sieve can. */
static bool decide_by_part(any_density *w, const clump_ranged_part *b)
{
    clump_ranged_open *const o = &w->open;
    const clump_ranged_node *const box = clump_ranged_box_at(b);
    const size_t n = clump_ranged_size_of(b);
    const uint32_t low = o->labels ? w->in->low[clump_ranged_node_of(b)] : 0;
    if (all_near(&o->box, box)) {
        for (size_t k = 0; k < o->count; k++) {
            if (!o->labels) o->near[k] += (uint32_t)n;
            if (o->labels && low < o->near[k]) o->near[k] = low;
        }
        return true;
    }
    const bool one_label = !o->labels || low == w->in->high[clump_ranged_node_of(b)];
    if (!one_label || !clump_ranged_worth_sieve(o, n) || !clump_ranged_is_compact(box) ||
        !clump_ranged_is_compact(&o->box))
        return false;
    memcpy(o->others, clump_ranged_points_of(b), n * sizeof *o->others);
    clump_ranged_sieve(o, n, low);
    return true;
}

/* Compares the open points with a part. */
static void visit_part(any_density *w, const clump_ranged_part *b)
{
    clump_ranged_open *const o = &w->open;
    if (o->count == 0 || clump_team_stopped(o->team) || boxes_apart(&o->box, clump_ranged_box_at(b))) return;
    if (o->labels && w->in->low[clump_ranged_node_of(b)] >= w->largest) return;
    if (!decide_by_part(w, b)) {
        if (!clump_ranged_is_leaf(b)) {
            clump_ranged_part half[2];
            halves_of(b, &o->box, half);
            visit_part(w, &half[0]), visit_part(w, &half[1]);
            return;
        }
        compare_leaf(w, b);
    }
    if (o->labels)
        find_largest(w);
    else
        clump_ranged_settle(o);
}

/* Decides the points of a part: together, where all are neighbours or it is a leaf. */
static void decide_part(any_density *w, const clump_ranged_part *a)
{
    clump_ranged_open *const o = &w->open;
    const clump_ranged_node *const box = clump_ranged_box_at(a);
    const size_t begin = clump_ranged_first_of(a), n = clump_ranged_size_of(a);
    const bool near = all_near(box, box), core = near && n >= o->min_points;
    if ((core && o->labels) || clump_team_stopped(o->team)) return;
    if (!core && !clump_ranged_is_leaf(a) && !(near && clump_ranged_is_compact(box))) {
        const clump_ranged_part x = clump_ranged_half(a, 0), y = clump_ranged_half(a, 1);
        decide_part(w, &x), decide_part(w, &y);
        return;
    }
    const clump_ranged_part root = {.of = &w->in->tree};
    o->count = 0, o->box = *box;
    for (size_t i = begin; i < begin + n; i++)
        if (!o->labels || !o->core[w->all->index[i]])
            clump_ranged_open_point(o, w->all->tree.point[i], w->all->index[i],
                                    o->labels ? (uint32_t)CLUMP_NOISE
                                    : core    ? (uint32_t)n
                                              : 0);
    if (core) clump_ranged_settle(o);
    w->largest = UINT32_MAX;
    visit_part(w, &root);
    if (o->labels) clump_ranged_give(o);
}

/* Finds the smallest and the largest label of every node. */
static void find_labels(const clump_ranged_any *t, const int32_t *labels, const clump_ranged_part *a)
{
    uint32_t *const low = &t->low[clump_ranged_node_of(a)], *const high = &t->high[clump_ranged_node_of(a)];
    *low = UINT32_MAX, *high = 0;
    const size_t begin = clump_ranged_first_of(a), n = clump_ranged_is_leaf(a) ? clump_ranged_size_of(a) : 0;
    for (size_t i = begin; i < begin + n; i++) {
        const uint32_t label = (uint32_t)labels[t->index[i]];
        *low = label < *low ? label : *low, *high = label > *high ? label : *high;
    }
    for (size_t k = 0; k < 2 && !clump_ranged_is_leaf(a); k++) {
        const clump_ranged_part half = clump_ranged_half(a, k);
        const size_t at = clump_ranged_node_of(&half);
        find_labels(t, labels, &half);
        *low = t->low[at] < *low ? t->low[at] : *low, *high = t->high[at] > *high ? t->high[at] : *high;
    }
}

clump_status clump_ranged_any_dbscan(clump_work *work, clump_ranged_any *all, clump_ranged_any *cores,
                                     const clump_dbscan_job *job, uint8_t *core, clump_stats *stats)
{
    const size_t n = job->in.count;
    clump_stages at = {.start = clump_now_ms()};
    CLUMP_TRY(build_tree(work, all, &job->in, stats));
    CLUMP_TRY(clump_buffer_reserve(work, &all->scratch, 4 * (n + 1) * sizeof(clump_point)));
    clump_point *const own = all->scratch.data;
    uint32_t *const index = (uint32_t *)(own + 3 * n);
    any_density w = {.all = all,
                     .in = all,
                     .open = {.team = work->team,
                              .min_points = job->min_points,
                              .core = core,
                              .own = own,
                              .open = own + n,
                              .others = own + 2 * n,
                              .index = index,
                              .near = index + n,
                              .hits = index + 2 * n}};
    const clump_ranged_part root = {.of = &all->tree};
    if (n > 0) memset(core, 0, n);
    if (all->tree.count > 0) decide_part(&w, &root);
    CLUMP_TRY(clump_poll(work));
    at.built = clump_now_ms();
    clump_cloud_job among = job->in;
    clump_stats inner = {.threads = 1};
    among.mask = core;
    CLUMP_TRY(clump_ranged_any_ec(work, cores, &among, &inner));
    stats->clusters = inner.clusters, stats->noise = n - w.open.found;
    at.clustered = clump_now_ms() - inner.label_ms;
    if (job->border_points && cores->tree.count > 0) {
        w.in = cores, w.open.labels = job->in.labels, w.open.found = 0;
        find_labels(cores, job->in.labels, &(clump_ranged_part){.of = &cores->tree});
        decide_part(&w, &root);
        CLUMP_TRY(clump_poll(work));
        stats->noise -= w.open.found;
    }
    all->work = w.open.work;
    at.labelled = clump_now_ms();
    clump_report_stages(stats, 1, 1, at);
    return CLUMP_OK;
}

void clump_ranged_any_release(clump_work *work, clump_ranged_any *t)
{
    clump_buffer *const memory[] = {&t->points, &t->numbers, &t->nodes, &t->lows, &t->scratch};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) clump_buffer_release(work, memory[i]);
}
