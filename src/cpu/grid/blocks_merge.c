/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_merge.c: see blocks_merge.h. All threads share every step. Only sums over the threads and the last move of the
 * blocks are serial.
 *
 *     clear     each thread empties a part of the slots.
 *     claim     each thread puts its blocks into one hash table by compare-and-swap. Blocks at the same coordinates
 *               form a chain: the slot has the last that came, and each has a link to the one before.
 *     combine   each thread takes a part of the slots. The block of the earliest slice in a chain stays and gets the
 *               cells of all. Each of the others keeps only its fresh cells, those that no earlier slice has.
 *     count     each thread drops the records of cells that are not fresh, and counts the blocks that stay.
 *     number    prefix sums over the threads give the blocks and cells their numbers.
 *     rename    slots and owner[] get the new numbers; the blocks that stay are moved together.
 *
 * Slices are in the order of the points and blocks in the order of their first points. So the numbers do not depend on
 * which thread comes first; only the places in the hash table do.
 *
 * The links lie where the threads' own hash tables were. They hold, one after the other: the next in the chain; of a
 * duplicate, the block that stays; the new number of the block.
 */
#include "cpu/grid/blocks_merge.h"

#include "common/share.h"
#include "cpu/grid/bin.h"
#include "cpu/grid/slices.h"

#include <string.h>

#define MERGE_DUPLICATE UINT32_MAX /* as the first cell of a block that does not stay */

typedef struct merge {
    clump_blocks *b;
    clump_bin_slice *slices;
    clump_block *blocks; /* before the merge, a block's number is its place here */
    uint32_t budget;     /* blocks per slice */
    int threads;
} merge;

/* Returns the link of a block. */
static inline uint32_t *link_of(const merge *m, uint32_t number)
{
    CLUMP_ASSERT(number / m->budget < (uint32_t)m->threads);
    return &m->slices[number / m->budget].table.slot[number % m->budget];
}

/* Returns part t of the slots, of as many parts as there are threads. */
static clump_share slots_of(const merge *m, size_t t)
{
    return clump_share_of(m->b->slots, (int)t, m->threads);
}

static void clear_slots(void *arg, size_t t)
{
    const merge *const m = arg;
    const clump_share s = slots_of(m, t);
    memset(m->b->slot + s.begin, 0xff, (s.end - s.begin) * sizeof *m->b->slot);
}

static void claim_slots(void *arg, size_t t)
{
    const merge *const m = arg;
    const clump_table *const mine = &m->slices[t].table;
    uint32_t *const slot = m->b->slot;
    for (uint32_t k = 0; k < mine->count; k++) {
        const clump_block *const from = &mine->block[k];
        const uint32_t number = m->budget * (uint32_t)t + k;
        uint32_t s = clump_blocks_slot(m->b, from->x, from->y, from->z);
        for (;;) {
            uint32_t seen = CLUMP_LOAD(&slot[s]);
            const clump_block *const other = &m->blocks[seen == CLUMP_NO_BLOCK ? number : seen];
            if (((other->x ^ from->x) | (other->y ^ from->y) | (other->z ^ from->z)) == 0) {
                mine->slot[k] = seen;
                if (CLUMP_SWAP(&slot[s], &seen, number)) break;
            } else if (++s == m->b->slots) {
                s = 0;
            }
        }
    }
}

/* Writes the numbers of a chain in ascending order and returns how many there are. A slice has a block at most once. */
static unsigned chain_of(const merge *m, uint32_t head, uint32_t *chain)
{
    unsigned count = 0;
    for (uint32_t number = head; number != CLUMP_NO_BLOCK; number = *link_of(m, number)) {
        CLUMP_ASSERT(count < (unsigned)m->threads);
        unsigned at = count++;
        for (; at > 0 && chain[at - 1] > number; at--) chain[at] = chain[at - 1];
        chain[at] = number;
    }
    return count;
}

static void combine_chains(void *arg, size_t t)
{
    const merge *const m = arg;
    const clump_share s = slots_of(m, t);
    uint32_t chain[CLUMP_MAX_THREADS];
    for (size_t i = s.begin; i < s.end; i++) {
        const uint32_t head = m->b->slot[i];
        if (head == CLUMP_NO_BLOCK || *link_of(m, head) == CLUMP_NO_BLOCK) continue;
        const unsigned count = chain_of(m, head, chain);
        clump_block *const first = &m->blocks[chain[0]];
        for (unsigned k = 1; k < count; k++) {
            clump_block *const other = &m->blocks[chain[k]];
            const uint64_t fresh = other->cells & ~first->cells;
            first->multi |= other->multi | (other->cells & first->cells);
            first->cells |= fresh;
            other->cells = fresh;
            other->first = MERGE_DUPLICATE;
            *link_of(m, chain[k]) = chain[0];
        }
        m->b->slot[i] = chain[0];
    }
}

/* A block that stays has the cells of all slices, so it keeps all records of its own slice. */
static void count_blocks(void *arg, size_t t)
{
    const merge *const m = arg;
    clump_bin_slice r = m->slices[t]; /* a copy, against false sharing */
    uint32_t *const record = (uint32_t *)m->b->records.data + r.begin;
    size_t kept = 0;
    for (size_t k = 0; k < r.records; k++) {
        const uint32_t i = record[k];
        record[kept] = i;
        kept += r.table.block[m->b->owner[i]].cells >> m->b->sub[i] & 1;
    }
    r.records = kept;
    r.own_blocks = r.own_cells = 0;
    for (uint32_t k = 0; k < r.table.count; k++) {
        const clump_block *const block = &r.table.block[k];
        if (block->first == MERGE_DUPLICATE) continue;
        r.own_blocks++;
        r.own_cells += clump_popcount(block->cells);
    }
    m->slices[t] = r;
}

/* Sums own_blocks and own_cells of all slices before t. */
static void sums_before(const merge *m, int t, uint32_t *blocks, uint32_t *cells)
{
    *blocks = *cells = 0;
    for (int u = 0; u < t; u++) {
        *blocks += m->slices[u].own_blocks;
        *cells += m->slices[u].own_cells;
    }
}

static void number_blocks(void *arg, size_t t)
{
    const merge *const m = arg;
    const clump_table *const mine = &m->slices[t].table;
    uint32_t block, cell;
    sums_before(m, (int)t, &block, &cell);
    for (uint32_t k = 0; k < mine->count; k++) {
        if (mine->block[k].first == MERGE_DUPLICATE) continue;
        mine->slot[k] = block++;
        mine->block[k].first = cell;
        cell += clump_popcount(mine->block[k].cells);
    }
}

static void rename_slots(const merge *m, size_t t)
{
    const clump_share s = slots_of(m, t);
    uint32_t *const slot = m->b->slot;
    for (size_t i = s.begin; i < s.end; i++)
        if (slot[i] != CLUMP_NO_BLOCK) slot[i] = *link_of(m, slot[i]);
}

/* Links of blocks that stay are read by all threads, links of duplicates only by their own thread. */
static void rename_points(const merge *m, size_t t)
{
    const clump_bin_slice *const r = &m->slices[t];
    uint32_t *const now = r->table.slot, *const owner = m->b->owner;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < r->table.count; k++) {
        if (r->table.block[k].first == MERGE_DUPLICATE)
            now[k] = *link_of(m, now[k]);
        else
            r->table.block[kept++] = r->table.block[k];
    }
    for (size_t i = r->begin; i < r->end; i++)
        if (owner[i] != CLUMP_NO_BLOCK) owner[i] = now[owner[i]];
}

static void rename_blocks(void *arg, size_t t)
{
    rename_slots(arg, t);
    rename_points(arg, t);
}

clump_status clump_blocks_merge(clump_context *ctx, clump_blocks *b, size_t n, int threads)
{
    merge m = {b, b->progress.data, b->blocks.data, b->budget, threads};
    size_t sum = 0;
    for (int t = 0; t < threads; t++) sum += m.slices[t].table.count;
    b->slots = clump_block_slots(sum, n);
    CLUMP_ASSERT(sum < b->slots);
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->table, (size_t)b->slots * sizeof(uint32_t)));
    b->block = m.blocks;
    b->slot = b->table.data;
    clump_slice_step *const steps[] = {clear_slots,  claim_slots,   combine_chains,
                                       count_blocks, number_blocks, rename_blocks};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) CLUMP_TRY(clump_each_slice(ctx, threads, steps[k], &m));
    sums_before(&m, threads, &b->block_count, &b->cell_count);
    uint32_t at = m.slices[0].own_blocks;
    for (int t = 1; t < threads; t++) { /* to lower places, so one slice after the other */
        memmove(b->block + at, m.slices[t].table.block, m.slices[t].own_blocks * sizeof *b->block);
        at += m.slices[t].own_blocks;
    }
    return CLUMP_OK;
}
