/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c: files of labels, which hold no points.
 *
 *     .labels   -1 0 0 3 ...                   int32, one per point, and nothing else
 *     .label    instance << 16 | semantic      uint32, one per point: SemanticKITTI's classes and objects
 *     .npy      int32 or int64, shape (N,)     NumPy arrays (npy.c reads the header)
 *
 * clump_labels_load() (load.c) reads them; clump_cloud_attach() adds them to a cloud as fields.
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
