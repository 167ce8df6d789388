/* SPDX-License-Identifier: BSD-3-Clause
 *
 * view.h: what the files of `clump view` share.
 *
 *     commands/cmd_view.c   the command line
 *     view_look.c           --view, --colour, --size and the like
 *     view_run.c            frame by frame: read, label, write
 *     view_labels.c         labels of clouds and files
 *     pair_view.c           two clouds and their pairs, for `clump nn` and `clump icp`
 *     files/view_write.c    pages and pictures, also for other commands
 *
 * viewer/scene/scene.h has the words: scene, frame, look, labelling, pair.
 */
#ifndef CLUMP_CLI_VIEW_H
#define CLUMP_CLI_VIEW_H

#include "cluster/cluster.h"
#include "cluster/drive.h"
#include "cluster/plan.h"
#include "files/source.h"
#include "files/view_write.h"
#include "pair/pair.h"
#include "viewer/scene/scene.h"

typedef struct cli_view_settings {
    cli_source_settings source;
    const char *format, *labels, *compare; /* null: not given, and so below */
    const char *output, *png, *title, *size, *view, *colour, *theme, *up;
    double zoom, point_size;     /* negative: not given */
    double target[3], sensor[3]; /* NaN: not given */
    size_t max_points, frame;    /* CLI_UNSET: not given */
    cli_drive_settings drive;
    bool partial, flip, no_boxes, no_shading, no_legend, json, quiet;
} cli_view_settings;

typedef struct cli_view {
    const cli_command *self;
    const cli_view_settings *s;
    const char *const *paths;
    size_t path_count;
    bool single;   /* one cloud file, which is not a recording */
    bool has_plan; /* there is a job after -- */
    cli_plan plan;
    clump_context_options context_options;
    clump_context *context;
    cli_source source;  /* where not single */
    clump_frame frame;  /* the cloud that is shown; of a single file, too */
    clump_frame ahead;  /* the next one, where the last one is drawn */
    uint64_t number;    /* of the frame, from 0 */
    clump_status ended; /* why the recording cannot be read on */
    cli_view_writing out;
    uint64_t clusters; /* of all frames */
    cli_drive drive;   /* of --track, and so below */
    view_trails trails;
    clump_track *tracks; /* of the frame */
    size_t track_room;
} cli_view;

/* --- view_look.c ---------------------------------------------------------------------------------- */

const char *cli_view_choice(int index);   /* hints of --view */
const char *cli_colour_choice(int index); /* hints of --colour */
const char *cli_theme_choice(int index);

/* Reads how the scene is looked at, and the size of the picture. Returns CLI_DONE, or prints what is wrong and returns
 * CLI_USAGE. */
int cli_view_look(const cli_command *self, const cli_view_settings *s, cli_view_writing *out);

/* Returns CLI_DONE where the frame has what --colour needs, or prints what is missing and returns CLI_FAILED. */
int cli_view_check_colour(const view_frame *frame, const view_options *look, const char *word);

/* --- view_run.c ------------------------------------------------------------------------------------ */

/* Reads all frames and writes the outputs. Returns the exit status. */
int cli_view_run(cli_view *view);

/* --- pair_view.c: two clouds and their pairs as frames of a page or picture, for `clump nn` and `clump icp` */

typedef struct cli_pair_view {
    const char *const *paths; /* of A and B */
    const cli_pair *pair;
    const char *command; /* "nn" */
    const char *typed;   /* the command line; null: not shown */
    char *facts;         /* the object of --json; null: none */
    cli_view_writing out;
    char *title;
} cli_pair_view;

/* Opens the outputs. The functions return CLI_DONE, or print what is wrong and return CLI_FAILED. */
int cli_pair_view_begin(cli_pair_view *view, size_t frames);

/* Adds a frame with the name. nearest: per point of B the point of A, or -1. The last frame is drawn for a picture. */
int cli_pair_view_frame(cli_pair_view *view, const char *name, const int32_t *nearest, bool last);

int cli_pair_view_end(cli_pair_view *view);

void cli_pair_view_release(cli_pair_view *view); /* frees facts, too; a zeroed one is fine */

/* --- view_labels.c: labels of a cloud or a file as a labelling that can be shown, with boxes -------- */

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
