/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_writer.h: the inside of clump_label_writer, which writes what a clump_reader reads, with labels.
 *
 *     label_writer.c   the public functions; one output file after the other
 *     label_outputs.c  which output files there are
 *     label_las.c      LAS and LAZ: records copied, with the label as extra bytes; label_records.c reads them
 *     label_table.c    PCD and PLY: x y z, all fields, label
 *     label_plain.c    .labels, .labels64 and .npy: labels only
 *
 * A form is one of the three. Memory does not grow with the size of the files.
 */
#ifndef CLUMP_IO_LABEL_WRITER_H
#define CLUMP_IO_LABEL_WRITER_H

#include "blocks/blocks.h"
#include "common/assert.h"

#include <string.h>

struct clump_io_label_form;

/* One output file: points of one input file, or of all. */
typedef struct clump_io_label_file {
    char *path;
    clump_format format;
    const struct clump_io_label_form *form;
    size_t first_file, file_count; /* of the reader */
    uint64_t first, count;         /* points */
} clump_io_label_file;

struct clump_label_writer {
    clump_reader *reader;
    clump_label_writer_options options;
    clump_io_label_file *files;
    size_t file_count;
    uint64_t bytes; /* of all files, at most */
    bool failed;

    /* The file that is being written. */
    size_t current;
    bool open;
    uint64_t done; /* its points */
    clump_io_target target;
    clump_io_sink sink;
    clump_io_where where;
    void *state; /* of the form */

    clump_message why; /* all messages go here first: parts of the writer keep its address */
};

typedef struct clump_io_label_form {
    /* Reads the heads of the input files and makes the state of the current file. Fails where the output cannot hold the
     * input. *bytes: of the output, at most. */
    clump_status (*begin)(clump_label_writer *writer, const clump_io_label_file *file, uint64_t *bytes);
    /* Writes what comes before the points. */
    clump_status (*start)(clump_label_writer *writer, const clump_io_label_file *file);
    /* Writes points [first, first + count) of the file, which lie in one input file. count is at most
     * CLUMP_BLOCK_POINTS. */
    clump_status (*add)(clump_label_writer *writer, const clump_io_label_file *file, uint64_t first,
                        const int64_t *labels, size_t count);
    /* Writes what comes after the points. */
    clump_status (*finish)(clump_label_writer *writer, const clump_io_label_file *file);
    /* Frees the state, which may be null. */
    void (*release)(void *state);
} clump_io_label_form;

extern const clump_io_label_form clump_io_label_las, clump_io_label_table, clump_io_label_plain;

/* Lists the output files: one, or one per input file. */
clump_status clump_io_label_list_files(clump_label_writer *writer, const char *path, bool folder);

/* Chooses format and form by the format asked for, or by the name. `folder`: the format is that of the input. */
clump_status clump_io_label_choose_form(const clump_io_where *where, bool folder, clump_io_label_file *file);

/* Fails if the path names one of the inputs. */
clump_status clump_io_label_compare_inputs(const clump_io_where *where, const clump_reader *reader, const char *path);

/* Returns the input file that has point `first` of the output file. *within: the point counted within the input file. */
static inline clump_io_block_file *clump_io_label_input(const clump_label_writer *writer,
                                                        const clump_io_label_file *file, uint64_t first,
                                                        uint64_t *within)
{
    clump_io_block_file *input = &writer->reader->files[clump_io_block_file_of(writer->reader, file->first + first)];
    *within = file->first + first - input->first;
    return input;
}

/* Stores labels as int32 or int64, side by side or in records. */
static inline void clump_io_label_store(unsigned char *to, size_t stride, const int64_t *labels, size_t count,
                                        bool wide)
{
    CLUMP_ASSERT(stride >= (wide ? 8u : 4u));
    for (size_t i = 0; i < count; i++, to += stride) {
        const int32_t narrow = (int32_t)labels[i];
        memcpy(to, wide ? (const void *)&labels[i] : &narrow, wide ? sizeof labels[i] : sizeof narrow);
    }
}

#endif
