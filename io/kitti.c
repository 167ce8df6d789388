/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kitti.c: the scans of the KITTI data sets. No header, a point is 16 bytes: float32 x y z intensity.
 */
#include "format.h"

#include <string.h>

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    if (source->size % 16)
        return clump_io_fail(&source->where, CLUMP_ERR_IO_FORMAT,
                             "%zu bytes is no multiple of 16, the size of a KITTI point (float32 x y z intensity)",
                             source->size);
    const size_t count = source->size / 16;
    clump_status status = clump_io_cloud_resize(&source->where, cloud, count);
    if (status != CLUMP_OK) return status;
    void *data;
    status = clump_io_cloud_add_field(&source->where, cloud, "intensity", 9, CLUMP_TYPE_F32, 1, &data);
    if (status != CLUMP_OK) return status;
    float *intensity = data;
    cloud->info.encoding = CLUMP_ENCODING_BINARY;
    for (size_t i = 0; i < count; i++) {
        memcpy(cloud->xyz + 3 * i, source->bytes + 16 * i, 12);
        memcpy(intensity + i, source->bytes + 16 * i + 12, 4);
    }
    return CLUMP_OK;
}

/* Whatever else the cloud has is left out. */
static clump_status write_cloud(const clump_io_output *output, clump_io_sink *sink)
{
    const clump_cloud *cloud = output->cloud;
    if (output->labels)
        return clump_io_fail(&output->where, CLUMP_ERR_IO_UNSUPPORTED,
                             "a KITTI file has no place for labels; write .pcd, .csv, .xyz, .npy or .labels");
    clump_field intensity;
    bool there = clump_cloud_find(cloud, "intensity", &intensity) || clump_cloud_find(cloud, "Intensity", &intensity);
    if (there && intensity.count != 1) there = false;
    for (size_t i = 0; i < cloud->count; i++) {
        float point[4] = {0};
        for (int a = 0; a < 3; a++) point[a] = clump_io_coordinate32(cloud, i, a);
        if (there) point[3] = (float)clump_io_value(intensity.type, intensity.data, i);
        clump_io_put(sink, point, sizeof point);
    }
    return CLUMP_OK;
}

const clump_io_format clump_io_kitti = {
    .format = CLUMP_FORMAT_KITTI,
    .name = "kitti",
    .extensions = {"bin"},
    .binary = true,
    .parse = parse,
    .write = write_cloud,
};
