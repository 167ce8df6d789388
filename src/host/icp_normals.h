/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.h: the normal of the surface at every point of a cloud, for point-to-plane ICP on the CPU. A backend that
 * runs whole iterations computes the same bits (rules/normal.h).
 */
#ifndef CLUMP_HOST_ICP_NORMALS_H
#define CLUMP_HOST_ICP_NORMALS_H

#include "core/context.h"

/* Returns how many of `count` points to search for at a time: few enough for the caches. */
size_t clump_normals_batch(size_t count);

/* Computes the normals of the planes of least squares through the k nearest points of each point, itself included. A
 * normal has length 1 and either sign; it is 0 where there is no plane. `normals` has three floats per point,
 * `neighbours` has batch * k entries. The stride of the points is in bytes. */
clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t batch,
                           int32_t *neighbours, float *normals);

#endif
