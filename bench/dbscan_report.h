/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Results of dbscan on the terminal and in CSV.
 */
#ifndef CLUMP_BENCH_DBSCAN_REPORT_H
#define CLUMP_BENCH_DBSCAN_REPORT_H

#include "dbscan_measure.h"
#include "report.h"

void dbscan_report_case(const dbscan_result *result, report_totals *totals);

/* As report_csv, with the load of the threads besides. */
bool dbscan_report_csv(const char *path, const machine *m, const dbscan_result *results, size_t count,
                       clump_message *why);

#endif
