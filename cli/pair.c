/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.c: see pair.h.
 */
#include "pair.h"

#include "device.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

int cli_pair_check(const cli_command *self, const char *const paths[2], const cli_pair_settings *settings,
                   clump_context_options *options)
{
    if (cli_is_dash(paths[0]) && cli_is_dash(paths[1])) return cli_usage(self, "A and B cannot both be standard input");
    options->threads = (int)settings->threads;
    cli_memory_kind kind;
    return cli_check_device(self, settings->device, cli_memory_choice(0), options, &kind);
}

static int move_to_origin(cli_pair *pair, const char *path)
{
    const double *const to = clump_cloud_origin(pair->a), *const from = clump_cloud_origin(pair->b);
    pair->other = clump_cloud_points(pair->b);
    if (memcmp(to, from, 3 * sizeof *to) == 0) return CLI_DONE;
    const size_t count = pair->other.count;
    pair->moved = malloc((count ? count : 1) * 3 * sizeof *pair->moved);
    if (!pair->moved) return cli_fail("%s: not enough memory for %zu points", path, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            pair->moved[3 * i + (size_t)k] = (float)(clump_cloud_coordinate(pair->b, i, k) - to[k]);
    pair->other = (clump_points){.xyz = pair->moved, .count = count};
    return CLI_DONE;
}

int cli_pair_load(cli_pair *pair, const char *const paths[2], const cli_pair_settings *settings)
{
    *pair = (cli_pair){0};
    cli_input input = {.path = paths[0],
                       .format = settings->format,
                       .quiet = settings->quiet,
                       .columns = settings->columns,
                       .partial = settings->partial};
    pair->a = cli_load(&input);
    if (!pair->a) return CLI_FAILED;
    input.path = paths[1];
    pair->b = cli_load(&input);
    if (!pair->b) return CLI_FAILED;
    pair->reference = clump_cloud_points(pair->a);
    return move_to_origin(pair, paths[1]);
}

void cli_pair_release(cli_pair *pair)
{
    free(pair->moved);
    clump_cloud_destroy(pair->a);
    clump_cloud_destroy(pair->b);
}

int cli_pair_repeat(const cli_pair_settings *settings, const clump_context *context, const char *doing,
                    cli_pair_job *job, void *work, cli_times *times)
{
    const size_t warmup = settings->warmup != CLI_UNSET ? settings->warmup : settings->repeat > 1 ? 1 : 0;
    const size_t runs = warmup + settings->repeat;
    cli_timing timing;
    if (!cli_timing_create(&timing, settings->repeat))
        return cli_fail("not enough memory to time %zu runs", settings->repeat);
    cli_progress progress;
    cli_progress_begin(&progress, doing, runs, settings->quiet);
    clump_status status = CLUMP_OK;
    for (size_t run = 0; run < runs && status == CLUMP_OK; run++) {
        clump_stats stats = {0};
        const double before = cli_seconds();
        status = job(work, &stats);
        const double ms = 1e3 * (cli_seconds() - before);
        stats.cluster_ms = stats.query_ms; /* the third of the stages that are timed */
        if (status == CLUMP_OK && run >= warmup) cli_timing_record(&timing, run - warmup, ms, &stats);
        cli_progress_step(&progress, run + 1);
    }
    cli_progress_end(&progress);
    if (status != CLUMP_OK) {
        cli_timing_discard(&timing);
        const char *const why = clump_context_error(context);
        return cli_fail("%s", why[0] ? why : clump_status_text(status));
    }
    *times = cli_timing_finish(&timing);
    return CLI_DONE;
}
