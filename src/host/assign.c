/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assign.c: minimum-cost assignment by shortest augmenting paths (Jonker and Volgenant 1987), on lists of pairs.
 *
 *     columns, sorted by x -> the pairs of a row: from its x to both sides, until no nearer column can follow
 *     rows, one by one     -> the cheapest chain: row - column - its owner - another column ... - a free column
 *
 * 1. Each row also has an exit of its own: to stay without a column, for more than all pairs together can cost. So the
 *    chain of least cost gives the most pairs first. A chain may end at the exit of another row, which loses its column.
 * 2. Chains are found as Dijkstra does, on costs reduced by duals of rows and columns, which keeps them at 0 or above.
 *    A search sees only columns that chains of pairs connect with its row, and ends at the first that is free.
 * 3. A search looks at each pair once at most. So time is at most rows x pairs x the logarithm of columns, where pairs
 *    are at most rows x `most`. Where objects are apart, a search looks at the pairs of one row.
 */
#include "host/assign.h"

#include "common/sort.h"
#include "core/context.h"
#include "rules/float_key.h"

#include <math.h>

#define ASSIGN_UNIT ((int64_t)1 << 26) /* cost of a pair at the gate; rounding can add 1 */

/* Members after `scale` are arrays in the scratch memory. Columns are numbered as in the job. */
typedef struct assign_work {
    const clump_assign_job *job;
    int64_t exit;           /* cost of staying alone */
    double scale;           /* cost per square of distance */
    uint64_t *by_x;         /* per column: key of x, column; ascending */
    uint64_t *pairs;        /* row after row, ascending: cost, column */
    size_t *first;          /* per row: its first pair; that of the next row is its end */
    int64_t *row_dual;      /* per row */
    int64_t *column_dual;   /* per column; 0 for a free column, never above */
    int64_t *distance;      /* per column: reduced cost of the best chain of this search */
    int32_t *owner;         /* per column: its row, or -1 */
    int32_t *before;        /* per column: the row before it in that chain */
    int32_t *search;        /* per column: the last row whose search reached it, or -1 */
    int32_t *slot;          /* per column that is in the heap: where */
    int32_t *heap;          /* columns of this search: from the front a heap by distance, from the back those done */
    int32_t waiting, done;  /* of `heap` */
    int64_t exit_distance;  /* of the best chain of this search that ends at an exit */
    int32_t exit_row;
    int64_t shortest; /* of all chains of this search that end, at an exit or a free column; longer ones are dropped */
} assign_work;

static size_t pairs_per_row(int32_t columns, int32_t most)
{
    return (size_t)(columns < most ? columns : most);
}

size_t clump_assign_bytes(int32_t rows, int32_t columns, int32_t most)
{
    const size_t per_row = (pairs_per_row(columns, most) + 2) * 8, per_column = 3 * 8 + 5 * 4;
    return ((size_t)rows * per_row + 8 + (size_t)columns * per_column + 7) / 8 * 8;
}

static void cut_scratch(assign_work *w, void *scratch)
{
    const size_t rows = (size_t)w->job->row_count, columns = (size_t)w->job->column_count;
    w->by_x = scratch;
    w->pairs = w->by_x + columns;
    w->row_dual = (int64_t *)(w->pairs + rows * pairs_per_row(w->job->column_count, w->job->most));
    w->column_dual = w->row_dual + rows;
    w->distance = w->column_dual + columns;
    w->first = (size_t *)(void *)(w->distance + columns);
    w->owner = (int32_t *)(void *)(w->first + rows + 1);
    w->before = w->owner + columns;
    w->search = w->before + columns;
    w->slot = w->search + columns;
    w->heap = w->slot + columns;
}

/* ----- pairs ------------------------------------------------------------------------------------- */

static void sort_columns(assign_work *w)
{
    const size_t columns = (size_t)w->job->column_count;
    for (size_t j = 0; j < columns; j++) w->by_x[j] = (uint64_t)clump_key_of_float(w->job->columns[j][0]) << 32 | j;
    clump_heap_make(w->by_x, columns);
    for (size_t n = columns; n > 1; n--) w->by_x[n - 1] = clump_heap_pop(w->by_x, n);
}

/* Takes the pair of the row and the column at this place of by_x if it is one of the best. Full lists are heaps. Returns
 * false if dx alone is too much for this column, and so for all columns behind it: rounding keeps the order of squares. */
static bool offer_pair(assign_work *w, int32_t row, size_t place)
{
    const clump_assign_job *const job = w->job;
    const uint32_t column = (uint32_t)w->by_x[place];
    const double dx = (double)job->columns[column][0] - job->rows[row][0];
    const double dy = (double)job->columns[column][1] - job->rows[row][1], square = dx * dx + dy * dy;
    uint64_t *const list = &w->pairs[w->first[row]];
    const size_t count = w->first[row + 1] - w->first[row], room = pairs_per_row(job->column_count, job->most);
    if (fabs(dx) > job->gate) return false;
    if (count == room && (uint64_t)(dx * dx * w->scale) > list[0] >> 32) return false;
    if (fabs(dy) > job->gate || square > job->gate * job->gate) return true;
    const uint64_t pair = (uint64_t)(square * w->scale) << 32 | column;
    if (count < room) {
        list[count] = pair;
        w->first[row + 1]++;
        if (count + 1 == room) clump_heap_make(list, room);
    } else if (pair < list[0]) {
        clump_heap_sink(list, room, 0, pair);
    }
    return true;
}

static void find_pairs(assign_work *w, int32_t row)
{
    size_t low = 0, high = (size_t)w->job->column_count;
    while (low < high) { /* to the first column that is not left of the row */
        const size_t middle = low + (high - low) / 2;
        if ((double)w->job->columns[(uint32_t)w->by_x[middle]][0] < w->job->rows[row][0])
            low = middle + 1;
        else
            high = middle;
    }
    w->first[row + 1] = w->first[row];
    while (high < (size_t)w->job->column_count && offer_pair(w, row, high)) high++;
    while (low > 0 && offer_pair(w, row, low - 1)) low--;
    clump_sort_few(&w->pairs[w->first[row]], w->first[row + 1] - w->first[row]);
}

/* ----- the columns that a search has reached ------------------------------------------------------ */

static bool is_nearer(const assign_work *w, int32_t column, int32_t other)
{
    return w->distance[column] != w->distance[other] ? w->distance[column] < w->distance[other] : column < other;
}

static void put_column(const assign_work *w, int32_t slot, int32_t column)
{
    w->heap[slot] = column;
    w->slot[column] = slot;
}

/* Puts the column, whose distance is new, into the heap: at this slot or further ahead. */
static void lift_column(const assign_work *w, int32_t slot, int32_t column)
{
    for (; slot > 0 && is_nearer(w, column, w->heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
        put_column(w, slot, w->heap[(slot - 1) / 2]);
    put_column(w, slot, column);
}

/* Moves the nearest column from the heap to those that are done, and returns it; -1: an exit is nearer. */
static int32_t take_nearest(assign_work *w)
{
    if (w->waiting == 0 || w->distance[w->heap[0]] > w->exit_distance) return -1;
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

/* Continues chains of length `base` that end at the row: to its exit, and to the columns of its pairs. */
static void extend_chains(assign_work *w, int32_t search, int32_t row, int64_t base)
{
    base -= w->row_dual[row];
    if (base + w->exit < w->exit_distance) w->exit_distance = base + w->exit, w->exit_row = row;
    if (w->exit_distance < w->shortest) w->shortest = w->exit_distance;
    for (size_t k = w->first[row]; k < w->first[row + 1]; k++) {
        const int32_t column = (int32_t)(uint32_t)w->pairs[k];
        const int64_t least = base + (int64_t)(w->pairs[k] >> 32), length = least - w->column_dual[column];
        if (least > w->shortest) break;
        if (length > w->shortest) continue;
        const bool is_new = w->search[column] != search;
        if (!is_new && length >= w->distance[column]) continue; /* always so for columns that are done */
        w->search[column] = search;
        w->distance[column] = length;
        w->before[column] = row;
        if (w->owner[column] < 0) w->shortest = length;
        lift_column(w, is_new ? w->waiting++ : w->slot[column], column);
    }
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
    w->done = w->waiting = 0;
    w->exit_distance = w->shortest = INT64_MAX;
    int32_t column = -1;
    for (int32_t row = start; row >= 0; row = w->owner[column]) {
        CLUMP_TRY(clump_poll(ctx));
        extend_chains(w, start, row, column < 0 ? 0 : w->distance[column]);
        column = take_nearest(w);
        if (column < 0) break;
    }
    const int64_t length = column < 0 ? w->exit_distance : w->distance[column];
    for (int32_t k = 1; k <= w->done; k++) {
        const int32_t j = w->heap[w->job->column_count - k];
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
    for (int32_t column = 0; column < job->column_count; column++)
        w.owner[column] = w.search[column] = -1, w.column_dual[column] = 0;
    w.first[0] = 0;
    for (int32_t row = 0; row < job->row_count; row++) {
        CLUMP_TRY(clump_poll(ctx));
        find_pairs(&w, row);
        job->partner[row] = -1;
        w.row_dual[row] = 0;
    }
    for (int32_t row = 0; row < job->row_count; row++) CLUMP_TRY(insert_row(ctx, &w, row));
    return CLUMP_OK;
}
