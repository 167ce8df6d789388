/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_join.c: see rows_memory.h. Pairs of neighbours are found in windows (window.h), one mask per point, and become
 * edges in a small buffer. Neither step branches on how many neighbours a point has, which is unpredictable.
 *
 * A point is linked if it and the next point are neighbours. Links are found first and are sets already. So most edges
 * of dense places are not needed. A pair (q, l) of a point q and a lane l is dropped
 *   - if (q, l - 1) are neighbours and l - 1 is linked, or l - 1 is q itself and linked;
 *   - if (q - 1, l) are neighbours and q - 1 is linked.
 * By induction over q + l the points of a dropped pair are joined by pairs that are kept, and by links.
 */
#include "cpu/rows/rows_memory.h"

#include "common/atomics.h"
#include "core/work.h"
#include "cpu/rows/walk.h"
#include "rules/union_find.h"

#include <math.h>

#define JOIN_EDGES  512   /* edges that are collected before they are joined: 4 KB */
#define JOIN_CHUNK  16384 /* points per chunk where sets are found: 20 to 60 us */
#define JOIN_LIST   512   /* roots that are listed at a time */
#define JOIN_STORES 2     /* edges that every window stores, needed or not */

typedef struct edge {
    uint32_t a, b;
} edge;

typedef struct edges {
    uint32_t *parent;
    const uint8_t *links; /* one bit per point */
    bool alone;           /* one thread */
    size_t count;
    edge edge[JOIN_EDGES + 64];
} edges;

/* Joins the ends of an edge whose parents are not enough to tell. */
static void join_slowly(uint32_t *parent, edge e)
{
    const uint32_t a = clump_find(parent, e.a), b = clump_find(parent, e.b), root = a < b ? a : b;
    parent[a] = root, parent[b] = root;
    parent[e.a] = root, parent[e.b] = root; /* later edges of these points take the short way */
}

/* Joins the ends of edges while no other thread uses the array. The larger of the two parents is mostly a root: it
 * becomes a child of the smaller. This needs no branch, nor does the case of equal parents. */
static void join_alone(uint32_t *parent, const edge *e, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t p = parent[e[i].a], q = parent[e[i].b];
        const uint32_t low = p < q ? p : q, high = p < q ? q : p, up = parent[high];
        parent[high] = up == high ? low : up;
        if (up != high && p != q) join_slowly(parent, e[i]);
    }
}

/* The same for several threads: the larger parent, if it is a root, becomes a child of the smaller. */
static inline void join_edge(uint32_t *parent, edge e)
{
    const uint32_t p = CLUMP_LOAD(&parent[e.a]), q = CLUMP_LOAD(&parent[e.b]);
    if (p == q) return;
    const uint32_t low = p < q ? p : q;
    const uint32_t high = p < q ? q : p;
    uint32_t expected = high;
    if (CLUMP_LOAD(&parent[high]) != high || !CLUMP_SWAP(&parent[high], &expected, low)) clump_unite(parent, e.a, e.b);
}

static void join_shared(uint32_t *parent, const edge *e, size_t count)
{
    for (size_t i = 0; i < count; i++) join_edge(parent, e[i]);
}

static void flush_edges(edges *e)
{
    if (e->alone)
        join_alone(e->parent, e->edge, e->count);
    else
        join_shared(e->parent, e->edge, e->count);
    e->count = 0;
}

/* Returns the links of CLUMP_WINDOW points from k on, one bit each. */
static inline uint64_t links_from(const uint8_t *links, uint32_t k)
{
    const uint8_t *const b = links + k / 8;
    const uint32_t bits = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24; /* one load */
    return bits >> k % 8 & CLUMP_WINDOW_FULL;
}

/* Returns the pairs of a window that are kept. `lanes`: links of the lanes, `mine`: of the group. `self`: pairs whose lane
 * follows their point. */
static inline uint64_t keep_pairs(uint64_t near, uint64_t lanes, uint64_t mine, uint64_t self)
{
    const uint64_t every = lanes * CLUMP_WINDOW_FIRST; /* for all points of the group */
    uint64_t linked = 0;
    for (unsigned q = 1; q < CLUMP_GROUP; q++)
        linked |= (mine >> (q - 1) & 1) * ((uint64_t)CLUMP_WINDOW_FULL << CLUMP_WINDOW * q);
    const uint64_t by_lane = (near & every) << 1 & ~CLUMP_WINDOW_FIRST, by_point = near << CLUMP_WINDOW & linked;
    return near & ~(by_lane | by_point | self);
}

/* Adds the edges of a window from `from` on for the group of points from k on. */
static inline void add_edges(edges *e, uint32_t k, uint32_t from, uint64_t near)
{
    edge *const to = e->edge + e->count;
    e->count += clump_count_pairs(near);
    for (unsigned i = 0; i < JOIN_STORES; i++) { /* more than there are: overwritten by the next window */
        const unsigned bit = clump_lowest(near | (uint64_t)1 << 63);
        to[i] = (edge){k + bit / CLUMP_WINDOW, from + bit % CLUMP_WINDOW};
        near &= near - 1;
    }
    for (unsigned i = JOIN_STORES; near; i++, near &= near - 1) {
        const unsigned bit = clump_lowest(near);
        to[i] = (edge){k + bit / CLUMP_WINDOW, from + bit % CLUMP_WINDOW};
    }
    if (e->count >= JOIN_EDGES) flush_edges(e);
}

/* Adds the edges of the windows of a stream after the one from `from` on. */
static void add_far_edges(const clump_window_points *t, const clump_row_group *g, clump_stream *s, uint32_t from,
                          clump_window w, uint32_t k, edges *e)
{
    const uint64_t mine = links_from(e->links, k);
    while (clump_look_on(t, g, s, &from, &w))
        add_edges(e, k, from, keep_pairs(w.near, links_from(e->links, from), mine, 0));
}

/* Adds the edges between a group of points from k on and the points of its own row after them. A window begins after
 * the first point of the group: point q has only the lanes from q on after it. */
static inline void join_own_row(const clump_window_points *t, const clump_row_group *g, uint32_t k, uint32_t end,
                                edges *e)
{
    const uint64_t mine = links_from(e->links, k);
    uint64_t after = 0, self = 0;
    for (unsigned q = 0; q < CLUMP_GROUP; q++) {
        after |= (uint64_t)(CLUMP_WINDOW_FULL & ~0u << q) << CLUMP_WINDOW * q;
        self |= (mine >> q & 1) << (CLUMP_WINDOW * q + q);
    }
    const clump_window w = clump_look(t, g, k + 1, end);
    add_edges(e, k, k + 1, keep_pairs(w.near & after, links_from(e->links, k + 1), mine, self));
    clump_stream rest = {.at = k + 1, .end = end};
    if (w.goes_on) add_far_edges(t, g, &rest, k + 1, w, k, e);
}

/* Whether any point of the group from k on is in a set. */
static inline bool some_finite(const float *y, size_t k, size_t count)
{
    bool some = false;
    for (size_t q = 0; q < CLUMP_GROUP && q < count; q++) some |= isfinite(y[k + q]);
    return some;
}

/* Finds the neighbours of the points of a row after them. */
static inline void join_row(const clump_rows_join *j, const clump_window_points *t, clump_walk *w, edges *e)
{
    const clump_sorted *const s = j->sorted;
    const uint32_t end = s->begin[w->row + 1];
    for (size_t k = w->from; k < w->to; k += CLUMP_GROUP) {
        if (t->y != s->y && !some_finite(t->y, k, w->to - k)) continue;
        const clump_row_group g = clump_row_group_make(s, t->y + k, k, w->to - k, j->bound);
        const uint64_t mine = links_from(e->links, (uint32_t)k);
        join_own_row(t, &g, (uint32_t)k, end, e);
        for (size_t r = 0; r < w->streams; r++) {
            clump_stream *const stream = &w->stream[r];
            const uint32_t from = stream->at;
            const clump_window seen = clump_look(t, &g, from, stream->end);
            stream->at += seen.behind;
            add_edges(e, (uint32_t)k, from, keep_pairs(seen.near, links_from(e->links, from), mine, 0));
            if (seen.goes_on) add_far_edges(t, &g, stream, from, seen, (uint32_t)k, e);
        }
    }
}

static void join_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_rows_join *const j = arg;
    const clump_window_points t = {j->sorted->x, j->y, j->sorted->z};
    edges e;
    e.parent = j->parent, e.links = j->sorted->bits, e.alone = j->threads == 1, e.count = 0;
    clump_walk w = clump_walk_make(j->sorted, begin, end, false);
    while (clump_walk_next(&w)) join_row(j, &t, &w, &e);
    flush_edges(&e);
}

static inline size_t join_chunks(const clump_rows_join *j)
{
    return (j->sorted->n + JOIN_CHUNK - 1) / JOIN_CHUNK;
}

static inline uint32_t join_chunk_end(const clump_rows_join *j, size_t chunk)
{
    return (uint32_t)(chunk + 1 < join_chunks(j) ? (chunk + 1) * JOIN_CHUNK : j->sorted->n);
}

/* Finds the links of the points of a chunk. The last one has none: no thread knows the sets of the next chunk. */
static void find_links(const clump_rows_join *j, uint32_t begin, uint32_t end)
{
    const clump_sorted *const s = j->sorted;
    const clump_lanes bound = CLUMP_LANES_SET(j->bound);
    for (uint32_t k = begin; k < end; k += CLUMP_WINDOW) { /* reads padding after the last point */
        const clump_lanes x = CLUMP_LANES_LOAD(s->x + k), y = CLUMP_LANES_LOAD(j->y + k),
                          z = CLUMP_LANES_LOAD(s->z + k);
        const clump_lanes d2 = clump_lanes_squares(x, y, z, CLUMP_LANES_LOAD(s->x + k + 1),
                                                   CLUMP_LANES_LOAD(j->y + k + 1), CLUMP_LANES_LOAD(s->z + k + 1));
        const unsigned near = CLUMP_LANES_LESS(d2, bound);
        for (unsigned b = 0; b < CLUMP_WINDOW / 8; b++) s->bits[k / 8 + b] = (uint8_t)(near >> 8 * b);
    }
    s->bits[(end - 1) / 8] &= (uint8_t)(0x7f >> (7 - (end - 1) % 8));
}

/* Makes sets of linked points. */
static void make_sets(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_rows_join *const j = arg;
    for (size_t c = begin; c < end; c++) {
        const uint32_t from = (uint32_t)(c * JOIN_CHUNK), to = join_chunk_end(j, c);
        find_links(j, from, to);
        uint32_t root = from;
        for (uint32_t k = from; k < to; k++) {
            j->parent[k] = root;
            root = j->sorted->bits[k / 8] >> k % 8 & 1 ? root : k + 1;
        }
        memcpy(j->first + from, j->sorted->index + from, (to - from) * sizeof *j->first);
    }
}

static inline uint32_t root_of(const void *arg, size_t k)
{
    uint32_t *const parent = ((const clump_rows_join *)arg)->parent;
    return parent[k] = parent[parent[k]];
}

static inline uint32_t index_of(const void *arg, size_t k)
{
    return ((const clump_rows_join *)arg)->sorted->index[k];
}

/* Makes every point of a chunk a child of its top: the ancestor that is a root, or whose parent is before `start`, the
 * beginning of the chunk. Parents come before their children, so the parent of a point is a child of its top already.
 * Finds the smallest index of the points of every top. */
static void find_tops_of_chunk(const clump_rows_join *j, uint32_t start, uint32_t begin, uint32_t end)
{
    const uint32_t *const index = j->sorted->index;
    uint32_t *const parent = j->parent, *const first = j->first;
    if (start == 0) { /* tops are roots */
        clump_number_lows(j, begin, end, root_of, index_of, first, false);
        return;
    }
    for (uint32_t k = begin; k < end; k++) { /* only tops have a parent before `start` */
        const uint32_t p = parent[k], up = parent[p < start ? k : p];
        const uint32_t out = up < start ? p : up, top = out < start ? k : out;
        parent[k] = out;
        first[top] = index[k] < first[top] ? index[k] : first[top];
    }
}

/* Makes every top of a chunk a child of its root, and has the smallest index of its points count there. */
static void find_roots_of_chunk(const clump_rows_join *j, uint32_t begin, uint32_t end)
{
    uint32_t list[JOIN_LIST]; /* listed without a branch on which points are tops */
    for (uint32_t base = begin; base < end; base += JOIN_LIST) {
        const uint32_t last = end - base < JOIN_LIST ? end : base + JOIN_LIST;
        size_t count = 0;
        for (uint32_t k = base; k < last; k++) {
            list[count] = k;
            count += CLUMP_LOAD(&j->parent[k]) < begin;
        }
        for (size_t i = 0; i < count; i++) {
            const uint32_t root = clump_root(j->parent, list[i]);
            CLUMP_STORE(&j->parent[list[i]], root);
            clump_atomic_min(&j->first[root], j->first[list[i]]);
        }
    }
}

/* One thread goes through the chunks in order: for it all points are one chunk, and tops are roots. */
static void find_tops(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_rows_join *const j = arg;
    for (size_t c = begin; c < end; c++) {
        const uint32_t from = (uint32_t)(c * JOIN_CHUNK);
        find_tops_of_chunk(j, j->threads > 1 ? from : 0, from, join_chunk_end(j, c));
    }
}

static void find_roots(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    for (size_t c = begin; c < end; c++) find_roots_of_chunk(arg, (uint32_t)(c * JOIN_CHUNK), join_chunk_end(arg, c));
}

/* Replaces the parent of point k by its root, which is its parent or grandparent by now. */
static inline bool is_root(const void *arg, size_t k)
{
    const clump_rows_join *const j = arg;
    const uint32_t root = CLUMP_LOAD(&j->parent[CLUMP_LOAD(&j->parent[k])]);
    CLUMP_STORE(&j->parent[k], root);
    return (root == k) & (fabsf(j->y[k]) < INFINITY);
}

static inline uint32_t first_of(const void *arg, size_t k)
{
    return ((const clump_rows_join *)arg)->first[k];
}

static void mark_firsts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    clump_rows_join *const j = arg;
    clump_number_firsts(j, begin, end, is_root, first_of, &j->ranks, j->threads > 1);
}

clump_status clump_rows_join_sets(clump_work *work, clump_rows_join *j, int32_t *sets)
{
    const size_t n = j->sorted->n;
    CLUMP_TRY(clump_run(work, j->threads, join_chunks(j), 1, make_sets, j));
    CLUMP_TRY(clump_run(work, j->threads, n, CLUMP_WALK_PIECE, join_pieces, j));
    CLUMP_TRY(clump_run(work, j->threads, join_chunks(j), 1, find_tops, j));
    if (j->threads > 1) CLUMP_TRY(clump_run(work, j->threads, join_chunks(j), 1, find_roots, j));
    CLUMP_TRY(clump_run(work, j->threads, n, CLUMP_CHUNK, mark_firsts, j));
    *sets = (int32_t)clump_ranks_count(&j->ranks);
    return CLUMP_OK;
}
