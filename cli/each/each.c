/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each.c: see each.h.
 */
#include "each/each.h"

#include "common/assert.h"

#include "cluster/clustering.h"
#include "base/peers.h"

#include <clump/info.h>

#include <stdlib.h>
#include <string.h>

enum { EACH_GPU_JOBS = 4 }; /* default of --jobs on a GPU: enough to read and write while it clusters */

static int check(const cli_command *self, const cli_plan *plan, clump_context_options *options)
{
    const cli_cluster *const s = plan->settings;
    if (cli_the_peers()) return cli_usage(self, "--each cannot be used with %s", cli_the_peers()->program);
    char spelling[CLI_SPELLING];
    const char *const other = cli_given_not_with(self, &s->given, CLI_WAY_EACH, s, plan->defaults, spelling);
    if (other) return cli_usage(self, "%s cannot be used together with --each", other);
    cli_clustering w = {.job = &plan->job, .settings = s, .s = s, .options = clump_context_defaults()};
    CLI_TRY(cli_clustering_check(self, &w));
    CLI_TRY(cli_clustering_try(self, &w));
    cli_warn_of_thin(&plan->job, s);
    *options = w.options;
    return CLI_DONE;
}

static size_t count_cores(void)
{
    clump_device_info info;
    for (int i = 0; i < clump_device_count(); i++)
        if (clump_device_query(i, &info) == CLUMP_OK && info.backend == CLUMP_BACKEND_CPU && info.units > 0)
            return (size_t)info.units;
    return 1;
}

/* Chooses the number of jobs, and the threads of each. */
static void share_threads(cli_each *each)
{
    CLUMP_ASSERT(each->count >= 1);
    const size_t threads = each->s->threads > 0 ? each->s->threads : count_cores();
    const bool gpu = each->options.backend != CLUMP_BACKEND_CPU && !clump_device_absence(CLUMP_BACKEND_CUDA);
    size_t jobs = each->s->jobs > 0 ? each->s->jobs : gpu && threads > EACH_GPU_JOBS ? EACH_GPU_JOBS : threads;
    if (jobs > each->count) jobs = each->count;
    if (jobs > CLI_MOST_JOBS) jobs = CLI_MOST_JOBS;
    each->jobs = jobs;
    each->options.threads = threads > jobs ? (int)(threads / jobs) : 1;
}

/* Runs the jobs, with the list of all clusters if there is one. */
static int run(cli_each *each)
{
    const char *const table = each->s->clusters && !each->files[0].names[CLI_EACH_BOXES] ? each->s->clusters : NULL;
    static const cli_by_class any = {0};
    const cli_clusters_layout layout = {.axes = each->s->axes,
                                        .objects = each->plan->job.cuts_tree,
                                        .by_class = each->s->classes ? &any : NULL,
                                        .input = table};
    if (table) CLI_TRY(cli_clusters_open(&each->table, table, &layout));
    const int status = cli_each_run_jobs(each);
    if (table && status == CLI_DONE) return cli_clusters_close(&each->table);
    if (table) cli_output_abandon(&each->table.out);
    return status;
}

static void print(const cli_each *each)
{
    if (each->s->json)
        cli_each_print_json(stdout, each);
    else if (!each->s->quiet)
        cli_each_print(stdout, each);
}

static void release(cli_each *each)
{
    for (size_t k = 0; k < each->count; k++) {
        for (size_t kind = 0; kind < CLI_EACH_KINDS; kind++) free(each->files[k].names[kind]);
        free(each->files[k].input);
    }
    free(each->files);
}

int cli_each_run(const cli_command *self, const cli_plan *plan)
{
    cli_each each = {.self = self, .plan = plan, .s = plan->settings};
    CLI_TRY(check(self, plan, &each.options));
    int status = cli_each_list_inputs(&each);
    if (status == CLI_DONE) status = cli_each_name_outputs(&each);
    if (status == CLI_DONE) {
        share_threads(&each);
        status = run(&each);
    }
    if (status == CLI_DONE) print(&each);
    for (size_t k = 0; k < each.count && status == CLI_DONE; k++)
        if (each.files[k].failed) status = CLI_FAILED;
    release(&each);
    return status;
}
