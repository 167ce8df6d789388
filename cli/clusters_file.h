/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.h: --clusters FILE.json|.csv, one row per cluster.
 */
#ifndef CLUMP_CLI_CLUSTERS_FILE_H
#define CLUMP_CLI_CLUSTERS_FILE_H

#include "boxes.h"

/* Checks the name of the file. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_check_clusters_output(const cli_command *command, const char *path);

bool cli_clusters_hold_hulls(const char *path); /* by the ending */

/* What a file has, besides the clusters. */
typedef struct cli_clusters_layout {
    const double *origin; /* added to all coordinates */
    clump_up up;          /* the axis that boxes and hulls do not have */
    bool axes;            /* the columns of --axes */
} cli_clusters_layout;

/* Writes a cluster as the begin of a JSON object: all its keys without the closing brace. */
void cli_put_cluster(FILE *to, const clump_cluster *cluster, const cli_clusters_layout *layout);

/* Writes the file and returns the exit status. Boxes must be longer than wide (cli_boxes_turn). */
int cli_write_clusters(const char *path, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout);

#endif
