/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_report.h: what `clump eval` prints, of one pair of files or of many. Counts are summed over files; for means, a scene's
 * value is the mean over its files.
 */
#ifndef CLUMP_CLI_EVAL_REPORT_H
#define CLUMP_CLI_EVAL_REPORT_H

#include "base/cli.h"
#include "eval/eval.h"

typedef struct cli_eval_parameters {
    double max_range, extent; /* infinite: none */
    double sensor[3];
    size_t min_size;
    double band;
    const char *scene; /* null: by folder or name */
} cli_eval_parameters;

typedef struct cli_eval_file {
    const char *labeled, *truth, *scene; /* scene: null for a single pair */
    size_t points;
    bool pairs; /* labels of instances are instance * 32768 + class */
    cli_eval_result result;
} cli_eval_file;

typedef struct cli_eval_scene {
    const char *name;
    size_t files;
    cli_eval_result sum;
    cli_eval_mean mean;
} cli_eval_scene;

typedef struct cli_eval_report {
    const char *labeled, *truth; /* files, or folders */
    cli_eval_parameters parameters;
    bool many;      /* folders */
    bool instances; /* list every instance */
    cli_eval_file *files;
    size_t file_count;
    cli_eval_scene *scenes; /* bytewise by name; none for a single pair */
    size_t scene_count;
    size_t points;         /* of all files */
    cli_eval_result total; /* of all files; of a single pair its result. Its lists are those of the file */
    double over_files[CLI_EVAL_VALUES], over_scenes[CLI_EVAL_VALUES];
} cli_eval_report;

/* Fills total, points, scenes and means from the files. False: not enough memory. */
bool cli_eval_gather(cli_eval_report *report);
void cli_eval_report_free(cli_eval_report *report); /* files and scenes, too */

void cli_eval_json(FILE *to, const cli_eval_report *report);
void cli_eval_text(FILE *to, const cli_eval_report *report);

#endif
