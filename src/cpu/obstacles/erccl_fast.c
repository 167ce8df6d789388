/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_fast.c: obstacles on the elevation map, our way: union-find, not of cells but of runs.
 *
 *     row i         [x x x   x] [x x]        a run: cells of a row that follow each other, all in one set. At first each
 *     row i + 1       [x x     x x x]        is alike with the next one; later whatever was joined elsewhere
 *     row i + 2   [x]        [x x]
 *
 * The runs of each row and those of the same row, of the next, of the one after it ... are walked side by side. Two that
 * come within reach and are in one set already need no look at their cells. Else cells are tested, until two are alike.
 * All rows are joined with their next ones before any with those further down, and in between runs of a row that have
 * become one set become one run. Of the pairs of cells within reach in a scan, 99 of 100 end in one set, nearly all of
 * them over short ways: a long reach costs a few comparisons a run and row, not the square of itself a cell.
 *
 * Cells that are not alike are what is left to be tested, each pair at most once: cells times the square of the reach at
 * worst. The table bounds it: where no dh is small enough, no pair is looked at.
 *
 * The result is the connected components, in whatever order unions are made; with threads, rows are shared out.
 */
#include "cpu/obstacles/erccl.h"

#include "core/context.h"
#include "rules/union_find.h"

typedef struct run {
    uint32_t cell;        /* its first; the next run's ends it */
    uint32_t left, right; /* columns of its first and last cell */
} run;

typedef struct join {
    const clump_cells *cells;
    const clump_erccl_job *job;
    run *runs;        /* row by row, and one more that closes the list */
    uint32_t *row;    /* the first run of each row; one more entry */
    uint32_t *parent; /* of each run */
    uint32_t *spare;  /* as many */
    bool alone;       /* one thread */
} join;

static void find_runs(const join *j)
{
    const clump_cells *const cells = j->cells;
    const uint32_t *const column = cells->column;
    const uint32_t reach = (uint32_t)j->job->reach;
    run *next = j->runs;
    for (uint32_t row = 0; row < cells->side; row++) {
        j->row[row] = (uint32_t)(next - j->runs);
        const uint32_t begin = clump_cells_row(cells, row), end = clump_cells_row(cells, row + 1);
        if (begin == end) continue;
        next->cell = begin, next->left = column[begin];
        for (uint32_t c = begin + 1; c < end; c++) {
            const uint32_t apart = column[c] - column[c - 1];
            if (apart <= reach && clump_erccl_alike(cells, j->job, 0, apart, c - 1, c)) continue;
            next->right = column[c - 1];
            next++;
            next->cell = c, next->left = column[c];
        }
        next->right = column[end - 1];
        next++;
    }
    next->cell = cells->count;
    j->row[cells->side] = (uint32_t)(next - j->runs);
}

/* Cells of a run between two columns: scanned for if there are few, else looked up. */
static void cells_between(const clump_cells *cells, uint32_t row, const run *r, uint32_t from, uint32_t to,
                          uint32_t *begin, uint32_t *end)
{
    const uint32_t *const column = cells->column;
    *begin = r[0].cell, *end = r[1].cell;
    if (*end - *begin > 16) {
        clump_cells_range(cells, row, from > r->left ? from : r->left, to < r->right ? to : r->right, begin, end);
        return;
    }
    while (*begin < *end && column[*begin] < from) ++*begin;
    while (*begin < *end && column[*end - 1] > to) --*end;
}

/* Whether a cell of run a, in this row, and one of run b, `down` rows below, are alike. */
static bool touch(const join *j, uint32_t row, const run *a, uint32_t down, const run *b, uint32_t width)
{
    const clump_cells *const cells = j->cells;
    const uint32_t *const column = cells->column;
    const float *const alike = j->job->alike + (size_t)down * ((size_t)j->job->reach + 1);
    uint32_t c, end, from, to, last;
    cells_between(cells, row, a, b->left > width ? b->left - width : 0, b->right + width, &c, &end);
    cells_between(cells, row + down, b, a->left > width ? a->left - width : 0, a->right + width, &from, &last);
    for (to = from; c < end; c++) {
        const uint32_t at = column[c];
        const float highest = cells->highest[c], lowest = cells->lowest[c];
        while (from < last && column[from] + width < at) from++;
        if (to < from) to = from;
        while (to < last && column[to] <= at + width) to++;
        for (uint32_t d = from; d < to; d++) {
            const uint32_t apart = column[d] > at ? column[d] - at : at - column[d];
            if (clump_elevation_difference(highest, lowest, cells->highest[d], cells->lowest[d]) <= alike[apart])
                return true;
        }
    }
    return false;
}

/* Whether one of the cells begin ... end - 1 may be alike with one of run a, by the largest dh that is allowed at all.
 * Where cells that are not alike crowd, runs are short and many are within reach: this looks at four cells at a time, and
 * mostly says no. False only where it is certain. */
static bool may_touch(const clump_cells *cells, const run *a, uint32_t begin, uint32_t end, float most)
{
    if (a[1].cell - a[0].cell > 4) return true;
    int any = 0;
    for (uint32_t c = a[0].cell; c < a[1].cell; c++) {
        const float highest = cells->highest[c], lowest = cells->lowest[c];
        for (uint32_t d = begin; d < end; d++)
            any |= clump_elevation_difference(highest, lowest, cells->highest[d], cells->lowest[d]) <= most;
    }
    return any != 0;
}

/* The runs of a row with those `down` rows below, or after them in it. */
static void join_rows(const join *j, uint32_t row, uint32_t down, uint32_t width)
{
    const run *const runs = j->runs;
    uint32_t *const parent = j->parent;
    const uint32_t end = j->row[row + 1], last = j->row[row + down + 1];
    const float most = j->job->alike[(size_t)down * ((size_t)j->job->reach + 1)];
    uint32_t from = j->row[row + down], to = from; /* runs within reach of a */
    for (uint32_t a = j->row[row]; a < end; a++) {
        while (from < last && (runs[from].right + width < runs[a].left || (down == 0 && from <= a))) from++;
        if (from == last) return;
        const uint32_t right = runs[a].right + width;
        while (to < last && runs[to].left <= right) to++;
        if (from >= to) continue;
        if (to - from > 3 && !may_touch(j->cells, &runs[a], runs[from].cell, runs[to].cell, most)) continue;
        uint32_t mine = clump_find(parent, a);
        for (uint32_t b = from; b < to; b++) {
            if (CLUMP_UF_LOAD(&parent[b]) == mine) continue; /* near its root, most of the time */
            const uint32_t other = clump_find(parent, b);
            if (other == mine || !touch(j, row, &runs[a], down, &runs[b], width)) continue;
            if (j->alone) {
                if (other < mine)
                    parent[mine] = other, mine = other;
                else
                    parent[other] = mine;
            } else {
                clump_unite(parent, a, b);
                mine = clump_find(parent, a);
            }
        }
    }
}

typedef struct joining {
    const join *j;
    uint32_t down, width;
} joining;

static void join_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const joining *const w = arg;
    for (size_t row = begin; row < end; row++) join_rows(w->j, (uint32_t)row, w->down, w->width);
}

/* Every run to its root, and runs of a row that follow each other in one set into one. The first run of a set is its root,
 * and stays so. */
static void merge_runs(join *j)
{
    uint32_t *const parent = j->parent, *const merged = j->spare;
    run *const runs = j->runs;
    uint32_t next = 0, at = 0; /* runs so far, before and after */
    for (uint32_t row = 0; row < j->cells->side; row++) {
        const uint32_t end = j->row[row + 1];
        j->row[row] = next;
        uint32_t set = UINT32_MAX; /* of the run before, by its new number */
        for (; at < end; at++) {
            const uint32_t old = parent[at]; /* parents come before, and hold new numbers by now */
            const uint32_t root = old == at ? next : merged[parent[old]];
            if (root == set)
                runs[next - 1].right = runs[at].right;
            else {
                runs[next] = runs[at];
                merged[next] = set = root;
                next++;
            }
            parent[at] = next - 1;
        }
    }
    runs[next] = runs[at]; /* closes the list */
    j->row[j->cells->side] = next;
    j->spare = parent;
    j->parent = merged;
}

clump_status clump_erccl_unite(clump_context *ctx, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int threads)
{
    const clump_cells *const cells = &e->cells;
    const clump_status status = clump_erccl_reserve_unite(ctx, e, cells->count, cells->side);
    if (status != CLUMP_OK) return status;
    join j = {.cells = cells, .job = job, .runs = e->work.data, .alone = threads == 1};
    j.parent = (uint32_t *)(j.runs + cells->count + 1);
    j.spare = j.parent + cells->count;
    j.row = j.spare + cells->count;
    find_runs(&j);
    for (uint32_t r = 0; r < j.row[cells->side]; r++) j.parent[r] = r;
    for (uint32_t down = 0; down <= (uint32_t)job->reach && down < cells->side; down++) {
        /* so many columns apart cells may be, so many rows apart, to be alike */
        const float *const alike = job->alike + (size_t)down * ((size_t)job->reach + 1);
        int width = job->reach;
        while (width >= 0 && alike[width] < 0) width--;
        if (width < 0) break; /* nor are any further down */
        joining w = {&j, down, (uint32_t)width};
        CLUMP_TRY(clump_run(ctx, threads, cells->side - down, 16, join_chunk, &w));
        merge_runs(&j);
    }
    for (uint32_t r = 0; r < j.row[cells->side]; r++) {
        const uint32_t set = j.runs[j.parent[r]].cell;
        for (uint32_t c = j.runs[r].cell; c < j.runs[r + 1].cell; c++) sets[c] = set;
    }
    return CLUMP_OK;
}

clump_status clump_erccl_reserve_unite(clump_context *ctx, clump_cpu_erccl *e, size_t cells, size_t side)
{
    return clump_buffer_reserve(ctx, &e->work, (cells + 1) * sizeof(run) + (2 * cells + side + 1) * sizeof(uint32_t));
}
