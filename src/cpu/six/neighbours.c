/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.c: see neighbours.h. The grid is made as in Algorithm 7 of the paper, by a sort and a
 * scan. What differs: a voxel is three numbers instead of one, and the sort three stable sorts, so that
 * any extent will do (d = 1 and points at 1e30); the last point always ends a voxel and S[0] is 0, both
 * of which the paper forgets.
 *
 *     sorted by voxel   a a a b b c d d d d
 *     mark              0 0 1 0 1 1 0 0 0 1        the last point of each
 *     scanned           0 0 0 1 1 2 3 3 3 3  4     number of its voxel, and how many there are
 *     V                 a b c d
 *     S                 0 3 5 6 10
 */
#include "cpu/six/neighbours.h"

#include "common/radix_sort.h"
#include "core/context.h"
#include "cpu/shared/need.h"
#include "rules/cell.h"

static int32_t on_axis(clump_voxel v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool same_voxel(clump_voxel a, clump_voxel b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The order of the sort. */
static bool voxel_before(clump_voxel a, clump_voxel b)
{
    if (a.z != b.z) return a.z < b.z;
    if (a.y != b.y) return a.y < b.y;
    return a.x < b.x;
}

/* ----- the grid ----------------------------------------------------------------------------------- */

static clump_status take_memory(clump_context *ctx, clump_neighbours *near, clump_ec_method method)
{
    const size_t n = near->count;
    clump_status status = clump_need(ctx, method, &near->cells, n, sizeof(clump_voxel), "points");
    if (status == CLUMP_OK) status = clump_need(ctx, method, &near->words, n, 2 * sizeof(uint64_t), "points");
    if (status == CLUMP_OK)
        status = clump_need(ctx, method, &near->counters, clump_radix_counters(1), sizeof(size_t), "digits");
    if (status == CLUMP_OK) status = clump_need(ctx, method, &near->marks, n + 1, sizeof(uint32_t), "points");
    if (status == CLUMP_OK)
        status = clump_need(ctx, method, &near->sorted_memory, n, sizeof(clump_search_point), "points");
    return status;
}

/* Steps 1 to 3: the voxel of every point, and the box of voxels around all. */
static void find_voxels(const clump_neighbours *near, float d, clump_voxel *voxel, clump_voxel *lower,
                        clump_voxel *upper)
{
    const clump_cell_rule rule = clump_voxel_rule_make(d);
    for (size_t i = 0; i < near->count; i++) {
        const clump_search_point *const p = &near->points[i];
        voxel[i] = (clump_voxel){clump_cell(p->x, rule), clump_cell(p->y, rule), clump_cell(p->z, rule)};
        if (i == 0) *lower = *upper = voxel[i];
        lower->x = voxel[i].x < lower->x ? voxel[i].x : lower->x;
        lower->y = voxel[i].y < lower->y ? voxel[i].y : lower->y;
        lower->z = voxel[i].z < lower->z ? voxel[i].z : lower->z;
        upper->x = voxel[i].x > upper->x ? voxel[i].x : upper->x;
        upper->y = voxel[i].y > upper->y ? voxel[i].y : upper->y;
        upper->z = voxel[i].z > upper->z ? voxel[i].z : upper->z;
    }
}

/* Steps 4 and 5: the points, as words with their places in the low half, sorted by x, then, stably, by
 * y and by z. Returns the sorted words, null when the call is cancelled. */
static const uint64_t *sort_by_voxel(clump_team *team, clump_neighbours *near, const clump_voxel *voxel,
                                     clump_voxel lower, clump_voxel upper)
{
    const size_t n = near->count;
    uint64_t *word = near->words.data, *spare = word + n;
    for (size_t i = 0; i < n; i++) word[i] = i;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t base = (uint32_t)on_axis(lower, axis), extent = (uint32_t)on_axis(upper, axis) - base;
        unsigned bits = 0;
        while (bits < 32 && extent >> bits) bits++;
        for (size_t i = 0; i < n; i++) {
            const uint32_t pid = (uint32_t)word[i];
            word[i] = (uint64_t)((uint32_t)on_axis(voxel[pid], axis) - base) << 32 | pid;
        }
        uint64_t *const sorted = clump_radix_sort(team, word, spare, n, 32, bits, near->counters.data, 1);
        if (!sorted) return NULL;
        if (sorted != word) spare = word, word = sorted;
    }
    return word;
}

/* Steps 6 to 10: which points end a voxel, and V and S. */
static clump_status list_voxels(clump_context *ctx, clump_neighbours *near, clump_ec_method method,
                                const clump_voxel *voxel, const uint64_t *word)
{
    const size_t n = near->count;
    uint32_t *const mark = near->marks.data;
    for (size_t i = 0; i < n; i++)
        mark[i] = i + 1 == n || !same_voxel(voxel[(uint32_t)word[i]], voxel[(uint32_t)word[i + 1]]);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) { /* exclusive scan */
        const uint32_t here = mark[i];
        mark[i] = sum;
        sum += here;
    }
    mark[n] = sum;

    clump_status status = clump_need(ctx, method, &near->voxel_memory, sum, sizeof(clump_voxel), "voxels");
    if (status == CLUMP_OK)
        status = clump_need(ctx, method, &near->start_memory, (uint64_t)sum + 1, sizeof(uint32_t), "voxels");
    if (status != CLUMP_OK) return status;
    clump_voxel *const v = near->voxel_memory.data;
    uint32_t *const s = near->start_memory.data;
    s[0] = 0;
    for (size_t i = 0; i < n; i++) {
        if (mark[i] == mark[i + 1]) continue;
        v[mark[i]] = voxel[(uint32_t)word[i]];
        s[mark[i] + 1] = (uint32_t)i + 1;
    }
    near->voxels = v;
    near->starts = s;
    near->voxel_count = sum;
    return CLUMP_OK;
}

static clump_status make_grid(clump_context *ctx, clump_neighbours *near, clump_ec_method method, float d)
{
    if (near->count == 0) return CLUMP_OK;
    clump_status status = take_memory(ctx, near, method);
    if (status != CLUMP_OK) return status;
    clump_voxel *const voxel = near->cells.data;
    clump_voxel lower = {0}, upper = {0};
    find_voxels(near, d, voxel, &lower, &upper);
    const uint64_t *const word = sort_by_voxel(ctx->team, near, voxel, lower, upper);
    if (!word) return clump_poll(ctx);
    status = list_voxels(ctx, near, method, voxel, word);
    if (status != CLUMP_OK) return status;

    clump_search_point *const sorted = near->sorted_memory.data; /* a copy, so that a stretch is read in one go */
    for (size_t i = 0; i < near->count; i++) sorted[i] = near->points[(uint32_t)word[i]];
    near->voxel_of = voxel;
    near->sorted = sorted;
    return CLUMP_OK;
}

/* ----- searches ------------------------------------------------------------------------------------ */

/* The first of V that is not before v. */
static size_t voxel_from(const clump_neighbours *near, clump_voxel v)
{
    size_t low = 0, high = near->voxel_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (voxel_before(near->voxels[middle], v))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool next_tile(clump_neighbour_walk *walk)
{
    const clump_neighbours *const near = walk->near;
    const size_t begin = walk->stretch++ * near->tile;
    if (begin >= near->count) return false;
    const size_t left = near->count - begin;
    walk->at = near->points + begin;
    walk->end = walk->at + (left < near->tile ? left : near->tile);
    return true;
}

static bool next_row(clump_neighbour_walk *walk)
{
    const clump_neighbours *const near = walk->near;
    const int row = (int)walk->stretch++;
    if (row == 9) return false;
    clump_voxel v = near->voxel_of[walk->from.id]; /* cells stay far from the ends of int32_t (cell.h) */
    v.y += row % 3 - 1, v.z += row / 3 - 1;
    const clump_voxel first = {v.x - 1, v.y, v.z}, behind = {v.x + 2, v.y, v.z};
    const size_t begin = voxel_from(near, first);
    size_t end = begin; /* at most three on */
    while (end < near->voxel_count && voxel_before(near->voxels[end], behind)) end++;
    walk->at = near->sorted + near->starts[begin];
    walk->end = near->sorted + near->starts[end];
    return true;
}

bool clump_neighbours_stretch(clump_neighbour_walk *walk)
{
    return walk->near->search == CLUMP_SEARCH_RANGE ? next_row(walk) : next_tile(walk);
}

clump_status clump_neighbours_prepare(clump_context *ctx, clump_neighbours *near, clump_ec_method method,
                                      clump_search search, const clump_search_point *points, size_t count, float d,
                                      size_t tile)
{
    near->points = points;
    near->count = count;
    near->bound = clump_distance_bound(d);
    near->search = search;
    near->tile = tile;
    return search == CLUMP_SEARCH_RANGE ? make_grid(ctx, near, method, d) : CLUMP_OK;
}

void clump_neighbours_release(clump_context *ctx, clump_neighbours *near)
{
    clump_buffer *const all[] = {&near->cells,         &near->words,        &near->counters,    &near->marks,
                                 &near->sorted_memory, &near->voxel_memory, &near->start_memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
}
