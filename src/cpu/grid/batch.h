/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: the coordinates of consecutive points in arrays, for loops that compilers vectorise.
 */
#ifndef CLUMP_CPU_GRID_BATCH_H
#define CLUMP_CPU_GRID_BATCH_H

#include "cpu/shared/points.h"

#include <string.h>

static inline void clump_batch_copy(const char *p, size_t stride, size_t m, float *restrict x, float *restrict y,
                                    float *restrict z)
{
    for (size_t j = 0; j < m; j++) {
        const float *const f = clump_floats(p + j * stride);
        x[j] = f[0], y[j] = f[1], z[j] = f[2];
    }
}

/* Loads m points from `base` on. z is 0 in 2-D mode. Constant strides become vector loads. */
static inline void clump_batch_load(const clump_cloud_job *job, size_t base, size_t m, float *restrict x,
                                    float *restrict y, float *restrict z)
{
    CLUMP_ASSERT(base <= job->count && m <= job->count - base);
    const char *const p = job->points + base * job->stride;
    if (job->stride == 12)
        clump_batch_copy(p, 12, m, x, y, z);
    else if (job->stride == 16)
        clump_batch_copy(p, 16, m, x, y, z);
    else
        clump_batch_copy(p, job->stride, m, x, y, z);
    if (job->two_d) memset(z, 0, m * sizeof *z);
}

#endif
