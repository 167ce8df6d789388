/* SPDX-License-Identifier: BSD-3-Clause
 *
 * race.c: a data race between tasks of a team, which the thread sanitizer must find. If it does not, its silence about the
 * other tests means nothing.
 */
#include "common/team.h"

#include "common/atomics.h"

#include <stdio.h>
#include <stdlib.h>

static int inside; /* threads; relaxed accesses, which order nothing else */

static void add_up(void *arg, size_t begin, size_t end, int worker)
{
    (void)worker;
    long *const sum = arg;
    for (size_t i = begin; i < end; i++) *sum += (long)i;
    CLUMP_ADD(&inside, 1);
    while (CLUMP_LOAD(&inside) < 2) {} /* the next task is for another thread */
}

int main(void)
{
    void *const memory = aligned_alloc(64, clump_team_bytes());
    if (!memory) return 1;
    clump_team *const team = clump_team_init(memory, NULL);
    long sum = 0;
    clump_team_start(team, 4);
    clump_team_run(team, 4, 1000, 100, add_up, &sum);
    printf("%ld\n", sum);
    clump_team_destroy(team);
    free(memory);
    return 0;
}
