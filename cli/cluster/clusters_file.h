/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clusters_file.h: --clusters FILE.json|.csv, one row per cluster.
 */
#ifndef CLUMP_CLI_CLUSTERS_FILE_H
#define CLUMP_CLI_CLUSTERS_FILE_H

#include "cluster/cluster.h"
#include "files/output.h"

/* Checks the name of the file; `each`: it could be a folder. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_check_clusters_output(const cli_command *command, const char *path, bool each);

bool cli_clusters_are_json(const char *path); /* by the ending; else CSV, which has no hulls */

/* Whether --clusters names a folder, for --each: one that exists, or a name with a slash at its end. */
bool cli_clusters_are_folder(const char *path);

/* What a file has, besides the clusters. */
typedef struct cli_clusters_layout {
    const double *origin;         /* added to all coordinates */
    clump_up up;                  /* the axis that boxes and hulls do not have */
    bool axes;                    /* the columns of --axes */
    bool objects;                 /* the columns of clump_objects */
    const cli_by_class *by_class; /* null, or the column of --classes */
    const char *input;            /* the name in the first column, `input`; null: the file has no such column */
} cli_clusters_layout;

/* Writes cluster i as the begin of a JSON object: all its keys without the closing brace. */
void cli_put_cluster(FILE *to, const cli_boxes *boxes, int32_t i, const cli_clusters_layout *layout);

/* A file that is written in parts. It is complete, or not there. */
typedef struct cli_clusters_file {
    cli_output out;
    bool json;
    bool any; /* a cluster was added */
} cli_clusters_file;
/* Opens the file for rows of this layout; of the input only matters whether there is one. Returns CLI_DONE, or the exit
 * status. */
int cli_clusters_open(cli_clusters_file *file, const char *path, const cli_clusters_layout *layout);
void cli_clusters_add(cli_clusters_file *file, const cli_boxes *boxes, int32_t count,
                      const cli_clusters_layout *layout);

/* The same in two steps: any thread makes the rows, and the thread of the file adds them. Returns the rows, which the caller
 * frees; null: no memory. */
char *cli_clusters_rows(bool json, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout,
                        size_t *size);
void cli_clusters_add_rows(cli_clusters_file *file, const char *rows, size_t size);
int cli_clusters_close(cli_clusters_file *file); /* CLI_DONE, or prints why not and returns CLI_FAILED */

/* Writes the file and returns the exit status. Boxes must be longer than wide (cli_boxes_turn). */
int cli_write_clusters(const char *path, const cli_boxes *boxes, int32_t count, const cli_clusters_layout *layout);

#endif
