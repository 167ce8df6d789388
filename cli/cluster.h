/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cluster.h: what the clustering commands do alike: load, cluster, write, report. A command has a table of
 * options (cluster_options.h), settings that begin with a cli_cluster, and a function that makes the call.
 */
#ifndef CLUMP_CLI_CLUSTER_H
#define CLUMP_CLI_CLUSTER_H

#include "cli.h"
#include "ground.h"
#include "json.h"
#include "memory.h"
#include "obstacles.h"
#include "region.h"

typedef struct cli_cluster {
    float radius;    /* -d, --eps; 0: not given */
    float per_metre; /* --eps-per-metre; 0: the radius does not grow with the range */
    const char *method, *order, *device, *memory, *format;
    size_t threads, min_size, max_size, repeat, warmup, top;
    bool two_d, json, quiet;
    cli_region region;
    cli_ground ground;
    const char *output, *to, *clusters;
    const char *columns; /* of IN, without a header */
    bool partial;
} cli_cluster;

#define CLI_CLUSTER_DEFAULTS                                                                                           \
    {                                                                                                                  \
        .method = "fast", .order = "index", .device = "auto", .memory = "pageable", .min_size = 1, .repeat = 1,        \
        .warmup = CLI_UNSET, .top = 10, .region = CLI_REGION_ALL, .ground = CLI_GROUND_DEFAULTS                        \
    }

/* What a command is given to measure its clusters beyond their boxes, all in host memory. */
typedef struct cli_measured {
    clump_points points;
    const double *origin;
    const uint8_t *mask; /* null: all points */
    const int32_t *labels;
    int32_t count;
    clump_cluster *clusters;
    cli_obstacle *obstacles; /* to be filled, one a cluster */
} cli_measured;

/* What is special about a command. */
typedef struct cli_cluster_job {
    const char *parameters; /* for the summary: "distance 0.5" */
    bool has_core;          /* the call tells core points */
    bool writes_core;       /* as a field of the output, too */
    bool ground_alone;      /* there are no clusters, only ground */
    bool finds_ground;      /* the call labels the ground, too */

    /* The call. settings is what cli_cluster_run was given; in->core is null when core points are not asked for. */
    clump_status (*call)(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters);

    /* Null, or more about clusters for --clusters. May fail with a sentence in the context or without. */
    clump_status (*measure)(clump_context *context, const void *settings, const cli_measured *measured);
} cli_cluster_job;

/* " or 0.01 a metre", as the end of a radius in the summary; "" where it does not grow. */
#define CLI_GROWTH_SIZE (CLI_NUMBER_SIZE + 24)
void cli_growth_text(char text[CLI_GROWTH_SIZE], const cli_cluster *settings);

/* Where the sensor is, in the coordinates of the points. */
void cli_sensor(float sensor[3], const cli_cluster *settings, const cli_memory *in);

const char *cli_order_choice(int index);
clump_order cli_order(const cli_cluster *settings);

/* Checks the settings, which begin with a cli_cluster, and does all that is left. Everything that can be wrong with
 * the command line or the names of the outputs is found before the input is read. Returns the exit status. */
int cli_cluster_run(const cli_command *self, const cli_cluster_job *job, const void *settings, const char *input);

#endif
