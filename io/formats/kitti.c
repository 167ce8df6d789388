/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kitti.c: the scans of the KITTI data sets. No header, a point is 16 bytes: float32 x y z intensity.
 */
#include "formats/plain.h"

static const char *const names[] = {"intensity"};

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    return clump_io_plain_read(source, cloud, "KITTI", names, 1);
}

static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    return clump_io_plain_describe(source, cloud, "KITTI", names, 1, records);
}

static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    return clump_io_plain_write(output, sink, "KITTI", names, 1);
}

const clump_io_format clump_io_format_kitti = {
    .format = CLUMP_FORMAT_KITTI,
    .name = "kitti",
    .extensions = {"bin"},
    .encodings = CLUMP_IO_BINARY,
    .holds_points = true,
    .streams = true,
    .parse = parse,
    .describe = describe,
    .write = write_cloud,
};
