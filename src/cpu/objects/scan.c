/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scan.c: clusters of all levels from the unions of runs (scan.h).
 *
 *     level 0       a cluster has a root, its run with the smallest number. Clusters are numbered by their smallest points
 *     level k > 0   joins what level k - 1 has joined, and what was within its own radius. Clusters of level k - 1 come in
 *                   the order of their numbers, so the first of them gives a cluster of level k its number
 */
#include "cpu/objects/scan.h"

#include "common/timer.h"
#include "core/context.h"
#include "cpu/shared/ranks.h"
#include "cpu/shared/stages.h"
#include "rules/union_find.h"

#define SCAN_MIN_SHARE  8192 /* points per thread that are worth waking it; as for the ground */
#define SCAN_UNNUMBERED UINT32_MAX

/* Replaces the parent of each run by its root, on the finest level. */
static void find_roots(const clump_scan *scan)
{
    uint32_t *const parent = scan->parent[0];
    for (int r = 0; r < scan->rings; r++) {
        const clump_scan_ring *const ring = &scan->ring[r];
        for (uint32_t c = ring->base; c < ring->base + ring->runs; c++) {
            const uint32_t root = parent[parent[c]]; /* smaller runs have their roots already */
            parent[c] = root;
            if (scan->first[c] < scan->first[root]) scan->first[root] = scan->first[c];
        }
    }
}

/* Numbers the clusters of the finest level. scan->first[] of a run becomes the number of its cluster. roots[] are the runs
 * that are roots, by number. Returns the number of clusters. */
static uint32_t number_finest(const clump_scan *scan, clump_ranks *ranks, uint32_t *roots)
{
    const uint32_t *const parent = scan->parent[0];
    uint32_t *const first = scan->first;
    for (int r = 0; r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++)
            clump_ranks_set_if(ranks, first[parent[c]], parent[c] == c);
    const uint32_t clusters = clump_ranks_count(ranks);
    for (int r = 0; r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++) {
            first[c] = parent[c] == c ? clump_rank(ranks, first[c]) : first[parent[c]]; /* roots come first */
            if (parent[c] == c) roots[first[c]] = c;
        }
    return clusters;
}

/* Finds the clusters of a level above the finest. roots[] are runs of the clusters below, by number; they become those of
 * this level. Returns the number of clusters. */
static uint32_t number_level(const clump_scan *scan, int level, uint32_t below, uint32_t *number, uint32_t *roots,
                             int32_t *above)
{
    uint32_t *const parent = scan->parent[level];
    uint32_t clusters = 0;
    for (int r = 0; r < scan->rings; r++)
        for (uint32_t c = scan->ring[r].base; c < scan->ring[r].base + scan->ring[r].runs; c++) {
            const uint32_t joined = clump_find(scan->parent[level - 1], c);
            if (joined != c) clump_unite_alone(parent, c, joined);
            number[c] = SCAN_UNNUMBERED;
        }
    for (uint32_t c = 0; c < below; c++) {
        const uint32_t root = clump_find(parent, roots[c]);
        if (number[root] == SCAN_UNNUMBERED) {
            roots[clusters] = root;
            number[root] = clusters++;
        }
        above[c] = (int32_t)number[root];
    }
    return clusters;
}

typedef struct labelling {
    const clump_scan *scan;
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
            l->labels[scan->point[p]] = (int32_t)scan->first[scan->run[p]];
    }
}

/* Makes the tree from the unions. The memory of keys holds roots now; that of points, once these have labels, numbers. */
static clump_status make_tree(clump_context *ctx, clump_node_tree *tree, const clump_scan *scan, size_t count,
                              int threads)
{
    find_roots(scan);
    clump_ranks ranks = clump_ranks_make(scan->ranks, count);
    uint32_t *const roots = (uint32_t *)scan->keys;
    uint32_t clusters = number_finest(scan, &ranks, roots);
    tree->counts[0] = (int32_t)clusters;
    labelling l = {scan, tree->labels};
    CLUMP_TRY(clump_run(ctx, threads, (size_t)scan->rings, 1, label_rings, &l));
    for (int k = 1; k < scan->levels; k++) {
        clusters = number_level(scan, k, clusters, scan->point, roots, tree->parent[k - 1]);
        tree->counts[k] = (int32_t)clusters;
    }
    return CLUMP_OK;
}

clump_status clump_node_tree_scan(clump_context *ctx, clump_node_tree *tree, clump_scan *scan,
                                  const clump_cpu_rings *rings, const clump_objects_job *job, clump_result *result)
{
    clump_stages at = {.start = clump_now_ms()};
    const size_t count = job->in.count;
    const int threads = clump_threads_for(ctx, count, SCAN_MIN_SHARE);
    CLUMP_TRY(clump_node_tree_reserve(ctx, tree, job->rule.levels, count));
    CLUMP_TRY(clump_scan_sort(ctx, scan, rings, job, threads));
    at.built = clump_now_ms();
    CLUMP_TRY(clump_scan_join(ctx, scan, threads));
    at.clustered = clump_now_ms();
    CLUMP_TRY(make_tree(ctx, tree, scan, count, threads));
    at.labelled = clump_now_ms();
    clump_report_stages(result, threads, 1, at);
    result->clusters = tree->counts[0];
    return CLUMP_OK;
}

void clump_scan_release(clump_context *ctx, clump_scan *scan)
{
    clump_buffer_release(ctx, &scan->memory);
    clump_buffer_release(ctx, &scan->lists);
}
