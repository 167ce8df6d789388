/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tree.h: the clusters of every distance at once, and HDBSCAN.
 *
 *     clump_tree(ctx, points, NULL, parents, heights);                            // single linkage: clump_ec of every distance
 *     clump_tree_cut(ctx, parents, heights, NULL, n, 0.5f, 1, labels, &clusters); // labels of clump_ec at 0.5
 *
 *     clump_hdbscan(ctx, points, NULL, labels, &clusters);                        // no distance to choose
 *
 * Words:
 *   - Distances are squared and computed in float32, as clump_ec does.
 *   - The core distance of a point is that of its min_samples-th nearest point, itself included: 0 where min_samples is 1,
 *     infinite where there are fewer points.
 *   - The weight of a pair is the largest of three: its distance, and the core distances of both points.
 *   - The components of a weight w are the sets of points that pairs of weight w or less connect.
 *
 * The tree is the components of all weights. As w grows, components merge; all merges of one weight happen at once. The first
 * point of a component is the one with the smallest index. At a merge, the first points of all but one of the components that
 * merge end: heights[i] is the weight at which point i ends, parents[i] the first point of the component that it is in from then
 * on. So:
 *   - parents[i] < i, and the height of a parent is larger than that of its children.
 *   - All children of one parent with one height merge at once, with the component of the parent.
 *   - A point that never ends has itself as parent, and an infinite height. There is one, unless squares overflow or there are
 *     fewer than min_samples points.
 *   - Points that are not finite or masked out have CLUMP_NOISE as parent.
 * The tree depends on the set of points and their numbers alone: not on threads, and not on the order of equal weights.
 */
#ifndef CLUMP_TREE_H
#define CLUMP_TREE_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLUMP_TREE_MOST_SAMPLES 128 /* of min_samples */

typedef struct clump_tree_options {
    uint32_t cookie;     /* set by clump_tree_defaults(), do not touch */
    int min_samples;     /* 1, at most CLUMP_TREE_MOST_SAMPLES */
    bool two_d;          /* false; true ignores z, also a z that is not finite */
    const uint8_t *mask; /* null, or one byte per point: 0 leaves the point out */
    float *cores;        /* output, may be null: squared core distances, infinite for points that are left out */
} clump_tree_options;

CLUMP_API clump_tree_options clump_tree_defaults(void);

/* Makes the tree, the same on CPU and CUDA. With points in device memory, mask, parents, heights and cores are there, too.
 * options  may be null for the defaults
 * parents  output: one per point
 * heights  output: one per point, squared
 * Time is almost linear in the number of points; two sets that are about equally far from each other everywhere, such as a ball
 * in a sphere, take longer (docs/hdbscan.md). Memory is linear: about 180 bytes per point. The call waits for the GPU; it cannot
 * be part of a captured stream. */
CLUMP_API clump_status clump_tree(clump_context *ctx, clump_points points, const clump_tree_options *options,
                                  int32_t *parents, float *heights);

/* Labels the components of one distance.
 * cores     null: the labels are those of clump_ec with this distance, for a tree with min_samples = 1. Else those of
 *           clump_dbscan with this eps, min_points = min_samples and no_border_points
 * distance  not squared
 * min_size  components of fewer points become noise
 * labels    output: one per point, clusters numbered by their smallest point index */
CLUMP_API clump_status clump_tree_cut(clump_context *ctx, const int32_t *parents, const float *heights,
                                      const float *cores, size_t count, float distance, size_t min_size,
                                      int32_t *labels, int32_t *cluster_count);

/* ===== HDBSCAN ============================================================================== */

/* HDBSCAN finds clusters of different densities without a distance (Campello, Moulavi and Sander 2013). It follows the tree from its
 * root to its leaves:
 *
 *   1. At a merge, read backwards, a component splits into several. Those with min_cluster_size points or more are large. Two large
 *      ones or more: the cluster ends, and each of them is a new one. One: it is the same cluster, without the other points. None:
 *      the cluster ends. The first cluster, the root, is all points. Points leave a cluster in components that are not large.
 *   2. lambda of a weight is 1 / its square root; infinite for weight 0. The stability of a cluster is the sum over its points: lambda
 *      where the point leaves it or the cluster ends, less lambda where the cluster began; 0 for the root.
 *   3. Chosen are clusters (`eom`) of which none contains another. From the leaves to the root: a cluster is chosen instead of those inside of
 *      it unless the sum of their stabilities is larger, or it has more than max_cluster_size points. It then counts with
 *      its own stability, else with that sum. Ties go to the larger cluster. The root is chosen only with
 *      allow_single_cluster, and if it has min_cluster_size points or more. `leaf`: chosen are the clusters but the root that
 *      contain no other.
 *   4. epsilon: a chosen cluster that began at a distance below epsilon is replaced by the smallest one around it that began at a
 *      distance above epsilon; where that is the root alone, by the one below it, or with allow_single_cluster by the root.
 *   5. Points of a chosen cluster have its label, all others are noise. Of the root, only those points have it whose lambda is no less than
 *      1 / epsilon; without epsilon, no less than the last one at which points leave the root.
 *   6. The probability of a point is its lambda divided by the largest one at which points leave its cluster; at most 1, and 1
 *      where lambda is infinite. 0 for noise.
 *
 * Clusters are numbered by their smallest point index. Sums are in double, by descending weight, those of several clusters by
 * ascending stability. So no order of the points, no number of threads and no machine changes the result. Other programs merge
 * pairs of equal weight one after the other, in an order of their own, and differ there. */
typedef enum clump_hdbscan_selection {
    CLUMP_HDBSCAN_EOM = 0, /* excess of mass */
    CLUMP_HDBSCAN_LEAF = 1
} clump_hdbscan_selection;

typedef struct clump_hdbscan_options {
    uint32_t cookie;                   /* set by clump_hdbscan_defaults(), do not touch */
    clump_hdbscan_selection selection; /* CLUMP_HDBSCAN_EOM */
    int min_cluster_size;              /* 5, at least 2 */
    int min_samples;           /* 0: min_cluster_size; at most CLUMP_TREE_MOST_SAMPLES, larger ones of 0 mean that */
    int max_cluster_size;      /* 0: no limit; eom */
    float epsilon;             /* 0: off; a distance */
    bool allow_single_cluster; /* false */
    bool two_d;                /* false; true ignores z */
    const uint8_t *mask;       /* null, or one byte per point: 0 leaves the point out */
    float *probabilities;      /* output, may be null: one per point */
} clump_hdbscan_options;

CLUMP_API clump_hdbscan_options clump_hdbscan_defaults(void);

/* Finds the clusters of a cloud: clump_tree, on CPU or CUDA, and clump_hdbscan_label on it, on the CPU. The points are in host
 * memory. The parameters are as in clump_ec. */
CLUMP_API clump_status clump_hdbscan(clump_context *ctx, clump_points points, const clump_hdbscan_options *options,
                                     int32_t *labels, int32_t *cluster_count);

/* Finds the clusters of a tree that clump_tree has made with the min_samples that is wanted: one tree serves for every
 * min_cluster_size. options->min_samples, two_d and mask are not used. */
CLUMP_API clump_status clump_hdbscan_label(clump_context *ctx, const int32_t *parents, const float *heights,
                                           size_t count, const clump_hdbscan_options *options, int32_t *labels,
                                           int32_t *cluster_count);

/* Finds the middle of each cluster: points in host memory and their labels. Sums are in double, by ascending index.
 * labels         of clump_hdbscan or of another call, each below cluster_count; those below 0 are left out
 * probabilities  null, or the weight of each point, 0 to 1
 * two_d          true ignores z: it is 0 in centroids
 * centroids      output, may be null: x y z per cluster, the weighted mean; NaN where all weights are 0
 * medoids        output, may be null: per cluster the index of the point with the least weighted sum of distances to the points of
 *                the cluster, of equals the smallest; CLUMP_NOISE for a label without points. Takes time with the square of the
 *                points of a cluster */
CLUMP_API clump_status clump_hdbscan_centers(clump_context *ctx, clump_points points, const int32_t *labels,
                                             const float *probabilities, int32_t cluster_count, bool two_d,
                                             float *centroids, int32_t *medoids);

#ifdef __cplusplus
}
#endif
#endif
