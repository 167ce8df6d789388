/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_advice.h: the advice of `clump info` for a cloud: which job, method and device.
 */
#ifndef CLUMP_CLI_INFO_ADVICE_H
#define CLUMP_CLI_INFO_ADVICE_H

#include "advice.h"
#include "json.h"
#include "survey.h"

typedef struct cli_info_advice {
    cli_advice advice;
    char text[CLI_ADVICE_SIZE]; /* empty: there is nothing to cluster */
} cli_info_advice;

/* Asks this machine for its devices, where the advice depends on them. */
cli_info_advice cli_info_advise(const cli_survey *survey);

/* Writes the key "advice". */
void cli_info_put_advice(cli_json *j, const cli_info_advice *advice);

#endif
