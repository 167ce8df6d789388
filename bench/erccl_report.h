/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cases of erccl, and their results on the terminal and in CSV.
 */
#ifndef CLUMP_BENCH_ERCCL_REPORT_H
#define CLUMP_BENCH_ERCCL_REPORT_H

#include "erccl_measure.h"
#include "report.h"

extern const erccl_case erccl_cases[];
extern const size_t erccl_case_count;

/* "kitti-00-r5" */
void erccl_case_name(const erccl_case *item, char *out, size_t size);

void erccl_report_case(const erccl_result *result, report_totals *totals);

/* By how much fast grows from reach 1 to reach 8, of each scan that was measured with both. */
void erccl_report_growth(const erccl_result *results, size_t count, report_totals *totals);

/* Rows of cases that were not measured now stay as they are. */
bool erccl_report_csv(const char *path, const machine *m, const erccl_result *results, size_t count,
                      clump_message *why);

#endif
