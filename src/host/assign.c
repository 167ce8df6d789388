/* SPDX-License-Identifier: BSD-3-Clause
 *
 * assign.c: minimum-cost assignment by shortest augmenting paths (Jonker and Volgenant 1987), on lists of pairs.
 *
 *     columns.c         -> the pairs of a row, cheapest first, as many as are asked for
 *     rows, one by one  -> the cheapest chain: row - column - its owner - another column ... - a free column
 *     too many steps    -> pairs in the order of their costs
 *
 * 1. Each row also has an exit of its own: to stay without a column, for more than all pairs together can cost. So the
 *    chain of least cost gives the most pairs first. A chain may end at the exit of another row, which loses its column.
 * 2. Chains are found as Dijkstra does, on costs reduced by duals of rows and columns, which keeps them at 0 or above.
 *    A search sees only columns that chains of pairs connect with its row, and ends at the first that is free.
 * 3. Where objects are apart, a search looks at the pairs of one row. But it may have to look at all pairs, so time would be
 *    rows x pairs. clump_assign_steps() is a bound for all searches together.
 * 4. Rows are taken in an order in which most find a free column at once: first those that have the cheapest pair of a
 *    column. The order depends on places alone. The least sum would not depend on it, but the number of steps does.
 * 5. Over the bound, every row asks for its columns, cheapest first, and a column keeps the row that costs least (Gale and
 *    Shapley 1962). Both sides prefer by cost, then by number, so the outcome is that of taking all pairs in the order of
 *    cost, row and column. A row asks for a column once at most, and for CLUMP_ASSIGN_FEW at most.
 * 6. Most rows need a few of their pairs. Lists are made in parts. A part has no pair below those of the part before, so a
 *    search sees the pairs that it would see in the whole list.
 */
#include "host/assign.h"

#include "common/assert.h"
#include "host/columns.h"

#include <math.h>
#include <string.h>

enum { ASSIGN_FIRST_PAIRS = 4, ASSIGN_MORE = 3 }; /* of a list at first; how many times as many next */
enum { ASSIGN_POLL = 64 };      /* rows or columns between two looks at whether the call is cancelled */
enum { ASSIGN_ONE_PLACE = 32 }; /* columns in one place that are given in the order of rows */

typedef struct assign_row {
    int64_t dual;
    clump_columns_list list; /* its pairs so far; rows in one place may share the memory */
    bool is_whole;           /* there are no more */
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
    int64_t exit;     /* cost of staying alone */
    size_t room;      /* pairs per row at most */
    clump_pair *sort; /* scratch memory: two per row, or per column */
    int32_t *order;   /* the rows as they are taken; */
    int32_t ordered;  /* those that can have pairs */
    clump_columns near;
    uint64_t *free; /* memory for lists: short ones in the order of rows, then those that have grown */
    assign_row *rows;
    assign_column *columns;
    int32_t *heap;         /* columns of this search: from the front a heap by distance, from the back those done */
    int32_t waiting, done; /* of `heap` */
    int64_t most_steps;    /* that all searches may take */
    int64_t steps;         /* pairs that all searches have looked at */
    int32_t exit_row;      /* where the best chain of this search that ends at an exit does so */
    int64_t exit_distance; /* of that chain */
    int64_t shortest;      /* of all chains of this search that end, at an exit or a free column */
} assign_work;

static size_t pairs_per_row(int32_t columns, int32_t most)
{
    return (size_t)(columns < most ? columns : most);
}

static size_t round_up(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

size_t clump_assign_bytes(int32_t rows, int32_t columns, int32_t most)
{
    const size_t r = (size_t)rows, c = (size_t)columns, pairs = r * (ASSIGN_FIRST_PAIRS + pairs_per_row(columns, most));
    return 2 * (r > c ? r : c) * sizeof(clump_pair) + clump_columns_bytes(columns) + pairs * sizeof(uint64_t) +
           r * sizeof(assign_row) + c * sizeof(assign_column) + round_up(c * sizeof(int32_t)) +
           round_up(r * sizeof(int32_t));
}

/* Points the arrays into the scratch memory, and sorts the columns. */
static void begin_work(assign_work *w, void *scratch)
{
    const size_t rows = (size_t)w->job->row_count, columns = (size_t)w->job->column_count;
    w->sort = scratch;
    void *const near = w->sort + 2 * (rows > columns ? rows : columns);
    w->free = (uint64_t *)(void *)((char *)near + clump_columns_bytes(w->job->column_count));
    w->rows = (assign_row *)(void *)(w->free + rows * (ASSIGN_FIRST_PAIRS + w->room));
    w->columns = (assign_column *)(void *)(w->rows + rows);
    w->heap = (int32_t *)(void *)(w->columns + columns);
    w->order = (int32_t *)(void *)((char *)w->heap + round_up(columns * sizeof *w->heap));
    for (size_t i = 0; i < rows; i++) w->rows[i] = (assign_row){0};
    for (size_t j = 0; j < columns; j++) w->columns[j] = (assign_column){.search = -1, .owner = -1};
    for (size_t i = 0; i < rows; i++) w->job->partner[i] = -1;
    clump_columns_sort(&w->near, w->job, near, w->sort);
}

/* ----- pairs, and the order of rows ---------------------------------------------------------------- */

/* Makes the next part of a row's list. A list that grows for the first time moves to where there is room for all. */
static void find_pairs(assign_work *w, int32_t row)
{
    clump_columns_list *const list = &w->rows[row].list;
    const size_t more = list->count == 0 ? ASSIGN_FIRST_PAIRS : ASSIGN_MORE * list->count;
    const size_t wanted = more < w->room ? more : w->room;
    if (list->count == 0 || list->count == ASSIGN_FIRST_PAIRS) {
        uint64_t *const to = w->free;
        if (list->count > 0) memcpy(to, list->pairs, list->count * sizeof *to);
        w->free += list->count == 0 ? ASSIGN_FIRST_PAIRS : w->room;
        list->pairs = to;
    }
    clump_columns_near(&w->near, w->job, row, wanted, list);
    w->rows[row].is_whole = list->count < wanted || wanted == w->room;
}

/* Returns the pair number k of a row; UINT64_MAX: it has fewer. */
static uint64_t pair_of(assign_work *w, int32_t row, size_t k)
{
    if (k == w->rows[row].list.count && !w->rows[row].is_whole) find_pairs(w, row);
    return k < w->rows[row].list.count ? w->rows[row].list.pairs[k] : UINT64_MAX;
}

static bool are_in_one_place(const assign_work *w, int32_t row, int32_t other)
{
    return w->job->rows[row][0] == w->job->rows[other][0] && w->job->rows[row][1] == w->job->rows[other][1];
}

static uint64_t key_of_double(double value)
{
    uint64_t bits;
    value += 0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Sorts the rows that can have pairs: by x, of equal x by y; then slabs of them by y, so that rows that follow each other are
 * near each other. Rows in one place stay in the order of their numbers. Returns how many there are. */
static size_t sort_by_place(assign_work *w)
{
    const size_t rows = (size_t)w->job->row_count;
    size_t count = 0, slab = 1;
    for (size_t i = 0; i < rows; i++)
        if (w->job->rows[i][0] > -INFINITY) w->sort[count++] = (clump_pair){key_of_double(w->job->rows[i][1]), i};
    clump_pair_sort(w->sort, w->sort + rows, count);
    for (size_t i = 0; i < count; i++) w->sort[i].key = key_of_double(w->job->rows[w->sort[i].value][0]);
    clump_pair_sort(w->sort, w->sort + rows, count);
    while (slab * slab < CLUMP_COLUMNS_LEAF * count) slab++;
    for (size_t first = 0; first < count; first += slab) {
        const size_t now = count - first < slab ? count - first : slab;
        clump_pair *const here = w->sort + first;
        for (size_t i = 0; i < now; i++) here[i].key = key_of_double(w->job->rows[here[i].value][1]);
        clump_pair_sort(here, w->sort + rows, now);
    }
    return count;
}

/* Makes the order of rows: first those that are the best of their best column, then the others, both by place. */
static clump_status order_rows(clump_work *work, assign_work *w)
{
    const size_t rows = sort_by_place(w);
    for (int32_t j = 0; j < w->job->column_count; j++) w->columns[j].before = -1;
    for (size_t i = 0; i < rows; i++) { /* `before` and `distance`: the row that the column costs least */
        if (i % ASSIGN_POLL == 0) CLUMP_TRY(clump_poll(work));
        const int32_t row = (int32_t)w->sort[i].value, last = i > 0 ? (int32_t)w->sort[i - 1].value : -1;
        if (last >= 0 && are_in_one_place(w, row, last)) w->rows[row] = w->rows[last];
        const uint64_t pair = pair_of(w, row, 0);
        const int64_t cost = (int64_t)(pair >> 32);
        assign_column *const column = pair < UINT64_MAX ? &w->columns[(uint32_t)pair] : NULL;
        if (!column ||
            (column->before >= 0 && (column->distance < cost || (column->distance == cost && column->before < row))))
            continue;
        column->before = row;
        column->distance = cost;
    }
    for (size_t i = 0; i < rows; i++) {
        const int32_t row = (int32_t)w->sort[i].value;
        const uint64_t pair = pair_of(w, row, 0);
        const bool best = pair < UINT64_MAX && w->columns[(uint32_t)pair].before == row;
        w->sort[i].key = !best;
    }
    clump_pair_sort(w->sort, w->sort + rows, rows);
    for (size_t i = 0; i < rows; i++) w->order[i] = (int32_t)w->sort[i].value;
    w->ordered = (int32_t)rows;
    return CLUMP_OK;
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
    uint64_t pair;
    for (size_t k = 0; (pair = pair_of(w, row, k)) != UINT64_MAX; k++) {
        w->steps++;
        const int64_t least = base + (int64_t)(pair >> 32);
        if (least > w->shortest) break; /* pairs are ascending, and no dual of a column is above 0 */
        const int32_t number = (int32_t)(uint32_t)pair;
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

/* Finds a column for the row, or the row that is to stay alone. Nothing changes where no steps are left. */
static clump_status insert_row(clump_work *work, assign_work *w, int32_t start)
{
    w->done = w->waiting = 0;
    w->exit_distance = w->shortest = INT64_MAX;
    int32_t column = -1;
    for (int32_t row = start; row >= 0; row = w->columns[column].owner) {
        if (w->done % ASSIGN_POLL == ASSIGN_POLL - 1) CLUMP_TRY(clump_poll(work));
        if (w->steps > w->most_steps) return CLUMP_OK;
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

/* ----- over the bound -------------------------------------------------------------------------------- */

/* Lets a row ask for its columns. A row that loses its column to it goes on asking. `dual` of a row is the pair that it asks
 * for next, `distance` of a column is the cost of its owner. */
static void ask_for_columns(assign_work *w, int32_t row)
{
    while (row >= 0 && w->rows[row].dual < CLUMP_ASSIGN_FEW) {
        const uint64_t pair = pair_of(w, row, (size_t)w->rows[row].dual++);
        if (pair == UINT64_MAX) return;
        const int64_t cost = (int64_t)(pair >> 32);
        assign_column *const column = &w->columns[(uint32_t)pair];
        const int32_t owner = column->owner;
        w->steps++;
        if (owner >= 0 && (column->distance < cost || (column->distance == cost && owner < row))) continue;
        column->owner = row;
        column->distance = cost;
        w->job->partner[row] = (int32_t)(uint32_t)pair;
        if (owner >= 0) w->job->partner[owner] = -1;
        row = owner;
    }
}

/* Pairs rows and columns in the order of costs. A row that is in the place of one that all columns have refused need not ask:
 * columns refuse the same again. */
static clump_status pair_by_cost(clump_work *work, assign_work *w)
{
    const clump_assign_job *const job = w->job;
    for (int32_t j = 0; j < job->column_count; j++) w->columns[j].owner = -1;
    for (int32_t i = 0; i < job->row_count; i++) w->rows[i].dual = 0, job->partner[i] = -1;
    for (int32_t i = 0; i < w->ordered; i++) {
        if (i % ASSIGN_POLL == 0) CLUMP_TRY(clump_poll(work));
        const int32_t row = w->order[i], last = i > 0 ? w->order[i - 1] : -1;
        if (last >= 0 && job->partner[last] < 0 && last < row && are_in_one_place(w, row, last)) continue;
        ask_for_columns(w, row);
    }
    return CLUMP_OK;
}

/* Finds the least cost. Stops where no steps are left. A row in the place of one that has just stayed alone stays alone, too:
 * its chains are as long. */
static clump_status find_least(clump_work *work, assign_work *w)
{
    const clump_assign_job *const job = w->job;
    for (int32_t k = 0; k < w->ordered && w->steps <= w->most_steps; k++) {
        if (k % ASSIGN_POLL == 0) CLUMP_TRY(clump_poll(work));
        const int32_t row = w->order[k], last = k > 0 ? w->order[k - 1] : -1;
        if (w->rows[row].list.count == 0) continue;
        if (last >= 0 && job->partner[last] < 0 && are_in_one_place(w, row, last))
            w->rows[row].dual = w->exit;
        else
            CLUMP_TRY(insert_row(work, w, row));
    }
    return CLUMP_OK;
}

/* ----- columns in one place -------------------------------------------------------------------------- */

/* Whether a row has the pair of a column that is in the place of its partner. */
static bool has_pair(const assign_work *w, int32_t row, int32_t column, double square)
{
    const clump_columns_list *const list = &w->rows[row].list;
    if (list->count < w->room || square < list->square) return true;
    return square == list->square && (uint32_t)column <= list->number;
}

/* Gives the columns of one place to their rows in ascending order. The sum of costs stays what it is. */
static void order_partners(assign_work *w, const uint32_t *numbers, size_t count)
{
    const clump_assign_job *const job = w->job;
    int32_t rows[ASSIGN_ONE_PLACE], columns[ASSIGN_ONE_PLACE];
    size_t n = 0;
    for (size_t k = 0; k < count; k++) {
        const int32_t column = (int32_t)numbers[k], row = w->columns[column].owner;
        if (row < 0) continue;
        size_t at = n;
        columns[n++] = column; /* numbers ascend */
        for (; at > 0 && rows[at - 1] > row; at--) rows[at] = rows[at - 1];
        rows[at] = row;
    }
    for (size_t k = 0; k < n; k++) {
        const double dx = (double)job->columns[columns[k]][0] - job->rows[rows[k]][0];
        const double dy = (double)job->columns[columns[k]][1] - job->rows[rows[k]][1];
        if (!has_pair(w, rows[k], columns[k], dx * dx + dy * dy)) return;
    }
    for (size_t k = 0; k < n; k++) job->partner[rows[k]] = columns[k];
}

/* Does so for all places with a few columns: of objects above each other, the older one has the cluster of lower index. */
static void order_all_partners(assign_work *w)
{
    const clump_columns *const c = &w->near;
    for (size_t first = 0, end; first < c->count; first = end) {
        for (end = first + 1;
             end < c->count && c->places[end][0] == c->places[first][0] && c->places[end][1] == c->places[first][1];)
            end++;
        if (end - first > 1 && end - first <= ASSIGN_ONE_PLACE) order_partners(w, c->numbers + first, end - first);
    }
}

clump_status clump_assign(clump_work *work, const clump_assign_job *job, void *scratch)
{
    const int32_t fewer = job->row_count < job->column_count ? job->row_count : job->column_count;
    CLUMP_ASSERT(job->most >= 1 && job->most <= CLUMP_COLUMNS_MOST);
    assign_work w = {.job = job,
                     .exit = ((int64_t)fewer + 1) * (CLUMP_ASSIGN_UNIT + 1),
                     .room = pairs_per_row(job->column_count, job->most),
                     .most_steps = clump_assign_steps(job->row_count)};
    begin_work(&w, scratch);
    CLUMP_TRY(order_rows(work, &w));
    CLUMP_TRY(find_least(work, &w));
    const bool over = w.steps > w.most_steps;
    if (over)
        CLUMP_TRY(pair_by_cost(work, &w));
    else
        order_all_partners(&w);
    if (job->work) *job->work = (clump_assign_work){w.near.looks, (uint64_t)w.steps, over};
    return CLUMP_OK;
}
