/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: options that say what is ground, for `clump ground` and for --remove-ground of the clustering commands.
 */
#ifndef CLUMP_CLI_GROUND_H
#define CLUMP_CLI_GROUND_H

#include "cli.h"
#include "region.h"

typedef struct cli_ground {
    bool remove, flip;
    const char *method, *up;                                       /* null: not given */
    double sigma, sensor_height, slope, extent, tile, bin, window; /* negative: not given */
} cli_ground;

#define CLI_GROUND_DEFAULTS                                                                                            \
    {                                                                                                                  \
        .sigma = -1, .sensor_height = -1, .slope = -1, .extent = -1, .tile = -1, .bin = -1, .window = -1               \
    }

/* Rows for a table of options; at is the offset of the cli_ground in the settings. */
#define CLI_GROUND_OPTIONS(at)                                                                                         \
    {.kind = CLI_CHOICE,                                                                                               \
     .name = "ground",                                                                                                 \
     .argument = "NAME",                                                                                               \
     .target = (at) + offsetof(cli_ground, method),                                                                    \
     .choices = cli_ground_choice,                                                                                     \
     .help = "how the ground is found: peak, one level, or grid, a surface (default grid)"},                           \
        {.kind = CLI_NUMBER,                                                                                           \
         .name = "sigma",                                                                                              \
         .argument = "H",                                                                                              \
         .target = (at) + offsetof(cli_ground, sigma),                                                                 \
         .help = "what is lower than H above it is ground; peak: within H of it (default 0.2)"},                       \
        {.kind = CLI_NUMBER,                                                                                           \
         .name = "slope",                                                                                              \
         .argument = "S",                                                                                              \
         .target = (at) + offsetof(cli_ground, slope),                                                                 \
         .help = "steepest ground, height by distance (default 0.2); grid"},                                           \
        {.kind = CLI_NUMBER,                                                                                           \
         .name = "sensor-height",                                                                                      \
         .argument = "H",                                                                                              \
         .target = (at) + offsetof(cli_ground, sensor_height),                                                         \
         .help = "how high the sensor is above the ground (default 0, found out)"},                                    \
        {.kind = CLI_CHOICE,                                                                                           \
         .name = "up",                                                                                                 \
         .argument = "AXIS",                                                                                           \
         .target = (at) + offsetof(cli_ground, up),                                                                    \
         .choices = cli_up_choice,                                                                                     \
         .help = "the axis that points up (default z)"},                                                               \
    {                                                                                                                  \
        .kind = CLI_SWITCH, .name = "flip", .target = (at) + offsetof(cli_ground, flip),                               \
        .help = "the sensor hangs upside down: that axis points down"                                                  \
    }

const char *cli_ground_choice(int index);
const char *cli_up_choice(int index);

/* Says what makes no sense: options of the ground where it is not removed. */
int cli_ground_check(const cli_command *self, const cli_ground *ground);

/* The library's options. The sensor of the region is in coordinates of the file, of which origin is the cloud's. */
clump_ground_options cli_ground_options(const cli_ground *ground, const cli_region *region, const double *origin);

#endif
