/* SPDX-License-Identifier: BSD-3-Clause
 *
 * icp_sums.h: the sums of rules/pairs.h over all pairs of an iteration of clump_icp, on the CPU. They do not depend on
 * the number of threads.
 */
#ifndef CLUMP_HOST_ICP_SUMS_H
#define CLUMP_HOST_ICP_SUMS_H

#include "rules/pairs.h"

#include <clump/clump.h>

typedef struct clump_pairs {
    clump_points target;    /* stride in bytes */
    const float *moved;     /* the moved source, three floats per point */
    const int32_t *indices; /* of target points; negative: no pair */
    const float *distances; /* squared */
    size_t count;           /* of source points */
    const float *normals;   /* of the target, three floats per point; null: point to point */
    const double *center;   /* origin of the sums */
    float cut;              /* largest squared distance of the pairs that count; may be infinite */
} clump_pairs;

/* Returns the number of doubles of scratch that the sums of `count` points need. */
size_t clump_pairs_scratch(size_t count);

/* Computes the sums. A backend that runs whole iterations must compute the same bits. */
clump_status clump_pairs_sum(clump_context *ctx, const clump_pairs *pairs, double *scratch,
                             double sums[CLUMP_PAIRS_SUMS]);

#endif
