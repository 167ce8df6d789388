/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.h: a clustering command that has been read but does not run yet. `clump ec` runs its plan on a file, `clump
 * play` on each frame of a recording.
 */
#ifndef CLUMP_CLI_PLAN_H
#define CLUMP_CLI_PLAN_H

#include "cluster/cluster.h"

enum { CLI_PLAN_SUMMARY = 320 };

struct cli_plan {
    const cli_command *command;     /* where cli_plan_read_inner() has read the plan; else null */
    const char *input;              /* the operand IN; of several, the first */
    const char **inputs;            /* all operands; the words belong to the command line */
    size_t input_count;             /* of them; at least 1 */
    void *settings;                 /* of the command; they begin with a cli_cluster */
    void *defaults;                 /* the settings before the command line was read */
    cli_cluster_job job;            /* summary is the array below */
    char summary[CLI_PLAN_SUMMARY]; /* of the parameters: "distance 0.5" */
};

/* Returns settings of `size` bytes for the plan, a copy of the defaults. Null: no memory, which has been said. */
void *cli_plan_settings(cli_plan *plan, const void *defaults, size_t size);
void cli_plan_release(cli_plan *plan); /* a zeroed one is fine */

/* Reads the words of a command line into plan->settings and the operands. Returns as cli_parse() does. */
int cli_plan_parse(const cli_command *self, int argc, char **argv, cli_plan *plan);

/* Reads the plan of the command and runs it on its operand. The `run` of clustering commands. */
int cli_plan_run(const cli_command *self, int argc, char **argv);

/* Returns the options of clump_detect for the plan: region, ground, clustering and boxes. origin is that of the
 * cloud. */
clump_detect_options cli_plan_options(const cli_plan *plan, const double *origin);

/* Whether the plan searches the ground. */
bool cli_plan_finds_ground(const cli_plan *plan);

/* Whether the word is the name of a command that can be a job: "detect". */
bool cli_plan_is_job(const char *word);

/* Reads and checks the words that come after "--" of `owner`: a clustering command without its file, and with
 * `with_ground` also `ground`. Files, repetitions and memory are not the business of the plan. Reads --device and
 * --threads into *options. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_plan_read_inner(const cli_command *owner, bool with_ground, int argc, char **argv, cli_plan *plan,
                        clump_context_options *options);

#endif
