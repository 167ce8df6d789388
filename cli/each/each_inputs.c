/* SPDX-License-Identifier: BSD-3-Clause
 *
 * each_inputs.c: from the operands of --each to files. A folder stands for its cloud files, by their endings, in bytewise
 * order of their names, as for surveys of many files.
 */
#include "each/each.h"

#include "common/assert.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Appends a file. folder: null, or what comes before the name. False: no memory. */
static bool add_file(cli_each *each, const char *folder, const char *name)
{
    if (each->count == each->room) {
        const size_t room = each->room ? 2 * each->room : 64;
        cli_each_file *const files = realloc(each->files, room * sizeof *files);
        if (!files) return false;
        each->files = files;
        each->room = room;
    }
    const size_t before = folder ? strlen(folder) : 0, size = before + strlen(name) + 2;
    char *const path = malloc(size);
    if (!path) return false;
    const bool slash = before > 0 && folder[before - 1] != '/';
    snprintf(path, size, "%s%s%s", folder ? folder : "", slash ? "/" : "", name);
    CLUMP_ASSERT(each->count < each->room);
    each->files[each->count++] = (cli_each_file){.input = path};
    return true;
}

/* Whether an entry of a folder is a cloud file by its ending. */
static bool is_cloud(int folder, const char *name)
{
    clump_format_info info;
    struct stat there;
    return name[0] != '.' && clump_format_describe(clump_format_of_path(name), &info) && info.reads &&
           info.holds_points && fstatat(folder, name, &there, 0) == 0 && S_ISREG(there.st_mode);
}

static int compare_inputs(const void *a, const void *b)
{
    return strcmp(((const cli_each_file *)a)->input, ((const cli_each_file *)b)->input);
}

static int add_folder(cli_each *each, const char *path)
{
    DIR *const folder = opendir(path);
    if (!folder) return cli_fail("%s: cannot be read as a folder: %s", path, strerror(errno));
    const size_t before = each->count;
    bool fits = true;
    for (const struct dirent *entry; fits && (entry = readdir(folder));)
        if (is_cloud(dirfd(folder), entry->d_name)) fits = add_file(each, path, entry->d_name);
    closedir(folder);
    if (!fits) return cli_fail("%s: not enough memory for the names of the files", path);
    if (each->count == before) return cli_fail("%s: the folder has no cloud files", path);
    qsort(each->files + before, each->count - before, sizeof *each->files, compare_inputs);
    return CLI_DONE;
}

int cli_each_list_inputs(cli_each *each)
{
    for (size_t i = 0; i < each->plan->input_count; i++) {
        const char *const path = each->plan->inputs[i];
        if (cli_is_dash(path)) return cli_usage(each->self, "--each needs names of files, not standard input");
        if (cli_is_folder(path))
            CLI_TRY(add_folder(each, path));
        else if (!add_file(each, NULL, path))
            return cli_fail("not enough memory for the names of the files");
    }
    return CLI_DONE;
}
