/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pieces_plan.c: see pieces_plan.h.
 */
#include "joint/pieces_plan.h"

#include "common/assert.h"
#include "common/sort.h"
#include "common/tile_plan.h"

#include <math.h>
#include <string.h>

#define PLAN_SAMPLES 65536 /* points of the sample; about 60 per cell with 64 tiles */
#define PLAN_RUN     16    /* consecutive points per place of the sample: a place costs a page fault or a cache miss */
#define PLAN_SORTED  4096  /* of these, for the box of the grid */
#define PLAN_OUTLIER 512   /* one point in this many, at either side, may be outside of the box */
#define PLAN_SHARE   16    /* a cell has at most this part of a tile, by the sample: tiles are at least 15/16 full */
#define PLAN_FEWEST  16    /* points of the sample below which the whole cloud is looked at */

void clump_pieces_plan_trim(clump_work *work, clump_pieces_plan *plan)
{
    clump_buffer_release(work, &plan->sample);
    clump_buffer_release(work, &plan->table);
    clump_buffer_release(work, &plan->lists);
}

/* ----- the sample ------------------------------------------------------------------------------------- */

typedef struct plan_voxel {
    int32_t at[3];
} plan_voxel;

/* Adds the points first ... first + n - 1 that take part to the sample, while there is room. */
static void add_points(clump_pieces_plan *plan, const clump_cloud_job *job, size_t first, size_t n)
{
    plan_voxel *const sample = plan->sample.data;
    for (size_t i = first; i < first + n && plan->sampled < PLAN_SAMPLES; i++) {
        const float *const p = (const float *)(const void *)(job->points + i * job->stride);
        if ((job->mask && !job->mask[i]) || !isfinite(p[0]) || !isfinite(p[1]) || (!job->two_d && !isfinite(p[2])))
            continue;
        plan_voxel *const v = &sample[plan->sampled++];
        for (int k = 0; k < 3; k++) v->at[k] = k == 2 && job->two_d ? 0 : clump_cell(p[k], plan->grid.voxels);
    }
}

clump_status clump_pieces_sample(clump_work *work, clump_pieces_plan *plan, const clump_cloud_job *job,
                                 size_t min_points)
{
    const size_t count = job->count, runs = PLAN_SAMPLES / PLAN_RUN;
    CLUMP_TRY(clump_buffer_reserve(work, &plan->sample, PLAN_SAMPLES * sizeof(plan_voxel)));
    plan->grid = (clump_pieces_grid){.voxels = clump_voxel_rule_make(job->d), .two_d = job->two_d};
    plan->grid.tiling.reach = min_points > 1 ? 2 : 1;
    plan->one_sided = min_points <= 1;
    plan->sampled = 0;
    if (count > PLAN_SAMPLES)
        for (size_t r = 0; r < runs; r++) add_points(plan, job, (count - PLAN_RUN) / runs * r, PLAN_RUN);
    if (plan->sampled >= PLAN_FEWEST) return CLUMP_OK;
    plan->sampled = 0;
    for (size_t first = 0; first < count && plan->sampled < PLAN_SAMPLES; first += CLUMP_CHUNK) {
        CLUMP_TRY(clump_poll(work));
        add_points(plan, job, first, count - first < CLUMP_CHUNK ? count - first : CLUMP_CHUNK);
    }
    return CLUMP_OK;
}

/* ----- the grid --------------------------------------------------------------------------------------- */

/* Finds the box of the sample along an axis, without outliers. */
static void find_box(const clump_pieces_plan *plan, int axis, int32_t *low, int32_t *high)
{
    uint64_t sorted[PLAN_SORTED];
    const plan_voxel *const sample = plan->sample.data;
    const size_t n = plan->sampled < PLAN_SORTED ? plan->sampled : PLAN_SORTED;
    *low = *high = 0;
    if (n == 0) return;
    for (size_t k = 0; k < n; k++) {
        const int32_t at = sample[(uint64_t)k * plan->sampled / n].at[axis];
        sorted[k] = (uint64_t)((int64_t)at - INT32_MIN);
    }
    clump_heap_make(sorted, n);
    for (size_t left = n; left > 1; left--) sorted[left - 1] = clump_heap_pop(sorted, left);
    *low = (int32_t)((int64_t)sorted[n / PLAN_OUTLIER] + INT32_MIN);
    *high = (int32_t)((int64_t)sorted[n - 1 - n / PLAN_OUTLIER] + INT32_MIN);
}

/* Places the grid with cells of 2^shift voxels over the box; returns the number of its cells. */
static double place_grid(clump_tiling *t, const int32_t low[3], const int32_t high[3], int shift)
{
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        t->shift[k] = shift;
        t->first[k] = (int64_t)low[k] >> shift;
        t->size[k] = ((int64_t)high[k] >> shift) - t->first[k] + 1;
        cells *= (double)t->size[k];
    }
    return cells;
}

/* Returns the points of the sample in the fullest cell. */
static size_t find_fullest(const clump_pieces_plan *plan, const clump_tiling *t, uint32_t *loads, size_t cells)
{
    const plan_voxel *const sample = plan->sample.data;
    size_t fullest = 0;
    memset(loads, 0, cells * sizeof *loads);
    for (size_t k = 0; k < plan->sampled; k++) {
        const int64_t x = clump_tile_entry(t, 0, sample[k].at[0]), y = clump_tile_entry(t, 1, sample[k].at[1]),
                      z = clump_tile_entry(t, 2, sample[k].at[2]);
        const size_t load = ++loads[(z * t->size[1] + y) * t->size[0] + x];
        fullest = load > fullest ? load : fullest;
    }
    return fullest;
}

/* Chooses the largest cells that hold no more than their share of a tile. */
static void choose_shift(clump_pieces_plan *plan, uint32_t *loads, double allowed, size_t most_cells, int finer,
                         bool *finest)
{
    clump_tiling *const t = &plan->grid.tiling;
    int32_t low[3], high[3];
    for (int k = 0; k < 3; k++) find_box(plan, k, &low[k], &high[k]);
    int shift = 32;
    for (bool enough = false; shift > t->reach; shift--) {
        (void)place_grid(t, low, high, shift);
        enough =
            enough || (double)find_fullest(plan, t, loads, (size_t)(t->size[0] * t->size[1] * t->size[2])) <= allowed;
        if (enough && finer-- <= 0) break;
        clump_tiling next = *t;
        if (place_grid(&next, low, high, shift - 1) > (double)most_cells) break;
    }
    clump_tiling next = *t;
    const double cells = place_grid(t, low, high, shift);
    *finest = shift <= t->reach || place_grid(&next, low, high, shift - 1) > (double)most_cells;
    CLUMP_ASSERT(cells <= (double)most_cells);
    plan->cells = (uint32_t)cells;
}

clump_status clump_pieces_grid_make(clump_work *work, clump_pieces_plan *plan, const clump_cloud_job *job, size_t most,
                                    size_t most_cells, int finer, bool *finest)
{
    CLUMP_ASSERT(most_cells >= 8 && most_cells <= UINT32_MAX / 4);
    CLUMP_TRY(clump_buffer_reserve(work, &plan->table, most_cells * sizeof(uint32_t)));
    uint32_t *const ranks = plan->table.data;
    const double share = (double)most / PLAN_SHARE / (double)(job->count > 0 ? job->count : 1);
    choose_shift(plan, ranks, share * (double)plan->sampled, most_cells, finer, finest);
    const size_t cells = plan->cells;
    CLUMP_TRY(clump_buffer_reserve(work, &plan->lists,
                                   cells * (3 * sizeof(uint64_t) + 2 * sizeof(uint32_t)) + sizeof(uint32_t)));
    plan->edges = plan->lists.data;
    plan->loads = plan->edges + cells;
    plan->stamps = plan->loads + cells;
    plan->entries = (uint32_t *)(plan->stamps + cells);
    plan->begins = plan->entries + cells;
    for (size_t c = 0; c < cells; c++) plan->loads[c] = 1;
    const uint32_t ranked = clump_tile_plan(plan->grid.tiling.size, plan->loads, 1, ranks, NULL);
    CLUMP_ASSERT(ranked == cells);
    (void)ranked;
    for (size_t c = 0; c < cells; c++) plan->entries[ranks[c]] = (uint32_t)c;
    memset(plan->edges, 0, 3 * cells * sizeof *plan->edges);
    plan->stamp = 0;
    plan->grid.tiling.tiles = ranks;
    return CLUMP_OK;
}

/* ----- tiles -------------------------------------------------------------------------------------------- */

/* Visits the cells around those with the ranks begin ... end - 1 that may have points in their rim; returns the number of
 * these points. Writes the ranks where `ranks` is not null. */
static uint64_t visit_around(clump_pieces_plan *plan, uint32_t begin, uint32_t end, uint32_t *ranks, size_t *count)
{
    const clump_tiling *const t = &plan->grid.tiling;
    const uint64_t stamp = ++plan->stamp;
    uint64_t points = 0;
    for (uint32_t rank = begin; rank < end; rank++) {
        if (plan->loads[rank] == 0) continue;
        const int64_t entry = plan->entries[rank];
        const int64_t at[3] = {entry % t->size[0], entry / t->size[0] % t->size[1], entry / t->size[0] / t->size[1]};
        for (int around = 0; around < 27; around++) {
            const int64_t x = at[0] + around % 3 - 1, y = at[1] + around / 3 % 3 - 1, z = at[2] + around / 9 - 1;
            if (x < 0 || y < 0 || z < 0 || x >= t->size[0] || y >= t->size[1] || z >= t->size[2]) continue;
            const uint32_t other = clump_tile_at(t, x, y, z);
            const bool inside = other >= begin && other < end, later = plan->one_sided && other >= end;
            if (inside || later || plan->stamps[other] == stamp || plan->edges[other] == 0) continue;
            plan->stamps[other] = stamp;
            points += plan->edges[other];
            if (ranks) ranks[(*count)++] = other;
        }
    }
    return points;
}

/* Returns the end of the cells from `begin` on that have at most `most` points, at least one cell; *load: their points. */
static uint32_t take_cells(const clump_pieces_plan *plan, uint32_t begin, uint64_t most, uint64_t *load)
{
    uint32_t end = begin;
    for (*load = 0; end < plan->cells && (end == begin || *load + plan->loads[end] <= most); end++)
        *load += plan->loads[end];
    return end;
}

/* Returns the points of the fullest cell with its rim. */
static uint64_t find_fullest_piece(clump_pieces_plan *plan)
{
    uint64_t fullest = 0;
    for (uint32_t c = 0; c < plan->cells; c++) {
        if (plan->loads[c] == 0) continue;
        const uint64_t points = plan->loads[c] + visit_around(plan, c, c + 1, NULL, NULL);
        fullest = points > fullest ? points : fullest;
    }
    return fullest;
}

bool clump_pieces_cut(clump_pieces_plan *plan, uint64_t most, uint64_t *fullest)
{
    plan->tiles = 0;
    for (uint32_t begin = 0; begin < plan->cells;) {
        while (begin + 1 < plan->cells && plan->loads[begin] == 0) begin++; /* no tile of empty cells alone */
        if (plan->loads[begin] == 0 && plan->tiles > 0) break;
        uint64_t load, wanted = most, rim;
        uint32_t end = take_cells(plan, begin, wanted, &load);
        while ((rim = visit_around(plan, begin, end, NULL, NULL)) + load > most) {
            if (end == begin + 1) {
                *fullest = find_fullest_piece(plan);
                return false;
            }
            const uint64_t excess = load + rim - most; /* fewer cells have a smaller rim too, mostly */
            wanted = excess < load / 2 ? load - excess : load / 2;
            const uint32_t shorter = take_cells(plan, begin, wanted, &load);
            end = shorter < end ? shorter : end - 1;
            load = 0;
            for (uint32_t c = begin; c < end; c++) load += plan->loads[c];
        }
        plan->begins[plan->tiles++] = begin;
        begin = end;
    }
    plan->begins[0] = 0;
    plan->begins[plan->tiles] = plan->cells;
    return true;
}

size_t clump_pieces_around(clump_pieces_plan *plan, uint32_t tile, uint32_t *ranks)
{
    CLUMP_ASSERT(tile < plan->tiles);
    size_t count = 0;
    (void)visit_around(plan, plan->begins[tile], plan->begins[tile + 1], ranks, &count);
    return count;
}
