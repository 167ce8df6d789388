/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pair.c: see pair.h.
 */
#include "pair/pair.h"

#include "files/device.h"
#include "files/output.h"

#include <clump/info.h>

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
    pair->moved = cli_allocate(count, 3 * sizeof *pair->moved);
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
    pair->a = cli_load(CLI_INPUT(settings, .path = paths[0], .quiet = settings->quiet));
    if (!pair->a) return CLI_FAILED;
    pair->b = cli_load(CLI_INPUT(settings, .path = paths[1], .quiet = settings->quiet));
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

int cli_pair_repeat(const cli_pair_settings *settings, const clump_context *context, const char *doing, cli_job *job,
                    void *given, cli_times *times)
{
    const cli_repetition how = {settings->repeat, settings->warmup, doing, settings->quiet};
    clump_status status;
    const int result = cli_repeat(&how, job, given, times, &status);
    return status == CLUMP_OK ? result : cli_fail_context(context, status);
}

void cli_pair_put_run(cli_json *j, const clump_stats *stats, int device, const cli_times *times)
{
    char name[CLI_DEVICE_SIZE];
    cli_device_text(name, stats->backend, device);
    cli_json_text(j, "method", stats->method ? stats->method : "");
    cli_json_text(j, "device", name);
    cli_json_text(j, "reason", stats->reason);
    cli_json_int(j, "threads", stats->threads);
    cli_json_int(j, "passes", stats->passes);
    static const char *const stages[CLI_STAGES] = {
        [CLI_STAGE_UPLOAD] = "upload",
        [CLI_STAGE_BUILD] = "build",
        [CLI_STAGE_CLUSTER] = "query",
        [CLI_STAGE_DOWNLOAD] = "download",
    };
    cli_json_cost(j, times, stages, stats);
}
