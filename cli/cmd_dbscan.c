/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_dbscan.c: `clump dbscan`: its options and its call; cluster.c does the rest.
 */
#include "cluster_options.h"
#include "parameters.h"

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    size_t min_points;  /* 0: not given */
    bool no_border, core;
} settings;

static const char *method_choice(int i)
{
    return clump_dbscan_method_name((clump_dbscan_method)i);
}

const cli_option cli_dbscan_options[] = {
    {.kind = CLI_RADIUS,
     .name = "eps",
     .argument = "R",
     .target = CLI_CLUSTER_AT(radius),
     .help = "points at most R apart are neighbours; required, in the unit of the file"},
    {.kind = CLI_COUNT,
     .name = "min-points",
     .argument = "K",
     .target = offsetof(settings, min_points),
     .least = 1,
     .help = "a point with K points within R, itself counted, is a core point; required"},
    {.kind = CLI_SWITCH,
     .name = "no-border",
     .target = offsetof(settings, no_border),
     .help = "border points become noise (DBSCAN*)"},
    CLI_CLUSTER_OPTIONS(method_choice),
    {.kind = CLI_SWITCH,
     .name = "core",
     .target = offsetof(settings, core),
     .help = "give OUT a field 'core' too, 1 for core points, else 0"},
    {0}};

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    const settings *s = given;
    clump_dbscan_options options = clump_dbscan_defaults();
    clump_dbscan_method_from_name(s->common.method, &options.method);
    options.order = cli_order(&s->common);
    options.two_d = s->common.two_d;
    options.no_border_points = s->no_border;
    options.min_size = s->common.min_size;
    options.max_size = s->common.max_size;
    options.mask = in->mask;
    options.eps_per_metre = s->common.per_metre;
    cli_sensor(options.sensor, &s->common, in);
    options.core = in->core;
    return clump_dbscan(context, in->points, s->common.radius, s->min_points, &options, in->labels, clusters);
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *s = given;
    cli_json_float(j, "eps", s->common.radius);
    cli_json_count(j, "min_points", s->min_points);
    cli_json_bool(j, "no_border", s->no_border);
    cli_put_clustering(j, &s->common);
}

int cli_dbscan(const cli_command *self, int argc, char **argv)
{
    settings s = {.common = CLI_CLUSTER_DEFAULTS};
    const char *input = NULL;
    const cli_parsed parsed = cli_parse(self, argc, argv, &s, &input);
    if (parsed != CLI_PARSED_RUN) return CLI_EXIT_STATUS(parsed);
    if (s.common.radius == 0)
        return cli_usage(self, "dbscan needs --eps R, the distance up to which two points are neighbours");
    if (s.min_points == 0)
        return cli_usage(self,
                         "dbscan needs --min-points K, how many points within eps, itself counted, make a core point");

    char eps[CLI_NUMBER_SIZE], growth[CLI_GROWTH_SIZE], summary[CLI_NUMBER_SIZE + CLI_GROWTH_SIZE + 48];
    cli_float_text(eps, s.common.radius);
    cli_growth_text(growth, &s.common);
    snprintf(summary, sizeof summary, "eps %s%s, min-points %zu", eps, growth, s.min_points);
    const cli_cluster_job job = {
        .summary = summary, .has_core = true, .writes_core = s.core, .call = call, .put_parameters = put_parameters};
    return cli_cluster_run(self, &job, &s, input);
}
