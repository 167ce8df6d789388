/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.h: two clouds in one frame, for the commands that compare them, and what else these commands share. Clouds of
 * float64 or scaled coordinates have an origin each; the second cloud is then moved to the origin of the first.
 *
 *     pair.c        loads both clouds
 *     motion.c      rigid motions: files, and origins of clouds
 *     nn_report.c   what `clump nn` prints
 */
#ifndef CLUMP_CLI_PAIR_H
#define CLUMP_CLI_PAIR_H

#include "base/cli.h"
#include "base/json.h"
#include "files/timing.h"

/* Set by CLI_PAIR_INPUT_OPTIONS and CLI_PAIR_OUTPUT_OPTIONS (options.h). */
typedef struct cli_pair_settings {
    size_t threads, repeat, warmup;
    const char *device, *format, *output, *to;
    bool json, quiet;
    const char *columns; /* of files A and B without a header */
    bool partial;
} cli_pair_settings;

#define CLI_PAIR_DEFAULTS                                                                                              \
    {                                                                                                                  \
        .repeat = 1, .warmup = CLI_UNSET, .device = "auto"                                                             \
    }

/* Fills threads and device of the options. Returns CLI_DONE, or prints what is wrong and returns the exit status: both
 * clouds from standard input, or no such device. */
int cli_pair_check(const cli_command *self, const char *const paths[2], const cli_pair_settings *settings,
                   clump_context_options *options);

typedef struct cli_pair {
    clump_cloud *a, *b;
    clump_points reference, other; /* both relative to the origin of a */
    float *moved;                  /* points of b relative to the origin of a; null: b has the same origin */
} cli_pair;

/* Reads both clouds. Returns CLI_DONE, or prints why not and returns CLI_FAILED. Release the pair in both cases. */
int cli_pair_load(cli_pair *pair, const char *const paths[2], const cli_pair_settings *settings);
void cli_pair_release(cli_pair *pair); /* a zeroed one is fine */

/* Runs the job as often as the settings say. Stops at a run that fails, and prints the error of the context. The job
 * puts the time of the queries into stats.cluster_ms. */
int cli_pair_repeat(const cli_pair_settings *settings, const clump_context *context, const char *doing, cli_job *job,
                    void *given, cli_times *times);

/* Writes the last keys of the JSON object: method, device, reason, threads, passes, time_ms and memory_bytes. */
void cli_pair_put_run(cli_json *j, const clump_stats *stats, int device, const cli_times *times);

#endif
