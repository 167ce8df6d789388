/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each.h: --each: every file of the command line is a cloud of its own, with the labels it has alone. Files are read in
 * groups, and the clouds of a group are clustered in one call (clump/batch.h).
 *
 *     each.c          groups: read, cluster, write
 *     each_files.c    names of the outputs
 *     each_report.c   what is printed
 *
 * A file that cannot be read or written does not stop the others. It is named, and the exit status is CLI_FAILED.
 */
#ifndef CLUMP_CLI_EACH_H
#define CLUMP_CLI_EACH_H

#include "plan.h"

#include <stdint.h>

/* One file and what was found in it. */
typedef struct cli_each_file {
    const char *input;
    char *output; /* null without -o */
    clump_format output_format;
    bool failed;
    size_t points, finite, masked, core, noise, largest;
    int32_t clusters;
    double step; /* of the frame steps; 0: the frame is whole */
    uint64_t labels_hash;
} cli_each_file;

/* All files, in the order of the command line. */
typedef struct cli_each {
    const char *command; /* "ec" */
    const cli_plan *plan;
    const cli_cluster *s;
    cli_each_file *files;
    size_t count;
    int device;        /* CUDA ordinal */
    clump_stats stats; /* of the last call; counts are those of all files */
    size_t calls;
    double time_ms; /* of all calls, from points in memory to labels in memory */
} cli_each;

/* Fills the names of the outputs and creates the folder of -o. Returns CLI_DONE, or prints what is wrong and returns the
 * exit status. */
int cli_each_name_outputs(const cli_command *self, cli_each *each);

void cli_each_print(FILE *to, const cli_each *each);
void cli_each_print_json(FILE *to, const cli_each *each);

/* Runs the plan on each of its inputs; returns the exit status. */
int cli_each_run(const cli_command *self, const cli_plan *plan);

#endif
