/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ec_fast.c: Euclidean clustering, our way.
 *
 *     1  build    points into cells so small that a cell is always in one cluster   (blocks.c)
 *     2  cluster  cells that hold neighbours into sets, by reps, then by points     (join.c)
 *     3  label    sets numbered by their smallest point index, points by their cell (here)
 *
 * No neighbour list is stored and points are not sorted, so memory is linear and dense cells cost no more than their
 * points. At least two passes over the points are needed: one in, one out.
 *
 * In a sparse cloud such cells would hold one point each and save nothing. A sample tells (rows/sparse.c). The points
 * of a sparse cloud are swept row by row instead (rows/rows.c).
 *
 * Most buffers serve several phases. What each holds in each:
 *
 *     buffer           sparse?   build             join reps      join points         label              rows
 *     job->labels      sample    owner[]           owner[]        owner[]             owner[], labels    order, labels
 *     blocks.blocks              blocks            cells, multi   cells, multi        common: root,      points by slab;
 *                                                                                     then label         parent[], first[]
 *     blocks.table               hash table        hash table     hash table
 *     blocks.subs                sub[]                            sub[]               sub[]
 *     blocks.records             first points      parent[]       parent[]            root, then label
 *     blocks.reps                rep: x y z        rep: x y z     rep: begin count    rep: index         words; x[] y[]
 *                                and index         and index      dealt and index                        z[] index[]
 *     blocks.entries merged      of several
 *     progress scratch           threads
 *     join.open                                    notes          notes
 *     join.shares picked tallies                                  lists and counts
 *     join.points                                                 points by cell
 *     join.scratch                                                points of a pair
 *     ranks                                                                           first points
 *     rows.counters                                                                                      chunks, slabs
 *     rows.ranks                                                                                         first points
 *
 * owner[], sub[] and labels have one entry per point; parent[] and rep have one per cell (in rows: per point). DBSCAN
 * (density.c) has blocks of its own and borrows join.scratch while this file does not run.
 */
#include "cpu/ec/ec.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/rows/rows.h"
#include "cpu/shared/numbering.h"

#define EC_FAST_SLICE  4096 /* points that are worth waking a thread for */
#define EC_FAST_BLOCKS 128  /* blocks per chunk: a scan has some thousands, so there is work for 16 threads */
#define EC_FAST_POINTS 4096 /* points per chunk while labelling: some ten microseconds */

#define EC_FAST_MIXED UINT64_MAX /* as block.common: the cells are in several sets */

typedef struct labelling {
    clump_blocks *b;
    uint32_t *parent;
    int32_t *labels;
    clump_ranks *ranks;
    bool shared;    /* by several threads */
    int32_t *sizes; /* null, or of the clusters */
} labelling;

/* Replaces every parent by its root. Writes the common root of its cells, if there is one, into each block, and the first
 * point of each set into the rep of its root. */
static void find_roots(void *arg, size_t begin, size_t end_block, int worker)
{
    (void)worker;
    clump_blocks *const b = ((const labelling *)arg)->b;
    uint32_t *const parent = ((const labelling *)arg)->parent;
    for (size_t id = begin; id < end_block; id++) {
        clump_block *const k = &b->block[id];
        const uint32_t end = k->first + clump_popcount(k->cells);
        CLUMP_ASSERT(k->cells != 0);
        uint32_t last = clump_root(parent, k->first), least = UINT32_MAX;
        bool mixed = false;
        for (uint32_t c = k->first; c < end; c++) {
            const uint32_t root = clump_root(parent, c), index = CLUMP_LOAD(&b->rep[c].index);
            CLUMP_ASSERT(root <= c);
            CLUMP_STORE(&parent[c], root);
            if (root != last) {
                clump_atomic_min(&b->rep[last].index, least);
                last = root, least = UINT32_MAX;
                mixed = true;
            }
            least = index < least ? index : least;
        }
        clump_atomic_min(&b->rep[last].index, least); /* once per run of cells in one set */
        k->common = mixed ? EC_FAST_MIXED : last;
    }
}

static inline bool is_root(const void *l, size_t c)
{
    return ((const labelling *)l)->parent[c] == c;
}

static inline uint32_t first_of(const void *l, size_t c)
{
    return ((const labelling *)l)->b->rep[c].index;
}

static void mark_firsts(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const labelling *const l = arg;
    clump_number_firsts(l, begin, end, is_root, first_of, l->ranks, l->shared);
}

/* Returns the number of the set whose root this is. */
static inline uint32_t label_of_root(const labelling *l, uint64_t root)
{
    return clump_rank(l->ranks, l->b->rep[root].index);
}

/* Replaces roots by labels, in blocks and cells. */
static void label_blocks(void *arg, size_t begin, size_t end_block, int worker)
{
    (void)worker;
    const labelling *const l = arg;
    for (size_t id = begin; id < end_block; id++) {
        clump_block *const k = &l->b->block[id];
        if (k->common != EC_FAST_MIXED) {
            k->common = label_of_root(l, k->common);
            continue;
        }
        const uint32_t end = k->first + clump_popcount(k->cells);
        for (uint32_t c = k->first; c < end; c++) l->parent[c] = label_of_root(l, l->parent[c]);
    }
}

/* Counts the points of clusters, by runs of points with one label. Their ends are listed first, without a branch. */
static void count_sizes(const labelling *l, size_t begin, size_t end)
{
    const int32_t *const labels = l->labels + begin;
    uint16_t last[EC_FAST_POINTS];
    const size_t n = end - begin;
    size_t runs = 0, from = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        last[runs] = (uint16_t)i;
        runs += labels[i] != labels[i + 1];
    }
    last[runs++] = (uint16_t)(n - 1);
    for (size_t k = 0; k < runs; from = (size_t)last[k++] + 1) {
        const int32_t label = labels[last[k]], more = (int32_t)(last[k] + 1 - from);
        if (label < 0) continue;
        if (l->shared)
            CLUMP_ADD(&l->sizes[label], more);
        else
            l->sizes[label] += more;
    }
}

/* Replaces blocks by labels: owner[] and labels[] are one array. */
static void label_points(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const labelling *const l = arg;
    const clump_blocks *const b = l->b;
    const uint32_t *const parent = l->parent;
    int32_t *const labels = l->labels;
    for (size_t i = begin; i < end; i++) {
        if (b->owner[i] == CLUMP_NO_BLOCK) {
            labels[i] = CLUMP_NOISE;
            continue;
        }
        CLUMP_ASSERT(b->owner[i] < b->block_count);
        const clump_block *const k = &b->block[b->owner[i]];
        labels[i] =
            (int32_t)(k->common != EC_FAST_MIXED ? (uint32_t)k->common : parent[clump_cell_number(k, b->sub[i])]);
    }
    if (l->sizes) count_sizes(l, begin, end);
}

static clump_status cluster_by_cells(clump_work *work, clump_cpu_fast *fast, const clump_cloud_job *job, int threads,
                                     clump_stats *stats)
{
    clump_blocks *const b = &fast->blocks;
    const double start = clump_now_ms();
    CLUMP_TRY(clump_blocks_build(work, b, job, threads));
    const double built = clump_now_ms();
    CLUMP_TRY(clump_join_cells(work, &fast->join, b, job, threads));
    const double joined = clump_now_ms();
    CLUMP_TRY(clump_buffer_reserve(work, &fast->ranks, clump_ranks_bytes(job->count)));
    clump_ranks ranks = clump_ranks_make(fast->ranks.data, job->count);
    labelling l = {b, fast->join.parent, job->labels, &ranks, threads > 1, NULL};
    CLUMP_TRY(clump_run(work, threads, b->block_count, EC_FAST_BLOCKS, find_roots, &l));
    CLUMP_TRY(clump_run(work, threads, b->cell_count, CLUMP_CHUNK, mark_firsts, &l));
    stats->clusters = (int32_t)clump_ranks_count(&ranks);
    if (fast->counts) CLUMP_TRY(clump_labels_sizes(work, (size_t)stats->clusters, &l.sizes));
    CLUMP_TRY(clump_run(work, threads, b->block_count, EC_FAST_BLOCKS, label_blocks, &l));
    CLUMP_TRY(clump_run(work, threads, job->count, EC_FAST_POINTS, label_points, &l));
    fast->sizes = l.sizes;

    stats->finite = b->finite;
    stats->masked = b->masked;
    stats->noise = b->left_out;
    stats->threads = threads;
    stats->build_ms = built - start;
    stats->cluster_ms = joined - built;
    stats->label_ms = clump_now_ms() - joined;
    return CLUMP_OK;
}

/* Rows work in the memory of the blocks, which are not in use then. */
static void lend_to_rows(clump_cpu_fast *fast)
{
    fast->rows.wide = &fast->blocks.blocks;
    fast->rows.points = &fast->blocks.reps;
}

clump_status clump_cpu_ec_fast(clump_work *work, clump_cpu_fast *fast, const clump_cloud_job *job, clump_stats *stats)
{
    const int threads = clump_threads_for(work, job->count, EC_FAST_SLICE);

    const double start = clump_now_ms();
    CLUMP_TRY(clump_is_sparse(work, job, work->hash_key, threads, &fast->sparse));
    double chosen = clump_now_ms();
    fast->by_rows = false;
    fast->sizes = NULL;
    if (fast->sparse) {
        lend_to_rows(fast);
        CLUMP_TRY(clump_rows_ec(work, &fast->rows, job, threads, stats, &fast->by_rows));
    }
    if (!fast->by_rows) {
        chosen = clump_now_ms();
        CLUMP_TRY(cluster_by_cells(work, fast, job, threads, stats));
    }
    stats->build_ms += chosen - start;
    return CLUMP_OK;
}

clump_status clump_cpu_fast_reserve(clump_work *work, clump_cpu_fast *fast, size_t max_points)
{
    const int threads = work->threads;
    lend_to_rows(fast);
    CLUMP_TRY(clump_blocks_reserve(work, &fast->blocks, max_points, threads));
    CLUMP_TRY(clump_join_reserve(work, &fast->join, max_points, threads));
    CLUMP_TRY(clump_rows_reserve(work, &fast->rows, max_points));
    return clump_buffer_reserve(work, &fast->ranks, clump_ranks_bytes(max_points));
}

void clump_cpu_fast_release(clump_work *work, clump_cpu_fast *fast)
{
    clump_blocks_release(work, &fast->blocks);
    clump_join_release(work, &fast->join);
    clump_rows_release(work, &fast->rows);
    clump_buffer_release(work, &fast->ranks);
}
