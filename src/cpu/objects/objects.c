/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.c: see objects.h: labels of the points, and the list of clusters.
 */
#include "cpu/objects/objects.h"

#include "common/timer.h"
#include "core/context.h"

#define OBJECTS_UNNUMBERED (-1)

/* Numbers clusters in the order of their first points. number[] is by the node that names a cluster, start[] by number:
 * its first point. Returns the number of clusters. */
static int32_t number_clusters(const clump_cut *cut, const clump_node_tree *tree, size_t count, int32_t *number,
                               uint32_t *start, int32_t *labels)
{
    int32_t clusters = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t *const mine = &number[cut->cluster[tree->labels[i]]];
        if (*mine == OBJECTS_UNNUMBERED) {
            start[clusters] = (uint32_t)i;
            *mine = clusters++;
        }
        labels[i] = *mine;
    }
    return clusters;
}

/* Fills the list of clusters, as far as the caller has room. Final labels are those of the first points. */
static void list_clusters(const clump_cut *cut, const clump_node_tree *tree, const clump_objects_job *job,
                          const int32_t *number, const uint32_t *start, int32_t clusters, clump_node *whole)
{
    const int32_t listed = clusters < job->capacity ? clusters : job->capacity;
    for (int32_t c = 0; c < listed; c++) {
        whole[c] = clump_node_empty();
        job->found[c].object = 0;
    }
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        const int32_t name = cut->cluster[c], label = job->in.labels[start[number[name]]];
        if (label < 0 || label >= listed) continue;
        clump_node_merge(&whole[label], &cut->node[c]);
        job->found[label].object = cut->object[name];
    }
    for (int32_t c = 0; c < listed; c++)
        job->found[c] = clump_object_of(&job->rule, c, job->found[c].object != 0, &whole[c]);
}

/* Labels the points by the clusters of the cut, with size limits and order. */
static clump_status label_points(clump_context *ctx, clump_cpu_objects *objects, const clump_objects_job *job,
                                 clump_result *result)
{
    const clump_cut *const cut = &objects->cut;
    const clump_node_tree *const tree = &objects->tree;
    const size_t nodes = (size_t)cut->first[tree->levels], n = job->in.count;
    const size_t finest = (size_t)tree->counts[0]; /* at least as many as clusters */
    const size_t whole = (size_t)job->capacity < finest ? (size_t)job->capacity : finest;
    CLUMP_TRY(
        clump_buffer_reserve(ctx, &objects->found, whole * sizeof(clump_node) + (nodes + finest) * sizeof(int32_t)));
    clump_node *const measures = objects->found.data;
    int32_t *const number = (int32_t *)(measures + whole);
    uint32_t *const start = (uint32_t *)(number + nodes);
    for (size_t c = 0; c < nodes; c++) number[c] = OBJECTS_UNNUMBERED;
    result->clusters = number_clusters(cut, tree, n, number, start, job->in.labels);
    CLUMP_TRY(clump_labels_finish(ctx, &job->in, result));
    if (job->capacity > 0) list_clusters(cut, tree, job, number, start, result->clusters, measures);
    return CLUMP_OK;
}

/* Makes the tree of the neighbours that the job asks for and the cloud allows. */
static clump_status make_tree(clump_context *ctx, clump_cpu_objects *objects, clump_ranged *ranged,
                              clump_cpu_fast *fast, const clump_ring_cloud *cloud, clump_result *result)
{
    const clump_objects_job *const job = cloud->job;
    const double start = clump_now_ms();
    CLUMP_TRY(clump_cpu_rings_find(ctx, &objects->rings, cloud));
    const double found = clump_now_ms() - start;
    result->ring_source = objects->rings.source;
    result->rings = objects->rings.count;
    const bool exact = objects->rings.source == CLUMP_RINGS_NONE;
    result->neighbours = exact ? CLUMP_NEIGHBOURS_EXACT : CLUMP_NEIGHBOURS_SCAN;
    if (job->in.count == 0) return CLUMP_OK;
    if (exact)
        CLUMP_TRY(clump_node_tree_exact(ctx, &objects->tree, ranged, fast, job, result));
    else
        CLUMP_TRY(clump_node_tree_scan(ctx, &objects->tree, &objects->scan, &objects->rings, job, result));
    result->build_ms += found;
    return CLUMP_OK;
}

clump_status clump_cpu_objects_run(clump_context *ctx, clump_cpu_objects *objects, clump_ranged *ranged,
                                   clump_cpu_fast *fast, const clump_ring_cloud *cloud, const float *above,
                                   clump_result *result)
{
    const clump_objects_job *const job = cloud->job;
    CLUMP_TRY(make_tree(ctx, objects, ranged, fast, cloud, result));
    if (job->in.count == 0) return CLUMP_OK;
    const double start = clump_now_ms();
    CLUMP_TRY(clump_cut_measure(ctx, &objects->cut, &objects->tree, job, above));
    CLUMP_TRY(clump_cut_decide(ctx, &objects->cut, &objects->tree, &job->rule));
    CLUMP_TRY(label_points(ctx, objects, job, result));
    result->label_ms += clump_now_ms() - start;
    return CLUMP_OK;
}

void clump_cpu_objects_release(clump_context *ctx, clump_cpu_objects *objects)
{
    clump_node_tree_release(ctx, &objects->tree);
    clump_cpu_rings_release(ctx, &objects->rings);
    clump_scan_release(ctx, &objects->scan);
    clump_cut_release(ctx, &objects->cut);
    clump_buffer_release(ctx, &objects->found);
}
