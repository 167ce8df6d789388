/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_grid.c: sorts points with a radius of their own into cells (ranged.h). The first pass over the cloud counts the
 * points of the grid, the second finds their blocks. Then the points are laid out cell by cell.
 */
#include "cpu/ranged/ranged.h"

#include "core/work.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/reach.h"

#include <string.h>

#define RANGED_NO_BLOCK UINT32_MAX
#define RANGED_POLLED   65536 /* points between two polls of a loop that does little per point */

/* ----- points of the grid ----------------------------------------------------------------------------- */

size_t clump_ranged_growth(const clump_ranged *g, const clump_cloud_job *job, size_t base, float *grown)
{
    float x[CLUMP_RANGED_BATCH], y[CLUMP_RANGED_BATCH], z[CLUMP_RANGED_BATCH];
    const clump_radius_rule rule = g->rule;
    const size_t m = job->count - base < CLUMP_RANGED_BATCH ? job->count - base : CLUMP_RANGED_BATCH;
    for (size_t j = 0; j < m; j++) {
        const float *const f = clump_point_at(job, base + j);
        x[j] = f[0], y[j] = f[1], z[j] = f[2];
    }
    if (job->two_d) memset(z, 0, sizeof z);
    for (size_t j = 0; j < m; j++) grown[j] = clump_radius_grown(rule, x[j], y[j], z[j]);
    return m;
}

/* An upper bound of the number of points in the grid: points that take no part are counted too. */
static size_t count_grown(const clump_ranged *g, const clump_cloud_job *job)
{
    float grown[CLUMP_RANGED_BATCH];
    size_t count = 0;
    for (size_t base = 0; base < job->count; base += CLUMP_RANGED_BATCH) {
        const size_t m = clump_ranged_growth(g, job, base, grown);
        uint32_t below = 0;
        for (size_t j = 0; j < m; j++) below += grown[j] < g->grown_from;
        count += m - below;
    }
    return count;
}

static void make_rule(clump_ranged *g, const clump_cloud_job *job, bool their_neighbours)
{
    g->rule = clump_radius_rule_make(job->d, job->per_metre, job->sensor, job->two_d);
    g->two_d = job->two_d;
    g->bound = job->bound;
    g->strict = job->bound == clump_distance_bound(job->d);
    g->grown_from = their_neighbours ? clump_radius_grown_beside(g->rule) : nextafterf(job->d, INFINITY);
}

/* ----- blocks ------------------------------------------------------------------------------------------ */

static inline uint32_t slot_of(const clump_ranged *g, uint32_t level, int32_t x, int32_t y, int32_t z)
{
    return clump_hash_slot(clump_hash(g->key, x, y, z, level), g->slots);
}

/* The block at these coordinates, or RANGED_NO_BLOCK. *at becomes its slot, or the free slot for it. */
static inline uint32_t find_block(const clump_ranged *g, uint32_t level, int32_t x, int32_t y, int32_t z, uint32_t *at)
{
    uint32_t s = slot_of(g, level, x, y, z);
    for (;;) {
        const uint32_t id = g->slot[s];
        *at = s;
        if (id == RANGED_NO_BLOCK) return id;
        const clump_ranged_block *const k = &g->block[id];
        if (k->x == x && k->y == y && k->z == z && k->level == level) return id;
        if (++s == g->slots) s = 0;
    }
}

/* Reserves memory for `budget` blocks. Existing blocks are kept and get new slots. */
static clump_status make_room(clump_work *work, clump_ranged *g, size_t budget)
{
    const size_t slots = 2 * budget + 1;
    CLUMP_ASSERT(budget >= 1 && budget >= g->blocks);
    CLUMP_TRY(clump_buffer_grow(work, g->all_blocks, budget * sizeof *g->block, g->blocks * sizeof *g->block));
    CLUMP_TRY(clump_buffer_reserve(work, g->table, slots * sizeof *g->slot));
    g->key = work->hash_key;
    g->block = g->all_blocks->data;
    g->slot = g->table->data;
    g->slots = (uint32_t)(slots < UINT32_MAX ? slots : UINT32_MAX);
    g->budget = budget;
    memset(g->slot, 0xff, (size_t)g->slots * sizeof *g->slot);
    for (uint32_t id = 0, at; id < g->blocks; id++) {
        const clump_ranged_block *const k = &g->block[id];
        find_block(g, k->level, k->x, k->y, k->z, &at);
        g->slot[at] = id;
    }
    return CLUMP_OK;
}

/* A level, with its grid set up on first use. */
static clump_ranged_level *open_level(clump_ranged *g, uint32_t number)
{
    CLUMP_ASSERT(number < CLUMP_RANGED_LEVELS);
    clump_ranged_level *const level = &g->level[number];
    if (!level->used) {
        *level = (clump_ranged_level){.used = true,
                                      .rule = clump_cell_rule_make(ldexpf(g->rule.eps, (int)number), g->two_d),
                                      .low = {INT32_MAX, INT32_MAX, INT32_MAX},
                                      .high = {INT32_MIN, INT32_MIN, INT32_MIN}};
        if (g->levels <= number) g->levels = number + 1;
    }
    return level;
}

static void widen_level(clump_ranged_level *level, int axis, int32_t block)
{
    if (block < level->low[axis]) level->low[axis] = block;
    if (block > level->high[axis]) level->high[axis] = block;
}

/* Finds the block of a point, or creates it, and its cell in the block. */
static clump_status place_point(clump_work *work, clump_ranged *g, const float *f, float radius, uint32_t *owner,
                                uint8_t *sub)
{
    const uint32_t level = clump_radius_level(g->rule.eps, radius);
    clump_ranged_level *const grid = open_level(g, level);
    const clump_cell_rule rule = grid->rule;
    const int32_t x = clump_cell(f[0], rule), y = clump_cell(f[1], rule), z = g->two_d ? 0 : clump_cell(f[2], rule);
    uint32_t at, id = find_block(g, level, x >> 2, y >> 2, z >> 2, &at);
    if (id == RANGED_NO_BLOCK) {
        if (g->blocks == g->budget) {
            CLUMP_TRY(make_room(work, g, 2 * g->budget < g->count ? 2 * g->budget : g->count));
            find_block(g, level, x >> 2, y >> 2, z >> 2, &at);
        }
        g->slot[at] = id = g->blocks++;
        g->block[id] = (clump_ranged_block){.x = x >> 2, .y = y >> 2, .z = z >> 2, .level = level};
        widen_level(grid, 0, x >> 2), widen_level(grid, 1, y >> 2), widen_level(grid, 2, z >> 2);
    }
    *sub = (uint8_t)((x & 3) | (y & 3) << 2 | (z & 3) << 4);
    *owner = id;
    g->block[id].cells |= (uint64_t)1 << *sub;
    return CLUMP_OK;
}

/* ----- all of it --------------------------------------------------------------------------------------- */

/* Finds the block and cell of every point of the grid, in the order of the cloud. */
static clump_status place_all(clump_work *work, clump_ranged *g, const clump_cloud_job *job, uint32_t *picked,
                              uint32_t *owner, uint8_t *sub)
{
    float grown[CLUMP_RANGED_BATCH];
    size_t n = 0;
    for (size_t base = 0; base < job->count; base += CLUMP_RANGED_BATCH) {
        CLUMP_TRY(clump_poll(work));
        const size_t m = clump_ranged_growth(g, job, base, grown);
        for (size_t j = 0; j < m; j++) {
            if (grown[j] < g->grown_from || !clump_takes_part(job, base + j)) continue;
            const float radius = clump_radius(g->rule.eps, grown[j]);
            CLUMP_TRY(place_point(work, g, clump_point_at(job, base + j), radius, &owner[n], &sub[n]));
            picked[n++] = (uint32_t)(base + j);
        }
    }
    g->count = n;
    return CLUMP_OK;
}

/* Numbers the cells block by block, and copies the points cell by cell. */
static clump_status lay_out(clump_work *work, clump_ranged *g, const clump_cloud_job *job, const uint32_t *picked,
                            uint32_t *owner, const uint8_t *sub)
{
    g->cells = 0;
    for (uint32_t id = 0; id < g->blocks; id++) {
        g->block[id].first = g->cells;
        g->cells += clump_popcount(g->block[id].cells);
    }
    CLUMP_TRY(clump_buffer_reserve(work, &g->all_cells, ((size_t)g->cells + 1) * sizeof *g->cell));
    g->cell = g->all_cells.data;
    for (uint32_t c = 0; c <= g->cells; c++) g->cell[c] = (clump_ranged_cell){.begin = 0, .tree = CLUMP_RANGED_NO_TREE};
    for (size_t k = 0; k < g->count; k++) {
        if (k % RANGED_POLLED == 0) CLUMP_TRY(clump_poll(work));
        const clump_ranged_block *const b = &g->block[owner[k]];
        owner[k] = b->first + clump_popcount(b->cells & (((uint64_t)1 << sub[k]) - 1)); /* its cell from here on */
        g->cell[owner[k]].begin++;
    }
    uint32_t end = 0;
    for (uint32_t c = 0; c <= g->cells; c++) g->cell[c].begin = end += g->cell[c].begin; /* ends, lowered below */
    for (size_t k = g->count; k-- > 0;) {
        if (k % RANGED_POLLED == 0) CLUMP_TRY(clump_poll(work));
        const uint32_t at = --g->cell[owner[k]].begin;
        g->point[at] = clump_ranged_point(g, clump_point_at(job, picked[k]));
        g->index[at] = picked[k];
    }
    memset(g->point + g->count, 0, 3 * sizeof *g->point);
    return CLUMP_OK;
}

clump_point clump_ranged_point(const clump_ranged *g, const float *f)
{
    clump_point p = {f[0], f[1], g->two_d ? 0 : f[2], 0};
    const float r = clump_radius(g->rule.eps, clump_radius_grown(g->rule, p.x, p.y, p.z));
    float bound = clump_distance_bound(r);
    if (!g->strict) bound = nextafterf(bound, INFINITY); /* d2 below the next float is at most the square */
    memcpy(&p.more, &bound, sizeof bound);
    return p;
}

/* While points are placed, the scratch memory holds three numbers per point: its index in the cloud, its block, and its
 * cell in the block. Afterwards it holds the nodes of the trees. */
clump_status clump_ranged_build(clump_work *work, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                bool their_neighbours)
{
    g->points = &fast->blocks.reps;
    g->all_blocks = &fast->blocks.blocks;
    g->table = &fast->blocks.table;
    make_rule(g, job, their_neighbours);
    g->search = (clump_ranged_search){.team = work->team};
    g->count = count_grown(g, job);
    g->blocks = g->cells = g->nodes = g->levels = 0;
    if (g->count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(work, &g->all_levels, CLUMP_RANGED_LEVELS * sizeof *g->level));
    g->level = g->all_levels.data;
    for (int k = 0; k < CLUMP_RANGED_LEVELS; k++) g->level[k].used = false;
    const size_t n = g->count, placing = n * (2 * sizeof(uint32_t) + 1),
                 nodes = CLUMP_RANGED_NODES(n) * sizeof *g->node;
    CLUMP_TRY(clump_buffer_reserve(work, g->points, (n + 3) * sizeof *g->point));
    CLUMP_TRY(clump_buffer_reserve(work, &g->indices, n * sizeof *g->index));
    CLUMP_TRY(clump_buffer_reserve(work, &g->scratch, placing > nodes ? placing : nodes));
    CLUMP_TRY(make_room(work, g, n / 16 + 64 < n ? n / 16 + 64 : n)); /* doubled when blocks hold fewer points */
    g->point = g->points->data;
    g->index = g->indices.data;
    g->node = g->scratch.data;
    uint32_t *const picked = g->scratch.data, *const owner = picked + n;
    uint8_t *const sub = (uint8_t *)(owner + n);
    CLUMP_TRY(place_all(work, g, job, picked, owner, sub));
    return lay_out(work, g, job, picked, owner, sub);
}

void clump_ranged_release(clump_work *work, clump_ranged *g)
{
    clump_buffer *const all[] = {&g->indices, &g->scratch,  &g->all_cells,   &g->all_levels,
                                 &g->parents, &g->searches, &g->level_labels};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
    clump_shells_release(work, &g->shells);
}

/* ----- windows ----------------------------------------------------------------------------------------- */

/* The window holds every point within reach: a cell is a monotone function of a coordinate (rules/cell.h), and rounding
 * is monotone, so a float of at least lower - reach is at least the rounded lower - reach. */
clump_ranged_walk clump_ranged_around(const clump_ranged *g, uint32_t level, const float *lower, const float *upper,
                                      float reach)
{
    CLUMP_ASSERT(level < g->levels && g->level[level].used);
    const clump_ranged_level *const grid = &g->level[level];
    clump_ranged_walk w = {.g = g, .level = level};
    for (int k = 0; k < (g->two_d ? 2 : 3); k++) {
        w.low[k] = clump_cell(lower[k] - reach, grid->rule);
        w.high[k] = clump_cell(upper[k] + reach, grid->rule);
    }
    bool empty = false;
    for (int k = 0; k < 3; k++) {
        const int32_t first = w.low[k] >> 2, last = w.high[k] >> 2;
        w.at[k] = w.from[k] = first > grid->low[k] ? first : grid->low[k];
        w.to[k] = last < grid->high[k] ? last : grid->high[k];
        empty = empty || w.from[k] > w.to[k];
    }
    if (empty) w.at[2] = w.to[2] + 1;
    return w;
}

/* The four cells of the block at w->at along axis k: one bit for each that is in the window. */
static inline unsigned window_bits(const clump_ranged_walk *w, int k)
{
    const int32_t first = w->low[k] - 4 * w->at[k], last = w->high[k] - 4 * w->at[k];
    return (15u << (first > 0 ? first : 0)) & (15u >> (last < 3 ? 3 - last : 0));
}

static const uint64_t spread_x[16] = {
#define ROW(F) F(0), F(1), F(2), F(3), F(4), F(5), F(6), F(7), F(8), F(9), F(10), F(11), F(12), F(13), F(14), F(15)
    ROW(CLUMP_SPREAD_X)};
static const uint64_t spread_y[16] = {ROW(CLUMP_SPREAD_Y)};
static const uint64_t spread_z[16] = {ROW(CLUMP_SPREAD_Z)};

bool clump_ranged_next_block(clump_ranged_walk *w)
{
    const clump_ranged *const g = w->g;
    w->left = 0;
    while (!w->left && w->at[2] <= w->to[2]) {
        uint32_t at;
        const uint32_t id = find_block(g, w->level, w->at[0], w->at[1], w->at[2], &at);
        if (id != RANGED_NO_BLOCK) {
            w->block = &g->block[id];
            w->left = w->block->cells & spread_x[window_bits(w, 0)] & spread_y[window_bits(w, 1)] &
                      spread_z[window_bits(w, 2)];
        }
        for (int k = 0; k < 3; k++) { /* the next block: along x, then y, then z */
            if (++w->at[k] <= w->to[k] || k == 2) break;
            w->at[k] = w->from[k];
        }
    }
    return w->left != 0;
}
