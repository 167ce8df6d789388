/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_erccl.c: `clump erccl`: its options and its call; cluster.c does the rest.
 */
#include "options.h"
#include "json.h"
#include "obstacles.h"

#include <string.h>

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    float extent;
    size_t reach;
    double alpha, tau, beta; /* negative: not given */
} settings;

static const char *method_choice(int i)
{
    return clump_erccl_method_name((clump_erccl_method)i);
}

static const char *ground_choice(int i)
{
    return clump_ground_method_name((clump_ground_method)i);
}

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_RADIUS, 0, "cell", "S", CLI_CLUSTER_AT(radius), .help = "side of a cell of the map (default 0.05)"),
    CLI_OPTION(CLI_RADIUS, 0, "extent", "L", offsetof(settings, extent),
               .help = "side of the map, in whose middle the sensor is (default 40); beyond it all is noise"),
    CLI_OPTION(CLI_COUNT, 0, "reach", "N", offsetof(settings, reach), .least = 1, .most = CLUMP_ERCCL_REACH,
               .help = "cells up to N rows and columns apart can belong together (default 5)"),
    CLI_OPTION(CLI_NUMBER, 0, "alpha", "A", offsetof(settings, alpha),
               .help = "weight of the distance of two cells against their heights, 0 to 1 (default 0.7)"),
    CLI_OPTION(CLI_NUMBER, 0, "tau", "T", offsetof(settings, tau),
               .help = "how alike two cells must be, 0 to 1 (default 0.75)"),
    CLI_OPTION(CLI_NUMBER, 0, "beta", "B", offsetof(settings, beta),
               .help = "the same as B * exp(-N), as the paper has it"),
    CLI_LIMIT_OPTIONS("obstacles"),
    CLI_HEADING("Ground"),
    CLI_GROUND_OPTIONS(ground_choice, "how the ground is found: one level, a surface, or not at all (default grid)"),
    CLI_REGION_OPTIONS(""),
    CLI_HEADING("How"),
    CLI_METHOD_OPTION(method_choice, "algorithm; all but ccl and hash give the same labels (default fast)"),
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS(
        "write count, centroid, boxes, height above ground and distance of each obstacle, as .json or .csv"),
    CLI_TIMING_OPTIONS,
    {0}};

static clump_erccl_options options_of(const settings *s, const double *origin)
{
    clump_erccl_options options = clump_erccl_defaults();
    clump_erccl_method_from_name(s->common.method, &options.method);
    options.order = cli_order(&s->common);
    options.cell = s->common.radius;
    options.extent = s->extent;
    options.reach = (int)s->reach;
    if (s->alpha >= 0) options.alpha = (float)s->alpha;
    if (s->tau >= 0) options.tau = (float)s->tau;
    if (s->beta >= 0) options.beta = (float)s->beta;
    if (s->beta == 0) options.tau = 0; /* to the library, beta 0 means that beta is not given */
    options.min_size = s->common.min_size;
    options.max_size = s->common.max_size;
    options.ground = cli_ground_options(&s->common.ground, &s->common.region, origin);
    return options;
}

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    clump_erccl_options options = options_of(given, in->origin);
    options.mask = in->mask;
    return clump_erccl(context, in->points, &options, in->labels, clusters);
}

static clump_status measure(clump_context *context, const void *given, const cli_measured *m)
{
    clump_erccl_options options = options_of(given, m->origin);
    options.mask = m->mask;
    return cli_obstacles(context, m->points, &options, m->labels, m->count, m->clusters, m->obstacles);
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *const s = given;
    const clump_erccl_options o = options_of(s, (const double[3]){0});
    cli_json_float(j, "cell", o.cell);
    cli_json_float(j, "extent", o.extent);
    cli_json_int(j, "reach", o.reach);
    cli_json_float(j, "alpha", o.alpha);
    cli_json_float(j, "tau", o.beta > 0 ? (float)((double)o.beta * exp(-o.reach)) : o.tau);
    if (s->beta >= 0)
        cli_json_float(j, "beta", o.beta);
    else
        cli_json_null(j, "beta");
    cli_put_limits(j, &s->common);
    cli_put_ground(j, "ground", &s->common);
}

/* Lets the library check the options on an empty cloud, before the input is read. */
static int check(const cli_command *self, const settings *s)
{
    if (s->tau >= 0 && s->beta >= 0) return cli_usage(self, "--tau and --beta say the same thing, give one of them");
    clump_erccl_options options = options_of(s, (const double[3]){0});
    options.min_size = 1, options.max_size = 0; /* cluster.c checks these */
    clump_context_options cpu = clump_context_defaults();
    cpu.backend = CLUMP_BACKEND_CPU;
    clump_context *context;
    CLI_TRY(cli_context_create(&cpu, &context));
    const clump_status status = clump_erccl(context, (clump_points){0}, &options, NULL, NULL);
    const char *const said = clump_context_error(context), *const colon = strchr(said, ':');
    int result = CLI_DONE;
    if (status == CLUMP_ERR_ARGUMENT) result = cli_usage(self, "%s", colon ? colon + 2 : said);
    clump_context_destroy(context);
    return result;
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    const clump_erccl_options defaults = clump_erccl_defaults();
    settings s = {.common = CLI_CLUSTER_DEFAULTS, .alpha = -1, .tau = -1, .beta = -1};
    s.common.radius = defaults.cell;
    s.extent = defaults.extent;
    s.reach = (size_t)defaults.reach;
    const char *input = NULL;
    CLI_TRY(cli_parse(self, argc, argv, &s, &input));
    CLI_TRY(check(self, &s));

    char cell[CLI_NUMBER_SIZE], summary[CLI_NUMBER_SIZE + 48];
    cli_float_text(cell, s.common.radius);
    snprintf(summary, sizeof summary, "cells of %s, reach %zu", cell, s.reach);
    const cli_cluster_job job = {
        .summary = summary, .finds_ground = true, .call = call, .put_parameters = put_parameters, .measure = measure};
    return cli_cluster_run(self, &job, &s, input);
}

const cli_command cli_cmd_erccl = {
    .name = "erccl",
    .operands = "IN",
    .usage = "IN [options]",
    .brief = "obstacles: the ground removed, the rest clustered from above",
    .about = "Finds the ground, puts all other points into the cells of a map around the\n"
             "sensor, and joins cells near each other whose highest and lowest points are at\n"
             "similar heights (ER-CCL, Tian et al. 2020). Obstacles are numbered from 0. The\n"
             "ground is -2, the rest, outside the map or not finite, -1. Lengths are metres.\n",
    .examples = "clump erccl scan.bin -o labelled.pcd --clusters boxes.json\n"
                "    obstacles within 20 m, and a list of boxes with heights and distances\n"
                "clump erccl scan.bin --extent 80 --cell 0.1 --min-size 20\n"
                "    a larger map of larger cells, without specks\n"
                "clump erccl scan.pcd --ground peak --sensor-height 1.73\n"
                "    flat ground, at a level that is known about\n"
                "clump erccl hanging.pcd --flip\n"
                "    from a sensor that is mounted upside down\n"
                "clump erccl scan.bin --method serial --reach 3 --json\n"
                "    the same labels by the paper's algorithm: its passes and its time\n",
    .options = option_rows,
    .run = run_command,
};
