/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_advice.h: the advice of `clump info` for a cloud: which job, method and device, and command lines that work.
 */
#ifndef CLUMP_CLI_INFO_ADVICE_H
#define CLUMP_CLI_INFO_ADVICE_H

#include "info/advice.h"
#include "base/cli.h"
#include "base/json.h"
#include "info/survey.h"

typedef struct cli_info_advice {
    cli_advice advice;
    char text[CLI_ADVICE_SIZE]; /* empty: there is nothing to cluster */
    char *cluster;              /* the command that clusters the file; null: there is none */
    char *view;                 /* the command that shows the labels of the file; null: it has none */
} cli_info_advice;

/* Asks this machine for its devices, where the advice depends on them. `input` is how the cloud was read. */
cli_info_advice cli_info_advise(const cli_survey *survey, const cli_input *input, const clump_cloud *cloud);
void cli_info_advice_release(cli_info_advice *advice);

void cli_info_print_advice(const cli_info_advice *advice); /* the lines "try" and "advice" */
void cli_info_put_advice(cli_json *j, const cli_info_advice *advice, const char *drop); /* the key "advice" */

#endif
