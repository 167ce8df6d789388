/* SPDX-License-Identifier: BSD-3-Clause
 *
 * oracle_erccl.c: see oracle_erccl.h. Written to be read, not to be fast.
 */
#include "oracle/oracle_erccl.h"

#include "oracle/oracle.h"
#include "support/papers.h"

#include <math.h>
#include <stdlib.h>

size_t oracle_erccl_rows(const clump_erccl_options *o)
{
    const float quotient = o->extent / o->cell;
    return (size_t)ceilf(quotient);
}

size_t oracle_erccl_columns(const clump_erccl_options *o)
{
    if (o->extent_columns == 0) return oracle_erccl_rows(o);
    const float quotient = o->extent_columns / o->cell;
    return (size_t)ceilf(quotient);
}

float oracle_erccl_limit(const clump_erccl_options *o, long rows, long columns)
{
    const double cells = sqrt((double)(rows * rows + columns * columns));
    if (labs(rows) > o->reach || labs(columns) > o->reach) return -1;
    if (o->method == CLUMP_ERCCL_CCL) return INFINITY;
    if (o->method == CLUMP_ERCCL_HASH) return cells <= o->reach ? INFINITY : -1.0f;
    const double tau = papers_of(&o->common)->beta != 0 ? (double)papers_of(&o->common)->beta * exp(-(double)o->reach)
                                                        : (double)o->tau;
    const double alpha = (double)o->alpha;
    const double by_distance = alpha * exp(-((double)o->cell * cells));
    if (by_distance >= tau) return INFINITY;        /* however different */
    if (by_distance + (1 - alpha) < tau) return -1; /* not even at dh = 0 */
    if (alpha >= 1) return -1;
    const double limit = -log((tau - by_distance) / (1 - alpha));
    return limit < 0 ? -1.0f : (float)limit;
}

bool oracle_erccl_cell(const clump_erccl_options *o, const float *p, long *row, long *column)
{
    const bool y_up = o->ground.up == CLUMP_UP_Y;
    const float rows = (float)oracle_erccl_rows(o), columns = (float)oracle_erccl_columns(o);
    const float x0 = (float)((double)o->ground.sensor[0] - 0.5 * (double)rows * (double)o->cell);
    const float y0 = (float)((double)o->ground.sensor[y_up ? 2 : 1] - 0.5 * (double)columns * (double)o->cell);
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) return false;
    const float dx = p[0] - x0, dy = p[y_up ? 2 : 1] - y0;
    const float i = floorf(dx / o->cell), j = floorf(dy / o->cell);
    if (!(i >= 0 && i < rows && j >= 0 && j < columns)) return false;
    *row = (long)i;
    *column = (long)j;
    return true;
}

typedef struct cell {
    long row, column;
    float highest, lowest;
    size_t cluster; /* SIZE_MAX: none yet */
} cell;

static bool higher(float a, float b) /* -0 is below 0 */
{
    return a > b || (a == b && signbit(b) && !signbit(a));
}

/* The cell at this place, a new one at the end of the list if there is none. */
static size_t cell_at(cell *cells, size_t *count, long row, long column, float height)
{
    for (size_t c = 0; c < *count; c++)
        if (cells[c].row == row && cells[c].column == column) return c;
    cells[*count] = (cell){row, column, height, height, SIZE_MAX};
    return (*count)++;
}

static bool alike(const clump_erccl_options *o, const cell *a, const cell *b)
{
    const float top = fabsf(a->highest - b->highest), bottom = fabsf(a->lowest - b->lowest);
    const float difference = top + bottom;
    return difference <= oracle_erccl_limit(o, a->row - b->row, a->column - b->column);
}

static void flood(const clump_erccl_options *o, cell *cells, size_t count, size_t start, size_t number, size_t *queue)
{
    size_t queued = 0;
    queue[queued++] = start, cells[start].cluster = number;
    for (size_t at = 0; at < queued; at++) {
        const cell *const c = &cells[queue[at]];
        for (size_t k = 0; k < count; k++) {
            if (cells[k].cluster != SIZE_MAX || labs(cells[k].row - c->row) > o->reach) continue;
            if (labs(cells[k].column - c->column) > o->reach || !alike(o, c, &cells[k])) continue;
            cells[k].cluster = number;
            queue[queued++] = k;
        }
    }
}

static void fill_maps(const clump_erccl_options *o, clump_points points, const int32_t *ground, const int32_t *labels,
                      const cell *cells, const size_t *cell_of, const clump_erccl_maps *maps)
{
    const size_t columns = oracle_erccl_columns(o);
    for (size_t c = 0; c < oracle_erccl_rows(o) * columns; c++) {
        if (maps->obstacle) maps->obstacle[c] = 0;
        if (maps->lowest) maps->lowest[c] = NAN;
        if (maps->highest) maps->highest[c] = NAN;
        if (maps->labels) maps->labels[c] = CLUMP_NOISE;
    }
    for (int turn = 0; turn < 2; turn++) /* ground first: obstacles go over it */
        for (size_t i = 0; i < points.count; i++) {
            const bool on_ground = ground && ground[i] == CLUMP_GROUND;
            long row, column;
            if (on_ground != (turn == 0) || (o->common.mask && o->common.mask[i] == 0)) continue;
            if (!oracle_erccl_cell(o, oracle_point(points, i), &row, &column)) continue;
            const size_t at = (size_t)row * columns + (size_t)column;
            if (maps->labels) maps->labels[at] = labels[i];
            if (on_ground) continue;
            if (maps->obstacle) maps->obstacle[at] = 1;
            if (maps->lowest) maps->lowest[at] = cells[cell_of[i]].lowest;
            if (maps->highest) maps->highest[at] = cells[cell_of[i]].highest;
        }
}

static float height_of(const clump_erccl_options *o, const float *p)
{
    const float up = p[o->ground.up == CLUMP_UP_Y ? 1 : 2];
    return o->ground.flip ? -up : up;
}

static void add_height(cell *c, float height)
{
    if (higher(height, c->highest)) c->highest = height;
    if (higher(c->lowest, height)) c->lowest = height;
}

/* Adds the heights of ground points to the cells of other points. */
static void add_ground(const clump_erccl_options *o, clump_points points, const int32_t *ground, cell *cells,
                       size_t count)
{
    for (size_t i = 0; i < points.count; i++) {
        const float *const p = oracle_point(points, i);
        long row, column;
        if (ground[i] != CLUMP_GROUND || (o->common.mask && o->common.mask[i] == 0)) continue;
        if (!oracle_erccl_cell(o, p, &row, &column)) continue;
        for (size_t c = 0; c < count; c++)
            if (cells[c].row == row && cells[c].column == column) add_height(&cells[c], height_of(o, p));
    }
}

/* Numbers that remain, as in oracle_dbscan.c. */
static int32_t renumber(const clump_erccl_options *o, const size_t *size, size_t *number, size_t clusters)
{
    size_t kept = 0;
    for (size_t c = 0; c < clusters; c++) number[c] = SIZE_MAX;
    for (;;) {
        size_t next = SIZE_MAX;
        for (size_t c = 0; c < clusters; c++) {
            if (number[c] != SIZE_MAX || size[c] < o->common.min_size ||
                (o->common.max_size != 0 && size[c] > o->common.max_size))
                continue;
            if (next == SIZE_MAX || (o->common.order == CLUMP_ORDER_SIZE && size[c] > size[next])) next = c;
        }
        if (next == SIZE_MAX) return (int32_t)kept;
        number[next] = kept++;
    }
}

int32_t oracle_erccl(clump_points points, const clump_erccl_options *o, const int32_t *ground, int32_t *labels,
                     const clump_erccl_maps *maps)
{
    const size_t n = points.count, room = n + 1;
    cell *const cells = malloc(room * sizeof *cells);
    size_t *const cell_of = malloc(room * sizeof *cell_of), *const queue = malloc(room * sizeof *queue);
    size_t *const size = calloc(room, sizeof *size), *const number = malloc(room * sizeof *number);
    if (!cells || !cell_of || !queue || !size || !number) abort();
    size_t count = 0, clusters = 0;
    for (size_t i = 0; i < n; i++) {
        const float *const p = oracle_point(points, i);
        long row, column;
        cell_of[i] = SIZE_MAX;
        labels[i] = CLUMP_NOISE;
        if ((o->common.mask && o->common.mask[i] == 0) || !oracle_erccl_cell(o, p, &row, &column)) continue;
        if (ground && ground[i] == CLUMP_GROUND) {
            labels[i] = CLUMP_GROUND;
            continue;
        }
        const float height = height_of(o, p);
        add_height(&cells[cell_of[i] = cell_at(cells, &count, row, column, height)], height);
    }
    if (papers_of(&o->common)->all_heights && ground) add_ground(o, points, ground, cells, count);
    for (size_t c = 0; c < count; c++) /* cells are in the order of their first points, so clusters are, too */
        if (cells[c].cluster == SIZE_MAX) flood(o, cells, count, c, clusters++, queue);
    for (size_t i = 0; i < n; i++)
        if (cell_of[i] != SIZE_MAX) size[cells[cell_of[i]].cluster]++;
    const int32_t kept = renumber(o, size, number, clusters);
    for (size_t i = 0; i < n; i++) {
        if (cell_of[i] == SIZE_MAX) continue;
        const size_t mine = number[cells[cell_of[i]].cluster];
        labels[i] = mine == SIZE_MAX ? CLUMP_NOISE : (int32_t)mine;
    }
    if (maps) fill_maps(o, points, ground, labels, cells, cell_of, maps);
    free(cells), free(cell_of), free(queue), free(size), free(number);
    return kept;
}
