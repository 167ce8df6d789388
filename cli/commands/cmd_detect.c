/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_detect.c: `clump detect`: its options and what they mean to clump_detect; cluster.c does the rest.
 */
#include "commands/erccl.h"
#include "cluster/objects.h"
#include "commands/options.h"
#include "cluster/plan.h"

#include <clump/info.h>

#include <string.h>

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
    CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", CLI_CLUSTER_AT(radius), .matters = true, .of = "ec dbscan objects",
               .help = "points closer than R belong together (default 0.5, objects 0.25); ec, dbscan, objects"),
    CLI_OPTION(CLI_RADIUS, 0, "eps", "R", CLI_CLUSTER_AT(radius), .of = "ec dbscan objects",
               .help = "the same, as dbscan calls it; there a distance of R counts"),
    CLI_OPTION(CLI_COUNT, 0, "min-points", "K", offsetof(settings, min_points), .least = 1, .of = "dbscan",
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
    CLI_GROUND_OPTIONS(cli_ground_or_none_choice, CLI_GROUND_OR_NONE_HELP, "extent tile"),
    CLI_REGION_OPTIONS("; with --2d measured horizontally"),
    CLI_CLASS_OPTION,
    CLI_BY_CLASS_OPTIONS,
    CLI_HEADING("How"),
    CLI_EACH_OPTIONS,
    CLI_RUN_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    CLI_CLUSTERS_OPTIONS("object"),
    CLI_SORT_OPTION,
    CLI_TIMING_OPTIONS,
    {0}};

/* Refuses options of a clustering that is not in use: "--cell is for --by erccl". */
static int check(const cli_command *self, const settings *s)
{
    const char *owners, *const given = cli_given_of_others(self, &s->common.given, s->by, &owners);
    if (given) {
        char list[64] = ""; /* "ec, dbscan and objects" */
        for (const char *c = owners, *end; *c; c = *end ? end + 1 : end) {
            end = c + strcspn(c, " ");
            const size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%.*s",
                     used == 0 ? ""
                     : *end    ? ", "
                               : " and ",
                     (int)(end - c), c);
        }
        return cli_usage(self, "--%s is for --by %s", given, list);
    }
    if (cli_sorts_by_score(&s->common) && s->method != CLUMP_DETECT_OBJECTS)
        return cli_usage(self, "--sort score is for --by objects");
    return CLI_DONE;
}

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *const s = given;
    const cli_cluster *const common = &s->common;
    options->method = s->method;
    if (common->radius > 0) options->d = common->radius;
    if (s->min_points > 0) options->min_points = s->min_points;
    options->erccl = s->map.options;
    options->objects = s->tree.options;
    if (s->method != CLUMP_DETECT_OBJECTS) return;
    options->objects.common.eps_per_metre = options->common.eps_per_metre;
    options->common.eps_per_metre = 0; /* the method has its own */
}

static clump_detect_options options_of(const settings *s)
{
    clump_detect_options options = clump_detect_defaults();
    options.common = s->common.clustering;
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
    cli_put_rows(j, "clustering", "eps_per_metre two_d", NULL, &s->common.clustering);
    cli_json_float(j, "thin", s->common.thin);
    cli_put_erccl(j, erccl ? &s->map : NULL);
    cli_put_objects(j, objects ? &options.objects : NULL);
    cli_put_limits(j, &s->common);
    cli_put_ground(j, "ground", &s->common);
}

static void summarise(char summary[CLI_PLAN_SUMMARY], const settings *s, const clump_detect_options *options)
{
    char radius[CLI_RADIUS_SIZE];
    cli_radius_text(radius, options->d, s->common.clustering.eps_per_metre);
    if (s->method == CLUMP_DETECT_ERCCL)
        cli_erccl_summary(summary, &options->erccl);
    else if (s->method == CLUMP_DETECT_OBJECTS)
        cli_objects_summary(summary, &options->objects, s->common.clustering.eps_per_metre);
    else if (s->method == CLUMP_DETECT_DBSCAN)
        snprintf(summary, CLI_PLAN_SUMMARY, "eps %s, min-points %zu", radius, options->min_points);
    else
        snprintf(summary, CLI_PLAN_SUMMARY, "distance %s", radius);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    settings defaults = {.common = cli_cluster_defaults(),
                         .by = by_choice(CLUMP_DETECT_EC),
                         .map = cli_erccl_defaults(),
                         .tree = cli_objects_defaults()};
    defaults.common.clustering = clump_detect_defaults().common;
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    clump_detect_method_from_name(s->by, &s->method);
    const bool objects = s->method == CLUMP_DETECT_OBJECTS;
    float *const growth = &s->common.clustering.eps_per_metre;
    if (objects && !cli_was_given(self, &s->common.given, s, growth)) *growth = s->tree.options.common.eps_per_metre;
    CLI_TRY(check(self, s));
    CLI_TRY(cli_objects_take(self, &s->common, &s->tree));
    if (objects) cli_objects_ground(self, &s->common);
    CLI_TRY(cli_erccl_take(self, &s->common, &s->map));
    if (s->method == CLUMP_DETECT_ERCCL) s->common.clustering.papers = &s->map.papers;

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
                                  .by_class = true,
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
