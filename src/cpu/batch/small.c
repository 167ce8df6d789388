/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small.c: a small cloud, sorted by voxel (small.h).
 *
 * The numbers of voxels leave a free voxel at the end of each row and a free row at the end of each layer, so that no voxel
 * has the number of a neighbour across an end. The table of beginnings is padded by a layer, a row and two voxels on both
 * sides: rows beside the outermost voxels are looked up, and are empty.
 */
#include "cpu/batch/small.h"

#include "common/wide.h"
#include "cpu/shared/points.h"
#include "rules/cell.h"

#include <string.h>

/* Voxels that the table may have. It costs 0.3 ns per voxel to clear and to sum up (Neoverse V1); `fast` takes 180 ns per
 * point of a sparse cloud. */
#define SMALL_VOXELS_PER_POINT 64
#define SMALL_VOXELS_LEAST     1024
#define SMALL_VOXELS_MOST      131072

/* Clouds of at least SMALL_TINY points with more points per occupied voxel than this are left to `fast`: its cells are
 * smaller than voxels, and it does not compare the points of a cell. Then the next clouds of the batch are not tried, as
 * they are likely to be alike. Measured on a Neoverse V1, 1,024 points: equal at 8 neighbours per point (Euclidean
 * clustering) and at 100 (DBSCAN). */
#define SMALL_TINY       48
#define SMALL_DENSE      1.9
#define SMALL_DENSE_CORE 20
#define SMALL_NOT_TRIED  15

/* ----- memory ------------------------------------------------------------------------------------------------- */

/* Returns how many voxels a cloud of n points may have, padding included. */
static size_t most_voxels(size_t n)
{
    const size_t most = SMALL_VOXELS_LEAST + SMALL_VOXELS_PER_POINT * n;
    return most < SMALL_VOXELS_MOST ? most : SMALL_VOXELS_MOST;
}

static void *take(char *base, size_t *used, size_t bytes)
{
    void *const at = base ? base + *used : NULL;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

/* Places the arrays for n points at `base`; returns the bytes. base may be null. */
static size_t lay_out(clump_small *s, char *base, size_t n)
{
    size_t used = 0;
    const size_t padded = n + CLUMP_WIDE; /* vectors read beyond the last point */
    s->x = take(base, &used, padded * sizeof *s->x);
    s->y = take(base, &used, padded * sizeof *s->y);
    s->z = take(base, &used, padded * sizeof *s->z);
    s->index = take(base, &used, n * sizeof *s->index);
    s->parent = take(base, &used, n * sizeof *s->parent);
    s->key = take(base, &used, n * sizeof *s->key);
    s->rep = take(base, &used, n * sizeof *s->rep);
    s->number = take(base, &used, n * sizeof *s->number);
    s->layer = take(base, &used, n * sizeof *s->layer);
    s->order = take(base, &used, n * sizeof *s->order);
    s->uniform = take(base, &used, n * sizeof *s->uniform);
    s->begin = take(base, &used, most_voxels(n) * sizeof *s->begin);
    return used;
}

clump_status clump_small_reserve(clump_work *work, clump_small *s, size_t points)
{
    CLUMP_ASSERT(points <= CLUMP_SMALL_MOST);
    if (points <= s->capacity) return CLUMP_OK;
    clump_small sizes;
    s->capacity = 0;
    const clump_status status = clump_buffer_reserve(work, &s->memory, lay_out(&sizes, NULL, points));
    if (status != CLUMP_OK) return status;
    memset(s->memory.data, 0, s->memory.bytes); /* padding is read, and its result ignored */
    lay_out(s, s->memory.data, points);
    s->capacity = points;
    return CLUMP_OK;
}

void clump_small_release(clump_work *work, clump_small *s)
{
    clump_buffer_release(work, &s->memory);
    s->capacity = 0;
}

/* ----- voxels ------------------------------------------------------------------------------------------------- */

/* The voxels of the points that take part, while they have no numbers. */
typedef struct small_cells {
    int32_t *cell[3];
    uint32_t *index;
    int32_t lower[3], upper[3];
    size_t voxels; /* of the table */
} small_cells;

/* Finds the points that take part and their voxels; counts the others as noise. */
static uint32_t find_cells(const clump_cloud_job *in, small_cells *c, clump_stats *stats)
{
    const clump_cell_rule rule = clump_voxel_rule_make(in->d);
    int32_t lower[3] = {INT32_MAX, INT32_MAX, INT32_MAX}, upper[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    uint32_t n = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (!clump_admit_point(in, i, stats)) continue;
        const float *const p = clump_point_at(in, i);
        for (int axis = 0; axis < 3; axis++) {
            const int32_t cell = axis == 2 && in->two_d ? 0 : clump_cell(p[axis], rule);
            c->cell[axis][n] = cell;
            lower[axis] = cell < lower[axis] ? cell : lower[axis];
            upper[axis] = cell > upper[axis] ? cell : upper[axis];
        }
        c->index[n++] = (uint32_t)i;
    }
    memcpy(c->lower, lower, sizeof lower);
    memcpy(c->upper, upper, sizeof upper);
    return n;
}

/* Chooses the numbers of voxels for n points: c->lower becomes the voxel of number 0. False: there would be too many. */
static bool choose_numbers(clump_small *s, small_cells *c, uint32_t n, int32_t step[3])
{
    int64_t extent[3];
    for (int axis = 0; axis < 3; axis++) extent[axis] = (int64_t)c->upper[axis] - c->lower[axis] + 2;
    const double padded = (double)extent[0] * (double)extent[1] * ((double)extent[2] + 3);
    if (padded > (double)most_voxels(n) - 8) return false;
    step[0] = 1, step[1] = (int32_t)extent[0], step[2] = (int32_t)(extent[0] * extent[1]);
    const int32_t ahead = step[2] + step[1] + 2;
    c->voxels = (size_t)(step[2] * extent[2] + 2 * ahead);
    for (int k = 0; k < CLUMP_SMALL_ROWS; k++) s->row[k] = (k / 3 - 1) * step[2] + (k % 3 - 1) * step[1] - 1 + ahead;
    return true;
}

/* ----- sort --------------------------------------------------------------------------------------------------- */

/* Returns the entry after that of voxel 0; its own row begins a voxel before it. */
static uint16_t *next_entries(const clump_small *s)
{
    return s->begin + s->row[CLUMP_SMALL_BEFORE] + 2;
}

/* Finds where the points of every voxel v begin: the entry v + 1, before the points are moved. Numbers of voxels are in
 * c->cell[0] then. Returns how many voxels have points. */
static uint32_t count_points(clump_small *s, const small_cells *c, const int32_t step[3])
{
    uint16_t *const begin = s->begin, *const next = next_entries(s);
    memset(begin, 0, c->voxels * sizeof *begin);
    for (uint32_t p = 0; p < s->count; p++) {
        const uint32_t key =
            (uint32_t)((c->cell[0][p] - c->lower[0]) * step[0] + (c->cell[1][p] - c->lower[1]) * step[1] +
                       (c->cell[2][p] - c->lower[2]) * step[2]);
        c->cell[0][p] = (int32_t)key;
        next[key]++;
    }
    uint32_t sum = 0, occupied = 0;
    for (size_t v = 0; v < c->voxels; v++) {
        const uint32_t here = begin[v];
        begin[v] = (uint16_t)sum;
        sum += here;
        occupied += here > 0;
    }
    return occupied;
}

/* Moves the points to their places. At the end every entry is where its own voxel begins. */
static void move_points(clump_small *s, const clump_cloud_job *in, const small_cells *c)
{
    uint16_t *const next = next_entries(s);
    for (uint32_t p = 0; p < s->count; p++) {
        const uint32_t key = (uint32_t)c->cell[0][p], i = c->index[p], to = next[key]++;
        const float *const point = clump_point_at(in, i);
        s->x[to] = point[0], s->y[to] = point[1], s->z[to] = in->two_d ? 0 : point[2];
        s->index[to] = i;
        s->key[to] = key;
        s->parent[to] = to;
    }
}

bool clump_small_build(clump_small *s, const clump_cloud_job *in, bool density, clump_stats *stats)
{
    CLUMP_ASSERT(in->count <= s->capacity);
    if (s->not_tried > 0 && in->count >= SMALL_TINY) return s->not_tried--, false;
    /* the voxels are in arrays that later steps fill */
    small_cells c = {.cell = {s->number, (int32_t *)s->rep, s->layer}, .index = s->order};
    clump_stats counted = *stats;
    s->count = find_cells(in, &c, &counted);
    s->bound = in->bound;
    if (s->count > 0) {
        int32_t step[3];
        if (!choose_numbers(s, &c, s->count, step)) return false;
        const double most = density ? SMALL_DENSE_CORE : SMALL_DENSE;
        if (s->count > most * count_points(s, &c, step) && s->count >= SMALL_TINY)
            return s->not_tried = SMALL_NOT_TRIED, false;
        move_points(s, in, &c);
    }
    *stats = counted;
    return true;
}
