/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objects.h: clump_objects on the CPU, for points that are not ground:
 *
 *     rings.h     rings of the scan
 *     tree.c      clusters of nested radii, all pairs of points
 *     scan.h      clusters of nested radii, neighbours of the scan
 *     nodes.c     measures of the nodes (core/node.h)
 *     cut.c       which nodes are clusters
 *     objects.c   labels and the list of clusters
 *
 * Words of the room: core/node.h has node, level, cut, object and background. A `run` is a sequence of points of a
 * ring, each within the finest radius of the next (scan.h). A `pair` is two runs that a test has found (scan_pairs.h).
 */
#ifndef CLUMP_CPU_OBJECTS_OBJECTS_H
#define CLUMP_CPU_OBJECTS_OBJECTS_H

#include "cpu/objects/tree.h"
#include "cpu/objects/rings.h"
#include "cpu/objects/scan.h"

/* Memory that stays between calls. Zeroed is valid. */
typedef struct clump_cpu_objects {
    clump_node_tree tree;
    clump_cpu_rings rings;
    clump_scan scan;
    clump_cut cut;
    clump_buffer found; /* measures and numbers of the clusters */
} clump_cpu_objects;

/* Writes final labels to cloud->job->in.labels, and the list of clusters. cloud->job->in are the points to cluster, without
 * mask. `above` are their heights above the ground; null: the ground is not known. */
clump_status clump_cpu_objects_run(clump_work *work, clump_cpu_objects *objects, clump_ranged *ranged,
                                   clump_cpu_fast *fast, const clump_ring_cloud *cloud, const float *above,
                                   clump_stats *stats);

void clump_cpu_objects_release(clump_work *work, clump_cpu_objects *objects);

#endif
