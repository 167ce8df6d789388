/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batch.h: the coordinates of consecutive points in arrays, for loops that compilers vectorise.
 */
#ifndef CLUMP_CPU_GRID_BATCH_H
#define CLUMP_CPU_GRID_BATCH_H

#include "cpu/shared/points.h"

#include <string.h>

/* Loads m points. z is 0 in 2-D mode. Constant strides become vector loads. */
static inline void clump_batch_load_from(const char *points, size_t stride, bool two_d, size_t m, float *restrict x,
                                         float *restrict y, float *restrict z)
{
    const float *const p = clump_floats(points);
    if (stride == 12)
        clump_split_floats(p, 3, 1, 2, m, x, y, z);
    else if (stride == 16)
        clump_split_floats(p, 4, 1, 2, m, x, y, z);
    else
        clump_split_floats(p, stride / sizeof(float), 1, 2, m, x, y, z);
    if (two_d) memset(z, 0, m * sizeof *z);
}

/* Loads the m points of a cloud from `base` on. */
static inline void clump_batch_load(const clump_cloud_job *job, size_t base, size_t m, float *restrict x,
                                    float *restrict y, float *restrict z)
{
    CLUMP_ASSERT(base <= job->count && m <= job->count - base);
    clump_batch_load_from(job->points + base * job->stride, job->stride, job->two_d, m, x, y, z);
}

#endif
