/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nuscenes.c: the scans of the nuScenes data set, .pcd.bin. No header, a point is 20 bytes: float32
 * x y z intensity ring.
 *
 * Read as KITTI's 16-byte points, such a file would give wrong points without an error, and vice versa.
 * The ring tells them apart: every fifth number of a nuScenes scan is a small integer.
 */
#include "formats/plain.h"

#include <math.h>
#include <string.h>

static float number_at(const unsigned char *bytes, size_t index)
{
    float value;
    memcpy(&value, bytes + 4 * index, sizeof value);
    return value;
}

/* Whether every fifth number is a ring. Requires measured coordinates: where all numbers are integers, rings cannot be
 * told. */
static bool sniff(const unsigned char *bytes, size_t size)
{
    enum { PROBED = 512, RINGS = 1024 };
    if (size == 0 || size % 20 || clump_io_format_npy.sniff(bytes, size)) return false;
    const size_t points = size / 20 < PROBED ? size / 20 : PROBED;
    size_t measured = 0;
    for (size_t i = 0; i < points; i++) {
        const float ring = number_at(bytes, 5 * i + 4);
        if (!(ring >= 0 && ring < RINGS) || ring != floorf(ring)) return false;
        for (size_t a = 0; a < 3; a++) {
            const float x = number_at(bytes, 5 * i + a);
            measured += x != floorf(x) && fabsf(x) > 1e-20f && fabsf(x) < 1e6f;
        }
    }
    return 2 * measured > 3 * points;
}

static const char *const names[] = {"intensity", "ring"};

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    return clump_io_plain_read(source, cloud, "nuScenes", names, 2);
}

static clump_status describe(const clump_io_source *source, clump_cloud *cloud, clump_io_records *records)
{
    return clump_io_plain_describe(source, cloud, "nuScenes", names, 2, records);
}

static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    return clump_io_plain_write(output, sink, "nuScenes", names, 2);
}

const clump_io_format clump_io_format_nuscenes = {
    .format = CLUMP_FORMAT_NUSCENES,
    .name = "nuscenes",
    .extensions = {"pcd.bin"},
    .encodings = CLUMP_IO_BINARY,
    .holds_points = true,
    .sniff = sniff,
    .streams = true,
    .parse = parse,
    .describe = describe,
    .write = write_cloud,
};
