/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.h: --clusters FILE.json|.csv, a row for each cluster.
 */
#ifndef CLUMP_CLI_CLUSTERS_FILE_H
#define CLUMP_CLI_CLUSTERS_FILE_H

#include "cli.h"
#include "obstacles.h"

/* Says what is wrong with the name, before any work is done. */
int cli_check_clusters_output(const cli_command *command, const char *path);

/* The boxes are longer than wide, yaw is in [0, 180). Coordinates are those of the file: origin is added. obstacles is null, or tells more of each cluster. */
int cli_write_clusters(const char *path, const clump_cluster *clusters, const cli_obstacle *obstacles, int32_t count,
                       const double *origin);

#endif
