/* SPDX-License-Identifier: BSD-3-Clause
 *
 * load.c: finds the format of a file and reads it. Content decides first, since names may be wrong; then
 * the name, since a KITTI scan has only floats; then, if the beginning is printable, it is text. Files of labels are read here, too.
 */
#include "format.h"

#include "common/assert.h"

#include <stdlib.h>
#include <string.h>

#define LOAD_COOKIE 0x636c6f62u

clump_load_options clump_load_defaults(void)
{
    return (clump_load_options){.cookie = LOAD_COOKIE};
}

static bool looks_like_text(const clump_io_source *source)
{
    const size_t probe = source->size < 512 ? source->size : 512;
    const bool marked = source->size >= 3 && memcmp(source->bytes, "\xef\xbb\xbf", 3) == 0; /* byte order mark */
    for (size_t i = marked ? 3 : 0; i < probe; i++) {
        const unsigned char c = source->bytes[i];
        if ((c < ' ' && (c < '\t' || c > '\r')) || c >= 0x7f) return false;
    }
    return probe > 0;
}

static const clump_io_format *guess(const clump_io_source *source, clump_cloud *cloud)
{
    const clump_io_format *named = clump_io_format_of_name(source->where.name);
    for (const clump_io_format *const *f = clump_io_formats; *f; f++) {
        if (!(*f)->sniff || !(*f)->sniff(source->bytes, source->size)) continue;
        if (named && named != *f) {
            char extension[16], holds[16] = "";
            clump_io_extension(source->where.name, extension);
            for (size_t i = 0; (*f)->name[i] && i + 1 < sizeof holds; i++)
                holds[i] = (char)((*f)->name[i] - ((*f)->name[i] >= 'a' ? 32 : 0));
            clump_io_note(cloud, "named .%s but holds %s", extension, holds);
        }
        return *f;
    }
    if (named) return named;
    return looks_like_text(source) ? &clump_io_format_text : NULL;
}

/* Chooses the raw format, for which the caller gives columns. Refuses a file with a header, which has its own. */
static clump_status choose_raw(const clump_io_source *source, clump_format asked, const clump_io_format **format)
{
    *format = &clump_io_format_raw;
    if (asked == CLUMP_FORMAT_RAW || asked == CLUMP_FORMAT_KITTI || asked == CLUMP_FORMAT_NUSCENES) return CLUMP_OK;
    const clump_io_format *other = asked != CLUMP_FORMAT_GUESS ? clump_io_format_of(asked) : NULL;
    for (const clump_io_format *const *f = clump_io_formats; asked == CLUMP_FORMAT_GUESS && *f && !other; f++)
        if ((*f)->sniff && *f != &clump_io_format_nuscenes && (*f)->sniff(source->bytes, source->size)) other = *f;
    if (!other) return CLUMP_OK;
    return clump_io_fail(&source->where, CLUMP_ERR_ARGUMENT,
                         "columns cannot be given for %s: they are for files without a header", other->name);
}

clump_status clump_io_choose_format(const clump_io_source *source, clump_format asked, clump_cloud *cloud,
                                    const clump_io_format **format)
{
    if (asked != CLUMP_FORMAT_GUESS && !clump_io_format_of(asked))
        return clump_io_fail(&source->where, CLUMP_ERR_ARGUMENT, "there is no format %d", (int)asked);
    if (source->columns) return choose_raw(source, asked, format);
    *format = asked != CLUMP_FORMAT_GUESS ? clump_io_format_of(asked) : guess(source, cloud);
    if (*format) return CLUMP_OK;
    if (source->size == 0) return CLUMP_IO_TRUNCATED(source, "the file is empty");
    return CLUMP_IO_UNSUPPORTED(source,
                                "neither the content nor the name tells the format; give it: pcd, ply, las, kitti, "
                                "nuscenes, text or npy; or the columns of its points, such as xyzi");
}

static clump_status parse(clump_io_source *source, const clump_load_options *options, clump_cloud *cloud)
{
    const clump_io_format *format = NULL;
    CLUMP_IO_TRY(clump_io_choose_format(source, options ? options->format : CLUMP_FORMAT_GUESS, cloud, &format));
    cloud->info.format = format->format;
    CLUMP_ASSERT(format->parse);
    if (!format->streams) {
        /* Reading from disk and parsing each take half of the progress. */
        const clump_io_progress progress = source->progress;
        if (source->stream) source->progress.to = 0.5;
        CLUMP_IO_TRY(clump_io_require_all(source));
        if (source->stream) source->progress = (clump_io_progress){progress.call, progress.user, 0.5, 1};
    }
    clump_io_locale locale;
    if (!clump_io_locale_enter(&locale)) return clump_io_no_memory(&source->where, 0);
    const clump_status status = format->parse(source, cloud);
    clump_io_locale_leave(&locale);
    CLUMP_IO_TRY(status);
    CLUMP_IO_TRY(clump_io_cloud_separate_names(&source->where, cloud));
    for (size_t i = 0; format->unsigned_labels && i < cloud->field_count; i++)
        if (clump_io_is_label(&cloud->fields[i], CLUMP_TYPE_U32, cloud->count)) cloud->fields[i].type = CLUMP_TYPE_I32;
    return CLUMP_OK;
}

/* Checks the arguments that both ways of reading have. */
static clump_status check(const clump_io_where *where, const clump_load_options *options, clump_cloud **out)
{
    if (where->message) where->message->text[0] = 0;
    if (out) *out = NULL;
    if (!options || options->cookie == LOAD_COOKIE) return CLUMP_OK;
    return clump_io_fail(where, CLUMP_ERR_OPTIONS, "the options were not made by clump_load_defaults()");
}

static void take_options(clump_io_source *source, const clump_load_options *options)
{
    source->columns = options ? options->columns : NULL;
    source->partial = options && options->partial;
    source->threads = options ? options->threads : 0;
    if (options) source->progress = (clump_io_progress){options->progress, options->progress_user, 0, 1};
}

static clump_status parse_cloud(clump_io_source *source, const clump_load_options *options, clump_cloud **out)
{
    clump_cloud *cloud;
    CLUMP_IO_TRY(clump_cloud_create(0, &cloud, source->where.message));
    const clump_status status = parse(source, options, cloud);
    if (status == CLUMP_OK)
        *out = cloud;
    else
        clump_cloud_destroy(cloud);
    return status;
}

clump_status clump_cloud_parse(const void *bytes, size_t size, const char *name, const clump_load_options *options,
                               clump_cloud **out, clump_message *message)
{
    /* Adding 0 to a null pointer is undefined. */
    clump_io_source source = {.bytes = bytes ? bytes : (const void *)"", .size = size, .where = {name, message}};
    const clump_status status = check(&source.where, options, out);
    if (!out || (!bytes && size))
        return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_cloud_parse: bytes or out is null");
    CLUMP_IO_TRY(status);
    take_options(&source, options);
    return parse_cloud(&source, options, out);
}

clump_status clump_io_load(const char *path, const clump_load_options *options, bool all_needed, clump_cloud **out,
                           clump_message *message)
{
    clump_io_source source = {.where = {path && clump_io_is_dash(path) ? "standard input" : path, message},
                              .all_needed = all_needed};
    clump_status status = check(&source.where, options, out);
    if (!path || !out) return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_cloud_load: path or out is null");
    CLUMP_IO_TRY(status);
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(&source.where, path, &stream));
    take_options(&source, options);
    source.bytes = stream.data ? stream.data : (const unsigned char *)"";
    source.size = stream.size;
    source.stream = &stream;
    status = parse_cloud(&source, options, out);
    clump_io_stream_close(&stream);
    return status;
}

clump_status clump_cloud_load(const char *path, const clump_load_options *options, clump_cloud **out,
                              clump_message *message)
{
    return clump_io_load(path, options, false, out, message);
}

/* --- labels -------------------------------------------------------------------------------- */

static clump_status read_raw(const clump_io_source *source, int32_t **labels, size_t *count)
{
    if (source->size % sizeof(int32_t))
        return CLUMP_IO_DAMAGED(source, "%zu bytes is no multiple of 4, the size of a label", source->size);
    *labels = clump_io_allocate(source->size);
    if (!*labels) return clump_io_no_memory(&source->where, source->size);
    if (source->size) memcpy(*labels, source->bytes, source->size);
    *count = source->size / sizeof(int32_t);
    return CLUMP_OK;
}

clump_status clump_labels_load(const char *path, int32_t **labels, size_t *count, clump_message *message)
{
    clump_io_source source = {.where = {path, message}};
    if (message) message->text[0] = 0;
    if (labels) *labels = NULL;
    if (count) *count = 0;
    if (!path || !labels || !count)
        return clump_io_fail(&source.where, CLUMP_ERR_ARGUMENT, "clump_labels_load: path, labels or count is null");
    if (clump_io_is_dash(path)) source.where.name = "standard input";
    clump_io_stream stream;
    CLUMP_IO_TRY(clump_io_stream_open(&source.where, path, &stream));
    source.bytes = stream.data;
    source.size = stream.size;
    source.stream = &stream;
    clump_status status = clump_io_require_all(&source);
    const clump_io_format *named = clump_io_format_of_name(path);
    if (status == CLUMP_OK && clump_io_format_npy.sniff(source.bytes, source.size))
        status = clump_io_npy_labels(&source, labels, count);
    else if (status == CLUMP_OK &&
             (named == &clump_io_format_labels || named == &clump_io_format_semantickitti || clump_io_is_dash(path)))
        status = read_raw(&source, labels, count);
    else if (status == CLUMP_OK) /* any four bytes would pass for a label */
        status = CLUMP_IO_UNSUPPORTED(&source, "labels are read from .labels, .label and .npy files");
    clump_io_stream_close(&stream);
    return status;
}

void clump_labels_free(int32_t *labels)
{
    free(labels);
}

static clump_status attach_halves(clump_cloud *cloud, const int32_t *labels, clump_message *message)
{
    uint16_t *halves = clump_io_allocate(cloud->count * sizeof *halves);
    const clump_io_where where = {NULL, message};
    if (!halves) return clump_io_no_memory(&where, cloud->count * sizeof *halves);
    static const char *const names[2] = {"semantic", "instance"};
    clump_status status = CLUMP_OK;
    for (int upper = 0; upper < 2 && status == CLUMP_OK; upper++) {
        for (size_t i = 0; i < cloud->count; i++) halves[i] = (uint16_t)((uint32_t)labels[i] >> 16 * upper);
        const clump_field field = {names[upper], CLUMP_TYPE_U16, 1, halves};
        status = clump_cloud_set_field(cloud, &field, message);
    }
    free(halves);
    return status;
}

clump_status clump_cloud_attach(clump_cloud *cloud, const char *path, clump_message *message)
{
    const clump_io_where where = {path, message};
    if (message) message->text[0] = 0;
    if (!cloud) return clump_io_fail(&where, CLUMP_ERR_ARGUMENT, "clump_cloud_attach: cloud is null");
    int32_t *labels;
    size_t count;
    CLUMP_IO_TRY(clump_labels_load(path, &labels, &count, message));
    clump_status status = CLUMP_OK;
    if (count != cloud->count)
        status = clump_io_fail(&where, CLUMP_ERR_IO_FORMAT, "%zu label%s for a cloud of %zu point%s", count,
                               count == 1 ? "" : "s", cloud->count, cloud->count == 1 ? "" : "s");
    else if (clump_io_format_of_name(path) == &clump_io_format_semantickitti)
        status = attach_halves(cloud, labels, message);
    else
        status = clump_cloud_set_field(cloud, &(clump_field){"label", CLUMP_TYPE_I32, 1, labels}, message);
    clump_labels_free(labels);
    return status;
}
