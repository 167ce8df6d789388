/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rings.c: the rings of a cloud for clump_objects: its field "ring", or its rows.
 */
#include "format.h"

#include <math.h>

enum { RINGS_ROWS = 256 }; /* sensors that rotate have fewer rings; images have more rows */

static bool is_finite(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

clump_status clump_cloud_rings(const clump_cloud *cloud, uint16_t *rings, bool *found, clump_message *message)
{
    const clump_io_where where = {NULL, message};
    clump_field field;
    if (message) message->text[0] = 0;
    *found = cloud && clump_cloud_find(cloud, "ring", &field) && field.count == 1;
    if (!*found) return CLUMP_OK;
    const clump_points points = clump_cloud_points(cloud);
    for (size_t i = 0; i < points.count; i++) {
        const double value = clump_field_value(&field, i, 0);
        const bool valid = value >= 0 && value < CLUMP_RINGS_MOST && value == floor(value);
        if (!valid && is_finite(points.xyz + 3 * i))
            return clump_io_fail(&where, CLUMP_ERR_IO_FORMAT,
                                 "field ring: the ring of point %zu is %g; rings are whole numbers from 0 to %d", i,
                                 value, CLUMP_RINGS_MOST - 1);
        rings[i] = valid ? (uint16_t)value : 0;
    }
    return CLUMP_OK;
}

size_t clump_cloud_columns(const clump_cloud *cloud)
{
    if (!cloud) return 0;
    const clump_cloud_info info = clump_cloud_describe(cloud);
    return info.height > 1 && info.height <= RINGS_ROWS ? info.width : 0;
}
