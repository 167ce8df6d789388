/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h: what a clustering command prints: a summary and a table for people, or one JSON object.
 */
#ifndef CLUMP_CLI_REPORT_H
#define CLUMP_CLI_REPORT_H

#include "base/cli.h"
#include "base/json.h"
#include "cluster/cluster.h"
#include "cluster/objects.h"
#include "files/timing.h"

#include <clump/info.h>

/* Busy shares, 0 to 1. count 0: the method does not report them. */
typedef struct cli_shares {
    const float *shares;
    size_t count;
} cli_shares;

typedef struct cli_report {
    const char *command, *input;
    const char *summary;                                       /* of the parameters: "distance 0.5" */
    void (*put_parameters)(cli_json *j, const void *settings); /* the keys of "parameters" */
    const void *settings;
    clump_stats stats;
    int device;         /* CUDA ordinal */
    const char *memory; /* the word of --memory */
    size_t largest;     /* points of the largest cluster */
    bool has_core, core_known;
    bool ground;            /* the ground was searched for, */
    bool ground_alone;      /* and nothing else was */
    bool objects;           /* clusters are objects with boxes: clump detect */
    bool has_tree;          /* the command can cluster by clump_objects, */
    bool cuts_tree;         /* and does so: clusters are objects or background */
    const char *ring_field; /* the field that rings were read from; null: none */
    bool by_score;          /* the order of the table, else by distance */
    const clump_object *found;
    cli_object_counts counts;
    const cli_by_class *by_class; /* null: without --classes */
    bool thins;                   /* the command has --thin; */
    float thin;                   /* its voxels, 0: not thinned */
    bool has_frames;              /* the command has --frame; */
    double step;                  /* the step of the frame steps; 0: the frame is whole */
    clump_up up;                  /* of the objects */
    const char *intensity;        /* null, or the field whose mean is in the table of objects */
    const double *origin;         /* of the cloud, for the tables */
    size_t core;                  /* core points */
    size_t written;               /* points in the output */
    cli_shares load;              /* busy share of each thread or thread block, */
    cli_shares merge_load;        /* and in the merge step */
    uint64_t labels_hash;
    cli_times times;
} cli_report;

void cli_report_json(FILE *to, const cli_report *report);
void cli_report_text(FILE *to, const cli_report *report);

/* Prints the `top` largest clusters, largest first; of objects the nearest, nearest first,
 * without background, or those with the highest scores. False: no memory. */
bool cli_report_table(FILE *to, const cli_report *report, const clump_cluster *clusters, int32_t count, size_t top,
                      float distance);

#endif
