/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.h: the direction of the surface at every point of a cloud, for point-to-plane ICP.
 */
#ifndef CLUMP_HOST_ICP_NORMALS_H
#define CLUMP_HOST_ICP_NORMALS_H

#include "core/context.h"

/* How many of `count` points are best searched for at a time: few enough for the caches of the CPU, or as many as
 * one way to the GPU and back is worth. */
size_t clump_normals_block(clump_backend backend, size_t count, int k);

/* Across the plane of least squares through each point's k nearest, itself included; of length 1, in either
 * direction, and 0 where there is none. normals has three floats a point, neighbours block * k entries. */
clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k, size_t block,
                           int32_t *neighbours, float *normals);

#endif
