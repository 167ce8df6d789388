/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks_merge.c: see merge_work.h. Four runs of the team, the last two of which finish:
 *
 *     deal      each chunk of points is sorted by part (deal.c).
 *     merge     each part makes its blocks, chunk by chunk, through a hash table of its own. An entry learns the number
 *               of its block in the part, and which of its cells are fresh: no earlier entry has them.
 *     finish    each part copies its blocks to their final places and puts them into the hash table of all blocks. Each
 *               chunk writes final numbers into owner[]. The first points of fresh cells become reps.
 *
 * Between the runs there are sums over the parts only. A part sees its entries in the order of the points. So blocks,
 * cells and reps do not depend on which thread comes first; only the places in the hash table do.
 *
 *     buffer      deal              merge                              finish
 *     owner[]     bundles           plain chunks: blocks in the        final blocks
 *                                   part, in the order of entries
 *     entries     bundles, points   and numbers, fresh cells
 *     merged                        blocks of the parts, with gaps     final numbers, first cells
 *     b->table                      hash tables of the parts           hash table
 *     b->blocks                                                        blocks
 *     b->reps                                                          reps
 *
 * A part has room for one block per bundle or point, or per four where there are many. If this is not enough, the build
 * begins again with more room.
 */
#include "cpu/grid/merge_work.h"

#include "core/work.h"

#include <string.h>

#define MERGE_FIRST_SLOTS 1024 /* of the hash table of a part, which grows by a factor of 4 */
#define MERGE_FEW         4    /* points per entry that make entries few; scans and dense clouds have more */
#define MERGE_DOUBLINGS   2    /* of the room for blocks, from a block per four entries to a block per entry */
#define MERGE_LEAST       16   /* blocks of a part that have room in any case */

/* ----- merge ---------------------------------------------------------------------------------------------------- */

static size_t room_of_part(const clump_merge *m, size_t p)
{
    return m->part[p + 1].room - m->part[p].room;
}

/* Makes an empty table with two slots per block that fits, 1024 to begin with. Its key is another one: by the key of the
 * final table all blocks of a part are near to each other. */
static clump_table begin_table(const clump_merge *m, size_t p)
{
    const size_t begin = m->part[p].room, room = room_of_part(m, p);
    const clump_hash_key key = m->deal.key;
    clump_table t = {.key = {key.level, key.x, key.y, key.z},
                     .block = m->merged + begin,
                     .slot = (uint32_t *)m->b->table.data + 2 * begin};
    t.slots = 2 * room < MERGE_FIRST_SLOTS ? (uint32_t)(2 * room) : MERGE_FIRST_SLOTS;
    t.budget = t.slots / 2;
    if (room > 0) clump_table_refill(&t);
    return t;
}

static void grow_table(clump_table *t, size_t room)
{
    CLUMP_ASSERT(t->budget < room);
    t->slots = t->slots < room / 2 ? 4 * t->slots : (uint32_t)(2 * room);
    t->budget = t->slots / 2;
    clump_table_refill(t);
}

/* Returns the number of the block with the coordinates of `like`, which is added if there is none yet. CLUMP_NO_BLOCK: it
 * does not fit. */
static uint32_t add_block(clump_table *t, size_t room, const clump_block *like)
{
    uint32_t number;
    while ((number = clump_table_add(t, like)) == CLUMP_NO_BLOCK && t->budget < room) grow_table(t, room);
    return number;
}

/* The groups of the bundles in a chunk. */
typedef struct chunk_groups {
    uint32_t first;
    uint64_t per_bundle; /* times 2^32 */
} chunk_groups;

static chunk_groups groups_of_chunk(const clump_merge *m, size_t c)
{
    const uint64_t entries = clump_deal_begin(&m->deal, c, m->deal.parts) - m->deal.chunk[c].begin;
    return (chunk_groups){.first = (uint32_t)(c / m->group) * m->split,
                          .per_bundle = m->split == 1 || entries == 0 ? 0 : ((uint64_t)m->split << 33) / entries};
}

/* Merges bundles. Returns false if a block does not fit. */
static bool merge_bundles(clump_table *t, size_t room, chunk_groups groups, clump_deal_entry *begin,
                          const clump_deal_entry *end)
{
    for (clump_deal_entry *e = begin; e < end; e += 2) {
        const int32_t x = e->bx, y = e->by, z = e->bz;
        const uint64_t cells = e[1].cells;
        uint32_t number = t->slot[clump_hash_slot(clump_hash(t->key, x, y, z, 0), t->slots)];
        clump_block *k = &t->block[number == CLUMP_NO_BLOCK ? 0 : number];
        if (number == CLUMP_NO_BLOCK || ((k->x ^ x) | (k->y ^ y) | (k->z ^ z)) != 0) { /* not at the first place */
            const uint32_t group = groups.first + (uint32_t)(e->number * groups.per_bundle >> 32);
            number = add_block(t, room, &(clump_block){.x = x, .y = y, .z = z, .first = group});
            if (number == CLUMP_NO_BLOCK) return false;
            k = &t->block[number];
        }
        const uint64_t seen = k->cells;
        k->multi |= e[1].multi | (cells & seen);
        k->cells = seen | cells;
        e->bx = (int32_t)number;
        e[1].cells = cells & ~seen;
    }
    return true;
}

/* Merges the m points of a batch. number[] becomes the block of each. Returns false if a block does not fit. */
static bool merge_batch(clump_table *t, size_t room, const clump_bin_cells *c, size_t m, clump_deal_entry *e,
                        uint32_t *restrict number)
{
    for (size_t j = 0; j < m; j++) {
        const int32_t x = c->bx[j], y = c->by[j], z = c->bz[j];
        uint32_t id = t->slot[c->slot[j]];
        clump_block *k = &t->block[id == CLUMP_NO_BLOCK ? 0 : id];
        if (id == CLUMP_NO_BLOCK || ((k->x ^ x) | (k->y ^ y) | (k->z ^ z)) != 0) { /* not at the first place */
            id = add_block(t, room, &(clump_block){.x = x, .y = y, .z = z});
            if (id == CLUMP_NO_BLOCK) return false;
            k = &t->block[id];
        }
        const uint64_t seen = k->cells, bit = (uint64_t)1 << c->sub[j], met = seen & bit;
        k->multi |= met;
        k->cells = seen | bit;
        number[j] = id;
        e[j].tag |= (uint32_t)c->sub[j] << CLUMP_DEAL_CELL | (met ? 0 : CLUMP_DEAL_FRESH);
    }
    return true;
}

/* Merges points of a plain chunk. Returns false if a block does not fit. */
static bool merge_points(clump_table *t, size_t room, clump_bin_rule rule, clump_deal_entry *begin,
                         const clump_deal_entry *end, uint32_t *number)
{
    clump_bin_cells c;
    for (clump_deal_entry *e = begin; e < end; e += CLUMP_BIN_BATCH, number += CLUMP_BIN_BATCH) {
        const size_t count = end - e < CLUMP_BIN_BATCH ? (size_t)(end - e) : CLUMP_BIN_BATCH;
        clump_bin_cells_of(&c, rule, false, (const char *)e, sizeof *e, count);
        while (t->budget < room && t->budget - t->count < count) grow_table(t, room); /* not later: the slots change */
        clump_bin_slots_of(&c, t->key, t->slots, count);
        if (!merge_batch(t, room, &c, count, e, number)) return false;
    }
    return true;
}

/* Counts the blocks and cells of a part by group. */
static void tally_blocks(clump_merge_part *part, const clump_table *t)
{
    memset(part->tally, 0, sizeof part->tally);
    for (uint32_t k = 0; k < t->count; k++) {
        clump_merge_tally *const tally = &part->tally[t->block[k].first];
        tally->blocks++;
        tally->cells += clump_popcount(t->block[k].cells);
    }
    part->blocks = t->count;
}

/* Makes the blocks of a part. Returns false if one does not fit. */
static bool merge_part_of_chunks(const clump_merge *m, size_t p, clump_table *t)
{
    const clump_deal *const d = &m->deal;
    const size_t room = room_of_part(m, p);
    bool fits = true;
    for (size_t c = 0; c < d->chunks && fits && !clump_team_stopped(m->team); c++) {
        clump_deal_entry *const from = d->entry + clump_deal_begin(d, c, p), *const to = d->entry +
                                                                                         clump_deal_begin(d, c, p + 1);
        fits = d->chunk[c].bundled ? merge_bundles(t, room, groups_of_chunk(m, c), from, to)
                                   : merge_points(t, room, d->rule, from, to, clump_merge_numbers(m, c, p));
    }
    return fits;
}

static void merge_parts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const clump_merge *const m = arg;
    for (size_t p = begin; p < end; p++) {
        clump_table t = begin_table(m, p);
        m->part[p].full = !merge_part_of_chunks(m, p, &t);
        tally_blocks(&m->part[p], &t);
    }
}

/* ----- all of it ------------------------------------------------------------------------------------------------ */

/* Adds up the room for blocks per part. Returns the sum over the parts. */
static size_t room_of_parts(const clump_merge *m, unsigned doublings)
{
    const clump_deal *const d = &m->deal;
    const bool few = *d->used <= d->job->count / MERGE_FEW;
    const unsigned shift = few || doublings >= MERGE_DOUBLINGS ? 0 : MERGE_DOUBLINGS - doublings;
    uint32_t sizes[CLUMP_DEAL_MOST_PARTS] = {0};
    for (size_t c = 0; c < d->chunks; c++) {
        const uint32_t *const start = d->start + (d->parts + 1) * c;
        for (uint32_t p = 0; p < d->parts; p++) sizes[p] += (start[p + 1] - start[p]) >> d->chunk[c].bundled;
    }
    size_t room = 0;
    for (uint32_t p = 0; p < d->parts; p++) {
        const size_t wanted = (sizes[p] >> shift) + MERGE_LEAST;
        m->part[p].room = room;
        room += wanted < sizes[p] ? wanted : sizes[p];
    }
    return m->part[d->parts].room = room;
}

/* Chooses the groups, and adds up the points that are left out. */
static clump_bin_counts count_points(clump_merge *m)
{
    const clump_deal *const d = &m->deal;
    clump_bin_counts sum = {0};
    m->group = (d->chunks + CLUMP_MERGE_GROUPS - 1) / CLUMP_MERGE_GROUPS;
    m->split = d->chunks <= CLUMP_MERGE_GROUPS ? (uint32_t)(CLUMP_MERGE_GROUPS / d->chunks) : 1;
    for (size_t c = 0; c < d->chunks; c++) {
        if (!d->chunk[c].bundled) m->group = d->chunks, m->split = 1;
        sum.unfinite += d->chunk[c].counts.unfinite;
        sum.masked += d->chunk[c].counts.masked;
        sum.left_out += d->chunk[c].counts.left_out;
    }
    return sum;
}

static clump_blocks_work *work_of(clump_blocks *b)
{
    return b->lent_work ? b->lent_work : &b->own_work;
}

static clump_status reserve_deal(clump_work *work, clump_blocks_work *w, const clump_deal *d, int threads)
{
    const size_t starts = d->chunks * (d->parts + 1) * sizeof(uint32_t);
    const size_t parts = (d->parts + 1) * sizeof(clump_merge_part), chunks = d->chunks * sizeof(clump_deal_chunk);
    CLUMP_TRY(clump_buffer_reserve(work, &w->scratch, clump_deal_scratch_bytes(d) * (size_t)threads));
    return clump_buffer_reserve(work, &w->progress, parts + chunks + starts);
}

/* Deals all points. If the entries do not fit, makes room and deals again. */
static clump_status deal_points(clump_work *work, clump_blocks_work *w, clump_deal *d, int threads)
{
    CLUMP_TRY(clump_buffer_reserve(work, &w->entries, d->job->count / MERGE_FEW * sizeof(clump_deal_entry)));
    for (;;) {
        *d->used = 0;
        d->entry = w->entries.data;
        d->room = w->entries.bytes / sizeof(clump_deal_entry);
        CLUMP_TRY(clump_run(work, threads, d->chunks, 1, clump_deal_chunks, d));
        if (*d->used <= d->room) return CLUMP_OK;
        CLUMP_TRY(clump_buffer_reserve(work, &w->entries, *d->used * sizeof(clump_deal_entry)));
    }
}

/* Deals all points and makes the blocks of all parts. */
static clump_status merge_points_of_cloud(clump_work *work, clump_merge *m, clump_blocks_work *w, int threads)
{
    for (;;) {
        CLUMP_TRY(deal_points(work, w, &m->deal, threads));
        m->counts = count_points(m);
        const size_t room = room_of_parts(m, w->doublings);
        CLUMP_TRY(clump_buffer_reserve(work, &w->merged, room * sizeof(clump_block)));
        CLUMP_TRY(clump_buffer_reserve(work, &m->b->table, 2 * room * sizeof(uint32_t)));
        m->merged = w->merged.data;
        CLUMP_TRY(clump_run(work, threads, m->deal.parts, 1, merge_parts, m));
        bool full = false;
        for (uint32_t p = 0; p < m->deal.parts; p++) full = full || m->part[p].full;
        if (!full) return CLUMP_OK;
        CLUMP_ASSERT(w->doublings < MERGE_DOUBLINGS);
        w->doublings++;
    }
}

clump_status clump_blocks_merge(clump_work *work, clump_blocks *b, const clump_cloud_job *job, int threads,
                                clump_bin_counts *counts)
{
    clump_blocks_work *const w = work_of(b);
    size_t used;
    clump_merge m = {.team = work->team, .b = b};
    clump_deal *const d = &m.deal;
    *d = (clump_deal){.job = job,
                      .rule = clump_bin_rule_make(b, job),
                      .key = b->key,
                      .owner = b->owner,
                      .sub = b->sub,
                      .record = b->records.data,
                      .used = &used};
    clump_deal_plan(d, job->count, threads, clump_deal_is_random(d));
    CLUMP_TRY(reserve_deal(work, w, d, threads));
    d->scratch = w->scratch.data;
    m.part = w->progress.data;
    d->chunk = (clump_deal_chunk *)(m.part + d->parts + 1);
    d->start = (uint32_t *)(d->chunk + d->chunks);
    CLUMP_TRY(merge_points_of_cloud(work, &m, w, threads));
    *counts = m.counts;
    return clump_blocks_finish(work, &m, threads);
}

clump_status clump_blocks_merge_reserve(clump_work *work, clump_blocks *b, size_t max_points, int threads)
{
    clump_blocks_work *const w = work_of(b);
    for (int t = 2; t <= threads; t++) { /* a smaller cloud may have fewer threads */
        clump_deal d;
        clump_deal_plan(&d, max_points, t, true); /* has the larger chunks */
        d.chunks = clump_deal_most_chunks(max_points, t);
        CLUMP_TRY(reserve_deal(work, w, &d, t));
    }
    CLUMP_TRY(clump_buffer_reserve(work, &w->entries, clump_deal_most_entries(max_points) * sizeof(clump_deal_entry)));
    return clump_buffer_reserve(work, &w->merged, max_points * sizeof(clump_block));
}
