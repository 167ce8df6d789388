/* SPDX-License-Identifier: BSD-3-Clause
 *
 * deal.c: see deal.h.
 */
#include "cpu/grid/deal.h"

#include <string.h>

#define DEAL_LEAST_POINTS 4096 /* per chunk */
#define DEAL_MOST_IN_ORDER                                                                                             \
    12288                  /* per chunk of points in order: less than 0.1 ms, the time in which a thread wakes up */
#define DEAL_CHUNKS      2 /* per thread, for clouds of medium size */
#define DEAL_LEAST_PARTS 16
#define DEAL_PART_POINTS 8192
/* After a sixteenth of its points a chunk turns plain if seven eighths of them have bundles of their own: random points
 * that would have a bundle per four or five points in the end. */
#define DEAL_PROBED 16

/* Scratch memory of a worker: bundles, their hash table, the parts of bundles or points. */
typedef struct deal_scratch {
    clump_block *bundle; /* as many as a batch may add too many, and a sentinel */
    uint16_t *slot;      /* hash table: number of a bundle, or of the sentinel */
    uint8_t *part;       /* one per point */
    uint32_t slots;
    uint32_t count; /* of bundles */
} deal_scratch;

bool clump_deal_is_random(const clump_deal *d)
{
    enum { BATCHES = 4, SLOTS = 1024 };
    const size_t n = d->job->count;
    if (n < BATCHES * CLUMP_BIN_BATCH) return false;
    const size_t begin = (n - BATCHES * CLUMP_BIN_BATCH) / 2;
    uint32_t seen[SLOTS] = {0}, count = 0; /* hashes in place of blocks: one of 2^32 is missed */
    clump_bin_cells cells;
    for (size_t k = 0; k < BATCHES; k++) {
        clump_bin_cells_of_cloud(&cells, d->rule, d->job, begin + k * CLUMP_BIN_BATCH, CLUMP_BIN_BATCH);
        for (size_t j = 0; j < CLUMP_BIN_BATCH; j++) {
            const uint32_t hash = clump_hash(d->key, cells.bx[j], cells.by[j], cells.bz[j], 0);
            uint32_t at = hash % SLOTS;
            while (seen[at] != 0 && seen[at] != hash) at = (at + 1) % SLOTS;
            count += seen[at] != hash;
            seen[at] = hash;
        }
    }
    return count > BATCHES * CLUMP_BIN_BATCH / 4 * 3;
}

void clump_deal_plan(clump_deal *d, size_t n, int threads, bool random)
{
    CLUMP_ASSERT(threads >= 1);
    const size_t usual = DEAL_CHUNKS * (size_t)threads;
    const size_t most = random ? CLUMP_DEAL_MOST : DEAL_MOST_IN_ORDER;
    size_t points = (n / usual / CLUMP_BIN_BATCH + 1) * CLUMP_BIN_BATCH; /* no more chunks than usual */
    if (points < DEAL_LEAST_POINTS) points = DEAL_LEAST_POINTS;
    d->points = points < most ? points : most;
    d->chunks = (n + d->points - 1) / d->points;
    if (!random && d->chunks > (size_t)threads) { /* as many for each thread, of equal size */
        const size_t even = (d->chunks + (size_t)threads - 1) / (size_t)threads * (size_t)threads;
        d->points = (n / even / CLUMP_BIN_BATCH + 1) * CLUMP_BIN_BATCH;
        if (d->points < DEAL_LEAST_POINTS) d->points = DEAL_LEAST_POINTS;
        d->chunks = (n + d->points - 1) / d->points;
    }
    d->parts = DEAL_LEAST_PARTS;
    while (d->parts < CLUMP_DEAL_MOST_PARTS && d->parts * (size_t)DEAL_PART_POINTS < n) d->parts *= 2;
}

size_t clump_deal_most_chunks(size_t n, int threads)
{
    return n / DEAL_MOST_IN_ORDER + 1 + DEAL_CHUNKS * (size_t)threads;
}

size_t clump_deal_most_entries(size_t n)
{
    /* One per point of a plain chunk, and no more in bundled ones but for the last, which may have any length. */
    clump_deal d;
    clump_deal_plan(&d, n, 1, true);
    return n + 2 * (d.points / CLUMP_DEAL_BUNDLES);
}

/* Returns the number of bundles that fit: a batch is added before they are counted. */
static size_t room_for_bundles(const clump_deal *d)
{
    _Static_assert(CLUMP_DEAL_MOST / CLUMP_DEAL_BUNDLES + CLUMP_BIN_BATCH <= UINT16_MAX, "slots have 16 bits");
    return d->points / CLUMP_DEAL_BUNDLES + CLUMP_BIN_BATCH;
}

/* Returns the number of slots for them: most bundles shall be found at the first place. */
static uint32_t slots_for_bundles(const clump_deal *d)
{
    return (uint32_t)(6 * room_for_bundles(d));
}

size_t clump_deal_scratch_bytes(const clump_deal *d)
{
    const size_t bytes = (room_for_bundles(d) + 1) * sizeof(clump_block) + slots_for_bundles(d) * sizeof(uint16_t) +
                         d->points * sizeof(uint8_t);
    return (bytes + 63) / 64 * 64;
}

static deal_scratch scratch_of(const clump_deal *d, int worker)
{
    deal_scratch s = {.bundle = (clump_block *)(d->scratch + clump_deal_scratch_bytes(d) * (size_t)worker)};
    s.slot = (uint16_t *)(s.bundle + room_for_bundles(d) + 1);
    s.slots = slots_for_bundles(d);
    s.part = (uint8_t *)(s.slot + s.slots);
    return s;
}

/* Returns the part of a block: the blocks of a part have a stretch of the final hash table for themselves, so threads that
 * fill it do not write to the same cache lines. */
static inline uint8_t part_of_block(const clump_deal *d, int32_t x, int32_t y, int32_t z)
{
    return (uint8_t)clump_hash_slot(clump_hash(d->key, x, y, z, 0), d->parts);
}

/* Turns the sizes of the parts into the places where their entries begin, here and in d->start. Claims room for them
 * and for `more` entries. Returns the first entry of the chunk, or null if there is not enough room. */
static clump_deal_entry *begin_parts(const clump_deal *d, size_t c, uint32_t more, uint32_t *next)
{
    uint32_t *const start = d->start + (d->parts + 1) * c;
    uint32_t sum = 0;
    for (uint32_t p = 0; p < d->parts; p++) {
        const uint32_t size = next[p];
        start[p] = sum;
        next[p] = sum;
        sum += size;
    }
    CLUMP_ASSERT(sum + more <= d->points);
    start[d->parts] = sum;
    next[d->parts] = sum;
    const size_t begin = CLUMP_ADD(d->used, sum + more);
    d->chunk[c].begin = begin;
    return begin + sum + more <= d->room ? d->entry + begin : NULL;
}

/* ----- bundled chunks --------------------------------------------------------------------------------------------- */

/* Returns the bundle of a block, which is added if there is none yet; `at` is the slot of the block, and `sentinel` is in
 * empty slots. Not inlined: it is rarely called, and the loop around it needs the registers. */
__attribute__((noinline)) static uint32_t find_or_add(deal_scratch *s, uint32_t at, uint16_t sentinel,
                                                      const clump_block *like)
{
    for (; s->slot[at] != sentinel; at = at + 1 == s->slots ? 0 : at + 1) {
        const clump_block *const k = &s->bundle[s->slot[at]];
        if (((k->x ^ like->x) | (k->y ^ like->y) | (k->z ^ like->z)) == 0) return s->slot[at];
    }
    s->slot[at] = (uint16_t)s->count;
    s->bundle[s->count] = *like;
    return s->count++;
}

/* Adds the m points of a batch to the bundles of the chunk, as place_batch() in bin.c does with blocks. */
static void collect_batch(deal_scratch *s, uint16_t sentinel, clump_deal_chunk *chunk, const clump_bin_cells *c,
                          size_t m, size_t base, uint32_t *restrict owner, uint32_t *restrict record)
{
    const uint16_t *const slot = s->slot;
    clump_block *const bundle = s->bundle;
    size_t records = chunk->records;
    for (size_t j = 0; j < m; j++) {
        if (c->out[j]) {
            owner[j] = CLUMP_NO_BLOCK;
            clump_bin_count(&chunk->counts, c->out[j]);
            continue;
        }
        const int32_t x = c->bx[j], y = c->by[j], z = c->bz[j];
        uint32_t number = slot[c->slot[j]];
        if (((bundle[number].x ^ x) | (bundle[number].y ^ y) | (bundle[number].z ^ z)) !=
            0) /* not at the first place */
            number = find_or_add(s, c->slot[j], sentinel, &(clump_block){.x = x, .y = y, .z = z});
        clump_block *const k = &bundle[number];
        const uint64_t seen = k->cells, bit = (uint64_t)1 << c->sub[j];
        k->multi |= seen & bit;
        k->cells = seen | bit;
        owner[j] = number;
        record[records] = (uint32_t)(base + j); /* fits: at most one record per point so far */
        records += (seen & bit) == 0;
    }
    chunk->records = records;
}

/* As collect_batch(), run by run. */
static void collect_runs(deal_scratch *s, uint16_t sentinel, clump_deal_chunk *chunk, const clump_bin_cells *c,
                         const clump_bin_runs *runs, uint32_t count, size_t base, uint32_t *restrict owner,
                         uint32_t *restrict record)
{
    size_t records = chunk->records;
    for (uint32_t k = 0; k < count; k++) {
        const int32_t x = c->bx[k], y = c->by[k], z = c->bz[k];
        uint32_t number = s->slot[c->slot[k]];
        const clump_block *const at = &s->bundle[number];
        if (((at->x ^ x) | (at->y ^ y) | (at->z ^ z)) != 0)
            number = find_or_add(s, c->slot[k], sentinel, &(clump_block){.x = x, .y = y, .z = z});
        records = clump_bin_place_run(&s->bundle[number], number, c->sub, runs->start[k], runs->start[k + 1], base,
                                      owner, record, records);
    }
    chunk->records = records;
}

/* Collects the points of a chunk into bundles. Returns false, with nothing done, if bundles do not pay. */
static bool collect_chunk(const clump_deal *d, deal_scratch *s, size_t c)
{
    const size_t begin = d->points * c, end = clump_deal_end(d, c);
    const uint16_t sentinel = (uint16_t)room_for_bundles(d);
    const size_t probed = d->points / DEAL_PROBED / CLUMP_BIN_BATCH * CLUMP_BIN_BATCH;
    clump_bin_cells cells;
    clump_bin_runs runs = {.skip = 0};
    clump_deal_chunk chunk = {.bundled = true};
    s->count = 0;
    s->bundle[sentinel] = (clump_block){.x = INT32_MIN}; /* no block is so far out */
    for (size_t i = 0; i < s->slots; i++) s->slot[i] = sentinel;
    for (size_t base = begin; base < end; base += CLUMP_BIN_BATCH) {
        if (s->count > d->points / CLUMP_DEAL_BUNDLES) return false;
        if (base == begin + probed && s->count >= probed / 8 * 7) return false;
        const size_t m = end - base < CLUMP_BIN_BATCH ? end - base : CLUMP_BIN_BATCH;
        clump_bin_cells_of_cloud(&cells, d->rule, d->job, base, m);
        const uint32_t count = clump_bin_runs_of(&cells, m, &runs);
        clump_bin_slots_of(&cells, d->key, s->slots, count > 0 ? count : m);
        if (count > 0)
            collect_runs(s, sentinel, &chunk, &cells, &runs, count, base, d->owner + base, d->record + begin);
        else
            collect_batch(s, sentinel, &chunk, &cells, m, base, d->owner + base, d->record + begin);
        memcpy(d->sub + base, cells.sub, m);
    }
    d->chunk[c] = chunk;
    return s->count <= d->points / CLUMP_DEAL_BUNDLES;
}

static void sort_bundles(const clump_deal *d, const deal_scratch *s, size_t c)
{
    uint32_t next[CLUMP_DEAL_MOST_PARTS + 1] = {0};
    for (uint32_t i = 0; i < s->count; i++) {
        const clump_block *const k = &s->bundle[i];
        s->part[i] = part_of_block(d, k->x, k->y, k->z);
        next[s->part[i]] += 2;
    }
    clump_deal_entry *const entry = begin_parts(d, c, 0, next);
    if (!entry) return;
    for (uint32_t i = 0; i < s->count; i++) {
        const clump_block *const k = &s->bundle[i];
        clump_deal_entry *const to = &entry[next[s->part[i]]];
        to->bx = k->x, to->by = k->y, to->bz = k->z, to->number = i;
        to[1].cells = k->cells, to[1].multi = k->multi;
        next[s->part[i]] += 2;
    }
}

/* ----- plain chunks ----------------------------------------------------------------------------------------------- */

/* Finds the part of every point of a chunk and adds up their sizes. Points that are left out are in part d->parts. */
static void find_parts(const clump_deal *d, const deal_scratch *s, size_t c, uint32_t *sizes)
{
    const size_t begin = d->points * c, end = clump_deal_end(d, c);
    clump_deal_chunk chunk = {.bundled = false};
    clump_bin_cells cells;
    for (size_t base = begin; base < end; base += CLUMP_BIN_BATCH) {
        const size_t m = end - base < CLUMP_BIN_BATCH ? end - base : CLUMP_BIN_BATCH;
        uint8_t *const part = s->part + (base - begin);
        clump_bin_cells_of_cloud(&cells, d->rule, d->job, base, m);
        for (size_t j = 0; j < m; j++) part[j] = part_of_block(d, cells.bx[j], cells.by[j], cells.bz[j]);
        for (size_t j = 0; j < m && cells.any_out; j++) {
            if (!cells.out[j]) continue;
            part[j] = (uint8_t)d->parts;
            clump_bin_count(&chunk.counts, cells.out[j]);
        }
        for (size_t j = 0; j < m; j++) sizes[part[j]]++;
    }
    d->chunk[c] = chunk;
}

static void sort_points(const clump_deal *d, const deal_scratch *s, size_t c)
{
    uint32_t next[CLUMP_DEAL_MOST_PARTS + 1] = {0};
    find_parts(d, s, c, next);
    clump_deal_entry *const entry = begin_parts(d, c, next[d->parts], next);
    if (!entry) return;
    const size_t begin = d->points * c, end = clump_deal_end(d, c);
    for (size_t i = begin; i < end; i++) {
        const float *const f = clump_point_at(d->job, i);
        entry[next[s->part[i - begin]]++] =
            (clump_deal_entry){.x = f[0], .y = f[1], .z = d->job->two_d ? 0 : f[2], .tag = (uint32_t)(i - begin)};
    }
}

void clump_deal_chunks(void *arg, size_t begin, size_t end, int worker)
{
    const clump_deal *const d = arg;
    deal_scratch s = scratch_of(d, worker);
    for (size_t c = begin; c < end; c++) {
        if (collect_chunk(d, &s, c))
            sort_bundles(d, &s, c);
        else
            sort_points(d, &s, c);
    }
}
