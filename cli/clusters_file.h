/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.h: --clusters FILE.json|.csv, one row per cluster.
 */
#ifndef CLUMP_CLI_CLUSTERS_FILE_H
#define CLUMP_CLI_CLUSTERS_FILE_H

#include "cli.h"
#include "obstacles.h"

/* Checks the name of the file. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_check_clusters_output(const cli_command *command, const char *path);

/* Writes the file and returns the exit status. Boxes are longer than wide, and yaw is in [0, 180). origin is added to
 * all coordinates. obstacles is null, or has one entry per cluster. */
int cli_write_clusters(const char *path, const clump_cluster *clusters, const cli_obstacle *obstacles, int32_t count,
                       const double *origin);

#endif
