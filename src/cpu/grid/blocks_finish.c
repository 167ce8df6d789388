/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_finish.c: the last steps of blocks_merge.c: final numbers of blocks and cells, the hash table, reps, owner[].
 */
#include "core/context.h"
#include "cpu/grid/blocks_merge.h"
#include "cpu/grid/merge_work.h"

#include <string.h>

/* ----- finish: parts ---------------------------------------------------------------------------------------------- */

/* Puts a block into the hash table of all blocks. All blocks are different. */
static void fill_slot(const clump_blocks *b, uint32_t id)
{
    const clump_block *const k = &b->block[id];
    uint32_t s = clump_blocks_slot(b, k->x, k->y, k->z), empty = CLUMP_NO_BLOCK;
    while (!CLUMP_SWAP(&b->slot[s], &empty, id)) {
        if (empty != CLUMP_NO_BLOCK && ++s == b->slots) s = 0;
        empty = CLUMP_NO_BLOCK;
    }
}

/* Makes the fresh points of a part in a plain chunk reps. */
static void place_points(const clump_merge *m, size_t c, size_t p)
{
    const clump_deal *const d = &m->deal;
    const clump_merge_part *const part = &m->part[p];
    const clump_block *const block = m->merged + part->room;
    const size_t begin = clump_deal_begin(d, c, p), end = clump_deal_begin(d, c, p + 1);
    const uint32_t first_point = (uint32_t)(d->points * c), *const numbers = clump_merge_numbers(m, c, p);
    uint16_t fresh[CLUMP_DEAL_MOST];
    size_t count = 0;
    for (size_t at = begin; at < end; at++) {
        fresh[count] = (uint16_t)(at - begin);
        count += (d->entry[at].point_tag & CLUMP_DEAL_FRESH) != 0;
    }
    for (size_t k = 0; k < count; k++) {
        const clump_deal_entry *const e = &d->entry[begin + fresh[k]];
        const uint32_t number = numbers[fresh[k]];
        const uint32_t cell = clump_cell_number(&block[number], clump_deal_sub(e->point_tag));
        m->b->rep[cell] =
            (clump_rep){.x = e->x, .y = e->y, .z = e->z, .index = first_point + clump_deal_low(e->point_tag)};
    }
}

/* Copies the blocks of a part to their final places, with the numbers of their cells. */
static void place_blocks(const clump_merge *m, size_t p)
{
    clump_merge_part *const part = &m->part[p];
    for (uint32_t k = 0; k < part->blocks; k++) {
        clump_block *const from = &m->merged[part->room + k];
        clump_merge_tally *const tally = &part->tally[from->first];
        const uint32_t id = tally->blocks++;
        from->first = tally->cells;
        tally->cells += clump_popcount(from->cells);
        m->b->block[id] = *from;
        fill_slot(m->b, id);
        from->x = (int32_t)id;
    }
}

static void finish_parts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_merge *const m = arg;
    for (size_t p = begin; p < end; p++) {
        place_blocks(m, p);
        for (size_t c = 0; c < m->deal.chunks; c++)
            if (!m->deal.chunk[c].bundled) place_points(m, c, p);
    }
}

/* ----- finish: chunks --------------------------------------------------------------------------------------------- */

/* What a bundled chunk knows about its bundles, by number. Lies in the scratch memory of the worker. */
typedef struct bundle_note {
    uint64_t fresh;
    const clump_block *block; /* as merged */
} bundle_note;

static void note_bundles(const clump_merge *m, size_t c, bundle_note *note)
{
    const clump_deal *const d = &m->deal;
    for (uint32_t p = 0; p < d->parts; p++) {
        const clump_deal_entry *e = d->entry + clump_deal_begin(d, c, p), *const end =
                                                                              d->entry + clump_deal_begin(d, c, p + 1);
        const clump_block *const block = m->merged + m->part[p].room;
        while (e < end) {
            const bool single = e->tag & CLUMP_DEAL_SINGLE;
            note[clump_deal_low(e->tag)] =
                (bundle_note){.fresh = single ? (uint64_t)e->by << clump_deal_sub(e->tag) : e[1].cells,
                              .block = block + (uint32_t)e->bx};
            e += single ? 1 : 2;
        }
    }
}

static void finish_bundles(const clump_merge *m, size_t c, bundle_note *note)
{
    const clump_blocks *const b = m->b;
    uint32_t *const record = m->deal.record + m->deal.points * c;
    size_t kept = 0;
    note_bundles(m, c, note);
    for (size_t k = 0; k < m->deal.chunk[c].records; k++) {
        const uint32_t i = record[k];
        record[kept] = i;
        kept += note[b->owner[i]].fresh >> b->sub[i] & 1;
    }
    for (size_t k = 0; k < kept; k++) {
        const uint32_t i = record[k];
        b->rep[clump_cell_number(note[b->owner[i]].block, b->sub[i])] = clump_rep_of(m->deal.job, i);
    }
    const size_t end = clump_deal_end(&m->deal, c);
    for (size_t i = m->deal.points * c; i < end; i++)
        if (b->owner[i] != CLUMP_NO_BLOCK) b->owner[i] = (uint32_t)note[b->owner[i]].block->x;
}

/* Writes owner[] and sub[] in the order of the points. `number` has room for the chunk. */
static void finish_points(const clump_merge *m, size_t c, uint32_t *number)
{
    const clump_deal *const d = &m->deal;
    const size_t begin = d->points * c, end = clump_deal_end(d, c);
    const clump_deal_entry *const entry = d->entry + d->chunk[c].begin;
    const uint16_t *const start = d->start + (d->parts + 1) * c;
    uint32_t *const owner = m->b->owner + begin;
    uint8_t *const sub = m->b->sub + begin;
    memcpy(number, owner, start[d->parts] * sizeof *number);
    for (uint32_t p = 0; p < d->parts; p++) {
        const uint32_t first = m->part[p].tally[0].blocks - m->part[p].blocks; /* the only group, counted up */
        for (size_t at = start[p]; at < start[p + 1]; at++) {
            const uint32_t tag = entry[at].point_tag;
            owner[clump_deal_low(tag)] = first + number[at];
            sub[clump_deal_low(tag)] = (uint8_t)clump_deal_sub(tag);
        }
    }
    for (size_t at = start[d->parts]; at < end - begin; at++)
        owner[clump_deal_low(entry[at].point_tag)] = CLUMP_NO_BLOCK;
}

static void finish_chunks(void *arg, size_t begin, size_t end, int worker)
{
    const clump_merge *const m = arg;
    void *const scratch = m->deal.scratch + clump_deal_scratch_bytes(&m->deal) * (size_t)worker;
    for (size_t c = begin; c < end; c++) {
        if (m->deal.chunk[c].bundled)
            finish_bundles(m, c, scratch);
        else
            finish_points(m, c, scratch);
    }
}

/* ----- all of it ------------------------------------------------------------------------------------------------ */

/* Gives the groups of all parts their first blocks and cells. */
static void number_blocks(const clump_merge *m)
{
    uint32_t blocks = 0, cells = 0;
    for (size_t g = 0; g * m->group < m->deal.chunks; g++) {
        for (uint32_t p = 0; p < m->deal.parts; p++) {
            clump_merge_tally *const tally = &m->part[p].tally[g];
            const clump_merge_tally sizes = *tally;
            *tally = (clump_merge_tally){blocks, cells};
            blocks += sizes.blocks;
            cells += sizes.cells;
        }
    }
    m->b->block_count = blocks;
    m->b->cell_count = cells;
}

clump_status clump_blocks_finish(clump_context *ctx, clump_merge *m, int threads)
{
    clump_blocks *const b = m->b;
    number_blocks(m);
    b->slots = clump_block_slots(b->block_count, m->deal.job->count);
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->blocks, b->block_count * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->table, (size_t)b->slots * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(ctx, &b->reps, ((size_t)b->cell_count + 3) * sizeof(clump_rep)));
    b->block = b->blocks.data;
    b->slot = b->table.data;
    b->rep = b->reps.data;
    memset(b->slot, 0xff, (size_t)b->slots * sizeof *b->slot);
    memset(b->rep + b->cell_count, 0, 3 * sizeof(clump_rep));
    CLUMP_TRY(clump_run(ctx, threads, m->deal.parts, 1, finish_parts, m));
    return clump_run(ctx, threads, m->deal.chunks, 1, finish_chunks, m);
}
