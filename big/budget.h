/* SPDX-License-Identifier: BSD-3-Clause
 *
 * budget.h: what the memory of a run is used for. Phases come one after the other, so each may use all of it.
 */
#ifndef CLUMP_BIG_BUDGET_H
#define CLUMP_BIG_BUDGET_H

#include "store/hooks.h"

typedef struct clump_big_budget {
    size_t ram;      /* bytes, in all */
    int threads;     /* that read and scatter */
    int tilers;      /* that cluster tiles */
    uint64_t most;   /* points of a tile with its rim */
    size_t buffers;  /* bytes of one thread's buffers in the scatter */
    uint64_t window; /* points per window of the output */
    size_t entries;  /* entries per window of the merge */
    size_t nodes;    /* clusters that cross tiles, in the merge; 0: no limit */
    size_t fixed;    /* bytes that are not for points */
    size_t describe; /* bytes for the clusters that are described together */
} clump_big_budget;

/* Divides the memory. min_points: as in the settings. */
clump_big_budget clump_big_budget_make(const clump_big_options *options, size_t min_points,
                                       const clump_big_hooks *hooks);

/* Returns the least memory, in whole MB of 2^20 bytes, with which a tile of this size can be clustered. It is alone in memory
 * then. */
uint64_t clump_big_budget_for(const clump_big_options *options, size_t min_points, uint64_t points);

/* Returns the most memory that the process has used, in bytes; 0 where the system does not tell. */
size_t clump_big_peak(void);

#endif
