/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.c: see plan.h.
 */
#include "plan.h"

#include "clustering.h"

#include <stdlib.h>
#include <string.h>

void *cli_plan_settings(cli_plan *plan, const void *defaults, size_t size)
{
    plan->settings = malloc(size);
    if (!plan->settings) return cli_fail("not enough memory for the options"), NULL;
    return memcpy(plan->settings, defaults, size);
}

void cli_plan_release(cli_plan *plan)
{
    free(plan->settings);
    *plan = (cli_plan){0};
}

int cli_plan_run(const cli_command *self, int argc, char **argv)
{
    cli_plan plan = {0};
    int status = self->plan(self, argc, argv, &plan);
    if (status == CLI_DONE) status = cli_cluster_run(self, &plan.job, plan.settings, plan.input);
    cli_plan_release(&plan);
    return status;
}

bool cli_plan_finds_ground(const cli_plan *plan)
{
    return cli_cluster_finds_ground(&plan->job, plan->settings);
}

clump_detect_options cli_plan_options(const cli_plan *plan, const double *origin)
{
    const cli_cluster *const s = plan->settings;
    clump_detect_options options = cli_cluster_options(&plan->job, plan->settings, origin);
    options.region = cli_region_for_detect(&s->region, origin);
    options.describe = cli_boxes_options(&(cli_boxes){0}, s, origin);
    return options;
}

/* Returns the option of the plan that is for one file, as it was spelled; null: none. */
static const char *file_option(const cli_cluster *s)
{
    return s->output    ? "-o"
           : s->to      ? "--to"
           : s->json    ? "--json"
           : s->quiet   ? "--quiet"
           : s->columns ? "--columns"
                        : NULL;
}

/* Returns the option of the plan that makes no sense for a sequence of frames; null: none. */
static const char *single_option(const cli_plan *plan)
{
    const cli_cluster *const s = plan->settings;
    return s->clusters                          ? "--clusters"
           : s->maps                            ? "--maps"
           : s->keep                            ? "--keep"
           : s->intensity                       ? "--intensity"
           : s->axes                            ? "--axes"
           : s->hull                            ? "--hull"
           : s->top != CLI_CLUSTER_TOP          ? "--top"
           : s->repeat != 1                     ? "--repeat"
           : s->warmup != CLI_UNSET             ? "--warmup"
           : s->format                          ? "--format"
           : s->partial                         ? "--partial"
           : plan->job.writes_core              ? "--core"
           : strcmp(s->memory, "pageable") != 0 ? "--memory"
                                                : NULL;
}

int cli_plan_check_inner(const cli_command *owner, const cli_command *command, const cli_plan *plan,
                         clump_context_options *options)
{
    const cli_cluster *const s = plan->settings;
    const char *given = file_option(s);
    if (given)
        return cli_usage(owner, "%s belongs before --: clump %s REC %s ... -- %s ...", given, owner->name, given,
                         command->name);
    given = single_option(plan);
    if (given) return cli_usage(owner, "%s is for one file, 'clump %s' has no use for it", given, owner->name);
    cli_clustering w = {.job = &plan->job, .settings = plan->settings, .s = s, .options = clump_context_defaults()};
    w.report.ground = cli_plan_finds_ground(plan);
    CLI_TRY(cli_clustering_check(command, &w));
    CLI_TRY(cli_clustering_try(command, &w));
    *options = w.options;
    return CLI_DONE;
}
