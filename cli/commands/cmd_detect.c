/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_detect.c: `clump detect`: its options and what they mean to clump_detect; cluster.c does the rest.
 */
#include "commands/erccl.h"
#include "cluster/objects.h"
#include "commands/options.h"
#include "cluster/plan.h"

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    const char *by;
    clump_detect_method method; /* which `by` names */
    size_t min_points;          /* 0: not given */
    cli_erccl map;
    cli_objects tree;
} settings;

static const char *by_choice(int i)
{
    return clump_detect_method_name((clump_detect_method)i);
}

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_CHOICE, 0, "by", "NAME", offsetof(settings, by), .choices = by_choice, .noun = "clustering",
               .matters = true, .help = "how points become objects, as by the command of this name (default ec)"),
    CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", CLI_CLUSTER_AT(radius), .matters = true,
               .help = "points closer than R belong together (default 0.5, objects 0.25); ec, dbscan, objects"),
    CLI_OPTION(CLI_RADIUS, 0, "eps", "R", CLI_CLUSTER_AT(radius),
               .help = "the same, as dbscan calls it; there a distance of R counts"),
    CLI_OPTION(CLI_COUNT, 0, "min-points", "K", offsetof(settings, min_points), .least = 1,
               .help = "a point with K points within R, itself counted, is a core point (default 10); dbscan"),
    CLI_GROWTH_OPTION("0, objects 0.0175"),
    CLI_2D_OPTION,
    CLI_THIN_OPTION,
    CLI_LIMIT_OPTIONS("objects", "10"),
    CLI_HEADING("Map of --by erccl"),
    CLI_ERCCL_OPTIONS(settings, map, false),
    CLI_HEADING("Tree of --by objects"),
    CLI_OBJECTS_OPTIONS(settings, tree),
    CLI_HEADING("Ground"),
    CLI_GROUND_OPTIONS(cli_ground_or_none_choice, CLI_GROUND_OR_NONE_HELP),
    CLI_STEP_OPTION,
    CLI_REGION_OPTIONS("; with --2d measured horizontally"),
    CLI_CLASS_OPTION,
    CLI_HEADING("How"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS("object"),
    CLI_SORT_OPTION,
    CLI_TIMING_OPTIONS,
    {0}};

/* Refuses options of a clustering that is not in use. */
static int check(const cli_command *self, const settings *s)
{
    const bool erccl = s->method == CLUMP_DETECT_ERCCL;
    const char *const map = cli_erccl_given(&s->map);
    const char *const tree = cli_objects_given(&s->tree);
    if (map && !erccl) return cli_usage(self, "--%s is for --by erccl", map);
    if (tree && s->method != CLUMP_DETECT_OBJECTS) return cli_usage(self, "--%s is for --by objects", tree);
    if (cli_sorts_by_score(&s->common) && s->method != CLUMP_DETECT_OBJECTS)
        return cli_usage(self, "--sort score is for --by objects");
    if (s->min_points > 0 && s->method != CLUMP_DETECT_DBSCAN)
        return cli_usage(self, "--min-points is for --by dbscan");
    const char *const plane = s->common.two_d ? "--2d" : s->common.thin > 0 ? "--thin" : NULL;
    if (plane && s->method == CLUMP_DETECT_OBJECTS) return cli_usage(self, "%s is not for --by objects", plane);
    const char *const given = s->common.radius > 0      ? "a distance, -d or --eps,"
                              : s->common.per_metre > 0 ? "--eps-per-metre"
                              : s->common.two_d         ? "--2d"
                                                        : NULL;
    if (given && erccl) return cli_usage(self, "%s is for --by ec and --by dbscan, not for erccl", given);
    CLI_TRY(cli_objects_check(self, &s->tree));
    return cli_erccl_check(self, &s->map);
}

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *const s = given;
    const cli_cluster *const common = &s->common;
    const clump_detect_options defaults = *options;
    options->method = s->method;
    options->d = common->radius > 0 ? common->radius : defaults.d;
    options->min_points = s->min_points > 0 ? s->min_points : defaults.min_points;
    options->ec.order = options->dbscan.order = cli_order(common);
    options->ec.two_d = options->dbscan.two_d = common->two_d;
    options->ec.min_size = options->dbscan.min_size = common->min_size;
    options->ec.max_size = options->dbscan.max_size = common->max_size;
    options->ec.eps_per_metre = options->dbscan.eps_per_metre = common->per_metre;
    options->erccl = cli_erccl_options(&s->map, common);
    options->objects = cli_objects_options(&s->tree, common);
}

static clump_detect_options options_of(const settings *s)
{
    clump_detect_options options = clump_detect_defaults();
    set_detect(&options, s);
    return options;
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *const s = given;
    const clump_detect_options options = options_of(s);
    const bool erccl = s->method == CLUMP_DETECT_ERCCL, objects = s->method == CLUMP_DETECT_OBJECTS;
    cli_json_text(j, "by", s->by);
    cli_json_float(j, "distance", erccl ? NAN : objects ? options.objects.d : options.d);
    if (s->method == CLUMP_DETECT_DBSCAN)
        cli_json_count(j, "min_points", options.min_points);
    else
        cli_json_null(j, "min_points");
    cli_json_float(j, "eps_per_metre", s->common.per_metre);
    cli_json_bool(j, "2d", s->common.two_d);
    cli_json_float(j, "thin", s->common.thin);
    cli_put_erccl(j, erccl ? &options.erccl : NULL, s->map.beta >= 0);
    cli_put_objects(j, objects ? &options.objects : NULL);
    cli_put_limits(j, &s->common);
    cli_put_ground(j, "ground", &s->common);
}

static void summarise(char summary[CLI_PLAN_SUMMARY], const settings *s, const clump_detect_options *options)
{
    char distance[CLI_NUMBER_SIZE], growth[CLI_GROWTH_SIZE];
    cli_float_text(distance, options->d);
    cli_growth_text(growth, s->common.per_metre);
    if (s->method == CLUMP_DETECT_ERCCL)
        cli_erccl_summary(summary, &options->erccl);
    else if (s->method == CLUMP_DETECT_OBJECTS)
        cli_objects_summary(summary, &options->objects);
    else if (s->method == CLUMP_DETECT_DBSCAN)
        snprintf(summary, CLI_PLAN_SUMMARY, "eps %s%s, min-points %zu", distance, growth, options->min_points);
    else
        snprintf(summary, CLI_PLAN_SUMMARY, "distance %s%s", distance, growth);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    settings defaults = {.common = CLI_CLUSTER_DEFAULTS, .by = by_choice(CLUMP_DETECT_EC), .map = CLI_ERCCL_DEFAULTS};
    defaults.common.min_size = clump_detect_defaults().ec.min_size;
    defaults.common.per_metre = -1; /* not given */
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    clump_detect_method_from_name(s->by, &s->method);
    const bool objects = s->method == CLUMP_DETECT_OBJECTS;
    if (s->common.per_metre < 0) s->common.per_metre = objects ? clump_objects_defaults().eps_per_metre : 0;
    CLI_TRY(check(self, s));

    const clump_detect_options options = options_of(s);
    const bool erccl = s->method == CLUMP_DETECT_ERCCL;
    const clump_erccl_options *const map = &options.erccl;
    summarise(plan->summary, s, &options);
    plan->job = (cli_cluster_job){.summary = plan->summary,
                                  .scale = erccl     ? map->cell
                                           : objects ? options.objects.d
                                                     : options.d,
                                  .reach = erccl ? map->cell * (float)map->reach : options.d,
                                  .finds_ground = true,
                                  .thins = true,
                                  .has_classes = true,
                                  .detects = true,
                                  .has_tree = true,
                                  .cuts_tree = objects,
                                  .set_detect = set_detect,
                                  .put_parameters = put_parameters};
    return CLI_DONE;
}

const cli_command cli_cmd_detect = {
    .name = "detect",
    .operands = "IN...",
    .usage = "IN... [options]",
    .brief = "from a scan to the boxes of its objects",
    .about = "Finds the ground, clusters the points above it, and measures each cluster: the\n"
             "objects of a scan. Prints them nearest first, seen from the sensor: distance to\n"
             "the nearest point, centre and size of the box, yaw in degrees from the x axis,\n"
             "and how far the top is above the ground, - where that is not known. Objects are\n"
             "numbered from 0; ground is -2, all other points are -1. Lengths are metres.\n",
    .examples = "clump detect scan.pcd\n"
                "    objects of at least 10 points, 0.5 m or more from the others\n"
                "clump detect scan.pcd --clusters boxes.json -o labelled.pcd\n"
                "    all objects as a list of boxes, and the points with their labels\n"
                "clump detect scan.bin --by dbscan --max-range 50 --intensity intensity\n"
                "    by density, within 50 m, with the mean intensity of each object\n"
                "clump detect scan.bin --by erccl --min-size 20\n"
                "    on the elevation map, within 20 m\n"
                "clump detect scan.bin --by objects\n"
                "    what has the size of a car, truck or person; see 'clump objects'\n"
                "clump detect dense.pcd --thin 0.1\n"
                "    a dense cloud: one point of each voxel of 0.1 m is clustered; approximate\n"
                "clump detect scans/ --each --clusters boxes/\n"
                "    every scan of a folder, with a list of boxes per scan\n"
                "clump detect scan.pcd --device cuda --memory pinned --repeat 101 --json\n"
                "    how fast is it on a GPU? The times of ground, clusters and boxes\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
