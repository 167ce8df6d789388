/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results on the terminal and in CSV.
 */
#ifndef CLUMP_BENCH_REPORT_H
#define CLUMP_BENCH_REPORT_H

#include "machine.h"
#include "measure.h"

/* What a run of the bench found, over all cases. */
typedef struct report_totals {
    int reached, missed; /* figures that were set */
    int wrong;           /* contestants that failed or whose labels are not what they must be */
} report_totals;

void report_header(const machine *m, const measure_options *options);
void report_case(const case_result *result, bool stages, report_totals *totals);

/* Writes the rows of these cases; rows of other cases that the file has already stay. Writes beside
 * the file and renames. False with a sentence in why. */
bool report_csv(const char *path, const machine *m, const case_result *results, size_t count, clump_message *why);

#endif
