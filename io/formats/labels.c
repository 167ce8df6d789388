/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c: files of labels, which hold no points.
 *
 *     .labels   -1 0 0 3 ...                   int32, one per point, and nothing else
 *     .label    instance << 16 | semantic      uint32, one per point: SemanticKITTI's classes and objects
 *     .npy      int32 or int64, shape (N,)     NumPy arrays (npy.c reads the header)
 *
 * clump_labels_load() reads them; clump_cloud_attach() adds them to a cloud as fields.
 */
#include "format.h"

#include <stdlib.h>
#include <string.h>

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    (void)cloud;
    return CLUMP_IO_UNSUPPORTED(source, "the file holds labels, not points");
}

static clump_status write_labels(const clump_io_output *output, clump_io_sink *sink)
{
    if (!output->labels && output->cloud->count)
        return clump_io_fail(&output->where, CLUMP_ERR_ARGUMENT, "there are no labels to write");
    clump_io_put(sink, output->labels, output->cloud->count * sizeof(int32_t));
    return CLUMP_OK;
}

/* Converts element i of a field to one half of a .label entry; a missing field is 0. False: the value does not fit. */
static bool half_of(const clump_field *field, size_t i, uint32_t *value)
{
    const double number = field->data ? clump_io_value(field->type, field->data, i * field->count) : 0;
    *value = number >= 0 && number <= UINT16_MAX ? (uint32_t)number : 0;
    return (double)*value == number;
}

/* Writes clusters, numbered from 0 with noise -1, as instances, numbered from 1 with none 0. */
static clump_status write_semantic(const clump_io_output *output, clump_io_sink *sink)
{
    clump_field semantic = {0}, instance = {0};
    const bool classes = clump_cloud_find(output->cloud, "semantic", &semantic);
    if (!output->labels && !clump_cloud_find(output->cloud, "instance", &instance) && !classes && output->cloud->count)
        return clump_io_fail(&output->where, CLUMP_ERR_ARGUMENT,
                             "there are no labels to write, nor a field semantic or instance");
    for (size_t i = 0; i < output->cloud->count; i++) {
        uint32_t lower, upper = 0;
        bool fits = half_of(&semantic, i, &lower);
        if (output->labels)
            upper = output->labels[i] >= 0 ? (uint32_t)output->labels[i] + 1 : 0;
        else
            fits = half_of(&instance, i, &upper) && fits;
        if (!fits || upper > UINT16_MAX)
            return CLUMP_IO_UNSUPPORTED(output,
                                        "point %zu: a .label file has 16 bits for an instance and 16 for a class", i);
        const uint32_t entry = upper << 16 | lower;
        clump_io_put(sink, &entry, sizeof entry);
    }
    return CLUMP_OK;
}

const clump_io_format clump_io_format_labels = {
    .format = CLUMP_FORMAT_LABELS,
    .name = "labels",
    .extensions = {"labels"},
    .encodings = CLUMP_IO_BINARY,
    .holds_labels = true,
    .parse = parse,
    .write = write_labels,
};

const clump_io_format clump_io_format_semantickitti = {
    .format = CLUMP_FORMAT_SEMANTICKITTI,
    .name = "semantickitti",
    .extensions = {"label"},
    .encodings = CLUMP_IO_BINARY,
    .holds_labels = true,
    .parse = parse,
    .write = write_semantic,
};

/* --- reading -------------------------------------------------------------------------------- */

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

/* --- as fields of a cloud ------------------------------------------------------------------- */

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
