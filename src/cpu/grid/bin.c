/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bin.c: see bin.h. Coordinates, cells and hashes of a batch are computed first, in loops that compilers vectorise. Then
 * the batch is looked up, with as few branches as possible.
 */
#include "cpu/grid/bin.h"

#include "cpu/grid/batch.h"

#include <math.h>
#include <string.h>

/* ----- a batch of points: coordinates, cells, hashes ------------------------------------------ */

static inline void near_cells(const float *restrict x, int32_t *restrict cell, size_t m, double inverse)
{
    for (size_t j = 0; j < m; j++) cell[j] = clump_cell_near(x[j], inverse);
}

/* The cells of a batch with points far out or not finite. */
static void far_cells(clump_bin_cells *c, size_t m, clump_cell_rule rule, bool two_d)
{
    for (size_t j = 0; j < m; j++) {
        if (!isfinite(c->x[j]) || !isfinite(c->y[j]) || !isfinite(c->z[j])) {
            c->out[j] = CLUMP_BIN_UNFINITE;
            c->any_out = true;
            c->bx[j] = c->by[j] = c->bz[j] = 0;
            continue;
        }
        c->bx[j] = clump_cell(c->x[j], rule);
        c->by[j] = clump_cell(c->y[j], rule);
        c->bz[j] = two_d ? 0 : clump_cell(c->z[j], rule);
    }
}

/* Moves the points of a batch from the cells of the least radius to those of their shells. Points that are not finite
 * get some shell of their own: they are left out. */
static void shell_cells(clump_bin_cells *c, const clump_radius_rule *radius, size_t m)
{
    const clump_radius_rule rule = *radius;
    int32_t shell[CLUMP_BIN_BATCH];
    for (size_t j = 0; j < m; j++)
        shell[j] = clump_shell_of(rule.eps, clump_radius_grown(rule, c->x[j], c->y[j], c->z[j]));
    for (size_t j = 0; j < m; j++) {
        const int32_t x = c->bx[j] >> shell[j], y = c->by[j] >> shell[j], z = c->bz[j] >> shell[j];
        c->sub[j] = (uint8_t)clump_shell_cell(x, y, z);
        c->bx[j] = x >> 2, c->by[j] = y >> 2, c->bz[j] = clump_shell_z(shell[j], z >> 2);
    }
}

void clump_bin_cells_of(clump_bin_cells *c, clump_bin_rule bin, bool two_d, const char *points, size_t stride, size_t m)
{
    const clump_cell_rule rule = bin.cell;
    CLUMP_ASSERT(m >= 1 && m <= CLUMP_BIN_BATCH);
    clump_batch_load_from(points, stride, two_d, m, c->x, c->y, c->z);
    unsigned far = 0;
    for (size_t j = 0; j < m; j++) {
        c->out[j] = 0;
        far |= !(fabsf(c->x[j]) < rule.far) | !(fabsf(c->y[j]) < rule.far) | !(fabsf(c->z[j]) < rule.far);
    }
    c->any_out = false;
    if (far) {
        far_cells(c, m, rule, two_d);
    } else {
        near_cells(c->x, c->bx, m, rule.inverse);
        near_cells(c->y, c->by, m, rule.inverse);
        near_cells(c->z, c->bz, m, rule.inverse);
    }
    if (bin.shells) {
        shell_cells(c, bin.shells, m);
        return;
    }
    for (size_t j = 0; j < m; j++) {
        c->sub[j] = (uint8_t)clump_block_cell(c->bx[j], c->by[j], c->bz[j]);
        c->bx[j] >>= 2, c->by[j] >>= 2, c->bz[j] >>= 2;
    }
}

void clump_bin_cells_of_cloud(clump_bin_cells *c, clump_bin_rule rule, const clump_cloud_job *job, size_t base,
                              size_t m)
{
    CLUMP_ASSERT(base <= job->count && m <= job->count - base);
    clump_bin_cells_of(c, rule, job->two_d, job->points + base * job->stride, job->stride, m);
    if (!job->mask) return;
    unsigned masked = 0;
    for (size_t j = 0; j < m; j++) {
        const uint8_t out = job->mask[base + j] == 0 ? CLUMP_BIN_MASKED : 0;
        c->out[j] |= out;
        masked |= out;
    }
    c->any_out |= masked != 0;
}

void clump_bin_slots_of(clump_bin_cells *c, clump_hash_key key, uint32_t slots, size_t m)
{
    for (size_t j = 0; j < m; j++)
        c->slot[j] = clump_hash_slot(clump_hash(key, c->bx[j], c->by[j], c->bz[j], 0), slots);
}

/* ----- runs ------------------------------------------------------------------------------------- */

#define BIN_FEWER_RUNS 3  /* runs pay where a batch has at least three points per run */
#define BIN_SKIPPED    15 /* batches after one where they do not: the list costs what it may save */

/* Returns the lowest bits of eight bytes that are 0 or 1, the first byte lowest. */
static inline uint64_t bits_of_bytes(const uint8_t *bytes)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < 8; k++) bits |= (uint64_t)bytes[k] << 8 * k; /* one load, where bytes are in that order */
    return bits * 0x0102040810204080u >> 56;
}

uint32_t clump_bin_runs_of(clump_bin_cells *c, size_t m, clump_bin_runs *runs)
{
    if (runs->skip > 0 || c->any_out || m < CLUMP_BIN_BATCH) {
        runs->skip -= runs->skip > 0;
        return 0;
    }
    uint8_t first[CLUMP_BIN_BATCH] = {1};
    for (size_t j = 1; j < CLUMP_BIN_BATCH; j++)
        first[j] = ((c->bx[j] ^ c->bx[j - 1]) | (c->by[j] ^ c->by[j - 1]) | (c->bz[j] ^ c->bz[j - 1])) != 0;
    uint64_t starts = 0;
    for (unsigned k = 0; k < CLUMP_BIN_BATCH / 8; k++) starts |= bits_of_bytes(first + 8 * k) << 8 * k;
    const uint32_t count = clump_popcount(starts);
    if (count * BIN_FEWER_RUNS > CLUMP_BIN_BATCH) {
        runs->skip = BIN_SKIPPED;
        return 0;
    }
    for (uint32_t k = 0; k < count; k++, starts &= starts - 1) {
        const unsigned j = clump_lowest(starts);
        runs->start[k] = (uint8_t)j;
        c->bx[k] = c->bx[j], c->by[k] = c->by[j], c->bz[k] = c->bz[j]; /* k <= j */
    }
    runs->start[count] = CLUMP_BIN_BATCH;
    return count;
}

/* ----- the table ------------------------------------------------------------------------------- */

/* As clump_table_add(), from slot s on. Not inlined: it is rarely called, and the loop around it needs the registers. */
__attribute__((noinline)) static uint32_t find_or_add(clump_table *t, uint32_t s, const clump_block *like)
{
    for (;;) {
        const uint32_t id = t->slot[s];
        if (id == CLUMP_NO_BLOCK) break;
        const clump_block *const k = &t->block[id];
        if (k->x == like->x && k->y == like->y && k->z == like->z) return id;
        if (++s == t->slots) s = 0;
    }
    if (t->count == t->budget) return CLUMP_NO_BLOCK;
    t->block[t->count] = *like;
    return t->slot[s] = t->count++;
}

uint32_t clump_table_add(clump_table *t, const clump_block *like)
{
    return find_or_add(t, clump_hash_slot(clump_hash(t->key, like->x, like->y, like->z, 0), t->slots), like);
}

void clump_table_refill(clump_table *t)
{
    const uint32_t count = t->count;
    memset(t->slot, 0xff, (size_t)t->slots * sizeof *t->slot);
    for (t->count = 0; t->count < count;) clump_table_add(t, &t->block[t->count]);
}

/* Places the m points of a batch. Returns how many: less than m if a block did not fit. There is no branch on whether a
 * cell is new, and none on whether a point is in the block of the point before: neither can be predicted. */
static inline size_t place_batch(clump_binning *r, const clump_bin_cells *c, size_t m, bool any_out,
                                 uint32_t *restrict owner, uint32_t *restrict record)
{
    const uint32_t *const slot = r->table.slot;
    clump_block *const block = r->table.block;
    const uint32_t base = (uint32_t)r->next;
    size_t j = 0, records = r->records;
    for (; j < m; j++) {
        if (any_out && c->out[j]) {
            owner[j] = CLUMP_NO_BLOCK;
            clump_bin_count(&r->counts, c->out[j]);
            continue;
        }
        const int32_t x = c->bx[j], y = c->by[j], z = c->bz[j];
        uint32_t id = slot[c->slot[j]];
        if (id == CLUMP_NO_BLOCK || ((block[id].x ^ x) | (block[id].y ^ y) | (block[id].z ^ z)) != 0) {
            id =
                find_or_add(&r->table, c->slot[j], &(clump_block){.x = x, .y = y, .z = z}); /* not at the first place */
            if (id == CLUMP_NO_BLOCK) break;
        }
        clump_block *const k = &block[id];
        const uint64_t seen = k->cells, bit = (uint64_t)1 << c->sub[j];
        k->multi |= seen & bit;
        k->cells = seen | bit;
        owner[j] = id;
        record[records] = base + (uint32_t)j; /* fits: at most one record per point so far */
        records += (seen & bit) == 0;
    }
    r->records = records;
    return j;
}

/* As place_batch(), run by run: the cells of a block stay in registers. */
static inline size_t place_runs(clump_binning *r, const clump_bin_cells *c, const clump_bin_runs *runs, uint32_t count,
                                uint32_t *restrict owner, uint32_t *restrict record)
{
    clump_block *const block = r->table.block;
    size_t records = r->records;
    uint32_t k = 0;
    for (; k < count; k++) {
        const int32_t x = c->bx[k], y = c->by[k], z = c->bz[k];
        uint32_t id = r->table.slot[c->slot[k]];
        if (id == CLUMP_NO_BLOCK || ((block[id].x ^ x) | (block[id].y ^ y) | (block[id].z ^ z)) != 0) {
            id = find_or_add(&r->table, c->slot[k], &(clump_block){.x = x, .y = y, .z = z});
            if (id == CLUMP_NO_BLOCK) break;
        }
        records = clump_bin_place_run(&block[id], id, c->sub, runs->start[k], runs->start[k + 1], r->next, owner,
                                      record, records);
    }
    r->records = records;
    return runs->start[k];
}

void clump_bin(clump_binning *r, const clump_cloud_job *job, clump_bin_rule rule, size_t end, uint32_t *owner,
               uint8_t *sub, uint32_t *record)
{
    CLUMP_ASSERT(r->next <= end && r->table.budget < r->table.slots);
    clump_bin_cells c;
    clump_bin_runs runs = {.skip = 0};
    while (r->next < end) {
        const size_t m = end - r->next < CLUMP_BIN_BATCH ? end - r->next : CLUMP_BIN_BATCH;
        clump_bin_cells_of_cloud(&c, rule, job, r->next, m);
        const uint32_t count = clump_bin_runs_of(&c, m, &runs);
        clump_bin_slots_of(&c, r->table.key, r->table.slots, count > 0 ? count : m);
        const size_t placed = count > 0   ? place_runs(r, &c, &runs, count, owner + r->next, record)
                              : c.any_out ? place_batch(r, &c, m, true, owner + r->next, record)
                                          : place_batch(r, &c, m, false, owner + r->next, record);
        memcpy(sub + r->next, c.sub, m);
        r->next += placed;
        if (placed < m) break;
    }
}
