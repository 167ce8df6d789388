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

#include "base/number.h"
#include "cluster/clusters_file.h"
#include "cluster/plan.h"

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

/* --- big_clusters.c: --clusters FILE of a survey. The file is made when the first clusters come ----- */

typedef struct cli_big_clusters {
    const cli_cluster *settings;
    cli_clusters_file file;
    bool writes; /* this process writes the file */
    bool is_open;
    bool has_failed;        /* and has said why */
    cli_boxes boxes;        /* a copy of the clusters */
    cli_by_class *by_class; /* null, or the table, and a copy of the classes of the clusters */
} cli_big_clusters;

/* Sets the options of clump_big for --clusters. Does nothing without it. by_class: the table of --classes; null: without. */
void cli_big_clusters_begin(cli_big_clusters *clusters, const cli_cluster *settings, cli_by_class *by_class,
                            clump_big_options *options);

/* Ends the file: complete after a success, else it stays as it was. Prints why not where has_failed becomes true. */
void cli_big_clusters_end(cli_big_clusters *clusters, bool success);

#endif
