/* SPDX-License-Identifier: BSD-3-Clause
 *
 * frame.h: --frame and --step: what a coordinate is when points are clustered (docs/results.md).
 *
 *     whole   float32 offsets from the origin of the cloud
 *     steps   whole numbers of steps, for LAS and LAZ files; the default there
 */
#ifndef CLUMP_CLI_FRAME_H
#define CLUMP_CLI_FRAME_H

#include "cluster/cluster.h"

const char *cli_frame_choice(int index);

/* Checks the options. Returns CLI_DONE, or prints what is wrong and returns CLI_USAGE. */
int cli_frame_check(const cli_command *self, const cli_cluster_job *job, const cli_cluster *settings);

/* The frame of a run. */
typedef struct cli_frame {
    bool steps;       /* else whole: clusters the coordinates of the cloud */
    clump_steps grid; /* of steps */
    float *xyz;       /* the points in steps; null: whole */
} cli_frame;

/* Chooses the frame for a cloud and converts its points. mask: which points take part; null: all. `input` is the name of
 * the file. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_frame_begin(cli_frame *frame, const cli_cluster_job *job, const cli_cluster *settings, const clump_cloud *cloud,
                    const uint8_t *mask, const char *input);
/* "frame" and "step" as they were given, or null. */
void cli_frame_put(cli_json *j, const cli_cluster *settings);

void cli_frame_release(cli_frame *frame); /* a zeroed one is fine */

#endif
