/* SPDX-License-Identifier: BSD-3-Clause
 *
 * columns.c: see columns.h.
 */
#include "host/columns.h"

#include "common/sort.h"
#include "rules/float_key.h"

#include <math.h>

/* ----- the tree -------------------------------------------------------------------------------------- */

static size_t leaves_for(size_t columns)
{
    size_t leaves = 1;
    while (leaves * CLUMP_COLUMNS_LEAF < columns) leaves *= 2;
    return leaves;
}

size_t clump_columns_bytes(int32_t columns)
{
    const size_t leaves = leaves_for((size_t)columns), places = leaves * CLUMP_COLUMNS_LEAF;
    return 2 * leaves * sizeof(clump_column_box) + places * (2 * sizeof(float) + sizeof(uint32_t));
}

/* Sorts by x, and then the slabs by y. Equal places stay in the order of the numbers. */
static void sort_places(clump_columns *c, const clump_assign_job *job, clump_pair *pairs)
{
    const size_t columns = (size_t)job->column_count;
    c->count = 0;
    for (size_t j = 0; j < columns; j++)
        if (job->columns[j][0] < INFINITY)
            pairs[c->count++] = (clump_pair){clump_key_of_float(job->columns[j][0] + 0.0f), j};
    clump_pair_sort(pairs, pairs + columns, c->count);
    const size_t leaves = (c->count + CLUMP_COLUMNS_LEAF - 1) / CLUMP_COLUMNS_LEAF;
    size_t leaves_of_slab = 1;
    while (leaves_of_slab * leaves_of_slab < leaves) leaves_of_slab++;
    for (size_t k = 0; k < c->count; k++) {
        const uint64_t slab = k / (leaves_of_slab * CLUMP_COLUMNS_LEAF);
        pairs[k].key = slab << 32 | clump_key_of_float(job->columns[pairs[k].value][1] + 0.0f);
    }
    clump_pair_sort(pairs, pairs + columns, c->count);
    for (size_t k = 0; k < c->count; k++) {
        c->numbers[k] = (uint32_t)pairs[k].value;
        for (int a = 0; a < 2; a++) c->places[k][a] = job->columns[pairs[k].value][a];
    }
}

static clump_column_box unite(clump_column_box a, clump_column_box b)
{
    for (int i = 0; i < 2; i++) {
        a.lower[i] = a.lower[i] < b.lower[i] ? a.lower[i] : b.lower[i];
        a.upper[i] = a.upper[i] > b.upper[i] ? a.upper[i] : b.upper[i];
    }
    a.first = a.first < b.first ? a.first : b.first;
    return a;
}

void clump_columns_sort(clump_columns *c, const clump_assign_job *job, void *memory, clump_pair *scratch)
{
    static const clump_column_box empty = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}, UINT32_MAX};
    c->leaves = leaves_for((size_t)job->column_count);
    c->boxes = memory;
    c->places = (float(*)[2])(void *)(c->boxes + 2 * c->leaves);
    c->numbers = (uint32_t *)(void *)(c->places + c->leaves * CLUMP_COLUMNS_LEAF);
    c->looks = 0;
    sort_places(c, job, scratch);
    for (size_t k = c->count; k < c->leaves * CLUMP_COLUMNS_LEAF; k++) /* out of reach */
        c->places[k][0] = c->places[k][1] = INFINITY, c->numbers[k] = UINT32_MAX;
    for (size_t leaf = 0; leaf < c->leaves; leaf++) {
        clump_column_box box = empty;
        for (size_t k = leaf * CLUMP_COLUMNS_LEAF; k < (leaf + 1) * CLUMP_COLUMNS_LEAF && k < c->count; k++) {
            const float x = c->places[k][0], y = c->places[k][1];
            box = unite(box, (clump_column_box){{x, y}, {x, y}, c->numbers[k]});
        }
        c->boxes[c->leaves + leaf] = box;
    }
    for (size_t node = c->leaves - 1; node > 0; node--)
        c->boxes[node] = unite(c->boxes[2 * node], c->boxes[2 * node + 1]);
}

/* ----- searches -------------------------------------------------------------------------------------- */

/* A column in the gate: by distance, of equal distances by number. */
typedef struct near_column {
    double square;
    uint32_t number;
} near_column;

/* A search: the best columns so far, ascending. */
typedef struct near_search {
    double x, y, gate;
    double limit;      /* no square of a distance above it is of use */
    near_column after; /* columns of use come after it */
    near_column *list;
    size_t count, room;
} near_search;

static bool is_before(near_column a, near_column b)
{
    return a.square < b.square || (a.square == b.square && a.number < b.number);
}

/* Returns the square of the distance to the nearest point of a box. Rounding keeps the order of differences, squares and sums, so
 * it is not above those of the columns in the box. */
static double square_of_box(const near_search *s, const clump_column_box *box)
{
    const double left = (double)box->lower[0] - s->x, right = s->x - (double)box->upper[0];
    const double below = (double)box->lower[1] - s->y, above = s->y - (double)box->upper[1];
    double dx = left > right ? left : right, dy = below > above ? below : above;
    dx = dx > 0 ? dx : 0;
    dy = dy > 0 ? dy : 0;
    return dx * dx + dy * dy;
}

/* Whether a column, or the best that a box may have, is of use. */
static bool is_wanted(const near_search *s, near_column c)
{
    return c.square <= s->limit && (s->count < s->room || is_before(c, s->list[s->room - 1]));
}

static void add_column(near_search *s, near_column c)
{
    size_t at = s->count < s->room ? s->count++ : s->room - 1;
    for (; at > 0 && is_before(c, s->list[at - 1]); at--) s->list[at] = s->list[at - 1];
    s->list[at] = c;
    if (s->count == s->room) s->limit = s->list[s->room - 1].square;
}

static void look_at_leaf(const clump_columns *c, near_search *s, size_t leaf)
{
    const float(*const places)[2] = (const float(*)[2])c->places + leaf * CLUMP_COLUMNS_LEAF;
    double squares[CLUMP_COLUMNS_LEAF];
    for (size_t k = 0; k < CLUMP_COLUMNS_LEAF; k++) {
        const double dx = (double)places[k][0] - s->x, dy = (double)places[k][1] - s->y;
        squares[k] = dx * dx + dy * dy;
    }
    for (size_t k = 0; k < CLUMP_COLUMNS_LEAF; k++) {
        if (!(squares[k] <= s->limit)) continue;
        const near_column found = {squares[k], c->numbers[leaf * CLUMP_COLUMNS_LEAF + k]};
        if (!is_wanted(s, found) || !is_before(s->after, found)) continue;
        if (fabs((double)places[k][0] - s->x) <= s->gate && fabs((double)places[k][1] - s->y) <= s->gate)
            add_column(s, found);
    }
}

/* Walks down the tree, to the nearer child first. Returns how often it looked at a column or a box. */
static uint64_t walk(const clump_columns *c, near_search *s)
{
    struct {
        size_t node;
        near_column best; /* that the node may have */
    } stack[64];
    stack[0].node = 1;
    stack[0].best = (near_column){square_of_box(s, &c->boxes[1]), c->boxes[1].first};
    const uint64_t most = CLUMP_COLUMNS_LOOKS(s->room);
    uint64_t looks = 0;
    for (int depth = 1; depth > 0 && looks < most;) {
        const size_t node = stack[--depth].node;
        if (!is_wanted(s, stack[depth].best)) continue;
        if (node >= c->leaves) {
            look_at_leaf(c, s, node - c->leaves);
            looks += CLUMP_COLUMNS_LEAF;
            continue;
        }
        const clump_column_box *const boxes = &c->boxes[2 * node];
        const near_column best[2] = {{square_of_box(s, &boxes[0]), boxes[0].first},
                                     {square_of_box(s, &boxes[1]), boxes[1].first}};
        const bool second = is_before(best[1], best[0]);
        stack[depth].node = 2 * node + !second, stack[depth++].best = best[!second];
        stack[depth].node = 2 * node + second, stack[depth++].best = best[second];
        looks += 2;
    }
    return looks;
}

size_t clump_columns_near(clump_columns *c, const clump_assign_job *job, int32_t row, size_t room,
                          clump_columns_list *list)
{
    near_column found[CLUMP_COLUMNS_MOST];
    near_search s = {.x = job->rows[row][0],
                     .y = job->rows[row][1],
                     .gate = job->gate,
                     .limit = job->gate * job->gate,
                     .after = {list->count > 0 ? list->square : -1, list->number},
                     .list = found,
                     .room = room - list->count};
    const double scale = (double)CLUMP_ASSIGN_UNIT / (job->gate * job->gate);
    c->looks += walk(c, &s);
    uint64_t *const part = list->pairs + list->count;
    for (size_t k = 0; k < s.count; k++)
        part[k] = (uint64_t)(int64_t)(s.list[k].square * scale) << 32 | s.list[k].number;
    if (s.count > 0) list->square = s.list[s.count - 1].square, list->number = s.list[s.count - 1].number;
    clump_sort_few(part, s.count);
    list->count += s.count;
    return s.count;
}
