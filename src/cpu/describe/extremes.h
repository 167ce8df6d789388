/* SPDX-License-Identifier: BSD-3-Clause
 *
 * extremes.h: the least and the most of some values.
 */
#ifndef CLUMP_CPU_DESCRIBE_EXTREMES_H
#define CLUMP_CPU_DESCRIBE_EXTREMES_H

#include "common/assert.h"
#include "common/wide.h"

#include <stddef.h>

/* Finds the least and the most of count >= 1 finite values without negative zeros. */
static inline void clump_find_extremes(const float *values, size_t count, float *least, float *most)
{
    CLUMP_ASSERT(count >= 1);
    *least = *most = values[0];
    size_t i = 0;
    if (count >= 2 * CLUMP_WIDE) {
        clump_fw low[2] = {clump_fw_load(values), clump_fw_load(values + CLUMP_WIDE)}, high[2] = {low[0], low[1]};
        for (; i + 2 * CLUMP_WIDE <= count; i += 2 * CLUMP_WIDE) {
            const clump_fw a = clump_fw_load(values + i), b = clump_fw_load(values + i + CLUMP_WIDE);
            low[0] = clump_fw_min(low[0], a), high[0] = clump_fw_max(high[0], a);
            low[1] = clump_fw_min(low[1], b), high[1] = clump_fw_max(high[1], b);
        }
        *least = clump_fw_lowest(clump_fw_min(low[0], low[1]));
        *most = clump_fw_highest(clump_fw_max(high[0], high[1]));
    }
    for (; i < count; i++) {
        if (values[i] < *least) *least = values[i];
        if (values[i] > *most) *most = values[i];
    }
}

#endif
