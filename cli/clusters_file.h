/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.h: --clusters FILE.json|.csv, one row per cluster.
 */
#ifndef CLUMP_CLI_CLUSTERS_FILE_H
#define CLUMP_CLI_CLUSTERS_FILE_H

#include "boxes.h"
#include "output.h"

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

/* A file that is written in parts. It is complete, or not there. */
typedef struct cli_clusters_file {
    cli_output out;
    bool json;
    int64_t written; /* clusters */
} cli_clusters_file;
int cli_clusters_open(cli_clusters_file *file, const char *path, bool axes); /* CLI_DONE, or the exit status */
void cli_clusters_add(cli_clusters_file *file, const cli_boxes *boxes, int32_t count,
                      const cli_clusters_layout *layout);
int cli_clusters_close(cli_clusters_file *file); /* CLI_DONE, or prints why not and returns CLI_FAILED */

/* Writes the file and returns the exit status. Boxes must be longer than wide (cli_boxes_turn). */
int cli_write_clusters(const char *path, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout);

#endif
