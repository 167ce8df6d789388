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

#include <clump/info.h>

#include <stdio.h>

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

/* --- motion.c: rigid motions as a 4 x 4 matrix in row order: read from files, and converted between file coordinates
 * and coordinates relative to the origin of a cloud. */

/* Reads 16 numbers, or the 12 of the first three rows as in KITTI's poses, separated by blanks, commas or brackets.
 * Returns CLI_DONE, or prints why `option` fails and returns CLI_FAILED. */
int cli_motion_read(const char *option, const char *path, double motion[16]);

/* Convert a motion of file coordinates to coordinates relative to `origin`, and back. */
void cli_motion_into(const double origin[3], double motion[16]);
void cli_motion_out_of(const double origin[3], double motion[16]);

/* --- nn_report.c: what `clump nn` prints: distances and number of the neighbours, and the time ------ */

typedef struct cli_nn_report {
    const char *reference, *input; /* files */
    size_t k;
    float max_distance;
    int device, partitions, window;
    bool approximate;
    clump_stats stats;
    cli_times times;    /* the stage `cluster` has the time of the queries */
    size_t found;       /* neighbours */
    double mean, worst; /* their distances */
    double recall;      /* share of neighbours that are as near as the exact ones */
    double mean_error;  /* how much farther the other neighbours are */
    double worst_error;
} cli_nn_report;

/* Compute the statistics of n neighbours, k per query, from squared distances. */
void cli_nn_summarise(cli_nn_report *r, const int32_t *indices, const float *squared, size_t n);
void cli_nn_compare(cli_nn_report *r, const float *squared, const float *exact, size_t n);

void cli_nn_json(FILE *to, const cli_nn_report *r);
void cli_nn_text(FILE *to, const cli_nn_report *r);

#endif
