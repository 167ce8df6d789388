/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bin.h: the cells of a batch of points, and one thread's way to put all points into one table of blocks. Inner loops
 * of blocks.c and deal.c.
 */
#ifndef CLUMP_CPU_GRID_BIN_H
#define CLUMP_CPU_GRID_BIN_H

#include "cpu/grid/blocks.h"
#include "cpu/grid/shells.h"
#include "cpu/shared/points.h"

#define CLUMP_BIN_BATCH 64 /* points; the arrays below fit into the first-level cache */

/* A batch of points: coordinates, cells, hashes. */
typedef struct clump_bin_cells {
    float x[CLUMP_BIN_BATCH], y[CLUMP_BIN_BATCH], z[CLUMP_BIN_BATCH];
    int32_t bx[CLUMP_BIN_BATCH], by[CLUMP_BIN_BATCH], bz[CLUMP_BIN_BATCH]; /* cells, then blocks */
    uint32_t slot[CLUMP_BIN_BATCH];                                        /* where the search for the block starts */
    uint8_t sub[CLUMP_BIN_BATCH];
    uint8_t out[CLUMP_BIN_BATCH]; /* 0, or why the point is left out */
    bool any_out;
} clump_bin_cells;

enum { CLUMP_BIN_UNFINITE = 1, CLUMP_BIN_MASKED = 2 };

/* Points that do not take part. */
typedef struct clump_bin_counts {
    size_t unfinite, masked, left_out;
} clump_bin_counts;

/* Blocks and the hash table that finds them. */
typedef struct clump_table {
    clump_hash_key key;
    clump_block *block;
    uint32_t *slot; /* number of a block, or CLUMP_NO_BLOCK */
    uint32_t slots;
    uint32_t budget; /* blocks that fit */
    uint32_t count;
} clump_table;

/* A thread that bins points, and how far it is. */
typedef struct clump_binning {
    clump_table table;
    size_t next;    /* the first point that is not binned */
    size_t records; /* cells so far: their first points are on record, ascending */
    clump_bin_counts counts;
} clump_binning;

/* Which cell a point is in: that of one grid, or that of the shell of its radius (shells.h). */
typedef struct clump_bin_rule {
    clump_cell_rule cell;
    const clump_radius_rule *shells; /* null: one grid */
} clump_bin_rule;

static inline clump_bin_rule clump_bin_rule_make(const clump_blocks *b, const clump_cloud_job *job)
{
    return (clump_bin_rule){clump_cell_rule_make(job->d, job->two_d), b->shells};
}

/* Computes the cells of 1 <= m <= CLUMP_BIN_BATCH points, all but their slots. */
void clump_bin_cells_of(clump_bin_cells *c, clump_bin_rule rule, bool two_d, const char *points, size_t stride,
                        size_t m);

/* The same for the points of a cloud from `base` on. Points that are masked are left out. */
void clump_bin_cells_of_cloud(clump_bin_cells *c, clump_bin_rule rule, const clump_cloud_job *job, size_t base,
                              size_t m);

/* Computes the slots, for a hash table of `slots` slots. */
void clump_bin_slots_of(clump_bin_cells *c, clump_hash_key key, uint32_t slots, size_t m);

/* --- runs: consecutive points of a batch in one block. A spinning sensor delivers its points in runs --------------- */

typedef struct clump_bin_runs {
    unsigned skip;                      /* batches until runs are looked for again; 0 before the first batch */
    uint8_t start[CLUMP_BIN_BATCH + 4]; /* the first point of each run, then CLUMP_BIN_BATCH */
} clump_bin_runs;

/* Finds the runs of a batch of m points and returns their number; bx, by and bz then have an entry per run. Returns 0,
 * with nothing done, where points are left out, where there are too many runs to gain by them, and for some batches
 * after such a one. */
uint32_t clump_bin_runs_of(clump_bin_cells *c, size_t m, clump_bin_runs *runs);

/* Puts points begin ... end - 1 of a batch into the block `k`, their owner `id`. The point at `base` is the first of the
 * batch. Returns the number of records. */
static inline size_t clump_bin_place_run(clump_block *k, uint32_t id, const uint8_t *sub, size_t begin, size_t end,
                                         size_t base, uint32_t *restrict owner, uint32_t *restrict record,
                                         size_t records)
{
    uint64_t cells = k->cells, multi = k->multi;
    for (size_t j = begin; j < end; j++) {
        const uint64_t bit = (uint64_t)1 << sub[j], seen = cells & bit;
        multi |= seen;
        cells |= bit;
        owner[j] = id;
        record[records] = (uint32_t)(base + j); /* fits: at most one record per point so far */
        records += seen == 0;
    }
    k->cells = cells;
    k->multi = multi;
    return records;
}

/* Returns point i as a rep. */
static inline clump_rep clump_rep_of(const clump_cloud_job *job, uint32_t i)
{
    const float *const f = clump_point_at(job, i);
    return (clump_rep){.x = f[0], .y = f[1], .z = job->two_d ? 0 : f[2], .index = i};
}

/* Counts a point that is left out. */
static inline void clump_bin_count(clump_bin_counts *counts, uint8_t out)
{
    counts->left_out++;
    counts->masked += out >= CLUMP_BIN_MASKED;
    counts->unfinite += out & CLUMP_BIN_UNFINITE;
}

/* Puts the blocks of a table into its hash table, which is new. */
void clump_table_refill(clump_table *t);

/* Returns the number of the block with the coordinates of `like`. Adds a copy of `like` if there is none yet; returns
 * CLUMP_NO_BLOCK if it does not fit. */
uint32_t clump_table_add(clump_table *t, const clump_block *like);

/* Bins the points from r->next on, up to `end` or to the first that needs a block which does not fit. owner, sub and
 * record have one entry per point of the cloud. */
void clump_bin(clump_binning *r, const clump_cloud_job *job, clump_bin_rule rule, size_t end, uint32_t *owner,
               uint8_t *sub, uint32_t *record);

#endif
