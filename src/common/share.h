/* SPDX-License-Identifier: BSD-3-Clause
 *
 * share.h: n things cut into one range a thread, in order, as equal as can be.
 */
#ifndef CLUMP_COMMON_SHARE_H
#define CLUMP_COMMON_SHARE_H

#include <stddef.h>

typedef struct clump_share {
    size_t begin, end;
} clump_share;

static inline clump_share clump_share_of(size_t n, int t, int threads)
{
    return (clump_share){n * (size_t)t / (size_t)threads, n * (size_t)(t + 1) / (size_t)threads};
}

#endif
