/* SPDX-License-Identifier: BSD-3-Clause
 *
 * deal.h: the first step of several threads that build blocks. The points are divided into chunks and the blocks into
 * parts, by position. A thread that has claimed a chunk sorts it by part:
 *
 *     chunk 0   | part 0 | part 1 | part 2 | ...       The chunk claims room for its entries. There is at most one entry
 *     chunk 1   | part 0 | part 1 | part 2 | ...       per point, and in scans one per ten points.
 *
 * The second step (blocks_merge.c) goes through the entries part by part, so that every block has one owner and no table
 * is shared. There are two kinds of chunks:
 *
 *   bundled   Its points are collected into bundles first: points of one block, with their masks. Scans and dense clouds
 *             have few bundles.
 *   plain     Its points are in random order and in many blocks: bundles would have one point each. So the points
 *             themselves are entries, with coordinates. The second step needs no random access to the cloud.
 */
#ifndef CLUMP_CPU_GRID_DEAL_H
#define CLUMP_CPU_GRID_DEAL_H

#include "cpu/grid/bin.h"

#define CLUMP_DEAL_MOST       262144u /* points per chunk */
#define CLUMP_DEAL_MOST_PARTS 64u
#define CLUMP_DEAL_BUNDLES    5u /* points per bundle, at least; with more bundles a chunk is plain */

/* 16 bytes. A bundle is a head, followed by masks. */
typedef union clump_deal_entry {
    struct {
        int32_t bx, by, bz; /* head: the block. After the merge: bx is the number of the block in its part */
        uint32_t number;    /* of the bundle in its chunk, by which owner[] names it until the merge */
    };
    struct {
        uint64_t cells, multi; /* masks, as in clump_block. After the merge: `cells` are the fresh ones */
    };
    struct {
        float x, y, z; /* a point of a plain chunk */
        uint32_t tag;
    };
} clump_deal_entry;

/* Bits of a tag: the place of the point in its chunk; since the merge, its cell and whether it is the first there. */
#define CLUMP_DEAL_CELL  20 /* the first of six bits */
#define CLUMP_DEAL_FRESH ((uint32_t)1 << 31)

static inline uint32_t clump_deal_place(uint32_t tag)
{
    return tag & (((uint32_t)1 << CLUMP_DEAL_CELL) - 1);
}

static inline uint32_t clump_deal_sub(uint32_t tag)
{
    return tag >> CLUMP_DEAL_CELL & 63;
}

/* What a chunk has besides its entries. */
typedef struct clump_deal_chunk {
    bool bundled;
    size_t begin;   /* of its entries */
    size_t records; /* bundled: points that are the first of a cell in their bundle, ascending */
    clump_bin_counts counts;
} clump_deal_chunk;

typedef struct clump_deal {
    const clump_cloud_job *job;
    clump_bin_rule rule;
    clump_hash_key key;
    size_t points; /* per chunk */
    size_t chunks;
    uint32_t parts; /* a power of two */
    uint32_t *owner;
    uint8_t *sub;
    uint32_t *record; /* one per point; those of a chunk begin at the place of its first point */
    clump_deal_entry *entry;
    size_t room, *used;      /* entries that fit; entries that all chunks need together */
    uint32_t *start;         /* parts + 1 per chunk: where the entries of a part begin, from the chunk's first on */
    clump_deal_chunk *chunk; /* one per chunk */
    char *scratch;           /* clump_deal_scratch_bytes() per worker */
} clump_deal;

/* Tells whether the points seem to be in random order and in many blocks, by some of them. */
bool clump_deal_is_random(const clump_deal *d);

/* Chooses the numbers of chunks and parts for n points. The fewer chunks, the fewer bundles. Points in order have few in
 * any case, so that their chunks can be short. */
void clump_deal_plan(clump_deal *d, size_t n, int threads, bool random);

/* Returns the largest number of chunks of up to n points, with up to as many threads. */
size_t clump_deal_most_chunks(size_t n, int threads);

/* Returns the largest number of entries of up to n points. */
size_t clump_deal_most_entries(size_t n);

/* Bytes of scratch memory per worker, a multiple of 64: more than 32 per bundle and 4 per point of a chunk. */
size_t clump_deal_scratch_bytes(const clump_deal *d);

/* Deals the chunks begin ... end - 1: a task of the team. `arg` is the clump_deal. Where the entries do not fit, *used
 * tells how many there are, and the entries are incomplete. */
void clump_deal_chunks(void *arg, size_t begin, size_t end, int worker);

/* Returns the end of a chunk of points. */
static inline size_t clump_deal_end(const clump_deal *d, size_t chunk)
{
    const size_t n = d->job->count, begin = d->points * chunk;
    return n - begin < d->points ? n : begin + d->points;
}

/* Returns the place where the entries of a part in a chunk begin. part = parts: where the entries of the chunk end. */
static inline size_t clump_deal_begin(const clump_deal *d, size_t chunk, size_t part)
{
    return d->chunk[chunk].begin + d->start[(d->parts + 1) * chunk + part];
}

#endif
