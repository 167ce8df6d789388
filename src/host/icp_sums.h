/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_sums.h: the sums of rules/pairs.h over all pairs of an iteration of clump_icp, on the CPU. They do not depend on the
 * number of threads.
 */
#ifndef CLUMP_HOST_ICP_SUMS_H
#define CLUMP_HOST_ICP_SUMS_H

#include "rules/pairs.h"

#include <clump/clump.h>

typedef struct clump_pairs {
    clump_points target;    /* stride in bytes */
    const float *moved;     /* the source, three floats a point */
    const int32_t *indices; /* of target points; negative: no pair */
    const float *distances; /* squared */
    size_t count;           /* of source points */
    const float *normals;   /* of the target, three floats a point; null: point to point */
    const double *center;   /* sums are made from here */
    float cut;              /* pairs farther apart do not count; squared, may be infinite */
} clump_pairs;

/* Doubles of scratch memory that the sums of so many points need. */
size_t clump_pairs_scratch(size_t count);

/* What a backend that makes the sums itself has to make as well. */
clump_status clump_pairs_sum(clump_context *ctx, const clump_pairs *pairs, double *scratch,
                             double sums[CLUMP_PAIRS_SUMS]);

#endif
