/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assign.c: minimum-cost assignment by shortest augmenting paths (Jonker and Volgenant 1987), without a matrix.
 *
 *     columns, sorted by x -> the columns within the gate of a row are in one span
 *     rows, one by one     -> the cheapest chain: row - column - its owner - another column ... - a free column
 *
 * 1. Each row also has an exit of its own: to stay without a column, for more than all pairs together can cost. So the
 *    chain of least cost gives the most pairs first. A chain may end at the exit of another row, which loses its column.
 * 2. Chains are found as Dijkstra does, on costs reduced by duals of rows and columns, which keeps them at 0 or above.
 *    A search sees only columns that chains of pairs connect with its row, and ends at the first that is free.
 * 3. Time grows with the number of rows times the pairs that searches look at: little where objects are apart. Where
 *    all rows can be all columns it can grow with the cube of their number.
 */
#include "host/assign.h"

#include "common/sort.h"
#include "core/context.h"
#include "rules/float_key.h"

#include <string.h>

#define ASSIGN_UNIT ((int64_t)1 << 26) /* cost of a pair at the gate; rounding can add 1 */

/* Members after `exit` are arrays in the scratch memory. Columns are numbered as in the job. */
typedef struct assign_work {
    const clump_assign_job *job;
    int64_t exit;          /* cost of staying alone */
    double scale;          /* cost per square of distance */
    uint64_t *by_x;        /* per column: key of x, column; ascending */
    float (*at)[2];        /* per column, in the order of by_x: its coordinates */
    int64_t *row_dual;     /* per row */
    int64_t *column_dual;  /* per column; 0 for a free column, never above */
    int64_t *distance;     /* per column: reduced cost of the best chain of this search */
    int32_t *owner;        /* per column: its row, or -1 */
    int32_t *before;       /* per column: the row before it in that chain */
    int32_t *search;       /* per column: the last row whose search reached it, or -1 */
    int32_t *reached;      /* columns of this search: first those that are done */
    int32_t done, count;   /* of `reached` */
    int64_t exit_distance; /* of the best chain of this search that ends at an exit */
    int32_t exit_row;
    int64_t shortest; /* of all chains of this search that end, at an exit or a free column; longer ones are dropped */
} assign_work;

size_t clump_assign_bytes(int32_t rows, int32_t columns)
{
    return (size_t)rows * sizeof(int64_t) +
           (size_t)columns * (3 * sizeof(int64_t) + 2 * sizeof(float) + 4 * sizeof(int32_t));
}

static void cut_scratch(assign_work *w, void *scratch)
{
    const size_t rows = (size_t)w->job->row_count, columns = (size_t)w->job->column_count;
    w->by_x = scratch;
    w->row_dual = (int64_t *)(w->by_x + columns);
    w->column_dual = w->row_dual + rows;
    w->distance = w->column_dual + columns;
    w->at = (float(*)[2])(void *)(w->distance + columns);
    w->owner = (int32_t *)(void *)(w->at + columns);
    w->before = w->owner + columns;
    w->search = w->before + columns;
    w->reached = w->search + columns;
    memset(w->row_dual, 0, rows * sizeof *w->row_dual);
    memset(w->column_dual, 0, columns * sizeof *w->column_dual);
    memset(w->owner, 0xff, columns * sizeof *w->owner);
    memset(w->search, 0xff, columns * sizeof *w->search);
}

static void sort_columns(assign_work *w)
{
    const size_t columns = (size_t)w->job->column_count;
    for (size_t j = 0; j < columns; j++) w->by_x[j] = (uint64_t)clump_key_of_float(w->job->columns[j][0]) << 32 | j;
    clump_heap_make(w->by_x, columns);
    for (size_t n = columns; n > 1; n--) w->by_x[n - 1] = clump_heap_pop(w->by_x, n);
    for (size_t k = 0; k < columns; k++) memcpy(w->at[k], w->job->columns[(uint32_t)w->by_x[k]], sizeof w->at[k]);
}

/* Returns the first place of by_x that is not left of the row by more than the gate. */
static size_t first_within(const assign_work *w, int32_t row)
{
    size_t low = 0, high = (size_t)w->job->column_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((double)w->at[middle][0] - w->job->rows[row][0] < -w->job->gate)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Continues chains of length `base` that end at the row: to its exit, and to all columns within its gate. */
static void extend_chains(assign_work *w, int32_t search, int32_t row, int64_t base)
{
    const clump_assign_job *const job = w->job;
    const double gate = job->gate, square = gate * gate, x = job->rows[row][0], y = job->rows[row][1];
    base -= w->row_dual[row];
    if (base + w->exit < w->exit_distance) w->exit_distance = base + w->exit, w->exit_row = row;
    if (w->exit_distance < w->shortest) w->shortest = w->exit_distance;
    for (size_t place = first_within(w, row); place < (size_t)job->column_count; place++) {
        const double dx = (double)w->at[place][0] - x, dy = (double)w->at[place][1] - y, distance = dx * dx + dy * dy;
        if (dx > gate) break;
        if (dy > gate || dy < -gate || distance > square) continue;
        const int32_t column = (int32_t)(uint32_t)w->by_x[place];
        const int64_t length = base + (int64_t)(distance * w->scale) - w->column_dual[column];
        if (length > w->shortest) continue;
        if (w->search[column] != search) {
            w->search[column] = search;
            w->reached[w->count++] = column;
        } else if (length >= w->distance[column]) {
            continue; /* also for columns that are done: no chain to them is shorter */
        }
        w->distance[column] = length;
        w->before[column] = row;
        if (w->owner[column] < 0) w->shortest = length;
    }
}

/* Moves the nearest column that is not done to those that are, and returns it; -1: an exit is nearer. */
static int32_t take_nearest(assign_work *w)
{
    int32_t best = -1;
    for (int32_t k = w->done; k < w->count; k++) {
        const int32_t column = w->reached[k];
        if (best >= 0) {
            const int32_t other = w->reached[best];
            if (w->distance[column] > w->distance[other]) continue;
            if (w->distance[column] == w->distance[other] && column > other) continue;
        }
        best = k;
    }
    if (best < 0 || w->distance[w->reached[best]] > w->exit_distance) return -1;
    const int32_t column = w->reached[best];
    w->reached[best] = w->reached[w->done];
    w->reached[w->done++] = column;
    return column;
}

/* Gives the column, and on the way back along its chain each row its new column. */
static void shift_partners(const assign_work *w, int32_t start, int32_t column)
{
    for (int32_t row = -1; row != start;) {
        row = w->before[column];
        const int32_t freed = w->job->partner[row];
        w->job->partner[row] = column;
        w->owner[column] = row;
        column = freed;
    }
}

/* Finds a column for the row, or the row that is to stay alone. */
static clump_status insert_row(clump_context *ctx, assign_work *w, int32_t start)
{
    w->done = w->count = 0;
    w->exit_distance = w->shortest = INT64_MAX;
    int32_t column = -1;
    for (int32_t row = start; row >= 0; row = w->owner[column]) {
        CLUMP_TRY(clump_poll(ctx));
        extend_chains(w, start, row, column < 0 ? 0 : w->distance[column]);
        column = take_nearest(w);
        if (column < 0) break;
    }
    const int64_t length = column < 0 ? w->exit_distance : w->distance[column];
    for (int32_t k = 0; k < w->done; k++) {
        const int32_t j = w->reached[k];
        const int64_t change = length - w->distance[j];
        w->column_dual[j] -= change;
        if (w->owner[j] >= 0) w->row_dual[w->owner[j]] += change;
    }
    w->row_dual[start] += length;
    if (column < 0) { /* the exit of exit_row */
        column = w->job->partner[w->exit_row];
        w->job->partner[w->exit_row] = -1;
        if (w->exit_row == start) return CLUMP_OK;
    }
    shift_partners(w, start, column);
    return CLUMP_OK;
}

clump_status clump_assign(clump_context *ctx, const clump_assign_job *job, void *scratch)
{
    const int32_t fewer = job->row_count < job->column_count ? job->row_count : job->column_count;
    assign_work w = {.job = job,
                     .exit = ((int64_t)fewer + 1) * (ASSIGN_UNIT + 1),
                     .scale = (double)ASSIGN_UNIT / (job->gate * job->gate)};
    cut_scratch(&w, scratch);
    sort_columns(&w);
    for (int32_t row = 0; row < job->row_count; row++) job->partner[row] = -1;
    for (int32_t row = 0; row < job->row_count; row++) CLUMP_TRY(insert_row(ctx, &w, row));
    return CLUMP_OK;
}
