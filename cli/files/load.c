/* SPDX-License-Identifier: BSD-3-Clause
 *
 * load.c: reads a cloud, for every command.
 */
#include "base/cli.h"
#include "base/progress.h"
#include "files/source.h"

#include <sys/stat.h>

/* Returns the name of the index-th format that holds points; null past the last. */
const char *cli_readable_format(int index)
{
    clump_format_info info;
    for (int i = CLUMP_FORMAT_GUESS + 1; clump_format_describe((clump_format)i, &info); i++)
        if (info.holds_points && index-- == 0) return info.name;
    return NULL;
}

clump_cloud *cli_load(const cli_input *input)
{
    cli_progress progress;
    struct stat there;
    cli_progress_begin(&progress, "reading", 1, input->quiet);
    if (stat(input->path, &there) == 0 && S_ISREG(there.st_mode))
        cli_progress_rate(&progress, "B", (double)there.st_size);
    clump_load_options options = clump_load_defaults();
    if (input->format) clump_format_from_name(input->format, &options.format);
    options.columns = input->columns;
    options.partial = input->partial;
    options.progress = cli_progress_share;
    options.progress_user = &progress;
    clump_cloud *cloud = NULL;
    clump_message message = {0};
    const char *path = input->path;
    clump_status status = clump_cloud_load(path, &options, &cloud, &message);
    if (status == CLUMP_OK && input->labels) {
        path = input->labels;
        status = clump_cloud_attach(cloud, path, &message);
    }
    cli_progress_end(&progress);
    if (status != CLUMP_OK) {
        if (!cloud && cli_is_recording(path))
            cli_fail("%s: is a recording, not a cloud; 'clump play' clusters its frames, 'clump frames' extracts them",
                     path);
        else
            cli_fail_message(path, status, &message);
        clump_cloud_destroy(cloud);
        return NULL;
    }
    const clump_cloud_info info = clump_cloud_describe(cloud);
    if (info.note[0] && !input->quiet && !input->own_notes) cli_warn("%s: %s", input->path, info.note);
    return cloud;
}

void cli_list_fields(const clump_cloud *cloud, bool single, char *list, size_t room)
{
    size_t used = 0;
    clump_field field;
    list[0] = '\0';
    for (size_t i = 0; clump_cloud_field(cloud, i, &field) && used < room; i++)
        if (!single || field.count == 1)
            used += (size_t)snprintf(list + used, room - used, "%s%s", used ? ", " : "", field.name);
}
