/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h: whether a cloud is sparse: most cells (rules/cell.h) would hold a single point. A sparse cloud is swept by
 * rows (rows.h), any other is put into blocks (blocks.h). The time depends on this choice, the labels do not. The
 * density of a cloud is the mean number of points in a point's own cell of edge d, itself included.
 */
#ifndef CLUMP_CPU_ROWS_SPARSE_H
#define CLUMP_CPU_ROWS_SPARSE_H

#include "core/backend.h"
#include "rules/hash.h"

/* *sparse becomes whether a sample of the cloud is sparse. The sample depends on the cloud alone, not on the number of
 * threads or on the key. It takes the points of whole parts of space, so that the order of the points does not matter.
 * job->labels is scratch memory. */
clump_status clump_is_sparse(clump_context *ctx, const clump_cloud_job *job, clump_hash_key key, int threads,
                             bool *sparse);

/* Returns whether the density of the cloud, estimated from a sample, is below the limit; false for clouds of fewer than
 * 2048 points. The sample depends on the cloud alone. job->labels is scratch memory. */
bool clump_is_thinner(const clump_cloud_job *job, clump_hash_key key, double limit);

#endif
