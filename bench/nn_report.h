/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results of the bench of nearest neighbours: the paper's table on the terminal, and CSV.
 */
#ifndef CLUMP_BENCH_NN_REPORT_H
#define CLUMP_BENCH_NN_REPORT_H

#include "machine.h"
#include "nn_cases.h"

enum { nn_max_contestants = 12 };

typedef struct nn_contestant {
    const char *name, *version;
    int threads;
    bool rival, approximate, failed;
    size_t runs;
    double build_ms, query_ms, total_ms; /* medians */
    double recall;                       /* share of queries whose distance is the one that `fast` found */
} nn_contestant;

typedef struct nn_result {
    const nn_case *item;
    size_t points, queries;
    nn_contestant contestants[nn_max_contestants];
    size_t count;
} nn_result;

typedef struct nn_totals {
    int reached, missed, wrong;
} nn_totals;

/* Total of the better of FLANN and nanoflann, in ms; 0 where there is none. */
double nn_best_rival(const nn_result *result);

void nn_report_case(const nn_result *result, nn_totals *totals);

/* Rows of other cases in the file stay. */
bool nn_report_csv(const char *path, const machine *m, const nn_result *results, size_t count, clump_message *why);

#endif
