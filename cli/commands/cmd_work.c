/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmd_work.c: `clump work`: how far a run on a survey is.
 */
#include "big/big.h"
#include "commands/options.h"

#include <inttypes.h>
#include <string.h>

typedef struct settings {
    bool json;
} settings;

static const cli_option option_rows[] = {CLI_JSON_OPTION(settings), {0}};

static void put_json(const cli_command *self, const char *folder, const clump_work_info *info)
{
    cli_json j = cli_json_begin(stdout, self->name);
    cli_json_text(&j, "folder", folder);
    cli_json_text(&j, "job", info->command);
    cli_json_text(&j, "phase", info->phase);
    cli_json_count(&j, "points", info->points);
    cli_json_count(&j, "blocks", info->blocks);
    cli_json_count(&j, "blocks_done", info->blocks_done);
    cli_json_count(&j, "tiles", info->tiles);
    cli_json_count(&j, "tiles_done", info->tiles_done);
    cli_json_count(&j, "bytes", info->bytes);
    cli_json_bool(&j, "running", info->running);
    cli_json_end(&j);
}

static void put_text(const char *folder, const clump_work_info *info)
{
    char bytes[CLI_BYTES_SIZE];
    cli_bytes_text(bytes, info->bytes);
    printf("%s: %s\n", folder, info->command);
    if (strcmp(info->phase, "done") == 0)
        printf("phase    done\n");
    else if (info->running)
        printf("phase    %s; running\n", info->phase);
    else
        printf("phase    %s; the same command goes on from there\n", info->phase);
    printf("points   %" PRIu64 "\n", info->points);
    printf("blocks   %" PRIu64 " of %" PRIu64 " read\n", info->blocks_done, info->blocks);
    printf("tiles    %" PRIu64 " of %" PRIu64 " clustered\n", info->tiles_done, info->tiles);
    printf("size     %s\n", bytes);
}

static int run_command(const cli_command *self, int argc, char **argv)
{
    settings s = {0};
    const char *folder;
    CLI_TRY(cli_parse(self, argc, argv, &s, &folder));
    clump_work_info info;
    clump_message message = {0};
    const clump_status status = clump_work_describe(folder, &info, &message);
    if (status != CLUMP_OK) return cli_fail_message(folder, status, &message);
    if (s.json)
        put_json(self, folder, &info);
    else
        put_text(folder, &info);
    return CLI_DONE;
}

const cli_command cli_cmd_work = {
    .name = "work",
    .operands = "DIR",
    .usage = "DIR [--json]",
    .brief = "how far a run on a survey larger than memory is",
    .about = "Reads the work folder of 'clump ec --ram' or 'clump dbscan --ram', while it\n"
             "runs or after it was stopped, and says what is done and what is left. The same\n"
             "command as before goes on from there.\n",
    .examples = "clump work labelled.las.clump\n",
    .options = option_rows,
    .run = run_command,
};
