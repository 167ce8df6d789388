/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.c: see cluster.h.
 */
#include "cluster/cluster.h"

#include <string.h>

const char *cli_ground_choice(int index)
{
    return index < CLUMP_GROUND_NONE ? clump_ground_method_name((clump_ground_method)index) : NULL;
}

const char *cli_ground_or_none_choice(int index)
{
    return clump_ground_method_name((clump_ground_method)index);
}

const char *cli_up_choice(int index)
{
    return index == CLUMP_UP_Z ? "z" : index == CLUMP_UP_Y ? "y" : NULL;
}

int cli_ground_check(const cli_command *self, const cli_ground *g, bool searched)
{
    const char *given = g->sigma >= 0           ? "sigma"
                        : g->slope >= 0         ? "slope"
                        : g->sensor_height >= 0 ? "sensor-height"
                        : g->window >= 0        ? "window"
                        : g->bin >= 0           ? "bin"
                        : g->step               ? "step"
                                                : NULL;
    if (given && cli_ground_is(g, CLUMP_GROUND_NONE))
        return cli_usage(self, "--%s has no effect with --ground none", given);
    if (g->step && g->sigma >= 0)
        return cli_usage(self, "--sigma has no effect with --step, which decides how thick the ground is");
    if (g->slope >= 0 && cli_ground_is(g, CLUMP_GROUND_PEAK))
        return cli_usage(self, "--slope is for --ground grid, peak is one level");
    if (g->bin >= 0 && !cli_ground_is(g, CLUMP_GROUND_PEAK))
        return cli_usage(self, "--bin is for --ground peak, grid has no histogram");
    if (g->window >= 0 && !(g->sensor_height > 0))
        return cli_usage(self, "--window is for a --sensor-height, it says how far from that the ground may be");
    given = g->method ? "ground" : given ? given : g->up ? "up" : g->flip ? "flip" : NULL;
    if (given && !searched) return cli_usage(self, "--%s is for --remove-ground", given);
    return CLI_DONE;
}

bool cli_ground_is(const cli_ground *g, clump_ground_method method)
{
    return g->method && strcmp(g->method, clump_ground_method_name(method)) == 0;
}

static void set_if_given(float *value, double given)
{
    if (given >= 0) *value = (float)given;
}

clump_ground_options cli_ground_options(const cli_ground *g, const cli_region *region, const double *origin)
{
    clump_ground_options options = clump_ground_defaults();
    if (g->method) clump_ground_method_from_name(g->method, &options.method);
    if (g->up && strcmp(g->up, "y") == 0) options.up = CLUMP_UP_Y;
    options.flip = g->flip;
    options.step = g->step;
    set_if_given(&options.sigma, g->sigma);
    set_if_given(&options.sensor_height, g->sensor_height);
    set_if_given(&options.slope, g->slope);
    set_if_given(&options.extent, g->extent);
    set_if_given(&options.tile, g->tile);
    set_if_given(&options.bin, g->bin);
    set_if_given(&options.window, g->window);
    for (size_t axis = 0; axis < 3; axis++) options.sensor[axis] = (float)(region->sensor[axis] - origin[axis]);
    return options;
}
