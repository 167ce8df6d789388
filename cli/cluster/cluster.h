/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.h: what all clustering commands do: load, cluster, write, report. A command has a table of options
 * (options.h), settings that begin with a cli_cluster, and a function that calls the library.
 *
 * The room, in the order of a command:
 *
 *     region.c ground.c objects.c frame.c   settings that several commands have
 *     cluster_check.c                       the command line, before the input is read
 *     cluster.c                             load, run, describe (clustering.h has the state)
 *     rings.c                               rings of a cloud
 *     boxes.c                               clusters as the library describes them
 *     keep.c                                --keep: which points go into the output
 *     cluster_write.c                       files and report
 *     cluster_view.c                        pages and pictures
 *     clusters_file.c                       --clusters
 *     erccl_maps.c                          --maps
 *     report.c                              summary, table, JSON; parameters.c: its object "parameters"
 *
 * A `plan` is a command that has been read but does not run yet (plan.h). A `frame` in frame.h is what a coordinate is:
 * `whole` or `steps`.
 */
#ifndef CLUMP_CLI_CLUSTER_H
#define CLUMP_CLI_CLUSTER_H

#include "base/cli.h"
#include "cluster/ground.h"
#include "base/json.h"
#include "files/memory.h"
#include "cluster/region.h"

#include <clump/joint.h>

typedef struct cli_cluster {
    float radius;    /* -d, --eps; 0: not given */
    float per_metre; /* --eps-per-metre; 0: the radius does not grow with the range */
    const char *method, *order, *device, *memory, *format;
    size_t threads, min_size, max_size, repeat, warmup, top;
    const char *sort;       /* --sort; null: not given */
    float thin;             /* --thin; 0: all points are clustered */
    const char *frame;      /* --frame; null: by the input */
    double step;            /* --step; below 0: not given */
    const char *drop_class; /* --drop-class; null: all classes take part */
    bool two_d, json, quiet;
    bool each;   /* --each: every file is a cloud of its own */
    size_t jobs; /* --jobs; 0: not given */
    cli_region region;
    cli_ground ground;
    const char *output, *keep, *to, *clusters;
    const char *maps;      /* erccl: the folder for its maps, or null */
    const char *intensity; /* of the clusters: the field whose mean is wanted, or null */
    bool axes, hull;
    const char *columns; /* of a file IN without a header */
    bool partial;
    size_t ram, gpu_ram; /* --ram, --gpu-ram in bytes; 0: not given */
    const char *work;    /* --work; null: not given */
    bool keep_work;
} cli_cluster;

enum { CLI_CLUSTER_TOP = 10 }; /* rows of the table */
enum { CLI_MOST_JOBS = 256 };  /* limit of --jobs */

#define CLI_CLUSTER_DEFAULTS                                                                                           \
    {                                                                                                                  \
        .method = "fast", .order = "index", .device = "auto", .memory = "pageable", .min_size = 1, .repeat = 1,        \
        .warmup = CLI_UNSET, .top = CLI_CLUSTER_TOP, .step = -1, .region = CLI_REGION_ALL,                             \
        .ground = CLI_GROUND_DEFAULTS                                                                                  \
    }

/* How a command differs from the other clustering commands. */
typedef struct cli_cluster_job {
    const char *summary; /* of the parameters: "distance 0.5" */
    const char *typed;   /* null, or the command line, for a page */
    float scale;         /* of the parameters, a length: for the digits of the table */
    float reach;         /* the distance that joins points: for a warning about --thin */
    bool has_core;       /* the call returns core flags */
    bool writes_core;    /* the output gets a field of core flags */
    bool ground_alone;   /* the call finds ground only, no clusters */
    bool finds_ground;   /* the call labels the ground besides the clusters */
    bool thins;          /* the command has --thin */
    bool has_frames;     /* the command has --frame */
    bool has_classes;    /* the command has --drop-class */
    bool detects;        /* the command is clump_detect: ground, clusters and boxes, all timed */
    bool has_tree;       /* the command can cluster by clump_objects, */
    bool cuts_tree;      /* and does so: each cluster is an object or background */

    /* Calls the library. settings is the argument of cli_cluster_run(). in->core is null when core flags are not
     * needed. Null where the job detects. */
    clump_status (*call)(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters);

    /* Sets method, d, min_points and the options of the clustering. cluster.c sets the others. Null without --thin and
     * --remove-ground: these go through clump_detect. */
    void (*set_detect)(clump_detect_options *options, const void *settings);
    const char *not_detected; /* null, or an option that was given and that clump_detect does not have */

    /* Sets d, min_points and no_border_points; big.c sets the others. Null: the command has no --ram. */
    void (*set_joint)(clump_joint_settings *joint, const void *settings);

    /* Returns the options of clump_erccl. Null: the command has no maps. */
    clump_erccl_options (*erccl)(const void *settings, const cli_memory *in);

    /* Writes the command's own parameters for --json. cluster.c adds the parameters of the region and of the boxes. */
    void (*put_parameters)(cli_json *j, const void *settings);
} cli_cluster_job;

/* Writes " or 0.01 per metre", the end of a radius in the summary; "" if the radius does not grow with the range. */
#define CLI_GROWTH_SIZE (CLI_NUMBER_SIZE + 24)
void cli_growth_text(char text[CLI_GROWTH_SIZE], float per_metre);

/* Computes the place of the sensor in the coordinates of the points, whose origin is given. */
void cli_sensor(float sensor[3], const cli_cluster *settings, const double *origin);

/* The same for the points of a call, and the distance -d or --eps: in their unit, which may be a step. */
void cli_call_sensor(float sensor[3], const cli_cluster *settings, const cli_memory *in);
float cli_call_radius(const cli_cluster *settings, const cli_memory *in);

const char *cli_order_choice(int index);
clump_order cli_order(const cli_cluster *settings);

/* --- parameters.c: parts of the JSON object "parameters" ------------------------------------------- */

/* min_size max_size order */
void cli_put_limits(cli_json *j, const cli_cluster *settings);

/* eps_per_metre 2d, the limits, thin, and remove_ground: null, or the options of the ground */
void cli_put_clustering(cli_json *j, const cli_cluster *settings);

/* crop min_range max_range sensor */
void cli_put_region(cli_json *j, const cli_region *region);

/* key: {method sigma slope sensor_height window up flip extent tile bin} */
void cli_put_ground(cli_json *j, const char *key, const cli_cluster *settings);

/* Whether the command looks for the ground. */
bool cli_cluster_finds_ground(const cli_cluster_job *job, const cli_cluster *settings);

/* Returns options of clump_detect: clustering, sensor, thinning and ground. Region, mask and boxes are the defaults. */
clump_detect_options cli_cluster_options(const cli_cluster_job *job, const void *settings, const double *origin);

/* Runs a clustering command and returns the exit status. The settings begin with a cli_cluster. Checks the command
 * line and the names of the outputs before it reads the input. */
int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input);

#endif
