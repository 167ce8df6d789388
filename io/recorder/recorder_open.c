/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorder_open.c: opens a recorder: which format and compression, and the file.
 */
#include "recorder/recorder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define RECORDER_OPEN_COOKIE 0x63726564u

/* A frame of 100,000 points is a chunk by itself; small messages share one. */
#define RECORDER_OPEN_CHUNK_SIZE ((size_t)1 << 20)

static const clump_io_recorder_format *const recorder_open_formats[] = {&clump_io_recorder_mcap,
                                                                        &clump_io_recorder_bag};
enum { RECORDER_OPEN_FORMATS = sizeof recorder_open_formats / sizeof *recorder_open_formats };

clump_recorder_options clump_recorder_defaults(void)
{
    return (clump_recorder_options){.cookie = RECORDER_OPEN_COOKIE, .chunk_size = RECORDER_OPEN_CHUNK_SIZE};
}

static bool is_bus(const char *path)
{
    return strncmp(path, CLUMP_IO_BUS_SCHEME, strlen(CLUMP_IO_BUS_SCHEME)) == 0;
}

static clump_status choose_format(const clump_io_where *where, const char *path, const clump_recorder_options *options,
                                  const clump_io_recorder_format **format)
{
    char extension[16];
    clump_io_extension(path, extension);
    const bool taken = options->take || is_bus(path);
    if (taken) *format = &clump_io_recorder_taken;
    for (int i = 0; !taken && i < RECORDER_OPEN_FORMATS; i++) {
        const clump_io_recorder_format *const f = recorder_open_formats[i];
        if (options->format ? f->format == options->format : strcmp(f->name, extension) == 0) *format = f;
    }
    if (!*format && options->format)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "only mcap and bag can be written");
    if (!*format)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                             "the name tells no recording that can be written: .mcap .bag");
    const char *const name = clump_io_compression_name(options->compression);
    if (!name) return clump_io_fail(where, CLUMP_ERR_OPTIONS, "there is no compression %d", (int)options->compression);
    if (!((*format)->compressions & 1u << options->compression))
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "%s is never compressed with %s", (*format)->name, name);
    if (!clump_io_packer_has(options->compression))
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "this build has no %s", name);
    return CLUMP_OK;
}

/* Whether bytes at the beginning of the file can be written again. */
static bool can_rewrite(int file)
{
    return lseek(file, 0, SEEK_CUR) == 0 && !(fcntl(file, F_GETFL) & O_APPEND);
}

static clump_status open_file(const clump_io_where *where, const char *path, const clump_recorder_options *options,
                              clump_recorder *recorder)
{
    CLUMP_IO_TRY(clump_io_target_open(where, path, options->temporary, options->temporary_user, &recorder->target));
    clump_status status = CLUMP_OK;
    if (recorder->format->rewrite && !can_rewrite(recorder->target.file))
        status = clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED,
                               "a %s cannot be written to a pipe: its first bytes are written last; write mcap",
                               recorder->format->name);
    else if (!clump_io_sink_open(&recorder->sink, recorder->target.file))
        status = clump_io_no_memory(where, recorder->sink.capacity);
    const clump_io_where silent = {where->name, NULL};
    if (status != CLUMP_OK) clump_io_target_commit(&silent, &recorder->target, -1);
    return status;
}

/* --- ROS 2 ---------------------------------------------------------------------------------------------- */

/* Publishes a message. One that cannot be sent is counted. */
static void publish(void *given, const clump_recorder_message *message)
{
    clump_recorder *const recorder = given;
    if (!clump_io_bus_publish(recorder->bus, message->topic, message->type, message->data, message->size))
        recorder->unsent++;
}

/* Lets the recorder publish its messages. */
static clump_status join(const clump_io_where *where, const char *path, clump_recorder *recorder)
{
    clump_io_bus_name name;
    CLUMP_IO_TRY(clump_io_bus_name_read(where, path, &name));
    if (name.topic[0])
        return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "topics are named per message: ros2:// has none here");
    CLUMP_IO_TRY(clump_io_bus_join(where, &name, &recorder->bus));
    recorder->take = publish;
    recorder->take_user = recorder;
    return CLUMP_OK;
}

/* --- opening -------------------------------------------------------------------------------------------- */

clump_status clump_recorder_open(const char *path, const clump_recorder_options *options, clump_recorder **out,
                                 clump_message *message)
{
    const clump_io_where where = {path && clump_io_is_dash(path) ? "standard output" : path, message};
    const clump_recorder_options defaults = clump_recorder_defaults();
    if (message) message->text[0] = 0;
    if (out) *out = NULL;
    if (!path || !out) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_recorder_open: path or out is null");
    if (!options) options = &defaults;
    if (options->cookie != RECORDER_OPEN_COOKIE)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "the options were not made by clump_recorder_defaults()");
    if (options->chunk_size > CLUMP_IO_RECORDER_MAX_CHUNK)
        return clump_io_fail(&where, CLUMP_ERR_OPTIONS, "chunk_size is %zu, more than %zu", options->chunk_size,
                             CLUMP_IO_RECORDER_MAX_CHUNK);
    const clump_io_recorder_format *format = NULL;
    CLUMP_IO_TRY(choose_format(&where, path, options, &format));
    clump_recorder *const recorder = calloc(1, sizeof *recorder);
    char *const name = strdup(where.name);
    clump_status status = recorder && name ? CLUMP_OK : clump_io_no_memory(&where, sizeof *recorder);
    if (status == CLUMP_OK) {
        recorder->format = format;
        recorder->compression = options->compression;
        recorder->chunk_size = options->chunk_size;
        recorder->name = name;
        recorder->take = options->take;
        recorder->take_user = options->take_user;
        if (format == &clump_io_recorder_taken) recorder->chunk_size = 0; /* each message at once */
        if (is_bus(path))
            status = join(&where, path, recorder);
        else if (!options->take)
            status = open_file(&where, path, options, recorder);
    }
    if (status != CLUMP_OK) {
        free(recorder);
        free(name);
        return status;
    }
    format->begin(recorder);
    *out = recorder;
    return CLUMP_OK;
}
