/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runs.h: runs of equal integers. Consecutive points of a scan mostly have one label.
 */
#ifndef CLUMP_COMMON_RUNS_H
#define CLUMP_COMMON_RUNS_H

#include "common/assert.h"
#include "common/bits.h"
#include "common/wide.h"

#include <stddef.h>

/* Returns the end of the run of equal values that begins at i < end. */
static inline size_t clump_run_end(const int32_t *values, size_t i, size_t end)
{
    CLUMP_ASSERT(i < end);
    const int32_t value = values[i++];
    if (i == end || values[i] != value) return i;
    const clump_iw equal = clump_iw_set(value);
    for (; i + CLUMP_WIDE <= end; i += CLUMP_WIDE) {
        const clump_iw here = clump_iw_load(values + i);
        const unsigned other = clump_mw_bits(clump_mw_or(clump_iw_is_less(here, equal), clump_iw_is_less(equal, here)));
        if (other) return i + clump_lowest(other);
    }
    while (i < end && values[i] == value) i++;
    return i;
}

#endif
