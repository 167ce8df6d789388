/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: many small clouds in one call: robots of a fleet, crops of detections, simulated environments.
 *
 *     offsets   0      1024     1700            3000        cloud c has the points offsets[c] ... offsets[c + 1] - 1
 *     labels    0 1 .. | 0 0 1 ..| 0 ..                     of every cloud from 0 on
 *
 * The labels of every cloud are those of clump_ec or clump_dbscan on that cloud alone, bit for bit.
 */
#ifndef CLUMP_BATCH_H
#define CLUMP_BATCH_H

#include <clump/clump.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Clusters all clouds.
 * offsets         clouds + 1 entries, ascending from 0 to points.count, in the place of the points. On a device they are
 *                 not checked beforehand; offsets that are not ascending give undefined labels, but no access outside
 *                 the arrays
 * clouds          may be 0, if points.count is 0
 * distances       null: d for all clouds; else one per cloud, in the place of the points; d is then ignored
 * options         may be null for the defaults; only the method CLUMP_EC_FAST. mask is one byte per point of all clouds;
 *                 min_size and max_size count per cloud. eps_per_metre is not supported
 * labels          output: points.count entries, in the place of the points
 * cluster_counts  output, may be null: one per cloud, in the place of the points
 * With points on the device the call returns before the GPU is done, as clump_ec does without cluster_count
 * (clump/cuda.h). On failure the outputs are undefined; the context stays usable. */
CLUMP_API clump_status clump_ec_batch(clump_context *ctx, clump_points points, const int64_t *offsets, size_t clouds,
                                      float d, const float *distances, const clump_ec_options *options, int32_t *labels,
                                      int32_t *cluster_counts);

/* As clump_ec_batch, with `radii` in place of distances; only the method CLUMP_DBSCAN_FAST. options.core has one byte per
 * point of all clouds. */
CLUMP_API clump_status clump_dbscan_batch(clump_context *ctx, clump_points points, const int64_t *offsets,
                                          size_t clouds, float eps, const float *radii, size_t min_points,
                                          const clump_dbscan_options *options, int32_t *labels,
                                          int32_t *cluster_counts);

/* Describes the clusters of all clouds, each as clump_describe() does for its cloud alone.
 * labels           of clump_ec_batch or clump_dbscan_batch
 * cluster_offsets  clouds + 1 entries in host memory: the clusters of cloud c are clusters[cluster_offsets[c]] ...
 *                  clusters[cluster_offsets[c + 1] - 1]. It is the prefix sum of cluster_counts
 * options          as in clump_describe; arrays per point have one entry per point of all clouds; hulls are numbered as
 *                  the clusters */
CLUMP_API clump_status clump_describe_batch(clump_context *ctx, clump_points points, const int64_t *offsets,
                                            size_t clouds, const int32_t *labels, const int64_t *cluster_offsets,
                                            const clump_describe_options *options, clump_cluster *clusters);

#ifdef __cplusplus
}
#endif
#endif
