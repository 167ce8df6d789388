/* SPDX-License-Identifier: BSD-3-Clause
 *
 * eval_files.h: pairs of files of two folders, for `clump eval LABELED/ TRUTH/`.
 *
 * Folders are searched with the folders in them. Two files are a pair when their names are the same: the path below the folder,
 * without the ending, and without folders called labels, predictions or velodyne, by which SemanticKITTI divides a sequence.
 *
 *     found/00/predictions/000012.labels   and   sequences/00/labels/000012.label   are   00/000012
 *
 * In a folder with labels alone (.label .labels .npy) only these count; else its clouds that can have fields do.
 */
#ifndef CLUMP_CLI_EVAL_FILES_H
#define CLUMP_CLI_EVAL_FILES_H

#include "base/cli.h"

typedef struct cli_eval_pair {
    char *name, *scene;
    char *labeled, *truth;
    char *cloud; /* null: without --cloud */
} cli_eval_pair;

typedef struct cli_eval_pairs {
    cli_eval_pair *list; /* bytewise by name */
    size_t count;
} cli_eval_pairs;

/* Lists the pairs. cloud: null, or the folder of --cloud. scene: null, or a regular expression whose first group, else its
 * match, is the scene of a name; null: the folder in the name, else what comes before its last '_'. Returns CLI_DONE, or prints
 * what is wrong and returns the exit status. cli_eval_pairs_free() frees the list in both cases. */
int cli_eval_pair_files(const cli_command *self, const char *const folders[2], const char *cloud, const char *scene,
                        cli_eval_pairs *out);
void cli_eval_pairs_free(cli_eval_pairs *pairs);

#endif
