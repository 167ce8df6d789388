/* SPDX-License-Identifier: BSD-3-Clause
 *
 * latency_chart.h: a picture of latencies as SVG: their course over time, and beside it how often each occurs.
 */
#ifndef CLUMP_CLI_LATENCY_CHART_H
#define CLUMP_CLI_LATENCY_CHART_H

#include "play/latency.h"

/* Writes the file. deadline is in milliseconds, NaN: none. Returns CLI_DONE, or prints why not and returns
 * CLI_FAILED. */
int cli_latency_chart(const char *path, const char *title, const cli_course *course, const cli_latency *latency,
                      double deadline);

#endif
