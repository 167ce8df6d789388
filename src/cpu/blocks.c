/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.c: see blocks.h. The points are cut into one range a thread, and every thread bins its own
 * into a table of its own (bin.c). Several tables are then put together: blocks that are in more
 * than one become one.
 *
 *     blocks   | of thread 0 .. | of thread 1 .. | of thread 2 .. |     each with a hash table, in
 *                      │ merge, in place                              the memory of the later reps
 *              | all blocks ......... |                               with one hash table
 *
 * Tables start small and grow when they are full: the thread stops, and when all have stopped there
 * is made more room and they go on where they stood. All of it depends on the cloud alone, not on
 * which thread comes first, and so a second call with the same cloud needs no more memory.
 */
#include "cpu/blocks.h"

#include "common/share.h"
#include "core/context.h"
#include "cpu/bin.h"

#include <math.h>
#include <string.h>

#define FEW_POINTS 8192 /* not worth finding out whether they are sparse */
#define SPARSE     0.15 /* collisions of a sparse cloud, at most */

static size_t largest_share(size_t n, int threads)
{
    return (n + (size_t)threads - 1) / (size_t)threads;
}

/* Slots for so many blocks of n points: a quarter full, or half where there is a block a point. */
static uint32_t slots_for(size_t budget, size_t n)
{
    size_t slots = 4 * budget < 2 * n ? 4 * budget : 2 * n;
    if (slots < 2 * budget) slots = 2 * budget;
    return (uint32_t)(slots < 4 ? 4 : slots < UINT32_MAX ? slots : UINT32_MAX - 1);
}

/* Gives every thread room for `budget` blocks. Those there are are kept and put into the new tables. */
static clump_status make_room(clump_context *ctx, clump_blocks *b, size_t n, size_t budget, int threads)
{
    const size_t most = largest_share(n, threads), old = b->budget;
    if (budget > most) budget = most;
    const uint32_t slots = slots_for(budget, most);
    clump_buffer *const tables = threads > 1 ? &b->reps : &b->table;
    clump_status status = clump_buffer_grow(ctx, &b->blocks, budget * (size_t)threads * sizeof(clump_block),
                                            old * (size_t)threads * sizeof(clump_block));
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, tables, (size_t)slots * (size_t)threads * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    clump_range *const ranges = b->progress.data;
    clump_block *const blocks = b->blocks.data;
    for (int t = threads - 1; t >= 0; t--) { /* the last first: they move up, over each other */
        clump_table *const table = &ranges[t].table;
        clump_block *const block = t > 0 ? blocks + budget * (size_t)t : blocks; /* null for no points: no sum */
        if (table->count > 0) memmove(block, blocks + old * (size_t)t, table->count * sizeof *block);
        *table = (clump_table){block, (uint32_t *)tables->data + (size_t)slots * (size_t)t, slots, (uint32_t)budget,
                               table->count};
    }
    b->budget = (uint32_t)budget;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        clump_table *const table = &ranges[t].table;
        const uint32_t count = table->count;
        clump_table_clear(table);
        for (table->count = 0; table->count < count;) clump_table_add(table, &table->block[table->count]);
    }
    return CLUMP_OK;
}

/* Bins all ranges up to a part of each, making room where there is too little. */
static clump_status bin(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads, size_t part,
                        size_t parts)
{
    const clump_cell_rule rule = clump_cell_rule_make(job->d, job->two_d);
    clump_range *const ranges = b->progress.data;
    for (int t = 0; t < threads; t++) {
        const size_t end = clump_share_of(job->count, t, threads).end;
        ranges[t].end = ranges[t].begin + (end - ranges[t].begin) * part / parts;
    }
    for (;;) {
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
        for (int t = 0; t < threads; t++) clump_bin(&ranges[t], job, rule, b->owner, b->sub, b->records.data);
        bool done = true;
        for (int t = 0; t < threads; t++) done = done && ranges[t].next == ranges[t].end;
        if (done) return CLUMP_OK;
        const clump_status status = make_room(ctx, b, job->count, 2 * (size_t)b->budget, threads);
        if (status != CLUMP_OK) return status;
    }
}

/* The share of points so far that fell into a cell another one of the same range had taken. */
static double collisions(const clump_blocks *b, int threads)
{
    const clump_range *const ranges = b->progress.data;
    size_t points = 0, taken = 0;
    for (int t = 0; t < threads; t++) {
        points += ranges[t].next - ranges[t].begin - ranges[t].left_out;
        taken += ranges[t].records;
    }
    return points ? 1 - (double)taken / (double)points : 1;
}

static clump_status fixed_buffers(clump_context *ctx, clump_blocks *b, size_t n, int threads)
{
    clump_status status = clump_buffer_reserve(ctx, &b->subs, n);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->records, n * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->progress, (size_t)threads * sizeof(clump_range));
    return status;
}

clump_status clump_blocks_begin(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads, bool *sparse)
{
    const size_t n = job->count;
    clump_status status = fixed_buffers(ctx, b, n, threads);
    if (status != CLUMP_OK) return status;
    b->sub = b->subs.data;
    b->owner = (uint32_t *)job->labels;
    clump_range *const ranges = b->progress.data;
    for (int t = 0; t < threads; t++) {
        const size_t begin = clump_share_of(n, t, threads).begin;
        ranges[t] = (clump_range){.begin = begin, .next = begin};
    }
    size_t budget = largest_share(n, threads) / 16 + 64;
    if (budget < b->hint / (size_t)threads) budget = b->hint / (size_t)threads;
    b->budget = 0;
    status = make_room(ctx, b, n, budget, threads);
    if (status != CLUMP_OK || !sparse) return status;

    *sparse = false;
    if (n < FEW_POINTS) return CLUMP_OK;
    /* A sample of points in no order looks sparser than the whole: collisions grow with their number.
     * In a scan, where neighbours come one after the other, they do not. So the growth from a
     * sixteenth of a range to an eighth is carried on to all points. */
    status = bin(ctx, b, job, threads, 1, 16);
    if (status != CLUMP_OK) return status;
    const double early = collisions(b, threads);
    if (early > SPARSE) return CLUMP_OK;
    status = bin(ctx, b, job, threads, 2, 16);
    if (status != CLUMP_OK) return status;
    const double later = collisions(b, threads);
    *sparse = later + (16.0 * threads - 2) * fmax(later - early, 0) < SPARSE;
    return CLUMP_OK;
}

/* ----- from the threads' tables to one --------------------------------------------------------------- */

static clump_status merge(clump_context *ctx, clump_blocks *b, size_t n, int threads)
{
    clump_range *const ranges = b->progress.data;
    if (threads == 1) {
        b->slot = ranges[0].table.slot;
        b->slots = ranges[0].table.slots;
        b->block = ranges[0].table.block;
        b->block_count = ranges[0].table.count;
        return CLUMP_OK;
    }
    size_t sum = 0;
    for (int t = 0; t < threads; t++) sum += ranges[t].table.count;
    b->slots = slots_for(sum, n);
    const clump_status status = clump_buffer_reserve(ctx, &b->table, (size_t)b->slots * sizeof(uint32_t));
    if (status != CLUMP_OK) return status;
    b->block = b->blocks.data;
    b->slot = b->table.data;
    clump_table all = {b->block, b->slot, b->slots, (uint32_t)sum, 0};
    clump_table_clear(&all);
    for (int t = 0; t < threads; t++) {
        const clump_table *const mine = &ranges[t].table;
        uint32_t *const now = mine->slot; /* its hash table is done with: the new numbers of its blocks */
        for (uint32_t k = 0; k < mine->count; k++) {
            const clump_block from = mine->block[k]; /* a copy: the new place may be the same */
            const uint32_t before = all.count;
            clump_block *const to = &all.block[now[k] = clump_table_add(&all, &from)];
            if (all.count != before) continue;
            to->crowds |= from.crowds | (to->cells & from.cells);
            to->cells |= from.cells;
        }
    }
    b->block_count = all.count;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        const uint32_t *const now = ranges[t].table.slot;
        for (size_t i = ranges[t].begin; i < ranges[t].end; i++)
            if (b->owner[i] != CLUMP_NO_BLOCK) b->owner[i] = now[b->owner[i]];
    }
    return CLUMP_OK;
}

/* ----- numbers and reps of the cells ------------------------------------------------------------------ */

static uint32_t cell_of_point(const clump_blocks *b, size_t i)
{
    return clump_cell_number(&b->block[b->owner[i]], b->sub[i]);
}

static void set_rep(clump_blocks *b, const clump_ec_job *job, uint32_t cell, uint32_t i)
{
    const float *const f = (const float *)(const void *)(job->points + i * job->stride);
    b->rep[cell] = (clump_rep){.x = f[0], .y = f[1], .z = job->two_d ? 0 : f[2], .index = i};
}

/* The first point of every cell becomes its rep. A range has the first of its own points on record;
 * where several ranges have points of a cell, the smallest index wins. */
static void place_reps(clump_blocks *b, const clump_ec_job *job, int threads)
{
    const clump_range *const ranges = b->progress.data;
    const uint32_t *const record = b->records.data;
    const uint32_t cell_count = b->cell_count;
    if (threads == 1) {
        for (size_t k = 0; k < ranges[0].records; k++) set_rep(b, job, cell_of_point(b, record[k]), record[k]);
        return;
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t c = 0; c < cell_count; c++) b->rep[c].index = UINT32_MAX;
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; t++) {
        for (size_t k = 0; k < ranges[t].records; k++) {
            const uint32_t i = record[ranges[t].begin + k];
            uint32_t *const first = &b->rep[cell_of_point(b, i)].index;
            uint32_t seen = CLUMP_LOAD(first);
            while (i < seen && !CLUMP_SWAP(first, &seen, i)) {}
        }
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t c = 0; c < cell_count; c++) set_rep(b, job, c, b->rep[c].index);
}

clump_status clump_blocks_build(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads)
{
    clump_status status = bin(ctx, b, job, threads, 1, 1);
    if (status == CLUMP_OK) status = merge(ctx, b, job->count, threads);
    if (status != CLUMP_OK) return status;
    const clump_range *const ranges = b->progress.data;
    b->finite = job->count;
    b->masked = b->left_out = 0;
    uint32_t fullest = 0;
    for (int t = 0; t < threads; t++) {
        b->finite -= ranges[t].unfinite;
        b->masked += ranges[t].masked;
        b->left_out += ranges[t].left_out;
        fullest = ranges[t].table.count > fullest ? ranges[t].table.count : fullest;
    }
    /* frames are alike: no growing next time, but no clearing of a table far too large either */
    b->hint = (fullest < b->budget / 4 ? b->budget / 2 : b->budget) * (size_t)threads;

    uint32_t cell_count = 0;
    for (uint32_t id = 0; id < b->block_count; id++) {
        b->block[id].first = cell_count;
        cell_count += clump_popcount(b->block[id].cells);
    }
    b->cell_count = cell_count;
    status = clump_buffer_reserve(ctx, &b->reps, ((size_t)cell_count + 3) * sizeof(clump_rep));
    if (status != CLUMP_OK) return status;
    b->rep = b->reps.data;
    memset(b->rep + cell_count, 0, 3 * sizeof(clump_rep));
    place_reps(b, job, threads);
    return CLUMP_OK;
}

clump_status clump_blocks_reserve(clump_context *ctx, clump_blocks *b, size_t max_points, int threads)
{
    const size_t share = largest_share(max_points, threads), all = share * (size_t)threads;
    const size_t slots = (size_t)slots_for(share, share) * (size_t)threads;
    clump_status status = fixed_buffers(ctx, b, max_points, threads);
    if (status == CLUMP_OK)
        status = clump_buffer_reserve(ctx, &b->blocks, (all + 64 * (size_t)threads) * sizeof(clump_block));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->table, (slots + 4) * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->reps, (all + 64) * sizeof(clump_rep));
    return status;
}

void clump_blocks_release(clump_context *ctx, clump_blocks *b)
{
    clump_buffer *const all[] = {&b->blocks, &b->table, &b->subs, &b->records, &b->reps, &b->progress};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
    b->hint = 0;
}
