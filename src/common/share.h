/* SPDX-License-Identifier: BSD-3-Clause
 *
 * share.h: n items divided into one slice per thread, in order and as equal as possible.
 */
#ifndef CLUMP_COMMON_SHARE_H
#define CLUMP_COMMON_SHARE_H

#include "common/assert.h"

#include <stddef.h>

typedef struct clump_share {
    size_t begin, end;
} clump_share;

/* Returns slice t, 0 <= t < threads. n * threads fits into a size_t. */
static inline clump_share clump_share_of(size_t n, int t, int threads)
{
    CLUMP_ASSERT(t >= 0 && t < threads);
    return (clump_share){n * (size_t)t / (size_t)threads, n * (size_t)(t + 1) / (size_t)threads};
}

#endif
