/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.c: see blocks.h. One thread bins the points into one table (bin.c). Several threads divide the points into
 * chunks and the blocks into parts (blocks_merge.c).
 *
 * The table of one thread starts small and grows when it is full. A second call with the same cloud needs no more
 * memory.
 */
#include "cpu/grid/blocks.h"

#include "core/work.h"
#include "cpu/grid/bin.h"
#include "cpu/grid/merge_work.h"

#include <string.h>

#define BLOCKS_POLLED 65536 /* points between two polls */

/* Grows the table to `budget` blocks. Blocks are kept and put into the new hash table. */
static clump_status grow_table(clump_work *work, clump_blocks *b, clump_table *t, size_t n, size_t budget)
{
    if (budget > n) budget = n;
    const uint32_t slots = clump_block_slots(budget, n);
    CLUMP_TRY(clump_buffer_grow(work, &b->blocks, budget * sizeof(clump_block), t->count * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->table, (size_t)slots * sizeof(uint32_t)));
    t->block = b->blocks.data;
    t->slot = b->table.data;
    t->slots = slots;
    t->budget = (uint32_t)budget;
    clump_table_refill(t);
    return CLUMP_OK;
}

/* Returns a budget that should suffice for n points where the present one did not: the blocks per point so far, plus an
 * eighth. A cloud may continue unlike it began, so the budget grows by a quarter at least and doubles at most. */
static size_t next_budget(const clump_binning *r, size_t n)
{
    CLUMP_ASSERT(r->next > 0); /* a table has room for at least one block */
    const size_t budget = r->table.budget, expected = r->table.count * n / r->next * 9 / 8;
    if (expected < budget + budget / 4) return budget + budget / 4;
    return expected < 2 * budget ? expected : 2 * budget;
}

/* Bins all points, and grows the table where it is full. */
static clump_status bin_points(clump_work *work, clump_blocks *b, const clump_cloud_job *job, clump_binning *r)
{
    const size_t n = job->count;
    const clump_bin_rule rule = clump_bin_rule_make(b, job);
    const size_t usual = n / 16 + 64;
    CLUMP_TRY(grow_table(work, b, &r->table, n, usual < b->hint ? b->hint : usual));
    while (r->next < n) {
        CLUMP_TRY(clump_poll(work));
        const size_t end = n - r->next < BLOCKS_POLLED ? n : r->next + BLOCKS_POLLED;
        clump_bin(r, job, rule, end, b->owner, b->sub, b->records.data);
        if (r->next < end) CLUMP_TRY(grow_table(work, b, &r->table, n, next_budget(r, n)));
    }
    return CLUMP_OK;
}

/* Numbers the cells, and makes the first point of every cell its rep. */
static clump_status place_reps(clump_work *work, clump_blocks *b, const clump_cloud_job *job, size_t records)
{
    b->cell_count = 0;
    for (uint32_t id = 0; id < b->block_count; id++) {
        b->block[id].first = b->cell_count;
        b->cell_count += clump_popcount(b->block[id].cells);
    }
    CLUMP_ASSERT(b->cell_count == records);
    CLUMP_TRY(clump_poll(work));
    CLUMP_TRY(clump_buffer_reserve(work, &b->reps, ((size_t)b->cell_count + 3) * sizeof(clump_rep)));
    b->rep = b->reps.data;
    memset(b->rep + b->cell_count, 0, 3 * sizeof(clump_rep));
    const uint32_t *const record = b->records.data;
    for (size_t k = 0; k < records; k++) {
        const uint32_t i = record[k];
        b->rep[clump_cell_number(&b->block[b->owner[i]], b->sub[i])] = clump_rep_of(job, i);
    }
    return CLUMP_OK;
}

/* Builds the blocks with the calling thread alone. */
static clump_status build_alone(clump_work *work, clump_blocks *b, const clump_cloud_job *job, clump_bin_counts *counts)
{
    clump_binning r = {.table = {.key = b->key}};
    CLUMP_TRY(bin_points(work, b, job, &r));
    const clump_table *const t = &r.table;
    b->slot = t->slot;
    b->slots = t->slots;
    b->block = t->block;
    b->block_count = t->count;
    *counts = r.counts;
    /* The next frame is probably alike: its table need not grow, and is not far too large to clear either. */
    b->hint = t->count < t->budget / 4 ? t->budget / 2 : t->budget;
    return b->shells ? CLUMP_OK : place_reps(work, b, job, r.records);
}

static clump_status reserve_fixed(clump_work *work, clump_blocks *b, size_t n)
{
    CLUMP_TRY(clump_buffer_reserve(work, &b->subs, n));
    return clump_buffer_reserve(work, &b->records, n * sizeof(uint32_t));
}

clump_status clump_blocks_build(clump_work *work, clump_blocks *b, const clump_cloud_job *job, int threads)
{
    CLUMP_TRY(reserve_fixed(work, b, job->count));
    b->key = work->hash_key;
    b->sub = b->subs.data;
    b->owner = (uint32_t *)job->labels;
    clump_bin_counts counts = {0};
    CLUMP_TRY(threads > 1 ? clump_blocks_merge(work, b, job, threads, &counts) : build_alone(work, b, job, &counts));
    b->finite = job->count - counts.unfinite;
    b->masked = counts.masked;
    b->left_out = counts.left_out;
    return CLUMP_OK;
}

clump_status clump_blocks_reserve(clump_work *work, clump_blocks *b, size_t max_points, int threads)
{
    CLUMP_TRY(reserve_fixed(work, b, max_points));
    CLUMP_TRY(clump_buffer_reserve(work, &b->blocks, (max_points + 64) * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->table,
                                   ((size_t)clump_block_slots(max_points, max_points) + 4) * sizeof(uint32_t)));
    if (threads > 1) CLUMP_TRY(clump_blocks_merge_reserve(work, b, max_points, threads));
    return clump_buffer_reserve(work, &b->reps, (max_points + 64) * sizeof(clump_rep));
}

void clump_blocks_release(clump_work *work, clump_blocks *b)
{
    clump_blocks_work *const w = &b->own_work;
    clump_buffer *const all[] = {&b->blocks,  &b->table,  &b->subs,     &b->records, &b->reps,
                                 &w->entries, &w->merged, &w->progress, &w->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(work, all[i]);
    b->hint = 0;
    w->doublings = 0;
}
