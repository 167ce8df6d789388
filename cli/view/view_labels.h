/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view_labels.h: labels of a cloud or a file as a labelling that can be shown, with boxes.
 */
#ifndef CLUMP_CLI_VIEW_LABELS_H
#define CLUMP_CLI_VIEW_LABELS_H

#include "cluster/boxes.h"

#include "viewer/scene/scene.h"

/* Where the labels come from, and what is needed to describe their clusters. */
typedef struct cli_view_labels_input {
    const clump_cloud *cloud;
    const char *name; /* of the cloud, for messages */
    const char *path; /* the file with the labels; null: the fields of the cloud */
    clump_context *context;
    clump_up up;
    double sensor[3]; /* file coordinates */
    bool quiet;
} cli_view_labels_input;

typedef struct cli_view_labels {
    view_labels shown;
    int32_t *indices; /* per point: index into the clusters, CLUMP_NOISE or CLUMP_GROUND */
    cli_boxes boxes;
} cli_view_labels;

/* Whether the cloud has fields with labels: 'label', or 'semantic' and 'instance'. */
bool cli_view_has_labels(const clump_cloud *cloud);

/* Reads the labels and describes their clusters. Returns CLI_DONE, or prints what is wrong and returns CLI_FAILED. Release
 * the labels in both cases. */
int cli_view_labels_read(cli_view_labels *labels, const cli_view_labels_input *in);
void cli_view_labels_release(cli_view_labels *labels); /* a zeroed one is fine */

#endif
