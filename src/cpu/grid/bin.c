/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bin.c: see bin.h. Coordinates, cells and hashes of a batch are computed first, in loops that compilers vectorise. Then
 * the batch is looked up, with as few branches as possible.
 */
#include "cpu/grid/bin.h"

#include "cpu/grid/batch.h"

#include <math.h>
#include <string.h>

#define BIN_BATCH 64 /* points; the arrays below fit into the first-level cache */

typedef struct cells {
    float x[BIN_BATCH], y[BIN_BATCH], z[BIN_BATCH];
    int32_t bx[BIN_BATCH], by[BIN_BATCH], bz[BIN_BATCH]; /* cells, then blocks */
    uint32_t slot[BIN_BATCH];                            /* where the search for the block starts */
    uint8_t sub[BIN_BATCH];
    uint8_t same[BIN_BATCH]; /* whether in the block of the point before; 0 for the first */
    uint8_t out[BIN_BATCH];  /* 0, or why the point is left out */
} cells;

enum { BIN_UNFINITE = 1, BIN_MASKED = 2 };

/* ----- a batch of points: coordinates, cells, hashes ------------------------------------------ */

static inline void near_cells(const float *restrict x, int32_t *restrict cell, size_t m, double inverse)
{
    for (size_t j = 0; j < m; j++) cell[j] = clump_cell_near(x[j], inverse);
}

/* The cells of a batch with points far out or not finite. */
static void far_cells(cells *c, size_t m, clump_cell_rule rule, bool two_d)
{
    for (size_t j = 0; j < m; j++) {
        if (!isfinite(c->x[j]) || !isfinite(c->y[j]) || !isfinite(c->z[j])) {
            c->out[j] = BIN_UNFINITE;
            c->bx[j] = c->by[j] = c->bz[j] = 0;
            continue;
        }
        c->bx[j] = clump_cell(c->x[j], rule);
        c->by[j] = clump_cell(c->y[j], rule);
        c->bz[j] = two_d ? 0 : clump_cell(c->z[j], rule);
    }
}

__attribute__((noinline)) static void batch_cells(cells *c, const clump_cloud_job *job, clump_cell_rule rule,
                                                  const clump_table *table, size_t base, size_t m)
{
    const clump_hash_key key = table->key;
    const uint32_t slots = table->slots;
    clump_batch_load(job, base, m, c->x, c->y, c->z);

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
        c->sub[j] = (uint8_t)clump_block_cell(c->bx[j], c->by[j], c->bz[j]);
        c->bx[j] >>= 2, c->by[j] >>= 2, c->bz[j] >>= 2;
        c->slot[j] = clump_hash_slot(clump_hash(key, c->bx[j], c->by[j], c->bz[j], 0), slots);
    }
    c->same[0] = 0;
    for (size_t j = 1; j < m; j++)
        c->same[j] = (c->bx[j] == c->bx[j - 1]) & (c->by[j] == c->by[j - 1]) & (c->bz[j] == c->bz[j - 1]);
}

/* ----- the table ------------------------------------------------------------------------------- */

void clump_table_clear(clump_table *t)
{
    memset(t->slot, 0xff, (size_t)t->slots * sizeof *t->slot);
}

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

/* Places the m points of a batch. Returns how many: less than m if a block did not fit. The masks of the current block
 * stay in registers, and there is no branch on whether a cell is new. */
static size_t place_batch(clump_bin_slice *r, const cells *c, size_t m, uint32_t *restrict owner, uint8_t *restrict sub,
                          uint32_t *restrict record)
{
    const uint32_t *const slot = r->table.slot;
    clump_block *const block = r->table.block;
    clump_block nowhere = {0}, *k = &nowhere;
    uint64_t seen = 0, multi = 0;
    uint32_t id = CLUMP_NO_BLOCK;
    const uint32_t base = (uint32_t)r->next;
    size_t j = 0, records = r->records;
    for (; j < m; j++) {
        if (c->out[j]) {
            owner[j] = CLUMP_NO_BLOCK;
            r->left_out++;
            r->masked += c->out[j] >= BIN_MASKED;
            r->unfinite += c->out[j] & BIN_UNFINITE;
            k->cells = seen, k->multi = multi;
            k = &nowhere; /* the next point must look its block up */
            continue;
        }
        if (!c->same[j] || k == &nowhere) {
            k->cells = seen, k->multi = multi;
            const int32_t x = c->bx[j], y = c->by[j], z = c->bz[j];
            id = slot[c->slot[j]];
            k = &block[id == CLUMP_NO_BLOCK ? 0 : id];
            if (id == CLUMP_NO_BLOCK || ((k->x ^ x) | (k->y ^ y) | (k->z ^ z)) != 0) { /* not at the first place */
                id = find_or_add(&r->table, c->slot[j], &(clump_block){.x = x, .y = y, .z = z});
                k = id == CLUMP_NO_BLOCK ? &nowhere : &block[id];
                if (id == CLUMP_NO_BLOCK) break;
            }
            seen = k->cells, multi = k->multi;
        }
        owner[j] = id;
        sub[j] = c->sub[j];
        const uint64_t bit = (uint64_t)1 << c->sub[j];
        record[records] = base + (uint32_t)j; /* fits: at most one record per point so far */
        records += (seen & bit) == 0;
        multi |= seen & bit;
        seen |= bit;
    }
    k->cells = seen, k->multi = multi;
    r->records = records;
    return j;
}

void clump_bin(clump_bin_slice *r, const clump_cloud_job *job, clump_cell_rule rule, uint32_t *owner, uint8_t *sub,
               uint32_t *record)
{
    CLUMP_ASSERT(r->begin <= r->next && r->next <= r->end && r->table.budget < r->table.slots);
    cells c;
    clump_bin_slice at = *r; /* a copy, against false sharing */
    while (at.next < at.end) {
        const size_t m = at.end - at.next < BIN_BATCH ? at.end - at.next : BIN_BATCH;
        batch_cells(&c, job, rule, &at.table, at.next, m);
        if (job->mask)
            for (size_t j = 0; j < m; j++) c.out[j] |= job->mask[at.next + j] == 0 ? BIN_MASKED : 0;
        const size_t placed = place_batch(&at, &c, m, owner + at.next, sub + at.next, record + at.begin);
        at.next += placed;
        if (placed < m) break;
    }
    *r = at;
}
