/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shells_build.c: the grid of ranged_shells.h. Blocks of level 0 come from grid/blocks.c. Blocks of the levels above are
 * made of the blocks below. Then cells are numbered from the coarsest level down, and points are sorted by cell.
 */
#include "common/share.h"
#include "cpu/grid/batch.h"
#include "cpu/grid/blocks_merge.h"
#include "cpu/ranged/shells_work.h"

#define BUILD_BATCH  256 /* points */
#define BUILD_BLOCKS 64  /* blocks per chunk */

/* ----- levels ---------------------------------------------------------------------------------------------- */

/* One bit per byte of a mask that is not 0: the cells of the next level. */
static inline uint64_t coarse_cells(uint64_t cells)
{
    cells |= cells >> 4;
    cells |= cells >> 2;
    cells |= cells >> 1;
    cells &= 0x0101010101010101u;
    return (cells * 0x0102040810204080u) >> 56; /* bit 0 of byte b to bit b */
}

/* Makes the blocks of level k from those below. */
static clump_status add_level(clump_context *ctx, clump_shells *s, int k)
{
    const clump_table *const below = &s->level[k - 1].table;
    clump_shell_level *const at = &s->level[k];
    clump_table *const t = &at->table;
    const uint32_t slots = clump_block_slots(below->count, below->count);
    CLUMP_TRY(clump_buffer_reserve(ctx, &at->blocks, below->count * sizeof *t->block));
    CLUMP_TRY(clump_buffer_reserve(ctx, &at->slots, (size_t)slots * sizeof *t->slot));
    CLUMP_TRY(clump_buffer_reserve(ctx, &at->children, 8 * (size_t)below->count * sizeof *at->child));
    *t = (clump_table){
        .key = below->key, .block = at->blocks.data, .slot = at->slots.data, .slots = slots, .budget = below->count};
    at->child = at->children.data;
    clump_table_refill(t);
    for (uint32_t id = 0; id < below->count; id++) {
        if (id % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(ctx));
        const clump_block *const b = &below->block[id];
        const int32_t shell = clump_shell_of_z(b->z), z = b->z - clump_shell_z(shell, 0);
        const clump_block like = {.x = b->x >> 1, .y = b->y >> 1, .z = clump_shell_z(shell, z >> 1)};
        const unsigned octant = (unsigned)((b->x & 1) | (b->y & 1) << 1 | (z & 1) << 2);
        const uint32_t before = t->count, up = clump_table_add(t, &like);
        CLUMP_ASSERT(up != CLUMP_NO_BLOCK);
        if (t->count > before) memset(at->child + 8 * (size_t)up, 0xff, 8 * sizeof *at->child);
        at->child[8 * (size_t)up + octant] = id;
        t->block[up].cells |= coarse_cells(b->cells) << 8 * octant;
    }
    return CLUMP_OK;
}

/* Numbers the cells of a block of level k and of all blocks below it. */
static void number_cells(clump_shells *s, int k, uint32_t id)
{
    clump_shell_level *const at = &s->level[k];
    clump_block *const b = &at->table.block[id];
    b->first = at->cells;
    at->cells += clump_popcount(b->cells);
    for (unsigned octant = 0; k > 0 && octant < 8; octant++) {
        const uint32_t child = at->child[8 * (size_t)id + octant];
        if (child != CLUMP_NO_BLOCK) number_cells(s, k - 1, child);
    }
}

/* ----- points ---------------------------------------------------------------------------------------------- */

/* What the tasks below share. */
typedef struct shell_sort {
    clump_shells *s;
    const clump_blocks *b;
    const clump_cloud_job *job;
    uint32_t *cell;  /* per point, in the memory of the labels; CLUMP_NO_BLOCK: takes no part */
    uint32_t *begin; /* per cell: number of points, then the first place or the end */
    uint32_t *place; /* several threads: place of a point in its cell; else null */
    clump_shell_level *at;
    int level;
} shell_sort;

/* Replaces the block of each point by its cell, and counts. */
static void count_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    const clump_block *const block = t->s->level[0].table.block;
    for (size_t i = begin; i < end; i++) {
        const uint32_t id = t->cell[i];
        if (id == CLUMP_NO_BLOCK) continue;
        const uint32_t cell = clump_cell_number(&block[id], t->b->sub[i]);
        t->cell[i] = cell;
        if (t->place)
            t->place[i] = CLUMP_ADD(&t->begin[cell], 1);
        else
            t->begin[cell]++;
    }
}

/* Copies points with their bounds to their cells, from the last to the first. */
static void deal_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    const clump_radius_rule rule = t->s->rule;
    float x[BUILD_BATCH], y[BUILD_BATCH], z[BUILD_BATCH], bound[BUILD_BATCH];
    for (size_t last = end; last > begin;) {
        const size_t m = last - begin < BUILD_BATCH ? last - begin : BUILD_BATCH, base = last - m;
        clump_batch_load(t->job, base, m, x, y, z);
        for (size_t j = 0; j < m; j++)
            bound[j] = clump_distance_bound(clump_radius(rule.eps, clump_radius_grown(rule, x[j], y[j], z[j])));
        for (size_t j = m; j-- > 0;) {
            const uint32_t cell = t->cell[base + j], i = (uint32_t)(base + j);
            if (cell == CLUMP_NO_BLOCK) continue;
            const uint32_t at = t->place ? t->begin[cell] + t->place[i] : --t->begin[cell];
            t->s->point[at] = (clump_point){x[j], y[j], z[j], clump_float_bits(bound[j])};
            if (t->place)
                clump_atomic_min(&t->s->least[cell], i);
            else
                t->s->least[cell] = i;
        }
        last = base;
    }
}

static clump_status sort_points(clump_context *ctx, clump_shells *s, const clump_blocks *b, const clump_cloud_job *job,
                                int threads)
{
    clump_shell_level *const finest = &s->level[0];
    const size_t n = job->count, cells = finest->cells;
    s->count = n - b->left_out;
    CLUMP_TRY(clump_buffer_reserve(ctx, &s->points, (s->count + 3) * sizeof *s->point));
    CLUMP_TRY(clump_buffer_reserve(ctx, &s->leasts, cells * sizeof *s->least));
    CLUMP_TRY(clump_buffer_reserve(ctx, &s->places, threads > 1 ? n * sizeof(uint32_t) : 0));
    CLUMP_TRY(clump_buffer_reserve(ctx, &finest->begins, (cells + 1) * sizeof *finest->begin));
    s->point = s->points.data;
    s->least = s->leasts.data;
    finest->begin = finest->begins.data;
    memset(s->point + s->count, 0, 3 * sizeof *s->point);
    memset(s->least, 0xff, cells * sizeof *s->least);
    memset(finest->begin, 0, (cells + 1) * sizeof *finest->begin);
    shell_sort t = {.s = s, .b = b, .job = job, .cell = b->owner, .begin = finest->begin};
    t.place = threads > 1 ? s->places.data : NULL;
    CLUMP_TRY(clump_run(ctx, threads, n, CLUMP_CHUNK, count_points, &t));
    uint32_t sum = 0;
    for (size_t c = 0; c <= cells; c++) {
        const uint32_t here = t.begin[c];
        t.begin[c] = t.place ? sum : sum + here; /* one thread lowers the ends to the begins */
        sum += here;
    }
    CLUMP_ASSERT(sum == s->count);
    return clump_run(ctx, threads, n, t.place ? CLUMP_CHUNK : n, deal_points, &t);
}

/* ----- blocks ---------------------------------------------------------------------------------------------- */

/* How many cells the radii of a block reach; grid/shells.h, (2). */
static uint8_t reach_of(const clump_shells *s, const clump_block *b, const clump_ranged_node *box)
{
    const float edge = ldexpf(s->edge, clump_shell_of_z(b->z)) * (1 - 0x1p-16f);
    return box->most < 4 * edge * edge ? 2 : box->most < 9 * edge * edge ? 3 : 4;
}

/* Fills a block of level 0. */
static void fill_finest(const clump_shells *s, uint32_t id)
{
    const clump_shell_level *const at = &s->level[0];
    const clump_block *const b = &at->table.block[id];
    clump_shell_block *const is = &at->block[id];
    const uint32_t begin = at->begin[b->first], end = at->begin[b->first + clump_popcount(b->cells)];
    *is = (clump_shell_block){.begin = begin, .count = end - begin};
    is->box = clump_ranged_box_of(s->point + begin, end - begin);
    is->reach = reach_of(s, b, &is->box);
    const float next = ldexpf(s->rule.eps, clump_shell_of_z(b->z) + 1);
    is->edge = s->rule.per_metre > 0 && !(is->box.most < s->edge_from * (next * next));
}

/* Fills a block of a level above from its blocks below: cells, box, points. */
static void fill_coarse(const clump_shells *s, int k, uint32_t id)
{
    const clump_shell_level *const at = &s->level[k], *const below = &s->level[k - 1];
    clump_shell_block sum = {.count = 0};
    uint32_t cell = at->table.block[id].first;
    for (unsigned octant = 0; octant < 8; octant++) {
        const uint32_t child = at->child[8 * (size_t)id + octant];
        if (child == CLUMP_NO_BLOCK) continue;
        const clump_block *const b = &below->table.block[child];
        const clump_shell_block *const is = &below->block[child];
        for (unsigned byte = 0; byte < 8; byte++)
            if (b->cells >> 8 * byte & 255)
                at->begin[cell++] = below->begin[b->first + clump_popcount(b->cells & (((uint64_t)1 << 8 * byte) - 1))];
        if (sum.count == 0) {
            sum = *is;
            continue;
        }
        clump_ranged_widen(&sum.box, &is->box);
        sum.count += is->count;
        sum.reach = is->reach > sum.reach ? is->reach : sum.reach;
        sum.edge |= is->edge;
    }
    at->block[id] = sum;
}

/* Puts a block into the filter of its level. */
static void put_in_filter(const clump_shell_level *at, uint32_t id)
{
    const clump_block *const b = &at->table.block[id];
    const uint32_t bit = clump_hash(at->table.key, b->x, b->y, b->z, 0) >> at->filter_shift;
    CLUMP_OR(&at->filter[bit / 64], (uint64_t)1 << (bit % 64));
}

static void fill_blocks(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    for (size_t id = begin; id < end; id++) {
        put_in_filter(t->at, (uint32_t)id);
        if (t->level == 0)
            fill_finest(t->s, (uint32_t)id);
        else
            fill_coarse(t->s, t->level, (uint32_t)id);
    }
}

static void double_radii(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const shell_sort *const t = arg;
    for (size_t id = begin; id < end; id++) {
        clump_ranged_node *const box = &t->at->block[id].box;
        box->least = ldexpf(box->least, 2 * t->level), box->most = ldexpf(box->most, 2 * t->level);
    }
}

static clump_status fill_level(clump_context *ctx, clump_shells *s, int k, int threads)
{
    clump_shell_level *const at = &s->level[k];
    const size_t blocks = at->table.count;
    unsigned log = 6;
    while (log < 32 && (size_t)1 << log < 16 * blocks) log++;
    CLUMP_TRY(clump_buffer_reserve(ctx, &at->filters, ((size_t)1 << log) / 8));
    CLUMP_TRY(clump_buffer_reserve(ctx, &at->infos, blocks * sizeof *at->block));
    at->filter = at->filters.data;
    at->filter_shift = 32 - log;
    at->block = at->infos.data;
    memset(at->filter, 0, ((size_t)1 << log) / 8);
    if (k > 0) {
        CLUMP_TRY(clump_buffer_reserve(ctx, &at->begins, ((size_t)at->cells + 1) * sizeof *at->begin));
        at->begin = at->begins.data;
        at->begin[at->cells] = (uint32_t)s->count;
    }
    shell_sort t = {.s = s, .at = at, .level = k};
    return clump_run(ctx, threads, blocks, BUILD_BLOCKS, fill_blocks, &t);
}

clump_status clump_shells_build(clump_context *ctx, clump_shells *s, clump_blocks *b, const clump_cloud_job *job,
                                int threads)
{
    b->shells = &s->rule;
    const clump_status status = clump_blocks_build(ctx, b, job, threads);
    b->shells = NULL;
    CLUMP_TRY(status);
    s->level[0].table = (clump_table){b->key, b->block, b->slot, b->slots, b->block_count, b->block_count};
    for (int k = 1; k < s->levels; k++) CLUMP_TRY(add_level(ctx, s, k));
    for (int k = 0; k < s->levels; k++) s->level[k].cells = 0;
    const int top = s->levels - 1;
    for (uint32_t id = 0; id < s->level[top].table.count; id++) number_cells(s, top, id);
    CLUMP_TRY(sort_points(ctx, s, b, job, threads));
    for (int k = 0; k < s->levels; k++) CLUMP_TRY(fill_level(ctx, s, k, threads));
    for (int k = 1; k < s->levels; k++) {
        shell_sort t = {.at = &s->level[k], .level = k};
        CLUMP_TRY(clump_run(ctx, threads, t.at->table.count, CLUMP_CHUNK, double_radii, &t));
    }
    return CLUMP_OK;
}
