/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.h: options of the ground search, for `clump ground` and for --remove-ground of the clustering commands.
 */
#ifndef CLUMP_CLI_GROUND_H
#define CLUMP_CLI_GROUND_H

#include "base/cli.h"
#include "cluster/region.h"

typedef struct cli_ground {
    bool remove, flip, step;
    const char *method, *up;                                       /* null: not given */
    double sigma, sensor_height, slope, extent, tile, bin, window; /* negative: not given */
} cli_ground;

#define CLI_GROUND_DEFAULTS                                                                                            \
    {                                                                                                                  \
        .sigma = -1, .sensor_height = -1, .slope = -1, .extent = -1, .tile = -1, .bin = -1, .window = -1               \
    }

const char *cli_ground_choice(int index);
const char *cli_ground_or_none_choice(int index);
const char *cli_up_choice(int index);

/* Refuses options that have no effect. searched: the command looks for the ground; where it does not, only
 * --remove-ground makes it do so. Returns CLI_DONE or CLI_USAGE. */
int cli_ground_check(const cli_command *self, const cli_ground *ground, bool searched);

/* Whether --ground names this method. */
bool cli_ground_is(const cli_ground *ground, clump_ground_method method);

/* Returns the options of the library. The sensor of the region is in file coordinates; origin is subtracted from it. */
clump_ground_options cli_ground_options(const cli_ground *ground, const cli_region *region, const double *origin);

#endif
