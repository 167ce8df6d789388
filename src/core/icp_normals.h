/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_normals.h: the direction of the surface at every point of a cloud, for point-to-plane ICP.
 */
#ifndef CLUMP_CORE_ICP_NORMALS_H
#define CLUMP_CORE_ICP_NORMALS_H

#include "core/context.h"

#define CLUMP_NORMALS_BLOCK 4096 /* points that are searched for at a time */

/* Across the plane of least squares through each point's k nearest, itself included; of length 1, in either
 * direction, and 0 where there is none. normals has three floats a point, neighbours CLUMP_NORMALS_BLOCK * k entries. */
clump_status clump_normals(clump_context *ctx, const clump_index *index, clump_points points, int k,
                           int32_t *neighbours, float *normals);

#endif
