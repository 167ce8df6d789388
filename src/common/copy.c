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

typedef struct copying {
    char *to;
    const char *from;
    size_t row, stride;
} copying;

static void copy_chunk(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    const copying *const c = arg;
    copy_some(c->to + begin * c->row, c->from + begin * c->stride, c->row, c->stride, end - begin);
}

void clump_copy_rows(clump_team *team, void *to, const void *from, size_t row, size_t stride, size_t n, int threads)
{
    if (n == 0) return;
    const size_t shares = n * row / SHARE;
    if ((size_t)threads > shares) threads = shares > 0 ? (int)shares : 1;
    if (threads > 1) threads = clump_team_start(team, threads);
    copying c = {to, from, row, stride};
    clump_team_run_whole(team, threads, n, threads > 1 ? SHARE / 2 / row + 1 : n, copy_chunk, &c);
}
