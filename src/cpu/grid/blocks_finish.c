/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_finish.c: the last steps of blocks_merge.c: final numbers of blocks and cells, the hash table, reps, owner[].
 */
#include "core/work.h"
#include "cpu/grid/merge_work.h"

#include <string.h>

#define PLACED 1024 /* points at a time: their fresh ones are listed first, which leaves no branch to predict */

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
    const clump_deal_entry *const entry = d->entry + clump_deal_begin(d, c, p);
    const size_t count = clump_deal_begin(d, c, p + 1) - clump_deal_begin(d, c, p);
    const uint32_t first_point = (uint32_t)(d->points * c), *const numbers = clump_merge_numbers(m, c, p);
    for (size_t base = 0; base < count; base += PLACED) {
        const size_t end = count - base < PLACED ? count : base + PLACED;
        uint32_t fresh[PLACED];
        size_t kept = 0;
        for (size_t at = base; at < end; at++) {
            fresh[kept] = (uint32_t)at;
            kept += (entry[at].tag & CLUMP_DEAL_FRESH) != 0;
        }
        for (size_t k = 0; k < kept; k++) {
            const clump_deal_entry *const e = &entry[fresh[k]];
            const uint32_t cell = clump_cell_number(&block[numbers[fresh[k]]], clump_deal_sub(e->tag));
            m->b->rep[cell] =
                (clump_rep){.x = e->x, .y = e->y, .z = e->z, .index = first_point + clump_deal_place(e->tag)};
        }
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
    uint64_t fresh, cells; /* cells of the block */
    uint32_t first;        /* of them */
} bundle_note;

typedef struct bundle_notes {
    bundle_note *note;
    uint32_t *block; /* apart from the rest: all points need it */
} bundle_notes;

static bundle_notes note_bundles(const clump_merge *m, size_t c, void *scratch)
{
    const size_t bundles = (clump_deal_begin(&m->deal, c, m->deal.parts) - m->deal.chunk[c].begin) / 2;
    const bundle_notes notes = {scratch, (uint32_t *)((bundle_note *)scratch + bundles)};
    const clump_deal *const d = &m->deal;
    for (uint32_t p = 0; p < d->parts; p++) {
        const clump_deal_entry *e = d->entry + clump_deal_begin(d, c, p), *const end =
                                                                              d->entry + clump_deal_begin(d, c, p + 1);
        const clump_block *const block = m->merged + m->part[p].room;
        for (; e < end; e += 2) {
            const clump_block *const k = &block[e->bx];
            notes.note[e->number] = (bundle_note){.fresh = e[1].cells, .cells = k->cells, .first = k->first};
            notes.block[e->number] = (uint32_t)k->x;
        }
    }
    return notes;
}

static void finish_bundles(const clump_merge *m, size_t c, void *scratch)
{
    const clump_blocks *const b = m->b;
    uint32_t *const record = m->deal.record + m->deal.points * c;
    size_t kept = 0;
    const bundle_notes notes = note_bundles(m, c, scratch);
    for (size_t k = 0; k < m->deal.chunk[c].records; k++) {
        const uint32_t i = record[k];
        record[kept] = i;
        kept += notes.note[b->owner[i]].fresh >> b->sub[i] & 1;
    }
    for (size_t k = 0; k < kept; k++) {
        const uint32_t i = record[k];
        const bundle_note *const of = &notes.note[b->owner[i]];
        b->rep[of->first + clump_popcount(of->cells & (((uint64_t)1 << b->sub[i]) - 1))] = clump_rep_of(m->deal.job, i);
    }
    const size_t end = clump_deal_end(&m->deal, c);
    for (size_t i = m->deal.points * c; i < end; i++)
        if (b->owner[i] != CLUMP_NO_BLOCK) b->owner[i] = notes.block[b->owner[i]];
}

/* Writes owner[] and sub[] in the order of the points. `number` has room for the chunk. */
static void finish_points(const clump_merge *m, size_t c, uint32_t *number)
{
    const clump_deal *const d = &m->deal;
    const size_t begin = d->points * c, end = clump_deal_end(d, c);
    const clump_deal_entry *const entry = d->entry + d->chunk[c].begin;
    const uint32_t *const start = d->start + (d->parts + 1) * c;
    uint32_t *const owner = m->b->owner + begin;
    uint8_t *const sub = m->b->sub + begin;
    memcpy(number, owner, start[d->parts] * sizeof *number);
    for (uint32_t p = 0; p < d->parts; p++) {
        const uint32_t first = m->part[p].tally[0].blocks - m->part[p].blocks; /* the only group, counted up */
        for (size_t at = start[p]; at < start[p + 1]; at++) {
            const uint32_t tag = entry[at].tag;
            owner[clump_deal_place(tag)] = first + number[at];
            sub[clump_deal_place(tag)] = (uint8_t)clump_deal_sub(tag);
        }
    }
    for (size_t at = start[d->parts]; at < end - begin; at++) owner[clump_deal_place(entry[at].tag)] = CLUMP_NO_BLOCK;
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
    const size_t groups = (m->deal.chunks + m->group - 1) / m->group * m->split;
    for (size_t g = 0; g < groups; g++) {
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

clump_status clump_blocks_finish(clump_work *work, clump_merge *m, int threads)
{
    clump_blocks *const b = m->b;
    number_blocks(m);
    b->slots = clump_block_slots(b->block_count, m->deal.job->count);
    CLUMP_TRY(clump_buffer_reserve(work, &b->blocks, b->block_count * sizeof(clump_block)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->table, (size_t)b->slots * sizeof(uint32_t)));
    CLUMP_TRY(clump_buffer_reserve(work, &b->reps, ((size_t)b->cell_count + 3) * sizeof(clump_rep)));
    b->block = b->blocks.data;
    b->slot = b->table.data;
    b->rep = b->reps.data;
    memset(b->slot, 0xff, (size_t)b->slots * sizeof *b->slot);
    memset(b->rep + b->cell_count, 0, 3 * sizeof(clump_rep));
    CLUMP_TRY(clump_run(work, threads, m->deal.parts, 1, finish_parts, m));
    return clump_run(work, threads, m->deal.chunks, 1, finish_chunks, m);
}
