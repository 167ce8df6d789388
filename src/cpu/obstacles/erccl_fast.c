/* SPDX-License-Identifier: BSD-3-Clause
 *
 * erccl_fast.c: obstacles on the elevation map by union-find, not of cells but of runs.
 *
 *     row i         [x x x   x] [x x]        a run: consecutive cells of a row in one set. At first each cell is alike
 *     row i + 1       [x x     x x x]        with the next one; later runs of one set are merged
 *     row i + 2   [x]        [x x]
 *
 * The runs of each row are compared with those of the same row, then of the next row, then of the row after it, and so
 * on. Two runs within reach of each other that are in one set already need no test of their cells. For others, cells
 * are tested until two are alike. One distance of rows is finished for the whole map before the next begins; in
 * between, runs of a row that have become one set are merged into one run. 99 % of the pairs of cells within reach in a
 * scan end in one set, nearly all of them through near cells. So a long reach costs a few comparisons per run and row,
 * not its square per cell.
 *
 * The remaining tests are of cells that are not alike, each pair at most once: at worst, the number of cells times the
 * square of the reach. Pairs at a distance where no dh is small enough are never tested.
 *
 * The result is the connected components, for any order of the unions. Threads have slices of the rows.
 */
#include "cpu/obstacles/erccl.h"

#include "core/work.h"
#include "rules/union_find.h"

enum { ERCCL_CHUNK_ROWS = 16 }; /* rows per task */

typedef struct run {
    uint32_t cell;        /* its first cell; that of the next run is its end */
    uint32_t left, right; /* columns of its first and last cell */
} run;

typedef struct join {
    const clump_cells *cells;
    const clump_erccl_job *job;
    run *runs;        /* row by row, and a sentinel */
    uint32_t *row;    /* the first run of each row, and the number of runs */
    uint32_t *parent; /* of each run */
    uint32_t *spare;  /* as large as parent */
    bool alone;       /* one thread */
} join;

static void find_runs(const join *j)
{
    const clump_cells *const cells = j->cells;
    const uint32_t *const column = cells->column;
    const uint32_t reach = (uint32_t)j->job->reach;
    run *next = j->runs;
    for (uint32_t row = 0; row < cells->rows; row++) {
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
    j->row[cells->rows] = (uint32_t)(next - j->runs);
}

/* Finds the cells of a run between two columns. Up to 16 cells are scanned; for more, the map is cheaper. */
static void find_between(const clump_cells *cells, uint32_t row, const run *r, uint32_t from, uint32_t to,
                         uint32_t *begin, uint32_t *end)
{
    const uint32_t *const column = cells->column;
    *begin = r[0].cell, *end = r[1].cell;
    if (*end - *begin > 16) {
        clump_cells_span(cells, row, from > r->left ? from : r->left, to < r->right ? to : r->right, begin, end);
        return;
    }
    while (*begin < *end && column[*begin] < from) ++*begin;
    while (*begin < *end && column[*end - 1] > to) --*end;
}

/* Returns whether a cell of run a, in this row, and one of run b, `down` rows below, are alike. */
static bool touch(const join *j, uint32_t row, const run *a, uint32_t down, const run *b, uint32_t width)
{
    const clump_cells *const cells = j->cells;
    const uint32_t *const column = cells->column;
    const float *const alike = j->job->alike + (size_t)down * ((size_t)j->job->reach + 1);
    uint32_t c, end, from, to, last;
    find_between(cells, row, a, b->left > width ? b->left - width : 0, b->right + width, &c, &end);
    find_between(cells, row + down, b, a->left > width ? a->left - width : 0, a->right + width, &from, &last);
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

/* Returns whether one of the cells begin ... end - 1 may be alike with one of run a, by the largest dh allowed at any
 * distance; false is certain. Many runs are within reach where runs are short because few cells are alike. There this
 * test, which is vector code, mostly returns false. */
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

/* Joins the runs of a row with those `down` rows below; for 0, with those after them in the same row. */
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
            if (CLUMP_UF_LOAD(&parent[b]) == mine) continue; /* the parent mostly is the root */
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

/* Points every run at its root, and merges consecutive runs of a row that are in one set. The first run of a set is its
 * root before and after. */
static void merge_runs(join *j)
{
    uint32_t *const parent = j->parent, *const merged = j->spare;
    run *const runs = j->runs;
    uint32_t next = 0, at = 0; /* the runs so far after merging, and before */
    for (uint32_t row = 0; row < j->cells->rows; row++) {
        const uint32_t end = j->row[row + 1];
        j->row[row] = next;
        uint32_t set = UINT32_MAX; /* of the run before, by its new number; none yet */
        for (; at < end; at++) {
            CLUMP_ASSERT(parent[at] <= at);
            const uint32_t old = parent[at]; /* parents come before their children, so they hold new numbers already */
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
    runs[next] = runs[at]; /* the sentinel */
    j->row[j->cells->rows] = next;
    j->spare = parent;
    j->parent = merged;
}

clump_status clump_erccl_unite(clump_work *work, clump_cpu_erccl *e, const clump_erccl_job *job, uint32_t *sets,
                               int threads)
{
    const clump_cells *const cells = &e->cells;
    CLUMP_TRY(clump_erccl_reserve_unite(work, e, cells->count, cells->rows));
    join j = {.cells = cells, .job = job, .runs = e->scratch.data, .alone = threads == 1};
    j.parent = (uint32_t *)(j.runs + cells->count + 1);
    j.spare = j.parent + cells->count;
    j.row = j.spare + cells->count;
    find_runs(&j);
    for (uint32_t r = 0; r < j.row[cells->rows]; r++) j.parent[r] = r;
    for (uint32_t down = 0; down <= (uint32_t)job->reach && down < cells->rows; down++) {
        /* width: the largest distance of columns at which cells `down` rows apart can be alike */
        const float *const alike = job->alike + (size_t)down * ((size_t)job->reach + 1);
        int width = job->reach;
        while (width >= 0 && alike[width] < 0) width--;
        if (width < 0) break; /* and none are alike further down */
        joining w = {&j, down, (uint32_t)width};
        CLUMP_TRY(clump_run(work, threads, cells->rows - down, ERCCL_CHUNK_ROWS, join_chunk, &w));
        merge_runs(&j);
    }
    for (uint32_t r = 0; r < j.row[cells->rows]; r++) {
        const uint32_t set = j.runs[j.parent[r]].cell;
        for (uint32_t c = j.runs[r].cell; c < j.runs[r + 1].cell; c++) sets[c] = set;
    }
    return CLUMP_OK;
}

clump_status clump_erccl_reserve_unite(clump_work *work, clump_cpu_erccl *e, size_t cells, size_t rows)
{
    return clump_buffer_reserve(work, &e->scratch,
                                (cells + 1) * sizeof(run) + (2 * cells + rows + 1) * sizeof(uint32_t));
}
