/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.h: the normal of the surface at every point of a cloud, for point-to-plane ICP.
 */
#ifndef CLUMP_HOST_ICP_NORMALS_H
#define CLUMP_HOST_ICP_NORMALS_H

#include "core/context.h"

/* Returns how many of `count` points to search for at a time: few enough for the caches of the CPU, or enough to be
 * worth a transfer to the GPU and back. */
size_t clump_normals_batch(clump_backend backend, size_t count, int k);

/* Computes the normals of the planes of least squares through the k nearest points of each point, itself included. A
 * normal has length 1 and either sign; it is 0 where there is no plane. `normals` has three floats per point,
 * `neighbours` has batch * k entries. The stride of the points is in bytes. */
clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t batch,
                           int32_t *neighbours, float *normals);

#endif
