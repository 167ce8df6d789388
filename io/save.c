/* SPDX-License-Identifier: BSD-3-Clause
 *
 * save.c: chooses the format and the fields to write, then calls the format.
 */
#include "format.h"

#include <stdlib.h>
#include <string.h>

#define SAVE_COOKIE 0x63736177u

clump_save_options clump_save_defaults(void)
{
    return (clump_save_options){.cookie = SAVE_COOKIE};
}

static clump_status choose_format(const clump_io_where *where, const clump_save_options *options,
                                  const clump_io_format **format, clump_encoding *encoding)
{
    const bool given = options && options->format != CLUMP_FORMAT_GUESS;
    const clump_io_format *f = given ? clump_io_format_of(options->format) : clump_io_format_of_name(where->name);
    if (given && !f) return clump_io_fail(where, CLUMP_ERR_ARGUMENT, "there is no format %d", (int)options->format);
    if (!f) {
        char list[256];
        clump_io_list_written(list, sizeof list);
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "the name tells no format that can be written: %s", list);
    }
    if (!f->write)
        return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "%s cannot be written here, only read; write .las",
                             f->name);
    *format = f;
    *encoding = options ? options->encoding : CLUMP_ENCODING_DEFAULT;
    if (*encoding == CLUMP_ENCODING_DEFAULT)
        *encoding = f->encodings & CLUMP_IO_BINARY  ? CLUMP_ENCODING_BINARY
                    : f->encodings & CLUMP_IO_ASCII ? CLUMP_ENCODING_ASCII
                                                    : CLUMP_ENCODING_COMPRESSED;
    if ((unsigned)*encoding <= CLUMP_ENCODING_BIG_ENDIAN && (f->encodings & 1u << *encoding)) return CLUMP_OK;
    static const char *const names[] = {"", "ascii", "binary", "compressed", "big-endian"};
    const char *asked = (unsigned)*encoding <= CLUMP_ENCODING_BIG_ENDIAN ? names[*encoding] : "in this encoding";
    return clump_io_fail(where, CLUMP_ERR_IO_UNSUPPORTED, "%s is never %s", f->name, asked);
}

/* Lists the fields to write: the cloud's fields, with the labels in place of a field "label". */
static clump_status choose_fields(const clump_io_where *where, const clump_io_format *format, const clump_cloud *cloud,
                                  const int32_t *labels, clump_field **fields, size_t *count)
{
    const size_t bytes = (cloud->field_count + 1) * sizeof **fields;
    *fields = malloc(bytes);
    if (!*fields) return clump_io_no_memory(where, bytes);
    *count = 0;
    for (size_t i = 0; i < cloud->field_count; i++)
        if (!labels || strcmp(cloud->fields[i].name, "label") != 0) (*fields)[(*count)++] = cloud->fields[i];
    if (labels) (*fields)[(*count)++] = (clump_field){"label", CLUMP_TYPE_I32, 1, labels};
    for (size_t i = 0; i < *count && format->unsigned_labels; i++)
        if (clump_io_is_label(&(*fields)[i], CLUMP_TYPE_I32, cloud->count)) (*fields)[i].type = CLUMP_TYPE_U32;
    return CLUMP_OK;
}

static clump_status write_file(const clump_io_format *format, const char *path, const clump_save_options *options,
                               const clump_io_output *output)
{
    clump_io_target target;
    clump_io_sink sink;
    CLUMP_IO_TRY(clump_io_target_open(&output->where, path, options ? options->temporary : NULL,
                                      options ? options->temporary_user : NULL, &target));
    clump_status status = CLUMP_OK;
    if (clump_io_sink_open(&sink, target.file)) {
        status = format->write(output, &sink);
        clump_io_sink_close(&sink);
    } else {
        status = clump_io_no_memory(&output->where, sink.capacity);
    }
    const clump_status closed = clump_io_target_commit(&output->where, &target, status != CLUMP_OK ? -1 : sink.error);
    return status != CLUMP_OK ? status : closed;
}

clump_status clump_cloud_save(const char *path, const clump_cloud *cloud, const int32_t *labels,
                              const clump_save_options *options, clump_message *message)
{
    clump_io_output output = {.cloud = cloud, .labels = labels, .where = {path, message}};
    if (path && clump_io_is_dash(path)) output.where.name = "standard output";
    if (message) message->text[0] = 0;
    if (!path || !cloud)
        return clump_io_fail(&output.where, CLUMP_ERR_ARGUMENT, "clump_cloud_save: path or cloud is null");
    if (options && options->cookie != SAVE_COOKIE)
        return clump_io_fail(&output.where, CLUMP_ERR_OPTIONS, "the options were not made by clump_save_defaults()");

    if (options) output.threads = options->threads;
    if (options) output.progress = (clump_io_progress){options->progress, options->progress_user, 0, 1};
    const clump_io_format *format = NULL;
    CLUMP_IO_TRY(choose_format(&output.where, options, &format, &output.encoding));
    char extension[16];
    clump_io_extension(path, extension);
    output.extension = extension;

    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&output.where, 0);
    clump_field *fields = NULL;
    clump_status status = choose_fields(&output.where, format, cloud, labels, &fields, &output.field_count);
    output.fields = fields;
    if (status == CLUMP_OK) status = write_file(format, path, options, &output);
    free(fields);
    clump_io_locale_leave(&locale);
    return status;
}
