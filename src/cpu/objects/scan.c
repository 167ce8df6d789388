/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.c: clusters of all levels from the unions of runs (scan.h).
 *
 *     level 0       a cluster has a root, its run with the smallest number. Clusters are numbered by their smallest points
 *     level k > 0   joins clusters of level k - 1 by its own pairs. The smallest number of a set is its root, so roots in
 *                   the order of their numbers give the numbers of level k
 */
#include "cpu/objects/scan.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/shared/numbering.h"
#include "cpu/shared/stages.h"
#include "rules/union_find.h"

#define SCAN_MIN_SHARE 8192 /* points per thread that are worth waking it; as for the ground */

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

/* Joins clusters by the pairs of a level: those that are listed, and those of the union-find. */
static void join_clusters(const clump_scan *scan, int level, const uint32_t *number, uint32_t *joined)
{
    uint32_t *const parent = scan->parent[level];
    for (int r = 0; r < scan->rings; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        const uint64_t *const pairs = scan->pairs[level] + ring->from;
        for (uint32_t k = 0; k < ring->listed[level]; k++) {
            const uint32_t a = number[pairs[k] >> 32], b = number[(uint32_t)pairs[k]];
            if (joined[a] != joined[b]) clump_unite_alone(joined, a, b);
        }
        for (uint32_t c = ring->base; c < ring->base + ring->runs; c++)
            if (parent[c] != c) clump_unite_alone(joined, number[c], number[clump_find(parent, c)]);
    }
}

/* Finds the clusters of a level above the finest. number[] of a run is the cluster below; it becomes that of this level.
 * joined[] is scratch memory by cluster. Returns the number of clusters. */
static uint32_t number_level(const clump_scan *scan, int level, uint32_t below, uint32_t *number, uint32_t *joined,
                             int32_t *above)
{
    for (uint32_t c = 0; c < below; c++) joined[c] = c;
    join_clusters(scan, level, number, joined);
    int32_t clusters = 0;
    for (uint32_t c = 0; c < below; c++) {
        const uint32_t root = clump_find(joined, c); /* at most c: it has its number already */
        above[c] = root == c ? clusters++ : above[root];
    }
    for (int r = 0; r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++)
            number[c] = (uint32_t)above[number[c]];
    return (uint32_t)clusters;
}

typedef struct labelling {
    const clump_scan *scan;
    const uint32_t *number; /* of the cluster of a run */
    int32_t *labels;
} labelling;

/* Labels the points of rings by the clusters of the finest level. */
static void label_rings(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const labelling *const l = arg;
    const clump_scan *const scan = l->scan;
    for (size_t r = begin; r < end; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        for (uint32_t p = ring->base; p < ring->base + ring->size; p++)
            l->labels[scan->point[p]] = (int32_t)l->number[scan->run[p]];
    }
}

/* Makes the tree from the unions. The memory of azimuths and keys, which are not needed any more, holds numbers. */
static clump_status make_tree(clump_work *work, clump_node_tree *tree, const clump_scan *scan, size_t count,
                              int threads)
{
    uint32_t *const number = (uint32_t *)scan->azimuth, *const joined = (uint32_t *)scan->keys;
    clump_ranks ranks = clump_ranks_make(scan->ranks, count);
    find_roots(scan);
    CLUMP_TRY(clump_poll(work));
    uint32_t clusters = number_finest(scan, &ranks, number);
    tree->counts[0] = (int32_t)clusters;
    labelling l = {scan, number, tree->labels};
    CLUMP_TRY(clump_run(work, threads, (size_t)scan->rings, 1, label_rings, &l));
    for (int k = 1; k < scan->levels; k++) {
        clusters = number_level(scan, k, clusters, number, joined, tree->parent[k - 1]);
        tree->counts[k] = (int32_t)clusters;
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
