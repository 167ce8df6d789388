/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blocks.c: see blocks.h. The points are cut into one range a thread; all threads fill one hash
 * table. Coordinates, cells and hashes of a batch are computed first, in loops a compiler turns
 * into vector code, then the batch is looked up.
 *
 * The table starts small and grows when it is half full: a thread that finds no room for a new
 * block stops, and when all have stopped one of them makes the table larger and all go on where
 * they stood. With one thread the same code runs without atomic instructions.
 */
#include "cpu/blocks.h"

#include "core/context.h"

#include <math.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#define BATCH      64
#define FEW_POINTS 8192 /* not worth finding out whether they are sparse */
#define SPARSE     0.15 /* collisions of a sparse cloud, at most */

typedef struct share {
    size_t begin, end;
} share;

static share share_of(size_t n, int t, int threads)
{
    return (share){n * (size_t)t / (size_t)threads, n * (size_t)(t + 1) / (size_t)threads};
}

/* Where a thread stands. A cache line each, so that threads do not wait for each other's. */
typedef struct range {
    size_t next, end;
    size_t first;   /* its records start here: the begin of the range */
    size_t records; /* cells it was the first to see: the index of that point */
    size_t unfinite, masked, left_out;
    uint32_t spare; /* a block number it drew but did not need */
    uint32_t pad;
} range;

typedef struct cells {
    float x[BATCH], y[BATCH], z[BATCH];
    int32_t bx[BATCH], by[BATCH], bz[BATCH]; /* cells, then blocks */
    uint32_t slot[BATCH];                    /* where its block is looked for first */
    uint8_t sub[BATCH];
    uint8_t same[BATCH]; /* in the block of the point before; never for the first */
    uint8_t out[BATCH];  /* 0, or why the point is left out */
} cells;

enum { OUT_UNFINITE = 1, OUT_MASKED = 2 };

/* ----- a batch of points: coordinates, cells, hashes ------------------------------------------ */

static inline void load(cells *c, const char *p, size_t stride, size_t m)
{
    for (size_t j = 0; j < m; j++) {
        const float *const f = (const float *)(const void *)(p + j * stride);
        c->x[j] = f[0], c->y[j] = f[1], c->z[j] = f[2];
    }
}

static inline void near_cells(const float *restrict x, int32_t *restrict cell, size_t m, double inverse)
{
    for (size_t j = 0; j < m; j++) cell[j] = clump_cell_near(x[j], inverse);
}

/* Points far out or not finite, one by one. */
static void far_cells(cells *c, size_t m, clump_cell_rule rule, bool two_d)
{
    for (size_t j = 0; j < m; j++) {
        if (!isfinite(c->x[j]) || !isfinite(c->y[j]) || !isfinite(c->z[j])) {
            c->out[j] = OUT_UNFINITE;
            c->bx[j] = c->by[j] = c->bz[j] = 0;
            continue;
        }
        c->bx[j] = clump_cell(c->x[j], rule);
        c->by[j] = clump_cell(c->y[j], rule);
        c->bz[j] = two_d ? 0 : clump_cell(c->z[j], rule);
    }
}

static void batch_cells(cells *c, const clump_ec_job *job, clump_cell_rule rule, uint32_t slots, size_t base, size_t m)
{
    const char *const p = job->points + base * job->stride;
    if (job->stride == 12)
        load(c, p, 12, m); /* constant strides become vector loads */
    else if (job->stride == 16)
        load(c, p, 16, m);
    else
        load(c, p, job->stride, m);
    if (job->two_d) memset(c->z, 0, sizeof c->z);

    unsigned far = 0;
    for (size_t j = 0; j < m; j++) {
        c->out[j] = 0;
        far |= !(fabsf(c->x[j]) < rule.far) | !(fabsf(c->y[j]) < rule.far) | !(fabsf(c->z[j]) < rule.far);
    }
    if (far) {
        far_cells(c, m, rule, job->two_d);
    } else {
        near_cells(c->x, c->bx, m, rule.inverse);
        near_cells(c->y, c->by, m, rule.inverse);
        near_cells(c->z, c->bz, m, rule.inverse);
    }
    for (size_t j = 0; j < m; j++) {
        c->sub[j] = (uint8_t)((c->bx[j] & 3) | (c->by[j] & 3) << 2 | (c->bz[j] & 3) << 4);
        c->bx[j] >>= 2, c->by[j] >>= 2, c->bz[j] >>= 2;
        c->slot[j] = clump_block_slot(clump_block_hash(c->bx[j], c->by[j], c->bz[j]), slots);
    }
    c->same[0] = 0;
    for (size_t j = 1; j < m; j++)
        c->same[j] = (c->bx[j] == c->bx[j - 1]) & (c->by[j] == c->by[j - 1]) & (c->bz[j] == c->bz[j - 1]);
}

/* ----- the table ------------------------------------------------------------------------------- */

/* A new block in slot s; its number, or CLUMP_NO_BLOCK when there is no room. */
static uint32_t add_alone(clump_blocks *b, uint32_t s, int32_t x, int32_t y, int32_t z)
{
    if (b->drawn == b->room) return CLUMP_NO_BLOCK;
    b->block[b->drawn] = (clump_block){.x = x, .y = y, .z = z};
    return b->slot[s] = b->drawn++;
}

/* The block at x, y, z, made if there is none yet; CLUMP_NO_BLOCK when there is no room for it. */
static uint32_t find_or_add_alone(clump_blocks *b, uint32_t s, int32_t x, int32_t y, int32_t z)
{
    for (;;) {
        const uint32_t id = b->slot[s];
        if (id == CLUMP_NO_BLOCK) return add_alone(b, s, x, y, z);
        const clump_block *const k = &b->block[id];
        if (k->x == x && k->y == y && k->z == z) return id;
        if (++s == b->slots) s = 0;
    }
}

static uint32_t find_or_add_shared(clump_blocks *b, range *r, uint32_t s, int32_t x, int32_t y, int32_t z)
{
    for (;;) {
        /* acquire and release: the coordinates were written before the number came into the table */
        uint32_t id = __atomic_load_n(&b->slot[s], __ATOMIC_ACQUIRE);
        if (id == CLUMP_NO_BLOCK) {
            uint32_t mine = r->spare;
            if (mine == CLUMP_NO_BLOCK) {
                mine = CLUMP_LOAD(&b->drawn);
                do {
                    if (mine >= b->room) return CLUMP_NO_BLOCK;
                } while (!CLUMP_SWAP(&b->drawn, &mine, mine + 1));
            }
            b->block[mine] = (clump_block){.x = x, .y = y, .z = z};
            if (__atomic_compare_exchange_n(&b->slot[s], &id, mine, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
                r->spare = CLUMP_NO_BLOCK;
                return mine;
            }
            r->spare = mine; /* another thread took the slot; id is now the block it put there */
        }
        const clump_block *const k = &b->block[id];
        if (k->x == x && k->y == y && k->z == z) return id;
        if (++s == b->slots) s = 0;
    }
}

static void leave_out(clump_blocks *b, range *r, size_t i, unsigned why)
{
    b->owner[i] = CLUMP_NO_BLOCK;
    r->left_out++;
    r->masked += why >= OUT_MASKED;
    r->unfinite += why & OUT_UNFINITE;
}

/* The points of a range whose cells are known, one by one. Return how many of the m were placed:
 * all, or those before the first that found no room. */

static size_t place_shared(clump_blocks *b, range *r, const cells *c, size_t m)
{
    uint32_t *const record = (uint32_t *)b->records.data + r->first;
    uint32_t id = CLUMP_NO_BLOCK;
    for (size_t j = 0; j < m; j++) {
        const size_t i = r->next + j;
        if (c->out[j]) {
            leave_out(b, r, i, c->out[j]);
            id = CLUMP_NO_BLOCK; /* the next point must not take it for its block */
            continue;
        }
        if (!c->same[j] || id == CLUMP_NO_BLOCK) {
            id = find_or_add_shared(b, r, c->slot[j], c->bx[j], c->by[j], c->bz[j]);
            if (id == CLUMP_NO_BLOCK) return j;
        }
        b->owner[i] = id;
        b->sub[i] = c->sub[j];
        clump_block *const k = &b->block[id];
        const uint64_t bit = (uint64_t)1 << c->sub[j];
        /* looking before writing: most points change nothing, and a line only read is shared */
        if (!(CLUMP_LOAD(&k->cells) & bit) && !(CLUMP_OR(&k->cells, bit) & bit)) {
            record[r->records++] = (uint32_t)i;
        } else if (!(CLUMP_LOAD(&k->crowds) & bit)) {
            CLUMP_OR(&k->crowds, bit);
        }
    }
    return m;
}

/* The masks of the block at hand stay in registers, and nothing branches on whether a cell is new. */
static size_t place_alone(clump_blocks *b, range *r, const cells *c, size_t m)
{
    uint32_t *const restrict record = (uint32_t *)b->records.data + r->first;
    uint32_t *const restrict owner = b->owner + r->next;
    uint8_t *const restrict sub = b->sub + r->next;
    const uint32_t *const slot = b->slot;
    clump_block *const block = b->block;
    clump_block nowhere = {0}, *k = &nowhere;
    uint64_t seen = 0, crowds = 0;
    uint32_t id = CLUMP_NO_BLOCK;
    size_t j = 0, records = r->records;
    for (; j < m; j++) {
        if (c->out[j]) {
            leave_out(b, r, r->next + j, c->out[j]);
            k->cells = seen, k->crowds = crowds;
            k = &nowhere; /* the next point must not take it for its block */
            continue;
        }
        if (!c->same[j] || k == &nowhere) {
            k->cells = seen, k->crowds = crowds;
            const int32_t x = c->bx[j], y = c->by[j], z = c->bz[j];
            id = slot[c->slot[j]];
            k = &block[id == CLUMP_NO_BLOCK ? 0 : id];
            if (id == CLUMP_NO_BLOCK || ((k->x ^ x) | (k->y ^ y) | (k->z ^ z)) != 0) { /* not at the first place */
                id = find_or_add_alone(b, c->slot[j], x, y, z);
                k = id == CLUMP_NO_BLOCK ? &nowhere : &block[id];
                if (id == CLUMP_NO_BLOCK) break;
            }
            seen = k->cells, crowds = k->crowds;
        }
        owner[j] = id;
        sub[j] = c->sub[j];
        const uint64_t bit = (uint64_t)1 << c->sub[j];
        record[records] = (uint32_t)(r->next + j); /* within its range: at most one a point so far */
        records += (seen & bit) == 0;
        crowds |= seen & bit;
        seen |= bit;
    }
    k->cells = seen, k->crowds = crowds;
    r->records = records;
    return j;
}

static void bin_range(clump_blocks *b, const clump_ec_job *job, clump_cell_rule rule, range *r, bool shared)
{
    cells c;
    range at = *r; /* a copy: threads do not write side by side while they work */
    while (at.next < at.end) {
        const size_t m = at.end - at.next < BATCH ? at.end - at.next : BATCH;
        batch_cells(&c, job, rule, b->slots, at.next, m);
        if (job->mask)
            for (size_t j = 0; j < m; j++) c.out[j] |= job->mask[at.next + j] == 0 ? OUT_MASKED : 0;
        const size_t placed = shared ? place_shared(b, &at, &c, m) : place_alone(b, &at, &c, m);
        at.next += placed;
        if (placed < m) break;
    }
    *r = at;
}

/* Room for `budget` blocks of a cloud of n points, which can have no more than n; those there are are
 * kept and put into the new table. Each thread may draw one that it does not need, so there is room
 * for those too: how often it has to be made then depends on the cloud alone. */
static clump_status make_room(clump_context *ctx, clump_blocks *b, size_t budget, size_t n, int threads)
{
    const uint32_t kept = b->drawn;
    if (budget > n) budget = n;
    const size_t room = budget + (size_t)threads;
    size_t slots = 4 * budget < 2 * n ? 4 * room : 2 * (n + (size_t)threads); /* a quarter full, at worst a half */
    if (slots > UINT32_MAX - 1) slots = UINT32_MAX - 1;
    clump_status status = clump_buffer_grow(ctx, &b->blocks, room * sizeof(clump_block), kept * sizeof(clump_block));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->table, slots * sizeof *b->slot);
    if (status != CLUMP_OK) return status;
    b->block = b->blocks.data;
    b->slot = b->table.data;
    b->slots = (uint32_t)slots;
    b->budget = (uint32_t)budget;
    b->room = (uint32_t)room;
    memset(b->slot, 0xff, slots * sizeof *b->slot);
    for (uint32_t id = 0; id < kept; id++) {
        const clump_block *const k = &b->block[id];
        if (k->cells == 0) continue; /* drawn by a thread that did not need it */
        uint32_t s = clump_block_slot(clump_block_hash(k->x, k->y, k->z), b->slots);
        while (b->slot[s] != CLUMP_NO_BLOCK)
            if (++s == b->slots) s = 0;
        b->slot[s] = id;
    }
    return CLUMP_OK;
}

/* ----- numbers and reps of the cells ------------------------------------------------------------ */

static void set_rep(clump_blocks *b, const clump_ec_job *job, uint32_t cell, uint32_t i)
{
    const float *const f = (const float *)(const void *)(job->points + i * job->stride);
    b->rep[cell] = (clump_rep){.x = f[0], .y = f[1], .z = job->two_d ? 0 : f[2], .index = i};
}

/* The first point of every cell becomes its rep. */
static void place_reps(clump_blocks *b, const clump_ec_job *job, int threads)
{
    const range *const ranges = b->progress.data;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int t = 0; t < threads; t++) {
        const uint32_t *const record = (const uint32_t *)b->records.data + ranges[t].first;
        for (size_t k = 0; k < ranges[t].records; k++)
            set_rep(b, job, clump_cell_number(&b->block[b->owner[record[k]]], b->sub[record[k]]), record[k]);
    }
    if (threads == 1) return;

    /* The first that one of several threads saw need not be the first there is; all points are asked. */
    const size_t n = job->count;
    const uint32_t cell_count = b->cell_count;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t i = 0; i < n; i++) {
        if (b->owner[i] == CLUMP_NO_BLOCK) continue;
        uint32_t *const first = &b->rep[clump_cell_number(&b->block[b->owner[i]], b->sub[i])].index;
        uint32_t seen = CLUMP_LOAD(first);
        while (i < seen && !CLUMP_SWAP(first, &seen, (uint32_t)i)) {}
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t c = 0; c < cell_count; c++) set_rep(b, job, c, b->rep[c].index);
}

static clump_status fixed_buffers(clump_context *ctx, clump_blocks *b, size_t n, int threads)
{
    clump_status status = clump_buffer_reserve(ctx, &b->subs, n);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->records, n * sizeof(uint32_t));
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->progress, (size_t)threads * sizeof(range));
    return status;
}

/* Bins all ranges up to a fraction of each, making room where there is too little. */
static clump_status bin(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads, size_t of,
                        size_t parts)
{
    const clump_cell_rule rule = clump_cell_rule_make(job->d, job->two_d);
    range *const ranges = b->progress.data;
    for (int t = 0; t < threads; t++) {
        const share s = share_of(job->count, t, threads);
        ranges[t].end = s.begin + (s.end - s.begin) * of / parts;
    }
    for (;;) {
        if (threads == 1) {
            bin_range(b, job, rule, &ranges[0], false);
        } else {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
            for (int t = 0; t < threads; t++) bin_range(b, job, rule, &ranges[t], true);
        }
        bool done = true;
        size_t needed = b->drawn;
        for (int t = 0; t < threads; t++) {
            done = done && ranges[t].next == ranges[t].end;
            needed -= ranges[t].spare != CLUMP_NO_BLOCK;
        }
        if (done && needed <= b->budget) return CLUMP_OK;
        const clump_status status = make_room(ctx, b, 2 * (size_t)b->budget, job->count, threads);
        if (status != CLUMP_OK || done) return status;
    }
}

/* The share of points so far that fell into a cell another one had taken. */
static double collisions(const clump_blocks *b, int threads)
{
    const range *const ranges = b->progress.data;
    size_t points = 0, taken = 0;
    for (int t = 0; t < threads; t++) {
        points += ranges[t].next - ranges[t].first - ranges[t].left_out;
        taken += ranges[t].records;
    }
    return points ? 1 - (double)taken / (double)points : 1;
}

clump_status clump_blocks_begin(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads, bool *sparse)
{
    const size_t n = job->count;
    clump_status status = fixed_buffers(ctx, b, n, threads);
    if (status != CLUMP_OK) return status;
    b->sub = b->subs.data;
    b->owner = (uint32_t *)job->labels;
    b->drawn = 0;
    size_t budget = n / 16 + 64;
    if (budget < b->hint) budget = b->hint;
    status = make_room(ctx, b, budget, n, threads);
    if (status != CLUMP_OK) return status;
    range *const ranges = b->progress.data;
    for (int t = 0; t < threads; t++) {
        const size_t begin = share_of(n, t, threads).begin;
        ranges[t] = (range){.next = begin, .first = begin, .spare = CLUMP_NO_BLOCK};
    }

    if (!sparse) return CLUMP_OK;
    *sparse = false;
    if (n < FEW_POINTS) return CLUMP_OK;
    /* A sample of points in no order looks sparser than the whole: collisions grow with their number.
     * In a scan, where neighbours come one after the other, they do not. So the growth from a
     * sixteenth to an eighth is carried on to the end. */
    status = bin(ctx, b, job, threads, 1, 16);
    if (status != CLUMP_OK) return status;
    const double early = collisions(b, threads);
    if (early > SPARSE) return CLUMP_OK;
    status = bin(ctx, b, job, threads, 2, 16);
    if (status != CLUMP_OK) return status;
    const double later = collisions(b, threads);
    *sparse = later + 14 * fmax(later - early, 0) < SPARSE;
    return CLUMP_OK;
}

clump_status clump_blocks_build(clump_context *ctx, clump_blocks *b, const clump_ec_job *job, int threads)
{
    clump_status status = bin(ctx, b, job, threads, 1, 1);
    if (status != CLUMP_OK) return status;
    const range *const ranges = b->progress.data;
    b->block_count = b->drawn;
    b->hint = b->drawn < b->budget / 4 ? b->budget / 2 : b->budget; /* frames are alike: no growing next time */

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
    b->finite = job->count;
    b->masked = b->left_out = 0;
    place_reps(b, job, threads);
    for (int t = 0; t < threads; t++) {
        b->finite -= ranges[t].unfinite;
        b->masked += ranges[t].masked;
        b->left_out += ranges[t].left_out;
    }
    return CLUMP_OK;
}

clump_status clump_blocks_reserve(clump_context *ctx, clump_blocks *b, size_t max_points, int threads)
{
    clump_status status = fixed_buffers(ctx, b, max_points, threads);
    b->drawn = 0;
    if (status == CLUMP_OK) status = make_room(ctx, b, max_points, max_points, threads);
    if (status == CLUMP_OK) status = clump_buffer_reserve(ctx, &b->reps, (max_points + 3) * sizeof(clump_rep));
    return status;
}

void clump_blocks_release(clump_context *ctx, clump_blocks *b)
{
    clump_buffer *const all[] = {&b->blocks, &b->table, &b->subs, &b->records, &b->reps, &b->progress};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) clump_buffer_release(ctx, all[i]);
    b->hint = 0;
}
