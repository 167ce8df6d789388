/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ground.c: `clump ground`: its options and its call; cluster.c does the rest.
 */
#include "commands/options.h"
#include "cluster/plan.h"

static const cli_option option_rows[] = {
    CLI_GROUND_OPTIONS(cli_ground_choice, CLI_GROUND_HELP, "extent tile"),
    CLI_ROWS("ground", CLI_CLUSTER_AT(ground.options), .only = "extent", .matters = true),
    CLI_ROWS("ground", CLI_CLUSTER_AT(ground.options), .only = "tile"),
    CLI_REGION_OPTIONS(""),
    CLI_HEADING("How"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_TIMING_OPTIONS,
    {0}};

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

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    const cli_cluster defaults = cli_cluster_defaults();
    cli_cluster *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    plan->job = (cli_cluster_job){
        .summary = plan->summary, .ground_alone = true, .call = call, .put_parameters = put_parameters};
    return CLI_DONE;
}

const cli_command cli_cmd_ground = {
    .name = "ground",
    .operands = "IN...",
    .usage = "IN... [options]",
    .brief = "mark the ground",
    .about = "Gives every point of the ground the label -2 and all others -1. 'grid' finds a\n"
             "surface that may rise and fall: the lowest points of each tile of a map around\n"
             "the sensor, limited in slope. 'peak' finds one level, for ground that is flat.\n"
             "Lengths are metres. To find what stands on the ground, use 'clump detect', or\n"
             "--remove-ground of 'clump ec' and 'clump dbscan'.\n",
    .examples = "clump ground scan.pcd -o marked.pcd\n"
                "clump ground scan.pcd --ground peak --sensor-height 1.73 --json\n"
                "clump ground hanging.pcd --flip -o marked.labels\n"
                "    from a sensor that is mounted upside down\n"
                "clump ground scans/*.bin --each --keep objects -o above/\n"
                "    many scans without their ground\n"
                "clump ec scan.pcd -d 0.5 --remove-ground --min-size 20\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
