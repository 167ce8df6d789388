/* SPDX-License-Identifier: BSD-3-Clause
 *
 * inputs.c: from paths to files. A folder stands for its cloud files in bytewise order of their names, which is the same
 * on all machines and in all languages.
 */
#include "blocks/blocks.h"
#include "common/assert.h"
#include "format.h"
#include "recordings/recording.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_cloud_name(const char *name)
{
    const clump_io_format *format = clump_io_format_of_name(name);
    return format && format->holds_points;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static clump_status add_file(const clump_io_where *where, const char *path, clump_reader *reader)
{
    CLUMP_IO_TRY(clump_io_list_reserve(where, &reader->files, &reader->file_capacity, reader->file_count + 1,
                                       sizeof *reader->files));
    char *copy = strdup(path);
    if (!copy) return clump_io_no_memory(where, strlen(path) + 1);
    CLUMP_ASSERT(reader->file_count < reader->file_capacity);
    reader->files[reader->file_count++] = (clump_io_block_file){.path = copy, .file = -1};
    return CLUMP_OK;
}

static clump_status add_folder(const clump_io_where *where, const char *path, clump_reader *reader)
{
    clump_io_paths found = {0};
    clump_status status = clump_io_folder_list(where, path, is_cloud_name, &found);
    if (status == CLUMP_OK && !found.count)
        status = clump_io_fail(where, CLUMP_ERR_IO_FORMAT, "the folder has no cloud files");
    if (status == CLUMP_OK) qsort(found.list, found.count, sizeof *found.list, by_bytes);
    for (size_t i = 0; i < found.count && status == CLUMP_OK; i++) status = add_file(where, found.list[i], reader);
    clump_io_paths_release(&found);
    return status;
}

clump_status clump_io_block_inputs(const clump_io_where *where, const char *const *paths, size_t count,
                                   clump_reader *reader)
{
    for (size_t i = 0; i < count; i++) {
        if (!paths[i]) return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "clump_reader_open: path %zu is null", i);
        const clump_io_where here = {paths[i], where->message};
        struct stat about;
        const bool folder = stat(paths[i], &about) == 0 && S_ISDIR(about.st_mode);
        CLUMP_IO_TRY(folder ? add_folder(&here, paths[i], reader) : add_file(&here, paths[i], reader));
    }
    return CLUMP_OK;
}
