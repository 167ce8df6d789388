/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.h: a folder that gets one cloud file per frame: 000000.pcd, 000001.pcd ...
 */
#ifndef CLUMP_CLI_FOLDER_H
#define CLUMP_CLI_FOLDER_H

#include "base/cli.h"

typedef struct cli_folder {
    const char *path;
    clump_format format;
    clump_format_info info; /* of the format */
    size_t first;           /* number of the first file; cli_folder_begin() sets 0 */
    size_t written;         /* files */
} cli_folder;

/* Whether a file of this name would be a recording to write: .mcap, .bag. */
bool cli_names_recording(const char *path);

/* Refuses a name for -o that cannot be meant: standard output, a single file, one of the inputs. `what` says what -o can
 * be. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_folder_check_name(const cli_command *command, const char *path, const char *what, const char *const *inputs,
                          size_t count);

/* Checks the folder and creates it if it does not exist. `to` is the name of a format, null: PCD. A folder with
 * something in it needs `overwrite`. labels: the files must hold labels. Returns CLI_DONE, or prints what is wrong
 * and returns the exit status. */
int cli_folder_begin(cli_folder *folder, const cli_command *command, const char *path, const char *to, bool overwrite,
                     bool labels);

/* Writes the next file. labels may be null. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_folder_save(cli_folder *folder, const clump_cloud *cloud, const int32_t *labels);

#endif
