/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_devices.c: `clump devices`: what can run here.
 */
#include "base/cli.h"
#include "base/json.h"
#include "commands/options.h"
#include "base/number.h"

#include <clump/info.h>

typedef struct settings {
    bool json;
} settings;

static const cli_option option_rows[] = {CLI_JSON_OPTION(settings), {0}};

static void put_json(const clump_device_info *info, cli_json *j)
{
    char device[CLI_DEVICE_SIZE];
    cli_device_text(device, info->backend, info->device);
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "device", device);
    cli_json_text(j, "name", info->name);
    cli_json_int(j, "units", info->units);
    cli_json_open(j, "memory_bytes", '{');
    cli_json_count(j, "total", info->memory_total);
    cli_json_count(j, "free", info->memory_free);
    cli_json_close(j, '}');
    cli_json_text(j, "level", info->level[0] ? info->level : NULL);
    cli_json_close(j, '}');
}

static void put_text(const clump_device_info *info)
{
    char device[CLI_DEVICE_SIZE];
    cli_device_text(device, info->backend, info->device);
    const bool cuda = info->backend == CLUMP_BACKEND_CUDA;
    char unused[CLI_BYTES_SIZE], total[CLI_BYTES_SIZE];
    cli_bytes_text(unused, info->memory_free);
    cli_bytes_text(total, info->memory_total);
    printf("%-8s %s, %d %s%s, %s of %s free", device, info->name, info->units, cuda ? "multiprocessor" : "core",
           info->units == 1 ? "" : "s", unused, total);
    if (info->level[0]) printf(", level %s", info->level);
    putchar('\n');
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    CLI_TRY(cli_parse(self, argc, argv, &s, NULL));

    cli_json j = {0};
    if (s.json) {
        j = cli_json_begin(stdout, self->name);
        cli_json_text(&j, "version", clump_version());
        cli_json_open(&j, "devices", '[');
    }
    int status = CLI_DONE;
    const int count = clump_device_count();
    for (int i = 0; i < count; i++) {
        clump_device_info info;
        const clump_status answer = clump_device_query(i, &info);
        if (answer != CLUMP_OK) {
            status = cli_fail("device %d cannot be asked: %s", i, clump_status_text(answer));
            continue;
        }
        if (s.json)
            put_json(&info, &j);
        else
            put_text(&info);
    }
    const char *const no_cuda = clump_device_absence(CLUMP_BACKEND_CUDA);
    if (s.json) {
        cli_json_close(&j, ']');
        cli_json_text(&j, "no_cuda", no_cuda);
        cli_json_end(&j);
    } else if (no_cuda) {
        printf("No CUDA device can be used: %s.\n", no_cuda);
    }
    return status;
}

const cli_command cli_cmd_devices = {
    .name = "devices",
    .operands = "",
    .usage = "[--json]",
    .brief = "what can run here",
    .about = "Lists the devices that --device of the other commands takes, and says why where\n"
             "no CUDA device can be used.\n",
    .examples = "clump devices\n",
    .options = option_rows,
    .run = run_command,
};
