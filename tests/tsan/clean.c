/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clean.c: a team used correctly. The thread sanitizer must say nothing: the beginning and the end of a run order what it
 * sees, and so do atomic operations within a run.
 */
#include "common/team.h"

#include "common/atomics.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
static long value[N], turned[N], sum;

static void fill(void *arg, size_t begin, size_t end, int worker)
{
    (void)arg, (void)worker;
    for (size_t i = begin; i < end; i++) value[i] = (long)i;
}

static void turn(void *arg, size_t begin, size_t end, int worker)
{
    (void)arg, (void)worker;
    long part = 0;
    for (size_t i = begin; i < end; i++) part += turned[i] = value[N - 1 - i];
    CLUMP_ADD(&sum, part);
}

int main(void)
{
    int cancel = 0;
    void *const memory = aligned_alloc(64, clump_team_bytes());
    if (!memory) return 1;
    clump_team *const team = clump_team_init(memory, &(clump_team_setup){.cancel = &cancel});
    for (int round = 0; round < 100; round++) {
        clump_team_begin(team);
        clump_team_start(team, 2 + round % 4);
        clump_team_run(team, 4, N, 64, fill, NULL);
        value[0] = value[N - 1]; /* by the caller, between two runs */
        clump_team_run(team, 4, N, 100, turn, NULL);
        for (int i = 0; i < N; i++) turned[i] = 0;
        if (round % 10 == 9) clump_team_rest(team);
    }
    printf("%ld\n", sum);
    clump_team_destroy(team);
    free(memory);
    return 0;
}
