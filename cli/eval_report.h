/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_report.h: what `clump eval` prints.
 */
#ifndef CLUMP_CLI_EVAL_REPORT_H
#define CLUMP_CLI_EVAL_REPORT_H

#include "cli.h"
#include "eval.h"

typedef struct cli_eval_report {
    const char *labeled, *truth;
    const cli_eval_input *in;
    const cli_eval_result *result;
    double max_range, extent; /* infinite: none */
    const double *sensor;
    bool pairs;     /* labels of instances are instance * 32768 + class */
    bool instances; /* list every instance */
} cli_eval_report;

void cli_eval_json(FILE *to, const cli_eval_report *report);
void cli_eval_text(FILE *to, const cli_eval_report *report);

#endif
