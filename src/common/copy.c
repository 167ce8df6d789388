/* SPDX-License-Identifier: BSD-3-Clause
 *
 * copy.c: see team.h.
 */
#include "common/team.h"

#include "common/assert.h"

#include <string.h>

#define COPY_SLICE 131072 /* bytes that are worth waking a thread for */

/* Points of three floats, by far the most frequent rows, have a loop of their own. */
static void copy_rows(char *to, const char *from, size_t row, size_t stride, size_t n)
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
    copy_rows(c->to + begin * c->row, c->from + begin * c->stride, c->row, c->stride, end - begin);
}

/* Returns the number of threads that a copy of n rows can have, after starting them. */
static int start_threads(clump_team *team, size_t row, size_t n, int threads)
{
    CLUMP_ASSERT(row >= 1 && threads >= 1);
    const size_t slices = n * row / COPY_SLICE;
    if ((size_t)threads > slices) threads = slices > 0 ? (int)slices : 1;
    return threads > 1 ? clump_team_start(team, threads) : 1;
}

void clump_copy_rows(clump_team *team, void *to, const void *from, size_t row, size_t stride, size_t n, int threads)
{
    if (n == 0) return;
    CLUMP_ASSERT(row <= stride);
    threads = start_threads(team, row, n, threads);
    copying c = {to, from, row, stride};
    clump_team_run_whole(team, threads, n, threads > 1 ? COPY_SLICE / 2 / row + 1 : n, copy_chunk, &c);
}

void clump_copy_expect(clump_team *team, size_t row, size_t n, int threads)
{
    clump_team_wake(team, start_threads(team, row, n, threads));
}
