/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.h: a clustering command that has been read but does not run yet. `clump ec` runs its plan on a file, `clump
 * play` on each frame of a recording.
 */
#ifndef CLUMP_CLI_PLAN_H
#define CLUMP_CLI_PLAN_H

#include "cluster.h"

enum { CLI_PLAN_SUMMARY = 256 };

struct cli_plan {
    const char *input;              /* the operand IN */
    void *settings;                 /* of the command; they begin with a cli_cluster */
    cli_cluster_job job;            /* summary is the array below */
    char summary[CLI_PLAN_SUMMARY]; /* of the parameters: "distance 0.5" */
};

/* Returns settings of `size` bytes for the plan, a copy of the defaults. Null: no memory, which has been said. */
void *cli_plan_settings(cli_plan *plan, const void *defaults, size_t size);
void cli_plan_release(cli_plan *plan); /* a zeroed one is fine */

/* Reads the plan of the command and runs it on its operand. The `run` of clustering commands. */
int cli_plan_run(const cli_command *self, int argc, char **argv);

/* Returns the options of clump_detect for the plan: region, ground, clustering and boxes. origin is that of the
 * cloud. */
clump_detect_options cli_plan_options(const cli_plan *plan, const double *origin);

/* Whether the plan searches the ground. */
bool cli_plan_finds_ground(const cli_plan *plan);

/* Checks a plan that comes after "--" of `owner`: files, repetitions and memory are not its business. Reads --device
 * and --threads into *options. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_plan_check_inner(const cli_command *owner, const cli_command *command, const cli_plan *plan,
                         clump_context_options *options);

#endif
