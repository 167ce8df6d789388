/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy.c: see copy.h.
 */
#include "common/copy.h"

#include <string.h>

#define SHARE 131072 /* bytes that are worth waking a thread for */

/* Points of three floats are by far the most frequent rows. */
static void copy_some(char *to, const char *from, size_t row, size_t stride, size_t n)
{
    if (row == stride)
        memcpy(to, from, n * row);
    else if (row == 3 * sizeof(float))
        for (size_t i = 0; i < n; i++) memcpy(to + i * 3 * sizeof(float), from + i * stride, 3 * sizeof(float));
    else
        for (size_t i = 0; i < n; i++) memcpy(to + i * row, from + i * stride, row);
}

void clump_copy_rows(void *to, const void *from, size_t row, size_t stride, size_t n, int threads)
{
    const size_t shares = n * row / SHARE;
    if ((size_t)threads > shares) threads = shares > 0 ? (int)shares : 1;
    if (threads <= 1) {
        if (n > 0) copy_some(to, from, row, stride, n);
        return;
    }
    const size_t each = n / (size_t)threads + 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int t = 0; t < threads; t++) {
        const size_t first = (size_t)t * each;
        if (first < n)
            copy_some((char *)to + first * row, (const char *)from + first * stride, row, stride,
                      n - first < each ? n - first : each);
    }
}
