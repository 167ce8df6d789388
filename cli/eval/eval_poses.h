/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_poses.h: how good poses are, measured against true poses. docs/drive.md defines the measures.
 *
 *     eval_poses.c         reads both files, pairs their poses and measures
 *     eval_poses_report.c  what is printed
 */
#ifndef CLUMP_CLI_EVAL_POSES_H
#define CLUMP_CLI_EVAL_POSES_H

#include "base/cli.h"

#include <clump/io.h>

#include <stdbool.h>
#include <stddef.h>

enum { CLI_EVAL_LENGTHS = 8 }; /* of KITTI: 100 m to 800 m */

/* Errors of translation (m) and rotation (radians). */
typedef struct cli_eval_spread {
    double rmse, mean, median, most;
} cli_eval_spread;

/* Of the parts of a drive that have one length. */
typedef struct cli_eval_length {
    double length; /* m */
    size_t parts;
    double translation; /* mean error per length */
    double rotation;    /* mean error per length, radians per m */
} cli_eval_length;

typedef struct cli_eval_poses {
    size_t pairs, poses, truth; /* poses that were compared; those of the files */
    double path;                /* length of the true path, m */
    cli_eval_length lengths[CLI_EVAL_LENGTHS], all;
    size_t steps; /* of the two that follow: pairs of poses, one frame apart */
    cli_eval_spread step_translation, step_rotation;
    cli_eval_spread absolute; /* of translations, after the alignment; NaN for fewer than three poses */
} cli_eval_poses;

/* Whether the file is text whose first line of numbers has 12 or 8 of them: poses. */
bool cli_eval_is_poses(const char *path);

/* Reads and measures. Returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. */
int cli_eval_judge_poses(const char *path, const char *truth, cli_eval_poses *out);

/* Measures poses that belong to each other. False: not enough memory. pairs, poses and truth of *out stay. */
bool cli_eval_measure_poses(const double (*poses)[12], const double (*truth)[12], size_t count, cli_eval_poses *out);

void cli_eval_poses_text(FILE *to, const cli_eval_poses *e);
void cli_eval_poses_json(FILE *to, const char *path, const char *truth, const cli_eval_poses *e);

#endif
