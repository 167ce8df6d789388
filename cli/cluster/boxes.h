/* SPDX-License-Identifier: BSD-3-Clause
 *
 * boxes.h: the clusters of a command as the library describes them, and the memory for what --intensity, --axes and
 * --hull ask for.
 */
#ifndef CLUMP_CLI_BOXES_H
#define CLUMP_CLI_BOXES_H

#include "cluster/cluster.h"

typedef struct cli_boxes {
    clump_cluster *clusters;
    int32_t capacity;      /* of clusters and found */
    bool has_found;        /* of clump_objects: found has memory, too; set before the first cli_boxes_reserve */
    clump_object *found;   /* object or background, one per cluster; null without */
    float *values;         /* --intensity: one per point; null: not asked for */
    float *hull;           /* --hull: corners; null: not asked for */
    size_t hull_capacity;  /* in corners */
    int32_t *hull_offsets; /* capacity + 1; null without hull */
} cli_boxes;

/* Checks the options for boxes. Returns CLI_DONE or CLI_USAGE. in_table: the table has the intensity. */
int cli_boxes_check(const cli_command *self, const cli_cluster *settings, bool in_table);

/* Reads the field of --intensity and allocates memory for the corners of --hull. The input is the name of the cloud.
 * Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_boxes_begin(cli_boxes *boxes, const cli_cluster *settings, const clump_cloud *cloud, const char *input);

/* Makes room for the clusters. False: no memory. */
bool cli_boxes_reserve(cli_boxes *boxes, int32_t capacity);

/* Returns the options of the library: position of the sensor, up axis, values, axes and hull. */
clump_describe_options cli_boxes_options(const cli_boxes *boxes, const cli_cluster *settings, const double *origin);

/* Turns boxes that are wider than long by 90 degrees. Then length >= width, and yaw is in [0, 180). */
void cli_boxes_turn(cli_boxes *boxes, int32_t count);

void cli_boxes_release(cli_boxes *boxes); /* a zeroed one is fine */

#endif
