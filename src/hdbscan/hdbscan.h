/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdbscan.h: clump_hdbscan: from a tree (clump/tree.h) to clusters.
 *
 *     hdbscan.c          the public calls: checks and memory
 *     hdbscan_condense.c rules 1 and 2 of clump/tree.h: the clusters of a tree, and where each point leaves them
 *     hdbscan_choose.c   rules 3 to 6: which clusters are chosen, labels and probabilities
 *     hdbscan_centers.c  the middles of clusters
 *
 * A cluster has a number: 0 is the root, and a cluster comes before those inside of it. Clusters that begin at one split have
 * consecutive numbers.
 */
#ifndef CLUMP_HDBSCAN_HDBSCAN_H
#define CLUMP_HDBSCAN_HDBSCAN_H

#include "core/work.h"

#include <clump/info.h>
#include <clump/tree.h>

typedef struct clump_density_cluster {
    int32_t parent;     /* -1: the root */
    int32_t first, end; /* clusters inside of it that begin where it ends; equal: none */
    int32_t count;      /* points */
    float birth, death; /* squared distances: where it begins, and the last one at which points leave it */
    double stability;   /* its own; later what it counts with */
    bool chosen;
    int32_t label;
} clump_density_cluster;

/* All arrays have one entry per point unless said otherwise. */
typedef struct clump_density {
    clump_work *work;
    const int32_t *parents;
    const float *heights;
    size_t count;
    int32_t *size;    /* points of the component that a point is the first of; shrinks on the way to the leaves */
    int32_t *cluster; /* the cluster that a point leaves last */
    float *left;      /* and at which squared distance; negative while it is in it */
    uint64_t *words;  /* two per point, and at least one per cluster: links, sorted; then stabilities */
    size_t links;
    clump_density_cluster *clusters;
    size_t found, room;
} clump_density;

/* Returns 1 / distance. */
double clump_density_lambda(float d2);

/* Finds all clusters. counters: clump_radix_counters(1) entries (hdbscan_condense.c). */
clump_status clump_density_condense(clump_density *d, size_t min_cluster_size, size_t *counters);

/* Chooses clusters, and labels all points (hdbscan_choose.c). */
clump_status clump_density_choose(clump_density *d, const clump_hdbscan_options *options, int32_t *labels,
                                  clump_stats *stats);

#endif
