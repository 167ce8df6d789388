/* SPDX-License-Identifier: BSD-3-Clause
 *
 * load.c: reading a cloud, the same way for every command.
 */
#include "cli.h"

/* Formats in the order of their numbers, without the labels, which are no cloud. */
const char *cli_readable_format(int index)
{
    for (int i = CLUMP_FORMAT_GUESS + 1;; i++) {
        const char *name = clump_format_name((clump_format)i);
        if (!name) return NULL;
        if (i == CLUMP_FORMAT_LABELS) continue;
        if (index-- == 0) return name;
    }
}

clump_cloud *cli_load(const char *path, const char *format)
{
    clump_load_options options = clump_load_defaults();
    if (format) clump_format_from_name(format, &options.format);
    clump_cloud *cloud = NULL;
    clump_message message = {0};
    const clump_status status = clump_cloud_load(path, &options, &cloud, &message);
    if (status == CLUMP_OK) return cloud;
    cli_fail_message(path, status, &message);
    return NULL;
}
