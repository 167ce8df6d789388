/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_dbscan.c: `clump dbscan`: its options and its call; cluster.c does the rest.
 */
#include "commands/options.h"
#include "cluster/plan.h"

#include <clump/info.h>
#include <clump/papers.h>

#include <string.h>

typedef struct settings {
    cli_cluster common; /* first: cluster.c knows only this */
    size_t min_points;  /* 0: not given */
    clump_dbscan_options dbscan;
    bool core;
    size_t chains, chain_threads, seeds; /* of dclust; 0: not given */
    clump_papers papers;
} settings;

enum { DBSCAN_WARP = 32 }; /* --chain-threads is a multiple of it */

static const char *method_choice(int i)
{
    return clump_dbscan_method_name((clump_dbscan_method)i);
}

static const cli_option option_rows[] = {
    CLI_OPTION(CLI_RADIUS, 0, "eps", "R", CLI_CLUSTER_AT(radius), .matters = true,
               .help = "points at most R apart are neighbours; required, in the unit of the file"),
    CLI_OPTION(CLI_COUNT, 0, "min-points", "K", offsetof(settings, min_points), .least = 1, .matters = true,
               .help = "a core point has K points within R, itself counted; required"),
    CLI_ROWS("dbscan", offsetof(settings, dbscan), .only = NULL),
    CLI_CLUSTER_OPTIONS(method_choice),
    CLI_OPTION(CLI_SWITCH, 0, "core", NULL, offsetof(settings, core), .not_with = CLI_WAY_BIG | CLI_WAY_FRAMES,
               .help = "give OUT a field 'core' too, 1 for core points, else 0"),
    CLI_HEADING("The method dclust"),
    CLI_OPTION(CLI_COUNT, 0, "chains", "N", offsetof(settings, chains), .least = 1, .most = CLUMP_DCLUST_MOST_CHAINS,
               .help = "chains that grow at the same time, on a GPU one thread block each (default 256)"),
    CLI_OPTION(CLI_COUNT, 0, "chain-threads", "N", offsetof(settings, chain_threads), .least = DBSCAN_WARP,
               .most = CLUMP_DCLUST_MOST_THREADS, .help = "threads per chain on a GPU, a multiple of 32 (default 512)"),
    CLI_OPTION(CLI_COUNT, 0, "seeds", "N", offsetof(settings, seeds), .least = 1, .most = CLUMP_DCLUST_MOST_SEEDS,
               .help = "points that may wait in the list of a chain (default 1024)"),
    {0}};

static clump_status call(clump_context *context, const void *given, const cli_memory *in, int32_t *clusters)
{
    const settings *s = given;
    clump_dbscan_options options = s->dbscan;
    options.common = cli_call_clustering(&s->common, in);
    options.core = in->core;
    return clump_dbscan(context, in->points, cli_call_radius(&s->common, in), s->min_points, &options, in->labels,
                        clusters);
}

static void set_detect(clump_detect_options *options, const void *given)
{
    const settings *s = given;
    options->method = CLUMP_DETECT_DBSCAN;
    options->d = s->common.radius;
    options->min_points = s->min_points;
    options->dbscan = s->dbscan;
}

static void set_joint(clump_joint_settings *joint, const void *given)
{
    const settings *s = given;
    joint->d = s->common.radius;
    joint->min_points = s->min_points;
    joint->no_border_points = s->dbscan.no_border_points;
}

static void put_parameters(cli_json *j, const void *given)
{
    const settings *s = given;
    cli_json_float(j, "eps", s->common.radius);
    cli_json_count(j, "min_points", s->min_points);
    cli_json_bool(j, "no_border", s->dbscan.no_border_points);
    cli_put_clustering(j, &s->common);
}

static int check_dclust(const cli_command *self, const settings *s)
{
    const char *const given = s->chains          ? "--chains"
                              : s->chain_threads ? "--chain-threads"
                              : s->seeds         ? "--seeds"
                                                 : NULL;
    if (given && strcmp(s->common.method, "dclust") != 0)
        return cli_usage(self, "%s is for the method dclust, %s does not have it", given, s->common.method);
    if (s->chain_threads % DBSCAN_WARP != 0)
        return cli_usage(self, "--chain-threads must be a multiple of %d, not %zu", DBSCAN_WARP, s->chain_threads);
    return CLI_DONE;
}

static int plan_command(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    const settings defaults = {
        .common = cli_cluster_defaults(), .dbscan = clump_dbscan_defaults(), .papers = clump_papers_defaults()};
    settings *const s = cli_plan_settings(plan, &defaults, sizeof *s);
    if (!s) return CLI_FAILED;
    CLI_TRY(cli_plan_parse(self, argc, argv, plan));
    clump_dbscan_method_from_name(s->common.method, &s->dbscan.method);
    s->papers.dclust_chains = (int)s->chains;
    s->papers.dclust_threads = (int)s->chain_threads;
    s->papers.dclust_seeds = (int)s->seeds;
    s->common.clustering.papers = &s->papers;
    if (s->common.radius == 0 && s->common.classes) s->common.radius = CLI_CLASS_RADIUS;
    if (s->common.radius == 0)
        return cli_usage(self, "dbscan needs --eps R, the distance up to which two points are neighbours");
    if (s->min_points == 0)
        return cli_usage(self,
                         "dbscan needs --min-points K, how many points within eps, itself counted, make a core point");
    CLI_TRY(check_dclust(self, s));

    char radius[CLI_RADIUS_SIZE];
    cli_radius_text(radius, s->common.radius, s->common.clustering.eps_per_metre);
    snprintf(plan->summary, sizeof plan->summary, "eps %s, min-points %zu", radius, s->min_points);
    plan->job = cli_radius_job(plan->summary, &s->common);
    plan->job.has_core = true;
    plan->job.writes_core = s->core;
    plan->job.call = call;
    plan->job.set_detect = set_detect;
    plan->job.set_joint = set_joint;
    plan->job.put_parameters = put_parameters;
    return CLI_DONE;
}

const cli_command cli_cmd_dbscan = {
    .name = "dbscan",
    .operands = "IN...",
    .usage = "IN... --eps R --min-points K [options]",
    .brief = "density clustering: what is sparse is noise",
    .about = "A point with at least K points within R of it, itself counted, is a core point.\n"
             "Core points within R of each other are one cluster, and so on from point to\n"
             "point. Other points within R of a core point are border points and join its\n"
             "cluster, of several the one with the smallest number. The rest is noise, -1.\n"
             "The labels are those of scikit-learn, with every method and any number of\n"
             "threads.\n",
    .examples = "clump dbscan scan.pcd --eps 0.5 --min-points 10\n"
                "    10 points within 0.5 m make a place dense\n"
                "clump dbscan scan.pcd --eps 0.5 --min-points 10 --core -o labelled.pcd\n"
                "    keep the labels, and which points are core points\n"
                "clump dbscan scan.bin --eps 0.6 --min-points 8 --2d --min-size 20\n"
                "    seen from above, without small clusters\n"
                "clump dbscan scan.pcd --eps 0.5 --min-points 10 --no-border -o dense.npy\n"
                "    only what is dense itself\n"
                "clump dbscan scan.pcd --eps 0.5 --min-points 10 --method disjoint-set --json\n"
                "    the same labels by another algorithm, and how busy each thread was\n",
    .options = option_rows,
    .run = cli_plan_run,
    .plan = plan_command,
};
