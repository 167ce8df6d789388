/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.c: which way a clustering command goes: one cloud, --each or --ram (cluster/plan.h).
 */
#include "cluster/plan.h"

#include "common/assert.h"
#include "big/big.h"
#include "cluster/clustering.h"
#include "each/each.h"

#include <stdlib.h>
#include <string.h>

void *cli_plan_settings(cli_plan *plan, const void *defaults, size_t size)
{
    CLUMP_ASSERT(size >= sizeof(cli_cluster));
    plan->settings = malloc(size);
    plan->defaults = malloc(size);
    if (!plan->settings || !plan->defaults) return cli_fail("not enough memory for the options"), NULL;
    memcpy(plan->defaults, defaults, size);
    return memcpy(plan->settings, defaults, size);
}

void cli_plan_release(cli_plan *plan)
{
    free(plan->settings);
    free(plan->defaults);
    free(plan->inputs);
    *plan = (cli_plan){0};
}

int cli_plan_parse(const cli_command *self, int argc, char **argv, cli_plan *plan)
{
    plan->inputs = cli_allocate((size_t)argc, sizeof *plan->inputs);
    if (!plan->inputs) return cli_fail("not enough memory for the names of the files");
    cli_cluster *const s = plan->settings;
    CLI_TRY(cli_parse_noting(self, argc, argv, s, plan->inputs, &plan->input_count, &s->given));
    plan->input = plan->inputs[0];
    if (s->jobs > 0 && !s->each) return cli_usage(self, "--jobs is for --each");
    return CLI_DONE;
}

int cli_plan_run(const cli_command *self, int argc, char **argv)
{
    cli_plan plan = {0};
    int status = self->plan(self, argc, argv, &plan);
    const bool each = status == CLI_DONE && ((const cli_cluster *)plan.settings)->each;
    const char *const reason = status == CLI_DONE && !each ? cli_big_reason(&plan) : NULL;
    if (status == CLI_DONE && !each && !plan.job.set_joint && plan.input_count > 1)
        status =
            cli_usage(self, "unexpected argument '%s'; with --each every file is a cloud of its own", plan.inputs[1]);
    if (each) {
        status = cli_each_run(self, &plan);
    } else if (reason) {
        status = cli_big_run(self, &plan, reason);
    } else if (status == CLI_DONE) {
        char *const typed = cli_typed_text(self, argc, argv); /* null, without memory: the page does not show it */
        plan.job.typed = typed;
        status = cli_cluster_run(self, &plan.job, plan.settings, plan.input);
        free(typed);
    }
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

static int check_inner(const cli_command *owner, const cli_plan *plan, clump_context_options *options)
{
    const cli_cluster *const s = plan->settings;
    const cli_command *const command = plan->command;
    char spelling[CLI_SPELLING];
    const char *given = cli_given_not_with(command, &s->given, CLI_WAY_INNER, s, plan->defaults, spelling);
    if (given)
        return cli_usage(owner, "%s belongs before --: clump %s %.*s %s ... -- %s ...", given, owner->name,
                         (int)strcspn(owner->operands, "."), owner->operands, given, command->name);
    if (s->each)
        return cli_usage(owner, "--each is not for the job of 'clump %s': every frame is a cloud of its own",
                         owner->name);
    given = cli_given_not_with(command, &s->given, CLI_WAY_FRAMES, s, plan->defaults, spelling);
    if (given) return cli_usage(owner, "%s is for one file, 'clump %s' has no use for it", given, owner->name);
    if (plan->input_count > 1) return cli_usage(command, "unexpected argument '%s'", plan->inputs[1]);
    cli_clustering w = {.job = &plan->job, .settings = plan->settings, .s = s, .options = clump_context_defaults()};
    w.report.ground = cli_plan_finds_ground(plan);
    CLI_TRY(cli_clustering_check(command, &w));
    CLI_TRY(cli_clustering_try(command, &w));
    *options = w.options;
    return CLI_DONE;
}

/* Returns the command that the word names, if it has plans; null: none. with_ground: also jobs that clump_detect does not have. */
static const cli_command *find_job(const char *word, bool with_ground)
{
    const bool detected = strcmp(word, "ground") != 0 && strcmp(word, "hdbscan") != 0;
    for (const cli_command *const *c = cli_commands; *c; c++)
        if ((*c)->plan && strcmp((*c)->name, word) == 0 && (with_ground || detected)) return *c;
    return NULL;
}

bool cli_plan_is_job(const char *word)
{
    return find_job(word, true) != NULL;
}

int cli_plan_read_inner(const cli_command *owner, bool with_ground, int argc, char **argv, cli_plan *plan,
                        clump_context_options *options)
{
    if (argc == 0) return cli_usage(owner, "%s needs a job after --, such as: -- ec -d 0.5", owner->name);
    plan->command = find_job(argv[0], with_ground);
    if (!plan->command)
        return cli_usage(owner, "'%s' is no job for %s, there are objects, detect, ec, dbscan%s", argv[0], owner->name,
                         with_ground ? ", hdbscan, erccl and ground" : " and erccl");
    char **const words = malloc((size_t)argc * sizeof *words);
    if (!words) return cli_fail("not enough memory for the options");
    words[0] = (char *)"-"; /* stands for the file, which is not read */
    for (int i = 1; i < argc; i++) words[i] = argv[i];
    const int status = plan->command->plan(plan->command, argc, words, plan);
    free(words);
    return status == CLI_DONE ? check_inner(owner, plan, options) : status;
}
