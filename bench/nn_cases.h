/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pairs of clouds for the benches of nearest neighbours and ICP.
 */
#ifndef CLUMP_BENCH_NN_CASES_H
#define CLUMP_BENCH_NN_CASES_H

#include "clouds.h"

typedef struct nn_case {
    const char *name;
    const char *scans[2]; /* files in the folder of scans; null: synthetic clouds */
    size_t count;         /* points of each synthetic cloud */
    size_t first[2];      /* of the scans, the number of points that are read; 0: all */
    bool clump;           /* points in one small cube and one far point, queries far away; else uniform in a cube */
    int groups;           /* or in this many dense groups far apart */
    double target;        /* times as fast as the better of FLANN and nanoflann, one thread */
    double target_two;    /* the figure for two threads of ours; 0: none */
    bool paper;           /* also the paper's approximate method */
    bool plot;            /* one of the sizes of the paper's plot: scripts/plots.sh draws it */
} nn_case;

extern const nn_case nn_cases[];
extern const size_t nn_case_count;

/* Makes or reads both clouds. Returns false with a sentence in why. */
bool nn_case_make(const nn_case *item, const char *folder, bench_cloud *points, bench_cloud *queries,
                  clump_message *why);

#endif
