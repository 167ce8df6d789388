/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folder.c: see source.h.
 */
#include "files/source.h"

#include "common/assert.h"

#include "files/output.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool cli_names_recording(const char *path)
{
    const char *const dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".mcap") == 0 || strcasecmp(dot, ".bag") == 0);
}

/* Whether the ending is that of a file which is not written here: a cloud, a capture. */
static bool names_file(const char *path)
{
    static const char *const endings[] = {".db3", ".pcap", ".pcapng"};
    const char *const dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (strcasecmp(dot, endings[i]) == 0) return true;
    return clump_format_of_path(path) != CLUMP_FORMAT_GUESS;
}

int cli_folder_check_name(const cli_command *command, const char *path, const char *what, const char *const *inputs,
                          size_t count)
{
    struct stat there, input;
    const bool exists = stat(path, &there) == 0;
    if (cli_is_dash(path) || (names_file(path) && !(exists && S_ISDIR(there.st_mode))))
        return cli_usage(command, "-o %s: the output is %s", path, what);
    for (size_t i = 0; exists && i < count; i++)
        if (stat(inputs[i], &input) == 0 && input.st_dev == there.st_dev && input.st_ino == there.st_ino)
            return cli_fail("%s: is the recording that is read; -o needs another name", path);
    return CLI_DONE;
}

/* Whether the folder has anything in it. */
static bool is_empty(DIR *folder)
{
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) return false;
    return true;
}

int cli_folder_begin(cli_folder *folder, const cli_command *command, const char *path, const char *to, bool overwrite,
                     bool labels)
{
    *folder = (cli_folder){.path = path, .format = CLUMP_FORMAT_PCD};
    if (to) clump_format_from_name(to, &folder->format);
    clump_format_describe(folder->format, &folder->info);
    if (labels && !folder->info.holds_labels)
        return cli_usage(command, "--to %s: such a file has no place for labels, use pcd, las, csv, npy or labels",
                         folder->info.name);
    if (!labels && !folder->info.holds_points)
        return cli_usage(command, "--to %s: such a file holds labels alone, use pcd, ply, las or csv",
                         folder->info.name);
    if (mkdir(path, 0777) == 0) return CLI_DONE;
    if (errno != EEXIST) return cli_fail("%s: cannot be created: %s", path, strerror(errno));
    DIR *const there = opendir(path);
    if (!there) return cli_fail("%s: cannot be read as a folder: %s", path, strerror(errno));
    const bool empty = is_empty(there);
    closedir(there);
    if (empty || overwrite) return CLI_DONE;
    return cli_fail("%s: is not empty; --overwrite replaces files of the same name", path);
}

int cli_folder_save(cli_folder *folder, const clump_cloud *cloud, const int32_t *labels)
{
    CLUMP_ASSERT(folder->path && folder->info.writes);
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/%06zu.%s", folder->path, folder->first + folder->written,
                                folder->info.extensions[0]);
    if (length < 0 || (size_t)length >= sizeof path) return cli_fail("%s: the name is too long", folder->path);
    CLI_TRY(cli_save(path, cloud, labels, folder->format, CLUMP_ENCODING_DEFAULT, true));
    folder->written++;
    return CLI_DONE;
}
