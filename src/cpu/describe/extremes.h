/* SPDX-License-Identifier: BSD-3-Clause
 *
 * extremes.h: the least and the most of some values.
 */
#ifndef CLUMP_CPU_DESCRIBE_EXTREMES_H
#define CLUMP_CPU_DESCRIBE_EXTREMES_H

#include "common/assert.h"
#include "common/simd.h"

#include <stddef.h>

/* Finds the least and the most of count >= 1 finite values without negative zeros. */
static inline void clump_find_extremes(const float *values, size_t count, float *least, float *most)
{
    CLUMP_ASSERT(count >= 1);
    *least = *most = values[0];
    size_t i = 0;
    if (count >= 4) {
        clump_f4 low = clump_f4_load(values), high = low;
        for (; i + 4 <= count; i += 4) {
            const clump_f4 v = clump_f4_load(values + i);
            low = clump_f4_min(low, v), high = clump_f4_max(high, v);
        }
        *least = clump_f4_lowest(low), *most = clump_f4_highest(high);
    }
    for (; i < count; i++) {
        if (values[i] < *least) *least = values[i];
        if (values[i] > *most) *most = values[i];
    }
}

#endif
