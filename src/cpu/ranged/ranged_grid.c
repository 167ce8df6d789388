/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranged_grid.c: points with a radius of their own into cells (ranged.h). The cloud is gone through twice: how many
 * points are here, and then which and where. After that they are laid out cell by cell.
 */
#include "cpu/ranged/ranged.h"

#include "core/context.h"
#include "cpu/grid/blocks.h"
#include "cpu/grid/reach.h"

#include <math.h>
#include <string.h>

#define NO_BLOCK UINT32_MAX
#define POLLED   65536 /* points between two polls */

/* ----- who is here ------------------------------------------------------------------------------------ */

size_t clump_ranged_grow(const clump_ranged *g, const clump_cloud_job *job, size_t base, float *grown)
{
    float x[CLUMP_RANGED_BATCH], y[CLUMP_RANGED_BATCH], z[CLUMP_RANGED_BATCH];
    const clump_radius_rule rule = g->rule;
    const char *const p = job->points + base * job->stride;
    const size_t m = job->count - base < CLUMP_RANGED_BATCH ? job->count - base : CLUMP_RANGED_BATCH;
    for (size_t j = 0; j < m; j++) {
        const float *const f = (const float *)(const void *)(p + j * job->stride);
        x[j] = f[0], y[j] = f[1], z[j] = f[2];
    }
    if (job->two_d) memset(z, 0, sizeof z);
    for (size_t j = 0; j < m; j++) grown[j] = clump_radius_grown(rule, x[j], y[j], z[j]);
    return m;
}

/* How many points are here at most. Points that take no part are still counted. */
static size_t survey(const clump_ranged *g, const clump_cloud_job *job)
{
    float grown[CLUMP_RANGED_BATCH];
    size_t here = 0;
    for (size_t base = 0; base < job->count; base += CLUMP_RANGED_BATCH) {
        const size_t m = clump_ranged_grow(g, job, base, grown);
        uint32_t below = 0;
        for (size_t j = 0; j < m; j++) below += grown[j] < g->grown_from;
        here += m - below;
    }
    return here;
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

/* The block there, or NO_BLOCK and the slot it would have. */
static inline uint32_t find_block(const clump_ranged *g, uint32_t level, int32_t x, int32_t y, int32_t z, uint32_t *at)
{
    uint32_t s = slot_of(g, level, x, y, z);
    for (;;) {
        const uint32_t id = g->slot[s];
        *at = s;
        if (id == NO_BLOCK) return id;
        const clump_ranged_block *const k = &g->block[id];
        if (k->x == x && k->y == y && k->z == z && k->level == level) return id;
        if (++s == g->slots) s = 0;
    }
}

/* Room for so many blocks; those there are are kept. */
static clump_status make_room(clump_context *ctx, clump_ranged *g, size_t budget)
{
    const size_t slots = 2 * budget + 1;
    clump_status status =
        clump_buffer_grow(ctx, g->all_blocks, budget * sizeof *g->block, g->blocks * sizeof *g->block);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, g->table, slots * sizeof *g->slot);
    if (status != CLUMP_OK) return status;
    g->key = ctx->hash_key;
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

/* The level of a radius, with its grid made ready. */
static clump_ranged_level *open_level(clump_ranged *g, uint32_t number)
{
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

static void widen(clump_ranged_level *level, int axis, int32_t block)
{
    if (block < level->low[axis]) level->low[axis] = block;
    if (block > level->high[axis]) level->high[axis] = block;
}

/* Where a point is: its block, made if it is the first there, and its cell in it. */
static clump_status place(clump_context *ctx, clump_ranged *g, const float *f, float radius, uint32_t *owner,
                          uint8_t *sub)
{
    const uint32_t level = clump_radius_level(g->rule.eps, radius);
    clump_ranged_level *const grid = open_level(g, level);
    const clump_cell_rule rule = grid->rule;
    const int32_t x = clump_cell(f[0], rule), y = clump_cell(f[1], rule), z = g->two_d ? 0 : clump_cell(f[2], rule);
    uint32_t at, id = find_block(g, level, x >> 2, y >> 2, z >> 2, &at);
    if (id == NO_BLOCK) {
        if (g->blocks == g->budget) {
            const clump_status status = make_room(ctx, g, 2 * g->budget < g->count ? 2 * g->budget : g->count);
            if (status != CLUMP_OK) return status;
            find_block(g, level, x >> 2, y >> 2, z >> 2, &at);
        }
        g->slot[at] = id = g->blocks++;
        g->block[id] = (clump_ranged_block){.x = x >> 2, .y = y >> 2, .z = z >> 2, .level = level};
        widen(grid, 0, x >> 2), widen(grid, 1, y >> 2), widen(grid, 2, z >> 2);
    }
    *sub = (uint8_t)((x & 3) | (y & 3) << 2 | (z & 3) << 4);
    *owner = id;
    g->block[id].cells |= (uint64_t)1 << *sub;
    return CLUMP_OK;
}

/* ----- all of it --------------------------------------------------------------------------------------- */

/* Points to their blocks, in the order of the cloud. */
static clump_status place_all(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, uint32_t *picked,
                              uint32_t *owner, uint8_t *sub)
{
    float grown[CLUMP_RANGED_BATCH];
    size_t n = 0;
    for (size_t base = 0; base < job->count; base += CLUMP_RANGED_BATCH) {
        CLUMP_TRY(clump_poll(ctx));
        const size_t m = clump_ranged_grow(g, job, base, grown);
        for (size_t j = 0; j < m; j++) {
            if (grown[j] < g->grown_from || !clump_takes_part(job, base + j)) continue;
            const float radius = clump_radius(g->rule.eps, grown[j]);
            const clump_status status = place(ctx, g, clump_point_at(job, base + j), radius, &owner[n], &sub[n]);
            if (status != CLUMP_OK) return status;
            picked[n++] = (uint32_t)(base + j);
        }
    }
    g->count = n;
    return CLUMP_OK;
}

/* Cells numbered block by block, and the points laid out by cell. */
static clump_status lay_out(clump_context *ctx, clump_ranged *g, const clump_cloud_job *job, const uint32_t *picked,
                            uint32_t *owner, const uint8_t *sub)
{
    g->cells = 0;
    for (uint32_t id = 0; id < g->blocks; id++) {
        g->block[id].first = g->cells;
        g->cells += clump_popcount(g->block[id].cells);
    }
    const clump_status status = clump_buffer_reserve(ctx, &g->all_cells, ((size_t)g->cells + 1) * sizeof *g->cell);
    if (status != CLUMP_OK) return status;
    g->cell = g->all_cells.data;
    for (uint32_t c = 0; c <= g->cells; c++) g->cell[c] = (clump_ranged_cell){.begin = 0, .tree = CLUMP_NO_TREE};
    for (size_t k = 0; k < g->count; k++) {
        if (k % POLLED == 0) CLUMP_TRY(clump_poll(ctx));
        const clump_ranged_block *const b = &g->block[owner[k]];
        owner[k] = b->first + clump_popcount(b->cells & (((uint64_t)1 << sub[k]) - 1)); /* from now on the cell */
        g->cell[owner[k]].begin++;
    }
    uint32_t end = 0;
    for (uint32_t c = 0; c <= g->cells; c++) g->cell[c].begin = end += g->cell[c].begin; /* where its points end */
    for (size_t k = g->count; k-- > 0;) {
        if (k % POLLED == 0) CLUMP_TRY(clump_poll(ctx));
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
    if (!g->strict) bound = nextafterf(bound, INFINITY); /* below that is at most the square */
    memcpy(&p.more, &bound, sizeof bound);
    return p;
}

/* While points are placed, the scratch memory holds three numbers per point: its index in the cloud, its block, its cell
 * in the block. After that it holds the nodes of the trees. */
clump_status clump_ranged_build(clump_context *ctx, clump_ranged *g, clump_cpu_fast *fast, const clump_cloud_job *job,
                                bool their_neighbours)
{
    g->points = &fast->blocks.reps;
    g->all_blocks = &fast->blocks.blocks;
    g->table = &fast->blocks.table;
    make_rule(g, job, their_neighbours);
    g->count = survey(g, job);
    g->blocks = g->cells = g->nodes = g->levels = 0;
    if (g->count == 0) return CLUMP_OK;
    CLUMP_TRY(clump_buffer_reserve(ctx, &g->all_levels, CLUMP_LEVELS * sizeof *g->level));
    g->level = g->all_levels.data;
    for (int k = 0; k < CLUMP_LEVELS; k++) g->level[k].used = false;
    const size_t n = g->count, placing = n * (2 * sizeof(uint32_t) + 1),
                 nodes = CLUMP_RANGED_NODES(n) * sizeof *g->node;
    clump_status status = clump_buffer_reserve(ctx, g->points, (n + 3) * sizeof *g->point);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &g->indices, n * sizeof *g->index);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &g->scratch, placing > nodes ? placing : nodes);
    if (status == CLUMP_OK) status = make_room(ctx, g, n / 16 + 64 < n ? n / 16 + 64 : n);
    if (status != CLUMP_OK) return status;
    g->point = g->points->data;
    g->index = g->indices.data;
    g->node = g->scratch.data;
    uint32_t *const picked = g->scratch.data, *const owner = picked + n;
    uint8_t *const sub = (uint8_t *)(owner + n);
    status = place_all(ctx, g, job, picked, owner, sub);
    return status == CLUMP_OK ? lay_out(ctx, g, job, picked, owner, sub) : status;
}

void clump_ranged_release(clump_context *ctx, clump_ranged *g)
{
    clump_buffer *const all[] = {&g->indices, &g->scratch, &g->all_cells, &g->all_levels, &g->parents};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
}

/* ----- windows ----------------------------------------------------------------------------------------- */

/* A cell is a monotone function of a coordinate (rules/cell.h), and so is rounding: a float that is at least
 * lower - reach is at least what that is rounded to. */
clump_ranged_walk clump_ranged_around(const clump_ranged *g, uint32_t level, const float *lower, const float *upper,
                                      float reach)
{
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

/* The cells of block b on an axis that are in the window, as four bits. */
static inline unsigned part(const clump_ranged_walk *w, int k)
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
        if (id != NO_BLOCK) {
            w->block = &g->block[id];
            w->left = w->block->cells & spread_x[part(w, 0)] & spread_y[part(w, 1)] & spread_z[part(w, 2)];
        }
        for (int k = 0; k < 3; k++) { /* the next place: along x, then y, then z */
            if (++w->at[k] <= w->to[k] || k == 2) break;
            w->at[k] = w->from[k];
        }
    }
    return w->left != 0;
}
