/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_ec.c: `clump ec`: its options and its call; cluster.c does the rest.
 */
#include "commands/options.h"
#include "cluster/plan.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    const char *block;  /* of matrix-*; null: not given */
    clump_papers papers;
} settings;

static const char *method_choice(int i)
{
    return clump_ec_method_name((clump_ec_method)i);
}

static const char *block_choice(int i)
{
    static const char *const words[] = {"64", "128", "256", "512", "1024"};
    return i < (int)(sizeof words / sizeof *words) ? words[i] : NULL;
}

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_RADIUS, 'd', "distance", "R", CLI_CLUSTER_AT(radius), .matters = true,
               .help = "points closer than R are neighbours; required, > 0, in the unit of the file"),
    CLI_CLUSTER_OPTIONS(method_choice),
    CLI_HEADING("The six methods of Nguyen et al.; labels stay the same"),
    CLI_OPTION(CLI_CHOICE, 0, "block", "B", offsetof(settings, block), .choices = block_choice,
               .help = "labels that one thread block of matrix-es or matrix-rs merges (default 1024)"),
    CLI_OPTION(CLI_SWITCH, 0, "in-place", NULL, offsetof(settings, papers.in_place),
               .help = "one array of labels for vertex-es to edge-rs, as in the paper; never more passes"),
    {0}};

static bool is_matrix(const settings *s)
{
    return strncmp(s->common.method, "matrix-", 7) == 0;
}

static bool has_rounds(const settings *s)
{
    return strncmp(s->common.method, "vertex-", 7) == 0 || strncmp(s->common.method, "edge-", 5) == 0;
}

static int block_of(const settings *s)
{
    return s->block ? atoi(s->block) : 0; /* one of block_choice() */
}

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    const settings *s = given;
    clump_ec_options options = clump_ec_defaults();
    clump_ec_method_from_name(s->common.method, &options.method);
    options.common = cli_call_clustering(&s->common, in);
    return clump_ec(context, in->points, cli_call_radius(&s->common, in), &options, in->labels, clusters);
}

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *s = given;
    options->method = CLUMP_DETECT_EC;
    options->d = s->common.radius;
    clump_ec_method_from_name(s->common.method, &options->ec.method);
}

static void set_joint(clump_joint_settings *joint, const void *given)
{
    const settings *s = given;
    joint->d = s->common.radius;
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *s = given;
    cli_json_float(j, "distance", s->common.radius);
    if (is_matrix(s))
        cli_json_int(j, "block", s->block ? block_of(s) : 1024);
    else
        cli_json_null(j, "block");
    cli_json_bool(j, "in_place", s->papers.in_place);
    cli_put_clustering(j, &s->common);
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    const settings defaults = {.common = cli_cluster_defaults(), .papers = clump_papers_defaults()};
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    s->papers.matrix_block = block_of(s);
    s->common.clustering.papers = &s->papers;
    const cli_cluster *const common = &s->common;
    if (common->radius == 0 && common->classes) s->common.radius = CLI_CLASS_RADIUS;
    if (common->radius == 0)
        return cli_usage(self, "ec needs -d R, the distance below which two points are neighbours");
    if (s->block && !is_matrix(s))
        return cli_usage(self, "--block is for --method matrix-es and matrix-rs, not for %s", common->method);
    if (s->papers.in_place && !has_rounds(s))
        return cli_usage(self, "--in-place is for --method vertex-es, vertex-rs, edge-es and edge-rs, not for %s",
                         common->method);

    char radius[CLI_RADIUS_SIZE];
    cli_radius_text(radius, common->radius, common->clustering.eps_per_metre);
    snprintf(plan->summary, sizeof plan->summary, "distance %s", radius);
    plan->job = cli_radius_job(plan->summary, common);
    plan->job.call = call;
    plan->job.set_detect = set_detect;
    plan->job.set_joint = set_joint;
    plan->job.put_parameters = put_parameters;
    return CLI_DONE;
}

const cli_command cli_cmd_ec = {
    .name = "ec",
    .operands = "IN...",
    .usage = "IN... -d R [options]",
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
                "clump ec frames/*.bin -d 0.5 --each -o labels/\n"
                "    every file on its own: a file of labels per scan\n"
                "clump ec scans/ -d 0.5 --each --clusters boxes.csv --jobs 4\n"
                "    the files of a folder, four at a time; one table of all boxes\n"
                "clump ec scan.pcd -d 0.5 --repeat 21 --json\n"
                "    how fast is it here?\n"
                "clump ec scan.pcd -d 0.5 --method matrix-rs --json\n"
                "    the same labels by another algorithm: its passes, its time, its memory\n"
                "clump ec scan.pcd -d 0.5 --method edge-rs --in-place --json\n"
                "    that algorithm with one array of labels, as in its paper\n"
                "clump ec scan.pcd -d 0.5 --device cuda --memory device --repeat 21\n"
                "    on a GPU, without the way there and back\n"
                "clump ec tiles/*.laz -d 0.5 --drop-class 2,7,9 --ram 8G -o out/\n"
                "    a survey larger than memory: many files as one cloud, one output per file\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
