/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_assign.c: the assignment as it was before it had a bound: minimum-cost assignment by shortest augmenting paths (Jonker
 * and Volgenant 1987), on lists of pairs.
 *
 *     columns, sorted by x -> the pairs of a row: from its x to both sides, until no nearer column can follow
 *     rows, one by one     -> the cheapest chain: row - column - its owner - another column ... - a free column
 *
 * 1. Each row also has an exit of its own: to stay without a column, for more than all pairs together can cost. So the
 *    chain of least cost gives the most pairs first. A chain may end at the exit of another row, which loses its column.
 * 2. Chains are found as Dijkstra does, on costs reduced by duals of rows and columns, which keeps them at 0 or above.
 *    A search sees only columns that chains of pairs connect with its row, and ends at the first that is free.
 * 3. A search looks at each pair once at most. So time is at most rows x pairs x the logarithm of columns, where pairs
 *    are at most rows x `most`. Where objects are apart, a search looks at the pairs of one row. Measured: 5000 rows and
 *    columns at random in 1 m^2 take 0.2 s; in a line, moved by more than `most` columns, 1.6 s.
 */
#include "oracle/oracle_assign.h"

#include "common/sort.h"
#include "core/context.h"
#include "rules/float_key.h"

#include <math.h>

#define ASSIGN_UNIT ((int64_t)1 << 26) /* cost of a pair at the gate; rounding can add 1 */

typedef struct assign_row {
    int64_t dual;
    size_t first; /* its first pair; that of the next row is its end */
} assign_row;

typedef struct assign_column {
    int64_t dual;     /* 0 for a free column, never above */
    int64_t distance; /* reduced cost of the best chain of this search */
    int32_t before;   /* the row before it in that chain */
    int32_t search;   /* the last row whose search reached it, or -1 */
    int32_t slot;     /* its place in the heap */
    int32_t owner;    /* its row, or -1 */
} assign_column;

typedef struct assign_work {
    const clump_assign_job *job;
    int64_t exit;    /* cost of staying alone */
    double scale;    /* cost per square of distance */
    size_t room;     /* pairs per row at most */
    uint64_t *by_x;  /* per column: key of x, column; ascending */
    uint64_t *pairs; /* row after row, ascending: cost, column */
    assign_row *rows;
    assign_column *columns;
    int32_t *heap;         /* columns of this search: from the front a heap by distance, from the back those done */
    int32_t waiting, done; /* of `heap` */
    int32_t exit_row;      /* where the best chain of this search that ends at an exit does so */
    int64_t exit_distance; /* of that chain */
    int64_t shortest;      /* of all chains of this search that end, at an exit or a free column */
} assign_work;

static size_t pairs_per_row(int32_t columns, int32_t most)
{
    return (size_t)(columns < most ? columns : most);
}

size_t old_assign_bytes(int32_t rows, int32_t columns, int32_t most)
{
    const size_t per_row = sizeof(assign_row) + pairs_per_row(columns, most) * sizeof(uint64_t);
    const size_t per_column = sizeof(assign_column) + sizeof(uint64_t) + sizeof(int32_t);
    return sizeof(assign_row) + (size_t)rows * per_row + ((size_t)columns * per_column + 7) / 8 * 8;
}

/* Points the arrays into the scratch memory. */
static void begin_work(assign_work *w, void *scratch)
{
    const size_t rows = (size_t)w->job->row_count, columns = (size_t)w->job->column_count;
    w->by_x = scratch;
    w->pairs = w->by_x + columns;
    w->rows = (assign_row *)(void *)(w->pairs + rows * w->room);
    w->columns = (assign_column *)(void *)(w->rows + rows + 1);
    w->heap = (int32_t *)(void *)(w->columns + columns);
    for (size_t i = 0; i <= rows; i++) w->rows[i] = (assign_row){0, 0};
    for (size_t j = 0; j < columns; j++) w->columns[j] = (assign_column){.search = -1, .owner = -1};
    for (size_t i = 0; i < rows; i++) w->job->partner[i] = -1;
}

/* ----- pairs ------------------------------------------------------------------------------------- */

static void sort_columns(assign_work *w)
{
    const size_t columns = (size_t)w->job->column_count;
    for (size_t j = 0; j < columns; j++) w->by_x[j] = (uint64_t)clump_key_of_float(w->job->columns[j][0]) << 32 | j;
    clump_heap_make(w->by_x, columns);
    for (size_t n = columns; n > 1; n--) w->by_x[n - 1] = clump_heap_pop(w->by_x, n);
}

/* Returns the first place of by_x whose column is not left of the row. */
static size_t place_of_row(const assign_work *w, int32_t row)
{
    size_t low = 0, high = (size_t)w->job->column_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((double)w->job->columns[(uint32_t)w->by_x[middle]][0] < w->job->rows[row][0])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes the list of the row's pairs. If it is full, a pair has to be below its last one. If dx alone is too much for
 * that, it is so for all columns further on: rounding keeps the order of squares and products. */
static void find_pairs(assign_work *w, int32_t row)
{
    const clump_assign_job *const job = w->job;
    const size_t middle = place_of_row(w, row), columns = (size_t)job->column_count, room = w->room;
    const double x = job->rows[row][0], y = job->rows[row][1], gate = job->gate;
    uint64_t *const list = &w->pairs[w->rows[row].first], bar = UINT64_MAX;
    size_t count = 0;
    for (size_t left = 0; left < 2; left++) { /* from the row's x to the right, then to the left */
        for (size_t k = middle; left ? k > 0 : k < columns; k = left ? k - 1 : k + 1) {
            const uint32_t column = (uint32_t)w->by_x[k - left];
            const double dx = (double)job->columns[column][0] - x, dy = (double)job->columns[column][1] - y;
            const double square = dx * dx + dy * dy;
            if (fabs(dx) > gate || (uint64_t)(int64_t)(dx * dx * w->scale) > bar >> 32) break;
            if (fabs(dy) > gate || square > gate * gate) continue;
            const uint64_t pair = (uint64_t)(int64_t)(square * w->scale) << 32 | column;
            if (pair >= bar) continue;
            size_t at = count < room ? count++ : room - 1;
            for (; at > 0 && list[at - 1] > pair; at--) list[at] = list[at - 1];
            list[at] = pair;
            if (count == room) bar = list[room - 1];
        }
    }
    w->rows[row + 1].first = w->rows[row].first + count;
}

/* ----- the columns that a search has reached ------------------------------------------------------ */

static bool is_nearer(const assign_work *w, int32_t column, int32_t other)
{
    const int64_t distance = w->columns[column].distance, distance_of_other = w->columns[other].distance;
    return distance != distance_of_other ? distance < distance_of_other : column < other;
}

static void put_column(const assign_work *w, int32_t slot, int32_t column)
{
    w->heap[slot] = column;
    w->columns[column].slot = slot;
}

/* Puts the column, whose distance is new, into the heap: at this slot or further ahead. */
static void lift_column(const assign_work *w, int32_t slot, int32_t column)
{
    for (; slot > 0 && is_nearer(w, column, w->heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
        put_column(w, slot, w->heap[(slot - 1) / 2]);
    put_column(w, slot, column);
}

/* Moves the nearest column from the heap to those that are done, and returns it; -1: an exit is as near. */
static int32_t take_nearest(assign_work *w)
{
    if (w->waiting == 0 || w->columns[w->heap[0]].distance >= w->exit_distance) return -1;
    const int32_t nearest = w->heap[0], last = w->heap[--w->waiting];
    int32_t slot = 0;
    while (slot < w->waiting / 2) {
        int32_t child = 2 * slot + 1;
        if (child + 1 < w->waiting && is_nearer(w, w->heap[child + 1], w->heap[child])) child++;
        if (!is_nearer(w, w->heap[child], last)) break;
        put_column(w, slot, w->heap[child]);
        slot = child;
    }
    put_column(w, slot, last);
    w->heap[w->job->column_count - ++w->done] = nearest;
    return nearest;
}

/* ----- searches ------------------------------------------------------------------------------------ */

/* Continues chains of length `base` that end at the row: to its exit, and to the columns of its pairs. Chains that can
 * only become longer than the shortest that has an end are dropped. */
static void extend_chains(assign_work *w, int32_t search, int32_t row, int64_t base)
{
    base -= w->rows[row].dual;
    if (base + w->exit < w->exit_distance) w->exit_distance = base + w->exit, w->exit_row = row;
    if (w->exit_distance < w->shortest) w->shortest = w->exit_distance;
    for (size_t k = w->rows[row].first; k < w->rows[row + 1].first; k++) {
        const int64_t least = base + (int64_t)(w->pairs[k] >> 32);
        if (least > w->shortest) break; /* pairs are ascending, and no dual of a column is above 0 */
        const int32_t number = (int32_t)(uint32_t)w->pairs[k];
        assign_column *const column = &w->columns[number];
        const int64_t length = least - column->dual;
        if (length > w->shortest || (length == w->shortest && column->owner >= 0)) continue;
        const bool is_new = column->search != search;
        if (!is_new && length >= column->distance) continue; /* always so for columns that are done */
        column->search = search;
        column->distance = length;
        column->before = row;
        if (column->owner < 0) w->shortest = length;
        lift_column(w, is_new ? w->waiting++ : column->slot, number);
    }
}

/* Gives the column, and on the way back along its chain each row its new column. */
static void shift_partners(const assign_work *w, int32_t start, int32_t column)
{
    for (int32_t row = -1; row != start;) {
        row = w->columns[column].before;
        const int32_t freed = w->job->partner[row];
        w->job->partner[row] = column;
        w->columns[column].owner = row;
        column = freed;
    }
}

/* Finds a column for the row, or the row that is to stay alone. */
static clump_status insert_row(clump_context *ctx, assign_work *w, int32_t start)
{
    w->done = w->waiting = 0;
    w->exit_distance = w->shortest = INT64_MAX;
    int32_t column = -1;
    for (int32_t row = start; row >= 0; row = w->columns[column].owner) {
        CLUMP_TRY(clump_poll(&ctx->work));
        extend_chains(w, start, row, column < 0 ? 0 : w->columns[column].distance);
        column = take_nearest(w);
        if (column < 0) break;
    }
    const int64_t length = column < 0 ? w->exit_distance : w->columns[column].distance;
    for (int32_t k = 1; k <= w->done; k++) {
        assign_column *const j = &w->columns[w->heap[w->job->column_count - k]];
        j->dual -= length - j->distance;
        if (j->owner >= 0) w->rows[j->owner].dual += length - j->distance;
    }
    w->rows[start].dual += length;
    if (column < 0) { /* the exit of exit_row */
        column = w->job->partner[w->exit_row];
        w->job->partner[w->exit_row] = -1;
        if (w->exit_row == start) return CLUMP_OK;
    }
    shift_partners(w, start, column);
    return CLUMP_OK;
}

clump_status old_assign(clump_context *ctx, const clump_assign_job *job, void *scratch)
{
    const int32_t fewer = job->row_count < job->column_count ? job->row_count : job->column_count;
    assign_work w = {.job = job,
                     .exit = ((int64_t)fewer + 1) * (ASSIGN_UNIT + 1),
                     .scale = (double)ASSIGN_UNIT / (job->gate * job->gate),
                     .room = pairs_per_row(job->column_count, job->most)};
    begin_work(&w, scratch);
    sort_columns(&w);
    for (int32_t row = 0; row < job->row_count; row++) {
        find_pairs(&w, row);
        CLUMP_TRY(insert_row(ctx, &w, row));
    }
    return CLUMP_OK;
}
