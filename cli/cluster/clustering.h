/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clustering.h: what cluster.c and its parts share: the state of a clustering command.
 *
 *     cluster_check.c   the command line, before the input is read
 *     cluster.c         load, run, describe
 *     cluster_write.c   files and report
 *     cluster_view.c    pages and pictures
 */
#ifndef CLUMP_CLI_CLUSTERING_H
#define CLUMP_CLI_CLUSTERING_H

#include "cluster/cluster.h"
#include "cluster/erccl_maps.h"
#include "cluster/report.h"
#include "files/source.h"
#include "files/view_write.h"

/* The state of a command between its input and its report. */
typedef struct cli_clustering {
    const cli_cluster_job *job;
    const void *settings; /* of the command; they begin with a cli_cluster, *s */
    const cli_cluster *s;
    clump_context_options options;
    clump_cloud *cloud;
    clump_context *context;
    bool detects;       /* through clump_detect */
    bool without_boxes; /* no output has boxes: clusters are only counted, unless the job makes boxes in any case */
    uint8_t *mask;      /* which points take part; null: all */
    uint8_t *core;      /* null: the job has none */
    float *probability; /* likewise */
    int32_t *labels;
    cli_memory_kind memory_kind;
    bool has_run; /* the job has run at least once */
    cli_frame frame;
    cli_memory memory; /* where points, mask, labels and core flags are while the job runs */
    cli_boxes boxes;
    cli_rings rings;          /* of clump_objects */
    cli_by_class by_class;    /* of --classes, */
    clump_classes classes;    /* and as the library takes it, in host memory */
    int32_t count;            /* of clusters */
    cli_maps maps;            /* of erccl; made by cli_clustering_maps() */
    float *load, *merge_load; /* of the report */
    clump_format output_format;
    cli_view_kind view; /* the output is a page or a picture; output_format is then not set */
    cli_report report;
} cli_clustering;

/* Checks the settings, and reads the words of --device and --memory and the format of the output; with --each without the
 * names of outputs. Returns CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_clustering_check(const cli_command *self, cli_clustering *w);

/* Lets the library check the options on an empty cloud. Returns CLI_DONE, or prints what is wrong and returns the exit
 * status. */
int cli_clustering_try(const cli_command *self, const cli_clustering *w);

/* Warns where the voxels of --thin are large against the distances that join points. */
void cli_warn_of_thin(const cli_cluster_job *job, const cli_cluster *s);

/* Prepares the report. The settings have passed the check. */
void cli_clustering_begin(cli_clustering *w, const cli_command *command, const char *input);

/* Clusters w->cloud with w->context and describes the clusters. Returns CLI_DONE, or prints why not and returns
 * CLI_FAILED. */
int cli_clustering_run(cli_clustering *w);

void cli_clustering_release(cli_clustering *w); /* all but cloud and context; a zeroed one is fine */

/* Makes the maps of erccl, w->maps, if they are not made yet; other commands have none. It must be called before points are
 * selected for the output. With more than most_side cells along a side it prints a warning, and there are no maps. Returns
 * CLI_DONE, or prints what is wrong and returns the exit status. */
int cli_clustering_maps(cli_clustering *w, size_t most_side);

/* Write the files of -o and --clusters, and print the report. Both return the exit status. */
int cli_clustering_write(cli_clustering *w);
int cli_clustering_print(const cli_clustering *w);

/* Warns where the ground was searched and not found: says which options may be wrong. */
void cli_clustering_warn(const cli_clustering *w);

/* --- cluster_view.c: what a clustering command found as a frame of a page or picture ---------------- */

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
