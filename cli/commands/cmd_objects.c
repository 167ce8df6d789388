/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_objects.c: `clump objects`: its options and what they mean to clump_detect; cluster.c does the rest.
 */
#include "cluster/objects.h"
#include "commands/options.h"
#include "cluster/plan.h"

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    cli_objects tree;
} settings;

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", CLI_CLUSTER_AT(radius), .matters = true,
               .help = "points closer than R belong together on the level of factor 1 (default 0.25)"),
    CLI_GROWTH_OPTION("0.0175, for 64 beams; 0.025 for 16 and 32 beams, 0.005 for 128"),
    CLI_OBJECTS_OPTIONS(settings, tree),
    CLI_LIMIT_OPTIONS("clusters", "10"),
    CLI_HEADING("Ground"),
    CLI_GROUND_OPTIONS(cli_ground_or_none_choice, CLI_GROUND_OR_NONE_HELP, "extent tile"),
    CLI_REGION_OPTIONS(""),
    CLI_CLASS_OPTION,
    CLI_BY_CLASS_OPTIONS,
    CLI_HEADING("How"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS("cluster"),
    CLI_SORT_OPTION,
    CLI_TIMING_OPTIONS,
    {0}};

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *const s = given;
    options->method = CLUMP_DETECT_OBJECTS;
    options->objects = s->tree.options;
    options->objects.common.eps_per_metre = options->common.eps_per_metre;
    options->common.eps_per_metre = 0; /* the method has its own */
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *const s = given;
    cli_json_float(j, "distance", s->tree.options.d);
    cli_put_rows(j, "clustering", "eps_per_metre", NULL, &s->common.clustering);
    cli_put_objects(j, &s->tree.options);
    cli_put_limits(j, &s->common);
    cli_put_ground(j, "ground", &s->common);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    settings defaults = {.common = cli_cluster_defaults(), .tree = cli_objects_defaults()};
    defaults.common.clustering = defaults.tree.options.common;
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    CLI_TRY(cli_objects_take(self, &s->common, &s->tree));
    cli_objects_ground(self, &s->common);

    cli_objects_summary(plan->summary, &s->tree.options, s->common.clustering.eps_per_metre);
    plan->job = (cli_cluster_job){.summary = plan->summary,
                                  .scale = s->tree.options.d,
                                  .reach = s->tree.options.d,
                                  .finds_ground = true,
                                  .has_classes = true,
                                  .by_class = true,
                                  .detects = true,
                                  .has_tree = true,
                                  .cuts_tree = true,
                                  .set_detect = set_detect,
                                  .put_parameters = put_parameters};
    return CLI_DONE;
}

const cli_command cli_cmd_objects = {
    .name = "objects",
    .operands = "IN...",
    .usage = "IN... [options]",
    .brief = "what has the size of a car, truck or person, also beside walls",
    .about = "Finds the ground, clusters the points above it with several radii, small to\n"
             "large, and cuts this tree of clusters where the size is that of a car, a truck\n"
             "or a person. What has no such size is background. Objects and background are\n"
             "numbered from 0; ground is -2, all other points are -1. The table has the\n"
             "objects, nearest first. 'fits' is whose size an object has, not what it is: most\n"
             "objects are bushes, poles and parts of walls. 'score' is the share of road users\n"
             "among objects like this one, on labelled scans of 64 beams. Lengths are metres.\n"
             "The ground is that of --step, unless --sigma is given.\n",
    .examples = "clump objects scan.bin\n"
                "    the objects of a scan of 64 beams, as of KITTI\n"
                "clump objects scan.bin --min-score 0.3 --sort score\n"
                "    only objects that are likely to be road users, the likeliest first\n"
                "clump objects scan.bin --clusters boxes.json -o labelled.pcd\n"
                "    all clusters as a list, with size and score, and the points with labels\n"
                "clump objects scan.pcd --eps-per-metre 0.025\n"
                "    a sensor of 16 or 32 beams\n"
                "clump objects scan.pcd --neighbours scan\n"
                "    faster, for scans of a rotating sensor whose rings are known\n"
                "clump objects yard.pcd --box 2.5,1.5,2.5 --box 12,3,4 --no-people\n"
                "    what has the size of a fork lift or a lorry\n"
                "clump objects scans/ --each --clusters boxes/\n"
                "    every scan of a folder, with a list of clusters per scan\n"
                "clump objects scan.bin -o scan.html\n"
                "    a page that shows the result\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
