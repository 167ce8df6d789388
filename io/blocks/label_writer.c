/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_writer.c: clump_label_writer; the public functions, and which output files there are.
 *
 * Output files are written one after the other: at any time at most one of them is open. Each gets its name when it is
 * complete; a single file, when the writer is closed.
 */
#include "blocks/label_writer.h"

#include "common/assert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LABEL_WRITER_COOKIE 0x6c61626cu

clump_label_writer_options clump_label_writer_defaults(void)
{
    return (clump_label_writer_options){.cookie = LABEL_WRITER_COOKIE, .threads = 1};
}

/* --- one file after the other ------------------------------------------------------------------ */

static clump_io_where where_of(clump_label_writer *writer, const clump_io_label_file *file)
{
    return (clump_io_where){clump_io_is_dash(file->path) ? "standard output" : file->path, &writer->why};
}

static clump_status begin_file(clump_label_writer *writer, clump_io_label_file *file, uint64_t *bytes)
{
    writer->where = where_of(writer, file);
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&writer->where, 0);
    const clump_status status = file->form->begin(writer, file, bytes);
    clump_io_locale_leave(&locale);
    return status;
}

static void release_state(clump_label_writer *writer, const clump_io_label_file *file)
{
    file->form->release(writer->state);
    writer->state = NULL;
}

/* Looks at all files before the first is written. */
static clump_status check_files(clump_label_writer *writer, bool folder)
{
    for (size_t i = 0; i < writer->file_count; i++) {
        clump_io_label_file *file = &writer->files[i];
        uint64_t bytes = 0;
        writer->where = where_of(writer, file);
        CLUMP_IO_TRY(clump_io_label_choose_form(&writer->where, folder, file));
        CLUMP_IO_TRY(clump_io_label_compare_inputs(&writer->where, writer->reader, file->path));
        const clump_status status = begin_file(writer, file, &bytes);
        release_state(writer, file);
        CLUMP_IO_TRY(status);
        writer->bytes += bytes;
    }
    return CLUMP_OK;
}

static clump_status sink_status(clump_label_writer *writer)
{
    if (!writer->sink.error) return CLUMP_OK;
    return clump_io_fail_errno(&writer->where, CLUMP_ERR_IO_WRITE, "cannot write", writer->sink.error);
}

static clump_status start_file(clump_label_writer *writer, const clump_io_label_file *file)
{
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&writer->where, 0);
    const clump_status status = file->form->start(writer, file);
    clump_io_locale_leave(&locale);
    return status == CLUMP_OK ? sink_status(writer) : status;
}

/* Ends the current file. keep false: nothing is left of it. */
static clump_status close_file(clump_label_writer *writer, bool keep)
{
    const clump_io_label_file *file = &writer->files[writer->current];
    clump_status status = keep ? file->form->finish(writer, file) : CLUMP_ERR_IO_WRITE;
    release_state(writer, file);
    if (writer->open) {
        clump_io_sink_close(&writer->sink);
        const int error = status != CLUMP_OK ? -1 : writer->sink.error;
        const clump_status closed = clump_io_target_commit(&writer->where, &writer->target, error);
        if (status == CLUMP_OK) status = closed;
    }
    writer->open = false;
    return status;
}

static clump_status open_file(clump_label_writer *writer)
{
    CLUMP_ASSERT(writer->current < writer->file_count && !writer->open && !writer->state);
    clump_io_label_file *file = &writer->files[writer->current];
    const clump_label_writer_options *o = &writer->options;
    uint64_t bytes;
    writer->done = 0;
    CLUMP_IO_TRY(begin_file(writer, file, &bytes));
    CLUMP_IO_TRY(clump_io_target_open(&writer->where, file->path, o->temporary, o->temporary_user, &writer->target));
    if (!clump_io_sink_open(&writer->sink, writer->target.file)) {
        clump_io_target_commit(&writer->where, &writer->target, -1);
        return clump_io_no_memory(&writer->where, writer->sink.capacity);
    }
    writer->open = true;
    return start_file(writer, file);
}

/* Gives complete files their names and opens the next, as long as there is one. */
static clump_status turn_over(clump_label_writer *writer)
{
    while (writer->current + 1 < writer->file_count && writer->done == writer->files[writer->current].count) {
        CLUMP_ASSERT(writer->open);
        CLUMP_IO_TRY(close_file(writer, true));
        writer->current++;
        CLUMP_IO_TRY(open_file(writer));
    }
    return CLUMP_OK;
}

/* --- the public functions ----------------------------------------------------------------------- */

/* Whether path stands for a folder. One that does not exist is made, if the path ends with '/'. */
static clump_status look_at_path(clump_label_writer *writer, const char *path, bool *folder, bool *made)
{
    struct stat about;
    const size_t length = strlen(path);
    const bool exists = stat(path, &about) == 0;
    *folder = exists ? S_ISDIR(about.st_mode) : length && path[length - 1] == '/';
    *made = *folder && !exists && mkdir(path, 0777) == 0;
    if (!*folder || exists || *made) return CLUMP_OK;
    return clump_io_fail_errno(&writer->where, CLUMP_ERR_IO_WRITE, "cannot make the folder", errno);
}

static clump_status open_writer(clump_label_writer *writer, const char *path)
{
    bool folder, made;
    CLUMP_IO_TRY(look_at_path(writer, path, &folder, &made));
    clump_status status = clump_io_label_list_files(writer, path, folder);
    if (status == CLUMP_OK) status = check_files(writer, folder);
    if (status == CLUMP_OK && writer->file_count) status = open_file(writer);
    if (status == CLUMP_OK) return CLUMP_OK;
    if (writer->file_count && (writer->open || writer->state)) close_file(writer, false);
    if (made) remove(path);
    return status;
}

static void free_writer(clump_label_writer *writer)
{
    for (size_t i = 0; i < writer->file_count; i++) free(writer->files[i].path);
    free(writer->files);
    free(writer);
}

/* Hands the writer's message to the caller. */
static clump_status say(const clump_label_writer *writer, clump_status status, clump_message *message)
{
    if (message && status != CLUMP_OK) *message = writer->why;
    return status;
}

clump_status clump_label_writer_open(clump_reader *reader, const char *path, const clump_label_writer_options *options,
                                     clump_label_writer **out, clump_message *message)
{
    const clump_io_where where = {path, message};
    if (message) message->text[0] = 0;
    if (out) *out = NULL;
    if (!reader || !path || !out)
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_label_writer_open: reader, path or out is null");
    if (options && options->cookie != LABEL_WRITER_COOKIE)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the options were not made by clump_label_writer_defaults()");
    clump_label_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return clump_io_no_memory(&where, sizeof *writer);
    writer->reader = reader;
    writer->options = options ? *options : clump_label_writer_defaults();
    writer->where = (clump_io_where){path, &writer->why};
    const clump_status status = say(writer, open_writer(writer, path), message);
    if (status == CLUMP_OK)
        *out = writer;
    else
        free_writer(writer);
    return status;
}

uint64_t clump_label_writer_bytes(const clump_label_writer *writer)
{
    return writer ? writer->bytes : 0;
}

static clump_status check_labels(clump_label_writer *writer, const int64_t *labels, size_t count)
{
    int64_t lowest = 0, highest = 0;
    for (size_t i = 0; i < count; i++) {
        lowest = labels[i] < lowest ? labels[i] : lowest;
        highest = labels[i] > highest ? labels[i] : highest;
    }
    if (lowest < CLUMP_GROUND)
        return clump_io_fail(&writer->where, CLUMP_ERR_ARGUMENT, "%lld is no label", (long long)lowest);
    if (!writer->options.wide && highest > INT32_MAX)
        return clump_io_fail(&writer->where, CLUMP_ERR_ARGUMENT, "label %lld needs 64 bits", (long long)highest);
    return CLUMP_OK;
}

static clump_status add_labels(clump_label_writer *writer, const int64_t *labels, size_t count)
{
    CLUMP_IO_TRY(check_labels(writer, labels, count));
    while (count) {
        CLUMP_IO_TRY(turn_over(writer));
        const clump_io_label_file *file = &writer->files[writer->current];
        uint64_t within = 0;
        if (writer->done == file->count)
            return clump_io_fail(&writer->where, CLUMP_ERR_ARGUMENT, "there are more labels than points, %llu",
                                 (unsigned long long)writer->reader->info.count);
        const clump_io_block_file *input = clump_io_label_input(writer, file, writer->done, &within);
        const uint64_t left = input->count - within;
        CLUMP_ASSERT(within < input->count && writer->done < file->count);
        size_t now = count < CLUMP_BLOCK_POINTS ? count : CLUMP_BLOCK_POINTS;
        if (left < now) now = (size_t)left;
        CLUMP_IO_TRY(file->form->add(writer, file, writer->done, labels, now));
        CLUMP_IO_TRY(sink_status(writer));
        writer->done += now;
        labels += now;
        count -= now;
    }
    return CLUMP_OK;
}

clump_status clump_label_writer_add(clump_label_writer *writer, const int64_t *labels, size_t count,
                                    clump_message *message)
{
    const clump_io_where where = {NULL, message};
    if (message) message->text[0] = 0;
    if (!writer || (!labels && count))
        return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_label_writer_add: writer or labels is null");
    if (writer->failed)
        return clump_io_fail(&writer->where, CLUMP_ERR_IO_WRITE, "writing has failed before"),
               say(writer, CLUMP_ERR_IO_WRITE, message);
    const clump_status status = add_labels(writer, labels, count);
    writer->failed = status != CLUMP_OK;
    return say(writer, status, message);
}

clump_status clump_label_writer_close(clump_label_writer *writer, bool keep, clump_message *message)
{
    if (message) message->text[0] = 0;
    if (!writer) return CLUMP_OK;
    clump_status status = writer->failed ? CLUMP_ERR_IO_WRITE : CLUMP_OK;
    if (keep && status == CLUMP_OK) status = turn_over(writer);
    if (keep && status == CLUMP_OK && writer->current < writer->file_count) {
        const clump_io_label_file *file = &writer->files[writer->current];
        if (writer->done < file->count)
            status = clump_io_fail(&writer->where, CLUMP_ERR_ARGUMENT, "there are labels for %llu of %llu points",
                                   (unsigned long long)(file->first + writer->done),
                                   (unsigned long long)writer->reader->info.count);
    }
    const bool complete = keep && status == CLUMP_OK;
    const clump_status closed = writer->open || writer->state ? close_file(writer, complete) : CLUMP_OK;
    if (complete) status = closed;
    if (!keep) status = CLUMP_OK;
    say(writer, status, message);
    free_writer(writer);
    return status;
}
