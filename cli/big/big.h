/* SPDX-License-Identifier: BSD-3-Clause
 *
 * big.h: `clump ec` and `clump dbscan` on surveys: --ram, several files, folders. clump_big clusters them in tiles.
 *
 *     big.c            the run
 *     big_check.c      which options go together
 *     big_clusters.c   the file of --clusters
 *     big_report.c     what is printed
 */
#ifndef CLUMP_CLI_BIG_H
#define CLUMP_CLI_BIG_H

#include "cluster/plan.h"
#include "base/units.h"

#include <clump/big.h>

/* Returns what makes the plan one for clump_big: "--ram", "several files", "a folder" ...; null: nothing. */
const char *cli_big_reason(const cli_plan *plan);

/* Checks that all options can be used with `reason`. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_big_check(const cli_command *self, const cli_plan *plan, const char *reason);

/* Runs the plan and returns the exit status. */
int cli_big_run(const cli_command *self, const cli_plan *plan, const char *reason);

/* A finished run. */
typedef struct cli_big_report {
    const char *command;
    const cli_plan *plan;
    clump_big_result result;
    char device[CLI_DEVICE_SIZE];
    const char *work;   /* null: none was used */
    const char *reason; /* why it ran in tiles: "--ram" */
} cli_big_report;
void cli_big_report_json(FILE *to, const cli_big_report *report);
void cli_big_report_text(FILE *to, const cli_big_report *report);

/* The names of the phases of clump_big_result. */
extern const char *const cli_big_phases[CLUMP_BIG_PHASES];

#endif
