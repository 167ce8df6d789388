/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h: whether a cloud is sparse: most cells (rules/cell.h) would hold a single point. Such a cloud is swept by
 * rows (rows.h), any other is put into blocks (blocks.h). Labels do not depend on the choice, the time does.
 */
#ifndef CLUMP_CPU_EC_SPARSE_H
#define CLUMP_CPU_EC_SPARSE_H

#include "core/backend.h"
#include "rules/hash.h"

/* Judged by a sample that depends on the cloud alone, not on the number of threads or on the key. The points of whole
 * blocks are taken, so that the order of the points does not matter. job->labels is scratch memory. */
clump_status clump_is_sparse(clump_context *ctx, const clump_cloud_job *job, clump_hash_key key, int threads,
                             bool *sparse);

#endif
