/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each.h: --each: every file is a cloud of its own, with the results that it has alone. --jobs of them are processed at a
 * time, each by one thread with a context of its own: read, cluster, write. The main thread takes what they found in the
 * order of the command line. So messages and tables do not depend on the number of jobs.
 *
 *     each.c          the command line
 *     each_inputs.c   files and folders to read
 *     each_files.c    names of the outputs
 *     each_work.c     one file
 *     each_jobs.c     threads, and the order of the results
 *     each_report.c   what is printed
 *
 * A file that cannot be read or written does not stop the others. It is named, and the exit status is CLI_FAILED.
 */
#ifndef CLUMP_CLI_EACH_H
#define CLUMP_CLI_EACH_H

#include "cluster/clusters_file.h"
#include "cluster/objects.h"
#include "cluster/plan.h"

#include <clump/info.h>

#include <stdint.h>

/* What can be written per file: the files of -o and of --clusters FOLDER, and the folder of --maps. */
enum { CLI_EACH_OUTPUT, CLI_EACH_BOXES, CLI_EACH_MAPS, CLI_EACH_KINDS };

/* One file and what was found in it. */
typedef struct cli_each_file {
    char *input;
    char *names[CLI_EACH_KINDS]; /* of what is written; null: not asked for */
    clump_format output_format;
    bool failed;
    size_t points, finite, masked, thinned, core, ground, noise, largest;
    int32_t clusters;
    cli_object_counts found; /* of clump_objects, */
    clump_stats rings;       /* and its neighbours and rings; nothing else */
    cli_oversize oversize;   /* with --classes */
    float ground_level;      /* NaN: none */
    double step;             /* of the frame steps; 0: the frame is whole */
    double time_ms;          /* of the call, from points in memory to labels in memory */
    uint64_t labels_hash;
} cli_each_file;

/* All files, in the order of the command line. */
typedef struct cli_each {
    const cli_command *self;
    const cli_plan *plan;
    const cli_cluster *s;
    cli_each_file *files;
    size_t count, room;
    clump_context_options options; /* of the context of a job; threads are its share */
    size_t jobs;
    cli_clusters_file table; /* --clusters FILE: clusters of all files */
    clump_stats stats;       /* of the last file that did not fail; counts are those of all files */
    double elapsed_ms;
} cli_each;

/* Fills files[].input; a folder stands for its cloud files in bytewise order of their names. Returns CLI_DONE, or prints what
 * is wrong and returns the exit status. */
int cli_each_list_inputs(cli_each *each);

/* Fills the names of the outputs and creates their folders. Returns CLI_DONE, or prints what is wrong and returns the exit
 * status. */
int cli_each_name_outputs(cli_each *each);

/* What a file leaves behind until its turn comes. */
typedef struct cli_each_found {
    cli_said said;
    char *rows; /* of the table, null: none */
    size_t rows_size;
    clump_stats stats;
} cli_each_found;

/* Reads a file, clusters it, writes its outputs, and fills *file and *found. Messages are held in found->said. */
void cli_each_work(const cli_each *each, cli_each_file *file, clump_context *context, cli_each_found *found);

/* Runs all files. Returns CLI_DONE, also where files failed, or prints why not and returns CLI_FAILED. */
int cli_each_run_jobs(cli_each *each);

void cli_each_print(FILE *to, const cli_each *each);
void cli_each_print_json(FILE *to, const cli_each *each);

/* Runs the plan on each of its inputs; returns the exit status. */
int cli_each_run(const cli_command *self, const cli_plan *plan);

#endif
