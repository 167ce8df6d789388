/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing.h: times of repeated runs and their order statistics.
 */
#ifndef CLUMP_CLI_TIMING_H
#define CLUMP_CLI_TIMING_H

#include "base/json.h"

#include <clump/info.h>

enum { CLI_MOST_RUNS = 100000000 }; /* limit of --repeat and of --warmup */

/* The stages of a run, in the order of the JSON object. */
enum {
    CLI_STAGE_UPLOAD,
    CLI_STAGE_GROUND,
    CLI_STAGE_INITIAL,
    CLI_STAGE_BUILD,
    CLI_STAGE_CLUSTER, /* or query */
    CLI_STAGE_MERGE,
    CLI_STAGE_LABEL,
    CLI_STAGE_BOXES,
    CLI_STAGE_DOWNLOAD,
    CLI_STAGES
};

typedef struct cli_times {
    size_t runs;
    double median, min, p99;   /* ms */
    double stages[CLI_STAGES]; /* medians */
} cli_times;

/* How often a job runs. */
typedef struct cli_repetition {
    size_t repeat, warmup; /* timed runs, and runs before them; warmup CLI_UNSET: 1 where repeat is over 1, else 0 */
    const char *doing;     /* for the bar: "clustering" */
    bool quiet;
} cli_repetition;

/* Does the work once and fills its stats. */
typedef clump_status cli_job(void *given, clump_stats *stats);

/* Runs the job and fills times. Stops at a run that fails and returns CLI_FAILED, with the status of the run in
 * *status and without a message. Without memory for the times it prints that and returns CLI_FAILED, with *status
 * CLUMP_OK. */
int cli_repeat(const cli_repetition *how, cli_job *job, void *given, cli_times *times, clump_status *status);

double cli_median(double *values, size_t count); /* sorts the values; count >= 1 */

/* Prints the lines "time" and "ran" of a summary. memory is the word of --memory, or null. */
void cli_put_run(FILE *to, const cli_times *times, const clump_stats *stats, int device, const char *memory);

/* Writes the keys time_ms and memory_bytes of a report. A stage without a name is left out. */
void cli_json_cost(cli_json *j, const cli_times *times, const char *const stages[CLI_STAGES], const clump_stats *stats);

#endif
