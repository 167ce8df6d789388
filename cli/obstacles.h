/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obstacles.h: what `clump erccl` reports of an obstacle besides its boxes.
 */
#ifndef CLUMP_CLI_OBSTACLES_H
#define CLUMP_CLI_OBSTACLES_H

#include "cli.h"

typedef struct cli_obstacle {
    float height;   /* of its highest point above the ground; NaN where that is not known */
    float distance; /* from the sensor to its nearest point, seen from above */
} cli_obstacle;

/* Fills obstacles. Where y is up, also describes the clusters again, with rectangles in x and z. points and labels are
 * in host memory. The options must be the ones that produced the labels. */
clump_status cli_obstacles(clump_context *context, clump_points points, const clump_erccl_options *options,
                           const int32_t *labels, int32_t count, clump_cluster *clusters, cli_obstacle *obstacles);

#endif
