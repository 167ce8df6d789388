/* SPDX-License-Identifier: BSD-3-Clause
 *
 * small.c: a small cloud, sorted by voxel (small.h).
 */
#include "cpu/batch/small.h"

#include "common/radix_sort.h"
#include "common/wide.h"
#include "cpu/shared/points.h"
#include "rules/cell.h"

#include <string.h>

#define SMALL_INSERTION                                                                                                \
    32 /* up to here insertion beats counters: 2048 of them take 0.3 us to clear; not tuned further */
#define SMALL_WIDEST ((int64_t)1 << 50) /* numbers of voxels, with an index beside them, fit into 64 bits */

/* ----- memory ------------------------------------------------------------------------------------------------- */

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
    s->words = take(base, &used, n * sizeof *s->words);
    s->spare = take(base, &used, n * sizeof *s->spare);
    s->keys = take(base, &used, n * sizeof *s->keys);
    s->x = take(base, &used, padded * sizeof *s->x);
    s->y = take(base, &used, padded * sizeof *s->y);
    s->z = take(base, &used, padded * sizeof *s->z);
    s->index = take(base, &used, n * sizeof *s->index);
    s->parent = take(base, &used, n * sizeof *s->parent);
    s->start = take(base, &used, (n + 1) * sizeof *s->start);
    s->rep = take(base, &used, n * sizeof *s->rep);
    s->uniform = take(base, &used, n * sizeof *s->uniform);
    return used;
}

clump_status clump_small_reserve(clump_context *ctx, clump_small *s, size_t points)
{
    CLUMP_ASSERT(points <= CLUMP_SMALL_MOST);
    if (points <= s->capacity) return CLUMP_OK;
    clump_small sizes;
    s->capacity = 0;
    const clump_status status = clump_buffer_reserve(ctx, &s->memory, lay_out(&sizes, NULL, points));
    if (status != CLUMP_OK) return status;
    memset(s->memory.data, 0, s->memory.bytes); /* padding is read, and its result ignored */
    lay_out(s, s->memory.data, points);
    s->capacity = points;
    return CLUMP_OK;
}

void clump_small_release(clump_context *ctx, clump_small *s)
{
    clump_buffer_release(ctx, &s->memory);
    s->capacity = 0;
}

/* ----- voxels ------------------------------------------------------------------------------------------------- */

/* The voxels of the points that take part, while they have no numbers. */
typedef struct small_cells {
    int32_t *cell[3];
    int32_t lower[3], upper[3];
} small_cells;

/* Finds the points that take part and their voxels; counts the others as noise. */
static void find_cells(clump_small *s, const clump_cloud_job *in, small_cells *c, clump_result *result)
{
    const clump_cell_rule rule = clump_voxel_rule_make(in->d);
    for (int axis = 0; axis < 3; axis++) c->lower[axis] = INT32_MAX, c->upper[axis] = INT32_MIN;
    uint32_t n = 0;
    for (size_t i = 0; i < in->count; i++) {
        if (!clump_admit_point(in, i, result)) continue;
        const float *const p = clump_point_at(in, i);
        for (int axis = 0; axis < 3; axis++) {
            const int32_t cell = axis == 2 && in->two_d ? 0 : clump_cell(p[axis], rule);
            c->cell[axis][n] = cell;
            if (cell < c->lower[axis]) c->lower[axis] = cell;
            if (cell > c->upper[axis]) c->upper[axis] = cell;
        }
        s->words[n++] = i;
    }
    s->count = n;
}

/* Chooses the numbers of voxels. A row is one longer than the cloud is wide, and a layer has one row more: no voxel has
 * the number of a neighbour across the end of a row or layer. Returns the largest number plus 1; 0: too wide. */
static int64_t choose_numbers(clump_small *s, const small_cells *c)
{
    int64_t extent[3];
    for (int axis = 0; axis < 3; axis++) extent[axis] = (int64_t)c->upper[axis] - c->lower[axis] + 2;
    if ((double)extent[0] * (double)extent[1] * (double)extent[2] > (double)SMALL_WIDEST) return 0;
    s->width = extent[0];
    s->layer = extent[0] * extent[1];
    return s->layer * extent[2];
}

/* ----- sort --------------------------------------------------------------------------------------------------- */

static void insertion_sort(uint64_t *words, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t word = words[i];
        size_t k = i;
        for (; k > 0 && words[k - 1] > word; k--) words[k] = words[k - 1];
        words[k] = word;
    }
}

static void sort_words(clump_small *s, int64_t numbers)
{
    if (s->count <= SMALL_INSERTION) {
        insertion_sort(s->words, s->count);
        return;
    }
    unsigned bits = 1;
    while (numbers >> bits) bits++;
    uint64_t *const sorted = clump_radix_sort_alone(s->words, s->spare, s->count, CLUMP_SMALL_INDEX_BITS, bits);
    if (sorted == s->words) return;
    s->spare = s->words;
    s->words = sorted;
}

/* Copies the points in their order, and finds where voxels begin. */
static void gather(clump_small *s, const clump_cloud_job *in)
{
    int64_t last = -1;
    uint32_t voxels = 0;
    for (uint32_t p = 0; p < s->count; p++) {
        const int64_t key = (int64_t)(s->words[p] >> CLUMP_SMALL_INDEX_BITS);
        const uint32_t i = (uint32_t)s->words[p] & (CLUMP_SMALL_MOST - 1);
        const float *const point = clump_point_at(in, i);
        s->x[p] = point[0], s->y[p] = point[1], s->z[p] = in->two_d ? 0 : point[2];
        s->index[p] = i;
        s->parent[p] = p;
        if (key == last) continue;
        last = key;
        s->keys[voxels] = key;
        s->start[voxels++] = p;
    }
    s->voxels = voxels;
    s->start[voxels] = s->count;
}

bool clump_small_build(clump_small *s, const clump_cloud_job *in, clump_result *result)
{
    CLUMP_ASSERT(in->count <= s->capacity);
    /* the voxels are in arrays that later steps fill */
    small_cells c = {.cell = {(int32_t *)s->index, (int32_t *)s->parent, (int32_t *)s->rep}};
    clump_result counted = *result;
    find_cells(s, in, &c, &counted);
    s->bound = in->bound;
    s->voxels = 0;
    s->start[0] = 0;
    if (s->count > 0) {
        const int64_t numbers = choose_numbers(s, &c);
        if (numbers == 0) return false;
        for (uint32_t p = 0; p < s->count; p++) {
            const int64_t x = (int64_t)c.cell[0][p] - c.lower[0], y = (int64_t)c.cell[1][p] - c.lower[1];
            const int64_t z = (int64_t)c.cell[2][p] - c.lower[2];
            s->words[p] |= (uint64_t)(z * s->layer + y * s->width + x) << CLUMP_SMALL_INDEX_BITS;
        }
        sort_words(s, numbers);
        gather(s, in);
    }
    *result = counted;
    return true;
}

void clump_small_streams(const clump_small *s, clump_small_stream streams[CLUMP_SMALL_ROWS])
{
    int k = 0;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            streams[k++] = (clump_small_stream){.delta = z * s->layer + y * s->width - 1, .at = 0};
}
