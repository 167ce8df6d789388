/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks_world.h: runs the ranks of big/ranks/ranks.h as threads of one process, for tests.
 */
#ifndef CLUMP_TESTS_RANKS_WORLD_H
#define CLUMP_TESTS_RANKS_WORLD_H

#include <clump/big.h>

typedef struct ranks_case {
    clump_joint_settings settings;
    const float *xyz;     /* three floats per point, or */
    const int32_t *steps; /* three integers: the frame steps */
    size_t count;
    int ranks, threads;
    uint64_t most;   /* points per tile */
    uint64_t mail;   /* bytes per rank and round; 0: as usual */
    uint64_t random; /* seed of the division among shares */
    bool even;       /* shares of equal size */
    uint64_t first_index;
    bool wide;
    size_t ram;
    const volatile int *cancel;
    long trap; /* the call of rank 0 that fails; 0: none */
} ranks_case;

typedef struct ranks_outcome {
    int64_t clusters;
    uint64_t noise, tiles, rims, links, sent, loads_most, loads_mean;
    long calls; /* of rank 0 */
    clump_message message;
    bool same_message; /* on all ranks */
} ranks_outcome;

/* Runs all ranks. Returns the status of rank 0; all ranks must have the same, or CLUMP_ERR_INTERNAL is returned. */
clump_status ranks_world_run(const ranks_case *c, int64_t *labels, ranks_outcome *out);

#endif
