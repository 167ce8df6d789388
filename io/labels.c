/* SPDX-License-Identifier: BSD-3-Clause
 *
 * labels.c: .labels files, little-endian int32, one a point and nothing else. They are read by
 * clump_labels_load(), since they hold no points.
 */
#include "format.h"

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    (void)cloud;
    return clump_io_fail(&source->where, CLUMP_ERR_IO_UNSUPPORTED, "a .labels file holds labels, not points");
}

static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    if (!output->labels && output->cloud->count)
        return clump_io_fail(&output->where, CLUMP_ERR_ARGUMENT, "there are no labels to write");
    clump_io_put(sink, output->labels, output->cloud->count * sizeof(int32_t));
    return CLUMP_OK;
}

const clump_io_format clump_io_labels = {
    .format = CLUMP_FORMAT_LABELS,
    .name = "labels",
    .extensions = {"labels"},
    .binary = true,
    .parse = parse,
    .write = write_cloud,
};
