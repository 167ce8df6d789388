/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ground.c: `clump ground`: its options and its call; cluster.c does the rest.
 */
#include "cluster_options.h"
#include "parameters.h"

#include <string.h>

#define AT(member) (CLI_CLUSTER_AT(ground) + offsetof(cli_ground, member))
const cli_option cli_mark_ground_options[] = {
    CLI_GROUND_OPTIONS(CLI_CLUSTER_AT(ground)),
    {.kind = CLI_NUMBER,
     .name = "extent",
     .argument = "L",
     .target = AT(extent),
     .help = "side of the square around the sensor that has ground (default 160)"},
    {.kind = CLI_NUMBER,
     .name = "tile",
     .argument = "W",
     .target = AT(tile),
     .help = "side of the tiles that the square is cut into (default 2); grid"},
    {.kind = CLI_NUMBER,
     .name = "bin",
     .argument = "H",
     .target = AT(bin),
     .help = "height of a bin of the histogram of heights (default 0.1); peak"},
    {.kind = CLI_NUMBER,
     .name = "window",
     .argument = "H",
     .target = AT(window),
     .help = "how far from a given sensor height the ground may be (default 1)"},
    CLI_REGION_OPTIONS(""),
    {.help = "How"},
    CLI_DEVICE_OPTIONS,
    {.help = "Output"},
    CLI_OUTPUT_OPTIONS,
    CLI_TIMING_OPTIONS,
    {0}};
#undef AT

static clump_status call(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters)
{
    const cli_cluster *s = settings;
    clump_ground_options options = cli_ground_options(&s->ground, &s->region, in->origin);
    options.mask = in->mask;
    *clusters = 0;
    return clump_ground(context, in->points, &options, in->labels, NULL);
}

static void put_parameters(cli_json *j, const void *settings)
{
    cli_put_ground(j, "ground", settings);
}

int cli_mark_ground(const cli_command *self, int argc, char **argv)
{
    cli_cluster s = CLI_CLUSTER_DEFAULTS;
    const char *input = NULL;
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, &input);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    const cli_cluster_job job = {.ground_alone = true, .call = call, .put_parameters = put_parameters};
    return cli_cluster_run(self, &job, &s, input);
}
