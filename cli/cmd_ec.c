/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ec.c: `clump ec`: its options and its call; cluster.c does the rest.
 */
#include "options.h"
#include "plan.h"

static const char *method_choice(int i)
{
    return clump_ec_method_name((clump_ec_method)i);
}

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", CLI_CLUSTER_AT(radius),
               .help = "points closer than R are neighbours; required, > 0, in the unit of the file"),
    CLI_CLUSTER_OPTIONS(method_choice),
    {0}};

static clump_ec_options options_of(const cli_cluster *s)
{
    clump_ec_options options = clump_ec_defaults();
    clump_ec_method_from_name(s->method, &options.method);
    options.order = cli_order(s);
    options.two_d = s->two_d;
    options.min_size = s->min_size;
    options.max_size = s->max_size;
    options.eps_per_metre = s->per_metre;
    return options;
}

static clump_status call(clump_context *context, const void *settings, const cli_memory *in, int32_t *clusters)
{
    const cli_cluster *s = settings;
    clump_ec_options options = options_of(s);
    options.mask = in->mask;
    cli_sensor(options.sensor, s, in->origin);
    return clump_ec(context, in->points, s->radius, &options, in->labels, clusters);
}

static void set_detect(clump_detect_options *options, const void *settings)
{
    const cli_cluster *s = settings;
    options->method = CLUMP_DETECT_EC;
    options->d = s->radius;
    options->ec = options_of(s);
}

static void put_parameters(cli_json *j, const void *settings)
{
    const cli_cluster *s = settings;
    cli_json_float(j, "distance", s->radius);
    cli_put_clustering(j, s);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    cli_cluster *const s = cli_plan_settings(plan, &(const cli_cluster)CLI_CLUSTER_DEFAULTS, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_parse(self, argc, argv, s, &plan->input));
    if (s->radius == 0) return cli_usage(self, "ec needs -d R, the distance below which two points are neighbours");

    char distance[CLI_NUMBER_SIZE], growth[CLI_GROWTH_SIZE];
    cli_float_text(distance, s->radius);
    cli_growth_text(growth, s);
    snprintf(plan->summary, sizeof plan->summary, "distance %s%s", distance, growth);
    plan->job = (cli_cluster_job){.summary = plan->summary,
                                  .scale = s->radius,
                                  .reach = s->radius,
                                  .thins = true,
                                  .call = call,
                                  .set_detect = set_detect,
                                  .put_parameters = put_parameters};
    return CLI_DONE;
}

const cli_command cli_cmd_ec = {
    .name = "ec",
    .operands = "IN",
    .usage = "IN -d R [options]",
    .brief = "Euclidean clustering: points closer than R belong together",
    .about = "Two points closer than R are neighbours; neighbours, and neighbours of\n"
             "neighbours, are one cluster. Prints a summary and the largest clusters. Clusters\n"
             "are numbered from 0; points in none are noise, -1. The same input gives the same\n"
             "labels on every device and with any number of threads.\n",
    .examples = "clump ec scan.pcd -d 0.5\n"
                "    points less than 0.5 m apart; 'clump info scan.pcd' suggests a distance\n"
                "clump ec scan.pcd -d 0.5 --min-size 10 -o labelled.pcd --clusters boxes.json\n"
                "    ignore the smallest, keep the labels and a list of boxes\n"
                "clump ec scan.bin -d 0.4 --2d --crop -40,40,-40,40,-1.2,3 --min-range 2.5\n"
                "    seen from above, without the ground and the vehicle itself\n"
                "clump ec scan.pcd -d 0.5 --repeat 21 --json\n"
                "    how fast is it here?\n"
                "clump ec scan.pcd -d 0.5 --method matrix-rs --json\n"
                "    the same labels by another algorithm: its passes, its time, its memory\n"
                "clump ec scan.pcd -d 0.5 --device cuda --memory device --repeat 21\n"
                "    on a GPU, without the way there and back\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
