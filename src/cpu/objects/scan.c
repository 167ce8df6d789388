/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.c: clusters of all levels from the unions of runs (scan.h).
 *
 *     level 0       a cluster has a root, its run with the smallest number. Clusters are numbered by their smallest points
 *     level k > 0   joins clusters of level 0 by its own pairs, and as the level below. The smallest number of a set is its root,
 *                   so roots in the order of their numbers give the numbers of level k
 */
#include "cpu/objects/scan.h"

#include "common/atomics.h"
#include "common/timer.h"
#include "core/work.h"
#include "cpu/shared/numbering.h"
#include "cpu/shared/stages.h"
#include "rules/union_find.h"

#include <string.h>

#define SCAN_MIN_SHARE 8192 /* points per thread that are worth waking it; as for the ground */
#define SCAN_LABELLED  4    /* pieces per chunk while labelling */

/* What the threads share that make the tree. */
typedef struct levels {
    const clump_scan *scan;
    uint32_t *of_run;                       /* the cluster of a run, on the finest level */
    uint32_t *joined[CLUMP_OBJECTS_LEVELS]; /* union-find of these clusters, by the pairs of a level */
    int32_t *labels;
    bool alone; /* one thread */
} levels;

/* Replaces the parent of a run by its root, on the finest level. Smaller runs have their roots already. */
static inline uint32_t root_of(const void *scan, size_t run)
{
    uint32_t *const parent = ((const clump_scan *)scan)->parent[0];
    return parent[run] = parent[parent[run]];
}

static inline bool is_root(const void *scan, size_t run)
{
    return ((const clump_scan *)scan)->parent[0][run] == run;
}

static inline uint32_t first_of(const void *scan, size_t run)
{
    return ((const clump_scan *)scan)->first[run];
}

static void find_roots(const clump_scan *scan)
{
    for (int r = 0; r < scan->rings; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        clump_number_lows(scan, ring->base, ring->base + ring->runs, root_of, first_of, scan->first, false);
    }
}

/* Numbers the clusters of the finest level. number[] is by run. Returns the number of clusters. */
static uint32_t number_finest(const clump_scan *scan, clump_ranks *ranks, uint32_t *number)
{
    const uint32_t *const parent = scan->parent[0], *const first = scan->first;
    for (int r = 0; r < scan->rings; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        clump_number_firsts(scan, ring->base, ring->base + ring->runs, is_root, first_of, ranks, false);
    }
    const uint32_t clusters = clump_ranks_count(ranks);
    for (int r = 0; r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++)
            number[c] = clump_rank(ranks, first[parent[c]]);
    return clusters;
}

/* Joins clusters of the finest level by the pairs of a piece that are listed for a level. */
static void join_listed(const levels *l, const clump_scan_piece *piece, int level)
{
    const uint64_t *const pairs = l->scan->pairs[level] + piece->from;
    uint32_t *const joined = l->joined[level];
    for (uint32_t k = 0; k < piece->listed[level]; k++) {
        const uint32_t a = l->of_run[pairs[k] >> 32], b = l->of_run[(uint32_t)pairs[k]];
        if (CLUMP_LOAD(&joined[a]) == CLUMP_LOAD(&joined[b])) continue;
        if (l->alone)
            clump_unite_alone(joined, a, b);
        else
            clump_unite(joined, a, b);
    }
}

/* Labels the points of pieces by the clusters of the finest level, and joins these by the pairs that are listed. */
static void label_pieces(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const levels *const l = arg;
    const clump_scan *const scan = l->scan;
    for (size_t k = begin; k < end; k++) {
        const clump_scan_piece *const piece = &scan->piece[k];
        for (uint32_t p = piece->base; p < piece->base + piece->size; p++)
            l->labels[scan->point[p]] = (int32_t)l->of_run[scan->run[p]];
        for (int level = 1; level < scan->levels; level++) join_listed(l, piece, level);
    }
}

/* Joins clusters by the pairs of a level that were not listed. */
static void join_unlisted(const levels *l, int level)
{
    const clump_scan *const scan = l->scan;
    uint32_t *const parent = scan->parent[level];
    bool full = false;
    for (size_t p = 0; p < scan->pieces; p++) full |= scan->piece[p].full >> level & 1;
    for (int r = 0; full && r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++)
            if (parent[c] != c) clump_unite_alone(l->joined[level], l->of_run[c], l->of_run[clump_find(parent, c)]);
}

/* Joins what is joined on the level below. */
static void join_below(uint32_t finest, const uint32_t *below, uint32_t *joined)
{
    for (uint32_t c = 0; c < finest; c++)
        if (below[c] != c) clump_unite_alone(joined, c, below[c]);
}

/* Numbers the clusters of a level above the finest, which has `finest`. above[] is the cluster of the level below; it becomes
 * that of this level, and joined[] the root. Returns their number. */
static int32_t number_level(uint32_t finest, uint32_t *joined, uint32_t *above, int32_t *parent)
{
    int32_t clusters = 0;
    for (uint32_t c = 0; c < finest; c++) {
        const uint32_t root = joined[c] = joined[joined[c]]; /* smaller ones have their roots already */
        const int32_t number = root == c ? clusters++ : (int32_t)above[root];
        parent[above[c]] = number;
        above[c] = (uint32_t)number;
    }
    return clusters;
}

/* Makes the tree from the unions. The memory of azimuths, keys and spares, which are not needed any more, holds numbers. */
static clump_status make_tree(clump_work *work, clump_node_tree *tree, const clump_scan *scan, size_t count,
                              int threads)
{
    _Static_assert(CLUMP_OBJECTS_LEVELS <= 4, "keys and spares have four words per point");
    uint32_t *const words = (uint32_t *)scan->keys, *const above = words;
    levels l = {.scan = scan, .of_run = (uint32_t *)scan->azimuth, .labels = tree->labels, .alone = threads == 1};
    clump_ranks ranks = clump_ranks_make(scan->ranks, count);
    find_roots(scan);
    CLUMP_TRY(clump_poll(work));
    const uint32_t finest = number_finest(scan, &ranks, l.of_run);
    tree->counts[0] = (int32_t)finest;
    for (uint32_t c = 0; c < finest; c++) above[c] = c;
    for (int k = 1; k < scan->levels; k++) {
        l.joined[k] = words + (size_t)k * count;
        memcpy(l.joined[k], above, finest * sizeof *above);
    }
    CLUMP_TRY(clump_run(work, threads, scan->pieces, SCAN_LABELLED, label_pieces, &l));
    for (int k = 1; k < scan->levels; k++) {
        join_unlisted(&l, k);
        if (k > 1) join_below(finest, l.joined[k - 1], l.joined[k]);
        tree->counts[k] = number_level(finest, l.joined[k], above, tree->parent[k - 1]);
        CLUMP_TRY(clump_poll(work));
    }
    return CLUMP_OK;
}

clump_status clump_node_tree_scan(clump_work *work, clump_node_tree *tree, clump_scan *scan,
                                  const clump_cpu_rings *rings, const clump_objects_job *job, clump_stats *stats)
{
    clump_stages at = {.start = clump_now_ms()};
    const size_t count = job->in.count;
    const int threads = clump_threads_for(work, count, SCAN_MIN_SHARE);
    CLUMP_TRY(clump_node_tree_reserve(work, tree, job->rule.levels, count));
    CLUMP_TRY(clump_scan_sort(work, scan, rings, job, threads));
    at.built = clump_now_ms();
    CLUMP_TRY(clump_scan_join(work, scan, threads));
    at.clustered = clump_now_ms();
    CLUMP_TRY(make_tree(work, tree, scan, count, threads));
    at.labelled = clump_now_ms();
    clump_report_stages(stats, threads, 1, at);
    stats->clusters = tree->counts[0];
    return CLUMP_OK;
}

void clump_scan_release(clump_work *work, clump_scan *scan)
{
    clump_buffer_release(work, &scan->table);
    clump_buffer_release(work, &scan->memory);
    clump_buffer_release(work, &scan->lists);
}
