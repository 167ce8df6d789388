/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs_trees.c: the rows of jobs.h that need the clusters of every distance: the tree, its cut, HDBSCAN.
 */
#include "jobs/jobs.h"

#include <clump/tree.h>

clump_status job_tree(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_tree_options o = clump_tree_defaults();
    o.mask = job_mask(r);
    static const int samples[] = {1, 2, 3, 5, 8, 9, 10, 13, 31, 32, 33, 64, 65, 100, CLUMP_TREE_MOST_SAMPLES};
    o.min_samples = job_is_plain(r) ? 4 : samples[r->c->seed % 15];
    o.two_d = !job_is_plain(r) && r->c->seed / 7 % 4 == 1;
    if (job_is_plain(r) || r->c->seed % 4) o.cores = job_room(r, p.count * sizeof *o.cores);
    job_change(r, "tree", &o);
    int32_t *const parents = job_room(r, p.count * sizeof *parents);
    float *const heights = job_room(r, p.count * sizeof *heights);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_tree(ctx, p, &o, parents, heights));
    if (status != CLUMP_OK || r->of->kind != JOB_CUT) return status;
    const int32_t *const links = job_look(ctx, r, parents, &status); /* the cut is in host memory */
    const float *const lengths = job_look(ctx, r, heights, &status);
    const float *const cores = o.cores ? job_look(ctx, r, o.cores, &status) : NULL;
    if (status != CLUMP_OK) return status;
    int32_t *const labels = job_host_room(r, p.count * sizeof *labels), *const n = job_host_room(r, sizeof *n);
    JOB_MAKE(ctx, r, status, clump_tree_cut(ctx, links, lengths, cores, p.count, job_distance(r), 1, labels, n));
    return status;
}

clump_status job_hdbscan(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    clump_hdbscan_options o = clump_hdbscan_defaults();
    o.mask = job_mask(r);
    o.two_d = !job_is_plain(r) && r->c->seed / 7 % 4 == 1;
    if (!job_is_plain(r)) {
        o.selection = (clump_hdbscan_selection)(r->turn % 2);
        o.min_cluster_size = 2 + (int)(r->c->seed % 20), o.min_samples = (int)(r->c->seed % 7);
    }
    o.probabilities = job_room(r, p.count * sizeof *o.probabilities);
    job_change(r, "hdbscan", &o);
    int32_t *const labels = job_room(r, p.count * sizeof *labels), *const n = job_host_room(r, sizeof *n);
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_hdbscan(ctx, p, &o, labels, n));
    return status;
}

/* Of a tree that another context has made. */
clump_status job_label(clump_context *ctx, job_run *r)
{
    const clump_points p = job_host_points(r);
    int32_t *const parents = job_scratch(r, p.count * sizeof *parents);
    float *const heights = job_scratch(r, p.count * sizeof *heights);
    clump_tree_options tree = clump_tree_defaults();
    clump_hdbscan_options o = clump_hdbscan_defaults();
    clump_context *helper = NULL;
    tree.mask = r->c->mask, tree.min_samples = o.min_cluster_size;
    clump_status status = clump_context_create(NULL, &helper);
    if (status == CLUMP_OK) status = clump_tree(helper, p, &tree, parents, heights);
    clump_context_destroy(helper);
    if (!job_is_plain(r)) o.selection = (clump_hdbscan_selection)(r->turn % 2);
    o.probabilities = job_host_room(r, p.count * sizeof *o.probabilities);
    job_change(r, "hdbscan", &o);
    int32_t *const labels = job_host_room(r, p.count * sizeof *labels), *const n = job_host_room(r, sizeof *n);
    if (status == CLUMP_OK)
        JOB_MAKE(ctx, r, status, clump_hdbscan_label(ctx, parents, heights, p.count, &o, labels, n));
    return status;
}

/* Clusters of 200 points or fewer: the time goes with the square. */
clump_status job_centers(clump_context *ctx, job_run *r)
{
    const clump_points p = job_points(r);
    const int32_t n = 1 + (int32_t)(p.count / 200);
    const int32_t *const labels = job_labels(r, n);
    float *const weights = job_scratch(r, p.count * sizeof *weights);
    for (size_t i = 0; i < p.count; i++) weights[i] = (float)(1 + i % 4) / 4;
    float *const middles = job_host_room(r, 3 * (size_t)n * sizeof *middles);
    int32_t *const medoids = job_host_room(r, (size_t)n * sizeof *medoids);
    const bool two_d = !job_is_plain(r) && r->c->seed / 7 % 4 == 1;
    clump_status status;
    JOB_MAKE(ctx, r, status, clump_hdbscan_centers(ctx, p, labels, weights, n, two_d, middles, medoids));
    return status;
}
