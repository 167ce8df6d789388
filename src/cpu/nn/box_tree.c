/* SPDX-License-Identifier: BSD-3-Clause
 *
 * box_tree.c: building the tree of box_tree.h. The points are cut into parts, threads build the parts, then the calling
 * thread builds the top of the tree over them. The numbers of nodes and leaves are not known beforehand. A part that
 * runs out of room goes on counting; then all parts are built again with the room that was counted. A rebuilt tree
 * mostly has the room already.
 */
#include "cpu/nn/box_tree.h"

#include "common/atomics.h"
#include "common/lanes.h"
#include "core/work.h"

#include <math.h>
#include <string.h>

#define TREE_PARTS      64   /* at most: some per thread, to balance their load */
#define TREE_PART_LEAST 2048 /* points; smaller spans are not worth cutting */
#define TREE_POLLED     8192 /* points of a span; smaller ones take less than a millisecond */

/* The node or leaf built from a span of points. */
typedef struct subtree {
    clump_f4 lower, upper; /* its box; the fourth lane is garbage */
    int32_t least;         /* smallest index of its points */
    uint32_t ref;          /* node, or leaf with CLUMP_TREE_LEAF_BIT */
} subtree;

typedef struct part {
    size_t first, last;
    uint32_t node, nodes, node_room;  /* the first of its nodes, their number, the room for them */
    uint32_t leaf, leaves, leaf_room; /* and of its leaves */
    bool maybe_hot;
    subtree result;
} part;

typedef struct builder {
    clump_team *team;
    clump_box_tree *tree;
    uint64_t *words;  /* of the curve of the cloud; the numbers in them are not used here */
    uint64_t *inner;  /* of curves of single places; same size as words */
    size_t *counters; /* of clump_curve_sort, per thread */
    part *at;         /* the part being built */
    const part *done; /* while the top is built: all parts, and the next to be inserted */
    size_t parts, next;
} builder;

/* Points first ... last - 1 and the words that order them. */
typedef struct span {
    size_t first, last;
    const uint64_t *words;
    unsigned depth;
} span;

/* ----- spans and cuts ------------------------------------------------------------------------ */

static inline uint64_t place_of(uint64_t word)
{
    return word >> CLUMP_CURVE_SHIFT;
}

static inline bool has_one_place(const uint64_t *words, size_t first, size_t last)
{
    return place_of(words[first]) == place_of(words[last - 1]);
}

/* Returns the first word that has the highest bit set in which the places differ. They must differ. */
static size_t find_cut(const uint64_t *words, size_t first, size_t last)
{
    CLUMP_ASSERT(!has_one_place(words, first, last));
    const uint64_t end = words[last - 1];
    const unsigned bit = 63u - (unsigned)__builtin_clzll(words[first] ^ end);
    const uint64_t from = end >> bit << bit;
    size_t low = first, n = last - 1 - first; /* the result is in low ... low + n */
    while (n > 0) {                           /* binary search without a branch on the words */
        const size_t half = (n + 1) / 2;
        low += words[low + half - 1] < from ? half : 0;
        n -= half;
    }
    return low;
}

/* Cuts a span into n <= 8 pieces, cut[0] ... cut[n], always the largest that can be cut. Returns n. */
static int cut_span(span r, size_t cut[CLUMP_TREE_WIDTH + 1])
{
    const bool halve = r.depth >= CLUMP_TREE_DEPTH || has_one_place(r.words, r.first, r.last);
    size_t size[CLUMP_TREE_WIDTH] = {r.last - r.first}; /* 0: cannot be cut */
    cut[0] = r.first, cut[1] = r.last;
    int n = 1;
    for (; n < CLUMP_TREE_WIDTH; n++) {
        int widest = 0;
        for (int j = 1; j < n; j++) widest = size[j] > size[widest] ? j : widest;
        if (size[widest] <= CLUMP_TREE_LEAF) break;
        const size_t first = cut[widest], last = cut[widest + 1];
        const size_t at = halve ? first + (last - first) / 2 : find_cut(r.words, first, last);
        for (int j = n; j > widest; j--) cut[j + 1] = cut[j], size[j] = size[j - 1];
        cut[widest + 1] = at;
        size[widest] = halve || !has_one_place(r.words, first, at) ? at - first : 0;
        size[widest + 1] = halve || !has_one_place(r.words, at, last) ? last - at : 0;
    }
    return n;
}

/* ----- curves of single places -------------------------------------------------------------------------- */

/* Permutes the points in place: point words[i].number goes to position i. Follows each cycle once; words are
 * overwritten with marks. Ends early where the call is cancelled. */
static void permute_points(clump_team *team, clump_tree_point *points, uint64_t *words, size_t n)
{
    const uint64_t done = UINT64_MAX >> (64 - CLUMP_CURVE_SHIFT);
    size_t moved = 0;
    for (size_t i = 0; i < n; i++) {
        if ((words[i] & done) == done) continue;
        const clump_tree_point begin = points[i];
        size_t to = i;
        for (;;) {
            const size_t from = clump_word_point(words[to]);
            words[to] |= done; /* no point has that number */
            if (++moved % TREE_POLLED == 0 && clump_team_stopped(team)) return;
            if (from == i) break;
            points[to] = points[from];
            to = from;
        }
        points[to] = begin;
    }
}

/* Orders a span of one place by a curve of its own. Does nothing where all points are equal, or the call is cancelled;
 * then the tree is not used. */
static void refine_order(const builder *b, span *r)
{
    clump_tree_point *const points = b->tree->points + r->first;
    const size_t n = r->last - r->first;
    const clump_view view = {(const char *)points, n, sizeof *points};
    const clump_bounds bounds = clump_bounds_of(view);
    if (clump_bounds_is_point(&bounds)) return;
    const clump_curve curve = clump_curve_of(&bounds);
    uint64_t *const words = b->inner + r->first, *const outer = b->words + r->first;
    const uint64_t place = place_of(*outer) << CLUMP_CURVE_SHIFT;
    clump_curve_words(&curve, view, words);
    const bool sorted = clump_curve_sort(b->team, words, outer, n, b->counters, 1);
    for (size_t i = 0; i < n; i++) outer[i] = place; /* it was the spare array of the sort */
    if (!sorted) return;
    permute_points(b->team, points, words, n);
    r->words = b->inner;
    b->at->maybe_hot |= n >= CLUMP_TREE_HOT * CLUMP_TREE_LEAF / 2;
}

/* ----- leaves and nodes ----------------------------------------------------------------------- */

static subtree build_leaf(const builder *b, const span *r)
{
    CLUMP_ASSERT(r->first < r->last && r->last - r->first <= CLUMP_TREE_LEAF);
    const clump_tree_point *const p = b->tree->points;
    subtree m = {.lower = clump_f4_load(&p[r->first].x), .least = p[r->first].index};
    m.upper = m.lower;
    for (size_t i = r->first + 1; i < r->last; i++) {
        const clump_f4 at = clump_f4_load(&p[i].x);
        m.lower = clump_f4_min(m.lower, at);
        m.upper = clump_f4_max(m.upper, at);
        m.least = p[i].index < m.least ? p[i].index : m.least;
    }
    part *const at = b->at;
    if (at->leaves < at->leaf_room) {
        m.ref = (at->leaf + at->leaves) | CLUMP_TREE_LEAF_BIT;
        b->tree->leaves[at->leaf + at->leaves] =
            (clump_tree_leaf){(uint32_t)r->first, (uint32_t)r->last, place_of(b->words[r->first])};
    }
    at->leaves++;
    return m;
}

static void put_child(clump_tree_node *node, int j, const subtree *m)
{
    float lower[4], upper[4];
    clump_f4_store(lower, m->lower);
    clump_f4_store(upper, m->upper);
    for (int k = 0; k < 3; k++) node->lower[k][j] = lower[k], node->upper[k][j] = upper[k];
    node->child[j] = m->ref;
    node->least[j] = m->least;
}

/* Marks children n ... as unused. */
static void clear_children(clump_tree_node *node, int n)
{
    for (int j = n; j < CLUMP_TREE_WIDTH; j++) {
        for (int k = 0; k < 3; k++) node->lower[k][j] = node->upper[k][j] = INFINITY;
        node->child[j] = 0;
        node->least[j] = CLUMP_TREE_NO_INDEX;
    }
}

static subtree build_node(builder *b, span r);

/* Builds a span of the top or of a part. At the top, parts that are built already are inserted. */
static subtree build_child(builder *b, span r)
{
    if (b->next < b->parts && r.first == b->done[b->next].first && r.last == b->done[b->next].last)
        return b->done[b->next++].result;
    return r.last - r.first <= CLUMP_TREE_LEAF ? build_leaf(b, &r) : build_node(b, r);
}

/* Builds a node and its children. The recursion is as deep as the tree, at most 75 levels. Large spans are polled; a tree whose
 * build was cancelled is not used. */
static subtree build_node(builder *b, span r)
{
    if (r.last - r.first >= TREE_POLLED && clump_team_stopped(b->team)) return (subtree){.least = CLUMP_TREE_NO_INDEX};
    if (r.depth < CLUMP_TREE_DEPTH && has_one_place(r.words, r.first, r.last)) refine_order(b, &r);
    size_t cut[CLUMP_TREE_WIDTH + 1];
    const int n = cut_span(r, cut);
    part *const at = b->at;
    const uint32_t number = at->nodes++;
    clump_tree_node spare, *const node = number < at->node_room ? &b->tree->nodes[at->node + number] : &spare;
    subtree whole = {clump_f4_set(INFINITY), clump_f4_set(-INFINITY), CLUMP_TREE_NO_INDEX, at->node + number};
    for (int j = 0; j < n; j++) {
        const subtree m = build_child(b, (span){cut[j], cut[j + 1], r.words, r.depth + 1});
        put_child(node, j, &m);
        whole.lower = clump_f4_min(whole.lower, m.lower);
        whole.upper = clump_f4_max(whole.upper, m.upper);
        whole.least = m.least < whole.least ? m.least : whole.least;
    }
    clear_children(node, n);
    return whole;
}

/* ----- parts ---------------------------------------------------------------------------------- */

/* Cuts the points into parts: cuts the largest, as build_node will cut it, until all are small or there are enough.
 * Returns their number. */
static size_t find_parts(const uint64_t *words, size_t count, size_t limit, part *parts)
{
    unsigned depth[TREE_PARTS] = {0};
    size_t n = 1;
    parts[0] = (part){.first = 0, .last = count};
    while (n + CLUMP_TREE_WIDTH - 1 <= TREE_PARTS) {
        size_t widest = n;
        for (size_t i = 0; i < n; i++) {
            const size_t size = parts[i].last - parts[i].first;
            if (size > limit && !has_one_place(words, parts[i].first, parts[i].last) &&
                (widest == n || size > parts[widest].last - parts[widest].first))
                widest = i;
        }
        if (widest == n) break;
        size_t cut[CLUMP_TREE_WIDTH + 1];
        const unsigned below = depth[widest] + 1;
        const size_t more =
            (size_t)cut_span((span){parts[widest].first, parts[widest].last, words, below - 1}, cut) - 1;
        memmove(&parts[widest + 1 + more], &parts[widest + 1], (n - widest - 1) * sizeof *parts);
        memmove(&depth[widest + 1 + more], &depth[widest + 1], (n - widest - 1) * sizeof *depth);
        for (size_t j = 0; j <= more; j++) {
            parts[widest + j] = (part){.first = cut[j], .last = cut[j + 1]};
            depth[widest + j] = below;
        }
        n += more;
    }
    return n;
}

/* Gives the parts room for their nodes and leaves: as counted, or estimated. */
static clump_status reserve_parts(clump_work *home, clump_box_tree *tree, part *parts, size_t n, bool counted)
{
    uint32_t nodes = TREE_PARTS, leaves = 0; /* nodes of the top come first; it has no leaves */
    for (size_t i = 0; i < n; i++) {
        part *const p = &parts[i];
        const uint32_t size = (uint32_t)(p->last - p->first);
        p->node_room = counted ? p->nodes : size / 16 + 8; /* more than scans need */
        p->leaf_room = counted ? p->leaves : size / 7 + 8;
        p->node = nodes, p->leaf = leaves;
        nodes += p->node_room, leaves += p->leaf_room;
    }
    tree->leaf_count = leaves;
    CLUMP_TRY(clump_buffer_reserve(home, &tree->node_memory, (size_t)nodes * sizeof *tree->nodes));
    CLUMP_TRY(clump_buffer_reserve(home, &tree->leaf_memory, (size_t)leaves * sizeof *tree->leaves));
    tree->nodes = tree->node_memory.data;
    tree->leaves = tree->leaf_memory.data;
    return CLUMP_OK;
}

typedef struct parts_work {
    const builder *like;
    part *parts;
    bool full; /* a part had too little room; atomic stores */
} parts_work;

static void build_part(void *arg, size_t begin, size_t end, int worker)
{
    parts_work *const w = arg;
    builder b = *w->like;
    b.counters += (size_t)worker * CLUMP_CURVE_COUNTERS;
    for (size_t i = begin; i < end; i++) {
        part *const p = b.at = &w->parts[i];
        p->nodes = p->leaves = 0;
        p->maybe_hot = false;
        p->result = build_child(&b, (span){p->first, p->last, b.words, 1});
        if (p->nodes > p->node_room || p->leaves > p->leaf_room) CLUMP_STORE(&w->full, true);
        clump_tree_leaf *const leaf = b.tree->leaves + p->leaf;
        for (uint32_t j = p->leaves; p->leaves > 0 && j < p->leaf_room; j++) leaf[j] = leaf[p->leaves - 1];
    }
}

/* Builds all parts. *enough: whether the room sufficed. Unused leaves at the end of a part repeat its last one. */
static clump_status build_parts(clump_work *work, const builder *like, part *parts, size_t n, int threads, bool *enough)
{
    parts_work w = {.like = like, .parts = parts};
    CLUMP_TRY(clump_run(work, threads, n, 1, build_part, &w));
    *enough = !w.full;
    return CLUMP_OK;
}

/* ----- all of it ------------------------------------------------------------------------------ */

static clump_status build_nodes(clump_work *work, clump_work *home, clump_box_tree *tree, uint64_t *words,
                                uint64_t *inner, size_t *counters, int threads)
{
    part parts[TREE_PARTS], top = {.node_room = TREE_PARTS};
    const size_t share = tree->count / ((size_t)threads * 8), least = TREE_PART_LEAST;
    const size_t limit = threads == 1 ? tree->count : share > least ? share : least;
    const size_t n = find_parts(words, tree->count, limit, parts);
    builder b = {.team = work->team, .tree = tree, .words = words, .inner = inner, .counters = counters};
    bool enough;
    CLUMP_TRY(reserve_parts(home, tree, parts, n, false));
    CLUMP_TRY(build_parts(work, &b, parts, n, threads, &enough));
    if (!enough) {
        CLUMP_TRY(reserve_parts(home, tree, parts, n, true));
        CLUMP_TRY(build_parts(work, &b, parts, n, threads, &enough));
    }
    b.at = &top;
    b.done = parts;
    b.parts = n;
    subtree root = build_child(&b, (span){0, tree->count, words, 0});
    if (root.ref & CLUMP_TREE_LEAF_BIT) { /* the root must be a node */
        put_child(&tree->nodes[0], 0, &root);
        clear_children(&tree->nodes[0], 1);
        root.ref = 0;
    }
    tree->root = root.ref;
    tree->maybe_hot = top.maybe_hot;
    for (size_t i = 0; i < n; i++) tree->maybe_hot |= parts[i].maybe_hot;
    return clump_poll(work); /* a cancelled sort leaves the top without its order */
}

typedef struct point_copy {
    clump_tree_point *points;
    clump_view view;
    const uint64_t *words;
} point_copy;

static void copy_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const point_copy t = *(const point_copy *)arg;
    for (size_t i = begin; i < end; i++) {
        const uint32_t number = clump_word_point(t.words[i]);
        const float *const p = clump_view_at(t.view, number);
        t.points[i] = (clump_tree_point){p[0], p[1], p[2], (int32_t)number};
    }
}

clump_status clump_tree_build(clump_work *work, clump_curve_scratch *scratch, clump_work *home, clump_box_tree *tree,
                              clump_view view, int threads)
{
    tree->count = tree->leaf_count = 0;
    clump_bounds bounds;
    CLUMP_TRY(clump_bounds_shared(work, view, threads, &bounds));
    if (bounds.finite == 0) return CLUMP_OK;
    tree->curve = clump_curve_of(&bounds);
    uint64_t *words;
    size_t count;
    const bool finite = bounds.finite == view.count;
    CLUMP_TRY(clump_curve_order(work, scratch, &tree->curve, view, finite, threads, &words, &count));
    CLUMP_TRY(clump_buffer_reserve(home, &tree->point_memory, (count + 1) * sizeof *tree->points));
    tree->points = tree->point_memory.data;
    point_copy t = {tree->points, view, words};
    CLUMP_TRY(clump_run(work, threads, count, CLUMP_CHUNK, copy_chunk, &t));
    tree->points[count] = (clump_tree_point){INFINITY, INFINITY, INFINITY, CLUMP_TREE_NO_INDEX};
    tree->count = count;
    uint64_t *const other = clump_curve_other(scratch, words);
    const clump_status status = build_nodes(work, home, tree, words, other, scratch->counters.data, threads);
    if (status != CLUMP_OK) tree->count = 0;
    return status;
}

size_t clump_tree_leaf_at(const clump_box_tree *tree, uint64_t place)
{
    CLUMP_ASSERT(tree->leaf_count > 0);
    size_t low = 0, high = tree->leaf_count; /* the result is in low ... high - 1 */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (tree->leaves[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void clump_tree_release(clump_work *home, clump_box_tree *tree)
{
    clump_buffer_release(home, &tree->point_memory);
    clump_buffer_release(home, &tree->node_memory);
    clump_buffer_release(home, &tree->leaf_memory);
    *tree = (clump_box_tree){0};
}
