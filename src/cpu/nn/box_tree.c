/* SPDX-License-Identifier: BSD-3-Clause
 *
 * box_tree.c: building the tree of box_tree.h. The top of the tree is cut into parts first, threads
 * build the parts, then the top is put on them. How many nodes and leaves there will be is not known
 * before: a part that runs out of room goes on counting, and after the first round everything is
 * made again with as much room as was counted. A tree that is rebuilt has the room, as a rule.
 */
#include "cpu/nn/box_tree.h"

#include "common/atomics.h"
#include "common/lanes.h"
#include "core/context.h"

#include <math.h>
#include <string.h>

#define LEAF       CLUMP_TREE_LEAF
#define WIDTH      CLUMP_TREE_WIDTH
#define PARTS      64   /* of a tree, at most */
#define PART_LEAST 2048 /* points of a range that is still worth cutting up */

/* What a range of points has become. */
typedef struct made {
    clump_f4 lower, upper; /* the fourth lane is rubbish */
    int32_t least;
    uint32_t ref; /* node, or leaf with its bit */
} made;

typedef struct part {
    size_t first, last;
    uint32_t node, nodes, node_room; /* where its nodes go, how many there are, for how many there is room */
    uint32_t leaf, leaves, leaf_room;
    bool crowded;
    made result;
} part;

typedef struct builder {
    clump_team *team;
    clump_tree *tree;
    uint64_t *words;  /* of the cloud's curve; the numbers in them are not used here */
    uint64_t *inner;  /* of curves within: as many entries */
    size_t *counters; /* of clump_curve_sort, for each thread */
    part *at;
    const part *done; /* while the top is being made: the parts it is made of, and which comes next */
    size_t parts, next;
} builder;

/* A range of points and the words that order it. */
typedef struct range {
    size_t first, last;
    const uint64_t *words;
    unsigned depth;
} range;

/* ----- ranges and cuts ------------------------------------------------------------------------ */

static inline uint64_t place_of(uint64_t word)
{
    return word >> CLUMP_CURVE_SHIFT;
}

static inline bool one_place(const uint64_t *words, size_t first, size_t last)
{
    return place_of(words[first]) == place_of(words[last - 1]);
}

/* Where the highest bit begins to be set in which places differ, and they do. */
static size_t cut_at(const uint64_t *words, size_t first, size_t last)
{
    const uint64_t end = words[last - 1];
    const unsigned bit = 63u - (unsigned)__builtin_clzll(words[first] ^ end);
    const uint64_t from = end >> bit << bit;
    size_t low = first, n = last - 1 - first; /* the answer is in low ... low + n */
    while (n > 0) {                           /* without a branch on what is found */
        const size_t half = (n + 1) / 2;
        low += words[low + half - 1] < from ? half : 0;
        n -= half;
    }
    return low;
}

/* Up to eight pieces, cut[0] ... cut[n], the largest that can be cut first. */
static int cut_up(range r, size_t cut[WIDTH + 1])
{
    const bool halve = r.depth >= CLUMP_TREE_DEPTH || one_place(r.words, r.first, r.last);
    size_t size[WIDTH] = {r.last - r.first}; /* 0: it cannot be cut */
    cut[0] = r.first, cut[1] = r.last;
    int n = 1;
    for (; n < WIDTH; n++) {
        int widest = 0;
        for (int j = 1; j < n; j++) widest = size[j] > size[widest] ? j : widest;
        if (size[widest] <= LEAF) break;
        const size_t first = cut[widest], last = cut[widest + 1];
        const size_t at = halve ? first + (last - first) / 2 : cut_at(r.words, first, last);
        for (int j = n; j > widest; j--) cut[j + 1] = cut[j], size[j] = size[j - 1];
        cut[widest + 1] = at;
        size[widest] = halve || !one_place(r.words, first, at) ? at - first : 0;
        size[widest + 1] = halve || !one_place(r.words, at, last) ? last - at : 0;
    }
    return n;
}

/* ----- curves within -------------------------------------------------------------------------- */

/* Puts point words[i].number, counted from the first, to place i; uses the words up as marks. */
static void follow(clump_tree_point *points, uint64_t *words, size_t n)
{
    const uint64_t done = UINT64_MAX >> (64 - CLUMP_CURVE_SHIFT);
    for (size_t i = 0; i < n; i++) {
        if ((words[i] & done) == done) continue;
        const clump_tree_point begin = points[i];
        size_t to = i;
        for (;;) {
            const size_t from = clump_word_point(words[to]);
            words[to] |= done; /* no point has that number */
            if (from == i) break;
            points[to] = points[from];
            to = from;
        }
        points[to] = begin;
    }
}

/* Gives a range of one place a curve of its own. False where its points are all equal, and where the call is cancelled:
 * then the points stay as they are, and the tree is not used. */
static bool refine(const builder *b, range *r)
{
    clump_tree_point *const points = b->tree->points + r->first;
    const size_t n = r->last - r->first;
    const clump_view view = {(const char *)points, n, sizeof *points};
    float lower[3], upper[3];
    clump_curve_box(view, lower, upper);
    if (memcmp(lower, upper, sizeof lower) == 0) return false;
    const clump_curve curve = clump_curve_of(lower, upper);
    uint64_t *const words = b->inner + r->first, *const outer = b->words + r->first;
    const uint64_t place = place_of(*outer) << CLUMP_CURVE_SHIFT;
    clump_curve_words(&curve, view, words);
    const bool sorted = clump_curve_sort(b->team, words, outer, n, b->counters, 1);
    for (size_t i = 0; i < n; i++) outer[i] = place; /* it was the spare array */
    if (!sorted) return false;
    follow(points, words, n);
    r->words = b->inner;
    b->at->crowded |= n >= CLUMP_TREE_CROWD * LEAF / 2;
    return true;
}

/* ----- leaves and nodes ----------------------------------------------------------------------- */

static made make_leaf(const builder *b, const range *r)
{
    const clump_tree_point *const p = b->tree->points;
    made m = {.lower = clump_f4_load(&p[r->first].x), .least = p[r->first].index};
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

static void put_child(clump_tree_node *node, int j, const made *m)
{
    float lower[4], upper[4];
    clump_f4_store(lower, m->lower);
    clump_f4_store(upper, m->upper);
    for (int k = 0; k < 3; k++) node->lower[k][j] = lower[k], node->upper[k][j] = upper[k];
    node->child[j] = m->ref;
    node->least[j] = m->least;
}

static void put_nothing(clump_tree_node *node, int j)
{
    for (int k = 0; k < 3; k++) node->lower[k][j] = node->upper[k][j] = INFINITY;
    node->child[j] = 0;
    node->least[j] = CLUMP_NOBODY;
}

static made make_node(builder *b, range r);

static made make_child(builder *b, range r)
{
    if (b->next < b->parts && r.first == b->done[b->next].first && r.last == b->done[b->next].last)
        return b->done[b->next++].result;
    return r.last - r.first <= LEAF ? make_leaf(b, &r) : make_node(b, r);
}

/* As deep as the tree. */
static made make_node(builder *b, range r)
{
    if (r.depth < CLUMP_TREE_DEPTH && one_place(r.words, r.first, r.last)) refine(b, &r);
    size_t cut[WIDTH + 1];
    const int n = cut_up(r, cut);
    part *const at = b->at;
    const uint32_t number = at->nodes++;
    clump_tree_node spare, *const node = number < at->node_room ? &b->tree->nodes[at->node + number] : &spare;
    made whole = {clump_f4_set(INFINITY), clump_f4_set(-INFINITY), CLUMP_NOBODY, at->node + number};
    for (int j = 0; j < n; j++) {
        const made m = make_child(b, (range){cut[j], cut[j + 1], r.words, r.depth + 1});
        put_child(node, j, &m);
        whole.lower = clump_f4_min(whole.lower, m.lower);
        whole.upper = clump_f4_max(whole.upper, m.upper);
        whole.least = m.least < whole.least ? m.least : whole.least;
    }
    for (int j = n; j < WIDTH; j++) put_nothing(node, j);
    return whole;
}

/* ----- parts ---------------------------------------------------------------------------------- */

/* Cuts the largest range in the list, as make_node will cut it, until all are small or there are enough. */
static size_t find_parts(const uint64_t *words, size_t count, size_t limit, part *parts)
{
    unsigned depth[PARTS] = {0};
    size_t n = 1;
    parts[0] = (part){.first = 0, .last = count};
    while (n + WIDTH - 1 <= PARTS) {
        size_t widest = n;
        for (size_t i = 0; i < n; i++) {
            const size_t size = parts[i].last - parts[i].first;
            if (size > limit && !one_place(words, parts[i].first, parts[i].last) &&
                (widest == n || size > parts[widest].last - parts[widest].first))
                widest = i;
        }
        if (widest == n) break;
        size_t cut[WIDTH + 1];
        const unsigned below = depth[widest] + 1;
        const size_t more = (size_t)cut_up((range){parts[widest].first, parts[widest].last, words, below - 1}, cut) - 1;
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

static clump_status make_room(clump_context *home, clump_tree *tree, part *parts, size_t n, bool counted)
{
    uint32_t nodes = PARTS, leaves = 0; /* nodes of the top come first, and leaves it has none */
    for (size_t i = 0; i < n; i++) {
        part *const p = &parts[i];
        const uint32_t size = (uint32_t)(p->last - p->first);
        p->node_room = counted ? p->nodes : size / 16 + 8; /* what scans need, and some more */
        p->leaf_room = counted ? p->leaves : size / 7 + 8;
        p->node = nodes, p->leaf = leaves;
        nodes += p->node_room, leaves += p->leaf_room;
    }
    tree->leaf_count = leaves;
    clump_status status = clump_buffer_reserve(home, &tree->node_memory, (size_t)nodes * sizeof *tree->nodes);
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(home, &tree->leaf_memory, (size_t)leaves * sizeof *tree->leaves);
    tree->nodes = tree->node_memory.data;
    tree->leaves = tree->leaf_memory.data;
    return status;
}

typedef struct parts_work {
    const builder *like;
    part *parts;
    bool full; /* some part had too little room; stored by atomic operations */
} parts_work;

static void make_part(void *arg, size_t begin, size_t end, int worker)
{
    parts_work *const w = arg;
    builder b = *w->like;
    b.counters += (size_t)worker * CLUMP_CURVE_COUNTERS;
    for (size_t i = begin; i < end; i++) {
        part *const p = b.at = &w->parts[i];
        p->nodes = p->leaves = 0;
        p->crowded = false;
        p->result = make_child(&b, (range){p->first, p->last, b.words, 1});
        if (p->nodes > p->node_room || p->leaves > p->leaf_room) CLUMP_STORE(&w->full, true);
        clump_tree_leaf *const leaf = b.tree->leaves + p->leaf;
        for (uint32_t j = p->leaves; j < p->leaf_room; j++) leaf[j] = leaf[p->leaves - 1];
    }
}

/* *enough: whether there was room for all. Places of leaves that are left over repeat the last one. */
static clump_status make_parts(clump_context *ctx, const builder *like, part *parts, size_t n, int threads,
                               bool *enough)
{
    parts_work w = {.like = like, .parts = parts};
    CLUMP_TRY(clump_run(ctx, threads, n, 1, make_part, &w));
    *enough = !w.full;
    return CLUMP_OK;
}

/* ----- all of it ------------------------------------------------------------------------------ */

static clump_status make_tree(clump_context *ctx, clump_context *home, clump_tree *tree, uint64_t *words,
                              uint64_t *inner, size_t *counters, int threads)
{
    part parts[PARTS], top = {.node_room = PARTS};
    const size_t share = tree->count / ((size_t)threads * 8), least = PART_LEAST;
    const size_t limit = threads == 1 ? tree->count : share > least ? share : least;
    const size_t n = find_parts(words, tree->count, limit, parts);
    builder b = {.team = ctx->team, .tree = tree, .words = words, .inner = inner, .counters = counters};
    bool enough;
    CLUMP_TRY(make_room(home, tree, parts, n, false));
    CLUMP_TRY(make_parts(ctx, &b, parts, n, threads, &enough));
    if (!enough) {
        CLUMP_TRY(make_room(home, tree, parts, n, true));
        CLUMP_TRY(make_parts(ctx, &b, parts, n, threads, &enough));
    }
    b.at = &top;
    b.done = parts;
    b.parts = n;
    made root = make_child(&b, (range){0, tree->count, words, 0});
    if (root.ref & CLUMP_TREE_LEAF_BIT) { /* a root is a node */
        put_child(&tree->nodes[0], 0, &root);
        for (int j = 1; j < WIDTH; j++) put_nothing(&tree->nodes[0], j);
        root.ref = 0;
    }
    tree->root = root.ref;
    tree->crowded = top.crowded;
    for (size_t i = 0; i < n; i++) tree->crowded |= parts[i].crowded;
    return clump_poll(ctx); /* the top may have been refined in vain */
}

typedef struct taking {
    clump_tree_point *points;
    clump_view view;
    const uint64_t *words;
} taking;

static void take_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const taking t = *(const taking *)arg;
    for (size_t i = begin; i < end; i++) {
        const uint32_t number = clump_word_point(t.words[i]);
        const float *const p = clump_view_at(t.view, number);
        t.points[i] = (clump_tree_point){p[0], p[1], p[2], (int32_t)number};
    }
}

clump_status clump_tree_build(clump_context *ctx, clump_curve_scratch *scratch, clump_context *home, clump_tree *tree,
                              clump_view view, int threads)
{
    tree->count = tree->leaf_count = 0;
    float lower[3], upper[3];
    size_t count;
    CLUMP_TRY(clump_curve_box_shared(ctx, view, threads, lower, upper, &count));
    if (count == 0) return CLUMP_OK;
    tree->curve = clump_curve_of(lower, upper);
    uint64_t *words;
    CLUMP_TRY(clump_curve_order(ctx, scratch, &tree->curve, view, threads, &words, &count));
    CLUMP_TRY(clump_buffer_reserve(home, &tree->point_memory, (count + 1) * sizeof *tree->points));
    tree->points = tree->point_memory.data;
    taking t = {tree->points, view, words};
    CLUMP_TRY(clump_run(ctx, threads, count, CLUMP_CHUNK, take_chunk, &t));
    tree->points[count] = (clump_tree_point){INFINITY, INFINITY, INFINITY, CLUMP_NOBODY};
    tree->count = count;
    uint64_t *const other = words == scratch->words.data ? scratch->spare.data : scratch->words.data;
    const clump_status status = make_tree(ctx, home, tree, words, other, scratch->counters.data, threads);
    if (status != CLUMP_OK) tree->count = 0;
    return status;
}

size_t clump_tree_leaf_at(const clump_tree *tree, uint64_t place)
{
    size_t low = 0, high = tree->leaf_count; /* the answer is in low ... high - 1 */
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (tree->leaves[middle].place <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void clump_tree_release(clump_context *home, clump_tree *tree)
{
    clump_buffer_release(home, &tree->point_memory);
    clump_buffer_release(home, &tree->node_memory);
    clump_buffer_release(home, &tree->leaf_memory);
    *tree = (clump_tree){0};
}
