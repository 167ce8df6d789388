/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ec.c: `clump ec`: its options and its call; cluster.c does the rest.
 */
#include "cluster_options.h"
#include "parameters.h"

static const char *method_choice(int i)
{
    return clump_ec_method_name((clump_ec_method)i);
}

const cli_option cli_ec_options[] = {
    {.kind = CLI_RADIUS,
     .letter = 'd',
     .name = "distance",
     .argument = "R",
     .target = CLI_CLUSTER_AT(radius),
     .help = "points closer than R are neighbours; required, > 0, in the unit of the file"},
    CLI_CLUSTER_OPTIONS(method_choice),
    {0}};

static clump_status call(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters)
{
    const cli_cluster *s = settings;
    clump_ec_options options = clump_ec_defaults();
    clump_ec_method_from_name(s->method, &options.method);
    options.order = cli_order(s);
    options.two_d = s->two_d;
    options.min_size = s->min_size;
    options.max_size = s->max_size;
    options.mask = in->mask;
    options.eps_per_metre = s->per_metre;
    cli_sensor(options.sensor, s, in);
    return clump_ec(context, in->points, s->radius, &options, in->labels, clusters);
}

static void put_parameters(cli_json *j, const void *settings)
{
    const cli_cluster *s = settings;
    cli_json_float(j, "distance", s->radius);
    cli_put_clustering(j, s);
}

int cli_ec(const cli_command *self, int argc, char **argv)
{
    cli_cluster s = CLI_CLUSTER_DEFAULTS;
    const char *input = NULL;
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, &input);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    if (s.radius == 0) return cli_usage(self, "ec needs -d R, the distance below which two points are neighbours");

    char distance[CLI_NUMBER_SIZE], growth[CLI_GROWTH_SIZE], summary[CLI_NUMBER_SIZE + CLI_GROWTH_SIZE + 16];
    cli_float_text(distance, s.radius);
    cli_growth_text(growth, &s);
    snprintf(summary, sizeof summary, "distance %s%s", distance, growth);
    const cli_cluster_job job = {.summary = summary, .call = call, .put_parameters = put_parameters};
    return cli_cluster_run(self, &job, &s, input);
}
