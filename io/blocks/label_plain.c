/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_plain.c: files of labels only.
 *
 *     .labels     int32           .labels64   int64
 *     .npy        int32 or int64, shape (N,)
 */
#include "blocks/label_writer.h"

#include <string.h>

/* Whether labels take 8 bytes. */
static bool is_wide(const clump_label_writer *writer, const clump_io_label_file *file)
{
    char extension[16];
    clump_io_extension(file->path, extension);
    return writer->options.wide || strcmp(extension, "labels64") == 0;
}

static clump_status begin(clump_label_writer *writer, const clump_io_label_file *file, uint64_t *bytes)
{
    char extension[16];
    clump_io_extension(file->path, extension);
    if (writer->options.wide && strcmp(extension, "labels64") != 0 && file->format == CLUMP_FORMAT_LABELS)
        return CLUMP_IO_UNSUPPORTED(writer, "labels of 64 bits do not fit .labels; write .labels64 or .npy");
    *bytes = 256 + file->count * (is_wide(writer, file) ? 8 : 4);
    return CLUMP_OK;
}

static clump_status start(clump_label_writer *writer, const clump_io_label_file *file)
{
    if (file->format == CLUMP_FORMAT_NPY)
        clump_io_npy_put_header(&writer->sink, is_wide(writer, file) ? "<i8" : "<i4", (size_t)file->count, 0);
    return CLUMP_OK;
}

static clump_status add(clump_label_writer *writer, const clump_io_label_file *file, uint64_t first,
                        const int64_t *labels, size_t count)
{
    (void)first;
    const bool wide = is_wide(writer, file);
    unsigned char bytes[4096];
    const size_t size = wide ? 8 : 4, at_once = sizeof bytes / size;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < at_once ? count - done : at_once;
        clump_io_label_store(bytes, size, labels + done, now, wide);
        clump_io_put(&writer->sink, bytes, now * size);
    }
    return CLUMP_OK;
}

static clump_status finish(clump_label_writer *writer, const clump_io_label_file *file)
{
    (void)writer;
    (void)file;
    return CLUMP_OK;
}

static void release(void *state)
{
    (void)state;
}

const clump_io_label_form clump_io_label_plain = {begin, start, add, finish, release};
