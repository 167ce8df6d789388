/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ground.c: see cluster.h.
 */
#include "cluster/cluster.h"

#include <clump/info.h>

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

/* Whether an option of the ground was given. */
#define GIVEN(member) cli_was_given(self, &s->given, s, &s->ground.options.member)

int cli_ground_check(const cli_command *self, const cli_cluster *s, bool searched)
{
    const cli_ground *const g = &s->ground;
    const char *given = cli_given_within(self, &s->given, s, &g->options, sizeof g->options, "up flip");
    if (given && cli_ground_is(g, CLUMP_GROUND_NONE))
        return cli_usage(self, "--%s has no effect with --ground none", given);
    if (g->options.step && GIVEN(sigma))
        return cli_usage(self, "--sigma has no effect with --step, which decides how thick the ground is");
    if (GIVEN(slope) && cli_ground_is(g, CLUMP_GROUND_PEAK))
        return cli_usage(self, "--slope is for --ground grid, peak is one level");
    if (GIVEN(bin) && !cli_ground_is(g, CLUMP_GROUND_PEAK))
        return cli_usage(self, "--bin is for --ground peak, grid has no histogram");
    if (GIVEN(window) && !(g->options.sensor_height > 0))
        return cli_usage(self, "--window is for a --sensor-height, it says how far from that the ground may be");
    if (!given) given = cli_given_within(self, &s->given, s, &g->options, sizeof g->options, NULL);
    if (g->method) given = "ground";
    if (given && !searched) return cli_usage(self, "--%s is for --remove-ground", given);
    return CLI_DONE;
}

bool cli_ground_is(const cli_ground *g, clump_ground_method method)
{
    return g->method && strcmp(g->method, clump_ground_method_name(method)) == 0;
}

clump_ground_options cli_ground_options(const cli_ground *g, const cli_region *region, const double *origin)
{
    clump_ground_options options = g->options;
    if (g->method) clump_ground_method_from_name(g->method, &options.method);
    for (size_t axis = 0; axis < 3; axis++) options.sensor[axis] = (float)(region->sensor[axis] - origin[axis]);
    return options;
}
