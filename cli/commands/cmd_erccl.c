/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_erccl.c: `clump erccl`: its options and its call; cluster.c does the rest.
 */
#include "commands/erccl.h"
#include "cluster/erccl_maps.h"
#include "commands/options.h"
#include "cluster/plan.h"

#include <clump/info.h>

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    cli_erccl map;
} settings;

static const char *method_choice(int i)
{
    return clump_erccl_method_name((clump_erccl_method)i);
}

static const cli_option option_rows[] = {
    CLI_ERCCL_OPTIONS(settings, map, true),
    CLI_ROWS("papers", offsetof(settings, map.papers), .only = "all_heights"),
    CLI_LIMIT_OPTIONS("obstacles", "1"),
    CLI_HEADING("Ground"),
    CLI_GROUND_OPTIONS(cli_ground_or_none_choice, CLI_GROUND_OR_NONE_HELP, "extent tile"),
    CLI_REGION_OPTIONS(""),
    CLI_HEADING("How"),
    CLI_METHOD_OPTION(method_choice, "algorithm; all but ccl and hash give the same labels (default fast)"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS("obstacle"),
    CLI_OPTION(CLI_FILE, 0, "maps", "DIR", CLI_CLUSTER_AT(maps), .not_with = CLI_WAY_FRAMES,
               .help = "write the maps of heights, ground, flags and labels into this folder, as .npy and .png"),
    CLI_TIMING_OPTIONS,
    {0}};

static clump_erccl_options library_options(const void *given, const cli_memory *in)
{
    const settings *const s = given;
    clump_erccl_options options = s->map.options;
    options.common = s->common.clustering;
    options.ground = cli_ground_options(&s->common.ground, &s->common.region, in->origin);
    options.common.mask = in->mask;
    return options;
}

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    const clump_erccl_options options = library_options(given, in);
    return clump_erccl(context, in->points, &options, in->labels, clusters);
}

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *const s = given;
    options->method = CLUMP_DETECT_ERCCL;
    options->erccl = s->map.options;
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *const s = given;
    cli_put_erccl(j, &s->map);
    cli_put_rows(j, "papers", "all_heights", NULL, &s->map.papers);
    cli_put_limits(j, &s->common);
    cli_put_ground(j, "ground", &s->common);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    const settings defaults = {.common = cli_cluster_defaults(), .map = cli_erccl_defaults()};
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    CLI_TRY(cli_erccl_take(self, &s->common, &s->map));
    s->common.clustering.papers = &s->map.papers;

    const clump_erccl_options *const options = &s->map.options;
    const size_t rows = clump_erccl_rows(options), columns = clump_erccl_columns(options);
    if (s->common.maps && (rows > CLI_MAPS_SIDE || columns > CLI_MAPS_SIDE))
        return cli_usage(self, "--maps: the map has %zu x %zu cells, maps of up to %d x %d are written", rows, columns,
                         CLI_MAPS_SIDE, CLI_MAPS_SIDE);
    cli_erccl_summary(plan->summary, options);
    plan->job = (cli_cluster_job){.summary = plan->summary,
                                  .scale = options->cell,
                                  .finds_ground = true,
                                  .call = call,
                                  .set_detect = set_detect,
                                  .not_detected = s->map.papers.all_heights ? "--all-heights" : NULL,
                                  .erccl = library_options,
                                  .put_parameters = put_parameters};
    return CLI_DONE;
}

const cli_command cli_cmd_erccl = {
    .name = "erccl",
    .operands = "IN...",
    .usage = "IN... [options]",
    .brief = "obstacles: the ground removed, the rest clustered from above",
    .about = "Finds the ground, puts all other points into the cells of a map around the\n"
             "sensor, and joins cells near each other whose highest and lowest points are at\n"
             "similar heights (ER-CCL, Tian et al. 2020). Obstacles are numbered from 0. The\n"
             "ground is -2, the rest, outside the map or not finite, -1. Lengths are metres.\n",
    .examples = "clump erccl scan.bin -o labelled.pcd --clusters boxes.json\n"
                "    obstacles within 20 m, and a list of boxes with heights and distances\n"
                "clump erccl scan.bin --extent 80 --cell 0.1 --min-size 20\n"
                "    a larger map of larger cells, without specks\n"
                "clump erccl scan.bin --extent 80,20\n"
                "    a road ahead: 40 m to the front and the back, 10 m to each side\n"
                "clump erccl scan.bin --maps maps/\n"
                "    the map itself: highest, lowest, ground, flag and label, as .npy and .png\n"
                "clump erccl scan.pcd --ground peak --sensor-height 1.73\n"
                "    flat ground, at a level that is known about\n"
                "clump erccl scan.pcd --ground peak --bin 0.05 --all-heights\n"
                "    as the paper has it: one level, and heights of all points of a cell\n"
                "clump erccl hanging.pcd --flip\n"
                "    from a sensor that is mounted upside down\n"
                "clump erccl scan.bin --method serial --reach 3 --json\n"
                "    the same labels by the paper's algorithm: its passes and its time\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
