/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.c: see blocks.h. The points are divided into one slice per thread. Every thread bins its slice into a table of
 * its own (bin.c). The tables are then merged into one (blocks_merge.c).
 *
 * Tables start small and grow when they are full: the thread stops, and when all threads have stopped the tables grow
 * and the threads continue. All of it depends on the cloud alone, not on which thread comes first. So a second call
 * with the same cloud needs no more memory.
 */
#include "cpu/grid/blocks.h"

#include "common/share.h"
#include "cpu/grid/bin.h"
#include "cpu/grid/blocks_merge.h"
#include "cpu/grid/slices.h"
#include "cpu/shared/points.h"

#include <string.h>

/* Returns the size of the largest slice of n points. */
static size_t largest_slice(size_t n, int threads)
{
    return (n + (size_t)threads - 1) / (size_t)threads;
}

/* Puts the blocks of a slice into its new hash table. */
static void refill_table(void *arg, size_t t)
{
    clump_table *const table = &((clump_bin_slice *)arg)[t].table;
    const uint32_t count = table->count;
    clump_table_clear(table);
    for (table->count = 0; table->count < count;) clump_table_add(table, &table->block[table->count]);
}

/* Grows the tables to `budget` blocks per thread. Blocks are kept and put into the new tables. */
static clump_status grow_tables(clump_context *ctx, clump_blocks *b, size_t n, size_t budget, int threads)
{
    const size_t most = largest_slice(n, threads), old = b->budget;
    if (budget > most) budget = most;
    const uint32_t slots = clump_block_slots(budget, most);
    clump_buffer *const tables = threads > 1 ? &b->reps : &b->table;
    CLUMP_TRY(clump_buffer_grow(ctx, &b->blocks, budget * (size_t)threads * sizeof(clump_block),
                                old * (size_t)threads * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(ctx, tables, (size_t)slots * (size_t)threads * sizeof(uint32_t)));
    clump_bin_slice *const slices = b->progress.data;
    clump_block *const blocks = b->blocks.data;
    for (int t = threads - 1; t >= 0; t--) { /* the last first: they move up and overlap */
        clump_table *const table = &slices[t].table;
        clump_block *const block =
            t > 0 ? blocks + budget * (size_t)t : blocks; /* null for no points: nothing to add to */
        if (table->count > 0) memmove(block, blocks + old * (size_t)t, table->count * sizeof *block);
        *table = (clump_table){.key = b->key,
                               .block = block,
                               .slot = (uint32_t *)tables->data + (size_t)slots * (size_t)t,
                               .slots = slots,
                               .budget = (uint32_t)budget,
                               .count = table->count};
    }
    b->budget = (uint32_t)budget;
    return clump_each_slice(ctx, threads, refill_table, slices);
}

/* Returns a budget that should suffice for all points where the present one did not: the blocks per point so far, plus
 * an eighth. A cloud may continue unlike it began, so the budget grows by a quarter at least and doubles at most. */
static size_t next_budget(const clump_bin_slice *slices, size_t budget, int threads)
{
    size_t expected = 0;
    for (int t = 0; t < threads; t++) {
        const clump_bin_slice *const r = &slices[t];
        if (r->next == r->end) continue;
        CLUMP_ASSERT(r->next > r->begin); /* a table has room for at least one block */
        const size_t blocks = r->table.count * (r->end - r->begin) / (r->next - r->begin);
        expected = blocks > expected ? blocks : expected;
    }
    expected += expected / 8;
    if (expected < budget + budget / 4) expected = budget + budget / 4;
    return expected < 2 * budget ? expected : 2 * budget;
}

#define BLOCKS_POLLED 65536 /* points between two polls */

typedef struct binning {
    clump_team *team;
    const clump_blocks *b;
    const clump_cloud_job *job;
    clump_cell_rule rule;
} binning;

/* Bins a slice, in steps, up to the first point that needs a block which does not fit. */
static void bin_slice(void *arg, size_t t)
{
    const binning *const w = arg;
    clump_bin_slice *const r = (clump_bin_slice *)w->b->progress.data + t;
    const size_t end = r->end;
    do {
        r->end = end - r->next < BLOCKS_POLLED ? end : r->next + BLOCKS_POLLED;
        clump_bin(r, w->job, w->rule, w->b->owner, w->b->sub, w->b->records.data);
    } while (r->next == r->end && r->end < end && !clump_team_stopped(w->team));
    r->end = end;
}

/* Bins all slices, and grows the tables where they are full. */
static clump_status bin_points(clump_context *ctx, clump_blocks *b, const clump_cloud_job *job, int threads)
{
    binning w = {ctx->team, b, job, clump_cell_rule_make(job->d, job->two_d)};
    clump_bin_slice *const slices = b->progress.data;
    for (;;) {
        CLUMP_TRY(clump_each_slice(ctx, threads, bin_slice, &w));
        bool done = true;
        for (int t = 0; t < threads; t++) done = done && slices[t].next == slices[t].end;
        if (done) return CLUMP_OK;
        CLUMP_TRY(grow_tables(ctx, b, job->count, next_budget(slices, b->budget, threads), threads));
    }
}

static clump_status reserve_fixed(clump_context *ctx, clump_blocks *b, size_t n, int threads)
{
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->subs, n));
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->records, n * sizeof(uint32_t)));
    return clump_buffer_reserve(ctx, &b->progress, (size_t)threads * sizeof(clump_bin_slice));
}

/* Makes empty slices, with tables of the size that suited the last cloud. */
static clump_status begin_slices(clump_context *ctx, clump_blocks *b, const clump_cloud_job *job, int threads)
{
    const size_t n = job->count;
    CLUMP_TRY(reserve_fixed(ctx, b, n, threads));
    b->key = ctx->hash_key;
    b->sub = b->subs.data;
    b->owner = (uint32_t *)job->labels;
    clump_bin_slice *const slices = b->progress.data;
    for (int t = 0; t < threads; t++) {
        const clump_share s = clump_share_of(n, t, threads);
        slices[t] = (clump_bin_slice){.begin = s.begin, .next = s.begin, .end = s.end};
    }
    size_t budget = largest_slice(n, threads) / 16 + 64;
    if (budget < b->hint / (size_t)threads) budget = b->hint / (size_t)threads;
    b->budget = 0;
    return grow_tables(ctx, b, n, budget, threads);
}

/* Takes the table of the only thread as the result, and numbers the cells. */
static void take_only_table(clump_blocks *b)
{
    const clump_table *const table = &((const clump_bin_slice *)b->progress.data)->table;
    b->slot = table->slot;
    b->slots = table->slots;
    b->block = table->block;
    b->block_count = table->count;
    b->cell_count = 0;
    for (uint32_t id = 0; id < b->block_count; id++) {
        b->block[id].first = b->cell_count;
        b->cell_count += clump_popcount(b->block[id].cells);
    }
}

/* Makes the first point of every cell its rep. Each slice has the first points of its own cells on record. */
static void place_reps(void *arg, size_t t)
{
    const clump_blocks *const b = ((const binning *)arg)->b;
    const clump_cloud_job *const job = ((const binning *)arg)->job;
    const clump_bin_slice *const slice = (const clump_bin_slice *)b->progress.data + t;
    const uint32_t *const record = (const uint32_t *)b->records.data + slice->begin;
    for (size_t k = 0; k < slice->records; k++) {
        const uint32_t i = record[k];
        const float *const f = clump_point_at(job, i);
        b->rep[clump_cell_number(&b->block[b->owner[i]], b->sub[i])] =
            (clump_rep){.x = f[0], .y = f[1], .z = job->two_d ? 0 : f[2], .index = i};
    }
}

clump_status clump_blocks_build(clump_context *ctx, clump_blocks *b, const clump_cloud_job *job, int threads)
{
    CLUMP_TRY(begin_slices(ctx, b, job, threads));
    CLUMP_TRY(bin_points(ctx, b, job, threads));
    if (threads > 1)
        CLUMP_TRY(clump_blocks_merge(ctx, b, job->count, threads));
    else
        take_only_table(b);
    const clump_bin_slice *const slices = b->progress.data;
    b->finite = job->count;
    b->masked = b->left_out = 0;
    uint32_t fullest = 0;
    for (int t = 0; t < threads; t++) {
        b->finite -= slices[t].unfinite;
        b->masked += slices[t].masked;
        b->left_out += slices[t].left_out;
        fullest = slices[t].table.count > fullest ? slices[t].table.count : fullest;
    }
    /* The next frame is probably alike: its tables need not grow, and are not far too large to clear either. */
    b->hint = (fullest < b->budget / 4 ? b->budget / 2 : b->budget) * (size_t)threads;

    CLUMP_TRY(clump_buffer_reserve(ctx, &b->reps, ((size_t)b->cell_count + 3) * sizeof(clump_rep)));
    b->rep = b->reps.data;
    memset(b->rep + b->cell_count, 0, 3 * sizeof(clump_rep));
    binning w = {.b = b, .job = job};
    return clump_each_slice(ctx, threads, place_reps, &w);
}

clump_status clump_blocks_reserve(clump_context *ctx, clump_blocks *b, size_t max_points, int threads)
{
    const size_t slice = largest_slice(max_points, threads), all = slice * (size_t)threads;
    const size_t slots = (size_t)clump_block_slots(slice, slice) * (size_t)threads;
    CLUMP_TRY(reserve_fixed(ctx, b, max_points, threads));
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->blocks, (all + 64 * (size_t)threads) * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->table, (slots + 4) * sizeof(uint32_t)));
    return clump_buffer_reserve(ctx, &b->reps, (all + 64) * sizeof(clump_rep));
}

void clump_blocks_release(clump_context *ctx, clump_blocks *b)
{
    clump_buffer *const all[] = {&b->blocks, &b->table, &b->subs, &b->records, &b->reps, &b->progress};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
    b->hint = 0;
}
