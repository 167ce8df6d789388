/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nuscenes.c: the scans of the nuScenes data set, .pcd.bin, five float32 a point. Refused by their
 * name, since as KITTI files they would give wrong points and no error.
 */
#include "format.h"

static clump_status parse(const clump_io_source *source, clump_cloud *cloud)
{
    (void)cloud;
    return clump_io_fail(&source->where, CLUMP_ERR_IO_UNSUPPORTED,
                         "nuScenes scans (.pcd.bin, five float32 a point) are not supported");
}

const clump_io_format clump_io_nuscenes = {.name = "nuscenes", .extensions = {"pcd.bin"}, .parse = parse};
