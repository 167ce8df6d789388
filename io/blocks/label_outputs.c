/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_outputs.c: which output files a label writer has, and in which form each is written.
 */
#include "blocks/label_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

clump_status clump_io_label_choose_form(const clump_io_where *where, bool folder, clump_io_label_file *file)
{
    char extension[16];
    clump_io_extension(file->path, extension);
    const bool labels64 = strcmp(extension, "labels64") == 0;
    if (!file->format && labels64) file->format = CLUMP_FORMAT_LABELS;
    const clump_io_format *named =
        file->format ? clump_io_format_of(file->format) : clump_io_format_of_name(file->path);
    file->format = named ? named->format : CLUMP_FORMAT_GUESS;
    switch (file->format) {
    case CLUMP_FORMAT_LAS:
    case CLUMP_FORMAT_LAZ:
        file->form = &clump_io_label_las;
        return CLUMP_OK;
    case CLUMP_FORMAT_PCD:
    case CLUMP_FORMAT_PLY:
        file->form = &clump_io_label_table;
        return CLUMP_OK;
    case CLUMP_FORMAT_NPY:
    case CLUMP_FORMAT_LABELS:
        file->form = &clump_io_label_plain;
        return CLUMP_OK;
    default:
        break;
    }
    if (named && folder)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "%s files cannot be written block by block; instead of a folder, name one file for the "
                             "labels of all inputs: labels.npy or all.labels",
                             named->name);
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                         "%s%slabels are written block by block to .las .laz .pcd .ply .npy .labels .labels64",
                         named ? named->name : "", named ? " files cannot be written block by block; " : "");
}

clump_status clump_io_label_compare_inputs(const clump_io_where *where, const clump_reader *reader, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) return CLUMP_OK;
    for (size_t i = 0; i < reader->file_count; i++) {
        const clump_io_block_stamp *stamp = &reader->files[i].stamp;
        if (stamp->device == about.st_dev && stamp->inode == about.st_ino)
            return clump_io_fail(where, CLUMP_ERR_IO_WRITE,
                                 "the output is also an input; it is read until the end, so choose another name");
    }
    return CLUMP_OK;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Fails if two input files would get the same name in the folder. */
static clump_status compare_names(const clump_io_where *where, const clump_label_writer *writer)
{
    char **names = malloc((writer->file_count + 1) * sizeof *names);
    if (!names) return clump_io_no_memory(where, writer->file_count * sizeof *names);
    for (size_t i = 0; i < writer->file_count; i++) names[i] = writer->files[i].path;
    qsort(names, writer->file_count, sizeof *names, by_path);
    clump_status status = CLUMP_OK;
    for (size_t i = 1; i < writer->file_count && status == CLUMP_OK; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status = clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "two input files are called %s",
                                   clump_io_base_name(names[i]));
    free(names);
    return status;
}

/* Lists one output file per input file. */
static clump_status list_folder(clump_label_writer *writer, const char *path)
{
    const clump_reader *reader = writer->reader;
    const size_t length = strlen(path);
    for (size_t i = 0; i < reader->file_count; i++) {
        const clump_io_block_file *input = &reader->files[i];
        const char *name = clump_io_base_name(input->path);
        const size_t room = length + strlen(name) + 2;
        clump_io_label_file *file = &writer->files[i];
        *file = (clump_io_label_file){.path = malloc(room),
                                      .format = input->format,
                                      .first_file = i,
                                      .file_count = 1,
                                      .first = input->first,
                                      .count = input->count};
        writer->file_count++;
        if (!file->path) return clump_io_no_memory(&writer->where, room);
        snprintf(file->path, room, "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/", name);
    }
    return compare_names(&writer->where, writer);
}

clump_status clump_io_label_list_files(clump_label_writer *writer, const char *path, bool folder)
{
    const size_t most = folder ? writer->reader->file_count : 1;
    writer->files = calloc(most, sizeof *writer->files);
    if (!writer->files) return clump_io_no_memory(&writer->where, most * sizeof *writer->files);
    if (folder) return list_folder(writer, path);
    writer->file_count = 1;
    writer->files[0] = (clump_io_label_file){.path = strdup(path),
                                             .format = writer->options.format,
                                             .file_count = writer->reader->file_count,
                                             .count = writer->reader->info.count};
    return writer->files[0].path ? CLUMP_OK : clump_io_no_memory(&writer->where, strlen(path) + 1);
}
