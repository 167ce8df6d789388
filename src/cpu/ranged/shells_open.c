/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_open.c: the third step of a level (ranged_shells.h): compares the pairs of cells that are in different sets after
 * the first points of all cells have been compared. Pairs with very many pairs of points wait for the end: then their
 * cells get trees (ranged_tree.c), each once, and trees are compared. Points of a cell are in one shell, so their bounds
 * differ by less than a factor of 4, and a cell is narrower than their radii: what ranged_tree.c asks for.
 */
#include "cpu/ranged/shells_work.h"

#define OPEN_HEAVY 16384 /* pairs of points that are compared without trees */
#define OPEN_CHUNK 8     /* blocks */

/* The tree of a cell. */
typedef struct clump_shell_tree {
    uint32_t wanted;
    uint32_t node;  /* the first */
    uint32_t point; /* the first of its copies */
} clump_shell_tree;

/* Boxes of the cells of a block, computed on first use. */
typedef struct cell_boxes {
    uint64_t known;
    clump_ranged_node box[64];
} cell_boxes;

/* A pair of cells in different sets whose boxes are not apart. */
typedef struct cell_pair {
    uint32_t a, b; /* numbers */
    const clump_ranged_node *box_b;
    size_t tests; /* pairs of points */
} cell_pair;

typedef void visit_cells(clump_shell_work *w, const cell_pair *pair, int worker);

static uint32_t cell_size(const clump_shell_work *w, uint32_t cell)
{
    return w->at->begin[cell + 1] - w->at->begin[cell];
}

/* The box of cell c of a block, whose number is `cell`. */
static const clump_ranged_node *box_of_cell(const clump_shell_work *w, cell_boxes *boxes, unsigned c, uint32_t cell)
{
    if (!(boxes->known >> c & 1)) {
        boxes->box[c] = clump_shell_box(w->point, w->at->begin[cell], cell_size(w, cell));
        boxes->known |= (uint64_t)1 << c;
    }
    return &boxes->box[c];
}

/* Visits the pairs of cells of two blocks that are in different sets and whose boxes are not apart. */
static void visit_pair(clump_shell_work *w, const clump_shell_pair *p, visit_cells *visit, int worker)
{
    const clump_block *const a = p->a.at, *const b = p->b.at;
    cell_boxes of_a, of_b; /* the boxes stay uninitialised */
    of_a.known = of_b.known = 0;
    uint32_t cell = a->first;
    for (uint64_t rest = a->cells; rest; rest &= rest - 1, cell++) {
        const unsigned c = clump_lowest(rest);
        uint64_t candidates = clump_shell_reach(p, c);
        if (clump_team_stopped(w->team)) return;
        if (a == b) candidates &= ~(((uint64_t)2 << c) - 1); /* each pair once */
        for (; candidates; candidates &= candidates - 1) {
            const unsigned d = clump_lowest(candidates);
            const uint32_t other = clump_cell_number(b, d);
            if (clump_shell_set(w, cell) == clump_shell_set(w, other)) continue;
            const clump_ranged_node *const box = box_of_cell(w, &of_a, c, cell);
            if (clump_shell_apart(box, &p->b.is->box)) break;
            const clump_ranged_node *const other_box = box_of_cell(w, &of_b, d, other);
            if (clump_shell_apart(box, other_box)) continue;
            const cell_pair pair = {cell, other, other_box, (size_t)cell_size(w, cell) * cell_size(w, other)};
            visit(w, &pair, worker);
        }
    }
}

/* Visits the pairs of cells in the pairs of blocks that are open by a block's note. */
static void visit_block(clump_shell_work *w, uint32_t id, visit_cells *visit, int worker)
{
    for (uint32_t open = w->at->block[id].note; open; open &= open - 1) {
        const clump_shell_pair p = clump_shell_pair_of(w, id, clump_lowest(open));
        visit_pair(w, &p, visit, worker);
    }
}

static void compare_cells(clump_shell_work *w, const cell_pair *p, int worker)
{
    (void)worker;
    if (p->tests > OPEN_HEAVY) {
        CLUMP_STORE(&w->heavy, 1);
        return;
    }
    if (clump_shell_spans_near(w->point, w->at->begin[p->a], cell_size(w, p->a), w->at->begin[p->b], cell_size(w, p->b),
                               p->box_b))
        clump_unite(w->parent, w->at->begin[p->a], w->at->begin[p->b]);
}

static void want_trees(clump_shell_work *w, const cell_pair *p, int worker)
{
    (void)worker;
    if (p->tests <= OPEN_HEAVY) return;
    CLUMP_STORE(&w->tree[p->a].wanted, 1);
    CLUMP_STORE(&w->tree[p->b].wanted, 1);
}

static void compare_trees(clump_shell_work *w, const cell_pair *p, int worker)
{
    if (p->tests <= OPEN_HEAVY) return;
    const clump_shell_tree a = w->tree[p->a], b = w->tree[p->b];
    clump_ranged_search search = {.scratch = w->scratch + w->room * (size_t)worker, .team = w->team};
    const clump_ranged_boxes of_a = clump_ranged_tree_of(w->node + a.node, w->copy + a.point, cell_size(w, p->a));
    const clump_ranged_boxes of_b = clump_ranged_tree_of(w->node + b.node, w->copy + b.point, cell_size(w, p->b));
    if (clump_ranged_parts_near(&(clump_ranged_part){.of = &of_a}, &(clump_ranged_part){.of = &of_b}, &search))
        clump_unite(w->parent, w->at->begin[p->a], w->at->begin[p->b]);
    CLUMP_ADD(&w->s->work, search.work);
}

/* ----- loops ------------------------------------------------------------------------------------------------ */

static void compare_blocks(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t id = begin; id < end; id++) visit_block(arg, (uint32_t)id, compare_cells, worker);
}

static void want_trees_of_blocks(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t id = begin; id < end; id++) visit_block(arg, (uint32_t)id, want_trees, worker);
}

static void build_trees(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_shell_work *const w = arg;
    const clump_shell_points p = w->point;
    for (size_t c = begin; c < end; c++) {
        if (!w->tree[c].wanted) continue;
        const uint32_t n = cell_size(w, (uint32_t)c);
        clump_point *const copy = w->copy + w->tree[c].point;
        for (uint32_t k = 0, i = w->at->begin[c]; k < n; k++, i++)
            copy[k] = (clump_point){p.x[i], p.y[i], p.z[i], clump_float_bits(p.bound[i])};
        clump_ranged_tree_build(w->node + w->tree[c].node, copy, NULL, n, w->team);
    }
}

static void compare_trees_of_blocks(void *arg, size_t begin, size_t end, int worker)
{
    for (size_t id = begin; id < end; id++) visit_block(arg, (uint32_t)id, compare_trees, worker);
}

/* Compares the pairs that were left for trees. Sets only grow, so no pair is met that was not met before. */
static clump_status compare_heavy(clump_work *work, clump_shell_work *w, int threads)
{
    clump_shells *const s = w->s;
    const size_t cells = w->at->cells, blocks = w->at->table.count;
    w->tree = s->trees.data;
    memset(w->tree, 0, cells * sizeof *w->tree);
    CLUMP_TRY(clump_run(work, threads, blocks, OPEN_CHUNK, want_trees_of_blocks, w));
    size_t nodes = 0, points = 0, largest = 1;
    for (uint32_t c = 0; c < cells; c++) {
        if (!w->tree[c].wanted) continue;
        w->tree[c].node = (uint32_t)nodes;
        w->tree[c].point = (uint32_t)points;
        nodes += clump_ranged_tree_nodes(cell_size(w, c));
        points += cell_size(w, c) + 3; /* padding for vector loads */
        largest = cell_size(w, c) > largest ? cell_size(w, c) : largest;
    }
    if (points == 0) return CLUMP_OK; /* others have joined them since */
    /* each thread has room for two of the largest cells; as many threads as keep the memory linear (join_gather.c) */
    const size_t worth = points / (2 * largest);
    const int searching = worth < (size_t)threads ? (worth > 0 ? (int)worth : 1) : threads;
    w->room = 2 * largest;
    CLUMP_TRY(clump_buffer_reserve(work, &s->nodes, nodes * sizeof *w->node));
    CLUMP_TRY(clump_buffer_reserve(work, &s->copies, points * sizeof *w->copy));
    w->node = s->nodes.data;
    w->copy = s->copies.data;
    CLUMP_TRY(clump_buffer_reserve(work, &s->searches, w->room * (size_t)searching * sizeof *w->scratch));
    w->scratch = s->searches.data;
    CLUMP_TRY(clump_run(work, threads, cells, 64, build_trees, w));
    return clump_run(work, searching, blocks, 1, compare_trees_of_blocks, w);
}

clump_status clump_shells_open(clump_work *work, clump_shell_work *w, int threads)
{
    /* In any case: which pairs are met before others join them depends on the threads, and equal calls need equal memory. */
    CLUMP_TRY(clump_buffer_reserve(work, &w->s->trees, w->at->cells * sizeof *w->tree));
    if (!w->open) return CLUMP_OK;
    CLUMP_TRY(clump_run(work, threads, w->at->table.count, OPEN_CHUNK, compare_blocks, w));
    return w->heavy ? compare_heavy(work, w, threads) : CLUMP_OK;
}
