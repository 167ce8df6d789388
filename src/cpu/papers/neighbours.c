/* SPDX-License-Identifier: BSD-3-Clause
 *
 * neighbours.c: see neighbours.h. The grid is made as in Algorithm 7 of the paper, by a sort and a prefix sum. There are
 * two differences. A voxel is three numbers instead of one, and the sort is three stable sorts, so any extent of the
 * cloud works (d = 1 and points at 1e30). The last point always ends a voxel and S[0] is 0; the paper omits both.
 *
 *     sorted by voxel   a a a b b c d d d d
 *     mark              0 0 1 0 1 1 0 0 0 1        the last point of each voxel
 *     prefix sum        0 0 0 1 1 2 3 3 3 3  4     the number of the voxel; at the end that of all voxels
 *     V                 a b c d
 *     S                 0 3 5 6 10
 */
#include "cpu/papers/neighbours.h"

#include "common/assert.h"
#include "common/sort.h"
#include "core/work.h"
#include "cpu/shared/need.h"
#include "rules/cell.h"

static bool same_voxel(clump_voxel a, clump_voxel b)
{
    return a.at[0] == b.at[0] && a.at[1] == b.at[1] && a.at[2] == b.at[2];
}

/* Whether a comes before b in the order of the sort: by z, then y, then x. */
static bool voxel_before(clump_voxel a, clump_voxel b)
{
    const int axis = a.at[2] != b.at[2] ? 2 : a.at[1] != b.at[1] ? 1 : 0;
    return a.at[axis] < b.at[axis];
}

void clump_six_scan(uint32_t *x, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t here = x[i];
        x[i] = sum;
        sum += here;
    }
    x[n] = sum;
}

/* ----- the grid ----------------------------------------------------------------------------------- */

static clump_status take_memory(clump_work *work, clump_neighbours *search, const char *method)
{
    const size_t n = search->count;
    CLUMP_TRY(clump_need(work, method, &search->cells, n, sizeof(clump_voxel), "points"));
    CLUMP_TRY(clump_need(work, method, &search->words, n, 2 * sizeof(uint64_t), "points"));
    CLUMP_TRY(clump_need(work, method, &search->counters, clump_radix_counters(1), sizeof(size_t), "digits"));
    CLUMP_TRY(clump_need(work, method, &search->marks, n + 1, sizeof(uint32_t), "points"));
    return clump_need(work, method, &search->sorted_memory, n, sizeof(clump_search_point), "points");
}

/* Steps 1 to 3: the voxel of every point, and the box of all voxels. */
static void find_voxels(const clump_neighbours *search, float d, clump_voxel *voxel, clump_voxel *lower,
                        clump_voxel *upper)
{
    const clump_cell_rule rule = clump_voxel_rule_make(d);
    for (size_t i = 0; i < search->count; i++) {
        const clump_search_point *const p = &search->points[i];
        voxel[i] = (clump_voxel){{clump_cell(p->x, rule), clump_cell(p->y, rule), clump_cell(p->z, rule)}};
        if (i == 0) *lower = *upper = voxel[i];
        for (int k = 0; k < 3; k++) {
            if (voxel[i].at[k] < lower->at[k]) lower->at[k] = voxel[i].at[k];
            if (voxel[i].at[k] > upper->at[k]) upper->at[k] = voxel[i].at[k];
        }
    }
}

/* Steps 4 and 5: returns one word per point, with its place in P in the low half, sorted by voxel: by x, then stably by
 * y and by z. Null when the call is cancelled. */
static const uint64_t *sort_by_voxel(clump_team *team, clump_neighbours *search, const clump_voxel *voxel,
                                     clump_voxel lower, clump_voxel upper)
{
    const size_t n = search->count;
    uint64_t *word = search->words.data, *spare = word + n;
    for (size_t i = 0; i < n; i++) word[i] = i;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t base = (uint32_t)lower.at[axis], extent = (uint32_t)upper.at[axis] - base;
        unsigned bits = 0;
        while (bits < 32 && extent >> bits) bits++;
        for (size_t i = 0; i < n; i++) {
            const uint32_t pid = (uint32_t)word[i];
            word[i] = (uint64_t)((uint32_t)voxel[pid].at[axis] - base) << 32 | pid;
        }
        uint64_t *const sorted = clump_radix_sort(team, word, spare, n, 32, bits, search->counters.data, 1);
        if (!sorted) return NULL;
        if (sorted != word) spare = word, word = sorted;
    }
    return word;
}

/* Steps 6 to 10: marks the last point of every voxel, and makes V and S. */
static clump_status list_voxels(clump_work *work, clump_neighbours *search, const char *method,
                                const clump_voxel *voxel, const uint64_t *word)
{
    const size_t n = search->count;
    uint32_t *const mark = search->marks.data;
    for (size_t i = 0; i < n; i++)
        mark[i] = i + 1 == n || !same_voxel(voxel[(uint32_t)word[i]], voxel[(uint32_t)word[i + 1]]);
    clump_six_scan(mark, n);

    const size_t count = mark[n];
    CLUMP_TRY(clump_need(work, method, &search->voxel_memory, count, sizeof(clump_voxel), "voxels"));
    CLUMP_TRY(clump_need(work, method, &search->start_memory, count + 1, sizeof(uint32_t), "voxels"));
    clump_voxel *const v = search->voxel_memory.data;
    uint32_t *const s = search->start_memory.data;
    s[0] = 0;
    for (size_t i = 0; i < n; i++) {
        if (mark[i] == mark[i + 1]) continue;
        v[mark[i]] = voxel[(uint32_t)word[i]];
        s[mark[i] + 1] = (uint32_t)i + 1;
    }
    search->voxels = v;
    search->starts = s;
    search->voxel_count = count;
    return CLUMP_OK;
}

/* All steps of Algorithm 7. */
static clump_status make_grid(clump_work *work, clump_neighbours *search, const char *method, float d)
{
    if (search->count == 0) return CLUMP_OK;
    CLUMP_TRY(take_memory(work, search, method));
    clump_voxel *const voxel = search->cells.data;
    clump_voxel lower = {{0}}, upper = {{0}};
    find_voxels(search, d, voxel, &lower, &upper);
    const uint64_t *const word = sort_by_voxel(work->team, search, voxel, lower, upper);
    if (!word) return clump_poll(work);
    CLUMP_TRY(list_voxels(work, search, method, voxel, word));

    clump_search_point *const sorted =
        search->sorted_memory.data; /* a copy: a stretch is read from contiguous memory */
    for (size_t i = 0; i < search->count; i++) sorted[i] = search->points[(uint32_t)word[i]];
    search->voxel_of = voxel;
    search->sorted = sorted;
    return CLUMP_OK;
}

/* ----- searches ------------------------------------------------------------------------------------ */

/* The first entry of V that is not before v: binary search. */
static size_t voxel_from(const clump_neighbours *search, clump_voxel v)
{
    size_t low = 0, high = search->voxel_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (voxel_before(search->voxels[middle], v))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Exhaustive search: the next `tile` points. */
static bool next_tile(clump_neighbour_walk *walk)
{
    const clump_neighbours *const search = walk->search;
    const size_t begin = walk->stretch++ * search->tile;
    if (begin >= search->count) return false;
    const size_t left = search->count - begin;
    walk->at = search->points + begin;
    walk->end = walk->at + (left < search->tile ? left : search->tile);
    return true;
}

/* Range search: the next row of three voxels. */
static bool next_row(clump_neighbour_walk *walk)
{
    const clump_neighbours *const search = walk->search;
    const int row = (int)walk->stretch++;
    if (row == 9) return false;
    clump_voxel v = search->voxel_of[walk->from.id]; /* cells stay far from the ends of int32_t (cell.h) */
    v.at[1] += row % 3 - 1, v.at[2] += row / 3 - 1;
    const clump_voxel first = {{v.at[0] - 1, v.at[1], v.at[2]}}, behind = {{v.at[0] + 2, v.at[1], v.at[2]}};
    const size_t begin = voxel_from(search, first);
    size_t end = begin; /* at most begin + 3 */
    while (end < search->voxel_count && voxel_before(search->voxels[end], behind)) end++;
    walk->at = search->sorted + search->starts[begin];
    walk->end = search->sorted + search->starts[end];
    return true;
}

bool clump_neighbours_stretch(clump_neighbour_walk *walk)
{
    return walk->search->kind == CLUMP_SEARCH_RANGE ? next_row(walk) : next_tile(walk);
}

clump_status clump_neighbours_prepare(clump_work *work, clump_neighbours *search, const char *method,
                                      clump_search_kind kind, const clump_search_point *points, size_t count, float d,
                                      size_t tile)
{
    CLUMP_ASSERT(tile >= 1 && count <= INT32_MAX);
    search->points = points;
    search->count = count;
    search->bound = clump_distance_bound(d);
    search->kind = kind;
    search->tile = tile;
    return kind == CLUMP_SEARCH_RANGE ? make_grid(work, search, method, d) : CLUMP_OK;
}

void clump_neighbours_release(clump_work *work, clump_neighbours *search)
{
    clump_buffer *const all[] = {&search->cells,         &search->words,        &search->counters,    &search->marks,
                                 &search->sorted_memory, &search->voxel_memory, &search->start_memory};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
}
