/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster_view.h: what a clustering command found as a frame of a page or picture.
 */
#ifndef CLUMP_CLI_CLUSTER_VIEW_H
#define CLUMP_CLI_CLUSTER_VIEW_H

#include "cluster/clustering.h"

/* A frame that borrows cloud, labels and boxes from a clustering, and what it owns itself. */
typedef struct cli_cluster_view {
    view_frame frame;
    char *name;              /* of the labelling */
    char *facts;             /* the object of --json */
    int32_t *indices;        /* --keep: labels as indices into the clusters that are left */
    clump_cluster *clusters; /* --keep: these, */
    clump_object *objects;   /* and what clump_objects says of them */
} cli_cluster_view;

/* Fills the view. With --keep, the cloud and the labels have only the points to keep. Returns CLI_DONE, or prints why not
 * and returns CLI_FAILED. Release the view in both cases. */
int cli_cluster_view_fill(cli_cluster_view *view, const cli_clustering *w);
void cli_cluster_view_release(cli_cluster_view *view); /* a zeroed one is fine */

/* Writes the page or the picture of -o. Returns CLI_DONE, or prints why not and returns CLI_FAILED. */
int cli_cluster_view_write(const cli_clustering *w);

#endif
