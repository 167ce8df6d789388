/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.c: see objects.h: labels of the points, and the list of clusters.
 */
#include "cpu/objects/objects.h"

#include "common/timer.h"
#include "core/work.h"
#include "cpu/objects/extents.h"

enum { OBJECTS_UNNUMBERED = -1, OBJECTS_MIN_SHARE = 16384 /* points per thread */ };

/* Memory of label_points, one entry per node of all levels, or per finest node. */
typedef struct numbering {
    int32_t *number;   /* node that names a cluster ──► temporary number */
    int32_t *sizes;    /* temporary number ──► size, then final number */
    int32_t *label;    /* finest node ──► label of its points */
    clump_node *whole; /* final number ──► measures; as far as the caller wants them */
} numbering;

static clump_status reserve_numbering(clump_work *work, clump_cpu_objects *objects, int32_t capacity, numbering *n)
{
    const size_t nodes = (size_t)objects->cut.first[objects->tree.levels];
    const size_t finest = (size_t)objects->tree.counts[0]; /* at least as many as clusters */
    const size_t listed = (size_t)capacity < finest ? (size_t)capacity : finest;
    CLUMP_TRY(clump_buffer_reserve(work, &objects->found,
                                   listed * sizeof *n->whole + (nodes + 2 * finest) * sizeof *n->number));
    n->whole = objects->found.data;
    n->number = (int32_t *)(n->whole + listed);
    n->sizes = n->number + nodes;
    n->label = n->sizes + finest;
    return CLUMP_OK;
}

/* Numbers clusters in the order of their first points, which is that of their first nodes, and adds up their sizes.
 * Returns the number of clusters. */
static int32_t number_clusters(const clump_cut *cut, const clump_node_tree *tree, const numbering *n)
{
    int32_t clusters = 0;
    for (int32_t c = 0; c < cut->first[tree->levels]; c++) n->number[c] = OBJECTS_UNNUMBERED;
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        int32_t *const number = &n->number[cut->cluster[c]];
        if (*number == OBJECTS_UNNUMBERED) {
            n->sizes[clusters] = 0;
            *number = clusters++;
        }
        n->sizes[*number] += cut->node[c].count;
    }
    return clusters;
}

/* Fills the list of clusters, as far as the caller has room. */
static clump_status list_clusters(clump_work *work, const clump_cut *cut, const clump_node_tree *tree,
                                  const clump_objects_job *job, const numbering *n, int32_t clusters)
{
    const int32_t listed = clusters < job->capacity ? clusters : job->capacity;
    for (int32_t c = 0; c < listed; c++) n->whole[c] = clump_node_empty();
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        if (c % CLUMP_CHUNK == 0) CLUMP_TRY(clump_poll(work));
        const int32_t label = n->label[c];
        if (label < 0 || label >= listed) continue;
        clump_extents_join(&n->whole[label], &cut->node[c]);
        job->found[label].level = cut->object[cut->cluster[c]] - 1;
    }
    for (int32_t c = 0; c < listed; c++)
        job->found[c] = clump_object_of(&job->rule, c, job->found[c].level, &n->whole[c]);
    return CLUMP_OK;
}

typedef struct labelling {
    const int32_t *node, *label; /* per point; per node */
    int32_t *labels;
} labelling;

static void label_chunk(void *arg, size_t begin, size_t end, int worker)
{
    const labelling *const l = arg;
    (void)worker;
    for (size_t i = begin; i < end; i++) l->labels[i] = l->label[l->node[i]];
}

/* Labels the points by the clusters of the cut, with size limits and order. */
static clump_status label_points(clump_work *work, clump_cpu_objects *objects, const clump_objects_job *job,
                                 clump_stats *stats)
{
    const clump_cut *const cut = &objects->cut;
    const clump_node_tree *const tree = &objects->tree;
    numbering n;
    CLUMP_TRY(clump_poll(work));
    CLUMP_TRY(reserve_numbering(work, objects, job->capacity, &n));
    stats->clusters = number_clusters(cut, tree, &n);
    CLUMP_TRY(clump_labels_number(work, &job->in, n.sizes, &stats->clusters));
    size_t noise = 0;
    for (int32_t c = 0; c < tree->counts[0]; c++) {
        n.label[c] = n.sizes[n.number[cut->cluster[c]]];
        noise += n.label[c] < 0 ? (size_t)cut->node[c].count : 0;
    }
    stats->noise = noise;
    if (job->capacity > 0) CLUMP_TRY(list_clusters(work, cut, tree, job, &n, stats->clusters));
    labelling l = {tree->labels, n.label, job->in.labels};
    const int threads = clump_threads_for(work, job->in.count, OBJECTS_MIN_SHARE);
    return clump_run(work, threads, job->in.count, CLUMP_CHUNK, label_chunk, &l);
}

/* Makes the tree of the neighbours that the job asks for and the cloud allows. */
static clump_status make_tree(clump_work *work, clump_cpu_objects *objects, clump_ranged *ranged, clump_cpu_fast *fast,
                              const clump_ring_cloud *cloud, clump_stats *stats)
{
    const clump_objects_job *const job = cloud->job;
    const double start = clump_now_ms();
    CLUMP_TRY(clump_cpu_rings_find(work, &objects->rings, cloud));
    const double found = clump_now_ms() - start;
    stats->ring_source = objects->rings.source;
    stats->rings = objects->rings.count;
    const bool exact = objects->rings.source == CLUMP_RINGS_NONE;
    stats->neighbours = exact ? CLUMP_NEIGHBOURS_EXACT : CLUMP_NEIGHBOURS_SCAN;
    if (job->in.count == 0) return CLUMP_OK;
    if (exact)
        CLUMP_TRY(clump_node_tree_exact(work, &objects->tree, ranged, fast, job, stats));
    else
        CLUMP_TRY(clump_node_tree_scan(work, &objects->tree, &objects->scan, &objects->rings, job, stats));
    stats->build_ms += found;
    return CLUMP_OK;
}

clump_status clump_cpu_objects_run(clump_work *work, clump_cpu_objects *objects, clump_ranged *ranged,
                                   clump_cpu_fast *fast, const clump_ring_cloud *cloud, const float *above,
                                   clump_stats *stats)
{
    const clump_objects_job *const job = cloud->job;
    CLUMP_TRY(make_tree(work, objects, ranged, fast, cloud, stats));
    if (job->in.count == 0) return CLUMP_OK;
    const double start = clump_now_ms();
    CLUMP_TRY(clump_cut_measure(work, &objects->cut, &objects->tree, job, above));
    CLUMP_TRY(clump_cut_decide(work, &objects->cut, &objects->tree, &job->rule));
    CLUMP_TRY(label_points(work, objects, job, stats));
    stats->label_ms += clump_now_ms() - start;
    return CLUMP_OK;
}

void clump_cpu_objects_release(clump_work *work, clump_cpu_objects *objects)
{
    clump_node_tree_release(work, &objects->tree);
    clump_cpu_rings_release(work, &objects->rings);
    clump_scan_release(work, &objects->scan);
    clump_cut_release(work, &objects->cut);
    clump_buffer_release(work, &objects->found);
}
